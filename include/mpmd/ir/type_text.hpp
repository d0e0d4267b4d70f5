#pragma once
/// Types and shardings as they stand in messages: the spelling of the MLIR text form.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/ir/context.hpp>

namespace mpmd::ir {

/// `"x"` or `"x":(2)4`.
inline std::string to_text(axis_ref const& a) {
  std::string out = "\"" + a.axis + "\"";
  if (a.is_sub_axis()) out += ":(" + std::to_string(a.pre_size) + ")" + std::to_string(a.size);
  return out;
}

/// `<["x"=2], device_ids=[1, 0]>`.
inline std::string to_text(mesh_attr const& m) {
  std::string out = "<[";
  for (std::size_t i = 0; i < m.axes.size(); ++i)
    out += (i ? ", \"" : "\"") + m.axes[i].label + "\"=" + std::to_string(m.axes[i].size);
  out += "]";
  if (!m.device_ids.empty()) {
    out += ", device_ids=[";
    for (std::size_t i = 0; i < m.device_ids.size(); ++i)
      out += (i ? ", " : "") + std::to_string(m.device_ids[i]);
    out += "]";
  }
  return out + ">";
}

/// `<@mesh, [{"x"}, {?}]>`.
inline std::string to_text(context const& in, sharding_attr const& s) {
  auto axes = [](std::vector<axis_ref> const& list) {
    std::string out;
    for (std::size_t i = 0; i < list.size(); ++i) out += (i ? ", " : "") + to_text(list[i]);
    return out;
  };
  std::string out = "<";
  if (auto const* by_name = in.get_if<symbol_ref_attr>(s.mesh))
    out += "@" + by_name->root;
  else if (auto const* inlined = in.get_if<mesh_attr>(s.mesh))
    out += "mesh" + to_text(*inlined);
  out += ", [";
  for (std::size_t i = 0; i < s.dims.size(); ++i) {
    auto const& d = s.dims[i];
    out += (i ? ", {" : "{") + axes(d.axes);
    if (d.open) out += d.axes.empty() ? "?" : ", ?";
    out += "}";
    if (d.priority) out += "p" + std::to_string(*d.priority);
  }
  out += "]";
  if (!s.replicated.empty()) out += ", replicated={" + axes(s.replicated) + "}";
  if (!s.unreduced.empty()) {
    out += ", unreduced=";
    if (s.reduction == unreduced_kind::max) out += "max";
    if (s.reduction == unreduced_kind::min) out += "min";
    out += "{" + axes(s.unreduced) + "}";
  }
  return out + ">";
}

namespace detail {

/// Spells a type piece by piece off a list, so that nesting costs no stack.
struct type_speller {
  context const& in;
  std::vector<std::variant<type, std::string>> rest = {};  // last comes next
  std::string out = {};

  std::string spell(type t) {
    rest.emplace_back(t);
    while (!rest.empty()) {
      auto const piece = std::move(rest.back());
      rest.pop_back();
      if (auto const* text = std::get_if<std::string>(&piece))
        out += *text;
      else if (type const next = *std::get_if<type>(&piece); next)
        std::visit([this](auto const& data) { one(data); }, in[next]);
      else
        out += "<<no type>>";
    }
    return std::move(out);
  }
  void then(std::vector<std::variant<type, std::string>> pieces) {
    while (!pieces.empty()) {
      rest.push_back(std::move(pieces.back()));
      pieces.pop_back();
    }
  }
  static std::string extent(std::int64_t n) { return n == dynamic_extent ? "?" : std::to_string(n); }

  void one(integer_type const& t) {
    out += t.sign == signedness::signless ? "i" : t.sign == signedness::is_signed ? "si" : "ui";
    out += std::to_string(t.width);
  }
  void one(float_type const& t) { out += t.keyword; }
  void one(index_type const&) { out += "index"; }
  void one(none_type const&) { out += "none"; }
  void one(token_type const&) { out += "!stablehlo.token"; }
  void one(opaque_type const& t) { out += t.text; }
  void one(complex_type const& t) { then({"complex<", t.element, ">"}); }
  void one(unranked_tensor_type const& t) { then({"tensor<*x", t.element, ">"}); }
  void one(tensor_type const& t) {
    std::string dims = "tensor<";
    for (std::int64_t const n : t.shape) dims += extent(n) + "x";
    std::string close = ">";
    if (auto const* text = in.get_if<opaque_attr>(t.encoding))
      close = ", " + text->text + ">";
    else if (auto const* quoted = in.get_if<string_attr>(t.encoding))
      close = ", \"" + quoted->text + "\">";
    else if (t.encoding)
      close = ", ...>";
    then({std::move(dims), t.element, std::move(close)});
  }
  void one(vector_type const& t) {
    std::string dims = "vector<";
    for (std::size_t i = 0; i < t.shape.size(); ++i)
      dims +=
          i < t.scalable.size() && t.scalable[i] ? "[" + extent(t.shape[i]) + "]x" : extent(t.shape[i]) + "x";
    then({std::move(dims), t.element, ">"});
  }
  void one(tuple_type const& t) {
    std::vector<std::variant<type, std::string>> pieces{"tuple<"};
    append_list(pieces, t.elements);
    pieces.emplace_back(">");
    then(std::move(pieces));
  }
  void one(function_type const& t) {
    std::vector<std::variant<type, std::string>> pieces{"("};
    append_list(pieces, t.inputs);
    // A single result stands bare unless it is a function type itself.
    bool const bare = t.results.size() == 1 && in.get_if<function_type>(t.results[0]) == nullptr;
    pieces.emplace_back(bare ? ") -> " : ") -> (");
    append_list(pieces, t.results);
    if (!bare) pieces.emplace_back(")");
    then(std::move(pieces));
  }
  void one(mesh_tensor_type const& t) {
    std::string close;
    if (auto const* sharding = in.get_if<sharding_attr>(t.sharding))
      close += ", sharding=" + to_text(in, *sharding);
    if (t.memory_kind) close += ", memory_kind=\"" + *t.memory_kind + "\"";
    then({"!mpmd.mesh_tensor<\"" + t.mesh + "\", ", t.global, close + ">"});
  }
  static void append_list(std::vector<std::variant<type, std::string>>& pieces,
                          std::vector<type> const& types) {
    for (std::size_t i = 0; i < types.size(); ++i) {
      if (i) pieces.emplace_back(", ");
      pieces.emplace_back(types[i]);
    }
  }
};

}  // namespace detail

/// A type as MLIR writes it. An encoding without text form of its own shows as `...`.
inline std::string to_text(context const& in, type t) { return detail::type_speller{in}.spell(t); }

/// `'f32'`: a type in single quotes, the way messages mention one.
inline std::string quoted(context const& in, type t) { return "'" + to_text(in, t) + "'"; }

}  // namespace mpmd::ir
