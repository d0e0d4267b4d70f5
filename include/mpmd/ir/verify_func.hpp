#pragma once
/// The verifiers of modules, functions and symbols, with the topologies that functions bear.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <mpmd/ir/verify_context.hpp>
#include <mpmd/ir/verify_sdy.hpp>

namespace mpmd::ir {

/// What an op that bears a symbol must look like.
inline bool check_symbol(verify_context& c, op o) {
  program const& in = c.in;
  // A module need not have a name.
  if (!in.is(o, opcode::builtin_module) || in.attr(o, "sym_name")) {
    auto const* label = in.attr_if<string_attr>(o, "sym_name");
    if (label == nullptr || label->text.empty())
      return c.fail_op(o, "symbol", "requires string attribute 'sym_name'");
  }
  if (attribute const visibility = in.attr(o, "sym_visibility")) {
    auto const* text = c.cx().get_if<string_attr>(visibility);
    if (text == nullptr)
      return c.fail_op(o, "symbol",
                       "requires visibility attribute 'sym_visibility' to be a string attribute");
    if (text->text != "public" && text->text != "private" && text->text != "nested")
      return c.fail_op(o, "symbol",
                       "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got \"" +
                           text->text + "\"");
  }
  if (op const parent = in.parent_op(o); parent && in.info(parent) && !is_symbol_table(in, parent))
    return c.fail_op(o, "symbol", "symbol's parent must have the SymbolTable trait");
  return true;
}

inline bool check_module(verify_context& c, op o) {
  block const body = c.in.first_block(c.in.regions(o)[0]);
  if (!body || c.in.next_block(body))
    return c.fail_op(o, "block-count", "expects region #0 to have one block");
  if (!c.in.arguments(body).empty())
    return c.fail_op(o, "block-arguments", "region should have no arguments");
  return true;
}

/// No two symbols of a module have one name.
inline bool check_duplicate_symbols(verify_context& c, op module) {
  auto const& twice = c.symbols.of(module).duplicates();
  for (auto const& [first, second] : twice)
    c.fail(second, "symbol", "redefinition of symbol named '" + std::string(symbol_name(c.in, second)) + "'",
           {{locate(c.in, first), "see existing symbol definition here"}});
  return twice.empty();
}

/// A topology gives each mesh a name of its own and holds well-formed meshes.
inline bool check_topology(verify_context& c, op function) {
  attribute const held = c.in.attr(function, "topology");
  if (!held || c.sound_topologies.contains(held.id)) return true;
  auto const* topology = c.cx().get_if<topology_attr>(held);
  if (topology == nullptr) return c.fail_op(function, "topology", "attribute 'topology' must be a topology");
  if (topology->meshes.empty())
    return c.fail_op(function, "topology", "topology must have at least one mesh");
  std::unordered_map<std::string_view, bool> seen;
  for (attribute const entry : topology->meshes) {
    auto const* named = c.cx().get_if<named_mesh_attr>(entry);
    auto const* mesh = named ? c.cx().get_if<mesh_attr>(named->mesh) : nullptr;
    if (mesh == nullptr) return c.fail_op(function, "topology", "topology must be made of named meshes");
    if (named->label.empty())
      return c.fail_op(function, "topology", "topology has a mesh without a name");
    if (!seen.emplace(named->label, true).second)
      return c.fail_op(function, "topology", "topology has a duplicate mesh with name: " + named->label);
    if (auto const bad = find_fault(*mesh))
      return c.fail_op(function, "topology", "mesh \"" + named->label + "\" of the topology: " + *bad);
  }
  c.sound_topologies.insert(held.id);
  return true;
}

inline bool check_mesh_shape(verify_context& c, op function) {
  attribute const held = c.in.attr(function, "mesh_shape");
  if (!held) return true;
  auto const* mesh = c.cx().get_if<mesh_attr>(held);
  if (mesh == nullptr) return c.fail_op(function, "mesh-shape", "attribute 'mesh_shape' must be a mesh");
  if (auto const bad = find_fault(*mesh)) return c.fail_op(function, "mesh-shape", "mesh_shape: " + *bad);
  return true;
}

namespace detail {

/// One side's array of dictionaries: as many as there are, with names of dialects only, and shardings that
/// fit.
inline bool check_function_io(verify_context& c, op o, io_side side, std::vector<type> const& types) {
  std::string_view const key = io_key(side);
  bool const arguments = side == io_side::arguments;
  attribute const held = c.in.attr(o, key);
  if (!held) return true;
  auto const* array = c.cx().get_if<array_attr>(held);
  if (array == nullptr)
    return c.fail_op(
        o, "attribute",
        "attribute '" + std::string(key) + "' failed to satisfy constraint: Array of dictionary attributes");
  if (array->elements.size() != types.size())
    return c.fail_op(o, "attribute",
                     std::string("expects ") + (arguments ? "argument" : "result") +
                         " attribute array to have the same number of elements as the number of "
                         "function " +
                         (arguments ? "arguments" : "results") + ", got " +
                         std::to_string(array->elements.size()) + ", but expected " +
                         std::to_string(types.size()));
  for (std::size_t i = 0; i < types.size(); ++i) {
    auto const* dictionary = c.cx().get_if<dictionary_attr>(array->elements[i]);
    if (dictionary == nullptr)
      return c.fail_op(o, "attribute",
                       std::string("expects ") + (arguments ? "argument" : "result") +
                           " attribute dictionary to be a DictionaryAttr");
    for (auto const& [label, to] : dictionary->entries) {
      if (c.cx().text(label).find('.') == std::string_view::npos)
        return c.fail_op(o, "attribute",
                         arguments ? "arguments may only have dialect attributes"
                                   : "results may only have dialect attributes");
      if (c.cx().text(label) == "sdy.sharding" &&
          !check_sharding(c, o, to, types[i], (arguments ? "arg " : "result ") + std::to_string(i) + " - "))
        return false;
    }
  }
  return true;
}

}  // namespace detail

inline bool check_function(verify_context& c, op o) {
  program const& in = c.in;
  auto const* held = required_attribute<type_attr>(c, o, "function_type", "type attribute of function type");
  if (held == nullptr) return false;
  auto const* type_of_function = c.cx().get_if<function_type>(held->held);
  if (type_of_function == nullptr)
    return c.fail_op(
        o, "attribute",
        "attribute 'function_type' failed to satisfy constraint: type attribute of function type");
  if (!detail::check_function_io(c, o, io_side::arguments, type_of_function->inputs)) return false;
  if (!detail::check_function_io(c, o, io_side::results, type_of_function->results)) return false;
  block const entry = entry_block(in, o);
  if (!entry) {
    if (visibility_of(in, o) == symbol_visibility::is_public)
      return c.fail_op(o, "symbol", "symbol declaration cannot have public visibility");
  } else {
    auto const arguments = in.arguments(entry);
    auto const& inputs = type_of_function->inputs;
    if (arguments.size() != inputs.size())
      return c.fail_op(o, "func",
                       "entry block must have " + std::to_string(inputs.size()) +
                           " arguments to match function signature");
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (in.type_of(arguments[i]) != inputs[i])
        return c.fail_op(o, "func",
                         "type of entry block argument #" + std::to_string(i) + "(" + c.quoted(arguments[i]) +
                             ") must match the type of the corresponding argument in function signature(" +
                             c.quoted(inputs[i]) + ")");
  }
  return check_topology(c, o) && check_mesh_shape(c, o);
}

inline bool check_func_return(verify_context& c, op o) {
  program const& in = c.in;
  op const function = in.parent_op(o);  // the parent rule has been checked
  auto const* type_of_function = signature(in, function);
  if (type_of_function == nullptr) return true;
  auto const& results = type_of_function->results;
  std::string const label = "@" + std::string(symbol_name(in, function));
  if (in.operand_count(o) != results.size())
    return c.fail_op(o, "func-return",
                     "has " + std::to_string(in.operand_count(o)) + " operands, but enclosing function (" +
                         label + ") returns " + std::to_string(results.size()));
  for (std::uint32_t i = 0; i < results.size(); ++i)
    if (in.type_of(in.operand(o, i)) != results[i])
      return c.fail(o, "func-return",
                    "type of return operand " + std::to_string(i) + " (" + c.quoted(in.operand(o, i)) +
                        ") doesn't match function result type (" + c.quoted(results[i]) + ") in function " +
                        label);
  return true;
}

/// Symbol use of `func.call`.
inline bool check_func_call_use(verify_context& c, op o) {
  program const& in = c.in;
  auto const* callee = in.attr_if<symbol_ref_attr>(o, "callee");
  if (callee == nullptr) return c.fail_op(o, "func-call", "requires a 'callee' symbol reference attribute");
  op const function = c.symbols.resolve_in(c.module, *callee);
  auto const* type_of_function = function && is_function(in, function) ? signature(in, function) : nullptr;
  if (type_of_function == nullptr)
    return c.fail_op(o, "func-call", "'" + callee->root + "' does not reference a valid function");
  auto const& [inputs, results] = *type_of_function;
  if (in.operand_count(o) != inputs.size())
    return c.fail_op(o, "func-call", "incorrect number of operands for callee");
  for (std::uint32_t i = 0; i < inputs.size(); ++i)
    if (in.type_of(in.operand(o, i)) != inputs[i])
      return c.fail_op(o, "func-call",
                       "operand type mismatch: expected operand type " + c.quoted(inputs[i]) +
                           ", but provided " + c.quoted(in.operand(o, i)) + " for operand number " +
                           std::to_string(i));
  if (in.result_count(o) != results.size())
    return c.fail_op(o, "func-call", "incorrect number of results for callee");
  for (std::uint32_t i = 0; i < results.size(); ++i)
    if (in.type_of(in.result(o, i)) != results[i])
      return c.fail_op(o, "func-call",
                       "result type mismatch at index " + std::to_string(i) + ": expected " +
                           c.quoted(results[i]) + ", but got " + c.quoted(in.result(o, i)));
  return true;
}

}  // namespace mpmd::ir
