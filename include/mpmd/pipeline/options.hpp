#pragma once
/// Options of passes: a list of fields that a pass declares once, and MLIR's syntax for their values,
/// `name=value other={a b} flag`.

#include <charconv>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>

namespace mpmd {

/// `name=value` as written, and where in the text it stands.
struct option_text {
  std::string_view name;
  std::optional<std::string_view> value;  ///< nullopt for a bare name
  std::size_t at = 0;
  std::size_t value_at = 0;
};

/// Cuts `a=1 b={x y} c="p q" d` into its options. White space separates, except inside (), [], {}, <> and quotes, where
/// a backslash keeps a quote from ending; one pair of braces or quotes around a whole value is taken off. nullopt when a
/// bracket or quote is not closed.
inline std::optional<std::vector<option_text>> split_options(std::string_view text) {
  std::vector<option_text> found;
  auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  for (std::size_t i = 0; i < text.size();) {
    if (blank(text[i])) {
      ++i;
      continue;
    }
    option_text o{{}, std::nullopt, i, i};
    while (i < text.size() && !blank(text[i]) && text[i] != '=') ++i;
    o.name = text.substr(o.at, i - o.at);
    if (i < text.size() && text[i] == '=') {
      o.value_at = ++i;
      std::string open;
      char quote = 0;
      std::size_t first_closed = 0;  // where the bracket or quote with which the value begins is closed
      for (; i < text.size(); ++i) {
        char const c = text[i];
        bool const was_open = quote != 0 || !open.empty();
        if (quote != 0) {
          if (c == '\\' && i + 1 < text.size())
            ++i;
          else if (c == quote)
            quote = 0;
        } else if (c == '"' || c == '\'') {
          quote = c;
        } else if (c == '(' || c == '[' || c == '{' || c == '<') {
          open += c == '(' ? ')' : c == '[' ? ']' : c == '{' ? '}' : '>';
        } else if (!open.empty() && c == open.back()) {
          open.pop_back();
        } else if (open.empty() && blank(c)) {
          break;
        }
        if (was_open && first_closed == 0 && quote == 0 && open.empty()) first_closed = i;
      }
      if (quote != 0 || !open.empty()) return std::nullopt;
      std::string_view value = text.substr(o.value_at, i - o.value_at);
      bool const wrapped = value.size() >= 2 && first_closed + 1 == i &&
                           (value.front() == '{' || value.front() == '"' || value.front() == '\'');
      if (wrapped) {
        value = value.substr(1, value.size() - 2);
        ++o.value_at;
      }
      o.value = value;
    }
    found.push_back(o);
  }
  return found;
}

/// What is wrong with the text of a value, and where in it; no message: nothing.
struct option_error {
  std::string message = {};
  std::size_t at = 0;
};

/// How a value is written and read. Specialise for the types of one's own options:
/// `static std::string_view type()` for help, `static std::string print(T const&)`, and
/// `static option_error parse(std::string_view, T&)`.
template <class T>
struct option_value;

template <>
struct option_value<bool> {
  static std::string_view type() { return "bool"; }
  static std::string print(bool b) { return b ? "true" : "false"; }
  static option_error parse(std::string_view text, bool& to) {
    to = text.empty() || text == "true" || text == "True" || text == "TRUE" || text == "1";
    if (to || text == "false" || text == "False" || text == "FALSE" || text == "0") return {};
    return {"'" + std::string(text) + "' is neither true nor false"};
  }
};

template <std::integral T>
struct option_value<T> {
  static std::string_view type() { return "int"; }
  static std::string print(T n) { return std::to_string(n); }
  static option_error parse(std::string_view text, T& to) {
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    if (error == std::errc{} && end == text.data() + text.size()) return {};
    return {"'" + std::string(text) + "' is not an integer of this option's range"};
  }
};

template <>
struct option_value<std::string> {
  static std::string_view type() { return "string"; }
  static std::string print(std::string const& s) { return s; }
  static option_error parse(std::string_view text, std::string& to) {
    to = text;
    return {};
  }
};

/// An option as help shows it.
struct option_info {
  std::string_view name;
  std::string_view type;
  std::string fallback;  ///< the value it has when it is not given
  std::string_view help;
};

template <class Pass>
std::vector<option_info> describe_options() {
  std::vector<option_info> found;
  Pass const fresh{};
  std::apply(
      [&](auto const&... o) {
        (found.push_back({o.name, option_value<std::remove_cvref_t<decltype(fresh.*(o.member))>>::type(),
                          option_value<std::remove_cvref_t<decltype(fresh.*(o.member))>>::print(fresh.*(o.member)),
                          o.help}),
         ...);
      },
      Pass::options);
  return found;
}

/// The options of a pass that differ from what they are when not given, in MLIR's syntax.
template <class Pass>
std::string print_options(Pass const& pass) {
  std::string text;
  Pass const fresh{};
  auto one = [&](auto const& o) {
    using value = option_value<std::remove_cvref_t<decltype(pass.*(o.member))>>;
    std::string const mine = value::print(pass.*(o.member));
    if (mine == value::print(fresh.*(o.member))) return;
    if (!text.empty()) text += ' ';
    bool const braces = mine.find(' ') != std::string::npos;
    text.append(o.name).append(braces ? "={" : "=").append(mine).append(braces ? "}" : "");
  };
  std::apply([&](auto const&... o) { (one(o), ...); }, Pass::options);
  return text;
}

/// Sets the options of a pass from text. Reports an option that is unknown, badly written or at fault by what the pass says
/// of it (option_fault), with its place in the text; false when there was one.
template <class Pass>
bool parse_options(Pass& pass, std::string_view text, diagnostics& diags) {
  auto fail = [&](std::size_t at, std::string message) {
    diags.error({"<options of " + std::string(Pass::name) + ">", 1, static_cast<std::uint32_t>(at + 1),
                 std::string(text), 0},
                "option", std::move(message));
    return false;
  };
  auto const given = split_options(text);
  if (!given) return fail(text.size(), "a bracket or quote is not closed");
  bool good = true;
  for (auto const& o : *given) {
    bool known = false;
    auto one = [&](auto const& declared) {
      if (declared.name != o.name) return;
      known = true;
      auto& to = pass.*(declared.member);
      option_error const error = option_value<std::remove_cvref_t<decltype(to)>>::parse(o.value.value_or(""), to);
      if (!error.message.empty())
        good = fail(o.value_at + error.at, "option '" + std::string(o.name) + "': " + error.message);
    };
    std::apply([&](auto const&... declared) { (one(declared), ...); }, Pass::options);
    if (!known) good = fail(o.at, "no such option: '" + std::string(o.name) + "'");
  }
  if constexpr (requires { pass.find_fault(); }) {
    option_fault const fault = good ? pass.find_fault() : option_fault{};
    if (fault.message.empty()) return good;
    std::size_t at = 0;
    for (auto const& o : *given)
      if (o.name == fault.option) at = o.value_at;  // the last counts
    good = fail(at, "option '" + std::string(fault.option) + "': " + fault.message);
  }
  return good;
}

}  // namespace mpmd
