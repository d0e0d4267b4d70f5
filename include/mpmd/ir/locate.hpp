#pragma once
/// Where ops and values stand in text, for diagnostics.

#include <string>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/support/source.hpp>

namespace mpmd::ir {

namespace detail {

/// Of a call site the callee, of a fused location the first part: what stands for the whole. Else none.
inline attribute foremost_location(context const& in, attribute at) {
  if (auto const* call = in.get_if<callsite_loc>(at)) return call->callee;
  auto const* fused = in.get_if<fused_loc>(at);
  return fused && !fused->parts.empty() ? fused->parts.front() : attribute{};
}

}  // namespace detail

/// The place in a file that a location leads to, without names; none if it leads to none.
inline attribute file_location(context const& in, attribute at) {
  while (at && !in.get_if<file_loc>(at)) {
    auto const* named = in.get_if<name_loc>(at);
    at = named ? named->child : detail::foremost_location(in, at);
  }
  return at;
}

/// A location as a person reads it: the text the thing was read from, else the file the program itself names.
inline source_location locate(context const& in, location where) {
  if (where.text) return in.sources.resolve(where.text);
  attribute const given = file_location(in, where.given);
  if (!given) return {};
  auto const* file = in.get_if<file_loc>(given);
  return {file->file, file->line, file->column, {}, 0};
}
inline source_location locate(program const& in, op o) { return locate(in.context(), in.where(o)); }
/// Of a block argument: its own place if it has one, else that of the op around its block.
inline source_location locate(program const& in, value v) {
  if (!in.is_argument(v)) return locate(in, in.defining_op(v));
  if (auto const own = in.argument_where(v); own != location{}) return locate(in.context(), own);
  op const around = in.parent_op(in.argument_block(v));
  return around ? locate(in, around) : source_location{};
}

/// `"x"` of a location with that name, nothing of any other, through fused locations and call sites to the first.
inline std::string location_name(context const& in, location where) {
  for (attribute at = where.given; at; at = detail::foremost_location(in, at))
    if (auto const* named = in.get_if<name_loc>(at)) return '"' + named->text + '"';
  return {};
}

/// The frames of a location, from the inside out. Of a fused location the first part counts.
inline std::vector<location_frame> location_frames(context const& in, location where) {
  constexpr std::size_t most = 32, longest = 256;
  std::vector<location_frame> frames;
  std::vector<std::pair<attribute, std::string>> open{{where.given, {}}};
  while (!open.empty() && frames.size() < most) {
    auto [at, called] = std::move(open.back());
    open.pop_back();
    if (auto const* named = in.get_if<name_loc>(at)) {
      if (called.empty())
        called = named->text;
      else if (called.size() < longest)
        called.append("/").append(named->text);
      open.emplace_back(named->child, std::move(called));
    } else if (attribute const inner = detail::foremost_location(in, at)) {
      if (auto const* call = in.get_if<callsite_loc>(at)) open.emplace_back(call->caller, std::string{});
      open.emplace_back(inner, std::move(called));
    } else if (in.get_if<file_loc>(at) || !called.empty()) {
      frames.push_back({at ? locate(in, location{{}, at}) : source_location{}, std::move(called)});
    }
  }
  if (frames.empty()) frames.push_back({locate(in, where), {}});
  return frames;
}

}  // namespace mpmd::ir
