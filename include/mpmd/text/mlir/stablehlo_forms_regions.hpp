#pragma once
/// Pretty forms of the StableHLO ops with regions: reduce and while; and of their terminator.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/text/mlir/stablehlo_forms_layout.hpp>

namespace mpmd::text::mlir::stablehlo {

// --- reduce ------------------------------------------------------------------------------------------------
//
//   stablehlo.reduce(%x init: %i) applies stablehlo.add across dimensions = [0] : (...) -> ...
//   stablehlo.reduce(%x init: %i), (%y init: %j) across dimensions = [0] : (...) -> (...)
//    reducer(%a: T, %b: T) (%c: U, %d: U)  { ... }

/// The ops that a reduce may name instead of a region: they are commutative and take two values of the
/// result's type.
inline bool is_reducer(std::string_view name) {
  static constexpr auto names = std::to_array<std::string_view>(
      {"stablehlo.add", "stablehlo.and", "stablehlo.maximum", "stablehlo.minimum", "stablehlo.multiply",
       "stablehlo.or", "stablehlo.xor"});
  for (auto const& n : names)
    if (n == name) return true;
  return false;
}

inline bool read_reduced_dimensions(op_reader& in) {
  std::vector<std::int64_t> dimensions;
  if (!in.expect_word("across") || !in.expect_word("dimensions") || !in.expect('=') ||
      !read_integers(in, dimensions))
    return false;
  in.add_property("dimensions", integer_list(in.context(), std::move(dimensions)));
  return in.read_optional_attributes();
}

/// The region of the one-line form: the op applied to the two arguments, and the return of its result.
inline ir::region make_reducer(op_reader& in, std::string_view name, ir::type of) {
  ir::program& program = in.program();
  ir::location const where = in.pending().state.where;
  ir::region const body = program.create_region();
  ir::block const b = program.append_block(body);
  ir::op const inner = program.create({.kind = in.context().intern(name),
                                       .operands = {program.add_argument(b, of), program.add_argument(b, of)},
                                       .results = {of},
                                       .where = where});
  program.append(b, inner);
  program.append(b, program.create({.kind = {static_cast<std::uint32_t>(ir::opcode::stablehlo_return)},
                                    .operands = {program.result(inner, 0)},
                                    .where = where}));
  return body;
}

inline step read_reduce(op_reader& in) {
  if (in.regions_read() != 0) return step::done;
  auto& op = in.pending();
  std::size_t const at = in.offset();
  std::vector<written_use> initial;
  do {
    if (!in.expect('(') || !in.read_use(op.uses.emplace_back()) || !in.expect_word("init") ||
        !in.expect(':') || !in.read_use(initial.emplace_back()) || !in.expect(')'))
      return step::failed;
  } while (in.consume(','));
  std::size_t const pairs = initial.size();
  op.uses.insert(op.uses.end(), initial.begin(), initial.end());

  if (in.consume_word("applies")) {
    std::size_t const name_at = in.offset();
    std::string_view const name = in.read_word();
    if (!is_reducer(name))
      return in.fail(name_at, "expects a commutative binary op of the dialect stablehlo that has no region");
    if (!read_reduced_dimensions(in)) return step::failed;
    std::size_t const types_at = in.offset();
    if (!in.read_signature(at)) return step::failed;
    if (pairs != 1) return in.fail(at, "can apply an op to one operand and its initial value only");
    ir::type const input = in.program().type_of(op.state.operands[0]);
    auto const* tensor = in.context().get_if<ir::tensor_type>(input);
    auto const* unranked = in.context().get_if<ir::unranked_tensor_type>(input);
    if (tensor == nullptr && unranked == nullptr) return in.fail(types_at, "expects tensors");
    ir::type const element = tensor != nullptr ? tensor->element : unranked->element;
    op.state.regions.push_back(make_reducer(in, name, in.context().tensor({}, element)));
    return step::done;
  }

  if (!read_reduced_dimensions(in) || !in.read_signature(at) || !in.expect_word("reducer"))
    return step::failed;
  // Each pair of parentheses has the arguments for one operand; the region takes all the first ones first.
  std::vector<written_argument> first, second;
  for (std::size_t i = 0; i < pairs; ++i) {
    std::size_t const pair_at = in.offset();
    if (!in.read_arguments()) return step::failed;
    if (op.arguments.size() != 2) return in.fail(pair_at, "expects two arguments for each operand");
    first.push_back(op.arguments[0]);
    second.push_back(op.arguments[1]);
  }
  first.insert(first.end(), second.begin(), second.end());
  return in.region(first);
}

inline bool fits_reduce(ir::program const& in, ir::op o) {
  if (in.operand_count(o) == 0 || in.operand_count(o) % 2 != 0 || !in.successors(o).empty()) return false;
  if (in.regions(o).size() != 1 || !in.first_block(in.regions(o)[0])) return false;
  if (in.arguments(in.first_block(in.regions(o)[0])).size() != in.operand_count(o)) return false;
  return integer_list(in.context(), in.context().lookup(in.properties(o), "dimensions")) != nullptr;
}

/// The op that the one-line form names, if the region is what that form stands for: nothing may get lost.
inline ir::op applied_op(ir::program const& in, ir::op o) {
  ir::block const b = in.first_block(in.regions(o)[0]);
  ir::op const inner = in.first_op(b);
  if (in.next_block(b) || !inner || in.operand_count(o) != 2) return {};
  ir::op const end = in.next_op(inner);
  if (!end || in.next_op(end) || !in.is(end, ir::opcode::stablehlo_return)) return {};
  if (!is_reducer(in.kind_text(inner)) || in.operand_count(inner) != 2 || in.result_count(inner) != 1)
    return {};
  for (ir::op const each : {inner, end})
    if (!in.regions(each).empty() || !in.successors(each).empty() ||
        (in.properties(each) && in.properties(each) != in.context().empty_dictionary()) ||
        (in.attributes(each) && in.attributes(each) != in.context().empty_dictionary()))
      return {};
  ir::type const input = in.type_of(in.operand(o, 0));
  auto const* tensor = in.context().get_if<ir::tensor_type>(input);
  auto const* unranked = in.context().get_if<ir::unranked_tensor_type>(input);
  if (tensor == nullptr && unranked == nullptr) return {};
  ir::type const of = in.context().tensor({}, tensor != nullptr ? tensor->element : unranked->element);
  for (std::uint32_t i = 0; i < 2; ++i)
    if (in.operand(inner, i) != in.argument(b, i) || in.type_of(in.argument(b, i)) != of) return {};
  bool const forwarded = in.operand_count(end) == 1 && in.operand(end, 0) == in.result(inner, 0);
  return forwarded && in.type_of(in.result(inner, 0)) == of ? inner : ir::op{};
}

inline step print_reduce(op_printer& out, ir::op o, std::uint32_t regions_printed) {
  if (regions_printed != 0) return step::done;
  ir::program const& in = out.program();
  std::uint32_t const pairs = in.operand_count(o) / 2;
  out << "stablehlo.reduce";
  for (std::uint32_t i = 0; i < pairs; ++i) {
    out << (i == 0 ? "(" : ", (");
    out.use(in.operand(o, i));
    out << " init: ";
    out.use(in.operand(o, i + pairs));
    out << ')';
  }
  ir::op const applied = applied_op(in, o);
  if (applied) out << " applies " << in.kind_text(applied);
  out << " across dimensions = ";
  print_integers(out, *integer_list(in.context(), in.context().lookup(in.properties(o), "dimensions")));
  out.attributes(o, {"dimensions"});
  out << " : ";
  out.function_type(o);
  if (applied) return step::done;
  out.newline();
  out << " reducer";
  ir::block const b = in.first_block(in.regions(o)[0]);
  for (std::uint32_t i = 0; i < pairs; ++i) {
    for (std::uint32_t const which : {i, i + pairs}) {
      out << (which == i ? "(" : ", ");
      out.use(in.argument(b, which));
      out << ": ";
      out.type(in.type_of(in.argument(b, which)));
      out.argument_location(in.argument(b, which));
    }
    out << ") ";
  }
  out << ' ';
  return out.region();
}

// --- while -------------------------------------------------------------------------------------------------
//
//   stablehlo.while(%iterArg = %x) : T attributes {a}
//    cond { ... } do { ... }

inline step read_while(op_reader& in) {
  auto& op = in.pending();
  if (in.regions_read() == 2) return step::done;
  if (in.regions_read() == 1) return in.expect_word("do") ? in.region(op.arguments) : step::failed;
  std::size_t const at = in.offset();
  if (!in.expect('(')) return step::failed;
  if (!in.consume(')')) {
    do {
      written_use name;
      if (!in.read_use(name) || !in.expect('=') || !in.read_use(op.uses.emplace_back())) return step::failed;
      op.arguments.push_back({.name = name.name, .at = name.at});
    } while (in.consume(','));
    if (!in.expect(')') || !in.expect(':') || !in.syntax().parse_types(op.state.results)) return step::failed;
  }
  if (!in.resolve_operands(op.uses, op.state.results, at)) return step::failed;
  for (std::size_t i = 0; i < op.arguments.size(); ++i) op.arguments[i].type = op.state.results[i];
  if (!in.read_optional_attributes_with_keyword() || !in.expect_word("cond")) return step::failed;
  return in.region(op.arguments);
}

inline bool fits_while(ir::program const& in, ir::op o) {
  std::uint32_t const carried = in.operand_count(o);
  if (in.regions(o).size() != 2 || in.result_count(o) != carried || !in.successors(o).empty()) return false;
  for (ir::region const r : in.regions(o))
    if (!in.first_block(r) || in.arguments(in.first_block(r)).size() != carried) return false;
  for (std::uint32_t i = 0; i < carried; ++i) {
    ir::type const of = in.type_of(in.operand(o, i));
    if (in.type_of(in.result(o, i)) != of) return false;
    for (ir::region const r : in.regions(o))
      if (in.type_of(in.argument(in.first_block(r), i)) != of) return false;
  }
  return true;
}

inline step print_while(op_printer& out, ir::op o, std::uint32_t regions_printed) {
  ir::program const& in = out.program();
  if (regions_printed == 2) return step::done;
  if (regions_printed == 1) {
    out << " do ";
    return out.region();
  }
  out << "stablehlo.while(";
  ir::block const condition = in.first_block(in.regions(o)[0]);
  for (std::uint32_t i = 0; i < in.operand_count(o); ++i) {
    if (i != 0) out << ", ";
    out.use(in.argument(condition, i));
    out << " = ";
    out.use(in.operand(o, i));
  }
  out << ')';
  if (in.operand_count(o) != 0) {
    out << " : ";
    out.types_of(in.operands(o));
  }
  out.attributes_with_keyword(o);
  out.newline();
  out << " cond ";
  return out.region();
}

// --- return ------------------------------------------------------------------------------------------------

inline step read_return(op_reader& in) {
  auto& op = in.pending();
  std::size_t const at = in.offset();
  if (!in.read_uses(op.uses) || !in.read_optional_attributes()) return step::failed;
  if (in.consume(':') && !in.syntax().parse_types(op.types)) return step::failed;
  return in.resolve_operands(op.uses, op.types, at) ? step::done : step::failed;
}

inline step print_return(op_printer& out, ir::op o, std::uint32_t) {
  ir::program const& in = out.program();
  out << "stablehlo.return";
  if (in.operand_count(o) != 0) out << ' ';
  out.uses(in.operands(o));
  out.attributes(o);
  if (in.operand_count(o) == 0) return step::done;
  out << " : ";
  out.types_of(in.operands(o));
  return step::done;
}

inline constexpr auto region_forms = std::to_array<form>({
    {.name = "stablehlo.reduce",
     .read = &read_reduce,
     .print = &print_reduce,
     .fits = &fits_reduce,
     .normalise = &normalise},
    {.name = "stablehlo.while",
     .read = &read_while,
     .print = &print_while,
     .fits = &fits_while,
     .argument_name = [](ir::program const&, ir::op, std::uint32_t, std::uint32_t) -> std::string_view {
       return "iterArg";
     }},
    {.name = "stablehlo.return",
     .read = &read_return,
     .print = &print_return,
     .fits =
         [](ir::program const& in, ir::op o) {
           return in.result_count(o) == 0 && in.regions(o).empty() && in.successors(o).empty();
         }},
});

}  // namespace mpmd::text::mlir::stablehlo
