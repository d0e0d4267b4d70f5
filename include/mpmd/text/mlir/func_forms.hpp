#pragma once
/// The pretty forms of the builtin and func dialects.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/op_reader.hpp>

namespace mpmd::text::mlir {

// --- module ------------------------------------------------------------------------------------------------------

/// `module @name attributes {...} {...}`.
inline step read_module(op_reader& p) {
  pending_op& op = p.pending();
  if (p.regions_read() == 1) {
    ir::region const body = op.state.regions[0];
    if (!p.program().first_block(body)) p.program().append_block(body);
    return step::done;
  }
  if (p.next_is('@')) {
    std::string name;
    if (!p.read_symbol(name)) return step::failed;
    p.add_property("sym_name", p.context().string(name));
  }
  if (!p.read_optional_attributes_with_keyword()) return step::failed;
  return p.region();
}

inline bool fits_module(ir::program const& in, ir::op o) {
  return in.operand_count(o) == 0 && in.result_count(o) == 0 && in.regions(o).size() == 1 &&
         in.first_block(in.regions(o)[0]) &&
         (!in.attr(o, "sym_name") || in.attr_if<ir::string_attr>(o, "sym_name") != nullptr);
}

inline step print_module(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  if (regions_printed == 1) return step::done;
  p.name(o);
  if (auto const* name = p.program().attr_if<ir::string_attr>(o, "sym_name")) {
    p << ' ';
    p.symbol(name->text);
  }
  p.attributes_with_keyword(o, {"sym_name"});
  p << ' ';
  return p.region();
}

// --- func.func -----------------------------------------------------------------------------------------------------

/// `(%a: T {...}, ...)`, or `(T {...}, ...)` in a declaration.
inline bool read_function_arguments(op_reader& p) {
  std::vector<written_argument>& arguments = p.pending().arguments;
  if (!p.expect('(')) return false;
  if (p.consume(')')) return true;
  do {
    written_argument a;
    if (p.next_is('%')) {
      if (!arguments.empty() && arguments.back().name.empty())
        return p.fail(p.offset(), "expected type instead of SSA identifier"), false;
      if (!p.read_argument(a)) return false;
    } else {
      if (!arguments.empty() && !arguments.back().name.empty())
        return p.fail(p.offset(), "expected SSA identifier"), false;
      if (!p.read_nameless_argument(a)) return false;
    }
    arguments.push_back(a);
  } while (p.consume(','));
  return p.expect(')');
}

/// `T`, or `(T {...}, ...)`.
inline bool read_function_results(op_reader& p, std::vector<written_argument>& results) {
  if (!p.consume('(')) return bool(results.emplace_back().type = p.read_type());
  if (p.consume(')')) return true;
  do {
    if (!p.read_nameless_argument(results.emplace_back())) return false;
  } while (p.consume(','));
  return p.expect(')');
}

/// One dictionary a value as an array, unless all are empty.
inline void add_dictionaries(op_reader& p, std::string_view name, std::vector<written_argument> const& of) {
  ir::array_attr all;
  bool any = false;
  for (written_argument const& a : of) {
    all.elements.push_back(a.attributes ? a.attributes : p.context().empty_dictionary());
    any |= all.elements.back() != p.context().empty_dictionary();
  }
  if (any) p.add_property(name, p.context().get(std::move(all)));
}

/// `func.func private @name(%a: T {...}) -> (U {...}) attributes {...} {...}`.
inline step read_function(op_reader& p) {
  pending_op& op = p.pending();
  if (p.regions_read() == 1) {
    ir::region const body = op.state.regions[0];
    if (!p.program().first_block(body)) return p.fail(p.text().end_of_last() - 1, "expected non-empty function body");
    return step::done;
  }
  for (std::string_view const visibility : {"public", "private", "nested"}) {
    if (!p.consume_word(visibility)) continue;
    p.add_property("sym_visibility", p.context().string(visibility));
    break;
  }
  std::string name;
  if (!p.read_symbol(name)) return step::failed;
  p.add_property("sym_name", p.context().string(name));
  if (!read_function_arguments(p)) return step::failed;
  std::vector<written_argument> results;
  if (p.consume("->") && !read_function_results(p, results)) return step::failed;
  std::size_t const dictionary_at = p.offset();
  if (!p.read_optional_attributes_with_keyword()) return step::failed;
  for (named_attribute const& entry : op.attributes) {
    std::string_view const given = p.context().text(entry.first);
    if (given == "sym_name" || given == "sym_visibility" || given == "function_type")
      return p.fail(dictionary_at, "'" + std::string(given) +
                                       "' is an inferred attribute and should not be specified in the explicit "
                                       "attribute dictionary");
  }
  ir::function_type type;
  for (written_argument const& a : op.arguments) type.inputs.push_back(a.type);
  for (written_argument const& r : results) type.results.push_back(r.type);
  p.add_property("function_type", p.context().get(ir::type_attr{p.context().get(std::move(type))}));
  add_dictionaries(p, "arg_attrs", op.arguments);
  add_dictionaries(p, "res_attrs", results);
  if (!p.next_is('{')) {
    op.state.regions.push_back(p.program().create_region());
    return step::done;
  }
  if (!op.arguments.empty() && op.arguments.front().name.empty())
    return p.fail(op.arguments.front().at, "expected SSA identifier");
  return p.region(op.arguments);
}

inline bool fits_function(ir::program const& in, ir::op o) {
  auto const* name = in.attr_if<ir::string_attr>(o, "sym_name");
  auto const* held = in.attr_if<ir::type_attr>(o, "function_type");
  auto const* type = held ? in.context().get_if<ir::function_type>(held->held) : nullptr;
  if (!name || !type || in.operand_count(o) != 0 || in.result_count(o) != 0 || in.regions(o).size() != 1) return false;
  if (auto const visibility = in.attr(o, "sym_visibility")) {
    auto const* word = in.context().get_if<ir::string_attr>(visibility);
    if (!word || (word->text != "public" && word->text != "private" && word->text != "nested")) return false;
  }
  auto is_list_of = [&](std::string_view key, std::size_t size) {
    ir::attribute const list = in.attr(o, key);
    auto const* all = in.context().get_if<ir::array_attr>(list);
    if (!list) return true;
    if (!all || all->elements.size() != size) return false;
    for (ir::attribute const a : all->elements)
      if (!in.context().get_if<ir::dictionary_attr>(a)) return false;
    return true;
  };
  if (!is_list_of("arg_attrs", type->inputs.size()) || !is_list_of("res_attrs", type->results.size())) return false;
  ir::block const entry = in.first_block(in.regions(o)[0]);
  if (!entry) return true;
  if (in.arguments(entry).size() != type->inputs.size()) return false;
  for (std::size_t i = 0; i < type->inputs.size(); ++i)
    if (in.type_of(in.arguments(entry)[i]) != type->inputs[i]) return false;
  return in.first_op(entry) || in.next_block(entry) || !type->inputs.empty();
}

inline void print_function_results(op_printer& p, ir::function_type const& type, ir::array_attr const* dictionaries) {
  if (type.results.empty()) return;
  p << " -> ";
  bool const bare = type.results.size() == 1 && !p.context().get_if<ir::function_type>(type.results[0]) &&
                    (!dictionaries || dictionaries->elements[0] == p.context().empty_dictionary());
  if (!bare) p << '(';
  for (std::size_t i = 0; i < type.results.size(); ++i) {
    if (i != 0) p << ", ";
    p.type(type.results[i]);
    if (dictionaries) p.optional_dictionary(dictionaries->elements[i]);
  }
  if (!bare) p << ')';
}

inline step print_function(op_printer& p, ir::op o, std::uint32_t regions_printed) {
  if (regions_printed == 1) return step::done;
  ir::program const& in = p.program();
  p.name(o);
  p << ' ';
  if (auto const* visibility = in.attr_if<ir::string_attr>(o, "sym_visibility")) p << visibility->text << ' ';
  p.symbol(in.attr_if<ir::string_attr>(o, "sym_name")->text);
  auto const& type = *p.context().get_if<ir::function_type>(in.attr_if<ir::type_attr>(o, "function_type")->held);
  auto const* dictionaries = in.attr_if<ir::array_attr>(o, "arg_attrs");
  ir::block const entry = in.first_block(in.regions(o)[0]);
  p << '(';
  for (std::size_t i = 0; i < type.inputs.size(); ++i) {
    if (i != 0) p << ", ";
    if (entry) {
      p.use(in.arguments(entry)[i]);
      p << ": ";
    }
    p.type(type.inputs[i]);
    if (dictionaries) p.optional_dictionary(dictionaries->elements[i]);
    if (entry) p.argument_location(in.arguments(entry)[i]);
  }
  p << ')';
  print_function_results(p, type, in.attr_if<ir::array_attr>(o, "res_attrs"));
  p.attributes_with_keyword(o, {"sym_name", "sym_visibility", "function_type", "arg_attrs", "res_attrs"});
  if (!entry) return step::done;
  p << ' ';
  return p.region();
}

// --- func.return, func.call ------------------------------------------------------------------------------------------

/// `return {...} %a, %b : T, U`, for all terminators that look like this.
inline step read_return(op_reader& p) {
  pending_op& op = p.pending();
  if (!p.read_optional_attributes()) return step::failed;
  std::size_t const at = p.offset();
  if (!p.read_uses(op.uses)) return step::failed;
  if (op.uses.empty()) return step::done;
  if (!p.expect(':') || !p.read_types(op.types)) return step::failed;
  return p.resolve_operands(op.uses, op.types, at) ? step::done : step::failed;
}

inline bool fits_return(ir::program const& in, ir::op o) { return in.result_count(o) == 0 && in.regions(o).empty(); }

inline step print_return(op_printer& p, ir::op o, std::uint32_t) {
  p.name(o);
  p.attributes(o);
  if (p.program().operand_count(o) == 0) return step::done;
  p << ' ';
  p.uses(p.program().operands(o));
  p << " : ";
  p.types_of(p.program().operands(o));
  return step::done;
}

/// `call @f(%a) {...} : (T) -> U`, for all ops that look like this.
inline step read_call(op_reader& p) {
  std::string callee;
  if (!p.read_symbol(callee)) return step::failed;
  p.add_property("callee", p.context().symbol(callee));
  if (!p.expect('(')) return step::failed;
  std::size_t const at = p.offset();
  if (!p.read_uses(p.pending().uses) || !p.expect(')') || !p.read_optional_attributes()) return step::failed;
  return p.read_signature(at) ? step::done : step::failed;
}

inline bool fits_call(ir::program const& in, ir::op o) {
  auto const* callee = in.attr_if<ir::symbol_ref_attr>(o, "callee");
  return callee && callee->nested.empty() && in.regions(o).empty();
}

inline step print_call(op_printer& p, ir::op o, std::uint32_t) {
  p.name(o);
  p << ' ';
  p.symbol(p.program().attr_if<ir::symbol_ref_attr>(o, "callee")->root);
  p << '(';
  p.uses(p.program().operands(o));
  p << ')';
  p.attributes(o, {"callee"});
  p << " : ";
  p.function_type(o);
  return step::done;
}

inline constexpr std::array<form, 4> func_forms{{
    {.name = "builtin.module", .read = read_module, .print = print_module, .fits = fits_module,
     .default_dialect = "builtin"},
    {.name = "func.func", .read = read_function, .print = print_function, .fits = fits_function,
     .default_dialect = "func"},
    {.name = "func.return", .read = read_return, .print = print_return, .fits = fits_return},
    {.name = "func.call", .read = read_call, .print = print_call, .fits = fits_call},
}};

}  // namespace mpmd::text::mlir
