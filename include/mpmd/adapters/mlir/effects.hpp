#pragma once
/// Which ops of an MLIR module have effects besides their results: what the library knows of ops by name, else what
/// registered ops say of themselves. An op nobody declared anything about may do anything.

#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/Operation.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

enum class mlir_own_effects {
  none,        ///< no effect at all
  of_regions,  ///< those of the ops in its regions and no others
  unknown,     ///< possibly any
};

template <class Policy>
mlir_own_effects mlir_effects_of(mlir_op o) {
  if (auto const* known = Policy::info(o)) {
    if (known->has(ir::op_trait::pure)) return mlir_own_effects::none;
    if (known->has(ir::op_trait::recursive_effects)) return mlir_own_effects::of_regions;
    auto const stated = attribute_of<::mlir::IntegerAttr>(o, "has_side_effect");
    bool const none = known->code == ir::opcode::stablehlo_custom_call && stated && stated.getValue().isZero();
    return none ? mlir_own_effects::none : mlir_own_effects::unknown;
  }
  return o->isRegistered() && ::mlir::isMemoryEffectFree(o) ? mlir_own_effects::none : mlir_own_effects::unknown;
}

/// Whether executing the op, with everything in it, has no effect besides its results. O(size of the op).
template <class Policy>
bool is_mlir_pure(mlir_op o) {
  return !o->walk<::mlir::WalkOrder::PreOrder>([](mlir_op inner) {
             switch (mlir_effects_of<Policy>(inner)) {
               case mlir_own_effects::none: return ::mlir::WalkResult::skip();
               case mlir_own_effects::of_regions: return ::mlir::WalkResult::advance();
               case mlir_own_effects::unknown: break;
             }
             return ::mlir::WalkResult::interrupt();
           }).wasInterrupted();
}

/// Whether an op could go if nobody used its results, provided that it is pure: it ends no block and bears no name.
template <class Policy>
bool mlir_may_be_erased(mlir_op o) {
  auto const* known = Policy::info(o);
  if (known) return !known->has(ir::op_trait::terminator) && !known->has(ir::op_trait::symbol);
  return Policy::role_of(o) != role::terminator && !attribute_of(o, "sym_name");
}

}  // namespace mpmd::adapters
