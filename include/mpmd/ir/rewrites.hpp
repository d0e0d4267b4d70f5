#pragma once
/// The rewrites by which mpmd and sdy ops are brought into canonical form.

#include <cstdint>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/mesh_queries.hpp>
#include <mpmd/ir/rewriter.hpp>

namespace mpmd::ir {

namespace detail {

/// Whether the op is of this kind and makes one value of one: programs need not be valid to be rewritten.
inline bool is_unary(program const& in, op o, opcode code) {
  return in.is(o, code) && in.operand_count(o) == 1 && in.result_count(o) == 1;
}
/// The op of this kind that makes the operand of a unary op, unless that is the op itself or one that takes
/// its own result and so leads nowhere (modules are graphs); or none.
inline op unary_producer(program const& in, op o) {
  op const by = in.defining_op(in.operand(o, 0));
  bool const fits = by && by != o && is_unary(in, by, static_cast<opcode>(in.kind(o).id)) &&
                    in.operand(by, 0) != in.result(by, 0);
  return fits ? by : op{};
}

}  // namespace detail

/// transfer T -> T is its operand.
inline bool drop_identity_transfer(rewriter& r, op o) {
  program const& in = r.in();
  if (!detail::is_unary(in, o, opcode::mpmd_transfer)) return false;
  value const from = in.operand(o, 0), to = in.result(o, 0);
  if (from == to || in.type_of(from) != in.type_of(to)) return false;
  r.replace(o, {from});
  return true;
}

/// A transfer of a transfer, all on one mesh, is one transfer, unless it passes through a kind of memory that neither
/// end is in: then going there is what it is for. The first one may have other uses.
inline bool merge_transfers_on_one_mesh(rewriter& r, op o) {
  program const& in = r.in();
  if (!detail::is_unary(in, o, opcode::mpmd_transfer)) return false;
  op const inner = detail::unary_producer(in, o);
  if (!inner) return false;
  auto const mesh = [&](value v) { return mesh_of(in.context(), in.type_of(v)); };
  auto const from = mesh(in.operand(inner, 0)), over = mesh(in.operand(o, 0)), to = mesh(in.result(o, 0));
  if (!from || from != over || over != to) return false;
  auto const memory = [&](value v) {
    auto const* placed = in.context().get_if<mesh_tensor_type>(in.type_of(v));
    return placed->memory_kind.value_or("device");
  };
  auto const passed = memory(in.operand(o, 0));
  if (passed != memory(in.operand(inner, 0)) && passed != memory(in.result(o, 0))) return false;
  r.set_operand(o, 0, in.operand(inner, 0));
  r.set_attributes(o, {});  // they were about another way
  return true;
}

/// A broadcast of a broadcast is one broadcast.
inline bool merge_broadcasts(rewriter& r, op o) {
  program const& in = r.in();
  if (!detail::is_unary(in, o, opcode::mpmd_broadcast)) return false;
  op const inner = detail::unary_producer(in, o);
  if (!inner) return false;
  r.set_operand(o, 0, in.operand(inner, 0));
  r.set_attributes(o, {});
  return true;
}

/// A reduce of a single value that is a reduce of the same kind already, or a reduce of a reduce without a
/// kind of its own, is the inner one. (With more operands than one, the others would be lost.)
inline bool drop_reduce_of_reduce(rewriter& r, op o) {
  program const& in = r.in();
  if (!detail::is_unary(in, o, opcode::mpmd_reduce)) return false;
  op const inner = in.defining_op(in.operand(o, 0));
  if (!inner || inner == o || !in.is(inner, opcode::mpmd_reduce)) return false;
  auto const kind = [&](op of) {
    auto const* held = in.attr_if<reduction_attr>(of, "reduction");
    return held ? held->kind : reduction_kind::none;
  };
  if (kind(o) != reduction_kind::none && kind(o) != kind(inner)) return false;
  if (in.type_of(in.result(o, 0)) != in.type_of(in.operand(o, 0))) return false;
  r.replace(o, {in.operand(o, 0)});
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
  if (!detail::is_unary(in, o, opcode::sdy_reshard)) return false;
  op const inner = detail::unary_producer(in, o);
  if (!inner || !in.has_one_use(in.result(inner, 0))) return false;
  r.set_operand(o, 0, in.operand(inner, 0));
  return true;
}

}  // namespace mpmd::ir
