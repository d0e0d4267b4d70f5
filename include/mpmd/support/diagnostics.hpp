#pragma once
/// What readers, verifiers, analyses and passes say about a program: they report here and never print or throw.

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/support/source.hpp>

namespace mpmd {

enum class severity { error, warning, remark, note };

constexpr std::string_view to_string(severity s) {
  switch (s) {
    case severity::error: return "error";
    case severity::warning: return "warning";
    case severity::remark: return "remark";
    case severity::note: return "note";
  }
  return "error";
}

/// One finding. `id` is stable across releases and wording ("parse", "verify.call-counter", ...); notes say why.
struct diagnostic {
  struct note {
    source_location where;
    std::string message;
  };
  severity level = severity::error;
  std::string id;
  source_location where;
  std::string message;
  std::vector<note> notes = {};
};

/// Prints `file:line:col: error: message`, then the line and a caret, then each note the same way. A stream is a
/// template parameter, so that only those who print include <ostream>.
template <class Stream>
void print(Stream& out, diagnostic const& d) {
  auto one = [&out](source_location const& at, std::string_view level, std::string_view text) {
    if (at.line != 0)
      out << at.file << ':' << at.line << ':' << at.column << ": ";
    else if (!at.file.empty())
      out << at.file << ": ";
    out << level << ": " << text << '\n';
    if (at.line == 0 || at.line_text.empty()) return;
    // A long line is cut to a window around the caret, so that one bad byte in a 100 MB line stays readable.
    constexpr std::size_t window = 160;
    std::string_view const line = at.line_text;
    // A character of several bytes is one column on the screen, and is not cut.
    auto const continues = [&line](std::size_t i) { return i < line.size() && (static_cast<unsigned char>(line[i]) & 0xC0) == 0x80; };
    std::size_t const caret = at.column > at.text_column ? at.column - at.text_column : 0;
    std::size_t from = std::min(caret > window / 2 ? caret - window / 2 : 0, line.size());
    while (from < caret && continues(from)) ++from;
    std::size_t to = std::min(from + window, line.size());
    while (to > from && continues(to)) --to;
    out << line.substr(from, to - from) << '\n';
    for (std::size_t i = from; i < caret; ++i)
      if (!continues(i)) out << (i < line.size() && line[i] == '\t' ? '\t' : ' ');
    out << "^\n";
  };
  one(d.where, to_string(d.level), d.message);
  for (auto const& n : d.notes) one(n.where, "note", n.message);
}

/// Receives diagnostics, counts them, and hands each to its sink as soon as it is complete.
class diagnostics {
 public:
  using sink = std::function<void(diagnostic const&)>;

  /// Swallows everything; counts all the same.
  diagnostics() = default;
  /// Prints to a std::ostream, or to what takes texts, characters and numbers like one.
  template <class Stream>
    requires requires(Stream& out, std::string_view text) { out << text << '\n'; }
  explicit diagnostics(Stream& out) : sink_([&out](diagnostic const& d) { print(out, d); }) {}
  explicit diagnostics(sink to) : sink_(std::move(to)) {}

  void emit(diagnostic const& d) {
    if (d.level == severity::error) ++errors_;
    if (d.level == severity::warning) ++warnings_;
    if (sink_) sink_(d);
  }
  void error(source_location where, std::string_view id, std::string message) {
    emit({severity::error, std::string(id), std::move(where), std::move(message), {}});
  }
  void warning(source_location where, std::string_view id, std::string message) {
    emit({severity::warning, std::string(id), std::move(where), std::move(message), {}});
  }

  std::size_t errors() const { return errors_; }
  std::size_t warnings() const { return warnings_; }

 private:
  sink sink_;
  std::size_t errors_ = 0;
  std::size_t warnings_ = 0;
};

}  // namespace mpmd
