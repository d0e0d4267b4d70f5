#include <mpmd.hpp>

// How many arguments are needed somewhere.
std::size_t count_placed(mpmd::ir::program const& p);
std::size_t count_placed(mpmd::ir::program const& p) {
  auto const uses = mpmd::use_sets(p);
  std::size_t count = 0;
  for (auto const f : mpmd::functions(p))
    for (auto const a : mpmd::arguments(p, f)) count += uses[a].empty() ? 0 : 1;
  return count;
}
