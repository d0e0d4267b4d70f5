#pragma once
/// Elimination of common subexpressions in MLIR modules, with what the library knows of effects: MLIR's own leaves ops
/// alone that are not registered. The rules are those of ir/cse.hpp.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <mlir/IR/OperationSupport.h>

#include <mpmd/adapters/mlir/effects.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

/// One run. An op replaces equal ones behind it in its block and in all blocks inside ops behind it, as far as the next
/// isolated op. Ops are equal when all but locations agree, bodies of single blocks included.
template <class Policy>
class mlir_common_subexpressions {
 public:
  void run(mlir_op root) {
    push_blocks(root, 0);
    while (!todo_.empty()) {
      step const s = todo_.back();
      todo_.pop_back();
      switch (s.what) {
        case step::enter_block:
          todo_.push_back({step::leave_block, nullptr, nullptr, s.scope, entered_.size()});
          if (!s.b->empty()) todo_.push_back({step::look_at, &s.b->front(), nullptr, s.scope, 0});
          break;
        case step::leave_block:
          for (; entered_.size() > s.mark; entered_.pop_back()) known_.at(entered_.back()).pop_back();
          break;
        case step::look_at:
          if (mlir_op const next = s.o->getNextNode()) todo_.push_back({step::look_at, next, nullptr, s.scope, 0});
          todo_.push_back({step::finish, s.o, nullptr, s.scope, 0});
          push_blocks(s.o, is_isolated(s.o) ? ++scopes_ : s.scope);
          break;
        case step::finish: finish(s.o, s.scope); break;
      }
    }
  }

 private:
  struct step {
    enum kind : std::uint8_t { enter_block, leave_block, look_at, finish } what;
    mlir_op o;
    ::mlir::Block* b;
    std::size_t scope;  // ops of different scopes are never equal
    std::size_t mark;
  };

  void push_blocks(mlir_op o, std::size_t scope) {
    for (unsigned i = o->getNumRegions(); i-- > 0;)
      for (::mlir::Block& b : llvm::reverse(o->getRegion(i))) todo_.push_back({step::enter_block, nullptr, &b, scope, 0});
  }
  static bool is_isolated(mlir_op o) {
    if (auto const* known = Policy::info(o)) return known->has(ir::op_trait::isolated);
    return o->isRegistered() && o->hasTrait<::mlir::OpTrait::IsIsolatedFromAbove>();
  }
  static bool is_commutative(mlir_op o) {
    auto const* known = Policy::info(o);
    bool const is = known ? known->has(ir::op_trait::commutative) : o->getName().getStringRef() == "stablehlo.xor";
    return is && o->getNumOperands() == 2 && o->getNumRegions() == 0;
  }
  static bool is_swapped(mlir_op a, mlir_op b) {
    if (b->getNumOperands() != 2 || a->getOperand(0) != b->getOperand(1) || a->getOperand(1) != b->getOperand(0))
      return false;
    auto const any = [](::mlir::Value, ::mlir::Value) { return ::mlir::success(); };
    return ::mlir::OperationEquivalence::isEquivalentTo(a, b, any, nullptr,
                                                        ::mlir::OperationEquivalence::IgnoreLocations);
  }
  void finish(mlir_op o, std::size_t scope) {
    if (!mlir_may_be_erased<Policy>(o) || !is_mlir_pure<Policy>(o)) return;
    if (o->use_empty()) return o->erase();
    for (auto& r : o->getRegions())
      if (!r.empty() && !r.hasOneBlock()) return;
    constexpr auto flags = ::mlir::OperationEquivalence::IgnoreLocations;
    bool const swappable = is_commutative(o);
    auto const of_operand = [swappable](::mlir::Value v) {
      return swappable ? llvm::hash_code(0) : ::mlir::OperationEquivalence::directHashValue(v);
    };
    std::size_t hash = llvm::hash_combine(
        scope, ::mlir::OperationEquivalence::computeHash(o, of_operand, ::mlir::OperationEquivalence::ignoreHashValue,
                                                         flags));
    if (swappable) {
      auto const a = ::mlir::hash_value(o->getOperand(0)), b = ::mlir::hash_value(o->getOperand(1));
      hash = llvm::hash_combine(hash, std::min<std::size_t>(a, b), std::max<std::size_t>(a, b));
    }
    auto& alike = known_[hash];
    for (mlir_op const earlier : alike)
      if (::mlir::OperationEquivalence::isEquivalentTo(earlier, o, flags) || (swappable && is_swapped(earlier, o))) {
        o->replaceAllUsesWith(earlier);
        return o->erase();
      }
    alike.push_back(o);
    entered_.push_back(hash);
  }

  std::vector<step> todo_;
  std::unordered_map<std::size_t, std::vector<mlir_op>> known_;
  std::vector<std::size_t> entered_;
  std::size_t scopes_ = 0;
};

}  // namespace mpmd::adapters
