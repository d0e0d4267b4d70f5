// A pipeline whose stages are put together by Boost.Hana: as many as there are meshes, each described once. It is analysed
// while it compiles; and then mesh inference places it, as a program of the library's own IR.

#include <boost/hana/concat.hpp>
#include <boost/hana/range.hpp>
#include <boost/hana/string.hpp>
#include <boost/hana/tuple.hpp>
#include <boost/hana/unpack.hpp>

#include <iostream>
#include <tuple>

#include <mpmd/analysis/static_sets.hpp>
#include <mpmd/ir/static_programs.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/infer_mesh.hpp>
#include <mpmd/text/mlir.hpp>

namespace hana = boost::hana;
using namespace mpmd::static_ops;

constexpr int stage_count = 3;

// Names such as "w2": the weights of stage 2.
template <char What, int Stage>
constexpr char const* name = hana::string_c<What, static_cast<char>('0' + Stage)>.c_str();

// The first stage takes "i0"; each hands its result on to the next, the last one returns it.
template <int Stage>
constexpr auto arguments = hana::make_tuple(argument(name<'w', Stage>));
template <int Stage>
constexpr auto stage = [] {
  auto const own = hana::make_tuple(compute(name<'x', Stage>, {name<'i', Stage>, name<'w', Stage>}),
                                    assign(name<'y', Stage>, name<'x', Stage>, name<'m', Stage>));
  if constexpr (Stage + 1 == stage_count)
    return hana::concat(own, hana::make_tuple(returns({name<'y', Stage>})));
  else
    return hana::concat(own, hana::make_tuple(transfer(name<'t', Stage>, name<'y', Stage>, name<'m', Stage + 1>),
                                              unassign(name<'i', Stage + 1>, name<'t', Stage>)));
}();

constexpr auto all_ops = [](auto... s) {
  auto const ops = [](auto const&... parts) {
    return std::tuple_cat(hana::unpack(parts, [](auto... o) { return std::tuple{o...}; })...);
  };
  return ops(hana::make_tuple(argument(name<'i', 0>)), arguments<decltype(s)::value>..., stage<decltype(s)::value>...);
};
constexpr auto step = hana::unpack(hana::range_c<int, 0, stage_count>, [](auto... s) {
  return mpmd::make_static_program(mpmd::static_meshes(name<'m', decltype(s)::value>...), all_ops(s...));
});

static_assert(mpmd::needed_on<step>("w1") == mpmd::on<step>("m1"));
static_assert(mpmd::check_placed<step>());

int main() {
  auto placed = mpmd::ir::to_program(step);
  mpmd::diagnostics diags(std::cerr);
  if (!mpmd::run(mpmd::infer_mesh_pipeline<mpmd::ir::program>(), placed, diags)) return 1;
  std::cout << mpmd::text::to_mlir(placed);
}
