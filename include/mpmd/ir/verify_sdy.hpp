#pragma once
/// The verifiers of the sdy dialect: its ops, and the shardings that any op or function may bear as
/// `sdy.sharding`.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/verify_context.hpp>

namespace mpmd::ir {

/// The mesh a sharding speaks of, a mesh_attr: inlined, or the `sdy.mesh` of that name in the module around
/// the op being checked; null if unknown.
inline attribute mesh_of_sharding(verify_context& c, sharding_attr const& s) {
  if (c.cx().get_if<mesh_attr>(s.mesh) != nullptr) return s.mesh;
  auto const* label = c.cx().get_if<symbol_ref_attr>(s.mesh);
  op const found = label ? c.symbols.resolve_in(c.module, *label) : op{};
  attribute const mesh = found && c.in.is(found, opcode::sdy_mesh) ? c.in.attr(found, "mesh") : attribute{};
  return c.cx().get_if<mesh_attr>(mesh) ? mesh : attribute{};
}

namespace detail {

/// Whether an axis of the sharding is manual already in a computation around the op.
inline bool check_manual_axes(verify_context& c, op at, sharding_attr const& s, std::string const& where) {
  for (op const manual : c.manual_computations) {
    auto const bound = manual_axes(c.cx(), c.in.attr(manual, "manual_axes"));
    if (!bound) continue;
    auto is_bound = [&](axis_ref const& a) {
      return std::find(bound->begin(), bound->end(), a.axis) != bound->end();
    };
    auto check = [&](std::vector<axis_ref> const& axes) {
      for (axis_ref const& a : axes)
        if (is_bound(a))
          return c.fail_op(at, "sharding",
                           where + "operates on axis \"" + a.axis +
                               "\" which is already bound by a parent sdy.manual_computation op",
                           {{locate(c.in, manual), "parent bounding this axis as manual"}});
      return true;
    };
    for (auto const& d : s.dims)
      if (!check(d.axes)) return false;
    if (!check(s.replicated) || !check(s.unreduced)) return false;
  }
  return true;
}

}  // namespace detail

/// The sharding of a value against the mesh it names; divisibility does not count here. `where` goes into
/// messages.
inline bool check_sharding(verify_context& c, op at, attribute held, type of, std::string const& where) {
  auto const* s = c.cx().get_if<sharding_attr>(held);
  if (s == nullptr)
    return c.fail_op(at, "sharding", where + "should have a sharding attribute of type TensorShardingAttr");
  attribute const mesh = mesh_of_sharding(c, *s);
  if (!mesh) {
    auto const* label = c.cx().get_if<symbol_ref_attr>(s->mesh);
    return c.fail_op(
        at, "sharding",
        where + (label ? "unknown mesh: " + to_text(*label) : "a sharding needs a mesh or a name of one"));
  }
  if (auto const bad = c.find_sharding_fault(held, of, mesh, divisibility::ignored))
    return c.fail_op(at, "sharding", where + *bad);
  return detail::check_manual_axes(c, at, *s, where);
}

/// A list of shardings, one a value. `what` is "result", "in_shardings" or the like.
inline bool check_sharding_list(verify_context& c, op at, sharding_per_value_attr const& list,
                                std::vector<type> const& types, std::string const& what) {
  if (list.shardings.size() != types.size())
    return c.fail_op(at, "sharding",
                     what +
                         " shardings don't match number of values: " + std::to_string(list.shardings.size()) +
                         " shardings vs " + std::to_string(types.size()) + " values");
  for (std::size_t i = 0; i < types.size(); ++i) {
    std::string const where = what + (types.size() == 1 ? "" : " " + std::to_string(i)) + " - ";
    if (!check_sharding(c, at, list.shardings[i], types[i], where)) return false;
  }
  return true;
}

/// The discardable `sdy.sharding` of an op: a list with one sharding a result. An op without results may bear
/// one sharding that splits nothing.
inline bool check_discardable_sharding(verify_context& c, op o) {
  attribute const held = c.cx().lookup(c.in.attributes(o), "sdy.sharding");
  if (!held) return true;
  auto const* list = c.cx().get_if<sharding_per_value_attr>(held);
  if (list == nullptr)
    return c.fail_op(o, "sharding", "should have a sharding attribute of type TensorShardingPerValueAttr");
  if (c.in.result_count(o) == 0 && list->shardings.size() == 1) {
    auto const* s = c.cx().get_if<sharding_attr>(list->shardings[0]);
    auto const* mesh = s ? c.cx().get_if<mesh_attr>(mesh_of_sharding(c, *s)) : nullptr;
    if (s != nullptr && (s->is_fully_replicated() || (mesh != nullptr && mesh->is_maximal()))) return true;
  }
  return check_sharding_list(c, o, *list, result_types(c.in, o), "result");
}

namespace detail {

inline bool is_sdy_op(program const& in, op o) { return in.kind_text(o).starts_with("sdy."); }
/// Ops of sdy whose results carry data in and out of their regions.
inline bool is_data_flow_region_op(program const& in, op o) {
  return in.is(o, opcode::sdy_named_computation) || in.is(o, opcode::sdy_manual_computation);
}

inline bool check_data_flow_edge(verify_context& c, op o) {
  if (!optional_attribute<sharding_attr>(c, o, "sharding", "Tensor sharding") || !check_all_types_equal(c, o))
    return false;
  value const source = c.in.operand(o, 0);
  if (!c.in.has_one_use(source))
    return c.fail_op(o, "sdy", "expected input of sdy.data_flow_edge to have a single user");
  op const by = c.in.defining_op(source);
  if (by && is_sdy_op(c.in, by) && !is_data_flow_region_op(c.in, by))
    return c.fail_op(o, "sdy", "expected input of sdy.data_flow_edge to not be defined by an sdy op");
  return true;
}

inline bool check_propagation_barrier(verify_context& c, op o) {
  constexpr std::int64_t both = 3;
  auto const* direction = required_integer(c, o, "allowed_direction", 32, signedness::signless);
  if (direction == nullptr) return false;
  if (direction->value == both) return c.fail_op(o, "sdy", "cannot specify `BOTH` as the direction");
  return check_all_types_equal(c, o);
}

/// One side of a manual computation: shardings fit the values outside, name manual axes before others, and
/// the types inside are the shapes one device of the manual axes sees.
inline bool check_manual_side(verify_context& c, op o, std::string_view key, std::vector<type> const& global,
                              std::vector<type> const& local, std::vector<std::string> const& manual) {
  auto const* list =
      required_attribute<sharding_per_value_attr>(c, o, key, "Tensor sharding per operand/result");
  if (list == nullptr) return false;
  std::string const side = key == "in_shardings" ? "operand" : "result";
  if (!check_sharding_list(c, o, *list, global, side)) return false;
  if (global.size() != local.size())
    return c.fail_op(o, "sdy",
                     "has " + std::to_string(global.size()) + " " + side + "s but " +
                         std::to_string(local.size()) + " corresponding values in its body");
  auto is_manual = [&](axis_ref const& a) {
    return std::find(manual.begin(), manual.end(), a.axis) != manual.end();
  };
  for (std::size_t i = 0; i < global.size(); ++i) {
    auto const& s = *c.cx().get_if<sharding_attr>(list->shardings[i]);
    auto const* mesh = c.cx().get_if<mesh_attr>(mesh_of_sharding(c, s));
    std::string const which = side + " " + std::to_string(i);
    auto const* outer = c.cx().get_if<tensor_type>(global[i]);
    auto const* inner = c.cx().get_if<tensor_type>(local[i]);
    if (outer == nullptr || inner == nullptr) {
      if (global[i] == local[i]) continue;
      return c.fail_op(
          o, "sdy",
          which + " has type " + c.quoted(global[i]) + " outside but " + c.quoted(local[i]) + " inside");
    }
    tensor_type expected = *outer;
    for (std::size_t d = 0; d < s.dims.size(); ++d) {
      bool free_seen = false;
      std::int64_t parts = 1;
      for (axis_ref const& a : s.dims[d].axes) {
        if (!is_manual(a)) {
          free_seen = true;
          continue;
        }
        if (free_seen)
          return c.fail_op(
              o, "sdy",
              which + " - manual axes must come before free axes in dimension " + std::to_string(d));
        parts = saturating_product(parts, axis_size(*mesh, a));
      }
      if (expected.shape[d] == dynamic_extent) continue;
      if (expected.shape[d] % parts != 0)
        return c.fail_op(o, "sdy",
                         which + " - dimension " + std::to_string(d) + " of size " +
                             std::to_string(expected.shape[d]) +
                             " is not divisible by its manual axes of size " + std::to_string(parts));
      expected.shape[d] /= parts;
    }
    if (expected != *inner)
      return c.fail_op(o, "sdy",
                       which + " has type " + c.quoted(global[i]) +
                           " whose shape on each device does not match the type inside, " +
                           c.quoted(local[i]));
  }
  return true;
}

inline bool check_manual_computation(verify_context& c, op o) {
  attribute const axes = c.in.attr(o, "manual_axes");
  if (!axes) return c.fail_op(o, "attribute", "requires attribute 'manual_axes'");
  auto const names = manual_axes(c.cx(), axes);
  if (!names)
    return c.fail_op(o, "attribute", "attribute 'manual_axes' failed to satisfy constraint: names of axes");
  block const body = c.in.first_block(c.in.regions(o)[0]);
  auto const inside = types_of(c.in, c.in.arguments(body));
  auto const returned = types_of(c.in, c.in.operands(c.in.last_op(body)));
  return check_manual_side(c, o, "in_shardings", types_of(c.in, c.in.operands(o)), inside, *names) &&
         check_manual_side(c, o, "out_shardings", result_types(c.in, o), returned, *names);
}

inline bool check_sdy_named_computation(verify_context& c, op o) {
  if (required_attribute<string_attr>(c, o, "name", "string attribute") == nullptr) return false;
  block const body = c.in.first_block(c.in.regions(o)[0]);
  auto const operands = types_of(c.in, c.in.operands(o));
  auto const results = result_types(c.in, o);
  if (types_of(c.in, c.in.arguments(body)) != operands)
    return c.fail_op(o, "sdy", "types of the block arguments must match those of the operands");
  if (types_of(c.in, c.in.operands(c.in.last_op(body))) != results)
    return c.fail_op(o, "sdy", "types of the returned values must match those of the results");
  for (std::string_view const key : {"in_shardings", "out_shardings"}) {
    if (!optional_attribute<sharding_per_value_attr>(c, o, key, "Tensor sharding per operand/result"))
      return false;
    bool const is_in = key == "in_shardings";
    if (auto const* list = c.in.attr_if<sharding_per_value_attr>(o, key))
      if (!check_sharding_list(c, o, *list, is_in ? operands : results, is_in ? "operand" : "result"))
        return false;
  }
  return true;
}

}  // namespace detail

/// The verifiers of sdy ops that look at no symbols.
inline bool check_sdy(verify_context& c, op o) {
  switch (static_cast<opcode>(c.in.kind(o).id)) {
    case opcode::sdy_mesh: {
      auto const* mesh = required_attribute<mesh_attr>(c, o, "mesh", "Mesh of axes and a list of devices");
      if (mesh == nullptr) return false;
      auto const bad = find_fault(*mesh);
      return !bad || c.fail_op(o, "sdy", *bad);
    }
    case opcode::sdy_sharding_constraint:
    case opcode::sdy_reshard:
      return required_attribute<sharding_attr>(c, o, "sharding", "Tensor sharding") != nullptr &&
             check_all_types_equal(c, o);
    case opcode::sdy_sharding_group:
      return required_integer(c, o, "group_id", 64, signedness::signless) != nullptr;
    case opcode::sdy_data_flow_edge: return detail::check_data_flow_edge(c, o);
    case opcode::sdy_propagation_barrier: return detail::check_propagation_barrier(c, o);
    default: return true;
  }
}

/// What sdy ops say about meshes that are symbols.
inline bool check_sdy_use(verify_context& c, op o) {
  switch (static_cast<opcode>(c.in.kind(o).id)) {
    case opcode::sdy_sharding_constraint:
    case opcode::sdy_reshard:
    case opcode::sdy_data_flow_edge: {
      attribute const held = c.in.attr(o, "sharding");
      return !held || check_sharding(c, o, held, c.in.type_of(c.in.operand(o, 0)), "");
    }
    case opcode::sdy_manual_computation: return detail::check_manual_computation(c, o);
    case opcode::sdy_named_computation: return detail::check_sdy_named_computation(c, o);
    default: return true;
  }
}

}  // namespace mpmd::ir
