#pragma once
/// Dense numbers for names.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/support/hash.hpp>

namespace mpmd {

/// Names in order of arrival, and their numbers. Expected O(1) beside hashing the name. constexpr throughout.
class name_table {
 public:
  static constexpr std::uint32_t missing = 0xFFFFFFFFu;

  constexpr std::uint32_t intern(std::string_view name) {
    if ((names_.size() + 1) * 2 > slots_.size()) enlarge();
    auto& slot = slots_[place(name)];
    if (slot == 0) {
      names_.emplace_back(name);
      slot = size();
    }
    return slot - 1;
  }
  constexpr std::uint32_t find(std::string_view name) const {
    if (slots_.empty()) return missing;
    auto const slot = slots_[place(name)];
    return slot == 0 ? missing : slot - 1;
  }
  /// Valid until the next new name.
  constexpr std::string_view operator[](std::uint32_t number) const { return names_[number]; }
  constexpr std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  // The slot of a name, or the free one where it belongs.
  constexpr std::size_t place(std::string_view name) const {
    hasher hash;
    hash.add(name);
    auto slot = static_cast<std::size_t>(hash.value()) & (slots_.size() - 1);
    while (slots_[slot] != 0 && names_[slots_[slot] - 1] != name) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }
  constexpr void enlarge() {
    slots_.assign(slots_.empty() ? 16 : slots_.size() * 2, 0);
    for (std::uint32_t i = 0; i < names_.size(); ++i) slots_[place(names_[i])] = i + 1;
  }

  std::vector<std::string> names_;
  std::vector<std::uint32_t> slots_;  // open addressing; number + 1, or 0 where free
};

}  // namespace mpmd
