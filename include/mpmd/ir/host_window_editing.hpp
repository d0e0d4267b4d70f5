#pragma once
/// Host programs as a model of mutable_window_program: the members of ir_traits for it.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_window_program.hpp>
#include <mpmd/ir/host_builder.hpp>
#include <mpmd/ir/host_expressions.hpp>
#include <mpmd/ir/host_window_types.hpp>

namespace mpmd::ir::host {

/// The first op of a function that is no declaration and no part of one, or none. O(ops of its block).
inline op first_statement(program const& p, op f) {
  // Parts of a declaration stand in front of it, and belong to the op that uses them.
  std::unordered_set<std::uint32_t> parts;  // asked for membership alone
  op first = {};
  for (op o = p.last_op(body_of(p, f)); o; o = p.previous_op(o)) {
    if (p.has_trait(o, op_trait::declaration) || p.is(o, opcode::host_param) || p.is(o, opcode::host_returns)) {
      if (first) break;
      parts.insert(o.id);
    } else if (p.has_trait(o, op_trait::expression)) {
      auto const uses = p.uses(p.result(o, 0));
      if (uses.begin() != uses.end() && parts.contains((*uses.begin()).user.id))
        parts.insert(o.id);
      else
        first = o;
    } else {
      first = o;
    }
  }
  return first;
}

/// Members of ir_traits<program>.
struct window_editing : window_types {
  using window = value;
  using buffer = allocated_buffer<op, value>;
  using scope = scope_recipe<op, value>;

  // --- Windows -----------------------------------------------------------------------------------------------------

  static window window_of(program const& p, value v) { return host::window_of(p, v); }
  static std::size_t window_number(program const&, window w) { return w.id; }
  static value window_base(program const& p, window w) { return p.operand(p.defining_op(w), 0); }
  static bool is_parameter(program const& p, value v) { return !p.is(p.defining_op(v), opcode::host_var); }
  static void match_window(program& p, op o) {
    if (!p.is(o, opcode::host_assign)) return;
    value const v = p.operand(o, 0), to = p.operand(o, 1);
    if (!call_of(p, to) || !is_windowed(p.context(), p.type_of(v)) || !is_distributed(p.context(), p.type_of(to)) ||
        is_windowed(p.context(), p.type_of(to)))
      return;
    if (same_type(p, without_window(p, type_of(p, v)), type_of(p, to))) host::set_window(p, to, host::window_of(p, v));
  }
  static std::vector<window> create_windows(program& p, op f, std::span<buffer const> allocations) {
    builder b(p, {body_of(p, f), first_statement(p, f)});
    std::vector<window> made;
    for (buffer const& a : allocations) {
      b.set_location(p.where(a.o));
      value const size = b.clone_expression(arguments(p, a.o)[0]);
      made.push_back(b.window(a.v, size));
    }
    return made;
  }

  // --- Scopes ------------------------------------------------------------------------------------------------------

  static bool is_scope(program const& p, op o) { return p.is(o, opcode::host_comm_domain); }
  static std::string_view scope_name(program const& p, op o) { return domain_name(p, o); }
  static std::vector<device_run> scope_devices(program const& p, op o) {
    std::vector<device_run> runs;
    auto const ends = device_runs(p, o);
    for (std::size_t i = 0; i + 1 < ends.size(); i += 2) runs.push_back({ends[i], ends[i + 1]});
    return runs;
  }
  static std::span<value const> scope_windows(program const& p, op o) { return slots(p, o); }
  static void add_scopes(program& p, op f, std::span<scope const> recipes) {
    if (recipes.empty()) return;
    op const first = first_statement(p, f);
    builder b(p, {body_of(p, f), {}});
    for (scope const& s : recipes) {
      b.set_location(p.where(s.first));
      std::vector<std::int64_t> runs;
      for (device_run const& r : s.devices) runs.insert(runs.end(), {r.first, r.last});
      op const made = b.comm_domain(s.name, std::move(runs), s.windows);
      b.set({body_of(p, made), {}});
    }
    block const inner = b.where().in;
    op const outermost = p.last_op(body_of(p, f));
    for (op o = first; o && o != outermost;) {
      op const next = p.next_op(o);
      p.unlink(o);
      p.append(inner, o);
      o = next;
    }
  }

  // --- Variables ---------------------------------------------------------------------------------------------------

  /// All variables that an op reads, wherever in it; declarations are no reads.
  static std::vector<value> mentions(program const& p, op o) {
    std::vector<value> found;
    if (p.has_trait(o, op_trait::declaration) || p.is(o, opcode::host_param) || p.is(o, opcode::host_returns))
      return found;
    auto const all = p.operands(o);
    for (std::uint32_t i = 0; i < all.size(); ++i)
      if (!sets(p, o, i) && host::is_variable(p, all[i])) found.push_back(all[i]);
    return found;
  }
  static value split_variable(program& p, op, value v) {
    op const declared = p.defining_op(v);
    builder b(p, {p.parent_block(declared), p.next_op(declared)}, p.where(declared));
    full_type const bare = without_window(p, type_of(p, v));
    auto const holes = b.clone_expressions(bare.holes);
    return b.variable(hint(p, v), bare.of, holes);
  }
  static void replace_mention(program& p, op o, value from, value to) { replace(p, o, from, to, false); }
  static void replace_set(program& p, op o, value from, value to) { replace(p, o, from, to, true); }

  // --- Collectives -------------------------------------------------------------------------------------------------

  static call_position position_of(program const& p, op o) {
    auto const uses = p.uses(p.result(o, 0));
    if (uses.begin() == uses.end()) return call_position::statement;
    op const user = (*uses.begin()).user;
    if (p.is(user, opcode::host_assign)) return call_position::assigned;
    if (p.is(user, opcode::host_eval)) return call_position::statement;
    return p.is(user, opcode::host_return) ? call_position::returned : call_position::nested;
  }
  static std::vector<std::string> used_names(program const& p) {
    std::vector<std::string> names;
    walk(p, p.root(), [&](op o) {
      if (p.is(o, opcode::host_var) || p.is(o, opcode::host_param) || p.is(o, opcode::host_dim))
        names.emplace_back(hint(p, p.result(o, 0)));
      else if (p.is(o, opcode::host_call) && called_op(p, o) == "pld.tensor.alloc_window_buffer")
        names.emplace_back(allocation_name(p, o));
    });
    return names;
  }
  static std::optional<std::int64_t> integer_argument(program const& p, op o, std::string_view key) {
    entry const e = find_entry(p, o, "kwargs", key);
    if (e.expression) return constant_int(p, e.expression);
    if (auto const* i = p.context().get_if<integer_attr>(e.data)) return i->value;
    return std::nullopt;
  }
  static std::optional<std::string> text_argument(program const& p, op o, std::string_view key) {
    auto const* s = p.context().get_if<string_attr>(find_entry(p, o, "kwargs", key).data);
    return s ? std::optional<std::string>(s->text) : std::nullopt;
  }
  static std::vector<value> add_signals(program& p, op f, std::span<signal_recipe const> recipes) {
    context& in = p.context();
    builder b(p, {body_of(p, f), first_statement(p, f)}, p.where(f));
    struct names {
      value devices, buffer, view;
    };
    std::vector<names> declared;
    type const number = scalar(in, "INT64");
    for (signal_recipe const& r : recipes) {
      value const devices = b.variable(r.world_size_name, number);
      value const buffer = b.variable(r.buffer_name, ptr(in));
      std::vector<value> const holes{devices};
      declared.push_back({devices, buffer, b.variable(r.view_name, signal_type(in, r.lanes), holes)});
    }
    std::vector<value> views;
    for (std::size_t i = 0; i < recipes.size(); ++i) {
      auto const& [devices, buffer, view] = declared[i];
      std::int64_t const lanes = recipes[i].lanes;
      b.assign(devices, b.call_op("pld.system.world_size", {}, {}, {}, number));
      value const cells = b.binary("mul", devices, b.constant(lanes, "INT64"), number);
      std::vector<value> const size{b.binary("mul", cells, b.constant(4, "INT64"), number)};
      metadata called, typed;
      called.set("name", in.string(recipes[i].buffer_name));
      if (!recipes[i].domain.empty()) called.set("domain", in.string(recipes[i].domain));
      b.assign(buffer, b.call_op("pld.tensor.alloc_window_buffer", size, called, {}, ptr(in)));
      value const lanes_value = b.constant(lanes, "INT64");
      value const shape = p.result(
          b.make(opcode::host_tuple, {devices, lanes_value}, {in.get(tuple_type{{number, number}})}), 0);
      typed.set("dtype", b.named("INT32"));
      std::vector<value> const operands{buffer, shape}, holes{devices};
      b.assign(view, b.call_op("pld.tensor.window", operands, typed, {}, signal_type(in, lanes), holes));
      views.push_back(view);
    }
    return views;
  }
  static void add_operand(program& p, op o, value v) {
    auto const* counts = p.attr_if<dense_array_attr>(o, "segments");
    dense_array_attr changed = *counts;
    std::vector<value> operands(p.operands(o).begin(), p.operands(o).end());
    operands.insert(operands.begin() + changed.values[0], v);
    ++changed.values[0];
    p.set_operands(o, operands);
    p.set_attr(o, "segments", p.context().get(std::move(changed)));
  }
  static void name_result(program& p, op o, std::string const& name) {
    value const result = p.result(o, 0);
    auto const use = *p.uses(result).begin();
    // Behind what it is the result of: that has the same type, so all that the type refers to stands in front.
    auto const given = arguments(p, o);
    builder b(p, {}, p.where(o));
    if (!given.empty() && host::is_variable(p, given[0]) && p.type_of(given[0]) == p.type_of(result)) {
      op const declared = p.defining_op(given[0]);
      b.set({p.parent_block(declared), p.next_op(declared)});
    } else {
      op f = use.user;
      while (!p.is(f, opcode::host_func)) f = p.parent_op(f);
      b.set({body_of(p, f), first_statement(p, f)});
    }
    full_type const held = type_of(p, result);
    auto const holes = b.clone_expressions(held.holes);
    value const v = b.variable(name, held.of, holes);
    p.set_operand(use.user, use.index, v);
    b.set({p.parent_block(use.user), use.user});
    b.assign(v, result);
  }

  // --- Lowering ----------------------------------------------------------------------------------------------------

  static std::vector<std::optional<std::int64_t>> extents_of(program const& p, value v) {
    std::vector<std::optional<std::int64_t>> all;
    auto const t = tensor_of(p.context(), p.type_of(v));
    if (t)
      for (auto const e : t->shape) all.push_back(e == dynamic_extent ? std::nullopt : std::optional(e));
    return all;
  }
  static std::string_view element_type(program const& p, value v) {
    auto const* held = p.context().get_if<tensor_type>(p.type_of(v));
    return held ? dtype_name(p.context(), held->element) : std::string_view{};
  }
  static void lower(program& p, op o, lowered_collective const& recipe) {
    context& in = p.context();
    value const result = p.result(o, 0);
    auto const uses = p.uses(result);
    op const statement = uses.begin() == uses.end() ? o : (*uses.begin()).user;
    std::vector<value> const operands(arguments(p, o).begin(),
                                      arguments(p, o).begin() + static_cast<std::ptrdiff_t>(recipe.access.size()));
    metadata kept;
    builder b(p, {p.parent_block(statement), statement}, p.where(o));
    for (auto const& [key, fallback] : recipe.kept) {
      entry const e = find_entry(p, o, "kwargs", key);
      kept.set(key, e.data ? e.data : in.integer_value(integer_argument(p, o, key).value_or(fallback)));
    }
    if (recipe.typed_by) kept.set("dtype", b.named(element_type(p, operands[*recipe.typed_by])));
    if (recipe.lanes) kept.set("core_num", in.integer_value(*recipe.lanes));
    array_attr directions;
    for (operand_access const a : recipe.access)
      directions.elements.push_back(b.named("adir", a == operand_access::input ? "input" : "inout"));
    attribute const access = in.get(std::move(directions));
    auto launch = [&](value device) {
      metadata attrs = kept;
      attrs.set(in, "device", device);
      attrs.set("arg_directions", access);
      b.eval(b.call_op(recipe.operation, operands, kept, attrs, unknown(in)));
    };
    if (!recipe.devices.empty()) {
      for (std::int64_t const d : recipe.devices) launch(b.constant(d, "INT64"));
    } else {
      op f = statement;
      while (!p.is(f, opcode::host_func)) f = p.parent_op(f);
      builder declarations(p, {body_of(p, f), p.first_op(body_of(p, f))}, p.where(o));
      value const r = declarations.variable("r", in.get(index_type{}));
      value const first = b.constant(0, "INT64");
      value const stop = b.call_op("pld.system.world_size", {}, {}, {}, scalar(in, "INT64"));
      op const loop = b.loop("range", first, stop, b.constant(1, "INT64"), r);
      b.set({body_of(p, loop), {}});
      launch(r);
    }
    if (p.is(statement, opcode::host_assign)) {
      value const v = p.operand(statement, 0), source = operands[recipe.result];
      p.set_operand(statement, 1, source);
      if (value const w = host::window_of(p, source); w && w != host::window_of(p, v) && !is_parameter(p, v))
        set_window(p, v, w);
    } else if (statement != o) {
      p.erase(statement);
    }
    erase_expression(p, result);
  }

 private:
  static type signal_type(context& in, std::int64_t lanes) {
    return tensor(in, {.kind = tensor_kind::distributed, .dtype = "INT32", .shape = {dynamic_extent, lanes}});
  }
  static void replace(program& p, op o, value from, value to, bool set) {
    for (std::uint32_t i = 0; i < p.operand_count(o); ++i)
      if (p.operand(o, i) == from && sets(p, o, i) == set) p.set_operand(o, i, to);
  }
};

}  // namespace mpmd::ir::host
