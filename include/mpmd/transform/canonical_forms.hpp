#pragma once
/// The rewrites by which mpmd and sdy ops are brought into canonical form.

#include <cstddef>
#include <ranges>
#include <string_view>
#include <vector>

#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/transform/greedy_rewriter.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

namespace detail {

/// Whether the op has so many operands and one result: programs need not be valid to be rewritten.
template <ssa_program P>
bool has_arity(P const& p, op_t<P> o, std::ptrdiff_t operands) {
  return std::ranges::distance(ir_traits<P>::results(p, o)) == 1 &&
         std::ranges::distance(ir_traits<P>::operands(p, o)) == operands;
}
/// The op that uses a value which is used once, or none.
template <mutable_mpmd_program P>
op_t<P> only_user(P const& p, value_t<P> v) {
  op_t<P> found = {};
  for (auto const& u : ir_traits<P>::uses(p, v)) {
    if (found) return {};
    found = u.user;
  }
  return found;
}
/// The op that makes the operand of a unary op, if it is one of those that `fits`, is unary too and neither the op itself
/// nor one that takes its own result and so leads nowhere (modules are graphs); or none.
template <mutable_mpmd_program P, class Fits>
op_t<P> unary_producer(P const& p, op_t<P> o, Fits fits) {
  op_t<P> const by = has_arity(p, o, 1) ? mpmd::defining_op(p, operand_of(p, o)) : op_t<P>{};
  bool const leads_on = by && by != o && fits(by) && has_arity(p, by, 1) && operand_of(p, by) != result_of(p, by);
  return leads_on ? by : op_t<P>{};
}
/// The same for an op of the same role.
template <mutable_mpmd_program P>
op_t<P> unary_producer(P const& p, op_t<P> o) {
  return unary_producer(p, o, [&](op_t<P> by) { return ir_traits<P>::role_of(p, by) == ir_traits<P>::role_of(p, o); });
}

/// transfer T -> T is its operand.
template <foldable_program P>
bool drop_identity_transfer(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  if (!has_arity(p, o, 1)) return false;
  value_t<P> const from = operand_of(p, o), to = result_of(p, o);
  if (from == to || traits::type_of(p, from) != traits::type_of(p, to)) return false;
  r.replace(o, {from});
  return true;
}

/// A transfer of a transfer, all on one mesh, is one transfer, unless it passes through a kind of memory that neither
/// end is in: then going there is what it is for. The first one may have other uses.
template <foldable_program P>
bool merge_transfers_on_one_mesh(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  op_t<P> const inner = unary_producer(p, o);
  if (!inner) return false;
  value_t<P> const from = operand_of(p, inner), over = operand_of(p, o), to = result_of(p, o);
  auto const is_on_mesh_of_origin = [&](value_t<P> v) {
    std::string_view const mesh = traits::mesh_of(p, from);
    return !mesh.empty() && traits::mesh_of(p, v) == mesh;
  };
  if (!is_on_mesh_of_origin(over) || !is_on_mesh_of_origin(to)) return false;
  auto const is_in_memory_of = [&](value_t<P> a, value_t<P> b) {
    auto const memory = [&](value_t<P> v) {
      std::string_view const kind = traits::memory_kind_of(p, traits::type_of(p, v));
      return kind.empty() ? std::string_view("device") : kind;
    };
    return memory(a) == memory(b);
  };
  if (!is_in_memory_of(over, from) && !is_in_memory_of(over, to)) return false;
  r.set_operand(o, 0, from);
  traits::clear_notes(r.in(), o);  // they were about another way
  return true;
}

/// A broadcast of a broadcast is one broadcast.
template <foldable_program P>
bool merge_broadcasts(greedy_rewriter<P>& r, op_t<P> o) {
  op_t<P> const inner = unary_producer(r.in(), o);
  if (!inner) return false;
  r.set_operand(o, 0, operand_of(r.in(), inner));
  ir_traits<P>::clear_notes(r.in(), o);
  return true;
}

/// A reduce of a single value that is a reduce of the same kind already, or a reduce of a reduce without a
/// kind of its own, is the inner one. (With more operands than one, the others would be lost.)
template <foldable_program P>
bool drop_reduce_of_reduce(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  if (!has_arity(p, o, 1)) return false;
  value_t<P> const from = operand_of(p, o);
  op_t<P> const inner = defined_by(p, from, role::reduce);
  if (!inner || inner == o) return false;
  reduction_kind const kind = traits::reduction_kind_of(p, o);
  if (kind != reduction_kind::none && kind != traits::reduction_kind_of(p, inner)) return false;
  if (traits::type_of(p, result_of(p, o)) != traits::type_of(p, from)) return false;
  r.replace(o, {from});
  return true;
}

/// A fragment that hands an argument back hands back its operand, if the types outside agree. For each
/// argument the position returned by its most recent use counts, others stay; the fragment keeps its result.
/// O(uses of arguments).
template <foldable_program P>
bool bypass_returned_arguments(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  op_t<P> const end = terminator_of(p, o);
  if (!end) return false;
  bool any = false;
  std::vector<value_t<P>> const operands = operands_of(p, o), results = results_of(p, o);
  std::size_t i = 0;
  for (auto&& argument : mpmd::arguments(p, o)) {
    if (i == operands.size()) break;
    value_t<P> const operand = operands[i++];
    for (auto const& u : traits::uses(p, argument)) {
      if (!(u.user == end)) continue;
      if (u.index >= results.size()) break;
      value_t<P> const result = results[u.index];
      if (!is_unused(p, result) && traits::type_of(p, result) == traits::type_of(p, operand) && result != operand) {
        r.replace_all_uses(result, operand);
        any = true;
      }
      break;
    }
  }
  return any;
}

}  // namespace detail

/// The canonical forms of mpmd ops.
template <foldable_program P>
bool rewrite_mpmd(greedy_rewriter<P>& r, op_t<P> o) {
  switch (ir_traits<P>::role_of(r.in(), o)) {
    case role::transfer: return detail::drop_identity_transfer(r, o) || detail::merge_transfers_on_one_mesh(r, o);
    case role::broadcast: return detail::merge_broadcasts(r, o);
    case role::reduce: return detail::drop_reduce_of_reduce(r, o);
    case role::fragment: return detail::bypass_returned_arguments(r, o);
    default: return false;
  }
}

/// A reshard of a reshard that nobody else uses is one reshard.
template <foldable_program P>
bool rewrite_sdy(greedy_rewriter<P>& r, op_t<P> o) {
  using traits = ir_traits<P>;
  P const& p = r.in();
  auto const is_reshard = [&](op_t<P> at) { return traits::tensor_kind_of(p, at) == tensor_kind::reshard; };
  if (!is_reshard(o)) return false;
  op_t<P> const inner = detail::unary_producer(p, o, is_reshard);
  if (!inner || !detail::only_user(p, result_of(p, inner))) return false;
  r.set_operand(o, 0, operand_of(p, inner));
  return true;
}

}  // namespace mpmd
