#pragma once

#include <mpmd/lattice/lattice.hpp>

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

/// The words of a set over a number of ids known while compiling.
template <std::size_t Capacity>
struct static_words {
  static_assert(Capacity > 0, "a mesh_set needs room for at least one mesh");
  static constexpr std::size_t count = (Capacity + 63) / 64;

  std::uint64_t bits[count] = {};

  constexpr std::size_t size() const noexcept { return count; }
  constexpr std::uint64_t word(std::size_t i) const noexcept { return bits[i]; }
  constexpr std::uint64_t& word(std::size_t i) noexcept { return bits[i]; }
  constexpr void grow_to([[maybe_unused]] std::size_t words) noexcept { assert(words <= count); }
};

/// The words of a set over any number of ids: one word in place, and the rest, if ever one is needed, on the heap
/// behind a pointer whose first word holds their number. That keeps a set at 16 bytes.
class dynamic_words {
 public:
  constexpr dynamic_words() = default;
  constexpr dynamic_words(const dynamic_words& other)
      : first_(other.first_), rest_(other.rest_ ? copy(other.rest_, other.rest_[0]) : nullptr) {}
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
    if (rest_) delete[] rest_;
  }

  constexpr std::size_t size() const noexcept { return rest_ ? rest_[0] + 1 : 1; }
  constexpr std::uint64_t word(std::size_t i) const noexcept { return i == 0 ? first_ : rest_[i]; }
  constexpr std::uint64_t& word(std::size_t i) noexcept { return i == 0 ? first_ : rest_[i]; }
  constexpr void grow_to(std::size_t words) {
    if (words <= size()) [[likely]]
      return;
    auto* grown = copy(rest_, words - 1);
    delete[] std::exchange(rest_, grown);
  }

 private:
  // A block for `words` words that starts with those of `from` and goes on with zeros.
  static constexpr std::uint64_t* copy(const std::uint64_t* from, std::size_t words) {
    auto* block = new std::uint64_t[words + 1]{};
    block[0] = words;
    if (from)
      for (std::size_t i = 1; i <= from[0]; ++i) block[i] = from[i];
    return block;
  }

  std::uint64_t first_ = 0;
  std::uint64_t* rest_ = nullptr;
};

}  // namespace detail

/// A set of meshes, named by dense ids 0, 1, 2, ...
///
/// With a `Capacity` the set is an array of words, trivially copyable, and ids must be below it. Without one it takes
/// any id, is 16 bytes, and allocates only once it holds an id of 64 or more. Two sets are equal when they have the
/// same members, whatever room they have. Every operation is linear in the words in use: one for up to 64 meshes.
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
    for (std::size_t i = 0; i < count / 64; ++i) all.words_.word(i) = ~std::uint64_t{0};
    if (count % 64 != 0) all.words_.word(count / 64) = (std::uint64_t{1} << count % 64) - 1;
    return all;
  }

  /// Adds `mesh`; says whether it was absent.
  constexpr bool insert(unsigned mesh) {
    assert(mesh < Capacity);
    words_.grow_to(mesh / 64 + std::size_t{1});
    auto& word = words_.word(mesh / 64);
    const bool absent = (word & bit(mesh)) == 0;
    word |= bit(mesh);
    return absent;
  }

  /// Removes `mesh`; says whether it was present.
  constexpr bool erase(unsigned mesh) noexcept {
    if (!contains(mesh)) return false;
    words_.word(mesh / 64) &= ~bit(mesh);
    return true;
  }

  constexpr bool contains(unsigned mesh) const noexcept { return (word_of(mesh) & bit(mesh)) != 0; }

  constexpr bool empty() const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if (words_.word(i) != 0) return false;
    return true;
  }

  constexpr std::size_t size() const noexcept {
    std::size_t members = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) members += static_cast<unsigned>(std::popcount(words_.word(i)));
    return members;
  }

  constexpr void clear() noexcept { *this = mesh_set(); }

  /// The least member of a set that has one.
  constexpr unsigned first() const noexcept {
    assert(!empty());
    return *begin();
  }

  /// Adds the members of `other`; says whether any of them was new.
  constexpr bool unite(const mesh_set& other) {
    words_.grow_to(other.significant_words());
    return update(other, [](std::uint64_t mine, std::uint64_t theirs) { return mine | theirs; });
  }

  /// Keeps what is also in `other`; says whether anything went.
  constexpr bool retain(const mesh_set& other) noexcept {
    return update(other, [](std::uint64_t mine, std::uint64_t theirs) { return mine & theirs; });
  }

  /// Drops what is in `other`; says whether anything went.
  constexpr bool remove(const mesh_set& other) noexcept {
    return update(other, [](std::uint64_t mine, std::uint64_t theirs) { return mine & ~theirs; });
  }

  constexpr mesh_set& operator|=(const mesh_set& other) { return unite(other), *this; }
  constexpr mesh_set& operator&=(const mesh_set& other) noexcept { return retain(other), *this; }
  constexpr mesh_set& operator-=(const mesh_set& other) noexcept { return remove(other), *this; }

  friend constexpr mesh_set operator|(mesh_set a, const mesh_set& b) { return a |= b, a; }
  friend constexpr mesh_set operator&(mesh_set a, const mesh_set& b) { return a &= b, a; }
  friend constexpr mesh_set operator-(mesh_set a, const mesh_set& b) { return a -= b, a; }

  constexpr bool is_subset_of(const mesh_set& other) const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_.word(i) & ~other.word_at(i)) != 0) return false;
    return true;
  }

  constexpr bool intersects(const mesh_set& other) const noexcept {
    for (std::size_t i = 0; i < words_.size(); ++i)
      if ((words_.word(i) & other.word_at(i)) != 0) return true;
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
  constexpr std::uint64_t word_at(std::size_t i) const noexcept { return i < words_.size() ? words_.word(i) : 0; }
  constexpr std::uint64_t word_of(unsigned mesh) const noexcept { return word_at(mesh / 64); }

  // Trailing zero words need no room in a set that takes this one's members in.
  constexpr std::size_t significant_words() const noexcept {
    auto count = words_.size();
    while (count > 1 && words_.word(count - 1) == 0) --count;
    return count;
  }

  template <class Operation>
  constexpr bool update(const mesh_set& other, Operation operation) noexcept {
    std::uint64_t altered = 0;
    for (std::size_t i = 0, end = words_.size(); i < end; ++i) {
      auto& mine = words_.word(i);
      auto result = operation(mine, other.word_at(i));
      altered |= mine ^ result;
      mine = result;
    }
    return altered != 0;
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
      if ((left_ = words_->word(index_)) != 0) return;
    left_ = 0;
  }

  const words* words_ = nullptr;
  std::size_t index_ = 0;
  std::uint64_t left_ = 0;  // members of word index_ from the current one on
};

/// The sets of meshes of a universe of `n`, ordered by inclusion: join is union, bottom is {}, meet is intersection,
/// top is all of the universe. Joins of sets of up to 64 meshes touch one word.
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
  constexpr change join(element& into, const element& from) const { return changed_if(into.unite(from)); }
  constexpr change meet(element& into, const element& from) const noexcept { return changed_if(into.retain(from)); }

 private:
  std::size_t meshes_;
};

static_assert(lattice<mesh_sets<>> && lattice<mesh_sets<8>>);

}  // namespace mpmd
