#include <mpmd/analysis/static_sets.hpp>
#include <mpmd/mpmd.hpp>
#include <mpmd/version.hpp>

static_assert(MPMD_VERSION == 10000 * mpmd::version_major + 100 * mpmd::version_minor + mpmd::version_patch);
static_assert((mpmd::mesh_set<>{0, 2} | mpmd::mesh_set<>{1}).size() == 3);

using namespace mpmd::static_ops;
constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1", "m2"), argument("x"), compute("h", {"x"}),
                                                assign("h1", "h", "m2"));
static_assert(mpmd::needed_on<step>("x") == mpmd::on<step>("m2"));

int main() {
  auto const sets = mpmd::src_sets(step);
  auto const meshes = sets.meshes(step.find("h"));
  return meshes.size() == 1 && meshes[0] == "m2" ? 0 : 1;
}
