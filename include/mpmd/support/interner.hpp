#pragma once
/// Uniqued values behind dense 32-bit ids, in order of arrival.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/support/hash.hpp>

namespace mpmd {

/// A set of values of T, each with a dense id. Equal values get equal ids; a value never moves.
/// The caller brings the hash, as it may need context that T alone does not have. Expected O(1) per call.
template <class T>
class interner {
 public:
  /// The id of the value equal to `key`, made by `make()` when it is new.
  template <class Key, class Make>
  std::uint32_t intern(std::uint64_t hash, Key const& key, Make make) {
    if (hashes_.size() * 2 >= slots_.size()) grow();
    for (std::size_t at = hash & mask();; at = (at + 1) & mask()) {
      if (slots_[at] == empty) {
        slots_[at] = size();
        if (size() % chunk == 0) chunks_.emplace_back().reserve(chunk);
        chunks_.back().push_back(make());
        hashes_.push_back(hash);
        return slots_[at];
      }
      if (hashes_[slots_[at]] == hash && (*this)[slots_[at]] == key) return slots_[at];
    }
  }
  std::uint32_t intern(std::uint64_t hash, T value) {
    return intern(hash, value, [&value] { return std::move(value); });
  }

  /// The id of `key`, or `missing`.
  template <class Key>
  std::uint32_t find(std::uint64_t hash, Key const& key) const {
    if (slots_.empty()) return missing;
    for (std::size_t at = hash & mask(); slots_[at] != empty; at = (at + 1) & mask())
      if (hashes_[slots_[at]] == hash && (*this)[slots_[at]] == key) return slots_[at];
    return missing;
  }

  T const& operator[](std::uint32_t id) const { return chunks_[id / chunk][id % chunk]; }
  std::uint64_t hash(std::uint32_t id) const { return hashes_[id]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(hashes_.size()); }

  static constexpr std::uint32_t missing = 0xFFFFFFFFu;

 private:
  static constexpr std::uint32_t empty = 0xFFFFFFFFu;
  std::size_t mask() const { return slots_.size() - 1; }
  void grow() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, empty);
    for (std::uint32_t id = 0; id < hashes_.size(); ++id) {
      std::size_t at = hashes_[id] & mask();
      while (slots_[at] != empty) at = (at + 1) & mask();
      slots_[at] = id;
    }
  }
  // Values stay where they are: a chunk never grows beyond what is reserved for it.
  static constexpr std::uint32_t chunk = 64;
  std::vector<std::vector<T>> chunks_;
  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> slots_;
};

/// Strings behind dense ids.
class string_interner {
 public:
  std::uint32_t intern(std::string_view text) {
    return table_.intern(hash_of(text), text, [text] { return std::string(text); });
  }
  std::uint32_t find(std::string_view text) const { return table_.find(hash_of(text), text); }
  std::string_view operator[](std::uint32_t id) const { return table_[id]; }
  std::uint64_t hash(std::uint32_t id) const { return table_.hash(id); }
  std::uint32_t size() const { return table_.size(); }
  static constexpr std::uint32_t missing = interner<std::string>::missing;

 private:
  static std::uint64_t hash_of(std::string_view text) {
    hasher h;
    h.add(text);
    return h.value();
  }
  interner<std::string> table_;
};

}  // namespace mpmd
