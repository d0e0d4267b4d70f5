#pragma once
/// -mpmd-move-transfers-to-producer: transfers start as soon as their value is there.

#include <ranges>
#include <string_view>
#include <tuple>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// Each transfer moves right behind the op that makes its operand, or to the start of the function for an argument.
/// Several that move to one place come to stand in reverse order. Linear.
struct move_transfers_to_producer {
  static constexpr std::string_view name = "mpmd-move-transfers-to-producer";
  static constexpr std::string_view summary = "Move transfers right behind what they transfer";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    for (op_t<P> const f : distributed_functions(p))
      for (op_t<P> const o : body_of(p, f))
        if (ir_traits<P>::role_of(p, o) == role::transfer) move_to_producer(p, f, o);
    return true;
  }

  /// Moves one transfer of a function.
  template <mutable_mpmd_program P>
  static void move_to_producer(P& p, op_t<P> f, op_t<P> transfer) {
    op_t<P> const made_by = defining_op(p, operands_of(p, transfer).front());
    if (made_by)
      ir_traits<P>::move(p, transfer, insertion_point<P>::after(made_by));
    else if (auto&& all = ir_traits<P>::body(p, f); !(*std::ranges::begin(all) == transfer))
      ir_traits<P>::move(p, transfer, insertion_point<P>::start(f));
  }
};

}  // namespace mpmd
