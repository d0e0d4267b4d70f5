#pragma once
/// The text of an op of an unknown dialect, with holes where names of values and blocks, and regions, stood.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <mpmd/ir/program.hpp>
#include <mpmd/support/hash.hpp>
#include <mpmd/text/mlir/detail/foreign_types.hpp>

namespace mpmd::text::mlir::detail {

inline constexpr std::string_view template_name = "mpmd.pretty";
inline constexpr std::string_view signature_name = "mpmd.signature";
inline constexpr std::string_view seal_name = "mpmd.seal";

/// A template can be asked where its nth region is, which takes a look at all before it.
inline constexpr std::uint32_t foreign_region_limit = 1024;

/// A run of text, or a hole: `%o` is the next operand, `%a` the next argument of the next region, `%s` the
/// next successor, `%r` the next region, `%R` the next region when its arguments bear the names of those
/// before it; `%%` is a percent sign.
struct template_piece {
  char hole = 0;  ///< o, a, s, r or R; 0: text; '!': the template is malformed
  std::string_view text = {};
};

inline template_piece next_piece(std::string_view& rest) {
  std::size_t const stop = rest.find('%');
  if (stop != 0) {
    auto const text = rest.substr(0, stop);
    rest.remove_prefix(text.size());
    return {0, text};
  }
  char const letter = rest.size() > 1 ? rest[1] : '!';
  auto const percent = rest.substr(0, 1);
  rest.remove_prefix(rest.size() > 1 ? 2 : 1);
  if (letter == '%') return {0, percent};
  return {std::string_view("oasrR").find(letter) != std::string_view::npos ? letter : '!'};
}

/// Appends text of the program to a template.
inline void append_escaped(std::string& to, std::string_view text) {
  for (;;) {
    std::size_t const stop = text.find('%');
    to += text.substr(0, stop);
    if (stop == std::string_view::npos) return;
    to += "%%";
    text.remove_prefix(stop + 1);
  }
}

/// The template of an op, or null.
inline std::string const* template_of(ir::program const& in, ir::op o) {
  auto const* text =
      in.context().get_if<ir::string_attr>(in.context().lookup(in.properties(o), template_name));
  return text != nullptr && !text->of ? &text->text : nullptr;
}

/// Tells a template that has been made by the reader from one that somebody has edited in the generic form:
/// nobody could say what the latter would read as. Depends on nothing but its arguments.
inline ir::attribute make_seal(ir::context& in, std::string_view name, std::string_view pretty,
                               ir::attribute signature) {
  hasher h;
  h.add(name);
  h.add(pretty);
  h.add(in.hash_of(signature));
  return in.integer_value(static_cast<std::int64_t>(h.value() >> 1));
}

/// The types of operands, of arguments that the text binds, and of results: what the text was right for. A
/// template cannot follow a change of types, so an op whose types have changed since is printed generically.
inline bool signature_holds(ir::program const& in, ir::op o, std::string_view pretty) {
  ir::context& context = in.context();
  auto const* held = context.get_if<ir::type_attr>(context.lookup(in.properties(o), signature_name));
  auto const* signature = held != nullptr ? context.get_if<ir::function_type>(held->held) : nullptr;
  if (signature == nullptr) return false;
  ir::type const unknown = unknown_type(context);
  std::size_t at = 0;
  auto input_is = [&](ir::type of) {
    if (at == signature->inputs.size()) return false;
    ir::type const expected = signature->inputs[at++];
    return expected == unknown || expected == of;
  };
  for (ir::value const v : in.operands(o))
    if (!input_is(in.type_of(v))) return false;
  std::uint32_t region = 0, argument = 0;
  while (!pretty.empty()) {
    char const hole = next_piece(pretty).hole;
    if (hole == 'a') {
      if (region >= in.regions(o).size()) return false;
      ir::block const entry = in.first_block(in.regions(o)[region]);
      if (!entry || argument >= in.arguments(entry).size()) return false;
      if (!input_is(in.type_of(in.argument(entry, argument++)))) return false;
    } else if (hole == 'r' || hole == 'R') {
      ++region;
      argument = 0;
    }
  }
  if (at != signature->inputs.size() || signature->results.size() != in.result_count(o)) return false;
  for (std::uint32_t i = 0; i < in.result_count(o); ++i)
    if (signature->results[i] != unknown && in.type_of(in.result(o, i)) != signature->results[i])
      return false;
  return true;
}

/// Whether two blocks have arguments of the same types.
inline bool same_arguments(ir::program const& in, ir::block a, ir::block b) {
  if (!a || !b || in.arguments(a).size() != in.arguments(b).size()) return false;
  for (std::uint32_t i = 0; i < in.arguments(a).size(); ++i)
    if (in.type_of(in.argument(a, i)) != in.type_of(in.argument(b, i))) return false;
  return true;
}

/// Whether the template has a hole for each operand, successor and region, and where it names arguments of a
/// region, for all of them.
inline bool template_fits(ir::program const& in, ir::op o, std::string_view pretty) {
  std::uint32_t operands = 0, successors = 0, regions = 0, arguments = 0;
  ir::block before;  // entry of the region before
  while (!pretty.empty()) {
    char const hole = next_piece(pretty).hole;
    switch (hole) {
      case 0: break;
      case 'o': ++operands; break;
      case 's': ++successors; break;
      case 'a': ++arguments; break;
      case 'r':
      case 'R': {
        if (regions == in.regions(o).size() || regions == foreign_region_limit) return false;
        ir::block const entry = in.first_block(in.regions(o)[regions++]);
        if (arguments != 0 && (!entry || in.arguments(entry).size() != arguments)) return false;
        if (hole == 'R' && !same_arguments(in, before, entry)) return false;
        arguments = 0;
        before = entry;
        break;
      }
      default: return false;
    }
  }
  return arguments == 0 && operands == in.operand_count(o) && successors == in.successors(o).size() &&
         regions == in.regions(o).size();
}

}  // namespace mpmd::text::mlir::detail
