#pragma once
/// The axes that a `sdy.manual_computation` makes manual. Their attribute, `#sdy<manual_axes{"x", "y"}>`, has no data of
/// its own in this IR: it is kept as text, or written as an array of strings.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>

namespace mpmd::ir {

/// The names of the axes; nothing when the attribute is neither form.
inline std::optional<std::vector<std::string>> manual_axes(context const& in, attribute held) {
  std::vector<std::string> names;
  if (auto const* list = in.get_if<array_attr>(held)) {
    for (attribute const e : list->elements) {
      auto const* label = in.get_if<string_attr>(e);
      if (label == nullptr) return std::nullopt;
      names.push_back(label->text);
    }
    return names;
  }
  auto const* opaque = in.get_if<opaque_attr>(held);
  if (opaque == nullptr || !opaque->text.starts_with("#sdy<manual_axes")) return std::nullopt;
  std::string_view rest = opaque->text;
  for (auto open = rest.find('"'); open != std::string_view::npos; open = rest.find('"')) {
    rest.remove_prefix(open + 1);
    std::string axis;
    while (!rest.empty() && rest.front() != '"') {
      if (rest.front() == '\\' && rest.size() > 1) rest.remove_prefix(1);
      axis += rest.front();
      rest.remove_prefix(1);
    }
    if (rest.empty()) return std::nullopt;
    rest.remove_prefix(1);
    names.push_back(std::move(axis));
  }
  return names;
}

}  // namespace mpmd::ir
