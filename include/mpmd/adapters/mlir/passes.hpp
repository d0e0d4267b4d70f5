#pragma once
/// The library's passes as passes of MLIR, for its registry, pass managers and command lines.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>
#include <mlir/Pass/PassManager.h>
#include <mlir/Pass/PassRegistry.h>

#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/locations.hpp>
#include <mpmd/adapters/mlir/verify.hpp>
#include <mpmd/pipeline/options.hpp>
#include <mpmd/pipeline/pass.hpp>

namespace mpmd::adapters {

/// MLIR tells opaque types apart by their text, so types of the mpmd dialect that are spelled differently are made to
/// agree before passes compare them. Text that MLIR printed of modules of this library agrees already. O(values).
template <class Policy>
void unify_spellings(::mlir::ModuleOp in) {
  auto unify = [](::mlir::Type t) {
    auto const opaque = llvm::dyn_cast<::mlir::OpaqueType>(t);
    if (!opaque || opaque.getDialectNamespace() != "mpmd") return t;
    auto& memory = dialect_memory::of_thread();
    ir::type const read = memory.type(Policy::text(t));
    return read ? Policy::type(t.getContext(), text::mlir::to_string(memory.context(), read)) : t;
  };
  auto unify_value = [&](::mlir::Value v) {
    if (::mlir::Type const now = unify(v.getType()); now != v.getType()) v.setType(now);
  };
  in->walk([&](mlir_op o) {
    for (::mlir::Value const v : o->getResults()) unify_value(v);
    for (auto& r : o->getRegions())
      for (auto& b : r)
        for (::mlir::Value const v : b.getArguments()) unify_value(v);
    auto const held = attribute_of<::mlir::TypeAttr>(o, "function_type");
    auto const signature = held ? llvm::dyn_cast<::mlir::FunctionType>(held.getValue()) : ::mlir::FunctionType{};
    if (!signature) return;
    auto const inputs = llvm::map_to_vector(signature.getInputs(), unify);
    auto const results = llvm::map_to_vector(signature.getResults(), unify);
    auto const now = ::mlir::FunctionType::get(o->getContext(), inputs, results);
    if (now != signature) o->setAttr("function_type", ::mlir::TypeAttr::get(now));
  });
}

/// The name under which MLIR knows a pass: the library's, except for those that MLIR has of its own (`inline`, `cse`,
/// `canonicalize`, `symbol-dce`), which get `mpmd-` in front.
inline std::string mlir_pass_name(std::string_view name) {
  return (name.starts_with("mpmd-") ? "" : "mpmd-") + std::string(name);
}

/// Gathers what is wrong with options, with the places in their text: MLIR has no locations for it. `wrong` must outlive it.
inline diagnostics option_complaints(std::string& wrong) {
  return diagnostics([&wrong](diagnostic const& d) {
    wrong.append(wrong.empty() ? "" : "; ").append(d.message);
    if (d.where.column != 0) wrong.append(" (at character ").append(std::to_string(d.where.column)).append(" of the options)");
  });
}

/// One pass of the library on modules of type `P`, which is, or is made from, an mlir::ModuleOp.
template <class P, class Policy>
class mlir_pass : public ::mlir::Pass {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(mlir_pass)

  /// With the options of `what`; `kind` is what was registered under its name, for its options to be changed and shown.
  mlir_pass(registered_pass<P> const& kind, pass<P> what)
      : Pass(::mlir::TypeID::get<mlir_pass>(), "builtin.module"),
        name_(mlir_pass_name(kind.name)),
        kind_(kind),
        run_(std::move(what)) {
    for (auto const& o : kind_.options)
      options_.push_back(std::make_unique<Option<std::string>>(
          *this, string_ref(o.name), llvm::cl::desc(string_ref(o.help)), llvm::cl::value_desc(string_ref(o.type)), llvm::cl::init(o.fallback)));
    show(run_.options);
  }
  mlir_pass(mlir_pass const& other) : mlir_pass(other.kind_, other.run_) {}

  llvm::StringRef getName() const override { return name_; }
  llvm::StringRef getArgument() const override { return name_; }
  llvm::StringRef getDescription() const override { return string_ref(kind_.summary); }

  llvm::LogicalResult initializeOptions(
      llvm::StringRef text, llvm::function_ref<llvm::LogicalResult(llvm::Twine const&)> fail) override {
    std::string wrong;
    diagnostics complaints = option_complaints(wrong);
    auto made = kind_.make(text_of(text), complaints);
    if (!made || made->size() != 1) return fail(wrong);
    run_ = std::move(made->front());
    show(text_of(text));
    return llvm::success();
  }

 protected:
  void runOnOperation() override {
    auto const module = llvm::cast<::mlir::ModuleOp>(getOperation());
    unify_spellings<Policy>(module);
    P program(module);
    diagnostics reports = mlir_diagnostics(module);
    if (!verify_for_passes<Policy>(module, reports) || !run_.run(program, reports)) signalPassFailure();
  }
  bool canScheduleOn(::mlir::RegisteredOperationName o) const override { return o.getStringRef() == "builtin.module"; }
  std::unique_ptr<Pass> clonePass() const override { return std::make_unique<mlir_pass>(*this); }

 private:
  /// Lets MLIR know the options, which it prints with pipelines.
  void show(std::string_view text) {
    auto const given = split_options(text);
    if (!given) return;
    for (auto const& option : options_) {
      std::string all;
      for (auto const& g : *given)
        if (g.name == text_of(option->getArgStr()))
          all.append(all.empty() ? "" : ",").append(g.value.value_or("true"));
      if (!all.empty()) *option = all;
    }
  }

  std::string name_;
  registered_pass<P> kind_;
  pass<P> run_;
  std::vector<std::unique_ptr<Option<std::string>>> options_;
};

/// Makes the passes and pipelines known to MLIR's registry, under mlir_pass_name(). A pipeline becomes the passes that
/// it is made of.
template <class P, class Policy>
void register_with_mlir(std::vector<registered_pass<P>> const& all) {
  auto const kinds = std::make_shared<std::vector<registered_pass<P>> const>(all);
  for (auto const& kind : *kinds) {
    diagnostics unheard;
    auto const made = kind.make("", unheard);
    if (made && made->size() == 1 && made->front().name == kind.name) {
      ::mlir::registerPass([&kind, kinds, one = made->front()] { return std::make_unique<mlir_pass<P, Policy>>(kind, one); });
      continue;
    }
    auto build = [&kind, kinds](::mlir::OpPassManager& to, llvm::StringRef text,
                                llvm::function_ref<llvm::LogicalResult(llvm::Twine const&)> fail) {
      std::string wrong;
      diagnostics complaints = option_complaints(wrong);
      auto passes = kind.make(text_of(text), complaints);
      if (!passes) return fail(wrong);
      for (auto& one : *passes) {
        auto known = std::find_if(kinds->begin(), kinds->end(), [&one](auto const& k) { return k.name == one.name; });
        to.addPass(std::make_unique<mlir_pass<P, Policy>>(known == kinds->end() ? registered_pass<P>{one.name, {}, {}, {}}
                                                                               : *known,
                                                          std::move(one)));
      }
      return llvm::success();
    };
    ::mlir::registerPassPipeline(string_ref(mlir_pass_name(kind.name)), string_ref(kind.summary), build,
                                 [&kind, kinds](llvm::function_ref<void(::mlir::detail::PassOptions const&)> look) {
                                   using shown = ::mlir::detail::PassOptions;
                                   shown options;
                                   std::vector<std::unique_ptr<shown::Option<std::string>>> each;
                                   for (auto const& o : kind.options)
                                     each.push_back(std::make_unique<shown::Option<std::string>>(
                                         options, string_ref(o.name), llvm::cl::desc(string_ref(o.help)),
                                         llvm::cl::value_desc(string_ref(o.type))));
                                   look(options);
                                 });
  }
}

}  // namespace mpmd::adapters
