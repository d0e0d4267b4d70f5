#pragma once
/// How to read the ops of a host program (docs/host_programs.md says what they mean).

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/host_types.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir::host {

// --- Operands ------------------------------------------------------------------------------------------------------

/// One group of the operands of an op that has several, as its `segments` count them. Empty where there is none.
inline std::span<value const> segment(program const& p, op o, std::size_t which) {
  auto const* counts = p.attr_if<dense_array_attr>(o, attribute_key::segments);
  if (counts == nullptr || which >= counts->values.size()) return {};
  std::size_t from = 0;
  for (std::size_t i = 0; i < which; ++i) from += static_cast<std::size_t>(counts->values[i]);
  auto const all = p.operands(o);
  auto const count = static_cast<std::size_t>(counts->values[which]);
  return from + count <= all.size() ? all.subspan(from, count) : std::span<value const>{};
}

/// The expressions and windows that the type of a value refers to: the last operands of the op that defines it.
inline std::span<value const> type_operands(program const& p, value v) {
  op const o = p.defining_op(v);
  if (!o) return {};
  auto const n = holes(p.context(), p.type_of(v));
  auto const all = p.operands(o);
  return n <= all.size() ? all.subspan(all.size() - n) : std::span<value const>{};
}

/// The window buffer that the type of a value refers to, or none.
inline value window_of(program const& p, value v) {
  if (!is_windowed(p.context(), p.type_of(v))) return {};
  auto const refers = type_operands(p, v);
  return refers.empty() ? value{} : refers.back();
}

// --- Variables -----------------------------------------------------------------------------------------------------

/// A variable is the result of a host.var, host.param or host.dim; every mention of it is a use of that value.
inline bool is_variable(program const& p, value v) {
  op const o = p.defining_op(v);
  return o && (p.is(o, opcode::host_var) || p.is(o, opcode::host_param) || p.is(o, opcode::host_dim));
}
/// A variable that a loop carries from one iteration to the next.
inline bool is_iter_arg(program const& p, value v) {
  op const o = p.defining_op(v);
  return o && p.is(o, opcode::host_var) && p.attr(o, "iter");
}
inline bool is_window(program const& p, value v) {
  op const o = p.defining_op(v);
  return o && p.is(o, opcode::host_window);
}
/// What a variable is called in the source; a window is called like its base.
inline std::string_view hint(program const& p, value v) {
  op const o = p.defining_op(v);
  if (!o) return {};
  if (p.is(o, opcode::host_window)) return p.operand_count(o) ? hint(p, p.operand(o, 0)) : std::string_view{};
  auto const* s = p.attr_if<string_attr>(o, attribute_key::hint);
  return s ? std::string_view(s->text) : std::string_view{};
}

// --- Expressions ---------------------------------------------------------------------------------------------------

/// The integer that a host.const of integer type holds.
inline std::optional<std::int64_t> constant_int(program const& p, value v) {
  op const o = p.defining_op(v);
  if (!o || !p.is(o, opcode::host_const)) return std::nullopt;
  auto const* i = p.context().get_if<integer_attr>(p.context().lookup(p.properties(o), attribute_key::own_value));
  if (i == nullptr || i->of == p.context().boolean_type()) return std::nullopt;
  return i->value;
}

/// The call that defines a value, or none.
inline op call_of(program const& p, value v) {
  op const o = p.defining_op(v);
  return o && p.is(o, opcode::host_call) ? o : op{};
}
/// The registered operation that is called ("pld.tensor.window"), or nothing when a function of the program is.
inline std::string_view called_op(program const& p, op call) {
  auto const* s = p.attr_if<string_attr>(call, attribute_key::callee);
  return s ? std::string_view(s->text) : std::string_view{};
}
/// The function of the program that is called, or nothing when a registered operation is.
inline std::string_view called_function(program const& p, op call) {
  auto const* s = p.attr_if<symbol_ref_attr>(call, attribute_key::callee);
  return s ? std::string_view(s->root) : std::string_view{};
}
inline std::span<value const> arguments(program const& p, op call) { return segment(p, call, 0); }

// --- Keyword arguments and attributes ------------------------------------------------------------------------------

/// An entry of `kwargs` or `attrs`: plain data, or one expression. Neither: there is no such entry.
struct entry {
  attribute data = {};
  value expression = {};
  explicit operator bool() const { return data || expression; }
};

/// Within the data of an entry, `n : index` stands for the n-th operand of the op's group of metadata.
inline std::optional<std::size_t> operand_number(context const& in, attribute a) {
  auto const* i = in.get_if<integer_attr>(a);
  if (i == nullptr || i->value < 0 || !in.get_if<index_type>(i->of)) return std::nullopt;
  return static_cast<std::size_t>(i->value);
}

/// The group of operands that hold the expressions of kwargs and attrs, or none for an op without metadata.
inline std::span<value const> metadata_operands(program const& p, op o) {
  if (p.is(o, opcode::host_call) || p.is(o, opcode::host_scope) || p.is(o, opcode::host_comm_domain))
    return segment(p, o, 1);
  return p.is(o, opcode::host_for) ? segment(p, o, 4) : std::span<value const>{};
}

/// One entry of `list`, which is "kwargs" or "attrs".
template <class List, class Key>
entry find_entry(program const& p, op o, List const& list, Key const& key) {
  attribute const data = p.context().lookup(p.attr(o, list), key);
  auto const n = operand_number(p.context(), data);
  if (!n) return {data, {}};
  auto const held = metadata_operands(p, o);
  return *n < held.size() ? entry{{}, held[*n]} : entry{};
}

/// Keyword arguments or attributes on their own, in the order they are written. `n : index` inside `data` stands for
/// operands[n].
struct metadata {
  std::vector<std::pair<std::string, attribute>> entries = {};
  std::vector<value> operands = {};

  bool empty() const { return entries.empty(); }
  /// Replaces the entry of this key, or adds it at the end.
  void set(std::string_view key, attribute data) {
    for (auto& e : entries)
      if (e.first == key) {
        e.second = data;
        return;
      }
    entries.emplace_back(std::string(key), data);
  }
  void set(context& in, std::string_view key, value expression) {
    set(key, in.get(integer_attr{static_cast<std::int64_t>(operands.size()), in.get(index_type{})}));
    operands.push_back(expression);
  }
};

/// The names of the entries of a list, in the order they are written.
inline std::vector<std::string> entry_order(program const& p, op o, std::string_view list) {
  context const& in = p.context();
  std::vector<std::string> names;
  auto const* held = in.get_if<dictionary_attr>(p.attr(o, list));
  if (held == nullptr) return names;
  auto const* written = in.get_if<array_attr>(in.lookup(p.attr(o, "order"), list));
  if (written != nullptr && written->elements.size() == held->entries.size())
    for (attribute const a : written->elements)
      if (auto const* s = in.get_if<string_attr>(a); s != nullptr && in.lookup(p.attr(o, list), s->text))
        names.push_back(s->text);
  if (names.size() == held->entries.size()) return names;
  names.clear();
  for (auto const& e : held->entries) names.emplace_back(in.text(e.first));
  return names;
}

/// A copy of a list with all operands of the op's metadata, for editing and for set_metadata.
inline metadata metadata_of(program const& p, op o, std::string_view list) {
  metadata m;
  auto const held = metadata_operands(p, o);
  m.operands.assign(held.begin(), held.end());
  for (auto& key : entry_order(p, o, list)) {
    attribute const data = p.context().lookup(p.attr(o, list), key);
    m.entries.emplace_back(std::move(key), data);
  }
  return m;
}

// --- Statements ----------------------------------------------------------------------------------------------------

/// The parts of a host.for.
struct for_parts {
  value start, stop, step, variable;
  std::span<value const> carried;   ///< the iteration variables
  std::span<value const> initial;   ///< what they are at first, one for one
  std::span<value const> results;   ///< variables that hold what the last iteration yielded
};
inline for_parts parts_of_for(program const& p, op loop) {
  auto const bounds = segment(p, loop, 0);
  return {bounds[0], bounds[1], bounds[2], bounds[3], segment(p, loop, 1), segment(p, loop, 2), segment(p, loop, 3)};
}
/// "range", "parallel", "unroll" or "pipeline".
inline std::string_view loop_kind(program const& p, op loop) {
  auto const* s = p.attr_if<string_attr>(loop, attribute_key::kind);
  return s ? std::string_view(s->text) : std::string_view("range");
}

/// The same of a host.while: carried, initial, results. Its first region computes the condition.
struct while_parts {
  std::span<value const> carried, initial, results;
};
inline while_parts parts_of_while(program const& p, op loop) {
  return {segment(p, loop, 0), segment(p, loop, 1), segment(p, loop, 2)};
}

/// The windows of a host.comm_domain.
inline std::span<value const> slots(program const& p, op domain) { return segment(p, domain, 0); }
/// The numbers in runs of consecutive ones, which are given by the first and the last of each.
class device_list {
 public:
  struct iterator {
    using iterator_category = std::forward_iterator_tag;
    using value_type = std::int64_t;
    using difference_type = std::ptrdiff_t;
    using pointer = std::int64_t const*;
    using reference = std::int64_t;
    std::int64_t const* run = nullptr;
    std::int64_t const* end = nullptr;
    std::int64_t now = 0;
    std::int64_t operator*() const { return now; }
    iterator& operator++() {
      if (now < run[1]) {
        ++now;
      } else {
        run += 2;
        now = run == end ? 0 : *run;
      }
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(iterator const& a, iterator const& b) { return a.run == b.run && a.now == b.now; }
  };
  explicit device_list(std::span<std::int64_t const> ends) : ends_(ends.first(ends.size() / 2 * 2)) {}
  iterator begin() const {
    auto const* const from = ends_.data();
    return {from, from + ends_.size(), ends_.empty() ? 0 : *from};
  }
  iterator end() const { return {ends_.data() + ends_.size(), ends_.data() + ends_.size(), 0}; }
  bool empty() const { return ends_.empty(); }

 private:
  std::span<std::int64_t const> ends_;
};

/// Its devices, as the ends of runs; none means all.
inline std::span<std::int64_t const> device_runs(program const& p, op domain) {
  auto const* d = p.attr_if<dense_array_attr>(domain, "device_runs");
  return d ? std::span<std::int64_t const>(d->values) : std::span<std::int64_t const>{};
}
/// The same one by one.
inline device_list devices(program const& p, op domain) { return device_list(device_runs(p, domain)); }
template <class Key>
std::string_view text_of(program const& p, op o, Key const& key) {
  auto const* s = p.attr_if<string_attr>(o, key);
  return s ? std::string_view(s->text) : std::string_view{};
}
inline std::string_view domain_name(program const& p, op domain) { return text_of(p, domain, attribute_key::own_name); }

/// The one block of a region of an op, or none.
inline block body_of(program const& p, op o, std::size_t region = 0) {
  auto const all = p.regions(o);
  return region < all.size() ? p.first_block(all[region]) : block{};
}
/// Expressions and declarations are no statements; they stand between them.
inline bool is_statement(program const& p, op o) {
  return !p.has_trait(o, op_trait::expression) && !p.has_trait(o, op_trait::declaration) &&
         !p.is(o, opcode::host_param) && !p.is(o, opcode::host_returns) && !p.is(o, opcode::host_condition);
}

// --- Functions -----------------------------------------------------------------------------------------------------

inline std::string_view function_name(program const& p, op f) { return text_of(p, f, "sym_name"); }
inline std::string_view function_type_of(program const& p, op f) {
  auto const t = text_of(p, f, "func_type");
  return t.empty() ? std::string_view("Opaque") : t;
}
inline std::string_view level(program const& p, op f) { return text_of(p, f, "level"); }
inline std::string_view role(program const& p, op f) { return text_of(p, f, "role"); }
/// Runs on the host and sends work to chips.
inline bool is_host_orchestrator(program const& p, op f) {
  return level(p, f) == "HOST" && (function_type_of(p, f) == "Orchestration" || role(p, f) == "Orchestrator");
}
/// What a host orchestrator sends work to.
inline bool is_chip_orchestrator(program const& p, op f) {
  auto const kind = function_type_of(p, f);
  return level(p, f) == "CHIP" && kind != "Graph" && (kind == "Orchestration" || role(p, f) == "Orchestrator");
}
/// The functions of a program, in the order they stand. O(ops of the module).
inline std::vector<op> functions(program const& p) {
  std::vector<op> found;
  for (op o = p.first_op(p.body()); o; o = p.next_op(o))
    if (p.is(o, opcode::host_func)) found.push_back(o);
  return found;
}
/// The parameters of a function. O(ops of its block).
inline std::vector<value> parameters(program const& p, op f) {
  std::vector<value> found;
  for (op o = p.first_op(body_of(p, f)); o; o = p.next_op(o))
    if (p.is(o, opcode::host_param)) found.push_back(p.result(o, 0));
  return found;
}

}  // namespace mpmd::ir::host
