#pragma once
/// Ops of StableHLO that read and write where indices say, on simulated tensors, after the StableHLO
/// specification.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <mpmd/sim/evaluation.hpp>
#include <mpmd/sim/stablehlo_reduce.hpp>

namespace mpmd::sim {

/// Operands: the table and integer indices. Dimension `dim` of the table is replaced by the index dimensions
/// behind the first `batch_dims`.
inline bool evaluate_torch_index_select(evaluation& e) {
  auto const dim = e.integer("dim"), batch = e.integer("batch_dims");
  if (!e.has(2) || !dim || !batch) return e.malformed();
  tensor const &table = *e.inputs[0], &indices = *e.inputs[1];
  tensor& out = e.outputs[0];
  if (!are_dimensions({*dim}, table.shape.size()) || *batch < 0 || *batch > *dim ||
      static_cast<std::size_t>(*batch) > indices.shape.size() || !indices.format.is_integer() ||
      table.format != out.format)
    return e.malformed();
  auto const along = static_cast<std::size_t>(*dim), shared = static_cast<std::size_t>(*batch);
  extents shape(table.shape.begin(), table.shape.begin() + *dim);
  shape.insert(shape.end(), indices.shape.begin() + *batch, indices.shape.end());
  shape.insert(shape.end(), table.shape.begin() + *dim + 1, table.shape.end());
  if (shape != out.shape) return e.malformed();
  for (std::size_t d = 0; d < shared; ++d)
    if (table.shape[d] != indices.shape[d]) return e.malformed();
  extents const of_table = strides_of(table.shape), of_indices = strides_of(indices.shape);
  std::size_t const selected = indices.shape.size() - shared;
  extents index(out.shape.size());
  for (auto& element : out.elements) {
    std::int64_t which = 0, at = 0;
    for (std::size_t d = 0; d < shared; ++d) which += index[d] * of_indices[d];
    for (std::size_t d = 0; d < selected; ++d) which += index[along + d] * of_indices[shared + d];
    for (std::size_t d = 0; d < along; ++d) at += index[d] * of_table[d];
    for (std::size_t d = along + 1; d < table.shape.size(); ++d) at += index[d + selected - 1] * of_table[d];
    auto const row = static_cast<std::int64_t>(indices.elements[static_cast<std::size_t>(which)]);
    if (row < 0 || row >= table.shape[along])
      element = 0;  // XLA's choice is a clamp or NaN; any fixed one does
    else
      element = table.elements[static_cast<std::size_t>(at + row * of_table[along])];
    next_index(out.shape, index);
  }
  return true;
}

/// `stablehlo.gather`: each batch of `start_indices` names a slice of the operand.
inline bool evaluate_gather(evaluation& e) {
  constexpr std::string_view key = "dimension_numbers";
  auto const offset_dims = e.field(key, "offset_dims"), collapsed = e.field(key, "collapsed_slice_dims");
  auto const operand_batch = e.field(key, "operand_batching_dims");
  auto const index_batch = e.field(key, "start_indices_batching_dims");
  auto const map = e.field(key, "start_index_map"), vector_dim = e.field(key, "index_vector_dim");
  auto const sizes = e.integers("slice_sizes");
  if (!e.has(2) || !offset_dims || !collapsed || !operand_batch || !index_batch || !map || !vector_dim ||
      !sizes)
    return e.malformed();
  tensor const &in = *e.inputs[0], &starts = *e.inputs[1];
  tensor& out = e.outputs[0];
  std::size_t const dimension_count = in.shape.size(), index_rank = starts.shape.size();
  std::int64_t const vector_at = vector_dim->empty() ? 0 : (*vector_dim)[0];
  if (in.format != out.format || !starts.format.is_integer() || sizes->size() != dimension_count || vector_at < 0 ||
      static_cast<std::size_t>(vector_at) > index_rank || !are_dimensions(*offset_dims, out.shape.size()) ||
      !are_dimensions(*collapsed, dimension_count) || !are_dimensions(*operand_batch, dimension_count) ||
      !are_dimensions(*map, dimension_count) || !are_dimensions(*index_batch, index_rank) ||
      operand_batch->size() != index_batch->size())
    return e.malformed();
  bool const implicit = static_cast<std::size_t>(vector_at) == index_rank;
  if (map->size() !=
      (implicit ? 1 : static_cast<std::size_t>(starts.shape[static_cast<std::size_t>(vector_at)])))
    return e.malformed();
  for (std::size_t d = 0; d < dimension_count; ++d)
    if ((*sizes)[d] < 0 || (*sizes)[d] > in.shape[d]) return e.malformed();
  auto holds = [](extents const& list, std::size_t d) {
    return std::find(list.begin(), list.end(), static_cast<std::int64_t>(d)) != list.end();
  };
  std::vector<std::size_t> batch_of_out, window_of_in, batch_of_starts;
  for (std::size_t d = 0; d < out.shape.size(); ++d)
    if (!holds(*offset_dims, d)) batch_of_out.push_back(d);
  for (std::size_t d = 0; d < dimension_count; ++d)
    if (!holds(*collapsed, d) && !holds(*operand_batch, d)) window_of_in.push_back(d);
  for (std::size_t d = 0; d < index_rank; ++d)
    if (implicit || d != static_cast<std::size_t>(vector_at)) batch_of_starts.push_back(d);
  if (window_of_in.size() != offset_dims->size() || batch_of_out.size() != batch_of_starts.size())
    return e.malformed();
  for (std::size_t d = 0; d < window_of_in.size(); ++d)
    if (out.shape[static_cast<std::size_t>((*offset_dims)[d])] != (*sizes)[window_of_in[d]])
      return e.malformed();
  for (std::size_t d = 0; d < batch_of_out.size(); ++d)
    if (out.shape[batch_of_out[d]] != starts.shape[batch_of_starts[d]]) return e.malformed();
  for (std::int64_t const d : *collapsed)
    if ((*sizes)[static_cast<std::size_t>(d)] != 1) return e.malformed();
  for (std::size_t d = 0; d < operand_batch->size(); ++d)
    if (in.shape[static_cast<std::size_t>((*operand_batch)[d])] !=
        starts.shape[static_cast<std::size_t>((*index_batch)[d])])
      return e.malformed();
  extents const of_in = strides_of(in.shape), of_starts = strides_of(starts.shape);
  extents index(out.shape.size());
  for (auto& element : out.elements) {
    std::int64_t row = 0, at = 0;
    for (std::size_t d = 0; d < batch_of_out.size(); ++d)
      row += index[batch_of_out[d]] * of_starts[batch_of_starts[d]];
    for (std::size_t k = 0; k < map->size(); ++k) {
      auto const d = static_cast<std::size_t>((*map)[k]);
      std::int64_t const place =
          row +
          (implicit ? 0 : static_cast<std::int64_t>(k) * of_starts[static_cast<std::size_t>(vector_at)]);
      auto const start = static_cast<std::int64_t>(starts.elements[static_cast<std::size_t>(place)]);
      at += std::clamp<std::int64_t>(start, 0, in.shape[d] - (*sizes)[d]) * of_in[d];
    }
    for (std::size_t d = 0; d < operand_batch->size(); ++d) {
      // The position of the batching dimension among the batch dimensions of the result.
      auto const wanted = static_cast<std::size_t>((*index_batch)[d]);
      for (std::size_t b = 0; b < batch_of_starts.size(); ++b)
        if (batch_of_starts[b] == wanted)
          at += index[batch_of_out[b]] * of_in[static_cast<std::size_t>((*operand_batch)[d])];
    }
    for (std::size_t d = 0; d < window_of_in.size(); ++d)
      at += index[static_cast<std::size_t>((*offset_dims)[d])] * of_in[window_of_in[d]];
    element = in.elements[static_cast<std::size_t>(at)];
    next_index(out.shape, index);
  }
  return true;
}

/// Combines updates into copies of the operands, in the order of the updates.
inline bool evaluate_scatter(evaluation& e, scalar_evaluator scalar,
                             std::function<tensor const*(ir::value)> const& outer) {
  constexpr std::string_view key = "scatter_dimension_numbers";
  auto const windows = e.field(key, "update_window_dims"), inserted = e.field(key, "inserted_window_dims");
  auto const in_batch = e.field(key, "input_batching_dims");
  auto const index_batch = e.field(key, "scatter_indices_batching_dims");
  auto const map = e.field(key, "scatter_dims_to_operand_dims"),
             vector_dim = e.field(key, "index_vector_dim");
  std::size_t const n = e.outputs.size();
  if (!windows || !inserted || !in_batch || !index_batch || !map || !vector_dim ||
      e.inputs.size() != 2 * n + 1 || e.program.regions(e.op).size() != 1)
    return e.malformed();
  tensor const& indices = *e.inputs[n];
  extents const &shape = e.outputs[0].shape, &update_shape = e.inputs[n + 1]->shape;
  for (std::size_t i = 0; i < n; ++i)
    if (!same_form(*e.inputs[i], e.outputs[i]) || e.outputs[i].shape != shape ||
        e.inputs[n + 1 + i]->shape != update_shape || e.inputs[n + 1 + i]->format != e.outputs[i].format)
      return e.malformed();
  std::size_t const dimension_count = shape.size(), index_rank = indices.shape.size();
  std::int64_t const vector_at = vector_dim->empty() ? 0 : (*vector_dim)[0];
  if (!indices.format.is_integer() || vector_at < 0 || static_cast<std::size_t>(vector_at) > index_rank ||
      !are_dimensions(*windows, update_shape.size()) || !are_dimensions(*inserted, dimension_count) ||
      !are_dimensions(*in_batch, dimension_count) || !are_dimensions(*index_batch, index_rank) ||
      !are_dimensions(*map, dimension_count) || in_batch->size() != index_batch->size())
    return e.malformed();
  bool const implicit = static_cast<std::size_t>(vector_at) == index_rank;
  if (map->size() !=
      (implicit ? 1 : static_cast<std::size_t>(indices.shape[static_cast<std::size_t>(vector_at)])))
    return e.malformed();
  auto holds = [](extents const& list, std::size_t d) {
    return std::find(list.begin(), list.end(), static_cast<std::int64_t>(d)) != list.end();
  };
  std::vector<std::size_t> batch_of_update, window_of_in, batch_of_indices;
  for (std::size_t d = 0; d < update_shape.size(); ++d)
    if (!holds(*windows, d)) batch_of_update.push_back(d);
  for (std::size_t d = 0; d < dimension_count; ++d)
    if (!holds(*inserted, d) && !holds(*in_batch, d)) window_of_in.push_back(d);
  for (std::size_t d = 0; d < index_rank; ++d)
    if (implicit || d != static_cast<std::size_t>(vector_at)) batch_of_indices.push_back(d);
  if (window_of_in.size() != windows->size() || batch_of_update.size() != batch_of_indices.size())
    return e.malformed();
  for (std::size_t d = 0; d < batch_of_update.size(); ++d)
    if (update_shape[batch_of_update[d]] != indices.shape[batch_of_indices[d]]) return e.malformed();
  for (std::size_t d = 0; d < in_batch->size(); ++d)
    if (shape[static_cast<std::size_t>((*in_batch)[d])] !=
        indices.shape[static_cast<std::size_t>((*index_batch)[d])])
      return e.malformed();
  combiner combine(e, e.program.regions(e.op)[0], 2 * n, scalar, outer);
  if (!combine.good()) return false;
  auto const formats = combined_formats(e);
  for (std::size_t i = 0; i < n; ++i) e.outputs[i].elements = e.inputs[i]->elements;
  extents const strides = strides_of(shape), of_indices = strides_of(indices.shape);
  extents index(update_shape.size());
  std::vector<std::uint64_t> values(2 * n);
  constexpr std::int64_t far = std::int64_t{1} << 40;
  for (std::size_t from = 0; from < e.inputs[n + 1]->elements.size(); ++from) {
    extents place(dimension_count, 0);
    std::int64_t row = 0;
    for (std::size_t d = 0; d < batch_of_update.size(); ++d)
      row += index[batch_of_update[d]] * of_indices[batch_of_indices[d]];
    for (std::size_t k = 0; k < map->size(); ++k) {
      std::int64_t const at =
          row +
          (implicit ? 0 : static_cast<std::int64_t>(k) * of_indices[static_cast<std::size_t>(vector_at)]);
      auto const start = static_cast<std::int64_t>(indices.elements[static_cast<std::size_t>(at)]);
      place[static_cast<std::size_t>((*map)[k])] = std::clamp(start, -far, far);
    }
    for (std::size_t d = 0; d < in_batch->size(); ++d)
      for (std::size_t b = 0; b < batch_of_indices.size(); ++b)
        if (batch_of_indices[b] == static_cast<std::size_t>((*index_batch)[d]))
          place[static_cast<std::size_t>((*in_batch)[d])] += index[batch_of_update[b]];
    for (std::size_t d = 0; d < window_of_in.size(); ++d)
      place[window_of_in[d]] += index[static_cast<std::size_t>((*windows)[d])];
    std::int64_t to = 0;
    bool inside = true;  // an update that is not is dropped
    for (std::size_t d = 0; d < dimension_count; ++d) {
      inside = inside && place[d] >= 0 && place[d] < shape[d];
      to += place[d] * strides[d];
    }
    if (inside) {
      auto const at = static_cast<std::size_t>(to);
      for (std::size_t i = 0; i < n; ++i) {
        values[i] = e.outputs[i].elements[at];
        values[n + i] = e.inputs[n + 1 + i]->elements[from];
      }
      if (!combine.run(formats, values.data(), 2 * n)) return false;
      for (std::size_t i = 0; i < n; ++i) e.outputs[i].elements[at] = values[i];
    }
    next_index(update_shape, index);
  }
  return true;
}

}  // namespace mpmd::sim
