#pragma once
/// Expressions of the Python syntax, by operator precedence, with what is open kept on a list and not on the stack.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/text/python/lexer.hpp>
#include <mpmd/text/python/syntax.hpp>

namespace mpmd::text::python {

/// How tightly an operator binds; the larger the tighter.
constexpr int precedence(operation op) {
  using enum operation;
  switch (op) {
    case none: return 0;
    case logical_or: return 1;
    case logical_and: return 3;
    case logical_not: return 4;
    case equal: case different: case less: case at_most: case greater: case at_least: return 5;
    case bit_or: return 6;
    case bit_xor: return 7;
    case bit_and: return 8;
    case shift_left: case shift_right: return 9;
    case add: case subtract: return 10;
    case multiply: case divide: case floor_divide: case modulo: return 11;
    case negate: case plus: case invert: return 12;
    case power: return 13;
  }
  return 0;
}
constexpr bool is_comparison(operation op) { return precedence(op) == precedence(operation::equal); }

/// The binary operator of this spelling, or none.
constexpr operation binary_operation(std::string_view text) {
  using enum operation;
  struct spelled {
    std::string_view text;
    operation op;
  };
  constexpr spelled all[] = {
      {"or", logical_or}, {"and", logical_and}, {"==", equal},         {"!=", different}, {"<", less},
      {"<=", at_most},    {">", greater},       {">=", at_least},      {"|", bit_or},     {"^", bit_xor},
      {"&", bit_and},     {"<<", shift_left},   {">>", shift_right},   {"+", add},        {"-", subtract},
      {"*", multiply},    {"/", divide},        {"//", floor_divide},  {"%", modulo},     {"**", power}};
  for (auto const& s : all)
    if (s.text == text) return s.op;
  return none;
}

class expression_parser {
 public:
  expression_parser(syntax_tree& tree, reporter& to) : tree_(tree), to_(to) {}

  /// Reads one expression from token `at` on, which is moved behind it. `a, b` without parentheses is read as a tuple
  /// if allowed. None when there is a fault, of which the functions below tell.
  node parse(std::size_t& at, bool tuple_allowed) {
    at_ = &at;
    stack_.clear();
    values_.clear();
    open(entry_kind::top, at);
    stack_.back().tuple_allowed = tuple_allowed;
    bool operand = true;
    while (true) {
      step const next = operand ? read_operand() : read_operator();
      if (next == step::fault) return {};
      if (next == step::done) break;
      operand = next == step::operand;
    }
    return values_.back();
  }

  std::size_t fault() const { return fault_; }
  std::string& message() { return message_; }
  std::string& hint() { return hint_; }

 private:
  enum class step { operand, after_operand, done, fault };
  enum class entry_kind : std::uint8_t { top, group, list, dict, call, subscript, prefix, infix, keyword };
  struct entry {
    entry_kind kind;
    operation op = operation::none;
    bool comma = false;          // a group with one is a tuple
    bool tuple_allowed = false;  // of the top
    std::uint32_t token = 0;
    std::uint32_t base = 0;   // how many values lie below
    std::uint32_t parts = 0;  // of a slice being read: how many colons
    std::uint32_t since = 0;  // how many values there were behind the last separator
  };

  std::string_view text() const { return to_.text(tree_.tokens[*at_]); }
  token_kind kind() const { return tree_.tokens[*at_].kind; }
  std::uint32_t here() const { return static_cast<std::uint32_t>(*at_); }
  step fail(std::string message, std::string hint = {}) {
    fault_ = tree_.tokens[*at_].offset;
    message_ = std::move(message);
    hint_ = std::move(hint);
    return step::fault;
  }
  std::string found() const { return to_.found(tree_.tokens[*at_]); }

  void open(entry_kind kind, std::size_t token) {
    auto const n = static_cast<std::uint32_t>(values_.size());
    stack_.push_back({.kind = kind, .token = static_cast<std::uint32_t>(token), .base = n, .since = n});
  }
  void push_atom(node_kind kind) { values_.push_back(tree_.add({.kind = kind, .token = here()}, {})); }
  static bool is_frame(entry_kind k) { return k < entry_kind::prefix; }
  entry& frame() {
    std::size_t i = stack_.size();
    while (!is_frame(stack_[i - 1].kind)) --i;
    return stack_[i - 1];
  }

  step read_operand() {
    std::string_view const t = text();
    switch (kind()) {
      case token_kind::integer: push_atom(node_kind::integer); break;
      case token_kind::real: push_atom(node_kind::real); break;
      case token_kind::string: {
        std::uint32_t const first = here();
        std::vector<node> further;
        while (tree_.tokens[*at_ + 1].kind == token_kind::string) {
          ++*at_;
          further.push_back(tree_.add({.kind = node_kind::string, .token = here()}, {}));
        }
        values_.push_back(tree_.add({.kind = node_kind::string, .token = first}, further));
        break;
      }
      case token_kind::name:
        if (stack_.back().kind == entry_kind::call && next_is("=")) {
          stack_.push_back({.kind = entry_kind::keyword, .token = here()});
          *at_ += 2;
          return step::operand;
        }
        push_atom(node_kind::name);
        break;
      case token_kind::keyword:
        if (t == "True" || t == "False") {
          push_atom(node_kind::boolean);
        } else if (t == "None") {
          push_atom(node_kind::nothing);
        } else if (t == "not") {
          return prefix(operation::logical_not);
        } else if (t == "lambda" || t == "yield" || t == "await") {
          return fail("'" + std::string(t) + "' cannot be read here: this is the text of a program, it is not run");
        } else {
          return fail("expected an expression, found " + found());
        }
        break;
      case token_kind::symbol:
        if (t == "-") return prefix(operation::negate);
        if (t == "+") return prefix(operation::plus);
        if (t == "~") return prefix(operation::invert);
        if (t == "(" || t == "[" || t == "{") {
          open(t == "(" ? entry_kind::group : t == "[" ? entry_kind::list : entry_kind::dict, *at_);
          ++*at_;
          return step::operand;
        }
        if (t == ")" || t == "]" || t == "}") return close_empty();
        if (t == "...") {
          push_atom(node_kind::ellipsis);
          break;
        }
        if (t == ":" && stack_.back().kind == entry_kind::subscript) return colon();
        if (t == "," && stack_.back().kind == entry_kind::subscript && stack_.back().parts > 0) return comma();
        if (entry& f = stack_.back(); t == "**" && f.kind == entry_kind::dict && (values_.size() - f.base) % 2 == 0) {
          push_atom(node_kind::absent);  // no key
          f.since = static_cast<std::uint32_t>(values_.size());
          ++*at_;
          return step::operand;
        }
        if (t == "*" || t == "**") return fail("'*' in front of an argument cannot be read: list the arguments");
        return fail("expected an expression, found " + found());
      default:
        if (stack_.back().kind == entry_kind::top && stack_.back().comma) return finish_top();  // a comma at the end
        return fail("expected an expression, found " + found());
    }
    ++*at_;
    return step::after_operand;
  }
  bool next_is(std::string_view symbol) const {
    auto const& next = tree_.tokens[*at_ + 1];
    return next.kind == token_kind::symbol && to_.text(next) == symbol;
  }
  step prefix(operation op) {
    stack_.push_back({.kind = entry_kind::prefix, .op = op, .token = here()});
    ++*at_;
    return step::operand;
  }

  step read_operator() {
    std::string_view const t = text();
    if (kind() == token_kind::symbol || kind() == token_kind::keyword) {
      if (t == "(" || t == "[") {
        // It binds to the operand alone, whatever operators wait in front of it.
        open(t == "(" ? entry_kind::call : entry_kind::subscript, *at_);
        --stack_.back().base;
        ++*at_;
        return step::operand;
      }
      if (t == ".") {
        ++*at_;
        if (kind() != token_kind::name) return fail("expected a name behind '.', found " + found());
        node const base = values_.back();
        values_.back() = tree_.add({.kind = node_kind::attribute, .token = here()}, std::span(&base, 1));
        ++*at_;
        return step::after_operand;
      }
      if (operation const op = binary_operation(t); op != operation::none) return infix(op);
      if (t == "if" || t == "in" || t == "is" || t == "not" || t == "for") {
        bool const in_expression = stack_.size() > 1 || t == "if";
        if (t != "in" && t != "for" && in_expression)
          return fail("'" + std::string(t) + "' inside an expression cannot be read",
                      t == "if" ? "write an if statement whose branches end with pl.yield_(...)" : "");
        if (in_expression) return fail("'" + std::string(t) + "' inside an expression cannot be read");
      }
      if (t == ",") return comma();
      if (t == ":" && frame_kind() == entry_kind::subscript) return colon();
      if (t == ":" && frame_kind() == entry_kind::dict) {
        reduce(0);
        entry& f = frame();
        if ((values_.size() - f.base) % 2 == 0) return fail("expected ',' or '}', found ':'");
        f.since = static_cast<std::uint32_t>(values_.size());
        ++*at_;
        return step::operand;
      }
      if (t == ")" || t == "]" || t == "}") return close();
    }
    if (frame_kind() == entry_kind::top) return finish_top();
    char const opened = to_.text()[tree_.tokens[frame().token].offset];
    std::string const closer(1, opened == '(' ? ')' : opened == '[' ? ']' : '}');
    return fail("expected ',' or '" + closer + "', found " + found());
  }
  entry_kind frame_kind() { return frame().kind; }

  step infix(operation op) {
    // A power binds its left operand tighter and its right operand less tight than a sign does.
    bool const right = op == operation::power;
    reduce(right ? precedence(op) + 1 : precedence(op));
    if (is_comparison(op) && !values_.empty()) {
      auto const& left = tree_[values_.back()];
      if (left.kind == node_kind::binary && is_comparison(left.op) && !left.grouped)
        return fail("comparisons cannot be chained", "write 'a < b and b < c'");
    }
    stack_.push_back({.kind = entry_kind::infix, .op = op, .token = here()});
    ++*at_;
    return step::operand;
  }

  /// Completes waiting operators that bind at least as tight as `level`; of keywords, all when `level` is 0.
  void reduce(int level) {
    while (true) {
      entry const top = stack_.back();
      if (top.kind == entry_kind::infix && precedence(top.op) >= level) {
        node const parts[] = {values_[values_.size() - 2], values_.back()};
        values_.pop_back();
        values_.back() = tree_.add({.kind = node_kind::binary, .op = top.op, .token = top.token}, parts);
      } else if (top.kind == entry_kind::prefix && precedence(top.op) >= level) {
        node const part = values_.back();
        values_.back() = tree_.add({.kind = node_kind::unary, .op = top.op, .token = top.token}, std::span(&part, 1));
      } else if (top.kind == entry_kind::keyword && level == 0) {
        node const part = values_.back();
        values_.back() = tree_.add({.kind = node_kind::keyword, .token = top.token}, std::span(&part, 1));
      } else {
        return;
      }
      stack_.pop_back();
    }
  }

  step comma() {
    reduce(0);
    entry& f = stack_.back();
    if (f.kind == entry_kind::top && !f.tuple_allowed) return finish_top();
    if (f.kind == entry_kind::subscript) end_slice(f);
    if (f.kind == entry_kind::dict && (values_.size() - f.base) % 2 != 0)
      return fail("expected ':' and a value, found ','");
    f.comma = true;
    f.since = static_cast<std::uint32_t>(values_.size());
    ++*at_;
    return step::operand;
  }
  step colon() {
    reduce(0);
    entry& f = stack_.back();
    if (f.parts == 2) return fail("a slice has at most three parts");
    if (values_.size() == f.since) push_atom(node_kind::absent);
    ++f.parts;
    f.since = static_cast<std::uint32_t>(values_.size());
    ++*at_;
    return step::operand;
  }
  void end_slice(entry& f) {
    if (f.parts == 0) return;
    if (values_.size() == f.since) push_atom(node_kind::absent);
    if (f.parts == 1) push_atom(node_kind::absent);
    node const made = tree_.add({.kind = node_kind::slice, .token = f.token}, std::span(values_).last(3));
    values_.resize(values_.size() - 3);
    values_.push_back(made);
    f.parts = 0;
  }

  /// A closing bracket where an operand could stand: empty brackets, or behind a comma.
  step close_empty() {
    entry const& f = stack_.back();
    bool const slice_open = f.kind == entry_kind::subscript && f.parts > 0;
    bool const callee_only = f.kind == entry_kind::subscript && values_.size() == f.base + 1u;
    bool const half_entry = f.kind == entry_kind::dict && (values_.size() - f.base) % 2 != 0;
    if (!is_frame(f.kind) || f.kind == entry_kind::top || half_entry || (callee_only && !slice_open))
      return fail("expected an expression, found " + found());
    return close();
  }
  step close() {
    reduce(0);
    entry& f = stack_.back();
    std::string_view const t = text();
    if (f.kind == entry_kind::top) return finish_top();
    char const opened = to_.text()[tree_.tokens[f.token].offset];
    char const closer = opened == '(' ? ')' : opened == '[' ? ']' : '}';
    if (t[0] != closer) return fail(std::string("expected '") + closer + "', found " + found());
    if (f.kind == entry_kind::dict && (values_.size() - f.base) % 2 != 0)
      return fail("expected ':' and a value, found '}'");
    if (f.kind == entry_kind::subscript) end_slice(f);
    auto const parts = std::span(values_).subspan(f.base);
    node made;
    switch (f.kind) {
      case entry_kind::group:
        if (f.comma || parts.empty()) {
          made = tree_.add({.kind = node_kind::tuple, .grouped = true, .token = f.token}, parts);
        } else {
          made = parts[0];
          tree_[made].grouped = true;
        }
        break;
      case entry_kind::list: made = tree_.add({.kind = node_kind::list, .token = f.token}, parts); break;
      case entry_kind::dict: made = tree_.add({.kind = node_kind::dict, .token = f.token}, parts); break;
      case entry_kind::call: made = tree_.add({.kind = node_kind::call, .token = f.token}, parts); break;
      default: made = tree_.add({.kind = node_kind::subscript, .token = f.token}, parts);
    }
    values_.resize(f.base);
    values_.push_back(made);
    stack_.pop_back();
    ++*at_;
    return step::after_operand;
  }
  step finish_top() {
    reduce(0);
    entry const& f = stack_.back();
    if (f.comma) {
      node const made = tree_.add({.kind = node_kind::tuple, .token = f.token}, values_);
      values_.assign(1, made);
    }
    return step::done;
  }

  syntax_tree& tree_;
  reporter& to_;
  std::size_t* at_ = nullptr;
  std::vector<entry> stack_;
  std::vector<node> values_;
  std::size_t fault_ = 0;
  std::string message_, hint_;
};

}  // namespace mpmd::text::python
