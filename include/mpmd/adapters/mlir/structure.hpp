#pragma once
/// MLIR modules as mpmd_program: functions, ops and what they mean, and the sets that passes leave on them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/RegionKindInterface.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/policy.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/adapters/mlir/reductions.hpp>
#include <mpmd/graph/annotated_program.hpp>

namespace mpmd::adapters {

/// Members of ir_traits for a program that is, or derives from, mlir::ModuleOp.
template <class Policy>
struct mlir_structure {
  using module = ::mlir::ModuleOp;
  using op = mlir_op;
  using value = ::mlir::Value;

  // ssa_program
  static std::vector<op> functions(module p) {
    std::vector<op> found;
    for (op const o : mlir_body(p.getOperation()))
      if (is_function(p, o)) found.push_back(o);
    return found;
  }
  static bool is_function(module, op o) { return is(o, ir::opcode::func_func); }
  static mlir_body body(module, op o) { return mlir_body(o); }
  static bool is_leaf(module, op o) { return o->getNumRegions() == 0; }
  static std::vector<value> arguments(module p, op o) {
    std::vector<value> found;
    bool const function = o->getNumRegions() != 0 && is_function(p, o);
    for (auto& r : o->getRegions())
      for (auto& b : r) {
        found.insert(found.end(), b.args_begin(), b.args_end());
        if (function) return found;
      }
    return found;
  }
  static mlir_operands operands(module, op o) { return operands_of(o); }
  static mlir_results results(module, op o) { return results_of(o); }
  static op defining_op(module, value v) { return v.getDefiningOp(); }
  static op parent_op(module, op o) { return o->getParentOp(); }
  static mlir_uses uses(module, value v) { return mlir_uses(v); }
  static std::string_view callee_name(module, op call) {
    auto const s = attribute_of<::mlir::FlatSymbolRefAttr>(call, "callee");
    return s ? text_of(s.getValue()) : std::string_view{};
  }
  static std::string_view function_name(module, op f) { return string_of(f, "sym_name"); }
  static bool in_dominance_order(module, op f) {
    return f->getNumRegions() == 1 && f->getRegion(0).hasOneBlock() && !::mlir::mayBeGraphRegion(f->getRegion(0));
  }

  // mpmd_program
  static role role_of(module, op o) { return Policy::role_of(o); }
  static std::string_view mesh_of(module, value v) { return Policy::mesh_of(v.getType()); }
  static std::optional<std::uint64_t> byte_size(module, value v) {
    auto const placed = Policy::placed(v.getType());
    auto const tensor = llvm::dyn_cast_if_present<::mlir::RankedTensorType>(placed ? placed->global : v.getType());
    if (!tensor || !tensor.hasStaticShape()) return std::nullopt;
    ::mlir::Type element = tensor.getElementType();
    std::uint64_t bits = 1;
    if (auto const parts = llvm::dyn_cast<::mlir::ComplexType>(element)) {
      element = parts.getElementType();
      bits = 2;
    }
    if (!element.isIntOrFloat()) return std::nullopt;
    bits *= element.getIntOrFloatBitWidth();
    for (std::int64_t const extent : tensor.getShape()) {
      if (extent == 0) return 0;
      if (bits > std::numeric_limits<std::uint64_t>::max() / static_cast<std::uint64_t>(extent)) return std::nullopt;
      bits *= static_cast<std::uint64_t>(extent);
    }
    return bits / 8 + (bits % 8 != 0);
  }
  static std::string_view label_of(module, op o) { return string_of(o, "origin"); }
  static bool takes_part(module, op f) { return static_cast<bool>(attribute_of(f, "topology")); }
  static bool is_distributed(module p, op f) {
    return takes_part(p, f) || static_cast<bool>(attribute_of(f, "mesh_shape"));
  }
  static bool is_entry(module, op f) {
    auto const visibility = string_of(f, "sym_visibility");
    return visibility.empty() || visibility == "public";
  }
  static bool is_barrier(module, op o) { return is(o, ir::opcode::stablehlo_optimization_barrier); }
  static bool is_neutral(module, op constant, reduction_kind kind) { return is_mlir_neutral(constant, kind); }
  static reduction_op<op> reduction_of(module, op o) { return mlir_reduction_of<Policy>(o); }

  // annotated_mpmd_program
  static mesh_annotation op_annotation(module, op o, set_kind k) {
    return to_annotation(notes_of(o).get(annotation_name(k)));
  }
  static mesh_annotation argument_annotation(module, op o, std::size_t i, set_kind k) {
    return to_annotation(entry_list::get(o, entry_list::arguments, i, annotation_name(k)));
  }
  static mesh_annotation result_annotation(module, op f, std::size_t i, set_kind k) {
    return to_annotation(entry_list::get(f, entry_list::results, i, annotation_name(k)));
  }
  static reduction_kind reduction_annotation(module, op o) {
    auto const* r = dialect_attribute<ir::reduction_attr, Policy>(notes_of(o).get("mpmd.reduce"));
    return r ? r->kind : reduction_kind::none;
  }
  static void set_op_annotation(module, op o, set_kind k, mesh_annotation const& to) {
    set_attribute(o, Policy::info(o), annotation_name(k), to_attribute(o, to));
  }
  static void set_argument_annotation(module p, op o, std::size_t i, set_kind k, mesh_annotation const& to) {
    entry_list all(o, entry_list::arguments, arguments(p, o).size());
    all.set(i, annotation_name(k), to_attribute(o, to));
    all.store(o, Policy::info(o));
  }
  static void set_result_annotation(module, op f, std::size_t i, set_kind k, mesh_annotation const& to) {
    entry_list all(f, entry_list::results, result_count(f));
    all.set(i, annotation_name(k), to_attribute(f, to));
    all.store(f, Policy::info(f));
  }
  static void set_argument_annotations(module p, op o, set_kind k, std::span<mesh_annotation const> to) {
    set_annotations(o, entry_list(o, entry_list::arguments, arguments(p, o).size()), k, to);
  }
  static void set_result_annotations(module, op f, set_kind k, std::span<mesh_annotation const> to) {
    set_annotations(f, entry_list(f, entry_list::results, result_count(f)), k, to);
  }
  static void set_reduction_annotation(module, op o, reduction_kind k) {
    set_attribute(o, Policy::info(o), "mpmd.reduce",
                  k == reduction_kind::none ? ::mlir::Attribute{}
                                            : to_mlir<Policy>(o->getContext(), ir::reduction_attr{k}));
  }

 protected:
  static bool is(op o, ir::opcode code) { return adapters::name_of(o) == Policy::name_of(code); }
  static std::size_t result_count(op f) {
    auto const held = attribute_of<::mlir::TypeAttr>(f, "function_type");
    auto const type = held ? llvm::dyn_cast<::mlir::FunctionType>(held.getValue()) : ::mlir::FunctionType{};
    return type ? type.getNumResults() : 0;
  }

 private:
  static constexpr char const* annotation_name(set_kind k) {
    return k == set_kind::use ? "mpmd.use_set" : "mpmd.src_set";
  }
  static mesh_annotation to_annotation(::mlir::Attribute a) {
    auto const* set = dialect_attribute<ir::meshes_with_origins_attr, Policy>(a);
    if (set == nullptr) return std::nullopt;
    std::vector<labelled_mesh> meshes;
    for (auto const& m : set->meshes) meshes.push_back({m.mesh, m.origins});
    return meshes;
  }
  static ::mlir::Attribute to_attribute(op o, mesh_annotation const& from) {
    if (!from) return {};
    ir::meshes_with_origins_attr set;
    for (auto const& m : *from) set.meshes.push_back({m.mesh, m.labels});
    return to_mlir<Policy>(o->getContext(), std::move(set));
  }
  static void set_annotations(op o, entry_list all, set_kind k, std::span<mesh_annotation const> to) {
    for (std::size_t i = 0; i < std::max(all.size(), to.size()); ++i)
      all.set(i, annotation_name(k), i < to.size() ? to_attribute(o, to[i]) : ::mlir::Attribute{});
    all.store(o, Policy::info(o));
  }
};

}  // namespace mpmd::adapters
