#pragma once

#include <cstddef>
#include <string_view>

namespace mpmd {

/// A text that can be a template argument, so that compilers show it in their messages.
template <std::size_t Length>
struct fixed_string {
  char text[Length + 1] = {};

  constexpr fixed_string() = default;
  constexpr fixed_string(char const (&from)[Length + 1]) {
    for (std::size_t i = 0; i < Length; ++i) text[i] = from[i];
  }
  constexpr explicit fixed_string(std::string_view from) {
    for (std::size_t i = 0; i < Length && i < from.size(); ++i) text[i] = from[i];
  }
  constexpr operator std::string_view() const { return {text, Length}; }
};
template <std::size_t Size>
fixed_string(char const (&)[Size]) -> fixed_string<Size - 1>;

}  // namespace mpmd
