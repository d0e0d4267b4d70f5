#pragma once
/// The rewrites by which mpmd and sdy ops of MLIR modules are brought into canonical form; the rules are those of
/// ir/rewrites.hpp. For `P` that is, or derives from, mlir::ModuleOp.

#include <mlir/IR/BuiltinOps.h>

#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/ir/opcodes.hpp>
#include <mpmd/transform/greedy_rewriter.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd::adapters {

template <class P>
class mlir_canonical_forms {
  using traits = ir_traits<P>;
  using policy = typename traits::policy;
  using rewriter = greedy_rewriter<P>;

 public:
  static bool rewrite(rewriter& r, mlir_op o) {
    auto const* known = policy::info(o);
    switch (known ? known->code : ir::opcode::other) {
      case ir::opcode::mpmd_transfer: return drop_identity_transfer(r, o) || merge_transfers_on_one_mesh(r, o);
      case ir::opcode::mpmd_broadcast: return merge_broadcasts(r, o);
      case ir::opcode::mpmd_reduce: return drop_reduce_of_reduce(r, o);
      case ir::opcode::mpmd_fragment: return bypass_returned_arguments(r, o);
      case ir::opcode::sdy_reshard: return merge_reshards(r, o);
      default: return false;
    }
  }

 private:
  static bool is_unary(mlir_op o) { return o->getNumOperands() == 1 && o->getNumResults() == 1; }
  /// The op of the same kind that makes the operand of a unary op and leads further, or none.
  static mlir_op unary_producer(mlir_op o) {
    mlir_op const by = is_unary(o) ? o->getOperand(0).getDefiningOp() : nullptr;
    bool const fits = by != nullptr && by != o && by->getName() == o->getName() && is_unary(by) &&
                      by->getOperand(0) != by->getResult(0);
    return fits ? by : nullptr;
  }
  static void clear_notes(rewriter& r, mlir_op o) {
    o->setDiscardableAttrs(::mlir::DictionaryAttr::get(o->getContext()));
    r.revisit(o);
  }

  static bool drop_identity_transfer(rewriter& r, mlir_op o) {
    if (!is_unary(o)) return false;
    ::mlir::Value const from = o->getOperand(0), to = o->getResult(0);
    if (from == to || from.getType() != to.getType()) return false;
    r.replace(o, {from});
    return true;
  }
  static bool merge_transfers_on_one_mesh(rewriter& r, mlir_op o) {
    mlir_op const inner = unary_producer(o);
    if (inner == nullptr) return false;
    ::mlir::Type const from = inner->getOperand(0).getType(), over = o->getOperand(0).getType(),
                       to = o->getResult(0).getType();
    auto const mesh = policy::mesh_of(from);
    if (mesh.empty() || mesh != policy::mesh_of(over) || mesh != policy::mesh_of(to)) return false;
    auto const memory = [&](::mlir::Type t) {
      auto const kind = traits::memory_kind_of(r.in(), t);
      return kind.empty() ? std::string_view("device") : kind;
    };
    auto const passed = memory(over);
    if (passed != memory(from) && passed != memory(to)) return false;
    r.set_operand(o, 0, inner->getOperand(0));
    clear_notes(r, o);  // they were about another way
    return true;
  }
  static bool merge_broadcasts(rewriter& r, mlir_op o) {
    mlir_op const inner = unary_producer(o);
    if (inner == nullptr) return false;
    r.set_operand(o, 0, inner->getOperand(0));
    clear_notes(r, o);
    return true;
  }
  static bool drop_reduce_of_reduce(rewriter& r, mlir_op o) {
    if (!is_unary(o)) return false;
    ::mlir::Value const from = o->getOperand(0);
    mlir_op const inner = from.getDefiningOp();
    if (inner == nullptr || inner == o || inner->getName() != o->getName()) return false;
    auto const kind = traits::reduction_kind_of(r.in(), o);
    if (kind != reduction_kind::none && kind != traits::reduction_kind_of(r.in(), inner)) return false;
    if (from.getType() != o->getResult(0).getType()) return false;
    r.replace(o, {from});
    return true;
  }
  static bool bypass_returned_arguments(rewriter& r, mlir_op o) {
    mlir_op const end = terminator_of(r.in(), o);
    if (end == nullptr) return false;
    bool any = false;
    ::mlir::Block& body = *end->getBlock();
    for (unsigned i = 0; i < body.getNumArguments() && i < o->getNumOperands(); ++i)
      for (auto const& u : mlir_uses(body.getArgument(i))) {
        if (u.user != end) continue;
        if (u.index >= o->getNumResults()) break;
        ::mlir::Value const result = o->getResult(u.index), operand = o->getOperand(i);
        if (!result.use_empty() && result.getType() == operand.getType() && result != operand) {
          r.replace_all_uses(result, operand);
          any = true;
        }
        break;
      }
    return any;
  }
  static bool merge_reshards(rewriter& r, mlir_op o) {
    mlir_op const inner = unary_producer(o);
    if (inner == nullptr || !inner->getResult(0).hasOneUse()) return false;
    r.set_operand(o, 0, inner->getOperand(0));
    return true;
  }
};

}  // namespace mpmd::adapters
