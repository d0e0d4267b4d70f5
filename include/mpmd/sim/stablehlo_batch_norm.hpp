#pragma once
/// Batch normalisation on simulated tensors, after the StableHLO specification.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <mpmd/sim/evaluation.hpp>
#include <mpmd/sim/exact.hpp>

namespace mpmd::sim {

namespace detail {

/// What the three ops have in common: an operand of which one dimension counts features, and `epsilon`.
struct batch_norm {
  std::size_t features = 0;  ///< how many
  std::size_t step = 0;      ///< from one feature to the next
  std::uint64_t epsilon = 0;

  bool read(evaluation& e) {
    auto const dim = e.integer("feature_index");
    auto const* small = e.program.attr_if<ir::float_attr>(e.op, "epsilon");
    auto const* format = small ? simulated_float(e.context(), small->of) : nullptr;
    if (!dim || format == nullptr || e.inputs.empty() || e.outputs.empty() ||
        !e.inputs[0]->format.is_float() || !same_form(*e.inputs[0], e.outputs[0]) || *dim < 0 ||
        static_cast<std::size_t>(*dim) >= e.inputs[0]->shape.size())
      return e.malformed();
    auto const d = static_cast<std::size_t>(*dim);
    features = static_cast<std::size_t>(e.inputs[0]->shape[d]);
    step = static_cast<std::size_t>(strides_of(e.inputs[0]->shape)[d]);
    epsilon = exact_number(*format, small->bits);
    return true;
  }
  /// Whether the tensor has one number for each feature.
  bool fits(tensor const& t) const {
    return t.format.is_float() && t.shape.size() == 1 && t.elements.size() == features;
  }
  std::size_t feature_of(std::size_t element) const { return element / step % features; }
  std::uint64_t deviation(std::uint64_t variance) const {
    return exact::square_root(exact::add(variance, epsilon));
  }
  std::uint64_t each(tensor const& t) const { return exact::from_unsigned(t.elements.size() / features); }
};

/// (x - mean) / deviation * scale + offset.
inline void normalise(batch_norm const& n, tensor const& in, tensor const& scale, tensor const& offset,
                      std::vector<std::uint64_t> const& mean, std::vector<std::uint64_t> const& variance,
                      tensor& out) {
  for (std::size_t i = 0; i < in.elements.size(); ++i) {
    std::size_t const f = n.feature_of(i);
    std::uint64_t const normal =
        exact::divide(exact::subtract(in.elements[i], mean[f]), n.deviation(variance[f]));
    out.elements[i] = exact::add(exact::multiply(normal, scale.elements[f]), offset.elements[f]);
  }
}

}  // namespace detail

/// Operands: what is normalised, scale, offset, mean and variance of the features.
inline bool evaluate_batch_norm_inference(evaluation& e) {
  detail::batch_norm n;
  if (!e.has(5)) return e.malformed();
  if (!n.read(e)) return false;
  for (std::size_t i = 1; i < 5; ++i)
    if (!n.fits(*e.inputs[i])) return e.malformed();
  detail::normalise(n, *e.inputs[0], *e.inputs[1], *e.inputs[2], e.inputs[3]->elements, e.inputs[4]->elements,
                    e.outputs[0]);
  return true;
}

/// Operands: what is normalised, scale and offset; further results: mean and variance of the features.
inline bool evaluate_batch_norm_training(evaluation& e) {
  detail::batch_norm n;
  if (!e.has(3, 3)) return e.malformed();
  if (!n.read(e)) return false;
  for (tensor const* t : {e.inputs[1], e.inputs[2], static_cast<tensor const*>(&e.outputs[1]),
                          static_cast<tensor const*>(&e.outputs[2])})
    if (!n.fits(*t)) return e.malformed();
  tensor const& in = *e.inputs[0];
  auto &mean = e.outputs[1].elements, &variance = e.outputs[2].elements;
  for (std::size_t i = 0; i < in.elements.size(); ++i)
    mean[n.feature_of(i)] = exact::add(mean[n.feature_of(i)], in.elements[i]);
  for (auto& m : mean) m = exact::divide(m, n.each(in));
  for (std::size_t i = 0; i < in.elements.size(); ++i) {
    std::size_t const f = n.feature_of(i);
    std::uint64_t const off = exact::subtract(in.elements[i], mean[f]);
    variance[f] = exact::add(variance[f], exact::multiply(off, off));
  }
  for (auto& v : variance) v = exact::divide(v, n.each(in));
  detail::normalise(n, in, *e.inputs[1], *e.inputs[2], mean, variance, e.outputs[0]);
  return true;
}

/// Operands: what was normalised, scale, mean, variance, and the gradient of the result; results: the
/// gradients of what was normalised, of scale and of offset.
inline bool evaluate_batch_norm_grad(evaluation& e) {
  detail::batch_norm n;
  if (!e.has(5, 3)) return e.malformed();
  if (!n.read(e)) return false;
  for (tensor const* t : {e.inputs[1], e.inputs[2], e.inputs[3], static_cast<tensor const*>(&e.outputs[1]),
                          static_cast<tensor const*>(&e.outputs[2])})
    if (!n.fits(*t)) return e.malformed();
  if (!same_form(*e.inputs[4], e.outputs[0])) return e.malformed();
  tensor const &in = *e.inputs[0], &gradient = *e.inputs[4];
  auto const &scale = e.inputs[1]->elements, &mean = e.inputs[2]->elements, &variance = e.inputs[3]->elements;
  // The sums over each feature of the gradient, and of the gradient times how far its element is off the
  // mean.
  std::vector<std::uint64_t> sum(n.features), weighted(n.features);
  for (std::size_t i = 0; i < in.elements.size(); ++i) {
    std::size_t const f = n.feature_of(i);
    sum[f] = exact::add(sum[f], gradient.elements[i]);
    weighted[f] = exact::add(weighted[f],
                             exact::multiply(gradient.elements[i], exact::subtract(in.elements[i], mean[f])));
  }
  std::uint64_t const count = n.features == 0 ? 1 : n.each(in);
  for (std::size_t i = 0; i < in.elements.size(); ++i) {
    std::size_t const f = n.feature_of(i);
    std::uint64_t const off = exact::subtract(in.elements[i], mean[f]);
    std::uint64_t const along =
        exact::divide(exact::multiply(weighted[f], off), exact::add(variance[f], n.epsilon));
    std::uint64_t const rest =
        exact::subtract(exact::subtract(exact::multiply(gradient.elements[i], count), sum[f]), along);
    e.outputs[0].elements[i] =
        exact::multiply(exact::divide(exact::divide(scale[f], n.deviation(variance[f])), count), rest);
  }
  for (std::size_t f = 0; f < n.features; ++f) {
    e.outputs[1].elements[f] = exact::divide(weighted[f], n.deviation(variance[f]));
    e.outputs[2].elements[f] = sum[f];
  }
  return true;
}

}  // namespace mpmd::sim
