#pragma once
/// -symbol-dce: what every compiler has, under the name that MLIR gives it.

#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include <mpmd/graph/symbol_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// Erases the private symbols that may go and that nothing names which stays. What ops name is looked for by name alone,
/// so that a symbol stays which shares its name with one that is used. O(ops + attributes).
template <symbol_program P, class MayGo>
void erase_unnamed_symbols(P& p, MayGo may_go) {
  using traits = ir_traits<P>;
  std::unordered_map<std::string, std::vector<op_t<P>>> candidates;  // private symbols that nothing has named yet
  std::vector<op_t<P>> live, all;
  walk_ops(p, traits::root(p), [&](op_t<P> o) {
    bool const table = traits::is_symbol_table(p, o);
    std::string label(traits::symbol_name(p, o));
    if (!table && !label.empty() && traits::is_private(p, o) && may_go(o)) {
      candidates[std::move(label)].push_back(o);
      all.push_back(o);
    } else {
      live.push_back(o);
    }
    return table;
  });
  typename traits::symbol_uses uses(p);
  std::unordered_set<op_t<P>> kept;
  auto const named = [&](std::string_view label) {
    auto const at = candidates.find(std::string(label));
    if (at == candidates.end()) return;
    for (op_t<P> const o : at->second) {
      live.push_back(o);
      kept.insert(o);
    }
    candidates.erase(at);
  };
  for (std::size_t i = 0; i < live.size(); ++i) {
    op_t<P> const top = live[i];
    uses.of(p, top, named);
    if (traits::is_symbol_table(p, top)) continue;  // what is in it is on the list
    walk_ops(p, top, [&](op_t<P> o) { uses.of(p, o, named); });
  }
  for (op_t<P> const o : all)
    if (!kept.contains(o)) traits::erase(p, o);
}

/// Private functions and other private symbols that nothing names which stays go.
struct erase_unused_symbols {
  static constexpr std::string_view name = "symbol-dce";
  static constexpr std::string_view summary = "Erase private functions that nobody names";
  static constexpr auto options = std::tuple{};

  template <symbol_program P>
  bool operator()(P& p, diagnostics&) const {
    erase_unnamed_symbols(p, [](op_t<P>) { return true; });
    return true;
  }
};

}  // namespace mpmd
