#pragma once

#include <mpmd/lattice/arrival_set.hpp>
#include <mpmd/lattice/lattice.hpp>
#include <mpmd/support/hash.hpp>

#include <algorithm>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace mpmd {

/// The meshes on which a value must or can live, and for each the labels of the annotations that say so: what
/// `#mpmd.meshes_with_origins<...>` of the MPMD dialect holds. Meshes and labels are dense ids; what they are
/// called is known elsewhere. Both keep their order of arrival, because it is printed.
///
/// A value can also be unspecified, which means every mesh, and it can have a wildcard: labels for "any other
/// mesh, too, because of these". A wildcard is printed as the mesh `*` after the others.
///
/// Every operation is near-linear in what it is given, except that finding one mesh is linear in the meshes.
class mesh_origins {
 public:
  using labels = arrival_set<std::uint32_t>;

  struct entry {
    std::uint32_t mesh;
    labels origins = {};

    friend constexpr bool operator==(const entry&, const entry&) = default;
  };

  /// Unspecified.
  constexpr mesh_origins() = default;

  /// The given meshes in the given order.
  constexpr mesh_origins(std::initializer_list<entry> entries) : specified_(true) {
    for (const auto& e : entries) insert(e.mesh, e.origins);
  }

  /// Specified, and no mesh at all.
  static constexpr mesh_origins none() {
    mesh_origins result;
    result.specified_ = true;
    return result;
  }

  /// The given meshes in the given order; what is said of a mesh again adds labels to it.
  static constexpr mesh_origins of(std::vector<entry> entries) {
    mesh_origins result = none();
    std::size_t last = 0;  // the first entry of the mesh that is looked at
    bool repeats = false;
    std::vector<bool> again(entries.size());
    for (const auto key : keys(entries)) {
      const auto at = static_cast<std::size_t>(key & place_mask);
      if (last != at && entries[last].mesh == entries[at].mesh) {
        entries[last].origins.unite(entries[at].origins);
        again[at] = repeats = true;
      } else {
        last = at;
      }
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; repeats && i < entries.size(); ++i)
      if (!again[i] && kept++ != i) entries[kept - 1] = std::move(entries[i]);
    if (repeats) entries.resize(kept);
    result.entries_ = std::move(entries);
    return result;
  }

  constexpr bool specified() const noexcept { return specified_; }
  /// Specified and without an ordinary mesh. An unspecified value is not empty: it is every mesh.
  constexpr bool empty() const noexcept { return specified_ && entries_.empty(); }
  constexpr bool has_wildcard() const noexcept { return !wildcard_.empty(); }

  /// The ordinary meshes with their labels, in order of arrival; nothing when unspecified.
  constexpr std::span<const entry> entries() const noexcept { return entries_; }
  constexpr const labels& wildcard() const noexcept { return wildcard_; }

  /// The labels of an ordinary mesh, or null where it is not one of them.
  constexpr const labels* find(std::uint32_t mesh) const {
    for (const auto& e : entries_)
      if (e.mesh == mesh) return &e.origins;
    return nullptr;
  }
  constexpr bool contains(std::uint32_t mesh) const { return find(mesh) != nullptr; }

  /// Adds a mesh, or labels to a mesh that is there; says whether anything was new. Afterwards the value is
  /// specified.
  constexpr bool insert(std::uint32_t mesh, const labels& origins = {}) {
    const bool first = !std::exchange(specified_, true);
    for (auto& e : entries_)
      if (e.mesh == mesh) return e.origins.unite(origins) || first;
    entries_.push_back({mesh, origins});
    return true;
  }

  /// Adds labels, of which there must be some, to the wildcard; says whether anything was new. Afterwards the
  /// value is specified. The dialect admits a wildcard only beside an ordinary mesh, which is for whoever
  /// builds the value to see to.
  constexpr bool insert_wildcard(const labels& origins) {
    assert(!origins.empty());
    const bool first = !std::exchange(specified_, true);
    return wildcard_.unite(origins) || first;
  }

  /// Adds the meshes, labels and wildcard labels of `other`, those that are new at the end; says whether
  /// there were any. An unspecified `other` adds nothing, and an unspecified `*this` becomes `other`: for a
  /// union that value stands for "nothing said yet". (The dialect's own implementation loses the wildcard of
  /// `other` in the last case.)
  constexpr bool unite(const mesh_origins& other) {
    if (!other.specified_ || this == &other) return false;
    if (!specified_) return become(other);
    bool grew = wildcard_.unite(other.wildcard_);
    // To look for few meshes costs less than to put all in order.
    if (other.entries_.size() <= 2) {
      for (const auto& e : other.entries_) grew |= insert(e.mesh, e.origins);
      return grew;
    }
    const places mine(entries_);
    for (const auto& e : other.entries_) {
      if (const auto place = mine.find(e.mesh)) {
        grew |= entries_[*place].origins.unite(e.origins);
      } else {
        entries_.push_back(e);
        grew = true;
      }
    }
    return grew;
  }

  /// Keeps the meshes that `other` admits too, with the labels of both; says whether anything changed. The
  /// wildcard of either side admits any mesh and adds its labels to it; the result has a wildcard only if
  /// both have. An unspecified `other` admits all without labels.
  constexpr bool intersect(const mesh_origins& other) {
    if (!other.specified_ || this == &other) return false;
    if (!specified_) return become(other);
    const places mine(entries_), theirs(other.entries_);
    std::vector<entry> kept;
    bool changed = false;
    for (const auto& e : entries_) {
      const auto place = theirs.find(e.mesh);
      if (place || other.has_wildcard()) {
        kept.push_back(e);
        changed |= kept.back().origins.unite(place ? other.entries_[*place].origins : other.wildcard_);
      } else {
        changed = true;
      }
    }
    if (has_wildcard())
      for (const auto& e : other.entries_)
        if (!mine.find(e.mesh)) {
          kept.push_back(e);
          kept.back().origins.unite(wildcard_);
          changed = true;
        }
    entries_ = std::move(kept);
    if (other.has_wildcard() && has_wildcard()) return wildcard_.unite(other.wildcard_) || changed;
    changed |= has_wildcard();
    wildcard_.clear();
    return changed;
  }

  /// Whether two values name the same ordinary meshes and both or neither have a wildcard, whatever the order
  /// and the labels. An unspecified value names none.
  constexpr bool same_meshes(const mesh_origins& other) const {
    if (entries_.size() != other.entries_.size() || has_wildcard() != other.has_wildcard()) return false;
    const places theirs(other.entries_);
    return std::all_of(entries_.begin(), entries_.end(),
                       [&](const entry& e) { return theirs.find(e.mesh).has_value(); });
  }

  /// The one mesh to take, if there is any, of a specified value. The candidates are the `preferred` meshes
  /// in it, which are all of them if it has a wildcard, or else its ordinary meshes. Of these the ones
  /// without the label `low_priority` (the dialect's `broadcast_in`) come first, and then the one whose name
  /// is least: byte by byte, unless another order is given.
  template <class Name, class Less = std::less<>>
    requires std::convertible_to<std::invoke_result_t<const Name&, std::uint32_t>, std::string_view>
  constexpr std::optional<std::uint32_t> pick(const Name& name_of, std::uint32_t low_priority,
                                              std::span<const std::uint32_t> preferred = {},
                                              const Less& less = {}) const {
    assert(specified_);
    std::optional<std::uint32_t> best;
    bool best_is_low = false;
    const auto consider = [&](std::uint32_t mesh, const labels& origins) {
      const bool is_low = origins.contains(low_priority);
      if (best && is_low != best_is_low
              ? is_low
              : best && !less(std::string_view(name_of(mesh)), std::string_view(name_of(*best))))
        return;
      best = mesh;
      best_is_low = is_low;
    };
    const places mine(entries_);
    for (auto mesh : preferred) {
      if (const auto place = mine.find(mesh))
        consider(mesh, entries_[*place].origins);
      else if (has_wildcard())
        consider(mesh, wildcard_);
    }
    if (!best)
      for (const auto& e : entries_) consider(e.mesh, e.origins);
    return best;
  }

  /// Whether two values are the same in everything that is printed, the order included.
  constexpr bool identical(const mesh_origins& other) const {
    return specified_ == other.specified_ && wildcard_.identical(other.wildcard_) &&
           std::equal(entries_.begin(), entries_.end(), other.entries_.begin(), other.entries_.end(),
                      [](const entry& a, const entry& b) {
                        return a.mesh == b.mesh && a.origins.identical(b.origins);
                      });
  }

  /// Whether two values have the same meshes with the same labels, whatever the order.
  friend constexpr bool operator==(const mesh_origins& a, const mesh_origins& b) {
    if (a.specified_ != b.specified_ || a.entries_.size() != b.entries_.size() || a.wildcard_ != b.wildcard_)
      return false;
    const places theirs(b.entries_);
    return std::all_of(a.entries_.begin(), a.entries_.end(), [&](const entry& e) {
      const auto place = theirs.find(e.mesh);
      return place && e.origins == b.entries_[*place].origins;
    });
  }

  /// A hash of all that `identical` compares.
  constexpr std::uint64_t digest() const {
    hasher hash;
    const auto add = [&](std::uint64_t what, const labels& set) {
      hash.add(what << 32 | set.size());
      for (auto label : set) hash.add(label);
    };
    for (const auto& e : entries_) add(e.mesh, e.origins);
    add(specified_, wildcard_);
    return hash.value();
  }

  /// A hash that is the same for equal values, whatever their order.
  constexpr std::uint64_t unordered_digest() const {
    std::uint64_t sum = specified_;
    for (const auto& e : entries_)
      sum += hash_of(std::uint64_t{e.mesh} << 32 ^ (e.origins.empty() ? 0 : e.origins.unordered_digest()));
    return sum + hash_of(wildcard_.unordered_digest());
  }

 private:
  // The meshes in ascending order, each in the upper half of a number with its place in the lower.
  static constexpr std::uint64_t place_mask = 0xFFFFFFFFu;
  static constexpr std::vector<std::uint64_t> keys(std::span<const entry> entries) {
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < entries.size(); ++i)
      all.push_back(std::uint64_t{entries[i].mesh} << 32 | i);
    std::sort(all.begin(), all.end());
    return all;
  }

  // Where each mesh was among the entries, whatever became of them since: a table for small ids, which nearly
  // all are; a scan of a few others; a sorted list of many.
  class places {
   public:
    constexpr explicit places(std::span<const entry> entries) : count_(entries.size()) {
      small_ = std::all_of(entries.begin(), entries.end(), [](const entry& e) { return e.mesh < small_ids; });
      if (small_)
        for (std::size_t i = 0; i < count_; ++i) table_[entries[i].mesh] = static_cast<std::uint8_t>(i + 1);
      else if (count_ <= few)
        for (std::size_t i = 0; i < count_; ++i) first_[i] = entries[i].mesh;
      else
        sorted_ = keys(entries);
    }

    constexpr std::optional<std::size_t> find(std::uint32_t mesh) const {
      if (small_) {
        if (mesh >= small_ids || table_[mesh] == 0) return std::nullopt;
        return table_[mesh] - std::size_t{1};
      }
      if (count_ <= few) {
        for (std::size_t i = 0; i < count_; ++i)
          if (first_[i] == mesh) return i;
        return std::nullopt;
      }
      const auto found = std::lower_bound(sorted_.begin(), sorted_.end(), std::uint64_t{mesh} << 32);
      if (found == sorted_.end() || *found >> 32 != mesh) return std::nullopt;
      return static_cast<std::size_t>(*found & place_mask);
    }

   private:
    static constexpr std::size_t few = 8;
    static constexpr std::uint32_t small_ids = 64;

    std::size_t count_;
    bool small_ = true;
    std::uint8_t table_[small_ids] = {};
    std::uint32_t first_[few] = {};
    std::vector<std::uint64_t> sorted_;
  };

  constexpr bool become(const mesh_origins& other) {
    *this = other;
    return true;
  }

  std::vector<entry> entries_;
  labels wildcard_;
  bool specified_ = false;
};

/// The specified values, ordered by their meshes and, mesh by mesh, their labels: join is `unite`, bottom is
/// no mesh. The lattice of use sets. A label that arrives for a mesh that is there is a change. Element for
/// element costly; propagate `interned<use_origins>`.
class use_origins {
 public:
  using element = mesh_origins;

  constexpr element bottom() const { return mesh_origins::none(); }
  constexpr change join(element& into, const element& from) const {
    assert(into.specified() && from.specified());
    return changed_if(into.unite(from));
  }

  constexpr bool identical(const element& a, const element& b) const { return a.identical(b); }
  constexpr std::uint64_t digest(const element& e) const { return e.digest(); }
  constexpr std::uint64_t unordered_digest(const element& e) const { return e.unordered_digest(); }
};

/// All values, ordered the other way: join is `intersect`, bottom is unspecified, and further up there are
/// fewer meshes with more labels each; no mesh at all is above everything. The lattice of source sets, to be
/// propagated as `interned<src_origins>`.
class src_origins {
 public:
  using element = mesh_origins;

  constexpr element bottom() const { return {}; }
  constexpr change join(element& into, const element& from) const { return changed_if(into.intersect(from)); }

  constexpr bool identical(const element& a, const element& b) const { return a.identical(b); }
  constexpr std::uint64_t digest(const element& e) const { return e.digest(); }
  constexpr std::uint64_t unordered_digest(const element& e) const { return e.unordered_digest(); }
};

static_assert(join_semilattice<use_origins> && join_semilattice<src_origins>);

}  // namespace mpmd
