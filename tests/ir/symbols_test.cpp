#include <mpmd/ir/symbols.hpp>

#include <doctest/doctest.h>

#include "ir/support.hpp"

namespace symbols_test {

using namespace mpmd::ir;
using mpmd::ir::testing::sample;

namespace {

op module(sample& s, builder& b, std::string_view label) {
  return b.create(opcode::builtin_module, {}, {},
                  make_dictionary(s.cx(), {{"sym_name", s.cx().string(label)}}), {}, {b.make_body({})});
}

}  // namespace

TEST_CASE("a symbol table finds symbols and lists duplicates") {
  sample s;
  op const a = s.top.func("a", {}, {});
  op const b = s.top.func("b", {}, {});
  op const a2 = s.top.func("a", {}, {});
  op const a3 = s.top.func("a", {}, {});
  s.plain(s.top, "x.no_symbol", {});
  symbol_table table(s.p, s.p.root());
  CHECK(table.find("a") == a);
  CHECK(table.find("b") == b);
  CHECK(table.find("c") == op{});
  CHECK(table.duplicates() == std::vector<std::pair<op, op>>{{a, a2}, {a, a3}});
}

TEST_CASE("a symbol table follows insertions and erasures, and makes names unique") {
  sample s;
  s.top.func("f", {}, {});
  s.top.func("f_0", {}, {});
  symbol_table table(s.p, s.p.root());
  CHECK(table.unique_name("g") == "g");
  CHECK(table.unique_name("f") == "f_1");
  op const added = s.top.func("f_1", {}, {});
  table.insert(added);
  CHECK(table.find("f_1") == added);
  CHECK(table.unique_name("f") == "f_2");
  table.erase(added);
  CHECK(table.find("f_1") == op{});
}

TEST_CASE("visibility is public unless said otherwise") {
  sample s;
  op const f = s.top.func("f", {}, {});
  CHECK(visibility_of(s.p, f) == symbol_visibility::is_public);
  set_visibility(s.p, f, symbol_visibility::is_private);
  CHECK(visibility_of(s.p, f) == symbol_visibility::is_private);
  set_visibility(s.p, f, symbol_visibility::nested);
  CHECK(visibility_of(s.p, f) == symbol_visibility::nested);
  set_visibility(s.p, f, symbol_visibility::is_public);
  CHECK(s.p.attr(f, "sym_visibility") == attribute{});
}

TEST_CASE("references are resolved in the nearest module, and from there into nested ones") {
  sample s;
  op const outer_f = s.top.func("f", {}, {});
  op const inner = module(s, s.top, "inner");
  builder in_inner = s.in(inner);
  op const inner_g = in_inner.func("g", {}, {});
  builder in_g = s.in(inner_g);
  op const call = in_g.call("f", {}, {});
  builder in_f = s.in(outer_f);
  op const call_g = in_f.call("g", {}, {});
  symbol_tables tables(s.p);
  CHECK(tables.resolve(call, "callee") == op{});  // f is not in the inner module
  CHECK(tables.resolve(call_g, "callee") == op{});
  CHECK(tables.resolve(call_g, symbol_ref_attr{"inner", {"g"}}) == inner_g);
  CHECK(tables.resolve(call_g, symbol_ref_attr{"inner", {"none"}}) == op{});
  CHECK(tables.resolve(call_g, symbol_ref_attr{"f", {"g"}}) == op{});
  CHECK(tables.resolve(call_g, symbol_ref_attr{"f", {}}) == outer_f);
  CHECK(tables.resolve(call_g, "no_such_attribute") == op{});
  CHECK(nearest_symbol_table(s.p, call) == inner);
  CHECK(nearest_symbol_table(s.p, inner) == inner);
  CHECK(to_text(symbol_ref_attr{"a", {"b", "c"}}) == "@a::@b::@c");
}

}  // namespace symbols_test
