#pragma once
/// -mpmd-split-and-prioritize-transfer-independent-computations: what needs no transfer is computed before transfers
/// are there.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>
#include <mpmd/transform/split_fragment.hpp>

namespace mpmd {

/// A fragment some of whose operands are transferred is cut in two: the first part holds what depends on none of these,
/// the second the rest. Ops with effects keep their order. An op that takes nothing goes where it is used, so that
/// constants alone make no first part. A fragment without a first or without a second part stays whole. Linear.
struct split_and_prioritize_transfer_independent_computations {
  static constexpr std::string_view name = "mpmd-split-and-prioritize-transfer-independent-computations";
  static constexpr std::string_view summary = "Cut fragments in what has to wait for transfers and what has not";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    for (op_t<P> const f : distributed_functions(p))
      for (op_t<P> const o : body_of(p, f))
        if (is_fragment(p, o) && !is_split(p, o)) split(p, o);
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static void split(P& p, op_t<P> fragment) {
    using traits = ir_traits<P>;
    auto const operands = operands_of(p, fragment);
    std::unordered_set<value_t<P>> transferred;
    std::size_t i = 0;
    for (auto&& a : mpmd::arguments(p, fragment))
      if (defined_by(p, operands[i++], role::transfer)) transferred.insert(a);
    if (transferred.empty()) return;
    op_t<P> const end = terminator_of(p, fragment);
    auto const all = body_of(p, fragment);
    std::unordered_set<op_t<P>> waits;
    bool effects_wait = false;
    for (op_t<P> const o : all) {
      if (o == end) continue;
      bool const pure = traits::is_pure(p, o);
      bool found = !pure && effects_wait;
      for (value_t<P> const v : effective_operands(p, o)) {
        op_t<P> const by = mpmd::defining_op(p, v);
        found = found || (by ? waits.contains(by) : transferred.contains(v));
      }
      if (!found) continue;
      waits.insert(o);
      effects_wait = effects_wait || !pure;
    }
    std::size_t first = 0;
    for (i = all.size(); i-- > 0;) {
      op_t<P> const o = all[i];
      if (o == end || waits.contains(o)) continue;
      bool needed_first = !effective_operands(p, o).empty() || !traits::is_pure(p, o);
      for (value_t<P> const v : traits::results(p, o))
        for (auto const& u : traits::uses(p, v)) {
          op_t<P> const user = ancestor_in(p, fragment, u.user);
          needed_first = needed_first || user == end || !waits.contains(user);
        }
      if (!needed_first)
        waits.insert(o);
      else if (!effective_operands(p, o).empty() || !traits::is_pure(p, o))
        ++first;
    }
    if (first != 0) split_fragment(p, fragment, waits, transferred);
  }
};

}  // namespace mpmd
