#pragma once

#include <mpmd/lattice/lattice.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <utility>
#include <vector>

namespace mpmd {

/// The entries of a map from keys to facts that are not bottom, sorted by key. `map_of` makes and changes
/// them, because only the lattice knows what bottom is.
template <std::totally_ordered Key, class Fact>
class fact_entries {
 public:
  using value_type = std::pair<Key, Fact>;
  using const_iterator = typename std::vector<value_type>::const_iterator;

  constexpr const_iterator begin() const noexcept { return entries_.begin(); }
  constexpr const_iterator end() const noexcept { return entries_.end(); }
  constexpr std::size_t size() const noexcept { return entries_.size(); }
  constexpr bool empty() const noexcept { return entries_.empty(); }

  /// The fact stored for `key`, or null when it is bottom. Logarithmic.
  constexpr const Fact* find(const Key& key) const {
    const auto place = std::lower_bound(begin(), end(), key, before);
    return place != end() && place->first == key ? &place->second : nullptr;
  }

  friend bool operator==(const fact_entries&, const fact_entries&) = default;

 private:
  template <std::totally_ordered K, join_semilattice L>
  friend class map_of;

  static constexpr bool before(const value_type& entry, const Key& key) { return entry.first < key; }

  std::vector<value_type> entries_;
};

/// A fact of `L` for each key, all but finitely many of them bottom: join works key by key. An absent key is
/// bottom and bottom is never stored, so equal maps have equal entries. There is no top, as there is no end
/// of keys; nor is the height finite, though a program that names finitely many keys has only finite chains
/// where `L` has.
template <std::totally_ordered Key, join_semilattice L>
class map_of {
 public:
  using element = fact_entries<Key, element_t<L>>;
  static constexpr bool finite_height = false;

  constexpr map_of()
    requires std::default_initializable<L>
  = default;
  constexpr explicit map_of(L inner) : inner_(std::move(inner)) {}

  constexpr const L& inner() const noexcept { return inner_; }

  constexpr element bottom() const { return {}; }

  /// Linear in both maps; allocates only when `from` has a key that `into` has not.
  constexpr change join(element& into, const element& from) const {
    auto grew = change::no;
    auto mine = into.entries_.begin();
    std::size_t missing = 0;
    for (const auto& [key, fact] : from.entries_) {
      while (mine != into.entries_.end() && mine->first < key) ++mine;
      if (mine != into.entries_.end() && mine->first == key)
        grew |= inner_.join(mine->second, fact);
      else
        ++missing;
    }
    if (missing == 0) return grew;
    add_missing(into.entries_, from.entries_, missing);
    return change::yes;
  }

  /// The fact for `key`. Logarithmic.
  constexpr element_t<L> at(const element& map, const Key& key) const {
    const auto* fact = map.find(key);
    return fact ? *fact : inner_.bottom();
  }

  /// Replaces the fact for `key`; bottom forgets the key. Linear.
  constexpr void set(element& map, const Key& key, element_t<L> fact) const {
    auto& entries = map.entries_;
    const auto place = std::lower_bound(entries.begin(), entries.end(), key, element::before);
    const bool present = place != entries.end() && place->first == key;
    const bool is_bottom = fact == inner_.bottom();
    if (present && is_bottom)
      entries.erase(place);
    else if (present)
      place->second = std::move(fact);
    else if (!is_bottom)
      entries.insert(place, {key, std::move(fact)});
  }

  /// Joins `fact` into the one for `key`. Linear.
  constexpr change join_at(element& map, const Key& key, const element_t<L>& fact) const {
    auto raised = at(map, key);
    const auto grew = inner_.join(raised, fact);
    if (grew == change::yes) set(map, key, std::move(raised));
    return grew;
  }

 private:
  using entry_list = std::vector<typename element::value_type>;

  static constexpr void add_missing(entry_list& into, const entry_list& from, std::size_t missing) {
    entry_list merged;
    merged.reserve(into.size() + missing);
    auto mine = into.begin();
    for (const auto& theirs : from) {
      while (mine != into.end() && mine->first < theirs.first) merged.push_back(std::move(*mine++));
      if (mine == into.end() || theirs.first < mine->first) merged.push_back(theirs);
    }
    while (mine != into.end()) merged.push_back(std::move(*mine++));
    into = std::move(merged);
  }

  [[no_unique_address]] L inner_;
};

}  // namespace mpmd
