#pragma once
/// What a placement costs: work and memory of each mesh, bytes sent between each two of them and in each microbatch, and
/// how evenly the work is spread. Bytes are those of whole tensors, however a mesh splits them over its devices.

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/analysis/placement_graph.hpp>

namespace mpmd {

struct placement_cost {
  /// Transfers and their bytes; those of unknown size are counted apart.
  struct traffic {
    std::uint64_t transfers = 0;
    std::uint64_t bytes = 0;
    std::uint64_t unsized = 0;
    void add(std::optional<std::uint64_t> of_one) {
      ++transfers;
      if (of_one)
        bytes += *of_one;
      else
        ++unsized;
    }
    friend bool operator==(traffic const&, traffic const&) = default;
  };
  struct mesh {
    std::uint64_t fragments = 0;
    std::uint64_t inferred_fragments = 0;
    std::uint64_t ops = 0;
    std::uint64_t added_ops = 0;       ///< those that no user had placed
    std::uint64_t argument_bytes = 0;  ///< of the arguments that live there
    std::uint64_t made_bytes = 0;      ///< of the results of its fragments
    traffic sent = {};                 ///< to other meshes
    traffic received = {};
    traffic moved = {};  ///< between kinds of its own memory
    friend bool operator==(mesh const&, mesh const&) = default;
  };
  struct route {
    std::uint32_t from = 0;
    std::uint32_t to = 0;  ///< equal to `from` for transfers between kinds of memory
    traffic sent = {};
    std::string from_memory = {};  ///< the kind, empty where types say none
    std::string to_memory = {};
    friend bool operator==(route const&, route const&) = default;
  };
  struct microbatch {
    std::optional<std::uint32_t> number = {};  ///< none for what belongs to no microbatch, or to several
    std::uint64_t fragments = 0;
    std::uint64_t ops = 0;
    traffic sent = {};
    friend bool operator==(microbatch const&, microbatch const&) = default;
  };
  /// Fragments on one mesh and stage that hold the same computations of the user.
  struct computation {
    std::vector<user_origin> origins = {};
    std::vector<std::string> reasons = {};  ///< of inferred ones
    std::uint32_t mesh = 0;
    std::optional<std::int64_t> stage = {};
    std::uint64_t fragments = 0;
    std::uint64_t ops = 0;
    std::uint64_t added_ops = 0;
    std::vector<std::uint32_t> microbatches = {};  ///< ascending
    friend bool operator==(computation const&, computation const&) = default;
  };

  std::vector<mesh> meshes;               ///< as in the graph
  std::vector<route> routes;              ///< in the order of the meshes, then of the kinds of memory
  std::vector<microbatch> microbatches;   ///< ascending, the one without number last
  std::vector<computation> computations;  ///< in program order of their first fragments
  /// The most that a mesh has, divided by what each would have if all had the same: 1 is even, the number of meshes is
  /// all on one. Nothing where there is nothing to spread.
  std::optional<double> ops_balance;
  std::optional<double> argument_balance;
};

namespace detail {

inline std::optional<double> balance_of(std::vector<placement_cost::mesh> const& meshes,
                                        std::uint64_t placement_cost::mesh::*what) {
  std::uint64_t most = 0, sum = 0;
  for (auto const& m : meshes) {
    most = std::max(most, m.*what);
    sum += m.*what;
  }
  if (sum == 0) return std::nullopt;
  return static_cast<double>(most) * static_cast<double>(meshes.size()) / static_cast<double>(sum);
}

}  // namespace detail

/// The cost of one function. O(n log n) in its fragments, transfers and their computations.
inline placement_cost cost_of(placement_graph::function const& f) {
  placement_cost cost;
  cost.meshes.resize(f.meshes.size());
  for (auto const& a : f.arguments)
    if (a.mesh) cost.meshes[*a.mesh].argument_bytes += a.bytes.value_or(0);

  constexpr std::uint64_t no_microbatch = std::uint64_t{1} << 32;  // behind all others
  std::map<std::uint64_t, placement_cost::microbatch> microbatches;
  auto in_microbatch = [&](std::optional<std::uint32_t> number) -> placement_cost::microbatch& {
    auto& found = microbatches[number ? *number : no_microbatch];
    found.number = number;
    return found;
  };
  using names = std::vector<std::pair<std::string, std::int64_t>>;
  std::map<std::tuple<std::uint32_t, std::optional<std::int64_t>, names, std::vector<std::string>>, std::size_t> known;
  for (auto const& one : f.fragments) {
    auto& m = cost.meshes[one.mesh];
    ++m.fragments;
    m.inferred_fragments += one.origins.empty();
    m.ops += one.ops;
    m.added_ops += one.added_ops;
    m.made_bytes += one.bytes;
    auto& batch = in_microbatch(one.microbatch);
    ++batch.fragments;
    batch.ops += one.ops;
    names called;
    for (auto const& o : one.origins) called.emplace_back(o.name, o.transpose_count);
    auto const [at, is_new] =
        known.try_emplace({one.mesh, one.stage, std::move(called), one.reasons}, cost.computations.size());
    if (is_new)
      cost.computations.push_back({.origins = one.origins, .reasons = one.reasons, .mesh = one.mesh, .stage = one.stage});
    auto& row = cost.computations[at->second];
    ++row.fragments;
    row.ops += one.ops;
    row.added_ops += one.added_ops;
    if (one.microbatch) row.microbatches.push_back(*one.microbatch);
  }
  for (auto& row : cost.computations) {
    std::sort(row.microbatches.begin(), row.microbatches.end());
    row.microbatches.erase(std::unique(row.microbatches.begin(), row.microbatches.end()), row.microbatches.end());
  }

  std::map<std::tuple<std::uint32_t, std::uint32_t, std::string, std::string>, placement_cost::traffic> routes;
  for (auto const& t : f.transfers) {
    routes[{t.from, t.to, t.from_memory, t.to_memory}].add(t.bytes);
    in_microbatch(t.microbatch).sent.add(t.bytes);
    if (t.from == t.to) {
      cost.meshes[t.from].moved.add(t.bytes);
      continue;
    }
    cost.meshes[t.from].sent.add(t.bytes);
    cost.meshes[t.to].received.add(t.bytes);
  }
  for (auto const& [way, sent] : routes)
    cost.routes.push_back({std::get<0>(way), std::get<1>(way), sent, std::get<2>(way), std::get<3>(way)});
  for (auto& [number, batch] : microbatches) cost.microbatches.push_back(batch);
  cost.ops_balance = detail::balance_of(cost.meshes, &placement_cost::mesh::ops);
  cost.argument_balance = detail::balance_of(cost.meshes, &placement_cost::mesh::argument_bytes);
  return cost;
}

}  // namespace mpmd
