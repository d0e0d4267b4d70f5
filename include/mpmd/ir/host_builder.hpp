#pragma once
/// Makes the ops of host programs. Misuse asserts; nothing is verified.

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir::host {

/// Where new ops go: in front of `before`, or to the end of `in`.
struct insertion {
  block in = {};
  op before = {};
};

namespace detail {

/// Gives the operands of one list the numbers from `from` on, in the order of the sorted keys, so that equal lists are
/// numbered alike however they were written.
inline attribute number_operands(context& in, metadata const& list, std::vector<value>& out) {
  auto sorted = list.entries;
  std::sort(sorted.begin(), sorted.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
  std::vector<std::pair<name, attribute>> made;
  // Lists nest two deep at most: a list of pairs.
  auto renumber = [&](auto const& self, attribute a) -> attribute {
    if (auto const n = operand_number(in, a); n && *n < list.operands.size()) {
      out.push_back(list.operands[*n]);
      return in.get(integer_attr{static_cast<std::int64_t>(out.size() - 1), in.get(index_type{})});
    }
    if (auto const* held = in.get_if<array_attr>(a)) {
      array_attr copy = *held;
      for (attribute& e : copy.elements) e = self(self, e);
      return in.get(std::move(copy));
    }
    return a;
  };
  for (auto const& [key, data] : sorted) made.emplace_back(in.intern(key), renumber(renumber, data));
  return in.dictionary(std::move(made));
}

inline attribute written_order(context& in, metadata const& kwargs, metadata const& attrs) {
  std::vector<std::pair<name, attribute>> made;
  auto add = [&](std::string_view list, metadata const& m) {
    auto const less = [](auto const& a, auto const& b) { return a.first < b.first; };
    if (std::is_sorted(m.entries.begin(), m.entries.end(), less)) return;
    array_attr names;
    for (auto const& e : m.entries) names.elements.push_back(in.string(e.first));
    made.emplace_back(in.intern(list), in.get(std::move(names)));
  };
  add("kwargs", kwargs);
  add("attrs", attrs);
  return made.empty() ? attribute{} : in.dictionary(std::move(made));
}

}  // namespace detail

/// Makes ops at a place which the caller moves. Expressions are made where they are used: an expression belongs to the
/// one op that uses it and stands in front of it.
class builder {
 public:
  using properties = std::vector<std::pair<std::string_view, attribute>>;

  builder(program& p, insertion at, location where = {}) : at_(at), where_(where), p_(p), in_(p.context()) {}

  program& target() const { return p_; }
  void set(insertion at) { at_ = at; }
  insertion where() const { return at_; }
  void set_location(location where) { where_ = where; }

  /// Any op, at the place.
  op make(opcode code, std::vector<value> operands, std::vector<type> results, properties const& held = {},
          std::size_t regions = 0) {
    op_state s{.kind = {static_cast<std::uint32_t>(code)}, .operands = std::move(operands),
               .results = std::move(results), .where = where_};
    std::vector<std::pair<name, attribute>> entries;
    for (auto const& [key, a] : held)
      if (a) entries.emplace_back(in_.intern(key), a);
    if (!entries.empty()) s.properties = in_.dictionary(std::move(entries));
    for (std::size_t i = 0; i < regions; ++i) {
      region const r = p_.create_region();
      p_.append_block(r);
      s.regions.push_back(r);
    }
    op const o = p_.create(s);
    if (at_.before)
      p_.insert_before(at_.before, o);
    else
      p_.append(at_.in, o);
    return o;
  }

  // Declarations.
  value variable(std::string_view called, type of, std::span<value const> holes = {}, bool carried = false) {
    return p_.result(make(opcode::host_var, {holes.begin(), holes.end()}, {of},
                          {{"hint", in_.string(called)}, {"iter", carried ? in_.unit() : attribute{}}}),
                     0);
  }
  /// `size` is an expression of its own, not one that another op uses.
  value window(value base, value size, bool load_from_host = false, bool store_to_host = false) {
    return p_.result(make(opcode::host_window, {base, size}, {window_buffer(in_)},
                          {{"load_from_host", in_.boolean(load_from_host)},
                           {"store_to_host", in_.boolean(store_to_host)}}),
                     0);
  }

  // Expressions.
  value constant(std::int64_t v, std::string_view dtype = "INDEX") {
    type const of = scalar(in_, dtype);
    return p_.result(make(opcode::host_const, {}, {of}, {{"value", in_.get(integer_attr{v, literal_type(in_, of)})}}), 0);
  }
  value binary(std::string_view kind, value a, value b, type of) {
    return p_.result(make(opcode::host_binary, {a, b}, {of}, {{"kind", in_.string(kind)}}), 0);
  }
  value unary(std::string_view kind, value a, type of) {
    return p_.result(make(opcode::host_unary, {a}, {of}, {{"kind", in_.string(kind)}}), 0);
  }
  value call(attribute callee, std::span<value const> arguments, metadata const& kwargs, metadata const& attrs,
             type of, std::span<value const> holes = {}) {
    std::vector<value> operands(arguments.begin(), arguments.end());
    std::vector<value> held;
    attribute const k = detail::number_operands(in_, kwargs, held), a = detail::number_operands(in_, attrs, held);
    operands.insert(operands.end(), held.begin(), held.end());
    operands.insert(operands.end(), holes.begin(), holes.end());
    return p_.result(
        make(opcode::host_call, std::move(operands), {of},
             {{"callee", callee},
              {"kwargs", kwargs.empty() ? attribute{} : k},
              {"attrs", attrs.empty() ? attribute{} : a},
              {"order", detail::written_order(in_, kwargs, attrs)},
              {"segments", segments({arguments.size(), held.size(), holes.size()})}}),
        0);
  }
  /// A call of a registered operation.
  value call_op(std::string_view operation, std::span<value const> arguments, metadata const& kwargs,
                metadata const& attrs, type of, std::span<value const> holes = {}) {
    return call(in_.string(operation), arguments, kwargs, attrs, of, holes);
  }

  /// A copy of an expression, with all that belongs to it, at the place; variables and windows stay themselves.
  /// O(size), without recursion.
  value clone_expression(value v) {
    struct frame {
      op of;
      std::uint32_t next = 0;
      std::vector<value> made = {};
    };
    auto is_part = [this](value x) {
      op const o = p_.defining_op(x);
      return o && p_.has_trait(o, op_trait::expression);
    };
    if (!is_part(v)) return v;
    std::vector<frame> open;
    open.push_back({p_.defining_op(v)});
    while (true) {
      frame& f = open.back();
      if (f.next < p_.operand_count(f.of)) {
        value const x = p_.operand(f.of, f.next++);
        if (is_part(x))
          open.push_back({p_.defining_op(x)});
        else
          f.made.push_back(x);
        continue;
      }
      op const o = p_.create({.kind = p_.kind(f.of), .operands = std::move(f.made),
                              .results = {p_.type_of(p_.result(f.of, 0))}, .properties = p_.properties(f.of),
                              .attributes = p_.attributes(f.of), .where = p_.where(f.of)});
      if (at_.before)
        p_.insert_before(at_.before, o);
      else
        p_.append(at_.in, o);
      open.pop_back();
      if (open.empty()) return p_.result(o, 0);
      open.back().made.push_back(p_.result(o, 0));
    }
  }
  std::vector<value> clone_expressions(std::span<value const> list) {
    std::vector<value> made;
    for (value const v : list) made.push_back(clone_expression(v));
    return made;
  }

  // Statements.
  op assign(value variable, value to) { return make(opcode::host_assign, {variable, to}, {}); }
  op eval(value v) { return make(opcode::host_eval, {v}, {}); }
  op returns(std::span<value const> values) { return make(opcode::host_return, {values.begin(), values.end()}, {}); }
  op yields(std::span<value const> values) { return make(opcode::host_yield, {values.begin(), values.end()}, {}); }
  /// Its one region has one block, empty at first.
  op loop(std::string_view kind, value start, value stop, value step, value variable,
          std::span<value const> carried = {}, std::span<value const> initial = {},
          std::span<value const> results = {}, metadata const& kwargs = {}, metadata const& attrs = {}) {
    assert(carried.size() == initial.size());
    std::vector<value> operands{start, stop, step, variable};
    operands.insert(operands.end(), carried.begin(), carried.end());
    operands.insert(operands.end(), initial.begin(), initial.end());
    operands.insert(operands.end(), results.begin(), results.end());
    std::vector<value> held;
    attribute const k = detail::number_operands(in_, kwargs, held), a = detail::number_operands(in_, attrs, held);
    operands.insert(operands.end(), held.begin(), held.end());
    return make(opcode::host_for, std::move(operands), {},
                {{"kind", in_.string(kind)},
                 {"kwargs", kwargs.empty() ? attribute{} : k},
                 {"attrs", attrs.empty() ? attribute{} : a},
                 {"order", detail::written_order(in_, kwargs, attrs)},
                 {"segments", segments({4, carried.size(), initial.size(), results.size(), held.size()})}},
                1);
  }
  /// `runs` are the first and the last device of each run; they ascend, with gaps between. None: all devices.
  op comm_domain(std::string_view called, std::vector<std::int64_t> runs, std::span<value const> windows,
                 metadata const& attrs = {}) {
    std::vector<value> operands(windows.begin(), windows.end());
    std::vector<value> held;
    attribute const a = detail::number_operands(in_, attrs, held);
    operands.insert(operands.end(), held.begin(), held.end());
    return make(opcode::host_comm_domain, std::move(operands), {},
                {{"name", in_.string(called)},
                 {"device_runs", in_.get(dense_array_attr{in_.integer(64), std::move(runs)})},
                 {"attrs", attrs.empty() ? attribute{} : a},
                 {"order", detail::written_order(in_, {}, attrs)},
                 {"segments", segments({windows.size(), held.size()})}},
                1);
  }

  attribute segments(std::initializer_list<std::size_t> counts) {
    dense_array_attr list{in_.integer(32), {}};
    for (auto const n : counts) list.values.push_back(static_cast<std::int64_t>(n));
    return in_.get(std::move(list));
  }
  /// `@FP32`, `@adir::@input`: how data names a constant of the language.
  attribute named(std::string_view root, std::string_view nested = {}) {
    symbol_ref_attr s{std::string(root), {}};
    if (!nested.empty()) s.nested.emplace_back(nested);
    return in_.get(std::move(s));
  }

 private:
  insertion at_;
  location where_;
  program& p_;
  context& in_;
};

/// Erases an expression that nothing uses, with all that belongs to it. O(size), without recursion.
inline void erase_expression(program& p, value v) {
  std::vector<value> dead{v};
  while (!dead.empty()) {
    value const next = dead.back();
    dead.pop_back();
    op const o = p.defining_op(next);
    if (!o || !p.has_trait(o, op_trait::expression) || !p.is_unused(next)) continue;
    auto const parts = p.operands(o);
    dead.insert(dead.end(), parts.begin(), parts.end());
    p.erase(o);
  }
}

/// Gives a value another type. The new holes take the place of the old ones among the operands of the op that defines
/// it; expressions that were only part of the old type are erased.
inline void set_type(program& p, value v, type to, std::span<value const> new_holes) {
  op const o = p.defining_op(v);
  auto const old = type_operands(p, v);
  std::vector<value> const before(old.begin(), old.end());
  std::vector<value> operands(p.operands(o).begin(), p.operands(o).end());
  operands.resize(operands.size() - before.size());
  operands.insert(operands.end(), new_holes.begin(), new_holes.end());
  if (auto const* counts = p.attr_if<dense_array_attr>(o, "segments");
      counts != nullptr && p.is(o, opcode::host_call)) {
    dense_array_attr changed = *counts;
    changed.values.back() = static_cast<std::int64_t>(new_holes.size());
    p.set_attr(o, "segments", p.context().get(std::move(changed)));
  }
  p.set_operands(o, operands);
  p.set_type(v, to);
  for (value const x : before)
    if (p.defining_op(x) && std::find(new_holes.begin(), new_holes.end(), x) == new_holes.end())
      erase_expression(p, x);
}

/// Lets the type of a value refer to a window: the last of its holes. Nothing else of the type changes.
inline void set_window(program& p, value v, value window) {
  auto const old = type_operands(p, v);
  std::vector<value> changed(old.begin(), old.end());
  if (is_windowed(p.context(), p.type_of(v)))
    changed.back() = window;
  else
    changed.push_back(window);
  set_type(p, v, with_window(p.context(), p.type_of(v), true), changed);
}

}  // namespace mpmd::ir::host
