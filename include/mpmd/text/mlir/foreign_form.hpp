#pragma once
/// Pretty forms of dialects that this library does not know: `arith.addi %a, %b : i32`, `scf.for %i = %x to
/// %y ...`.
///
/// The text of such an op is kept, with holes for what may be renamed or moved: its operands, the names it
/// binds for a region, its successors and its regions. These are real: uses count as uses, and regions have
/// their ops. The op has the inherent attributes `mpmd.pretty` (the text), `mpmd.signature` (the types it was
/// right for) and `mpmd.seal` (which tells that nobody has edited it), and no others; what stands in braces
/// stays text. In generic form they are printed like any attribute and read back. An op that an edit has made
/// to differ from its text (other types, more operands, attributes) prints generically.
///
/// What is decided without knowing the dialect, and so can be wrong:
/// - Where the op ends: before a `}`, a `loc(...)`, a block label or an alias definition on a new line, or
/// before
///   what looks like another op (`%x = `, `"a.b"(`, `a.b`, `return`, `call`) on a new line or behind types or
///   a region; never behind `,` `=` `:` `->` or inside brackets.
/// - What `{` begins: a region if an op or a block label follows; `{ a.b }` is one only with a line break
/// behind `{`.
/// - Which names are bound: `%x = ...`, `... as %x`, and in parentheses before a region any name that is not
/// visible
///   yet. So there an operand has to be defined before the op. Elsewhere a name that is not visible is a use
///   before the definition.
/// - The types of results: see detail::foreign_results(). When the text does not tell, the first use that
/// states a
///   type decides, and without one it is `!foreign.unknown`. An op whose results have no names has none. A
///   bound name has the type written behind it, or that of what it is set to; counters are of type index.
/// Linear in the text.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include <mpmd/text/mlir/detail/foreign_op_reader.hpp>
#include <mpmd/text/mlir/detail/foreign_template.hpp>
#include <mpmd/text/mlir/form.hpp>
#include <mpmd/text/mlir/op_printer.hpp>
#include <mpmd/text/mlir/op_reader.hpp>

namespace mpmd::text::mlir {

namespace detail {

inline step print_foreign(op_printer& out, ir::op o, std::uint32_t regions_printed) {
  ir::program const& in = out.program();
  std::string_view rest = *template_of(in, o);
  if (regions_printed == 0) out << in.kind_text(o);
  std::uint32_t operands = 0, successors = 0, regions = 0, arguments = 0;
  while (!rest.empty()) {
    auto const piece = next_piece(rest);
    bool const now = regions == regions_printed;
    switch (piece.hole) {
      case 'o':
        if (now) out.use(in.operand(o, operands));
        ++operands;
        break;
      case 's':
        if (now) out.successor(in.successors(o)[successors]);
        ++successors;
        break;
      case 'a':
        if (now) out.use(in.argument(in.first_block(in.regions(o)[regions]), arguments));
        ++arguments;
        break;
      case 'r':
      case 'R':
        if (now) return out.region(piece.hole == 'r' && arguments == 0);
        ++regions;
        arguments = 0;
        break;
      default:
        if (now) out << piece.text;
        break;
    }
  }
  return step::done;
}

inline bool fits_foreign(ir::program const& in, ir::op o) {
  ir::context const& context = in.context();
  auto const* pretty = template_of(in, o);
  if (pretty == nullptr || ir::info_of(in.kind(o).id) != nullptr) return false;
  if (in.attributes(o) && in.attributes(o) != context.empty_dictionary()) return false;
  ir::attribute const signature = context.lookup(in.properties(o), signature_name);
  if (context.lookup(in.properties(o), seal_name) !=
      make_seal(in.context(), in.kind_text(o), *pretty, signature))
    return false;
  if (context.get_if<ir::dictionary_attr>(in.properties(o))->entries.size() != 3) return false;
  return template_fits(in, o, *pretty) && signature_holds(in, o, *pretty);
}

}  // namespace detail

/// The form of ops that no list of forms names: the `foreign` form of a form_table.
inline constexpr form foreign_form{
    .name = "",
    .read = [](op_reader& in) { return detail::foreign_op_reader(in).run(); },
    .print = &detail::print_foreign,
    .fits = &detail::fits_foreign,
};

}  // namespace mpmd::text::mlir
