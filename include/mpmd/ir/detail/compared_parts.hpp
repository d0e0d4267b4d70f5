#pragma once
/// What structural equality and hash see of a program.

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir::detail {

/// Ops that are compared where they are used and not where they stand.
inline bool is_placeless(program const& in, op o) {
  return in.has_trait(o, op_trait::declaration) || in.has_trait(o, op_trait::expression);
}

/// Numbers of values and blocks in order of definition; `unknown` for those defined elsewhere, `placeless` for
/// those of placeless ops.
struct definition_numbers {
  static constexpr std::uint32_t unknown = 0xFFFFFFFFu;
  static constexpr std::uint32_t placeless = 0xFFFFFFFEu;
  std::vector<std::uint32_t> values;
  std::vector<std::uint32_t> blocks;

  definition_numbers(program const& in, op root)
      : values(in.value_capacity(), unknown), blocks(in.block_capacity(), unknown) {
    std::uint32_t next_value = 0, next_block = 0;
    // Results of an op, then the blocks of its regions with their arguments, then the ops in them.
    walk(in, root, [&](op o) {
      bool const numbered = !is_placeless(in, o);
      for (value const v : in.results(o)) values[v.id] = numbered ? next_value++ : placeless;
      for (region const r : in.regions(o))
        for (block const b : ir::blocks(in, r)) {
          blocks[b.id] = next_block++;
          for (value const v : in.arguments(b)) values[v.id] = next_value++;
        }
    });
  }
};

/// The attributes of an op that is not known, all in one dictionary.
inline attribute joint_attributes(program const& in, op o) {
  auto const* inherent = in.context().get_if<dictionary_attr>(in.properties(o));
  auto const* other = in.context().get_if<dictionary_attr>(in.attributes(o));
  if (inherent == nullptr || inherent->entries.empty()) return in.attributes(o);
  if (other == nullptr || other->entries.empty()) return in.properties(o);
  auto entries = other->entries;
  entries.insert(entries.end(), inherent->entries.begin(),
                 inherent->entries.end());  // found first by program::attr
  return in.context().dictionary(std::move(entries));
}

/// What equality sees of the inherent attributes of a known op: not those that the op declares to be beside the point,
/// and of constants of host programs integers as of type index if they are 64 bits wide, and one zero for both floats.
inline attribute compared_properties(program const& in, op o) {
  op_info const& known = *in.info(o);
  attribute seen = in.properties(o);
  if (known.code == opcode::host_const) {
    attribute const held = in.context().lookup(seen, "value");
    auto const* f = in.context().get_if<float_attr>(held);
    if (f != nullptr && f->bits == std::uint64_t{1} << 63)
      seen = in.context().with(seen, "value", in.context().get(float_attr{0, f->of}));
    auto const* v = in.context().get_if<integer_attr>(held);
    if (v != nullptr && v->of == in.context().integer(64))
      seen = in.context().with(seen, "value", in.context().get(integer_attr{v->value, in.context().get(index_type{})}));
  }
  if (known.unequal.empty()) return seen;
  auto const* held = in.context().get_if<dictionary_attr>(seen);
  if (held == nullptr) return seen;
  auto entries = held->entries;
  std::erase_if(entries, [&](auto const& e) { return !known.is_compared(in.context().text(e.first)); });
  return entries.size() == held->entries.size() ? seen : in.context().dictionary(std::move(entries));
}
/// The same of the type of a result.
inline type compared_type(program const& in, op o, value v) {
  type const of = in.type_of(v);
  return in.is(o, opcode::host_const) && of == in.context().integer(64) ? in.context().get(index_type{}) : of;
}

}  // namespace mpmd::ir::detail
