#pragma once
/// The outcome of a check made while compiling.

namespace mpmd {

/// A variable that reads as a bool and may be called for one: `static_assert(check<x>)` and `static_assert(check<x>())` say
/// the same. Of a function, the first would hold always.
struct verdict {
  bool holds = false;
  constexpr operator bool() const { return holds; }
  constexpr bool operator()() const { return holds; }
};

}  // namespace mpmd
