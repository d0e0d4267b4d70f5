#pragma once
/// Members of reader for single tokens, nesting and brackets.

#include <cassert>
#include <charconv>
#include <system_error>

#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir {

/// Counts an alias as if its value stood in its place, so that neither depth nor size can grow without bound
/// through aliases of aliases.
inline bool reader::enter_alias(std::size_t at, measure size) {
  constexpr std::uint32_t node_limit = 1u << 22;
  std::uint32_t const depth = now_.depth + size.depth;
  if (depth > nesting_limit) return error(at, "nested too deeply");
  if (depth > deepest_) deepest_ = depth;
  if (size.nodes >= node_limit - now_.nodes) return error(at, "too large with its aliases written out");
  now_.nodes += size.nodes;
  return true;
}

inline std::optional<std::string> reader::parse_string(std::string_view otherwise) {
  if (!in.next_is('"')) return error(std::string(otherwise)), std::nullopt;
  auto const s = in.string();
  if (!s.defect.empty()) return error(s.defect_at, std::string(s.defect)), std::nullopt;
  in.seek(s.end);
  return s.escaped ? unescape(s.inside) : std::string(s.inside);
}

inline std::optional<std::string> reader::parse_symbol_name() {
  if (!in.next_is('@')) return error("expected a symbol name: '@name'"), std::nullopt;
  std::size_t const at = in.offset();
  in.seek(at + 1);
  if (in.offset() == at + 1) {
    if (in.next_is('"')) {
      auto name = parse_string();
      if (name && name->empty()) return error(at, "expected a symbol name that is not empty"), std::nullopt;
      return name;
    }
    if (auto const word = in.take_word(); !word.empty()) return std::string(word);
  }
  return error(at, "@ identifier expected to start with letter or '_'"), std::nullopt;
}

inline std::optional<std::int64_t> reader::parse_integer() {
  std::size_t const at = in.offset();
  bool const negative = in.consume('-');
  auto const token = in.number();
  if (token.kind != number_token::form::decimal && token.kind != number_token::form::hex)
    return error(at, "expected integer value"), std::nullopt;
  bool const hex = token.kind == number_token::form::hex;
  std::string_view const digits = hex ? token.text.substr(2) : token.text;
  std::uint64_t magnitude = 0;
  auto const end = digits.data() + digits.size();
  constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63;
  if (std::from_chars(digits.data(), end, magnitude, hex ? 16 : 10).ec != std::errc{} ||
      magnitude > sign_bit - (negative ? 0 : 1))
    return error(at, "integer value too large"), std::nullopt;
  in.seek(in.offset() + token.text.size());
  return static_cast<std::int64_t>(negative ? 0 - magnitude : magnitude);
}

inline bool reader::parse_integers(char open, char close, std::vector<std::int64_t>& to) {
  return parse_list(open, close, [&] {
    auto const value = parse_integer();
    if (value) to.push_back(*value);
    return value.has_value();
  });
}

/// The brackets opened at `open` are all closed, each by its own kind; else an error at the one that is not.
/// Strings, comments and "->" are passed over. What has been checked once is not looked at again.
inline bool reader::check_balanced(std::size_t open) {
  if (balanced_from_ <= open && open < balanced_until_) return true;
  std::string_view const text = in.text();
  std::vector<std::size_t> opened;
  for (std::size_t i = open; i < text.size(); ++i) {
    char const c = text[i];
    switch (c) {
      case '<':
      case '[':
      case '(':
      case '{': opened.push_back(i); break;
      case '-':
        if (in.char_at(i + 1) == '>') ++i;
        break;
      case '/':
        if (in.char_at(i + 1) != '/') break;
        i = text.find('\n', i);
        if (i == std::string_view::npos) i = text.size();
        break;
      case '"': {
        auto const s = in.string_at(i);
        if (!s.defect.empty()) return error(s.defect_at, std::string(s.defect));
        i = s.end - 1;
        break;
      }
      case '>':
      case ']':
      case ')':
      case '}': {
        char const closed_by_c = c == '>' ? '<' : c == ']' ? '[' : c == ')' ? '(' : '{';
        if (text[opened.back()] != closed_by_c) i = text.size();
        if (i < text.size()) opened.pop_back();
        break;
      }
      default: break;
    }
    if (opened.empty()) {
      balanced_from_ = open;
      balanced_until_ = i + 1;
      return true;
    }
  }
  return error(opened.back(),
               std::string("unbalanced '") + text[opened.back()] + "' character in pretty dialect name");
}

}  // namespace mpmd::text::mlir
