#include "passes.hpp"

#include <string_view>
#include <tuple>
#include <utility>

#include <mpmd/ir/canonicalize.hpp>

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

registered_passes passes() {
  registered_passes all = inference_passes();
  for (auto& p : import_passes()) all.push_back(std::move(p));
  for (auto& p : common_passes()) all.push_back(std::move(p));
  for (auto& p : comm_domain_passes()) all.push_back(std::move(p));
  all.push_back(mpmd::register_pass<mpmd::ir::program, canonicalize>());
  return all;
}

}  // namespace tool
