#pragma once
/// Where ops and values stand in text, for diagnostics.

#include <mpmd/ir/program.hpp>
#include <mpmd/support/source.hpp>

namespace mpmd::ir {

/// A location as a person reads it: the text the thing was read from, else the file the program itself names.
inline source_location locate(context const& in, location where) {
  if (where.text) return in.sources.resolve(where.text);
  for (attribute at = where.given; at;) {
    if (auto const* file = in.get_if<file_loc>(at)) return {file->file, file->line, file->column, {}, 0};
    if (auto const* named = in.get_if<name_loc>(at))
      at = named->child;
    else if (auto const* call = in.get_if<callsite_loc>(at))
      at = call->callee;
    else if (auto const* fused = in.get_if<fused_loc>(at); fused && !fused->parts.empty())
      at = fused->parts.front();
    else
      break;
  }
  return {};
}
inline source_location locate(program const& in, op o) { return locate(in.context(), in.where(o)); }
/// Of a block argument: its own place if it has one, else that of the op around its block.
inline source_location locate(program const& in, value v) {
  if (!in.is_argument(v)) return locate(in, in.defining_op(v));
  if (auto const own = in.argument_where(v); own != location{}) return locate(in.context(), own);
  op const around = in.parent_op(in.argument_block(v));
  return around ? locate(in, around) : source_location{};
}

}  // namespace mpmd::ir
