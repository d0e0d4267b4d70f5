#pragma once
/// -mpmd-erase-unused-callee-block-arguments: arguments that a function only hands back, or never looks at, go.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/calls_by_callee.hpp>
#include <mpmd/transform/fragments.hpp>

namespace mpmd {

/// An argument of a called function with a topology, of one block, not an entry of the program nor entered by ordinary
/// calls, which nothing uses or only its return goes, and with it the results that are this argument: behind each call these become the
/// operand of the call. A function that is left without results and has no effects goes, with its calls. Calls keep their
/// notes.
/// O(program + (arguments + results) * calls).
struct erase_unused_callee_block_arguments {
  static constexpr std::string_view name = "mpmd-erase-unused-callee-block-arguments";
  static constexpr std::string_view summary = "Erase arguments of called functions that are unused or only returned";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    calls_by_callee<P> const calls(p);
    std::vector<op_t<P>> gone;
    for (op_t<P> const f : functions(p)) {
      if (calls.of(f).empty() || !takes_part(p, f) || is_entry(p, f) || !calls.ordinary(f).empty()) continue;
      op_t<P> const end = terminator_of(p, f);
      if (!end || second_block(p, f)) continue;  // mesh inference reports the second block
      std::vector<std::size_t> dropped;                        // arguments
      std::unordered_map<value_t<P>, std::size_t> passed_on;   // those arguments, and which they are
      std::size_t count = 0;
      for (auto&& a : mpmd::arguments(p, f)) {
        bool used = false;
        for (auto const& u : traits::uses(p, a)) used = used || !(u.user == end);
        if (!used) {
          dropped.push_back(count);
          passed_on.emplace(a, count);
        }
        ++count;
      }
      if (dropped.empty()) continue;
      std::vector<value_t<P>> const returned = operands_of(p, end);
      std::vector<value_t<P>> kept;
      for (value_t<P> const v : returned)
        if (!passed_on.contains(v)) kept.push_back(v);
      bool const needless = kept.empty() && !returned.empty() && has_no_effects(p, f, end);

      for (op_t<P> const call : calls.of(f)) {
        std::vector<value_t<P>> const operands = operands_of(p, call), results = results_of(p, call);
        std::vector<type_t<P>> types;
        std::vector<value_t<P>> left;
        for (std::size_t i = 0; i < results.size(); ++i) {
          auto const from = passed_on.find(returned[i]);
          if (from == passed_on.end()) {
            left.push_back(results[i]);
            types.push_back(traits::type_of(p, results[i]));
          } else {
            replace_uses(p, results[i], operands[from->second]);
          }
        }
        if (needless) {
          traits::erase(p, call);
          continue;
        }
        drop_operands(p, call, dropped);
        if (left.size() == results.size()) continue;
        std::vector<value_t<P>> const rest = operands_of(p, call);
        op_t<P> const made = traits::recreate(p, call, rest, types);
        std::size_t i = 0;
        for (value_t<P> const v : results_of(p, made)) replace_uses(p, left[i++], v);
        traits::erase(p, call);
      }
      if (needless) {
        gone.push_back(f);
        continue;
      }
      traits::set_operands(p, end, kept);
      for (std::size_t i = returned.size(); i-- > 0;)
        if (passed_on.contains(returned[i])) traits::erase_results_kept(p, f, i);
      traits::erase_arguments(p, f, dropped);
      traits::update_signature(p, f);
    }
    for (op_t<P> const f : gone) traits::erase(p, f);
    return true;
  }

 private:
  template <mutable_mpmd_program P>
  static bool has_no_effects(P const& p, op_t<P> f, op_t<P> end) {
    for (op_t<P> const o : body_of(p, f))
      if (!(o == end) && !ir_traits<P>::is_pure(p, o)) return false;
    return true;
  }
};

}  // namespace mpmd
