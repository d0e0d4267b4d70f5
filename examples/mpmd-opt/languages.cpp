#include "languages.hpp"

#include <mpmd/ir/equality.hpp>
#include <mpmd/text/mlir.hpp>
#include <mpmd/text/python.hpp>

namespace tool {
namespace {

using mpmd::ir::program;

bool same(program const& p, std::optional<program> const& again, std::string_view form, mpmd::diagnostics& diags) {
  if (!again) return false;
  if (mpmd::ir::structural_equal(p, *again) && mpmd::ir::structural_hash(p) == mpmd::ir::structural_hash(*again))
    return true;
  auto const difference = mpmd::ir::first_difference(p, *again);
  auto const where = difference ? p.context().sources.resolve(p.where(difference->first).text) : mpmd::source_location{};
  diags.error(where, "roundtrip",
              "the program changed when it was printed" + std::string(form) + " and read again: " +
                  (difference ? difference->what : std::string("its hash")));
  return false;
}

bool mlir_round_trips(program const& p, bool generic, std::string_view form, mpmd::diagnostics& diags) {
  std::string printed = mpmd::text::to_mlir(p, {.generic = generic, .debug_info = false});
  return same(p, mpmd::text::read_mlir(p.shared_context(), "<printed>", std::move(printed), diags), form, diags);
}

bool python_round_trips(program const& p, mpmd::diagnostics& diags) {
  std::string const printed = mpmd::text::to_python(p);
  auto const again = mpmd::text::read_python(p.shared_context(), "<printed>", printed, diags);
  if (!same(p, again, "", diags)) return false;
  if (mpmd::text::to_python(*again) == printed) return true;
  diags.error({}, "roundtrip", "the program that was printed and read again prints as another text");
  return false;
}

}  // namespace

std::optional<language> language_called(std::string_view name) {
  if (name == "mlir") return language::mlir;
  if (name == "py" || name == "python") return language::python;
  return std::nullopt;
}

language language_of_file(std::string_view path) { return path.ends_with(".py") ? language::python : language::mlir; }

std::string_view part_mark(language l) { return l == language::mlir ? "// -----" : "# -----"; }

std::vector<std::pair<std::size_t, std::size_t>> parts_of(std::string_view text, language l, bool split) {
  std::vector<std::pair<std::size_t, std::size_t>> parts;
  std::size_t begin = 0, line = 0;
  std::string_view const mark = part_mark(l);
  while (split && line < text.size()) {
    std::size_t stop = text.find('\n', line);
    if (stop == std::string_view::npos) stop = text.size();
    std::string_view const whole = text.substr(line, stop - line);
    if (whole.starts_with(mark) && whole.substr(mark.size()).find_first_not_of("- \t\r") == std::string_view::npos) {
      parts.emplace_back(begin, line);
      begin = stop == text.size() ? stop : stop + 1;
    }
    line = stop + 1;
  }
  parts.emplace_back(begin, text.size());
  return parts;
}

std::optional<program> read(language l, std::shared_ptr<mpmd::ir::context> const& context,
                            mpmd::source_manager::buffer_id buffer, std::pair<std::size_t, std::size_t> part,
                            mpmd::diagnostics& diags, mpmd::text::mlir::written_names* names) {
  if (l == language::mlir)
    return mpmd::text::read_mlir(context, buffer, diags, part.first, part.second, names);
  return mpmd::text::read_python(context, buffer, diags, part.first, part.second);
}

void print(language l, std::ostream& out, program const& p, mpmd::text::mlir::print_options options) {
  if (l == language::mlir || options.generic)
    mpmd::text::print_mlir(out, p, options);
  else
    mpmd::text::print_python(out, p);
}

bool round_trips(language l, program const& p, mpmd::diagnostics& diags) {
  if (l == language::mlir) return mlir_round_trips(p, false, "", diags) && mlir_round_trips(p, true, "", diags);
  return python_round_trips(p, diags) && mlir_round_trips(p, true, " in MLIR's syntax", diags);
}

}  // namespace tool
