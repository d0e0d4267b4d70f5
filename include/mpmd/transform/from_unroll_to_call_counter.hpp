#pragma once
/// -mpmd-from-unroll-to-call-counter: the turn of a loop that a call was written out from is its microbatch.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// The unroll counter of each call becomes its call counter, in the place of one that it has. Other ops keep theirs. A
/// counter that is negative or does not fit 32 bits is an error. Linear.
struct from_unroll_to_call_counter {
  static constexpr std::string_view name = "mpmd-from-unroll-to-call-counter";
  static constexpr std::string_view summary = "Turn the unroll counters of calls into call counters";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    bool good = true;
    for (op_t<P> const f : distributed_functions(p))
      walk_ops(p, f, [&](op_t<P> o) {
        if (traits::role_of(p, o) != role::call) return;
        auto const n = number_in(traits::note_of(p, o, "unroll_counter"));
        if (!n) return;
        if (*n < 0 || *n > std::numeric_limits<std::uint32_t>::max()) {
          diags.error(source_of(p, o), "unroll-counter",
                      "the unroll counter of this call, " + std::to_string(*n) +
                          ", cannot become a call counter: that is a 32-bit number without a sign");
          good = false;
          return;
        }
        traits::set_note(p, o, "call_counter", static_cast<std::uint32_t>(*n));
        traits::set_note(p, o, "unroll_counter", std::monostate{});
      });
    return good;
  }
};

}  // namespace mpmd
