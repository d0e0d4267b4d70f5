#pragma once
/// Places and makers of values in words, for what the passes of mesh inference say.

#include <cstddef>
#include <string>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/source.hpp>

namespace mpmd {

/// `"x" file:line:column`, as far as the frame has them.
inline std::string spell_frame(location_frame const& f) {
  std::string text;
  if (!f.name.empty()) text.append("\"").append(f.name).append("\"");
  if (f.where.line == 0) return text;
  if (!text.empty()) text += ' ';
  text.append(f.where.file).append(":").append(std::to_string(f.where.line)).append(":");
  return text.append(std::to_string(f.where.column));
}

/// A location in words: its innermost frame, and through at most a few call sites from where that is called.
template <mutable_mpmd_program P>
std::string spell_location(P const& p, location_t<P> at) {
  constexpr std::size_t most = 4;
  std::string text;
  std::size_t shown = 0;
  for (location_frame const& f : ir_traits<P>::location_stack(p, at)) {
    if (shown++ == most) break;
    std::string const frame = spell_frame(f);
    if (!frame.empty()) text.append(text.empty() ? "" : " called from ").append(frame);
  }
  return text.empty() ? "unknown location" : text;
}

/// The frames of a location, if they tell more than the place at which a diagnostic about it stands: programs that a
/// front end has made tell of the user's files.
template <mutable_mpmd_program P>
std::vector<location_frame> frames_beyond_source(P const& p, location_t<P> at) {
  std::vector<location_frame> frames = ir_traits<P>::location_stack(p, at);
  std::erase_if(frames, [](location_frame const& f) { return f.name.empty() && f.where.line == 0; });
  if (frames.size() != 1 || !frames[0].name.empty()) return frames;
  source_location const shown = ir_traits<P>::source_of(p, at);
  location_frame const& f = frames[0];
  if (f.where.file == shown.file && f.where.line == shown.line && f.where.column == shown.column) frames.clear();
  return frames;
}

/// A line for each of those frames, the innermost first, with a heading.
template <mutable_mpmd_program P>
std::string spell_stack(P const& p, location_t<P> at) {
  std::string text;
  for (location_frame const& f : frames_beyond_source(p, at))
    text.append(text.empty() ? "\nstack trace:\n - " : "\n - called from ").append(spell_frame(f));
  return text;
}

/// ` from "f"` for a value that a fragment computes which users call so, else nothing.
template <mutable_mpmd_program P>
std::string spell_maker(P const& p, value_t<P> placed) {
  op_t<P> const d = mpmd::defining_op(p, placed);
  if (!d || ir_traits<P>::role_of(p, d) != role::fragment) return {};
  std::string text;
  for (user_origin const& o : ir_traits<P>::fragment_of(p, d).origins)
    text.append(text.empty() ? " from \"" : ", \"").append(o.name).append("\"");
  return text;
}

}  // namespace mpmd
