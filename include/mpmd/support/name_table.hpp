#pragma once
/// Dense numbers for names.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpmd {

/// Names in order of arrival, and their numbers. Look-up is O(log n), a new name O(n); meant for meshes, labels and
/// the like. constexpr throughout.
class name_table {
 public:
  static constexpr std::uint32_t missing = 0xFFFFFFFFu;

  constexpr std::uint32_t intern(std::string_view name) {
    auto const at = place(name);
    if (at != sorted_.end() && names_[*at] == name) return *at;
    auto const number = static_cast<std::uint32_t>(names_.size());
    auto const where = at - sorted_.begin();
    names_.emplace_back(name);
    sorted_.insert(sorted_.begin() + where, number);
    return number;
  }
  constexpr std::uint32_t find(std::string_view name) const {
    auto const at = place(name);
    return at != sorted_.end() && names_[*at] == name ? *at : missing;
  }
  /// Valid until the next new name.
  constexpr std::string_view operator[](std::uint32_t number) const { return names_[number]; }
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  constexpr std::vector<std::uint32_t>::const_iterator place(std::string_view name) const {
    return std::lower_bound(sorted_.begin(), sorted_.end(), name,
                            [this](std::uint32_t number, std::string_view n) { return names_[number] < n; });
  }
  std::vector<std::string> names_;
  std::vector<std::uint32_t> sorted_;
};

}  // namespace mpmd
