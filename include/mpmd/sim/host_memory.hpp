#pragma once
/// Communication domains and their window buffers while a host program runs: who has which, and what is in them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <mpmd/sim/host_values.hpp>

namespace mpmd::sim {

/// The ranks that share some buffers, for as long as a scope is open.
struct host_domain {
  std::string name;
  std::vector<rank> ranks;  ///< ascending
  ir::op scope = {};

  /// The place of a rank among them, or nothing.
  std::optional<std::size_t> place(rank r) const {
    auto const at = std::lower_bound(ranks.begin(), ranks.end(), r);
    if (at == ranks.end() || *at != r) return std::nullopt;
    return static_cast<std::size_t>(at - ranks.begin());
  }
};

/// One buffer on each rank of a domain; on none while it belongs to no domain.
///
/// A number stands at the byte where its element begins, so views with elements of different sizes see each other's as far
/// as they begin together.
struct host_buffer {
  static constexpr std::uint32_t nowhere = 0xFFFFFFFFu;
  std::string name;
  ir::op allocated = {};
  std::uint32_t domain = nowhere;
  std::uint64_t bytes = 0;
  bool grows = false;                              ///< its size is not known: as large as its views
  std::uint32_t summary = 0;                       ///< its place among the allocations of the function
  std::vector<std::vector<double>> contents = {};  ///< by place of the rank; empty: zeros
  std::vector<ir::op> written_by = {};             ///< by place: what wrote last
  /// Cells that a task was notified through and has not waited for: place and byte, and who did.
  std::map<std::pair<std::size_t, std::uint64_t>, ir::op> notified = {};
};

/// All buffers and domains of a run.
class host_memory {
 public:
  explicit host_memory(std::uint64_t cells) : left_(cells) {}

  std::vector<host_domain> domains;
  std::vector<host_buffer> buffers;

  double load(std::uint32_t buffer, std::size_t place, std::uint64_t at) const {
    auto const& held = buffers[buffer].contents;
    return place < held.size() && at < held[place].size() ? held[place][at] : 0.0;
  }
  /// False: there is no room left.
  bool store(std::uint32_t buffer, std::size_t place, std::uint64_t at, double number, ir::op by) {
    host_buffer& b = buffers[buffer];
    if (b.contents.empty()) {
      b.contents.resize(domains[b.domain].ranks.size());
      b.written_by.resize(b.contents.size());
    }
    auto& cells = b.contents[place];
    if (at >= cells.size()) {
      if (number == 0.0) return true;
      std::uint64_t const more = b.bytes - cells.size();
      if (more > left_) return false;
      left_ -= more;
      cells.resize(b.bytes);
    }
    cells[at] = number;
    b.written_by[place] = by;
    return true;
  }
  /// Gives back what the buffers of a domain take.
  void release(std::uint32_t domain, std::span<std::uint32_t const> its) {
    for (std::uint32_t const i : its) {
      host_buffer& b = buffers[i];
      if (b.domain != domain) continue;
      for (auto const& cells : b.contents) left_ += cells.size();
      b.contents = {};
      b.written_by = {};
      b.notified.clear();
    }
  }

 private:
  std::uint64_t left_;
};

}  // namespace mpmd::sim
