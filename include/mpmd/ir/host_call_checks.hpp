#pragma once
/// What registered operations ask of the types of their operands and of their keywords, beside how many they take. Users
/// are held to it when their text is read; what passes record need not keep to it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/host_types.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::ir::host {

/// What is wrong with a call, and where: in an argument (of a shape, in one of its extents), or in a keyword.
struct call_fault {
  std::optional<std::size_t> argument = {};
  std::optional<std::size_t> extent = {};
  std::string_view keyword = {};
  std::string message = {};
};

namespace detail {

/// An element type that an operand must have, for operands that are tensors.
struct element_rule {
  std::string_view operation;
  std::size_t operand;
  std::string_view called;
  std::array<std::string_view, 2> dtypes;  ///< one of these
};
inline constexpr auto element_rules = std::to_array<element_rule>({
    {"pld.tensor.allreduce", 0, "target", {"FP16", "FP32"}},
    {"pld.tensor.allreduce", 1, "signal", {"INT32", {}}},
    {"pld.tensor.barrier", 0, "signal", {"INT32", {}}},
});

/// What a keyword of an operation must be.
struct keyword_rule {
  enum class kind : std::uint8_t { reduction, text, count, place };
  std::string_view operation;
  std::string_view keyword;
  kind is;
};
inline constexpr auto keyword_rules = std::to_array<keyword_rule>({
    {"pld.tensor.allreduce", "op", keyword_rule::kind::reduction},
    {"pld.tensor.allreduce", "mode", keyword_rule::kind::text},
    {"pld.tensor.allreduce", "core_num", keyword_rule::kind::count},
    {"pld.tensor.reduce_scatter", "op", keyword_rule::kind::reduction},
    {"pld.tensor.broadcast", "root", keyword_rule::kind::place},
});

/// Why an expression is no integer: its type, as far as one is known; empty if it may be one.
inline std::string no_integer(program const& p, value v) {
  context const& in = p.context();
  type const of = p.type_of(v);
  if (is_unknown(in, of)) return {};
  auto const* d = find_dtype(dtype_name(in, of));
  if (d == nullptr) return in.get_if<tuple_type>(of) ? "a list" : "something that is no number";
  if (d->is_float || d->name == "BOOL" || d->name == "TASK_ID") return std::string(d->name);
  return {};
}

}  // namespace detail

/// The first thing that is wrong with a call of a registered operation; `keyword(name)` is the data of a keyword argument,
/// null if it is not given. What is of unknown type may be anything. O(operands).
template <class Keyword>
std::optional<call_fault> find_call_fault(program const& p, std::string_view operation, std::span<value const> arguments,
                                          Keyword keyword) {
  context& in = p.context();
  std::string const called(operation);
  if (operation == "pld.tensor.alloc_window_buffer" && !arguments.empty())
    if (std::string const why = detail::no_integer(p, arguments[0]); !why.empty())
      return call_fault{0, {}, {}, called + " takes its size in bytes as an integer, not " + why};
  if (operation == "pld.tensor.window" && arguments.size() > 1)
    if (op const shape = p.defining_op(arguments[1]); shape && p.is(shape, opcode::host_tuple)) {
      auto const extents = p.operands(shape);
      for (std::size_t i = 0; i < extents.size() - type_operands(p, arguments[1]).size(); ++i)
        if (std::string const why = detail::no_integer(p, extents[i]); !why.empty())
          return call_fault{1, i, {}, called + " takes integers as extents, not " + why};
    }
  for (auto const& rule : detail::element_rules) {
    if (rule.operation != operation || rule.operand >= arguments.size()) continue;
    auto const data = tensor_of(in, p.type_of(arguments[rule.operand]));
    if (!data || data->dtype == rule.dtypes[0] || data->dtype == rule.dtypes[1]) continue;
    std::string const wanted = std::string(rule.dtypes[0]) + (rule.dtypes[1].empty() ? "" : " or ");
    return call_fault{rule.operand, {}, {},
                      called + " " + std::string(rule.called) + " dtype must be " + wanted + std::string(rule.dtypes[1]) +
                          ", got " + data->dtype};
  }
  for (auto const& rule : detail::keyword_rules) {
    if (rule.operation != operation) continue;
    attribute const held = keyword(rule.keyword);
    if (!held) continue;
    auto const* number = in.get_if<integer_attr>(held);
    bool const integer = number != nullptr && number->of == in.integer(64);
    std::string_view wanted;
    switch (rule.is) {
      using enum detail::keyword_rule::kind;
      case reduction:
        if (!integer || number->value < 0 || number->value > 3) wanted = "pld.ReduceOp.Sum, Max, Min or Prod";
        break;
      case text:
        if (in.get_if<string_attr>(held) == nullptr) wanted = "a string";
        break;
      case count:
        if (!integer) wanted = "an integer";
        break;
      case place:
        if (!integer || number->value < 0) wanted = "the place of a device in its domain, counted from 0";
        break;
    }
    if (!wanted.empty())
      return call_fault{{}, {}, rule.keyword, called + " " + std::string(rule.keyword) + "= must be " + std::string(wanted)};
  }
  return std::nullopt;
}

}  // namespace mpmd::ir::host
