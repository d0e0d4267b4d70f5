#pragma once
/// What the names and the attributes of ops mean to who simplifies what is computed on tensors.

#include <array>
#include <cstddef>
#include <iterator>
#include <string_view>

#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/ir/opcodes.hpp>

namespace mpmd::ir {

constexpr tensor_kind tensor_kind_of(opcode code) {
  switch (code) {
    case opcode::stablehlo_constant: return tensor_kind::constant;
    case opcode::stablehlo_add: return tensor_kind::add;
    case opcode::stablehlo_subtract: return tensor_kind::subtract;
    case opcode::stablehlo_multiply: return tensor_kind::multiply;
    case opcode::stablehlo_compare: return tensor_kind::compare;
    case opcode::stablehlo_select: return tensor_kind::select;
    case opcode::stablehlo_convert: return tensor_kind::convert;
    case opcode::stablehlo_reshape: return tensor_kind::reshape;
    case opcode::stablehlo_transpose: return tensor_kind::transpose;
    case opcode::stablehlo_broadcast_in_dim: return tensor_kind::broadcast_in_dim;
    case opcode::stablehlo_slice: return tensor_kind::slice;
    case opcode::stablehlo_dynamic_slice: return tensor_kind::dynamic_slice;
    case opcode::stablehlo_concatenate: return tensor_kind::concatenate;
    case opcode::sdy_reshard: return tensor_kind::reshard;
    default: return tensor_kind::other;
  }
}
/// By opcode; asked for every op in every sweep.
inline constexpr auto tensor_kinds = [] {
  std::array<tensor_kind, known_ops.size()> found{};
  for (std::size_t i = 0; i < known_ops.size(); ++i) found[i] = tensor_kind_of(known_ops[i].code);
  return found;
}();

/// Of `#stablehlo<comparison_direction EQ>`, or the part between the brackets.
inline comparison comparison_in(std::string_view text) {
  constexpr std::string_view words[] = {"EQ", "NE", "LT", "LE", "GT", "GE"};
  std::size_t const blank = text.rfind(' ');
  if (blank == std::string_view::npos) return comparison::unknown;
  std::string_view word = text.substr(blank + 1);
  if (word.ends_with('>')) word.remove_suffix(1);
  for (std::size_t i = 0; i < std::size(words); ++i)
    if (words[i] == word) return static_cast<comparison>(static_cast<std::size_t>(comparison::eq) + i);
  return comparison::unknown;
}

}  // namespace mpmd::ir
