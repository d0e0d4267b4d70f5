#pragma once

#include <mpmd/lattice/lattice.hpp>

#include <cassert>
#include <concepts>
#include <utility>

namespace mpmd {

/// At most one value: nothing below, then the values of `T`, no two of which are related, then "conflicting
/// values" above. For facts that all sources must agree on, such as a constant or the one mesh of a tensor.
template <std::regular T>
class flat {
 public:
  class element {
   public:
    /// Bottom.
    constexpr element() = default;
    constexpr element(T value) : value_(std::move(value)), state_(state::one) {}

    constexpr bool is_bottom() const noexcept { return state_ == state::none; }
    constexpr bool is_top() const noexcept { return state_ == state::conflict; }
    constexpr bool has_value() const noexcept { return state_ == state::one; }
    constexpr const T& value() const noexcept {
      assert(has_value());
      return value_;
    }

    friend bool operator==(const element&, const element&) = default;

   private:
    friend flat;
    enum class state : unsigned char { none, one, conflict };

    T value_{};  // as it is built by default unless there is one
    state state_ = state::none;
  };

  constexpr element bottom() const { return {}; }
  constexpr element top() const {
    element all;
    all.state_ = element::state::conflict;
    return all;
  }
  constexpr change join(element& into, const element& from) const {
    return combine(into, from, bottom(), top());
  }
  constexpr change meet(element& into, const element& from) const {
    return combine(into, from, top(), bottom());
  }

 private:
  // Both operations leave equal elements alone, take the other from the one end, and go to the other end
  // otherwise.
  static constexpr change combine(element& into, const element& from, const element& identity,
                                  element absorbing) {
    if (into == from || from == identity || into == absorbing) return change::no;
    into = into == identity ? from : std::move(absorbing);
    return change::yes;
  }
};

}  // namespace mpmd
