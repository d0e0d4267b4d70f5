#pragma once
/// Types: definitions of text/python/expression_printer.hpp, which includes this.

#include <mpmd/text/python/expression_printer.hpp>

namespace mpmd::text::python {

inline void expression_printer::add_extents(std::vector<item>& list, std::vector<std::int64_t> const& extents,
                                            std::uint32_t cursor) {
  list.push_back({.s = "["});
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (i != 0) list.push_back({.s = ", "});
    if (extents[i] == ir::dynamic_extent)
      list.push_back({.what = item::form::expression, .v = next_hole(cursor)});
    else
      list.push_back({.s = keep(std::to_string(extents[i]))});
  }
  list.push_back({.s = "]"});
}

inline void expression_printer::print_type(item const& it) {
  if (auto const name = ir::host::dtype_name(in_, it.t); !name.empty()) {
    out_.append("pl.Scalar[pl.").append(name).append("]");
    return;
  }
  if (auto const* o = in_.get_if<ir::opaque_type>(it.t)) {
    for (auto const& m : ir::host::markers)
      if (m.text == o->text) {
        out_ += m.host;
        return;
      }
    out_ += "pl._dump.Unknown";
    return;
  }
  std::vector<item> list;
  if (auto const* tuple = in_.get_if<ir::tuple_type>(it.t)) {
    list.push_back({.s = "pl.Tuple["});
    for (std::size_t i = 0; i < tuple->elements.size(); ++i) {
      if (i != 0) list.push_back({.s = ", "});
      list.push_back({.what = item::form::type, .t = tuple->elements[i], .cursor = it.cursor});
    }
    list.push_back({.s = tuple->elements.empty() ? "()]" : "]"});
    push(list);
    return;
  }
  auto const data = ir::host::tensor_of(in_, it.t);
  if (!data) {
    out_ += "pl._dump.Unknown";
    return;
  }
  static constexpr std::string_view starts[] = {"pl.Tensor[", "pld.DistributedTensor[", "pl.Tile[", "pl.Array["};
  list.push_back({.s = starts[static_cast<std::size_t>(data->kind)]});
  if (data->kind == ir::host::tensor_kind::array && data->shape.size() == 1) {
    if (data->shape[0] == ir::dynamic_extent)
      list.push_back({.what = item::form::expression, .v = next_hole(it.cursor)});
    else
      list.push_back({.s = keep(std::to_string(data->shape[0]))});
  } else {
    add_extents(list, data->shape, it.cursor);
  }
  list.push_back({.s = ", pl."});
  list.push_back({.s = keep(data->dtype)});
  if (data->view) {
    auto const& view = *data->view;
    list.push_back({.s = ", pl.TensorView("});
    if (view != ir::host::tensor_view{}) {
      if (view.valid_shape) {
        list.push_back({.s = "valid_shape="});
        add_extents(list, *view.valid_shape, it.cursor);
        list.push_back({.s = ", "});
      }
      list.push_back({.s = "stride="});
      add_extents(list, view.stride, it.cursor);
      list.push_back({.s = keep(", layout=pl.TensorLayout." + view.layout)});
      if (view.pad != "null") list.push_back({.s = keep(", pad=pl.PadValue." + view.pad)});
    }
    list.push_back({.s = ")"});
  }
  if (data->windowed) {
    list.push_back({.s = ", "});
    list.push_back({.what = item::form::expression, .v = next_hole(it.cursor)});
  }
  list.push_back({.s = "]"});
  push(list);
}

}  // namespace mpmd::text::python
