#pragma once
/// The rewrites by which mpmd and sdy ops are brought into canonical form.

#include <cstdint>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/mesh_queries.hpp>
#include <mpmd/ir/rewriter.hpp>

namespace mpmd::ir {

namespace detail {

/// The op of this kind that makes operand 0 of `o`, unless that is the op itself (modules are graphs), or
/// none.
inline op producer_of_same_kind(program const& in, op o) {
  op const by = in.defining_op(in.operand(o, 0));
  return by && by != o && in.kind(by) == in.kind(o) ? by : op{};
}
/// Whether an op takes its own result, so that going through it leads nowhere.
inline bool takes_itself(program const& in, op o) { return in.operand(o, 0) == in.result(o, 0); }

}  // namespace detail

/// transfer T -> T is its operand.
inline bool drop_identity_transfer(rewriter& r, op o) {
  program const& in = r.in();
  if (!in.is(o, opcode::mpmd_transfer) || detail::takes_itself(in, o)) return false;
  if (in.type_of(in.operand(o, 0)) != in.type_of(in.result(o, 0))) return false;
  r.replace(o, {in.operand(o, 0)});
  return true;
}

/// A transfer of a transfer, all on one mesh, is one transfer. The first one may have other uses.
inline bool merge_transfers_on_one_mesh(rewriter& r, op o) {
  program const& in = r.in();
  if (!in.is(o, opcode::mpmd_transfer)) return false;
  op const inner = detail::producer_of_same_kind(in, o);
  if (!inner || detail::takes_itself(in, inner)) return false;
  auto const mesh = [&](value v) { return mesh_of(in.context(), in.type_of(v)); };
  auto const from = mesh(in.operand(inner, 0)), over = mesh(in.operand(o, 0)), to = mesh(in.result(o, 0));
  if (!from || from != over || over != to) return false;
  r.set_operand(o, 0, in.operand(inner, 0));
  r.set_attributes(o, {});  // they were about another way
  return true;
}

/// A broadcast of a broadcast is one broadcast.
inline bool merge_broadcasts(rewriter& r, op o) {
  program const& in = r.in();
  if (!in.is(o, opcode::mpmd_broadcast)) return false;
  op const inner = detail::producer_of_same_kind(in, o);
  if (!inner || detail::takes_itself(in, inner)) return false;
  r.set_operand(o, 0, in.operand(inner, 0));
  r.set_attributes(o, {});
  return true;
}

/// A reduce of a single value that is a reduce of the same kind already, or a reduce of a reduce without a
/// kind of its own, is the inner one. (With more operands than one, the others would be lost.)
inline bool drop_reduce_of_reduce(rewriter& r, op o) {
  program const& in = r.in();
  if (!in.is(o, opcode::mpmd_reduce) || in.operand_count(o) != 1) return false;
  op const inner = detail::producer_of_same_kind(in, o);
  if (!inner) return false;
  auto const kind = [&](op of) {
    auto const* held = in.attr_if<reduction_attr>(of, "reduction");
    return held ? held->kind : reduction_kind::none;
  };
  if (kind(o) != reduction_kind::none && kind(o) != kind(inner)) return false;
  if (in.type_of(in.result(o, 0)) != in.type_of(in.result(inner, 0))) return false;
  r.replace(o, {in.result(inner, 0)});
  return true;
}

/// A fragment that hands an argument back hands back its operand, if the types outside agree. For each
/// argument the position returned by its most recent use counts, others stay; the fragment keeps its result.
/// O(uses of arguments).
inline bool bypass_returned_arguments(rewriter& r, op o) {
  program const& in = r.in();
  if (!in.is(o, opcode::mpmd_fragment)) return false;
  op const end = terminator(in, o);
  if (!end) return false;
  bool any = false;
  auto const arguments = in.arguments(in.parent_block(end));
  for (std::uint32_t i = 0; i < arguments.size() && i < in.operand_count(o); ++i) {
    for (use const u : in.uses(arguments[i])) {
      if (u.user != end) continue;
      if (u.index >= in.result_count(o)) break;
      value const result = in.result(o, u.index);
      value const operand = in.operand(o, i);
      if (!in.is_unused(result) && in.type_of(result) == in.type_of(operand) && result != operand) {
        r.replace_all_uses(result, operand);
        any = true;
      }
      break;
    }
  }
  return any;
}

/// The canonical forms of mpmd ops.
inline bool rewrite_mpmd(rewriter& r, op o) {
  switch (static_cast<opcode>(r.in().kind(o).id)) {
    case opcode::mpmd_transfer: return drop_identity_transfer(r, o) || merge_transfers_on_one_mesh(r, o);
    case opcode::mpmd_broadcast: return merge_broadcasts(r, o);
    case opcode::mpmd_reduce: return drop_reduce_of_reduce(r, o);
    case opcode::mpmd_fragment: return bypass_returned_arguments(r, o);
    default: return false;
  }
}

/// A reshard of a reshard that nobody else uses is one reshard.
inline bool rewrite_sdy(rewriter& r, op o) {
  program const& in = r.in();
  if (!in.is(o, opcode::sdy_reshard)) return false;
  op const inner = detail::producer_of_same_kind(in, o);
  if (!inner || detail::takes_itself(in, inner) || !in.has_one_use(in.result(inner, 0))) return false;
  r.set_operand(o, 0, in.operand(inner, 0));
  return true;
}

}  // namespace mpmd::ir
