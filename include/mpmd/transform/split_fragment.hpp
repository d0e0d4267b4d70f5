#pragma once
/// Cuts a fragment in two that run one behind the other.

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/merge_fragments.hpp>

namespace mpmd {

inline constexpr std::string_view split_first_note = "split_keep_transferred";
inline constexpr std::string_view split_second_note = "split_drop_transferred";

template <mutable_mpmd_program P>
bool is_split(P const& p, op_t<P> fragment) {
  using traits = ir_traits<P>;
  return !std::holds_alternative<std::monostate>(traits::note_of(p, fragment, split_first_note)) ||
         !std::holds_alternative<std::monostate>(traits::note_of(p, fragment, split_second_note));
}

/// What an op computes from: its operands, and behind them what it uses inside of what stands around it, each once.
template <mutable_mpmd_program P>
std::vector<value_t<P>> effective_operands(P const& p, op_t<P> o) {
  std::vector<value_t<P>> all = operands_of(p, o);
  std::unordered_set<value_t<P>> const known(all.begin(), all.end());
  for (value_t<P> const v : captured_values(p, o))
    if (!known.contains(v)) all.push_back(v);
  return all;
}

/// Cuts a fragment in two: `second` holds the ops directly in it that move to a second fragment right behind it, and no
/// op that stays depends on them. Both say what the fragment said of itself, and which of the two they are.
///
/// The second fragment returns the results that are made by its ops, or are operands in `second_arguments`. It takes what
/// its ops need: operands of the whole, and, as more results of the first fragment, replicated on its mesh, what that
/// computes. They come in the order in which a search from the results backwards meets them that goes on from the last
/// operand of the last result. Returns both, or nothing when the second would be empty. O(size of the fragment).
template <mutable_mpmd_program P>
std::pair<op_t<P>, op_t<P>> split_fragment(P& p, op_t<P> fragment, std::unordered_set<op_t<P>> const& second,
                                           std::unordered_set<value_t<P>> const& second_arguments) {
  using traits = ir_traits<P>;
  auto const results = results_of(p, fragment), operands = operands_of(p, fragment);
  std::vector<value_t<P>> arguments;
  for (auto&& a : mpmd::arguments(p, fragment)) arguments.push_back(a);
  op_t<P> const end = terminator_of(p, fragment);
  auto const returned = operands_of(p, end);
  fragment_info const info = traits::fragment_of(p, fragment);
  auto moves = [&](value_t<P> v) {
    op_t<P> const by = mpmd::defining_op(p, v);
    return by ? second.contains(by) : second_arguments.contains(v);
  };

  // Which results go where.
  std::vector<std::size_t> here, there;
  for (std::size_t i = 0; i < results.size(); ++i) (moves(returned[i]) ? there : here).push_back(i);
  if (second.empty()) return {};

  // What the second needs, in the order of the search. Its ops with effects but without results are roots, too.
  std::vector<value_t<P>> needed, todo;
  for (std::size_t const i : there) todo.push_back(returned[i]);
  std::unordered_set<value_t<P>> met;
  std::unordered_set<op_t<P>> entered;
  auto search = [&] {
    while (!todo.empty()) {
      value_t<P> const v = todo.back();
      todo.pop_back();
      if (!met.insert(v).second) continue;
      op_t<P> const by = mpmd::defining_op(p, v);
      if (!by || !second.contains(by)) {
        needed.push_back(v);
      } else if (entered.insert(by).second) {
        for (value_t<P> const from : effective_operands(p, by)) todo.push_back(from);
      }
    }
  };
  search();
  std::vector<op_t<P>> moved;
  for (op_t<P> const o : body_of(p, fragment))
    if (second.contains(o)) moved.push_back(o);
  for (op_t<P> const o : moved)
    if (entered.insert(o).second) {
      for (value_t<P> const from : effective_operands(p, o)) todo.push_back(from);
      search();
    }

  // The first, with what the second needs of it.
  std::vector<value_t<P>> outputs;
  std::vector<type_t<P>> types;
  std::unordered_map<value_t<P>, std::size_t> output_of;
  for (std::size_t const i : here) {
    output_of.emplace(returned[i], outputs.size());
    outputs.push_back(returned[i]);
    types.push_back(traits::type_of(p, results[i]));
  }
  std::unordered_map<value_t<P>, std::size_t> argument_number;
  for (std::size_t i = 0; i < arguments.size(); ++i) argument_number.emplace(arguments[i], i);
  for (value_t<P> const v : needed) {
    if (argument_number.contains(v) || !output_of.emplace(v, outputs.size()).second) continue;
    outputs.push_back(v);
    types.push_back(traits::mesh_type(p, traits::type_of(p, v), info.mesh, {}));
  }
  op_t<P> const first = traits::recreate(p, fragment, operands, types);
  for (std::size_t k = there.size(); k-- > 0;) traits::erase_results_kept(p, first, there[k]);
  auto const first_results = results_of(p, first);

  // The second.
  std::vector<value_t<P>> inputs;
  std::vector<type_t<P>> input_types, output_types;
  for (value_t<P> const v : needed) {
    auto const a = argument_number.find(v);
    inputs.push_back(a == argument_number.end() ? first_results[output_of.at(v)] : operands[a->second]);
    input_types.push_back(traits::type_of(p, v));
  }
  for (std::size_t const i : there) output_types.push_back(traits::type_of(p, results[i]));
  op_t<P> const behind = traits::create(p,
                                        op_recipe<P>{.what = role::fragment,
                                                     .operands = std::move(inputs),
                                                     .results = std::move(output_types),
                                                     .where = traits::location_of(p, fragment),
                                                     .fragment = info,
                                                     .arguments = std::move(input_types)},
                                        insertion_point<P>::before(fragment));
  traits::copy_notes(p, fragment, behind);
  traits::set_note(p, behind, control_start_note, std::monostate{});
  traits::set_note(p, first, split_first_note, unit_note{});
  traits::set_note(p, behind, split_second_note, unit_note{});
  auto const end_of_second = insertion_point<P>::end(behind);
  for (op_t<P> const o : moved) traits::move(p, o, end_of_second);
  std::vector<value_t<P>> second_outputs;
  for (std::size_t const i : there) second_outputs.push_back(returned[i]);
  op_t<P> const second_end = traits::create(p,
                                            op_recipe<P>{.what = role::terminator,
                                                         .operands = std::move(second_outputs),
                                                         .where = traits::location_of(p, end)},
                                            end_of_second);
  traits::set_operands(p, end, outputs);
  std::vector<value_t<P>> second_inside;
  for (auto&& a : mpmd::arguments(p, behind)) second_inside.push_back(a);
  std::unordered_set<op_t<P>> const in_second(moved.begin(), moved.end());
  for (std::size_t i = 0; i < needed.size(); ++i)
    replace_uses_if(p, needed[i], second_inside[i], [&](auto const& u) {
      return u.user == second_end || in_second.contains(ancestor_in(p, behind, u.user));
    });

  auto const second_results = results_of(p, behind);
  for (std::size_t k = 0; k < here.size(); ++k) replace_uses(p, results[here[k]], first_results[k]);
  for (std::size_t k = 0; k < there.size(); ++k) replace_uses(p, results[there[k]], second_results[k]);
  traits::erase(p, fragment);
  return {first, behind};
}

}  // namespace mpmd
