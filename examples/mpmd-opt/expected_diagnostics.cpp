#include "expected_diagnostics.hpp"

#include <regex.h>

#include <charconv>
#include <utility>

namespace tool {
namespace {

// `text` with its {{...}} parts taken as regular expressions and the rest literally.
std::string as_pattern(std::string_view text) {
  std::string pattern;
  while (!text.empty()) {
    auto const open = text.find("{{");
    for (char const c : text.substr(0, open)) {
      if (std::string_view("^$\\.*+?()[]{}|").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
    if (open == std::string_view::npos) break;
    text.remove_prefix(open + 2);
    auto const close = text.find("}}");
    pattern.append("(").append(text.substr(0, close)).append(")");
    text.remove_prefix(close == std::string_view::npos ? text.size() : close + 2);
  }
  return pattern;
}

// Whether a POSIX extended regular expression is well formed and, if `in` is given, occurs in it.
bool matches(std::string const& pattern, char const* in) {
  regex_t compiled;
  if (regcomp(&compiled, pattern.c_str(), REG_EXTENDED | REG_NOSUB) != 0) return false;
  bool const found = in == nullptr || regexec(&compiled, in, 0, nullptr, 0) == 0;
  regfree(&compiled);
  return found;
}

bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

void expected_diagnostics::read(std::string_view text, std::uint32_t first_line, std::ostream& complaints) {
  std::uint32_t line = first_line;
  std::uint32_t code_line = first_line;  // the last line that was not a designator's own, for @above
  for (; !text.empty(); ++line) {
    auto const stop = text.find('\n');
    std::string_view rest = text.substr(0, stop);
    text.remove_prefix(stop == std::string_view::npos ? text.size() : stop + 1);
    if (rest.find("expected-") == std::string_view::npos) {
      // `@below` of all expectations since the last other line means this one.
      for (auto& e : expected_)
        if (std::exchange(e.below, false)) e.line = line;
      code_line = line;
      continue;
    }
    for (auto at = rest.find("expected-"); at != std::string_view::npos; at = rest.find("expected-")) {
      rest.remove_prefix(at + std::string_view("expected-").size());
      expectation e{mpmd::severity::error, line, line, {}, false};
      if (take(rest, "error"))
        e.level = mpmd::severity::error;
      else if (take(rest, "warning"))
        e.level = mpmd::severity::warning;
      else if (take(rest, "remark"))
        e.level = mpmd::severity::remark;
      else if (take(rest, "note"))
        e.level = mpmd::severity::note;
      else
        continue;
      e.is_pattern = take(rest, "-re");
      while (take(rest, " ")) {
      }
      if (take(rest, "@")) {
        if (take(rest, "above")) {
          e.line = code_line;
        } else if (take(rest, "below")) {
          e.below = true;  // the next line without a designator
        } else if (take(rest, "unknown")) {
          e.line = 0;  // of no place
        } else {
          bool const back = !take(rest, "+") && take(rest, "-");
          std::uint32_t by = 0;
          auto const end = std::from_chars(rest.data(), rest.data() + rest.size(), by).ptr;
          rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
          e.line = back ? line - by : line + by;
        }
      }
      while (take(rest, " ")) {
      }
      if (!take(rest, "{{")) continue;
      // The text ends at the first }} that closes no inner {{.
      std::size_t close = 0, depth = 0;
      for (; close + 1 < rest.size(); ++close) {
        if (rest.substr(close, 2) == "{{") {
          ++depth;
          ++close;
        } else if (rest.substr(close, 2) == "}}") {
          if (depth == 0) break;
          --depth;
          ++close;
        }
      }
      if (close + 1 >= rest.size()) {
        complaints << "line " << line << ": error: the expected text is not closed with }}\n";
        good_ = false;
        break;
      }
      e.text = rest.substr(0, close);
      rest.remove_prefix(close + 2);
      if (e.is_pattern) {
        e.text = as_pattern(e.text);
        if (!matches(e.text, nullptr)) {
          complaints << "line " << line << ": error: the expected text is no regular expression\n";
          good_ = false;
        }
      }
      expected_.push_back(std::move(e));
    }
  }
}

bool expected_diagnostics::meets(mpmd::severity level, std::uint32_t line, std::string const& message) {
  // One expectation may cover several equal findings of a line, but an unmet one comes first.
  expectation* covered = nullptr;
  for (auto& e : expected_) {
    if (e.level != level || e.line != line) continue;
    bool const fits = e.is_pattern ? matches(e.text, message.c_str()) : message.find(e.text) != std::string::npos;
    if (!fits) continue;
    if (!e.met) {
      e.met = true;
      return true;
    }
    covered = &e;
  }
  return covered != nullptr;
}

void expected_diagnostics::check(mpmd::diagnostic const& d, std::ostream& complaints) {
  bool const passes = warnings_pass_ && d.level == mpmd::severity::warning;
  if (!meets(d.level, d.where.line, d.message) && !passes) {
    complaints << d.where.file << ':' << d.where.line << ": error: unexpected " << to_string(d.level) << ": "
               << d.message << '\n';
    good_ = false;
  }
  for (auto const& n : d.notes) meets(mpmd::severity::note, n.where.line, n.message);
}

bool expected_diagnostics::finish(std::ostream& complaints) {
  for (auto const& e : expected_)
    if (!e.met) {
      complaints << "line " << e.written_at << ": error: expected " << to_string(e.level) << " \"" << e.text
                 << "\" was not produced\n";
      good_ = false;
    }
  return good_;
}

}  // namespace tool
