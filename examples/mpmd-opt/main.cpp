// mpmd-opt reads a program, runs passes over it and prints it: `mpmd-opt --help`.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/verify.hpp>
#include <mpmd/text/read_file.hpp>

#include "command_line.hpp"
#include "expected_diagnostics.hpp"
#include "explain.hpp"
#include "explain_windows.hpp"
#include "languages.hpp"
#include "pass_watch.hpp"
#include "simulation.hpp"
#include "summary.hpp"
#include "windows_json.hpp"

namespace tool {
namespace {

// One part of the input, from text to text.
bool process(command_line const& asked, language in, std::shared_ptr<mpmd::ir::context> const& context,
             mpmd::source_manager::buffer_id buffer, std::pair<std::size_t, std::size_t> part, mpmd::diagnostics& diags,
             pass_watch& watch, std::ostream& out) {
  mpmd::text::mlir::written_names names;
  auto p = read(in, context, buffer, part, diags, asked.why.empty() ? nullptr : &names);
  if (!p || !mpmd::ir::verify(*p, diags)) return false;
  if (asked.verify_round_trip && !round_trips(in, *p, diags)) return false;
  bool const host = is_host_program(*p);
  placement_shower shower(asked.show);
  if (!host) shower.before_all(*p);
  explainer explain(names, asked.passes);
  bool all = true;
  if (!host)
    for (auto const& value : asked.why) all &= explain.ask(*p, value, diags);
  simulation_check simulation(asked.simulation_seed, asked.simulate_ranks, diags);
  if (asked.verify_by_simulation && !simulation.before_all(*p)) return false;
  watch.before_all(*p);
  std::size_t passes_done = 0;
  explain.before_pass(passes_done, *p);
  bool const good = mpmd::run(asked.passes, *p, diags, [&](mpmd::pass<program> const& ran) {
    watch.behind(ran.name, *p);
    shower.behind(ran.name, *p);
    explain.before_pass(++passes_done, *p);
    bool valid = !asked.verify_each || mpmd::ir::verify(*p, diags);
    if (!valid) diags.error({}, "verify-each", "the program is not valid behind pass '" + ran.name + "'");
    valid = valid && (!asked.verify_by_simulation || simulation.behind(ran.name, *p));
    watch.next();
    return valid;
  });
  if (!good) return false;
  if (asked.verify_round_trip && !asked.passes.empty() && !round_trips(in, *p, diags)) return false;
  if (asked.simulate_ranks != 0) return simulate_ranks(*p, asked.simulate_ranks, asked.simulation_seed, diags, out);
  if (asked.show != shown::program && host) {
    if (asked.show == shown::dot) {
      diags.error({}, "emit", "a host program has no placement to show as a drawing");
      return false;
    }
    make_signals(*p);
    if (asked.show == shown::table) return summarize_windows(*p, diags, out);
    print_windows_as_json(*p, out);
    return true;
  }
  if (asked.show != shown::program) {
    shower.print(*p, out);
    return all;
  }
  if (asked.why.empty()) {
    print(in, out, *p, {.generic = asked.generic, .debug_info = asked.debug_info});
    return true;
  }
  if (!host) explain.print(*p, out);
  if (host)
    for (auto const& value : asked.why) all &= explain_window(*p, value, diags, out);
  return all;
}

bool written(std::string const& text, mpmd::diagnostics& complaints) {
  if (std::cout << text << std::flush) return true;
  complaints.error({}, "file", "the output cannot be written");
  return false;
}

int run(std::vector<std::string> const& arguments) {
  mpmd::diagnostics complaints(std::cerr);
  auto const asked = parse_command_line(arguments, complaints);
  if (!asked) return 1;
  if (asked->help) {
    std::ostringstream help;
    print_help(help);
    return written(help.str(), complaints) ? 0 : 1;
  }
  auto contents = mpmd::text::file_contents(asked->input, complaints);
  if (!contents) return 1;
  std::string const shown = asked->input == "-" ? "<stdin>" : asked->input;
  std::string const text = *contents;

  expected_diagnostics expected;
  if (asked->verify_diagnostics) expected.read(text, 1, std::cerr);
  if (!asked->option_errors.empty()) {
    for (mpmd::diagnostic d : asked->option_errors) {
      d.where = {};  // not in the input
      expected.check(d, std::cerr);
    }
    return expected.finish(std::cerr) ? 0 : 1;
  }
  mpmd::diagnostics diags([&](mpmd::diagnostic const& d) {
    if (asked->errors_only && d.level != mpmd::severity::error) return;
    if (asked->verify_diagnostics)
      expected.check(d, std::cerr);
    else
      print(std::cerr, d);
  });

  std::ostringstream out;
  bool good = true, first = true;
  language const in = asked->language.value_or(language_of_file(asked->input));
  std::uint32_t line = 1;
  if (in == language::python) expected.let_warnings_pass();
  pass_watch watch(asked->watch, in, {.generic = asked->generic, .debug_info = asked->debug_info}, std::cerr);
  for (auto const& part : parts_of(text, in, asked->split_input)) {
    // A context a part: memory is bounded by the largest part, and no part depends on another.
    auto const context = std::make_shared<mpmd::ir::context>();
    std::string own = text.substr(part.first, part.second - part.first);
    std::pair<std::size_t, std::size_t> const whole{0, own.size()};
    auto const [buffer, fits] = context->sources.add(shown, std::move(own), line);
    if (!fits) {
      complaints.error({shown}, "file", "the input is larger than 4 GiB");
      return 1;
    }
    if (!std::exchange(first, false)) out << part_mark(in) << '\n';
    good &= process(*asked, in, context, buffer, whole, diags, watch, out);
    // The next part begins behind the line that ends this one.
    line += static_cast<std::uint32_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(part.first),
                                                  text.begin() + static_cast<std::ptrdiff_t>(part.second), '\n')) +
            1;
  }
  watch.report();
  if (asked->verify_diagnostics) good = expected.finish(std::cerr);
  if (asked->output == "-") {
    if (!written(out.str(), complaints)) return 1;
  } else if (good) {
    // A run that fails leaves the file as it was: it may be the input.
    std::ofstream file(asked->output, std::ios::binary);
    if (!(file << out.str() << std::flush)) {
      complaints.error({asked->output}, "file", "the file cannot be written");
      return 1;
    }
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace tool

int main(int argc, char** argv) { return tool::run({argv + 1, argv + argc}); }
