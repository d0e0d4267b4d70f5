#pragma once
/// Bringing one value to several meshes by a chain of transfers, from mesh to mesh, instead of a star.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/mesh_order.hpp>

namespace mpmd {
namespace detail {

/// The op itself, or the outermost loop around it: transfers stand in functions only.
template <mutable_mpmd_program P>
op_t<P> outside_loops(P const& p, op_t<P> o) {
  using traits = ir_traits<P>;
  for (op_t<P> around = traits::parent_op(p, o); around && traits::role_of(p, around) == role::loop;
       around = traits::parent_op(p, o))
    o = around;
  return o;
}

/// The op to put something before so that it comes before all of these: the first of them, or, where they
/// stand in different bodies, the first op around them in the innermost body that holds all. O(ops, and the
/// depth of each).
template <mutable_mpmd_program P>
op_t<P> first_of(P const& p, std::vector<op_t<P>> const& ops) {
  using traits = ir_traits<P>;
  op_t<P> holder = traits::parent_op(p, ops.front());
  bool together = true;
  for (op_t<P> const o : ops) together = together && traits::parent_op(p, o) == holder;
  std::vector<op_t<P>> lifted = ops;
  if (!together) {
    std::vector<op_t<P>>
        path;  // the ops around the first, innermost first, and which of them is around all so far
    std::unordered_map<op_t<P>, std::size_t> level;
    for (op_t<P> at = holder; at; at = traits::parent_op(p, at)) {
      level.emplace(at, path.size());
      path.push_back(at);
    }
    std::size_t shared = 0;
    for (op_t<P> const o : ops)
      for (op_t<P> at = traits::parent_op(p, o); at; at = traits::parent_op(p, at))
        if (auto const found = level.find(at); found != level.end()) {
          shared = std::max(shared, found->second);
          break;
        }
    holder = path[shared];
    for (op_t<P>& o : lifted)
      while (!(traits::parent_op(p, o) == holder)) o = traits::parent_op(p, o);
  }
  op_t<P> first = lifted.front();
  for (op_t<P> const o : lifted)
    if (!(o == first) && traits::comes_before(p, o, first)) first = o;
  return first;
}

}  // namespace detail

/// Replaces assigns of `source`, a value on a mesh, by transfers: first on the source's own mesh, then from
/// mesh to mesh in the order of mesh_order, each assign by what has its type by then. The transfers stand
/// together before the first of the assigns, or before the loop that it is in: the source stands outside
/// loops. O(n log n) in the assigns.
template <class Edits, class P = std::remove_cvref_t<decltype(std::declval<Edits&>().in())>>
void replace_by_chained_transfers(Edits& edits, value_t<P> source, std::vector<op_t<P>> const& assigns) {
  using traits = ir_traits<P>;
  if (assigns.empty()) return;
  P& p = edits.in();
  struct link {
    std::size_t place;  // among the assigns, to keep their order where nothing else decides
    op_t<P> assign;
    type_t<P> type;
    mesh_order_key mesh;
    bool is_home;
  };
  std::string_view const home = traits::mesh_of(p, source);
  std::vector<link> chain;
  for (op_t<P> const a : assigns) {
    value_t<P> const v = result_of(p, a);
    std::string_view const mesh = traits::mesh_of(p, v);
    chain.push_back({chain.size(), a, traits::type_of(p, v), mesh_order_key(mesh), mesh == home});
  }
  std::sort(chain.begin(), chain.end(), [](link const& a, link const& b) {
    if (a.is_home != b.is_home) return a.is_home;
    return a.mesh == b.mesh ? a.place < b.place : a.mesh < b.mesh;
  });

  auto const point = insertion_point<P>::before(detail::outside_loops(p, detail::first_of(p, assigns)));
  std::vector<value_t<P>> stops{source};  // the values on the mesh that the chain is on
  std::vector<value_t<P>> replacements;
  mesh_order_key at(home);
  for (link const& next : chain) {
    if (!(next.mesh == at)) stops.erase(stops.begin(), stops.end() - 1);
    at = next.mesh;
    auto const same = std::find_if(stops.begin(), stops.end(),
                                   [&](value_t<P> v) { return traits::type_of(p, v) == next.type; });
    if (same != stops.end()) {
      replacements.push_back(*same);
      continue;
    }
    stops.push_back(result_of(p, edits.create({.what = role::transfer,
                                               .operands = {stops.back()},
                                               .results = {next.type},
                                               .where = traits::location_of(p, next.assign)},
                                              point)));
    replacements.push_back(stops.back());
  }
  // Only now, as one of them is the place where the transfers go.
  for (std::size_t i = 0; i < chain.size(); ++i) edits.replace(chain[i].assign, {replacements[i]});
}

}  // namespace mpmd
