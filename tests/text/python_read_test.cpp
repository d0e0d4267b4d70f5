#include "python_programs.hpp"

#include <algorithm>

#include <mpmd/ir/host_builder.hpp>
#include <mpmd/ir/host_expressions.hpp>

namespace python_read_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::python_testing;

namespace {

/// In the host function, whose name comes first.
std::vector<ir::op> ops_of(ir::program const& p, ir::opcode code) {
  std::vector<ir::op> found;
  ir::walk(p, ir::host::functions(p)[0], [&](ir::op o) {
    if (p.is(o, code)) found.push_back(o);
  });
  return found;
}

constexpr std::string_view one_window =
    "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[pl._dump.window_buffer(\"k\", base=\"b\", size=n)]):\n"
    "    n = 16\n"
    "    b: pl.Ptr = pl._dump.alloc_window_buffer(n, name=\"b\")\n"
    "    v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"k\")] = pld.window(b, [4], dtype=pl.FP32)\n"
    "    w: pld.DistributedTensor[[2, 2], pl.FP32, pl._dump.window_ref(\"k\")] = pld.window(b, [2, 2], dtype=pl.FP32)\n";

}  // namespace

TEST_CASE("a name is one variable as long as its type stays, and a new one when it changes") {
  auto const p = valid(host_program("x = 1\nx = x + 2\nx = True\nx = not x\nfor x in pl.range(3):\n    x = x + 1\nreturn x"));
  std::vector<ir::value> assigned;
  for (ir::op const o : ops_of(p, ir::opcode::host_assign)) assigned.push_back(p.operand(o, 0));
  REQUIRE(assigned.size() == 5);
  CHECK(assigned[0] == assigned[1]);
  CHECK(assigned[2] == assigned[3]);
  CHECK(assigned[1] != assigned[2]);
  // Loop variables are always new, and known behind the loop.
  auto const loops = ops_of(p, ir::opcode::host_for);
  REQUIRE(loops.size() == 1);
  CHECK(assigned[4] == ir::host::parts_of_for(p, loops[0]).variable);
  CHECK(p.operand(ops_of(p, ir::opcode::host_return).back(), 0) == assigned[4]);
  CHECK(assigned[4] != assigned[3]);
}

TEST_CASE("a window is one value for its slot and all types that refer to it, over the allocated pointer") {
  auto const p = valid(host_program(one_window));
  auto const windows = ops_of(p, ir::opcode::host_window);
  REQUIRE(windows.size() == 1);
  ir::value const w = p.result(windows[0], 0);
  auto const domain = ops_of(p, ir::opcode::host_comm_domain)[0];
  REQUIRE(ir::host::slots(p, domain).size() == 1);
  CHECK(ir::host::slots(p, domain)[0] == w);
  std::size_t calls = 0, variables = 0;
  for (ir::op const o : ops_of(p, ir::opcode::host_assign)) {
    variables += ir::host::window_of(p, p.operand(o, 0)) == w ? 1 : 0;
    // The annotation gives the call its window too.
    calls += ir::host::window_of(p, p.operand(o, 1)) == w ? 1 : 0;
    ir::op const call = ir::host::call_of(p, p.operand(o, 1));
    if (call && ir::host::called_op(p, call) == "pld.tensor.alloc_window_buffer")
      CHECK(p.operand(windows[0], 0) == p.operand(o, 0));
  }
  CHECK(variables == 2);
  CHECK(calls == 2);
  // The size names a variable that is assigned inside the scope.
  CHECK(ir::host::hint(p, p.operand(windows[0], 1)) == "n");
}

TEST_CASE("a reference in the signature finds the window that the body describes") {
  auto const p = valid(host_program(one_window, "u: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"k\")]"));
  auto const host = ir::host::functions(p)[0];
  CHECK(ir::host::function_name(p, host) == "host");
  CHECK(ir::host::window_of(p, ir::host::parameters(p, host)[0]) ==
        ir::host::slots(p, ops_of(p, ir::opcode::host_comm_domain)[0])[0]);
  check_round_trip(p);
}

TEST_CASE("programs are equal when windows correspond, whatever they and the variables are called") {
  auto with = [](std::string_view from, std::string_view to) {
    std::string text(one_window);
    if (auto const at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
    return valid(host_program(text));
  };
  auto const p = with("", "");
  struct {
    char const* from;
    char const* to;
    bool equal;
  } const cases[] = {
      {"base=\"b\"", "base=(\"b\")", true},
      {"n = 16", "n = 32", false},
      {"devices=[0]", "devices=[]", false},
      {"devices=[0]", "devices=[0, 1]", false},
      {"size=n", "size=n, store_to_host=True", false},
      {"size=n", "size=16", false},
      {"[2, 2]", "[4, 1]", false},
      {"name=\"d\"", "name=\"e\"", false},
      {"    v: pld", "    q: pld", true},
      {"n = 16", "n: pl.Scalar[pl.INDEX] = pl.const(16, pl.INT64)", true},  // INDEX and INT64 constants are one
  };
  for (auto const& c : cases) {
    CAPTURE(c.to);
    auto const q = with(c.from, c.to);
    CHECK(ir::structural_equal(p, q) == c.equal);
    CHECK((ir::structural_hash(p) == ir::structural_hash(q)) == c.equal);
  }
}

TEST_CASE("two windows over one base that change places make another program") {
  auto with = [](std::string_view first, std::string_view second) {
    return valid(host_program(
        "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[pl._dump.window_buffer(\"l\", base=\"b\", size=16), "
        "pl._dump.window_buffer(\"r\", base=\"b\", size=16)]):\n"
        "    b: pl.Ptr = pl._dump.alloc_window_buffer(16, name=\"b\")\n"
        "    v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"" + std::string(first) +
        "\")] = pld.window(b, [4], dtype=pl.FP32)\n"
        "    w: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"" + std::string(second) +
        "\")] = pld.window(b, [4], dtype=pl.FP32)\n"));
  };
  auto const p = with("l", "r");
  CHECK(ir::structural_equal(p, with("l", "r")));
  CHECK_FALSE(ir::structural_equal(p, with("r", "l")));
  CHECK_FALSE(ir::structural_equal(p, with("l", "l")));
  check_round_trip(p);
}

TEST_CASE("the order of attributes is kept in print and does not count") {
  auto const p = valid(host_program("pl.show(1, b=1, a=2, attrs={\"z\": 1, \"y\": n, \"x\": [n]})", "n: pl.Scalar[pl.INDEX]"));
  auto const q = valid(host_program("pl.show(1, a=2, b=1, attrs={\"x\": [n], \"y\": n, \"z\": 1})", "n: pl.Scalar[pl.INDEX]"));
  CHECK(ir::structural_equal(p, q));
  CHECK(ir::structural_hash(p) == ir::structural_hash(q));
  CHECK(printed_body(p) == "pl.show(1, b=1, a=2, attrs={\"z\": 1, \"y\": n, \"x\": [n]})\n");
  auto const call = ops_of(p, ir::opcode::host_call).back();
  CHECK(ir::host::find_entry(p, call, "attrs", "y").expression == p.result(ops_of(p, ir::opcode::host_param).back(), 0));
  CHECK_FALSE(ir::host::find_entry(p, call, "attrs", "y").data);
  CHECK(ir::host::find_entry(p, call, "kwargs", "a").data == p.context().integer_value(2));
  CHECK_FALSE(ir::host::find_entry(p, call, "kwargs", "nothing"));
}

TEST_CASE("a call has the type that its callee returns, in terms of its arguments") {
  std::string text(imports);
  text +=
      "D = pl.dynamic(\"D\")\n"
      "@pl.program\nclass P:\n"
      "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
      "    def host(self, m: pl.Scalar[pl.INDEX], v: pld.DistributedTensor[[D], pl.FP32]):\n"
      "        a = self.declared(m)\n"
      "        b = self.first_return(m, v)\n"
      "        c = self.nothing(m)\n"
      "        d = self.local(m)\n"
      "    @pl.function(type=pl.FunctionType.Orchestration)\n"
      "    def declared(self, n: pl.Scalar[pl.INDEX]) -> tuple[pl.Tensor[[n, 2], pl.FP16], pl.Ptr]: ...\n"
      "    @pl.function(type=pl.FunctionType.Orchestration)\n"
      "    def first_return(self, n: pl.Scalar[pl.INDEX], w: pld.DistributedTensor[[D], pl.FP32]):\n"
      "        if n < 3:\n"
      "            return w\n"
      "        return n\n"
      "    @pl.function(type=pl.FunctionType.Orchestration)\n"
      "    def nothing(self, n: pl.Scalar[pl.INDEX]):\n"
      "        pass\n"
      "    @pl.function(type=pl.FunctionType.Orchestration)\n"
      "    def local(self, n: pl.Scalar[pl.INDEX]):\n"
      "        k = n + 1\n"
      "        t: pl.Tensor[[k], pl.FP32] = pl.load(n)\n"
      "        return t\n";
  auto const p = valid(text);
  CHECK(printed_body(p) ==
        "a: pl.Tuple[pl.Tensor[[m, 2], pl.FP16], pl.Ptr] = self.declared(m)\n"
        "b: pld.DistributedTensor[[D], pl.FP32] = self.first_return(m, v)\n"
        "c: pl._dump.Unknown = self.nothing(m)\n"
        "d: pl._dump.Unknown = self.local(m)\n");
  check_round_trip(p);
}

TEST_CASE("kinds of functions imply levels and roles, and levels have other names") {
  struct {
    char const* written;
    char const* printed;
  } const cases[] = {
      {"", "@pl.function\n"},
      {"(type=pl.FunctionType.InCore)", "(type=pl.FunctionType.InCore, level=pl.Level.CHIP_DIE, role=pl.Role.SubWorker)"},
      {"(type=pl.FunctionType.AIC)", "(type=pl.FunctionType.AIC, level=pl.Level.AIC, role=pl.Role.SubWorker)"},
      {"(type=pl.FunctionType.AIV)", "(type=pl.FunctionType.AIV, level=pl.Level.AIV, role=pl.Role.SubWorker)"},
      {"(type=pl.FunctionType.Group)", "(type=pl.FunctionType.Group, level=pl.Level.CORE_GROUP, role=pl.Role.SubWorker)"},
      {"(type=pl.FunctionType.Graph)", "(type=pl.FunctionType.Graph, level=pl.Level.CHIP, role=pl.Role.Orchestrator)"},
      {"(type=pl.FunctionType.Spmd)", "(type=pl.FunctionType.Spmd)"},
      {"(type=pl.FunctionType.Opaque, level=pl.Level.POD)", "(level=pl.Level.CLUSTER_0)"},
      {"(role=pl.Role.SubWorker, level=pl.Level.UMA)", "(level=pl.Level.CHIP, role=pl.Role.SubWorker)"},
      {"(type=pl.FunctionType.Orchestration, level=pl.Level.PROCESSOR)",
       "(type=pl.FunctionType.Orchestration, level=pl.Level.CHIP, role=pl.Role.Orchestrator)"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.written);
    auto const p = valid(std::string(imports) + "@pl.program\nclass P:\n    @pl.function" + c.written +
                         "\n    def f(self):\n        pass\n");
    CHECK(mpmd::text::to_python(p).find(c.printed) != std::string::npos);
    check_round_trip(p);
  }
}

TEST_CASE("allocations by shape are one constant, or a product from left to right") {
  auto const p = valid(host_program("n = pld.world_size()\n"
                                    "a = pld.alloc_window_buffer([4, 8], dtype=pl.FP16)\n"
                                    "b = pld.alloc_window_buffer([n, 8, n], dtype=pl.INT4)\n"
                                    "c = pld.tensor.alloc_window_buffer(n)\n"));
  CHECK(printed_body(p) ==
        "n: pl.Scalar[pl.INT64] = pld.system.world_size()\n"
        "a: pl.Ptr = pl._dump.alloc_window_buffer(pl.const(64, pl.INT64), name='a')\n"
        "b: pl.Ptr = pl._dump.alloc_window_buffer(n * 8 * n * 1, name='b')\n"
        "c: pl.Ptr = pl._dump.alloc_window_buffer(n, name='c')\n");
  check_round_trip(p);
}

TEST_CASE("the verifier holds host programs to their rules") {
  auto const base = host_program("x = [a, a][0] + 1\npl.show(x, k=a)\nfor i in pl.range(3):\n    pass",
                                 "a: pl.Scalar[pl.INDEX]");
  auto refused = [&](auto damage) {
    auto p = valid(base);
    damage(p);
    mpmd::diagnostics diags;
    return !ir::verify(p, diags);
  };
  CHECK_FALSE(refused([](ir::program&) {}));
  auto first = [](ir::program const& p, ir::opcode code) { return ops_of(p, code)[0]; };
  CHECK(refused([&](ir::program& p) {  // an expression used twice
    ir::op const add = first(p, ir::opcode::host_binary);
    p.set_operand(add, 1, p.operand(add, 0));
  }));
  CHECK(refused([&](ir::program& p) {  // a sum of a type that sums do not have
    p.set_type(p.result(first(p, ir::opcode::host_binary), 0), p.context().integer(1));
  }));
  CHECK(refused([&](ir::program& p) { p.remove_attr(ops_of(p, ir::opcode::host_call).back(), "segments"); }));
  CHECK(refused([&](ir::program& p) {  // an entry that stands for no operand
    ir::op const call = ops_of(p, ir::opcode::host_call).back();
    p.set_attr(call, "attrs", p.context().dictionary({{p.context().intern("z"), p.context().get(ir::integer_attr{
                                                           4, p.context().get(ir::index_type{})})}}));
  }));
  CHECK(refused([&](ir::program& p) {  // a loop over something that is no variable
    ir::op const loop = first(p, ir::opcode::host_for);
    p.set_operand(loop, 3, p.result(first(p, ir::opcode::host_param), 0));
  }));
  CHECK(refused([&](ir::program& p) {  // an extent without an operand
    ir::op const variable = first(p, ir::opcode::host_var);
    p.set_type(p.result(variable, 0), ir::host::tensor(p.context(), {.dtype = "FP32", .shape = {ir::dynamic_extent}}));
  }));
  CHECK(refused([&](ir::program& p) {
    p.set_type(p.result(first(p, ir::opcode::host_var), 0), p.context().get(ir::none_type{}));
  }));
}

TEST_CASE("the verifier wants calls of functions of the program, with an argument for each parameter") {
  auto const base = host_program("a = self.step(v)\nb = pl.submit(self.kern, v)\npl.show(v)",
                                 "v: pld.DistributedTensor[[16], pl.FP32]");
  auto said = [&](auto damage) {
    auto p = valid(base);
    damage(p);
    std::vector<mpmd::diagnostic> found;
    mpmd::diagnostics diags([&](mpmd::diagnostic const& d) { found.push_back(d); });
    CHECK_FALSE(ir::verify(p, diags));
    REQUIRE(found.size() == 1);
    return found[0];
  };
  auto drop = [](ir::program& p, std::size_t which) {
    ir::op const call = ops_of(p, ir::opcode::host_call)[which];
    p.erase_operand(call, 0);
    p.set_attr(call, "segments", ir::host::builder(p, {}).segments({0, 0, 0}));
  };
  {
    auto const d = said([&](ir::program& p) { drop(p, 0); });
    CHECK(d.id == "verify.call");
    CHECK(d.message == "'host.call' op has 0 arguments, but its callee @step has 1 parameter");
    CHECK(d.where.line == 13);
    REQUIRE(d.notes.size() == 1);
    CHECK(d.notes[0].message == "the callee is here");
    CHECK(d.notes[0].where.line == 9);
  }
  CHECK(said([&](ir::program& p) { drop(p, 1); }).message ==
        "'host.call' op has 0 arguments, but its callee @kern has 1 parameter");
  {
    auto const d = said([&](ir::program& p) {  // one more parameter makes one argument too few of it
      ir::block const body = ir::host::body_of(p, p.next_op(p.next_op(ir::host::functions(p)[0])));
      ir::host::builder(p, {body, p.first_op(body)})
          .make(ir::opcode::host_param, {}, {ir::host::ptr(p.context())}, {{"hint", p.context().string("q")}});
    });
    CHECK(d.message == "'host.call' op has 1 argument, but its callee @step has 2 parameters");
  }
  {
    auto const d = said([&](ir::program& p) {
      p.set_attr(ops_of(p, ir::opcode::host_call)[0], "callee", p.context().symbol("nobody"));
    });
    CHECK(d.message == "'host.call' op has a callee that the program has no function for: @nobody");
    CHECK(d.where.line == 13);
  }
}

}  // namespace python_read_test
