#pragma once
/// Which ops of an MLIR module have effects besides their results: what the library knows of ops by name, else what
/// registered ops say of themselves. An op nobody declared anything about may do anything.

#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Operation.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/graph/structured_program.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

template <class Policy>
own_effects mlir_effects_of(mlir_op o) {
  if (auto const* known = Policy::info(o)) {
    if (known->has(ir::op_trait::pure)) return own_effects::none;
    if (known->has(ir::op_trait::recursive_effects)) return own_effects::of_regions;
    auto const stated = attribute_of<::mlir::IntegerAttr>(o, "has_side_effect");
    bool const none = known->code == ir::opcode::stablehlo_custom_call && stated && stated.getValue().isZero();
    return none ? own_effects::none : own_effects::unknown;
  }
  bool const none = o->isRegistered() && ::mlir::isMemoryEffectFree(o) && !attribute_of(o, "sym_name");
  return none ? own_effects::none : own_effects::unknown;
}

/// Whether executing the op, with everything in it, has no effect besides its results. O(size of the op).
template <class Policy>
bool is_mlir_pure(mlir_op o) {
  return !o->walk<::mlir::WalkOrder::PreOrder>([](mlir_op inner) {
             switch (mlir_effects_of<Policy>(inner)) {
               case own_effects::none: return ::mlir::WalkResult::skip();
               case own_effects::of_regions: return ::mlir::WalkResult::advance();
               case own_effects::unknown: break;
             }
             return ::mlir::WalkResult::interrupt();
           }).wasInterrupted();
}

}  // namespace mpmd::adapters
