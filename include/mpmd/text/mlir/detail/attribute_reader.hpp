#pragma once
/// Members of reader for the builtin attributes, except lists of elements.

#include <algorithm>

#include <mpmd/text/mlir/detail/foreign_text.hpp>
#include <mpmd/text/mlir/number.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir {

inline ir::attribute reader::parse_attribute(ir::type expected) {
  nested const level(*this);
  if (!level) return {};
  char const next = in.peek();
  if (chars::is(next, chars::digit) || in.next_is('-')) return parse_number(expected);
  switch (next) {
    case '"': return parse_string_attribute(expected);
    case '@': return parse_symbol_reference();
    case '[': return parse_array();
    case '{': return parse_dictionary();
    case '#': return parse_sigil_attribute(expected);
    default: break;
  }
  std::string_view const word = in.word();
  if (word == "true" || word == "false") return in.take_word(), context_->boolean(word == "true");
  if (word == "unit") return in.take_word(), context_->unit();
  if (word == "dense") return parse_dense(expected);
  if (word == "array") return parse_dense_array();
  if (word == "dense_resource") return parse_dense_resource(expected);
  if (word == "loc") {
    in.take_word();
    if (!expect('(')) return {};
    ir::attribute const where = parse_location_instance(false);
    return where && expect(')') ? where : ir::attribute{};
  }
  if (word == "affine_map" || word == "affine_set" || word == "strided" || word == "distinct" ||
      word == "sparse")
    return parse_textual_attribute(word, expected);
  auto const held = parse_optional_type();
  if (!held) return error("expected attribute value"), ir::attribute{};
  return *held ? context_->get(ir::type_attr{*held}) : ir::attribute{};
}

/// `: type` if the context does not say the type.
inline bool reader::parse_trailing_type(ir::type& of) {
  if (of || !in.consume(':')) return true;
  of = parse_type();
  return static_cast<bool>(of);
}

inline ir::attribute reader::parse_string_attribute(ir::type of) {
  auto text = parse_string();
  if (!text || !parse_trailing_type(of)) return {};
  if (context_->get_if<ir::none_type>(of) != nullptr) of = {};  // what a string without a type has
  return context_->get(ir::string_attr{std::move(*text), of});
}

inline ir::attribute reader::parse_symbol_reference() {
  auto root = parse_symbol_name();
  if (!root) return {};
  ir::symbol_ref_attr made{std::move(*root)};
  while (in.next_is("::")) {
    in.seek(in.offset() + 2);
    auto name = parse_symbol_name();
    if (!name) return {};
    made.nested.push_back(std::move(*name));
  }
  return context_->get(std::move(made));
}

inline ir::attribute reader::parse_array() {
  ir::array_attr made;
  if (!parse_list('[', ']', [&] {
        made.elements.push_back(parse_attribute());
        return static_cast<bool>(made.elements.back());
      }))
    return {};
  return context_->get(std::move(made));
}

inline bool reader::parse_entries(std::vector<attribute_entry>& to) {
  std::size_t const first = to.size();
  bool const read = parse_list('{', '}', [&] {
    std::size_t const at = in.offset();
    std::string quoted;
    std::string_view label = in.word();
    if (label.empty()) {
      auto text = parse_string("expected attribute name");
      if (!text) return false;
      if (text->empty()) return error(at, "expected valid attribute name");
      quoted = std::move(*text);
      label = quoted;
    } else {
      in.take_word();
    }
    to.push_back({context_->intern(label), {}, at});
    ir::attribute const value = in.consume('=') ? parse_attribute() : context_->unit();
    to.back().value = value;
    return static_cast<bool>(value);
  });
  return read && check_unique(to, first);
}

/// No name twice among the entries from `first` on. O(n log n).
inline bool reader::check_unique(std::vector<attribute_entry> const& entries, std::size_t first) {
  std::vector<std::pair<ir::name, std::size_t>> order;
  for (std::size_t i = first; i < entries.size(); ++i) order.emplace_back(entries[i].key, entries[i].at);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i].first == order[i - 1].first)
      return error(order[i].second, "duplicate key '" + std::string(context_->text(order[i].first)) +
                                        "' in dictionary attribute");
  return true;
}

inline ir::attribute reader::parse_dictionary() {
  std::vector<attribute_entry> entries;
  if (!parse_entries(entries)) return {};
  std::vector<std::pair<ir::name, ir::attribute>> unsorted;
  unsorted.reserve(entries.size());
  for (auto const& e : entries) unsorted.emplace_back(e.key, e.value);
  return context_->dictionary(std::move(unsorted));
}

inline ir::attribute reader::parse_number(ir::type of) {
  std::size_t const at = in.offset();
  bool const negative = in.consume('-');
  auto const token = in.number();
  if (token.kind == number_token::form::none)
    return error("expected constant integer or floating point value"), ir::attribute{};
  in.seek(in.offset() + token.text.size());
  if (!parse_trailing_type(of)) return {};
  bool const real = token.kind == number_token::form::real;
  if (!of) of = real ? context_->floating("f64") : context_->integer(64);
  if (auto const* f = context_->get_if<ir::float_type>(of)) {
    auto const bits = parse_float_bits(token, negative, f->keyword, at);
    return bits ? float_attribute(of, *bits) : ir::attribute{};
  }
  if (real) return error(at, "floating point value not valid for specified type"), ir::attribute{};
  auto const format = integer_format_of(*context_, of);
  if (!format) return error(at, "integer literal not valid for specified type"), ir::attribute{};
  if (negative && format->sign == ir::signedness::is_unsigned)
    return error(at, "negative integer literal not valid for unsigned integer type"), ir::attribute{};
  if (format->width <= 64) {
    auto const bits = integer_bits(*format, token, negative);
    if (bits) return context_->get(ir::integer_attr{extend(*format, *bits), of});
  } else if (auto const bytes = wide_integer_bytes(*format, token, negative)) {
    std::string text;  // integer_attr ends at 64 bits
    print_integer(text, *format, *bytes);
    return context_->get(ir::opaque_attr{std::move(text), of});
  }
  return error(at, "integer constant out of range for attribute"), ir::attribute{};
}

/// The encoding of a literal in a float type.
inline std::optional<bits128> reader::parse_float_bits(number_token const& token, bool negative,
                                                       std::string_view keyword, std::size_t at) {
  auto const* format = find_float_format(keyword);
  if (token.kind == number_token::form::decimal)
    return error(at,
                 "unexpected decimal integer literal for a floating point value (add a dot to make it a "
                 "float)"),
           std::nullopt;
  if (token.kind == number_token::form::hex) {
    if (negative) return error(at, "hexadecimal float literal should not have a leading minus"), std::nullopt;
    auto const bits = hex_bits(token.text, format ? format->width : 8);
    if (!bits) error(at, "hexadecimal float constant out of range for type");
    return bits;
  }
  if (format == nullptr)
    return error(at, "a value of type " + std::string(keyword) + " must be written in hexadecimal"),
           std::nullopt;
  double const value = parse_double(token.text);
  return encode_float(*format, negative ? -value : value);
}

inline ir::attribute reader::float_attribute(ir::type of, bits128 bits) {
  auto const* format = find_float_format(context_->get_if<ir::float_type>(of)->keyword);
  if (format == nullptr || format->width <= 64) return context_->get(ir::float_attr{bits.low, of});
  std::string text;  // float_attr ends at 64 bits
  print_float(text, *format, bits);
  return context_->get(ir::opaque_attr{std::move(text), of});
}

/// `keyword<...>` of the builtin dialect that is kept as text.
inline ir::attribute reader::parse_textual_attribute(std::string_view keyword, ir::type expected) {
  bool const sparse = keyword == "sparse";
  std::string text(in.take_word());
  if (keyword == "distinct") {
    if (!expect('[')) return {};
    auto const id = parse_integer();
    if (!id || !expect(']')) return {};
    text += '[' + std::to_string(*id) + ']';
  }
  auto const body = parse_foreign_body(keyword);
  if (!body) return {};
  ir::type of = sparse ? expected : ir::type{};
  if (sparse && !of && (!expect(':') || !(of = parse_type()))) return {};
  return context_->get(ir::opaque_attr{text + *body, of});
}

/// `#alias`, `#dialect.name<...>` or `#dialect<...>`.
inline ir::attribute reader::parse_sigil_attribute(ir::type expected) {
  std::size_t const at = in.offset();
  std::string_view const name = in.take_sigil_id('#');
  if (name.empty()) return error(at, "invalid attribute name"), ir::attribute{};
  bool const has_body = in.next_is('<') && in.offset() == in.end_of_last();
  std::size_t const dot = name.find('.');
  std::string_view const dialect = name.substr(0, dot);
  if (dot == std::string_view::npos && !has_body) {
    auto const found = attribute_aliases_.find(name);
    if (found == attribute_aliases_.end())
      return error(at, "undefined symbol alias id '" + std::string(name) + "'"), ir::attribute{};
    if (found->second.waits)
      return error(at, "a location used here must not refer to one that is defined later"), ir::attribute{};
    return enter_alias(at, found->second.size) ? found->second.value : ir::attribute{};
  }
  if (has_body && !check_balanced(in.offset())) return {};
  if (dialect == "mpmd" || dialect == "sdy") {
    bool const dotted = dot != std::string_view::npos;
    std::size_t const body = in.offset();
    if (!dotted && !expect('<')) return {};
    if (dotted && !has_body && dialect == "mpmd") return error("expected '<'"), ir::attribute{};
    std::string_view const mnemonic = dotted ? name.substr(dot + 1) : in.take_word();
    auto const made = parse_known_attribute(dialect, mnemonic);
    if (made) return *made && (dotted || expect('>')) ? *made : ir::attribute{};
    if (dialect == "mpmd")
      return error(at, "unknown attribute '" + std::string(mnemonic) + "' in dialect 'mpmd'"),
             ir::attribute{};
    in.seek(body);
  }
  std::string text = "#" + std::string(name);
  if (has_body) {
    auto const body = parse_foreign_body(dialect);
    if (!body) return {};
    text = detail::join_foreign(std::move(text), *body);
  }
  ir::type of = {};
  if (in.consume(':') && !(of = parse_type())) return {};
  if (!of) of = expected;
  return context_->get(ir::opaque_attr{std::move(text), of});
}

inline bool reader::at_alias_definition() const {
  char const sigil = in.peek();
  if (sigil != '#' && sigil != '!') return false;
  auto const name = in.sigil_id(sigil);
  if (name.empty()) return false;
  cursor ahead = in;
  ahead.seek(in.offset() + 1 + name.size());
  return ahead.next_is('=');
}

inline bool reader::parse_alias_definition() {
  std::size_t const at = in.offset();
  char const sigil = in.peek();
  std::string_view const name = in.take_sigil_id(sigil == '!' ? '!' : '#');
  if (name.empty()) return error(at, "expected the name of an alias");
  std::string const kind = sigil == '!' ? "type" : "attribute";
  if (sigil == '!' ? type_aliases_.count(name) != 0 : attribute_aliases_.count(name) != 0)
    return error(at, "redefinition of " + kind + " alias id '" + std::string(name) + "'");
  if (name.find('.') != std::string_view::npos)
    return error(at, kind + " names with a '.' are reserved for dialect-defined names");
  if (!expect('=', "expected '=' in alias definition")) return false;
  now_ = {};
  deepest_ = 0;
  if (sigil == '!') {
    ir::type const value = parse_type();
    if (!value) return false;
    type_aliases_[name] = {value, {deepest_, now_.nodes}};
    return true;
  }
  bool waits = false;
  ir::attribute const value = parse_alias_value(waits);
  if (!value) return false;
  attribute_aliases_[name] = {value, {deepest_, now_.nodes}, waits};
  return true;
}

}  // namespace mpmd::text::mlir
