#pragma once
/// The SSA names that are visible while a program is read.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <mpmd/ir/handles.hpp>

namespace mpmd::text::mlir {

/// Maps `%name` to the values it stands for, with the scopes of MLIR's text: each region opens one and closes it at
/// its end; in a region that is isolated from above the names outside cannot be seen (and so may be used again), in
/// any other they can (and so may not).
///
/// A name that is used before its definition has an entry that waits for it. It outlives the scope of its first use,
/// up to the next isolated region. Expected O(1) per call, O(names defined) to close a scope.
class value_scopes {
 public:
  enum class state : std::uint8_t {
    absent,    ///< no such name (the entry is free for a definition)
    waiting,   ///< used but not yet defined
    defined,   ///< stands for `count` values from `first` on
    poisoned,  ///< its definition was in error; nothing is known about it
  };

  /// A use of one result that waits for its definition; `placeholder` has the type the use asked for.
  struct waiting_use {
    std::uint32_t number = 0;
    ir::value placeholder;
    std::uint32_t at = 0;  ///< offset in the buffer of the first use
    std::uint32_t next = nothing;
  };

  struct entry {
    std::string_view name;
    std::uint64_t hash = 0;
    std::uint32_t older = nothing;  // next entry of the same bucket
    ir::value first;
    std::uint32_t count = 0;
    std::uint32_t at = 0;  ///< offset in the buffer of the definition, or of the first use while waiting
    std::uint32_t waiting = nothing;  // newest waiting use
    std::uint32_t group = 0;          // 1 + oldest waiting use: names this entry in by_number_
    std::uint32_t room = 0;           // the isolated region it belongs to
    state is = state::absent;
  };

  static constexpr std::uint32_t nothing = 0xFFFFFFFFu;

  value_scopes() : buckets_(64, nothing) {}

  void open(bool isolated) {
    scopes_.push_back({static_cast<std::uint32_t>(entries_.size()), static_cast<std::uint32_t>(late_.size()),
                       isolated ? ++last_room_ : room()});
  }

  /// Forgets the names defined since the scope was opened. `orphan(waiting_use const&)` is called for each use that
  /// can no longer be resolved, which happens at the end of an isolated region.
  template <class Orphan>
  void close(Orphan orphan) {
    scope const ended = scopes_.back();
    scopes_.pop_back();
    bool const isolated = scopes_.empty() || scopes_.back().room != ended.room;
    while (late_.size() > ended.late) {
      entries_[late_.back()].is = state::absent;
      late_.pop_back();
    }
    survivors_.clear();
    while (entries_.size() > ended.entries) {
      entry const& last = entries_.back();
      buckets_[last.hash & (buckets_.size() - 1)] = last.older;
      if (last.is == state::waiting) {
        if (isolated)
          for (std::uint32_t w = last.waiting; w != nothing; w = waiting_[w].next) orphan(waiting_[w]);
        else
          survivors_.push_back(last);
      }
      entries_.pop_back();
    }
    for (std::size_t i = survivors_.size(); i-- > 0;) link(survivors_[i]);
  }

  /// The entry of a name, or `nothing`.
  std::uint32_t find(std::string_view name) const { return find(name, hash_of(name)); }

  /// The entry of a name, made when there is none. A new one, or one whose name was forgotten, is absent.
  std::uint32_t find_or_add(std::string_view name) {
    std::uint64_t const hash = hash_of(name);
    std::uint32_t const known = find(name, hash);
    if (known != nothing) return known;
    entry e;
    e.name = name;
    e.hash = hash;
    e.room = room();
    return link(e);
  }

  entry const& operator[](std::uint32_t id) const { return entries_[id]; }

  /// Gives the name its meaning in the innermost scope. Waiting uses stay listed until settle().
  void define(std::uint32_t id, state is, ir::value first, std::uint32_t count, std::uint32_t at) {
    entry& e = entries_[id];
    assert(e.is == state::absent || e.is == state::waiting);
    if (!scopes_.empty() && id < scopes_.back().entries) late_.push_back(id);
    e.is = is;
    e.first = first;
    e.count = count;
    e.at = at;
  }

  /// Hands each waiting use of a name to `done` and forgets it.
  template <class Done>
  void settle(std::uint32_t id, Done done) {
    for (std::uint32_t w = entries_[id].waiting; w != nothing; w = waiting_[w].next) done(waiting_[w]);
    entries_[id].waiting = nothing;
    entries_[id].group = 0;
  }

  /// The waiting use of one result of a name, or null.
  waiting_use const* find_waiting(std::uint32_t id, std::uint32_t number) const {
    if (entries_[id].group == 0) return nullptr;
    auto const at = by_number_.find(key(entries_[id].group, number));
    return at == by_number_.end() ? nullptr : &waiting_[at->second];
  }

  void wait(std::uint32_t id, std::uint32_t number, ir::value placeholder, std::uint32_t at) {
    entry& e = entries_[id];
    if (e.is == state::absent) e.at = at;
    e.is = state::waiting;
    waiting_.push_back({number, placeholder, at, e.waiting});
    e.waiting = static_cast<std::uint32_t>(waiting_.size() - 1);
    if (e.group == 0) e.group = e.waiting + 1;
    by_number_[key(e.group, number)] = e.waiting;
  }

 private:
  struct scope {
    std::uint32_t entries;  // sizes when the scope was opened
    std::uint32_t late;
    std::uint32_t room;  // which isolated region this belongs to
  };

  static std::uint64_t key(std::uint32_t group, std::uint32_t number) {
    return std::uint64_t{group} << 32 | number;
  }
  std::uint32_t room() const { return scopes_.empty() ? 0 : scopes_.back().room; }

  std::uint64_t hash_of(std::string_view name) const {
    // Names are short and mostly numbers, so eight bytes at a time are one or two steps.
    std::uint64_t h = (room() + 1) * 0x9E3779B97F4A7C15u ^ name.size();
    while (name.size() > 8) {
      std::uint64_t word;
      std::memcpy(&word, name.data(), 8);
      h = (h ^ word) * 0xFF51AFD7ED558CCDu;
      h ^= h >> 32;
      name.remove_prefix(8);
    }
    std::uint64_t word = 0;
    if (!name.empty()) std::memcpy(&word, name.data(), name.size());
    h = (h ^ word) * 0xFF51AFD7ED558CCDu;
    h ^= h >> 32;
    h *= 0xC4CEB9FE1A85EC53u;
    return h ^ h >> 29;
  }

  std::uint32_t find(std::string_view name, std::uint64_t hash) const {
    for (std::uint32_t id = buckets_[hash & (buckets_.size() - 1)]; id != nothing; id = entries_[id].older)
      if (entries_[id].hash == hash && entries_[id].room == room() && entries_[id].name == name) return id;
    return nothing;
  }

  std::uint32_t link(entry e) {
    if (entries_.size() >= buckets_.size()) {
      buckets_.assign(buckets_.size() * 2, nothing);
      for (std::uint32_t id = 0; id < entries_.size(); ++id) {
        std::uint32_t& head = buckets_[entries_[id].hash & (buckets_.size() - 1)];
        entries_[id].older = head;
        head = id;
      }
    }
    auto const id = static_cast<std::uint32_t>(entries_.size());
    std::uint32_t& head = buckets_[e.hash & (buckets_.size() - 1)];
    e.older = head;
    head = id;
    entries_.push_back(e);
    return id;
  }

  // Entries form a stack: closing a scope pops them, so each is the head of its bucket when it goes.
  std::vector<entry> entries_;
  std::vector<std::uint32_t> buckets_;
  std::vector<waiting_use> waiting_;
  std::unordered_map<std::uint64_t, std::uint32_t> by_number_;
  std::vector<scope> scopes_;
  std::vector<std::uint32_t> late_;  // names older than the scope in which they were defined
  std::vector<entry> survivors_;
  std::uint32_t last_room_ = 0;
};

}  // namespace mpmd::text::mlir
