#pragma once

#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Programs for the whole pipeline of mesh inference, of about as many ops as asked for.
namespace mpmd::bench {

class inference_program {
 public:
  enum class shape {
    stages,     ///< as a training step is: fragments on four meshes in turn, transfers, and ops of no mesh
                ///< between
    chain,      ///< one chain of ops of no mesh, each with the argument as well
    functions,  ///< an entry function and a function that it calls for every ten ops
    meshes,     ///< a chain that is needed on each of up to 1,024 meshes
    users,      ///< one op that a tenth of the ops use: fragments on two meshes and ops of no mesh
  };

  inference_program(shape what, std::int64_t ops)
      : cx_(program.context()), tensor_(cx_.tensor({4}, cx_.floating("f32"))) {
    std::int64_t const meshes = what == shape::meshes ? std::clamp<std::int64_t>(ops / 20, 2, 1024) : 4;
    std::vector<std::pair<std::string, ir::attribute>> topology;
    for (std::int64_t m = 0; m < meshes; ++m) {
      names_.push_back("m" + std::to_string(m));
      placed_.push_back(cx_.mesh_tensor(names_.back(), tensor_));
      topology.emplace_back(names_.back(), ir::make_mesh(cx_, {{"x", 2}}));
    }
    attributes_ = ir::make_dictionary(cx_, {{"topology", ir::make_topology(cx_, topology)}});
    switch (what) {
      case shape::stages: make_stages(ops); break;
      case shape::chain: make_chain(ops); break;
      case shape::functions: make_functions(ops); break;
      case shape::meshes: make_meshes(ops); break;
      case shape::users: make_users(ops); break;
    }
  }

  ir::program program;

 private:
  ir::op function(std::string const& name, std::size_t arguments, std::vector<ir::type> results,
                  bool called = false) {
    ir::builder top(program, program.body());
    return top.func(name, std::vector<ir::type>(arguments, tensor_), std::move(results), attributes_,
                    called ? "private" : "");
  }
  ir::builder in(ir::op f) { return {program, program.first_block(program.regions(f)[0])}; }
  ir::value argument(ir::op f, std::uint32_t i) {
    return program.arguments(program.first_block(program.regions(f)[0]))[i];
  }
  ir::value compute(ir::builder& b, std::string_view kind, std::vector<ir::value> operands) {
    return program.result(b.create(kind, std::move(operands), {tensor_}), 0);
  }
  /// A fragment that negates its operand.
  ir::value fragment(ir::builder& b, std::size_t mesh, ir::value operand) {
    ir::op const f = b.fragment(names_[mesh], ir::make_origins(cx_, {{"f", 0}}), {operand}, {placed_[mesh]});
    ir::builder inside = in(f);
    inside.mpmd_return({compute(inside, "stablehlo.negate", {argument(f, 0)})});
    return program.result(f, 0);
  }

  void make_stages(std::int64_t ops) {
    ir::op const f = function("main", 2, {tensor_});
    ir::builder b = in(f);
    ir::value x = argument(f, 0), w = argument(f, 1);
    x = compute(b, "stablehlo.multiply", {x, w});
    ir::value placed = fragment(b, 0, b.assign(x, placed_[0], "f"));
    for (std::int64_t done = 12; done < ops; done += 12) {
      std::size_t const from = static_cast<std::size_t>(done / 12 - 1) % 4, to = (from + 1) % 4;
      x = b.unassign(placed, "f");
      x = compute(b, "stablehlo.multiply", {x, w});
      x = compute(b, "stablehlo.add", {x, x});
      placed = fragment(b, from, b.assign(x, placed_[from], "g"));
      placed = fragment(b, to, b.transfer(placed, placed_[to]));
    }
    x = b.unassign(placed, "f");
    b.func_return({compute(b, "stablehlo.abs", {x})});
  }
  void make_chain(std::int64_t ops) {
    ir::op const f = function("main", 1, {placed_[0]});
    ir::builder b = in(f);
    ir::value x = argument(f, 0);
    for (std::int64_t i = 0; i < ops; ++i) x = compute(b, "stablehlo.add", {x, argument(f, 0)});
    b.func_return({b.assign(x, placed_[0], "f")});
  }
  void make_functions(std::int64_t ops) {
    for (std::int64_t i = 0; i < std::max<std::int64_t>(ops / 10, 1); ++i) {
      std::string const number = std::to_string(i);
      ir::op const f = function("main" + number, 1, {placed_[0], tensor_});
      ir::builder b = in(f);
      ir::value const x = compute(b, "stablehlo.negate", {argument(f, 0)});
      ir::value const r = program.result(
          b.create(ir::opcode::mpmd_call, {x}, {tensor_},
                   ir::make_dictionary(cx_, {{"callee", cx_.symbol("f" + number)}}),
                   ir::make_dictionary(
                       cx_, {{"call_counter", cx_.integer_value(0, 32, ir::signedness::is_unsigned)}})),
          0);
      ir::value const y = compute(b, "stablehlo.add", {r, r});
      b.func_return({b.assign(y, placed_[0], "f"), y});
      ir::op const g = function("f" + number, 1, {tensor_}, true);
      ir::builder c = in(g);
      c.func_return({compute(c, "stablehlo.negate", {compute(c, "stablehlo.abs", {argument(g, 0)})})});
    }
  }
  void make_meshes(std::int64_t ops) {
    ir::op const f = function("main", 1, placed_);
    ir::builder b = in(f);
    ir::value x = argument(f, 0);
    for (std::int64_t i = 0; i < ops / static_cast<std::int64_t>(names_.size()); ++i)
      x = compute(b, "stablehlo.add", {x, x});
    std::vector<ir::value> results;
    for (ir::type const t : placed_) results.push_back(b.assign(x, t, "f"));
    b.func_return(results);
  }
  void make_users(std::int64_t ops) {
    std::vector<ir::value> results;
    ir::op const f = function("main", 1, {});
    ir::builder b = in(f);
    ir::value const x = compute(b, "stablehlo.add", {argument(f, 0), argument(f, 0)});
    ir::value const u = b.unassign(fragment(b, 0, b.assign(x, placed_[0], "f")), "f");
    for (std::int64_t i = 0; i < ops / 20; ++i) {
      std::size_t const mesh = static_cast<std::size_t>(i % 2);
      results.push_back(fragment(b, mesh, b.assign(x, placed_[mesh], "f")));
      results.push_back(b.assign(compute(b, "stablehlo.multiply", {u, x}), placed_[0], "g"));
    }
    b.func_return(results);
    ir::update_function_type(program, f);
  }

  ir::context& cx_;
  ir::type tensor_;
  ir::attribute attributes_;
  std::vector<std::string> names_;
  std::vector<ir::type> placed_;
};

/// Runs the pipeline; whether it succeeded.
inline bool infer_meshes(ir::program& p) {
  diagnostics diags;
  return run(infer_mesh_pipeline<ir::program>(), p, diags);
}

}  // namespace mpmd::bench
