#pragma once
/// A program that was described in C++ as one of the library's IR, so that passes run on it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/static_program.hpp>
#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/reductions.hpp>

namespace mpmd::ir {

namespace detail {

template <class Static>
class static_program_builder {
 public:
  static_program_builder(Static const& from, program& to)
      : from_(from), to_(to), tensor_(context().tensor({}, context().integer(32))), values_(Static::op_count) {}

  void run(std::string_view function) {
    std::vector<type> inputs;
    for (static_handle const a : from_.arguments()) inputs.push_back(type_of(a));
    std::vector<static_handle> returned;
    for (static_handle const o : from_.body())
      if (from_[o].means == role::terminator) returned.assign(from_.operands(o).begin(), from_.operands(o).end());
    std::vector<type> results;
    for (static_handle const v : returned) results.push_back(type_of(v));

    builder top(to_, to_.body());
    op const f = top.func(function, inputs, results, make_dictionary(context(), {{"topology", topology()}}));
    block const body = to_.first_block(to_.regions(f)[0]);
    for (std::uint32_t i = 0; i < inputs.size(); ++i) {
      static_handle const a = from_.arguments()[i];
      value_of(a) = to_.arguments(body)[i];
      to_.set_argument_where(value_of(a), named(a));
    }
    builder at(to_, body);
    for (static_handle const o : from_.body()) {
      at.set_where(named(o));
      if (from_[o].means != role::terminator) value_of(o) = add(at, o);
    }
    at.set_where({});
    std::vector<value> all;
    for (static_handle const v : returned) all.push_back(value_of(v));
    at.func_return(std::move(all));
  }

 private:
  ir::context& context() { return to_.context(); }
  value& value_of(static_handle v) { return values_[v.number - 1]; }
  location named(static_handle o) { return {{}, context().get(name_loc{from_[o].name, {}})}; }
  type type_of(static_handle v) {
    std::uint32_t const mesh = from_[v].mesh;
    return mesh == Static::no_mesh ? tensor_ : context().mesh_tensor(from_.meshes()[mesh], tensor_);
  }
  attribute topology() {
    std::vector<std::pair<std::string, attribute>> meshes;
    for (char const* const mesh : from_.meshes()) meshes.emplace_back(mesh, make_mesh(context(), {{"x", 1}}));
    return make_topology(context(), meshes);
  }
  value opaque(builder& at, static_handle o, std::vector<value> operands) {
    attribute const about = make_dictionary(context(), {{"call_target_name", context().string(from_[o].name)}});
    return to_.result(at.create(opcode::stablehlo_custom_call, std::move(operands), {tensor_}, about), 0);
  }
  value combine(builder& at, static_handle o, std::vector<value> const& operands) {
    value all = operands[0];
    for (std::size_t i = 1; i < operands.size(); ++i)
      all = to_.result(at.create(elementwise_op(from_[o].combines), {all, operands[i]}, {tensor_}), 0);
    return all;
  }
  value add(builder& at, static_handle o) {
    auto const& e = from_[o];
    std::vector<value> operands;
    for (static_handle const v : from_.operands(o)) operands.push_back(value_of(v));
    switch (e.means) {
      case role::assign: return at.assign(operands[0], type_of(o), e.label);
      case role::unassign: return at.unassign(operands[0], e.label);
      case role::transfer: return at.transfer(operands[0], type_of(o));
      case role::broadcast: return at.broadcast(operands[0]);
      case role::reduce: {
        auto const kind = operands.size() > 1 ? reduction_kind::add : reduction_kind::none;
        return at.reduce(kind, std::move(operands));
      }
      case role::fragment: {
        op const made = at.fragment(from_.meshes()[e.mesh], make_origins(context(), {{e.name, 0}}), operands, {type_of(o)});
        block const body = to_.first_block(to_.regions(made)[0]);
        builder inside(to_, body);
        inside.set_where(named(o));
        auto const arguments = to_.arguments(body);
        inside.mpmd_return({opaque(inside, o, {arguments.begin(), arguments.end()})});
        return to_.result(made, 0);
      }
      default: break;
    }
    bool const combines = e.combines != reduction_kind::none && operands.size() > 1;
    return combines ? combine(at, o, operands) : opaque(at, o, std::move(operands));
  }

  Static const& from_;
  program& to_;
  type tensor_;
  std::vector<value> values_;  // by op number
};

}  // namespace detail

/// A module with one function, in which each op of a static program is one of the dialects mpmd and StableHLO, at a location
/// of its name. Ordinary ops are custom calls of that name; those that combine are elementwise ops, in a
/// chain if they have more than two operands; a reduce of several values adds them. Values are numbers (tensor<i32>), meshes
/// have one device. Linear.
template <std::size_t Meshes, std::size_t Ops, std::size_t Slots>
program to_program(static_program<Meshes, Ops, Slots> const& from, std::shared_ptr<context> in = std::make_shared<context>(),
                   std::string_view function = "main") {
  program made(std::move(in));
  detail::static_program_builder<static_program<Meshes, Ops, Slots>>(from, made).run(function);
  return made;
}

}  // namespace mpmd::ir
