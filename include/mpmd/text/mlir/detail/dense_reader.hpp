#pragma once
/// Members of reader for attributes that list elements: dense<...>, array<...>, dense_resource<...>.

#include <cstring>
#include <limits>

#include <mpmd/text/mlir/detail/element.hpp>
#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir {

/// The type of an elements literal: ranked and static. Else an error at `at`.
inline bool reader::check_elements_type(ir::type of, std::size_t at) {
  auto const* shape = detail::shape_of(*context_, of);
  if (shape == nullptr) return error(at, "elements literal must be a shaped type");
  for (auto extent : *shape)
    if (extent == ir::dynamic_extent) return error(at, "elements literal type must have static shape");
  return true;
}

/// `dense<...> : type`. The type stands last, so the body is passed over first and read when the type is
/// known: the elements go straight into their bytes.
inline ir::attribute reader::parse_dense(ir::type of) {
  in.take_word();
  std::size_t const open = in.offset();
  if (!expect('<', "expected '<' after 'dense'")) return {};
  std::size_t const body = in.offset();
  if (!skip_dense_body(open)) return {};
  if (!of) {
    if (!expect(':')) return {};
    std::size_t const at = in.offset();
    of = parse_type();
    if (!of || !check_elements_type(of, at)) return {};
  } else if (!check_elements_type(of, body)) {
    return {};
  }
  cursor const after = in;
  auto const element = detail::element_of(*context_, of);
  if (!element) {  // strings of a foreign element type
    in.seek(open);
    auto const text = parse_foreign_body("dense");
    in = after;
    return text ? context_->get(ir::opaque_attr{"dense" + *text, of}) : ir::attribute{};
  }
  in.seek(body);
  ir::dense_attr made{of, {}};
  if (in.next_is('"') ? !parse_dense_blob(*element, made) : !parse_dense_list(*element, made)) return {};
  if (!expect('>')) return {};
  in = after;
  if (!made.splat && !made.data.empty() &&
      std::memcmp(made.data.data(), made.data.data() + element->size(), made.data.size() - element->size()) ==
          0) {
    made.data.resize(element->size());
    made.splat = true;
  }
  made.data.shrink_to_fit();
  return context_->get(std::move(made));
}

/// Moves behind the '>' that ends a body.
inline bool reader::skip_dense_body(std::size_t open) {
  std::string_view const text = in.text();
  for (std::size_t i = in.offset(); i < text.size(); ++i) {
    char const c = text[i];
    if (c == '>') return in.seek(i + 1), true;
    if (c == '<') break;
    if (c == '"') {
      auto const s = in.string_at(i);
      if (!s.defect.empty()) return error(s.defect_at, std::string(s.defect));
      i = s.end - 1;
    } else if (c == '/' && in.char_at(i + 1) == '/') {
      i = std::min(text.find('\n', i), text.size());
    }
  }
  return error(open, "expected '>' to close the elements that begin here");
}

/// `"0x..."`: the elements' bytes, those of i1 packed eight to a byte.
inline bool reader::parse_dense_blob(detail::element const& e, ir::dense_attr& to) {
  auto const token = in.string();
  std::string_view digits = token.inside;
  auto bad = [&] {
    return error("expected string containing hex digits, two for each byte, starting with `0x`");
  };
  if (digits.substr(0, 2) != "0x" || digits.size() % 2 != 0) return bad();
  digits.remove_prefix(2);
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    if (!chars::is(digits[i], chars::hex) || !chars::is(digits[i + 1], chars::hex)) return bad();
    bytes += static_cast<char>(chars::hex_value(digits[i]) << 4 | chars::hex_value(digits[i + 1]));
  }
  std::uint64_t const count = detail::element_count(*context_, to.of);
  auto wrong_size = [&] {
    return error("elements hex data size is invalid for provided type: '" + to_string(*context_, to.of) + "'");
  };
  if (e.is_bit()) {
    bool const splat = bytes.size() == 1 && count != 0 && (bytes[0] == '\0' || bytes[0] == '\xff');
    if (!splat && bytes.size() != count / 8 + (count % 8 != 0)) return wrong_size();
    to.data.resize(splat ? 1 : count);
    for (std::size_t i = 0; i < to.data.size(); ++i)
      to.data[i] = static_cast<char>(static_cast<unsigned char>(bytes[i / 8]) >> i % 8 & 1);
    to.splat = splat;
  } else {
    bool const splat = bytes.size() == e.size() && count != 0;
    if (!splat && (bytes.size() / e.size() != count || bytes.size() % e.size() != 0)) return wrong_size();
    if (unsigned const spare = e.spare_bits(); spare != 0)
      for (std::size_t i = e.scalar_size() - 1; i < bytes.size(); i += e.scalar_size())
        bytes[i] = static_cast<char>(static_cast<unsigned char>(bytes[i]) & 0xFFu >> spare);
    to.data = std::move(bytes);
    to.splat = splat;
  }
  in.seek(token.end);
  return true;
}

/// Nothing, one element, or nested lists of elements.
inline bool reader::parse_dense_list(detail::element const& e, ir::dense_attr& to) {
  std::size_t const start = in.offset();
  std::uint64_t const count = detail::element_count(*context_, to.of);
  if (!in.next_is('[')) {
    if (!in.next_is('>')) {
      if (!parse_element(e, to.data)) return false;
      to.splat = true;
      return true;
    }
    if (count == 0) return true;
    return error(start, "parsed zero elements, but type ('" + to_string(*context_, to.of) + "') expected at least 1");
  }
  if (count < in.text().size()) to.data.reserve(static_cast<std::size_t>(count) * e.size());
  constexpr std::int64_t unknown = -1;
  std::vector<std::int64_t> shape,
      counts;            // per level: the extent found first, and elements so far in the open list
  std::size_t leaf = 0;  // the level whose lists hold elements; 0 = not known yet
  auto inconsistent = [&] {
    return error("tensor literal is invalid; ranks are not consistent between elements");
  };
  do {
    if (in.next_is('[')) {
      if (leaf != 0 && counts.size() >= leaf) return inconsistent();
      if (counts.size() == nesting_limit) return error("nested too deeply");
      in.consume('[');
      counts.push_back(0);
      if (shape.size() < counts.size()) shape.push_back(unknown);
      if (!in.next_is(']')) continue;
      if (leaf == 0) leaf = counts.size();
      if (leaf != counts.size()) return inconsistent();
    } else {
      if (leaf == 0) leaf = counts.size();
      if (leaf != counts.size()) return inconsistent();
      if (!parse_element(e, to.data)) return false;
      ++counts.back();
    }
    while (!counts.empty() && !in.consume(',')) {
      if (!expect(']')) return false;
      auto& extent = shape[counts.size() - 1];
      if (extent == unknown) extent = counts.back();
      if (extent != counts.back()) return inconsistent();
      counts.pop_back();
      if (!counts.empty()) ++counts.back();
    }
  } while (!counts.empty());
  if (shape == *detail::shape_of(*context_, to.of)) return true;
  auto list = [](std::vector<std::int64_t> const& extents) {
    std::string text;
    for (auto extent : extents) text += (text.empty() ? "" : ", ") + std::to_string(extent);
    return "([" + text + "])";
  };
  return error(start, "inferred shape of elements literal " + list(shape) + " does not match type " +
                          list(*detail::shape_of(*context_, to.of)));
}

/// One element, appended to `to` in its bytes.
inline bool reader::parse_element(detail::element const& e, std::string& to) {
  if (!e.complex) return parse_scalar(e, to);
  return expect('(', "expected '(' before complex element") && parse_scalar(e, to) &&
         expect(',', "expected ',' between complex elements") && parse_scalar(e, to) &&
         expect(')', "expected ')' after complex elements");
}

inline bool reader::parse_scalar(detail::element const& e, std::string& to) {
  std::size_t const at = in.offset();
  if (chars::starts_word(in.peek())) {
    auto const word = in.word();
    if (word != "true" && word != "false") return error("expected element literal of primitive type");
    if (e.real != nullptr || e.raw_float)
      return error("expected floating-point elements, but parsed integer");
    if (!e.integer.is_bool()) return error("expected i1 type for 'true' or 'false' values");
    in.take_word();
    to += word == "true" ? '\1' : '\0';
    return true;
  }
  bool const negative = in.consume('-');
  auto const token = in.number();
  if (token.kind == number_token::form::none)
    return error(negative ? "expected integer or floating point literal"
                          : "expected element literal of primitive type");
  in.seek(in.offset() + token.text.size());
  if (e.real != nullptr || e.raw_float) {
    if (token.kind == number_token::form::decimal)
      return error(at, "expected floating-point elements, but parsed integer");
    auto const bits =
        parse_float_bits(token, negative, e.real != nullptr ? e.real->keyword : "f8E8M0FNU", at);
    if (!bits) return false;
    detail::append_bits(to, *bits, e.scalar_size());
    return true;
  }
  if (token.kind == number_token::form::real)
    return error(at, "expected integer elements, but parsed floating-point");
  if (negative && e.integer.sign == ir::signedness::is_unsigned)
    return error(at, "expected unsigned integer elements, but parsed negative value");
  if (e.integer.width <= 64) {
    auto const bits = integer_bits(e.integer, token, negative);
    if (!bits) return error(at, "integer constant out of range for type");
    detail::append_bits(to, {*bits, 0}, e.scalar_size());
    return true;
  }
  auto const bytes = wide_integer_bytes(e.integer, token, negative);
  if (!bytes) return error(at, "integer constant out of range for type");
  to += *bytes;
  return true;
}

/// `array<i64: 1, 2>`.
inline ir::attribute reader::parse_dense_array() {
  in.take_word();
  if (!expect('<', "expected '<' after 'array'")) return {};
  std::size_t const at = in.offset();
  ir::dense_array_attr made{parse_type(), {}};
  if (!made.element) return {};
  auto const e = detail::scalar_of(*context_, made.element);
  if (!e || e->integer.is_index)
    return error(at, "expected an integer or floating point type"), ir::attribute{};
  unsigned const width = e->real != nullptr ? e->real->width : e->raw_float ? 8 : e->integer.width;
  if (width > 64) return error(at, "elements of an array are at most 64 bits wide"), ir::attribute{};
  if (width != 1 && (width == 0 || width % 8 != 0))
    return error(at, "element type bitwidth must be a multiple of 8"), ir::attribute{};
  if (in.consume('>')) return context_->get(std::move(made));
  if (!expect(':', "expected ':' after dense array type")) return {};
  std::string bytes;
  do {
    bytes.clear();
    if (!parse_scalar(*e, bytes)) return {};
    std::uint64_t const bits = detail::load_bits(bytes).low;
    bool const real = e->real != nullptr || e->raw_float;
    made.values.push_back(real ? static_cast<std::int64_t>(bits) : extend(e->integer, bits));
  } while (in.consume(','));
  if (!expect('>', "expected '>' to close an array attribute")) return {};
  return context_->get(std::move(made));
}

/// `dense_resource<key> : type`.
inline ir::attribute reader::parse_dense_resource(ir::type of) {
  in.take_word();
  if (!expect('<', "expected '<' after 'dense_resource'")) return {};
  ir::dense_resource_attr made{std::string(in.take_word()), {}};
  if (made.key.empty()) {
    auto key = parse_string("expected the key of a resource");
    if (!key) return {};
    made.key = std::move(*key);
  }
  if (!expect('>', "expected '>'")) return {};
  if (!of && !expect(':')) return {};
  std::size_t const at = in.offset();
  made.of = of ? of : parse_type();
  if (!made.of) return {};
  if (detail::shape_of(*context_, made.of) == nullptr)
    return error(at, "`dense_resource` expected a shaped type"), ir::attribute{};
  return context_->get(std::move(made));
}

}  // namespace mpmd::text::mlir
