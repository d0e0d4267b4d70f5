#pragma once
/// What all functions of a text share while they are read.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/host_deduce.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/text/python/language.hpp>
#include <mpmd/text/python/lexer.hpp>
#include <mpmd/text/python/syntax.hpp>

namespace mpmd::text::python {

class module_scope {
 public:
  module_scope(ir::program& into, syntax_tree const& syntax, reporter& reports)
      : p(into), in(into.context()), tree(syntax), to(reports) {}

  ir::program& p;
  ir::context& in;
  syntax_tree const& tree;
  reporter& to;

  std::unordered_map<std::string_view, std::string_view> aliases{{"pl", "pl"}, {"pld", "pld"}};
  std::unordered_map<std::string_view, ir::value> dims;     ///< dynamic dimensions
  std::unordered_map<std::string_view, ir::attribute> constants;  ///< module-level literals: what host.const holds
  std::optional<ir::host::function_results> results;
  std::unordered_map<std::string_view, std::span<node const>> parameters;  ///< by function, without self
  /// Where window buffers are named in the text, for the check that each name is used once.
  std::vector<std::pair<std::string, std::uint32_t>> allocations;

  std::string_view text(node n) const { return to.text(tree.token_of(n)); }
  void error(node at, std::string message, std::string hint = {}) {
    to.error(tree.start_of(at), std::move(message), std::move(hint));
  }
  /// Reports a name that means nothing here: `what` it should have been, and what there is.
  template <class List>
  void unknown_name(node at, std::string_view what, List const& known) {
    auto const whole = path(at);
    std::string list;
    for (auto const& each : known) list.append(list.empty() ? "" : ", ").append(std::string_view(each.name));
    error(at, "unknown " + std::string(what) + (whole ? " '" + *whole + "'" : std::string{}), "there are " + list);
  }
  ir::location place(std::size_t offset) const { return {to.position(offset), {}}; }

  /// The dotted name that an expression is, with the module's own names for `pl` and `pld`; nothing for other
  /// expressions. Any name counts as `pl` in front of `._dump`.
  std::optional<std::string> path(node n) const {
    std::vector<std::string_view> parts;
    std::size_t length = 0;
    while (tree[n].kind == node_kind::attribute) {
      parts.push_back(text(n));
      length += parts.back().size() + 1;
      n = tree.child(n, 0);
    }
    if (tree[n].kind != node_kind::name) return std::nullopt;
    std::string_view root = text(n);
    if (auto const known = aliases.find(root); known != aliases.end())
      root = known->second;
    else if (!parts.empty() && parts.back() == "_dump")
      root = "pl";
    std::string whole(root);
    whole.reserve(root.size() + length);
    for (std::size_t i = parts.size(); i-- > 0;) whole.append(".").append(parts[i]);
    return whole;
  }

  /// The bytes of a string node; an error of its escapes is reported once for each.
  std::string string_value(node n) {
    std::string all;
    auto add = [&](node piece) {
      token const t = tree.token_of(piece);
      if (t.length == 0) return;  // the lexer found no end
      auto const d = decode_string(to.text(t));
      if (!d.error.empty()) to.error(t.offset + d.at, std::string(d.error));
      all += d.bytes;
    };
    add(n);
    for (node const piece : tree.children(n)) add(piece);
    return all;
  }

  bool is_string(node n) const { return tree[n].kind == node_kind::string; }
  std::optional<bool> boolean(node n) const {
    if (tree[n].kind != node_kind::boolean) return std::nullopt;
    return text(n) == "True";
  }

  /// An integer literal with any number of signs in front of it. `fits` tells one that is too large from something else.
  std::optional<std::int64_t> signed_integer(node n, bool* too_large = nullptr) const {
    bool negative = false;
    for (; tree[n].kind == node_kind::unary; n = tree.child(n, 0)) {
      if (tree[n].op == operation::negate)
        negative = !negative;
      else if (tree[n].op != operation::plus)
        return std::nullopt;
    }
    if (tree[n].kind != node_kind::integer) return std::nullopt;
    auto const magnitude = decode_integer(text(n));
    if (!magnitude || (!negative && *magnitude > std::uint64_t{0x7FFFFFFFFFFFFFFF})) {
      if (too_large) *too_large = true;
      return std::nullopt;
    }
    return negative ? static_cast<std::int64_t>(0 - *magnitude) : static_cast<std::int64_t>(*magnitude);
  }
  /// The same of a floating-point literal.
  std::optional<double> signed_real(node n) const {
    bool negative = false;
    for (; tree[n].kind == node_kind::unary; n = tree.child(n, 0)) {
      if (tree[n].op == operation::negate)
        negative = !negative;
      else if (tree[n].op != operation::plus)
        return std::nullopt;
    }
    if (tree[n].kind != node_kind::real) return std::nullopt;
    double const v = decode_real(text(n));
    return negative ? -v : v;
  }

  /// The element type that `pl.FP32` names, or nothing.
  std::string_view dtype(node n) const {
    auto const whole = path(n);
    if (!whole || !whole->starts_with("pl.")) return {};
    auto const* d = ir::host::find_dtype(std::string_view(*whole).substr(3));
    return d ? d->name : std::string_view{};
  }

  /// Whether two expressions are written alike, wherever they stand.
  bool same_tree(node a, node b) {
    std::vector<std::pair<node, node>> open{{a, b}};
    while (!open.empty()) {
      auto const [x, y] = open.back();
      open.pop_back();
      auto const& l = tree[x];
      auto const& r = tree[y];
      if (l.kind != r.kind || l.op != r.op || l.count != r.count) return false;
      switch (l.kind) {
        case node_kind::string:
          if (string_value(x) != string_value(y)) return false;
          continue;
        case node_kind::integer:
          if (decode_integer(text(x)) != decode_integer(text(y))) return false;
          break;
        case node_kind::name: case node_kind::real: case node_kind::boolean: case node_kind::attribute:
        case node_kind::keyword:
          if (text(x) != text(y)) return false;
          break;
        default: break;
      }
      for (std::size_t i = 0; i < l.count; ++i) open.emplace_back(tree.child(x, i), tree.child(y, i));
    }
    return true;
  }
};

}  // namespace mpmd::text::python
