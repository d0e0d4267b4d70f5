#pragma once
/// Host programs as a model of window_program: the members of ir_traits for it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <string_view>
#include <unordered_set>
#include <vector>

#include <mpmd/graph/window_program.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/host_places.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir::host {

/// Some values in a row: operands of an op, or its one result.
class value_list {
 public:
  value_list() = default;
  explicit value_list(std::span<value const> many) : many_(many) {}
  explicit value_list(value one) : one_(one), single_(true) {}
  value const* begin() const { return single_ ? &one_ : many_.data(); }
  value const* end() const { return begin() + size(); }
  std::size_t size() const { return single_ ? 1 : many_.size(); }

 private:
  std::span<value const> many_ = {};
  value one_ = {};
  bool single_ = false;
};

}  // namespace mpmd::ir::host

template <>
inline constexpr bool std::ranges::enable_view<mpmd::ir::host::value_list> = true;  // a copy is two words

namespace mpmd::ir::host {

/// The collective that a registered operation is, or nothing.
inline std::optional<collective_kind> collective_named(std::string_view operation) {
  constexpr std::string_view prefix = "pld.tensor.";
  if (!operation.starts_with(prefix)) return std::nullopt;
  for (std::size_t i = 0; i < collective_table.size(); ++i)
    if (collective_table[i].name == operation.substr(prefix.size())) return static_cast<collective_kind>(i);
  return std::nullopt;
}

/// The arithmetic that a host.binary does, as far as bounds and devices are followed through it.
inline integer_op::kind arithmetic_named(std::string_view kind) {
  using k = integer_op::kind;
  if (kind == "add") return k::add;
  if (kind == "sub") return k::subtract;
  if (kind == "mul") return k::multiply;
  if (kind == "floordiv") return k::floor_divide;
  if (kind == "floormod") return k::floor_modulo;
  if (kind == "min") return k::minimum;
  return kind == "max" ? k::maximum : k::none;
}

/// Members of ir_traits<program>.
struct window_members {
  static std::vector<op> window_functions(program const& p) {
    std::vector<op> found;
    for (op const f : host::functions(p))
      if (is_host_orchestrator(p, f) && body_of(p, f)) found.push_back(f);
    return found;
  }
  static std::vector<op_range> bodies(program const& p, op o) {
    std::vector<op_range> all;
    for (region const r : p.regions(o)) all.emplace_back(p, p.first_block(r));
    return all;
  }
  static window_role window_role_of(program const& p, op o) {
    switch (static_cast<opcode>(p.kind(o).id)) {
      case opcode::host_assign: return window_role::alias;
      case opcode::host_get: return window_role::element;
      case opcode::host_call: return role_of_call(p, o);
      case opcode::host_if: return window_role::branch;
      case opcode::host_for:
      case opcode::host_while: return window_role::loop;
      case opcode::host_scope:
      case opcode::host_comm_domain: return window_role::sequence;
      case opcode::host_yield: return window_role::yield;
      case opcode::host_break:
      case opcode::host_continue: return window_role::leave;
      case opcode::host_const:
      case opcode::host_tuple:
      case opcode::host_eval:
      case opcode::host_return:
      case opcode::host_condition:
      case opcode::host_var:
      case opcode::host_window:
      case opcode::host_returns: return window_role::nothing;
      default: return window_role::other;
    }
  }
  static value_list window_operands(program const& p, op o) {
    if (p.is(o, opcode::host_assign)) return value_list(p.operand(o, 1));
    if (p.is(o, opcode::host_call)) return value_list(arguments(p, o));
    return value_list(p.operands(o));
  }
  static value_list window_results(program const& p, op o) {
    switch (static_cast<opcode>(p.kind(o).id)) {
      case opcode::host_assign: return value_list(p.operand(o, 0));
      case opcode::host_call: return value_list(p.result(o, 0));
      case opcode::host_if: return value_list(p.operands(o).subspan(1));
      case opcode::host_for: return value_list(parts_of_for(p, o).results);
      case opcode::host_while: return value_list(parts_of_while(p, o).results);
      default: break;
    }
    // A declaration sets nothing yet.
    if (p.result_count(o) != 1 || p.has_trait(o, op_trait::declaration)) return {};
    return value_list(p.result(o, 0));
  }
  static device_form<value> device_of(program const& p, op o) {
    return device_among(p, p.context().lookup(p.attr(o, attribute_key::attrs), attribute_key::device), segment(p, o, 1));
  }
  /// What the entries of the call before say: those of most dispatches are the same ones, and differ in operands only.
  struct dispatch_memory {
    attribute entries = {};
    std::string_view callee = {};
    std::size_t arguments = 0, metadata = 0;  ///< how many operands are that
    attribute device = {};
  };
  static dispatch_parts<value, std::span<value const>> dispatch_of(program const& p, op o, dispatch_memory& before) {
    attribute const entries = p.properties(o);
    if (!entries || entries != before.entries) before = read_entries(p, entries);
    std::span<value const> const all = p.operands(o);
    auto const first = std::min(before.arguments, all.size());
    auto const second = std::min(before.metadata, all.size() - first);
    return {before.callee, device_among(p, before.device, all.subspan(first, second)), all.first(first)};
  }
  static collective_kind collective_of(program const& p, op o) { return *collective_named(called_op(p, o)); }
  static loop_parts<value> loop_of(program const& p, op o) {
    auto list = [](std::span<value const> s) { return std::vector<value>(s.begin(), s.end()); };
    if (p.is(o, opcode::host_for)) {
      auto const f = parts_of_for(p, o);
      return {true, f.variable, f.start, f.stop, f.step, list(f.initial), list(f.carried)};
    }
    auto const w = parts_of_while(p, o);
    return {false, {}, {}, {}, {}, list(w.initial), list(w.carried)};
  }
  static integer_op integer_of(program const& p, op o) {
    using kind = integer_op::kind;
    switch (static_cast<opcode>(p.kind(o).id)) {
      case opcode::host_binary: return {arithmetic_named(text_of(p, o, attribute_key::kind)), 0};
      case opcode::host_unary: return {text_of(p, o, attribute_key::kind) == "neg" ? kind::negate : kind::none, 0};
      case opcode::host_call: return {called_op(p, o) == "pld.system.world_size" ? kind::world_size : kind::none, 0};
      default: return {};
    }
  }
  static std::vector<std::string_view> task_names(program const& p) {
    std::vector<std::string_view> all;
    for (op const f : host::functions(p))
      if (is_chip_orchestrator(p, f)) all.push_back(function_name(p, f));
    return all;
  }
  static std::string_view allocation_name(program const& p, op o) {
    auto const* s = p.context().get_if<string_attr>(find_entry(p, o, attribute_key::kwargs, attribute_key::own_name).data);
    return s ? std::string_view(s->text) : std::string_view{};
  }
  static std::string_view allocation_domain(program const& p, op o) {
    auto const* s = p.context().get_if<string_attr>(find_entry(p, o, attribute_key::kwargs, attribute_key::domain).data);
    return s ? std::string_view(s->text) : std::string_view{};
  }
  static std::size_t allocation_sizes(program const& p, op o) { return arguments(p, o).size(); }
  /// As dispatch_of.
  static allocation_parts<std::span<value const>> allocation_of(program const& p, op o) {
    context const& in = p.context();
    auto const* held = in.get_if<dictionary_attr>(p.properties(o));
    attribute kwargs, counts;
    if (held != nullptr)
      for (auto const& [key, a] : held->entries) {
        if (key.id == name_id(attribute_key::kwargs)) kwargs = a;
        if (key.id == name_id(attribute_key::segments)) counts = a;
      }
    auto const* sizes = in.get_if<dense_array_attr>(counts);
    auto const* named = in.get_if<dictionary_attr>(kwargs);
    if (sizes == nullptr || sizes->values.empty() || named == nullptr)
      return {allocation_name(p, o), allocation_domain(p, o), arguments(p, o)};
    auto text = [&in](attribute a) {
      auto const* s = in.get_if<string_attr>(a);
      return s ? std::string_view(s->text) : std::string_view{};
    };
    auto const all = p.operands(o);
    allocation_parts<std::span<value const>> made{
        {}, {}, all.first(std::min(static_cast<std::size_t>(sizes->values[0]), all.size()))};
    for (auto const& [key, a] : named->entries) {
      if (key.id == name_id(attribute_key::own_name)) made.name = text(a);
      if (key.id == name_id(attribute_key::domain)) made.domain = text(a);
    }
    return made;
  }
  static bool is_variable(program const& p, value v) { return host::is_variable(p, v); }
  static std::span<value const> tuple_elements(program const& p, value v) {
    op const o = p.defining_op(v);
    if (!o || !p.is(o, opcode::host_tuple)) return {};
    auto const all = p.operands(o);
    return all.first(all.size() - type_operands(p, v).size());
  }
  static std::optional<std::size_t> element_of(program const& p, op o) {
    auto const* i = p.attr_if<integer_attr>(o, "index");
    return i != nullptr && i->value >= 0 ? std::optional(static_cast<std::size_t>(i->value)) : std::nullopt;
  }
  /// The op that an expression is part of, unless it is a statement.
  static std::optional<op> user_of(program const& p, op o) {
    auto const uses = p.uses(p.result(o, 0));
    if (uses.begin() == uses.end() || !p.has_trait((*uses.begin()).user, op_trait::expression)) return std::nullopt;
    return (*uses.begin()).user;
  }
  static bool is_expression(program const& p, op o) { return p.has_trait(o, op_trait::expression); }
  static std::optional<std::int64_t> literal_of(program const& p, value v) { return constant_int(p, v); }
  static bool is_window_type(program const& p, value v) { return is_distributed(p.context(), p.type_of(v)); }
  static std::string_view value_name(program const& p, value v) { return hint(p, v); }
  static location location_of_operand(program const& p, op o, std::size_t i) { return place_of_argument(p, o, i); }

  /// A function whose one statement is a domain, or with an allocation that a slot of a domain is based on, or with a
  /// view that refers to a window. O(ops of the function).
  static bool is_materialised(program const& p, op f) {
    // Slots and types refer to windows, which are declared where the function begins.
    op only = {};
    bool lone = true, declares = false;
    for (op const o : ops(p, body_of(p, f))) {
      if (p.is(o, opcode::host_var)) continue;  // most are that
      declares |= p.is(o, opcode::host_window);
      if (!is_statement(p, o)) continue;
      lone = !only;
      only = o;
      if (!lone) break;
    }
    if (lone && only && p.is(only, opcode::host_comm_domain)) return true;
    if (!declares) return false;
    std::unordered_set<std::uint32_t> bases, allocated;  // asked for membership alone
    bool found = false;
    walk(p, f, [&](op o) {
      if (p.is(o, opcode::host_comm_domain)) {
        for (value const w : slots(p, o))
          if (op const made = p.defining_op(w); made && p.operand_count(made) > 0) {
            bases.insert(p.operand(made, 0).id);
            found |= allocated.contains(p.operand(made, 0).id);
          }
      } else if (p.is(o, opcode::host_assign)) {
        op const call = call_of(p, p.operand(o, 1));
        if (!call) return;
        std::string_view const callee = called_op(p, call);
        if (callee == "pld.tensor.window") found |= is_windowed(p.context(), p.type_of(p.operand(o, 0)));
        if (callee != "pld.tensor.alloc_window_buffer") return;
        allocated.insert(p.operand(o, 0).id);
        found |= bases.contains(p.operand(o, 0).id);
      }
    });
    return found;
  }

 private:
  static dispatch_memory read_entries(program const& p, attribute entries) {
    context const& in = p.context();
    dispatch_memory made{entries};
    if (auto const* symbol = in.get_if<symbol_ref_attr>(in.lookup(entries, attribute_key::callee)))
      if (symbol->nested.empty()) made.callee = symbol->root;
    if (auto const* sizes = in.get_if<dense_array_attr>(in.lookup(entries, attribute_key::segments)); sizes && sizes->values.size() > 1) {
      made.arguments = static_cast<std::size_t>(sizes->values[0]);
      made.metadata = static_cast<std::size_t>(sizes->values[1]);
    }
    made.device = in.lookup(in.lookup(entries, attribute_key::attrs), attribute_key::device);
    return made;
  }
  static device_form<value> device_among(program const& p, attribute data, std::span<value const> metadata) {
    using kind = device_form<value>::kind;
    context const& in = p.context();
    if (!data) return {};
    auto const* i = in.get_if<integer_attr>(data);
    if (i == nullptr || i->of == in.boolean_type()) return {kind::malformed};
    if (in.get_if<index_type>(i->of) == nullptr) return {kind::numbers, i->value, i->value, {}};
    if (i->value < 0 || static_cast<std::size_t>(i->value) >= metadata.size()) return {kind::malformed};
    value const said = metadata[static_cast<std::size_t>(i->value)];
    if (auto const literal = constant_int(p, said)) return {kind::numbers, *literal, *literal, {}};
    return {kind::expression, 0, 0, said};
  }
  static window_role role_of_call(program const& p, op o) {
    // It is inherent, and the walk asks every call.
    attribute const callee = p.context().lookup(p.properties(o), attribute_key::callee);
    auto const* operation = p.context().get_if<string_attr>(callee);
    if (operation == nullptr) return callee ? window_role::dispatch : window_role::other;
    if (operation->text == "pld.tensor.alloc_window_buffer") return window_role::allocation;
    if (operation->text == "pld.tensor.window") return window_role::view;
    return collective_named(operation->text) ? window_role::collective : window_role::other;
  }
};

}  // namespace mpmd::ir::host
