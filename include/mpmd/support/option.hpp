#pragma once
/// How a pass declares its options; pipeline/options.hpp reads and prints them.

#include <string_view>

namespace mpmd {

/// One option of a pass: where it is kept, how it is called, what it does.
template <class Pass, class T>
struct option {
  std::string_view name;
  T Pass::*member;
  std::string_view help;
};
template <class Pass, class T>
option(std::string_view, T Pass::*, std::string_view) -> option<Pass, T>;

}  // namespace mpmd
