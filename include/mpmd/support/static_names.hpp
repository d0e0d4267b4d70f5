#pragma once
/// Names that are looked up while the program compiles.

#include <bit>
#include <cstddef>
#include <cstdint>

namespace mpmd {

/// Up to `Capacity` names with their numbers. Expected O(length of the name) for each call, and few steps: compilers
/// count those of a constant evaluation, and stop it after about a million.
template <std::size_t Capacity>
class static_names {
 public:
  static constexpr std::uint32_t missing = 0xFFFFFFFFu;

  /// The number that the name has, or `number` if it is new.
  constexpr std::uint32_t insert(char const* name, std::uint32_t number) {
    auto& at = table_[place(name)];
    if (at.number == missing) at = {name, number};
    return at.number;
  }
  constexpr std::uint32_t find(char const* name) const { return table_[place(name)].number; }

 private:
  struct entry {
    char const* name = "";
    std::uint32_t number = missing;
  };
  static constexpr std::size_t size = std::bit_ceil(2 * Capacity + 1);

  // By hand: calls into the standard library are what compilers take long for.
  constexpr std::size_t place(char const* name) const {
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (char const* c = name; *c != '\0'; ++c) hash = (hash ^ static_cast<unsigned char>(*c)) * 16777619u;
    std::size_t i = (hash ^ hash >> 15) % size;
    for (;; i = (i + 1) % size) {
      if (table_[i].number == missing) return i;
      char const *a = name, *b = table_[i].name;
      for (; *a == *b && *a != '\0'; ++a) ++b;
      if (*a == *b) return i;
    }
  }

  entry table_[size] = {};
};

}  // namespace mpmd
