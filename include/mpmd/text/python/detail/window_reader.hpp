#pragma once
/// Window buffers and references to them: definitions of text/python/function_reader.hpp, which includes this.

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

/// Collects all descriptors among the nodes [from, to), so that references can stand in front of them.
inline void function_reader::register_windows(node from, node to) {
  for (node n = from; n.id < to.id; ++n.id) {
    if (tree_[n].kind != node_kind::call) continue;
    node const callee = tree_.child(n, 0);
    if (tree_[callee].kind != node_kind::attribute || module_.text(callee) != "window_buffer" ||
        module_.path(callee) != "pl._dump.window_buffer")
      continue;
    window_entry w{.descriptor = n};
    std::string key;
    if (!parse_descriptor(n, w, key)) {
      faulty_descriptors_.insert(n.id);
      continue;
    }
    auto const [at, is_new] = windows_.emplace(key, w);
    if (is_new) {
      window_order_.push_back(key);
    } else if (!module_.same_tree(at->second.descriptor, n)) {
      module_.error(n, "Conflicting window_buffer descriptors for ID " + shown_key(key));
      faulty_descriptors_.insert(n.id);
    }
  }
}

/// The key as the registry has it: numbers and strings are told apart. Nothing after a report.
inline std::optional<std::string> function_reader::window_key(node n) {
  if (module_.is_string(n)) {
    std::string const text = module_.string_value(n);
    if (!text.empty()) return "s" + text;
  } else if (tree_[n].kind == node_kind::integer) {
    if (auto const v = module_.signed_integer(n)) return "i" + std::to_string(*v);
  }
  module_.error(n, "Window reference requires a non-empty string or a non-negative integer ID");
  return std::nullopt;
}
inline std::string function_reader::shown_key(std::string const& key) {
  std::string shown;
  if (key[0] == 'i') return key.substr(1);
  append_quoted(shown, std::string_view(key).substr(1), '\'');
  return shown;
}

inline bool function_reader::parse_descriptor(node n, window_entry& into, std::string& key) {
  static constexpr std::string_view fields[] = {"key", "base", "size", "load_from_host", "store_to_host"};
  node given[5];
  std::size_t positional = 0;
  for (node const a : tree_.children(n).subspan(1)) {
    if (tree_[a].kind != node_kind::keyword) {
      if (positional == 3) {
        module_.error(a, "Expected window_buffer(key, base=..., size=...) descriptor");
        return false;
      }
      given[positional++] = a;
      continue;
    }
    auto const word = module_.text(a);
    std::size_t i = 0;
    while (i < 5 && fields[i] != word) ++i;
    if (i == 5) {
      module_.error(a, "Unknown window_buffer keyword '" + std::string(word) + "'");
      return false;
    }
    if (given[i]) {
      module_.error(a, "Duplicate window_buffer field '" + std::string(word) + "'");
      return false;
    }
    given[i] = tree_.child(a, 0);
  }
  if (!given[0] || !given[1] || !given[2]) {
    module_.error(n, "window_buffer requires a key, a base name, and a size");
    return false;
  }
  auto const known_key = window_key(given[0]);
  if (!known_key) return false;
  key = *known_key;
  if (!module_.is_string(given[1])) {
    module_.error(given[1], "window_buffer base must be a string");
    return false;
  }
  into.base = module_.string_value(given[1]);
  into.size = given[2];
  for (std::size_t i = 3; i < 5; ++i) {
    if (!given[i]) continue;
    auto const flag = module_.boolean(given[i]);
    if (!flag) {
      module_.error(given[i], "window_buffer " + std::string(fields[i]) + " must be a boolean");
      return false;
    }
    (i == 3 ? into.load : into.store) = *flag;
  }
  std::vector<node> open{into.size};
  while (!open.empty()) {
    node const part = open.back();
    open.pop_back();
    if (is_call_of(part, "pl.yield_")) {
      module_.error(part, "window_buffer size cannot contain pl.yield_()");
      return false;
    }
    auto const inner = tree_.children(part);
    open.insert(open.end(), inner.begin(), inner.end());
  }
  return true;
}

inline function_reader::value function_reader::window(node n) {
  auto const path = module_.path(tree_.child(n, 0));
  if (path == "pl._dump.window_buffer") {
    if (faulty_descriptors_.contains(n.id)) return {};
    window_entry w;
    std::string key;
    // Descriptors outside the function's own text are met here for the first time.
    return parse_descriptor(n, w, key) ? build_window(key) : value{};
  }
  auto const arguments = tree_.children(n).subspan(1);
  if (arguments.size() != 1 || tree_[arguments[0]].kind == node_kind::keyword) {
    module_.error(n, "window_ref requires one window key", "as in pl._dump.window_ref(\"buf_window\")");
    return {};
  }
  auto const key = window_key(arguments[0]);
  if (!key) return {};
  if (!windows_.contains(*key)) {
    module_.error(n, "Undefined window_buffer ID " + shown_key(*key));
    return {};
  }
  return build_window(*key);
}

/// One window for each key, made when it is first mentioned. Its base is the pointer of this name, which may be assigned
/// later; its size waits until all names in it are known.
inline function_reader::value function_reader::build_window(std::string const& key) {
  auto const found = windows_.find(key);
  if (found == windows_.end()) return {};
  window_entry& w = found->second;
  if (w.built) return w.built;
  at_declarations const here(*this);
  make_.set_location(module_.place(tree_.start_of(w.descriptor)));
  value base;
  if (auto const at = names_.find(w.base);
      at != names_.end() && at->second && ir::host::is_ptr(in_, p_.type_of(at->second)))
    base = at->second;
  else if (auto const known = pointers_.find(w.base); known != pointers_.end())
    base = known->second;
  else
    pointers_.emplace(w.base, base = make_.variable(w.base, ir::host::ptr(in_)));
  w.built = p_.result(make_.make(ir::opcode::host_window, {base}, {ir::host::window_buffer(in_)},
                                 {{"load_from_host", in_.boolean(w.load)}, {"store_to_host", in_.boolean(w.store)}}),
                      0);
  if (size_is_known(w.size)) size_window(w);
  return w.built;
}

/// Whether every name in a size is known by now.
inline bool function_reader::size_is_known(node size) {
  std::vector<node> open{size};
  while (!open.empty()) {
    node const n = open.back();
    open.pop_back();
    if (tree_[n].kind == node_kind::name) {
      auto const text = module_.text(n);
      auto const at = names_.find(text);
      if (at == names_.end() && !module_.dims.contains(text) && !module_.constants.contains(text)) return false;
    }
    // The names in a dotted name are not variables.
    if (tree_[n].kind == node_kind::attribute) continue;
    auto const inner = tree_.children(n);
    open.insert(open.end(), inner.begin(), inner.end());
  }
  return true;
}

inline void function_reader::size_window(window_entry& w) {
  w.sized = true;  // also when it is faulty: once is enough
  at_declarations const here(*this);
  value const size = expression(w.size);
  if (!size) return;
  ir::type const of = p_.type_of(size);
  auto const* d = ir::host::find_dtype(ir::host::dtype_name(in_, of));
  if (!ir::host::is_unknown(in_, of) && (d == nullptr || d->is_float || d->name == "BOOL")) {
    module_.error(w.size, "the size of a window buffer is an integer: bytes");
    return;
  }
  if (p_.defining_op(size) && ir::host::is_variable(p_, size)) forward_ = true;
  p_.append_operand(p_.defining_op(w.built), size);
  forward_ = true;
}

inline void function_reader::finish_windows() {
  for (auto const& key : window_order_)
    if (window_entry& w = windows_.find(key)->second; w.built && !w.sized) size_window(w);
}

}  // namespace mpmd::text::python
