#pragma once
/// Types, attributes and locations in MLIR's text, exactly as MLIR 19 prints those of the builtin dialect and
/// Shardy those of sdy and mpmd. Everything is appended to a string; what is printed reads back as the same
/// handle.

#include <algorithm>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/detail/attribute_printer.hpp>
#include <mpmd/text/mlir/detail/dialect_printer.hpp>
#include <mpmd/text/mlir/detail/location_printer.hpp>
#include <mpmd/text/mlir/detail/printing.hpp>
#include <mpmd/text/mlir/detail/type_printer.hpp>
#include <mpmd/text/mlir/detail/words.hpp>

namespace mpmd::text::mlir {

inline std::string to_string(ir::context const& in, ir::type of) {
  std::string text;
  print(text, in, of);
  return text;
}
inline std::string to_string(ir::context const& in, ir::attribute of) {
  std::string text;
  print(text, in, of);
  return text;
}
inline void print(std::ostream& out, ir::context const& in, ir::type of) { out << to_string(in, of); }
inline void print(std::ostream& out, ir::context const& in, ir::attribute of) { out << to_string(in, of); }

/// `{a = 1, b}` with `before` in front of it, of the entries whose names are not among `elided`, in the given
/// order; nothing if none is left.
inline void print_optional_entries(std::string& out, ir::context const& in,
                                   std::span<std::pair<ir::name, ir::attribute> const> entries,
                                   std::span<std::string_view const> elided = {},
                                   std::string_view before = " ") {
  bool first = true;
  for (auto const& [key, value] : entries) {
    if (std::find(elided.begin(), elided.end(), in.text(key)) != elided.end()) continue;
    out += first ? before : std::string_view(", ");
    if (first) out += '{';
    first = false;
    print_entry(out, in, key, value);
  }
  if (!first) out += '}';
}
/// The same of a dictionary attribute; none counts as empty.
inline void print_optional_dictionary(std::string& out, ir::context const& in, ir::attribute dictionary,
                                      std::span<std::string_view const> elided = {},
                                      std::string_view before = " ") {
  if (auto const* d = in.get_if<ir::dictionary_attr>(dictionary))
    print_optional_entries(out, in, d->entries, elided, before);
}

}  // namespace mpmd::text::mlir
