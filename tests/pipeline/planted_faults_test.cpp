// Faults planted into what passes do: the generated programs catch each of them. The passes are templates, so the
// faults are planted in a host whose edits are wrong, not in the passes.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pipeline/generated.hpp"

namespace planted_faults_test {

enum class fault : std::uint8_t {
  none,
  dropped_transfer,          // a transfer stays where it is
  fragment_on_other_mesh,    // a fragment is said to be on another mesh
  type_on_other_mesh,        // a value is given a type of another mesh
  swapped_operands,          // the first two operands of a fragment change places
  swapped_in_clone,          // those of a cloned op do
  forgotten_clone,           // users of a clone get what it was made of
  other_combination,         // values are combined in another way
  swapped_in_remade_op,      // the operands of an op made anew change places
  swapped_when_set,          // the values of an op are set in another order
  effects_forgotten,         // an op with effects counts as pure
};
inline fault planted = fault::none;

struct faulty_program : mpmd::ir::program {
  explicit faulty_program(mpmd::ir::program&& from) : mpmd::ir::program(std::move(from)) {}
};

}  // namespace planted_faults_test

template <>
struct mpmd::ir_traits<planted_faults_test::faulty_program> : mpmd::ir_traits<mpmd::ir::program> {
  using program = planted_faults_test::faulty_program;
  using base = mpmd::ir_traits<mpmd::ir::program>;
  using fault = planted_faults_test::fault;

  static bool is(fault f) { return planted_faults_test::planted == f; }
  static void swap_equal(ir::program const& p, std::vector<value>& of) {
    if (of.size() > 1 && p.type_of(of[0]) == p.type_of(of[1])) std::swap(of[0], of[1]);
  }
  /// The mesh behind this one in the topology of the first function.
  static std::string other_mesh(ir::program const& p, std::string_view mesh) {
    std::vector<std::string> all;
    for (op const f : functions(p))
      if (all.empty()) all = meshes_of(p, f);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (all[i] == mesh) return all[(i + 1) % all.size()];
    return std::string(mesh);
  }

  static op create(ir::program& p, op_recipe<program> recipe, insertion_point<program> at) {
    if (is(fault::dropped_transfer) && recipe.what == role::transfer) recipe.results[0] = p.type_of(recipe.operands[0]);
    if (is(fault::fragment_on_other_mesh) && recipe.what == role::fragment)
      recipe.fragment.mesh = other_mesh(p, recipe.fragment.mesh);
    if (is(fault::swapped_operands) && recipe.what == role::fragment) swap_equal(p, recipe.operands);
    if (is(fault::other_combination) && recipe.what == role::compute && recipe.reduction != reduction_kind::none)
      recipe.reduction = recipe.reduction == reduction_kind::max ? reduction_kind::min : reduction_kind::max;
    return base::create(p, recipe, at);
  }
  static type mesh_type(ir::program& p, type of, std::string_view mesh, std::string_view memory_kind) {
    // Now and then, so that the types do not agree with each other by all being wrong.
    static unsigned count = 0;
    if (is(fault::type_on_other_mesh) && ++count % 3 == 0)
      return base::mesh_type(p, of, other_mesh(p, mesh), memory_kind);
    return base::mesh_type(p, of, mesh, memory_kind);
  }
  static op recreate(ir::program& p, op o, std::span<value const> operands, std::span<type const> results) {
    std::vector<value> given(operands.begin(), operands.end());
    if (is(fault::swapped_in_remade_op)) swap_equal(p, given);
    return base::recreate(p, o, given, results);
  }
  static op clone(ir::program& p, op o, value_map<program>& map, insertion_point<program> at) {
    op const made = base::clone(p, o, map, at);
    if (is(fault::swapped_in_clone)) {
      std::vector<value> operands(p.operands(made).begin(), p.operands(made).end());
      swap_equal(p, operands);
      p.set_operands(made, operands);
    }
    bool const one_of_one = p.operand_count(made) >= 1 && p.result_count(made) == 1;
    if (is(fault::forgotten_clone) && one_of_one && p.type_of(p.operand(made, 0)) == p.type_of(p.result(made, 0)))
      map[p.result(o, 0)] = p.operand(made, 0);
    return made;
  }
  static void set_operands(ir::program& p, op o, std::span<value const> values) {
    std::vector<value> given(values.begin(), values.end());
    if (is(fault::swapped_when_set)) swap_equal(p, given);
    base::set_operands(p, o, given);
  }
  static bool is_pure(ir::program const& p, op o) { return is(fault::effects_forgotten) || base::is_pure(p, o); }
};

namespace planted_faults_test {

using namespace mpmd::testing;

// The first seed whose program shows that something is wrong, or `seeds`.
std::uint64_t caught_at(fault f, std::uint64_t seeds) {
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    auto const o = options_of(seed);
    auto made = make_random_program(o);
    auto const passes = placing<faulty_program>(o, made);
    faulty_program p(std::move(made.program));
    planted = f;
    std::string const wrong = what_goes_wrong(p, passes);
    planted = fault::none;
    if (!wrong.empty() && !is_conflict(o, wrong)) return seed;
  }
  return seeds;
}

TEST_CASE("a host without a planted fault shows none") { CHECK(caught_at(fault::none, 60) == 60); }

TEST_CASE("each planted fault is caught by a generated program") {
  constexpr std::uint64_t seeds = 200;
  struct planted_fault {
    fault what;
    char const* name;
  };
  for (auto const& [what, name] : {planted_fault{fault::dropped_transfer, "dropped_transfer"},
                                   {fault::fragment_on_other_mesh, "fragment_on_other_mesh"},
                                   {fault::type_on_other_mesh, "type_on_other_mesh"},
                                   {fault::swapped_operands, "swapped_operands"},
                                   {fault::swapped_in_clone, "swapped_in_clone"},
                                   {fault::forgotten_clone, "forgotten_clone"},
                                   {fault::other_combination, "other_combination"},
                                   {fault::swapped_in_remade_op, "swapped_in_remade_op"},
                                   {fault::swapped_when_set, "swapped_when_set"},
                                   {fault::effects_forgotten, "effects_forgotten"}})
    CHECK_MESSAGE(caught_at(what, seeds) < seeds, std::string(name));
}

}  // namespace planted_faults_test
