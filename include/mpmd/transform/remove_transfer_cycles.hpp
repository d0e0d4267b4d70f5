#pragma once
/// -mpmd-remove-transfer-cycles: a value that comes back to where it was is the value that was there.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// A transfer whose result has the type of a value further up its chain of transfers becomes that value: the nearest
/// one. Chains are not followed through host memory, since putting a value there is done on purpose. Transfers that lose
/// their last use stay, for fragment_dce. O(transfers and the length of the chains walked; a chain that visits many
/// types without ever coming back is walked from each of its transfers).
struct remove_transfer_cycles {
  static constexpr std::string_view name = "mpmd-remove-transfer-cycles";
  static constexpr std::string_view summary = "Replace values that were transferred away and back by the original";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : distributed_functions(p)) {
      auto const all = body_of(p, f);
      for (std::size_t i = all.size(); i-- > 0;) {
        if (traits::role_of(p, all[i]) != role::transfer) continue;
        value_t<P> const result = results_of(p, all[i]).front();
        type_t<P> const wanted = traits::type_of(p, result);
        for (op_t<P> at = all[i]; at && traits::role_of(p, at) == role::transfer;) {
          value_t<P> const from = operands_of(p, at).front();
          type_t<P> const type = traits::type_of(p, from);
          auto const kind = traits::memory_kind_of(p, type);
          if (!kind.empty() && kind != "device") break;
          if (type == wanted) {
            replace_uses(p, result, from);
            traits::erase(p, all[i]);
            break;
          }
          at = defining_op(p, from);
        }
      }
    }
    return true;
  }
};

}  // namespace mpmd
