#pragma once
/// Attributes in MLIR's text.

#include <string>
#include <string_view>
#include <variant>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/detail/dialect_printer.hpp>
#include <mpmd/text/mlir/detail/element.hpp>
#include <mpmd/text/mlir/detail/printing.hpp>
#include <mpmd/text/mlir/detail/words.hpp>

namespace mpmd::text::mlir {

inline void print_entry(std::string& out, ir::context const& in, ir::name key, ir::attribute value) {
  print_name(out, in.text(key));
  if (in.get_if<ir::unit_attr>(value) != nullptr) return;
  out += " = ";
  print(out, in, value, false);
}

namespace detail {

/// More elements than this, unless all are equal, are printed as one hexadecimal string.
inline constexpr std::uint64_t most_printed_elements = 100;

struct attribute_printer {
  std::string& out;
  ir::context const& in;
  bool elide_default_type = false;

  void colon_type(ir::type of) const {
    out += " : ";
    print(out, in, of);
  }
  void scalar(element const& e, std::string_view bytes) const {
    if (e.real != nullptr)
      print_float(out, *e.real, load_bits(bytes));
    else if (e.raw_float)
      print_hex(out, load_bits(bytes));
    else if (e.integer.is_bool())
      out += bytes[0] != 0 ? "true" : "false";
    else
      print_integer(out, e.integer, bytes);
  }
  void one_element(element const& e, std::string_view bytes) const {
    if (!e.complex) return scalar(e, bytes);
    out += '(';
    scalar(e, bytes.substr(0, e.scalar_size()));
    out += ',';
    scalar(e, bytes.substr(e.scalar_size()));
    out += ')';
  }
  void blob(element const& e, std::string_view data) const {
    constexpr std::string_view hex = "0123456789ABCDEF";
    auto byte = [&](unsigned b) {
      out += hex[b >> 4];
      out += hex[b & 15];
    };
    out += "\"0x";
    if (e.is_bit()) {
      for (std::size_t i = 0; i < data.size(); i += 8) {
        unsigned packed = 0;
        for (std::size_t bit = 0; bit < 8 && i + bit < data.size(); ++bit)
          packed |= (data[i + bit] != 0 ? 1u : 0u) << bit;
        byte(packed);
      }
    } else {
      for (char c : data) byte(static_cast<unsigned char>(c));
    }
    out += '"';
  }
  void elements(ir::dense_attr const& a) const {
    auto const e = *element_of(in, a.of);
    if (a.data.empty()) return;
    if (a.splat) return one_element(e, a.data);
    auto const& shape = *shape_of(in, a.of);
    std::size_t const count = a.data.size() / e.size();
    if (count > most_printed_elements) return blob(e, a.data);
    // A bracket opens or closes where the index is a multiple of the size of the rows below it.
    for (std::size_t i = 0; i < count; ++i) {
      if (i != 0) out += ", ";
      brackets(shape, i, '[');
      one_element(e, std::string_view(a.data).substr(i * e.size(), e.size()));
      brackets(shape, i + 1, ']');
    }
  }
  void brackets(std::vector<std::int64_t> const& shape, std::size_t index, char bracket) const {
    std::size_t row = 1;
    for (std::size_t d = shape.size(); d-- > 0;) {
      row *= static_cast<std::size_t>(shape[d]);
      if (index % row != 0) return;
      out += bracket;
    }
  }

  void operator()(ir::unit_attr const&) const { out += "unit"; }
  void operator()(ir::integer_attr const& a) const {
    auto const format = *integer_format_of(in, a.of);
    if (format.is_bool()) {
      out += a.value != 0 ? "true" : "false";
      return;
    }
    print_integer(out, a.value, format.prints_unsigned());
    bool const is_default = !format.is_index && format.width == 64 && format.sign == ir::signedness::signless;
    if (!elide_default_type || !is_default) colon_type(a.of);
  }
  void operator()(ir::float_attr const& a) const {
    auto const* format = find_float_format(in.get_if<ir::float_type>(a.of)->keyword);
    if (format != nullptr)
      print_float(out, *format, {a.bits, 0});
    else
      print_hex(out, {a.bits, 0});
    if (!elide_default_type || format == nullptr || format->keyword != "f64") colon_type(a.of);
  }
  void operator()(ir::string_attr const& a) const {
    print_string(out, a.text);
    if (a.of) colon_type(a.of);
  }
  void operator()(ir::symbol_ref_attr const& a) const {
    print_symbol(out, a.root);
    for (auto const& nested : a.nested) {
      out += "::";
      print_symbol(out, nested);
    }
  }
  void operator()(ir::type_attr const& a) const { print(out, in, a.held); }
  void operator()(ir::array_attr const& a) const {
    print_list(out, "[", a.elements, "]", [this](ir::attribute e) { print(out, in, e, true); });
  }
  void operator()(ir::dictionary_attr const& a) const {
    print_list(out, "{", a.entries, "}", [this](auto const& e) { print_entry(out, in, e.first, e.second); });
  }
  void operator()(ir::dense_attr const& a) const {
    out += "dense<";
    elements(a);
    out += '>';
    colon_type(a.of);
  }
  void operator()(ir::dense_array_attr const& a) const {
    out += "array<";
    print(out, in, a.element);
    auto const e = *scalar_of(in, a.element);
    std::string bytes;
    print_list(out, a.values.empty() ? "" : ": ", a.values, ">", [&](std::int64_t value) {
      bytes.clear();
      append_bits(bytes, {static_cast<std::uint64_t>(value), 0}, e.scalar_size());
      scalar(e, bytes);
    });
  }
  void operator()(ir::dense_resource_attr const& a) const {
    out += "dense_resource<";
    print_name(out, a.key);
    out += '>';
    colon_type(a.of);
  }
  void operator()(ir::opaque_attr const& a) const {
    out += a.text;
    if (a.of) colon_type(a.of);
  }
  /// Of the sdy and mpmd dialects; locations are printed before it comes to this.
  template <class T>
  void operator()(T const& a) const {
    if constexpr (requires { dialect_printer{out, in}.full(a); }) dialect_printer{out, in}.full(a);
  }
};

}  // namespace detail

inline void print(std::string& out, ir::context const& in, ir::attribute of, bool elide_default_type) {
  if (is_location(in, of)) {
    out += "loc(";
    print_location(out, in, of);
    out += ')';
    return;
  }
  std::visit(detail::attribute_printer{out, in, elide_default_type}, in[of]);
}

}  // namespace mpmd::text::mlir

#include <mpmd/text/mlir/printer.hpp>
