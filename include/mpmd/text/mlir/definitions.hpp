#pragma once
/// The definitions of what text/mlir.hpp declares.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/text/mlir.hpp>
#include <mpmd/text/mlir/forms.hpp>
#include <mpmd/text/mlir/program_printer.hpp>
#include <mpmd/text/mlir/program_reader.hpp>

namespace mpmd::text {

MPMD_TEXT_DECL std::optional<ir::program> read_mlir(std::shared_ptr<ir::context> context,
                                                    source_manager::buffer_id buffer, diagnostics& to,
                                                    std::size_t begin, std::size_t end, mlir::written_names* names) {
  std::vector<diagnostic> found;
  diagnostics collect([&found](diagnostic const& d) { found.push_back(d); });
  ir::program read(context);
  {
    mlir::reader syntax(*context, collect, buffer, begin, end);
    mlir::program_reader(syntax, read, mlir::all_forms, names).read(error_limit);
  }
  // What is only known at the end of the text takes its place among the others.
  std::vector<std::size_t> order(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  auto key = [&found](std::size_t i) { return std::tuple(found[i].where.line, found[i].where.column, i); };
  std::sort(order.begin(), order.end(), [&key](std::size_t a, std::size_t b) { return key(a) < key(b); });
  if (order.size() > error_limit) order.resize(error_limit);
  for (std::size_t const i : order) to.emit(found[i]);
  if (found.size() >= error_limit)
    to.emit({severity::remark, "parse", {.file = std::string(context->sources.name(buffer))},
             "too many errors: not all of the text was read", {}});
  if (collect.errors() != 0) return std::nullopt;
  return read;
}

MPMD_TEXT_DECL std::optional<ir::program> read_mlir(std::shared_ptr<ir::context> context, std::string name,
                                                    std::string text, diagnostics& to) {
  auto const [buffer, fits] = context->sources.add(name, std::move(text));
  if (fits) return read_mlir(std::move(context), buffer, to);
  to.error({.file = std::move(name)}, "parse", "the text is too large: all texts of a context are limited to 4 GiB");
  return std::nullopt;
}

MPMD_TEXT_DECL void print_mlir(std::ostream& out, ir::program const& program, print_options options) {
  out << mlir::program_printer(program, program.root(), mlir::all_forms, options).whole();
}

MPMD_TEXT_DECL void print_mlir(std::ostream& out, ir::program const& program, ir::op o, print_options options) {
  ir::op top = o;
  while (ir::op const around = program.parent_op(top)) top = around;
  out << mlir::program_printer(program, top, mlir::all_forms, options).one(o);
}

MPMD_TEXT_DECL std::string to_mlir(ir::program const& program, print_options options) {
  return std::string(mlir::program_printer(program, program.root(), mlir::all_forms, options).whole());
}

MPMD_TEXT_DECL std::string to_mlir(ir::context const& in, ir::type of) { return mlir::to_string(in, of); }
MPMD_TEXT_DECL std::string to_mlir(ir::context const& in, ir::attribute of) { return mlir::to_string(in, of); }

}  // namespace mpmd::text
