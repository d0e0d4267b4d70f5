#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/version.hpp>

static_assert(MPMD_VERSION == 10000 * mpmd::version_major + 100 * mpmd::version_minor + mpmd::version_patch);
static_assert((mpmd::mesh_set<>{0, 2} | mpmd::mesh_set<>{1}).size() == 3);

int main() {
  mpmd::mesh_set<> meshes{1, 70};
  meshes |= mpmd::mesh_set<>{2};
  return meshes.size() == 3 && meshes.contains(70) ? 0 : 1;
}
