#include "python_programs.hpp"

#include <algorithm>
#include <limits>

#include <mpmd/ir/host_builder.hpp>
#include <mpmd/ir/host_expressions.hpp>

#include "testing/small_stack.hpp"

namespace python_print_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::python_testing;

namespace {

struct spelled {
  char const* written;
  char const* printed;  // null: as it is written
};

constexpr std::string_view parameters =
    "a: pl.Scalar[pl.INDEX], b: pl.Scalar[pl.INDEX], c: pl.Scalar[pl.BOOL], d: pl.Scalar[pl.BOOL], "
    "x: pl.Scalar[pl.FP32], i: pl.Scalar[pl.INT32], t: pl.Tuple[pl.Scalar[pl.INT8], pl.Ptr], "
    "m: pl.Tensor[[8, 4], pl.FP16]";

}  // namespace

TEST_CASE("expressions print with the parentheses they need and no others") {
  spelled const cases[] = {
      {"a + b - a", nullptr},
      {"a + (b - a)", nullptr},
      {"(a + b) - a", "a + b - a"},
      {"a * (b + a) // b % a", nullptr},
      {"a ** b ** a", nullptr},
      {"(a ** b) ** a", nullptr},
      {"-a ** b", nullptr},
      {"(-a) ** b", nullptr},
      {"- -a", "--a"},
      {"~a >> b << a", nullptr},
      {"~(a >> b)", nullptr},
      {"a & b | a ^ b", nullptr},
      {"(a | b) & a", nullptr},
      {"a << (b | a)", nullptr},
      {"not c and d or c", nullptr},
      {"not (c and d)", nullptr},
      {"(c or d) and c", nullptr},
      {"(a < b) == c", nullptr},
      {"c != (a >= b)", nullptr},
      {"not a < b", nullptr},
      {"a - -3", nullptr},
      {"(-3) ** a", nullptr},
      {"a ** -3", nullptr},
      {"abs(a) + abs(-b)", nullptr},
      {"pl.min(a, pl.max(b, 3))", nullptr},
      {"pl.cast(a + b, pl.FP32) / x", nullptr},
      {"pl._dump.logical_xor(c, a < b)", nullptr},
      {"[a, [b], []]", nullptr},
      {"(a, b)", "[a, b]"},
      {"[a, b][1]", nullptr},
      {"t[0]", nullptr},
      {"t[-1]", "t[1]"},
      {"m[a]", nullptr},
      {"m[a, b]", nullptr},
      {"m[1:2, ::3]", nullptr},
      {"m[:, a:]", nullptr},
      {"m[:b, a::3]", nullptr},
      {"m[::]", "m[:]"},
      {"pl.tensor.slice(m, [2, 4], offset=[1, 2], mode='x')", nullptr},
      // A reader folds literals, but not what has a type of its own.
      {"2 * 3 + 4", "10"},
      {"7 // 2 - 7 % 4", "0"},
      {"-7 // 2", "-4"},
      {"-7 % 3", "2"},
      {"2 ** 10", "1024"},
      {"a ** -1", nullptr},
      {"a ** (-b)", nullptr},
      {"a ** (~b)", nullptr},
      {"a ** b ** 2", nullptr},
      {"a ** -b", "a ** (-b)"},
      {"2 ** 62 * 2", "pl.const(4611686018427387904, pl.INDEX) * pl.const(2, pl.INDEX)"},
      {"1 / 0", "pl.const(1, pl.INDEX) / pl.const(0, pl.INDEX)"},
      {"7 / 2", "3.5"},
      {"1 << 4 | 3", "19"},
      {"not 1 < 2", "False"},
      {"-9223372036854775808", nullptr},
      {"0x10 + 0b11 + 0o7 + 1_000", "1026"},
      {"256 * pl.FP32.get_byte()", "pl.const(256, pl.INDEX) * pl.const(4, pl.INDEX)"},
      {"-pl.const(5, pl.INDEX)", nullptr},
      {"not pl.const(True, pl.BOOL)", nullptr},
      {"a * (pl.const(2, pl.INDEX) + pl.const(3, pl.INDEX))", nullptr},
      {"pl.const(16, pl.INT64)", nullptr},
      {"pl.const(-128, pl.INT8)", nullptr},
      {"pl.const(7, pl.TASK_ID)", nullptr},
      {"pl.const(255, pl.UINT8)", nullptr},
      {"pl.const(-8, pl.INT4)", nullptr},
      {"pl.const(1.5, pl.FP16)", nullptr},
      {"pl.const(16, pl.INDEX)", "16"},
      {"1.0", nullptr},
      {"0.1", nullptr},
      {"1e22", "1e+22"},
      {"-0.0", nullptr},
      {"5.", "5.0"},
      {".5", "0.5"},
      {"pl._dump.float64('fff0000000000000')", "pl._dump.float64(\"fff0000000000000\")"},
      {"pl._dump.float64('7ff8000000000001')", "pl._dump.float64(\"7ff8000000000001\")"},
      {"pl.const(pl._dump.float64(\"7ff0000000000000\"), pl.BF16)", nullptr},
      // Different widths meet in the wider type.
      {"i + 1", "pl.cast(i, pl.INDEX) + 1"},
      {"x * a", "x * pl.cast(a, pl.FP32)"},
      {"i < i", nullptr},
  };
  for (auto const& c : cases) {
    CAPTURE(c.written);
    auto const p = valid(host_program(std::string("pl.show(") + c.written + ")", parameters));
    CHECK(printed_body(p) == std::string("pl.show(") + (c.printed ? c.printed : c.written) + ")\n");
    check_round_trip(p);
  }
}

TEST_CASE("types print as they are written") {
  spelled const cases[] = {
      {"pl.Scalar[pl.FP8E4M3FN]", nullptr},
      {"pl.Scalar[pl.TASK_ID]", nullptr},
      {"pl.Scalar[pl.FP4E2M1X2]", nullptr},
      {"pl.Scalar[pl.UINT4]", nullptr},
      {"pl.Tensor[[], pl.HF8]", nullptr},
      {"pl.Tensor[[2 * 4, N, N + 1], pl.INT4]", "pl.Tensor[[8, N, N + 1], pl.INT4]"},
      {"pl.Tensor[[pl.const(4, pl.INT64)], pl.BOOL]", "pl.Tensor[[4], pl.BOOL]"},
      {"pl.Tensor[[4], pl.FP32, pl.TensorView()]", nullptr},
      {"pl.Tensor[[4], pl.FP32, pl.NZ]", "pl.Tensor[[4], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.NZ)]"},
      {"pl.Tensor[[4], pl.FP32, pl.TensorView(stride=[N], valid_shape=[N + 2], layout=pl.TensorLayout.ND)]",
       "pl.Tensor[[4], pl.FP32, pl.TensorView(valid_shape=[N + 2], stride=[N], layout=pl.TensorLayout.ND)]"},
      // A valid shape that is the shape says nothing.
      {"pl.Tensor[[4], pl.FP32, pl.TensorView(valid_shape=[4], stride=[], layout=pl.TensorLayout.ND)]",
       "pl.Tensor[[4], pl.FP32, pl.TensorView()]"},
      {"pl.Tensor[[N, 2, N + 1], pl.FP32, pl.TensorView(valid_shape=[N, 2, N + 1], stride=[N, 1, M])]",
       "pl.Tensor[[N, 2, N + 1], pl.FP32, pl.TensorView(stride=[N, 1, M], layout=pl.TensorLayout.ND)]"},
      {"pl.Tensor[[N, 2], pl.FP32, pl.TensorView(valid_shape=[2, N], stride=[], layout=pl.TensorLayout.ND)]", nullptr},
      {"pl.Tensor[[N], pl.FP32, pl.TensorView(valid_shape=[M], stride=[], layout=pl.TensorLayout.ND)]", nullptr},
      {"pl.Tensor[[4], pl.FP32, pl.TensorView(valid_shape=[], stride=[], layout=pl.TensorLayout.ND)]", nullptr},
      {"pl.Tensor[[4], pl.FP32, pl.TensorView(pad=pl.PadValue.max)]",
       "pl.Tensor[[4], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.ND, pad=pl.PadValue.max)]"},
      {"pl.Tile[[16, 16], pl.FP16]", nullptr},
      {"pl.Array[N, pl.INT32]", nullptr},
      {"pl.Array[[2, 3], pl.INT32]", nullptr},
      {"pl.Tuple[()]", nullptr},
      {"pl.Tuple[pl.Ptr]", nullptr},
      {"pl.Tuple[pl.Tensor[[N], pl.FP32], pl.Tuple[pl.Tensor[[M, 2], pl.FP32], pl.Ptr], pl.Tensor[[N * M], pl.FP32]]", nullptr},
      {"pld.CommCtx", nullptr},
      {"pl._dump.WindowBuffer", nullptr},
      {"pl._dump.Unknown", nullptr},
      {"pl.Out[pl.Tensor[[4], pl.FP32]]", nullptr},
      {"pl.InOut[pl.Ptr]", nullptr},
      {"pld.DistributedTensor[[4], pl.FP32, \"window_buffer=b\"]", "pld.DistributedTensor[[4], pl.FP32]"},
      {"pld.DistributedTensor[[N], pl.FP32, pl.DN, pl._dump.window_buffer(3, \"q\", N)]",
       "pld.DistributedTensor[[N], pl.FP32, pl.TensorView(stride=[], layout=pl.TensorLayout.DN), "
       "pl._dump.window_ref(\"q_window\")]"},
  };
  for (auto const& c : cases) {
    CAPTURE(c.written);
    // The window is described by a domain, as printed text has it.
    std::string text = host_program(
        "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[pl._dump.window_buffer(3, \"q\", N)]):\n    pass",
        std::string("q: pl.Ptr, v: ") + c.written);
    text.insert(text.find("@pl.program"), "N = pl.dynamic(\"N\")\nM = pl.dynamic(\"M\")\n");
    auto const p = valid(text);
    std::string const printed = mpmd::text::to_python(p);
    CHECK(printed.find(std::string("v: ") + (c.printed ? c.printed : c.written) + "):") != std::string::npos);
    check_round_trip(p);
  }
}

TEST_CASE("statements print as they are written") {
  char const* const cases[] = {
      "return\n",
      "return a, b\n",
      "return [a, b]\n",
      "pass\n",
      "if c:\n    pass\n",
      "if c:\n    a: pl.Scalar[pl.INDEX] = b\nelse:\n    pass\n",
      "if c:\n    pass\nelse:\n    if d:\n        return a\n    else:\n        if a < b:\n            pass\n        else:\n"
      "            return b\n",
      "if c:\n    r: pl.Scalar[pl.INDEX] = pl.yield_(a)\nelse:\n    r: pl.Scalar[pl.INDEX] = pl.yield_(b)\nreturn r\n",
      "if c:\n    r, s = pl.yield_(a, b)\nelse:\n    r, s = pl.yield_(b, a)\nreturn r, s\n",
      "for k in pl.range(4):\n    if k == 2:\n        break\n    else:\n        continue\n",
      "for k in pl.range(a, b):\n    pass\n",
      "for k in pl.parallel(0, 8, 2):\n    pass\n",
      "for k in pl.unroll(pl.const(0, pl.INT64), a, pl.const(1, pl.INT64)):\n    pass\n",
      "for k in pl.pipeline(4, stage=2):\n    pass\n",
      "for k in pl.range(4, attrs={\"hint\": \"x\", \"at\": a}):\n    pass\n",
      "for k, (v,) in pl.range(4, init_values=(a,)):\n    v_next: pl.Scalar[pl.INDEX] = pl.yield_(v + k)\nreturn v_next\n",
      "for k, (v, w) in pl.range(4, init_values=(a, b)):\n    v_next, w_next = pl.yield_(w, v)\nreturn w_next\n",
      "while c:\n    pass\n",
      "for (v,) in pl.while_(init_values=(a,)):\n    pl.cond(v < 4)\n    u: pl.Scalar[pl.INDEX] = pl.yield_(v + 1)\nreturn u\n",
      "with pl.incore():\n    pass\n",
      "with pl.at(a, level=pl.Level.CHIP, attrs={\"n\": 1}):\n    pass\n",
      "pl.submit(self.step, m, device=a, deps=[a, b])\n",
      "self.step(m, device=a + 1, attrs={\"dump_vars\": [a, b], \"pairs\": [(a, 1), (b, 2)], \"codes\": [(1, 2)]})\n",
      "self.step(m, attrs={\"device\": 3})\n",
      "self.step(m, device=[0, a], attrs={\"t\": (a, 4), \"e\": (), \"o\": (a,), \"l\": [a, b]})\n",
      "k: pl.Ptr = pl._dump.call(\"pld.tensor.alloc_window_buffer\", [16], pl.Ptr)\n",
      // Keywords that an operation does not know are kept, and not taken for what users write.
      "pl._dump.call(\"pld.tensor.barrier\", [m], pl._dump.Unknown, kwargs={\"pace\": 2})\n",
      "k: pl.Ptr = pl._dump.call(\"pld.tensor.alloc_window_buffer\", [16], pl.Ptr, kwargs={\"name\": \"x\", \"a b\": 1})\n",
      "if c:\n    pl.yield_(a, b)\nelse:\n    r: pl.Scalar[pl.INDEX] = pl.yield_(a)\n",
      "with pl._dump.comm_domain(name=\"outer\", devices=[0, 1], slots=[]):\n"
      "    with pl._dump.comm_domain(name=\"inner\", devices=[], slots=[], attrs={\"z\": 1, \"a\": -0.5, \"e\": a + 1}):\n"
      "        pass\n"
      "return a\n",
  };
  for (auto const& c : cases) {
    CAPTURE(c);
    auto const p = valid(host_program(c, parameters));
    CHECK(printed_body(p) == c);
    check_round_trip(p);
  }
}

TEST_CASE("a long chain of branches shares lines from the depth on at which Python's indentation ends") {
  std::string chain = "if c:\n    pass\n";
  for (int i = 0; i < 100; ++i) chain += "elif d:\n    pass\n";
  auto const p = valid(host_program(chain, parameters));
  std::string const printed = mpmd::text::to_python(p);
  CHECK(printed.find("\n" + std::string(4 * 63, ' ') + "else:\n" + std::string(4 * 64, ' ') + "if d:\n") != std::string::npos);
  CHECK(printed.find("\n" + std::string(4 * 64, ' ') + "elif d:\n") != std::string::npos);
  CHECK(printed.find(std::string(4 * 66, ' ')) == std::string::npos);
  check_round_trip(p);
}

TEST_CASE("a window that no domain has as a slot is described where it is mentioned first") {
  auto const described = [](std::string const& base, std::string const& size) {
    return "pl._dump.window_buffer(\"" + base + "_window\", base=\"" + base + "\", size=" + size +
           ", load_from_host=False, store_to_host=True)";
  };
  auto const tensor = [](std::string const& window) { return "pld.DistributedTensor[[4], pl.FP32, " + window + "]"; };
  // In the signature, in an annotation, in an expression; and once more elsewhere.
  auto const in_signature = valid(host_program("return q", "n: pl.Scalar[pl.INDEX], q: " + tensor(described("b", "n + 8"))));
  CHECK(mpmd::text::to_python(in_signature).find("q: " + tensor(described("b", "n + 8")) + "):\n") != std::string::npos);
  check_round_trip(in_signature);
  std::string const ref = "pl._dump.window_ref(\"b_window\")";
  std::string const statements =
      "b: pl.Ptr = pl._dump.alloc_window_buffer(16, name='b')\n"
      "v: " + tensor(described("b", "16")) + " = pl._dump.call(\"pld.tensor.window\", [b, [4]], " + tensor(ref) +
      ", kwargs={\"dtype\": pl.FP32})\n"
      "w: " + tensor(ref) + " = v\n";
  auto const in_body = valid(host_program(statements));
  CHECK(printed_body(in_body) == statements);
  check_round_trip(in_body);
  auto const expression = valid(host_program("x = " + described("p", "3") + "\ny = " + described("p", "3"), "p: pl.Ptr"));
  CHECK(printed_body(expression) == "x: pl._dump.WindowBuffer = " + described("p", "3") +
                                        "\ny: pl._dump.WindowBuffer = pl._dump.window_ref(\"p_window\")\n");
  check_round_trip(expression);
}

TEST_CASE("variables that share a hint are numbered, and names that mean something else are avoided") {
  auto const p = valid(host_program("for k in pl.range(2):\n    pass\n"
                                    "k: pl.Ptr = pl._dump.alloc_window_buffer(4, name='k')\n"
                                    "k_1 = 3\n"
                                    "N = k_1\n"
                                    "w: pl.Tensor[[D], pl.FP32] = pl.load(k)\n"
                                    "step = N\n"
                                    "return N, step")
                           .insert(std::string(imports).size(), "D = pl.dynamic(\"N\")\n"));
  // The dimension is called N, so the variable N is not, and step is a function; k_1 is unique among the hints, so the second k is k_2.
  CHECK(printed_body(p) ==
        "for k in pl.range(2):\n"
        "    pass\n"
        "k_2: pl.Ptr = pl._dump.alloc_window_buffer(4, name='k')\n"
        "k_1: pl.Scalar[pl.INDEX] = 3\n"
        "N_1: pl.Scalar[pl.INDEX] = k_1\n"
        "w: pl.Tensor[[N], pl.FP32] = pl.load(k_2)\n"
        "step_1: pl.Scalar[pl.INDEX] = N_1\n"
        "return N_1, step_1\n");
  check_round_trip(p);

  // Hints that no source text has: they come from other readers.
  auto strange = valid(host_program("x = 1\ny = 2\nz = 3\nreturn x, y, z"));
  char const* const hints[] = {"while", "two words", ""};
  std::size_t next = 0;
  for (ir::op o = strange.first_op(ir::host::body_of(strange, ir::host::functions(strange)[0])); o; o = strange.next_op(o))
    if (strange.is(o, ir::opcode::host_var)) strange.set_attr(o, "hint", strange.context().string(hints[next++]));
  REQUIRE(next == 3);
  CHECK(printed_statements(strange).back() == "return while_1, two_words, v");
  check_round_trip(strange);
}

TEST_CASE("labels of windows come from their bases and never collide") {
  auto const p = valid(host_program(
      "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[pl._dump.window_buffer(1, \"b\", 4), "
      "pl._dump.window_buffer(\"1\", \"b\", 4), pl._dump.window_buffer(\"b_window\", \"b_window\", 8)]):\n"
      "    b: pl.Ptr = pl._dump.alloc_window_buffer(4, name=\"b\")\n"
      "    b_window: pl.Ptr = pl._dump.alloc_window_buffer(8, name=\"b\")\n"
      "    v: pld.DistributedTensor[[1], pl.FP32, pl._dump.window_ref(\"1\")] = pld.window(b, [1], dtype=pl.FP32)\n"));
  auto const lines = printed_statements(p);
  CHECK(lines[0].find("window_buffer(\"b_window\", base=\"b\", size=4,") != std::string::npos);
  CHECK(lines[0].find("window_buffer(\"b_window_1\", base=\"b\", size=4,") != std::string::npos);
  CHECK(lines[0].find("window_buffer(\"b_window_window\", base=\"b_window\", size=8,") != std::string::npos);
  CHECK(lines[3].find("window_ref(\"b_window_1\")") != std::string::npos);
  check_round_trip(p);
}

TEST_CASE("strings of any bytes survive") {
  std::string bytes;
  for (int c = 0; c < 256; ++c) bytes += static_cast<char>(static_cast<unsigned char>(c));
  bytes += "\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\xED\xA0\x80\xC0\x80 \\x41 \\";  // valid and invalid UTF-8
  auto p = valid(host_program("with pl._dump.comm_domain(name=\"d\", devices=[], slots=[]):\n    pass\n"
                              "pl.show(1, text='')"));
  ir::context& in = p.context();
  ir::op domain, call;
  ir::walk(p, p.root(), [&](ir::op o) {
    if (p.is(o, ir::opcode::host_comm_domain)) domain = o;
    if (p.is(o, ir::opcode::host_call)) call = o;
  });
  p.set_attr(domain, "name", in.string(bytes));
  p.set_attr(call, "kwargs", in.dictionary({{in.intern("text"), in.string(bytes)}}));
  auto const again = valid(mpmd::text::to_python(p));
  CHECK(ir::structural_equal(p, again));
  std::string name;
  ir::walk(again, again.root(), [&](ir::op o) {
    if (again.is(o, ir::opcode::host_comm_domain)) name = ir::host::domain_name(again, o);
  });
  CHECK(name == bytes);

  CHECK(printed_statements(valid(host_program("pl.show(1, t=\"it's\" r'\\n' '''a''' '\\x41\\u00e4\\101\\q')")))[0] ==
        "pl.show(1, t='it\\'s\\\\na" "A\xC3\xA4" "A\\\\q')");
}

TEST_CASE("calls say their type where it could not be worked out again") {
  auto const p = valid(host_program(
      "x = pl._dump.call(self.step, [v], pl.Ptr)\n"
      "y = pl._dump.call(\"pld.system.world_size\", [], pl.Scalar[pl.INT64])\n"
      "z = pl._dump.call(\"pld.tensor.allreduce\", [v, s], pld.DistributedTensor[[16], pl.FP32], kwargs={\"op\": 1})\n"
      "w = pl._dump.call(\"pld.tensor.allreduce\", [v, s], pld.DistributedTensor[[8], pl.FP32])\n"
      "with pl._dump.comm_domain(name=\"d\", devices=[], slots=[]):\n"
      "    self.step(v, device=2)\n"
      "    u = pld.world_size()\n",
      "v: pld.DistributedTensor[[16], pl.FP32], s: pld.DistributedTensor[[16], pl.INT32]"));
  CHECK(printed_body(p) ==
        "x: pl.Ptr = pl._dump.call(self.step, [v], pl.Ptr)\n"
        "y: pl.Scalar[pl.INT64] = pld.system.world_size()\n"
        "z: pld.DistributedTensor[[16], pl.FP32] = pld.tensor.allreduce(v, s, op=pld.ReduceOp.Max)\n"
        "w: pld.DistributedTensor[[8], pl.FP32] = pl._dump.call(\"pld.tensor.allreduce\", [v, s], "
        "pld.DistributedTensor[[8], pl.FP32])\n"
        "with pl._dump.comm_domain(name=\"d\", devices=[], slots=[]):\n"
        "    pl._dump.call(self.step, [v], pld.DistributedTensor[[16], pl.FP32], attrs={\"device\": pl.const(2, pl.INDEX)})\n"
        "    u: pl.Scalar[pl.INT64] = pld.system.world_size()\n");
  check_round_trip(p);
}

TEST_CASE("a program that disagrees with itself about a window stays as it is") {
  std::string const statement =
      "v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"b_window\")] = "
      "pl._dump.call(\"pld.tensor.window\", [b, [4]], pld.DistributedTensor[[4], pl.FP32], kwargs={\"dtype\": pl.FP32})";
  auto const p = valid(host_program(
      "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[pl._dump.window_buffer(\"b_window\", \"b\", 16)]):\n"
      "    pass\n"
      "b: pl.Ptr = pl._dump.alloc_window_buffer(16, name=\"b\")\n" + statement));
  CHECK(printed_statements(p).back() == statement);
  check_round_trip(p);
}

TEST_CASE("functions stand behind those they call, and by name when they call each other in a circle") {
  auto order = [](std::string const& calls_of_a, std::string const& calls_of_b) {
    auto const head = "    @pl.function(level=pl.Level.CHIP, role=pl.Role.Orchestrator)\n";
    auto const p = valid(std::string(imports) + "@pl.program\nclass P:\n" + head + "    def c(self):\n        pass\n" +
                         head + "    def b(self):\n        " + calls_of_b + "\n" + head + "    def a(self):\n        " +
                         calls_of_a + "\n");
    check_round_trip(p);
    std::string const text = mpmd::text::to_python(p);
    std::string names;
    for (auto at = text.find("def "); at != std::string::npos; at = text.find("def ", at + 1)) names += text[at + 4];
    return names;
  };
  CHECK(order("pass", "pass") == "abc");
  CHECK(order("self.b(); self.c()", "pass") == "bca");
  CHECK(order("self.b()", "self.c()") == "cba");
  CHECK(order("self.b()", "self.a()") == "abc");
}

TEST_CASE("the module is laid out as Python wants it") {
  CHECK(mpmd::text::to_python(valid("")) ==
        "# pypto.program: Program\nimport pypto.language as pl\n\n@pl.program\nclass Program:\n    pass\n");
  CHECK(mpmd::text::to_python(valid("from pypto import language as L\nimport pypto.language.distributed as D\n"
                                    "K = L.dynamic('K')\nJ = L.dynamic('J')\nsize = 2 * 4\n"
                                    "@L.program\nclass Q:\n"
                                    "    @L.function(level=L.Level.CLOS1, external_source='a\"b')\n"
                                    "    def f(self, a: D.DistributedTensor[[K, J, size], L.FP32]): ...\n")) ==
        "# pypto.program: Q\nimport pypto.language as pl\nimport pypto.language.distributed as pld\n\n"
        "J = pl.dynamic(\"J\")\nK = pl.dynamic(\"K\")\n\n@pl.program\nclass Q:\n"
        "    @pl.function(level=pl.Level.CLUSTER_1, external_source=\"a\\\"b\")\n"
        "    def f(self, a: pld.DistributedTensor[[K, J, 8], pl.FP32]):\n"
        "        ...\n");
}

TEST_CASE("nesting costs no stack") {
  mpmd::testing::with_small_stack([] {
    constexpr std::size_t depth = 20'000;
    auto repeated = [](std::string_view open, std::string_view middle, std::string_view close) {
      std::string text;
      for (std::size_t i = 0; i < depth; ++i) text += open;
      text += middle;
      for (std::size_t i = 0; i < depth; ++i) text += close;
      return text;
    };
    for (auto const& text :
         {repeated("a + (", "a", ")"), repeated("-", "a", ""), repeated("", "a", " + a"), repeated("", "a", " ** a"),
          repeated("pl.cast(", "a", ", pl.INT64)"), repeated("pl.load(", "a", ")")}) {
      auto const p = valid(host_program("x = " + text, "a: pl.Scalar[pl.INT64]"));
      std::string const printed = mpmd::text::to_python(p);
      auto const again = valid(printed);
      CHECK(ir::structural_equal(p, again));
      CHECK(mpmd::text::to_python(again) == printed);
    }
    for (auto const& text : {repeated("[", "a", "]"), repeated("a[", "0", "]"), repeated("(", "a", "")})
      CHECK_FALSE(read(host_program("x = " + text, "a: pl.Tuple[pl.Ptr]")).program.has_value());
    CHECK_FALSE(read(host_program("x: " + repeated("pl.Tuple[", "pl.Ptr", "]") + " = a", "a: pl.Ptr")).program.has_value());
    std::string nested;
    for (std::size_t i = 0; i < 500; ++i) nested += std::string(i, ' ') + "if c:\n";
    auto const p = valid(host_program(nested + std::string(500, ' ') + "pass", "c: pl.Scalar[pl.BOOL]"));
    CHECK(ir::structural_equal(p, valid(mpmd::text::to_python(p))));
  });
}

TEST_CASE("domains that are nested deeper than Python indents share a header") {
  constexpr std::size_t depth = 300;
  std::string header = "with ";
  for (std::size_t i = 0; i < depth; ++i)
    header.append(i ? ", " : "").append("pl._dump.comm_domain(name=\"d").append(std::to_string(i)).append("\", devices=[], slots=[])");
  auto const p = valid(host_program(header + ":\n    pass"));
  std::string const printed = mpmd::text::to_python(p);
  auto const lines = printed_statements(p);
  CHECK(lines.size() == 64);  // 62 of one domain, the rest in one header, and pass
  CHECK(lines[61].starts_with(std::string(4 * 61, ' ') + "with pl._dump.comm_domain(name=\"d61\", devices=[], slots=[]):"));
  check_round_trip(p);
}

}  // namespace python_print_test
