#pragma once
/// A vector that keeps its first few elements in itself.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace mpmd {

/// Up to N elements take no memory of their own; more are on the heap, as in std::vector. For plain data in large numbers of
/// small vectors. Up to 2^32 - 1 elements.
template <class T, std::uint32_t N>
class inline_vector {
  static_assert(std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && N > 0,
                "an inline_vector holds plain data: trivially copyable, with a default, and room for at least one");

 public:
  using value_type = T;
  using iterator = T*;
  using const_iterator = T const*;

  constexpr inline_vector() = default;
  constexpr inline_vector(inline_vector const& other) { assign(other); }
  constexpr inline_vector(inline_vector&& other) noexcept { take(other); }
  constexpr inline_vector& operator=(inline_vector const& other) {
    if (this != &other) assign(other);
    return *this;
  }
  constexpr inline_vector& operator=(inline_vector&& other) noexcept {
    if (this == &other) return *this;
    delete[] heap_;
    take(other);
    return *this;
  }
  constexpr ~inline_vector() { delete[] heap_; }

  constexpr T* begin() { return heap_ ? heap_ : inline_; }
  constexpr T* end() { return begin() + size_; }
  constexpr T const* begin() const { return heap_ ? heap_ : inline_; }
  constexpr T const* end() const { return begin() + size_; }
  constexpr std::size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr T& back() {
    assert(size_ != 0);
    return begin()[size_ - 1];
  }
  constexpr T const& back() const {
    assert(size_ != 0);
    return begin()[size_ - 1];
  }

  constexpr void reserve(std::size_t n) {
    if (n <= capacity_) return;
    auto const most = static_cast<std::uint32_t>(n);
    T* const to = new T[most];
    std::copy(begin(), end(), to);
    delete[] heap_;
    heap_ = to;
    capacity_ = most;
  }
  constexpr void push_back(T value) {
    if (size_ == capacity_) grow();
    begin()[size_++] = value;
  }
  constexpr void insert(T const* before, T value) {
    std::size_t const at = static_cast<std::size_t>(before - begin());
    if (size_ == capacity_) grow();
    std::copy_backward(begin() + at, end(), end() + 1);
    begin()[at] = value;
    ++size_;
  }
  constexpr void erase(T const* first, T const* last) {
    std::size_t const at = static_cast<std::size_t>(first - begin());
    std::size_t const count = static_cast<std::size_t>(last - first);
    std::copy(begin() + at + count, end(), begin() + at);
    size_ -= static_cast<std::uint32_t>(count);
  }

  friend constexpr bool operator==(inline_vector const& a, inline_vector const& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  constexpr void grow() { reserve(std::max<std::size_t>(std::size_t{capacity_} * 2, 8)); }
  constexpr void assign(inline_vector const& other) {
    size_ = 0;
    reserve(other.size_);
    std::copy(other.begin(), other.end(), begin());
    size_ = other.size_;
  }
  constexpr void take(inline_vector& other) {
    std::copy(other.inline_, other.inline_ + N, inline_);
    heap_ = std::exchange(other.heap_, nullptr);
    size_ = std::exchange(other.size_, 0u);
    capacity_ = std::exchange(other.capacity_, N);
  }

  T inline_[N] = {};
  T* heap_ = nullptr;
  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = N;
};

}  // namespace mpmd
