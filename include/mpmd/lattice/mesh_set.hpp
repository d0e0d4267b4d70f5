#pragma once

#include <mpmd/lattice/lattice.hpp>
#include <mpmd/support/hash.hpp>

#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

namespace mpmd {
namespace detail {

// The words of a set over a number of ids known while compiling, all in place.
template <std::size_t Capacity>
class static_words {
  static_assert(Capacity > 0, "a mesh_set needs room for at least one mesh");

 public:
  static constexpr std::size_t in_place = (Capacity + 63) / 64;
  static constexpr bool may_grow = false;

  constexpr std::size_t size() const noexcept { return in_place; }
  constexpr std::uint64_t operator[](std::size_t i) const noexcept { return words_[i]; }
  constexpr std::uint64_t& operator[](std::size_t i) noexcept { return words_[i]; }
  constexpr void grow_to([[maybe_unused]] std::size_t words) noexcept { assert(words <= in_place); }

 private:
  std::uint64_t words_[in_place] = {};
};

// The words of a set over any number of ids: one word in place, and the rest, if ever one is needed, on the
// heap behind a pointer to a block with the same indices, whose own word 0 holds the number of all. A set is
// 16 bytes.
class dynamic_words {
 public:
  static constexpr std::size_t in_place = 1;
  static constexpr bool may_grow = true;

  constexpr dynamic_words() = default;
  // Copies are on the path of solvers, where compilers would rather call them.
  [[gnu::always_inline]] constexpr dynamic_words(const dynamic_words& other)
      : first_(other.first_), rest_(other.rest_ ? copy(other.rest_, other.size()) : nullptr) {}
  constexpr dynamic_words(dynamic_words&& other) noexcept
      : first_(std::exchange(other.first_, 0)), rest_(std::exchange(other.rest_, nullptr)) {}
  constexpr dynamic_words& operator=(const dynamic_words& other) {
    if (!rest_ && !other.rest_) [[likely]]
      first_ = other.first_;
    else if (this != &other)
      *this = dynamic_words(other);
    return *this;
  }
  constexpr dynamic_words& operator=(dynamic_words&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(rest_, other.rest_);
    return *this;
  }
  constexpr ~dynamic_words() {
    if (rest_) [[unlikely]]
      delete[] rest_;
  }

  /// The words behind the first, at their indices, with the number of all in place of the first; or null.
  constexpr const std::uint64_t* rest() const noexcept { return rest_; }
  constexpr std::size_t size() const noexcept { return rest_ ? rest_[0] : 1; }
  constexpr std::uint64_t operator[](std::size_t i) const noexcept { return i == 0 ? first_ : rest_[i]; }
  constexpr std::uint64_t& operator[](std::size_t i) noexcept { return i == 0 ? first_ : rest_[i]; }
  constexpr void grow_to(std::size_t words) {
    if (words <= size()) [[likely]]
      return;
    delete[] std::exchange(rest_, copy(rest_, words));
  }

 private:
  // A block for `words` words in all, which starts with those of `from` and goes on with zeros.
  [[gnu::noinline]] static constexpr std::uint64_t* copy(const std::uint64_t* from, std::size_t words) {
    auto* block = new std::uint64_t[words]{};
    block[0] = words;
    if (from)
      for (std::size_t i = 1; i < from[0]; ++i) block[i] = from[i];
    return block;
  }

  std::uint64_t first_ = 0;
  std::uint64_t* rest_ = nullptr;
};

}  // namespace detail

/// A set of meshes, named by dense ids 0, 1, 2, ...
///
/// With a `Capacity` the set is an array of words, trivially copyable, and ids must be below it. Without one
/// it takes any id, is 16 bytes, and allocates only once it holds an id of 64 or more. Two sets are equal
/// when they have the same members, whatever room they have. Every operation is linear in the words in use:
/// one for up to 64 meshes.
template <std::size_t Capacity = std::dynamic_extent>
class mesh_set {
 public:
  using value_type = unsigned;
  class iterator;
  using const_iterator = iterator;

  constexpr mesh_set() = default;
  constexpr mesh_set(std::initializer_list<unsigned> meshes) {
    for (auto mesh : meshes) insert(mesh);
  }

  /// The set of the ids below `count`.
  static constexpr mesh_set first_n(std::size_t count) {
    mesh_set all;
    if (count == 0) return all;
    all.words_.grow_to((count + 63) / 64);
    for (std::size_t i = 0; i < count / 64; ++i) all.words_[i] = ~std::uint64_t{0};
    if (count % 64 != 0) all.words_[count / 64] = (std::uint64_t{1} << count % 64) - 1;
    return all;
  }

  /// Adds `mesh`; says whether it was absent.
  constexpr bool insert(unsigned mesh) {
    assert(mesh < Capacity);
    words_.grow_to(mesh / 64 + std::size_t{1});
    auto& word = words_[mesh / 64];
    const bool absent = (word & bit(mesh)) == 0;
    word |= bit(mesh);
    return absent;
  }

  /// Removes `mesh`; says whether it was present.
  constexpr bool erase(unsigned mesh) noexcept {
    if (!contains(mesh)) return false;
    words_[mesh / 64] &= ~bit(mesh);
    return true;
  }

  constexpr bool contains(unsigned mesh) const noexcept { return (word_of(mesh) & bit(mesh)) != 0; }

  /// Whether the set has no memory but its own, so that a copy is as cheap as one of a number. So is any set
  /// of which all members are, and were, below 64.
  constexpr bool in_place() const noexcept {
    if constexpr (words::may_grow)
      return words_.rest() == nullptr;
    else
      return true;
  }

  constexpr bool empty() const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_[i] != 0) return false;
    return true;
  }

  constexpr std::size_t size() const noexcept {
    std::size_t members = 0;
    for (std::size_t i = 0; i < words_.size(); ++i)
      members += static_cast<unsigned>(std::popcount(words_[i]));
    return members;
  }

  constexpr void clear() noexcept { *this = mesh_set(); }

  /// The least member of a set that has one.
  constexpr unsigned first() const noexcept {
    assert(!empty());
    return *begin();
  }

  /// Adds the members of `other`; says whether any of them was new.
  [[gnu::always_inline]] constexpr bool unite(const mesh_set& other) {
    return update<true>(other, [](std::uint64_t mine, std::uint64_t theirs) { return mine | theirs; });
  }

  /// Keeps what is also in `other`; says whether anything went.
  constexpr bool retain(const mesh_set& other) noexcept {
    return update<false>(other, [](std::uint64_t mine, std::uint64_t theirs) { return mine & theirs; });
  }

  /// Drops what is in `other`; says whether anything went.
  constexpr bool remove(const mesh_set& other) noexcept {
    return update<false>(other, [](std::uint64_t mine, std::uint64_t theirs) { return mine & ~theirs; });
  }

  constexpr mesh_set& operator|=(const mesh_set& other) { return unite(other), *this; }
  constexpr mesh_set& operator&=(const mesh_set& other) noexcept { return retain(other), *this; }
  constexpr mesh_set& operator-=(const mesh_set& other) noexcept { return remove(other), *this; }

  friend constexpr mesh_set operator|(mesh_set a, const mesh_set& b) { return a |= b, a; }
  friend constexpr mesh_set operator&(mesh_set a, const mesh_set& b) { return a &= b, a; }
  friend constexpr mesh_set operator-(mesh_set a, const mesh_set& b) { return a -= b, a; }

  constexpr bool is_subset_of(const mesh_set& other) const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & ~other.word_at(i)) != 0) return false;
    return true;
  }

  constexpr bool intersects(const mesh_set& other) const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_[i] & other.word_at(i)) != 0) return true;
    return false;
  }

  friend constexpr bool operator==(const mesh_set& a, const mesh_set& b) noexcept {
    const auto& longer = a.words_.size() < b.words_.size() ? b : a;
    for (std::size_t i = 0; i < longer.words_.size(); ++i)
      if (a.word_at(i) != b.word_at(i)) return false;
    return true;
  }

  /// The members in ascending order. An iterator is invalidated by any change to the set.
  constexpr iterator begin() const noexcept { return {words_, 0}; }
  constexpr iterator end() const noexcept { return {words_, words_.size()}; }

 private:
  using words = std::conditional_t<Capacity == std::dynamic_extent, detail::dynamic_words,
                                   detail::static_words<Capacity>>;

  static constexpr std::uint64_t bit(unsigned mesh) noexcept { return std::uint64_t{1} << mesh % 64; }

  // Words beyond the end read as zero.
  constexpr std::uint64_t word_at(std::size_t i) const noexcept { return i < words_.size() ? words_[i] : 0; }
  constexpr std::uint64_t word_of(unsigned mesh) const noexcept { return word_at(mesh / 64); }

  // Sets each word to what `operation` makes of it and its counterpart in `other`; says whether any is new.
  // Solvers spend their time here, so the words in place go first and those on the heap out of line.
  template <bool Grow, class Operation>
  [[gnu::always_inline]] constexpr bool update(const mesh_set& other, Operation operation) noexcept(!Grow) {
    std::uint64_t altered = 0;
    for (std::size_t i = 0; i < words::in_place; ++i) altered |= update_word(i, other.words_[i], operation);
    if constexpr (words::may_grow)
      if (words_.rest() || other.words_.rest()) [[unlikely]]
        altered |= update_rest<Grow>(other.words_.rest(), operation);
    return altered != 0;
  }

  // Told of the words and not of the set they belong to, so that a caller's copy of it can stay in registers.
  template <bool Grow, class Operation>
  [[gnu::noinline]] constexpr std::uint64_t update_rest(const std::uint64_t* theirs,
                                                        Operation operation) noexcept(!Grow) {
    const std::size_t count = theirs ? theirs[0] : 1;
    if constexpr (Grow) {
      auto needed = count;
      while (needed > 1 && theirs[needed - 1] == 0) --needed;  // spare room of the other is not for us
      words_.grow_to(needed);
    }
    std::uint64_t altered = 0;
    for (std::size_t i = words::in_place, end = words_.size(); i < end; ++i)
      altered |= update_word(i, i < count ? theirs[i] : 0, operation);
    return altered;
  }

  template <class Operation>
  constexpr std::uint64_t update_word(std::size_t i, std::uint64_t theirs, Operation operation) noexcept {
    const auto before = words_[i];
    words_[i] = operation(before, theirs);
    return before ^ words_[i];
  }

  words words_;
};

template <std::size_t Capacity>
class mesh_set<Capacity>::iterator {
 public:
  using value_type = unsigned;
  using difference_type = std::ptrdiff_t;
  using reference = unsigned;
  using pointer = void;
  using iterator_category = std::input_iterator_tag;
  using iterator_concept = std::forward_iterator_tag;

  constexpr iterator() = default;
  constexpr unsigned operator*() const noexcept {
    return static_cast<unsigned>(index_ * 64) + static_cast<unsigned>(std::countr_zero(left_));
  }
  constexpr iterator& operator++() noexcept {
    left_ &= left_ - 1;
    if (left_ == 0) seek(index_ + 1);
    return *this;
  }
  constexpr iterator operator++(int) noexcept {
    auto before = *this;
    ++*this;
    return before;
  }
  friend constexpr bool operator==(const iterator&, const iterator&) = default;

 private:
  friend mesh_set;

  constexpr iterator(const words& words, std::size_t index) noexcept : words_(&words) { seek(index); }

  constexpr void seek(std::size_t index) noexcept {
    for (index_ = index; index_ < words_->size(); ++index_)
      if ((left_ = (*words_)[index_]) != 0) return;
    left_ = 0;
  }

  const words* words_ = nullptr;
  std::size_t index_ = 0;
  std::uint64_t left_ = 0;  // members of word index_ from the current one on
};

/// The sets of meshes of a universe of `n`, ordered by inclusion: join is union, bottom is {}, meet is
/// intersection, top is all of the universe. Joins of sets of up to 64 meshes touch one word.
template <std::size_t Capacity = std::dynamic_extent>
class mesh_sets {
 public:
  using element = mesh_set<Capacity>;

  /// The universe of the meshes below `meshes`, which must not exceed the capacity.
  constexpr explicit mesh_sets(std::size_t meshes) noexcept : meshes_(meshes) { assert(meshes <= Capacity); }

  /// The universe of all meshes that fit.
  constexpr mesh_sets() noexcept
    requires(Capacity != std::dynamic_extent)
      : meshes_(Capacity) {}

  constexpr std::size_t universe() const noexcept { return meshes_; }

  constexpr element bottom() const noexcept { return {}; }
  constexpr element top() const { return element::first_n(meshes_); }
  [[gnu::always_inline]] constexpr change join(element& into, const element& from) const {
    return changed_if(into.unite(from));
  }
  constexpr change meet(element& into, const element& from) const noexcept {
    return changed_if(into.retain(from));
  }

  /// A hash of the members (see internable.hpp).
  constexpr std::uint64_t digest(const element& set) const noexcept {
    hasher hash;
    for (auto mesh : set) hash.add(mesh);
    return hash.value();
  }

 private:
  std::size_t meshes_;
};

static_assert(lattice<mesh_sets<>> && lattice<mesh_sets<8>>);

}  // namespace mpmd
