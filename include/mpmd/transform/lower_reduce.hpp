#pragma once
/// Making a cross-mesh reduction out of fragments and transfers.

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/mesh_order.hpp>

namespace mpmd {

/// What the fragments note which combine the operands of a reduction.
inline constexpr std::string_view reduce_tag = "infer_mesh_convert_reduce_ops";

namespace detail {

/// A fragment before `at` on a mesh, with a result of that type, that combines values from the left: ((a + b)
/// + c) + ...
template <class Edits, class P = std::remove_cvref_t<decltype(std::declval<Edits&>().in())>>
value_t<P> fold_in_fragment(Edits& edits, std::vector<value_t<P>> const& values, std::string const& mesh,
                            type_t<P> type, reduction_kind kind, op_t<P> at) {
  using traits = ir_traits<P>;
  using point = insertion_point<P>;
  P& p = edits.in();
  auto const where = traits::location_of_value(p, values.front());
  type_t<P> const tensor = traits::tensor_type_of(p, type);
  op_recipe<P> made{.what = role::fragment, .operands = values, .results = {type}, .where = where};
  made.fragment.mesh = mesh;
  op_t<P> const fragment = edits.create(made, point::before(at));
  traits::set_note(p, fragment, inferred_by_note, std::vector<std::string>{std::string(reduce_tag)});
  value_t<P> sum = {};
  bool first = true;
  for (value_t<P> const v : values) {
    value_t<P> const inside = traits::add_argument(p, fragment, tensor, traits::location_of_value(p, v));
    if (std::exchange(first, false))
      sum = inside;
    else
      sum = result_of(p, edits.create({.what = role::compute,
                                       .operands = {sum, inside},
                                       .results = {tensor},
                                       .where = where,
                                       .reduction = kind},
                                      point::end(fragment)));
  }
  edits.create({.what = role::terminator, .operands = {sum}, .where = where}, point::end(fragment));
  return result_of(p, fragment);
}

}  // namespace detail

/// Replaces a reduce whose operands are unassigns by a fold on each mesh that has several of them, transfers
/// of what each mesh has to every mesh that wants the result, and a fold there; assigns of the result give
/// way to what has their type. Meshes are gone through in the order of mesh_order, and what is on one mesh is
/// folded in the order of the operands: for floating point numbers the result may differ in the last digits
/// from a fold in the order of the operands alone. False, and nothing changed, if an operand is no unassign
/// or if nothing assigns the result. O(operands
/// * meshes that want the result).
template <class Edits, class P = std::remove_cvref_t<decltype(std::declval<Edits&>().in())>>
bool lower_reduce(Edits& edits, op_t<P> reduce) {
  using traits = ir_traits<P>;
  P& p = edits.in();
  reduction_kind const kind = traits::reduction_kind_of(p, reduce);
  std::map<std::string, std::vector<value_t<P>>, mesh_order> sources;
  std::size_t count = 0;
  for (auto&& v : traits::operands(p, reduce)) {
    op_t<P> const u = defined_by(p, v, role::unassign);
    if (!u) return false;
    value_t<P> const placed = operand_of(p, u);
    sources[std::string(traits::mesh_of(p, placed))].push_back(placed);
    ++count;
  }
  if (count == 0 || (kind == reduction_kind::none && count > 1)) return false;
  std::map<std::string, std::vector<op_t<P>>, mesh_order> wanted;
  for (auto const& u : traits::uses(p, result_of(p, reduce)))
    if (traits::role_of(p, u.user) == role::assign)
      wanted[std::string(traits::mesh_of(p, result_of(p, u.user)))].push_back(u.user);
  if (wanted.empty()) return false;
  // Transfers stand outside loops.
  op_t<P> const around = traits::parent_op(p, reduce);
  if (around && traits::role_of(p, around) == role::loop &&
      (sources.size() != 1 || wanted.size() != 1 || sources.begin()->first != wanted.begin()->first))
    return false;

  std::vector<value_t<P>> parts;  // what each mesh has
  for (auto const& [mesh, values] : sources)
    parts.push_back(values.size() == 1
                        ? values.front()
                        : detail::fold_in_fragment(edits, values, mesh, traits::type_of(p, values.front()),
                                                   kind, reduce));
  auto transferred = [&](value_t<P> v, type_t<P> type) {
    if (traits::type_of(p, v) == type) return v;
    return result_of(p, edits.create({.what = role::transfer,
                                      .operands = {v},
                                      .results = {type},
                                      .where = traits::location_of(p, reduce)},
                                     insertion_point<P>::before(reduce)));
  };
  for (auto const& [mesh, assigns] : wanted) {
    type_t<P> const type = traits::type_of(p, result_of(p, assigns.front()));
    std::vector<value_t<P>> brought;
    for (value_t<P> const v : parts) brought.push_back(transferred(v, type));
    value_t<P> const total = brought.size() == 1
                                 ? brought.front()
                                 : detail::fold_in_fragment(edits, brought, mesh, type, kind, reduce);
    // The others differ in memory kind.
    std::vector<value_t<P>> totals{total};
    for (op_t<P> const a : assigns) {
      type_t<P> const t = traits::type_of(p, result_of(p, a));
      auto const same = std::find_if(totals.begin(), totals.end(),
                                     [&](value_t<P> v) { return traits::type_of(p, v) == t; });
      bool const is_new = same == totals.end();
      value_t<P> const v = is_new ? transferred(total, t) : *same;
      if (is_new) totals.push_back(v);
      edits.replace(a, {v});
    }
  }
  return true;
}

}  // namespace mpmd
