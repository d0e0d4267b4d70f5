#pragma once
/// Wrapping an op in a fragment: the step by which an op that stands on no mesh comes to stand on one.

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <mpmd/transform/edit.hpp>

namespace mpmd {

/// A fragment, and what takes the place of each result of the op inside it: an unassign, or for a token the
/// fragment's result itself.
template <mutable_mpmd_program P>
struct wrapped_op {
  op_t<P> fragment = {};
  std::vector<value_t<P>> results = {};
};

/// Puts a fragment before `o` whose body is a copy of it: on that mesh, wanted by no user, noting
/// `inferred_by`. Its operands are those of `o`, then the values that its regions capture, each once: tensors
/// assigned to the mesh, others as they are. `o` and all uses of its results stay. O(size of o).
template <mutable_mpmd_program P>
wrapped_op<P> wrap_in_fragment(P& p, op_t<P> o, std::string_view mesh, std::string_view inferred_by) {
  using traits = ir_traits<P>;
  using point = insertion_point<P>;
  auto const where = traits::location_of(p, o);
  auto placed = [&](type_t<P> t) { return traits::is_tensor(p, t) ? traits::mesh_type(p, t, mesh, {}) : t; };

  std::vector<value_t<P>> inputs;
  {
    std::unordered_set<value_t<P>> seen;
    for (auto&& v : traits::operands(p, o))
      if (seen.insert(v).second) inputs.push_back(v);
    for (auto const& v : captured_values(p, o))
      if (seen.insert(v).second) inputs.push_back(v);
  }
  op_recipe<P> made{.what = role::fragment, .where = where, .fragment = {std::string(mesh)}};
  for (auto const& v : inputs) {
    type_t<P> const t = traits::type_of(p, v);
    if (traits::is_tensor(p, t))
      made.operands.push_back(result_of(
          p,
          traits::create(p, {.what = role::assign, .operands = {v}, .results = {placed(t)}, .where = where},
                         point::before(o))));
    else
      made.operands.push_back(v);
  }
  for (auto&& r : traits::results(p, o)) made.results.push_back(placed(traits::type_of(p, r)));

  wrapped_op<P> wrapped;
  wrapped.fragment = traits::create(p, made, point::before(o));
  traits::set_note(p, wrapped.fragment, inferred_by_note, std::vector<std::string>{std::string(inferred_by)});
  value_map<P> inside;
  for (auto const& v : inputs)
    inside[v] =
        traits::add_argument(p, wrapped.fragment, traits::type_of(p, v), traits::location_of_value(p, v));
  op_t<P> const copy = traits::clone(p, o, inside, point::end(wrapped.fragment));
  traits::create(p, {.what = role::terminator, .operands = results_of(p, copy), .where = where},
                 point::end(wrapped.fragment));

  std::vector<value_t<P>> const old = results_of(p, o), outside = results_of(p, wrapped.fragment);
  for (std::size_t i = 0; i < old.size(); ++i) {
    type_t<P> const t = traits::type_of(p, old[i]);
    if (!traits::is_tensor(p, t)) {
      wrapped.results.push_back(outside[i]);
      continue;
    }
    wrapped.results.push_back(result_of(
        p,
        traits::create(p, {.what = role::unassign, .operands = {outside[i]}, .results = {t}, .where = where},
                       point::before(o))));
  }
  return wrapped;
}

/// The same, and redirects the uses of the results of `o` for which `which(use)` holds. O(size of o, and of
/// the uses of its results).
template <mutable_mpmd_program P, class Which>
wrapped_op<P> wrap_in_fragment(P& p, op_t<P> o, std::string_view mesh, std::string_view inferred_by,
                               Which which) {
  wrapped_op<P> wrapped = wrap_in_fragment(p, o, mesh, inferred_by);
  std::size_t i = 0;
  for (auto const& r : results_of(p, o)) replace_uses_if(p, r, wrapped.results[i++], which);
  return wrapped;
}

}  // namespace mpmd
