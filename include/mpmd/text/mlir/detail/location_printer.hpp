#pragma once
/// Locations in MLIR's text.

#include <string>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/detail/printing.hpp>
#include <mpmd/text/mlir/detail/words.hpp>

namespace mpmd::text::mlir {

inline bool is_location(ir::context const& in, ir::attribute of) {
  return in.get_if<ir::unknown_loc>(of) || in.get_if<ir::file_loc>(of) || in.get_if<ir::name_loc>(of) ||
         in.get_if<ir::fused_loc>(of) || in.get_if<ir::callsite_loc>(of);
}

inline void print_location(std::string& out, ir::context const& in, ir::attribute of) {
  if (auto const* f = in.get_if<ir::file_loc>(of)) {
    print_string(out, f->file);
    out += ':' + std::to_string(f->line) + ':' + std::to_string(f->column);
    if (f->end_line == 0 && f->end_column == 0) return;
    out += " to ";
    if (f->end_line != f->line) out += std::to_string(f->end_line);
    out += ':' + std::to_string(f->end_column);
  } else if (auto const* n = in.get_if<ir::name_loc>(of)) {
    print_string(out, n->text);
    if (!n->child) return;
    out += '(';
    print_location(out, in, n->child);
    out += ')';
  } else if (auto const* fused = in.get_if<ir::fused_loc>(of)) {
    out += "fused";
    if (fused->metadata) {
      out += '<';
      print(out, in, fused->metadata, false);
      out += '>';
    }
    detail::print_list(out, "[", fused->parts, "]",
                       [&](ir::attribute part) { print_location(out, in, part); });
  } else if (auto const* c = in.get_if<ir::callsite_loc>(of)) {
    out += "callsite(";
    print_location(out, in, c->callee);
    out += " at ";
    print_location(out, in, c->caller);
    out += ')';
  } else {
    out += "unknown";
  }
}

}  // namespace mpmd::text::mlir

#include <mpmd/text/mlir/printer.hpp>
