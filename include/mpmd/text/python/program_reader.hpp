#pragma once
/// Reads a whole host program: the module, its class, and the functions in it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/text/python/function_reader.hpp>
#include <mpmd/text/python/module_scope.hpp>
#include <mpmd/text/python/statement_parser.hpp>

namespace mpmd::text::python {

class program_reader {
 public:
  program_reader(ir::program& into, reporter& to)
      : p_(into), in_(into.context()), to_(to), module_(into, tree_, to) {}

  void read(std::size_t begin, std::size_t end) {
    tree_.tokens = lexer(to_, begin, end).run();
    statement_parser(tree_, to_).run();
    module_.results.emplace(p_);
    for (statement const s : tree_.top) top_level(s);
    declare_functions();
    for (std::size_t const i : callees_first()) readers_[i]->read_body();
    check_allocations();
  }

 private:
  struct function {
    std::string name;
    statement definition;
  };

  std::string_view text(std::uint32_t token) const { return to_.text(tree_.tokens[token]); }
  void error(statement s, std::string message, std::string hint = {}) {
    to_.error(tree_.tokens[tree_[s].token].offset, std::move(message), std::move(hint));
  }

  void top_level(statement id) {
    auto const& s = tree_[id];
    switch (s.kind) {
      case statement_kind::import_: read_import(s.token); return;
      case statement_kind::pass: return;
      case statement_kind::expression:
        if (!module_.is_string(s.value)) error(id, "expected a class with @pl.program");
        return;
      case statement_kind::assign: read_constant(id); return;
      case statement_kind::function: add_function(id); return;
      case statement_kind::class_: read_class(id); return;
      default: error(id, "this cannot stand outside of a function");
    }
  }

  /// Remembers what `pypto.language` and `pypto.language.distributed` are called here.
  void read_import(std::uint32_t at) {
    bool const from = text(at) == "from";
    std::string package;
    auto dotted = [&] {
      std::string name;
      while (tree_.tokens[at].kind == token_kind::name || text(at) == ".") name += text(at++);
      return name;
    };
    ++at;
    if (from) package = dotted() + ".";
    if (from && text(at) == "import") ++at;
    while (tree_.tokens[at].kind == token_kind::name) {
      std::string const name = package + dotted();
      std::string_view alias;
      if (text(at) == "as" && tree_.tokens[at + 1].kind == token_kind::name) {
        alias = text(at + 1);
        at += 2;
      } else if (from) {
        alias = text(at - 1);
      }
      if (name == "pypto.language" && !alias.empty()) module_.aliases.insert_or_assign(alias, "pl");
      if (name == "pypto.language.distributed" && !alias.empty()) module_.aliases.insert_or_assign(alias, "pld");
      if (text(at) != ",") return;
      ++at;
    }
  }

  /// `N = pl.dynamic("N")`, or a literal that functions may use.
  void read_constant(statement id) {
    auto const& s = tree_[id];
    if (!s.value) return;
    if (tree_[s.target].kind != node_kind::name || s.annotation) {
      error(id, "expected 'name = value'");
      return;
    }
    auto const name = module_.text(s.target);
    if (tree_[s.value].kind == node_kind::call && module_.path(tree_.child(s.value, 0)) == "pl.dynamic") {
      auto const arguments = tree_.children(s.value).subspan(1);
      if (arguments.size() != 1 || !module_.is_string(arguments[0])) {
        module_.error(s.value, "pl.dynamic requires one string literal");
        return;
      }
      ir::host::builder make(p_, {p_.body(), {}}, module_.place(tree_.start_of(s.target)));
      ir::op const dim = make.make(ir::opcode::host_dim, {}, {in_.get(ir::index_type{})},
                                   {{"hint", in_.string(module_.string_value(arguments[0]))}});
      module_.constants.erase(name);
      module_.dims.insert_or_assign(name, p_.result(dim, 0));
      return;
    }
    ir::op const scratch = shell();
    std::size_t const before = to_.count();
    ir::attribute const held = function_reader(module_, scratch, {}).literal(s.value);
    if (held)
      module_.constants.insert_or_assign(name, held);
    else if (to_.count() == before)
      module_.error(s.value, "a value outside of functions is a literal or pl.dynamic(...)");
  }

  ir::op shell() {
    ir::region const r = p_.create_region();
    p_.append_block(r);
    return p_.create({.kind = {static_cast<std::uint32_t>(ir::opcode::host_func)}, .regions = {r}});
  }

  void read_class(statement id) {
    auto const& s = tree_[id];
    if (class_seen_) {
      error(id, "a file holds one program");
      return;
    }
    class_seen_ = true;
    bool marked = false;
    for (node const d : s.decorators) {
      auto const path = module_.path(tree_[d].kind == node_kind::call ? tree_.child(d, 0) : d);
      if (path == "pl.program")
        marked = true;
      else
        module_.error(d, "unknown decorator of a class");
    }
    if (!marked && s.decorators.empty()) error(id, "expected a class with @pl.program");
    // A program without a name is printed as this.
    if (text(s.name) != "Program") p_.set_attr(p_.root(), "sym_name", in_.string(text(s.name)));
    for (statement const inner : s.body) {
      auto const& t = tree_[inner];
      if (t.kind == statement_kind::function)
        add_function(inner);
      else if (t.kind != statement_kind::pass &&
               !(t.kind == statement_kind::expression && (module_.is_string(t.value) ||
                                                          tree_[t.value].kind == node_kind::ellipsis)))
        error(inner, "a program consists of functions with @pl.function");
    }
  }

  void add_function(statement id) { functions_.push_back({std::string(text(tree_[id].name)), id}); }

  /// The ops of all functions, in the order of their names, so that calls find them wherever they stand.
  void declare_functions() {
    std::sort(functions_.begin(), functions_.end(), [](auto const& a, auto const& b) {
      return a.name != b.name ? a.name < b.name : a.definition.id < b.definition.id;
    });
    std::vector<function> once;
    for (auto& f : functions_) {
      if (!once.empty() && once.back().name == f.name)
        to_.error(tree_.tokens[tree_[f.definition].name].offset, "function '" + f.name + "' is defined twice");
      else
        once.push_back(std::move(f));
    }
    functions_ = std::move(once);
    std::vector<ir::op> ops;
    for (auto const& f : functions_) {
      ir::op const o = shell();
      p_.set_where(o, module_.place(tree_.tokens[tree_[f.definition].token].offset));
      p_.set_attr(o, "sym_name", in_.string(f.name));
      read_decorators(o, f.definition);
      p_.append(p_.body(), o);
      ops.push_back(o);
    }
    module_.results.emplace(p_);
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      readers_.push_back(std::make_unique<function_reader>(module_, ops[i], functions_[i].definition));
      readers_.back()->read_signature();
      module_.parameters.emplace(functions_[i].name, readers_.back()->parameters());
    }
  }

  void read_decorators(ir::op f, statement id) {
    auto const& s = tree_[id];
    std::string kind, level, role;
    node level_at, role_at;
    if (s.decorators.empty()) error(id, "a function of a program carries @pl.function");
    for (node const d : s.decorators) {
      bool const is_call = tree_[d].kind == node_kind::call;
      if (module_.path(is_call ? tree_.child(d, 0) : d) != "pl.function") {
        module_.error(d, "unknown decorator of a function", "a function of a program carries @pl.function");
        continue;
      }
      if (!is_call) continue;
      for (node const a : tree_.children(d).subspan(1)) {
        if (tree_[a].kind != node_kind::keyword) {
          module_.error(a, "@pl.function takes keyword arguments");
          continue;
        }
        auto const word = module_.text(a);
        node const given = tree_.child(a, 0);
        auto const path = module_.path(given).value_or("");
        auto const member = path.substr(path.rfind('.') + 1);
        if (word == "type") {
          if (path == "pl.FunctionType." + member && find_function_kind(member))
            kind = member;
          else
            module_.unknown_name(given, "kind of function", function_kinds);
        } else if (word == "level") {
          level_at = given;
          if (path == "pl.Level." + member) level = canonical_level(member);
          if (level.empty()) module_.unknown_name(given, "level", levels);
        } else if (word == "role") {
          role_at = given;
          if (path == "pl.Role." + member && is_role(member)) role = member;
          if (role.empty()) module_.unknown_name(given, "role", roles);
        } else if (word == "auto_scope" && module_.boolean(given)) {
          if (!*module_.boolean(given)) p_.set_attr(f, "auto_scope", in_.boolean(false));
        } else if (word == "external_source" && module_.is_string(given)) {
          p_.set_attr(f, "external_source", in_.string(module_.string_value(given)));
        } else {
          module_.error(a, "unexpected argument '" + std::string(word) + "' of @pl.function");
        }
      }
    }
    // A kind implies a level and a role.
    if (auto const* known = find_function_kind(kind)) {
      auto imply = [&](std::string& is, std::string_view implied, node at, std::string_view what) {
        if (implied.empty()) return;
        if (is.empty())
          is = implied;
        else if (is != implied)
          module_.error(at, "func_type " + kind + " implies " + std::string(what) + " " + std::string(implied) +
                                ", but " + std::string(what) + " " + is + " is given");
      };
      imply(level, known->level, level_at, "level");
      imply(role, known->role, role_at, "role");
      if (kind != "Opaque") p_.set_attr(f, "func_type", in_.string(kind));
    }
    if (!level.empty()) p_.set_attr(f, "level", in_.string(level));
    if (!role.empty()) p_.set_attr(f, "role", in_.string(role));
  }

  /// The functions in an order in which each stands behind those it calls, as far as they do not call each other in a
  /// circle: a call takes its type from what the callee returns.
  std::vector<std::size_t> callees_first() const {
    std::unordered_map<std::string_view, std::size_t> number;
    for (std::size_t i = 0; i < functions_.size(); ++i) number.emplace(functions_[i].name, i);
    std::vector<std::vector<std::size_t>> callees(functions_.size());
    for (std::size_t i = 0; i < functions_.size(); ++i) {
      auto const& def = tree_[functions_[i].definition];
      for (node n = def.first_node; n.id < def.end_node.id; ++n.id) {
        if (tree_[n].kind != node_kind::attribute) continue;
        node const base = tree_.child(n, 0);
        if (tree_[base].kind != node_kind::name || module_.text(base) != "self") continue;
        if (auto const at = number.find(module_.text(n)); at != number.end()) callees[i].push_back(at->second);
      }
    }
    std::vector<std::size_t> order;
    std::vector<bool> seen(functions_.size());
    std::vector<std::pair<std::size_t, std::size_t>> open;
    for (std::size_t first = 0; first < functions_.size(); ++first) {
      if (seen[first]) continue;
      seen[first] = true;
      open.emplace_back(first, 0);
      while (!open.empty()) {
        auto& [f, next] = open.back();
        if (next == callees[f].size()) {
          order.push_back(f);
          open.pop_back();
          continue;
        }
        std::size_t const callee = callees[f][next++];
        if (seen[callee]) continue;
        seen[callee] = true;
        open.emplace_back(callee, 0);
      }
    }
    return order;
  }

  void check_allocations() {
    auto& all = module_.allocations;
    std::sort(all.begin(), all.end(), [](auto const& a, auto const& b) { return a.second < b.second; });
    std::unordered_map<std::string_view, std::uint32_t> known;
    for (auto const& [name, offset] : all)
      if (!known.emplace(name, offset).second)
        to_.error(offset, "window buffer '" + name + "' is already declared",
                  "each window buffer of a program has a name of its own");
  }

  ir::program& p_;
  ir::context& in_;
  reporter& to_;
  syntax_tree tree_;
  module_scope module_;
  bool class_seen_ = false;
  std::vector<function> functions_;
  std::vector<std::unique_ptr<function_reader>> readers_;
};

}  // namespace mpmd::text::python
