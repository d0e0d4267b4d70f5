#pragma once
/// What passes rely on in ops of the mpmd dialect, checked where MLIR cannot: it takes ops that are not registered as they
/// come. The rules, and most words, are those of ir/verify_mpmd.hpp and ir/verify_calls.hpp; what no pass depends on,
/// such as shardings, is not looked at.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <mlir/IR/BuiltinOps.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/locations.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/ir/opcodes.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::adapters {

template <class Policy>
class mlir_verifier {
  using code = ir::opcode;
  using type = ::mlir::Type;

 public:
  mlir_verifier(::mlir::ModuleOp in, diagnostics& diags) : in_(in), diags_(diags) {}

  /// False after reporting what is wrong. Linear.
  bool run() {
    for (mlir_op const o : mlir_body(in_.getOperation()))
      if (is(o, code::func_func)) functions_.emplace(string_of(o, "sym_name"), o);
    bool good = true;
    for (mlir_op const top : mlir_body(in_.getOperation())) {
      function_ = is(top, code::func_func) ? top : nullptr;
      if (function_ != nullptr && !check_function(top)) {
        good = false;
        continue;
      }
      top->walk<::mlir::WalkOrder::PreOrder>([&](mlir_op o) {
        if (is(o, code::builtin_module)) return ::mlir::WalkResult::skip();  // a program of its own
        if (check(o)) return ::mlir::WalkResult::advance();
        good = false;
        return ::mlir::WalkResult::skip();  // what is inside relies on what is around
      });
    }
    return good;
  }

 private:
  static bool is(mlir_op o, code c) { return adapters::name_of(o) == Policy::name_of(c); }
  bool fail(mlir_op o, std::string message) {
    diags_.error(mlir_locations::source_of(in_, o->getLoc()), "verify", std::move(message));
    return false;
  }
  bool fail_op(mlir_op o, std::string message) {
    return fail(o, "'" + std::string(adapters::name_of(o)) + "' op " + std::move(message));
  }
  static std::string quoted(type t) { return "'" + printed(t) + "'"; }

  /// The parts of a type, taken apart once.
  mlir_mesh_tensor const* placed(type t) {
    auto const [at, is_new] = types_.try_emplace(t.getAsOpaquePointer());
    if (is_new) at->second = Policy::placed(t);
    return at->second ? &*at->second : nullptr;
  }

  bool check_function(mlir_op f) {
    meshes_.clear();
    auto const held = attribute_of(f, "topology");
    if (!held) return true;
    auto const* topology = dialect_attribute<ir::topology_attr, Policy>(held);
    if (topology == nullptr) return fail_op(f, "attribute 'topology' must be a topology");
    ir::context const& c = dialect_memory::of_thread().context();
    for (ir::attribute const m : topology->meshes)
      if (auto const* named = c.get_if<ir::named_mesh_attr>(m)) meshes_.insert(named->label);
    if (meshes_.empty()) return fail_op(f, "topology must have at least one mesh");
    auto const signature = attribute_of<::mlir::TypeAttr>(f, "function_type");
    if (!signature || !llvm::isa<::mlir::FunctionType>(signature.getValue()))
      return fail_op(f, "requires attribute 'function_type'");
    if (f->getNumRegions() != 1) return fail_op(f, "requires one region");
    if (f->getRegion(0).empty()) return true;
    if (!f->getRegion(0).hasOneBlock()) return fail_op(f, "expects region #0 to have one block");
    return !f->getRegion(0).front().empty() || fail_op(f, "expects a non-empty block");
  }

  bool check(mlir_op o) {
    auto const* known = Policy::info(o);
    if (known == nullptr) return true;
    switch (known->code) {
      case code::mpmd_assign: return has_shape(o, 1, 1) && on_mesh(o, o->getResult(0), o->getOperand(0));
      case code::mpmd_unassign: return has_shape(o, 1, 1) && on_mesh(o, o->getOperand(0), o->getResult(0));
      case code::mpmd_transfer:
        return has_shape(o, 1, 1) && is_placed(o, o->getOperand(0).getType()) && is_placed(o, o->getResult(0).getType()) &&
               (placed(o->getOperand(0).getType())->global == placed(o->getResult(0).getType())->global ||
                fail(o, "cannot transfer between mesh tensors with different global types"));
      case code::mpmd_broadcast:
      case code::mpmd_named_tensor: return has_shape(o, 1, 1) && same(o, o->getOperand(0), o->getResult(0));
      case code::mpmd_reduce:
        if (o->getNumOperands() == 0) return fail_op(o, "expected 1 or more operands, but found 0");
        if (!has_shape(o, o->getNumOperands(), 1)) return false;
        if (!dialect_attribute<ir::reduction_attr, Policy>(attribute_of(o, "reduction")))
          return fail_op(o, "requires attribute 'reduction'");
        for (::mlir::Value const v : operands_of(o))
          if (!same(o, v, o->getResult(0))) return false;
        return true;
      case code::mpmd_named_computation:
        return (dialect_attribute<ir::user_origin_attr, Policy>(attribute_of(o, "origin")) ||
                fail_op(o, "requires attribute 'origin'")) &&
               check_body(o, {});
      case code::mpmd_fragment: {
        auto const mesh = attribute_of<::mlir::StringAttr>(o, "mesh_name");
        if (!mesh) return fail_op(o, "requires attribute 'mesh_name'");
        auto const origins = attribute_of<::mlir::ArrayAttr>(o, "origin");
        if (!origins) return fail_op(o, "requires attribute 'origin'");
        for (::mlir::Attribute const e : origins)
          if (!dialect_attribute<ir::user_origin_attr, Policy>(e))
            return fail_op(o, "attribute 'origin' failed to satisfy constraint: array of user origins");
        return is_mesh(o, text_of(mesh.getValue())) && check_body(o, text_of(mesh.getValue()));
      }
      case code::mpmd_for: return check_loop(o);
      case code::mpmd_call: return check_call(o);
      default: return true;
    }
  }

  bool has_shape(mlir_op o, unsigned operands, unsigned results) {
    if (o->getNumOperands() != operands)
      return fail_op(o, "expected " + std::to_string(operands) + " operands, but found " +
                            std::to_string(o->getNumOperands()));
    if (o->getNumResults() != results)
      return fail_op(o, "expected " + std::to_string(results) + " results, but found " + std::to_string(o->getNumResults()));
    return o->getNumRegions() == 0 || fail_op(o, "requires zero regions");
  }
  bool same(mlir_op o, ::mlir::Value a, ::mlir::Value b) {
    return a.getType() == b.getType() ||
           fail_op(o, "requires the same type for all operands and results: " + quoted(a.getType()) + " vs " +
                          quoted(b.getType()));
  }
  bool is_mesh(mlir_op o, std::string_view label) {
    if (function_ == nullptr || !attribute_of(function_, "topology"))
      return fail(o, "Function does not have a topology attribute: " +
                         std::string(function_ ? string_of(function_, "sym_name") : "(no function)"));
    return meshes_.contains(std::string(label)) || fail(o, "Topology doesn't have a mesh with name: " + std::string(label));
  }
  bool is_placed(mlir_op o, type t) {
    auto const* parts = placed(t);
    if (parts == nullptr) return fail_op(o, "operands and results must be mesh tensors, but got " + quoted(t));
    if (!llvm::isa_and_present<::mlir::RankedTensorType>(parts->global))
      return fail_op(o, "a mesh tensor must hold a ranked tensor");
    return is_mesh(o, parts->mesh);
  }
  bool on_mesh(mlir_op o, ::mlir::Value there, ::mlir::Value here) {
    return is_placed(o, there.getType()) &&
           (placed(there.getType())->global == here.getType() ||
            fail(o, "the global type " + quoted(placed(there.getType())->global) + " must be the tensor type " +
                        quoted(here.getType())));
  }

  /// One region of one block whose arguments and returned values are the operands and results, without the mesh if there
  /// is one.
  bool check_body(mlir_op o, std::string_view mesh, unsigned more_arguments = 0) {
    if (o->getNumRegions() != 1) return fail_op(o, "requires one region");
    if (!o->getRegion(0).hasOneBlock()) return fail_op(o, "expects region #0 to have one block");
    ::mlir::Block& b = o->getRegion(0).front();
    if (b.empty() || Policy::role_of(&b.back()) != role::terminator) return fail_op(o, "expects a block that ends in mpmd.return");
    if (b.getNumArguments() != o->getNumOperands() + more_arguments)
      return fail(o, "Number of block arguments and operands must match: " + std::to_string(b.getNumArguments()) + " vs " +
                         std::to_string(o->getNumOperands()));
    if (b.back().getNumOperands() != o->getNumResults())
      return fail(o, "Number of returned values and results must match: " + std::to_string(b.back().getNumOperands()) +
                         " vs " + std::to_string(o->getNumResults()));
    for (unsigned i = 0; i < o->getNumOperands(); ++i)
      if (!fits(o, mesh, b.getArgument(i).getType(), o->getOperand(i).getType(), "block argument #" + std::to_string(i)))
        return false;
    for (unsigned i = 0; i < o->getNumResults(); ++i)
      if (!fits(o, mesh, b.back().getOperand(i).getType(), o->getResult(i).getType(), "returned value #" + std::to_string(i)))
        return false;
    return true;
  }
  bool fits(mlir_op o, std::string_view mesh, type inside, type outside, std::string const& which) {
    auto const* parts = mesh.empty() ? nullptr : placed(outside);
    if (parts != nullptr && parts->mesh != mesh)
      return fail(o, "the value outside of " + which + " lives on mesh \"" + parts->mesh + "\" but the mesh of the op is \"" +
                         std::string(mesh) + "\"");
    type const wanted = parts ? parts->global : outside;
    return inside == wanted || fail(o, which + " has type " + quoted(inside) + " but the value outside has type " + quoted(wanted));
  }

  bool check_loop(mlir_op o) {
    auto const turns = attribute_of<::mlir::IntegerAttr>(o, "iterations");
    if (!turns || turns.getValue().isZero() || !turns.getType().isUnsignedInteger(32))
      return fail_op(o, "requires attribute 'iterations', a positive 32-bit unsigned integer");
    if (auto const factor = attribute_of(o, "unroll_factor")) {
      auto const n = llvm::dyn_cast<::mlir::IntegerAttr>(factor);
      if (!n || !n.getType().isUnsignedInteger(32) || n.getValue().isZero() || turns.getValue().urem(n.getValue()) != 0)
        return fail_op(o, "requires an 'unroll_factor' that divides the iterations");
    }
    if (o->getNumOperands() != o->getNumResults()) return fail_op(o, "requires as many results as operands");
    for (unsigned i = 0; i < o->getNumOperands(); ++i)
      if (!same(o, o->getOperand(i), o->getResult(i))) return false;
    return check_body(o, {}, 1);
  }

  bool check_call(mlir_op o) {
    auto const callee = attribute_of<::mlir::FlatSymbolRefAttr>(o, "callee");
    if (!callee) return fail_op(o, "requires attribute 'callee'");
    std::string const name = callee.getValue().str();
    mlir_op const parent = o->getParentOp();
    if (function_ == nullptr || (parent != function_ && !is(parent, code::mpmd_for)))
      return fail(o, "Mpmd CallOp on \"" + name + "\" can only be used in a function or for_op block");
    auto const at = functions_.find(name);
    auto const held = at == functions_.end() ? ::mlir::TypeAttr{} : attribute_of<::mlir::TypeAttr>(at->second, "function_type");
    auto const signature = held ? llvm::dyn_cast<::mlir::FunctionType>(held.getValue()) : ::mlir::FunctionType{};
    if (!signature) return fail(o, "Mpmd CallOp callee @" + name + " does not refer to a function");
    if (attribute_of(function_, "topology") && string_of(function_, "sym_visibility") == "private")
      return fail(o, "Mpmd CallOp on \"" + name + "\" in an Mpmd function can only be used directly by the entrypoint function, "
                     "i.e. the main function, but was called from \"" + std::string(string_of(function_, "sym_name")) + "\"");
    if (attribute_of(at->second, "topology") && string_of(at->second, "sym_visibility") != "private")
      return fail(o, "Mpmd CallOp callee \"" + name + "\" has a topology, so that it must have private visibility");
    std::size_t needed = signature.getNumInputs();
    if (at->second->getNumRegions() == 1 && at->second->getRegion(0).hasOneBlock()) {
      ::mlir::Block& body = at->second->getRegion(0).front();
      // Operands may be left out at the end for parameters that the callee does not use.
      while (needed > o->getNumOperands() && needed <= body.getNumArguments() &&
             body.getArgument(static_cast<unsigned>(needed - 1)).use_empty())
        --needed;
    }
    if (needed != o->getNumOperands() || signature.getNumResults() != o->getNumResults())
      return fail(o, "Mpmd CallOp on \"" + name + "\" expects " + std::to_string(signature.getNumInputs()) + " operands and " +
                         std::to_string(signature.getNumResults()) + " results");
    for (unsigned i = 0; i < o->getNumOperands(); ++i)
      if (o->getOperand(i).getType() != signature.getInput(i))
        return fail(o, "Type mismatch. Expected call operand to have type " + quoted(signature.getInput(i)) + " but got " +
                           quoted(o->getOperand(i).getType()));
    for (unsigned i = 0; i < o->getNumResults(); ++i)
      if (o->getResult(i).getType() != signature.getResult(i))
        return fail(o, "Type mismatch. Expected call result to have type " + quoted(signature.getResult(i)) + " but got " +
                           quoted(o->getResult(i).getType()));
    return true;
  }

  ::mlir::ModuleOp in_;
  diagnostics& diags_;
  std::unordered_map<std::string_view, mlir_op> functions_;
  std::unordered_map<void const*, std::optional<mlir_mesh_tensor>> types_;
  std::unordered_set<std::string> meshes_;  // of the function that is looked at
  mlir_op function_ = nullptr;
};

/// Whether a module is what passes take it for; reports what is wrong.
template <class Policy>
bool verify_for_passes(::mlir::ModuleOp in, diagnostics& diags) {
  return mlir_verifier<Policy>(in, diags).run();
}

}  // namespace mpmd::adapters
