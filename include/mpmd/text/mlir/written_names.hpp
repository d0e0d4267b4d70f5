#pragma once
/// What a text calls its values, for tools that talk about them. No part of the program: passes neither keep nor see it.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>

namespace mpmd::text::mlir {

/// The names of values in one text. A name may occur in several functions.
class written_names {
 public:
  void add(std::string_view name, ir::value first, std::uint32_t count) {
    by_name_[std::string(name)].push_back({first, count});
    for (std::uint32_t i = 0; i < count; ++i) {
      std::string full = "%" + std::string(name);
      if (count > 1) full += "#" + std::to_string(i);
      by_value_.insert_or_assign(ir::value{first.id + i}, std::move(full));
    }
  }

  /// `%name` or `%name#2`; empty for a value that the text does not name.
  std::string_view of(ir::value v) const {
    auto const at = by_value_.find(v);
    return at == by_value_.end() ? std::string_view{} : std::string_view(at->second);
  }

  /// All values called `%name` or `%name#2`, in the order of the text.
  std::vector<ir::value> find(std::string_view asked) const {
    std::vector<ir::value> found;
    if (!asked.starts_with('%')) return found;
    asked.remove_prefix(1);
    std::uint32_t number = 0;
    if (auto const mark = asked.find('#'); mark != std::string_view::npos) {
      for (char const c : asked.substr(mark + 1)) {
        if (c < '0' || c > '9' || number > 100'000'000) return found;
        number = number * 10 + static_cast<std::uint32_t>(c - '0');
      }
      asked = asked.substr(0, mark);
    }
    auto const at = by_name_.find(std::string(asked));
    if (at == by_name_.end()) return found;
    for (auto const& [first, count] : at->second)
      if (number < count) found.push_back({first.id + number});
    return found;
  }

 private:
  std::unordered_map<std::string, std::vector<std::pair<ir::value, std::uint32_t>>> by_name_;
  std::unordered_map<ir::value, std::string> by_value_;
};

}  // namespace mpmd::text::mlir
