#pragma once
/// The SSA names that are visible while a program is read.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/handles.hpp>

namespace mpmd::text::mlir {

/// Maps `%name` to the values it stands for, with the scopes of MLIR's text: each region opens one and closes it at
/// its end. A name that is visible may not be defined again, not even in a region that is isolated from above: that
/// such a region uses nothing from outside is for the verifier to see.
///
/// A name that is used before its definition waits for it beyond the scope of its first use, since the definition may
/// follow in a region around it. Expected O(1) per call, O(names defined) to close a scope.
class value_scopes {
 public:
  /// What a name stands for: `count` values from `first` on, or something that could not be read.
  struct meaning {
    ir::value first;
    std::uint32_t count = 0;
    std::uint32_t at = 0;  ///< offset in the buffer of the definition
    bool poisoned = false;
  };

  /// A use of a name that has no definition yet; `placeholder` has the type the use asked for.
  struct waiting_use {
    ir::value placeholder;
    std::uint32_t at = 0;  ///< offset in the buffer of the first such use
  };
  using waiting_uses = std::map<std::uint32_t, waiting_use>;  ///< by result number

  value_scopes() : buckets_(64, nothing) {}

  void open() { scopes_.push_back(entries_.size()); }

  /// Forgets the names defined since the scope was opened.
  void close() {
    for (; entries_.size() > scopes_.back(); entries_.pop_back())
      buckets_[entries_.back().hash & (buckets_.size() - 1)] = entries_.back().older;
    scopes_.pop_back();
  }

  /// Null for a name without a definition.
  meaning const* find(std::string_view name) const { return find(name, hash_of(name)); }

  /// Defines a name in the innermost scope, unless it is visible already: then returns what it means. Else null.
  meaning const* define(std::string_view name, meaning const& means) {
    std::uint64_t const hash = hash_of(name);
    if (meaning const* known = find(name, hash)) return known;
    if (entries_.size() >= buckets_.size()) grow();
    entries_.push_back({name, hash, nothing, means});
    link(static_cast<std::uint32_t>(entries_.size() - 1));
    return nullptr;
  }

  /// The uses that wait for a name; made when there are none.
  waiting_uses& waiting(std::string_view name) { return waiting_[name]; }

  /// Takes the uses that wait for a name.
  waiting_uses take_waiting(std::string_view name) {
    if (waiting_.empty()) return {};
    auto const at = waiting_.find(name);
    if (at == waiting_.end()) return {};
    waiting_uses taken = std::move(at->second);
    waiting_.erase(at);
    return taken;
  }

  /// Calls `each(waiting_use const&)` for every use that still waits, in no particular order.
  template <class Each>
  void each_waiting(Each each) const {
    for (auto const& [name, uses] : waiting_)
      for (auto const& [number, use] : uses) each(use);
  }

 private:
  static constexpr std::uint32_t nothing = 0xFFFFFFFFu;

  struct entry {
    std::string_view name;
    std::uint64_t hash;
    std::uint32_t older;  // next entry of the same bucket
    meaning means;
  };

  static std::uint64_t hash_of(std::string_view name) {
    // Names are short and mostly numbers, so eight bytes at a time are one or two steps.
    std::uint64_t h = 0x9E3779B97F4A7C15u ^ name.size();
    while (!name.empty()) {
      std::size_t const taken = name.size() < 8 ? name.size() : 8;
      std::uint64_t word = 0;
      std::memcpy(&word, name.data(), taken);
      h = (h ^ word) * 0xFF51AFD7ED558CCDu;
      h ^= h >> 32;
      name.remove_prefix(taken);
    }
    h *= 0xC4CEB9FE1A85EC53u;
    return h ^ h >> 29;
  }

  meaning const* find(std::string_view name, std::uint64_t hash) const {
    for (std::uint32_t id = buckets_[hash & (buckets_.size() - 1)]; id != nothing; id = entries_[id].older)
      if (entries_[id].hash == hash && entries_[id].name == name) return &entries_[id].means;
    return nullptr;
  }

  void link(std::uint32_t id) {
    std::uint32_t& head = buckets_[entries_[id].hash & (buckets_.size() - 1)];
    entries_[id].older = head;
    head = id;
  }

  void grow() {
    buckets_.assign(buckets_.size() * 2, nothing);
    for (std::uint32_t id = 0; id < entries_.size(); ++id) link(id);
  }

  // Entries form a stack, and a later one stands before an earlier one in its bucket. So the entries that a closing
  // scope takes off the stack are the heads of their buckets.
  std::vector<entry> entries_;
  std::vector<std::uint32_t> buckets_;
  std::vector<std::size_t> scopes_;
  std::unordered_map<std::string_view, waiting_uses> waiting_;
};

}  // namespace mpmd::text::mlir
