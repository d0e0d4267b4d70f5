#pragma once
/// Making ops: a cursor into a block, and one function for each op of func and mpmd that code makes often.

#include <cassert>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>

namespace mpmd::ir {

// --- Attributes ------------------------------------------------------------------------------------------------

/// `<["x"=2, "y"=4], device_ids=[...]>`; ids equal to 0..n-1 are dropped, as they say nothing.
inline attribute make_mesh(context& in, std::vector<mesh_axis> axes,
                           std::vector<std::int64_t> device_ids = {}) {
  bool iota = !axes.empty();
  for (std::size_t i = 0; i < device_ids.size(); ++i)
    iota = iota && device_ids[i] == static_cast<std::int64_t>(i);
  if (iota) device_ids.clear();
  return in.get(mesh_attr{std::move(axes), std::move(device_ids)});
}

/// A topology of named meshes, in order.
inline attribute make_topology(context& in, std::vector<std::pair<std::string, attribute>> const& meshes) {
  topology_attr made;
  for (auto const& [label, mesh] : meshes) made.meshes.push_back(in.get(named_mesh_attr{label, mesh}));
  return in.get(std::move(made));
}

/// The `origin` of a fragment.
inline attribute make_origins(context& in, std::vector<user_origin_attr> origins) {
  array_attr made;
  for (auto& o : origins) made.elements.push_back(in.get(std::move(o)));
  return in.get(std::move(made));
}

/// A dictionary from readable keys.
inline attribute make_dictionary(context& in,
                                 std::initializer_list<std::pair<std::string_view, attribute>> entries) {
  std::vector<std::pair<name, attribute>> made;
  for (auto const& [key, held] : entries)
    if (held) made.emplace_back(in.intern(key), held);
  return in.dictionary(std::move(made));
}

// --- Ops -------------------------------------------------------------------------------------------------------

/// Inserts ops at one place: at the end of a block, or before an op. The place moves on with each insertion.
class builder {
 public:
  /// At the end of a block.
  builder(program& in, block end) : in_(&in), at_(end) {}
  /// Directly before an op.
  static builder before(program& in, op o) { return {in, in.parent_block(o), o}; }
  /// Directly after an op.
  static builder after(program& in, op o) { return {in, in.parent_block(o), in.next_op(o)}; }

  program& owner() const { return *in_; }
  ir::context& context() const { return in_->context(); }
  block insertion_block() const { return at_; }
  /// What the ops made from now on say about where they come from.
  void set_where(location where) { where_ = where; }

  /// Inserts an op that stands in no block.
  op insert(op o) {
    if (before_)
      in_->insert_before(before_, o);
    else
      in_->append(at_, o);
    return o;
  }
  op create(op_state state) {
    if (state.where == location{}) state.where = where_;
    return insert(in_->create(state));
  }
  /// Any op, by name.
  op create(std::string_view kind, std::vector<value> operands, std::vector<type> results,
            attribute properties = {}, attribute attributes = {}) {
    return create({.kind = context().intern(kind),
                   .operands = std::move(operands),
                   .results = std::move(results),
                   .properties = properties,
                   .attributes = attributes});
  }
  op create(opcode code, std::vector<value> operands, std::vector<type> results, attribute properties = {},
            attribute attributes = {}, std::vector<region> regions = {}) {
    return create({.kind = {static_cast<std::uint32_t>(code)},
                   .operands = std::move(operands),
                   .results = std::move(results),
                   .properties = properties,
                   .attributes = attributes,
                   .regions = std::move(regions)});
  }

  /// A detached region with one block that has these arguments.
  region make_body(std::vector<type> const& arguments) {
    region const r = in_->create_region();
    block const b = in_->append_block(r);
    for (type const t : arguments) in_->add_argument(b, t);
    return r;
  }

  /// `func.func` with an empty entry block; visibility "" is public.
  op func(std::string_view label, std::vector<type> inputs, std::vector<type> results,
          attribute attributes = {}, std::string_view visibility = {}) {
    region const body = make_body(inputs);
    return func_with_body(label, std::move(inputs), std::move(results), body, attributes, visibility);
  }
  /// `func.func` without a body.
  op func_declaration(std::string_view label, std::vector<type> inputs, std::vector<type> results,
                      attribute attributes = {}, std::string_view visibility = "private") {
    return func_with_body(label, std::move(inputs), std::move(results), in_->create_region(), attributes,
                          visibility);
  }
  op func_return(std::vector<value> operands) { return create(opcode::func_return, std::move(operands), {}); }
  op func_call(std::string_view callee, std::vector<value> operands, std::vector<type> results) {
    return create(opcode::func_call, std::move(operands), std::move(results),
                  make_dictionary(context(), {{"callee", context().symbol(callee)}}));
  }

  /// `mpmd.fragment` with an empty body over the global types of its operands.
  op fragment(std::string_view mesh, attribute origins, std::vector<value> operands,
              std::vector<type> results, attribute attributes = {}) {
    std::vector<type> arguments;
    for (value const v : operands) arguments.push_back(global_type(in_->type_of(v)));
    region const body = make_body(arguments);
    return create(opcode::mpmd_fragment, std::move(operands), std::move(results),
                  make_dictionary(context(), {{"mesh_name", context().string(mesh)}, {"origin", origins}}),
                  attributes, {body});
  }
  op fragment_call(std::string_view mesh, attribute origins, std::string_view callee,
                   std::vector<value> operands, std::vector<type> results) {
    return create(opcode::mpmd_fragment_call, std::move(operands), std::move(results),
                  make_dictionary(context(), {{"callee", context().symbol(callee)},
                                              {"mesh_name", context().string(mesh)},
                                              {"origin", origins}}));
  }
  /// `mpmd.named_computation` with an empty body over the types of its operands.
  op named_computation(user_origin_attr origin, std::vector<value> operands, std::vector<type> results) {
    std::vector<type> arguments;
    for (value const v : operands) arguments.push_back(in_->type_of(v));
    region const body = make_body(arguments);
    return create(opcode::mpmd_named_computation, std::move(operands), std::move(results),
                  make_dictionary(context(), {{"origin", context().get(std::move(origin))}}), {}, {body});
  }
  /// `mpmd.for` with an empty body: one argument an operand, and the index.
  op for_loop(std::uint32_t iterations, std::uint32_t unroll_factor, std::vector<value> operands) {
    std::vector<type> carried;
    for (value const v : operands) carried.push_back(in_->type_of(v));
    std::vector<type> arguments = carried;
    arguments.push_back(context().tensor({}, context().integer(32, signedness::is_unsigned)));
    auto count = [this](std::uint32_t n) { return context().integer_value(n, 32, signedness::is_unsigned); };
    region const body = make_body(arguments);
    return create(opcode::mpmd_for, std::move(operands), std::move(carried),
                  make_dictionary(context(), {{"iterations", count(iterations)},
                                              {"unroll_factor",
                                               unroll_factor == 1 ? attribute{} : count(unroll_factor)}}),
                  {}, {body});
  }
  op mpmd_return(std::vector<value> operands) { return create(opcode::mpmd_return, std::move(operands), {}); }
  op call(std::string_view callee, std::vector<value> operands, std::vector<type> results,
          attribute attributes = {}) {
    return create(opcode::mpmd_call, std::move(operands), std::move(results),
                  make_dictionary(context(), {{"callee", context().symbol(callee)}}), attributes);
  }
  value transfer(value of, type to, attribute attributes = {}) {
    return in_->result(create(opcode::mpmd_transfer, {of}, {to}, {}, attributes), 0);
  }
  /// `origin` says why; "" leaves it out.
  value assign(value of, type to, std::string_view origin = {}) {
    return in_->result(create(opcode::mpmd_assign, {of}, {to}, origin_dictionary(origin)), 0);
  }
  value unassign(value of, std::string_view origin = {}) {
    return in_->result(
        create(opcode::mpmd_unassign, {of}, {global_type(in_->type_of(of))}, origin_dictionary(origin)), 0);
  }
  value named_tensor(value of, std::string_view label) {
    return in_->result(create(opcode::mpmd_named_tensor, {of}, {in_->type_of(of)},
                              make_dictionary(context(), {{"name", context().string(label)}})),
                       0);
  }
  value broadcast(value of) {
    return in_->result(create(opcode::mpmd_broadcast, {of}, {in_->type_of(of)}), 0);
  }
  /// At least one operand.
  value reduce(reduction_kind kind, std::vector<value> of) {
    assert(!of.empty());
    type const result = in_->type_of(of[0]);
    return in_->result(
        create(opcode::mpmd_reduce, std::move(of), {result},
               make_dictionary(context(), {{"reduction", context().get(reduction_attr{kind})}})),
        0);
  }

  /// The type inside a mesh tensor; any other type itself.
  type global_type(type t) const {
    auto const* placed = context().get_if<mesh_tensor_type>(t);
    return placed ? placed->global : t;
  }

 private:
  builder(program& in, block at, op before) : in_(&in), at_(at), before_(before) {}

  attribute origin_dictionary(std::string_view origin) {
    return origin.empty() ? attribute{} : make_dictionary(context(), {{"origin", context().string(origin)}});
  }
  op func_with_body(std::string_view label, std::vector<type> inputs, std::vector<type> results, region body,
                    attribute attributes, std::string_view visibility) {
    type const signature = context().get(function_type{std::move(inputs), std::move(results)});
    attribute const properties = make_dictionary(
        context(), {{"function_type", context().get(type_attr{signature})},
                    {"sym_name", context().string(label)},
                    {"sym_visibility", visibility.empty() ? attribute{} : context().string(visibility)}});
    return create(opcode::func_func, {}, {}, properties, attributes, {body});
  }

  program* in_;
  block at_;
  op before_;
  location where_;
};

}  // namespace mpmd::ir
