#pragma once
/// How many bytes the values of a type take.

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include <mpmd/ir/context.hpp>

namespace mpmd::ir {

/// The bits of an element type: of an integer, a float by the number in its keyword (bf16, f8E4M3FN), or a complex
/// number; nullopt of any other.
inline std::optional<std::uint64_t> element_bits(context const& in, type t) {
  std::uint64_t parts = 1;
  for (auto const* c = in.get_if<complex_type>(t); c != nullptr && parts < 1024; c = in.get_if<complex_type>(t)) {
    parts *= 2;
    t = c->element;
  }
  if (auto const* i = in.get_if<integer_type>(t)) return parts * i->width;
  auto const* f = in.get_if<float_type>(t);
  if (f == nullptr) return std::nullopt;
  std::string_view const text = f->keyword;
  std::uint64_t bits = 0;
  for (auto at = text.find_first_of("0123456789"); at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at) {
    bits = bits * 10 + static_cast<std::uint64_t>(text[at] - '0');
    if (bits > 1024) return std::nullopt;
  }
  return bits == 0 ? std::nullopt : std::optional(parts * bits);
}

/// The bytes of a tensor, or of the whole tensor that stands on a mesh, however it is split over the devices there.
/// nullopt where they are not known: another type, an extent that is not fixed, or more than 64 bits count.
inline std::optional<std::uint64_t> byte_size(context const& in, type t) {
  if (auto const* placed = in.get_if<mesh_tensor_type>(t)) t = placed->global;
  auto const* tensor = in.get_if<tensor_type>(t);
  if (tensor == nullptr) return std::nullopt;
  auto const element = element_bits(in, tensor->element);
  if (!element) return std::nullopt;
  std::uint64_t bits = *element;
  for (std::int64_t const extent : tensor->shape) {
    if (extent < 0) return std::nullopt;
    if (extent == 0) return 0;
    if (bits > std::numeric_limits<std::uint64_t>::max() / static_cast<std::uint64_t>(extent)) return std::nullopt;
    bits *= static_cast<std::uint64_t>(extent);
  }
  return bits / 8 + (bits % 8 != 0);
}

}  // namespace mpmd::ir
