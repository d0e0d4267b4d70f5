#pragma once
/// Members of reader for the attributes of the sdy and mpmd dialects.
///
/// Inside another attribute they are written without `#dialect.name`; where such a form is expected, the full
/// form or an alias may stand too.

#include <charconv>

#include <mpmd/ir/sharding_check.hpp>
#include <mpmd/text/mlir/detail/words.hpp>
#include <mpmd/text/mlir/reader.hpp>

namespace mpmd::text::mlir {

/// The body of an attribute behind its mnemonic; nothing for a mnemonic without a structure here.
inline std::optional<ir::attribute> reader::parse_known_attribute(std::string_view dialect,
                                                                  std::string_view mnemonic) {
  if (dialect == "sdy") {
    if (mnemonic == "mesh") return parse_mesh_body();
    if (mnemonic == "sharding") return parse_sharding_body();
    if (mnemonic != "sharding_per_value") return std::nullopt;
    if (!expect('<')) return ir::attribute{};
    ir::attribute const made = parse_sharding_list();
    if (!made)
      error(
          "failed to parse Sdy_TensorShardingPerValue parameter 'shardings' which is to be a "
          "`::llvm::ArrayRef<TensorShardingAttr>`");
    return made && expect('>') ? made : ir::attribute{};
  }
  if (mnemonic == "topology") return parse_topology_body();
  if (mnemonic == "named_mesh") return parse_named_mesh();
  if (mnemonic == "user_origin") {
    if (!expect('<')) return ir::attribute{};
    ir::attribute const made = parse_user_origin_body();
    return made && expect('>') ? made : ir::attribute{};
  }
  if (mnemonic == "reduction") {
    if (!expect('<')) return ir::attribute{};
    auto const kind = parse_reduction_kind();
    return kind && expect('>') ? context_->get(ir::reduction_attr{*kind}) : ir::attribute{};
  }
  if (mnemonic == "origin") {
    auto label = parse_string();
    return label ? context_->get(ir::origin_attr{std::move(*label)}) : ir::attribute{};
  }
  if (mnemonic == "mesh_with_origins") {
    ir::mesh_with_origins_attr made;
    return parse_mesh_with_origins(made.held) ? context_->get(std::move(made)) : ir::attribute{};
  }
  if (mnemonic != "meshes_with_origins") return std::nullopt;
  ir::meshes_with_origins_attr made;
  if (!parse_list('<', '>', [&] { return parse_mesh_with_origins(made.meshes.emplace_back()); }))
    return ir::attribute{};
  return context_->get(std::move(made));
}

/// The full form or an alias, where a T is expected.
template <class T>
ir::attribute reader::parse_full(std::string_view what) {
  std::size_t const at = in.offset();
  ir::attribute const found = parse_attribute();
  if (found && context_->get_if<T>(found) == nullptr)
    return error(at, "invalid kind of attribute specified: expected " + std::string(what)), ir::attribute{};
  return found;
}

inline ir::attribute reader::parse_mesh() {
  return in.next_is('#') ? parse_full<ir::mesh_attr>("a mesh") : parse_mesh_body();
}

/// `<["x"=2, "y"=4], device_ids=[...]>`.
inline ir::attribute reader::parse_mesh_body() {
  std::size_t const at = in.offset();
  ir::mesh_attr made;
  if (!expect('<') || !parse_list('[', ']', [&] {
        auto label = parse_string();
        if (!label || !expect('=')) return false;
        auto const size = parse_integer();
        if (size) made.axes.push_back({std::move(*label), *size});
        return size.has_value();
      }))
    return {};
  if (in.consume(',') &&
      (!expect_word("device_ids") || !expect('=') || !parse_integers('[', ']', made.device_ids)))
    return {};
  if (!expect('>')) return {};
  // Ids in their default order are not stored. A mesh without axes keeps its one id, which names the device.
  auto const count = static_cast<std::int64_t>(made.device_ids.size());
  bool default_order = !made.axes.empty();
  for (auto const& axis : made.axes) default_order = default_order && axis.size > 0;
  default_order = default_order && count == ir::device_count(made);
  for (std::int64_t i = 0; default_order && i < count; ++i)
    default_order = made.device_ids[static_cast<std::size_t>(i)] == i;
  if (default_order) made.device_ids.clear();
  if (auto fault = ir::find_fault(made)) return error(at, std::move(*fault)), ir::attribute{};
  return context_->get(std::move(made));
}

inline ir::attribute reader::parse_sharding() {
  return in.next_is('#') ? parse_full<ir::sharding_attr>("a sharding") : parse_sharding_body();
}

/// `<@mesh, [{"x"}, {?}], replicated={...}, unreduced={...}>`.
inline ir::attribute reader::parse_sharding_body() {
  if (!expect('<')) return {};
  ir::sharding_attr made;
  if (in.next_is('@')) {
    auto name = parse_symbol_name();
    if (name) made.mesh = context_->symbol(*name);
  } else if (in.consume_word("mesh") || in.next_is('#')) {
    made.mesh = parse_mesh();
  } else {
    error("expected '@name' of a mesh or 'mesh'");
  }
  if (!made.mesh) {
    error("failed to parse Sdy_TensorSharding parameter 'mesh_or_ref' which is to be a `::mlir::Attribute`");
    return {};
  }
  if (!expect(',')) return {};
  if (!parse_list('[', ']', [&] { return parse_dim_sharding(made.dims.emplace_back()); })) {
    error(
        "failed to parse Sdy_TensorSharding parameter 'dim_shardings' which is to be a "
        "`::llvm::ArrayRef<DimensionShardingAttr>`");
    return {};
  }
  bool replicated = false, unreduced = false;
  while (in.consume(',')) {
    bool const first = in.next_is_word("replicated") && !replicated;
    if (!first && (!in.next_is_word("unreduced") || unreduced))
      return error("failed to parse Sdy_TensorSharding, expected valid named axis list after comma"),
             ir::attribute{};
    in.take_word();
    (first ? replicated : unreduced) = true;
    bool sound = expect('=');
    for (std::size_t kind = 0; sound && !first && kind < detail::unreduced_names.size(); ++kind)
      if (in.consume_word(detail::unreduced_names[kind])) {
        made.reduction = static_cast<ir::unreduced_kind>(kind);
        break;
      }
    sound = sound && parse_axes(first ? made.replicated : made.unreduced);
    if (!sound) {
      error(std::string("failed to parse Sdy_TensorSharding parameter '") +
            (first ? "replicated" : "unreduced") + "_axes' which is to be a `::llvm::ArrayRef<AxisRefAttr>`");
      return {};
    }
  }
  if (made.unreduced.empty()) made.reduction = ir::unreduced_kind::sum;
  return expect('>') ? context_->get(std::move(made)) : ir::attribute{};
}

inline ir::attribute reader::parse_sharding_list() {
  ir::sharding_per_value_attr made;
  if (!parse_list('[', ']', [&] {
        made.shardings.push_back(parse_sharding());
        return static_cast<bool>(made.shardings.back());
      }))
    return {};
  return context_->get(std::move(made));
}

/// `{"x", ?}p1`.
inline bool reader::parse_dim_sharding(ir::dim_sharding& to) {
  if (!expect('{')) return false;
  if (!in.next_is('}')) {
    do {
      to.open = in.consume('?');
      if (!to.open && !parse_axis_ref(to.axes.emplace_back())) return false;
    } while (!to.open && in.consume(','));
  }
  if (!expect('}')) return false;
  std::size_t const at = in.offset();
  std::string_view const word = in.take_word();
  if (word.empty()) return true;
  if (word[0] != 'p') return error(at, "expecting priority in format 'p<number>', got: " + std::string(word));
  std::string_view const digits = word.substr(1);
  if (digits.size() > 1 && digits[0] == '0')
    return error(at, "priorities with leading zeros are not allowed, got: " + std::string(digits));
  std::int64_t priority = 0;
  auto const read = std::from_chars(digits.data(), digits.data() + digits.size(), priority);
  if (read.ec != std::errc{} || read.ptr != digits.data() + digits.size())
    return error(at, "expecting integer priority, got: " + std::string(digits));
  to.priority = priority;
  return true;
}

/// `"x"` or `"x":(2)4`.
inline bool reader::parse_axis_ref(ir::axis_ref& to) {
  auto label = parse_string();
  if (!label) return false;
  to.axis = std::move(*label);
  if (!in.consume(':')) return true;
  if (!expect('(')) return false;
  auto const pre_size = parse_integer();
  if (!pre_size || !expect(')')) return false;
  std::size_t const at = in.offset();
  auto const size = parse_integer();
  if (!size) return false;
  if (*size == 0) return error(at, "the size of a sub-axis must not be 0");
  to.pre_size = *pre_size;
  to.size = *size;
  return true;
}

inline bool reader::parse_axes(std::vector<ir::axis_ref>& to) {
  return parse_list('{', '}', [&] { return parse_axis_ref(to.emplace_back()); });
}

/// `<"m1" : <["x"=2]>>`.
inline ir::attribute reader::parse_named_mesh() {
  if (in.next_is('#')) return parse_full<ir::named_mesh_attr>("a named mesh");
  if (!expect('<')) return {};
  auto label = parse_string();
  if (!label || !expect(':')) return {};
  ir::named_mesh_attr made{std::move(*label), parse_mesh()};
  return made.mesh && expect('>') ? context_->get(std::move(made)) : ir::attribute{};
}

inline ir::attribute reader::parse_topology_body() {
  if (!expect('<')) return {};
  ir::topology_attr made;
  do {
    made.meshes.push_back(parse_named_mesh());
    if (!made.meshes.back()) return {};
  } while (in.consume(','));
  return expect('>') ? context_->get(std::move(made)) : ir::attribute{};
}

inline ir::attribute reader::parse_user_origin() {
  return in.next_is('#') ? parse_full<ir::user_origin_attr>("a user origin") : parse_user_origin_body();
}

inline ir::attribute reader::parse_user_origin_body() {
  auto label = parse_string("expected string: the name of a user origin");
  if (!label) return {};
  ir::user_origin_attr made{std::move(*label)};
  if (in.consume('(')) {
    if (!in.next_is('-') && !chars::is(in.peek(), chars::digit))
      return error("expected integer value: the transpose count of a user origin"), ir::attribute{};
    auto const count = parse_integer();
    if (!count || !expect(')', "expected ')' behind the transpose count of a user origin")) return {};
    made.transpose_count = *count;
  }
  return context_->get(std::move(made));
}

inline ir::attribute reader::parse_user_origins() {
  ir::array_attr made;
  if (!parse_list('[', ']', [&] {
        made.elements.push_back(parse_user_origin());
        return static_cast<bool>(made.elements.back());
      }))
    return {};
  return context_->get(std::move(made));
}

/// `"m1"["a", "b"]` or `"m1"`.
inline bool reader::parse_mesh_with_origins(ir::mesh_with_origins& to) {
  if (in.next_is('#')) {
    ir::attribute const full = parse_full<ir::mesh_with_origins_attr>("a mesh with origins");
    if (full) to = context_->get_if<ir::mesh_with_origins_attr>(full)->held;
    return static_cast<bool>(full);
  }
  auto mesh = parse_string();
  if (!mesh) return false;
  to.mesh = std::move(*mesh);
  if (!in.consume('[')) return true;
  do {
    if (in.next_is('#')) {
      ir::attribute const full = parse_full<ir::origin_attr>("an origin");
      if (!full) return false;
      to.origins.push_back(context_->get_if<ir::origin_attr>(full)->label);
    } else {
      auto label = parse_string();
      if (!label) return false;
      to.origins.push_back(std::move(*label));
    }
  } while (in.consume(','));
  return expect(']');
}

inline std::optional<ir::reduction_kind> reader::parse_reduction_kind() {
  for (std::size_t i = 0; i < detail::reduction_names.size(); ++i)
    if (in.consume_word(detail::reduction_names[i])) return static_cast<ir::reduction_kind>(i);
  error("expected a reduction kind, one of: none, add, max, min, mul, or, and");
  return std::nullopt;
}

}  // namespace mpmd::text::mlir
