#pragma once
/// Types in MLIR's text.

#include <string>
#include <variant>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/detail/printing.hpp>
#include <mpmd/text/mlir/detail/words.hpp>

namespace mpmd::text::mlir {

namespace detail {

struct type_printer {
  std::string& out;
  ir::context const& in;

  void one(ir::type of) const { print(out, in, of); }
  void extent(std::int64_t size) const {
    if (size == ir::dynamic_extent)
      out += '?';
    else
      out += std::to_string(size);
  }
  template <class Range>
  void list(std::string_view open, Range const& types, std::string_view close) const {
    print_list(out, open, types, close, [this](ir::type t) { one(t); });
  }

  void operator()(ir::integer_type const& t) const {
    out += t.sign == ir::signedness::is_signed ? "si" : t.sign == ir::signedness::is_unsigned ? "ui" : "i";
    out += std::to_string(t.width);
  }
  void operator()(ir::float_type const& t) const { out += t.keyword; }
  void operator()(ir::index_type const&) const { out += "index"; }
  void operator()(ir::none_type const&) const { out += "none"; }
  void operator()(ir::tensor_type const& t) const {
    out += "tensor<";
    for (auto size : t.shape) {
      extent(size);
      out += 'x';
    }
    one(t.element);
    if (t.encoding) {
      out += ", ";
      print(out, in, t.encoding, false);
    }
    out += '>';
  }
  void operator()(ir::unranked_tensor_type const& t) const {
    out += "tensor<*x";
    one(t.element);
    out += '>';
  }
  void operator()(ir::vector_type const& t) const {
    out += "vector<";
    for (std::size_t i = 0; i < t.shape.size(); ++i) {
      if (t.scalable[i]) out += '[';
      extent(t.shape[i]);
      if (t.scalable[i]) out += ']';
      out += 'x';
    }
    one(t.element);
    out += '>';
  }
  void operator()(ir::complex_type const& t) const {
    out += "complex<";
    one(t.element);
    out += '>';
  }
  void operator()(ir::tuple_type const& t) const { list("tuple<", t.elements, ">"); }
  void operator()(ir::function_type const& t) const {
    list("(", t.inputs, ") -> ");
    if (t.results.size() == 1 && in.get_if<ir::function_type>(t.results[0]) == nullptr)
      one(t.results[0]);
    else
      list("(", t.results, ")");
  }
  void operator()(ir::token_type const&) const { out += "!stablehlo.token"; }
  void operator()(ir::mesh_tensor_type const& t) const {
    out += "!mpmd.mesh_tensor<";
    print_label(out, t.mesh);
    out += ", ";
    one(t.global);
    if (t.sharding) {
      out += ", sharding=";
      print_stripped(out, in, t.sharding);
    }
    if (t.memory_kind) {
      out += ", memory_kind=";
      print_label(out, *t.memory_kind);
    }
    out += '>';
  }
  void operator()(ir::opaque_type const& t) const { out += t.text; }
};

}  // namespace detail

inline void print(std::string& out, ir::context const& in, ir::type of) {
  std::visit(detail::type_printer{out, in}, in[of]);
}

}  // namespace mpmd::text::mlir

#include <mpmd/text/mlir/printer.hpp>
