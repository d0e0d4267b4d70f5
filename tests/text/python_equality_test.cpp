// Equality and hash of host programs: windows by identity, domains, distributed tensors, and what is left out of both.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/host_builder.hpp>
#include <mpmd/ir/structural_hash.hpp>

#include "text/python_programs.hpp"

namespace python_equality_test {

namespace {

namespace ir = mpmd::ir;
namespace host = mpmd::ir::host;
using mpmd::text::python_testing::host_program;
using mpmd::text::python_testing::ops_of;
using mpmd::text::python_testing::valid;

bool equal(ir::program const& p, ir::program const& q) {
  bool const same = ir::structural_equal(p, q);
  CHECK(same == ir::structural_equal(q, p));
  if (same) CHECK(ir::structural_hash(p) == ir::structural_hash(q));
  return same;
}

// A domain with these devices and slots around two views, which refer to the windows `first` and `second`.
std::string around_views(std::string_view devices, std::string_view slots, std::string_view first, std::string_view second) {
  std::string text = "with pl._dump.comm_domain(name=\"d\", devices=";
  text.append(devices).append(", slots=[").append(slots).append("]):\n");
  text += "    b: pl.Ptr = pl._dump.alloc_window_buffer(16, name=\"b\")\n";
  int n = 0;
  for (auto const& w : {first, second}) {
    if (w.empty()) continue;
    std::string const type = "pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(\"" + std::string(w) + "\")]";
    text += "    v" + std::to_string(n++) + ": " + type + " = pld.window(b, [4], dtype=pl.FP32)\n";
  }
  return host_program(text);
}
std::string slot(std::string_view key, std::string_view rest = "") {
  return "pl._dump.window_buffer(\"" + std::string(key) + "\", base=\"b\", size=16" + std::string(rest) + ")";
}

}  // namespace

TEST_CASE("a window has a base, a size in bytes and two flags that are false unless given") {
  auto const p = valid(around_views("[0]", slot("plain") + ", " + slot("staged", ", load_from_host=True, store_to_host=True"),
                                    "plain", "staged"));
  auto const domain = ops_of(p, ir::opcode::host_comm_domain)[0];
  auto const slots = host::slots(p, domain);
  REQUIRE(slots.size() == 2);
  for (std::size_t i = 0; i < 2; ++i) {
    ir::op const w = p.defining_op(slots[i]);
    CHECK(host::hint(p, slots[i]) == "b");  // a window is called like its base
    CHECK(p.type_of(p.operand(w, 0)) == host::ptr(p.context()));
    CHECK(host::constant_int(p, p.operand(w, 1)) == 16);
    for (char const* const flag : {"load_from_host", "store_to_host"}) {
      auto const* held = p.attr_if<ir::integer_attr>(w, flag);
      REQUIRE(held != nullptr);
      CHECK((held->value != 0) == (i == 1));
    }
  }
  CHECK(slots[0] != slots[1]);
}

TEST_CASE("no devices are all devices, which no list is equal to") {
  auto const all = valid(around_views("[]", slot("w"), "w", ""));
  CHECK(host::devices(all, ops_of(all, ir::opcode::host_comm_domain)[0]).empty());
  auto const some = valid(around_views("[0, 1, 2, 5]", slot("w"), "w", ""));
  auto const listed = host::devices(some, ops_of(some, ir::opcode::host_comm_domain)[0]);
  CHECK(std::vector<std::int64_t>(listed.begin(), listed.end()) == std::vector<std::int64_t>{0, 1, 2, 5});
  auto const ends = host::device_runs(some, ops_of(some, ir::opcode::host_comm_domain)[0]);
  CHECK(std::vector<std::int64_t>(ends.begin(), ends.end()) == std::vector<std::int64_t>{0, 2, 5, 5});
  CHECK_FALSE(equal(all, some));
  CHECK_FALSE(equal(some, valid(around_views("[0, 1, 2]", slot("w"), "w", ""))));
  CHECK(equal(some, valid(around_views("[0, 1, 2, 5]", slot("w"), "w", ""))));
}

TEST_CASE("domains are equal when their slots correspond one to one, and differ in slots, flags and sizes") {
  auto const one = valid(around_views("[0]", slot("l") + ", " + slot("r"), "l", "r"));
  CHECK(equal(one, valid(around_views("[0]", slot("x") + ", " + slot("y"), "x", "y"))));   // whatever they are called
  CHECK_FALSE(equal(one, valid(around_views("[0]", slot("l") + ", " + slot("r"), "r", "l"))));
  CHECK_FALSE(equal(one, valid(around_views("[0]", slot("l"), "l", "l"))));
  CHECK_FALSE(equal(one, valid(around_views("[0]", slot("l") + ", " + slot("r", ", load_from_host=True"), "l", "r"))));
  // A slot that nothing refers to counts too.
  auto const idle = valid(around_views("[0]", slot("l") + ", " + slot("r"), "l", ""));
  CHECK(equal(idle, valid(around_views("[0]", slot("l") + ", " + slot("r"), "l", ""))));
  CHECK_FALSE(equal(idle, valid(around_views("[0]", slot("l"), "l", ""))));
}

TEST_CASE("two windows over one base are two, though all their fields are equal") {
  auto const p = valid(host_program(
      "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[" + slot("l") + "]):\n"
      "    b: pl.Ptr = pl._dump.alloc_window_buffer(16, name=\"b\")\n"
      "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[" + slot("r") + "]):\n    pass\n"
      "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[" + slot("l") + "]):\n    pass\n"
      "with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[" + slot("r") + "]):\n    pass"));
  auto const domains = ops_of(p, ir::opcode::host_comm_domain);
  REQUIRE(domains.size() == 4);
  CHECK(host::slots(p, domains[1])[0] != host::slots(p, domains[2])[0]);
  CHECK(host::slots(p, domains[1])[0] == host::slots(p, domains[3])[0]);
  // Of two programs they correspond.
  auto const q = valid(mpmd::text::to_python(p));
  CHECK(ir::structural_equal(p, domains[1], q, ops_of(q, ir::opcode::host_comm_domain)[1]));
  // Which of two windows a later domain has again makes another program, with another hash.
  std::string const text = mpmd::text::to_python(p);
  auto const last = text.rfind("\"b_window_1\"");
  REQUIRE(last != std::string::npos);
  auto const other = valid(std::string(text).replace(last, 12, "\"b_window\""));
  CHECK_FALSE(equal(p, other));
  CHECK(ir::structural_hash(p) != ir::structural_hash(other));
}

TEST_CASE("a difference in the size of a window is said to be one, with its place") {
  auto with = [](std::string const& size) {
    return valid(host_program("with pl._dump.comm_domain(name=\"d\", devices=[0], slots=[pl._dump.window_buffer(\"w\", "
                              "base=\"b\", size=" + size + ")]):\n    b: pl.Ptr = pl._dump.alloc_window_buffer(16, name=\"b\")"));
  };
  auto const a = with("16"), b = with("32");
  auto const found = ir::first_difference(a, b);
  REQUIRE(found);
  std::string const said = ir::describe(*found, a, b);
  CAPTURE(said);
  CHECK(said.find("'host.const'") != std::string::npos);
  CHECK(said.find("'value'") != std::string::npos);
  CHECK(said.find("test.py:13:") != std::string::npos);
}

TEST_CASE("a distributed tensor is no tensor, and one with a window is none without") {
  auto with = [](std::string const& type) {
    return valid(host_program("pass", "b: pl.Ptr, v: " + type));
  };
  std::string const types[] = {
      "pl.Tensor[[4], pl.FP32]",
      "pld.DistributedTensor[[4], pl.FP32]",
      "pld.DistributedTensor[[8], pl.FP32]",
      "pld.DistributedTensor[[4], pl.FP16]",
      "pld.DistributedTensor[[4], pl.FP32, pl.TensorView()]",
      "pld.DistributedTensor[[4], pl.FP32, pl.NZ]",
      "pld.DistributedTensor[[4], pl.FP32, pl._dump.window_buffer(\"w\", base=\"b\", size=16)]",
  };
  for (auto const& x : types)
    for (auto const& y : types) {
      CAPTURE(x);
      CAPTURE(y);
      auto const p = with(x), q = with(y);
      CHECK(equal(p, q) == (x == y));
      CHECK((ir::structural_hash(p) == ir::structural_hash(q)) == (x == y));
    }
}

TEST_CASE("a window follows its base, and keeps its flags") {
  auto p = valid(around_views("[0]", slot("w", ", store_to_host=True"), "w", ""));
  ir::value const w = host::slots(p, ops_of(p, ir::opcode::host_comm_domain)[0])[0];
  ir::value const base = p.operand(p.defining_op(w), 0);
  host::builder make(p, {p.parent_block(p.defining_op(base)), p.defining_op(base)});
  ir::value const other = make.variable("other", host::ptr(p.context()));
  p.replace_all_uses(base, other);
  CHECK(p.operand(p.defining_op(w), 0) == other);
  CHECK(host::hint(p, w) == "other");
  auto const* flag = p.attr_if<ir::integer_attr>(p.defining_op(w), "store_to_host");
  REQUIRE(flag != nullptr);
  CHECK(flag->value != 0);
  CHECK(host::constant_int(p, p.operand(p.defining_op(w), 1)) == 16);
}

TEST_CASE("equality is symmetric and transitive on what differs in names, spans and the order of attributes") {
  auto const a = valid(host_program("x = 1\npl.show(x, attrs={\"k\": 1, \"l\": x})"));
  auto const b = valid(host_program("\n\ny = 1\npl.show(y, attrs={\"l\": y, \"k\": 1})"));
  auto const c = valid(host_program("# a comment\nz = pl.const(1, pl.INDEX)\npl.show(z, attrs={\"l\": z, \"k\": 1})"));
  CHECK(equal(a, a));
  CHECK(equal(a, b));
  CHECK(equal(b, c));
  CHECK(equal(a, c));
  CHECK_FALSE(equal(a, valid(host_program("x = 1\npl.show(x, attrs={\"k\": 1, \"l\": 1})"))));
  CHECK_FALSE(equal(a, valid(host_program("x = 1\npl.show(x, attrs={\"k\": True, \"l\": x})"))));
  CHECK_FALSE(equal(valid(host_program("x = 0.5")), valid(host_program("x = 0.25"))));
  CHECK_FALSE(equal(valid(host_program("x = pl._dump.float64('7ff8000000000000')")),
                    valid(host_program("x = pl._dump.float64('7ff8000000000001')"))));
  CHECK(equal(valid(host_program("x = pl._dump.float64('7ff8000000000001')")),
              valid(host_program("x = pl._dump.float64('7ff8000000000001')"))));
  CHECK(equal(valid(host_program("x = 0.0")), valid(host_program("x = -0.0"))));
}

}  // namespace python_equality_test
