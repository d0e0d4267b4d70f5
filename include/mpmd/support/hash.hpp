#pragma once
/// An order-sensitive 64-bit hash whose value depends on nothing but what it was fed: no addresses, no seeds.

#include <cstdint>
#include <cstring>
#include <string_view>

namespace mpmd {

class hasher {
 public:
  constexpr void add(std::uint64_t word) {
    // The finaliser of splitmix64, folded over the words.
    state_ ^= word + 0x9E3779B97F4A7C15u + (state_ << 6) + (state_ >> 2);
    state_ ^= state_ >> 30;
    state_ *= 0xBF58476D1CE4E5B9u;
    state_ ^= state_ >> 27;
    state_ *= 0x94D049BB133111EBu;
    state_ ^= state_ >> 31;
  }
  constexpr void add(std::string_view text) {
    add(text.size());
    std::uint64_t word = 0;
    unsigned filled = 0;
    for (char c : text) {
      word = word << 8 | static_cast<unsigned char>(c);
      if (++filled == 8) {
        add(word);
        word = 0;
        filled = 0;
      }
    }
    if (filled != 0) add(word);
  }
  constexpr std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0x243F6A8885A308D3u;
};

/// The hash of one word.
constexpr std::uint64_t hash_of(std::uint64_t word) {
  hasher hash;
  hash.add(word);
  return hash.value();
}

}  // namespace mpmd
