#pragma once
/// The verifiers of calls and loops of the mpmd dialect, and the choice among all of its verifiers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/ir/verify_context.hpp>
#include <mpmd/ir/verify_mpmd.hpp>

namespace mpmd::ir {

inline bool check_fragment_call(verify_context& c, op o) {
  auto const allowed = [&](type t) { return is_mesh_tensor(c.cx(), t); };
  return detail::check_origins(c, o) &&
         required_attribute<string_attr>(c, o, "mesh_name", "string attribute") != nullptr &&
         required_attribute<symbol_ref_attr>(c, o, "callee", "flat symbol reference attribute") != nullptr &&
         check_operand_types(c, o, "mesh tensor", allowed) &&
         check_result_types(c, o, "mesh tensor", allowed) && detail::check_call_counter(c, o);
}
/// Symbol use of `mpmd.fragment_call`: the callee is a function over global types for the mesh of the call.
inline bool check_fragment_call_use(verify_context& c, op o) {
  program const& in = c.in;
  auto const& callee = *in.attr_if<symbol_ref_attr>(o, "callee");
  op const function = c.symbols.resolve_in(c.module, callee);
  auto const* callee_type = function && is_function(in, function) ? signature(in, function) : nullptr;
  if (callee_type == nullptr)
    return c.fail_op(o, "fragment-call", "callee " + to_text(callee) + " does not refer to a function");
  std::string const& label = in.attr_if<string_attr>(o, "mesh_name")->text;
  if (!detail::check_fragment_side(c, o, label, callee_type->inputs, types_of(in, in.operands(o)),
                                   "function argument", "operand") ||
      !detail::check_fragment_side(c, o, label, callee_type->results, result_types(in, o), "function result",
                                   "result"))
    return false;
  auto const* shape = mesh_shape_of(in, function);
  if (shape == nullptr)
    return c.fail(o, "fragment-call", "callee " + to_text(callee) + " must have a mesh_shape attribute");
  attribute const mesh = require_mesh(c, o, label);
  if (!mesh) return false;
  if (*c.cx().get_if<mesh_attr>(mesh) != *shape)
    return c.fail(o, "fragment-call",
                  "mesh_shape of callee " + to_text(callee) + ", " + to_text(*shape) +
                      ", must be the mesh \"" + label + "\" of the topology, " +
                      to_text(*c.cx().get_if<mesh_attr>(mesh)));
  return true;
}

inline bool check_call(verify_context& c, op o) {
  program const& in = c.in;
  auto const* callee = required_attribute<symbol_ref_attr>(c, o, "callee", "flat symbol reference attribute");
  if (callee == nullptr) return false;
  auto const allowed = [&](type t) { return is_tensor(c.cx(), t) || is_mesh_tensor(c.cx(), t); };
  if (!check_operand_types(c, o, "tensor or mesh tensor", allowed) ||
      !check_result_types(c, o, "tensor or mesh tensor", allowed) || !detail::check_call_counter(c, o))
    return false;
  if (!c.function) {
    if (c.vhlo_functions > 0) return true;  // functions of vhlo are not checked
    return c.fail(o, "call", "Mpmd CallOp on \"" + callee->root + "\" must be used in a function");
  }
  op const parent = in.parent_op(o);
  if (!is_function(in, parent) && !in.is(parent, opcode::mpmd_for))
    return c.fail(o, "call",
                  "Mpmd CallOp on \"" + callee->root +
                      "\" can only be used in a function or for_op block but was called from inside op " +
                      std::string(in.kind_text(parent)));
  if (is_mpmd_function(in, c.function) && !is_entry_point(in, c.function))
    return c.fail(o, "call",
                  "Mpmd CallOp on \"" + callee->root +
                      "\" in an Mpmd function can only be used directly by the entrypoint function, i.e. "
                      "the main function, but was called from \"" +
                      std::string(symbol_name(in, c.function)) + "\"");
  return true;
}
/// Symbol use of `mpmd.call`.
inline bool check_call_use(verify_context& c, op o) {
  program const& in = c.in;
  if (!c.function) return true;
  auto const& callee = *in.attr_if<symbol_ref_attr>(o, "callee");
  op const function = c.symbols.resolve_in(c.module, callee);
  if (function && in.kind_text(function).starts_with("vhlo.")) return true;
  auto const* type_of_callee = function && is_function(in, function) ? signature(in, function) : nullptr;
  if (type_of_callee == nullptr)
    return c.fail(o, "call", "Mpmd CallOp callee " + to_text(callee) + " does not refer to a function");
  auto const operands = in.operands(o);
  auto const results = in.results(o);
  auto const& [inputs, outputs] = *type_of_callee;
  auto mismatch = [&](std::string_view what, type expected, type got) {
    return c.fail(o, "call",
                  "Type mismatch. Expected call " + std::string(what) + " to have type " +
                      c.quoted(expected) + " but got " + c.quoted(got));
  };
  for (std::size_t i = 0; i < inputs.size() && i < operands.size(); ++i)
    if (in.type_of(operands[i]) != inputs[i]) return mismatch("operand", inputs[i], in.type_of(operands[i]));
  for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i)
    if (in.type_of(results[i]) != outputs[i]) return mismatch("result", outputs[i], in.type_of(results[i]));
  auto count = [&](std::string_view what, std::size_t expected, std::size_t got) {
    return expected == got ||
           c.fail(o, "call",
                  "Mpmd CallOp on \"" + callee.root + "\" expects " + std::to_string(expected) + " " +
                      std::string(what) + ", but got " + std::to_string(got));
  };
  // Operands may be left out at the end for parameters that the callee does not use.
  std::size_t needed = parameters(in, function).size();
  while (needed > operands.size() && in.is_unused(parameters(in, function)[needed - 1])) --needed;
  if (needed != operands.size() && !count("operands", inputs.size(), operands.size())) return false;
  if (!count("results", outputs.size(), results.size())) return false;
  if (is_mpmd_function(in, function) && visibility_of(in, function) != symbol_visibility::is_private)
    return c.fail(
        o, "call",
        "Mpmd CallOp callee \"" + callee.root + "\" has a topology, so that it must have private visibility");
  return true;
}

inline bool check_for(verify_context& c, op o) {
  program const& in = c.in;
  auto const* iterations = required_integer(c, o, "iterations", 32, signedness::is_unsigned);
  if (iterations == nullptr) return false;
  bool const unrolled = bool(in.attr(o, "unroll_factor"));
  auto const* factor =
      unrolled ? required_integer(c, o, "unroll_factor", 32, signedness::is_unsigned) : nullptr;
  if (unrolled && factor == nullptr) return false;
  std::vector<type> const operands = types_of(in, in.operands(o));
  auto same = [&](std::vector<type> const& got, std::string const& what) {
    if (got.size() < operands.size())
      return c.fail(o, "for",
                    "Number of " + what + "s must be that of the operands: " + std::to_string(got.size()) +
                        " vs " + std::to_string(operands.size()));
    for (std::size_t i = 0; i < operands.size(); ++i)
      if (got[i] != operands[i])
        return c.fail(o, "for",
                      "Type of " + what + " #" + std::to_string(i) + " must be that of the operand: " +
                          c.quoted(got[i]) + " vs " + c.quoted(operands[i]));
    return true;
  };
  auto const results = result_types(in, o);
  if (results.size() != operands.size())
    return c.fail(o, "for",
                  "Number of results must be that of the operands: " + std::to_string(results.size()) +
                      " vs " + std::to_string(operands.size()));
  if (!same(results, "result")) return false;
  block const body = in.first_block(in.regions(o)[0]);
  auto const arguments = types_of(in, in.arguments(body));
  if (arguments.size() != operands.size() + 1)
    return c.fail(o, "for",
                  "Number of block arguments must be that of the operands and one for the index: " +
                      std::to_string(arguments.size()) + " vs " + std::to_string(operands.size() + 1));
  if (!same(arguments, "block argument")) return false;
  if (auto const* index = c.cx().get_if<tensor_type>(arguments.back())) {
    auto const* element = c.cx().get_if<integer_type>(index->element);
    if (!index->shape.empty() || element == nullptr || element->width != 32)
      return c.fail(o, "for",
                    "the index must be a 0-dimensional tensor of 32-bit integers, but got " +
                        c.quoted(arguments.back()));
  }
  auto const returned = types_of(in, in.operands(in.last_op(body)));
  if (returned.size() != operands.size())
    return c.fail(o, "for",
                  "Number of returned values must be that of the results: " +
                      std::to_string(returned.size()) + " vs " + std::to_string(operands.size()));
  if (!same(returned, "returned value")) return false;
  for (type const t : operands)
    if (c.cx()[t].index() != c.cx()[operands.front()].index())
      return c.fail(o, "for",
                    "all operands must be of one kind of type, but got " + c.quoted(operands.front()) +
                        " and " + c.quoted(t));
  if (iterations->value == 0) return c.fail(o, "for", "number of iterations must be greater than 0");
  if (factor != nullptr && factor->value == 0)
    return c.fail(o, "for", "unroll factor must be greater than 0");
  if (factor != nullptr && iterations->value % factor->value != 0)
    return c.fail(o, "for",
                  "unroll factor " + std::to_string(factor->value) +
                      " must divide the number of iterations " + std::to_string(iterations->value));
  return true;
}

/// The verifiers of mpmd ops that look at no symbols.
inline bool check_mpmd(verify_context& c, op o) {
  switch (static_cast<opcode>(c.in.kind(o).id)) {
    case opcode::mpmd_named_computation: return check_named_computation(c, o);
    case opcode::mpmd_named_tensor: return check_named_tensor(c, o);
    case opcode::mpmd_fragment: return check_fragment(c, o);
    case opcode::mpmd_fragment_call: return check_fragment_call(c, o);
    case opcode::mpmd_transfer: return check_transfer(c, o);
    case opcode::mpmd_assign:
    case opcode::mpmd_unassign: return check_assignment(c, o);
    case opcode::mpmd_call: return check_call(c, o);
    case opcode::mpmd_for: return check_for(c, o);
    case opcode::mpmd_broadcast: return check_tensors_of_one_type(c, o);
    case opcode::mpmd_reduce: return check_reduce(c, o);
    default: return true;
  }
}

}  // namespace mpmd::ir
