#pragma once
/// -mpmd-fragment-dce: removes what fragments compute or take for nothing.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>
#include <mpmd/transform/simplify_region_op.hpp>

namespace mpmd {

namespace detail {

/// Removes from a fragment its unused results, then the ops inside that only they needed, then unused operands; and the
/// fragment, if nothing is left. Control operands stay.
template <mutable_mpmd_program P>
void trim_fragment(P& p, op_t<P> fragment) {
  using traits = ir_traits<P>;
  op_t<P> o = fragment;
  auto const results = results_of(p, o);
  std::vector<std::size_t> unused;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (is_unused(p, results[i])) unused.push_back(i);
  if (!unused.empty()) {
    std::vector<value_t<P>> kept, outputs;
    auto const returned = operands_of(p, terminator_of(p, o));
    std::size_t next = 0;
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (next < unused.size() && unused[next] == i) {
        ++next;
        continue;
      }
      kept.push_back(results[i]);
      outputs.push_back(returned[i]);
    }
    traits::set_operands(p, terminator_of(p, o), outputs);
    o = traits::recreate(p, fragment, operands_of(p, fragment), types_of(p, kept));
    for (std::size_t k = unused.size(); k-- > 0;) traits::erase_results_kept(p, o, unused[k]);
    auto const made = results_of(p, o);
    for (std::size_t i = 0; i < kept.size(); ++i) replace_uses(p, kept[i], made[i]);
    traits::erase(p, fragment);
  }
  erase_dead_ops(p, o);
  auto const arguments = arguments_of(p, o);
  auto const operands = operands_of(p, o);
  std::vector<std::size_t> dropped;
  std::vector<value_t<P>> rest;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (i < arguments.size() && is_unused(p, arguments[i]))
      dropped.push_back(i);
    else
      rest.push_back(operands[i]);
  if (!dropped.empty()) {
    traits::erase_arguments(p, o, dropped);
    traits::set_operands(p, o, rest);
    if (auto const start = number_in(traits::note_of(p, o, control_start_note)))
      traits::set_note(p, o, control_start_note, *start - static_cast<std::int64_t>(operands.size() - rest.size()));
  }
  bool const empty = operands_of(p, o).empty() && has_unused_results(p, o) && body_of(p, o).size() == 1;
  if (empty) traits::erase(p, o);
}

}  // namespace detail

/// Goes through each function from last to first, so that what only unused things needed goes too: fragments are
/// trimmed to what is used of them, fragments that then take, give and do nothing go, and so do unused transfers.
/// Operations with effects stay. Linear but for the sum over all ops of their depth.
struct fragment_dce {
  static constexpr std::string_view name = "mpmd-fragment-dce";
  static constexpr std::string_view summary = "Remove unused operands, results and computations of fragments";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    for (op_t<P> const f : distributed_functions(p)) {
      auto const all = placed_ops(p, f);
      for (std::size_t i = all.size(); i-- > 0;) {
        if (is_fragment(p, all[i]))
          detail::trim_fragment(p, all[i]);
        else if (ir_traits<P>::role_of(p, all[i]) == role::transfer && has_unused_results(p, all[i]))
          ir_traits<P>::erase(p, all[i]);
      }
    }
    return true;
  }
};

}  // namespace mpmd
