#pragma once
/// Pretty forms of the StableHLO ops that are written as operands, `keyword = value` items, a dictionary and
/// types: each is one row of a table.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/op_reader.hpp>
#include <mpmd/text/mlir/reader.hpp>
#include <mpmd/text/mlir/stablehlo_attributes.hpp>
#include <mpmd/text/mlir/stablehlo_normal_form.hpp>

namespace mpmd::text::mlir::stablehlo {

// --- Values of attributes as they stand inside a form ------------------------------------------------------

/// `[1, 2]`.
inline bool read_integers(op_reader& in, std::vector<std::int64_t>& to) {
  return in.syntax().parse_integers('[', ']', to);
}

/// One word of an enumeration.
inline ir::attribute read_enum(op_reader& in, enumeration const& of) {
  std::size_t const at = in.offset();
  std::string_view const value = in.read_word();
  if (of.has(value)) return enum_attribute(in.context(), of, value);
  in.fail(at, "expects " + std::string(of.mnemonic) + " to be one of: " + std::string(of.values));
  return {};
}

/// `[1, 2]` of an `array<i64: 1, 2>`.
inline void print_integers(op_printer& out, ir::dense_array_attr const& list) {
  out << '[';
  out.separated(list.values, [&out](std::int64_t v) { out.number(v); });
  out << ']';
}

// --- The table ---------------------------------------------------------------------------------------------

enum class value_kind : std::uint8_t { integers, integer, flag, text, word };

/// `keyword = value`.
struct item {
  std::string_view keyword = {};
  std::string_view attribute = {};
  value_kind kind = value_kind::integers;
  enumeration const* values = nullptr;  ///< of a word
};

/// How the types of an op are written.
enum class type_rule : std::uint8_t {
  functional,  ///< `(T, U) -> V`
  same,        ///< `T` when operands and result have that type, else functional
  results,     ///< `T` of the result; there are no operands
  select,      ///< `P, T` when the values and the result have type T, else functional
  complex,     ///< `tensor<complex<f32>>` when the operands are its real counterpart, else functional
  tuple,       ///< `tuple<T, U>` when the operands have these types, else functional
};

inline constexpr std::uint32_t at_least_one = 100;
inline constexpr std::uint32_t any_number = 101;

struct layout {
  std::uint32_t operands = 1;  ///< how many, or at_least_one, or any_number
  type_rule types = type_rule::functional;
  std::array<item, 3> items = {};

  constexpr bool takes(std::size_t count) const {
    return operands == any_number || (operands == at_least_one ? count != 0 : count == operands);
  }
};

/// The type whose complex counterpart this is, or null: `tensor<4xf32>` for `tensor<4xcomplex<f32>>`.
inline ir::type real_counterpart(ir::context& in, ir::type of) {
  auto const* tensor = in.get_if<ir::tensor_type>(of);
  auto const* element = tensor != nullptr ? in.get_if<ir::complex_type>(tensor->element) : nullptr;
  if (element == nullptr) return {};
  return in.get(ir::tensor_type{tensor->shape, element->element, tensor->encoding});
}

// --- Reading -----------------------------------------------------------------------------------------------

inline bool read_item(op_reader& in, item const& i) {
  if (!in.expect_word(i.keyword) || !in.expect('=')) return false;
  ir::attribute value;
  switch (i.kind) {
    case value_kind::integers: {
      std::vector<std::int64_t> values;
      if (read_integers(in, values)) value = integer_list(in.context(), std::move(values));
      break;
    }
    case value_kind::integer:
      if (auto const number = in.syntax().parse_integer()) value = in.context().integer_value(*number);
      break;
    case value_kind::flag:
      if (in.consume_word("true"))
        value = in.context().boolean(true);
      else if (in.expect_word("false"))
        value = in.context().boolean(false);
      break;
    case value_kind::text:
      if (auto const text = in.syntax().parse_string()) value = in.context().string(*text);
      break;
    case value_kind::word: value = read_enum(in, *i.values); break;
  }
  if (!value) return false;
  in.add_property(i.attribute, value);
  return true;
}

/// The types behind the colon; resolves the operands and sets the results.
inline bool read_types(op_reader& in, type_rule rule, std::size_t uses_at) {
  auto& op = in.pending();
  std::size_t const at = in.offset();
  ir::type const first = in.syntax().parse_type();
  if (!first) return false;
  std::vector<ir::type> operands;
  ir::type result = first;
  auto const* signature =
      rule == type_rule::results ? nullptr : in.context().get_if<ir::function_type>(first);
  if (signature != nullptr) {
    operands = signature->inputs;
    op.state.results = signature->results;
    return in.resolve_operands(op.uses, operands, uses_at);
  }
  switch (rule) {
    case type_rule::functional: in.fail(at, "expects a functional type"); return false;
    case type_rule::same: operands.assign(op.uses.size(), first); break;
    case type_rule::results: break;
    case type_rule::select:
      if (!in.consume(',')) {
        in.fail(at, "expects a functional type or a list of two types");
        return false;
      }
      result = in.syntax().parse_type();
      if (!result) return false;
      operands = {first, result, result};
      break;
    case type_rule::complex: {
      ir::type const real = real_counterpart(in.context(), first);
      if (!real) {
        in.fail(at, "expects a tensor with complex elements");
        return false;
      }
      operands.assign(op.uses.size(), real);
      break;
    }
    case type_rule::tuple: {
      auto const* tuple = in.context().get_if<ir::tuple_type>(first);
      if (tuple == nullptr) {
        in.fail(at, "expects a tuple type");
        return false;
      }
      operands = tuple->elements;
      break;
    }
  }
  op.state.results = {result};
  return in.resolve_operands(op.uses, operands, uses_at);
}

inline step read_layout(op_reader& in, layout const& l) {
  auto& op = in.pending();
  std::size_t const uses_at = in.offset();
  bool separated = true;  // nothing stands before that a comma has to follow, or the comma is consumed
  auto read_operand = [&] {
    written_use use;
    if ((!separated && !in.expect(',')) || !in.read_use(use)) return false;
    op.uses.push_back(use);
    separated = false;
    return true;
  };
  if (l.operands < at_least_one) {
    while (op.uses.size() < l.operands)
      if (!read_operand()) return step::failed;
  } else {
    while (in.next_is('%')) {
      if (!read_operand()) return step::failed;
      separated = in.consume(',');
    }
    if (!l.takes(op.uses.size())) return in.fail(uses_at, "expects at least one operand");
  }
  for (item const& i : l.items) {
    if (i.keyword.empty()) break;
    if ((!separated && !in.expect(',')) || !read_item(in, i)) return step::failed;
    separated = false;
  }
  if (separated && !op.uses.empty()) return in.fail(in.offset(), "expects an operand behind ','");
  if (!in.read_optional_attributes() || !in.expect(':')) return step::failed;
  return read_types(in, l.types, uses_at) ? step::done : step::failed;
}

// --- Printing ----------------------------------------------------------------------------------------------

/// No regions and no successors.
inline bool fits_plain(ir::program const& in, ir::op o) {
  return in.regions(o).empty() && in.successors(o).empty();
}

/// A property that is an i32 not below zero, or null.
inline ir::integer_attr const* small_count(ir::program const& in, ir::op o, std::string_view name) {
  auto const* number = in.context().get_if<ir::integer_attr>(in.context().lookup(in.properties(o), name));
  auto const* of = number != nullptr ? in.context().get_if<ir::integer_type>(number->of) : nullptr;
  return of != nullptr && *of == ir::integer_type{32} && number->value >= 0 ? number : nullptr;
}

/// A property that is a plain string, or null.
inline ir::string_attr const* plain_string(ir::program const& in, ir::op o, std::string_view name) {
  auto const* text = in.context().get_if<ir::string_attr>(in.context().lookup(in.properties(o), name));
  return text != nullptr && !text->of ? text : nullptr;
}

inline bool fits(ir::program const& in, ir::op o, item const& i) {
  ir::context const& context = in.context();
  ir::attribute const value = context.lookup(in.properties(o), i.attribute);
  switch (i.kind) {
    case value_kind::integers: return integer_list(context, value) != nullptr;
    case value_kind::integer:
    case value_kind::flag: {
      auto const* number = context.get_if<ir::integer_attr>(value);
      auto const* of = number != nullptr ? context.get_if<ir::integer_type>(number->of) : nullptr;
      return of != nullptr && of->sign == ir::signedness::signless &&
             of->width == (i.kind == value_kind::flag ? 1u : 64u);
    }
    case value_kind::text: {
      auto const* text = context.get_if<ir::string_attr>(value);
      return text != nullptr && !text->of;
    }
    case value_kind::word: return !enum_value(context, *i.values, value).empty();
  }
  return false;
}

/// Whether the form can say all there is to the op.
inline bool fits(ir::program const& in, ir::op o, layout const& l) {
  if (!l.takes(in.operand_count(o)) || !in.regions(o).empty() || !in.successors(o).empty()) return false;
  if (l.types != type_rule::functional && in.result_count(o) != 1) return false;
  for (item const& i : l.items)
    if (!i.keyword.empty() && !fits(in, o, i)) return false;
  return true;
}

inline void print_item(op_printer& out, ir::op o, item const& i) {
  ir::context const& context = out.context();
  ir::attribute const value = context.lookup(out.program().properties(o), i.attribute);
  out << i.keyword << " = ";
  switch (i.kind) {
    case value_kind::integers: print_integers(out, *integer_list(context, value)); break;
    case value_kind::integer: out.number(context.get_if<ir::integer_attr>(value)->value); break;
    case value_kind::flag:
      out << (context.get_if<ir::integer_attr>(value)->value != 0 ? "true" : "false");
      break;
    case value_kind::text: out.quoted(context.get_if<ir::string_attr>(value)->text); break;
    // The dialect prints a blank of its own before an enumeration.
    case value_kind::word: out << ' ' << enum_value(context, *i.values, value); break;
  }
}

inline void print_types(op_printer& out, ir::op o, type_rule rule) {
  ir::program const& in = out.program();
  bool functional = rule == type_rule::functional;
  ir::type const result = functional ? ir::type{} : in.type_of(in.result(o, 0));
  auto all_are = [&](std::uint32_t from, ir::type wanted) {
    for (std::uint32_t i = from; i < in.operand_count(o); ++i)
      if (in.type_of(in.operand(o, i)) != wanted) return false;
    return true;
  };
  switch (rule) {
    case type_rule::functional:
    case type_rule::results: break;
    case type_rule::same: functional = !all_are(0, result); break;
    case type_rule::select: functional = !all_are(1, result); break;
    case type_rule::complex: functional = !all_are(0, real_counterpart(out.context(), result)); break;
    case type_rule::tuple: {
      auto const* tuple = in.context().get_if<ir::tuple_type>(result);
      functional = tuple == nullptr || tuple->elements.size() != in.operand_count(o);
      for (std::uint32_t i = 0; !functional && i < in.operand_count(o); ++i)
        functional = in.type_of(in.operand(o, i)) != tuple->elements[i];
      break;
    }
  }
  out << " : ";
  if (functional) {
    out.function_type(o);
    return;
  }
  if (rule == type_rule::select) {
    out.type(in.type_of(in.operand(o, 0)));
    out << ", ";
  }
  out.type(result);
}

inline step print_layout(op_printer& out, ir::op o, layout const& l) {
  out << out.program().kind_text(o);
  if (l.operands != 0) out << ' ';
  out.uses(out.program().operands(o));
  bool first = l.operands == 0;
  for (item const& i : l.items) {
    if (i.keyword.empty()) break;
    out << (first ? " " : ", ");
    first = false;
    print_item(out, o, i);
  }
  out.attributes(o, {l.items[0].attribute, l.items[1].attribute, l.items[2].attribute});
  print_types(out, o, l.types);
  return step::done;
}

/// A row of the table.
template <layout const& L>
constexpr form row(std::string_view name) {
  return {.name = name,
          .read = [](op_reader& in) { return read_layout(in, L); },
          .print = [](op_printer& out, ir::op o, std::uint32_t) { return print_layout(out, o, L); },
          .fits = [](ir::program const& in, ir::op o) { return fits(in, o, L); },
          .normalise = &normalise};
}

}  // namespace mpmd::text::mlir::stablehlo
