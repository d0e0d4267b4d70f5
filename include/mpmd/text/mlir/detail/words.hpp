#pragma once
/// Strings, names and keywords as they are written.

#include <array>
#include <string>
#include <string_view>

#include <mpmd/text/mlir/lexer.hpp>

namespace mpmd::text::mlir {

namespace detail {

inline constexpr std::array<std::string_view, 7> reduction_names = {"none", "add", "max", "min",
                                                                    "mul",  "or",  "and"};
inline constexpr std::array<std::string_view, 3> unreduced_names = {"sum", "max", "min"};

inline void print_escape(std::string& out, char c) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  auto const byte = static_cast<unsigned char>(c);
  out += '\\';
  out += hex[byte >> 4];
  out += hex[byte & 15];
}

}  // namespace detail

/// `"text"`; quotes and everything but printable ASCII as `\XX`, as MLIR escapes string attributes.
inline void print_string(std::string& out, std::string_view text) {
  out += '"';
  for (char c : text) {
    if (c == '\\')
      out += "\\\\";
    else if (c < ' ' || c > '~' || c == '"')
      detail::print_escape(out, c);
    else
      out += c;
  }
  out += '"';
}

/// `"name"` of a mesh, axis or origin. Shardy prints these names as they are; what could not be read back
/// then, it is escaped here.
inline void print_label(std::string& out, std::string_view label) {
  out += '"';
  for (char c : label) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < ' ' || byte == 0x7F || c == '"' || c == '\\')
      detail::print_escape(out, c);
    else
      out += c;
  }
  out += '"';
}

/// An attribute name: bare if it can be.
inline void print_name(std::string& out, std::string_view name) {
  if (is_bare_id(name))
    out += name;
  else
    print_string(out, name);
}

/// `@name` or `@"name"`.
inline void print_symbol(std::string& out, std::string_view name) {
  out += '@';
  print_name(out, name);
}

}  // namespace mpmd::text::mlir
