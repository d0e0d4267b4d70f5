#pragma once
/// Short texts for what is in a placement: names that count up or down, numbers of microbatches.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

namespace detail {

/// `block12` as `block` and 12; no number where there is none, or one that would not be written so.
inline std::pair<std::string_view, std::optional<std::uint32_t>> stem_and_number(std::string_view name) {
  std::size_t at = name.size();
  while (at > 0 && name[at - 1] >= '0' && name[at - 1] <= '9') --at;
  std::string_view const digits = name.substr(at);
  std::uint32_t number = 0;
  if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) return {name, std::nullopt};
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{}) return {name, std::nullopt};
  return {name.substr(0, at), number};
}

}  // namespace detail

/// `block0-5, head`: neighbours whose numbers count up or down by one are written as first and last; a transposed
/// computation has the count behind it, `block5-0(1)`. O(text).
inline std::string names_in_short(std::vector<user_origin> const& origins) {
  std::string text;
  for (std::size_t i = 0; i < origins.size();) {
    auto const [stem, first] = detail::stem_and_number(origins[i].name);
    std::size_t stop = i + 1;
    std::int64_t step = 0;
    std::optional<std::uint32_t> last = first;
    for (; first && stop < origins.size(); ++stop) {
      auto const [other, number] = detail::stem_and_number(origins[stop].name);
      if (!number || other != stem || origins[stop].transpose_count != origins[i].transpose_count) break;
      std::int64_t const by = std::int64_t{*number} - std::int64_t{*last};
      if ((by != 1 && by != -1) || (step != 0 && by != step)) break;
      step = by;
      last = number;
    }
    text.append(text.empty() ? "" : ", ").append(origins[i].name);
    if (stop - i > 1) text.append("-").append(std::to_string(*last));
    if (origins[i].transpose_count != 0) text.append("(").append(std::to_string(origins[i].transpose_count)).append(")");
    i = stop;
  }
  return text;
}

/// `0-3, 7` of numbers in ascending order.
inline std::string numbers_in_short(std::vector<std::uint32_t> const& numbers) {
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t stop = i + 1;
    while (stop < numbers.size() && numbers[stop] - numbers[stop - 1] == 1) ++stop;
    text.append(text.empty() ? "" : ", ").append(std::to_string(numbers[i]));
    if (stop - i > 1) text.append("-").append(std::to_string(numbers[stop - 1]));
    i = stop;
  }
  return text;
}

/// `12 288`: digits in groups of three.
inline std::string in_groups(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, " ");
  return digits;
}

}  // namespace mpmd
