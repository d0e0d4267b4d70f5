#pragma once
/// Two fragments of one mesh become one.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/fragments.hpp>

namespace mpmd {

/// The number of operands of a fragment that its body sees. Those behind them only say what has to run before it; a
/// scheduler puts them there and notes where they start.
inline constexpr std::string_view control_start_note = "mpmd.control_operand_start_idx";

/// Neither says a stage, or both say the same.
inline bool stages_agree(fragment_info const& a, fragment_info const& b) {
  return !a.stage || !b.stage || *a.stage == *b.stage;
}

/// The origins of the first, and behind them those of the second that the first lacks.
inline std::vector<user_origin> united_origins(std::vector<user_origin> first, std::vector<user_origin> const& second) {
  std::size_t const known = first.size();
  for (auto const& o : second)
    if (std::find(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(known), o) ==
        first.begin() + static_cast<std::ptrdiff_t>(known))
      first.push_back(o);
  return first;
}

/// What a fragment merged from two says about itself beside its mesh, origins and stage.
struct merged_notes {
  std::optional<std::uint32_t> call_counter;
  std::vector<std::string> inferred_by;
};

/// The call counter that only one of them has, or both; where two differ, that of the one with origins, if the other
/// has none. Who inferred it, when both are inferred: all names, those of the producer first.
template <mutable_mpmd_program P>
merged_notes merge_notes(P const& p, op_t<P> producer, op_t<P> consumer) {
  using traits = ir_traits<P>;
  merged_notes merged;
  auto const a = call_counter_of(p, producer), b = call_counter_of(p, consumer);
  bool const user_a = !traits::fragment_of(p, producer).is_inferred();
  bool const user_b = !traits::fragment_of(p, consumer).is_inferred();
  if (!a || !b || *a == *b)
    merged.call_counter = a ? a : b;
  else if (user_a != user_b)
    merged.call_counter = user_a ? a : b;
  if (user_a || user_b) return merged;
  for (op_t<P> const o : {producer, consumer}) {
    note const held = traits::note_of(p, o, "mpmd.inferred_by");
    if (auto const* names = std::get_if<std::vector<std::string>>(&held))
      for (auto const& n : *names)
        if (std::find(merged.inferred_by.begin(), merged.inferred_by.end(), n) == merged.inferred_by.end())
          merged.inferred_by.push_back(n);
  }
  return merged;
}
template <mutable_mpmd_program P>
void set_notes(P& p, op_t<P> fragment, merged_notes const& to) {
  using traits = ir_traits<P>;
  traits::set_note(p, fragment, "call_counter", to.call_counter ? note(*to.call_counter) : note());
  traits::set_note(p, fragment, "mpmd.inferred_by", to.inferred_by.empty() ? note() : note(to.inferred_by));
}

namespace detail {

/// A fragment that is put together from others: each operand once, and an argument for each.
template <mutable_mpmd_program P>
class fragment_inputs {
 public:
  using traits = ir_traits<P>;

  void add(P const& p, value_t<P> v, value_t<P> like) {
    if (!number_.emplace(v, values_.size()).second) return;
    values_.push_back(v);
    types_.push_back(traits::type_of(p, like));
    places_.push_back(traits::location_of_value(p, like));
  }
  bool contains(value_t<P> v) const { return number_.contains(v); }
  std::size_t number_of(value_t<P> v) const { return number_.at(v); }
  std::vector<value_t<P>> const& values() const { return values_; }
  void add_arguments(P& p, op_t<P> fragment) const {
    for (std::size_t i = 0; i < values_.size(); ++i) traits::add_argument(p, fragment, types_[i], places_[i]);
  }

 private:
  std::unordered_map<value_t<P>, std::size_t> number_;
  std::vector<value_t<P>> values_;
  std::vector<type_t<P>> types_;
  std::vector<location_t<P>> places_;
};

}  // namespace detail

/// Merges a fragment into another which stands behind it in the same body. They are on one mesh, their stages agree, and
/// nothing uses the first before the second. The new fragment stands where the second was and has the notes of `like`, one
/// of the two, or none, but for where control operands start.
///
/// Operands: those of the first, then those of the second which are new, each once; where the first has one operand and
/// one result that nothing but the second uses, its operand takes the place of the result among those of the second.
/// Results: those of the first that something else uses, then those of the second.
/// O(operands, results, ops directly in both and uses of their arguments and results).
template <mutable_mpmd_program P>
op_t<P> merge_fragments(P& p, op_t<P> producer, op_t<P> consumer, op_t<P> like = {}) {
  using traits = ir_traits<P>;
  fragment_info info = traits::fragment_of(p, producer);
  {
    fragment_info const other = traits::fragment_of(p, consumer);
    assert(info.mesh == other.mesh && stages_agree(info, other));
    info.origins = united_origins(std::move(info.origins), other.origins);
    if (!info.stage) info.stage = other.stage;
  }
  auto const from_inputs = operands_of(p, producer), into_inputs = operands_of(p, consumer);
  auto const from_arguments = arguments_of(p, producer), into_arguments = arguments_of(p, consumer);
  auto const from_results = results_of(p, producer), into_results = results_of(p, consumer);
  op_t<P> const from_end = terminator_of(p, producer), into_end = terminator_of(p, consumer);

  std::unordered_map<value_t<P>, std::size_t> made_by_first;  // result of the first -> number
  for (std::size_t i = 0; i < from_results.size(); ++i) made_by_first.emplace(from_results[i], i);

  // Operands.
  detail::fragment_inputs<P> inputs;
  auto add_first = [&] {
    for (std::size_t i = 0; i < from_arguments.size(); ++i) inputs.add(p, from_inputs[i], from_arguments[i]);
  };
  auto const uses_of_first = from_results.size() == 1 ? uses_of(p, from_results[0]) : std::vector<operand_use<op_t<P>>>{};
  bool const in_place =
      from_arguments.size() == 1 && uses_of_first.size() == 1 && uses_of_first[0].user == consumer;
  if (!in_place) add_first();
  for (std::size_t i = 0; i < into_arguments.size(); ++i) {
    if (!made_by_first.contains(into_inputs[i]))
      inputs.add(p, into_inputs[i], into_arguments[i]);
    else if (in_place)
      add_first();
  }
  if (in_place) add_first();  // the result may be a mere control operand
  std::vector<value_t<P>> operands = inputs.values();
  // Control operands.
  bool controlled = false;
  for (auto const& [all, seen] : {std::pair(&from_inputs, from_arguments.size()),
                                  std::pair(&into_inputs, into_arguments.size())})
    for (std::size_t i = seen; i < all->size(); ++i) {
      value_t<P> const v = (*all)[i];
      controlled = true;
      if (made_by_first.contains(v) || defining_op(p, v) == consumer) continue;
      if (std::find(operands.begin() + static_cast<std::ptrdiff_t>(inputs.values().size()), operands.end(), v) ==
          operands.end())
        operands.push_back(v);
    }

  // Results.
  std::vector<bool> kept(from_results.size());
  std::vector<type_t<P>> types;
  for (std::size_t i = 0; i < from_results.size(); ++i) {
    for (auto const& u : traits::uses(p, from_results[i])) kept[i] = kept[i] || !(u.user == consumer);
    if (kept[i]) types.push_back(traits::type_of(p, from_results[i]));
  }
  for (value_t<P> const v : into_results) types.push_back(traits::type_of(p, v));

  op_t<P> const made = traits::create(
      p,
      op_recipe<P>{.what = role::fragment,
                   .operands = std::move(operands),
                   .results = std::move(types),
                   .where = traits::merged_location(p, traits::location_of(p, producer), traits::location_of(p, consumer)),
                   .fragment = std::move(info)},
      insertion_point<P>::before(consumer));
  inputs.add_arguments(p, made);
  if (like) {
    traits::copy_notes(p, like, made);
    traits::set_note(p, made, control_start_note, std::monostate{});
  }
  if (controlled && inputs.values().size() < static_cast<std::size_t>(std::ranges::distance(traits::operands(p, made))))
    traits::set_note(p, made, control_start_note, static_cast<std::int64_t>(inputs.values().size()));

  // Bodies.
  auto const arguments = arguments_of(p, made);
  for (std::size_t i = 0; i < from_arguments.size(); ++i)
    replace_uses(p, from_arguments[i], arguments[inputs.number_of(from_inputs[i])]);
  auto returned = operands_of(p, from_end);
  for (std::size_t i = 0; i < into_arguments.size(); ++i) {
    auto const made_before = made_by_first.find(into_inputs[i]);
    replace_uses(p, into_arguments[i], made_before == made_by_first.end() ? arguments[inputs.number_of(into_inputs[i])]
                                                                          : returned[made_before->second]);
  }
  auto const end = insertion_point<P>::end(made);
  for (op_t<P> const from : {producer, consumer})
    for (op_t<P> const o : body_of(p, from))
      if (!(o == from_end) && !(o == into_end)) traits::move(p, o, end);
  std::vector<value_t<P>> outputs;
  for (std::size_t i = 0; i < from_results.size(); ++i)
    if (kept[i]) outputs.push_back(returned[i]);
  for (value_t<P> const v : operands_of(p, into_end)) outputs.push_back(v);
  traits::create(p,
                 op_recipe<P>{.what = role::terminator,
                              .operands = std::move(outputs),
                              .where = traits::location_of(p, into_end)},
                 end);

  // Users.
  auto const results = results_of(p, made);
  std::size_t next = 0;
  for (std::size_t i = 0; i < from_results.size(); ++i)
    if (kept[i]) {
      value_t<P> const to = results[next++];
      replace_uses_if(p, from_results[i], to, [&](auto const& u) { return !(u.user == consumer); });
    }
  for (value_t<P> const v : into_results) replace_uses(p, v, results[next++]);
  traits::erase(p, consumer);
  traits::erase(p, producer);
  return made;
}

}  // namespace mpmd
