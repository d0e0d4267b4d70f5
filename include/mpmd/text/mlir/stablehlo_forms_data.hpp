#pragma once
/// Pretty forms of StableHLO's constant, compare, slice, reduce_precision and cholesky.

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <mpmd/text/mlir/reader.hpp>
#include <mpmd/text/mlir/stablehlo_forms_layout.hpp>

namespace mpmd::text::mlir::stablehlo {

// --- constant: `{a} dense<1> : T`, or `() <{value = ...}> {a} : () -> U` -----------------------------------

/// The type of an attribute that holds elements, or null.
inline ir::type elements_type(ir::context const& in, ir::attribute value) {
  if (auto const* dense = in.get_if<ir::dense_attr>(value)) return dense->of;
  if (auto const* resource = in.get_if<ir::dense_resource_attr>(value)) return resource->of;
  if (auto const* other = in.get_if<ir::opaque_attr>(value)) return other->of;
  return {};
}

inline step read_constant(op_reader& in) {
  auto& op = in.pending();
  if (in.consume('(')) {
    if (!in.expect(')')) return step::failed;
    if (in.consume('<')) {
      std::vector<attribute_entry> entries;
      if (!in.syntax().parse_entries(entries) || !in.expect('>')) return step::failed;
      for (auto const& e : entries) op.properties.emplace_back(e.key, e.value);
    }
    if (!in.read_optional_attributes()) return step::failed;
    return in.read_signature(in.offset()) ? step::done : step::failed;
  }
  if (!in.read_optional_attributes()) return step::failed;
  std::size_t const at = in.offset();
  ir::attribute const value = in.syntax().parse_attribute();
  if (!value) return step::failed;
  ir::type const of = elements_type(in.context(), value);
  if (!of) return in.fail(at, "expects elements and their type: dense<...> : T");
  in.add_property("value", value);
  op.state.results = {of};
  return step::done;
}

inline step print_constant(op_printer& out, ir::op o, std::uint32_t) {
  ir::program const& in = out.program();
  ir::attribute const value = in.context().lookup(in.properties(o), "value");
  out << "stablehlo.constant";
  if (elements_type(in.context(), value) == in.type_of(in.result(o, 0))) {
    out.attributes(o, {"value"});
    out << ' ';
    out.attribute(value);
    return step::done;
  }
  out << "() <";
  out.attribute(in.properties(o));
  out << '>';
  out.discardable_attributes(o);
  out << " : ";
  out.function_type(o);
  return step::done;
}

inline bool fits_constant(ir::program const& in, ir::op o) {
  return fits_plain(in, o) && in.operand_count(o) == 0 && in.result_count(o) == 1 &&
         elements_type(in.context(), in.context().lookup(in.properties(o), "value"));
}

inline std::string_view constant_name(ir::program const& in, ir::op o) {
  auto const* of = in.context().get_if<ir::tensor_type>(in.type_of(in.result(o, 0)));
  return of != nullptr && in.context().get_if<ir::integer_type>(of->element) != nullptr ? "c" : "cst";
}

// --- compare: `  LT, %a, %b,  SIGNED : ...` ----------------------------------------------------------------

inline step read_compare(op_reader& in) {
  std::size_t const at = in.offset();
  ir::attribute const direction = read_enum(in, comparison_direction);
  if (!direction) return step::failed;
  in.add_property("comparison_direction", direction);
  auto& uses = in.pending().uses;
  for (int i = 0; i < 2; ++i)
    if (!in.expect(',') || !in.read_use(uses.emplace_back())) return step::failed;
  if (in.consume(',')) {
    ir::attribute const type = read_enum(in, comparison_type);
    if (!type) return step::failed;
    in.add_property("compare_type", type);
  }
  if (!in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_compare(op_printer& out, ir::op o, std::uint32_t) {
  ir::context const& context = out.context();
  ir::attribute const properties = out.program().properties(o);
  // The dialect prints a blank of its own before an enumeration.
  out << "stablehlo.compare  "
      << enum_value(context, comparison_direction, context.lookup(properties, "comparison_direction"))
      << ", ";
  out.uses(out.program().operands(o));
  if (ir::attribute const type = context.lookup(properties, "compare_type"))
    out << ",  " << enum_value(context, comparison_type, type);
  out.attributes(o, {"compare_type", "comparison_direction"});
  out << " : ";
  out.function_type(o);
  return step::done;
}

inline bool fits_compare(ir::program const& in, ir::op o) {
  ir::context const& context = in.context();
  ir::attribute const properties = in.properties(o);
  ir::attribute const type = context.lookup(properties, "compare_type");
  return fits_plain(in, o) && in.operand_count(o) == 2 &&
         !enum_value(context, comparison_direction, context.lookup(properties, "comparison_direction"))
              .empty() &&
         (!type || !enum_value(context, comparison_type, type).empty());
}

// --- slice: `%x [0:4, 0:8:2] : ...` ------------------------------------------------------------------------

inline constexpr std::array<std::string_view, 3> slice_lists{"start_indices", "limit_indices", "strides"};

inline step read_slice(op_reader& in) {
  std::size_t const at = in.offset();
  if (!in.read_use(in.pending().uses.emplace_back()) || !in.expect('[')) return step::failed;
  std::array<std::vector<std::int64_t>, 3> lists;
  bool more = !in.consume(']');
  while (more) {
    auto const start = in.syntax().parse_integer();
    if (!start || !in.expect(':')) return step::failed;
    auto const limit = in.syntax().parse_integer();
    if (!limit) return step::failed;
    auto const stride = in.consume(':') ? in.syntax().parse_integer() : std::int64_t{1};
    if (!stride) return step::failed;
    lists[0].push_back(*start);
    lists[1].push_back(*limit);
    lists[2].push_back(*stride);
    more = in.consume(',');
    if (!more && !in.expect(']')) return step::failed;
  }
  for (std::size_t i = 0; i < 3; ++i)
    in.add_property(slice_lists[i], integer_list(in.context(), std::move(lists[i])));
  if (!in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_slice(op_printer& out, ir::op o, std::uint32_t) {
  ir::context const& context = out.context();
  std::array<ir::dense_array_attr const*, 3> lists;
  for (std::size_t i = 0; i < 3; ++i)
    lists[i] = integer_list(context, context.lookup(out.program().properties(o), slice_lists[i]));
  out << "stablehlo.slice ";
  out.uses(out.program().operands(o));
  out << " [";
  for (std::size_t d = 0; d < lists[0]->values.size(); ++d) {
    if (d != 0) out << ", ";
    out.number(lists[0]->values[d]);
    out << ':';
    out.number(lists[1]->values[d]);
    if (lists[2]->values[d] == 1) continue;
    out << ':';
    out.number(lists[2]->values[d]);
  }
  out << ']';
  out.attributes(o, {slice_lists[0], slice_lists[1], slice_lists[2]});
  out << " : ";
  out.function_type(o);
  return step::done;
}

inline bool fits_slice(ir::program const& in, ir::op o) {
  if (!fits_plain(in, o) || in.operand_count(o) != 1) return false;
  std::size_t rank = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    auto const* list = integer_list(in.context(), in.context().lookup(in.properties(o), slice_lists[i]));
    if (list == nullptr || (i != 0 && list->values.size() != rank)) return false;
    rank = list->values.size();
  }
  return true;
}

// --- reduce_precision: `%x, format = e5m10 : T` ------------------------------------------------------------

inline step read_reduce_precision(op_reader& in) {
  std::size_t const at = in.offset();
  if (!in.read_use(in.pending().uses.emplace_back()) || !in.expect(',') || !in.expect_word("format") ||
      !in.expect('='))
    return step::failed;
  std::size_t const format_at = in.offset();
  std::string_view const word = in.read_word();
  char const* at_digit = word.data();
  char const* const end = word.data() + word.size();
  for (auto const& [letter, property] : {std::pair{'e', "exponent_bits"}, std::pair{'m', "mantissa_bits"}}) {
    std::int32_t bits = 0;
    if (at_digit == end || *at_digit != letter || ++at_digit == end || !chars::is(*at_digit, chars::digit))
      return in.fail(format_at, "expects a format like e5m10");
    auto const [stop, error] = std::from_chars(at_digit, end, bits);
    if (error != std::errc{}) return in.fail(format_at, "expects a format like e5m10");
    at_digit = stop;
    in.add_property(property, in.context().integer_value(bits, 32));
  }
  if (at_digit != end) return in.fail(format_at, "expects a format like e5m10");
  if (!in.read_optional_attributes() || !in.expect(':')) return step::failed;
  return read_types(in, type_rule::same, at) ? step::done : step::failed;
}

inline step print_reduce_precision(op_printer& out, ir::op o, std::uint32_t) {
  out << "stablehlo.reduce_precision ";
  out.uses(out.program().operands(o));
  out << ", format = e";
  out.number(small_count(out.program(), o, "exponent_bits")->value);
  out << 'm';
  out.number(small_count(out.program(), o, "mantissa_bits")->value);
  out.attributes(o, {"exponent_bits", "mantissa_bits"});
  print_types(out, o, type_rule::same);
  return step::done;
}

// --- cholesky: `%x, lower = true : T` ----------------------------------------------------------------------

inline constexpr layout cholesky_layout{.types = type_rule::same,
                                        .items = {{{"lower", "lower", value_kind::flag}}}};

inline step print_cholesky(op_printer& out, ir::op o, std::uint32_t) {
  if (out.context().lookup(out.program().properties(o), "lower"))
    return print_layout(out, o, cholesky_layout);
  out << "stablehlo.cholesky ";
  out.uses(out.program().operands(o));
  out << ", lower = false";
  out.attributes(o);
  print_types(out, o, type_rule::same);
  return step::done;
}

inline constexpr auto data_forms = std::to_array<form>({
    {.name = "stablehlo.constant",
     .read = &read_constant,
     .print = &print_constant,
     .fits = &fits_constant,
     .result_name = &constant_name},
    {.name = "stablehlo.compare",
     .read = &read_compare,
     .print = &print_compare,
     .fits = &fits_compare,
     .normalise = &normalise},
    {.name = "stablehlo.slice",
     .read = &read_slice,
     .print = &print_slice,
     .fits = &fits_slice,
     .normalise = &normalise},
    {.name = "stablehlo.reduce_precision",
     .read = &read_reduce_precision,
     .print = &print_reduce_precision,
     .fits =
         [](ir::program const& in, ir::op o) {
           return fits_plain(in, o) && in.operand_count(o) == 1 && in.result_count(o) == 1 &&
                  small_count(in, o, "exponent_bits") != nullptr &&
                  small_count(in, o, "mantissa_bits") != nullptr;
         },
     .normalise = &normalise},
    {.name = "stablehlo.cholesky",
     .read = [](op_reader& in) { return read_layout(in, cholesky_layout); },
     .print = &print_cholesky,
     .fits =
         [](ir::program const& in, ir::op o) {
           return in.context().lookup(in.properties(o), "lower")
                      ? fits(in, o, cholesky_layout)
                      : fits_plain(in, o) && in.operand_count(o) == 1 && in.result_count(o) == 1;
         },
     .normalise = &normalise},
});

}  // namespace mpmd::text::mlir::stablehlo
