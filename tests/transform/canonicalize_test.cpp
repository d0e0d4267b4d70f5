#include <mpmd/transform/canonicalize.hpp>

#include <doctest/doctest.h>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/invariants.hpp>
#include <mpmd/ir/structural_hash.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/transform/eliminate_common_subexpressions.hpp>
#include <mpmd/transform/simplify_region_op.hpp>

#include "ir/support.hpp"

namespace canonicalize_test {

using namespace mpmd;
using namespace mpmd::ir;
using testing::expect_valid;
using testing::sample;

namespace {

void simplify(program& p, mpmd::canonicalize const& with = {}) {
  diagnostics diags;
  CHECK(with(p, diags));
}

/// A function whose return keeps values alive. Arguments: 0 and 1 tensors, 2 and 3 on m1, 4 on m2.
struct fixture : sample {
  op f;
  builder b;
  fixture() : f(top.func("f", {t48(), t48(), on("m1"), on("m1"), on("m2")}, {}, with_topology())), b(in(f)) {}
  value t(std::uint32_t i = 0) { return arg(f, i); }
  value m1() { return arg(f, 2); }
  type split(std::string_view axis, std::string_view mesh = "m1") {
    return with_sharding(
        cx(), on(mesh),
        cx().get(sharding_attr{cx().symbol("mesh"), {{{{std::string(axis), 0, 0}}, false, {}}, {}}}));
  }
  op end = {};
  /// Returns these values, canonicalises, and checks that all is well.
  void run(std::vector<value> returned) {
    end = b.func_return(std::move(returned));
    update_function_type(p, f);
    simplify(p);
    CHECK(find_broken_link(p) == "");
    expect_valid(*this);
  }
  value returned(std::uint32_t i = 0) { return p.operand(end, i); }
  op maker(std::uint32_t i = 0) { return p.defining_op(returned(i)); }
  /// The names of the ops of a block, without their dialects.
  std::string names(block of) {
    std::string out;
    for (op const o : ops(p, of)) {
      auto const text = p.kind_text(o);
      out += (out.empty() ? "" : " ") + std::string(text.substr(text.find('.') + 1));
    }
    return out;
  }
  std::string body() { return names(entry(f)); }
  value constant(builder& at, std::int64_t n, attribute attributes = {}) {
    type const scalar = cx().tensor({}, cx().integer(8));
    attribute const held = cx().get(dense_attr{scalar, std::string(1, static_cast<char>(n)), true});
    return p.result(at.create(opcode::stablehlo_constant, {}, {scalar},
                              make_dictionary(cx(), {{"value", held}}), attributes),
                    0);
  }
  int held(op o) { return p.attr_if<dense_attr>(o, "value")->data[0]; }
};

}  // namespace

TEST_CASE("an identity transfer is its operand") {
  fixture s;
  value const same = s.b.transfer(s.m1(), s.on("m1"));
  value const moved = s.b.transfer(same, s.on("m2"));
  s.run({same, moved});
  CHECK(s.returned(0) == s.m1());
  CHECK(s.p.operand(s.maker(1), 0) == s.m1());
  CHECK(s.body() == "transfer return");
}

TEST_CASE("types that mean the same but differ make no identity transfer") {
  fixture s;
  type const open = with_sharding(s.cx(), s.on("m1"), fully_open(s.cx(), s.cx().symbol("mesh"), 2));
  type const device = with_memory_kind(s.cx(), s.on("m1"), "device");
  s.run({s.b.transfer(s.m1(), open), s.b.transfer(s.m1(), device)});
  CHECK(s.body() == "transfer transfer return");
}

TEST_CASE("transfers on one mesh become one") {
  SUBCASE("a chain") {
    fixture s;
    value v = s.m1();
    for (std::string_view const axis : {"x", "y", "x", "y"})
      v = s.b.transfer(v, s.split(axis), make_dictionary(s.cx(), {{"mark", s.cx().string(axis)}}));
    s.run({v});
    CHECK(s.body() == "transfer return");
    CHECK(s.p.operand(s.maker(), 0) == s.m1());
    CHECK(s.p.type_of(s.returned()) == s.split("y"));
    CHECK(s.p.attributes(s.maker()) == s.cx().empty_dictionary());
  }
  SUBCASE("there and back is nothing") {
    fixture s;
    s.run({s.b.transfer(s.b.transfer(s.m1(), s.split("x")), s.on("m1"))});
    CHECK(s.body() == "return");
    CHECK(s.returned() == s.m1());
  }
  SUBCASE("the inner one stays if it is used") {
    fixture s;
    value const inner = s.b.transfer(s.m1(), s.split("x"));
    value const outer = s.b.transfer(inner, s.split("y"));
    s.run({inner, outer});
    CHECK(s.body() == "transfer transfer return");
    CHECK(s.p.operand(s.maker(1), 0) == s.m1());
  }
  SUBCASE("over another mesh they stay") {
    fixture s;
    s.run({s.b.transfer(s.b.transfer(s.m1(), s.on("m2")), s.split("x"))});
    CHECK(s.body() == "transfer transfer return");
  }
}

TEST_CASE("a broadcast of a broadcast is one broadcast") {
  fixture s;
  value const first = s.b.broadcast(s.t());
  value const second = s.b.broadcast(first);
  value const third = s.b.broadcast(second);
  s.run({third});
  CHECK(s.body() == "broadcast return");
  CHECK(s.p.operand(s.maker(), 0) == s.t());
}

TEST_CASE("a broadcast that is used stays when the next one is merged with it") {
  fixture s;
  value const first = s.b.broadcast(s.t());
  s.run({first, s.b.broadcast(first)});
  CHECK(s.body() == "broadcast broadcast return");
  CHECK(s.p.operand(s.maker(1), 0) == s.t());
}

TEST_CASE("a reduce of a reduce of the same kind, or without kind, is the inner one") {
  using enum reduction_kind;
  auto left = [](reduction_kind inner, reduction_kind outer) {
    fixture s;
    value const a = s.b.reduce(inner, inner == none ? std::vector{s.t()} : std::vector{s.t(), s.t(1)});
    s.run({s.b.reduce(outer, {a})});
    return s.body();
  };
  CHECK(left(none, none) == "reduce return");
  CHECK(left(add, add) == "reduce return");
  CHECK(left(add, none) == "reduce return");
  CHECK(left(mul, add) == "reduce reduce return");
  CHECK(left(none, add) == "reduce reduce return");
}

TEST_CASE("a reduce of a reduce and other values keeps them all") {
  fixture s;
  value const inner = s.b.reduce(reduction_kind::add, {s.t(), s.t(1)});
  s.run({s.b.reduce(reduction_kind::add, {inner, s.t(1)})});
  CHECK(s.body() == "reduce reduce return");
}

TEST_CASE("a fragment that returns its argument hands on its operand") {
  fixture s;
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {{"f", 0}}), {s.m1(), s.arg(s.f, 3)},
                               {s.on("m1"), s.on("m1"), s.split("x"), s.on("m1")});
  builder inner = s.in(frag);
  value const sum = s.add(inner, s.arg(frag, 0), s.arg(frag, 1));
  inner.mpmd_return({sum, s.arg(frag, 0), s.arg(frag, 1), s.arg(frag, 1)});
  value const unused = s.res(frag, 3);
  s.run({s.res(frag, 0), s.res(frag, 1), s.res(frag, 2)});
  CHECK(s.returned(0) == s.res(frag, 0));
  CHECK(s.returned(1) == s.m1());
  CHECK(s.returned(2) == s.res(frag, 2));  // its sharding differs, and the position that counts is unused
  CHECK(s.p.is_unused(unused));
  CHECK(s.p.result_count(frag) == 4);
}

TEST_CASE("of several positions that return one argument the most recent use counts") {
  fixture s;
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {}), {s.m1()}, {s.on("m1"), s.on("m1")});
  builder inner = s.in(frag);
  inner.mpmd_return({s.arg(frag, 0), s.arg(frag, 0)});
  s.run({s.res(frag, 0), s.res(frag, 1)});
  CHECK(s.returned(0) == s.res(frag, 0));
  CHECK(s.returned(1) == s.m1());
}

TEST_CASE("a reshard of a reshard nobody else uses is one reshard") {
  fixture s;
  auto reshard = [&](value of) { return s.p.result(s.b.create(opcode::sdy_reshard, {of}, {s.t48()}), 0); };
  value const inner = reshard(s.t()), outer = reshard(inner);
  value const shared = reshard(s.t(1)), another = reshard(shared);
  s.b.func_return({outer, shared, another});
  simplify(s.p);
  CHECK(s.body() == "reshard reshard reshard return");
  CHECK(s.p.operand(s.p.defining_op(outer), 0) == s.t());
  CHECK(s.p.operand(s.p.defining_op(another), 0) == shared);
}

TEST_CASE("unused pure ops go, with all that only they used") {
  fixture s;
  value v = s.t();
  for (int i = 0; i < 5; ++i) v = s.add(s.b, v, v);
  s.b.transfer(s.m1(), s.on("m2"));
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {}), {s.m1()}, {s.on("m1")});
  builder inner = s.in(frag);
  inner.mpmd_return({s.arg(frag, 0)});
  op const loop = s.b.for_loop(2, 1, {s.t()});
  builder in_loop = s.in(loop);
  in_loop.mpmd_return({s.add(in_loop, s.arg(loop, 0), v)});
  s.run({});
  CHECK(s.body() == "return");
}

TEST_CASE("ops with effects stay, and so does what holds them") {
  fixture s;
  op const foreign = s.plain(s.b, "x.op", {s.add(s.b, s.t(), s.t())});
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {}), {s.m1()}, {s.on("m1")});
  builder inner = s.in(frag);
  s.plain(inner, "x.op", {});
  inner.mpmd_return({s.arg(frag, 0)});
  s.top.func_declaration("g", {}, {s.t48()});
  s.b.call("g", {}, {s.t48()});
  s.run({});
  CHECK(s.body() == "add op fragment call return");
  CHECK(s.p.parent_block(foreign) == s.entry(s.f));
}

TEST_CASE("a custom call has effects unless it says it has none") {
  fixture s;
  auto call = [&](attribute effect) {
    return s.b.create(opcode::stablehlo_custom_call, {}, {s.t48()},
                      make_dictionary(s.cx(), {{"has_side_effect", effect}}));
  };
  CHECK_FALSE(ir::is_pure(s.p, call({})));
  CHECK_FALSE(ir::is_pure(s.p, call(s.cx().boolean(true))));
  CHECK(ir::is_pure(s.p, call(s.cx().boolean(false))));
  s.run({});
  CHECK(s.body() == "custom_call custom_call return");
}

TEST_CASE("symbols and terminators are never dead") {
  sample s;
  op const mesh = s.top.create(opcode::sdy_mesh, {}, {},
                               make_dictionary(s.cx(), {{"sym_name", s.cx().string("mesh")},
                                                        {"mesh", make_mesh(s.cx(), {{"x", 2}})}}));
  op const f = s.top.func("f", {}, {}, {}, "private");
  op const end = s.in(f).func_return({});
  CHECK_FALSE(is_dead(s.p, mesh));
  CHECK_FALSE(is_dead(s.p, f));
  CHECK_FALSE(is_dead(s.p, end));
  simplify(s.p);
  CHECK(s.p.first_op(s.p.body()) == mesh);
  CHECK(s.p.next_op(mesh) == f);
  CHECK(s.p.first_op(s.entry(f)) == end);
}

TEST_CASE("equal constants become one at the start of their function or fragment") {
  fixture s;
  value const a = s.constant(s.b, 1);
  op const first = s.plain(s.b, "x.use", {a});
  value const b2 = s.constant(s.b, 2, make_dictionary(s.cx(), {{"mark", s.cx().unit()}}));
  value const a2 = s.constant(s.b, 1);
  op const second = s.plain(s.b, "x.use", {b2, a2});
  op const loop = s.b.for_loop(2, 1, {s.t()});
  builder in_loop = s.in(loop);
  op const third = s.plain(in_loop, "x.use", {s.constant(in_loop, 2), s.constant(in_loop, 3)});
  in_loop.mpmd_return({s.arg(loop, 0)});
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {}), {}, {});
  builder in_frag = s.in(frag);
  op const fourth = s.plain(in_frag, "x.use", {s.constant(in_frag, 1)});
  in_frag.mpmd_return({});
  s.run({});
  // The first constant heads the block and stays; each later one was put before all.
  CHECK(s.body() == "constant constant constant use use for fragment return");
  op const o3 = s.p.first_op(s.entry(s.f)), o2 = s.p.next_op(o3), o1 = s.p.next_op(o2);
  CHECK(s.held(o3) == 3);
  CHECK(s.held(o2) == 2);
  CHECK(s.held(o1) == 1);
  CHECK(s.p.attr(o2, "mark"));
  CHECK(s.p.operand(first, 0) == s.res(o1));
  CHECK(s.p.operand(second, 0) == s.res(o2));
  CHECK(s.p.operand(second, 1) == s.res(o1));
  CHECK(s.p.operand(third, 0) == s.res(o2));
  CHECK(s.p.operand(third, 1) == s.res(o3));
  CHECK(s.names(s.entry(loop)) == "use return");
  CHECK(s.names(s.entry(frag)) == "constant use return");
  CHECK(s.p.operand(fourth, 0) == s.res(s.p.first_op(s.entry(frag))));
}

TEST_CASE("constants that head a block stay in order") {
  fixture s;
  value const a = s.constant(s.b, 1), b2 = s.constant(s.b, 2), c = s.constant(s.b, 3);
  s.plain(s.b, "x.use", {a, b2, c});
  s.run({});
  op o = s.p.first_op(s.entry(s.f));
  for (int const expected : {1, 2, 3}) {
    CHECK(s.held(o) == expected);
    o = s.p.next_op(o);
  }
}

TEST_CASE("constants stay in regions of foreign ops, and unused ones go") {
  fixture s;
  op const foreign = s.b.create({.kind = s.cx().intern("x.region"), .regions = {s.b.make_body({})}});
  builder inner = s.in(foreign);
  op const use = s.plain(inner, "x.use", {s.constant(inner, 1)});
  s.constant(s.b, 1);
  s.run({});
  CHECK(s.body() == "region return");
  CHECK(s.names(s.entry(foreign)) == "constant use");
  CHECK(s.p.operand(use, 0) == s.res(s.p.first_op(s.entry(foreign))));
}

TEST_CASE("blocks that nothing leads to are removed, also when they use each other's values") {
  auto build = [](bool regions) {
    sample s;
    op const f = s.top.func("f", {}, {});
    region const r = s.p.regions(f)[0];
    block const entry = s.entry(f), next = s.p.append_block(r), dead1 = s.p.append_block(r),
                dead2 = s.p.append_block(r);
    auto branch = [&](block from, block to) {
      s.p.append(from, s.p.create({.kind = s.cx().intern("x.br"), .successors = {to}}));
    };
    branch(entry, next);
    builder in1(s.p, dead1), in2(s.p, dead2), in_next(s.p, next);
    op const a = s.plain(in1, "x.a", {});
    op const b = in2.create({.kind = s.cx().intern("x.b"),
                             .operands = {s.res(a)},
                             .results = {s.t48()},
                             .regions = {in2.make_body({})}});
    builder deep = s.in(b);
    s.plain(deep, "x.deep", {s.res(a)});
    s.p.append_operand(a, s.res(b));
    branch(dead1, dead2);
    branch(dead2, next);
    in_next.func_return({});
    simplify(s.p, {.simplify_regions = regions ? mpmd::region_simplification::normal
                                               : mpmd::region_simplification::disabled});
    CHECK(find_broken_link(s.p) == "");
    int count = 0;
    for ([[maybe_unused]] block const each : blocks(s.p, r)) ++count;
    return count;
  };
  CHECK(build(true) == 2);
  CHECK(build(false) == 4);
}

TEST_CASE("an unreachable block whose value is used elsewhere is left to the verifier") {
  sample s;
  op const f = s.top.func("f", {}, {});
  block const dead = s.p.append_block(s.p.regions(f)[0]);
  builder in_dead(s.p, dead), b = s.in(f);
  op const def = s.plain(in_dead, "x.def", {});
  in_dead.func_return({});
  s.plain(b, "x.use", {s.res(def)});
  b.func_return({});
  CHECK(erase_unreachable_blocks(s.p, s.p.root()) == 0);
  CHECK(find_broken_link(s.p) == "");
}

TEST_CASE("a loop without effects that holds only dead ops goes when its results are unused") {
  fixture s;
  value const inner_value = s.add(s.b, s.t(), s.t(1));
  op const loop = s.b.for_loop(2, 1, {inner_value});
  builder in_loop = s.in(loop);
  in_loop.mpmd_return({s.arg(loop, 0)});
  s.run({s.t()});
  CHECK(s.body() == "return");  // and with the loop the op that only fed it
}

TEST_CASE("canonicalisation is done after one run") {
  fixture s;
  value v = s.b.transfer(s.b.transfer(s.m1(), s.split("x")), s.split("y"));
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {}), {v}, {s.split("y"), s.split("y")});
  builder inner = s.in(frag);
  inner.mpmd_return({s.arg(frag, 0), s.p.result(s.plain(inner, "x.op", {s.arg(frag, 0)}), 0)});
  value const after = s.b.transfer(s.res(frag, 0), s.on("m1"));
  value const other = s.b.transfer(s.res(frag, 1), s.on("m2"));
  s.run({after, other});
  CHECK(s.returned(0) == s.m1());  // through the fragment, the transfers cancel
  CHECK(s.body() == "transfer fragment transfer return");
  auto const before = structural_hash(s.p);
  simplify(s.p);
  CHECK(structural_hash(s.p) == before);
}

TEST_CASE("cycles in a graph region do not keep the rewriter busy") {
  sample s;
  op const holder =
      s.top.create({.kind = s.cx().intern("x.graph"), .regions = {s.top.make_body({s.on("m1"), s.t48()})}});
  builder b = s.in(holder);
  std::vector<op> ring;
  for (int i = 0; i < 5; ++i) {
    value const from = ring.empty() ? s.arg(holder, 0) : s.res(ring.back());
    ring.push_back(s.p.defining_op(b.transfer(from, s.on("m1", s.tensor({i % 2 == 0 ? 4 : 8})))));
  }
  s.p.set_operand(ring[0], 0, s.res(ring[4]));
  std::vector<op> broadcasts;
  for (int i = 0; i < 4; ++i)
    broadcasts.push_back(
        s.p.defining_op(b.broadcast(broadcasts.empty() ? s.arg(holder, 1) : s.res(broadcasts.back()))));
  s.p.set_operand(broadcasts[0], 0, s.res(broadcasts[3]));
  value const same = b.transfer(s.arg(holder, 0), s.on("m1"));
  s.p.set_operand(s.p.defining_op(same), 0, same);
  simplify(s.p);
  CHECK(find_broken_link(s.p) == "");
}

TEST_CASE("long chains are canonicalised without recursion, near-linearly") {
  constexpr int n = 100000;
  fixture s;
  value dead = s.t(), moved = s.m1(), sent = s.t();
  std::vector<value> kept;
  for (int i = 0; i < n; ++i) {
    dead = s.add(s.b, dead, dead);
    moved = s.b.transfer(moved, s.split(i % 2 == 0 ? "x" : "y"));
    sent = s.b.broadcast(sent);
  }
  // A fragment with many results of which each has a dead user.
  op const frag = s.b.fragment("m1", make_origins(s.cx(), {}), {s.m1()},
                               std::vector<type>(static_cast<std::size_t>(n), s.on("m1")));
  builder inner = s.in(frag);
  value const sum = s.add(inner, s.arg(frag, 0), s.arg(frag, 0));
  inner.mpmd_return(std::vector<value>(static_cast<std::size_t>(n), sum));
  for (std::uint32_t i = 0; i < n; ++i) s.b.transfer(s.res(frag, i), s.on("m2"));
  s.run({moved, sent});
  CHECK(s.body() == "transfer broadcast return");
}

TEST_CASE("loops in loops are looked into once, not once for each loop around") {
  constexpr int n = 30000;
  fixture s;
  builder at = s.b;
  std::vector<op> loops;
  for (int i = 0; i < n; ++i) {
    loops.push_back(at.for_loop(2, 1, {s.t()}));
    at = s.in(loops.back());
  }
  s.plain(at, "x.effect", {});
  for (std::size_t i = loops.size(); i-- > 0;) s.in(loops[i]).mpmd_return({s.arg(loops[i], 0)});
  s.b.func_return({});
  simplify(s.p);
  merge_common_subexpressions(s.p, s.p.root());
  CHECK(s.body() == "for return");  // what is innermost has an effect
  CHECK(s.names(s.entry(loops.back())) == "effect return");
}

TEST_CASE("other rewrites can take part") {
  fixture s;
  // x.twice of a value is the sum of it and itself, which the rewrite makes.
  auto expand = [](greedy_rewriter<program>& r, op o) {
    program& p = r.in();
    if (p.kind_text(o) != "x.twice") return false;
    value const v = p.operand(o, 0);
    op const sum = r.create({.operands = {v, v}, .results = {p.type_of(v)}, .reduction = reduction_kind::add},
                            insertion_point<program>::before(o));
    r.replace(o, {p.result(sum, 0)});
    return true;
  };
  op const used = s.plain(s.b, "x.twice", {s.b.broadcast(s.b.broadcast(s.t()))});
  s.plain(s.b, "x.twice", {s.t()});  // its sum is dead
  s.b.func_return({s.res(used)});
  canonicalize_with(s.p, s.p.root(), expand, rewrite_mpmd<program>);
  CHECK(s.body() == "broadcast add return");
  CHECK(find_broken_link(s.p) == "");
}

}  // namespace canonicalize_test
