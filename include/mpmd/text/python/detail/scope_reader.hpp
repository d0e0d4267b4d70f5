#pragma once
/// Domains and other scopes: definitions of text/python/function_reader.hpp, which includes this.

#include <algorithm>

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

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
  keyword_set seen;
  if (tree_[item].kind == node_kind::call)
    for (node const a : tree_.children(item).subspan(1)) {
      if (tree_[a].kind != node_kind::keyword) {
        b.bounds.push_back(expression(a));
        good &= static_cast<bool>(b.bounds.back());
      } else if (module_.text(a) == "attrs") {
        good &= read_dictionary(b.attrs, tree_.child(a, 0), held, "attrs must be a dictionary literal",
                                "attrs names must be unique string literals");
      } else {
        good &= read_keyword(b.kwargs, a, seen, held);
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
    std::vector<std::int64_t> runs;
    for (std::int64_t const d : sorted) {
      if (runs.empty() || d - 1 != runs.back()) runs.insert(runs.end(), {d, d});
      runs.back() = d;
    }
    if (good) {
      std::vector<value> held;
      ir::attribute const data = ir::host::detail::number_operands(in_, attrs, held);
      std::vector<value> operands = windows;
      operands.insert(operands.end(), held.begin(), held.end());
      std::vector<std::pair<ir::name, ir::attribute>> entries{
          {in_.intern("name"), in_.string(module_.string_value(given[0]))},
          {in_.intern("device_runs"), in_.get(ir::dense_array_attr{in_.integer(64), std::move(runs)})},
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
