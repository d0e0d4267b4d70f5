#pragma once
/// Symbols: names of ops that other ops refer to. A module is a symbol table for the ops directly in it.

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

/// The symbol an op bears, or an empty view.
inline std::string_view symbol_name(program const& in, op o) {
  auto const* label = in.attr_if<string_attr>(o, "sym_name");
  return label ? std::string_view(label->text) : std::string_view{};
}

enum class symbol_visibility { is_public, is_private, nested };

/// Public unless the op says otherwise.
inline symbol_visibility visibility_of(program const& in, op o) {
  auto const* said = in.attr_if<string_attr>(o, "sym_visibility");
  if (said && said->text == "private") return symbol_visibility::is_private;
  if (said && said->text == "nested") return symbol_visibility::nested;
  return symbol_visibility::is_public;
}
/// Public is expressed by saying nothing.
inline void set_visibility(program& in, op o, symbol_visibility to) {
  context& cx = in.context();
  in.set_attr(o, "sym_visibility",
              to == symbol_visibility::is_public    ? attribute{}
              : to == symbol_visibility::is_private ? cx.string("private")
                                                    : cx.string("nested"));
}

/// Whether the op is a symbol table: a module.
inline bool is_symbol_table(program const& in, op o) { return in.is(o, opcode::builtin_module); }

/// The op itself or the closest op around it that is a symbol table, or none.
inline op nearest_symbol_table(program const& in, op o) {
  while (o && !is_symbol_table(in, o)) o = in.parent_op(o);
  return o;
}

/// The symbols of one module, looked up in O(1). It knows what stood there when it was built, O(ops in its
/// block), and what it was told since.
class symbol_table {
 public:
  /// Of several ops with one name the first bears it; the others are listed in duplicates().
  symbol_table(program const& in, op table) : in_(&in) {
    for (region const r : in.regions(table))
      for (block const b : blocks(in, r))
        for (op const o : ops(in, b)) {
          auto const label = symbol_name(in, o);
          if (label.empty()) continue;
          if (auto const [at, fresh] = by_name_.emplace(label, o); !fresh)
            duplicates_.emplace_back(at->second, o);
        }
  }

  /// The op of that name, or none.
  op find(std::string_view label) const {
    auto const at = by_name_.find(label);
    return at == by_name_.end() ? op{} : at->second;
  }
  /// Each op whose name another op bears already, behind that other op; in order.
  std::vector<std::pair<op, op>> const& duplicates() const { return duplicates_; }

  /// Tells that an op has been put into the module. Its name must be free.
  void insert(op o) {
    [[maybe_unused]] bool const fresh = by_name_.emplace(symbol_name(*in_, o), o).second;
    assert(fresh && "the name is taken");
  }
  /// Tells that an op is about to leave the module.
  void erase(op o) {
    auto const at = by_name_.find(symbol_name(*in_, o));
    if (at != by_name_.end() && at->second == o) by_name_.erase(at);
  }
  /// `base` if it is free, else `base_0`, `base_1`, ... Expected O(1) amortised over calls.
  std::string unique_name(std::string_view base) {
    std::string candidate(base);
    if (!find(candidate)) return candidate;
    for (std::size_t& next = next_suffix_[candidate];; ++next)
      if (std::string numbered = candidate + "_" + std::to_string(next); !find(numbered)) return numbered;
  }

 private:
  program const* in_;
  std::unordered_map<std::string_view, op>
      by_name_;  // keys are text of uniqued attributes, which does not move
  std::vector<std::pair<op, op>> duplicates_;
  std::unordered_map<std::string, std::size_t> next_suffix_;
};

/// The symbol tables of a whole program, each built when it is first asked.
class symbol_tables {
 public:
  explicit symbol_tables(program const& in) : in_(&in) {}

  symbol_table& of(op table) {
    auto const at = tables_.find(table);
    return at != tables_.end() ? at->second : tables_.emplace(table, symbol_table(*in_, table)).first->second;
  }
  /// What a reference made by `from` means: the symbol in the nearest symbol table around it and, for nested
  /// references, on into the tables it names. None if there is no such symbol. O(depth of `from`).
  op resolve(op from, symbol_ref_attr const& reference) {
    return resolve_in(nearest_symbol_table(*in_, from), reference);
  }
  /// The same, from a known symbol table. O(1) for a plain name.
  op resolve_in(op table, symbol_ref_attr const& reference) {
    if (!table) return {};
    op found = of(table).find(reference.root);
    for (auto const& step : reference.nested) {
      if (!found || !is_symbol_table(*in_, found)) return {};
      found = of(found).find(step);
    }
    return found;
  }
  /// The same for the symbol held by an attribute of the op, such as `callee`.
  op resolve(op from, std::string_view key) {
    auto const* reference = in_->attr_if<symbol_ref_attr>(from, key);
    return reference ? resolve(from, *reference) : op{};
  }
  /// Drops everything known, after edits of symbols.
  void clear() { tables_.clear(); }

 private:
  program const* in_;
  std::unordered_map<op, symbol_table> tables_;
};

/// `@root::@nested`.
inline std::string to_text(symbol_ref_attr const& reference) {
  std::string out = "@" + reference.root;
  for (auto const& step : reference.nested) out += "::@" + step;
  return out;
}

}  // namespace mpmd::ir
