#pragma once
/// One location for what came from several places.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>

namespace mpmd::ir {

/// The location of several, as MLIR's `FusedLoc::get` has it: parts that are fused alike are taken apart; unknown and
/// null ones and repetitions are dropped; one part without metadata stands for itself. Keeps the first `most` parts.
/// O(n log n).
inline attribute fuse_locations(context& in, std::span<attribute const> locations, attribute metadata = {},
                                std::size_t most = static_cast<std::size_t>(-1)) {
  std::vector<attribute> parts;
  for (attribute const each : locations) {
    auto const* fused = in.get_if<fused_loc>(each);
    if (fused != nullptr && fused->metadata == metadata)
      std::ranges::copy_if(fused->parts, std::back_inserter(parts), [&](attribute a) { return !in.get_if<unknown_loc>(a); });
    else if (each && in.get_if<unknown_loc>(each) == nullptr)
      parts.push_back(each);
  }
  std::vector<std::pair<attribute, std::size_t>> order;
  for (std::size_t i = 0; i < parts.size(); ++i) order.emplace_back(parts[i], i);
  std::sort(order.begin(), order.end());
  for (std::size_t i = 1; i < order.size(); ++i)
    if (order[i].first == order[i - 1].first) parts[order[i].second] = {};
  std::erase(parts, attribute{});
  if (parts.size() > most) parts.resize(most);
  if (!metadata && parts.size() == 1) return parts[0];
  if (parts.empty()) {
    if (!metadata) return in.get(unknown_loc{});
    parts.push_back(in.get(unknown_loc{}));
  }
  return in.get(fused_loc{std::move(parts), metadata});
}

}  // namespace mpmd::ir
