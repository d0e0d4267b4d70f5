#pragma once
/// What the printers of types, attributes and locations call of each other.

#include <string>
#include <string_view>

#include <mpmd/ir/context.hpp>

namespace mpmd::text::mlir {

/// Appends the text of a type. Recursion follows the nesting of the type, which the reader bounds.
inline void print(std::string& out, ir::context const& in, ir::type of);

/// Appends the text of an attribute. Where MLIR leaves `: i64` and `: f64` out, as between the brackets of an
/// array, `elide_default_type` does so. Recursion follows the nesting of the attribute, which the reader
/// bounds.
inline void print(std::string& out, ir::context const& in, ir::attribute of, bool elide_default_type = false);

/// `name = value`, or just the name of a unit attribute.
inline void print_entry(std::string& out, ir::context const& in, ir::name key, ir::attribute value);

/// An attribute of the sdy or mpmd dialect as it stands inside another construct of these dialects: without
/// its
/// `#dialect.name`. An array is a list of such; any other attribute prints in full.
inline void print_stripped(std::string& out, ir::context const& in, ir::attribute of);

/// What stands between the parentheses of `loc(...)`, every part written out in its place.
inline void print_location(std::string& out, ir::context const& in, ir::attribute of);
inline bool is_location(ir::context const& in, ir::attribute of);

namespace detail {

/// `open a, b close`.
template <class Range, class F>
void print_list(std::string& out, std::string_view open, Range const& items, std::string_view close,
                F&& one) {
  out += open;
  bool first = true;
  for (auto const& item : items) {
    if (!first) out += ", ";
    first = false;
    one(item);
  }
  out += close;
}

}  // namespace detail
}  // namespace mpmd::text::mlir
