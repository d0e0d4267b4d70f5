#include "python_programs.hpp"

namespace python_errors_test {

using namespace mpmd::text::python_testing;

namespace {

struct faulty {
  char const* statements;
  char const* fragment;
  unsigned line;    // of the statements, from 1
  unsigned column;  // in the statements, from 1; 0: not checked
};

// The host function's statements start on line 13, indented by 8.
void check_faults(std::initializer_list<faulty> cases, std::string_view parameters) {
  for (auto const& c : cases) {
    CAPTURE(c.statements);
    auto const r = read(host_program(c.statements, parameters));
    CHECK_FALSE(r.program.has_value());
    REQUIRE(!r.found.empty());
    CAPTURE(r.found[0].message);
    CHECK(r.found[0].message.find(c.fragment) != std::string::npos);
    CHECK(r.found[0].where.line == 12 + c.line);
    if (c.column != 0) CHECK(r.found[0].where.column == 8 + c.column);
    CHECK(r.found.size() == 1);
  }
}

}  // namespace

TEST_CASE("what can be wrong with windows is said where it is") {
  check_faults(
      {
          {"v = pl._dump.call(\"pld.tensor.window\", [p, [4]], pld.DistributedTensor[[4], pl.FP32, "
           "pl._dump.window_ref(9)], kwargs={\"dtype\": pl.FP32})",
           "Undefined window_buffer ID 9", 1, 86},
          {"v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref('missing')] = pld.window(p, [4], dtype=pl.FP32)",
           "Undefined window_buffer ID 'missing'", 1, 40},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p', 16), "
           "pl._dump.window_buffer('w', 'p', 32)]):\n    pass",
           "Conflicting window_buffer descriptors for ID 'w'", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('', 'p', 16)]):\n    pass",
           "Window reference requires a non-empty string or a non-negative integer ID", 1, 79},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer(True, 'p', 16)]):\n    pass",
           "non-empty string", 1, 79},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer(-1, 'p', 16)]):\n    pass",
           "non-negative integer", 1, 79},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p', base='p', "
           "size=16)]):\n    pass",
           "Duplicate window_buffer field 'base'", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p', 16, pin=True)]):\n"
           "    pass",
           "Unknown window_buffer keyword", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p')]):\n    pass",
           "window_buffer requires a key, a base name, and a size", 1, 56},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p', 16, True)]):\n"
           "    pass",
           "Expected window_buffer(key, base=..., size=...) descriptor", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[p]):\n    pass",
           "comm_domain slots must be a list of window_buffer descriptors", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', p, 16)]):\n    pass",
           "window_buffer base must be a string", 1, 84},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p', 16, "
           "store_to_host=0)]):\n    pass",
           "window_buffer store_to_host must be a boolean", 1, 0},
          {"v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref(key='a')] = p",
           "window_ref requires one window key", 1, 40},
          {"v: pld.DistributedTensor[[4], pl.FP32, pl._dump.window_ref('a', 'b')] = p",
           "window_ref requires one window key", 1, 40},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p', "
           "pl.yield_(1))]):\n    pass",
           "window_buffer size cannot contain pl.yield_()", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[pl._dump.window_buffer('w', 'p', nope)]):\n    pass",
           "unknown name 'nope'", 1, 89},
      },
      "p: pl.Ptr");
}

TEST_CASE("what can be wrong with the header of a domain is said where it is") {
  check_faults(
      {
          {"with pl._dump.comm_domain('d', devices=[], slots=[]):\n    pass",
           "comm_domain accepts keyword arguments and no 'as' target", 1, 27},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[]) as d:\n    pass",
           "comm_domain accepts keyword arguments and no 'as' target", 1, 6},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[], kind=1):\n    pass",
           "Unknown or duplicate comm_domain keyword", 1, 59},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[], name='e'):\n    pass",
           "Unknown or duplicate comm_domain keyword", 1, 59},
          {"with pl._dump.comm_domain(name='d', slots=[]):\n    pass", "comm_domain requires name, devices, and slots", 1,
           6},
          {"with pl._dump.comm_domain(name=n, devices=[], slots=[]):\n    pass",
           "comm_domain name must be a string literal", 1, 32},
          {"with pl._dump.comm_domain(name='d', devices=[n], slots=[]):\n    pass",
           "comm_domain devices must be a list of integer literals", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[-1], slots=[]):\n    pass",
           "comm_domain devices must be a list of integer literals, none of them negative", 1, 46},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=4):\n    pass",
           "comm_domain slots must be a list of window_buffer descriptors", 1, 0},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[], attrs=[]):\n    pass",
           "comm_domain attrs must be a dictionary literal", 1, 65},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[], attrs={1: 2}):\n    pass",
           "comm_domain attr names must be string literals", 1, 66},
      },
      "n: pl.Scalar[pl.INDEX]");
}

TEST_CASE("what can be wrong with dumped expressions and attributes is said where it is") {
  check_faults(
      {
          {"x = pl._dump.call('pld.system.world_size', [])",
           "_dump.call requires an operator, an argument list, and a result type", 1, 5},
          {"x = pl._dump.call('pld.tensor.teleport', [], pl.Ptr)",
           "_dump.call requires a registered op name or a program method", 1, 19},
          {"x = pl._dump.call(self.nothing, [], pl.Ptr)", "_dump.call requires a registered op name or a program method",
           1, 19},
          {"x = pl._dump.call(self.step, [n], pl.Ptr, extra={})",
           "_dump.call accepts unique kwargs and attrs dictionaries", 1, 43},
          {"x = pl._dump.call(self.step, [n], pl.Ptr, attrs={'a': 1, 'a': 2})",
           "_dump.call metadata keys must be unique string literals", 1, 58},
          {"x = pl._dump.call(self.step, [n], pl.Ptr, attrs={'a': 1, **n})",
           "_dump.call metadata keys must be unique string literals", 1, 58},
          {"x = pl._dump.frobnicate(n)", "Unknown IR dump expression: pl._dump.frobnicate", 1, 5},
          {"pl._dump.comm_domain(name='d', devices=[0], slots=[])", "Unknown IR dump expression: pl._dump.comm_domain", 1, 1},
          {"self.step(n, attrs={**n})", "attrs names must be unique string literals", 1, 21},
          {"self.step(n, **n)", "'*' in front of an argument cannot be read", 1, 14},
          {"x = pl._dump.logical_xor(c)", "exactly two positional operands", 1, 5},
          {"x = pl._dump.logical_xor(c, n)", "BOOL scalar operands", 1, 29},
          {"x = pl._dump.float64(n)", "requires one hexadecimal string literal", 1, 5},
          {"x = pl._dump.float64('7ff0')", "16 hexadecimal digits", 1, 22},
          {"self.step(n, attrs={'d': [pl.adir.sideways]})", "pl.adir.sideways", 1, 27},
          {"self.step(n, attrs={'d': pl.NOTHING})", "unknown constant 'pl.NOTHING'", 1, 26},
          {"self.step(n, attrs={'d': [1, 'a']})", "values of one kind", 1, 30},
          {"self.step(n, attrs={'d': 99999999999999999999})", "does not fit into 64 bits", 1, 26},
      },
      "n: pl.Scalar[pl.INDEX], c: pl.Scalar[pl.BOOL]");
}

TEST_CASE("what users may not write is refused with a hint") {
  check_faults(
      {
          {"pld.alloc_window_buffer(8)", "must appear as the RHS of a simple assignment", 1, 1},
          {"x = [pld.alloc_window_buffer(8)]", "must appear as the RHS of a simple assignment", 1, 6},
          {"b = pld.alloc_window_buffer(8)\nb = pld.alloc_window_buffer(8)", "already declared", 2, 5},
          {"b = pld.alloc_window_buffer(8, name='c')", "'name' kwarg cannot be passed explicitly", 1, 32},
          {"b = pld.alloc_window_buffer(8, domain=3)", "domain= must be a string literal", 1, 32},
          {"b = pld.alloc_window_buffer([4, 0], dtype=pl.FP32)", "must be positive, got 0", 1, 33},
          {"b = pld.alloc_window_buffer([], dtype=pl.FP32)", "cannot be empty", 1, 29},
          {"b = pld.alloc_window_buffer([4])", "needs dtype=", 1, 29},
          {"with pl.incore():\n    b = pld.alloc_window_buffer(8)", "HOST", 2, 9},
          {"n = pld.world_size(3)", "takes no arguments", 1, 5},
          {"v = pld.window(n, [4], dtype=pl.FP32)", "Ptr handle", 1, 16},
          {"v = pld.window(p, n, dtype=pl.FP32)", "shape as a list", 1, 19},
          {"self.kern(v, device=0)", "accepted by orchestrators only", 1, 14},
          {"self.step(w=v)", "unexpected keyword 'w'", 1, 11},
          {"self.step(v, p)", "'step' takes 1 argument, but 2 are given", 1, 14},
          {"pl.submit(self.step, v, n, device=0)", "'step' takes 1 argument, but 2 are given", 1, 25},
          {"x = pl._dump.call(self.step, [v, n], pl.Ptr)", "'step' takes 1 argument, but 2 are given", 1, 34},
          {"x = self.step(device=0)", "'step' takes 1 argument, but none is given", 1, 5},
          {"pl.submit(self.step, device=0)", "'step' takes 1 argument, but none is given", 1, 1},
          {"x = [n, pl._dump.call(self.step, [], pl.Ptr)]", "'step' takes 1 argument, but none is given", 1, 9},
          {"self.kern()", "'kern' takes 1 argument, but none is given", 1, 1},
          {"self.host(n, p)", "'host' takes 3 arguments, but 2 are given", 1, 1},
          {"self.host(n)", "'host' takes 3 arguments, but 1 is given", 1, 1},
          {"self.nothing(v)", "the program has no function 'nothing'", 1, 1},
          {"step(v)", "unknown function 'step'", 1, 1},
          {"x = pld.tensor.teleport(v)", "unknown operation 'pld.tensor.teleport'", 1, 5},
          {"x = [v, v][2]", "there is no element 2", 1, 5},
          {"for i in range(4):\n    pass", "a loop goes over pl.range", 1, 10},
          {"for i in pl.range(1, 2, 3, 4):\n    pass", "one to three bounds", 1, 10},
          {"for i in pl.range(0, 4, step=2):\n    pass", "unexpected keyword 'step'", 1, 25},
          {"for i in pl.range(4, stage=2):\n    pass", "unexpected keyword 'stage'", 1, 22},
          {"for i in pl.pipeline(4, stage=2, stage=2):\n    pass", "the keyword is given twice", 1, 34},
          {"for (k,) in pl.while_(init_values=(n,), stage=2):\n    pl.cond(n < 2)\n    m = pl.yield_(k)",
           "unexpected keyword 'stage'", 1, 41},
          {"pld.tensor.allreduce(v, signal=v)", "unexpected keyword 'signal' in a call of 'pld.tensor.allreduce'", 1, 25},
          {"w = pld.window(p, [4], dtype=pl.FP32, shape=3)", "unexpected keyword 'shape' in a call of 'pld.tensor.window'", 1, 39},
          {"b = pld.alloc_window_buffer(8, align=64)", "unexpected keyword 'align'", 1, 32},
          {"pld.tensor.broadcast(v, v, root=0, root=1)", "the keyword is given twice", 1, 36},
          {"pl.show(n, k=1, k=2)", "the keyword is given twice", 1, 17},
          {"pl.submit(self.step, v, deps=[], deps=[])", "the keyword is given twice", 1, 34},
          {"with pl.at(n, level=1, level=2):\n    pass", "the keyword is given twice", 1, 24},
          // What is no data and no value is said to be none; nothing is left out without a word.
          {"self.step(v, attrs={'k': self.step})", "unknown constant 'self.step'", 1, 26},
          {"self.step(v, attrs={'k': [self.step]})", "unknown constant 'self.step'", 1, 27},
          {"self.step(v, attrs={'k': self.x.y})", "unknown constant 'self.x.y'", 1, 26},
          {"self.step(v, attrs={'k': ().FP32})", "this is no constant of the language", 1, 26},
          {"pl.show(n, k=self.x)", "unknown constant 'self.x'", 1, 14},
          {"x = pl._dump.call(self.step, [v], pl.Ptr, kwargs={'k': self.x})", "unknown constant 'self.x'", 1, 56},
          {"w = pld.window(p, [4], dtype=self.x)", "unknown constant 'self.x'", 1, 30},
          {"for i in pl.range(3, attrs={'k': self.x}):\n    pass", "unknown constant 'self.x'", 1, 34},
          {"pl.func_attr({'k': self.x})", "unknown constant 'self.x'", 1, 20},
          {"pl.submit(self.step, v, deps=self.x)", "unknown constant 'self.x'", 1, 30},
          {"with pl.at(level=self.x):\n    pass", "unknown constant 'self.x'", 1, 18},
          {"with pl._dump.comm_domain(name='d', devices=[], slots=[], attrs={'k': self.step}):\n    x = 1",
           "unknown constant 'self.step'", 1, 71},
          {"for i, (a,) in pl.range(4):\n    pass", "carries 1 variables, but has 0 initial values", 1, 5},
          {"pl.yield_(v)", "stands at the end of a loop or a branch", 1, 1},
          {"for i, (k,) in pl.range(4, init_values=(n,)):\n    r = pl.yield_(k)\n    return k", "last statement", 2, 9},
          {"if n < 1:\n    x = pl.yield_(1)\nelse:\n    y = pl.yield_(2)", "the branches yield to different names", 4, 5},
          {"if n < 1:\n    x, y = pl.yield_(1, 2)\nelse:\n    y, x = pl.yield_(1, 2)",
           "the branches yield to different names", 4, 5},
          {"x = pl.const(300, pl.INT8)", "300 is no value of pl.INT8", 1, 14},
          {"x = pl.const(-129, pl.INT8)", "-129 is no value of pl.INT8", 1, 14},
          {"x = pl.const(128, pl.INT8)", "128 is no value of pl.INT8", 1, 14},
          {"x = pl.const(-1, pl.UINT4)", "-1 is no value of pl.UINT4", 1, 14},
          {"x = pl.const(4294967296, pl.UINT32)", "4294967296 is no value of pl.UINT32", 1, 14},
          {"break", "outside of any loop", 1, 1},
          {"else:\n    pass", "belongs to no 'if'", 1, 1},
          {"x = undefined + 1", "unknown name 'undefined'", 1, 5},
          {"x = 0 < n < 4", "comparisons cannot be chained", 1, 11},
          {"x = 'text'", "a string is no value here", 1, 5},
          {"x: pl.Nothing = n", "unknown type 'pl.Nothing'", 1, 4},
          {"x: pl.Tensor[[4]] = n", "a tensor type has a shape and an element type", 1, 4},
      },
      "n: pl.Scalar[pl.INDEX], p: pl.Ptr, v: pld.DistributedTensor[[16], pl.FP32]");
  auto const hint = [](std::string_view statement) {
    auto const r = read(host_program(statement, "n: pl.Scalar[pl.INDEX]"));
    REQUIRE(r.found.size() == 1);
    REQUIRE(r.found[0].notes.size() == 1);
    return r.found[0].notes[0].message;
  };
  CHECK(hint("for i in range(4):\n    pass") == "write pl.range(...)");
  CHECK(hint("self.step(n, n)") == "leave out what is too much, or give 'step' more parameters");
  CHECK(hint("self.step()") == "pass something for 'w': parameters have no default values");
}

TEST_CASE("syntax errors are found line by line, and only once each") {
  auto const r = read(host_program("x = (1 +\n"
                                   "return x\n"     // the bracket is never closed
                                   "y = 1 2\n"
                                   "z = n +\n"
                                   "s = \"abc\n"
                                   "if n\n"
                                   "    q = )\n"
                                   "t = 3 $ 4\n"
                                   "unknown\n"));
  std::vector<std::pair<unsigned, std::string>> found;
  for (auto const& d : r.found) found.emplace_back(d.where.line - 12, d.message);
  std::vector<std::pair<unsigned, std::string>> const expected{
      {1, "'(' was never closed"},
      {3, "unexpected '2'"},
      {4, "expected an expression, found the end of the line"},
      {5, "this string does not end on its line"},
      {6, "expected ':', found the end of the line"},
      {7, "')' closes nothing"},
      {8, "unexpected character '$'"},
      {9, "unknown name 'unknown'"},
  };
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CHECK(found[i].first == expected[i].first);
    CHECK(found[i].second == expected[i].second);
  }
}

TEST_CASE("indentation, line ends, control characters and foreign bytes are told apart") {
  struct whole {
    char const* text;
    char const* fragment;  // null: no fault
    unsigned line, column;
  };
  whole const cases[] = {
      {"@pl.program\nclass P:\n  pass\n   x = 1\n", "unexpected indentation", 4, 4},
      {"@pl.program\nclass P:\n    @pl.function\n    def f(self):\n        pass\n      return\n",
       "matches no outer block", 6, 7},
      {"@pl.program\nclass P:\n    @pl.function\n    def f(self):\n\tpass\n",
       "tabs and blanks are mixed", 5, 1},
      {"@pl.program\r\nclass P:\r\n\t@pl.function\r\n\tdef f(self):\r\n\t\treturn\r\n", nullptr, 0, 0},
      {"\xEF\xBB\xBF@pl.program\nclass P:\n    pass", nullptr, 0, 0},
      {"@pl.program\nclass P:\n    pass\x01\n", "a control character", 3, 9},
      {"@pl.program\nclass P:\n    pass\xFF\xFE\n", "no UTF-8", 3, 9},
      {"@pl.program\nclass P:\n    '''never\n", "ends nowhere in the file", 3, 5},
      {"@pl.program\nclass P:\n", "expected an indented block", 2, 1},
      {"class P:\n    pass\n", "expected a class with @pl.program", 1, 1},
      {"@pl.program\nclass P:\n    pass\n@pl.program\nclass Q:\n    pass\n", "a file holds one program", 5, 1},
      {"@pl.program\nclass P:\n    x = 1\n", "consists of functions", 3, 5},
      {"@pl.program\nclass P:\n    def f(self):\n        pass\n", "carries @pl.function", 3, 5},
      {"@pl.program\nclass P:\n    @pl.function(type=pl.FunctionType.Orchestration, level=pl.Level.HOST)\n"
       "    def f(self):\n        pass\n",
       "func_type Orchestration implies level CHIP, but level HOST is given", 3, 60},
      {"import os\n\n@pl.program\nclass P:\n    pass\n", nullptr, 0, 0},
      {"", nullptr, 0, 0},
  };
  for (auto const& c : cases) {
    CAPTURE(c.text);
    auto const r = read(c.text);
    if (c.fragment == nullptr) {
      CHECK(r.program.has_value());
      continue;
    }
    CHECK_FALSE(r.program.has_value());
    REQUIRE(!r.found.empty());
    CAPTURE(r.found[0].message);
    CHECK(r.found[0].message.find(c.fragment) != std::string::npos);
    CHECK(r.found[0].where.line == c.line);
    CHECK(r.found[0].where.column == c.column);
  }
}

TEST_CASE("a faulty value does not make errors of its uses, and other functions are still read") {
  auto const r = read(std::string(imports) +
                      "@pl.program\nclass P:\n"
                      "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
                      "    def second(self):\n"
                      "        x = nope\n"
                      "        y = x + 1\n"
                      "        return y\n"
                      "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n"
                      "    def first(self):\n"
                      "        return nada\n");
  REQUIRE(r.found.size() == 2);
  CHECK(r.found[0].where.line == 7);
  CHECK(r.found[0].message == "unknown name 'nope'");
  CHECK(r.found[0].where.line_text == "        x = nope");
  CHECK(r.found[1].where.line == 12);
  CHECK(r.found[1].message == "unknown name 'nada'");
}

}  // namespace python_errors_test
