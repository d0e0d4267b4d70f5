// expect: a mesh_set needs room for at least one mesh
#include <mpmd/lattice/mesh_set.hpp>

mpmd::mesh_set<0> none;
