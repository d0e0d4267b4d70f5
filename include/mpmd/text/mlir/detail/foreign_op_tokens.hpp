#pragma once
/// The tokens of ops of unknown dialects: definitions of detail/foreign_op_reader.hpp, which includes this.

#include <mpmd/text/mlir/detail/foreign_op_reader.hpp>
#include <mpmd/text/mlir/printer.hpp>

namespace mpmd::text::mlir::detail {

/// The next so many characters belong to the template.
inline bool foreign_op_reader::append(std::size_t length, foreign_before leaves) {
  append_escaped(text_, at_.text().substr(at_.offset(), length));
  last_ = at_.text()[at_.offset() + length - 1];
  at_.seek(at_.offset() + length);
  before_ = leaves;
  return true;
}

/// What has been read with other means belongs to the template.
inline void foreign_op_reader::append_written(std::string_view written) {
  append_escaped(text_, written);
  before_ = foreign_before::token;
  last_ = 0;
}

inline bool foreign_op_reader::read_token() {
  char const c = at_.peek();
  switch (c) {
    case '%': return read_mention();
    case '^':
      if (!in_.read_successor()) return false;
      append_written("");
      text_ += "%s";
      return true;
    case '"': {
      auto const s = at_.string();
      if (s.defect.empty()) return append(s.end - at_.offset());
      in_.error(s.defect_at, std::string(s.defect));
      return false;
    }
    case '#': return read_hash();
    case '!': return read_type();
    case ':': return read_colon();
    case '(':
    case '[':
    case '{':
    case '<': return open(c);
    case ')':
    case ']':
    case '}':
    case '>': return close(c);
    case ',': return append(1, foreign_before::opener);
    case '=':
      if (at_.next_is("=>")) return read_arrow(true);
      return append(at_.next_is("==") ? 2 : 1, foreign_before::opener);
    case '-':
      if (at_.next_is("->")) return read_arrow(false);
      break;
    default: break;
  }
  if (chars::is(c, chars::letter | chars::digit | chars::id_mark)) return read_word();
  if (static_cast<unsigned char>(c) <= ' ' || static_cast<unsigned char>(c) >= 127)
    return fail(at_.offset(), "has an unexpected character");
  return append(1);
}

inline bool foreign_op_reader::read_word() {
  std::size_t length = 0;
  while (chars::is(at_.char_at(at_.offset() + length), chars::letter | chars::digit | chars::id_mark))
    ++length;
  auto const word = at_.text().substr(at_.offset(), length);
  if (word == "loc" && inside('(')) {
    cursor behind = at_;
    behind.seek(behind.offset() + length);
    if (behind.next_is('(')) return read_location();
  }
  append(length);
  as_ = word == "as";
  bool const before_types = opened_.empty() && (word == "to" || word == "into") && at_type(at_);
  return !before_types || read_result_types(true);
}

/// The location of an argument is no part of the text.
inline bool foreign_op_reader::read_location() {
  if (!text_.empty() && text_.back() == ' ') text_.pop_back();
  ir::attribute given;
  if (!in_.read_optional_location(given)) return false;
  if (!mentions_.empty()) mentions_.back().location = given;
  return true;
}

inline bool foreign_op_reader::read_mention() {
  mention m;
  if (!in_.read_use(m.use)) return false;
  bool const is_set = at_.next_is('=') && !at_.next_is("==") && !at_.next_is("=>");
  m.binds = is_set || as_;
  m.in_parentheses = inside('(');
  as_ = false;
  if (m.binds && m.use.number != 0) return fail(m.use.at, "cannot bind one of several results");
  if (is_set) {
    // `%i = 0 to ...`, `%i = %lower to ...`, `%x = %initial`
    m.type = in_.context().get(ir::index_type{});
    cursor const before = at_;
    at_.consume('=');
    if (written_use value; at_.next_is('%')) {
      if (!in_.read_use(value)) return false;
      m.type = in_.type_of(value);
    }
    at_ = before;
  }
  append_written("");
  text_ += "%o";
  m.hole = text_.size() - 1;
  mentions_.push_back(m);
  return true;
}

/// `#alias` is written out; `#dialect...` stays text.
inline bool foreign_op_reader::read_hash() {
  auto const name = at_.sigil_id('#');
  bool const alias = !name.empty() && name.find('.') == std::string_view::npos &&
                     at_.char_at(at_.offset() + 1 + name.size()) != '<';
  if (!alias) return append(1 + name.size());
  ir::attribute const value = in_.read_attribute();
  if (!value) return false;
  append_written(to_string(in_.context(), value));
  return true;
}

inline bool foreign_op_reader::read_type() {
  last_type_ = in_.read_type();
  if (!last_type_) return false;
  append_written(to_string(in_.context(), last_type_));
  return true;
}

/// A colon before types: at the top those of the op; in parentheses those of the values named before.
inline bool foreign_op_reader::read_colon() {
  if (at_.next_is("::")) return append(2);
  append(1, foreign_before::opener);
  if (!at_type(at_)) return true;
  if (opened_.empty()) return read_result_types(false);
  if (!inside('(') || opened_.back().first == mentions_.size()) return true;
  // `(%a: T, %b: U)`, or `(%a, %b : T, U)`
  std::vector<ir::type> types;
  bool arrow = false;
  if (!read_types(types, arrow)) return false;
  auto const named = std::span(mentions_).subspan(opened_.back().first);
  std::size_t bound = 0;
  for (mention const& m : named) bound += m.binds ? 1 : 0;
  bool const all = types.size() == named.size();
  std::size_t next = 0;
  for (mention& m : named) {
    if (types.size() == 1)
      m.type = types[0];
    else if (all || (types.size() == bound && m.binds))
      m.type = types[next++];
  }
  opened_.back().first = mentions_.size();
  return true;
}

/// `->`; or `=>`, with types of results that come in addition.
inline bool foreign_op_reader::read_arrow(bool more) {
  append(2, foreign_before::opener);
  if (!opened_.empty() || !at_type(at_)) return true;
  std::vector<ir::type> before;
  if (more && arrow_) before = std::move(op_.types);
  if (!read_result_types(true)) return false;
  op_.types.insert(op_.types.begin(), before.begin(), before.end());
  return true;
}

inline bool foreign_op_reader::read_result_types(bool arrow) {
  std::vector<ir::type> types;
  if (!read_types(types, arrow)) return false;
  if (arrow || !arrow_) op_.types = std::move(types);
  arrow_ |= arrow;
  before_ = foreign_before::types;
  return true;
}

/// `T, U`, `(T, U)` or `(T, U) -> V`; of the last only the results count.
inline bool foreign_op_reader::read_types(std::vector<ir::type>& types, bool& arrow) {
  if (at_.end_of_last() != at_.offset()) text_ += ' ';
  if (at_.next_is('(')) {
    if (!read_type_list(types)) return false;
    if (!at_.consume("->")) return true;
    text_ += " -> ";
    types.clear();
    arrow = true;
    if (at_.next_is('(')) return read_type_list(types);
  }
  for (;;) {
    if (!read_type()) return false;
    types.push_back(last_type_);
    cursor behind = at_;
    if (!behind.consume(',') || behind.next_is('(') || !at_type(behind)) return true;
    at_ = behind;
    text_ += ", ";
  }
}

/// `(T, U)`.
inline bool foreign_op_reader::read_type_list(std::vector<ir::type>& types) {
  at_.consume('(');
  text_ += '(';
  bool more = !at_.consume(')');
  for (std::size_t i = 0; more; ++i) {
    if (i != 0) text_ += ", ";
    if (!read_type()) return false;
    types.push_back(last_type_);
    more = at_.consume(',');
    if (!more && !in_.expect(')')) return false;
  }
  text_ += ')';
  return true;
}

inline bool foreign_op_reader::open(char c) {
  // Between parentheses `<=` is a comparison in an affine set.
  if (c == '<' && inside('(') && at_.next_is("<=")) return append(2, foreign_before::opener);
  opened_.push_back({c, at_.offset(), mentions_.size()});
  if (c != '(') ++other_brackets_;
  return append(1, foreign_before::opener);
}

inline bool foreign_op_reader::close(char c) {
  if (c == '>' && inside('(') && at_.next_is(">=")) return append(2, foreign_before::opener);
  if (!inside(c == ')' ? '(' : c == ']' ? '[' : c == '}' ? '{' : '<')) {
    // The brace belongs to an op around this one.
    if (c == '}' && !opened_.empty()) return fail_unclosed();
    return fail(at_.offset(), std::string("has an unexpected '") + c + "'");
  }
  std::size_t const first = opened_.back().first;
  opened_.pop_back();
  append(1);
  if (c != ')') {
    --other_brackets_;
    return true;
  }
  // `(%i, %j) = (...)`, `(%i, %j) in (...)`: counters.
  if (at_.next_is('=') || at_.next_is_word("in"))
    for (mention& m : std::span(mentions_).subspan(first))
      if (!m.type) m.type = in_.context().get(ir::index_type{});
  return true;
}

}  // namespace mpmd::text::mlir::detail
