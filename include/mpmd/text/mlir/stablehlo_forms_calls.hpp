#pragma once
/// Pretty forms of StableHLO's calls of other code, and of what holds values together: custom_call,
/// composite, trace, get_tuple_element and optimization_barrier.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/text/mlir/stablehlo_forms_layout.hpp>

namespace mpmd::text::mlir::stablehlo {

// --- get_tuple_element: `%x[0] : ...` ----------------------------------------------------------------------

inline step read_get_tuple_element(op_reader& in) {
  std::size_t const at = in.offset();
  if (!in.read_use(in.pending().uses.emplace_back()) || !in.expect('[')) return step::failed;
  std::size_t const index_at = in.offset();
  auto const index = in.syntax().parse_integer();
  if (!index) return step::failed;
  if (*index < 0 || *index > 0x7FFFFFFF) return in.fail(index_at, "expects the index of an element");
  in.add_property("index", in.context().integer_value(*index, 32));
  if (!in.expect(']') || !in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_get_tuple_element(op_printer& out, ir::op o, std::uint32_t) {
  out << "stablehlo.get_tuple_element ";
  out.uses(out.program().operands(o));
  out << '[';
  out.number(small_count(out.program(), o, "index")->value);
  out << ']';
  out.attributes(o, {"index"});
  out << " : ";
  out.function_type(o);
  return step::done;
}

// --- optimization_barrier: `{a} %x, %y : T, U`, or `()` ----------------------------------------------------

inline step read_optimization_barrier(op_reader& in) {
  auto& op = in.pending();
  if (!in.read_optional_attributes()) return step::failed;
  std::size_t const at = in.offset();
  if (in.consume('(')) return in.expect(')') ? step::done : step::failed;
  if (!in.next_is('%')) return in.fail(at, "expects operands or '()'");
  if (!in.read_uses(op.uses) || !in.expect(':') || !in.syntax().parse_types(op.state.results))
    return step::failed;
  return in.resolve_operands(op.uses, op.state.results, at) ? step::done : step::failed;
}

inline step print_optimization_barrier(op_printer& out, ir::op o, std::uint32_t) {
  ir::program const& in = out.program();
  out << "stablehlo.optimization_barrier";
  out.attributes(o);
  if (in.operand_count(o) == 0) {
    out << "()";
    return step::done;
  }
  out << ' ';
  out.uses(in.operands(o));
  out << " : ";
  out.types_of(in.operands(o));
  return step::done;
}

inline bool fits_optimization_barrier(ir::program const& in, ir::op o) {
  if (!fits_plain(in, o) || in.operand_count(o) != in.result_count(o)) return false;
  for (std::uint32_t i = 0; i < in.operand_count(o); ++i)
    if (in.type_of(in.operand(o, i)) != in.type_of(in.result(o, i))) return false;
  return true;
}

// --- custom_call: `@target(%a) {...} : ...`, and composite: `"name" %a {...} : ...` ------------------------

inline step read_custom_call(op_reader& in) {
  auto const target = in.syntax().parse_symbol_name();
  if (!target) return step::failed;
  in.add_property("call_target_name", in.context().string(*target));
  std::size_t const at = in.offset();
  if (!in.read_uses_in_parentheses(in.pending().uses) || !in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_custom_call(op_printer& out, ir::op o, std::uint32_t) {
  out << "stablehlo.custom_call ";
  out.symbol(plain_string(out.program(), o, "call_target_name")->text);
  out << '(';
  out.uses(out.program().operands(o));
  out << ')';
  out.attributes(o, {"call_target_name"});
  out << " : ";
  out.function_type(o);
  return step::done;
}

inline bool fits_custom_call(ir::program const& in, ir::op o) {
  auto const* target = plain_string(in, o, "call_target_name");
  return fits_plain(in, o) && target != nullptr && !target->text.empty();
}

inline step read_composite(op_reader& in) {
  auto const name = in.syntax().parse_string();
  if (!name) return step::failed;
  in.add_property("name", in.context().string(*name));
  std::size_t const at = in.offset();
  if (!in.read_uses(in.pending().uses) || !in.read_optional_attributes()) return step::failed;
  return in.read_signature(at) ? step::done : step::failed;
}

inline step print_composite(op_printer& out, ir::op o, std::uint32_t) {
  out << "stablehlo.composite ";
  out.quoted(plain_string(out.program(), o, "name")->text);
  if (out.program().operand_count(o) != 0) out << ' ';
  out.uses(out.program().operands(o));
  out.attributes(o, {"name"});
  out << " : ";
  out.function_type(o);
  return step::done;
}

// --- trace: `"tag"` ----------------------------------------------------------------------------------------

inline step read_trace(op_reader& in) {
  auto const tag = in.syntax().parse_string();
  if (!tag) return step::failed;
  in.add_property("tag", in.context().string(*tag));
  return in.read_optional_attributes() ? step::done : step::failed;
}

inline step print_trace(op_printer& out, ir::op o, std::uint32_t) {
  out << "stablehlo.trace ";
  out.quoted(plain_string(out.program(), o, "tag")->text);
  out.attributes(o, {"tag"});
  return step::done;
}

inline constexpr auto call_forms = std::to_array<form>({
    {.name = "stablehlo.get_tuple_element",
     .read = &read_get_tuple_element,
     .print = &print_get_tuple_element,
     .fits =
         [](ir::program const& in, ir::op o) {
           return fits_plain(in, o) && in.operand_count(o) == 1 && small_count(in, o, "index") != nullptr;
         }},
    {.name = "stablehlo.optimization_barrier",
     .read = &read_optimization_barrier,
     .print = &print_optimization_barrier,
     .fits = &fits_optimization_barrier},
    {.name = "stablehlo.custom_call",
     .read = &read_custom_call,
     .print = &print_custom_call,
     .fits = &fits_custom_call,
     .normalise = &normalise},
    {.name = "stablehlo.composite",
     .read = &read_composite,
     .print = &print_composite,
     .fits = [](ir::program const& in,
                ir::op o) { return fits_plain(in, o) && plain_string(in, o, "name") != nullptr; },
     .normalise = &normalise},
    {.name = "stablehlo.trace",
     .read = &read_trace,
     .print = &print_trace,
     .fits =
         [](ir::program const& in, ir::op o) {
           return fits_plain(in, o) && in.operand_count(o) == 0 && in.result_count(o) == 0 &&
                  plain_string(in, o, "tag") != nullptr;
         }},
});

}  // namespace mpmd::text::mlir::stablehlo
