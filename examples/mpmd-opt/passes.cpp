#include "passes.hpp"

#include <string_view>
#include <tuple>

#include <mpmd/ir/canonicalize.hpp>
#include <mpmd/pipeline/passes.hpp>

namespace tool {
namespace {

struct canonicalize {
  static constexpr std::string_view name = "canonicalize";
  static constexpr std::string_view summary = "Fold ops into their simplest form and erase what is unused";
  static constexpr auto options = std::tuple{};
  bool operator()(mpmd::ir::program& p, mpmd::diagnostics&) const {
    mpmd::ir::canonicalize(p);
    return true;
  }
};

}  // namespace

std::vector<mpmd::registered_pass<mpmd::ir::program>> passes() {
  auto all = mpmd::all_passes<mpmd::ir::program>();
  all.push_back(mpmd::register_pass<mpmd::ir::program, canonicalize>());
  return all;
}

}  // namespace tool
