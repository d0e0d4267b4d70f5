#pragma once
/// MLIR modules as programs of this library: the analyses, mesh inference, the import passes and the common ones run on
/// an `mlir::ModuleOp` as they do on the library's own IR. MLIR 19; no part of mpmd/all.hpp, since not every user has
/// MLIR. LLVM is built without run-time type information, and so is what derives from its classes: compile with
/// -fno-rtti.
///
///     mpmd::diagnostics reports = mpmd::adapters::mlir_diagnostics(module);
///     mpmd::run(mpmd::infer_mesh_pipeline<mlir::ModuleOp>(), module, reports);
///
/// The dialects mpmd, sdy and stablehlo need not be registered: ops are known by their names, types and attributes by
/// their text, which the library's own reader reads. A host with C++ classes for them derives a policy from
/// `ops_by_name`, says what it knows better, and describes modules of its own:
///
///     struct my_policy : mpmd::adapters::ops_by_name { static std::string_view mesh_of(mlir::Type); … };
///     struct my_module : mlir::ModuleOp { using ModuleOp::ModuleOp; };
///     template <> struct mpmd::ir_traits<my_module> : mpmd::adapters::mlir_traits<my_policy> {};
///
/// Values have no dense numbers in MLIR, so facts stand behind a hash table that the analysis makes (program_map).
/// mpmd/adapters/mlir/passes.hpp makes the passes known to MLIR's registry; examples/mlir-plugin is a plugin for
/// mlir-opt.

#include <mlir/IR/BuiltinOps.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/editing.hpp>
#include <mpmd/adapters/mlir/folding.hpp>
#include <mpmd/adapters/mlir/locations.hpp>
#include <mpmd/adapters/mlir/notes.hpp>
#include <mpmd/adapters/mlir/policy.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/adapters/mlir/structure.hpp>
#include <mpmd/adapters/mlir/symbols.hpp>
#include <mpmd/adapters/mlir/topology.hpp>

namespace mpmd::adapters {

/// All members that the concepts ask for, sharded_mpmd_program, inlinable_program and foldable_program included. Costs are
/// those that the concepts name; an attribute of the mpmd dialect costs a look-up of its text beside.
template <class Policy>
struct mlir_traits : mlir_structure<Policy>,
                     mlir_editing<Policy>,
                     mlir_folding<Policy>,
                     mlir_notes<Policy>,
                     mlir_topology<Policy>,
                     mlir_symbols<Policy>,
                     mlir_locations {
  using policy = Policy;
  using op = mlir_op;
  using value = ::mlir::Value;
  using location = mlir_locations::location;
};

}  // namespace mpmd::adapters

template <>
struct mpmd::ir_traits<mlir::ModuleOp> : mpmd::adapters::mlir_traits<mpmd::adapters::ops_by_name> {};
