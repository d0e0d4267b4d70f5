// A compiler whose dialect is registered and is not Shardy's: ops and a type of its own, and a policy that tells what
// they mean. Mesh inference runs on its modules and makes ops of its dialect.

#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <mlir/IR/ExtensibleDialect.h>
#include <mlir/IR/Verifier.h>
#include <mlir/Parser/Parser.h>

#include <mpmd/adapters/mlir.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/graph/check_mutable_program.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/transform/canonicalize.hpp>
#include <mpmd/transform/eliminate_common_subexpressions.hpp>

namespace {

constexpr std::pair<std::string_view, std::string_view> names[] = {
    {"toy.put", "mpmd.assign"},  {"toy.take", "mpmd.unassign"}, {"toy.move", "mpmd.transfer"},
    {"toy.stage", "mpmd.fragment"},
};

struct toy_policy : mpmd::adapters::ops_by_name {
  static mpmd::ir::op_info const* info(mlir::Operation* o) {
    auto const name = mpmd::adapters::name_of(o);
    for (auto const& [mine, theirs] : names)
      if (mine == name) return mpmd::adapters::known_op(theirs);
    return mpmd::adapters::known_op(name);
  }
  static mpmd::role role_of(mlir::Operation* o) {
    auto const* known = info(o);
    return known ? mpmd::adapters::role_of(*known) : ops_by_name::role_of(o);
  }
  static std::string_view name_of(mpmd::ir::opcode code) {
    auto const theirs = ops_by_name::name_of(code);
    for (auto const& [mine, name] : names)
      if (name == theirs) return mine;
    return theirs;
  }
  // !toy.on<"m1", tensor<4xf32>>
  static std::string_view mesh_of(mlir::Type t) {
    auto on = llvm::dyn_cast<mlir::DynamicType>(t);
    return on ? mpmd::adapters::text_of(llvm::cast<mlir::StringAttr>(on.getParams()[0]).getValue()) : std::string_view{};
  }
  static std::optional<mpmd::adapters::mlir_mesh_tensor> placed(mlir::Type t) {
    auto on = llvm::dyn_cast<mlir::DynamicType>(t);
    if (!on) return std::nullopt;
    return mpmd::adapters::mlir_mesh_tensor{std::string(mesh_of(t)),
                                            llvm::cast<mlir::TypeAttr>(on.getParams()[1]).getValue()};
  }
  static mlir::Type place(mlir::Type tensor, std::string_view mesh, std::string_view) {
    auto* const c = tensor.getContext();
    auto* const toy = llvm::cast<mlir::ExtensibleDialect>(c->getLoadedDialect("toy"));
    return mlir::DynamicType::get(toy->lookupTypeDefinition("on"),
                                  {mlir::StringAttr::get(c, mpmd::adapters::string_ref(mesh)), mlir::TypeAttr::get(tensor)});
  }
};

struct toy_module : mlir::ModuleOp {
  using ModuleOp::ModuleOp;
  toy_module(mlir::ModuleOp m) : ModuleOp(m) {}  // NOLINT(google-explicit-constructor)
};

}  // namespace

template <>
struct mpmd::ir_traits<toy_module> : mpmd::adapters::mlir_traits<toy_policy> {};
static_assert(mpmd::check_mutable_program<toy_module>());
static_assert(mpmd::sharded_mpmd_program<toy_module>);
static_assert(mpmd::foldable_program<toy_module>);

namespace {

void load_toy(mlir::MLIRContext& c) {
  c.loadDialect<mlir::func::FuncDialect>();
  c.getOrLoadDynamicDialect("toy", [](mlir::DynamicDialect* toy) {
    auto const good = [](mlir::Operation*) { return mlir::success(); };
    for (std::string const name : {"put", "take", "move", "stage", "add"})
      toy->registerDynamicOp(mlir::DynamicOpDefinition::get(name, toy, good, good));
    toy->registerDynamicType(mlir::DynamicTypeDefinition::get(
        "on", toy, [](auto, llvm::ArrayRef<mlir::Attribute>) { return mlir::success(); }));
  });
}

constexpr std::string_view program = R"(
func.func @main(%x: !toy.on<"m1", tensor<4xf32>>, %y: tensor<4xf32>) -> !toy.on<"m2", tensor<4xf32>>
    attributes {topology = #mpmd.topology<<"m1" : <["x"=2]>>, <"m2" : <["x"=2]>>>} {
  %a = "toy.take"(%x) : (!toy.on<"m1", tensor<4xf32>>) -> tensor<4xf32>
  %b = "toy.add"(%a, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %c = "toy.put"(%b) : (tensor<4xf32>) -> !toy.on<"m1", tensor<4xf32>>
  %d = "toy.stage"(%c) ({
  ^bb0(%e: tensor<4xf32>):
    %f = "toy.add"(%e, %e) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "mpmd.return"(%f) : (tensor<4xf32>) -> ()
  }) {mesh_name = "m1", origin = [#mpmd.user_origin<"f">]} : (!toy.on<"m1", tensor<4xf32>>) -> !toy.on<"m1", tensor<4xf32>>
  %g = "toy.take"(%d) : (!toy.on<"m1", tensor<4xf32>>) -> tensor<4xf32>
  %h = "toy.put"(%g) : (tensor<4xf32>) -> !toy.on<"m2", tensor<4xf32>>
  return %h : !toy.on<"m2", tensor<4xf32>>
}
)";

// Of the dialect's ops, those that stand for ops without effects are merged and erased, others are not.
constexpr std::string_view repeated = R"(
func.func @main(%x: !toy.on<"m1", tensor<4xf32>>) -> (!toy.on<"m2", tensor<4xf32>>, !toy.on<"m2", tensor<4xf32>>, tensor<4xf32>) {
  %a = "toy.move"(%x) : (!toy.on<"m1", tensor<4xf32>>) -> !toy.on<"m2", tensor<4xf32>>
  %b = "toy.move"(%x) : (!toy.on<"m1", tensor<4xf32>>) -> !toy.on<"m2", tensor<4xf32>>
  %c = "toy.move"(%x) : (!toy.on<"m1", tensor<4xf32>>) -> !toy.on<"m1", tensor<4xf32>>
  %d = "toy.take"(%c) : (!toy.on<"m1", tensor<4xf32>>) -> tensor<4xf32>
  %e = "toy.add"(%d, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %f = "toy.add"(%d, %d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %a, %b, %e : !toy.on<"m2", tensor<4xf32>>, !toy.on<"m2", tensor<4xf32>>, tensor<4xf32>
}
)";

int failures = 0;
void check(bool holds, std::string_view what) {
  if (holds) return;
  ++failures;
  std::cerr << "does not hold: " << what << '\n';
}
std::size_t count(std::string const& text, std::string_view what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

void check_simplification(mlir::MLIRContext& c) {
  auto const parsed = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(repeated.data(), repeated.size()), &c);
  check(static_cast<bool>(parsed), "the program with repetitions is read");
  if (!parsed) return;
  toy_module module = *parsed;
  mpmd::diagnostics reports = mpmd::adapters::mlir_diagnostics(module);
  check(mpmd::eliminate_common_subexpressions{}(module, reports) && mpmd::canonicalize{}(module, reports),
        "it is simplified");
  check(succeeded(mlir::verify(module)), "and still valid");
  std::string const printed = mpmd::adapters::printed(module);
  check(count(printed, "\"toy.move\"") == 1, "equal moves are one, and one from a mesh to itself is none");
  check(count(printed, "\"toy.add\"") == 2, "what nothing is known of stays");
}

}  // namespace

int main() {
  mlir::MLIRContext c(mlir::MLIRContext::Threading::DISABLED);
  c.allowUnregisteredDialects();  // for the attributes
  load_toy(c);
  check_simplification(c);
  auto const parsed = mlir::parseSourceString<mlir::ModuleOp>(llvm::StringRef(program.data(), program.size()), &c);
  check(static_cast<bool>(parsed), "the program is read");
  if (!parsed) return 1;
  toy_module module = *parsed;

  auto const sets = mpmd::use_sets(module);
  mlir::Operation* const main = &module.getBody()->front();
  mlir::Value const y = main->getRegion(0).getArgument(1);
  check(sets.meshes(y) == std::vector<std::string_view>{"m1"}, "%y is used on m1");

  mpmd::diagnostics reports = mpmd::adapters::mlir_diagnostics(module);
  check(mpmd::run(mpmd::infer_mesh_pipeline<toy_module>({.infer_transfers = true}), module, reports), "inference succeeds");
  check(succeeded(mlir::verify(module)), "MLIR finds the module valid");
  std::string const printed = mpmd::adapters::printed(module);
  check(count(printed, "\"toy.stage\"") == 1 && count(printed, "\"toy.add\"") == 2, "the addition is drawn into the stage");
  check(count(printed, "\"toy.move\"") == 1, "one transfer");
  check(count(printed, "\"toy.put\"") + count(printed, "\"toy.take\"") == 0, "no assigns or unassigns");
  // Ops that are defined at run time cannot be terminators, so those of stages are mpmd's.
  check(count(printed, "\"mpmd.") == count(printed, "\"mpmd.return\""), "no other ops of another dialect");
  check(count(printed, "%arg1: !toy.on<\"m1\", tensor<4xf32>>") == 1, "%y is placed");
  check(count(printed, "origin = [#mpmd.user_origin<\"f\">]") == 1, "the stage keeps its name");
  if (failures != 0) std::cerr << printed << '\n';
  return failures == 0 ? 0 : 1;
}
