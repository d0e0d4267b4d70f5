#pragma once
/// Ops of StableHLO that combine elements, on simulated tensors, after the StableHLO specification: dot
/// products and reductions.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/ir/walk.hpp>
#include <mpmd/sim/evaluation.hpp>
#include <mpmd/sim/stablehlo_elementwise.hpp>

namespace mpmd::sim {

// --- Regions of scalars --------------------------------------------------------------------------------------

/// How the machine evaluates an op that runs no regions of its own.
using scalar_evaluator = bool (*)(evaluation&);

/// A region that combines scalars: the body of a reduce or a scatter. It is run once for each element, so ops
/// in it may not run regions themselves. A body of one binary op runs without any allocation.
class combiner {
 public:
  /// `evaluate` runs what is not an op of two operands; `outer` finds values from outside the region.
  combiner(evaluation& e, ir::region body, std::size_t arguments, scalar_evaluator evaluate,
           std::function<tensor const*(ir::value)> const& outer)
      : e_(&e), evaluate_(evaluate), outer_(&outer) {
    block_ = e.program.first_block(body);
    good_ = block_ && !e.program.next_block(block_) && e.program.arguments(block_).size() == arguments;
    if (!good_) {
      e.malformed();
      return;
    }
    ir::op const first = e.program.first_op(block_), second = first ? e.program.next_op(first) : ir::op{};
    if (arguments != 2 || !second || e.program.next_op(second) || e.program.operand_count(second) != 1 ||
        !e.program.has_trait(second, ir::op_trait::terminator) || e.program.result_count(first) != 1 ||
        e.program.operand_count(first) != 2 || e.program.operand(second, 0) != e.program.result(first, 0))
      return;
    for (std::uint32_t i = 0; i < 2; ++i) {
      ir::value const v = e.program.operand(first, i);
      if (!e.program.is_argument(v) || e.program.argument_block(v) != block_) return;
      swap_[i] = e.program.index_of(v);
    }
    // On booleans a combiner must give booleans, and so on: all types alike.
    for (ir::value const v : e.program.operands(first))
      if (e.program.type_of(v) != e.program.type_of(e.program.result(first, 0))) return;
    quick_ = find_binary(e.program.kind_text(first));
  }

  bool good() const { return good_; }

  /// Replaces the first half of the values by what the region returns for all of them.
  bool run(std::vector<element_format> const& formats, std::uint64_t* values, std::size_t count) {
    if (quick_ != nullptr && count == 2) {
      auto const made = quick_(formats[0], values[swap_[0]], values[swap_[1]]);
      if (!made) return e_->malformed();
      values[0] = *made;
      return e_->charge(1);
    }
    return run_region(formats, values, count);
  }

 private:
  bool run_region(std::vector<element_format> const& formats, std::uint64_t* values, std::size_t count) {
    ir::program const& p = e_->program;
    std::vector<std::pair<ir::value, tensor>> known;  // few: bodies are short
    known.reserve(64);
    for (std::size_t i = 0; i < count; ++i)
      known.emplace_back(p.argument(block_, static_cast<std::uint32_t>(i)),
                         tensor{{}, formats[i], {values[i]}});
    auto find = [&](ir::value v) -> tensor const* {
      for (auto const& [name, held] : known)
        if (name == v) return &held;
      return (*outer_)(v);
    };
    for (ir::op const o : ir::ops(p, block_)) {
      std::vector<tensor const*> inputs;
      for (ir::value const v : p.operands(o)) {
        inputs.push_back(find(v));
        if (inputs.back() == nullptr) return e_->malformed();
      }
      if (p.has_trait(o, ir::op_trait::terminator)) {
        if (inputs.size() * 2 != count) return e_->malformed();
        std::vector<std::uint64_t> returned;
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          if (!inputs[i]->shape.empty() || inputs[i]->format != formats[i]) return e_->malformed();
          returned.push_back(inputs[i]->elements[0]);
        }
        std::copy(returned.begin(), returned.end(), values);
        return true;
      }
      if (!p.regions(o).empty())
        return e_->fail("'" + std::string(p.kind_text(o)) + "' in its region has regions itself");
      evaluation inner{p, o, inputs, {}, e_->budget};
      for (ir::value const r : p.results(o)) {
        auto form = form_of(p.context(), p.type_of(r));
        if (!form || !form->shape.empty()) return e_->fail("its region computes values that are no scalars");
        inner.outputs.push_back({{}, form->format, {0}});
      }
      if (known.size() + inner.outputs.size() > known.capacity())
        return e_->fail("its region is too long to be run for each element");
      if (!e_->charge(4)) return false;
      if (!evaluate_(inner)) {
        e_->out_of_steps = inner.out_of_steps;
        return e_->fail("in its region, '" + std::string(p.kind_text(o)) + "': " + inner.error);
      }
      for (std::uint32_t i = 0; i < inner.outputs.size(); ++i)
        known.emplace_back(p.result(o, i), std::move(inner.outputs[i]));
    }
    return e_->malformed();
  }

  evaluation* e_;
  scalar_evaluator evaluate_;
  std::function<tensor const*(ir::value)> const* outer_;
  ir::block block_;
  bool good_ = false;
  binary_function quick_ = nullptr;
  std::uint32_t swap_[2] = {0, 1};
};

// --- Reductions ----------------------------------------------------------------------------------------------

/// Reads operands and initial values of a reduction: n of each, and n results.
inline bool check_reduction(evaluation& e) {
  std::size_t const n = e.outputs.size();
  if (n == 0 || e.inputs.size() != 2 * n || e.program.regions(e.op).size() != 1) return e.malformed();
  for (std::size_t i = 0; i < n; ++i)
    if (e.inputs[i]->shape != e.inputs[0]->shape || !e.inputs[n + i]->shape.empty() ||
        e.inputs[i]->format != e.inputs[n + i]->format || e.outputs[i].format != e.inputs[i]->format ||
        e.outputs[i].shape != e.outputs[0].shape)
      return e.malformed();
  return true;
}
/// Formats of the 2n arguments of the region.
inline std::vector<element_format> combined_formats(evaluation const& e) {
  std::vector<element_format> formats;
  for (std::size_t i = 0; i < 2 * e.outputs.size(); ++i)
    formats.push_back(e.outputs[i % e.outputs.size()].format);
  return formats;
}

inline bool evaluate_reduce(evaluation& e, scalar_evaluator scalar,
                            std::function<tensor const*(ir::value)> const& outer) {
  auto const dims = e.integers("dimensions");
  if (!dims || !check_reduction(e)) return e.malformed();
  std::size_t const n = e.outputs.size(), dimension_count = e.inputs[0]->shape.size();
  if (!are_dimensions(*dims, dimension_count)) return e.malformed();
  extents kept;
  for (std::size_t d = 0; d < dimension_count; ++d)
    if (std::find(dims->begin(), dims->end(), static_cast<std::int64_t>(d)) == dims->end())
      kept.push_back(static_cast<std::int64_t>(d));
  extents const strides = strides_of(e.outputs[0].shape);
  extents steps(dimension_count, 0);
  if (kept.size() != strides.size()) return e.malformed();
  for (std::size_t k = 0; k < kept.size(); ++k) {
    auto const d = static_cast<std::size_t>(kept[k]);
    if (e.inputs[0]->shape[d] != e.outputs[0].shape[k]) return e.malformed();
    steps[d] = strides[k];
  }
  combiner combine(e, e.program.regions(e.op)[0], 2 * n, scalar, outer);
  if (!combine.good()) return false;
  auto const formats = combined_formats(e);
  for (std::size_t i = 0; i < n; ++i)
    std::fill(e.outputs[i].elements.begin(), e.outputs[i].elements.end(), e.inputs[n + i]->elements[0]);
  std::vector<std::uint64_t> values(2 * n);
  extents index(dimension_count);
  for (std::size_t from = 0; from < e.inputs[0]->elements.size(); ++from) {
    std::int64_t to = 0;
    for (std::size_t d = 0; d < dimension_count; ++d) to += index[d] * steps[d];
    auto const at = static_cast<std::size_t>(to);
    for (std::size_t i = 0; i < n; ++i) {
      values[i] = e.outputs[i].elements[at];
      values[n + i] = e.inputs[i]->elements[from];
    }
    if (!combine.run(formats, values.data(), 2 * n)) return false;
    for (std::size_t i = 0; i < n; ++i) e.outputs[i].elements[at] = values[i];
    next_index(e.inputs[0]->shape, index);
  }
  return true;
}

inline bool evaluate_reduce_window(evaluation& e, scalar_evaluator scalar,
                                   std::function<tensor const*(ir::value)> const& outer) {
  if (!check_reduction(e)) return e.malformed();
  std::size_t const n = e.outputs.size(), dimension_count = e.inputs[0]->shape.size();
  extents const ones(dimension_count, 1);
  auto const window = e.integers("window_dimensions"), by = e.integers("window_strides", ones);
  auto const base = e.integers("base_dilations", ones), dilation = e.integers("window_dilations", ones);
  auto const padding = e.integers("padding", extents(2 * dimension_count, 0));
  for (auto const* list : {&window, &by, &base, &dilation}) {
    if (!*list || (*list)->size() != dimension_count) return e.malformed();
    for (std::int64_t const v : **list)
      if (v < 1 || v > 1 << 30) return e.malformed();
  }
  if (!padding || padding->size() != 2 * dimension_count || e.outputs[0].shape.size() != dimension_count) return e.malformed();
  tensor const& in = *e.inputs[0];
  std::uint64_t per_window = 1;
  for (std::size_t d = 0; d < dimension_count; ++d) {
    std::int64_t const low = (*padding)[2 * d], high = (*padding)[2 * d + 1];
    if (low > 1 << 30 || low < -(1 << 30) || high > 1 << 30 || high < -(1 << 30)) return e.malformed();
    std::int64_t const spread = in.shape[d] == 0 ? 0 : (in.shape[d] - 1) * (*base)[d] + 1;
    std::int64_t const padded = low + spread + high, reach = ((*window)[d] - 1) * (*dilation)[d] + 1;
    if (e.outputs[0].shape[d] != (padded <= 0 || reach > padded ? 0 : (padded - reach) / (*by)[d] + 1))
      return e.malformed();
    per_window *= static_cast<std::uint64_t>((*window)[d]);
    if (per_window > 1 << 30) return e.fail("its window is too large to be simulated");
  }
  std::uint64_t const count = e.outputs[0].elements.size();
  if (!e.charge(per_window * count)) return false;
  combiner combine(e, e.program.regions(e.op)[0], 2 * n, scalar, outer);
  if (!combine.good()) return false;
  auto const formats = combined_formats(e);
  std::vector<std::uint64_t> values(2 * n);
  extents const strides = strides_of(in.shape);
  extents index(dimension_count);
  for (std::size_t to = 0; to < count; ++to) {
    for (std::size_t i = 0; i < n; ++i) values[i] = e.inputs[n + i]->elements[0];
    extents inside(dimension_count);
    for (std::uint64_t w = 0; w < per_window; ++w) {
      std::int64_t at = 0;
      bool real = true;
      for (std::size_t d = 0; d < dimension_count; ++d) {
        std::int64_t const place = index[d] * (*by)[d] + inside[d] * (*dilation)[d] - (*padding)[2 * d];
        real = real && place >= 0 && place % (*base)[d] == 0 && place / (*base)[d] < in.shape[d];
        at += place / (*base)[d] * strides[d];
      }
      for (std::size_t i = 0; i < n; ++i)
        values[n + i] =
            real ? e.inputs[i]->elements[static_cast<std::size_t>(at)] : e.inputs[n + i]->elements[0];
      if (real && !combine.run(formats, values.data(), 2 * n)) return false;
      next_index(*window, inside);
    }
    for (std::size_t i = 0; i < n; ++i) e.outputs[i].elements[to] = values[i];
    next_index(e.outputs[0].shape, index);
  }
  return true;
}

// --- Dot products --------------------------------------------------------------------------------------------

/// The result has the batching dimensions, then those of the left operand that are left, then of the right
/// one.
inline bool evaluate_dot(evaluation& e, extents const& left_batch, extents const& right_batch,
                         extents const& left_sum, extents const& right_sum) {
  tensor const &a = *e.inputs[0], &b = *e.inputs[1];
  tensor& out = e.outputs[0];
  if (left_batch.size() != right_batch.size() || left_sum.size() != right_sum.size()) return e.malformed();
  extents left = left_batch, right = right_batch;
  left.insert(left.end(), left_sum.begin(), left_sum.end());
  right.insert(right.end(), right_sum.begin(), right_sum.end());
  if (!are_dimensions(left, a.shape.size()) || !are_dimensions(right, b.shape.size())) return e.malformed();
  extents const of_a = strides_of(a.shape), of_b = strides_of(b.shape);
  // For each dimension of the result, and of the sum, how far it moves in either operand.
  extents shape, sum_shape, a_steps, b_steps, a_sum, b_sum;
  for (std::size_t i = 0; i < left.size(); ++i) {
    auto const l = static_cast<std::size_t>(left[i]), r = static_cast<std::size_t>(right[i]);
    if (a.shape[l] != b.shape[r]) return e.malformed();
    bool const batch = i < left_batch.size();
    (batch ? shape : sum_shape).push_back(a.shape[l]);
    (batch ? a_steps : a_sum).push_back(of_a[l]);
    (batch ? b_steps : b_sum).push_back(of_b[r]);
  }
  auto free_dimensions = [&](tensor const& t, extents const& taken, extents const& strides, bool first) {
    for (std::size_t d = 0; d < t.shape.size(); ++d) {
      if (std::find(taken.begin(), taken.end(), static_cast<std::int64_t>(d)) != taken.end()) continue;
      shape.push_back(t.shape[d]);
      a_steps.push_back(first ? strides[d] : 0);
      b_steps.push_back(first ? 0 : strides[d]);
    }
  };
  free_dimensions(a, left, of_a, true);
  free_dimensions(b, right, of_b, false);
  if (shape != out.shape) return e.malformed();
  std::uint64_t const terms = element_count(sum_shape, std::uint64_t{1} << 32);
  if (!e.charge(terms * out.elements.size())) return false;
  element_format const from_a = a.format, from_b = b.format;
  auto const add = find_binary("stablehlo.add"), times = find_binary("stablehlo.multiply");
  extents index(shape.size()), inside(sum_shape.size());
  for (auto& element : out.elements) {
    std::int64_t at_a = 0, at_b = 0;
    for (std::size_t d = 0; d < index.size(); ++d) {
      at_a += index[d] * a_steps[d];
      at_b += index[d] * b_steps[d];
    }
    std::uint64_t total = 0;
    for (std::uint64_t t = 0; t < terms; ++t) {
      std::int64_t x = at_a, y = at_b;
      for (std::size_t d = 0; d < inside.size(); ++d) {
        x += inside[d] * a_sum[d];
        y += inside[d] * b_sum[d];
      }
      std::uint64_t const l = converted(from_a, out.format, a.elements[static_cast<std::size_t>(x)]);
      std::uint64_t const r = converted(from_b, out.format, b.elements[static_cast<std::size_t>(y)]);
      total = *add(out.format, total, *times(out.format, l, r));
      next_index(sum_shape, inside);
    }
    element = total;
    next_index(shape, index);
  }
  return true;
}

inline bool evaluate_dot_general(evaluation& e) {
  constexpr std::string_view key = "dot_dimension_numbers";
  auto const lb = e.field(key, "lhs_batching_dimensions"), rb = e.field(key, "rhs_batching_dimensions");
  auto const lc = e.field(key, "lhs_contracting_dimensions"), rc = e.field(key, "rhs_contracting_dimensions");
  if (!e.has(2) || !lb || !rb || !lc || !rc) return e.malformed();
  return evaluate_dot(e, *lb, *rb, *lc, *rc);
}
/// The last dimension of the left operand with the first of the right one.
inline bool evaluate_simple_dot(evaluation& e) {
  if (!e.has(2) || e.inputs[0]->shape.empty() || e.inputs[1]->shape.empty()) return e.malformed();
  return evaluate_dot(e, {}, {}, {static_cast<std::int64_t>(e.inputs[0]->shape.size()) - 1}, {0});
}

}  // namespace mpmd::sim
