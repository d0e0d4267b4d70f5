#pragma once
/// The rule AssignTypeSymmetry of host programs: a variable has the type of what it is set to.

#include <string>
#include <string_view>

#include <mpmd/ir/host_expressions.hpp>
#include <mpmd/ir/host_ops.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::ir::host {

/// Reports every assignment whose sides have different types, windows included, where both have one. O(ops).
inline bool verify_assign_type_symmetry(program const& p, diagnostics& diags) {
  bool good = true;
  for (op const f : host::functions(p))
    walk(p, f, [&](op o) {
      if (!p.is(o, opcode::host_assign)) return;
      value const variable = p.operand(o, 0), to = p.operand(o, 1);
      full_type const left = type_of(p, variable), right = type_of(p, to);
      if (is_unknown(p.context(), left.of) || is_unknown(p.context(), right.of) || same_type(p, left, right)) return;
      good = false;
      auto window = [&](full_type const& t) { return is_windowed(p.context(), t.of) ? t.holes.back() : value{}; };
      std::string_view const why = !same_type(p, without_window(p, left), without_window(p, right)) ? "type mismatch"
                                   : bool(window(left)) != bool(window(right)) ? "window_buffer presence mismatch"
                                                                               : "they refer to different windows";
      diags.error(p.context().sources.resolve(p.where(o).text), "AssignTypeSymmetry",
                  "AssignTypeSymmetry: in function '" + std::string(function_name(p, f)) + "', variable '" +
                      std::string(hint(p, variable)) + "' has another type than what it is set to: " + std::string(why));
    });
  return good;
}

}  // namespace mpmd::ir::host
