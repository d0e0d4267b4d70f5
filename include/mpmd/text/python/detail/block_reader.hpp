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
      } else if (!is_while) {
        good &= read_entry(b.kwargs, module_.text(a), tree_.child(a, 0), held);
      } else {
        module_.error(a, "unexpected keyword '" + std::string(module_.text(a)) + "'");
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

/// Domains, several of which may share one header, and other scopes.
inline void function_reader::open_with(statement id) {
  auto const& s = tree_[id];
  std::vector<node> items{s.value};
  if (tree_[s.value].kind == node_kind::tuple) items.assign(tree_.children(s.value).begin(), tree_.children(s.value).end());
  bool good = !items.empty();
  bool domains = true;
  for (node const item : items) domains &= is_call_of(item, "pl._dump.comm_domain");
  auto const where = module_.place(tree_.tokens[s.token].offset);
  if (domains && good) {
    for (node const item : items) good &= check_domain(item, s.unknown_alias);
    if (!good) return open_region({.kind = block_kind::dead, .owner = id}, 1);
    open_region({.kind = block_kind::domain, .owner = id, .where = where, .domains = items}, 1);
    return;
  }
  node const item = items.size() == 1 ? items[0] : node{};
  auto const path = item ? module_.path(tree_[item].kind == node_kind::call ? tree_.child(item, 0) : item) : std::nullopt;
  if (!path || !path->starts_with("pl.") || path->starts_with("pl._dump.") || path->size() == 3) {
    if (path && path->starts_with("pl._dump."))
      module_.error(item, "Unknown IR dump expression: " + *path);
    else
      module_.error(s.value, "'with' opens a scope of the language, as in 'with pl.incore():'");
    return open_region({.kind = block_kind::dead, .owner = id}, 1);
  }
  open_block b{.kind = block_kind::scope, .owner = id, .where = where, .word = path->substr(3), .device = true};
  if (s.unknown_alias) good = false, module_.error(item, "a scope accepts no 'as' target");
  std::vector<node> held;
  if (tree_[item].kind == node_kind::call)
    for (node const a : tree_.children(item).subspan(1)) {
      if (tree_[a].kind != node_kind::keyword) {
        b.bounds.push_back(expression(a));
        good &= static_cast<bool>(b.bounds.back());
      } else if (module_.text(a) == "attrs") {
        good &= read_dictionary(b.attrs, tree_.child(a, 0), held, "attrs must be a dictionary literal",
                                "attrs names must be unique string literals");
      } else {
        good &= read_entry(b.kwargs, module_.text(a), tree_.child(a, 0), held);
      }
    }
  for (node const v : held) {
    b.held.push_back(expression(v));
    good &= static_cast<bool>(b.held.back());
  }
  ++device_depth_;
  if (!good) b.kind = block_kind::dead;
  open_region(std::move(b), 1);
}

/// Checks the header of a domain; slots and attributes are made when its body has been read.
inline bool function_reader::check_domain(node n, bool alias) {
  node given[4];
  static constexpr std::string_view words[] = {"name", "devices", "slots", "attrs"};
  if (alias) return module_.error(n, "comm_domain accepts keyword arguments and no 'as' target"), false;
  for (node const a : tree_.children(n).subspan(1)) {
    if (tree_[a].kind != node_kind::keyword)
      return module_.error(a, "comm_domain accepts keyword arguments and no 'as' target"), false;
    std::size_t i = 0;
    while (i < 4 && words[i] != module_.text(a)) ++i;
    if (i == 4 || given[i])
      return module_.error(a, "Unknown or duplicate comm_domain keyword '" + std::string(module_.text(a)) + "'"), false;
    given[i] = tree_.child(a, 0);
  }
  if (!given[0] || !given[1] || !given[2])
    return module_.error(n, "comm_domain requires name, devices, and slots"), false;
  bool good = true;
  auto refuse = [&](node at, std::string message) {
    module_.error(at, std::move(message));
    good = false;
  };
  if (!module_.is_string(given[0])) refuse(given[0], "comm_domain name must be a string literal");
  bool integers = tree_[given[1]].kind == node_kind::list;
  if (integers)
    for (node const d : tree_.children(given[1])) {
      auto const v = module_.signed_integer(d);
      integers &= v.has_value();
      if (v && *v < 0) refuse(d, "comm_domain devices must be a list of integer literals, none of them negative");
    }
  if (!integers) refuse(given[1], "comm_domain devices must be a list of integer literals");
  bool slots = tree_[given[2]].kind == node_kind::list;
  if (slots)
    for (node const w : tree_.children(given[2])) {
      bool const described = is_call_of(w, "pl._dump.window_buffer");
      slots &= described;
      if (described && faulty_descriptors_.contains(w.id)) good = false;  // reported when it was registered
    }
  if (!slots) refuse(given[2], "comm_domain slots must be a list of window_buffer descriptors");
  if (given[3] && tree_[given[3]].kind != node_kind::dict)
    refuse(given[3], "comm_domain attrs must be a dictionary literal");
  if (!good) return false;
  auto const name = module_.string_value(given[0]);
  if (!domain_names_.insert(name).second)
    module_.to.warning(tree_.start_of(n), "two domains of this function are called '" + name + "'");
  return true;
}

inline void function_reader::close_domain(open_block& b) {
  // From the innermost outwards: each is the whole body of the one around it.
  for (std::size_t i = b.domains.size(); i-- > 0;) {
    node const n = b.domains[i];
    node given[4];
    for (node const a : tree_.children(n).subspan(1)) {
      auto const word = module_.text(a);
      given[word == "name" ? 0 : word == "devices" ? 1 : word == "slots" ? 2 : 3] = tree_.child(a, 0);
    }
    ir::region const inner = b.regions.back();
    ir::region outer{};
    if (i > 0) {
      outer = p_.create_region();
      make_.set({p_.append_block(outer), {}});
    } else {
      make_.set({blocks_.back().into, {}});
    }
    make_.set_location(b.where);
    std::vector<value> windows;
    bool good = true;
    for (node const w : tree_.children(given[2])) {
      window_entry described;
      std::string key;
      if (!parse_descriptor(w, described, key)) continue;  // checked in the header
      windows.push_back(build_window(key));
      window_entry& known = windows_.find(key)->second;
      if (!known.sized && size_is_known(known.size)) size_window(known);
    }
    ir::host::metadata attrs;
    if (given[3]) {
      std::vector<node> held;
      good &= read_dictionary(attrs, given[3], held, "", "comm_domain attr names must be string literals");
      for (node const v : held) {
        attrs.operands.push_back(expression(v));
        good &= static_cast<bool>(attrs.operands.back());
      }
    }
    std::vector<std::int64_t> devices;
    for (node const d : tree_.children(given[1])) devices.push_back(module_.signed_integer(d).value_or(0));
    auto sorted = devices;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    if (sorted != devices)
      module_.to.warning(tree_.start_of(given[1]), "the devices of a domain ascend; they have been sorted");
    if (good) {
      std::vector<value> held;
      ir::attribute const data = ir::host::detail::number_operands(in_, attrs, held);
      std::vector<value> operands = windows;
      operands.insert(operands.end(), held.begin(), held.end());
      std::vector<std::pair<ir::name, ir::attribute>> entries{
          {in_.intern("name"), in_.string(module_.string_value(given[0]))},
          {in_.intern("devices"), in_.get(ir::dense_array_attr{in_.integer(64), std::move(sorted)})},
          {in_.intern("segments"), make_.segments({windows.size(), held.size()})}};
      if (!attrs.empty()) entries.emplace_back(in_.intern("attrs"), data);
      if (auto const order = ir::host::detail::written_order(in_, {}, attrs)) entries.emplace_back(in_.intern("order"), order);
      p_.append(make_.where().in,
                p_.create({.kind = {static_cast<std::uint32_t>(ir::opcode::host_comm_domain)},
                           .operands = std::move(operands),
                           .properties = in_.dictionary(std::move(entries)),
                           .where = b.where,
                           .regions = {inner}}));
    }
    if (i > 0) b.regions.push_back(outer);
  }
}

}  // namespace mpmd::text::python
