#include "mlir_programs.hpp"

namespace errors_position_test {

namespace ir = mpmd::ir;
using namespace mpmd::text::testing;
using lines = std::vector<std::string>;

// An error that asks for a token points behind the token before it, any other at what it is about; so does
// MLIR 19.

TEST_CASE("the generic form says which of its parts is missing") {
  CHECK(errors("\"t.a\"") == lines{"1:6: expected '(' to start operand list"});
  CHECK(errors("\"t.a\"(") == lines{"1:7: expected ')' to end operand list"});
  CHECK(errors("\"t.a\"(%x\n  // comment\n  ]") == lines{"1:9: expected ')' to end operand list"});
  CHECK(errors("\"t.a\"(%x,) : (i1) -> ()") == lines{"1:10: expected SSA operand"});
  CHECK(errors("\"t.a\"()") == lines{"1:8: expected ':' followed by operation type"});
  CHECK(errors("\"t.a\"() : i32") == lines{"1:10: expected function type"});
  CHECK(errors("\"t.a\"() ( : () -> ()") == lines{"1:10: expected '{' to begin a region"});
  CHECK(errors("\"t.a\"() ({} : () -> ()") == lines{"1:12: expected ')' to end region list"});
  CHECK(errors("\"t.a\"() ({}, : () -> ()") == lines{"1:13: expected '{' to begin a region"});
  CHECK(errors("\"t.a\"() <a> : () -> ()") == lines{"1:10: expected '{' in attribute dictionary"});
  CHECK(errors("\"t.a\"() <{} : () -> ()") == lines{"1:12: expected '>' to close properties"});
  CHECK(errors("\"t.a\"()[] : () -> ()") == lines{"1:9: expected block name"});
  CHECK(errors("\"\"() : () -> ()") == lines{"1:1: empty operation name is invalid"});
  CHECK(errors("\"t.a\\00\"() : () -> ()") == lines{"1:1: null character not allowed in operation name"});
}

TEST_CASE("what comes before the name of an op") {
  CHECK(errors("%0 \"t.a\"() : () -> ()") == lines{"1:3: expected '=' after SSA name"});
  CHECK(errors("%0 =") == lines{"1:5: expected operation name in quotes"});
  CHECK(errors("%0, = \"t.a\"() : () -> ()") == lines{"1:4: expected valid ssa identifier"});
  CHECK(errors("%0:x = \"t.a\"() : () -> ()") == lines{"1:4: expected integer number of results"});
  CHECK(errors("%0 = sdy.op %x : i32") == lines{"1:6: custom op 'sdy.op' is unknown"});
  CHECK(errors("foo") == lines{"1:1: custom op 'foo' is unknown (tried 'builtin.foo' as well)"});
  CHECK(errors("}") == lines{"1:1: expected operation name in quotes"});
  CHECK(errors("  17") == lines{"1:3: expected operation name in quotes"});
}

TEST_CASE("attributes that are given twice") {
  CHECK(errors("\"t.a\"() {a, a = 1} : () -> ()").size() == 1);
  CHECK(
      errors("%0 = \"t.a\"() : () -> i1\n%1 = mpmd.named_tensor %0 name=\"a\" {name = \"b\"} : i1") ==
      lines{
          "2:6: custom op 'mpmd.named_tensor' attribute 'name' occurs more than once in the attribute list"});
  CHECK(errors("\"sdy.mesh\"() <{sym_name = \"a\"}> {sym_name = \"b\"} : () -> ()") ==
        lines{"1:1: custom op 'sdy.mesh' attribute 'sym_name' occurs more than once in the attribute list"});
}

TEST_CASE("blocks") {
  CHECK(errors("\"t.a\"() ({\n  ^a\n}) : () -> ()") == lines{"2:5: expected ':' after block name"});
  CHECK(errors("\"t.a\"() ({\n  ^a(%x):\n}) : () -> ()") == lines{"2:8: expected ':'"});
  CHECK(errors("\"t.a\"() ({\n  ^a(%x: i1:\n}) : () -> ()") ==
        lines{"2:12: expected ')' to end argument list"});
  CHECK(errors("\"t.a\"() ({\n  ^a(i1):\n}) : () -> ()") == lines{"2:6: expected SSA operand"});
  CHECK(errors("\"t.a\"() ({\n^a:\n  \"t.x\"() : () -> ()\n^a:\n  \"t.x\"() : () -> ()\n}) : () -> ()") ==
        lines{"4:1: redefinition of block '^a'", "2:1: note: previously defined here"});
  CHECK(errors("\"t.a\"() ({\n  \"t.x\"()[^b, ^a, ^b] : () -> ()\n}) : () -> ()") ==
        lines{"2:11: reference to an undefined block", "2:15: reference to an undefined block"});
  // A block of another region cannot be reached.
  CHECK(errors("\"t.a\"() ({\n^a:\n  \"t.b\"() ({\n    \"t.x\"()[^a] : () -> ()\n  }) : () -> ()\n}) : () -> "
               "()") == lines{"4:13: reference to an undefined block"});
  CHECK(errors("func.func @f(%x: i1) {\n^a:\n  return\n}") ==
        lines{"2:1: invalid block name in region with named arguments"});
}

TEST_CASE("a region without an end says where it begins") {
  CHECK(errors("func.func @f() {\n  return\n") ==
        lines{"2:9: expected '}' at the end of a region", "1:16: note: the region begins here"});
}

TEST_CASE("aliases and metadata") {
  CHECK(errors("\"t.a\"() : () -> () loc(#z)").size() == 1);
  CHECK(errors("#a = 1 : i8\n#a = 2 : i8\n\"t.x\"() {v = #a} : () -> ()").size() == 1);
  CHECK(errors("module {\n#a = 1\n}") == lines{"1:9: expected operation name in quotes"});
  CHECK(errors("\"t.a\"() : () -> ()\n{-#\n  x: {}\n") ==
        lines{"2:1: expected '#-}' to end the file metadata"});
}

}  // namespace errors_position_test
