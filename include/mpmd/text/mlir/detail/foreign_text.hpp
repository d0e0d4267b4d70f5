#pragma once
/// Text of attributes and types that have no structure here: one spelling for all that differ in white space
/// only.

#include <cstdint>
#include <string>
#include <string_view>

#include <mpmd/text/mlir/lexer.hpp>

namespace mpmd::text::mlir::detail {

/// Which spelling a dialect's own printers prefer.
struct foreign_style {
  bool tight_equals = false;  ///< `a=1`, not `a = 1`
  bool tight_arrow = false;   ///< `(a)->(b)`
  bool tight_colon = false;   ///< `i8:f32`
  bool affine = false;        ///< arithmetic and comparisons, as in `d0 + 1 >= 0`
};

inline foreign_style style_of(std::string_view dialect) {
  if (dialect == "sdy") return {.tight_equals = true, .tight_arrow = true, .tight_colon = true};
  if (dialect == "stablehlo" || dialect == "mhlo") return {.tight_arrow = true};
  if (dialect == "quant") return {.tight_colon = true};
  if (dialect == "affine_map" || dialect == "affine_set") return {.affine = true};
  return {};
}

/// A token of such text, coarser than MLIR's own.
struct foreign_token {
  enum class kind : std::uint8_t {
    none,
    word,
    string,
    sigil,
    open,
    close,
    comma,
    equals,
    colon,
    arrow,
    mark
  };
  kind what = kind::none;
  std::string_view text = {};
  bool prefix = false;  ///< a mark that belongs to what follows: the sign of a number
};

/// The token at the cursor. `string` must have been found sound before.
inline foreign_token scan_foreign(cursor const& in, bool affine) {
  using kind = foreign_token::kind;
  std::size_t const at = in.offset();
  auto token = [&](kind what, std::size_t length) {
    return foreign_token{what, in.text().substr(at, length)};
  };
  auto part_of_word = [](char c) {
    return chars::is(c, chars::letter | chars::digit | chars::id_mark) || c == '?';
  };
  char const c = in.peek();
  if (part_of_word(c)) {
    std::size_t stop = at;
    while (stop < in.text().size() && part_of_word(in.text()[stop])) ++stop;
    char const last = in.char_at(stop - 1), sign = in.char_at(stop);
    bool const exponent = chars::is(c, chars::digit) && (last == 'e' || last == 'E') &&
                          (sign == '-' || sign == '+') &&
                          in.text().substr(at, stop - at).find('.') != std::string_view::npos;
    if (exponent && chars::is(in.char_at(stop + 1), chars::digit))
      for (++stop; chars::is(in.char_at(stop), chars::digit);) ++stop;
    return token(kind::word, stop - at);
  }
  char const next = in.char_at(at + 1);
  switch (c) {
    case '"': return token(kind::string, in.string().end - at);
    case '#':
    case '!':
    case '%':
    case '^': {
      std::size_t size = in.sigil_id(c).size();
      // The '-' of an arrow is none of an identifier's here, as brackets are matched without it.
      if (size != 0 && in.char_at(at + size) == '-' && in.char_at(at + size + 1) == '>') --size;
      return size == 0 ? token(kind::mark, 1) : token(kind::sigil, 1 + size);
    }
    case '@': {
      if (next == '"') return token(kind::sigil, in.string_at(at + 1).end - at);
      std::size_t stop = at + 1;
      while (chars::is(in.char_at(stop), chars::letter | chars::digit | chars::id_mark)) ++stop;
      return token(kind::sigil, stop - at);
    }
    case '<':
      if (affine && next == '=') return token(kind::mark, 2);
      [[fallthrough]];
    case '(':
    case '[':
    case '{': return token(kind::open, 1);
    case '>':
      if (affine && next == '=') return token(kind::mark, 2);
      [[fallthrough]];
    case ')':
    case ']':
    case '}': return token(kind::close, 1);
    case ',': return token(kind::comma, 1);
    case '=': return next == '=' ? token(kind::mark, 2) : token(kind::equals, 1);
    case ':': return next == ':' ? token(kind::mark, 2) : token(kind::colon, 1);
    case '-':
      if (next == '>') return token(kind::arrow, 2);
      [[fallthrough]];
    default: return token(kind::mark, 1);
  }
}

/// Whether two tokens would be read as others if they touched.
inline bool must_part(foreign_token const& left, foreign_token const& right, bool affine) {
  using kind = foreign_token::kind;
  if (left.what == kind::none) return false;
  char const l = left.text.back(), r = right.text.front();
  if (left.what == kind::sigil && r == '-') return true;
  bool const bare_sigil = left.what == kind::mark && (l == '#' || l == '!' || l == '%' || l == '^');
  if (bare_sigil && chars::is(r, chars::letter | chars::digit | chars::id_mark | chars::suffix_mark))
    return true;
  return (l == '-' && r == '>') || (l == '/' && r == '/') || (affine && (l == '<' || l == '>') && r == '=');
}

/// Whether the one spelling has a blank between two tokens.
inline bool blank_between(foreign_token const& left, foreign_token const& right, foreign_style const& style) {
  using kind = foreign_token::kind;
  auto const a = left.what, b = right.what;
  auto is_name = [](kind k) { return k == kind::word || k == kind::string || k == kind::sigil; };
  auto is_affine_word = [](std::string_view w) { return w == "mod" || w == "floordiv" || w == "ceildiv"; };
  if (must_part(left, right, style.affine)) return true;
  if (a == kind::none || a == kind::open || b == kind::close || b == kind::comma) return false;
  if (a == kind::comma) return true;
  if (a == kind::equals || b == kind::equals) return !style.tight_equals;
  if (a == kind::arrow || b == kind::arrow) return !style.tight_arrow;
  if (b == kind::colon) return !style.tight_colon && left.text != "offset";
  if (a == kind::colon) return !style.tight_colon;
  if (a == kind::mark || b == kind::mark) return style.affine && !left.prefix;
  if (b == kind::open) return right.text == "{" || (style.affine && is_affine_word(left.text));
  if (a == kind::close) return !(left.text == "]" && right.text == "x");
  return is_name(a) && is_name(b);
}

/// The one spelling of a text of sound strings: the same for all that differ in white space and comments
/// only, and its own.
inline std::string normalise_foreign(std::string_view text, foreign_style const& style) {
  using kind = foreign_token::kind;
  std::string made;
  foreign_token last;
  for (cursor in(text); !in.at_end();) {
    auto token = scan_foreign(in, style.affine);
    token.prefix = token.what == kind::mark && token.text == "-" && last.what != kind::word &&
                   last.what != kind::close && last.what != kind::sigil;
    // `#name <` is an alias and a bracket, `#name<` an attribute of a dialect: here the blank has a meaning.
    bool const apart = last.what == kind::sigil && token.text == "<" && in.offset() != in.end_of_last();
    if (apart || blank_between(last, token, style)) made += ' ';
    made += token.text;
    in.seek(in.offset() + token.text.size());
    last = token;
  }
  return made;
}

/// `#dialect` and `<name...>` joined: `#dialect.name...` where that says the same, as MLIR prefers.
inline std::string join_foreign(std::string name, std::string_view body) {
  std::string_view const inside = body.substr(1, body.size() - 2);
  std::size_t stop = 0;
  while (stop < inside.size() && (chars::is(inside[stop], chars::letter | chars::digit) ||
                                  inside[stop] == '.' || inside[stop] == '_'))
    ++stop;
  bool simple = name.find('.') == std::string::npos && !inside.empty() && chars::is(inside[0], chars::letter);
  if (simple && stop < inside.size()) {
    simple = inside[stop] == '<';
    // The bracket must close at the very end.
    std::size_t depth = 0;
    cursor in(inside);
    for (in.seek(stop); simple && !in.at_end();) {
      auto const token = scan_foreign(in, false);
      if (token.what == foreign_token::kind::open) ++depth;
      if (token.what == foreign_token::kind::close) --depth;
      in.seek(in.offset() + token.text.size());
      simple = depth != 0 || in.at_end();
    }
  }
  if (!simple) return name.append(body);
  return name.append(".").append(inside);
}

}  // namespace mpmd::text::mlir::detail
