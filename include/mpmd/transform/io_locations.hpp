#pragma once
/// Where the values at the borders of a function stand in the user's source.

#include <cstddef>
#include <string>
#include <variant>

#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

/// The location of what returns `v` as result `i` of a function: that of the value, under the name that JAX gives to
/// the result and no other, if it gives one.
template <mutable_mpmd_program P>
location_t<P> result_location(P& p, op_t<P> f, std::size_t i, value_t<P> v) {
  auto const at = ir_traits<P>::location_of_value(p, v);
  note const named = ir_traits<P>::result_note(p, f, i, "jax.result_info");
  auto const* text = std::get_if<std::string>(&named);
  return text && !text->empty() ? ir_traits<P>::named_location(p, *text, at) : at;
}

}  // namespace mpmd
