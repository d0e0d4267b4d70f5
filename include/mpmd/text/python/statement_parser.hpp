#pragma once
/// Statements of the Python syntax. A line that cannot be read is reported and left out, and the next one is read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/text/python/expression_parser.hpp>
#include <mpmd/text/python/lexer.hpp>
#include <mpmd/text/python/syntax.hpp>

namespace mpmd::text::python {

class statement_parser {
 public:
  statement_parser(syntax_tree& tree, reporter& to) : tree_(tree), to_(to), expressions_(tree, to) {}

  void run() {
    while (kind() != token_kind::end && !to_.full()) {
      if (kind() == token_kind::newline) {
        ++at_;
      } else if (kind() == token_kind::indent) {
        if (!to_.any_between(tree_.tokens[at_].offset, tree_.tokens[at_].offset + tree_.tokens[at_].length + 1))
          to_.error(tree_.tokens[at_ + 1].offset, "unexpected indentation");
        ++at_;
        open_.push_back(open_.empty() ? statement{} : open_.back());
        function_starts_.push_back(false);
      } else if (kind() == token_kind::dedent) {
        ++at_;
        leave();
      } else {
        line();
      }
    }
    while (!open_.empty()) leave();
  }

 private:
  token_kind kind() const { return tree_.tokens[at_].kind; }
  std::string_view text() const { return to_.text(tree_.tokens[at_]); }
  std::uint32_t here() const { return static_cast<std::uint32_t>(at_); }
  bool is(std::string_view symbol) const {
    return (kind() == token_kind::symbol || kind() == token_kind::keyword) && text() == symbol;
  }
  bool take(std::string_view symbol) {
    if (!is(symbol)) return false;
    ++at_;
    return true;
  }
  std::string found() const { return to_.found(tree_.tokens[at_]); }

  void leave() {
    if (open_.empty()) return;
    if (function_starts_.back() && open_.back()) tree_[open_.back()].end_node = {tree_.node_count()};
    open_.pop_back();
    function_starts_.pop_back();
  }
  void place(statement s) {
    if (open_.empty() || !open_.back())
      tree_.top.push_back(s);
    else
      tree_[open_.back()].body.push_back(s);
  }

  bool fail(std::string message, std::string hint = {}) {
    fault_ = tree_.tokens[at_].offset;
    message_ = std::move(message);
    hint_ = std::move(hint);
    return false;
  }
  bool expect(std::string_view symbol) {
    return take(symbol) || fail("expected '" + std::string(symbol) + "', found " + found());
  }
  bool expression(node& into, bool tuple_allowed) {
    into = expressions_.parse(at_, tuple_allowed);
    if (into) return true;
    fault_ = expressions_.fault();
    message_ = std::move(expressions_.message());
    hint_ = std::move(expressions_.hint());
    return false;
  }

  /// One logical line, and with a header the statements behind its colon.
  void line() {
    std::size_t const first = at_;
    statement made;
    bool const good = compound(made);
    if (good) return;
    std::size_t const begin = tree_.tokens[first].offset;
    while (kind() != token_kind::newline && kind() != token_kind::end) ++at_;
    if (!to_.any_between(begin, tree_.tokens[at_].offset + 1u)) to_.error(fault_, message_, hint_);
    decorators_.clear();
    // A name that was to be assigned is known all the same, so that its uses are no errors.
    if (tree_.tokens[first].kind == token_kind::name && tree_.tokens[first + 1].kind == token_kind::symbol &&
        (to_.text(tree_.tokens[first + 1]) == "=" || to_.text(tree_.tokens[first + 1]) == ":")) {
      auto const token = static_cast<std::uint32_t>(first);
      node const target = tree_.add({.kind = node_kind::name, .token = token}, {});
      place(tree_.add(syntax_tree::statement_data{.kind = statement_kind::assign, .token = token, .target = target}));
    }
    // What is indented below a faulty header is read for its own faults and goes nowhere.
    if (kind() == token_kind::newline && tree_.tokens[at_ + 1].kind == token_kind::indent) {
      at_ += 2;
      open_.push_back(tree_.add(syntax_tree::statement_data{}));
      function_starts_.push_back(false);
    }
  }

  bool compound(statement& made) {
    syntax_tree::statement_data s{.token = here()};
    if (take("@")) {
      node decorator;
      if (!expression(decorator, false)) return false;
      decorators_.push_back(decorator);
      return end_of_line();
    }
    if (!decorators_.empty() && !is("def") && !is("class"))
      return fail("a decorator stands in front of a function or a class");
    bool header = true;
    s.first_node = {tree_.node_count()};
    if (take("class")) {
      s.kind = statement_kind::class_;
      s.decorators = std::exchange(decorators_, {});
      if (!name(s)) return false;
      if (take("(")) {
        if (!take(")")) return fail("a program has no base class");
      }
    } else if (take("def")) {
      s.kind = statement_kind::function;
      s.decorators = std::exchange(decorators_, {});
      if (!name(s) || !parameters(s)) return false;
      if (take("->") && !expression(s.annotation, false)) return false;
    } else if (is("if") || is("elif") || is("while")) {
      s.kind = is("if") ? statement_kind::if_ : is("elif") ? statement_kind::elif_ : statement_kind::while_;
      ++at_;
      if (!expression(s.value, false)) return false;
    } else if (take("else")) {
      s.kind = statement_kind::else_;
    } else if (take("for")) {
      s.kind = statement_kind::for_;
      if (!expression(s.target, true) || !expect("in") || !expression(s.value, false)) return false;
    } else if (take("with")) {
      s.kind = statement_kind::with_;
      if (!items(s)) return false;
    } else {
      header = false;
    }
    if (!header) return simple_statements();
    if (!expect(":")) return false;
    bool const is_function = s.kind == statement_kind::function;
    made = tree_.add(std::move(s));
    place(made);
    if (kind() != token_kind::newline) {
      open_.push_back(made);
      function_starts_.push_back(is_function);
      bool const good = simple_statements();
      leave();
      return good;
    }
    ++at_;
    while (kind() == token_kind::newline) ++at_;
    if (kind() != token_kind::indent) {
      to_.error(tree_.tokens[tree_[made].token].offset, "expected an indented block below this line",
                "an empty block is written as 'pass'");
      tree_[made].end_node = {tree_.node_count()};
      return true;
    }
    ++at_;
    open_.push_back(made);
    function_starts_.push_back(is_function);
    return true;
  }

  bool name(syntax_tree::statement_data& s) {
    if (kind() != token_kind::name) return fail("expected a name, found " + found());
    s.name = here();
    ++at_;
    return true;
  }

  /// `(self, a: T, b)`: a tuple of names, and of keyword nodes where there is a type.
  bool parameters(syntax_tree::statement_data& s) {
    std::uint32_t const open = here();
    if (!expect("(")) return false;
    std::vector<node> list;
    while (!is(")")) {
      if (is("*") || is("**") || is("/")) return fail("parameters are named one by one");
      std::uint32_t const at = here();
      if (kind() != token_kind::name) return fail("expected the name of a parameter, found " + found());
      ++at_;
      node type;
      if (take(":") && !expression(type, false)) return false;
      if (is("=")) return fail("parameters have no default values");
      list.push_back(type ? tree_.add({.kind = node_kind::keyword, .token = at}, std::span(&type, 1))
                          : tree_.add({.kind = node_kind::name, .token = at}, {}));
      if (!take(",") && !is(")")) return fail("expected ',' or ')', found " + found());
    }
    ++at_;
    s.value = tree_.add({.kind = node_kind::tuple, .grouped = true, .token = open}, list);
    return true;
  }

  bool items(syntax_tree::statement_data& s) {
    std::uint32_t const first = here();
    std::vector<node> list;
    do {
      node item;
      if (!expression(item, false)) return false;
      if (tree_[item].kind == node_kind::tuple) {
        auto const inner = tree_.children(item);
        list.insert(list.end(), inner.begin(), inner.end());
      } else {
        list.push_back(item);
      }
      if (take("as")) {
        s.unknown_alias = true;
        node target;
        if (!expression(target, false)) return false;
      }
    } while (take(","));
    s.value = list.size() == 1 ? list[0] : tree_.add({.kind = node_kind::tuple, .token = first}, list);
    return true;
  }

  bool simple_statements() {
    while (true) {
      if (!simple_statement()) return false;
      if (!take(";")) return end_of_line();
      if (kind() == token_kind::newline) return end_of_line();
    }
  }
  bool end_of_line() {
    if (kind() == token_kind::newline) {
      ++at_;
      return true;
    }
    return kind() == token_kind::end || fail("unexpected " + found());
  }

  bool simple_statement() {
    syntax_tree::statement_data s{.token = here()};
    s.first_node = {tree_.node_count()};
    if (take("pass")) {
    } else if (take("break")) {
      s.kind = statement_kind::break_;
    } else if (take("continue")) {
      s.kind = statement_kind::continue_;
    } else if (take("return")) {
      s.kind = statement_kind::returns;
      if (kind() != token_kind::newline && !is(";") && !expression(s.value, true)) return false;
    } else if (is("import") || is("from")) {
      s.kind = statement_kind::import_;
      while (kind() != token_kind::newline && kind() != token_kind::end && !is(";")) ++at_;
    } else if (kind() == token_kind::keyword && text() != "not" && text() != "True" && text() != "False" &&
               text() != "None" && text() != "lambda" && text() != "yield" && text() != "await") {
      return fail("'" + std::string(text()) + "' statements are not part of the language");
    } else {
      node first;
      if (!expression(first, true)) return false;
      if (take("=")) {
        s.kind = statement_kind::assign;
        s.target = first;
        if (!expression(s.value, true)) return false;
        if (is("=")) return fail("one assignment has one target", "write two assignments");
      } else if (take(":")) {
        s.kind = statement_kind::assign;
        s.target = first;
        if (!expression(s.annotation, false)) return false;
        if (!is("=")) return fail("a declared variable needs a value: expected '=', found " + found());
        ++at_;
        if (!expression(s.value, true)) return false;
      } else if (kind() == token_kind::symbol && text().size() >= 2 && text().ends_with("=") &&
                 binary_operation(text().substr(0, text().size() - 1)) != operation::none && !is("==") && !is("<=") &&
                 !is(">=")) {
        s.kind = statement_kind::augmented;
        s.op = binary_operation(text().substr(0, text().size() - 1));
        s.target = first;
        ++at_;
        if (!expression(s.value, true)) return false;
      } else {
        s.kind = statement_kind::expression;
        s.value = first;
      }
    }
    place(tree_.add(std::move(s)));
    return true;
  }

  syntax_tree& tree_;
  reporter& to_;
  expression_parser expressions_;
  std::size_t at_ = 0;
  std::vector<statement> open_;           // the blocks around, by their headers
  std::vector<bool> function_starts_;     // whether such a block is a function's
  std::vector<node> decorators_;
  std::size_t fault_ = 0;
  std::string message_, hint_;
};

}  // namespace mpmd::text::python
