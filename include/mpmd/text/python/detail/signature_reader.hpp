#pragma once
/// Parameters, results, variables and the whole of a function: definitions of text/python/function_reader.hpp, which
/// includes this.

#include <algorithm>

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

inline function_reader::function_reader(module_scope& module, ir::op function, statement definition)
    : module_(module), p_(module.p), in_(module.in), tree_(module.tree), function_(function), definition_(definition),
      make_(module.p, {}) {
  // Both end up in the function's one block, the declarations first.
  statements_ = p_.append_block(p_.create_region());
  declarations_ = ir::host::body_of(p_, function_);
  make_.set({statements_, {}});
  is_host_ = ir::host::level(p_, function_) == "HOST";
}

inline std::span<node const> function_reader::parameters() const {
  auto const all = tree_.children(tree_[definition_].value);
  bool const has_self = !all.empty() && module_.text(all[0]) == "self" && tree_[all[0]].kind == node_kind::name;
  return all.subspan(has_self ? 1 : 0);
}

inline void function_reader::read_signature() {
  auto const& def = tree_[definition_];
  register_windows(def.first_node, def.end_node);
  at_declarations const here(*this);
  for (node const p : parameters()) {
    auto const name = module_.text(p);
    auto const where = module_.place(tree_.token_of(p).offset);
    if (names_.contains(name)) {
      module_.to.error(tree_.token_of(p).offset, "two parameters are called '" + std::string(name) + "'");
      continue;
    }
    full_type t{ir::host::unknown(in_), {}};
    std::string_view direction;
    if (tree_[p].kind == node_kind::keyword) {
      node annotation = tree_.child(p, 0);
      if (tree_[annotation].kind == node_kind::subscript && tree_[annotation].count == 2) {
        auto const path = module_.path(tree_.child(annotation, 0));
        direction = path == "pl.Out" ? "out" : path == "pl.InOut" ? "inout" : path == "pl.In" ? "in" : "";
        if (!direction.empty()) annotation = tree_.child(annotation, 1);
      }
      t = type(annotation);
      if (!t) {
        names_.emplace(name, value{});
        continue;
      }
    }
    make_.set_location(where);
    bool const directed = !direction.empty() && direction != "in";
    names_.emplace(name, p_.result(make_.make(ir::opcode::host_param, t.holes, {t.of},
                                              {{"hint", in_.string(name)},
                                               {"direction", directed ? in_.string(direction) : ir::attribute{}}}),
                                   0));
  }
  if (!def.annotation || tree_[def.annotation].kind == node_kind::nothing) return;
  std::vector<node> results{def.annotation};
  if (tree_[def.annotation].kind == node_kind::subscript && module_.path(tree_.child(def.annotation, 0)) == "tuple") {
    auto parts = tree_.children(def.annotation).subspan(1);
    if (parts.size() == 1 && tree_[parts[0]].kind == node_kind::tuple) parts = tree_.children(parts[0]);
    results.assign(parts.begin(), parts.end());
  }
  ir::array_attr types;
  std::vector<value> holes;
  for (node const r : results) {
    full_type const t = type(r);
    if (!t) return;
    types.elements.push_back(in_.get(ir::type_attr{t.of}));
    holes.insert(holes.end(), t.holes.begin(), t.holes.end());
  }
  if (results.empty()) return;
  make_.set_location(module_.place(tree_.start_of(def.annotation)));
  make_.make(ir::opcode::host_returns, std::move(holes), {}, {{"types", in_.get(std::move(types))}});
}

inline function_reader::value function_reader::declare(std::string_view name, full_type const& t, bool borrowed,
                                                       ir::location where, bool carried) {
  at_declarations const here(*this);
  make_.set_location(where);
  return make_.variable(name, t.of, borrowed ? make_.clone_expressions(t.holes) : t.holes, carried);
}

/// Erases what was made for a type that is not needed.
inline void function_reader::discard(full_type const& t) {
  for (value const v : t.holes) ir::host::erase_expression(p_, v);
}

inline function_reader::value function_reader::variable_for(std::string_view name, full_type const& t, bool borrowed,
                                                            ir::location where) {
  if (auto const at = names_.find(name);
      at != names_.end() && at->second && ir::host::same_type(p_, ir::host::type_of(p_, at->second), t)) {
    if (!borrowed) discard(t);
    return at->second;
  }
  value const made = declare(name, t, borrowed, where);
  names_.insert_or_assign(name, made);
  return made;
}

inline void function_reader::read_body() {
  auto const& def = tree_[definition_];
  bool const bodiless = def.body.size() == 1 && tree_[def.body[0]].kind == statement_kind::expression &&
                        tree_[tree_[def.body[0]].value].kind == node_kind::ellipsis;
  if (bodiless) {
    p_.set_attr(function_, "bodiless", in_.unit());
  } else {
    blocks_.push_back({.kind = block_kind::function, .owner = definition_, .into = statements_});
    run_blocks();
  }
  finish_windows();
  if (forward_) order_declarations();
  for (ir::op o = p_.first_op(statements_); o;) {
    ir::op const next = p_.next_op(o);
    p_.unlink(o);
    p_.append(declarations_, o);
    o = next;
  }
}

/// Puts each declaration behind what it refers to, and otherwise leaves them in their order.
inline void function_reader::order_declarations() {
  std::vector<ir::op> all;
  for (ir::op o = p_.first_op(declarations_); o; o = p_.next_op(o)) all.push_back(o);
  std::unordered_set<std::uint32_t> todo;
  for (ir::op const o : all) {
    p_.unlink(o);
    todo.insert(o.id);
  }
  struct open_op {
    ir::op of;
    std::uint32_t next = 0;
  };
  std::vector<open_op> open;
  for (ir::op const first : all) {
    if (!todo.erase(first.id)) continue;
    open.push_back({first});
    while (!open.empty()) {
      open_op& top = open.back();
      if (top.next < p_.operand_count(top.of)) {
        ir::op const needed = p_.defining_op(p_.operand(top.of, top.next++));
        if (needed && todo.erase(needed.id)) open.push_back({needed});
      } else {
        p_.append(declarations_, top.of);
        open.pop_back();
      }
    }
  }
}

}  // namespace mpmd::text::python
