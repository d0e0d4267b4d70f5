#pragma once
/// Which stablehlo ops of an MLIR module combine values associatively, and so can become reductions across meshes. The
/// rules are those of ir/reductions.hpp.

#include <cstddef>
#include <cstdint>
#include <optional>

#include <llvm/ADT/APFloat.h>
#include <mlir/IR/BuiltinAttributes.h>
#include <mlir/IR/BuiltinTypes.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/ir/reductions.hpp>

namespace mpmd::adapters {

namespace detail {

template <class Policy>
ir::opcode code_of(mlir_op o) {
  auto const* known = Policy::info(o);
  return known ? known->code : ir::opcode::other;
}

inline std::optional<std::int64_t> single_integer(::mlir::Attribute a) {
  if (!a) return std::nullopt;
  if (auto const n = llvm::dyn_cast<::mlir::IntegerAttr>(a)) return n.getValue().getSExtValue();
  if (auto const list = llvm::dyn_cast<::mlir::DenseI64ArrayAttr>(a))
    return list.size() == 1 ? std::optional(list[0]) : std::nullopt;
  auto const list = llvm::dyn_cast<::mlir::DenseIntElementsAttr>(a);
  if (list && list.getNumElements() == 1 && list.getType().getRank() == 1)
    return (*list.value_begin<llvm::APInt>()).getSExtValue();
  return std::nullopt;
}

template <class Policy>
reduction_kind elementwise_reduction(mlir_op o) {
  using enum ir::opcode;
  switch (code_of<Policy>(o)) {
    case stablehlo_add: return reduction_kind::add;
    case stablehlo_maximum: return reduction_kind::max;
    case stablehlo_minimum: return reduction_kind::min;
    case stablehlo_multiply: return reduction_kind::mul;
    case stablehlo_or: return reduction_kind::or_;
    case stablehlo_and: return reduction_kind::and_;
    default: return reduction_kind::none;
  }
}

/// The kind by which the body of a reduce combines argument i and argument i + n into result i, for all n results.
template <class Policy>
reduction_kind block_reduction(::mlir::Block& b) {
  if (b.empty()) return reduction_kind::none;
  mlir_op const end = &b.back();
  unsigned const n = end->getNumOperands();
  if (n == 0 || b.getNumArguments() != 2 * n) return reduction_kind::none;
  reduction_kind kind = reduction_kind::none;
  for (unsigned i = 0; i < n; ++i) {
    mlir_op const combiner = end->getOperand(i).getDefiningOp();
    if (combiner == nullptr || combiner->getBlock() != &b || combiner->getNumOperands() != 2) return reduction_kind::none;
    reduction_kind const k = elementwise_reduction<Policy>(combiner);
    if (k == reduction_kind::none || (i > 0 && k != kind)) return reduction_kind::none;
    kind = k;
    ::mlir::Value const x = combiner->getOperand(0), y = combiner->getOperand(1);
    ::mlir::Value const a = b.getArgument(i), c = b.getArgument(i + n);
    if (!((x == a && y == c) || (x == c && y == a))) return reduction_kind::none;
  }
  return kind;
}

template <class Policy>
reduction_op<mlir_op> concatenate_reduction(mlir_op o) {
  if (code_of<Policy>(o) != ir::opcode::stablehlo_concatenate || o->getNumResults() != 1 || o->getNumOperands() == 0)
    return {};
  auto const dimension = single_integer(attribute_of(o, "dimension"));
  auto const shape = llvm::dyn_cast<::mlir::RankedTensorType>(o->getOperand(0).getType());
  if (!dimension || !shape) return {};
  for (::mlir::Value const v : operands_of(o))
    if (v.getType() != shape) return {};
  if (*dimension < 0 || *dimension >= shape.getRank() || shape.getDimSize(static_cast<unsigned>(*dimension)) != 1)
    return {};
  ::mlir::Value const joined = o->getResult(0);
  if (!joined.hasOneUse()) return {};
  mlir_op const reduce = joined.use_begin()->getOwner();
  if (code_of<Policy>(reduce) != ir::opcode::stablehlo_reduce || reduce->getNumOperands() != 2 ||
      reduce->getOperand(0) != joined || reduce->getNumRegions() != 1 || reduce->getRegion(0).empty() ||
      single_integer(attribute_of(reduce, "dimensions")) != dimension)
    return {};
  return {block_reduction<Policy>(reduce->getRegion(0).front()), reduce};
}

}  // namespace detail

/// The associative combination that an op is, or is the first half of.
template <class Policy>
reduction_op<mlir_op> mlir_reduction_of(mlir_op o) {
  if (auto const k = detail::elementwise_reduction<Policy>(o); k != reduction_kind::none)
    return {o->getNumOperands() == 2 ? k : reduction_kind::none, {}};
  return detail::concatenate_reduction<Policy>(o);
}

/// Whether a constant is known to be the neutral element of a kind of reduction.
inline bool is_mlir_neutral(mlir_op constant, reduction_kind kind) {
  auto const held = attribute_of<::mlir::DenseElementsAttr>(constant, "value");
  if (!held || !held.isSplat()) return false;
  ::mlir::Type const element = held.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() > 64) return false;
  auto& memory = dialect_memory::of_thread();
  auto const neutral = ir::detail::neutral_bits(memory.context(), memory.type(printed(element)), kind);
  bool const is_float = llvm::isa<::mlir::FloatType>(element);
  llvm::APInt const bits =
      is_float ? held.getSplatValue<llvm::APFloat>().bitcastToAPInt() : held.getSplatValue<llvm::APInt>();
  // -0.0 adds nothing either.
  if (is_float && kind == reduction_kind::add && bits.isSignMask()) return true;
  return neutral == bits.getZExtValue();
}

}  // namespace mpmd::adapters
