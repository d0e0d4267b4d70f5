#pragma once
/// Windows in the types of host programs: the variables that an op sets, and what follows when the type of one comes to
/// refer to a window.

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <mpmd/ir/host_builder.hpp>
#include <mpmd/ir/host_expressions.hpp>
#include <mpmd/ir/host_windows.hpp>

namespace mpmd::ir::host {

/// Members of ir_traits<program>.
struct window_types : window_members {
  /// What a loop carries has the type of its first value, and where several values are yielded to names at once, these
  /// have the types of the values: the text of a program says no types there.
  static bool follows_types(program const& p, value v) {
    if (is_iter_arg(p, v)) return true;
    for (use const u : p.uses(v))
      if (sets(p, u.user, u.index) && results_of(p, u.user).size() > 1) return true;
    return false;
  }
  static void set_window(program& p, value v, value w) {
    host::set_window(p, v, w);
    declare_behind_windows(p, v);
    retype_users(p, v);
  }
  /// Whether an operand is a variable that the op sets.
  static bool sets(program const& p, op o, std::uint32_t i) {
    switch (static_cast<opcode>(p.kind(o).id)) {
      case opcode::host_assign: return i == 0;
      case opcode::host_if: return i != 0;
      case opcode::host_for: {
        auto const carried = segment(p, o, 1).size(), initial = segment(p, o, 2).size();
        auto const results = segment(p, o, 3).size();
        return i == 3 || (i >= 4 && i < 4 + carried) ||
               (i >= 4 + carried + initial && i < 4 + carried + initial + results);
      }
      case opcode::host_while: {
        auto const carried = segment(p, o, 0).size(), initial = segment(p, o, 1).size();
        return i < carried || i >= carried + initial;
      }
      default: return false;
    }
  }

 protected:
  /// The declaration of a window stands in front of what refers to it.
  static void declare_behind_windows(program& p, value v) {
    op const declared = p.defining_op(v);
    if (!p.is(declared, opcode::host_var)) return;
    op last = {};
    for (value const x : p.operands(declared))
      if (op const w = p.defining_op(x); w && p.is(w, opcode::host_window) && (!last || p.is_before(last, w))) last = w;
    if (!last) return;
    if (op const behind = p.next_op(last); behind && behind != declared) p.move_before(behind, declared);
  }
  /// Tuples have the types of their elements, and elements those of their tuples; so have variables that are set to them
  /// and to nothing else, and those of follows_types.
  static void retype_users(program& p, value v) {
    std::vector<value> changed{v};
    while (!changed.empty()) {
      value const from = changed.back();
      changed.pop_back();
      std::vector<use> users;
      for (use const u : p.uses(from)) users.push_back(u);
      for (use const u : users) {
        if (p.is(u.user, opcode::host_tuple) || p.is(u.user, opcode::host_get))
          retype_expression(p, u.user, changed);
        else if (value const follower = follower_of(p, u))
          retype_follower(p, follower, from, changed);
      }
    }
  }
  static void retype_expression(program& p, op made, std::vector<value>& changed) {
    value const result = p.result(made, 0);
    full_type const before = type_of(p, result);
    full_type const now = p.is(made, opcode::host_tuple) ? tuple_type_of(p, made) : element_type_of(p, made);
    auto const held_by = p.uses(result);
    if (same_type(p, before, now) || held_by.begin() == held_by.end()) return;
    op const holder = (*held_by.begin()).user;
    bool const assigned = p.is(holder, opcode::host_assign) && p.operand(holder, 1) == result &&
                          set_once(p, p.operand(holder, 0)) && same_type(p, before, type_of(p, p.operand(holder, 0)));
    set_type_of(p, result, now, made);
    changed.push_back(result);
    if (!assigned) return;
    value const variable = p.operand(holder, 0);
    set_type_of(p, variable, now, p.defining_op(variable));
    declare_behind_windows(p, variable);
    changed.push_back(variable);
  }
  static void retype_follower(program& p, value follower, value from, std::vector<value>& changed) {
    full_type const now = type_of(p, from), before = type_of(p, follower);
    if (same_type(p, before, now) || !same_type(p, without_windows(p, before), without_windows(p, now))) return;
    set_type_of(p, follower, now, p.defining_op(follower));
    declare_behind_windows(p, follower);
    changed.push_back(follower);
  }
  /// The variable whose type is that of this operand.
  static value follower_of(program const& p, use u) {
    if (p.is(u.user, opcode::host_for) || p.is(u.user, opcode::host_while)) {
      bool const counts = p.is(u.user, opcode::host_for);
      auto const carried = segment(p, u.user, counts ? 1 : 0), initial = segment(p, u.user, counts ? 2 : 1);
      std::size_t const first = (counts ? 4 : 0) + carried.size();
      return u.index >= first && u.index < first + initial.size() && initial.size() == carried.size()
                 ? carried[u.index - first]
                 : value{};
    }
    if (p.is(u.user, opcode::host_assign)) {  // another name of a tuple; those of windows are known otherwise
      value const to = p.operand(u.user, 0);
      bool const tuple = u.index == 1 && p.context().get_if<tuple_type>(p.type_of(p.operand(u.user, 1)));
      return tuple && host::is_variable(p, p.operand(u.user, 1)) && set_once(p, to) ? to : value{};
    }
    if (!p.is(u.user, opcode::host_yield)) return {};
    // The first yield of the innermost loop or branch.
    op holder = p.parent_op(u.user);
    while (holder && (p.is(holder, opcode::host_scope) || p.is(holder, opcode::host_comm_domain)))
      holder = p.parent_op(holder);
    auto const results = holder ? results_of(p, holder) : std::span<value const>{};
    if (results.size() < 2 || u.index >= results.size()) return {};
    block const in = p.parent_block(u.user);
    auto const regions = p.regions(holder);
    bool const first = p.is(holder, opcode::host_if) ? p.parent_region(in) == regions[0] : true;
    return first ? results[u.index] : value{};
  }
  static std::span<value const> results_of(program const& p, op o) {
    if (p.is(o, opcode::host_if)) return p.operands(o).subspan(1);
    if (p.is(o, opcode::host_for)) return segment(p, o, 3);
    return p.is(o, opcode::host_while) ? segment(p, o, 2) : std::span<value const>{};
  }
  static void set_type_of(program& p, value v, full_type const& to, op before) {
    builder b(p, {p.parent_block(before), before}, p.where(before));
    auto const holes = b.clone_expressions(to.holes);
    host::set_type(p, v, to.of, holes);
  }
  static full_type tuple_type_of(program const& p, op tuple) {
    full_type made;
    tuple_type list;
    auto const count = p.operand_count(tuple) - type_operands(p, p.result(tuple, 0)).size();
    for (value const v : p.operands(tuple).first(count)) {
      full_type const one = type_of(p, v);
      list.elements.push_back(one.of);
      made.holes.insert(made.holes.end(), one.holes.begin(), one.holes.end());
    }
    made.of = p.context().get(std::move(list));
    return made;
  }
  static full_type element_type_of(program const& p, op get) {
    full_type const base = type_of(p, p.operand(get, 0)), old = type_of(p, p.result(get, 0));
    auto const* tuple = p.context().get_if<tuple_type>(base.of);
    auto const* which = p.attr_if<integer_attr>(get, "index");
    if (!tuple || !which || which->value < 0 || static_cast<std::size_t>(which->value) >= tuple->elements.size())
      return old;
    std::size_t from = 0;
    auto const index = static_cast<std::size_t>(which->value);
    for (std::size_t i = 0; i < index; ++i) from += holes(p.context(), tuple->elements[i]);
    auto const held = std::span(base.holes).subspan(from, holes(p.context(), tuple->elements[index]));
    return {tuple->elements[index], {held.begin(), held.end()}};
  }
  static bool set_once(program const& p, value variable) {
    std::size_t times = 0;
    for (use const u : p.uses(variable)) times += sets(p, u.user, u.index) ? 1u : 0u;
    return times == 1 && p.is(p.defining_op(variable), opcode::host_var);
  }
};

}  // namespace mpmd::ir::host
