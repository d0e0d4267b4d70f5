#pragma once
/// Statements with blocks: definitions of text/python/function_reader.hpp, which includes this.

#include <algorithm>

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

/// Without recursion: what is open is on a list, and an op is made when its blocks are complete.
inline void function_reader::run_blocks() {
  while (!blocks_.empty()) {
    open_block& b = blocks_.back();
    auto const& body = tree_[b.owner].body;
    make_.set({b.into, {}});
    if (b.next < body.size())
      read(body[b.next++]);
    else
      close_block();
  }
}

/// Starts to read the body of a block's owner into the last of so many new regions.
inline void function_reader::open_region(open_block b, std::size_t regions) {
  for (std::size_t i = 0; i < regions; ++i) {
    b.regions.push_back(p_.create_region());
    b.into = p_.append_block(b.regions.back());
  }
  blocks_.push_back(std::move(b));
}

inline void function_reader::open_branch(statement id, std::size_t siblings) {
  auto const& s = tree_[id];
  open_block b{.kind = block_kind::branch, .owner = id, .siblings = siblings,
               .where = module_.place(tree_.tokens[s.token].offset)};
  b.condition = expression(s.value);
  open_region(std::move(b), 1);
}

inline void function_reader::close_block() {
  open_block& closing = blocks_.back();
  if (closing.kind == block_kind::branch && !closing.in_else) {
    // What follows in the list of statements may go on with it.
    open_block& list = blocks_[closing.siblings];
    auto const& body = tree_[list.owner].body;
    auto const kind = list.next < body.size() ? tree_[body[list.next]].kind : statement_kind::pass;
    if (kind == statement_kind::else_ || kind == statement_kind::elif_) {
      statement const id = body[list.next++];
      closing.in_else = true;
      closing.regions.push_back(p_.create_region());
      closing.into = p_.append_block(closing.regions.back());
      make_.set({closing.into, {}});
      if (kind == statement_kind::else_) {
        closing.owner = id;
        closing.next = 0;
      } else {
        closing.next = tree_[closing.owner].body.size();
        open_branch(id, closing.siblings);
      }
      return;
    }
  }
  open_block b = std::move(blocks_.back());
  blocks_.pop_back();
  if (b.device) --device_depth_;
  if (b.kind == block_kind::function || b.kind == block_kind::dead) return;
  make_.set({blocks_.back().into, {}});
  make_.set_location(b.where);
  bool good = true;
  auto all_of = [&good](std::vector<value> const& list) {
    for (value const v : list) good &= static_cast<bool>(v);
  };
  all_of(b.results);
  all_of(b.bounds);
  all_of(b.carried);
  all_of(b.initial);
  for (std::size_t i = 0; i < b.result_names.size(); ++i)
    if (!b.results.empty()) names_.insert_or_assign(b.result_names[i], b.results[i % b.results.size()]);
  auto make = [&](ir::opcode code, std::vector<value> operands, ir::host::builder::properties const& held) {
    std::vector<std::pair<ir::name, ir::attribute>> entries;
    for (auto const& [key, data] : held)
      if (data) entries.emplace_back(in_.intern(key), data);
    p_.append(make_.where().in, p_.create({.kind = {static_cast<std::uint32_t>(code)},
                                           .operands = std::move(operands),
                                           .properties = in_.dictionary(std::move(entries)),
                                           .where = b.where,
                                           .regions = b.regions}));
  };
  auto join = [](std::initializer_list<std::vector<value> const*> lists) {
    std::vector<value> all;
    for (auto const* l : lists) all.insert(all.end(), l->begin(), l->end());
    return all;
  };
  switch (b.kind) {
    case block_kind::branch: {
      if (!b.condition || !good) return;
      std::vector<value> operands{b.condition};
      operands.insert(operands.end(), b.results.begin(), b.results.end());
      make(ir::opcode::host_if, std::move(operands), {});
      return;
    }
    case block_kind::loop: {
      if (!good) return;
      std::vector<value> held;
      b.kwargs.operands = b.attrs.operands = b.held;
      auto const kwargs = ir::host::detail::number_operands(in_, b.kwargs, held);
      auto const attrs = ir::host::detail::number_operands(in_, b.attrs, held);
      make(ir::opcode::host_for, join({&b.bounds, &b.carried, &b.initial, &b.results, &held}),
           {{"kind", in_.string(b.word)},
            {"kwargs", b.kwargs.empty() ? ir::attribute{} : kwargs},
            {"attrs", b.attrs.empty() ? ir::attribute{} : attrs},
            {"order", ir::host::detail::written_order(in_, b.kwargs, b.attrs)},
            {"segments", make_.segments({4, b.carried.size(), b.initial.size(), b.results.size(), held.size()})}});
      return;
    }
    case block_kind::while_loop:
      if (!good) return;
      if (!b.carried.empty() && p_.first_op(p_.first_block(b.regions[0])) == ir::op{}) {
        module_.to.error(tree_.tokens[tree_[b.owner].token].offset,
                         "the first statement of a pl.while_ loop is pl.cond(condition)");
        return;
      }
      make(ir::opcode::host_while, join({&b.carried, &b.initial, &b.results}),
           {{"segments", make_.segments({b.carried.size(), b.initial.size(), b.results.size()})}});
      return;
    case block_kind::scope: {
      std::vector<value> held;
      b.kwargs.operands = b.attrs.operands = b.held;
      auto const kwargs = ir::host::detail::number_operands(in_, b.kwargs, held);
      auto const attrs = ir::host::detail::number_operands(in_, b.attrs, held);
      make(ir::opcode::host_scope, join({&b.bounds, &held}),
           {{"kind", in_.string(b.word)},
            {"kwargs", b.kwargs.empty() ? ir::attribute{} : kwargs},
            {"attrs", b.attrs.empty() ? ir::attribute{} : attrs},
            {"order", ir::host::detail::written_order(in_, b.kwargs, b.attrs)},
            {"segments", make_.segments({b.bounds.size(), held.size()})}});
      return;
    }
    case block_kind::domain: close_domain(b); return;
    default: return;
  }
}

/// `for i in pl.range(...)`, `for i, (a,) in pl.range(..., init_values=(x,))`, `for (a,) in pl.while_(...)`.
inline void function_reader::open_for(statement id) {
  auto const& s = tree_[id];
  open_block b{.kind = block_kind::loop, .owner = id, .where = module_.place(tree_.tokens[s.token].offset)};
  auto const path = tree_[s.value].kind == node_kind::call ? module_.path(tree_.child(s.value, 0)) : std::nullopt;
  bool const is_while = path == "pl.while_";
  bool good = true;
  if (!is_while && !(path && path->starts_with("pl.") && is_loop_kind(std::string_view(*path).substr(3)))) {
    module_.error(s.value, "a loop goes over pl.range(...), pl.parallel(...), pl.unroll(...) or pl.pipeline(...)",
                  path == "range" ? "write pl.range(...)" : "");
    good = false;
  } else if (!is_while) {
    b.word = path->substr(3);
  }
  std::vector<node> bounds, names, held;
  keyword_set seen;
  node initial;
  if (good)
    for (node const a : tree_.children(s.value).subspan(1)) {
      if (tree_[a].kind != node_kind::keyword) {
        bounds.push_back(a);
      } else if (module_.text(a) == "init_values") {
        initial = tree_.child(a, 0);
      } else if (module_.text(a) == "attrs" && !is_while) {
        good &= read_dictionary(b.attrs, tree_.child(a, 0), held, "attrs must be a dictionary literal",
                                "attrs names must be unique string literals");
      } else if (module_.text(a) == "stage" && b.word == "pipeline") {
        good &= read_keyword(b.kwargs, a, seen, held);
      } else {
        module_.error(a, "unexpected keyword '" + std::string(module_.text(a)) + "'",
                      is_while ? "pl.while_ takes init_values= only"
                               : "bounds are given by position; the keywords are init_values= and attrs=, and stage= of "
                                 "pl.pipeline");
        good = false;
      }
    }
  if (good && (is_while ? !bounds.empty() : bounds.empty() || bounds.size() > 3)) {
    module_.error(s.value, is_while ? "pl.while_ takes init_values= only" : "a loop has one to three bounds: stop, or "
                                                                            "start, stop and step");
    good = false;
  }
  // The targets: the loop variable, then the iteration variables.
  std::vector<node> targets{s.target};
  if (tree_[s.target].kind == node_kind::tuple) targets.assign(tree_.children(s.target).begin(), tree_.children(s.target).end());
  node variable;
  if (!is_while) {
    variable = targets[0];
    node const carried = targets.size() == 2 ? targets[1] : node{};
    if (tree_[variable].kind != node_kind::name || targets.size() > 2 ||
        (carried && tree_[carried].kind != node_kind::tuple && tree_[carried].kind != node_kind::list)) {
      module_.error(s.target, "a loop has one variable, and may carry others: 'for i, (a, b) in ...'");
      good = false;
      variable = {};
    } else if (carried) {
      names.assign(tree_.children(carried).begin(), tree_.children(carried).end());
    }
  } else {
    names = targets;
  }
  for (node const n : names)
    if (tree_[n].kind != node_kind::name) {
      module_.error(n, "a loop carries variables: expected a name");
      good = false;
    }
  std::vector<node> values;
  if (initial) {
    if (tree_[initial].kind == node_kind::tuple || tree_[initial].kind == node_kind::list)
      values.assign(tree_.children(initial).begin(), tree_.children(initial).end());
    else
      module_.error(initial, "init_values is a tuple: with one value, (x,)"), good = false;
  }
  if (good && values.size() != names.size()) {
    module_.error(initial ? initial : s.target, "the loop carries " + std::to_string(names.size()) + " variables, but has " +
                                                    std::to_string(values.size()) + " initial values");
    good = false;
  }
  for (node const v : values) b.initial.push_back(expression(v));
  for (node const v : held) b.held.push_back(expression(v));
  for (value const v : b.held) good &= static_cast<bool>(v);
  if (!is_while) {
    std::vector<value> given;
    for (node const v : bounds) given.push_back(expression(v));
    make_.set_location(b.where);
    bool const start = given.size() > 1, step = given.size() > 2;
    b.bounds = {start ? given[0] : make_.constant(0), given.empty() ? value{} : given[start ? 1 : 0],
                step ? given[2] : make_.constant(1)};
    full_type const index{in_.get(ir::index_type{}), {}};
    if (variable) {
      value const made = declare(module_.text(variable), index, false, module_.place(tree_.start_of(variable)));
      names_.insert_or_assign(module_.text(variable), made);
      b.bounds.push_back(made);
    }
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (tree_[names[i]].kind != node_kind::name) continue;
    value made;
    if (i < b.initial.size() && b.initial[i])
      made = declare(module_.text(names[i]), ir::host::type_of(p_, b.initial[i]), true,
                     module_.place(tree_.start_of(names[i])), true);
    names_.insert_or_assign(module_.text(names[i]), made);
    b.carried.push_back(made);
  }
  if (!good) b.bounds.push_back({});  // there will be no op
  if (!is_while) {
    open_region(std::move(b), 1);
    return;
  }
  b.kind = block_kind::while_loop;
  open_region(std::move(b), 2);
  auto const& body = tree_[id].body;
  open_block& now = blocks_.back();
  if (body.empty() || tree_[body[0]].kind != statement_kind::expression || !is_call_of(tree_[body[0]].value, "pl.cond"))
    return;
  now.next = 1;
  node const call = tree_[body[0]].value;
  if (tree_[call].count != 2) {
    module_.error(call, "pl.cond takes one condition");
    now.bounds.push_back({});
    return;
  }
  make_.set({p_.first_block(now.regions[0]), {}});
  value const c = expression(tree_.child(call, 1));
  if (c)
    make_.make(ir::opcode::host_condition, {c}, {});
  else
    blocks_.back().bounds.push_back({});
}

inline void function_reader::open_while(statement id) {
  auto const& s = tree_[id];
  open_region({.kind = block_kind::while_loop, .owner = id, .where = module_.place(tree_.tokens[s.token].offset)}, 2);
  make_.set({p_.first_block(blocks_.back().regions[0]), {}});
  value const c = expression(s.value);
  make_.set_location(blocks_.back().where);
  if (c)
    make_.make(ir::opcode::host_condition, {c}, {});
  else
    blocks_.back().bounds.push_back({});
}

}  // namespace mpmd::text::python
