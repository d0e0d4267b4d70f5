#pragma once
/// Names and calls of functions, as MLIR modules model symbol_program and, with mlir_structure, inlinable_program. MLIR's
/// own inliner and its erasure of symbols ask every dialect for its consent, which those that are not registered cannot
/// give.

#include <cstddef>
#include <functional>
#include <string_view>

#include <llvm/ADT/StringExtras.h>
#include <mlir/IR/AttrTypeSubElements.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Location.h>
#include <mlir/IR/SymbolTable.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::adapters {

/// Finds the symbols that ops name, however deep in attributes and types; each attribute and type is looked into once.
class mlir_symbol_uses {
 public:
  explicit mlir_symbol_uses(::mlir::ModuleOp) {
    walker_.addWalk([this](::mlir::SymbolRefAttr s) {
      to_(text_of(s.getRootReference().getValue()));
      for (auto const step : s.getNestedReferences()) to_(text_of(step.getValue()));
    });
    walker_.addWalk([this](::mlir::OpaqueAttr a) { in_text(a.getAttrData()); });
    walker_.addWalk([this](::mlir::OpaqueType t) { in_text(t.getTypeData()); });
  }
  mlir_symbol_uses(mlir_symbol_uses const&) = delete;  // the walker knows where it stands
  mlir_symbol_uses& operator=(mlir_symbol_uses const&) = delete;

  template <class Named>
  void of(::mlir::ModuleOp, mlir_op o, Named named) {
    to_ = std::ref(named);
    for_each_attribute(o, [this](::mlir::NamedAttribute a) { walker_.walk(a.getValue()); });
    for (::mlir::Type const t : o->getResultTypes()) walker_.walk(t);
    for (auto& r : o->getRegions())
      for (auto& b : r)
        for (::mlir::Type const t : b.getArgumentTypes()) walker_.walk(t);
  }

 private:
  // `@name` and `@"name"` in text that MLIR does not understand.
  void in_text(llvm::StringRef text) {
    for (std::size_t at = text.find('@'); at != llvm::StringRef::npos; at = text.find('@', at + 1)) {
      llvm::StringRef const rest = text.drop_front(at + 1);
      if (rest.starts_with("\""))
        to_(text_of(rest.drop_front().take_until([](char c) { return c == '"'; })));
      else
        to_(text_of(rest.take_while(
            [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; })));
    }
  }
  std::function<void(std::string_view)> to_;
  ::mlir::AttrTypeWalker walker_;
};

template <class Policy>
struct mlir_symbols {
  using module = ::mlir::ModuleOp;
  using op = mlir_op;
  using symbol_uses = mlir_symbol_uses;

  static op root(module p) { return p.getOperation(); }
  static bool is_symbol_table(module, op o) { return o->hasTrait<::mlir::OpTrait::SymbolTable>(); }
  static std::string_view symbol_name(module, op o) { return string_of(o, "sym_name"); }
  static bool is_private(module, op o) { return string_of(o, "sym_visibility") == "private"; }
  static bool is_function_call(module, op o) { return adapters::name_of(o) == Policy::name_of(ir::opcode::func_call); }
  static void set_called_from(module, op o, ::mlir::LocationAttr caller) {
    if (!caller || llvm::isa<::mlir::UnknownLoc>(caller) || llvm::isa<::mlir::UnknownLoc>(o->getLoc())) return;
    o->setLoc(::mlir::CallSiteLoc::get(o->getLoc(), ::mlir::Location(caller)));
  }
};

}  // namespace mpmd::adapters
