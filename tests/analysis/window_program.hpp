#pragma once
// A small host program for tests: statements with numbered variables that may be set again and again. It shares no code
// with the library's own IR.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/window_program.hpp>

namespace window_model {

struct variable {
  int id = -1;
  friend bool operator==(variable, variable) = default;
};
struct statement {
  int id = 0;  // 0: none
  explicit operator bool() const { return id != 0; }
  friend bool operator==(statement, statement) = default;
};

struct content {
  mpmd::window_role role = mpmd::window_role::other;
  std::vector<variable> reads = {};
  std::vector<variable> sets = {};
  std::string name = {};
  std::size_t sizes = 1;
  mpmd::collective_kind collective = mpmd::collective_kind::barrier;
  mpmd::device_form<variable> device = {};
  mpmd::integer_op integer = {};
  mpmd::loop_parts<variable> loop = {};
  std::vector<std::vector<statement>> bodies = {};
};

class program {
 public:
  program() { add_function("main"); }

  void add_function(std::string name) {
    contents_.push_back({.role = mpmd::window_role::sequence, .name = std::move(name), .bodies = {{}}});
    functions.push_back({static_cast<int>(contents_.size())});
    open_ = {functions.back()};
  }
  content const& operator[](statement s) const { return contents_[static_cast<std::size_t>(s.id - 1)]; }
  content& operator[](statement s) { return contents_[static_cast<std::size_t>(s.id - 1)]; }
  variable fresh() { return {variables_++}; }
  int variables() const { return variables_; }

  statement add(content c) {
    contents_.push_back(std::move(c));
    statement const s{static_cast<int>(contents_.size())};
    (*this)[open_.back()].bodies.back().push_back(s);
    return s;
  }
  variable allocate(std::string name) {
    variable const v = fresh();
    add({.role = mpmd::window_role::allocation, .sets = {v}, .name = std::move(name)});
    return v;
  }
  variable view(variable pointer) {
    variable const v = fresh();
    view_into(v, pointer);
    return v;
  }
  void view_into(variable v, variable pointer) {
    add({.role = mpmd::window_role::view, .reads = {pointer}, .sets = {v}});
  }
  variable window(std::string name) { return view(allocate(std::move(name))); }
  variable copy(variable from) {
    variable const v = fresh();
    assign(v, from);
    return v;
  }
  void assign(variable to, variable from) { add({.role = mpmd::window_role::alias, .reads = {from}, .sets = {to}}); }
  variable opaque(std::vector<variable> of = {}) {
    variable const v = fresh();
    add({.reads = std::move(of), .sets = {v}});
    return v;
  }
  // Integers: constants are literals, not variables.
  variable number(std::int64_t n) { return compute({mpmd::integer_op::kind::constant, n}); }
  variable world_size() { return compute({mpmd::integer_op::kind::world_size}); }
  variable compute(mpmd::integer_op op, std::vector<variable> of = {}) {
    variable const v = fresh();
    literals.push_back(v);
    add({.reads = std::move(of), .sets = {v}, .integer = op});
    return v;
  }
  statement dispatch(std::vector<variable> windows, std::int64_t device) {
    return add({.role = mpmd::window_role::dispatch,
                .reads = std::move(windows),
                .device = {mpmd::device_form<variable>::kind::numbers, device, device, {}}});
  }
  statement dispatch_at(std::vector<variable> windows, variable device) {
    return add({.role = mpmd::window_role::dispatch,
                .reads = std::move(windows),
                .device = {mpmd::device_form<variable>::kind::expression, 0, 0, device}});
  }
  statement dispatch_anywhere(std::vector<variable> windows) {
    return add({.role = mpmd::window_role::dispatch, .reads = std::move(windows)});
  }
  variable collective(mpmd::collective_kind kind, std::vector<variable> operands) {
    variable const v = fresh();
    add({.role = mpmd::window_role::collective, .reads = std::move(operands), .sets = {v}, .collective = kind});
    return v;
  }
  void yield(std::vector<variable> values) { add({.role = mpmd::window_role::yield, .reads = std::move(values)}); }
  void leave() { add({.role = mpmd::window_role::leave}); }

  // `for r in range(start, stop, step)`; what `inside` adds is its body. The results are what the loop carries.
  template <class Inside>
  std::vector<variable> loop(variable start, variable stop, variable step, std::vector<variable> initial, Inside inside) {
    mpmd::loop_parts<variable> parts{true, fresh(), start, stop, step, std::move(initial), {}};
    return open_loop(std::move(parts), inside);
  }
  template <class Inside>
  void range(std::int64_t start, std::int64_t stop, Inside inside) {
    loop(number(start), number(stop), number(1), {}, [&](variable r, std::vector<variable> const&) { inside(r); });
  }
  template <class Inside>
  std::vector<variable> repeat(std::vector<variable> initial, Inside inside) {
    mpmd::loop_parts<variable> parts{};
    parts.initial = std::move(initial);
    return open_loop(std::move(parts), [&](variable, std::vector<variable> const& carried) { inside(carried); });
  }
  template <class Then>
  std::vector<variable> branch(std::size_t results, Then then) {
    return branch(results, then, [] {}, false);
  }
  template <class Then, class Else>
  std::vector<variable> branch(std::size_t results, Then then, Else otherwise, bool has_else = true) {
    std::vector<variable> made;
    for (std::size_t i = 0; i < results; ++i) made.push_back(fresh());
    statement const s = add({.role = mpmd::window_role::branch, .sets = made, .bodies = {{}}});
    open_.push_back(s);
    then();
    if (has_else) {
      (*this)[s].bodies.emplace_back();
      otherwise();
    }
    open_.pop_back();
    return made;
  }

  std::vector<statement> functions;
  std::vector<variable> literals;
  std::vector<std::string> tasks;

 private:
  template <class Inside>
  std::vector<variable> open_loop(mpmd::loop_parts<variable> parts, Inside inside) {
    std::vector<variable> results;
    for (std::size_t i = 0; i < parts.initial.size(); ++i) {
      parts.carried.push_back(fresh());
      results.push_back(fresh());
    }
    statement const s = add({.role = mpmd::window_role::loop, .sets = results, .loop = parts, .bodies = {{}}});
    open_.push_back(s);
    inside(parts.induction, parts.carried);
    open_.pop_back();
    return results;
  }

  std::vector<content> contents_;
  std::vector<statement> open_;
  int variables_ = 0;
};

}  // namespace window_model

template <>
struct mpmd::ir_traits<window_model::program> {
  using program = window_model::program;
  using op = window_model::statement;
  using value = window_model::variable;
  static auto const& window_functions(program const& p) { return p.functions; }
  static auto const& bodies(program const& p, op o) { return p[o].bodies; }
  static std::string_view function_name(program const& p, op o) { return p[o].name; }
  static auto const& window_operands(program const& p, op o) { return p[o].reads; }
  static auto const& window_results(program const& p, op o) { return p[o].sets; }
  static window_role window_role_of(program const& p, op o) { return p[o].role; }
  static device_form<value> device_of(program const& p, op o) { return p[o].device; }
  static collective_kind collective_of(program const& p, op o) { return p[o].collective; }
  static loop_parts<value> loop_of(program const& p, op o) { return p[o].loop; }
  static integer_op integer_of(program const& p, op o) { return p[o].integer; }
  static std::string_view allocation_name(program const& p, op o) { return p[o].name; }
  static std::size_t allocation_sizes(program const& p, op o) { return p[o].sizes; }
  static bool is_variable(program const& p, value v) {
    for (auto const l : p.literals)
      if (l == v) return false;
    return true;
  }
  static std::size_t index(program const&, value v) { return static_cast<std::size_t>(v.id); }
  static std::size_t index_bound(program const& p) { return static_cast<std::size_t>(p.variables()); }
};
