#pragma once
/// Types: definitions of text/python/function_reader.hpp, which includes this.

#include <algorithm>

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

/// `[a, b]` as extents: constants as they are, anything else as a hole. Nothing after a report.
inline std::optional<std::vector<std::int64_t>> function_reader::extents(node n, full_type& holes) {
  if (tree_[n].kind != node_kind::list && tree_[n].kind != node_kind::tuple) {
    module_.error(n, "expected a list of extents");
    return std::nullopt;
  }
  std::vector<std::int64_t> list;
  bool good = true;
  for (node const e : tree_.children(n)) {
    if (tree_[e].kind == node_kind::integer)
      if (auto const v = module_.signed_integer(e)) {
        list.push_back(*v);
        continue;
      }
    value const v = expression(e);
    if (!v || ir::host::is_window(p_, v)) {
      if (v) module_.error(e, "a window is no extent");
      good = false;
      continue;
    }
    if (auto const constant = ir::host::constant_int(p_, v); constant && *constant >= 0) {
      ir::host::erase_expression(p_, v);
      list.push_back(*constant);
    } else {
      list.push_back(ir::dynamic_extent);
      holes.holes.push_back(v);
    }
  }
  if (!good) return std::nullopt;
  return list;
}

/// Whether an element of a subscript refers to a window, or describes one.
inline bool function_reader::window_element(node n) const {
  if (tree_[n].kind != node_kind::call) return false;
  auto const path = module_.path(tree_.child(n, 0));
  return path == "pl._dump.window_ref" || path == "pl._dump.window_buffer";
}

/// A view, a layout on its own, or a memory reference, which is left out: true when it was one of them, false after a
/// report.
inline bool function_reader::tensor_view(node n, ir::host::tensor_data& into, full_type& holes) {
  auto const* layouts = find_enumeration("TensorLayout");
  auto layout_of = [&](node e) -> std::string_view {
    if (tree_[e].kind != node_kind::attribute) return {};
    auto const path = module_.path(e);
    if (!path || !path->starts_with("pl.")) return {};
    auto const member = module_.text(e);
    bool const plain = *path == "pl." + std::string(member), full = *path == "pl.TensorLayout." + std::string(member);
    return (plain || full) && is_listed(layouts->members, member) ? member : std::string_view{};
  };
  if (auto const layout = layout_of(n); !layout.empty()) {
    if (into.view) return module_.error(n, "the layout is given twice"), false;
    into.view.emplace();
    into.view->layout = layout;
    return true;
  }
  if (is_call_of(n, "pl.MemRef")) {
    module_.to.warning(tree_.start_of(n), "the memory of a tensor is not kept");
    return true;
  }
  if (!is_call_of(n, "pl.TensorView") || into.view) {
    module_.error(n, "expected a view, pl.TensorView(...), or a layout");
    return false;
  }
  into.view.emplace();
  // The holes of the valid shape come in front of those of the stride, whatever the order they are written in.
  full_type valid, stride;
  bool good = true;
  unsigned seen = 0;
  for (node const a : tree_.children(n).subspan(1)) {
    bool const keyword = tree_[a].kind == node_kind::keyword;
    auto const word = keyword ? module_.text(a) : std::string_view{};
    unsigned const bit = word == "valid_shape" ? 1 : word == "stride" ? 2 : word == "layout" ? 4 : word == "pad" ? 8 : 0;
    if (bit == 0 || (seen & bit) != 0) {
      module_.error(a, "pl.TensorView accepts valid_shape=, stride=, layout= and pad=, each once");
      good = false;
      continue;
    }
    seen |= bit;
    node const given = tree_.child(a, 0);
    if (bit == 1) {
      into.view->valid_shape = extents(given, valid);
      good &= into.view->valid_shape.has_value();
    } else if (bit == 2) {
      auto list = extents(given, stride);
      good &= list.has_value();
      if (list) into.view->stride = std::move(*list);
    } else if (bit == 4) {
      into.view->layout = layout_of(given);
      if (into.view->layout.empty()) good = false, module_.error(given, "unknown layout");
    } else {
      auto const path = module_.path(given);
      if (path && path->starts_with("pl.PadValue.") && is_listed(find_enumeration("PadValue")->members, module_.text(given)))
        into.view->pad = module_.text(given);
      else
        good = false, module_.error(given, "unknown padding");
    }
  }
  holes.holes.insert(holes.holes.end(), valid.holes.begin(), valid.holes.end());
  holes.holes.insert(holes.holes.end(), stride.holes.begin(), stride.holes.end());
  return good;
}

/// `pl.Tensor[[4, 8], pl.FP32, view, memory]` and its kin, with the window last.
inline function_reader::full_type function_reader::tensor_type(node n, ir::host::tensor_kind kind) {
  auto parts = tree_.children(n).subspan(1);
  if (parts.size() == 1 && tree_[parts[0]].kind == node_kind::tuple) parts = tree_.children(parts[0]);
  std::vector<node> elements(parts.begin(), parts.end());
  node reference;
  if (kind == ir::host::tensor_kind::distributed) {
    // An older form had a remark here, which refers to nothing.
    if (elements.size() > 2 && module_.is_string(elements.back()) &&
        module_.string_value(elements.back()).starts_with("window_buffer="))
      elements.pop_back();
    if (elements.size() > 2 && window_element(elements.back())) {
      reference = elements.back();
      elements.pop_back();
    }
  }
  if (elements.size() < 2 || elements.size() > 4) {
    module_.error(n, "a tensor type has a shape and an element type, and may have a view",
                  "as in pl.Tensor[[4, 8], pl.FP32]");
    return {};
  }
  full_type made;
  ir::host::tensor_data data{.kind = kind};
  bool good = true;
  if (kind == ir::host::tensor_kind::array && tree_[elements[0]].kind != node_kind::list &&
      tree_[elements[0]].kind != node_kind::tuple) {
    value const v = expression(elements[0]);
    if (!v) return {};
    if (ir::host::is_window(p_, v)) return module_.error(elements[0], "a window is no extent"), full_type{};
    auto const constant = ir::host::constant_int(p_, v);
    data.shape.push_back(constant && *constant >= 0 ? *constant : ir::dynamic_extent);
    if (data.shape[0] == ir::dynamic_extent)
      made.holes.push_back(v);
    else
      ir::host::erase_expression(p_, v);
  } else if (auto shape = extents(elements[0], made)) {
    data.shape = std::move(*shape);
  } else {
    good = false;
  }
  data.dtype = module_.dtype(elements[1]);
  if (data.dtype.empty()) good = false, module_.unknown_name(elements[1], "element type", ir::host::dtypes);
  for (node const e : std::span(elements).subspan(2)) good = tensor_view(e, data, made) && good;
  if (reference) {
    value const w = window(reference);
    good &= static_cast<bool>(w);
    data.windowed = true;
    made.holes.push_back(w);
  }
  if (!good) return {};
  made.of = ir::host::tensor(in_, data);
  if (!data.view || !data.view->valid_shape || made.holes.empty()) return made;
  full_type const settled = ir::host::settled(p_, made);
  for (value const v : made.holes)
    if (std::find(settled.holes.begin(), settled.holes.end(), v) == settled.holes.end()) ir::host::erase_expression(p_, v);
  return settled;
}

/// Tuples nest on a list; what is inside a tensor's brackets is an expression, which may hold types again, so that
/// nesting is limited.
inline function_reader::full_type function_reader::type(node root) {
  if (type_depth_ >= 16) {
    module_.error(root, "types and expressions are nested too deeply in each other");
    return {};
  }
  ++type_depth_;
  struct open_tuple {
    node of;
    std::vector<node> elements = {};
    std::size_t next = 0;
    ir::tuple_type list = {};
    full_type made = {};
  };
  std::vector<open_tuple> open;
  node n = root;
  full_type done;
  bool good = true;
  while (true) {
    // One type that is no tuple, or the start of a tuple.
    auto const whole = module_.path(tree_[n].kind == node_kind::subscript ? tree_.child(n, 0) : n);
    done = {};
    bool started = false;
    if (tree_[n].kind == node_kind::subscript && whole) {
      if (*whole == "pl.Scalar") {
        auto const dtype = tree_[n].count == 2 ? module_.dtype(tree_.child(n, 1)) : std::string_view{};
        if (dtype.empty() && tree_[n].count == 2)
          module_.unknown_name(tree_.child(n, 1), "element type", ir::host::dtypes);
        else if (dtype.empty())
          module_.error(n, "a scalar type has an element type, as in pl.Scalar[pl.INT64]");
        else
          done.of = ir::host::scalar(in_, dtype);
      } else if (*whole == "pl.Tensor") {
        done = tensor_type(n, ir::host::tensor_kind::plain);
      } else if (*whole == "pld.DistributedTensor") {
        done = tensor_type(n, ir::host::tensor_kind::distributed);
      } else if (*whole == "pl.Tile") {
        done = tensor_type(n, ir::host::tensor_kind::tile);
      } else if (*whole == "pl.Array") {
        done = tensor_type(n, ir::host::tensor_kind::array);
      } else if (*whole == "pl.Tuple" || *whole == "tuple") {
        auto parts = tree_.children(n).subspan(1);
        if (parts.size() == 1 && tree_[parts[0]].kind == node_kind::tuple) parts = tree_.children(parts[0]);
        if (open.size() < 64) {
          open.push_back({n, {parts.begin(), parts.end()}});
          started = true;
        } else {
          module_.error(n, "tuples are nested too deeply");
        }
      } else {
        module_.error(n, "unknown type '" + *whole + "[...]'");
      }
    } else if (whole) {
      for (auto const& m : ir::host::markers)
        if (m.host == *whole) done.of = ir::host::marker(in_, m.text);
      if (!done) {
        bool const dumped = whole->starts_with("pl._dump.");
        module_.error(n, (dumped ? "Unknown IR dump expression: " : "unknown type '") + *whole + (dumped ? "" : "'"));
      }
    } else {
      module_.error(n, "this is no type");
    }
    good &= started || done;
    // Hands it to the tuple around it, and that one on when it is complete.
    while (true) {
      if (open.empty()) {
        --type_depth_;
        return good && fits(root, done) ? done : full_type{};
      }
      open_tuple& top = open.back();
      if (!started && done) {
        top.list.elements.push_back(done.of);
        top.made.holes.insert(top.made.holes.end(), done.holes.begin(), done.holes.end());
      }
      started = false;
      done = {};
      if (top.next < top.elements.size()) {
        n = top.elements[top.next++];
        break;
      }
      done = std::move(top.made);
      done.of = in_.get(std::move(top.list));
      open.pop_back();
    }
  }
}

}  // namespace mpmd::text::python
