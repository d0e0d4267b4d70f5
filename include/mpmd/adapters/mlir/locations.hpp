#pragma once
/// MLIR's locations and texts for what passes say, and the way of diagnostics into MLIR's engine.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mlir/IR/BuiltinOps.h>
#include <mlir/IR/Diagnostics.h>
#include <mlir/IR/Location.h>

#include <mpmd/adapters/mlir/attributes.hpp>
#include <mpmd/adapters/mlir/dialect_text.hpp>
#include <mpmd/adapters/mlir/ranges.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::adapters {

namespace detail {
using mlir_place = ::mlir::LocationAttr;

/// The place nearest to the program in a location: into names, callees and the first of several.
inline mlir_place inner_place(mlir_place at) {
  if (auto const named = llvm::dyn_cast<::mlir::NameLoc>(at)) return named.getChildLoc();
  if (auto const call = llvm::dyn_cast<::mlir::CallSiteLoc>(at)) return call.getCallee();
  if (auto const fused = llvm::dyn_cast<::mlir::FusedLoc>(at); fused && !fused.getLocations().empty())
    return fused.getLocations().front();
  return {};
}
}  // namespace detail

/// The members of ir_traits about locations.
struct mlir_locations {
  using location = ::mlir::LocationAttr;

  static location location_of(::mlir::ModuleOp, mlir_op o) { return o->getLoc(); }
  static location location_of_value(::mlir::ModuleOp, ::mlir::Value v) { return v.getLoc(); }
  /// `host` leads back to the location, for diagnostics.
  static source_location source_of(::mlir::ModuleOp, location at) {
    source_location found;
    found.host = reinterpret_cast<std::uintptr_t>(at ? at.getAsOpaquePointer() : nullptr);  // NOLINT
    for (; at; at = detail::inner_place(at))
      if (auto const file = llvm::dyn_cast<::mlir::FileLineColLoc>(at)) {
        found.file = file.getFilename().str();
        found.line = file.getLine();
        found.column = file.getColumn();
        break;
      }
    return found;
  }
  static std::string location_text(::mlir::ModuleOp, location at) {
    for (; at; at = detail::inner_place(at))
      if (auto const named = llvm::dyn_cast<::mlir::NameLoc>(at)) return '"' + named.getName().str() + '"';
    return {};
  }
  static std::vector<location_frame> location_stack(::mlir::ModuleOp p, location where) {
    constexpr std::size_t most = 32, longest = 256;
    std::vector<location_frame> frames;
    std::vector<std::pair<location, std::string>> open{{where, {}}};
    while (!open.empty() && frames.size() < most) {
      auto [at, called] = std::move(open.back());
      open.pop_back();
      if (!at) continue;
      if (auto const named = llvm::dyn_cast<::mlir::NameLoc>(at)) {
        if (called.empty())
          called = named.getName().str();
        else if (called.size() < longest)
          called.append("/").append(named.getName().str());
        open.emplace_back(named.getChildLoc(), std::move(called));
      } else if (auto const call = llvm::dyn_cast<::mlir::CallSiteLoc>(at)) {
        open.emplace_back(call.getCaller(), std::string{});
        open.emplace_back(call.getCallee(), std::move(called));
      } else if (auto const part = detail::inner_place(at)) {
        open.emplace_back(part, std::move(called));
      } else if (llvm::isa<::mlir::FileLineColLoc>(at) || !called.empty()) {
        frames.push_back({source_of(p, at), std::move(called)});
      }
    }
    if (frames.empty()) frames.push_back({source_of(p, where), {}});
    return frames;
  }
  static location named_location(::mlir::ModuleOp p, std::string_view key, location around) {
    auto const name = ::mlir::StringAttr::get(p.getContext(), string_ref(key));
    while (around && !llvm::isa<::mlir::FileLineColLoc>(around)) around = detail::inner_place(around);
    return around ? ::mlir::NameLoc::get(name, around) : ::mlir::NameLoc::get(name);
  }
  static location merged_location(::mlir::ModuleOp p, location a, location b) {
    constexpr std::size_t enough = 16;  // an op merged from thousands would else carry thousands
    llvm::SmallVector<::mlir::Location> parts;
    auto add = [&](location part) {
      if (parts.size() < enough && !llvm::is_contained(parts, ::mlir::Location(part))) parts.push_back(part);
    };
    for (location const& l : {a, b}) {
      auto const fused = llvm::dyn_cast_if_present<::mlir::FusedLoc>(l);
      if (fused && !fused.getMetadata())
        for (::mlir::Location const part : fused.getLocations()) add(part);
      else if (l && !llvm::isa<::mlir::UnknownLoc>(l))
        add(l);
    }
    if (parts.empty()) return ::mlir::UnknownLoc::get(p.getContext());
    return ::mlir::FusedLoc::get(p.getContext(), parts);
  }
  static std::string op_text(::mlir::ModuleOp, mlir_op o) {
    std::string text = '"' + std::string(adapters::name_of(o)) + "\" : (";
    for (unsigned i = 0; i < o->getNumOperands(); ++i)
      text.append(i ? ", " : "").append(printed(o->getOperand(i).getType()));
    text += ") -> (";
    for (unsigned i = 0; i < o->getNumResults(); ++i)
      text.append(i ? ", " : "").append(printed(o->getResult(i).getType()));
    return text + ')';
  }
  static std::string type_text(::mlir::ModuleOp, ::mlir::Type t) { return printed(t); }
};

/// Reports go to the diagnostic engine of the context, at MLIR's own locations where a pass took them from ops, with
/// their notes. A report about no op is one about the module.
inline diagnostics mlir_diagnostics(::mlir::ModuleOp about) {
  return diagnostics([about](diagnostic const& d) {
    ::mlir::ModuleOp module = about;
    auto place = [&module](source_location const& where) -> ::mlir::Location {
      if (where.host != 0)
        return ::mlir::Location::getFromOpaquePointer(reinterpret_cast<void const*>(where.host));  // NOLINT
      if (where.line != 0)
        return ::mlir::FileLineColLoc::get(module.getContext(), where.file, where.line, where.column);
      return module.getLoc();
    };
    auto const level = [&] {
      switch (d.level) {
        case severity::error: return ::mlir::DiagnosticSeverity::Error;
        case severity::warning: return ::mlir::DiagnosticSeverity::Warning;
        case severity::remark: return ::mlir::DiagnosticSeverity::Remark;
        case severity::note: break;
      }
      return ::mlir::DiagnosticSeverity::Note;
    }();
    ::mlir::InFlightDiagnostic said = module.getContext()->getDiagEngine().emit(place(d.where), level);
    said << d.message;
    for (auto const& n : d.notes) said.attachNote(place(n.where)) << n.message;
  });
}

}  // namespace mpmd::adapters
