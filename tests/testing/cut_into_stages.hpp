#pragma once
// Programs without names made into ones as users of pipelines write them: a function is cut into stages by op range.

#include <cstddef>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/effects.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/transform/edit.hpp>

namespace mpmd::testing {

// Ops of dialects that are none of StableHLO, func and chlo become part of the signature: tensors that they make are
// arguments, and the first tensor that one without results takes is a result. So the weights of a model, which other
// projects read from somewhere, come in, and what they check goes out.
inline void take_foreign_ops_out(ir::program& p, ir::op f) {
  using traits = ir_traits<ir::program>;
  auto const is_foreign = [&](ir::op o) {
    std::string_view const kind = p.kind_text(o);
    return !kind.starts_with("stablehlo.") && !kind.starts_with("func.") && !kind.starts_with("sdy.");
  };
  std::vector<ir::op> foreign;
  for (ir::op const o : traits::body(p, f))
    if (is_foreign(o)) foreign.push_back(o);
  ir::op const end = p.last_op(ir::entry_block(p, f));
  for (ir::op const o : foreign) {
    for (ir::value const v : std::vector(p.results(o).begin(), p.results(o).end()))
      if (traits::is_tensor(p, p.type_of(v))) replace_uses(p, v, p.add_argument(ir::entry_block(p, f), p.type_of(v)));
    if (p.result_count(o) == 0 && p.operand_count(o) > 0) traits::append_operand(p, end, p.operand(o, 0));
  }
  for (std::size_t i = foreign.size(); i-- > 0;) traits::erase(p, foreign[i]);
  ir::update_function_type(p, f);
  // What they meant by symbols is gone as well.
  std::vector<ir::op> symbols;
  for (ir::op o = p.first_op(p.body()); o; o = p.next_op(o))
    if (is_foreign(o)) symbols.push_back(o);
  for (ir::op const o : symbols) p.erase(o);
}

// A function that is all one manual computation becomes what each device runs of it.
inline void take_one_device(ir::program& p, ir::op f) {
  using traits = ir_traits<ir::program>;
  ir::block const around = ir::entry_block(p, f);
  ir::op const manual = p.first_op(around), end = p.last_op(around);
  if (p.kind_text(manual) != "sdy.manual_computation" || !(p.next_op(manual) == end)) return;
  ir::block const inside = p.first_block(p.regions(manual)[0]);
  std::vector<std::uint32_t> replaced;
  for (std::uint32_t i = 0; i < p.arguments(around).size(); ++i) replaced.push_back(i);
  for (ir::value const v : std::vector(p.arguments(inside).begin(), p.arguments(inside).end()))
    replace_uses(p, v, p.add_argument(around, p.type_of(v)));
  ir::op const returned = p.last_op(inside);
  for (std::uint32_t i = 0; i < p.operand_count(end); ++i)
    traits::set_operand(p, end, i, p.operand(returned, p.index_of(p.operand(end, i))));
  while (!(p.first_op(inside) == returned)) p.move_before(manual, p.first_op(inside));
  traits::erase(p, manual);
  p.erase_arguments(around, replaced);
  for (char const* const sharded : {"arg_attrs", "res_attrs"}) p.remove_attr(f, sharded);
  ir::update_function_type(p, f);
}

// Gives a function a topology of as many meshes m0, m1, ..., and puts its ops, in as many parts of the same size, into
// named computations stage0, stage1, ... Constants stay outside and stand in front.
inline void cut_into_stages(ir::program& p, ir::op f, std::size_t stages) {
  using traits = ir_traits<ir::program>;
  ir::context& cx = p.context();
  std::vector<std::pair<std::string, ir::attribute>> meshes;
  for (std::size_t i = 0; i < stages; ++i) meshes.emplace_back("m" + std::to_string(i), ir::make_mesh(cx, {{"x", 2}}));
  p.set_attr(f, "topology", ir::make_topology(cx, meshes));

  ir::op const end = p.last_op(ir::entry_block(p, f));
  std::vector<ir::op> all, constants;
  for (ir::op const o : traits::body(p, f))
    if (!(o == end)) (traits::is_constant(p, o) ? constants : all).push_back(o);
  for (std::size_t i = constants.size(); i-- > 0;)
    if (ir::op const first = p.first_op(ir::entry_block(p, f)); !(first == constants[i])) p.move_before(first, constants[i]);

  for (std::size_t stage = 0, next = 0; stage < stages; ++stage) {
    std::size_t const stop = all.size() * (stage + 1) / stages;
    std::vector<ir::op> const part(all.begin() + static_cast<std::ptrdiff_t>(next), all.begin() + static_cast<std::ptrdiff_t>(stop));
    next = stop;
    if (part.empty()) continue;
    std::unordered_set<ir::op> inside;
    std::unordered_set<ir::value> made, known;
    for (ir::op const o : part)
      ir::walk(p, o, [&](ir::op inner) {
        inside.insert(inner);
        for (ir::value const v : p.results(inner)) made.insert(v);
        for (auto const& v : traits::arguments(p, inner)) made.insert(v);
      });
    std::vector<ir::value> inputs, outputs;
    for (ir::op const o : part) {
      ir::walk(p, o, [&](ir::op inner) {
        for (ir::value const v : p.operands(inner))
          if (!made.contains(v) && known.insert(v).second) inputs.push_back(v);
      });
      for (ir::value const v : p.results(o))
        for (auto const& u : traits::uses(p, v))
          if (!inside.contains(u.user)) {
            outputs.push_back(v);
            break;
          }
    }
    std::vector<ir::type> types;
    for (ir::value const v : outputs) types.push_back(p.type_of(v));
    auto b = ir::builder::after(p, part.back());
    ir::op const named = b.named_computation({"stage" + std::to_string(stage), 0}, inputs, types);
    auto const arguments = traits::arguments(p, named);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      replace_uses_if(p, inputs[i], arguments[i], [&](auto const& u) { return inside.contains(u.user); });
    for (std::size_t i = 0; i < outputs.size(); ++i)
      replace_uses_if(p, outputs[i], p.result(named, static_cast<std::uint32_t>(i)),
                      [&](auto const& u) { return !inside.contains(u.user); });
    for (ir::op const o : part) traits::move(p, o, insertion_point<ir::program>::end(named));
    ir::builder(p, p.first_block(p.regions(named)[0])).mpmd_return(outputs);
  }
}

}  // namespace mpmd::testing
