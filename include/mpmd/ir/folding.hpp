#pragma once
/// Blocks, and ops by themselves, as the library's own IR models structured_program and foldable_program. They are members
/// of ir_traits<ir::program> (ir/traits.hpp).

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/ir/effects.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/tensor_kinds.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/hash.hpp>

namespace mpmd::ir {

struct folding {
  using block = ir::block;

  // structured_program
  static std::size_t region_count(program const& p, op o) { return p.has_regions(o) ? p.regions(o).size() : 0; }
  static sibling_range<block> blocks(program const& p, op o, std::size_t i) { return ir::blocks(p, p.regions(o)[i]); }
  static op_range block_ops(program const& p, block b) { return {p, b}; }
  static std::span<value const> block_arguments(program const& p, block b) { return p.arguments(b); }
  static std::span<block const> successors(program const& p, op o) { return p.successors(o); }
  static void erase_block(program& p, block b) { p.erase_block(b); }

  static own_effects effects_of(program const& p, op o) { return ir::effects_of(p, o); }
  static bool is_isolated(program const& p, op o) { return p.has_trait(o, op_trait::isolated); }
  static bool is_foreign(program const& p, op o) { return p.info(o) == nullptr; }
  static bool is_commutative(program const& p, op o) {
    return p.has_trait(o, op_trait::commutative) && p.operand_count(o) == 2;
  }
  static bool is_alike(program const& p, op a, op b) {
    if (p.kind(a) != p.kind(b) || p.properties(a) != p.properties(b) || p.attributes(a) != p.attributes(b) ||
        p.result_count(a) != p.result_count(b))
      return false;
    for (std::uint32_t i = 0; i < p.result_count(a); ++i)
      if (p.type_of(p.result(a, i)) != p.type_of(p.result(b, i))) return false;
    return true;
  }
  static std::uint64_t hash_alone(program const& p, op o) {
    hasher h;
    h.add(p.kind(o).id);
    h.add(p.properties(o).id);
    h.add(p.attributes(o).id);
    for (value const v : p.results(o)) h.add(p.type_of(v).id);
    return h.value();
  }
  static std::array<std::uint64_t, 3> constant_key(program const& p, op o) {
    return {p.kind(o).id, p.attr(o, attribute_key::own_value).id, p.type_of(p.result(o, 0)).id};
  }
  static std::size_t op_index(program const&, op o) { return o.id; }
  static std::size_t op_index_bound(program const& p) { return p.op_capacity(); }

  // foldable_program
  static tensor_kind tensor_kind_of(program const& p, op o) {
    auto const id = p.kind(o).id;
    return id < tensor_kinds.size() ? tensor_kinds[id] : tensor_kind::other;
  }
  static std::optional<integer_element> integer_element_of(program const& p, type t) {
    auto const* tensor = p.context().get_if<tensor_type>(t);
    auto const* element = tensor ? p.context().get_if<integer_type>(tensor->element) : nullptr;
    if (!element || element->width < 1 || element->width > 64 ||
        std::any_of(tensor->shape.begin(), tensor->shape.end(), [](std::int64_t extent) { return extent < 0; }))
      return std::nullopt;
    return integer_element{element->width, element->sign != signedness::is_unsigned && element->width > 1};
  }
  static std::optional<std::int64_t> number_of(program const& p, op constant) {
    type const t = p.type_of(p.result(constant, 0));
    auto const element = integer_element_of(p, t);
    auto const* held = element ? p.attr_if<dense_attr>(constant, attribute_key::own_value) : nullptr;
    if (!held || (!held->splat && !p.context().get_if<tensor_type>(t)->shape.empty())) return std::nullopt;
    std::size_t const bytes = (element->width + 7) / 8;
    if (held->data.size() != bytes) return std::nullopt;
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      bits |= static_cast<std::uint64_t>(static_cast<unsigned char>(held->data[i])) << (8 * i);
    if (element->is_signed && element->width < 64 && (bits >> (element->width - 1) & 1) != 0)
      bits |= ~std::uint64_t{0} << element->width;
    return static_cast<std::int64_t>(bits);
  }
  static std::optional<std::int64_t> integer_attribute(program const& p, op o, std::string_view key) {
    auto const* held = p.attr_if<integer_attr>(o, key);
    return held ? std::optional(held->value) : std::nullopt;
  }
  static std::optional<std::vector<std::int64_t>> list_attribute(program const& p, op o, std::string_view key) {
    auto const* held = p.attr_if<dense_array_attr>(o, key);
    auto const* element = held ? p.context().get_if<integer_type>(held->element) : nullptr;
    bool const fits = element && *element == integer_type{64, signedness::signless};
    return fits ? std::optional(held->values) : std::nullopt;
  }
  static comparison comparison_of(program const& p, op o) {
    auto const* held = p.attr_if<opaque_attr>(o, "comparison_direction");
    return held ? comparison_in(held->text) : comparison::unknown;
  }
  static void clear_notes(program& p, op o) { p.set_attributes(o, {}); }
};

}  // namespace mpmd::ir
