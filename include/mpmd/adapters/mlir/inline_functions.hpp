#pragma once
/// Inlining of `func.call` in MLIR modules, and the erasure of symbols that nothing names. MLIR's own inliner asks every
/// dialect for its consent, which those that are not registered cannot give.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <llvm/ADT/StringExtras.h>
#include <mlir/IR/AttrTypeSubElements.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/IRMapping.h>
#include <mlir/IR/Location.h>
#include <mlir/IR/SymbolTable.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/editing.hpp>
#include <mpmd/adapters/mlir/locations.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/ir/opcodes.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::adapters {

/// Calls `f(name)` for each part of each symbol that ops name, however deep in attributes and types; each attribute and
/// type is looked into once.
class mlir_symbol_uses {
 public:
  using sink = std::function<void(llvm::StringRef)>;
  explicit mlir_symbol_uses(sink to) : to_(std::move(to)) {
    walker_.addWalk([this](::mlir::SymbolRefAttr s) {
      to_(s.getRootReference());
      for (auto const step : s.getNestedReferences()) to_(step.getValue());
    });
    walker_.addWalk([this](::mlir::OpaqueAttr a) { in_text(a.getAttrData()); });
    walker_.addWalk([this](::mlir::OpaqueType t) { in_text(t.getTypeData()); });
  }
  void of(mlir_op o) {
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
        to_(rest.drop_front().take_until([](char c) { return c == '"'; }));
      else
        to_(rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_' || c == '$' || c == '.' || c == '-'; }));
    }
  }
  sink to_;
  ::mlir::AttrTypeWalker walker_;
};

namespace detail {
inline bool is_private(mlir_op o) { return string_of(o, "sym_visibility") == "private"; }
}  // namespace detail

/// Erases the private symbols of a module that nothing names which stays. O(ops + attributes).
inline void erase_unused_mlir_symbols(::mlir::ModuleOp in) {
  std::unordered_map<std::string_view, mlir_op> candidates;  // private symbols that nothing has named yet
  std::vector<mlir_op> live, all;
  for (mlir_op const o : mlir_body(in.getOperation())) {
    auto const label = string_of(o, "sym_name");
    bool const may_go = !label.empty() && detail::is_private(o) && !llvm::isa<::mlir::ModuleOp>(o);
    if (may_go) candidates.emplace(label, o);
    (may_go ? all : live).push_back(o);
  }
  std::unordered_set<mlir_op> kept;
  mlir_symbol_uses uses([&](llvm::StringRef label) {
    auto const at = candidates.find(text_of(label));
    if (at == candidates.end()) return;
    live.push_back(at->second);
    kept.insert(at->second);
    candidates.erase(at);
  });
  for (std::size_t i = 0; i < live.size(); ++i) live[i]->walk([&uses](mlir_op o) { uses.of(o); });
  for (mlir_op const o : all)
    if (!kept.contains(o)) o->erase();
}

/// The rules are those of ir/inline_functions.hpp.
template <class Policy>
class mlir_inliner {
 public:
  mlir_inliner(::mlir::ModuleOp in, diagnostics& diags) : in_(in), diags_(diags) {}

  bool run() {
    std::vector<mlir_op> all;
    std::unordered_map<std::string_view, mlir_op> by_name;
    for (mlir_op const o : mlir_body(in_.getOperation()))
      if (is(o, ir::opcode::func_func)) {
        all.push_back(o);
        by_name.emplace(string_of(o, "sym_name"), o);
      }
    for (mlir_op const f : all)
      f->walk<::mlir::WalkOrder::PreOrder>([&](mlir_op o) {
        if (o != f) ++sizes_[f];
        auto const name = attribute_of<::mlir::FlatSymbolRefAttr>(o, "callee");
        if (!name || !is(o, ir::opcode::func_call)) return;
        if (auto const at = by_name.find(text_of(name.getValue())); at != by_name.end())
          calls_[f].emplace_back(o, at->second);
      });
    for (mlir_op const f : all)
      if (!visit(f)) return false;
    for (auto const& [call, callee] : chosen_) inline_one(call, callee);
    if (inlined_.empty()) return true;
    std::unordered_set<std::string> named;
    mlir_symbol_uses uses([&named](llvm::StringRef label) { named.insert(label.str()); });
    in_->walk([&uses](mlir_op o) { uses.of(o); });
    for (mlir_op const f : all)
      if (inlined_.contains(f) && detail::is_private(f) && !named.contains(std::string(string_of(f, "sym_name")))) f->erase();
    return true;
  }

 private:
  enum class state : std::uint8_t { fresh, open, done };

  static bool is(mlir_op o, ir::opcode code) { return adapters::name_of(o) == Policy::name_of(code); }

  /// Chooses the calls to be inlined, callees first, on a list instead of the call stack; calls in a cycle stay. Counts
  /// what would be made.
  bool visit(mlir_op root) {
    if (states_[root] != state::fresh) return true;
    std::vector<std::pair<mlir_op, std::size_t>> path{{root, 0}};
    states_[root] = state::open;
    while (!path.empty()) {
      mlir_op const f = path.back().first;
      auto& calls = calls_[f];
      if (path.back().second == calls.size()) {
        for (auto const& [call, callee] : calls)
          if (states_[callee] == state::done && !choose(f, call, callee)) return false;
        states_[f] = state::done;
        path.pop_back();
        continue;
      }
      mlir_op const callee = calls[path.back().second++].second;
      if (states_[callee] != state::fresh) continue;
      states_[callee] = state::open;
      path.emplace_back(callee, 0);
    }
    return true;
  }

  bool choose(mlir_op caller, mlir_op call, mlir_op callee) {
    std::size_t const size = sizes_[callee];
    if (size > most_added_ops - added_) {
      diags_.error(mlir_locations::source_of(in_, call->getLoc()), "inline",
                   "inlining the functions of this program would make more than " + std::to_string(most_added_ops) +
                       " ops; call some of them with mpmd.call instead");
      return false;
    }
    added_ += size;
    sizes_[caller] += size;
    chosen_.emplace_back(call, callee);
    return true;
  }

  void inline_one(mlir_op call, mlir_op callee) {
    if (callee->getNumRegions() != 1 || !callee->getRegion(0).hasOneBlock()) return;
    ::mlir::Block& body = callee->getRegion(0).front();
    if (body.empty() || Policy::role_of(&body.back()) != role::terminator) return;
    mlir_op const end = &body.back();
    if (!llvm::equal(body.getArgumentTypes(), call->getOperandTypes()) ||
        !llvm::equal(end->getOperandTypes(), call->getResultTypes()))
      return;
    std::unordered_map<::mlir::Value, ::mlir::Value> map;
    for (auto const& [argument, operand] : llvm::zip(body.getArguments(), call->getOperands())) map[argument] = operand;
    for (::mlir::Operation& o : body.without_terminator()) {
      mlir_op const copy = mlir_editing<Policy>::clone(in_, &o, map, insertion_point_of<mlir_op>::before(call));
      copy->walk([&](mlir_op inner) {
        if (!llvm::isa<::mlir::UnknownLoc>(inner->getLoc()) && !llvm::isa<::mlir::UnknownLoc>(call->getLoc()))
          inner->setLoc(::mlir::CallSiteLoc::get(inner->getLoc(), call->getLoc()));
      });
    }
    for (unsigned i = 0; i < call->getNumResults(); ++i) {
      auto const at = map.find(end->getOperand(i));
      call->getResult(i).replaceAllUsesWith(at == map.end() ? end->getOperand(i) : at->second);
    }
    call->erase();
    inlined_.insert(callee);
  }

  ::mlir::ModuleOp in_;
  diagnostics& diags_;
  std::unordered_map<mlir_op, std::vector<std::pair<mlir_op, mlir_op>>> calls_;  // in each function, and whom they call
  std::unordered_map<mlir_op, state> states_;
  std::unordered_set<mlir_op> inlined_;
  std::unordered_map<mlir_op, std::size_t> sizes_;     // ops of each function, at last with what is inlined
  std::vector<std::pair<mlir_op, mlir_op>> chosen_;    // calls and whom they call, callees first
  std::size_t added_ = 0;
};

}  // namespace mpmd::adapters
