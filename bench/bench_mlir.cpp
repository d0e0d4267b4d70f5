// Use sets of the propagation graph as ops of MLIR: by this library through its adapter, by MLIR's own DataFlowSolver,
// and by a loop written by hand. All three find the same sets, which is checked before the clock starts.
//
//     use_set_mlir/N        this library; users behind definitions, as in any function
//     mlir_solver/N         DataFlowSolver with a SparseBackwardDataFlowAnalysis
//     mlir_walk/N           a reverse walk with a DenseMap
//     *_any_order/N         the same ops in a graph region, users first

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
#include <mlir/Analysis/DataFlow/ConstantPropagationAnalysis.h>
#include <mlir/Analysis/DataFlow/DeadCodeAnalysis.h>
#include <mlir/Analysis/DataFlow/SparseAnalysis.h>
#include <mlir/Analysis/DataFlowFramework.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/MLIRContext.h>
#include <mlir/IR/SymbolTable.h>

#include <mpmd/adapters/mlir.hpp>
#include <mpmd/analysis/use_sets.hpp>

#include "propagation_graph.hpp"

namespace {

using namespace mpmd::bench;

// The graph as a function: op i has one result, and an assign where the graph assigns it to a mesh.
struct mlir_program {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::OperationName assign;
  llvm::DenseMap<mlir::Type, unsigned> meshes;  // of placed types
  std::vector<mlir::Value> values;              // by op of the graph

  mlir_program(const propagation_graph& g, bool users_first)
      : context(std::make_unique<mlir::MLIRContext>(mlir::MLIRContext::Threading::DISABLED)),
        assign("mpmd.assign", context.get()) {
    context->allowUnregisteredDialects();
    // Where the dialect is not registered, the body of a func.func may be a graph.
    if (!users_first) context->loadDialect<mlir::func::FuncDialect>();
    mlir::MLIRContext* const c = context.get();
    const mlir::Location where = mlir::UnknownLoc::get(c);
    module = mlir::ModuleOp::create(where);
    const mlir::Type tensor = mlir::RankedTensorType::get({4}, mlir::FloatType::getF32(c));
    std::vector<mlir::Type> placed;
    for (unsigned m = 0; m < mesh_count; ++m) {
      placed.push_back(mlir::OpaqueType::get(mlir::StringAttr::get(c, "mpmd"),
                                             "mesh_tensor<\"m" + std::to_string(m) + "\", tensor<4xf32>>"));
      meshes[placed.back()] = m;
    }
    mlir::OperationState function(where, "func.func");
    function.addRegion()->emplaceBlock();
    const mlir::NamedAttribute attributes[] = {
        {mlir::StringAttr::get(c, "topology"), mlir::UnitAttr::get(c)},
        {mlir::StringAttr::get(c, "sym_name"), mlir::StringAttr::get(c, "main")},
        {mlir::StringAttr::get(c, "function_type"), mlir::TypeAttr::get(mlir::FunctionType::get(c, {}, {}))}};
    function.addAttributes(attributes);
    mlir::Operation* const main = mlir::Operation::create(function);
    module->push_back(main);
    mlir::Block& body = main->getRegion(0).front();
    const mlir::OperationName compute("bench.op", c);
    auto add = [&](mlir::OperationName name, llvm::ArrayRef<mlir::Value> operands, mlir::Type result) {
      mlir::OperationState state(where, name);
      state.addOperands(operands);
      state.addTypes(result);
      mlir::Operation* const made = mlir::Operation::create(state);
      if (users_first)
        body.push_front(made);
      else
        body.push_back(made);
      return made->getResult(0);
    };
    std::vector<mlir::Value> operands;
    for (std::size_t i = 0; i < g.size(); ++i) {
      operands.clear();
      for (auto e = g.offsets[i]; e < g.offsets[i + 1]; ++e) operands.push_back(values[g.operands[e]]);
      values.push_back(add(compute, operands, tensor));
      if (g.assigned[i] != no_mesh) add(assign, values.back(), placed[g.assigned[i]]);
    }
    body.push_back(mlir::Operation::create(mlir::OperationState(where, "func.return")));
  }
};

auto use_set_mlir(const mlir_program& p) { return mpmd::use_sets(*p.module); }

// --- MLIR's solver ---------------------------------------------------------------------------------------------------

class use_lattice : public mlir::dataflow::AbstractSparseLattice {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(use_lattice)
  using AbstractSparseLattice::AbstractSparseLattice;
  mlir::ChangeResult meet(const AbstractSparseLattice& other) override {
    return add(static_cast<const use_lattice&>(other).meshes);
  }
  mlir::ChangeResult add(std::uint64_t more) {
    const bool grows = (meshes | more) != meshes;
    meshes |= more;
    return grows ? mlir::ChangeResult::Change : mlir::ChangeResult::NoChange;
  }
  void print(llvm::raw_ostream& out) const override { out << meshes; }

  std::uint64_t meshes = 0;
};

class use_analysis : public mlir::dataflow::SparseBackwardDataFlowAnalysis<use_lattice> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(use_analysis)
  use_analysis(mlir::DataFlowSolver& solver, mlir::SymbolTableCollection& symbols, const mlir_program& p)
      : SparseBackwardDataFlowAnalysis(solver, symbols), program_(p) {}
  void visitOperation(mlir::Operation* o, llvm::ArrayRef<use_lattice*> operands,
                      llvm::ArrayRef<const use_lattice*> results) override {
    if (o->getName() == program_.assign) {
      const unsigned mesh = program_.meshes.at(o->getResult(0).getType());
      propagateIfChanged(operands[0], operands[0]->add(std::uint64_t{1} << mesh));
      return;
    }
    for (const use_lattice* result : results)
      for (use_lattice* operand : operands) meet(operand, *result);
  }
  void visitBranchOperand(mlir::OpOperand&) override {}
  void visitCallOperand(mlir::OpOperand&) override {}
  void setToExitState(use_lattice*) override {}

 private:
  const mlir_program& program_;
};

std::unique_ptr<mlir::DataFlowSolver> mlir_solver(const mlir_program& p) {
  auto solver = std::make_unique<mlir::DataFlowSolver>();
  mlir::SymbolTableCollection symbols;
  solver->load<mlir::dataflow::DeadCodeAnalysis>();
  solver->load<mlir::dataflow::SparseConstantPropagation>();
  solver->load<use_analysis>(symbols, p);
  if (failed(solver->initializeAndRun(*p.module))) return nullptr;
  return solver;
}

// --- By hand ---------------------------------------------------------------------------------------------------------

llvm::DenseMap<mlir::Value, std::uint64_t> mlir_walk(const mlir_program& p) {
  llvm::DenseMap<mlir::Value, std::uint64_t> sets;
  mlir::ModuleOp module = *p.module;
  for (mlir::Operation& function : *module.getBody())
    for (mlir::Operation& o : llvm::reverse(function.getRegion(0).front())) {
      if (o.getName() == p.assign) {
        sets[o.getOperand(0)] |= std::uint64_t{1} << p.meshes.at(o.getResult(0).getType());
        continue;
      }
      std::uint64_t mine = 0;
      for (const mlir::Value v : o.getResults()) mine |= sets.lookup(v);
      for (const mlir::Value v : o.getOperands()) sets[v] |= mine;
    }
  return sets;
}

// --- Running ---------------------------------------------------------------------------------------------------------

bool agree(const mlir_program& p, bool with_walk) {
  const auto ours = use_set_mlir(p);
  const auto theirs = mlir_solver(p);
  const auto walked = with_walk ? mlir_walk(p) : llvm::DenseMap<mlir::Value, std::uint64_t>();
  for (const mlir::Value v : p.values) {
    std::uint64_t mine = 0;
    for (const std::string_view mesh : ours.meshes(v)) mine |= std::uint64_t{1} << std::atoi(mesh.data() + 1);
    const auto* found = theirs ? theirs->lookupState<use_lattice>(v) : nullptr;
    if (mine != (found ? found->meshes : 0) || (with_walk && mine != walked.lookup(v))) return false;
  }
  return theirs != nullptr;
}

const mlir_program& program_of(std::int64_t ops, bool users_first) {
  static std::map<std::pair<std::int64_t, bool>, mlir_program> programs;
  auto at = programs.find({ops, users_first});
  if (at != programs.end()) return at->second;
  at = programs.try_emplace({ops, users_first}, make_propagation_graph(static_cast<std::uint32_t>(ops)), users_first).first;
  if (!agree(at->second, !users_first)) {
    std::cerr << "the sets differ\n";
    std::exit(1);
  }
  return at->second;
}

template <auto Run, bool UsersFirst>
void measure(benchmark::State& state) {
  const mlir_program& p = program_of(state.range(0), UsersFirst);
  for (auto _ : state) {
    auto result = Run(p);
    benchmark::DoNotOptimize(result);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

#define MPMD_MEASURE(name, run, users_first) \
  BENCHMARK(measure<run, users_first>)->Name(name)->RangeMultiplier(10)->Range(10'000, 1'000'000)->Unit(benchmark::kMicrosecond)
MPMD_MEASURE("use_set_mlir", use_set_mlir, false);
MPMD_MEASURE("mlir_solver", mlir_solver, false);
MPMD_MEASURE("mlir_walk", mlir_walk, false);
MPMD_MEASURE("use_set_mlir_any_order", use_set_mlir, true);
MPMD_MEASURE("mlir_solver_any_order", mlir_solver, true);

}  // namespace
