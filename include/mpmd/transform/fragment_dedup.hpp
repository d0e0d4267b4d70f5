#pragma once
/// -mpmd-fragment-dedup: operands and results that a fragment has twice are used once.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// In each fragment, an argument whose operand has come before is not used any more, nor is a result which is the same
/// value, of the same type, as one before. Nothing is removed: fragment_dce does that. Linear.
struct fragment_dedup {
  static constexpr std::string_view name = "mpmd-fragment-dedup";
  static constexpr std::string_view summary = "Use each operand and result of a fragment under one name only";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : distributed_functions(p))
      for (op_t<P> const o : placed_ops(p, f)) {
        if (!is_fragment(p, o)) continue;
        auto const operands = operands_of(p, o), arguments = arguments_of(p, o);
        std::unordered_map<value_t<P>, std::size_t> first;
        for (std::size_t i = 0; i < arguments.size() && i < operands.size(); ++i)
          if (auto const [at, fresh] = first.emplace(operands[i], i); !fresh)
            replace_uses(p, arguments[i], arguments[at->second]);
        auto const returned = operands_of(p, terminator_of(p, o)), results = results_of(p, o);
        std::unordered_map<value_t<P>, std::vector<std::size_t>> known;  // by type, most often one
        for (std::size_t i = 0; i < results.size(); ++i) {
          auto& alike = known[returned[i]];
          bool found = false;
          for (std::size_t const k : alike) {
            if (!(traits::type_of(p, results[k]) == traits::type_of(p, results[i]))) continue;
            replace_uses(p, results[i], results[k]);
            found = true;
            break;
          }
          if (!found) alike.push_back(i);
        }
      }
    return true;
  }
};

}  // namespace mpmd
