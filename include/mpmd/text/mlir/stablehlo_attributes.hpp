#pragma once
/// Attributes of the StableHLO dialect that its pretty forms take apart, and the one representation that both
/// forms of an op share. The IR keeps `#stablehlo...` as text; here it is parsed and put together again.
///
/// Source: the assembly formats of the StableHLO dialect, version 1.

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/lexer.hpp>

namespace mpmd::text::mlir::stablehlo {

/// An enumeration of the dialect: `#stablehlo<mnemonic VALUE>`.
struct enumeration {
  std::string_view mnemonic;
  std::string_view values;  ///< separated by ", "

  constexpr bool has(std::string_view value) const {
    for (std::string_view rest = values; !rest.empty();) {
      std::size_t const stop = rest.find(", ");
      if (rest.substr(0, stop) == value) return true;
      rest = stop == std::string_view::npos ? std::string_view{} : rest.substr(stop + 2);
    }
    return false;
  }
};

inline constexpr enumeration comparison_direction{"comparison_direction", "EQ, NE, GE, GT, LE, LT"};
inline constexpr enumeration comparison_type{"comparison_type",
                                             "NOTYPE, FLOAT, TOTALORDER, SIGNED, UNSIGNED"};
inline constexpr enumeration precision{"precision", "DEFAULT, HIGH, HIGHEST"};
inline constexpr enumeration fft_type{"fft_type", "FFT, IFFT, RFFT, IRFFT"};
inline constexpr enumeration rng_algorithm{"rng_algorithm", "DEFAULT, THREE_FRY, PHILOX"};
inline constexpr enumeration rng_distribution{"rng_distribution", "UNIFORM, NORMAL"};

inline ir::attribute enum_attribute(ir::context& in, enumeration const& of, std::string_view value) {
  std::string text = "#stablehlo<";
  text += of.mnemonic;
  text += ' ';
  text += value;
  text += '>';
  return in.get(ir::opaque_attr{std::move(text)});
}

/// The value of such an attribute, or empty when it is something else.
inline std::string_view enum_value(ir::context const& in, enumeration const& of, ir::attribute a) {
  auto const* kept = in.get_if<ir::opaque_attr>(a);
  if (kept == nullptr || kept->of) return {};
  cursor text(kept->text);
  if (!text.consume("#stablehlo<") || !text.consume_word(of.mnemonic)) return {};
  auto const value = text.take_word();
  return text.consume('>') && text.at_end() && of.has(value) ? value : std::string_view{};
}

/// Stands at the body of `#stablehlo.mnemonic<body>` (or `#stablehlo<mnemonic<body>>`), behind the '<'; the
/// cursor's text ends before the closing bracket. Nothing when the attribute is another.
inline std::optional<cursor> struct_body(ir::context const& in, std::string_view mnemonic, ir::attribute a) {
  auto const* kept = in.get_if<ir::opaque_attr>(a);
  if (kept == nullptr || kept->of) return {};
  cursor text(kept->text);
  std::size_t closing = 1;
  if (text.consume("#stablehlo.")) {
    if (text.take_word() != mnemonic) return {};
  } else {
    if (!text.consume("#stablehlo<") || text.take_word() != mnemonic) return {};
    closing = 2;
  }
  if (!text.consume('<')) return {};
  std::size_t end = kept->text.size();
  for (; closing != 0; --closing) {
    while (end > text.offset() && chars::is(kept->text[end - 1], chars::blank)) --end;
    if (end == text.offset() || kept->text[end - 1] != '>') return {};
    --end;
  }
  return cursor(std::string_view(kept->text).substr(text.offset(), end - text.offset()));
}

/// `-?` digits.
inline std::optional<std::int64_t> read_integer(cursor& in) {
  bool const minus = in.consume('-');
  auto const digits = in.digits();
  std::string const text = (minus ? "-" : "") + std::string(digits);
  std::int64_t value = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (digits.empty() || error != std::errc{}) return {};
  in.seek(in.offset() + digits.size());
  return value;
}

/// `[1, 2]`.
inline bool read_integers(cursor& in, std::vector<std::int64_t>& to) {
  if (!in.consume('[')) return false;
  if (in.consume(']')) return true;
  do {
    auto const value = read_integer(in);
    if (!value) return false;
    to.push_back(*value);
  } while (in.consume(','));
  return in.consume(']');
}

/// `[1, 2]`.
inline void append_integers(std::string& out, std::vector<std::int64_t> const& values) {
  out += '[';
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i != 0) out += ", ";
    out += std::to_string(values[i]);
  }
  out += ']';
}

/// `#stablehlo.dot<...>`: how a dot_general pairs the dimensions of its operands.
struct dot_dimensions {
  std::vector<std::int64_t> lhs_batching = {};
  std::vector<std::int64_t> rhs_batching = {};
  std::vector<std::int64_t> lhs_contracting = {};
  std::vector<std::int64_t> rhs_contracting = {};
};

/// The fields may come in any order; a field that is left out is empty. Nothing when the attribute is
/// another.
inline std::optional<dot_dimensions> parse_dot_dimensions(ir::context const& in, ir::attribute a) {
  auto body = struct_body(in, "dot", a);
  if (!body) return {};
  dot_dimensions d;
  std::array<std::pair<std::string_view, std::vector<std::int64_t>*>, 4> fields{{
      {"lhs_batching_dimensions", &d.lhs_batching},
      {"rhs_batching_dimensions", &d.rhs_batching},
      {"lhs_contracting_dimensions", &d.lhs_contracting},
      {"rhs_contracting_dimensions", &d.rhs_contracting},
  }};
  while (!body->at_end()) {
    auto const key = body->take_word();
    std::vector<std::int64_t>* to = nullptr;
    for (auto& [name, values] : fields)
      if (name == key) to = std::exchange(values, nullptr);
    if (to == nullptr || !body->consume('=') || !read_integers(*body, *to)) return {};
    if (!body->at_end() && (!body->consume(',') || body->at_end())) return {};
  }
  return d;
}

inline ir::attribute dot_attribute(ir::context& in, dot_dimensions const& d) {
  std::string text = "#stablehlo.dot<";
  auto field = [&text](std::string_view name, std::vector<std::int64_t> const& values) {
    if (values.empty()) return;
    if (text.back() != '<') text += ", ";
    text += name;
    text += " = ";
    append_integers(text, values);
  };
  field("lhs_batching_dimensions", d.lhs_batching);
  field("rhs_batching_dimensions", d.rhs_batching);
  field("lhs_contracting_dimensions", d.lhs_contracting);
  field("rhs_contracting_dimensions", d.rhs_contracting);
  text += '>';
  return in.get(ir::opaque_attr{std::move(text)});
}

/// The body of `#stablehlo.dot_algorithm<...>`, in the dialect's order of fields. Stops behind it; empty when
/// the text is malformed, and then `in` stands at the culprit.
inline std::string read_dot_algorithm(cursor& in) {
  static constexpr std::array<std::string_view, 7> names{
      "lhs_precision_type",  "rhs_precision_type",       "accumulation_type",           "lhs_component_count",
      "rhs_component_count", "num_primitive_operations", "allow_imprecise_accumulation"};
  std::array<std::string_view, names.size()> values;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0 && !in.consume(',')) return {};
    auto const key = in.word();
    std::size_t which = 0;
    while (which < names.size() && (names[which] != key || !values[which].empty())) ++which;
    if (which == names.size()) return {};
    in.take_word();
    if (!in.consume('=')) return {};
    bool const counts = which >= 3 && which < 6;
    std::string_view const value = counts ? in.digits() : in.word();
    if (value.empty() || (which == 6 && value != "true" && value != "false")) return {};
    values[which] = value;
    in.seek(in.offset() + value.size());
  }
  std::string out;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) out += ", ";
    out += names[i];
    out += " = ";
    out += values[i];
  }
  return out;
}

inline ir::attribute dot_algorithm_attribute(ir::context& in, std::string_view body) {
  return in.get(ir::opaque_attr{"#stablehlo.dot_algorithm<" + std::string(body) + ">"});
}

/// The body as text, or empty when the attribute is another.
inline std::string parse_dot_algorithm(ir::context const& in, ir::attribute a) {
  auto body = struct_body(in, "dot_algorithm", a);
  if (!body) return {};
  std::string text = read_dot_algorithm(*body);
  return body->at_end() ? text : std::string{};
}

/// The `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]` of a convolution, checked and with normal white space. Stops
/// behind it; empty when the text is malformed, and then `in` stands at the culprit.
inline std::string read_convolution_dimensions(cursor& in) {
  std::string out;
  auto list = [&](std::string_view letters) {
    if (!in.consume('[')) return false;
    out += '[';
    std::vector<std::string_view> seen;
    do {
      std::string_view mark = in.next_is('?') ? std::string_view("?") : in.word();
      if (mark.empty()) mark = in.digits();
      bool known = !mark.empty() && (chars::is(mark[0], chars::digit) || mark == "?");
      for (char const& letter : letters) known |= mark == std::string_view(&letter, 1);
      for (auto const& other : seen) known &= mark == "?" || other != mark;
      if (!known) return false;
      seen.push_back(mark);
      in.seek(in.offset() + mark.size());
      if (out.back() != '[') out += ", ";
      out += mark;
    } while (in.consume(','));
    for (char const& letter : letters) {
      bool found = false;
      for (auto const& mark : seen) found |= mark == std::string_view(&letter, 1) || mark == "?";
      if (!found) return false;
    }
    out += ']';
    return in.consume(']');
  };
  if (!list("bf") || !in.consume('x')) return {};
  out += 'x';
  if (!list("io") || !in.consume("->")) return {};
  out += "->";
  return list("bf") ? out : std::string{};
}

inline ir::attribute convolution_attribute(ir::context& in, std::string_view dimensions) {
  return in.get(ir::opaque_attr{"#stablehlo.conv<" + std::string(dimensions) + ">"});
}

/// The dimensions as text, or empty when the attribute is another (or is spelled `raw`).
inline std::string parse_convolution_dimensions(ir::context const& in, ir::attribute a) {
  auto body = struct_body(in, "conv", a);
  if (!body) return {};
  std::string text = read_convolution_dimensions(*body);
  return body->at_end() ? text : std::string{};
}

}  // namespace mpmd::text::mlir::stablehlo
