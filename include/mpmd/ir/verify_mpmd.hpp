#pragma once
/// The verifiers of the mpmd dialect.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/verify_context.hpp>

namespace mpmd::ir {

// --- Mesh tensors ----------------------------------------------------------------------------------------------

/// The topology mesh of that name in the function around, a mesh_attr; or null, reported.
inline attribute require_mesh(verify_context& c, op at, std::string_view label) {
  attribute const topology = c.function ? c.in.attr(c.function, "topology") : attribute{};
  if (c.cx().get_if<topology_attr>(topology) == nullptr) {
    c.fail(at, "mesh",
           "Function does not have a topology attribute: " +
               std::string(c.function ? symbol_name(c.in, c.function) : "(no function)"));
    return {};
  }
  attribute const mesh = c.find_mesh(topology, label);
  if (c.cx().get_if<mesh_attr>(mesh) != nullptr) return mesh;
  c.fail(at, "mesh", "Topology doesn't have a mesh with name: " + std::string(label));
  return {};
}

namespace detail {

inline bool check_placed_on(verify_context& c, op at, mesh_tensor_type const& t, attribute mesh) {
  if (c.cx().get_if<tensor_type>(t.global) == nullptr)
    return c.fail_op(at, "mesh-tensor",
                     "a mesh tensor must hold a ranked tensor, but got " + c.quoted(t.global));
  if (!t.sharding) return true;
  if (c.cx().get_if<sharding_attr>(t.sharding) == nullptr)
    return c.fail_op(at, "mesh-tensor", "the sharding of a mesh tensor must be a tensor sharding");
  auto const bad = c.find_sharding_fault(t.sharding, t.global, mesh, divisibility::required);
  return !bad || c.fail_op(at, "mesh-tensor", *bad);
}

}  // namespace detail

/// A mesh tensor type against the topology mesh that it names.
inline bool check_mesh_tensor(verify_context& c, op at, mesh_tensor_type const& t) {
  attribute const mesh = require_mesh(c, at, t.mesh);
  return mesh && detail::check_placed_on(c, at, t, mesh);
}

namespace detail {

/// The rule that ties the values around a fragment to those inside: counts, mesh, sharding and global types.
/// `inner` and `outer` name the two sides in messages.
inline bool check_fragment_side(verify_context& c, op o, std::string_view label,
                                std::vector<type> const& inside, std::vector<type> const& outside,
                                std::string const& inner, std::string const& outer) {
  if (inside.size() != outside.size())
    return c.fail(o, "fragment",
                  "Number of " + inner + "s and " + outer + "s must match: " + std::to_string(inside.size()) +
                      " vs " + std::to_string(outside.size()));
  if (inside.empty()) return true;
  attribute const mesh = require_mesh(c, o, label);
  if (!mesh) return false;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    std::string const which = inner + " #" + std::to_string(i);
    auto const* placed = c.cx().get_if<mesh_tensor_type>(outside[i]);
    if (placed == nullptr) {
      if (inside[i] == outside[i]) continue;
      return c.fail(o, "fragment",
                    which + " has type " + c.quoted(inside[i]) + " but the " + outer + " has type " +
                        c.quoted(outside[i]));
    }
    if (placed->mesh != label)
      return c.fail(o, "fragment",
                    outer + " #" + std::to_string(i) + " lives on mesh \"" + placed->mesh +
                        "\" but the mesh of the op is \"" + std::string(label) + "\"");
    if (!check_placed_on(c, o, *placed, mesh)) return false;
    if (inside[i] != placed->global)
      return c.fail(o, "fragment",
                    which + " has type " + c.quoted(inside[i]) + " but the global type of the " + outer +
                        " is " + c.quoted(placed->global));
  }
  return true;
}

/// `call_counter`, where there is one, is an unsigned 32-bit integer.
inline bool check_call_counter(verify_context& c, op o) {
  attribute const held = c.in.attr(o, "call_counter");
  if (!held) return true;
  auto const* count = c.cx().get_if<integer_attr>(held);
  auto const* of = count ? c.cx().get_if<integer_type>(count->of) : nullptr;
  if (of != nullptr && of->width == 32 && of->sign == signedness::is_unsigned) return true;
  return c.fail(o, "call-counter",
                "call_counter must be an uint32, got " +
                    (count ? c.quoted(count->of) : std::string("an attribute of another kind")));
}

/// `origin` of fragments: an array of user origins.
inline bool check_origins(verify_context& c, op o) {
  auto const* origins = required_attribute<array_attr>(c, o, "origin", "array of user origins");
  if (origins == nullptr) return false;
  for (attribute const e : origins->elements)
    if (c.cx().get_if<user_origin_attr>(e) == nullptr)
      return c.fail_op(o, "attribute",
                       "attribute 'origin' failed to satisfy constraint: array of user origins");
  return true;
}

inline bool is_placed_or_token(context const& cx, type t) { return is_mesh_tensor(cx, t) || is_token(cx, t); }

}  // namespace detail

// --- Computations ----------------------------------------------------------------------------------------------

inline bool check_fragment(verify_context& c, op o) {
  program const& in = c.in;
  if (!detail::check_origins(c, o)) return false;
  auto const* label = required_attribute<string_attr>(c, o, "mesh_name", "string attribute");
  if (label == nullptr) return false;
  if (in.attr(o, "stage_id") && required_integer(c, o, "stage_id", 64, signedness::signless) == nullptr)
    return false;
  for (std::string_view const key : {"in_shardings", "out_shardings"})
    if (!optional_attribute<sharding_per_value_attr>(c, o, key, "Tensor sharding per operand/result"))
      return false;
  auto const allowed = [&](type t) { return detail::is_placed_or_token(c.cx(), t); };
  if (!check_operand_types(c, o, "mesh tensor or token", allowed)) return false;
  if (!check_result_types(c, o, "mesh tensor or token", allowed)) return false;
  if (!detail::check_call_counter(c, o)) return false;
  block const body = in.first_block(in.regions(o)[0]);
  return detail::check_fragment_side(c, o, label->text, types_of(in, in.arguments(body)),
                                     types_of(in, in.operands(o)), "block argument", "operand") &&
         detail::check_fragment_side(c, o, label->text, types_of(in, in.operands(in.last_op(body))),
                                     result_types(in, o), "returned value", "result");
}

inline bool check_named_computation(verify_context& c, op o) {
  program const& in = c.in;
  if (required_attribute<user_origin_attr>(c, o, "origin", "user origin") == nullptr) return false;
  auto const allowed = [&](type t) {
    return c.cx().get_if<tensor_type>(t) != nullptr || is_token(c.cx(), t);
  };
  if (!check_operand_types(c, o, "ranked tensor or token", allowed)) return false;
  if (!check_result_types(c, o, "ranked tensor or token", allowed)) return false;
  block const body = in.first_block(in.regions(o)[0]);
  auto check_side = [&](std::vector<type> const& inside, std::vector<type> const& outside,
                        std::string const& inner, std::string const& outer) {
    if (inside.size() != outside.size())
      return c.fail(o, "named-computation",
                    "Number of " + inner + "s and " + outer + "s must match: " +
                        std::to_string(inside.size()) + " vs " + std::to_string(outside.size()));
    for (std::size_t i = 0; i < inside.size(); ++i)
      if (inside[i] != outside[i])
        return c.fail(o, "named-computation",
                      "Types of " + inner + " and " + outer + " #" + std::to_string(i) +
                          " must match: " + c.quoted(inside[i]) + " vs " + c.quoted(outside[i]));
    return true;
  };
  return check_side(types_of(in, in.arguments(body)), types_of(in, in.operands(o)), "block argument",
                    "operand") &&
         check_side(types_of(in, in.operands(in.last_op(body))), result_types(in, o), "returned value",
                    "result");
}

// --- Moving values -----------------------------------------------------------------------------------------------

inline bool check_transfer(verify_context& c, op o) {
  program const& in = c.in;
  auto const allowed = [&](type t) { return is_mesh_tensor(c.cx(), t); };
  if (!check_operand_types(c, o, "mesh tensor", allowed) || !check_result_types(c, o, "mesh tensor", allowed))
    return false;
  auto const& from = *c.cx().get_if<mesh_tensor_type>(in.type_of(in.operand(o, 0)));
  auto const& to = *c.cx().get_if<mesh_tensor_type>(in.type_of(in.result(o, 0)));
  if (!check_mesh_tensor(c, o, from) || !check_mesh_tensor(c, o, to)) return false;
  if (from.global != to.global)
    return c.fail(o, "transfer",
                  "cannot transfer between mesh tensors with different global types: " +
                      c.quoted(from.global) + " vs " + c.quoted(to.global));
  for (auto const* t : {&from, &to})
    if (t->memory_kind && t->memory_kind != memory_kind_pinned_host && t->memory_kind != memory_kind_device)
      return c.fail(o, "transfer",
                    "memory kind must be either 'pinned_host' or 'device'. Found '" + *t->memory_kind + "'.");
  auto on_host = [&](value v) {
    auto const* kind = c.cx().get_if<string_attr>(memory_kind_attribute(in, v));
    return kind != nullptr && kind->text == memory_kind_pinned_host;
  };
  if (on_host(in.operand(o, 0)))
    return c.fail(
        o, "transfer",
        "Transfers from host with attributes are not supported. Memory kinds must be expressed in the "
        "type.");
  if (on_host(in.result(o, 0)))
    return c.fail(
        o, "transfer",
        "Transfers to host with attributes are not supported. Memory kinds must expressed be in the type.");
  return true;
}

/// assign and unassign: a tensor, and the same tensor replicated on a mesh.
inline bool check_assignment(verify_context& c, op o) {
  program const& in = c.in;
  bool const assigns = in.is(o, opcode::mpmd_assign);
  auto const tensor = [&](type t) { return is_tensor(c.cx(), t); };
  auto const placed = [&](type t) { return is_mesh_tensor(c.cx(), t); };
  bool const fits =
      assigns
          ? check_operand_types(c, o, "tensor", tensor) && check_result_types(c, o, "mesh tensor", placed)
          : check_operand_types(c, o, "mesh tensor", placed) && check_result_types(c, o, "tensor", tensor);
  if (!fits || !optional_attribute<string_attr>(c, o, "origin", "string attribute")) return false;
  type const operand = in.type_of(in.operand(o, 0)), result = in.type_of(in.result(o, 0));
  auto const& on_mesh = *c.cx().get_if<mesh_tensor_type>(assigns ? result : operand);
  type const local = assigns ? operand : result;
  if (!assigns && on_mesh.global != local)
    return c.fail_op(o, "assign",
                     "inferred type(s) " + c.quoted(on_mesh.global) +
                         " are incompatible with return type(s) of operation " + c.quoted(local));
  if (!check_mesh_tensor(c, o, on_mesh)) return false;
  if (!is_fully_replicated(c.cx(), on_mesh))
    return c.fail(
        o, "assign",
        "the mesh tensor must be fully replicated, but got " + c.quoted(assigns ? result : operand));
  if (on_mesh.global != local)
    return c.fail(
        o, "assign",
        "the global type " + c.quoted(on_mesh.global) + " must be the tensor type " + c.quoted(local));
  return true;
}

/// named_tensor and broadcast: a tensor, unchanged. reduce: tensors of one type.
inline bool check_tensors_of_one_type(verify_context& c, op o) {
  auto const tensor = [&](type t) { return is_tensor(c.cx(), t); };
  return check_operand_types(c, o, "tensor", tensor) && check_result_types(c, o, "tensor", tensor) &&
         check_all_types_equal(c, o);
}
inline bool check_named_tensor(verify_context& c, op o) {
  return required_attribute<string_attr>(c, o, "name", "string attribute") != nullptr &&
         check_tensors_of_one_type(c, o);
}
inline bool check_reduce(verify_context& c, op o) {
  if (!optional_attribute<reduction_attr>(c, o, "reduction", "reduction type") ||
      !check_tensors_of_one_type(c, o))
    return false;
  auto const* kind = c.in.attr_if<reduction_attr>(o, "reduction");
  if ((kind == nullptr || kind->kind == reduction_kind::none) && c.in.operand_count(o) != 1)
    return c.fail(o, "reduce", "ReduceOp must have exactly one operand if the reduction type is none");
  return true;
}

}  // namespace mpmd::ir
