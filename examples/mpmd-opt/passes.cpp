#include "passes.hpp"

#include <utility>

namespace tool {

registered_passes passes() {
  registered_passes all = inference_passes();
  for (auto& p : import_passes()) all.push_back(std::move(p));
  for (auto& p : common_passes()) all.push_back(std::move(p));
  for (auto& p : comm_domain_passes()) all.push_back(std::move(p));
  return all;
}

}  // namespace tool
