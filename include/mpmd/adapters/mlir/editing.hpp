#pragma once
/// MLIR modules as mutable_mpmd_program: types and edits.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <mlir/IR/Builders.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/IRMapping.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/effects.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

template <class Policy>
struct mlir_editing {
  using module = ::mlir::ModuleOp;
  using op = mlir_op;
  using value = ::mlir::Value;
  using type = ::mlir::Type;
  using location = ::mlir::LocationAttr;
  using point = insertion_point_of<op>;
  using recipe = op_recipe_of<value, type, location>;
  using mapping = std::unordered_map<value, value>;

  // Types.
  static type type_of(module, value v) { return v.getType(); }
  static void set_type(module, value v, type t) { v.setType(t); }
  static type mesh_type(module, type tensor, std::string_view mesh, std::string_view memory_kind) {
    return Policy::place(tensor, mesh, memory_kind);
  }
  static type tensor_type_of(module, type t) {
    auto const placed = Policy::placed(t);
    return placed ? placed->global : t;
  }
  static std::string_view memory_kind_of(module, type t) {
    auto const placed = Policy::placed(t);
    if (!placed || placed->memory_kind.empty()) return {};
    return text_of(::mlir::StringAttr::get(t.getContext(), placed->memory_kind).getValue());
  }
  static bool is_tensor(module, type t) { return llvm::isa_and_present<::mlir::RankedTensorType>(t); }
  static bool is_token(module, type t) { return printed(t) == "!stablehlo.token"; }
  static bool is_replicated(module, type t) {
    auto const placed = Policy::placed(t);
    return !placed || !placed->sharding;
  }
  static std::optional<std::vector<std::int64_t>> shape_of(module p, type t) {
    auto const tensor = llvm::dyn_cast<::mlir::RankedTensorType>(tensor_type_of(p, t));
    if (!tensor || !tensor.hasStaticShape()) return std::nullopt;
    return std::vector<std::int64_t>(tensor.getShape().begin(), tensor.getShape().end());
  }
  static type with_shape(module p, type t, std::vector<std::int64_t> const& shape) {
    auto const tensor = llvm::cast<::mlir::RankedTensorType>(tensor_type_of(p, t));
    type const made = ::mlir::RankedTensorType::get(shape, tensor.getElementType());
    auto const mesh = Policy::mesh_of(t);
    return mesh.empty() ? made : mesh_type(p, made, mesh, memory_kind_of(p, t));
  }

  // Edits.
  static op create(module p, recipe const& r, point at) {
    ::mlir::MLIRContext* const in = p.getContext();
    ir::opcode const code = code_of(r);
    ::mlir::OperationState state(place(p, r.where), string_ref(Policy::name_of(code)));
    state.addOperands(r.operands);
    state.addTypes(r.results);
    ::mlir::NamedAttrList inherent;
    auto set = [&](llvm::StringRef key, ::mlir::Attribute to) { inherent.set(key, to); };
    switch (r.what) {
      case role::assign:
      case role::unassign:
        if (!r.label.empty()) set("origin", ::mlir::StringAttr::get(in, r.label));
        break;
      case role::reduce: set("reduction", to_mlir<Policy>(in, ir::reduction_attr{r.reduction})); break;
      case role::fragment: {
        auto& body = state.addRegion()->emplaceBlock();
        for (type const t : r.arguments) body.addArgument(t, ::mlir::UnknownLoc::get(in));
        break;
      }
      case role::compute: set_tensor_attributes(in, r, inherent); break;
      default: break;
    }
    op const made = build(state, inherent);
    if (r.what == role::fragment) set_fragment(p, made, r.fragment);
    put(made, at);
    return made;
  }
  static op recreate(module, op o, std::span<value const> operands, std::span<type const> results) {
    op const made = ::mlir::Operation::create(
        o->getLoc(), o->getName(), ::mlir::TypeRange(llvm::ArrayRef(results.data(), results.size())),
        ::mlir::ValueRange(llvm::ArrayRef(operands.data(), operands.size())), o->getRawDictionaryAttrs(),
        o->getPropertiesStorage(), o->getSuccessors(), o->getNumRegions());
    copy_properties(o, made);
    for (unsigned i = 0; i < o->getNumRegions(); ++i) made->getRegion(i).takeBody(o->getRegion(i));
    o->getBlock()->getOperations().insert(o->getIterator(), made);
    return made;
  }
  static void take_body(module, op from, op to) {
    for (unsigned i = 0; i < to->getNumRegions(); ++i) to->getRegion(i).takeBody(from->getRegion(i));
  }
  /// Copies first what of the map the op can use, so that a long map costs nothing.
  static op clone(module, op o, mapping& map, point at) {
    ::mlir::IRMapping of;
    o->walk([&](op inner) {
      for (value const v : operands_of(inner))
        if (auto const found = map.find(v); found != map.end()) of.map(v, found->second);
    });
    op const made = o->clone(of);
    llvm::SmallVector<op> copies;
    made->walk([&](op inner) { copies.push_back(inner); });
    o->walk([&, next = copies.begin()](op inner) mutable { copy_properties(inner, *next++); });
    for (auto const& [from, to] : of.getValueMap()) map[from] = to;
    put(made, at);
    return made;
  }
  static void move(module, op o, point at) {
    if (at.at == o) return;
    o->remove();
    put(o, at);
  }
  static void erase(module, op o) {
    o->dropAllReferences();
    o->erase();
  }
  /// The operand is inserted anew even where it stays, so that its use is the most recent one.
  static void set_operand(module, op o, std::size_t i, value v) { o->setOperand(static_cast<unsigned>(i), v); }
  static void set_operands(module, op o, std::span<value const> values) {
    o->setOperands(::mlir::ValueRange(llvm::ArrayRef(values.data(), values.size())));
  }
  static void append_operand(module, op o, value v) { o->insertOperands(o->getNumOperands(), v); }
  static void erase_operands(module, op o, std::span<std::size_t const> positions) {
    o->eraseOperands(bits(o->getNumOperands(), positions));
  }
  static value add_argument(module p, op o, type t, location where) {
    return o->getRegion(0).front().addArgument(t, place(p, where));
  }
  static void erase_argument(module p, op o, std::size_t i) { erase_arguments(p, o, std::span(&i, 1)); }
  static void erase_arguments(module, op o, std::span<std::size_t const> positions) {
    if (positions.empty()) return;
    forget(o, entry_list::arguments, "in_shardings", positions);
    ::mlir::Block& body = o->getRegion(0).front();
    body.eraseArguments(bits(body.getNumArguments(), positions));
  }
  static void erase_results_kept(module, op f, std::size_t i) {
    forget(f, entry_list::results, "out_shardings", std::span<std::size_t const>(&i, 1));
  }
  static void update_signature(module, op f) {
    if (f->getNumRegions() == 0 || f->getRegion(0).empty()) return;
    ::mlir::Block& body = f->getRegion(0).front();
    auto const held = attribute_of<::mlir::TypeAttr>(f, "function_type");
    auto const before = held ? llvm::dyn_cast<::mlir::FunctionType>(held.getValue()) : ::mlir::FunctionType{};
    llvm::SmallVector<type> results;
    if (!body.empty() && Policy::role_of(&body.back()) == role::terminator)
      llvm::append_range(results, body.back().getOperandTypes());
    else if (before)
      llvm::append_range(results, before.getResults());
    auto const now = ::mlir::FunctionType::get(f->getContext(), body.getArgumentTypes(), results);
    set_attribute(f, Policy::info(f), "function_type", ::mlir::TypeAttr::get(now));
    for (auto const& [list, count] : {std::pair{entry_list::arguments, std::size_t{body.getNumArguments()}},
                                      std::pair{entry_list::results, results.size()}})
      if (attribute_of(f, list)) {
        entry_list all(f, list, count);
        all.resize(count);
        all.store(f, Policy::info(f));
      }
  }
  static bool is_pure(module, op o) { return is_mlir_pure<Policy>(o); }
  static bool is_constant(module, op o) {
    if (auto const* known = Policy::info(o)) return known->has(ir::op_trait::constant_like);
    return o->isRegistered() && o->hasTrait<::mlir::OpTrait::ConstantLike>();
  }
  static bool comes_before(module, op a, op b) { return a->isBeforeInBlock(b); }

  // What ops of the dialect say of themselves.
  static user_origin origin_of(module, op o) {
    auto const held = attribute_of(o, "origin");
    if (auto const* origin = dialect_attribute<ir::user_origin_attr, Policy>(held))
      return {origin->label, origin->transpose_count};
    return {std::string(string_of(o, "name")), 0};
  }
  static fragment_info fragment_of(module, op o) {
    fragment_info info;
    info.mesh = string_of(o, "mesh_name");
    if (auto const list = attribute_of<::mlir::ArrayAttr>(o, "origin"))
      for (::mlir::Attribute const e : list)
        if (auto const* origin = dialect_attribute<ir::user_origin_attr, Policy>(e))
          info.origins.push_back({origin->label, origin->transpose_count});
    if (auto const stage = attribute_of<::mlir::IntegerAttr>(o, "stage_id")) info.stage = stage.getValue().getSExtValue();
    return info;
  }
  static void set_fragment(module, op o, fragment_info const& info) {
    ::mlir::MLIRContext* const in = o->getContext();
    auto const* known = Policy::info(o);
    llvm::SmallVector<::mlir::Attribute> origins;
    for (auto const& from : info.origins)
      origins.push_back(to_mlir<Policy>(in, ir::user_origin_attr{from.name, from.transpose_count}));
    set_attribute(o, known, "mesh_name", ::mlir::StringAttr::get(in, info.mesh));
    set_attribute(o, known, "origin", ::mlir::ArrayAttr::get(in, origins));
    set_attribute(o, known, "stage_id", info.stage ? to_attribute(in, note(*info.stage)) : ::mlir::Attribute{});
  }
  static loop_info loop_info_of(module, op o) {
    loop_info info;
    if (auto const n = attribute_of<::mlir::IntegerAttr>(o, "iterations")) info.iterations = n.getValue().getZExtValue();
    if (auto const n = attribute_of<::mlir::IntegerAttr>(o, "unroll_factor"))
      info.unroll_factor = n.getValue().getZExtValue();
    return info;
  }
  static reduction_kind reduction_kind_of(module, op o) {
    auto const* r = dialect_attribute<ir::reduction_attr, Policy>(attribute_of(o, "reduction"));
    return r ? r->kind : reduction_kind::none;
  }

 protected:
  static void put(op o, point at) {
    switch (at.where) {
      case point::kind::before: return at.at->getBlock()->getOperations().insert(at.at->getIterator(), o), void();
      case point::kind::after: return at.at->getBlock()->getOperations().insertAfter(at.at->getIterator(), o), void();
      case point::kind::start: return at.at->getRegion(0).front().push_front(o);
      case point::kind::end: return at.at->getRegion(0).back().push_back(o);
    }
  }
  static ::mlir::Location place(module p, location where) {
    return where ? ::mlir::Location(where) : ::mlir::Location(::mlir::UnknownLoc::get(p.getContext()));
  }
  /// MLIR 19 makes unregistered ops without the properties that it is given.
  static void copy_properties(op from, op to) {
    if (!from->isRegistered()) unregistered_properties(to) = unregistered_properties(from);
  }
  /// An op from its state, its inherent attributes where its kind keeps them.
  static op build(::mlir::OperationState& state, ::mlir::NamedAttrList const& inherent) {
    ::mlir::MLIRContext* const in = state.getContext();
    if (!inherent.empty()) {
      if (state.name.isRegistered())
        state.addAttributes(inherent.getAttrs());
      else
        state.propertiesAttr = inherent.getDictionary(in);
    }
    return ::mlir::Operation::create(state);
  }

 private:
  static llvm::BitVector bits(unsigned count, std::span<std::size_t const> positions) {
    llvm::BitVector set(count);
    for (std::size_t const i : positions) set.set(static_cast<unsigned>(i));
    return set;
  }
  static ir::opcode code_of(recipe const& r) {
    using enum ir::opcode;
    switch (r.what) {
      case role::assign: return mpmd_assign;
      case role::unassign: return mpmd_unassign;
      case role::transfer: return mpmd_transfer;
      case role::fragment: return mpmd_fragment;
      case role::reduce: return mpmd_reduce;
      case role::broadcast: return mpmd_broadcast;
      case role::terminator: return mpmd_return;
      default: break;
    }
    switch (r.tensor) {
      case tensor_op::constant: return stablehlo_constant;
      case tensor_op::concatenate: return stablehlo_concatenate;
      case tensor_op::slice: return stablehlo_slice;
      case tensor_op::broadcast: return stablehlo_broadcast_in_dim;
      case tensor_op::none: break;
    }
    switch (r.reduction) {
      case reduction_kind::add: return stablehlo_add;
      case reduction_kind::max: return stablehlo_maximum;
      case reduction_kind::min: return stablehlo_minimum;
      case reduction_kind::mul: return stablehlo_multiply;
      case reduction_kind::or_: return stablehlo_or;
      case reduction_kind::and_: return stablehlo_and;
      case reduction_kind::none: break;
    }
    return stablehlo_reshape;
  }
  static void set_tensor_attributes(::mlir::MLIRContext* in, recipe const& r, ::mlir::NamedAttrList& to) {
    auto list = [&](std::int64_t slice_bounds::*of) {
      llvm::SmallVector<std::int64_t> numbers;
      for (slice_bounds const& b : r.bounds) numbers.push_back(b.*of);
      return ::mlir::DenseI64ArrayAttr::get(in, numbers);
    };
    switch (r.tensor) {
      case tensor_op::none: return;
      case tensor_op::concatenate: to.set("dimension", to_attribute(in, note(std::int64_t{0}))); return;
      case tensor_op::slice:
        to.set("limit_indices", list(&slice_bounds::limit));
        to.set("start_indices", list(&slice_bounds::start));
        to.set("strides", list(&slice_bounds::stride));
        return;
      case tensor_op::broadcast: to.set("broadcast_dimensions", ::mlir::DenseI64ArrayAttr::get(in, {})); return;
      case tensor_op::constant: break;
    }
    auto const tensor = llvm::cast<::mlir::RankedTensorType>(r.results.front());
    auto const width = tensor.getElementType().getIntOrFloatBitWidth();
    llvm::APInt const number(width, static_cast<std::uint64_t>(r.number));
    to.set("value", ::mlir::DenseElementsAttr::get(tensor, number));
  }
  static void forget(op o, std::string_view list, std::string_view shardings, std::span<std::size_t const> positions) {
    auto const* known = Policy::info(o);
    if (auto const* kept = dialect_attribute<ir::sharding_per_value_attr, Policy>(attribute_of(o, shardings))) {
      ir::sharding_per_value_attr rest = *kept;
      for (std::size_t i = positions.size(); i-- > 0;)
        if (positions[i] < rest.shardings.size())
          rest.shardings.erase(rest.shardings.begin() + static_cast<std::ptrdiff_t>(positions[i]));
      set_attribute(o, known, shardings,
                    rest.shardings.empty() ? ::mlir::Attribute{} : to_mlir<Policy>(o->getContext(), std::move(rest)));
    }
    auto const held = attribute_of<::mlir::ArrayAttr>(o, list);
    if (!held) return;
    entry_list rest(o, list, held.size());
    rest.erase(positions);
    rest.store(o, known);
  }
};

}  // namespace mpmd::adapters
