#pragma once
/// Equal constants of an MLIR module become one; the rules are those of ir/constants.hpp.

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/OpDefinition.h>
#include <mlir/IR/Operation.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

template <class Policy>
bool is_mlir_constant(mlir_op o) {
  if (auto const* known = Policy::info(o)) return known->has(ir::op_trait::constant_like);
  return o->isRegistered() && o->hasTrait<::mlir::OpTrait::ConstantLike>();
}

template <class Policy>
class mlir_constant_uniquer {
  using key = std::pair<std::pair<::mlir::Region*, void const*>, std::pair<::mlir::Attribute, ::mlir::Type>>;

 public:
  /// Says whether the op has been replaced by an equal constant, and is gone.
  bool visit(mlir_op o) {
    if (!is_mlir_constant<Policy>(o) || o->getNumResults() != 1 || o->getNumRegions() != 0) return false;
    ::mlir::Region* const home = insertion_region(o->getBlock());
    if (home == nullptr) return false;
    key const like(std::pair(home, o->getName().getAsOpaquePointer()),
                   std::pair(attribute_of(o, "value"), o->getResult(0).getType()));
    auto const [at, is_new] = known_.try_emplace(like, o);
    if (!is_new) {
      // The most recent use first, which comes to stand in reversed order.
      o->getResult(0).replaceAllUsesWith(at->second->getResult(0));
      o->erase();
      return true;
    }
    ::mlir::Block& start = home->front();
    mlir_op const before = o->getPrevNode();
    bool const in_place = o->getBlock() == &start && (before == nullptr || unique_.contains(before));
    if (!in_place) o->moveBefore(&start, start.begin());
    unique_.insert(o);
    return false;
  }

 private:
  /// That of the nearest op around which is isolated or nothing is known of. Cached by block, since constants of one
  /// block have one home.
  ::mlir::Region* insertion_region(::mlir::Block* b) {
    if (b == nullptr) return nullptr;
    if (auto const at = homes_.find(b); at != homes_.end()) return at->second;
    ::mlir::Block* at = b;
    while (true) {
      mlir_op const around = at->getParentOp();
      if (around == nullptr || around->getBlock() == nullptr || ends_here(around)) break;
      at = around->getBlock();
    }
    return homes_[b] = at->getParent();
  }
  static bool ends_here(mlir_op o) {
    if (auto const* known = Policy::info(o)) return known->has(ir::op_trait::isolated);
    return !o->isRegistered() || o->hasTrait<::mlir::OpTrait::IsIsolatedFromAbove>();
  }

  llvm::DenseMap<key, mlir_op> known_;
  llvm::DenseMap<::mlir::Block*, ::mlir::Region*> homes_;
  std::unordered_set<mlir_op> unique_;
};

/// Makes equal constants inside an op one. O(size of the op).
template <class Policy>
void unite_mlir_constants(mlir_op root) {
  mlir_constant_uniquer<Policy> constants;
  root->walk<::mlir::WalkOrder::PreOrder>([&](mlir_op o) {
    return constants.visit(o) ? ::mlir::WalkResult::skip() : ::mlir::WalkResult::advance();
  });
}

}  // namespace mpmd::adapters
