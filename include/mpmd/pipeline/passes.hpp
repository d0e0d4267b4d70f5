#pragma once
/// Every pass and pipeline of the library that runs on any mutable program, by name.

#include <utility>
#include <vector>

#include <mpmd/pipeline/comm_domain_passes.hpp>
#include <mpmd/pipeline/common_passes.hpp>
#include <mpmd/pipeline/import_passes.hpp>
#include <mpmd/pipeline/inference_passes.hpp>
#include <mpmd/pipeline/pass.hpp>

namespace mpmd {

template <class P>
std::vector<registered_pass<P>> all_passes() {
  std::vector<registered_pass<P>> all = inference_passes<P>();
  for (auto& p : import_passes<P>()) all.push_back(std::move(p));
  for (auto& p : common_passes<P>()) all.push_back(std::move(p));
  if constexpr (mutable_window_program<P>)
    for (auto& p : comm_domain_passes<P>()) all.push_back(std::move(p));
  return all;
}

}  // namespace mpmd
