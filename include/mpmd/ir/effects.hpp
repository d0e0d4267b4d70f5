#pragma once
/// Which ops have effects besides their results. An op nobody declared anything about may do anything.

#include <cstdint>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

/// What is known of an op without looking at its regions.
enum class own_effects {
  none,        ///< no effect at all
  of_regions,  ///< those of the ops in its regions and no others
  unknown,     ///< possibly any
};

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

/// Whether an op could go if nobody used its results, provided that it is pure: it ends no block and bears no
/// name.
inline bool may_be_erased(program const& in, op o) {
  return !in.has_trait(o, op_trait::terminator) && !in.has_trait(o, op_trait::symbol);
}
inline bool has_unused_results(program const& in, op o) {
  for (value const v : in.results(o))
    if (!in.is_unused(v)) return false;
  return true;
}
/// Whether erasing the op changes nothing. O(size of the op).
inline bool is_trivially_dead(program const& in, op o) {
  return may_be_erased(in, o) && has_unused_results(in, o) && is_pure(in, o);
}

/// is_pure of every op in `root`, found in one walk. Erasing ops keeps the answers safe: an op that was not
/// pure may have become so.
class purity {
 public:
  purity(program const& in, op root) : pure_(in.op_capacity(), false) {
    // Innermost first: an op is pure unless something in it is not.
    std::vector<bool> tainted(in.op_capacity(), false);
    walk_post_order(in, root, [&](op o) {
      own_effects const own = effects_of(in, o);
      bool const pure = own == own_effects::none || (own == own_effects::of_regions && !tainted[o.id]);
      pure_[o.id] = pure;
      if (op const around = in.parent_op(o); around && !pure) tainted[around.id] = true;
    });
  }

  bool operator()(op o) const { return o.id < pure_.size() && pure_[o.id]; }
  /// Tells about an op made since. O(size of the op).
  void add(program const& in, op o) {
    if (pure_.size() < in.op_capacity()) pure_.resize(in.op_capacity(), false);
    pure_[o.id] = is_pure(in, o);
  }

 private:
  std::vector<bool> pure_;
};

}  // namespace mpmd::ir
