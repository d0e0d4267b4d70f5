#pragma once
/// The words of MLIR's textual syntax (its language reference is the source), read straight from the text:
/// there is no stream of tokens, so `4x8xf32` or `>>` need no special mode. Every look-ahead is O(1) in the
/// text already passed.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <mpmd/support/source.hpp>

namespace mpmd::text::mlir {

namespace chars {

enum kind : std::uint8_t {
  letter = 1,
  digit = 2,
  hex = 4,
  blank = 8,
  id_mark = 16,      // '_', '$', '.': inside every identifier
  suffix_mark = 32,  // '-': also inside identifiers behind %, #, ! and ^
};

constexpr std::array<std::uint8_t, 256> table() {
  std::array<std::uint8_t, 256> kinds{};
  auto at = [&kinds](char c) -> std::uint8_t& { return kinds[static_cast<unsigned char>(c)]; };
  for (char c = 'a'; c <= 'z'; ++c) at(c) = letter;
  for (char c = 'A'; c <= 'Z'; ++c) at(c) = letter;
  for (char c = 'a'; c <= 'f'; ++c) at(c) |= hex;
  for (char c = 'A'; c <= 'F'; ++c) at(c) |= hex;
  for (char c = '0'; c <= '9'; ++c) at(c) = digit | hex;
  for (char c : {' ', '\t', '\r', '\n'}) at(c) = blank;
  for (char c : {'_', '$', '.'}) at(c) = id_mark;
  at('-') = suffix_mark;
  return kinds;
}
inline constexpr auto kinds = table();

constexpr bool is(char c, unsigned of) { return (kinds[static_cast<unsigned char>(c)] & of) != 0; }
constexpr bool starts_word(char c) { return is(c, letter) || c == '_'; }
constexpr unsigned hex_value(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
}

}  // namespace chars

/// May stand unquoted as an attribute or symbol name: letter or '_', then letters, digits, '_', '$', '.'.
constexpr bool is_bare_id(std::string_view text) {
  if (text.empty() || !chars::starts_word(text[0])) return false;
  for (char c : text)
    if (!chars::is(c, chars::letter | chars::digit | chars::id_mark)) return false;
  return true;
}

/// A number as written. `text` has no sign.
struct number_token {
  enum class form : std::uint8_t { none, decimal, hex, real };
  form kind = form::none;
  std::string_view text = {};
};

/// A string literal as written.
struct string_token {
  std::string_view inside = {};  ///< between the quotes, escapes not yet replaced
  std::size_t end = 0;           ///< offset behind the closing quote
  bool escaped = false;          ///< `inside` has escapes
  std::string_view defect = {};  ///< what is wrong with it, or empty
  std::size_t defect_at = 0;
};

/// Replaces the escapes of a string literal that has no defect.
inline std::string unescape(std::string_view inside) {
  std::string out;
  out.reserve(inside.size());
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] != '\\') {
      out += inside[i];
      continue;
    }
    char const c = inside[++i];
    if (c == '"' || c == '\\')
      out += c;
    else if (c == 'n')
      out += '\n';
    else if (c == 't')
      out += '\t';
    else
      out += static_cast<char>(chars::hex_value(c) << 4 | chars::hex_value(inside[++i]));
  }
  return out;
}

/// Walks over a text. It always stands at the start of a token or at the end: blanks and `//` comments are
/// passed as soon as the token before them is consumed.
class cursor {
 public:
  cursor() = default;
  /// `origin` is the position of text[0]; positions are unknown without one.
  explicit cursor(std::string_view text, source_position origin = {}) : text_(text), origin_(origin) {
    skip_blanks();
  }

  std::string_view text() const { return text_; }
  std::size_t offset() const { return at_; }
  /// Offset behind the last token consumed: whether the next token touches it is `end_of_last() == offset()`.
  std::size_t end_of_last() const { return last_; }
  bool at_end() const { return at_ == text_.size(); }
  source_position position(std::size_t offset) const {
    return origin_ ? source_position{origin_.offset + static_cast<std::uint32_t>(offset)} : source_position{};
  }
  source_position position() const { return position(at_); }

  /// Goes on at another place. Any offset up to the size of the text will do.
  void seek(std::size_t offset) {
    last_ = at_ = offset;
    skip_blanks();
  }

  /// The first character of the next token; NUL at the end (and where the text has a NUL).
  char peek() const { return char_at(at_); }
  char char_at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }

  /// The next characters are these. A '-' that begins "->" is no minus.
  bool next_is(char c) const { return !at_end() && text_[at_] == c && (c != '-' || char_at(at_ + 1) != '>'); }
  bool next_is(std::string_view punctuation) const {
    return text_.substr(at_, punctuation.size()) == punctuation;
  }
  bool consume(char c) { return next_is(c) && (seek(at_ + 1), true); }
  bool consume(std::string_view punctuation) {
    return next_is(punctuation) && (seek(at_ + punctuation.size()), true);
  }

  /// The bare identifier or keyword that comes next, or nothing.
  std::string_view word() const {
    if (!chars::starts_word(peek())) return {};
    std::size_t stop = at_;
    while (stop < text_.size() && chars::is(text_[stop], chars::letter | chars::digit | chars::id_mark))
      ++stop;
    return text_.substr(at_, stop - at_);
  }
  bool next_is_word(std::string_view expected) const { return word() == expected; }
  bool consume_word(std::string_view expected) {
    return next_is_word(expected) && (seek(at_ + expected.size()), true);
  }
  std::string_view take_word() {
    auto const taken = word();
    seek(at_ + taken.size());
    return taken;
  }

  /// The identifier behind the sigil '%', '#', '!' or '^' that comes next, or nothing if there is no valid
  /// one.
  std::string_view sigil_id(char sigil) const {
    return next_is(sigil) ? suffix_id(at_ + 1) : std::string_view{};
  }
  std::string_view take_sigil_id(char sigil) {
    auto const taken = sigil_id(sigil);
    if (!taken.empty()) seek(at_ + 1 + taken.size());
    return taken;
  }

  /// The unsigned number that comes next. `0x` without a hexadecimal digit is the number 0 before an `x`.
  number_token number() const {
    std::size_t stop = at_;
    if (!chars::is(peek(), chars::digit)) return {};
    if (peek() == '0' && char_at(at_ + 1) == 'x' && chars::is(char_at(at_ + 2), chars::hex)) {
      stop = run(at_ + 2, chars::hex);
      return {number_token::form::hex, text_.substr(at_, stop - at_)};
    }
    stop = run(at_, chars::digit);
    if (char_at(stop) != '.') return {number_token::form::decimal, text_.substr(at_, stop - at_)};
    stop = run(stop + 1, chars::digit);
    if (char_at(stop) == 'e' || char_at(stop) == 'E') {
      std::size_t const digits = stop + (char_at(stop + 1) == '+' || char_at(stop + 1) == '-' ? 2 : 1);
      if (chars::is(char_at(digits), chars::digit)) stop = run(digits, chars::digit);
    }
    return {number_token::form::real, text_.substr(at_, stop - at_)};
  }
  /// The digits that come next, whatever follows them: an extent in `4x8xf32`.
  std::string_view digits() const { return text_.substr(at_, run(at_, chars::digit) - at_); }

  /// The string literal that comes next; the cursor stands at its opening quote. O(length).
  string_token string() const { return string_at(at_); }
  string_token string_at(std::size_t offset) const {
    string_token s;
    std::size_t i = offset + 1;
    auto bad = [&](std::string_view why, std::size_t where) {
      s.defect = why;
      s.defect_at = where;
      s.end = i;
      return s;
    };
    for (;; ++i) {
      if (i >= text_.size()) return bad("expected '\"' in string literal", offset);
      char const c = text_[i];
      if (c == '"') break;
      if (c == '\n' || c == '\v' || c == '\f') return bad("expected '\"' in string literal", offset);
      if (c != '\\') continue;
      s.escaped = true;
      char const e = char_at(++i);
      if (e == '"' || e == '\\' || e == 'n' || e == 't') continue;
      if (chars::is(e, chars::hex) && chars::is(char_at(i + 1), chars::hex)) {
        ++i;
        continue;
      }
      return bad("unknown escape in string literal", i - 1);
    }
    s.inside = text_.substr(offset + 1, i - offset - 1);
    s.end = i + 1;
    return s;
  }

 private:
  std::size_t run(std::size_t from, unsigned of) const {
    while (from < text_.size() && chars::is(text_[from], of)) ++from;
    return from;
  }
  std::string_view suffix_id(std::size_t from) const {
    if (chars::is(char_at(from), chars::digit)) return text_.substr(from, run(from, chars::digit) - from);
    std::size_t const stop = run(from, chars::letter | chars::digit | chars::id_mark | chars::suffix_mark);
    return text_.substr(from, stop - from);
  }
  void skip_blanks() {
    for (;;) {
      at_ = run(at_, chars::blank);
      if (char_at(at_) != '/' || char_at(at_ + 1) != '/') return;
      std::size_t const stop = text_.find('\n', at_);
      at_ = stop == std::string_view::npos ? text_.size() : stop;
    }
  }

  std::string_view text_;
  source_position origin_;
  std::size_t at_ = 0;
  std::size_t last_ = 0;
};

}  // namespace mpmd::text::mlir
