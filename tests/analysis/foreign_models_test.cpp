// The analyses on two IRs that share no code with each other or with the library's own.
#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>

// Not in an unnamed namespace: clang calls the comparisons that a concept asks for, but no code, unneeded there.
namespace foreign_models {

// Reference-counted expression nodes, each its own value; listed in order, no numbers.
struct node {
  mpmd::role what;
  std::vector<std::shared_ptr<node>> inputs;
  std::string mesh = {};
};
using node_ptr = std::shared_ptr<node>;

struct expression_program {
  std::vector<node_ptr> nodes;

  node_ptr add(mpmd::role what, std::vector<node_ptr> inputs, std::string mesh = {}) {
    nodes.push_back(std::make_shared<node>(node{what, std::move(inputs), std::move(mesh)}));
    return nodes.back();
  }
};

// Tables of numbers: functions with arguments, statements with targets and sources.
struct statement {
  mpmd::role what;
  std::vector<int> targets;
  std::vector<int> sources;
  std::string name = {};  // mesh, or callee
  int function = -1;      // for a function: its place
};
struct table_program {
  struct function {
    std::string name;
    std::vector<int> arguments;
    std::vector<int> statements;
    bool entry;
  };
  std::vector<function> functions;
  std::vector<statement> statements;
};

}  // namespace foreign_models

using foreign_models::expression_program;
using foreign_models::node_ptr;
using foreign_models::table_program;

template <>
struct mpmd::ir_traits<expression_program> {
  using op = node_ptr;
  using value = node_ptr;
  static auto const& ops(expression_program const& p) { return p.nodes; }
  static auto const& operands(expression_program const&, node_ptr const& n) { return n->inputs; }
  static std::vector<node_ptr> results(expression_program const&, node_ptr const& n) { return {n}; }
  static role role_of(expression_program const&, node_ptr const& n) { return n->what; }
  static std::string_view mesh_of(expression_program const&, node_ptr const& n) { return n->mesh; }
};

template <>
struct mpmd::ir_traits<table_program> {
  // 0 is none; functions are negative, statements positive, both one-based.
  struct op {
    int id = 0;
    explicit operator bool() const { return id != 0; }
    friend bool operator==(op, op) = default;
  };
  struct value {
    int id = -1;
    friend bool operator==(value, value) = default;
  };
  static std::vector<op> functions(table_program const& p) {
    std::vector<op> all;
    for (int i = 0; i < static_cast<int>(p.functions.size()); ++i) all.push_back({-1 - i});
    return all;
  }
  static auto const& function(table_program const& p, op f) { return p.functions[static_cast<std::size_t>(-1 - f.id)]; }
  static auto const& at(table_program const& p, op o) { return p.statements[static_cast<std::size_t>(o.id - 1)]; }
  static std::vector<op> body(table_program const& p, op f) {
    std::vector<op> all;
    if (f.id < 0)
      for (int const s : function(p, f).statements) all.push_back({s + 1});
    return all;
  }
  static std::vector<value> values(std::vector<int> const& ids) {
    std::vector<value> all;
    for (int const i : ids) all.push_back({i});
    return all;
  }
  static std::vector<value> arguments(table_program const& p, op f) {
    return f.id < 0 ? values(function(p, f).arguments) : std::vector<value>{};
  }
  static std::vector<value> operands(table_program const& p, op o) { return values(at(p, o).sources); }
  static std::vector<value> results(table_program const& p, op o) { return values(at(p, o).targets); }
  static op defining_op(table_program const& p, value v) {
    for (int i = 0; i < static_cast<int>(p.statements.size()); ++i)
      for (int const t : p.statements[static_cast<std::size_t>(i)].targets)
        if (t == v.id) return {i + 1};
    return {};
  }
  static std::size_t index(table_program const&, value v) { return static_cast<std::size_t>(v.id); }
  static std::size_t index_bound(table_program const&) { return 64; }
  static role role_of(table_program const& p, op o) { return o.id < 0 ? role::other : at(p, o).what; }
  static std::string_view mesh_of(table_program const& p, value v) {
    op const d = defining_op(p, v);
    return d && at(p, d).what == role::assign ? std::string_view(at(p, d).name) : std::string_view{};
  }
  static bool is_entry(table_program const& p, op f) { return function(p, f).entry; }
  static std::string_view callee_name(table_program const& p, op o) { return at(p, o).name; }
  static std::string_view function_name(table_program const& p, op f) { return function(p, f).name; }
};

namespace {

template <class Facts, class Value>
std::string meshes(Facts const& facts, Value v) {
  std::string text;
  auto add = [&](std::uint32_t m) { text.append(text.empty() ? "" : ",").append(facts.names->meshes[m]); };
  facts.policy.for_each_use(facts[v], add);
  return text;
}

}  // namespace

TEST_CASE("use sets and src sets of an IR with reference-counted nodes and no numbers") {
  using mpmd::role;
  expression_program p;
  auto const x = p.add(role::argument, {});
  auto const w = p.add(role::argument, {});
  auto const h = p.add(role::compute, {x, w});
  auto const h1 = p.add(role::assign, {h}, "m1");
  auto const y = p.add(role::transfer, {h1}, "m2");
  auto const u = p.add(role::unassign, {y});
  auto const z = p.add(role::compute, {u, w});
  p.add(role::assign, {z}, "m2");

  auto const uses = mpmd::use_sets(p);
  CHECK(meshes(uses, h) == "m1");
  CHECK(meshes(uses, x) == "m1");
  CHECK(uses[w].size() == 2);  // by h on m1, by z on m2
  CHECK(meshes(uses, z) == "m2");
  CHECK(meshes(uses, u) == "m2");
  CHECK(meshes(uses, y).empty());

  auto const srcs = mpmd::src_sets(uses);
  auto const m1 = srcs.names->meshes.find("m1"), m2 = srcs.names->meshes.find("m2");
  CHECK(srcs.policy.src_contains(srcs[x], m1));
  CHECK_FALSE(srcs.policy.src_contains(srcs[x], m2));
  CHECK(srcs.policy.src_contains(srcs[w], m1));
  CHECK(srcs.policy.src_contains(srcs[w], m2));
  CHECK(srcs.policy.src_contains(srcs[z], m2));
  CHECK_FALSE(srcs.policy.src_contains(srcs[z], m1));
}

TEST_CASE("a callee is analysed for the union of what its calls need, on an IR of tables") {
  using mpmd::role;
  // f(a0) { v1 = op a0; return v1 }
  // main(v2, v3) { v4 = call f(v2); v5 = call f(v3); assign v4 to m1 -> v6; assign v5 to m2 -> v7 }
  table_program p;
  p.statements = {
      {role::compute, {1}, {0}},        {role::terminator, {}, {1}},      {role::call, {4}, {2}, "f"},
      {role::call, {5}, {3}, "f"},      {role::assign, {6}, {4}, "m1"},   {role::assign, {7}, {5}, "m2"},
      {role::terminator, {}, {6, 7}},
  };
  p.functions = {{"main", {2, 3}, {2, 3, 4, 5, 6}, true}, {"f", {0}, {0, 1}, false}};
  using value = mpmd::ir_traits<table_program>::value;

  auto const uses = mpmd::use_sets(p);
  CHECK(uses[value{0}].size() == 2);
  CHECK(uses[value{1}].size() == 2);
  // The arguments of main are visited last, when all that the callee needs is known.
  CHECK(uses[value{2}].size() == 2);
  CHECK(uses[value{3}].size() == 2);
  CHECK(meshes(uses, value{4}) == "m1");
  CHECK(meshes(uses, value{5}) == "m2");
  CHECK(uses.cut_calls == 0);
}

TEST_CASE("recursion ends: the inner call is opaque and counted") {
  using mpmd::role;
  // f(a0) { v1 = call f(a0); v2 = op v1; return v2 }   main(v3) { v4 = call f(v3); assign v4 to m1 -> v5 }
  table_program p;
  p.statements = {{role::call, {1}, {0}, "f"},
                  {role::compute, {2}, {1}},
                  {role::terminator, {}, {2}},
                  {role::call, {4}, {3}, "f"},
                  {role::assign, {5}, {4}, "m1"}};
  p.functions = {{"main", {3}, {3, 4}, true}, {"f", {0}, {0, 1, 2}, false}};
  auto const uses = mpmd::use_sets(p);
  CHECK(uses.cut_calls > 0);
  CHECK(meshes(uses, mpmd::ir_traits<table_program>::value{1}) == "m1");
  CHECK(mpmd::src_sets(uses).cut_calls > 0);
}
