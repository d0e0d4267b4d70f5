#pragma once
/// The aliases `#loc`, `#loc1`, ... under which locations are printed.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/text/mlir/printer.hpp>
#include <mpmd/text/mlir/naming.hpp>

namespace mpmd::text::mlir {

/// Names the locations of a program as MLIR's printer does: those that contain no others come first, then by the order
/// in which they are met. Those of arguments, and what they contain, are defined before the program; the rest behind it.
///
/// Where the program does not state a location, the place in the text that it was read from serves. Expected
/// O(locations).
class location_aliases {
 public:
  explicit location_aliases(ir::context& in) : context_(in) {}

  /// Meets a location; after number() they have all been met.
  void meet(ir::location where, bool of_argument);
  /// Gives the aliases their numbers.
  void number();

  /// ` loc(#loc1)`, once the aliases have numbers.
  void append(std::string& out, ir::location where) const {
    if (!numbered_) return;
    out += " loc(";
    append_alias(out, stated(where));
    out += ')';
  }
  /// ` loc("name"(#loc1))`: MLIR writes the locations of arguments out.
  void append_argument(std::string& out, ir::location where) {
    meet(where, true);
    if (!numbered_) return;
    out += " loc(";
    append_body(out, stated(where));
    out += ')';
  }
  /// `#loc = loc(...)`, a line each.
  void append_definitions(std::string& out, bool before_program) const;

 private:
  struct alias {
    ir::attribute of;
    std::uint32_t height = 1;  // of what it contains
    std::uint32_t number = 0;  // in the order of arrival
    bool early = false;  // defined before the program
  };

  ir::attribute stated(ir::location where) const;
  template <class Each>
  void each_part(ir::attribute of, Each each) const;
  void visit(ir::attribute root);
  void mark_early(ir::attribute root);
  void append_alias(std::string& out, ir::attribute of) const;
  void append_body(std::string& out, ir::attribute of) const;

  ir::context& context_;
  std::vector<alias> aliases_;  // in the order of arrival; after number(), in that of their names
  std::unordered_map<ir::attribute, std::size_t> index_;
  bool numbered_ = false;
};

inline ir::attribute location_aliases::stated(ir::location where) const {
  if (where.given) return where.given;
  auto const place = context_.sources.place(where.text);
  if (place.line == 0) return context_.get(ir::unknown_loc{});
  return context_.get(ir::file_loc{std::string(context_.sources.name(place.buffer)), place.line, place.column});
}

/// Calls `each` for the locations that are written inside another.
template <class Each>
void location_aliases::each_part(ir::attribute of, Each each) const {
  if (auto const* n = context_.get_if<ir::name_loc>(of)) {
    if (n->child && !context_.get_if<ir::unknown_loc>(n->child)) each(n->child);
  } else if (auto const* c = context_.get_if<ir::callsite_loc>(of)) {
    each(c->callee);
    each(c->caller);
  } else if (auto const* f = context_.get_if<ir::fused_loc>(of)) {
    for (ir::attribute const part : f->parts) each(part);
  }
}

inline void location_aliases::visit(ir::attribute root) {
  // A location is entered when it is first met and gets its height once its parts have theirs.
  std::vector<std::pair<ir::attribute, bool>> todo{{root, false}};
  std::vector<ir::attribute> parts;
  while (!todo.empty()) {
    auto const [at, parts_done] = todo.back();
    todo.pop_back();
    if (parts_done) {
      std::uint32_t height = 0;
      each_part(at, [&](ir::attribute part) { height = std::max(height, aliases_[index_.at(part)].height); });
      aliases_[index_.at(at)].height = height + 1;
      continue;
    }
    if (!index_.emplace(at, aliases_.size()).second) continue;
    aliases_.push_back({at});
    parts.clear();
    each_part(at, [&](ir::attribute part) { parts.push_back(part); });
    todo.emplace_back(at, true);
    for (std::size_t i = parts.size(); i-- > 0;) todo.emplace_back(parts[i], false);
  }
}

inline void location_aliases::mark_early(ir::attribute root) {
  std::vector<ir::attribute> todo{root};
  while (!todo.empty()) {
    alias& a = aliases_[index_.at(todo.back())];
    todo.pop_back();
    if (a.early) continue;
    a.early = true;
    each_part(a.of, [&](ir::attribute part) { todo.push_back(part); });
  }
}

inline void location_aliases::meet(ir::location where, bool of_argument) {
  if (numbered_) return;
  ir::attribute const root = stated(where);
  visit(root);
  if (of_argument) mark_early(root);
}

inline void location_aliases::number() {
  numbered_ = true;
  for (std::size_t i = 0; i < aliases_.size(); ++i) aliases_[i].number = static_cast<std::uint32_t>(i);
  std::sort(aliases_.begin(), aliases_.end(), [](alias const& a, alias const& b) {
    return a.height != b.height ? a.height < b.height : a.number < b.number;
  });
  for (std::size_t i = 0; i < aliases_.size(); ++i) index_[aliases_[i].of] = i;
}

inline void location_aliases::append_alias(std::string& out, ir::attribute of) const {
  auto const at = index_.find(of);
  if (at == index_.end()) return append_body(out, of);
  out += "#loc";
  if (at->second != 0) naming::append_number(out, static_cast<std::uint32_t>(at->second));
}

inline void location_aliases::append_body(std::string& out, ir::attribute of) const {
  std::string_view between;
  auto parts = [&](std::string_view separator) {
    each_part(of, [&](ir::attribute part) {
      out += between;
      between = separator;
      append_alias(out, part);
    });
  };
  if (auto const* n = context_.get_if<ir::name_loc>(of)) {
    print_string(out, n->text);
    between = "(";
    parts("");
    if (between.empty()) out += ')';
  } else if (context_.get_if<ir::callsite_loc>(of)) {
    out += "callsite(";
    parts(" at ");
    out += ')';
  } else if (auto const* f = context_.get_if<ir::fused_loc>(of)) {
    out += "fused";
    if (f->metadata) {
      out += '<';
      print(out, context_, f->metadata);
      out += '>';
    }
    out += '[';
    parts(", ");
    out += ']';
  } else {
    print_location(out, context_, of);
  }
}

inline void location_aliases::append_definitions(std::string& out, bool before_program) const {
  for (alias const& a : aliases_) {
    if (a.early != before_program) continue;
    append_alias(out, a.of);
    out += " = loc(";
    append_body(out, a.of);
    out += ")\n";
  }
}

}  // namespace mpmd::text::mlir
