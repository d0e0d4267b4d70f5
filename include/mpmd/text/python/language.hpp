#pragma once
/// The names of the language: kinds of functions, levels, roles, enumerations, operators.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <mpmd/ir/host_types.hpp>
#include <mpmd/text/python/expression_parser.hpp>

namespace mpmd::text::python {

/// A kind of function, and the level and role that it implies (empty: none).
struct function_kind {
  std::string_view name, level, role;
};
inline constexpr auto function_kinds = std::to_array<function_kind>({
    {"Opaque", "", ""},
    {"Orchestration", "CHIP", "Orchestrator"},
    {"InCore", "CHIP_DIE", "SubWorker"},
    {"AIC", "AIC", "SubWorker"},
    {"AIV", "AIV", "SubWorker"},
    {"Group", "CORE_GROUP", "SubWorker"},
    {"Spmd", "", ""},
    {"Inline", "", ""},
    {"Graph", "CHIP", "Orchestrator"},
});
constexpr function_kind const* find_function_kind(std::string_view name) {
  for (auto const& k : function_kinds)
    if (k.name == name) return &k;
  return nullptr;
}

/// Levels and their other names; the canonical name stands first where two mean the same.
struct alias {
  std::string_view name, means;
};
inline constexpr auto levels = std::to_array<alias>({
    {"AIV", "AIV"},           {"AIC", "AIC"},           {"CORE_GROUP", "CORE_GROUP"}, {"CHIP_DIE", "CHIP_DIE"},
    {"CHIP", "CHIP"},         {"HOST", "HOST"},         {"CLUSTER_0", "CLUSTER_0"},   {"CLUSTER_1", "CLUSTER_1"},
    {"CLUSTER_2", "CLUSTER_2"}, {"GLOBAL", "GLOBAL"},   {"L2CACHE", "CHIP_DIE"},      {"PROCESSOR", "CHIP"},
    {"UMA", "CHIP"},          {"NODE", "HOST"},         {"POD", "CLUSTER_0"},         {"CLOS1", "CLUSTER_1"},
    {"CLOS2", "CLUSTER_2"},
});
constexpr std::string_view canonical_level(std::string_view name) {
  for (auto const& l : levels)
    if (l.name == name) return l.means;
  return {};
}
inline constexpr auto roles = std::to_array<alias>({{"Orchestrator", "Orchestrator"}, {"SubWorker", "SubWorker"}});
constexpr bool is_role(std::string_view name) { return name == roles[0].name || name == roles[1].name; }

/// Enumerations whose members can stand in attributes: `pl.<name>.<member>`. Where the members are listed, no other is
/// accepted.
struct enumeration {
  std::string_view name, members;  // separated by blanks; empty: any
};
inline constexpr auto enumerations = std::to_array<enumeration>({
    {"adir", "input output inout output_existing no_dep scalar"},
    {"PadValue", ir::host::paddings},
    {"TensorLayout", ir::host::layouts},
    {"TileLayout", ""},
    {"Mem", ""},
    {"MemorySpace", ""},
    {"Level", ""},
    {"Role", ""},
    {"FunctionType", ""},
});
using ir::host::is_listed;
constexpr enumeration const* find_enumeration(std::string_view name) {
  for (auto const& e : enumerations)
    if (e.name == name) return &e;
  return nullptr;
}

inline constexpr auto reduce_ops = std::to_array<std::string_view>({"Sum", "Max", "Min", "Prod"});

/// A kind of loop, `pl.<name>(...)`.
constexpr bool is_loop_kind(std::string_view name) {
  return name == "range" || name == "parallel" || name == "unroll" || name == "pipeline";
}

/// How an operator is called in the IR, and how it is written: between its operands, or as a call of `text`.
struct operator_info {
  std::string_view kind;  ///< in host.binary and host.unary
  std::string_view text;
  operation op;           ///< none: a call
  bool binary;
};
inline constexpr auto operators = std::to_array<operator_info>({
    {"or", "or", operation::logical_or, true},
    {"and", "and", operation::logical_and, true},
    {"eq", "==", operation::equal, true},
    {"ne", "!=", operation::different, true},
    {"lt", "<", operation::less, true},
    {"le", "<=", operation::at_most, true},
    {"gt", ">", operation::greater, true},
    {"ge", ">=", operation::at_least, true},
    {"bitor", "|", operation::bit_or, true},
    {"bitxor", "^", operation::bit_xor, true},
    {"bitand", "&", operation::bit_and, true},
    {"shl", "<<", operation::shift_left, true},
    {"shr", ">>", operation::shift_right, true},
    {"add", "+", operation::add, true},
    {"sub", "-", operation::subtract, true},
    {"mul", "*", operation::multiply, true},
    {"floatdiv", "/", operation::divide, true},
    {"floordiv", "//", operation::floor_divide, true},
    {"floormod", "%", operation::modulo, true},
    {"pow", "**", operation::power, true},
    {"min", "pl.min", operation::none, true},
    {"max", "pl.max", operation::none, true},
    {"xor", "pl._dump.logical_xor", operation::none, true},
    {"neg", "-", operation::negate, false},
    {"not", "not ", operation::logical_not, false},
    {"bitnot", "~", operation::invert, false},
    {"abs", "abs", operation::none, false},
    {"cast", "pl.cast", operation::none, false},
});
constexpr operator_info const* find_operator(std::string_view kind, bool binary) {
  for (auto const& o : operators)
    if (o.kind == kind && o.binary == binary) return &o;
  return nullptr;
}
constexpr operator_info const* find_operator(operation op) {
  for (auto const& o : operators)
    if (o.op == op && op != operation::none) return &o;
  return nullptr;
}

/// Short spellings of registered operations.
constexpr std::string_view long_spelling(std::string_view path) {
  if (path == "pld.alloc_window_buffer") return "pld.tensor.alloc_window_buffer";
  if (path == "pld.window") return "pld.tensor.window";
  if (path == "pld.world_size") return "pld.system.world_size";
  return path;
}

}  // namespace mpmd::text::python
