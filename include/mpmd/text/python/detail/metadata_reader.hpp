#pragma once
/// Keyword arguments and attributes: definitions of text/python/function_reader.hpp, which includes this.

#include <bit>

#include <mpmd/text/python/function_reader.hpp>

namespace mpmd::text::python {

/// The symbol that a constant of the language is in the IR; null after a report when the dotted name is that of none.
inline ir::attribute function_reader::constant_name(node n) {
  auto const path = module_.path(n);
  if (!path) return module_.error(n, "this is no constant of the language, as pl.FP32 is"), ir::attribute{};
  if (auto const d = module_.dtype(n); !d.empty()) return make_.named(d);
  std::string_view rest = *path;
  if (rest.starts_with("pld.ReduceOp.") || rest.starts_with("pl.ReduceOp.")) {
    auto const member = rest.substr(rest.rfind('.') + 1);
    for (std::size_t i = 0; i < reduce_ops.size(); ++i)
      if (reduce_ops[i] == member) return in_.integer_value(static_cast<std::int64_t>(i));
  }
  if (rest.starts_with("pl.")) {
    rest.remove_prefix(3);
    auto const point = rest.find('.');
    auto const* known = point == rest.npos ? nullptr : find_enumeration(rest.substr(0, point));
    auto const member = point == rest.npos ? std::string_view{} : rest.substr(point + 1);
    if (known != nullptr && member.find('.') == member.npos && (known->members.empty() || is_listed(known->members, member)))
      return make_.named(known->name, member);
  }
  module_.error(n, "unknown constant '" + *path + "'");
  return {};
}

/// The data of one value; expressions in it become operands. Null after a report.
inline ir::attribute function_reader::read_data(node n, std::vector<node>& held, bool in_list) {
  if (auto const b = module_.boolean(n)) return in_.boolean(*b);
  bool too_large = false;
  if (auto const i = module_.signed_integer(n, &too_large)) return in_.integer_value(*i);
  if (too_large) return module_.error(n, "this integer does not fit into 64 bits"), ir::attribute{};
  if (auto const d = module_.signed_real(n))
    return in_.get(ir::float_attr{std::bit_cast<std::uint64_t>(*d), in_.floating("f64")});
  if (module_.is_string(n)) return in_.string(module_.string_value(n));
  if (tree_[n].kind == node_kind::attribute) return constant_name(n);
  if (tree_[n].kind == node_kind::name && !names_.contains(module_.text(n)))
    if (auto const c = module_.constants.find(module_.text(n)); c != module_.constants.end()) {
      auto const* i = in_.get_if<ir::integer_attr>(c->second);
      return i && i->of != in_.integer(1) ? in_.integer_value(i->value) : c->second;
    }
  if (tree_[n].kind == node_kind::list && !in_list) {
    // Elements of one kind: integers, constants of one enumeration, names, or pairs that end with an integer.
    ir::array_attr list;
    std::string kind;
    for (node const e : tree_.children(n)) {
      ir::attribute data;
      std::string is;
      if (tree_[e].kind == node_kind::tuple && tree_[e].count == 2) {
        std::size_t const before = held.size();
        ir::attribute const first = read_data(tree_.child(e, 0), held, true);
        ir::attribute const second = read_data(tree_.child(e, 1), held, true);
        if (!first || !second) return {};
        auto const plain = [&](ir::attribute a) {
          auto const* i = in_.get_if<ir::integer_attr>(a);
          return i != nullptr && i->of == in_.integer(64);
        };
        bool const named = held.size() == before + 1 && ir::host::operand_number(in_, first).has_value();
        if (!plain(second) || (!plain(first) && !named)) {
          module_.error(e, "a pair in a list holds a name or an integer, and an integer");
          return {};
        }
        is = named ? "names and integers" : "pairs of integers";
        data = in_.get(ir::array_attr{{first, second}});
      } else {
        data = read_data(e, held, true);
        if (!data) return {};
        if (auto const* s = in_.get_if<ir::symbol_ref_attr>(data))
          is = s->nested.empty() ? std::string("element types") : s->root;
        else if (ir::host::operand_number(in_, data))
          is = "names";
        else
          is = in_.get_if<ir::string_attr>(data) ? "strings" : in_.get_if<ir::float_attr>(data) ? "floats"
               : in_.get_if<ir::integer_attr>(data)->of == in_.integer(1) ? "booleans" : "integers";
      }
      if (!kind.empty() && kind != is) {
        module_.error(e, "a list in an attribute holds values of one kind, not " + kind + " and " + is);
        return {};
      }
      kind = is;
      list.elements.push_back(data);
    }
    return in_.get(std::move(list));
  }
  if (in_list && tree_[n].kind != node_kind::name) {
    module_.error(n, "a list in an attribute holds integers, constants, names or pairs");
    return {};
  }
  held.push_back(n);
  return operand_mark(held.size() - 1);
}

inline bool function_reader::read_keyword(ir::host::metadata& into, node keyword, keyword_set& seen,
                                          std::vector<node>& held) {
  auto const key = module_.text(keyword);
  if (!seen.insert(key).second) return module_.error(keyword, "the keyword is given twice"), false;
  ir::attribute const data = read_data(tree_.child(keyword, 0), held, false);
  if (data) into.entries.emplace_back(key, data);
  return static_cast<bool>(data);
}

inline bool function_reader::read_dictionary(ir::host::metadata& into, node n, std::vector<node>& held,
                                             std::string_view not_a_dictionary, std::string_view bad_key) {
  if (tree_[n].kind != node_kind::dict) {
    module_.error(n, std::string(not_a_dictionary));
    return false;
  }
  bool good = true;
  std::unordered_set<std::string> seen;
  auto const parts = tree_.children(n);
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    if (!module_.is_string(parts[i])) {
      module_.error(parts[i], std::string(bad_key));
      good = false;
      continue;
    }
    std::string const key = module_.string_value(parts[i]);
    if (!seen.insert(key).second) {
      module_.error(parts[i], std::string(bad_key));
      good = false;
      continue;
    }
    ir::attribute const data = read_data(parts[i + 1], held, false);
    good &= static_cast<bool>(data);
    into.entries.emplace_back(key, data);
  }
  return good;
}

}  // namespace mpmd::text::python
