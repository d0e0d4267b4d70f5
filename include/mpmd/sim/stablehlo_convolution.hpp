#pragma once
/// Convolution on simulated tensors, after the StableHLO specification.

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <mpmd/sim/evaluation.hpp>
#include <mpmd/sim/stablehlo_elementwise.hpp>

namespace mpmd::sim {

/// The dimension numbers of a convolution: the dimensions of operands and result which are named by letters,
/// and the spatial ones in their order.
struct convolution_dimensions {
  struct part {
    std::size_t first = 0;   ///< batch; of the kernel, input feature
    std::size_t second = 0;  ///< feature; of the kernel, output feature
    std::vector<std::size_t> spatial = {};
  };
  part input, kernel, output;
};

namespace detail {

/// Reads `[b, 0, 1, f]`, of which the letters are `first` and `second`, off the front of a text.
inline bool read_part(std::string_view& text, char first, char second, convolution_dimensions::part& out) {
  constexpr std::size_t none = ~std::size_t{0};
  out = {none, none, {}};
  text.remove_prefix(std::min(text.find('['), text.size()));
  std::string_view list = text.substr(0, text.find(']'));
  if (list.empty() || list.size() == text.size()) return false;
  text.remove_prefix(list.size());
  list.remove_prefix(1);
  std::vector<std::size_t> numbered;  // what each dimension is called
  for (std::size_t d = 0; !list.empty(); ++d) {
    std::string_view item = list.substr(0, list.find(','));
    list.remove_prefix(std::min(item.size() + 1, list.size()));
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    item = item.substr(0, item.find(' '));
    numbered.push_back(none);
    if (item == std::string_view(&first, 1))
      out.first = d;
    else if (item == std::string_view(&second, 1))
      out.second = d;
    else if (auto const [stop, bad] =
                 std::from_chars(item.data(), item.data() + item.size(), numbered.back());
             bad != std::errc{} || stop != item.data() + item.size())
      return false;
  }
  if (out.first == none || out.second == none || numbered.size() < 2) return false;
  out.spatial.assign(numbered.size() - 2, none);
  for (std::size_t d = 0; d < numbered.size(); ++d) {
    if (d == out.first || d == out.second) continue;
    if (numbered[d] >= out.spatial.size() || out.spatial[numbered[d]] != none) return false;
    out.spatial[numbered[d]] = d;
  }
  return true;
}

}  // namespace detail

/// Reads the attribute `dimension_numbers`, `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>`; nothing if it
/// is another, or if its parts differ in rank.
inline std::optional<convolution_dimensions> convolution_dimensions_of(evaluation const& e) {
  auto const* held = e.program.attr_if<ir::opaque_attr>(e.op, "dimension_numbers");
  if (held == nullptr) return std::nullopt;
  std::string_view text = held->text;
  convolution_dimensions made;
  if (!detail::read_part(text, 'b', 'f', made.input) || !detail::read_part(text, 'i', 'o', made.kernel) ||
      !detail::read_part(text, 'b', 'f', made.output))
    return std::nullopt;
  if (made.input.spatial.size() != made.kernel.spatial.size() ||
      made.input.spatial.size() != made.output.spatial.size())
    return std::nullopt;
  return made;
}

/// `stablehlo.convolution`: operands are the input and the kernel. With groups of features, a group of output
/// features sees a group of input features; with groups of batches, a group of the batch.
inline bool evaluate_convolution(evaluation& e) {
  auto const dims = convolution_dimensions_of(e);
  if (!e.has(2) || !dims) return e.malformed();
  tensor const &in = *e.inputs[0], &kernel = *e.inputs[1];
  tensor& out = e.outputs[0];
  std::size_t const n = dims->input.spatial.size();
  if (in.shape.size() != n + 2 || kernel.shape.size() != n + 2 || out.shape.size() != n + 2)
    return e.malformed();
  extents const ones(n, 1);
  auto const strides = e.integers("window_strides", ones), padding = e.integers("padding", extents(2 * n, 0));
  auto const spread = e.integers("lhs_dilation", ones), dilation = e.integers("rhs_dilation", ones);
  auto const reversed = e.integers("window_reversal", extents(n, 0));
  std::int64_t const feature_groups = e.integer("feature_group_count").value_or(1),
                     batch_groups = e.integer("batch_group_count").value_or(1);
  for (auto const* list : {&strides, &spread, &dilation}) {
    if (!*list || (*list)->size() != n) return e.malformed();
    for (std::int64_t const v : **list)
      if (v < 1 || v > 1 << 30) return e.malformed();
  }
  if (!padding || padding->size() != 2 * n || !reversed || reversed->size() != n) return e.malformed();
  std::int64_t const batch = in.shape[dims->input.first], features = in.shape[dims->input.second],
                     each = kernel.shape[dims->kernel.first], made = kernel.shape[dims->kernel.second];
  if (feature_groups < 1 || batch_groups < 1 || (feature_groups > 1 && batch_groups > 1) ||
      batch % batch_groups != 0 || features % feature_groups != 0 || features / feature_groups != each ||
      made % (feature_groups * batch_groups) != 0 || out.shape[dims->output.first] != batch / batch_groups ||
      out.shape[dims->output.second] != made)
    return e.malformed();
  extents window(n);  // of the kernel
  for (std::size_t s = 0; s < n; ++s) {
    std::int64_t const low = (*padding)[2 * s], high = (*padding)[2 * s + 1];
    if (low > 1 << 30 || low < -(1 << 30) || high > 1 << 30 || high < -(1 << 30)) return e.malformed();
    window[s] = kernel.shape[dims->kernel.spatial[s]];
    std::int64_t const extent = in.shape[dims->input.spatial[s]];
    std::int64_t const padded = low + high + (extent == 0 ? 0 : (extent - 1) * (*spread)[s] + 1);
    std::int64_t const reach = window[s] == 0 ? 0 : (window[s] - 1) * (*dilation)[s] + 1;
    if (out.shape[dims->output.spatial[s]] !=
        (padded <= 0 || reach > padded ? 0 : (padded - reach) / (*strides)[s] + 1))
      return e.malformed();
  }
  std::uint64_t const places = element_count(window, std::uint64_t{1} << 32);
  if (!e.charge(element_count(
          {static_cast<std::int64_t>(places), each, static_cast<std::int64_t>(out.elements.size())},
          std::uint64_t{1} << 62)))
    return false;
  extents const of_in = strides_of(in.shape), of_kernel = strides_of(kernel.shape);
  auto const add = find_binary("stablehlo.add"), times = find_binary("stablehlo.multiply");
  extents index(n + 2), inside(n);
  for (auto& element : out.elements) {
    std::int64_t const feature = index[dims->output.second];
    std::int64_t const in_batch =
        index[dims->output.first] + feature / (made / batch_groups) * (batch / batch_groups);
    std::int64_t const in_feature = feature / (made / feature_groups) * each;
    std::uint64_t total = 0;
    for (std::uint64_t place = 0; place < places; ++place) {
      std::int64_t x = in_batch * of_in[dims->input.first] + in_feature * of_in[dims->input.second];
      std::int64_t y = feature * of_kernel[dims->kernel.second];
      bool real = true;
      for (std::size_t s = 0; s < n && real; ++s) {
        std::int64_t const at =
            index[dims->output.spatial[s]] * (*strides)[s] + inside[s] * (*dilation)[s] - (*padding)[2 * s];
        real = at >= 0 && at % (*spread)[s] == 0 && at / (*spread)[s] < in.shape[dims->input.spatial[s]];
        x += at / (*spread)[s] * of_in[dims->input.spatial[s]];
        y += ((*reversed)[s] != 0 ? window[s] - 1 - inside[s] : inside[s]) *
             of_kernel[dims->kernel.spatial[s]];
      }
      for (std::int64_t f = 0; f < each && real; ++f) {
        std::uint64_t const l = converted(
            in.format, out.format, in.elements[static_cast<std::size_t>(x + f * of_in[dims->input.second])]);
        std::uint64_t const r =
            converted(kernel.format, out.format,
                      kernel.elements[static_cast<std::size_t>(y + f * of_kernel[dims->kernel.first])]);
        total = *add(out.format, total, *times(out.format, l, r));
      }
      next_index(window, inside);
    }
    element = total;
    next_index(out.shape, index);
  }
  return true;
}

}  // namespace mpmd::sim
