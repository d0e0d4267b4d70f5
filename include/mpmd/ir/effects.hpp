#pragma once
/// Which ops have effects besides their results. An op nobody declared anything about may do anything.

#include <mpmd/graph/structured_program.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

using mpmd::own_effects;

/// O(1). A stablehlo.custom_call is free of effects only if it says so.
inline own_effects effects_of(program const& in, op o) {
  auto const* info = in.info(o);
  if (info == nullptr) return own_effects::unknown;
  if (info->has(op_trait::pure)) return own_effects::none;
  if (info->has(op_trait::recursive_effects)) return own_effects::of_regions;
  if (info->code == opcode::stablehlo_custom_call) {
    auto const* stated = in.attr_if<integer_attr>(o, "has_side_effect");
    if (stated != nullptr && stated->value == 0) return own_effects::none;
  }
  return own_effects::unknown;
}

/// Whether executing the op, with everything in it, has no effect besides its results. O(size of the op).
inline bool is_pure(program const& in, op o) {
  return walk(in, o, [&](op inner) {
    switch (effects_of(in, inner)) {
      case own_effects::none: return walk_step::skip;
      case own_effects::of_regions: return walk_step::advance;
      case own_effects::unknown: break;
    }
    return walk_step::interrupt;
  });
}

}  // namespace mpmd::ir
