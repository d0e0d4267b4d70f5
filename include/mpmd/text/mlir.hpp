#pragma once
/// MLIR's textual syntax: programs read from it and printed in it.
///
/// Separate compilation. The reader and the printer are much code. A project that includes this header in many files
/// can define MPMD_SEPARATE_TEXT for all of them, which leaves declarations here, and compile the definitions once, in
/// a file that includes <mpmd/text/mlir/definitions.hpp>.

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir/print_options.hpp>
#include <mpmd/text/mlir/written_names.hpp>
#include <mpmd/text/separate.hpp>

namespace mpmd::text {

using mlir::print_options;

/// So many errors of one text are reported; then the rest is not read.
inline constexpr std::size_t error_limit = 1000;

/// Reads [begin, end) of a buffer of the context as a program of its own; positions are those of the whole buffer.
/// A module that stands alone at the top level is the root of the program; other ops are put into an implicit one.
///
/// All errors are reported, in the order of the text, with id "parse"; then there is no program. Whether what was read
/// makes sense is for the verifier. Linear in the text. `names`, if any, gains what the text calls the values.
MPMD_TEXT_DECL std::optional<ir::program> read_mlir(std::shared_ptr<ir::context> context,
                                                    source_manager::buffer_id buffer, diagnostics& to,
                                                    std::size_t begin = 0, std::size_t end = std::string_view::npos,
                                                    mlir::written_names* names = nullptr);

/// The same of a text that is not a file; it becomes a buffer of the context under the given name.
MPMD_TEXT_DECL std::optional<ir::program> read_mlir(std::shared_ptr<ir::context> context, std::string name,
                                                    std::string text, diagnostics& to);

/// Prints a program, with a line break at the end. Linear in the program and the text, which is put together in memory.
MPMD_TEXT_DECL void print_mlir(std::ostream& out, ir::program const& program, print_options options = {});

/// Prints one op with its regions, under the names that it has in the whole program, or in the outermost op around it
/// if it stands in none. No line break at the end. O(program): who prints many ops keeps a mlir::program_printer.
MPMD_TEXT_DECL void print_mlir(std::ostream& out, ir::program const& program, ir::op o, print_options options = {});

MPMD_TEXT_DECL std::string to_mlir(ir::program const& program, print_options options = {});

/// A type or an attribute as it stands in a program's text.
MPMD_TEXT_DECL std::string to_mlir(ir::context const& in, ir::type of);
MPMD_TEXT_DECL std::string to_mlir(ir::context const& in, ir::attribute of);

}  // namespace mpmd::text

#ifndef MPMD_SEPARATE_TEXT
#include <mpmd/text/mlir/definitions.hpp>
#endif
