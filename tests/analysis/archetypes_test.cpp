// The analyses ask for no more than their concepts: they compile and run on the archetypes.
#include <doctest/doctest.h>

#include <mpmd/analysis/sets_with_origins.hpp>
#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/graph/program_archetypes.hpp>
#include <mpmd/graph/window_archetypes.hpp>
#include <mpmd/pipeline/comm_domain_passes.hpp>
#include <mpmd/transform/populate_src_set.hpp>
#include <mpmd/transform/populate_use_set.hpp>

namespace archetypes_test {

TEST_CASE("set analyses compile with the archetypes of their concept") {
  mpmd::archetypes::straight_program const straight;
  mpmd::archetypes::function_program const functions;
  CHECK(mpmd::use_sets(straight).map->functions().size() == 1);  // the one function that no op names
  CHECK(mpmd::src_sets(straight).map->functions().size() == 1);
  CHECK(mpmd::use_sets<mpmd::sets_with_origins>(functions).map->functions().empty());
  CHECK(mpmd::src_sets<mpmd::sets_with_origins>(functions).map->functions().empty());
}

TEST_CASE("the populate passes compile with the archetype of their concept") {
  mpmd::archetypes::annotated_program program;
  mpmd::diagnostics diags;
  CHECK(mpmd::populate_use_set{}(program, diags));
  CHECK(mpmd::populate_src_set{}(program, diags));
  CHECK(diags.errors() == 0);
}

TEST_CASE("the passes over windows compile with the archetype of their concept") {
  mpmd::archetypes::mutable_windows program;
  mpmd::diagnostics diags;
  for (auto const& pass : mpmd::comm_domain_pipeline<mpmd::archetypes::mutable_windows>()) {
    CAPTURE(pass.name);
    CHECK(pass.run(program, diags));
  }
  CHECK(diags.errors() == 0);
}

}  // namespace archetypes_test
