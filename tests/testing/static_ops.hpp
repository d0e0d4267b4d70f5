#pragma once
// Static programs drawn while they compile.

#include <array>
#include <cstddef>

#include <mpmd/graph/static_program.hpp>

namespace testing {

template <std::size_t Ops>
constexpr auto value_names = [] {
  std::array<std::array<char, 6>, Ops> all{};
  for (std::size_t i = 0; i < Ops; ++i) {
    all[i][0] = 'v';
    for (std::size_t n = i, k = 5; k-- > 1; n /= 10) all[i][k] = static_cast<char>('0' + n % 10);
  }
  return all;
}();

// Ops of all kinds drawn by a linear congruential generator. Values of no mesh and values on meshes are kept apart.
template <std::size_t Ops, unsigned Seed>
constexpr auto generated_ops = [] {
  using namespace mpmd::static_ops;
  constexpr std::array<char const*, 3> meshes{"m1", "m2", "m3"};
  std::array<mpmd::static_op<2>, Ops> all{};
  std::array<std::size_t, Ops> free{}, placed{}, on{};
  std::size_t frees = 0, places = 0;
  unsigned state = Seed;
  auto draw = [&state](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
  };
  for (std::size_t i = 0; i < Ops; ++i) {
    char const* const name = value_names<Ops>[i].data();
    auto named = [](std::size_t v) { return value_names<Ops>[v].data(); };
    std::size_t const what = draw(10);
    std::size_t const mesh = draw(3);
    std::size_t const other = draw(2 * Ops);
    std::size_t const third = draw(2 * Ops);
    if (i < 4) {
      if (i % 2 == 0) {
        all[i] = argument(name), free[frees++] = i;
      } else {
        all[i] = argument(name, meshes[mesh]), placed[places++] = i, on[i] = mesh;
      }
      continue;
    }
    std::size_t const a = free[other % frees], b = free[third % frees];
    std::size_t const p = placed[other % places];
    if (what < 4) {
      all[i] = compute(name, {named(a), named(b)});
    } else if (what < 5) {
      all[i] = combine(name, mpmd::reduction_kind::add, {named(a), named(b)});
    } else if (what < 6) {
      all[i] = third % 2 == 0 ? mpmd::static_op<2>(broadcast(name, named(a))) : reduce(name, {named(a), named(b)});
    } else if (what < 8) {
      all[i] = unassign(name, named(p));
    } else if (what < 9) {
      all[i] = assign(name, named(a), meshes[mesh]), placed[places++] = i, on[i] = mesh;
    } else {
      all[i] = third % 3 == 0 ? mpmd::static_op<2>(fragment(name, {named(p)}, meshes[on[p]]))
                              : mpmd::static_op<2>(transfer(name, named(p), meshes[mesh]));
      on[i] = third % 3 == 0 ? on[p] : mesh;
      placed[places++] = i;
    }
    if (what < 8) free[frees++] = i;
  }
  return all;
}();
template <std::size_t Ops, unsigned Seed>
constexpr auto generated_static_program = mpmd::make_static_program(mpmd::static_meshes("m1", "m2", "m3"), generated_ops<Ops, Seed>);

}  // namespace testing
