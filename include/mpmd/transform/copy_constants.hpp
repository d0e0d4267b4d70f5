#pragma once
/// -mpmd-copy-constants: a fragment that takes a constant from another makes its own.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// An operand of a fragment that comes, directly or through transfers, from a constant which another fragment returns is
/// replaced inside by a copy of that constant. Operands and transfers stay, for fragment_dce. O(program + the lengths of
/// the chains of transfers in front of each operand).
struct copy_constants {
  static constexpr std::string_view name = "mpmd-copy-constants";
  static constexpr std::string_view summary = "Give each fragment its own copies of the constants it takes";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : distributed_functions(p)) {
      auto const all = placed_ops(p, f);
      std::unordered_map<value_t<P>, op_t<P>> constants;  // results of fragments that are constants inside
      for (op_t<P> const o : all) {
        if (!is_fragment(p, o)) continue;
        auto const results = results_of(p, o), returned = operands_of(p, terminator_of(p, o));
        for (std::size_t i = 0; i < results.size() && i < returned.size(); ++i)
          if (op_t<P> const inner = mpmd::defining_op(p, returned[i]); inner && traits::is_constant(p, inner))
            constants.emplace(results[i], inner);
      }
      auto constant_behind = [&](value_t<P> v) {
        for (op_t<P> t = defined_by(p, v, role::transfer); t; t = defined_by(p, v, role::transfer)) v = operand_of(p, t);
        auto const at = constants.find(v);
        return at == constants.end() ? op_t<P>{} : at->second;
      };
      for (std::size_t i = all.size(); i-- > 0;) {
        if (!is_fragment(p, all[i])) continue;
        auto const operands = operands_of(p, all[i]);
        std::vector<value_t<P>> arguments;
        for (auto&& a : mpmd::arguments(p, all[i])) arguments.push_back(a);
        op_t<P> const first = body_of(p, all[i]).front();
        for (std::size_t k = 0; k < arguments.size() && k < operands.size(); ++k) {
          if (is_unused(p, arguments[k])) continue;
          op_t<P> const constant = constant_behind(operands[k]);
          if (!constant) continue;
          value_map<P> map;
          op_t<P> const copy = traits::clone(p, constant, map, insertion_point<P>::before(first));
          replace_uses(p, arguments[k], result_of(p, copy));
        }
      }
    }
    return true;
  }
};

}  // namespace mpmd
