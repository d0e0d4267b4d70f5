#pragma once
/// Ops of StableHLO that move elements about, on simulated tensors, after the StableHLO specification.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <mpmd/sim/evaluation.hpp>

namespace mpmd::sim {

inline bool evaluate_constant(evaluation& e) {
  if (!e.has(0)) return e.malformed();
  auto const* dense = e.program.attr_if<ir::dense_attr>(e.op, "value");
  if (dense == nullptr) return e.fail("its elements are not in the program");
  auto const form = form_of(e.context(), dense->of);
  if (!form || form->shape != e.outputs[0].shape || form->format != e.outputs[0].format) return e.malformed();
  auto made = tensor_of(e.context(), *dense);
  if (!made) return e.malformed();
  e.outputs[0] = std::move(*made);
  return true;
}

inline bool evaluate_iota(evaluation& e) {
  auto const dimension = e.integer("iota_dimension");
  tensor& out = e.outputs[0];
  if (!e.has(0) || !dimension || !are_dimensions({*dimension}, out.shape.size())) return e.malformed();
  extents index(out.shape.size());
  for (auto& element : out.elements) {
    auto const v = static_cast<std::uint64_t>(index[static_cast<std::size_t>(*dimension)]);
    element = out.format.is_float() ? exact::from_unsigned(v) : wrap(out.format, v);
    next_index(out.shape, index);
  }
  return true;
}

/// Of as many values as results, each itself: barriers, annotations.
inline bool evaluate_identity(evaluation& e) {
  if (e.inputs.size() != e.outputs.size()) return e.malformed();
  for (std::size_t i = 0; i < e.inputs.size(); ++i) {
    if (!same_form(*e.inputs[i], e.outputs[i])) return e.malformed();
    e.outputs[i] = *e.inputs[i];
  }
  return true;
}

inline bool evaluate_reshape(evaluation& e) {
  if (!e.has(1) || e.inputs[0]->format != e.outputs[0].format ||
      e.inputs[0]->elements.size() != e.outputs[0].elements.size())
    return e.malformed();
  e.outputs[0].elements = e.inputs[0]->elements;
  return true;
}

/// Fills the result from places of one operand: element `index` of the result is element base + sum(index[d]
/// * steps[d]) of the operand. The caller has checked that this stays inside.
inline void gather_affine(tensor& out, tensor const& in, std::int64_t base, extents const& steps) {
  extents index(out.shape.size());
  for (auto& element : out.elements) {
    std::int64_t at = base;
    for (std::size_t d = 0; d < index.size(); ++d) at += index[d] * steps[d];
    element = in.elements[static_cast<std::size_t>(at)];
    next_index(out.shape, index);
  }
}

inline bool evaluate_broadcast_in_dim(evaluation& e) {
  auto const dims = e.integers("broadcast_dimensions");
  if (!e.has(1) || !dims || e.inputs[0]->format != e.outputs[0].format) return e.malformed();
  tensor const& in = *e.inputs[0];
  tensor& out = e.outputs[0];
  if (dims->size() != in.shape.size() || !are_dimensions(*dims, out.shape.size())) return e.malformed();
  extents const strides = strides_of(in.shape);
  extents steps(out.shape.size(), 0);
  for (std::size_t d = 0; d < dims->size(); ++d) {
    auto const to = static_cast<std::size_t>((*dims)[d]);
    if (in.shape[d] != 1 && in.shape[d] != out.shape[to]) return e.malformed();
    if (in.shape[d] != 1) steps[to] = strides[d];
  }
  gather_affine(out, in, 0, steps);
  return true;
}

inline bool evaluate_broadcast(evaluation& e) {
  auto const sizes = e.integers("broadcast_sizes");
  if (!e.has(1) || !sizes || e.inputs[0]->format != e.outputs[0].format) return e.malformed();
  extents shape = *sizes;
  shape.insert(shape.end(), e.inputs[0]->shape.begin(), e.inputs[0]->shape.end());
  if (shape != e.outputs[0].shape) return e.malformed();
  extents steps(sizes->size(), 0);
  extents const strides = strides_of(e.inputs[0]->shape);
  steps.insert(steps.end(), strides.begin(), strides.end());
  gather_affine(e.outputs[0], *e.inputs[0], 0, steps);
  return true;
}

inline bool evaluate_transpose(evaluation& e) {
  auto const order = e.integers("permutation");
  if (!e.has(1) || !order || e.inputs[0]->format != e.outputs[0].format) return e.malformed();
  tensor const& in = *e.inputs[0];
  tensor& out = e.outputs[0];
  if (order->size() != in.shape.size() || out.shape.size() != in.shape.size() ||
      !are_dimensions(*order, in.shape.size()))
    return e.malformed();
  extents const strides = strides_of(in.shape);
  extents steps;
  for (std::size_t d = 0; d < order->size(); ++d) {
    auto const from = static_cast<std::size_t>((*order)[d]);
    if (in.shape[from] != out.shape[d]) return e.malformed();
    steps.push_back(strides[from]);
  }
  gather_affine(out, in, 0, steps);
  return true;
}

inline bool evaluate_reverse(evaluation& e) {
  auto const dims = e.integers("dimensions");
  if (!e.has(1) || !dims || !same_form(*e.inputs[0], e.outputs[0])) return e.malformed();
  tensor const& in = *e.inputs[0];
  if (!are_dimensions(*dims, in.shape.size())) return e.malformed();
  extents steps = strides_of(in.shape);
  std::int64_t base = 0;
  for (std::int64_t const d : *dims) {
    auto const at = static_cast<std::size_t>(d);
    base += (in.shape[at] - 1) * steps[at];
    steps[at] = -steps[at];
  }
  gather_affine(e.outputs[0], in, base, steps);
  return true;
}

inline bool evaluate_slice(evaluation& e) {
  auto const start = e.integers("start_indices"), limit = e.integers("limit_indices");
  auto const stride = e.integers("strides");
  if (!e.has(1) || !start || !limit || !stride || e.inputs[0]->format != e.outputs[0].format)
    return e.malformed();
  tensor const& in = *e.inputs[0];
  tensor& out = e.outputs[0];
  std::size_t const dimension_count = in.shape.size();
  if (start->size() != dimension_count || limit->size() != dimension_count ||
      stride->size() != dimension_count || out.shape.size() != dimension_count)
    return e.malformed();
  extents steps = strides_of(in.shape);
  std::int64_t base = 0;
  for (std::size_t d = 0; d < dimension_count; ++d) {
    std::int64_t const from = (*start)[d], to = (*limit)[d], by = (*stride)[d];
    if (from < 0 || to < from || to > in.shape[d] || by < 1 || out.shape[d] != (to - from + by - 1) / by)
      return e.malformed();
    base += from * steps[d];
    steps[d] *= by;
  }
  gather_affine(out, in, base, steps);
  return true;
}

/// The offsets that scalar operands from `first` on give, clamped so that `size` fits into `shape`.
inline bool read_offsets(evaluation& e, std::size_t first, extents const& shape, extents const& size,
                         extents& to) {
  if (e.inputs.size() != first + shape.size() || size.size() != shape.size()) return e.malformed();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    tensor const& offset = *e.inputs[first + d];
    if (!offset.shape.empty() || !offset.format.is_integer() || size[d] > shape[d] || size[d] < 0)
      return e.malformed();
    std::int64_t const most = shape[d] - size[d];
    std::uint64_t const asked = offset.elements[0];
    bool const below =
        offset.format.what == element_format::kind::integer && static_cast<std::int64_t>(asked) < 0;
    to.push_back(below                                      ? 0
                 : asked > static_cast<std::uint64_t>(most) ? most
                                                            : static_cast<std::int64_t>(asked));
  }
  return true;
}

inline bool evaluate_dynamic_slice(evaluation& e) {
  auto const sizes = e.integers("slice_sizes");
  if (e.inputs.empty() || e.outputs.size() != 1 || !sizes || *sizes != e.outputs[0].shape ||
      e.inputs[0]->format != e.outputs[0].format)
    return e.malformed();
  extents offsets;
  if (!read_offsets(e, 1, e.inputs[0]->shape, *sizes, offsets)) return false;
  extents const strides = strides_of(e.inputs[0]->shape);
  std::int64_t base = 0;
  for (std::size_t d = 0; d < strides.size(); ++d) base += offsets[d] * strides[d];
  gather_affine(e.outputs[0], *e.inputs[0], base, strides);
  return true;
}

inline bool evaluate_dynamic_update_slice(evaluation& e) {
  if (e.inputs.size() < 2 || e.outputs.size() != 1 || !same_form(*e.inputs[0], e.outputs[0]) ||
      e.inputs[1]->format != e.outputs[0].format)
    return e.malformed();
  tensor const& update = *e.inputs[1];
  tensor& out = e.outputs[0];
  extents offsets;
  if (!read_offsets(e, 2, out.shape, update.shape, offsets)) return false;
  out.elements = e.inputs[0]->elements;
  extents const strides = strides_of(out.shape);
  extents index(update.shape.size());
  for (std::uint64_t const element : update.elements) {
    std::int64_t at = 0;
    for (std::size_t d = 0; d < index.size(); ++d) at += (offsets[d] + index[d]) * strides[d];
    out.elements[static_cast<std::size_t>(at)] = element;
    next_index(update.shape, index);
  }
  return true;
}

inline bool evaluate_concatenate(evaluation& e) {
  auto const dimension = e.integer("dimension");
  if (e.inputs.empty() || e.outputs.size() != 1 || !dimension) return e.malformed();
  tensor& out = e.outputs[0];
  if (!are_dimensions({*dimension}, out.shape.size())) return e.malformed();
  auto const along = static_cast<std::size_t>(*dimension);
  std::int64_t total = 0;
  for (tensor const* in : e.inputs) {
    if (in->format != out.format || in->shape.size() != out.shape.size()) return e.malformed();
    for (std::size_t d = 0; d < out.shape.size(); ++d)
      if (d != along && in->shape[d] != out.shape[d]) return e.malformed();
    total += in->shape[along];
  }
  if (total != out.shape[along]) return e.malformed();
  std::uint64_t outer = 1, inner = 1;
  for (std::size_t d = 0; d < out.shape.size(); ++d)
    (d < along ? outer : inner) *= d == along ? 1 : static_cast<std::uint64_t>(out.shape[d]);
  std::size_t to = 0;
  for (std::uint64_t o = 0; o < outer; ++o)
    for (tensor const* in : e.inputs) {
      std::uint64_t const run = inner * static_cast<std::uint64_t>(in->shape[along]);
      for (std::uint64_t i = 0; i < run; ++i) out.elements[to++] = in->elements[o * run + i];
    }
  return true;
}

/// Negative edge padding cuts elements off.
inline bool evaluate_pad(evaluation& e) {
  auto const low = e.integers("edge_padding_low"), high = e.integers("edge_padding_high");
  auto const interior = e.integers("interior_padding");
  if (!e.has(2) || !low || !high || !interior) return e.malformed();
  tensor const &in = *e.inputs[0], &filling = *e.inputs[1];
  tensor& out = e.outputs[0];
  std::size_t const dimension_count = in.shape.size();
  if (in.format != out.format || filling.format != out.format || !filling.shape.empty() ||
      low->size() != dimension_count || high->size() != dimension_count ||
      interior->size() != dimension_count || out.shape.size() != dimension_count)
    return e.malformed();
  constexpr std::int64_t far = std::int64_t{1} << 40;
  for (std::size_t d = 0; d < dimension_count; ++d) {
    std::int64_t const l = (*low)[d], h = (*high)[d], n = (*interior)[d];
    if (l > far || l < -far || h > far || h < -far || n < 0 || n > far) return e.malformed();
    std::int64_t const spread = in.shape[d] == 0 ? 0 : in.shape[d] + (in.shape[d] - 1) * n;
    if (out.shape[d] != std::max<std::int64_t>(0, l + spread + h)) return e.malformed();
  }
  std::fill(out.elements.begin(), out.elements.end(), filling.elements[0]);
  extents const strides = strides_of(out.shape);
  extents index(dimension_count);
  for (std::uint64_t const element : in.elements) {
    std::int64_t at = 0;
    bool inside = true;
    for (std::size_t d = 0; d < dimension_count; ++d) {
      std::int64_t const place = (*low)[d] + index[d] * ((*interior)[d] + 1);
      inside = inside && place >= 0 && place < out.shape[d];
      at += place * strides[d];
    }
    if (inside) out.elements[static_cast<std::size_t>(at)] = element;
    next_index(in.shape, index);
  }
  return true;
}

}  // namespace mpmd::sim
