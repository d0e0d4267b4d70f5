#pragma once
/// The one representation of the attributes of a StableHLO op that its pretty and its generic form share.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/stablehlo_attributes.hpp>

namespace mpmd::text::mlir::stablehlo {

/// Whether the attribute is `array<i64: ...>`.
inline ir::dense_array_attr const* integer_list(ir::context const& in, ir::attribute a) {
  auto const* list = in.get_if<ir::dense_array_attr>(a);
  if (list == nullptr) return nullptr;
  auto const* element = in.get_if<ir::integer_type>(list->element);
  return element != nullptr && element->width == 64 && element->sign == ir::signedness::signless ? list
                                                                                                 : nullptr;
}

inline ir::attribute integer_list(ir::context& in, std::vector<std::int64_t> values) {
  return in.get(ir::dense_array_attr{in.integer(64), std::move(values)});
}

/// The elements of `dense<...> : tensor<...xi64>` or `...xi1` in row-major order, splats expanded. Nothing
/// when the attribute is another, or a splat of more than 2^20 elements.
inline std::optional<std::vector<std::int64_t>> integer_elements(ir::context const& in, ir::attribute a) {
  auto const* dense = in.get_if<ir::dense_attr>(a);
  auto const* of = dense != nullptr ? in.get_if<ir::tensor_type>(dense->of) : nullptr;
  auto const* element = of != nullptr ? in.get_if<ir::integer_type>(of->element) : nullptr;
  if (element == nullptr || (element->width != 64 && element->width != 1)) return {};
  std::size_t const bytes = element->width == 64 ? 8 : 1;
  std::uint64_t count = 1;
  for (std::int64_t const extent : of->shape) {
    if (extent < 0 || extent > (1 << 20)) return {};
    count *= static_cast<std::uint64_t>(extent);
    if (count > (1 << 20)) return {};
  }
  if (dense->data.size() != (dense->splat ? bytes : count * bytes)) return {};
  std::vector<std::int64_t> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    for (std::size_t b = bytes; b-- > 0;)
      value = value << 8 | static_cast<unsigned char>(dense->data[(dense->splat ? 0 : i * bytes) + b]);
    values.push_back(static_cast<std::int64_t>(value));
  }
  return values;
}

/// `dense<[[a, b], ...]> : tensor<nx2xi64>`.
inline ir::attribute integer_pairs(ir::context& in, std::vector<std::int64_t> const& values) {
  ir::dense_attr made{in.tensor({static_cast<std::int64_t>(values.size() / 2), 2}, in.integer(64)), {}};
  made.splat = !values.empty();
  for (std::int64_t const v : values) made.splat = made.splat && v == values.front();
  for (std::size_t i = 0; i < (made.splat ? 1 : values.size()); ++i)
    for (unsigned b = 0; b < 8; ++b)
      made.data += static_cast<char>(static_cast<std::uint64_t>(values[i]) >> 8 * b & 0xFF);
  return in.get(std::move(made));
}

/// What an inherent attribute of this name means when it is absent, so that the pretty form leaves it out.
inline bool is_default(ir::context const& in, std::string_view name, ir::attribute value) {
  auto is_integer = [&](std::int64_t n, std::uint32_t width) {
    auto const* number = in.get_if<ir::integer_attr>(value);
    auto const* of = number != nullptr ? in.get_if<ir::integer_type>(number->of) : nullptr;
    return of != nullptr && of->width == width && of->sign == ir::signedness::signless && number->value == n;
  };
  auto is_empty_list = [&] {
    auto const* list = in.get_if<ir::array_attr>(value);
    return list != nullptr && list->elements.empty();
  };
  if (name == "has_side_effect" || name == "lower") return is_integer(0, 1);
  if (name == "api_version") return is_integer(1, 32);
  if (name == "version") return is_integer(0, 32);
  if (name == "called_computations" || name == "output_operand_aliases") return is_empty_list();
  if (name == "composite_attributes") return value == in.empty_dictionary();
  if (name == "result_accuracy") {
    auto const* kept = in.get_if<ir::opaque_attr>(value);
    return kept != nullptr &&
           kept->text == "#stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>";
  }
  return false;
}

/// Leaves out what is default, turns the lists `dense<...> : tensor<nxi64>` (and `xi1`) of older versions of
/// the dialect into `array<i64: ...>`, and spells the attributes that a pretty form takes apart as the form
/// would. Meant for ops that have a pretty form.
inline void normalise(ir::context& in, std::vector<std::pair<ir::name, ir::attribute>>& properties) {
  std::erase_if(properties, [&in](auto const& p) { return is_default(in, in.text(p.first), p.second); });
  for (auto& [key, value] : properties) {
    std::string_view const name = in.text(key);
    if (auto const* dense = in.get_if<ir::dense_attr>(value); dense != nullptr && name != "value") {
      auto const* of = in.get_if<ir::tensor_type>(dense->of);
      if (of == nullptr || of->shape.size() != 1) continue;
      ir::type const element = of->element;
      if (auto values = integer_elements(in, value))
        value = in.get(ir::dense_array_attr{element, std::move(*values)});
    } else if (name == "dot_dimension_numbers") {
      if (auto const d = parse_dot_dimensions(in, value)) value = dot_attribute(in, *d);
    } else if (name == "dimension_numbers") {
      if (auto const d = parse_convolution_dimensions(in, value); !d.empty())
        value = convolution_attribute(in, d);
    } else if (name == "algorithm") {
      if (auto const body = parse_dot_algorithm(in, value); !body.empty())
        value = dot_algorithm_attribute(in, body);
    }
  }
}

}  // namespace mpmd::text::mlir::stablehlo
