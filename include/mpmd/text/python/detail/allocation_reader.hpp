#pragma once
/// Allocations of window buffers, as users write them: definitions of text/python/function_reader.hpp, which includes this.

#include <mpmd/ir/host_call_checks.hpp>
#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

/// `alloc_window_buffer(size)` or `alloc_window_buffer([d0, d1], dtype=T)`, as users write it.
inline bool function_reader::open_allocation(node n, frame& f) {
  call_plan& plan = *f.call;
  if (!host_only(n, "pld.tensor.alloc_window_buffer")) return false;
  if (n != assigned_call_ || assigned_name_.empty()) {
    module_.error(n, "pld.tensor.alloc_window_buffer must appear as the RHS of a simple assignment",
                  "write 'buf = pld.alloc_window_buffer(...)': the buffer is named after the variable");
    return false;
  }
  bool good = true;
  keyword_set seen;
  plan.kwargs.set("name", in_.string(assigned_name_));
  for (node const a : tree_.children(n).subspan(1)) {
    if (tree_[a].kind != node_kind::keyword) {
      plan.arguments.push_back(a);
    } else if (module_.text(a) == "name") {
      module_.error(a, "the 'name' kwarg cannot be passed explicitly to pld.tensor.alloc_window_buffer",
                    "the buffer is named after the variable it is assigned to");
      good = false;
    } else if (module_.text(a) == "domain" && !module_.is_string(tree_.child(a, 0))) {
      module_.error(a, "domain= must be a string literal", "allocations with different domain= never share a domain");
      good = false;
    } else if (module_.text(a) == "dtype") {
      plan.dtype = module_.dtype(tree_.child(a, 0));
      if (plan.dtype.empty()) good = false, module_.error(a, "dtype must be an element type, as in dtype=pl.FP32");
    } else if (module_.text(a) == "domain") {
      good &= read_keyword(plan.kwargs, a, seen, plan.held);
    } else {
      module_.error(a, "unexpected keyword '" + std::string(module_.text(a)) + "' in a call of 'pld.tensor.alloc_window_buffer'",
                    "it takes domain=, and dtype= with a list of extents");
      good = false;
    }
  }
  if (!good) return false;
  if (plan.arguments.size() != 1) {
    module_.error(n, "pld.tensor.alloc_window_buffer requires one size in bytes, or one list of extents and dtype=");
    return false;
  }
  node const size = plan.arguments[0];
  bool const shape = tree_[size].kind == node_kind::list || tree_[size].kind == node_kind::tuple;
  if (shape != !plan.dtype.empty()) {
    module_.error(size, shape ? "a list of extents needs dtype= to become a size" : "dtype= goes with a list of extents");
    return false;
  }
  if (shape && tree_[size].count == 0) return module_.error(size, "the shape of a window buffer cannot be empty"), false;
  module_.allocations.emplace_back(std::string(assigned_name_), tree_.start_of(n));
  plan.is = form::operation;
  plan.name = "pld.tensor.alloc_window_buffer";
  plan.callee = in_.string(plan.name);
  if (shape) {
    auto const extents = tree_.children(size);
    f.parts.assign(extents.begin(), extents.end());
  } else {
    f.parts = {size};
  }
  f.parts.insert(f.parts.end(), plan.held.begin(), plan.held.end());
  return true;
}

/// The bytes of a shape: one constant when all extents are, otherwise a product from left to right.
inline function_reader::value function_reader::finish_allocation_shape(node shape, std::string_view dtype,
                                                                       std::vector<value> const& extents) {
  std::int64_t const bytes = (ir::host::find_dtype(dtype)->bits + 7) / 8;
  std::int64_t product = bytes;
  bool constant = true, overflow = false;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (auto const why = ir::host::detail::no_integer(p_, extents[i]); !why.empty())
      return module_.error(tree_.child(shape, i), "the extents of a window buffer are integers, not " + why), value{};
    auto const n = ir::host::constant_int(p_, extents[i]);
    if (n && *n <= 0) {
      module_.error(tree_.child(shape, i), "the extents of a window buffer must be positive, got " + std::to_string(*n));
      return {};
    }
    constant &= n.has_value();
    if (constant) overflow |= __builtin_mul_overflow(product, *n, &product);
  }
  if (constant) {
    if (overflow) return module_.error(shape, "the size of the window buffer does not fit into 64 bits"), value{};
    for (value const v : extents) ir::host::erase_expression(p_, v);
    return make_.constant(product, "INT64");
  }
  value all = extents[0];
  for (std::size_t i = 1; i < extents.size(); ++i) all = make_binary("mul", all, extents[i]);
  return make_binary("mul", all, make_.constant(bytes, "INDEX"));
}

}  // namespace mpmd::text::python
