// Rules of the Python syntax that need a program of their own: module prefixes, the codec of attributes, references that
// stand before what they refer to, older spellings, what happens only where windows are shared.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>


#include "text/python_programs.hpp"

namespace python_rules_test {

namespace {

namespace ir = mpmd::ir;
namespace host = mpmd::ir::host;
using mpmd::text::python_testing::check_round_trip;
using mpmd::text::python_testing::host_program;
using mpmd::text::python_testing::ops_of;
using mpmd::text::python_testing::printed_body;
using mpmd::text::python_testing::printed_statements;
using mpmd::text::python_testing::read;
using mpmd::text::python_testing::valid;

bool contains(std::string const& text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("the language may have any name, in dumped forms and in descriptors of windows too") {
  std::string const text =
      "from pypto import language as L\nimport pypto.language.distributed as pld\n\n@L.program\nclass P:\n"
      "    @L.function(level=L.Level.HOST, role=L.Role.Orchestrator)\n    def host(self):\n"
      "        with L._dump.comm_domain(name=\"d\", devices=[0], slots=[L._dump.window_buffer(\"w\", base=\"b\", size=16)]):\n"
      "            b: L.Ptr = L._dump.alloc_window_buffer(16, name=\"b\")\n"
      "            v: pld.DistributedTensor[[4], L.FP32, L._dump.window_ref(\"w\")] = L._dump.call(\"pld.tensor.window\", "
      "[b, [4]], pld.DistributedTensor[[4], L.FP32, L._dump.window_ref(\"w\")], kwargs={\"dtype\": L.FP32})\n";
  auto const p = valid(text);
  auto const slots = host::slots(p, ops_of(p, ir::opcode::host_comm_domain)[0]);
  REQUIRE(slots.size() == 1);
  for (ir::op const o : ops_of(p, ir::opcode::host_assign))
    if (host::window_of(p, p.operand(o, 0))) CHECK(host::window_of(p, p.operand(o, 0)) == slots[0]);
  std::string other = text;
  for (auto at = other.find("L."); at != std::string::npos; at = other.find("L.", at + 3)) other.replace(at, 2, "pl.");
  other.replace(other.find("from pypto import language as L"), 31, "import pypto.language as pl");
  CHECK(ir::structural_equal(p, valid(other)));
  check_round_trip(p);
}

TEST_CASE("attributes are data, and what is written pl.const, a name or a sum is an expression") {
  struct {
    char const* written;
    bool expression;
  } const cases[] = {
      {"True", false},
      {"-1", false},
      {"9223372036854775807", false},
      {"0.5", false},
      {"\"x\"", false},
      {"pl.FP32", false},
      {"pl.Mem.DDR", false},
      {"pl.TensorLayout.NZ", false},
      {"pl.TileLayout.row_major", false},
      {"pl.PadValue.zero", false},
      {"pl.adir.output_existing", false},
      {"[]", false},
      {"[-1, 2]", false},
      {"[pl.adir.input, pl.adir.no_dep]", false},
      {"[(1, 2), (-3, 4)]", false},
      {"pl.const(-1, pl.INDEX)", true},
      {"pl.const(0.5, pl.FP16)", true},
      {"pl.const(0.5, pl.FP32)", true},
      {"pl._dump.float64(\"7ff0000000000000\")", true},
      {"pl.const(pl._dump.float64(\"7ff0000000000000\"), pl.FP16)", true},
      {"n", true},
      {"n + 1", true},
  };
  for (auto const& c : cases) {
    CAPTURE(c.written);
    auto const p = valid(host_program(std::string("pl.show(n, attrs={\"k\": ") + c.written + "})", "n: pl.Scalar[pl.INDEX]"));
    auto const call = ops_of(p, ir::opcode::host_call)[0];
    auto const found = host::find_entry(p, call, "attrs", "k");
    CHECK(bool(found.expression) == c.expression);
    CHECK(bool(found.data) == !c.expression);
    CHECK(printed_body(p) == std::string("pl.show(n, attrs={\"k\": ") + c.written + "})\n");
    check_round_trip(p);
  }
  for (char const* const mixed : {"[1, 'a']", "[pl.adir.input, 1]", "[(1, 2), 3]", "[True, 0.5]"}) {
    CAPTURE(mixed);
    CHECK_FALSE(read(host_program(std::string("pl.show(1, attrs={\"k\": ") + mixed + "})")).program.has_value());
  }
}

TEST_CASE("an attribute of a domain and the size of its slot may name a variable of the body") {
  auto const p = valid(host_program(
      "with pl._dump.comm_domain(name=\"d\", devices=[1], slots=[pl._dump.window_buffer(\"w\", base=\"b\", size=n)], "
      "attrs={\"saved_size\": n, \"level\": -1, \"limit\": pl.const(-1, pl.INDEX), \"tag\": \"x\"}):\n"
      "    n: pl.Scalar[pl.INDEX] = 16\n"
      "    b: pl.Ptr = pl._dump.alloc_window_buffer(n, name=\"b\")"));
  auto const domain = ops_of(p, ir::opcode::host_comm_domain)[0];
  ir::value const n = p.operand(ops_of(p, ir::opcode::host_assign)[0], 0);
  ir::op const window = p.defining_op(host::slots(p, domain)[0]);
  CHECK(host::find_entry(p, domain, "attrs", "saved_size").expression == n);
  CHECK(p.operand(window, 1) == n);
  CHECK(host::find_entry(p, domain, "attrs", "level").data);
  CHECK(host::constant_int(p, host::find_entry(p, domain, "attrs", "limit").expression) == -1);
  check_round_trip(p);
}

TEST_CASE("keys of windows: numbers and strings are different ones, the same descriptor again is the same window") {
  auto const p = valid(host_program(
      "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[pl._dump.window_buffer(7, \"b\", 16), "
      "pl._dump.window_buffer(\"7\", \"b\", 16)]):\n"
      "    b: pl.Ptr = pl._dump.alloc_window_buffer(16, name=\"b\")\n"
      "    v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(7)] = pld.window(b, [4], dtype=pl.FP32)\n"
      "    w: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_buffer(\"7\", \"b\", 16)] = pld.window(b, [4], dtype=pl.FP32)\n"
      "with pl._dump.comm_domain(name=\"e\", devices=[0], slots=[pl._dump.window_buffer(7,   \"b\", 16)]):\n    pass"));
  auto const domains = ops_of(p, ir::opcode::host_comm_domain);
  auto const slots = host::slots(p, domains[0]);
  REQUIRE(slots.size() == 2);
  CHECK(slots[0] != slots[1]);
  CHECK(host::slots(p, domains[1])[0] == slots[0]);
  std::vector<ir::value> viewed;
  for (ir::op const o : ops_of(p, ir::opcode::host_assign))
    if (auto const w = host::window_of(p, p.operand(o, 0))) viewed.push_back(w);
  CHECK(viewed == std::vector<ir::value>{slots[0], slots[1]});
  // Both are over the pointer that the allocation sets, and print as labels and keywords.
  for (ir::value const w : slots) CHECK(p.operand(p.defining_op(w), 0) == p.operand(ops_of(p, ir::opcode::host_assign)[0], 0));
  CHECK(contains(printed_statements(p)[0], "pl._dump.window_buffer(\"b_window\", base=\"b\", size=16, load_from_host=False, "
                                           "store_to_host=False), pl._dump.window_buffer(\"b_window_1\", base=\"b\""));
  check_round_trip(p);
}

TEST_CASE("dumped allocations may share a name, and name it as they like") {
  auto const p = valid(host_program("b: pl.Ptr = pl._dump.alloc_window_buffer(4, name=\"x\")\n"
                                    "c: pl.Ptr = pl._dump.alloc_window_buffer(4, name=\"x\")"));
  CHECK(printed_body(p) == "b: pl.Ptr = pl._dump.alloc_window_buffer(4, name='x')\n"
                           "c: pl.Ptr = pl._dump.alloc_window_buffer(4, name='x')\n");
  check_round_trip(p);
}

TEST_CASE("two hundred domains in each other share their windows by identity") {
  constexpr std::size_t depth = 200;
  std::string text, inside;
  for (std::size_t i = 0; i < depth; ++i) {
    std::string const n = std::to_string(i);
    text.append(i ? ", " : "with ").append("pl._dump.comm_domain(name=\"d" + n + "\", devices=[" + n +
                                           "], slots=[pl._dump.window_buffer(\"w" + n + "\", base=\"b" + n + "\", size=4)])");
    inside.append("    b" + n + ": pl.Ptr = pl._dump.alloc_window_buffer(4, name=\"b" + n + "\")\n    v" + n +
                  ": pld.DistributedTensor[[1], pl.FP32, pl._dump.window_ref(\"w" + n + "\")] = pld.window(b" + n +
                  ", [1], dtype=pl.FP32)\n");
  }
  auto const p = valid(host_program(text + ":\n" + inside));
  check_round_trip(p);
  auto const again = valid(mpmd::text::to_python(p));
  std::vector<ir::value> slots, viewed;
  for (ir::op const d : ops_of(again, ir::opcode::host_comm_domain)) slots.push_back(host::slots(again, d)[0]);
  for (ir::op const o : ops_of(again, ir::opcode::host_assign))
    if (auto const w = host::window_of(again, again.operand(o, 0))) viewed.push_back(w);
  CHECK(slots.size() == depth);
  CHECK(viewed == slots);
}

TEST_CASE("runs of devices are pairs of a first and a last one, and no more than a text can list") {
  auto const good = [](std::vector<std::int64_t> runs) {
    auto p = valid(host_program("with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[]):\n    pass"));
    ir::context& in = p.context();
    p.set_attr(ops_of(p, ir::opcode::host_comm_domain)[0], "device_runs",
               in.get(ir::dense_array_attr{in.integer(64), std::move(runs)}));
    mpmd::diagnostics diags;
    bool const valid_now = ir::verify(p, diags);
    if (valid_now) check_round_trip(p);
    return valid_now;
  };
  CHECK(good({}));
  CHECK(good({0, 3, 7, 7}));
  CHECK_FALSE(good({0}));
  CHECK_FALSE(good({0, 3, 7}));
  CHECK_FALSE(good({3, 0}));
  CHECK_FALSE(good({0, 1 << 24}));
  CHECK_FALSE(good({INT64_MIN, INT64_MAX}));
}

TEST_CASE("a subworker takes no self, a yield in a function is a return, and an empty class and function pass") {
  auto const p = valid(std::string(mpmd::text::python_testing::imports) +
                       "@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.InCore)\n    def kern(n: pl.Ptr):\n"
                       "        return n\n    @pl.function(type=pl.FunctionType.Orchestration)\n    def chip(self, n: pl.Ptr):\n"
                       "        pass\n");
  std::string const text = mpmd::text::to_python(p);
  CHECK(contains(text, "    def kern(n: pl.Ptr):\n        return n\n"));
  CHECK(contains(text, "    def chip(self, n: pl.Ptr):\n        pass\n"));
  CHECK_FALSE(contains(text, "\n\n    @"));  // functions stand one behind the other
  CHECK_FALSE(contains(text, "pld"));       // imported where it is needed
  check_round_trip(p);
}

}  // namespace python_rules_test
