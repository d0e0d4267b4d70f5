#pragma once
/// The types of the results of an op of an unknown dialect, as well as its text allows.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/detail/foreign_lookahead.hpp>
#include <mpmd/text/mlir/op_reader.hpp>

namespace mpmd::text::mlir::detail {

/// The keyword type that this is the name of, or null.
inline ir::type named_type(ir::context& in, std::string_view word) {
  if (!is_type_word(word, false)) return {};
  if (word == "index") return in.get(ir::index_type{});
  if (word == "none") return in.get(ir::none_type{});
  if (find_float_format(word) != nullptr) return in.floating(word);
  auto sign = ir::signedness::signless;
  if (word[0] == 's' || word[0] == 'u') {
    sign = word[0] == 's' ? ir::signedness::is_signed : ir::signedness::is_unsigned;
    word.remove_prefix(1);
  }
  std::uint32_t width = 0;
  for (char const c : word.substr(1)) {
    width = width * 10 + static_cast<std::uint32_t>(c - '0');
    if (width >= 1u << 24) return {};
  }
  return in.integer(width, sign);
}

/// The element type of a tensor, vector, complex or memref, or null.
inline ir::type foreign_element(ir::context& in, ir::type of) {
  if (auto const* t = in.get_if<ir::tensor_type>(of)) return t->element;
  if (auto const* t = in.get_if<ir::unranked_tensor_type>(of)) return t->element;
  if (auto const* t = in.get_if<ir::vector_type>(of)) return t->element;
  if (auto const* t = in.get_if<ir::complex_type>(of)) return t->element;
  auto const* kept = in.get_if<ir::opaque_type>(of);
  if (kept == nullptr || kept->text.substr(0, 7) != "memref<") return {};
  std::string_view body = std::string_view(kept->text).substr(7);
  body = body.substr(0, body.find_first_of(",>"));
  std::size_t stop = 0;  // behind `4x?x`
  while (stop < body.size() && (chars::is(body[stop], chars::digit) || body[stop] == '?' ||
                                body[stop] == '*' || (body[stop] == 'x' && stop != 0)))
    ++stop;
  return named_type(in, body.substr(stop));
}

/// `i1`, in the shape of a type.
inline ir::type i1_like(ir::context& in, ir::type of) {
  ir::type const bit = in.integer(1);
  if (auto const* t = in.get_if<ir::tensor_type>(of))
    return in.get(ir::tensor_type{t->shape, bit, t->encoding});
  if (auto const* t = in.get_if<ir::unranked_tensor_type>(of); t != nullptr)
    return in.get(ir::unranked_tensor_type{bit});
  if (auto const* t = in.get_if<ir::vector_type>(of))
    return in.get(ir::vector_type{t->shape, t->scalable, bit});
  return bit;
}

enum class foreign_rule : std::uint8_t { i1, element, index, index_unless_written, hidden };
struct foreign_exception {
  std::string_view name;  ///< or the beginning of names, when it ends in a dot
  foreign_rule rule;
};

/// Upstream ops with one result whose written type is not that of the result.
inline constexpr auto foreign_exceptions = std::to_array<foreign_exception>({
    {"affine.apply", foreign_rule::index},
    {"affine.load", foreign_rule::element},
    {"affine.max", foreign_rule::index},
    {"affine.min", foreign_rule::index},
    {"arith.cmpf", foreign_rule::i1},
    {"arith.cmpi", foreign_rule::i1},
    {"complex.abs", foreign_rule::element},
    {"complex.angle", foreign_rule::element},
    {"complex.eq", foreign_rule::i1},
    {"complex.im", foreign_rule::element},
    {"complex.neq", foreign_rule::i1},
    {"complex.re", foreign_rule::element},
    {"gpu.", foreign_rule::index_unless_written},
    {"index.bool.constant", foreign_rule::i1},
    {"index.cmp", foreign_rule::i1},
    {"index.", foreign_rule::index_unless_written},
    {"llvm.extractvalue", foreign_rule::hidden},
    {"llvm.fcmp", foreign_rule::i1},
    {"llvm.icmp", foreign_rule::i1},
    {"math.isfinite", foreign_rule::i1},
    {"math.isinf", foreign_rule::i1},
    {"math.isnan", foreign_rule::i1},
    {"math.isnormal", foreign_rule::i1},
    {"memref.dim", foreign_rule::index},
    {"memref.load", foreign_rule::element},
    {"memref.rank", foreign_rule::index},
    {"tensor.dim", foreign_rule::index},
    {"tensor.extract", foreign_rule::element},
    {"tensor.rank", foreign_rule::index},
    {"vector.extractelement", foreign_rule::element},
    {"vector.shuffle", foreign_rule::hidden},
});

/// `written`: the last list of types outside brackets, behind an arrow (or `to`, or `into`) or else a colon.
///
/// A list as long as there are results gives their types; a single type is the type of all. Of a longer list
/// behind a colon the last type counts, behind an arrow the first. Otherwise the types are unknown.
inline std::vector<ir::type> foreign_results(ir::context& in, std::string_view name, std::size_t count,
                                             std::vector<ir::type> const& written, bool arrow) {
  if (count == 0) return {};
  if (count == 1 && !arrow) {
    for (auto const& e : foreign_exceptions) {
      bool const prefix = e.name.back() == '.' && name.substr(0, e.name.size()) == e.name;
      if (e.name != name && !prefix) continue;
      ir::type found;
      switch (e.rule) {
        case foreign_rule::i1: found = i1_like(in, written.empty() ? ir::type{} : written.front()); break;
        case foreign_rule::element:
          found = written.empty() ? ir::type{} : foreign_element(in, written.front());
          break;
        case foreign_rule::index_unless_written:
          found = written.empty() ? in.get(ir::index_type{}) : written.back();
          break;
        case foreign_rule::index: found = in.get(ir::index_type{}); break;
        case foreign_rule::hidden: break;
      }
      return {found ? found : unknown_type(in)};
    }
    // `arith.constant true`
    if (name == "arith.constant" && written.empty()) return {in.integer(1)};
  }
  if (written.size() == count) return written;
  if (written.size() == 1) return std::vector<ir::type>(count, written.front());
  if (written.size() > 1 && count == 1) return {arrow ? written.front() : written.back()};
  return std::vector<ir::type>(count, unknown_type(in));
}

}  // namespace mpmd::text::mlir::detail
