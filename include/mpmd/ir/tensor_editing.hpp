#pragma once
/// What passes ask and make of tensors in the library's own IR: a part of its model of mutable_mpmd_program
/// (ir/editing.hpp).

#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir {

struct tensor_editing {
  static bool is_replicated(program const& p, type t) {
    auto const* placed = p.context().get_if<mesh_tensor_type>(t);
    return !placed || !placed->sharding;
  }
  static std::optional<std::vector<std::int64_t>> shape_of(program const& p, type t) {
    auto const* tensor = p.context().get_if<tensor_type>(global_type(p, t));
    if (!tensor) return std::nullopt;
    for (std::int64_t const extent : tensor->shape)
      if (extent < 0) return std::nullopt;
    return tensor->shape;
  }
  static type with_shape(program& p, type t, std::vector<std::int64_t> const& shape) {
    context& c = p.context();
    tensor_type changed = *c.get_if<tensor_type>(global_type(p, t));
    changed.shape = shape;
    changed.encoding = {};
    type const made = c.get(std::move(changed));
    auto const* placed = c.get_if<mesh_tensor_type>(t);
    if (placed == nullptr) return made;
    mesh_tensor_type moved{placed->mesh, made, {}, placed->memory_kind};
    return c.get(std::move(moved));
  }

 protected:
  template <class Recipe>
  static attribute tensor_properties(context& c, Recipe const& r) {
    auto array = [&](std::vector<std::int64_t> all) { return c.get(dense_array_attr{c.integer(64), std::move(all)}); };
    switch (r.tensor) {
      case tensor_op::none: return {};
      case tensor_op::concatenate: return make_dictionary(c, {{"dimension", c.integer_value(0)}});
      case tensor_op::slice: {
        std::vector<std::int64_t> starts, limits, strides;
        for (slice_bounds const& b : r.bounds) {
          starts.push_back(b.start);
          limits.push_back(b.limit);
          strides.push_back(b.stride);
        }
        return make_dictionary(c, {{"limit_indices", array(std::move(limits))},
                                   {"start_indices", array(std::move(starts))},
                                   {"strides", array(std::move(strides))}});
      }
      case tensor_op::broadcast: return make_dictionary(c, {{"broadcast_dimensions", array({})}});
      case tensor_op::constant: break;
    }
    auto const* tensor = c.get_if<tensor_type>(r.results.front());
    auto const* element = tensor ? c.get_if<integer_type>(tensor->element) : nullptr;
    assert(element && "passes make constants of integers");
    auto bits = static_cast<std::uint64_t>(r.number);
    if (element->width < 64) bits &= (std::uint64_t{1} << element->width) - 1;
    dense_attr held{r.results.front(), {}, true};
    for (std::uint32_t bit = 0; bit < element->width; bit += 8) held.data += static_cast<char>(bits >> bit & 0xFF);
    return make_dictionary(c, {{"value", c.get(std::move(held))}});
  }

 private:
  static type global_type(program const& p, type t) {
    auto const* placed = p.context().get_if<mesh_tensor_type>(t);
    return placed ? placed->global : t;
  }
};

}  // namespace mpmd::ir
