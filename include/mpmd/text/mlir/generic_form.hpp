#pragma once
/// MLIR's generic form, which any op can be written in.

#include <cstdint>

#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/op_reader.hpp>

namespace mpmd::text::mlir {

/// `"name"(%a, %b)[^bb1] <{properties}> ({...}, {...}) {attributes} : (T, U) -> V`, from the operands on.
inline step read_generic(op_reader& p) {
  auto otherwise = [&p](std::string_view message) {
    p.fail_here(message);
    return step::failed;
  };
  pending_op& op = p.pending();
  if (p.regions_read() == 0) {
    if (!p.consume('(')) return otherwise("expected '(' to start operand list");
    if (!p.read_uses(op.uses)) return step::failed;
    if (!p.consume(')')) return otherwise("expected ')' to end operand list");
    if (p.consume('[')) {
      do {
        if (!p.read_successor()) return step::failed;
      } while (p.consume(','));
      if (!p.consume(']')) return otherwise("expected ']' in successor list");
    }
    if (p.consume('<')) {
      if (!p.next_is('{')) return otherwise("expected '{' in attribute dictionary");
      if (!p.read_attributes_into(op.properties)) return step::failed;
      if (!p.consume('>')) return otherwise("expected '>' to close properties");
    }
    if (p.consume('(')) return p.region();
  } else {
    if (p.consume(',')) return p.region();
    if (!p.consume(')')) return otherwise("expected ')' to end region list");
  }
  if (!p.read_optional_attributes()) return step::failed;
  if (!p.consume(':')) return otherwise("expected ':' followed by operation type");
  if (!p.next_is('(')) return otherwise("expected function type");
  std::size_t const at = p.offset();
  if (!p.read_function_type(op.types, op.state.results)) return step::failed;
  if (op.types.size() != op.uses.size()) {
    return p.error(at, "expected " + std::to_string(op.uses.size()) +
                           (op.uses.size() == 1 ? " operand type" : " operand types") + " but had " +
                           std::to_string(op.types.size()));
  }
  for (std::size_t i = 0; i < op.uses.size(); ++i)
    if (!p.resolve(op.uses[i], op.types[i], op.state.operands)) return step::failed;
  return step::done;
}

inline step print_generic(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  ir::program const& in = p.program();
  if (regions_printed == 0) {
    p.quoted(in.kind_text(o));
    p << '(';
    p.uses(in.operands(o));
    p << ')';
    if (auto const targets = in.successors(o); !targets.empty()) {
      p << '[';
      p.separated(targets, [&p](ir::block b) { p.successor(b); });
      p << ']';
    }
    if (in.properties(o) != p.context().empty_dictionary()) {
      p << " <";
      p.attribute(in.properties(o));
      p << '>';
    }
    if (!in.regions(o).empty()) p << " (";
  } else if (regions_printed < in.regions(o).size()) {
    p << ", ";
  } else {
    p << ')';
  }
  if (regions_printed < in.regions(o).size()) return p.region(true);
  p.discardable_attributes(o);
  p << " : ";
  p.function_type(o);
  return step::done;
}

inline constexpr form generic_form{.name = "", .read = read_generic, .print = print_generic};

}  // namespace mpmd::text::mlir
