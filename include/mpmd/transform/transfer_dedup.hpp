#pragma once
/// -mpmd-transfer-dedup: a value is sent to a mesh once.

#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/edit.hpp>

namespace mpmd {

/// In each distributed function, a transfer gives way to an earlier one of the same value to the same type. Calls leave such
/// transfers behind: each callee fetched what all of them share. What is in loops stays. Linear, but for values that are
/// sent to many meshes: O(transfers of a value * meshes that it goes to).
struct transfer_dedup {
  static constexpr std::string_view name = "mpmd-transfer-dedup";
  static constexpr std::string_view summary = "Send each value to a mesh once";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : distributed_functions(p)) {
      std::unordered_map<value_t<P>, std::vector<value_t<P>>> sent;  // for look-ups alone
      std::vector<op_t<P>> body;
      for (auto&& o : mpmd::body(p, f)) body.push_back(o);
      for (op_t<P> const o : body) {
        if (traits::role_of(p, o) != role::transfer) continue;
        auto const operands = operands_of(p, o), results = results_of(p, o);
        if (operands.size() != 1 || results.size() != 1) continue;
        auto& known = sent[operands[0]];
        bool found = false;
        for (value_t<P> const& earlier : known) {
          if (!(traits::type_of(p, earlier) == traits::type_of(p, results[0]))) continue;
          replace_uses(p, results[0], earlier);
          traits::erase(p, o);
          found = true;
          break;
        }
        if (!found) known.push_back(results[0]);
      }
    }
    return true;
  }
};

}  // namespace mpmd
