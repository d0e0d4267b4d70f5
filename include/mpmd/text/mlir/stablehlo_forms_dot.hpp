#pragma once
/// Pretty forms of StableHLO's products: dot, dot_general and convolution.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/text/mlir/lexer.hpp>
#include <mpmd/text/mlir/stablehlo_forms_layout.hpp>

namespace mpmd::text::mlir::stablehlo {

// --- precision = [HIGH, DEFAULT] ---------------------------------------------------------------------------

/// Stands behind the comma.
inline bool read_precision(op_reader& in) {
  if (!in.expect_word("precision") || !in.expect('=') || !in.expect('[')) return false;
  ir::array_attr made;
  if (!in.consume(']')) {
    do {
      ir::attribute const one = read_enum(in, precision);
      if (!one) return false;
      made.elements.push_back(one);
    } while (in.consume(','));
    if (!in.expect(']')) return false;
  }
  in.add_property("precision_config", in.context().get(std::move(made)));
  return true;
}

inline void print_precision(op_printer& out, ir::op o) {
  ir::context const& context = out.context();
  auto const* list =
      context.get_if<ir::array_attr>(context.lookup(out.program().properties(o), "precision_config"));
  if (list == nullptr) return;
  out << ", precision = [";
  out.separated(list->elements, [&](ir::attribute one) { out << enum_value(context, precision, one); });
  out << ']';
}

inline bool fits_precision(ir::program const& in, ir::op o) {
  ir::context const& context = in.context();
  ir::attribute const value = context.lookup(in.properties(o), "precision_config");
  if (!value) return true;
  auto const* list = context.get_if<ir::array_attr>(value);
  if (list == nullptr) return false;
  for (ir::attribute const one : list->elements)
    if (enum_value(context, precision, one).empty()) return false;
  return true;
}

/// No regions or successors, and one result.
inline bool fits_operands(ir::program const& in, ir::op o, std::uint32_t operands) {
  return in.operand_count(o) == operands && in.result_count(o) == 1 && in.regions(o).empty() &&
         in.successors(o).empty();
}

inline bool read_two_uses(op_reader& in) {
  auto& uses = in.pending().uses;
  uses.resize(2);
  return in.read_use(uses[0]) && in.expect(',') && in.read_use(uses[1]);
}

// --- dot ---------------------------------------------------------------------------------------------------

inline step read_dot(op_reader& in) {
  std::size_t const at = in.offset();
  if (!read_two_uses(in)) return step::failed;
  if (in.consume(',') && !read_precision(in)) return step::failed;
  if (!in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_dot(op_printer& out, ir::op o, std::uint32_t) {
  out << "stablehlo.dot ";
  out.uses(out.program().operands(o));
  print_precision(out, o);
  out.attributes(o, {"precision_config"});
  out << " : ";
  out.function_type(o);
  return step::done;
}

// --- dot_general -------------------------------------------------------------------------------------------

inline step read_dot_general(op_reader& in) {
  std::size_t const at = in.offset();
  if (!read_two_uses(in) || !in.expect(',')) return step::failed;
  dot_dimensions d;
  auto read_pair = [&in](std::vector<std::int64_t>& lhs, std::vector<std::int64_t>& rhs) {
    return in.expect('=') && read_integers(in, lhs) && in.expect_word("x") && read_integers(in, rhs);
  };
  if (in.consume_word("batching_dims") && (!read_pair(d.lhs_batching, d.rhs_batching) || !in.expect(',')))
    return step::failed;
  if (!in.expect_word("contracting_dims") || !read_pair(d.lhs_contracting, d.rhs_contracting))
    return step::failed;
  in.add_property("dot_dimension_numbers", dot_attribute(in.context(), d));
  bool more = in.consume(',');
  if (more && !in.next_is_word("algorithm")) {
    if (!read_precision(in)) return step::failed;
    more = in.consume(',');
  }
  if (more) {
    if (!in.expect_word("algorithm") || !in.expect('=') || !in.expect('<')) return step::failed;
    std::string const body = read_dot_algorithm(in.text());
    if (body.empty()) return in.fail(in.offset(), "expects the seven fields of a dot algorithm, each once");
    if (!in.expect('>')) return step::failed;
    in.add_property("algorithm", dot_algorithm_attribute(in.context(), body));
  }
  if (!in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_dot_general(op_printer& out, ir::op o, std::uint32_t) {
  ir::context const& context = out.context();
  ir::attribute const properties = out.program().properties(o);
  out << "stablehlo.dot_general ";
  out.uses(out.program().operands(o));
  auto const d = parse_dot_dimensions(context, context.lookup(properties, "dot_dimension_numbers"));
  auto print_pair = [&out](std::string_view keyword, auto const& lhs, auto const& rhs) {
    out << ", " << keyword << " = ";
    append_integers(out.out(), lhs);
    out << " x ";
    append_integers(out.out(), rhs);
  };
  if (!d->lhs_batching.empty() || !d->rhs_batching.empty())
    print_pair("batching_dims", d->lhs_batching, d->rhs_batching);
  print_pair("contracting_dims", d->lhs_contracting, d->rhs_contracting);
  print_precision(out, o);
  if (auto const body = parse_dot_algorithm(context, context.lookup(properties, "algorithm")); !body.empty())
    out << ", algorithm = <" << body << '>';
  out.attributes(o, {"algorithm", "dot_dimension_numbers", "precision_config"});
  out << " : ";
  out.function_type(o);
  return step::done;
}

inline bool fits_dot_general(ir::program const& in, ir::op o) {
  ir::context const& context = in.context();
  ir::attribute const algorithm = context.lookup(in.properties(o), "algorithm");
  return fits_operands(in, o, 2) && fits_precision(in, o) &&
         parse_dot_dimensions(context, context.lookup(in.properties(o), "dot_dimension_numbers")) &&
         (!algorithm || !parse_dot_algorithm(context, algorithm).empty());
}

// --- convolution -------------------------------------------------------------------------------------------

enum class window_value : std::uint8_t { integers, pairs, flags };
struct window_item {
  std::string_view keyword;
  std::string_view attribute;
  window_value kind;
};
inline constexpr auto window_items = std::to_array<window_item>({
    {"stride", "window_strides", window_value::integers},
    {"pad", "padding", window_value::pairs},
    {"lhs_dilate", "lhs_dilation", window_value::integers},
    {"rhs_dilate", "rhs_dilation", window_value::integers},
    {"reverse", "window_reversal", window_value::flags},
});

inline ir::attribute read_window_value(op_reader& in, window_value kind) {
  std::vector<std::int64_t> values;
  if (kind == window_value::integers)
    return read_integers(in, values) ? integer_list(in.context(), std::move(values)) : ir::attribute{};
  if (!in.expect('[')) return {};
  bool more = !in.consume(']');
  while (more) {
    std::size_t const at = in.offset();
    if (kind == window_value::pairs) {
      std::size_t const before = values.size();
      if (!read_integers(in, values)) return {};
      if (values.size() != before + 2)
        return in.fail(at, "expects padding as pairs: [low, high]"), ir::attribute{};
    } else if (auto const word = in.read_word(); word == "true" || word == "false") {
      values.push_back(word == "true");
    } else if (auto const digits = in.text().digits(); word.empty() && (digits == "0" || digits == "1")) {
      values.push_back(digits == "1");
      in.text().seek(at + 1);
    } else {
      return in.fail(at, "expects true or false"), ir::attribute{};
    }
    more = in.consume(',');
    if (!more && !in.expect(']')) return {};
  }
  if (kind == window_value::pairs) return integer_pairs(in.context(), values);
  return in.context().get(ir::dense_array_attr{in.context().integer(1), std::move(values)});
}

inline bool read_window(op_reader& in) {
  if (!in.expect_word("window") || !in.expect('=') || !in.expect('{')) return false;
  if (in.consume('}')) return true;
  bool seen[window_items.size()] = {};
  do {
    std::size_t const at = in.offset();
    auto const keyword = in.read_word();
    std::size_t which = 0;
    while (which < window_items.size() && window_items[which].keyword != keyword) ++which;
    if (which == window_items.size()) {
      in.fail(at, "expects one of stride, pad, lhs_dilate, rhs_dilate, reverse");
      return false;
    }
    if (std::exchange(seen[which], true)) {
      in.fail(at, "gives '" + std::string(keyword) + "' twice");
      return false;
    }
    if (!in.expect('=')) return false;
    ir::attribute const value = read_window_value(in, window_items[which].kind);
    if (!value) return false;
    in.add_property(window_items[which].attribute, value);
  } while (in.consume(','));
  return in.expect('}');
}

inline step read_convolution(op_reader& in) {
  std::size_t const at = in.offset();
  if (!in.read_uses_in_parentheses(in.pending().uses)) return step::failed;
  if (!in.expect_word("dim_numbers") || !in.expect('=')) return step::failed;
  std::string const dimensions = read_convolution_dimensions(in.text());
  if (dimensions.empty())
    return in.fail(in.offset(), "expects dimension numbers like [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]");
  in.add_property("dimension_numbers", convolution_attribute(in.context(), dimensions));
  if (!in.expect(',') || !read_window(in) || !in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_convolution(op_printer& out, ir::op o, std::uint32_t) {
  ir::context const& context = out.context();
  ir::attribute const properties = out.program().properties(o);
  out << "stablehlo.convolution(";
  out.uses(out.program().operands(o));
  out << ") dim_numbers = "
      << parse_convolution_dimensions(context, context.lookup(properties, "dimension_numbers"))
      << ", window = {";
  bool first = true;
  for (auto const& item : window_items) {
    ir::attribute const value = context.lookup(properties, item.attribute);
    if (!value) continue;
    out << (std::exchange(first, false) ? "" : ", ") << item.keyword << " = ";
    if (item.kind == window_value::pairs) {
      auto const flat = *integer_elements(context, value);
      out << '[';
      for (std::size_t i = 0; i + 1 < flat.size(); i += 2) {
        if (i != 0) out << ", ";
        append_integers(out.out(), {flat[i], flat[i + 1]});
      }
      out << ']';
    } else if (auto const& list = *context.get_if<ir::dense_array_attr>(value);
               item.kind == window_value::integers) {
      print_integers(out, list);
    } else {
      out << '[';
      out.separated(list.values, [&out](std::int64_t v) { out << (v != 0 ? "true" : "false"); });
      out << ']';
    }
  }
  out << '}';
  out.attributes(o, {"dimension_numbers", "window_strides", "padding", "lhs_dilation", "rhs_dilation",
                     "window_reversal"});
  out << " : ";
  out.function_type(o);
  return step::done;
}

inline bool fits_convolution(ir::program const& in, ir::op o) {
  ir::context const& context = in.context();
  ir::attribute const properties = in.properties(o);
  if (!fits_operands(in, o, 2)) return false;
  if (parse_convolution_dimensions(context, context.lookup(properties, "dimension_numbers")).empty())
    return false;
  for (auto const& item : window_items) {
    ir::attribute const value = context.lookup(properties, item.attribute);
    if (!value) continue;
    if (item.kind == window_value::integers) {
      if (integer_list(context, value) == nullptr) return false;
    } else if (item.kind == window_value::flags) {
      auto const* list = context.get_if<ir::dense_array_attr>(value);
      auto const* element = list != nullptr ? context.get_if<ir::integer_type>(list->element) : nullptr;
      if (element == nullptr || *element != ir::integer_type{1}) return false;
    } else {
      auto const* dense = context.get_if<ir::dense_attr>(value);
      auto const* of = dense != nullptr ? context.get_if<ir::tensor_type>(dense->of) : nullptr;
      auto const* element = of != nullptr ? context.get_if<ir::integer_type>(of->element) : nullptr;
      if (element == nullptr || *element != ir::integer_type{64} || of->encoding || of->shape.size() != 2 ||
          of->shape[1] != 2 || !integer_elements(context, value))
        return false;
    }
  }
  return true;
}

inline constexpr auto dot_forms = std::to_array<form>({
    {.name = "stablehlo.dot",
     .read = &read_dot,
     .print = &print_dot,
     .fits = [](ir::program const& in, ir::op o) { return fits_operands(in, o, 2) && fits_precision(in, o); },
     .normalise = &normalise},
    {.name = "stablehlo.dot_general",
     .read = &read_dot_general,
     .print = &print_dot_general,
     .fits = &fits_dot_general,
     .normalise = &normalise},
    {.name = "stablehlo.convolution",
     .read = &read_convolution,
     .print = &print_convolution,
     .fits = &fits_convolution,
     .normalise = &normalise},
});

}  // namespace mpmd::text::mlir::stablehlo
