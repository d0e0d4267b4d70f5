#pragma once
/// Functions (`func.func`): their signatures, the kinds of function mpmd tells apart, and their topologies.

#include <string_view>
#include <vector>

#include <mpmd/ir/io_attributes.hpp>
#include <mpmd/ir/mesh_queries.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/symbols.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

inline bool is_function(program const& in, op o) { return in.is(o, opcode::func_func); }

/// The function type, or null when the program is malformed.
inline function_type const* signature(program const& in, op function) {
  auto const* held = in.attr_if<type_attr>(function, "function_type");
  return held ? in.context().get_if<function_type>(held->held) : nullptr;
}
inline void set_signature(program& in, op function, function_type to) {
  context& cx = in.context();
  in.set_attr(function, "function_type", cx.get(type_attr{cx.get(std::move(to))}));
}

/// The entry block, or none for a declaration.
inline block entry_block(program const& in, op function) {
  auto const regions = in.regions(function);
  return regions.empty() ? block{} : in.first_block(regions[0]);
}
inline bool is_declaration(program const& in, op function) { return !entry_block(in, function); }
inline std::span<value const> parameters(program const& in, op function) {
  block const entry = entry_block(in, function);
  return entry ? in.arguments(entry) : std::span<value const>{};
}
/// The op that ends the body of a function, fragment, loop or named computation of one block; or none.
inline op terminator(program const& in, op holder) {
  block const body = entry_block(in, holder);
  op const last = body ? in.last_op(body) : op{};
  return last && in.has_trait(last, op_trait::terminator) ? last : op{};
}

/// The function an op stands in (not the op itself), or none. O(depth).
inline op enclosing_function(program const& in, op o) { return enclosing(in, o, opcode::func_func); }

/// Makes the function type say what the body does: types of the entry block's arguments, and of the operands
/// of the return that ends it. A function without a body keeps its type.
inline void update_function_type(program& in, op function) {
  block const entry = entry_block(in, function);
  if (!entry) return;
  function_type now;
  for (value const v : in.arguments(entry)) now.inputs.push_back(in.type_of(v));
  if (op const end = terminator(in, function)) {
    for (value const v : in.operands(end)) now.results.push_back(in.type_of(v));
  } else if (auto const* before = signature(in, function)) {
    now.results = before->results;
  }
  set_signature(in, function, std::move(now));
}

// --- Kinds of function -----------------------------------------------------------------------------------------

/// The topology of an MPMD function, or null.
inline topology_attr const* topology_of(program const& in, op function) {
  return in.attr_if<topology_attr>(function, "topology");
}
/// The mesh of an SPMD function, or null.
inline mesh_attr const* mesh_shape_of(program const& in, op function) {
  return in.attr_if<mesh_attr>(function, "mesh_shape");
}
inline bool is_mpmd_function(program const& in, op o) {
  return is_function(in, o) && bool(in.attr(o, "topology"));
}
inline bool is_spmd_function(program const& in, op o) {
  return is_function(in, o) && bool(in.attr(o, "mesh_shape"));
}
inline bool is_distributed(program const& in, op o) {
  return is_mpmd_function(in, o) || is_spmd_function(in, o);
}
/// A distributed function that others may call from outside.
inline bool is_entry_point(program const& in, op o) {
  return is_distributed(in, o) && visibility_of(in, o) == symbol_visibility::is_public;
}
inline bool is_main(program const& in, op o) { return is_function(in, o) && symbol_name(in, o) == "main"; }

/// The functions directly in a module, in order.
inline std::vector<op> functions(program const& in, op module) {
  std::vector<op> found;
  for (region const r : in.regions(module))
    for (block const b : blocks(in, r))
      for (op const o : ops(in, b))
        if (is_function(in, o)) found.push_back(o);
  return found;
}
inline std::vector<op> functions(program const& in) { return functions(in, in.root()); }

/// The topology of the first MPMD function directly in a module, or null.
inline topology_attr const* module_topology(program const& in, op module) {
  for (op const f : functions(in, module))
    if (auto const* found = topology_of(in, f)) return found;
  return nullptr;
}
inline bool is_mpmd_module(program const& in, op module) { return module_topology(in, module) != nullptr; }

// --- Meshes around an op ---------------------------------------------------------------------------------------

/// The function that says which meshes there are for an op: the op itself if it is one, else the one around
/// it.
inline op function_of(program const& in, op o) { return is_function(in, o) ? o : enclosing_function(in, o); }

/// The topology mesh of that name for an op, a mesh_attr, or null. O(depth + meshes).
inline attribute mesh_by_name(program const& in, op o, std::string_view label) {
  op const function = function_of(in, o);
  auto const* topology = function ? topology_of(in, function) : nullptr;
  return topology ? find_mesh(in.context(), *topology, label) : attribute{};
}

/// The mesh an op computes on: inside a fragment the fragment's, elsewhere the `mesh_shape` of the function
/// (also when it has a topology). A mesh_attr, or null.
inline attribute mesh_around(program const& in, op o) {
  op const fragment = in.is(o, opcode::mpmd_fragment) ? o : enclosing(in, o, opcode::mpmd_fragment);
  if (fragment) {
    auto const* label = in.attr_if<string_attr>(fragment, "mesh_name");
    return label ? mesh_by_name(in, fragment, label->text) : attribute{};
  }
  op const function = function_of(in, o);
  return function ? in.attr(function, "mesh_shape") : attribute{};
}

/// The memory kind that an attribute `mhlo.memory_kind` gives to a value: on the argument of a function, on
/// the transfer that makes it, or in `res_attrs` of the fragment, call or loop that makes it. Null if nothing
/// does.
inline attribute memory_kind_attribute(program const& in, value v) {
  constexpr std::string_view key = "mhlo.memory_kind";
  if (in.is_argument(v)) {
    block const b = in.argument_block(v);
    op const owner = in.parent_op(b);
    bool const of_function = owner && is_function(in, owner) && entry_block(in, owner) == b;
    return of_function ? io_attribute(in, owner, io_side::arguments, in.index_of(v), key) : attribute{};
  }
  op const made_by = in.defining_op(v);
  if (in.is(made_by, opcode::mpmd_transfer)) return in.context().lookup(in.attributes(made_by), key);
  bool const has_results = in.is(made_by, opcode::mpmd_fragment) || in.is(made_by, opcode::mpmd_call) ||
                           in.is(made_by, opcode::mpmd_fragment_call) || in.is(made_by, opcode::mpmd_for);
  return has_results ? io_attribute(in, made_by, io_side::results, in.index_of(v), key) : attribute{};
}

}  // namespace mpmd::ir
