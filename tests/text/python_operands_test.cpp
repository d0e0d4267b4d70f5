// What registered operations ask of their operands and keywords when a program is read, and names that mean nothing.
#include "python_programs.hpp"

namespace python_operands_test {

using namespace mpmd::text::python_testing;

namespace {

std::string const parameters =
    "n: pl.Scalar[pl.INDEX], c: pl.Scalar[pl.BOOL], e: pl.Scalar[pl.FP32], i: pl.Scalar[pl.INT8], p: pl.Ptr, "
    "f: pld.DistributedTensor[[16], pl.FP32], h: pld.DistributedTensor[[16], pl.FP16], "
    "b: pld.DistributedTensor[[16], pl.BF16], s: pld.DistributedTensor[[16], pl.INT32]";

struct faulty {
  std::string statement;
  std::string message;
  unsigned column;
};

}  // namespace

TEST_CASE("operands of the wrong type are refused where they stand") {
  faulty const cases[] = {
      {"x = pld.alloc_window_buffer(c)", "pld.tensor.alloc_window_buffer takes its size in bytes as an integer, not BOOL", 29},
      {"x = pld.alloc_window_buffer(1.5)", "pld.tensor.alloc_window_buffer takes its size in bytes as an integer, not FP32", 29},
      {"x = pld.alloc_window_buffer(n * e)", "pld.tensor.alloc_window_buffer takes its size in bytes as an integer, not FP32", 29},
      {"x = pld.alloc_window_buffer(f)", "pld.tensor.alloc_window_buffer takes its size in bytes as an integer, not something that is no number", 29},
      {"x = pld.alloc_window_buffer([n, c], dtype=pl.FP32)", "the extents of a window buffer are integers, not BOOL", 33},
      {"x = pld.alloc_window_buffer([1.5, n], dtype=pl.FP32)", "the extents of a window buffer are integers, not FP32", 30},
      {"w = pld.window(p, [c], dtype=pl.FP32)", "pld.tensor.window takes integers as extents, not BOOL", 20},
      {"w = pld.window(p, [4, [2]], dtype=pl.FP32)", "pld.tensor.window takes integers as extents, not a list", 23},
      {"w = pld.window(p, [n, 2, e], dtype=pl.FP32)", "pld.tensor.window takes integers as extents, not FP32", 26},
      {"w = pld.window(p, [p], dtype=pl.FP32)", "pld.tensor.window takes integers as extents, not something that is no number", 20},
      {"pld.tensor.allreduce(s, s)", "pld.tensor.allreduce target dtype must be FP16 or FP32, got INT32", 22},
      {"pld.tensor.allreduce(b)", "pld.tensor.allreduce target dtype must be FP16 or FP32, got BF16", 22},
      {"x = pld.tensor.allreduce(f, h)", "pld.tensor.allreduce signal dtype must be INT32, got FP16", 29},
      {"pld.tensor.barrier(f)", "pld.tensor.barrier signal dtype must be INT32, got FP32", 20},
  };
  for (auto const& c : cases) {
    CAPTURE(c.statement);
    auto const r = read(host_program(c.statement, parameters));
    CHECK_FALSE(r.program.has_value());
    REQUIRE(r.found.size() == 1);
    CHECK(r.found[0].message == c.message);
    CHECK(r.found[0].where.line == 13);
    CHECK(r.found[0].where.column == 8 + c.column);
  }
}

TEST_CASE("keywords of collectives are of the types that they take") {
  std::string const reduction = " op= must be pld.ReduceOp.Sum, Max, Min or Prod";
  std::string const place = "pld.tensor.broadcast root= must be the place of a device in its domain, counted from 0";
  faulty const cases[] = {
      {"pld.tensor.allreduce(f, s, op=7)", "pld.tensor.allreduce" + reduction, 28},
      {"pld.tensor.allreduce(f, s, op=-1)", "pld.tensor.allreduce" + reduction, 28},
      {"pld.tensor.allreduce(f, s, op=\"sum\")", "pld.tensor.allreduce" + reduction, 28},
      {"pld.tensor.allreduce(f, s, op=True)", "pld.tensor.allreduce" + reduction, 28},
      {"pld.tensor.reduce_scatter(f, s, op=n)", "pld.tensor.reduce_scatter" + reduction, 33},
      {"pld.tensor.allreduce(f, s, mode=1)", "pld.tensor.allreduce mode= must be a string", 28},
      {"pld.tensor.allreduce(f, s, core_num=n)", "pld.tensor.allreduce core_num= must be an integer", 28},
      {"pld.tensor.broadcast(f, s, root=-1)", place, 28},
      {"pld.tensor.broadcast(f, s, root=n)", place, 28},
  };
  for (auto const& c : cases) {
    CAPTURE(c.statement);
    auto const r = read(host_program(c.statement, parameters));
    CHECK_FALSE(r.program.has_value());
    REQUIRE(r.found.size() == 1);
    CHECK(r.found[0].message == c.message);
    CHECK(r.found[0].where.column == 8 + c.column);
  }
}

TEST_CASE("operands of the right types, and those of types that nobody knows, are read and verified") {
  for (std::string const statement :
       {"x = pld.alloc_window_buffer(i)", "x = pld.alloc_window_buffer(n * pl.INT32.get_byte())",
        "x = pld.alloc_window_buffer(pl.anything(n))", "w = pld.window(p, [n, i, 4, pl.anything(n)], dtype=pl.FP32)",
        "w = pld.window(p, [], dtype=pl.FP32)", "pld.tensor.allreduce(f, s, op=pld.ReduceOp.Prod, mode=\"ring\", core_num=2)",
        "pld.tensor.allreduce(h, op=0)", "pld.tensor.allreduce(pl.anything(n), pl.anything(s))", "pld.tensor.barrier(s)",
        "pld.tensor.broadcast(s, s, root=0)", "pld.tensor.broadcast(b, s)", "pld.tensor.reduce_scatter(b, s, op=3)",
        "pld.tensor.allgather(b, b, s)", "pld.tensor.all_to_all_v(b, b, s, s, s)"}) {
    CAPTURE(statement);
    auto const r = read(host_program(statement, parameters));
    for (auto const& d : r.found) CAPTURE(d.message);
    CHECK(r.found.empty());
    REQUIRE(r.program);
    mpmd::diagnostics diags;
    CHECK(mpmd::ir::verify(*r.program, diags));
  }
}

TEST_CASE("what is recorded in full is taken as it is, and printed so that it is read again") {
  for (std::string const statement :
       {"x: pl.Ptr = pl._dump.alloc_window_buffer(c, name='x')",
        "w: pld.DistributedTensor[[4], pl.FP32] = pl._dump.call(\"pld.tensor.window\", [p, [c]], "
        "pld.DistributedTensor[[4], pl.FP32], kwargs={\"dtype\": pl.FP32})",
        "pl._dump.call(\"pld.tensor.allreduce\", [s, f], pld.DistributedTensor[[16], pl.INT32])",
        "pl._dump.call(\"pld.tensor.allreduce\", [f, s], pld.DistributedTensor[[16], pl.FP32], kwargs={\"op\": 7})",
        "pl._dump.call(\"pld.tensor.broadcast\", [f, s], pld.DistributedTensor[[16], pl.FP32], kwargs={\"root\": -1})"}) {
    CAPTURE(statement);
    auto const r = read(host_program(statement, parameters));
    for (auto const& d : r.found) CAPTURE(d.message);
    REQUIRE(r.program);
    std::string const printed = mpmd::text::to_python(*r.program);
    CHECK(printed.find("        " + statement) != std::string::npos);
    auto const again = read(printed);
    REQUIRE(again.program);
    CHECK(mpmd::text::to_python(*again.program) == printed);
    CHECK(mpmd::ir::structural_equal(*r.program, *again.program));
  }
}

TEST_CASE("a name that means nothing is said, with those that do") {
  struct unknown {
    std::string decorator, type, message, note;
  };
  unknown const cases[] = {
      {"level=pl.Level.MOON", "pl.Ptr", "unknown level 'pl.Level.MOON'", "there are AIV, AIC, CORE_GROUP, CHIP_DIE, CHIP, HOST, "},
      {"level=3", "pl.Ptr", "unknown level", "there are AIV, AIC, "},
      {"role=pl.Role.Cook", "pl.Ptr", "unknown role 'pl.Role.Cook'", "there are Orchestrator, SubWorker"},
      {"type=pl.FunctionType.Orchestral", "pl.Ptr", "unknown kind of function 'pl.FunctionType.Orchestral'",
       "there are Opaque, Orchestration, InCore, AIC, AIV, Group, Spmd, Inline, Graph"},
      {"", "pl.Tensor[[4], pl.FP31]", "unknown element type 'pl.FP31'", "there are FP4, FP4E2M1X2, "},
      {"", "pl.Scalar[pl.LONG]", "unknown element type 'pl.LONG'", "there are FP4, FP4E2M1X2, "},
      {"", "pl.Scalar[4]", "unknown element type", "there are FP4, FP4E2M1X2, "},
  };
  for (auto const& c : cases) {
    CAPTURE(c.message);
    auto const r = read(std::string(imports) + "@pl.program\nclass P:\n    @pl.function(" + c.decorator +
                        ")\n    def f(self, x: " + c.type + "):\n        pass\n");
    CHECK_FALSE(r.program.has_value());
    REQUIRE(r.found.size() == 1);
    CHECK(r.found[0].message == c.message);
    REQUIRE(r.found[0].notes.size() == 1);
    CHECK(r.found[0].notes[0].message.starts_with(c.note));
  }
}

}  // namespace python_operands_test
