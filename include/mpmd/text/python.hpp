#pragma once
/// The Python syntax of host programs: programs read from it and printed in it.
///
/// One reader takes both what users write and what the printer prints, which uses the names below `pl._dump` for what the
/// language itself cannot say. For separate compilation see <mpmd/text/mlir.hpp>; the file to compile once includes
/// <mpmd/text/python/definitions.hpp>.

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/separate.hpp>

namespace mpmd::text {

/// Reads [begin, end) of a buffer of the context as a program of its own; positions are those of the whole buffer.
///
/// All errors are reported, in the order of the text, with id "parse", and a note that says what to write instead where
/// there is such a thing; then there is no program. Near-linear in the text; nesting costs no stack.
MPMD_TEXT_DECL std::optional<ir::program> read_python(std::shared_ptr<ir::context> context,
                                                      source_manager::buffer_id buffer, diagnostics& to,
                                                      std::size_t begin = 0,
                                                      std::size_t end = std::string_view::npos);

/// The same of a text that is not a file; it becomes a buffer of the context under the given name.
MPMD_TEXT_DECL std::optional<ir::program> read_python(std::shared_ptr<ir::context> context, std::string name,
                                                      std::string text, diagnostics& to);

/// Prints a valid host program, with a line break at the end. Reading it again gives an equal program, and printing that
/// one gives the same text. Near-linear in the program and the text, which is put together in memory.
MPMD_TEXT_DECL void print_python(std::ostream& out, ir::program const& program);

MPMD_TEXT_DECL std::string to_python(ir::program const& program);

}  // namespace mpmd::text

#ifndef MPMD_SEPARATE_TEXT
#include <mpmd/text/python/definitions.hpp>
#endif
