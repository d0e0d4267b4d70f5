#pragma once
/// Members of reader for types.

#include <charconv>
#include <system_error>

#include <mpmd/text/mlir/detail/foreign_text.hpp>
#include <mpmd/text/mlir/number.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir {

namespace detail {

inline bool is_vector_element(ir::context const& in, ir::type of) {
  return in.get_if<ir::integer_type>(of) || in.get_if<ir::index_type>(of) || in.get_if<ir::float_type>(of);
}
/// Numbers, vectors of them, and whatever a dialect defines.
inline bool is_tensor_element(ir::context const& in, ir::type of) {
  auto const* text = in.get_if<ir::opaque_type>(of);
  return is_vector_element(in, of) || in.get_if<ir::complex_type>(of) || in.get_if<ir::vector_type>(of) ||
         in.get_if<ir::token_type>(of) || in.get_if<ir::mesh_tensor_type>(of) ||
         (text && text->text[0] == '!');
}

}  // namespace detail

inline ir::type reader::parse_type() {
  auto const found = parse_optional_type();
  if (!found) error("expected non-function type");
  return found.value_or(ir::type{});
}

inline std::optional<ir::type> reader::parse_optional_type() {
  char const next = in.peek();
  if (next != '(' && next != '!' && !chars::starts_word(next)) return std::nullopt;
  if (next != '(' && next != '!') {
    auto const word = in.word();
    auto const simple = keyword_type(word);
    if (simple) return simple;
    if (word != "tensor" && word != "vector" && word != "complex" && word != "tuple" && word != "memref")
      return std::nullopt;
  }
  nested const level(*this);
  if (!level) return ir::type{};
  switch (next) {
    case '(': return parse_function_type();
    case '!': return parse_sigil_type();
    case 'v': return parse_vector_type();
    case 'c': return parse_complex_type();
    case 'm': return parse_memref_type();
    default: return in.next_is_word("tensor") ? parse_tensor_type() : parse_tuple_type();
  }
}

/// A type that is one keyword; consumed if it is.
inline std::optional<ir::type> reader::keyword_type(std::string_view word) {
  if (word == "index") return in.seek(in.offset() + word.size()), context_->get(ir::index_type{});
  if (word == "none") return in.seek(in.offset() + word.size()), context_->get(ir::none_type{});
  if (find_float_format(word) != nullptr || word == "f8E8M0FNU")
    return in.seek(in.offset() + word.size()), context_->floating(word);
  auto sign = ir::signedness::signless;
  std::string_view digits = word;
  if (digits.substr(0, 2) == "si" || digits.substr(0, 2) == "ui") {
    sign = word[0] == 's' ? ir::signedness::is_signed : ir::signedness::is_unsigned;
    digits.remove_prefix(1);
  }
  if (digits.size() < 2 || digits[0] != 'i') return std::nullopt;
  digits.remove_prefix(1);
  for (char c : digits)
    if (!chars::is(c, chars::digit)) return std::nullopt;
  std::uint32_t width = 0;
  auto const made = std::from_chars(digits.data(), digits.data() + digits.size(), width);
  constexpr std::uint32_t widest = (1u << 24) - 1;
  if (made.ec != std::errc{} || width > widest)
    return error("integer bitwidth is limited to 16777215 bits"), ir::type{};
  in.seek(in.offset() + word.size());
  return context_->integer(width, sign);
}

inline bool reader::parse_types(std::vector<ir::type>& to) {
  do {
    ir::type const one = parse_type();
    if (!one) return false;
    to.push_back(one);
  } while (in.consume(','));
  return true;
}

inline bool reader::parse_result_types(std::vector<ir::type>& to) {
  auto one = [&] {
    to.push_back(parse_type());
    return static_cast<bool>(to.back());
  };
  return in.next_is('(') ? parse_list('(', ')', one) : one();
}

inline bool reader::parse_signature(std::vector<ir::type>& inputs, std::vector<ir::type>& results) {
  return parse_list('(', ')',
                    [&] {
                      inputs.push_back(parse_type());
                      return static_cast<bool>(inputs.back());
                    }) &&
         expect("->") && parse_result_types(results);
}

inline ir::type reader::parse_function_type() {
  ir::function_type made;
  if (!parse_signature(made.inputs, made.results)) return {};
  return context_->get(std::move(made));
}

/// `4x?x`: leaves the cursor at the element type.
inline bool reader::parse_dimensions(std::vector<std::int64_t>& shape) {
  while (in.next_is('?') || chars::is(in.peek(), chars::digit)) {
    if (in.consume('?')) {
      shape.push_back(ir::dynamic_extent);
    } else {
      auto const digits = in.digits();
      std::int64_t extent = 0;
      if (std::from_chars(digits.data(), digits.data() + digits.size(), extent).ec != std::errc{})
        return error("invalid dimension");
      shape.push_back(extent);
      in.seek(in.offset() + digits.size());
    }
    if (!in.consume('x')) return error("expected 'x' in dimension list");
  }
  return true;
}

inline ir::type reader::parse_tensor_type() {
  in.take_word();
  if (!expect('<', "expected '<' in tensor type")) return {};
  bool const ranked = !in.consume('*');
  ir::tensor_type made;
  if (ranked ? !parse_dimensions(made.shape) : !expect('x', "expected 'x' in dimension list")) return {};
  std::size_t const at = in.offset();
  made.element = parse_type();
  if (!made.element) return {};
  if (!detail::is_tensor_element(*context_, made.element))
    return error(at, "invalid tensor element type"), ir::type{};
  if (in.consume(',')) {
    made.encoding = parse_attribute();
    if (!made.encoding) return {};
    if (!ranked) return error(at, "cannot apply encoding to unranked tensor"), ir::type{};
  }
  if (!expect('>', "expected '>' in tensor type")) return {};
  return ranked ? context_->get(std::move(made)) : context_->get(ir::unranked_tensor_type{made.element});
}

inline ir::type reader::parse_vector_type() {
  in.take_word();
  if (!expect('<', "expected '<' in vector type")) return {};
  ir::vector_type made;
  while (in.next_is('[') || chars::is(in.peek(), chars::digit)) {
    std::size_t const at = in.offset();
    bool const scalable = in.consume('[');
    auto const digits = in.digits();
    std::int64_t extent = 0;
    if (std::from_chars(digits.data(), digits.data() + digits.size(), extent).ec != std::errc{} ||
        extent <= 0)
      return error(at, "vector types must have positive constant sizes"), ir::type{};
    in.seek(in.offset() + digits.size());
    if (scalable && !expect(']', "missing ']' closing scalable dimension")) return {};
    if (!expect('x', "expected 'x' in dimension list")) return {};
    made.shape.push_back(extent);
    made.scalable.push_back(scalable);
  }
  std::size_t const at = in.offset();
  made.element = parse_type();
  if (!made.element) return {};
  if (!detail::is_vector_element(*context_, made.element))
    return error(at, "vector elements must be int/index/float type"), ir::type{};
  if (!expect('>', "expected '>' in vector type")) return {};
  return context_->get(std::move(made));
}

inline ir::type reader::parse_complex_type() {
  in.take_word();
  if (!expect('<', "expected '<' in complex type")) return {};
  std::size_t const at = in.offset();
  ir::type const element = parse_type();
  if (!element) return {};
  if (context_->get_if<ir::integer_type>(element) == nullptr &&
      context_->get_if<ir::float_type>(element) == nullptr)
    return error(at, "invalid element type for complex"), ir::type{};
  if (!expect('>', "expected '>' in complex type")) return {};
  return context_->get(ir::complex_type{element});
}

inline ir::type reader::parse_tuple_type() {
  in.take_word();
  ir::tuple_type made;
  if (!parse_list('<', '>', [&] {
        made.elements.push_back(parse_type());
        return static_cast<bool>(made.elements.back());
      }))
    return {};
  return context_->get(std::move(made));
}

/// A memref stays text: nothing here looks inside one.
inline ir::type reader::parse_memref_type() {
  in.take_word();
  auto body = parse_foreign_body("memref");
  if (!body) return {};
  return context_->get(ir::opaque_type{"memref" + *body});
}

/// `!alias`, `!dialect.name<...>` or `!dialect<...>`.
inline ir::type reader::parse_sigil_type() {
  std::size_t const at = in.offset();
  std::string_view const name = in.take_sigil_id('!');
  if (name.empty()) return error(at, "invalid type identifier"), ir::type{};
  bool const has_body = in.next_is('<') && in.offset() == in.end_of_last();
  std::size_t const dot = name.find('.');
  if (dot == std::string_view::npos && !has_body) {
    auto const found = type_aliases_.find(name);
    if (found == type_aliases_.end())
      return error(at, "undefined symbol alias id '" + std::string(name) + "'"), ir::type{};
    return enter_alias(at, found->second.size) ? found->second.value : ir::type{};
  }
  if (has_body && !check_balanced(in.offset())) return {};
  if (name == "stablehlo.token") return context_->get(ir::token_type{});
  if (name == "mpmd.mesh_tensor") return parse_mesh_tensor_type();
  if (name.substr(0, dot) != "mpmd") return parse_opaque_type(name, has_body);
  // The generic spelling, `!mpmd<mesh_tensor<...>>`.
  if (dot == std::string_view::npos && in.consume('<') && in.consume_word("mesh_tensor")) {
    ir::type const made = parse_mesh_tensor_type();
    return made && expect('>') ? made : ir::type{};
  }
  return error(at, "unknown type '" + std::string(name) + "' in dialect 'mpmd'"), ir::type{};
}

inline ir::type reader::parse_opaque_type(std::string_view name, bool has_body) {
  std::string text = "!" + std::string(name);
  if (has_body) {
    auto const body = parse_foreign_body(name.substr(0, name.find('.')));
    if (!body) return {};
    text = detail::join_foreign(std::move(text), *body);
  }
  return context_->get(ir::opaque_type{std::move(text)});
}

/// `<"m1", tensor<8xf32>, sharding=<...>, memory_kind="device">`.
inline ir::type reader::parse_mesh_tensor_type() {
  if (!expect('<')) return {};
  auto label = parse_string();
  if (!label || !expect(',')) return {};
  std::size_t const at = in.offset();
  ir::mesh_tensor_type made{std::move(*label), parse_type()};
  if (!made.global) return {};
  if (context_->get_if<ir::tensor_type>(made.global) == nullptr)
    return error(at, "expected a ranked tensor type"), ir::type{};
  bool more = in.consume(',');
  if (more && in.consume_word("sharding")) {
    if (!expect('=')) return {};
    made.sharding = parse_sharding();
    if (!made.sharding) return {};
    more = in.consume(',');
  }
  if (more) {
    if (!expect_word("memory_kind") || !expect('=')) return {};
    made.memory_kind = parse_string();
    if (!made.memory_kind) return {};
  }
  if (!expect('>')) return {};
  return context_->get(std::move(made));
}

}  // namespace mpmd::text::mlir
