#pragma once
/// What a host of MLIR tells about its ops and types, with the answers for dialects that are not registered.

#include <cstring>
#include <string>
#include <string_view>

#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/OpDefinition.h>
#include <mlir/IR/Operation.h>

#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/known_op.hpp>
#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

/// What an op that the library knows means to the analyses. O(1).
constexpr role role_of(ir::op_info const& info) {
  using enum ir::opcode;
  switch (info.code) {
    case mpmd_assign: return role::assign;
    case mpmd_unassign: return role::unassign;
    case mpmd_transfer: return role::transfer;
    case mpmd_fragment:
    case mpmd_fragment_call: return role::fragment;
    case mpmd_named_computation: return role::named_computation;
    case mpmd_named_tensor: return role::named_tensor;
    case mpmd_call: return role::call;
    case mpmd_for: return role::loop;
    case mpmd_reduce: return role::reduce;
    case mpmd_broadcast: return role::broadcast;
    case builtin_module:
    case func_func: return role::other;
    default: return info.has(ir::op_trait::terminator) ? role::terminator : role::compute;
  }
}

/// The policy for ops known by name, of registered dialects or not. A host derives its own from it and hides what it
/// knows better; nothing is virtual:
///
///     info(o) -> ir::op_info const*     what is known of an op: what it means, its traits and inherent attributes;
///                                       null for an op that nothing is known of                O(log known ops)
///     role_of(o) -> role                what it means to the analyses; asked for every op in every sweep     O(1)
///     name_of(code) -> string           the op that the host has for one of the library's
///     mesh_of(t) -> string              the mesh that a type names, empty when it names none; valid while the
///                                       context of t is                                                      O(1)
///     placed(t) -> optional<mlir_mesh_tensor>, place(tensor, mesh, memory_kind) -> type
///                                       what a mesh tensor is made of, and one that is whole on each device
///     text(attribute) -> string, attribute(context, text) -> attribute
///                                       attributes in the library's spelling, which is Shardy's; without them, as
///                                       MLIR prints and reads them
///
/// Attributes keep the names that they have in Shardy, whatever the ops are called: `mesh_name`, `origin` and `stage_id` of
/// fragments, `origin` of named computations, `name` of named tensors, `callee` of calls, `iterations` and
/// `unroll_factor` of loops, `reduction` of reduces, `topology` of functions.
struct ops_by_name : dialect_text {
  static ir::op_info const* info(::mlir::Operation* o) { return known_op(adapters::name_of(o)); }

  static role role_of(::mlir::Operation* o) {
    std::string_view const name = adapters::name_of(o);
    // Nearly all ops are neither of the mpmd dialect nor end a block, which a look at their first letters tells.
    bool const may_be_known = name.starts_with("mpmd.") || name.starts_with("func.") || name == "builtin.module";
    if (may_be_known)
      if (auto const* known = known_op(name)) return adapters::role_of(*known);
    bool const ends_block = name.ends_with(".return") || o->getNumSuccessors() != 0 ||
                            (o->isRegistered() && o->hasTrait<::mlir::OpTrait::IsTerminator>());
    return ends_block ? role::terminator : role::compute;
  }
  static std::string_view name_of(ir::opcode code) { return ir::known_ops[static_cast<std::size_t>(code)].name; }

  static std::string_view mesh_of(::mlir::Type t) {
    // Nearly all are spelled in the usual way.
    auto const opaque = llvm::dyn_cast<::mlir::OpaqueType>(t);
    if (opaque && opaque.getDialectNamespace() == "mpmd") {
      llvm::StringRef data = opaque.getTypeData();
      if (data.consume_front("mesh_tensor<\"")) {
        auto const label = data.take_until([](char c) { return c == '"' || c == '\\'; });
        if (data.drop_front(label.size()).starts_with("\"")) return text_of(label);
      }
    }
    auto const* placed = read(t);
    return placed ? text_of(::mlir::StringAttr::get(t.getContext(), placed->mesh).getValue()) : std::string_view{};
  }
};

}  // namespace mpmd::adapters
