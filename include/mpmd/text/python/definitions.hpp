#pragma once
/// The definitions of what text/python.hpp declares.

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

#include <mpmd/text/python.hpp>
#include <mpmd/text/python/program_printer.hpp>
#include <mpmd/text/python/program_reader.hpp>

namespace mpmd::text {

MPMD_TEXT_DECL std::optional<ir::program> read_python(std::shared_ptr<ir::context> context,
                                                      source_manager::buffer_id buffer, diagnostics& to,
                                                      std::size_t begin, std::size_t end) {
  std::vector<diagnostic> found;
  diagnostics collect([&found](diagnostic const& d) { found.push_back(d); });
  ir::program read(context);
  python::reporter reports(collect, context->sources, buffer);
  end = std::min(end, reports.text().size());
  python::program_reader(read, reports).read(std::min(begin, end), end);
  // Functions are not read in the order of the text.
  std::vector<std::size_t> order(found.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  auto key = [&found](std::size_t i) { return std::tuple(found[i].where.line, found[i].where.column, i); };
  std::sort(order.begin(), order.end(), [&key](std::size_t a, std::size_t b) { return key(a) < key(b); });
  for (std::size_t const i : order) to.emit(found[i]);
  if (reports.count() > python::reporter::limit)
    to.emit({severity::remark, "parse", {.file = std::string(context->sources.name(buffer))},
             "too many errors: not all of them are shown", {}});
  if (collect.errors() != 0) return std::nullopt;
  return read;
}

MPMD_TEXT_DECL std::optional<ir::program> read_python(std::shared_ptr<ir::context> context, std::string name,
                                                      std::string text, diagnostics& to) {
  auto const [buffer, fits] = context->sources.add(name, std::move(text));
  if (fits) return read_python(std::move(context), buffer, to);
  to.error({.file = std::move(name)}, "parse", "the text is too large: all texts of a context are limited to 4 GiB");
  return std::nullopt;
}

MPMD_TEXT_DECL void print_python(std::ostream& out, ir::program const& program) {
  out << python::program_printer(program).whole() << '\n';
}

MPMD_TEXT_DECL std::string to_python(ir::program const& program) {
  return python::program_printer(program).whole() + '\n';
}

}  // namespace mpmd::text
