#pragma once
/// The syntax tree of the Python syntax: expressions and statements in arenas, in the order they end.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <mpmd/text/python/lexer.hpp>

namespace mpmd::text::python {

/// An expression, or none.
struct node {
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  std::uint32_t id = none;
  constexpr explicit operator bool() const { return id != none; }
  friend constexpr bool operator==(node, node) = default;
};
/// A statement, or none.
struct statement {
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  std::uint32_t id = none;
  constexpr explicit operator bool() const { return id != none; }
  friend constexpr bool operator==(statement, statement) = default;
};

enum class node_kind : std::uint8_t {
  name,       // the token
  integer,    // the token
  real,       // the token
  string,     // a child for each further literal next to it
  boolean,    // the token
  nothing,    // None
  ellipsis,
  attribute,  // base; the token is the name behind the point
  call,       // callee, then arguments, some of them keyword nodes
  keyword,    // value; the token is the name
  subscript,  // base, then indices
  slice,      // start, stop, step: absent nodes where not written
  absent,
  list,       // elements
  tuple,      // elements
  dict,       // key, value, key, value, ...
  unary,      // operand
  binary,     // left, right
};

enum class operation : std::uint8_t {
  none,
  logical_or, logical_and, logical_not,
  equal, different, less, at_most, greater, at_least,
  bit_or, bit_xor, bit_and, shift_left, shift_right,
  add, subtract, multiply, divide, floor_divide, modulo,
  negate, plus, invert, power,
};

enum class statement_kind : std::uint8_t {
  pass,
  expression,     // value
  assign,         // target (a name or a tuple), annotation?, value; no value when the line was faulty
  augmented,      // target, value, op
  returns,        // value?
  if_, elif_, else_,  // condition?; body
  while_,         // condition; body
  for_,           // target, value; body
  with_,          // value: the items are a tuple if there are several; body
  break_, continue_,
  import_,
  function,       // value: the parameters as a tuple; annotation: the declared result; decorators; body
  class_,         // decorators; body
};

/// All of a text. A node's children have been completed before it, so the nodes of a statement, or of a function with
/// all in it, are a range of ids.
class syntax_tree {
 public:
  struct node_data {
    node_kind kind;
    operation op = operation::none;
    bool grouped = false;  ///< stands in parentheses of its own
    std::uint32_t token = 0;
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t start = 0;
  };
  struct statement_data {
    statement_kind kind = statement_kind::pass;
    operation op = operation::none;
    std::uint32_t token = 0;
    node target = {}, annotation = {}, value = {};
    std::uint32_t name = 0;          ///< token of the name of a function or class
    node first_node = {};            ///< of a function: where the range of its nodes begins
    node end_node = {};              ///< and ends
    std::vector<node> decorators = {};
    std::vector<statement> body = {};
    bool unknown_alias = false;  ///< of a with statement: it had `as`
  };

  std::vector<token> tokens;
  std::vector<statement> top;

  node_data& operator[](node n) { return nodes_[n.id]; }
  node_data const& operator[](node n) const { return nodes_[n.id]; }
  statement_data& operator[](statement s) { return statements_[s.id]; }
  statement_data const& operator[](statement s) const { return statements_[s.id]; }
  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }

  std::span<node const> children(node n) const {
    return std::span<node const>(children_).subspan(nodes_[n.id].first, nodes_[n.id].count);
  }
  node child(node n, std::size_t i) const { return children_[nodes_[n.id].first + i]; }
  token token_of(node n) const { return tokens[nodes_[n.id].token]; }
  /// The first character of the expression, which is not that of the token it is known by where an operand comes first.
  std::uint32_t start_of(node n) const { return nodes_[n.id].start; }

  node add(node_data data, std::span<node const> list) {
    data.first = static_cast<std::uint32_t>(children_.size());
    data.count = static_cast<std::uint32_t>(list.size());
    bool const operand_first = data.kind == node_kind::attribute || data.kind == node_kind::call ||
                               data.kind == node_kind::subscript || data.kind == node_kind::binary ||
                               (data.kind == node_kind::tuple && !data.grouped);
    data.start = operand_first && !list.empty() ? nodes_[list[0].id].start : tokens[data.token].offset;
    children_.insert(children_.end(), list.begin(), list.end());
    nodes_.push_back(data);
    return {static_cast<std::uint32_t>(nodes_.size() - 1)};
  }
  statement add(statement_data data) {
    statements_.push_back(std::move(data));
    return {static_cast<std::uint32_t>(statements_.size() - 1)};
  }

 private:
  std::vector<node_data> nodes_;
  std::vector<node> children_;
  std::vector<statement_data> statements_;
};

}  // namespace mpmd::text::python
