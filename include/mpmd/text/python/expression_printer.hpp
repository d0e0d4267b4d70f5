#pragma once
/// Prints expressions, types and attributes of host programs, with what is still to be printed on a list.

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/ir/host_call_checks.hpp>
#include <mpmd/ir/host_deduce.hpp>
#include <mpmd/ir/host_expressions.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/text/python/language.hpp>
#include <mpmd/text/python/literals.hpp>
#include <mpmd/text/python/printed_names.hpp>

namespace mpmd::text::python {

class expression_printer {
 public:
  expression_printer(ir::program const& p, std::string& out) : p_(p), in_(p.context()), out_(out), names_(p), functions_(p) {}

  printed_names& names() { return names_; }
  ir::host::function_results const& functions() const { return functions_; }

  /// Where calls are printed: what decides about the form of some.
  struct surroundings {
    bool host = false;    ///< in a host function, and not in a scope that runs on a device
    bool domain = false;  ///< inside a communication domain
  };
  void set(surroundings s) { around_ = s; }
  surroundings around() const { return around_; }

  /// An expression; `recorded` has a call at its root say its type.
  void expression(ir::value v, bool recorded = false) {
    recorded_ = recorded ? v : ir::value{};
    todo_.push_back({.what = item::form::expression, .v = v});
    run();
  }
  void type(ir::type t, std::span<ir::value const> holes) {
    todo_.push_back({.what = item::form::type, .t = t, .cursor = new_cursor(holes)});
    run();
  }
  void type_of(ir::value v) { type(p_.type_of(v), ir::host::type_operands(p_, v)); }
  void name(ir::value v) { out_ += names_.of(v); }
  /// A window as the slot of a domain: what it is, in full.
  void descriptor(ir::value window) {
    std::vector<item> list;
    add_descriptor(list, window);
    push(list);
    run();
  }
  /// Names the variables of a function, and finds the windows that its domains describe.
  void enter(ir::op function) {
    names_.enter(function);
    described_.clear();
    ir::walk(p_, function, [this](ir::op o) {
      if (p_.is(o, ir::opcode::host_comm_domain))
        for (ir::value const w : ir::host::slots(p_, o)) described_.insert(w);
    });
  }
  /// `, k=v` for each keyword argument, then `, attrs={...}`.
  void keywords(ir::op o) {
    std::vector<item> list;
    add_keywords(list, o, {});
    push(list);
    run();
  }
  void dictionary(ir::op o, std::string_view which) {
    std::vector<item> list;
    add_dictionary(list, o, which, {});
    push(list);
    run();
  }

 private:
  struct item {
    enum class form : std::uint8_t { text, expression, type } what = form::text;
    bool typed = false;     ///< constants in it say their type
    int level = 0;          ///< operators that bind less tightly need parentheses
    ir::value v = {};
    ir::type t = {};
    std::uint32_t cursor = 0;
    std::string_view s = {};
  };
  struct hole_cursor {
    std::span<ir::value const> holes;
    std::size_t next = 0;
  };
  static constexpr int atom = 15, postfix = 14;

  std::uint32_t new_cursor(std::span<ir::value const> holes) {
    cursors_.push_back({holes});
    return static_cast<std::uint32_t>(cursors_.size() - 1);
  }
  std::string_view keep(std::string s) { return owned_.emplace_back(std::move(s)); }
  void push(std::vector<item> const& list) { todo_.insert(todo_.end(), list.rbegin(), list.rend()); }

  void run() {
    while (!todo_.empty()) {
      item const next = todo_.back();
      todo_.pop_back();
      switch (next.what) {
        case item::form::text: out_ += next.s; break;
        case item::form::expression: print_expression(next); break;
        case item::form::type: print_type(next); break;
      }
    }
    cursors_.clear();
    owned_.clear();
  }

  // --- Expressions ---
  static int level_of(operator_info const& op) { return op.op == operation::none ? atom : precedence(op.op); }

  void print_expression(item const& it) {
    ir::op const o = p_.defining_op(it.v);
    if (!o || ir::host::is_variable(p_, it.v)) {
      out_ += names_.of(it.v);
      return;
    }
    if (p_.is(o, ir::opcode::host_window)) {
      // One that no domain has as a slot is described where it is mentioned first.
      if (described_.insert(it.v).second) {
        std::vector<item> list;
        add_descriptor(list, it.v);
        push(list);
        return;
      }
      out_ += "pl._dump.window_ref(";
      append_quoted(out_, names_.label(it.v));
      out_ += ')';
      return;
    }
    switch (static_cast<ir::opcode>(p_.kind(o).id)) {
      case ir::opcode::host_const: print_constant(it, o); return;
      case ir::opcode::host_binary: case ir::opcode::host_unary: print_operator(it, o); return;
      case ir::opcode::host_tuple: {
        std::vector<item> list{{.s = "["}};
        auto const all = p_.operands(o);
        add_list(list, all.first(all.size() - ir::host::type_operands(p_, it.v).size()));
        list.push_back({.s = "]"});
        push(list);
        return;
      }
      case ir::opcode::host_get: {
        auto const* i = p_.attr_if<ir::integer_attr>(o, "index");
        push({{.what = item::form::expression, .level = postfix, .v = p_.operand(o, 0)},
              {.s = keep("[" + std::to_string(i ? i->value : 0) + "]")}});
        return;
      }
      case ir::opcode::host_subscript: print_subscript(o); return;
      default: print_call(o, it.v); return;
    }
  }

  void add_list(std::vector<item>& list, std::span<ir::value const> values) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != 0) list.push_back({.s = ", "});
      list.push_back({.what = item::form::expression, .v = values[i]});
    }
  }

  void add_descriptor(std::vector<item>& list, ir::value w) {
    ir::op const o = p_.defining_op(w);
    auto flag = [&](std::string_view key) {
      auto const* f = p_.attr_if<ir::integer_attr>(o, key);
      return f != nullptr && f->value != 0 ? "True" : "False";
    };
    std::string text = "pl._dump.window_buffer(";
    append_quoted(text, names_.label(w));
    text += ", base=";
    append_quoted(text, names_.of(p_.operand(o, 0)));
    list.push_back({.s = keep(text + ", size=")});
    if (p_.operand_count(o) > 1) list.push_back({.what = item::form::expression, .v = p_.operand(o, 1)});
    list.push_back({.s = ", load_from_host="});
    list.push_back({.s = flag("load_from_host")});
    list.push_back({.s = ", store_to_host="});
    list.push_back({.s = flag("store_to_host")});
    list.push_back({.s = ")"});
  }

  void print_constant(item const& it, ir::op o) {
    ir::attribute const held = p_.attr(o, "value");
    std::string_view const dtype = ir::host::dtype_name(in_, p_.type_of(it.v));
    std::string text;
    bool typed = it.typed;
    bool negative = false;
    if (auto const* f = in_.get_if<ir::float_attr>(held)) {
      auto const v = std::bit_cast<double>(f->bits);
      typed |= dtype != "FP32";
      negative = std::signbit(v) && std::isfinite(v);
      if (std::isfinite(v)) {
        text = real_text(v);
      } else {
        static constexpr char digits[] = "0123456789abcdef";
        text = "pl._dump.float64(\"";
        for (int shift = 60; shift >= 0; shift -= 4) text += digits[f->bits >> shift & 15];
        text += "\")";
      }
    } else if (auto const* i = in_.get_if<ir::integer_attr>(held)) {
      if (dtype == "BOOL") {
        text = i->value != 0 ? "True" : "False";
      } else {
        text = std::to_string(i->value);
        negative = i->value < 0;
        typed |= dtype != "INDEX";
      }
    }
    if (typed)
      out_.append("pl.const(").append(text).append(", pl.").append(dtype).append(")");
    else if (negative && it.level > precedence(operation::negate))
      out_.append("(").append(text).append(")");
    else
      out_ += text;
  }

  /// Whether an expression is made of operators and constants alone: a reader would fold it, so its constants are printed
  /// with their types. Each op is looked at once.
  bool only_constants(ir::op root) {
    if (auto const known = folds_.find(root.id); known != folds_.end()) return known->second;
    std::vector<std::pair<ir::op, std::uint32_t>> open{{root, 0}};
    while (true) {
      auto& [o, next] = open.back();
      bool const is_operator = p_.is(o, ir::opcode::host_binary) || p_.is(o, ir::opcode::host_unary);
      if (is_operator && next < p_.operand_count(o)) {
        ir::op const part = p_.defining_op(p_.operand(o, next++));
        if (part && !folds_.contains(part.id)) open.emplace_back(part, 0);
        continue;
      }
      bool all = is_operator || p_.is(o, ir::opcode::host_const);
      if (is_operator)
        for (ir::value const v : p_.operands(o)) {
          ir::op const part = p_.defining_op(v);
          all = all && part && folds_.at(part.id);
        }
      folds_.emplace(o.id, all);
      open.pop_back();
      if (open.empty()) return all;
    }
  }

  void print_operator(item const& it, ir::op o) {
    bool const binary = p_.is(o, ir::opcode::host_binary);
    auto const* op = find_operator(ir::host::text_of(p_, o, "kind"), binary);
    if (op == nullptr) return;
    bool const typed = it.typed || only_constants(o);
    auto part = [&](std::uint32_t i, int level) {
      return item{.what = item::form::expression, .typed = typed, .level = level, .v = p_.operand(o, i)};
    };
    std::vector<item> list;
    if (op->op == operation::none) {
      list = {{.s = op->text}, {.s = "("}, part(0, 0)};
      if (binary) {
        list.push_back({.s = ", "});
        list.push_back(part(1, 0));
      } else if (op->kind == "cast") {
        list.push_back({.s = ", pl."});
        list.push_back({.s = ir::host::dtype_name(in_, p_.type_of(it.v))});
      }
      list.push_back({.s = ")"});
      push(list);
      return;
    }
    int const level = level_of(*op);
    bool const wrapped = level < it.level;
    if (wrapped) list.push_back({.s = "("});
    if (!binary) {
      list.push_back({.s = op->text});
      list.push_back(part(0, level));
    } else {
      // Operators of one level go from left to right, powers from right to left; comparisons would chain.
      bool const power = op->op == operation::power;
      list.push_back(part(0, power ? postfix : is_comparison(op->op) ? level + 1 : level));
      list.push_back({.s = " "});
      list.push_back({.s = op->text});
      list.push_back({.s = " "});
      // A negative number needs no parentheses as an exponent.
      bool const number = power && p_.is(p_.defining_op(p_.operand(o, 1)), ir::opcode::host_const);
      list.push_back(part(1, number ? 0 : power ? level : level + 1));
    }
    if (wrapped) list.push_back({.s = ")"});
    push(list);
  }

  void print_subscript(ir::op o) {
    std::vector<item> list{{.what = item::form::expression, .level = postfix, .v = p_.operand(o, 0)}, {.s = "["}};
    std::uint32_t next = 1;
    auto part = [&] {
      if (next < p_.operand_count(o)) list.push_back({.what = item::form::expression, .v = p_.operand(o, next++)});
    };
    // `abc:` holds the bounds that are there; the colons stand between them.
    bool slice_open = false;
    for (char const c : ir::host::text_of(p_, o, "form")) {
      if (c == ',') {
        list.push_back({.s = ", "});
        slice_open = false;
      } else if (c == 'i') {
        part();
      } else if (c == 'a') {
        part();
        list.push_back({.s = ":"});
        slice_open = true;
      } else if (c == 'b' || c == 'c') {
        if (!slice_open) list.push_back({.s = ":"});
        slice_open = true;
        if (c == 'c') list.push_back({.s = ":"});
        part();
      } else if (c == ':' && !slice_open) {
        list.push_back({.s = ":"});
      }
    }
    list.push_back({.s = "]"});
    push(list);
  }

  // --- Calls: detail/call_printer.hpp ---
  void print_call(ir::op o, ir::value v);
  bool needs_recorded_type(ir::op o, ir::value v);
  bool keywords_are_names(ir::op o) const;
  bool is_dispatch_keyword(ir::op o) const;
  void add_keywords(std::vector<item>& list, ir::op o, std::string_view without);
  void add_dictionary(std::vector<item>& list, ir::op o, std::string_view which, std::string_view without);
  void add_data(std::vector<item>& list, ir::op o, ir::attribute data, char quote);
  void add_value(std::vector<item>& list, ir::value v);

  // --- Types: detail/type_printer.hpp ---
  void print_type(item const& it);
  void add_extents(std::vector<item>& list, std::vector<std::int64_t> const& extents, std::uint32_t cursor);
  ir::value next_hole(std::uint32_t cursor) {
    auto& c = cursors_[cursor];
    return c.next < c.holes.size() ? c.holes[c.next++] : ir::value{};
  }

  ir::program const& p_;
  ir::context& in_;
  std::string& out_;
  printed_names names_;
  ir::host::function_results functions_;
  surroundings around_;
  ir::value recorded_ = {};
  std::vector<item> todo_;
  std::vector<hole_cursor> cursors_;
  std::deque<std::string> owned_;
  std::unordered_map<std::uint32_t, bool> folds_;
  std::unordered_set<ir::value> described_;  ///< the windows of the function whose descriptors are in the text
};

}  // namespace mpmd::text::python

#include <mpmd/text/python/detail/call_printer.hpp>
#include <mpmd/text/python/detail/type_printer.hpp>
