#pragma once
/// -mpmd-enforce-input-output-equisharding: an output that a caller feeds back has exactly the type of its
/// input.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/calls_by_callee.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/placeable_functions.hpp>
#include <mpmd/transform/placement.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// In every analysed function that is entered from outside, for each constraint: an output whose type differs
/// from that of its input is transferred to that type just before the return, where it stands. A value that
/// is returned twice is transferred to one type once.
///
/// Errors, behind which the function is left as it is: an input or output that the function does not have or
/// that stands on no mesh, two of different tensors, two inputs of different types for one output; and, where an
/// output is to change its type, what results_may_change() finds. Linear.
struct enforce_input_output_equisharding {
  std::vector<io_constraint> constraints;

  static constexpr std::string_view name = "mpmd-enforce-input-output-equisharding";
  static constexpr std::string_view summary =
      "Transfer outputs to the meshes of the inputs they are constrained to";
  static constexpr auto options =
      std::tuple{option{"constraints", &enforce_input_output_equisharding::constraints,
                        "Inputs and outputs that must have one type"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    if (constraints.empty()) return true;
    bool good = true;
    calls_by_callee<P> const calls(p);
    for (op_t<P> const f : functions(p))
      if (takes_part(p, f) && is_entry(p, f)) good &= in_function(p, f, calls, diags);
    return good;
  }

 private:
  template <mutable_mpmd_program P>
  bool in_function(P& p, op_t<P> f, calls_by_callee<P> const& calls, diagnostics& diags) const {
    using traits = ir_traits<P>;
    op_t<P> const end = terminator_of(p, f);
    if (!end) return true;
    std::vector<value_t<P>> inputs;
    for (auto&& a : mpmd::arguments(p, f)) inputs.push_back(a);
    std::vector<value_t<P>> const outputs = operands_of(p, end);

    bool good = true;
    std::unordered_map<std::size_t, std::size_t> input_of;   // by output
    std::vector<std::pair<std::size_t, std::size_t>> moves;  // input, output
    for (io_constraint const& c : constraints) {
      std::string why = objection(p, c, inputs, outputs);
      if (why.empty()) {
        auto const in = static_cast<std::size_t>(c.input), out = static_cast<std::size_t>(c.output);
        auto const [other, fresh] = input_of.emplace(out, in);
        if (fresh)
          moves.emplace_back(in, out);
        else if (!(traits::type_of(p, inputs[other->second]) == traits::type_of(p, inputs[in])))
          why = "the output is also constrained to input " + std::to_string(other->second) +
                ", of another type: " + traits::type_text(p, traits::type_of(p, inputs[other->second])) +
                " and " + traits::type_text(p, traits::type_of(p, inputs[in]));
      }
      if (why.empty()) continue;
      diags.error(traits::source_of(p, traits::location_of(p, f)), "io-constraint",
                  "input " + std::to_string(c.input) + " and output " + std::to_string(c.output) +
                      " of function '" + std::string(traits::function_name(p, f)) +
                      "' cannot be of one type: " + why);
      good = false;
    }
    if (!good) return false;
    std::erase_if(moves, [&](auto const& m) {
      return traits::type_of(p, outputs[m.second]) == traits::type_of(p, inputs[m.first]);
    });
    if (moves.empty()) return true;
    if (!results_may_change(p, f, calls, diags)) return false;

    std::unordered_map<value_t<P>, std::vector<value_t<P>>> transferred;
    for (auto const& [in, out] : moves) {
      type_t<P> const to = traits::type_of(p, inputs[in]);
      auto& known = transferred[outputs[out]];
      auto there =
          std::find_if(known.begin(), known.end(), [&](value_t<P> v) { return traits::type_of(p, v) == to; });
      if (there == known.end()) {
        known.push_back(result_of(p, traits::create(p,
                                                    {.what = role::transfer,
                                                     .operands = {outputs[out]},
                                                     .results = {to},
                                                     .where = traits::location_of(p, end)},
                                                    insertion_point<P>::before(end))));
        there = known.end() - 1;
      }
      traits::set_operand(p, end, out, *there);
    }
    traits::update_signature(p, f);
    return true;
  }

  // Why the two cannot be of one type, nothing if they can.
  template <mutable_mpmd_program P>
  static std::string objection(P const& p, io_constraint const& c, std::vector<value_t<P>> const& inputs,
                               std::vector<value_t<P>> const& outputs) {
    using traits = ir_traits<P>;
    auto is_index = [](std::int64_t i, std::size_t n) { return i >= 0 && static_cast<std::uint64_t>(i) < n; };
    if (!is_index(c.input, inputs.size())) return "it has " + std::to_string(inputs.size()) + " inputs";
    if (!is_index(c.output, outputs.size())) return "it has " + std::to_string(outputs.size()) + " outputs";
    value_t<P> const in = inputs[static_cast<std::size_t>(c.input)],
                     out = outputs[static_cast<std::size_t>(c.output)];
    for (value_t<P> const v : {in, out})
      if (traits::mesh_of(p, v).empty())
        return std::string(v == in ? "the input" : "the output") + " stands on no mesh, its type is " +
               traits::type_text(p, traits::type_of(p, v));
    type_t<P> const a = traits::type_of(p, in), b = traits::type_of(p, out);
    if (!(traits::tensor_type_of(p, a) == traits::tensor_type_of(p, b)))
      return "they are different tensors, " + traits::type_text(p, traits::tensor_type_of(p, a)) + " and " +
             traits::type_text(p, traits::tensor_type_of(p, b));
    return {};
  }
};

}  // namespace mpmd
