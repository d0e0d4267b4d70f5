#include "command_line.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "passes.hpp"

namespace tool {
namespace {

// A flag that takes no value; or one behind `=` if it likes, in brackets; or one behind `=` or as the next argument.
struct flag {
  std::string_view name;
  std::string_view value;  // what help calls it; empty: none but the words for true and false
  std::string_view help;
  void (*set)(command_line&, std::string);

  bool needs_value() const { return !value.empty() && !value.starts_with('['); }
};

// As mlir-opt reads them.
std::optional<bool> truth(std::string_view word) {
  for (auto const yes : {"true", "TRUE", "True", "1"})
    if (word == yes) return true;
  for (auto const no : {"false", "FALSE", "False", "0"})
    if (word == no) return false;
  return std::nullopt;
}

constexpr flag flags[] = {
    {"help", "", "Show this text", [](command_line& c, std::string) { c.help = true; }},
    {"o", "FILE", "Write to FILE instead of standard output",
     [](command_line& c, std::string v) { c.output = std::move(v); }},
    {"x", "LANGUAGE", "Take the input as 'mlir' or 'py'; otherwise the end of the file's name decides",
     [](command_line& c, std::string v) {
       c.language = language_called(v);
       if (!c.language) c.complaint = "-x takes 'mlir' or 'py', not '" + v + "'";
     }},
    {"why", "VALUE", "Explain the meshes of a value, %name or @function:%name, or the devices of a window buffer",
     [](command_line& c, std::string v) { c.why.push_back(std::move(v)); }},
    {"summary", "[table|json]",
     "Sum up what stands where, what is transferred and what that costs, or the domains of a host program, and print no "
     "program; -summary=json for other programs to read",
     [](command_line& c, std::string v) {
       c.show = v == "json" ? shown::json : shown::table;
       if (!v.empty() && v != "json" && v != "table") c.complaint = "-summary takes 'table' or 'json', not '" + v + "'";
     }},
    {"emit", "FORM", "Print the program (mlir), or draw its placement for Graphviz (dot)",
     [](command_line& c, std::string v) {
       c.show = v == "dot" ? shown::dot : shown::program;
       if (v != "dot" && v != "mlir") c.complaint = "-emit takes 'mlir' or 'dot', not '" + v + "'";
     }},
    {"split-input-file", "", "Cut the input at '// -----' lines and process each part on its own",
     [](command_line& c, std::string) { c.split_input = true; }},
    {"verify-diagnostics", "", "Check that what is reported is what 'expected-error' comments say",
     [](command_line& c, std::string) { c.verify_diagnostics = true; }},
    {"verify-roundtrip", "", "Check that the input, printed and read again, is the same program",
     [](command_line& c, std::string) { c.verify_round_trip = true; }},
    {"verify-each", "BOOL", "Verify the program behind each pass (default: true)",
     [](command_line& c, std::string v) {
       if (!truth(v)) c.complaint = "-verify-each takes 'true' or 'false', not '" + v + "'";
       c.verify_each = truth(v).value_or(true);
     }},
    {"verify-by-simulation", "", "Check by simulation that the program does the same behind each pass",
     [](command_line& c, std::string) { c.verify_by_simulation = true; }},
    {"simulation-seed", "N", "Choose the inputs of simulations (default: 1)",
     [](command_line& c, std::string v) {
       auto const [end, error] = std::from_chars(v.data(), v.data() + v.size(), c.simulation_seed);
       if (error != std::errc{} || end != v.data() + v.size())
         c.complaint = "the seed must be a number of 64 bits, not '" + v + "'";
     }},
    {"simulate-ranks", "N", "Run a host program over N ranks, say what each did, and print no program",
     [](command_line& c, std::string v) {
       auto const [end, error] = std::from_chars(v.data(), v.data() + v.size(), c.simulate_ranks);
       if (error != std::errc{} || end != v.data() + v.size() || c.simulate_ranks == 0 || c.simulate_ranks > 65536)
         c.complaint = "-simulate-ranks takes a number from 1 to 65536, not '" + v + "'";
     }},
    {"print-ir-after-all", "", "Print the program behind each pass to standard error",
     [](command_line& c, std::string) { c.watch.print_after_all = true; }},
    {"print-ir-after-change", "", "Print the program behind each pass that changed it to standard error",
     [](command_line& c, std::string) { c.watch.print_after_change = true; }},
    {"mlir-timing", "", "Show the time of each pass",
     [](command_line& c, std::string) { c.watch.timing = true; }},
    {"pass-statistics", "", "Show how much each pass changed",
     [](command_line& c, std::string) { c.watch.statistics = true; }},
    {"mlir-print-op-generic", "", "Print every op in generic form",
     [](command_line& c, std::string) { c.generic = true; }},
    {"mlir-print-debuginfo", "", "Print locations", [](command_line& c, std::string) { c.debug_info = true; }},
    {"mlir-diagnostic-verbosity-level", "LEVEL", "Report errors only (errors) or everything (default)",
     [](command_line& c, std::string v) {
       c.errors_only = v == "errors";
       constexpr std::string_view levels[] = {"errors", "warnings", "remarks", "default"};
       if (std::find(std::begin(levels), std::end(levels), v) == std::end(levels))
         c.complaint = "-mlir-diagnostic-verbosity-level takes 'errors' or 'default', not '" + v + "'";
     }},
    {"allow-unregistered-dialect", "", "Accepted; ops of any dialect are always allowed",
     [](command_line&, std::string) {}},
};

std::string value_in_help(flag const& f) {
  if (f.value.empty()) return {};
  if (f.needs_value()) return "=" + std::string(f.value);
  return "[=" + std::string(f.value.substr(1));
}
std::string joined(std::string_view a, std::string_view b) { return std::string(a).append(b); }

}  // namespace

std::optional<command_line> parse_command_line(std::vector<std::string> const& arguments, mpmd::diagnostics& diags) {
  command_line asked;
  bool input_seen = false, good = true;
  auto fail = [&](std::string message) {
    diags.error({}, "command-line", std::move(message));
    good = false;
  };
  mpmd::diagnostics of_options([&](mpmd::diagnostic const& d) { asked.option_errors.push_back(d); });
  auto const known_passes = passes();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    std::string_view const argument = arguments[i];
    if (argument == "-" || !argument.starts_with('-')) {
      if (input_seen) fail("more than one input file: '" + asked.input + "' and '" + std::string(argument) + "'");
      asked.input = argument;
      input_seen = true;
      continue;
    }
    std::string_view name = argument.substr(argument.starts_with("--") ? 2 : 1);
    if (name.empty()) continue;
    std::optional<std::string_view> value;
    if (auto const equals = name.find('='); equals != std::string_view::npos) {
      value = name.substr(equals + 1);
      name = name.substr(0, equals);
    }
    if (name == "h") name = "help";
    // As mlir-opt calls them.
    if (name == "mlir-print-ir-after-all") name = "print-ir-after-all";
    if (name == "mlir-print-ir-after-change") name = "print-ir-after-change";
    if (name == "mlir-pass-statistics") name = "pass-statistics";
    if (auto const f = std::find_if(std::begin(flags), std::end(flags), [&](flag const& k) { return k.name == name; });
        f != std::end(flags)) {
      if (f->value.empty() && value) {
        auto const set = truth(*value);
        if (!set) fail(joined("-", name) + " takes 'true' or 'false' if anything, not '" + std::string(*value) + "'");
        if (!set.value_or(false)) continue;
        value.reset();
      }
      if (f->needs_value() && !value) {
        if (i + 1 == arguments.size()) {
          fail(joined("a value is missing behind -", name));
          continue;
        }
        value = arguments[++i];
      }
      f->set(asked, std::string(value.value_or("")));
      if (!asked.complaint.empty()) fail(std::exchange(asked.complaint, {}));
      continue;
    }
    auto const p = std::find_if(known_passes.begin(), known_passes.end(), [&](auto const& k) { return k.name == name; });
    if (p == known_passes.end()) {
      fail(joined("no such option or pass: ", argument) + " (--help lists them)");
      continue;
    }
    if (auto made = p->make(value.value_or(""), of_options))
      asked.passes.insert(asked.passes.end(), made->begin(), made->end());
  }
  if (good && (asked.option_errors.empty() || asked.verify_diagnostics)) return asked;
  for (auto const& d : asked.option_errors) diags.emit(d);
  return std::nullopt;
}

void print_help(std::ostream& out) {
  out << "usage: mpmd-opt [options and passes] [file or -]\n\n"
         "Reads a program in MLIR syntax or, from files that end in .py, in Python syntax, runs the passes in the\n"
         "order given and prints the program in the language it was read in.\n"
         "Options of a pass stand behind it: -pass='name=value other=value'.\n\noptions:\n";
  auto line = [&out](std::string const& left, std::string_view right) {
    constexpr std::size_t column = 40;
    out << "  " << left;
    if (left.size() + 3 > column)
      out << "\n  " << std::string(column, ' ');
    else
      out << std::string(column - left.size(), ' ');
    out << right << '\n';
  };
  for (auto const& f : flags)
    line("-" + std::string(f.name) + value_in_help(f), f.help);
  out << "\npasses:\n";
  for (auto const& p : passes()) {
    line("-" + std::string(p.name), p.summary);
    for (auto const& o : p.options)
      line("  " + std::string(o.name) + "=<" + std::string(o.type) + ">",
           std::string(o.help) + " (default: " + (o.fallback.empty() ? "none" : o.fallback) + ")");
  }
}

}  // namespace tool
