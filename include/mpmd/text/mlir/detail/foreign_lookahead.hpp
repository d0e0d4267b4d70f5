#pragma once
/// Where the pretty form of an op of an unknown dialect ends, and what a brace in it begins. MLIR's text does
/// not say: only the op's own parser knows. What is decided here holds for what MLIR's printers write.

#include <cstddef>
#include <string_view>

#include <mpmd/support/float_format.hpp>
#include <mpmd/text/mlir/lexer.hpp>

namespace mpmd::text::mlir::detail {

/// What stands before the next token of the op.
enum class foreign_before {
  opener,  ///< an opening bracket, or punctuation that something has to follow: `,` `=` `:` `->`
  token,   ///< anything else
  types,   ///< a list of types
  region,  ///< a region
};

/// The op names that are written without their dialect inside functions.
inline bool is_short_op_name(std::string_view word) {
  return word == "return" || word == "call" || word == "call_indirect" || word == "constant" ||
         word == "module";
}

/// Whether a word alone names a builtin type, or begins one when a `<` follows.
inline bool is_type_word(std::string_view word, bool bracket) {
  if (bracket) {
    return word == "tensor" || word == "vector" || word == "memref" || word == "complex" || word == "tuple";
  }
  if (word == "index" || word == "none" || find_float_format(word) != nullptr) return true;
  if (word.size() > 1 && (word[0] == 's' || word[0] == 'u')) word.remove_prefix(1);
  if (word.size() < 2 || word[0] != 'i') return false;
  for (char const c : word.substr(1))
    if (!chars::is(c, chars::digit)) return false;
  return true;
}

/// Whether a type, or a parenthesised list of types, comes next. O(nesting) of its leading parentheses.
inline bool at_type(cursor in) {
  bool const list = in.next_is('(');
  while (in.consume('(')) {
  }
  if (list && in.next_is(')')) return true;
  if (in.next_is('!')) return true;
  auto const word = in.take_word();
  return !word.empty() && is_type_word(word, in.next_is('<'));
}

/// Whether `%a, %b:2 =` comes next: the results of another op.
inline bool at_results(cursor in) {
  do {
    if (in.take_sigil_id('%').empty()) return false;
    if (in.consume(':')) {
      auto const digits = in.digits();
      if (digits.empty()) return false;
      in.seek(in.offset() + digits.size());
    }
  } while (in.consume(','));
  return in.next_is('=') && !in.next_is("==");
}

/// Whether the op ends before the next token, with no bracket open. `line_break`: one stands before the
/// token.
inline bool foreign_op_ends(cursor const& at, foreign_before before, bool line_break) {
  if (at.at_end() || at.next_is('}')) return true;
  if (before == foreign_before::opener) return at.next_is("{-#");
  cursor in = at;
  // Behind types or a region nothing but another op can begin with a dialect's name or with results.
  bool const may_start = line_break || before != foreign_before::token;
  switch (in.peek()) {
    case '%': return may_start && at_results(in);
    case '#':
    case '!': {
      auto const name = in.take_sigil_id(in.peek());
      return line_break && name.find('.') == std::string_view::npos && in.next_is('=') && !in.next_is("==");
    }
    case '^': return line_break && !in.take_sigil_id('^').empty() && (in.next_is(':') || in.next_is('('));
    case '"': {
      auto const name = in.string();
      if (!may_start || !name.defect.empty() || name.inside.find('.') == std::string_view::npos) return false;
      in.seek(name.end);
      return in.next_is('(');
    }
    case '{': return in.next_is("{-#");
    default: break;
  }
  auto const word = in.take_word();
  if (word.empty()) return false;
  if (word == "loc" && in.next_is('(')) return true;
  if (word.find('.') != std::string_view::npos) return may_start && !in.next_is('=');
  return line_break && is_short_op_name(word);
}

/// Whether the brace that comes next begins a region, rather than a dictionary or what a form keeps in
/// braces.
inline bool at_region(cursor in) {
  std::size_t const brace = in.offset();
  in.consume('{');
  bool const line_break = in.text().substr(brace, in.offset() - brace).find('\n') != std::string_view::npos;
  if (in.next_is('}')) return line_break;
  if (in.next_is('%')) return at_results(in);
  if (in.next_is('^')) return true;
  if (in.next_is('"')) {
    auto const name = in.string();
    if (!name.defect.empty()) return false;
    in.seek(name.end);
    return in.next_is('(');
  }
  auto const word = in.take_word();
  if (word.empty() || in.next_is('=') || in.next_is(',') || in.next_is(':')) return false;
  bool const is_op = word.find('.') != std::string_view::npos || is_short_op_name(word);
  return is_op && (line_break || !in.next_is('}'));
}

}  // namespace mpmd::text::mlir::detail
