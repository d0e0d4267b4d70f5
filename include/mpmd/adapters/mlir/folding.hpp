#pragma once
/// Blocks, and ops by themselves, as MLIR modules model structured_program and foldable_program.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/ADT/Hashing.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/OpDefinition.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/effects.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/ir/opcodes.hpp>
#include <mpmd/ir/tensor_kinds.hpp>

namespace mpmd::adapters {

template <class Policy>
struct mlir_folding {
  using module = ::mlir::ModuleOp;
  using op = mlir_op;
  using value = ::mlir::Value;
  using block = ::mlir::Block*;

  // structured_program
  static std::size_t region_count(module, op o) { return o->getNumRegions(); }
  static llvm::SmallVector<block, 1> blocks(module, op o, std::size_t i) {
    llvm::SmallVector<block, 1> all;
    for (::mlir::Block& b : o->getRegion(static_cast<unsigned>(i))) all.push_back(&b);
    return all;
  }
  static mlir_block_ops block_ops(module, block b) { return mlir_block_ops(b); }
  static llvm::ArrayRef<::mlir::BlockArgument> block_arguments(module, block b) { return b->getArguments(); }
  static llvm::SmallVector<block, 1> successors(module, op o) {
    llvm::SmallVector<block, 1> all;
    for (block const b : o->getSuccessors()) all.push_back(b);
    return all;
  }
  static void erase_block(module, block b) {
    b->dropAllDefinedValueUses();
    b->erase();
  }

  static own_effects effects_of(module, op o) { return mlir_effects_of<Policy>(o); }
  static bool is_isolated(module, op o) {
    if (auto const* known = Policy::info(o)) return known->has(ir::op_trait::isolated);
    return o->isRegistered() && o->hasTrait<::mlir::OpTrait::IsIsolatedFromAbove>();
  }
  static bool is_foreign(module, op o) { return Policy::info(o) == nullptr && !o->isRegistered(); }
  static bool is_commutative(module, op o) {
    auto const* known = Policy::info(o);
    return known && known->has(ir::op_trait::commutative) && o->getNumOperands() == 2;
  }
  static bool is_alike(module, op a, op b) {
    return a->getName() == b->getName() && a->getRawDictionaryAttrs() == b->getRawDictionaryAttrs() &&
           (!a->getPropertiesStorage() ||
            a->getName().compareOpProperties(a->getPropertiesStorage(), b->getPropertiesStorage())) &&
           a->getResultTypes() == b->getResultTypes();
  }
  static std::uint64_t hash_alone(module, op o) {
    return llvm::hash_combine(o->getName(), o->getRawDictionaryAttrs(), o->hashProperties(),
                              llvm::hash_combine_range(o->result_type_begin(), o->result_type_end()));
  }
  static std::array<std::uint64_t, 3> constant_key(module, op o) {
    auto const number = [](void const* address) {
      return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(address));  // NOLINT
    };
    return {number(o->getName().getAsOpaquePointer()), number(attribute_of(o, "value").getAsOpaquePointer()),
            number(o->getResult(0).getType().getAsOpaquePointer())};
  }

  // foldable_program
  static tensor_kind tensor_kind_of(module, op o) {
    auto const* known = Policy::info(o);
    return known ? ir::tensor_kind_of(known->code) : tensor_kind::other;
  }
  static std::optional<integer_element> integer_element_of(module, ::mlir::Type t) {
    auto const tensor = llvm::dyn_cast<::mlir::RankedTensorType>(t);
    auto const element = tensor ? llvm::dyn_cast<::mlir::IntegerType>(tensor.getElementType()) : ::mlir::IntegerType{};
    if (!element || element.getWidth() < 1 || element.getWidth() > 64 || !tensor.hasStaticShape()) return std::nullopt;
    return integer_element{element.getWidth(), !element.isUnsigned() && element.getWidth() > 1};
  }
  static std::optional<std::int64_t> number_of(module p, op constant) {
    auto const element = integer_element_of(p, constant->getResult(0).getType());
    auto const held = attribute_of<::mlir::DenseElementsAttr>(constant, "value");
    if (!element || !held || !held.isSplat() || !held.getElementType().isInteger(element->width)) return std::nullopt;
    auto const number = held.getSplatValue<llvm::APInt>();
    return element->is_signed ? number.getSExtValue() : static_cast<std::int64_t>(number.getZExtValue());
  }
  static std::optional<std::int64_t> integer_attribute(module, op o, std::string_view key) {
    auto const held = attribute_of<::mlir::IntegerAttr>(o, key);
    return held && held.getValue().getBitWidth() <= 64 ? std::optional(held.getValue().getSExtValue()) : std::nullopt;
  }
  static std::optional<std::vector<std::int64_t>> list_attribute(module, op o, std::string_view key) {
    auto const held = attribute_of<::mlir::DenseI64ArrayAttr>(o, key);
    if (!held) return std::nullopt;
    return std::vector<std::int64_t>(held.asArrayRef().begin(), held.asArrayRef().end());
  }
  static comparison comparison_of(module, op o) {
    auto const held = attribute_of(o, "comparison_direction");
    return held ? ir::comparison_in(Policy::text(held)) : comparison::unknown;
  }
  static void clear_notes(module, op o) { o->setDiscardableAttrs(::mlir::DictionaryAttr::get(o->getContext())); }
};

}  // namespace mpmd::adapters
