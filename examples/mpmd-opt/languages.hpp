#pragma once
// The languages in which programs are read and printed.

#include <cstddef>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/text/mlir/print_options.hpp>
#include <mpmd/text/mlir/written_names.hpp>

namespace tool {

enum class language { mlir, python };

std::optional<language> language_called(std::string_view name);
// By the end of the file's name; MLIR where it says nothing.
language language_of_file(std::string_view path);

// The line of the same form that cuts an input into parts: `// -----`, `# -----`.
std::string_view part_mark(language l);
// The parts of an input: [begin, end) each.
std::vector<std::pair<std::size_t, std::size_t>> parts_of(std::string_view text, language l, bool split);

// What the text calls the values is only known in MLIR.
std::optional<mpmd::ir::program> read(language l, std::shared_ptr<mpmd::ir::context> const& context,
                                      mpmd::source_manager::buffer_id buffer,
                                      std::pair<std::size_t, std::size_t> part, mpmd::diagnostics& diags,
                                      mpmd::text::mlir::written_names* names);
void print(language l, std::ostream& out, mpmd::ir::program const& p, mpmd::text::mlir::print_options options);

// Prints, reads and compares, in every form of the language; reports what differs.
bool round_trips(language l, mpmd::ir::program const& p, mpmd::diagnostics& diags);

}  // namespace tool
