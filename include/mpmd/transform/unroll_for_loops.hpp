#pragma once
/// -mpmd-unroll-for-loops: writes the turns of loops out one behind the other.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// In the place of a loop come, for each turn, a constant for its index and a copy of each op of the body, each noting
/// in `unroll_counter` the number of the turn among all turns of loops of the function. What is inside such an op notes
/// nothing.
///
/// Errors: a loop that is not to be unrolled entirely; a loop in a loop; more ops than `most_added_ops`.
/// Linear in what it makes.
struct unroll_for_loops {
  static constexpr std::string_view name = "mpmd-unroll-for-loops";
  static constexpr std::string_view summary = "Write the turns of loops out one behind the other";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    bool good = true;
    std::uint64_t room = most_added_ops;
    for (op_t<P> const f : distributed_functions(p)) {
      std::vector<op_t<P>> loops;
      for (op_t<P> const o : placed_ops(p, f))
        if (ir_traits<P>::role_of(p, o) == role::loop) loops.push_back(o);
      bool fit = true;
      for (op_t<P> const o : loops) fit = can_unroll(p, o, room, diags) && fit;
      std::uint32_t counter = 0;
      if (fit)
        for (op_t<P> const o : loops) counter = unroll(p, o, counter);
      good = good && fit;
    }
    return good;
  }

 private:
  template <mutable_mpmd_program P>
  static bool can_unroll(P const& p, op_t<P> loop, std::uint64_t& room, diagnostics& diags) {
    using traits = ir_traits<P>;
    if (traits::role_of(p, traits::parent_op(p, loop)) == role::loop) {
      diags.emit({severity::error, "unroll.nested", source_of(p, loop),
                  "Nested fori loops aren't supported. Please contact OWNERs if you need this feature.",
                  {{source_of(p, traits::parent_op(p, loop)),
                    "the loop around it is here; unroll the inner one by hand, or make one loop of both"}}});
      return false;
    }
    auto const [iterations, factor] = traits::loop_info_of(p, loop);
    if (factor != iterations) {
      diags.emit({severity::error, "unroll.factor", source_of(p, loop),
                  "The unroll factor is required to be the same as the number of iterations.",
                  {{source_of(p, loop), "the loop has " + std::to_string(iterations) + " iterations and " +
                                            (factor ? "an unroll factor of " + std::to_string(*factor)
                                                    : std::string("no unroll factor")) +
                                            "; set unroll_factor = " + std::to_string(iterations) + " : ui32"}}});
      return false;
    }
    std::uint64_t size = 0;
    walk_ops(p, loop, [&](op_t<P>) { ++size; });
    if (iterations > room / (size + 1)) {
      diags.error(source_of(p, loop), "unroll.size",
                  "unrolling this loop would make " + std::to_string(iterations) + " copies of " +
                      std::to_string(size) + " ops; this pass makes " + std::to_string(most_added_ops) +
                      " ops in a program at most");
      return false;
    }
    room -= iterations * (size + 1);
    return true;
  }

  /// The number of a turn, before the loop; behind mesh inference in a fragment on the mesh of the index.
  template <mutable_mpmd_program P>
  static op_t<P> index_constant(P& p, op_t<P> loop, value_t<P> index, std::uint32_t turn) {
    using traits = ir_traits<P>;
    type_t<P> const type = traits::type_of(p, index);
    auto constant = [&](type_t<P> t, insertion_point<P> at) {
      return traits::create(p,
                            op_recipe<P>{.what = role::compute,
                                         .results = {t},
                                         .where = traits::location_of(p, loop),
                                         .tensor = tensor_op::constant,
                                         .number = turn},
                            at);
    };
    auto const here = insertion_point<P>::before(loop);
    std::string const mesh(traits::mesh_of(p, index));
    if (mesh.empty()) return constant(type, here);
    op_t<P> const fragment = traits::create(p,
                                            {.what = role::fragment,
                                             .results = {type},
                                             .where = traits::location_of(p, loop),
                                             .fragment = {mesh}},
                                            here);
    traits::set_note(p, fragment, inferred_by_note, std::vector<std::string>{"unroll_for_loops"});
    op_t<P> const made = constant(traits::tensor_type_of(p, type), insertion_point<P>::end(fragment));
    traits::create(p,
                   {.what = role::terminator, .operands = {result_of(p, made)}, .where = traits::location_of(p, loop)},
                   insertion_point<P>::end(fragment));
    return fragment;
  }

  /// Returns the number of turns written out so far, `done` of them in loops before.
  template <mutable_mpmd_program P>
  static std::uint32_t unroll(P& p, op_t<P> loop, std::uint32_t done) {
    using traits = ir_traits<P>;
    auto const turns = static_cast<std::uint32_t>(traits::loop_info_of(p, loop).iterations);
    std::vector<value_t<P>> carried = operands_of(p, loop);
    std::vector<value_t<P>> arguments;
    for (auto&& a : mpmd::arguments(p, loop)) arguments.push_back(a);
    std::vector<op_t<P>> const body = body_of(p, loop);
    op_t<P> const end = terminator_of(p, loop);
    auto const here = insertion_point<P>::before(loop);
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
      value_map<P> map;
      for (std::size_t i = 0; i < carried.size(); ++i) map[arguments[i]] = carried[i];
      op_t<P> const index = index_constant(p, loop, arguments.back(), turn);
      traits::set_note(p, index, "unroll_counter", done + turn);
      map[arguments.back()] = result_of(p, index);
      for (op_t<P> const o : body) {
        if (o == end) continue;
        traits::set_note(p, traits::clone(p, o, map, here), "unroll_counter", done + turn);
      }
      std::size_t i = 0;
      for (value_t<P> const v : operands_of(p, end)) {
        auto const at = map.find(v);
        carried[i++] = at == map.end() ? v : at->second;  // else defined around the loop
      }
    }
    std::size_t i = 0;
    for (value_t<P> const v : results_of(p, loop)) replace_uses(p, v, carried[i++]);
    traits::erase(p, loop);
    return done + turns;
  }
};

}  // namespace mpmd
