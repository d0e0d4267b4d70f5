// Faults such as a broken pass makes are planted into random programs, and simulation finds them.

#include "support.hpp"
#include "testing/random_programs.hpp"

#include <functional>

namespace faults_test {

using namespace mpmd;
using namespace mpmd::sim;
using mpmd::testing::make_random_program;
using mpmd::testing::random_options;

namespace {

/// Changes one op, if it is of the kind meant.
struct fault {
  std::string_view name;
  bool assigned;  // planted in which form
  std::function<bool(ir::program&, ir::op)> plant;
};

/// Another value of the same type that stands before the op in its block.
ir::value another(ir::program const& p, ir::op o, ir::value than) {
  for (ir::op before = p.previous_op(o); before; before = p.previous_op(before))
    for (ir::value const v : p.results(before))
      if (v != than && p.type_of(v) == p.type_of(than)) return v;
  return {};
}
bool swap_operands(ir::program& p, ir::op o) {
  for (std::uint32_t i = 0; i + 1 < p.operand_count(o); ++i) {
    ir::value const a = p.operand(o, i), b = p.operand(o, i + 1);
    if (a == b || p.type_of(a) != p.type_of(b)) continue;
    p.set_operand(o, i, b);
    p.set_operand(o, i + 1, a);
    return true;
  }
  return false;
}
bool take_another(ir::program& p, ir::op o, std::uint32_t i) {
  ir::value const v = another(p, o, p.operand(o, i));
  if (v) p.set_operand(o, i, v);
  return bool(v);
}
bool drop(ir::program& p, ir::op o) {
  p.replace_all_uses(p.result(o, 0), p.operand(o, 0));
  p.erase(o);
  return true;
}

std::vector<fault> const faults{
    {"the operands of a stage change places", true,
     [](ir::program& p, ir::op o) { return p.is(o, ir::opcode::mpmd_fragment) && swap_operands(p, o); }},
    {"the operands of a difference change places", false,
     [](ir::program& p, ir::op o) { return p.kind_text(o) == "stablehlo.subtract" && swap_operands(p, o); }},
    {"a transfer is dropped", true,
     [](ir::program& p, ir::op o) { return p.is(o, ir::opcode::mpmd_transfer) && drop(p, o); }},
    {"a fragment is put on another mesh", true,
     [](ir::program& p, ir::op o) {
       if (!p.is(o, ir::opcode::mpmd_fragment) || p.operand_count(o) == 0) return false;
       p.set_attr(o, "mesh_name", p.context().string("elsewhere"));
       return true;
     }},
    {"a transfer sends another value", true,
     [](ir::program& p, ir::op o) { return p.is(o, ir::opcode::mpmd_transfer) && take_another(p, o, 0); }},
    {"a value is assigned in the place of another", true,
     [](ir::program& p, ir::op o) { return p.is(o, ir::opcode::mpmd_assign) && take_another(p, o, 0); }},
    {"a call is given another value", false,
     [](ir::program& p, ir::op o) { return p.is(o, ir::opcode::mpmd_call) && take_another(p, o, 0); }},
    {"results are returned in another order", false,
     [](ir::program& p, ir::op o) { return p.is(o, ir::opcode::func_return) && swap_operands(p, o); }},
    {"a reduction loses an operand", false,
     [](ir::program& p, ir::op o) {
       if (!p.is(o, ir::opcode::mpmd_reduce) || p.operand_count(o) < 2) return false;
       p.erase_operand(o, p.operand_count(o) - 1);
       return true;
     }},
    {"a reduction is of another kind", false,
     [](ir::program& p, ir::op o) {
       if (!p.is(o, ir::opcode::mpmd_reduce) || p.operand_count(o) < 2) return false;
       auto const kind = p.attr_if<ir::reduction_attr>(o, "reduction")->kind;
       auto const other = kind == reduction_kind::add ? reduction_kind::mul : reduction_kind::add;
       p.set_attr(o, "reduction", p.context().get(ir::reduction_attr{other}));
       return true;
     }},
    {"an effect is lost", false,
     [](ir::program& p, ir::op o) {
       if (!p.is(o, ir::opcode::stablehlo_custom_call)) return false;
       p.erase(o);
       return true;
     }},
    {"a loop runs once too often", false,
     [](ir::program& p, ir::op o) {
       if (!p.is(o, ir::opcode::mpmd_for)) return false;
       auto const times = p.attr_if<ir::integer_attr>(o, "iterations")->value;
       ir::attribute const more = p.context().integer_value(times + 1, 32, ir::signedness::is_unsigned);
       p.set_attr(o, "iterations", more);
       return true;
     }},
    {"a result of a computation is the one beside it", false,
     [](ir::program& p, ir::op o) { return p.is(o, ir::opcode::mpmd_return) && swap_operands(p, o); }},
    {"a captured value is another", false,
     [](ir::program& p, ir::op o) {
       ir::op const around = p.parent_op(o);
       if (!around || !p.is(around, ir::opcode::stablehlo_case)) return false;
       for (std::uint32_t i = 0; i < p.operand_count(o); ++i) {
         ir::value const old = p.operand(o, i);
         if (p.block_of(old) == p.parent_block(o)) continue;
         if (ir::value const v = another(p, around, old); v && v != p.result(around, 0)) {
           p.set_operand(o, i, v);
           return true;
         }
       }
       return false;
     }},
};

}  // namespace

TEST_CASE("each kind of fault is found in at least a quarter of the programs it is planted in") {
  // Not in all: the first op that fits may be dead, or get another name for the same value, or be symmetric.
  for (auto const& f : faults) {
    std::uint32_t planted = 0, found = 0;
    for (std::uint64_t seed = 0; seed < 300 && planted < 20; ++seed) {
      random_options const options{.seed = seed,
                                   .meshes = 3,
                                   .statements = 16,
                                   .assigned = f.assigned,
                                   .loops = true,
                                   .conflicts = true};
      auto const before = make_random_program(options);
      auto after = make_random_program(options);
      bool done = false;
      ir::walk(after.program, after.program.root(), [&](ir::op o) {
        done = f.plant(after.program, o);
        return done ? ir::walk_step::interrupt : ir::walk_step::advance;
      });
      if (!done) continue;
      ++planted;
      diagnostics quiet;
      found += !compare_by_simulation(before.program, after.program, quiet, {.trials = 2});
    }
    CAPTURE(f.name);
    CHECK(planted >= 10);
    CHECK_MESSAGE(found * 4 >= planted, found << " of " << planted);
  }
}

}  // namespace faults_test
