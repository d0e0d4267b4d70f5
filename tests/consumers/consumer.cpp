#include <mpmd/version.hpp>

static_assert(MPMD_VERSION == 10000 * mpmd::version_major + 100 * mpmd::version_minor + mpmd::version_patch);

int main() { return MPMD_VERSION > 0 ? 0 : 1; }
