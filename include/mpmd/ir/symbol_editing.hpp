#pragma once
/// Names and calls of functions, as the library's own IR models symbol_program and inlinable_program. They are members of
/// ir_traits<ir::program> (ir/traits.hpp).

#include <string_view>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/symbol_uses.hpp>
#include <mpmd/ir/symbols.hpp>

namespace mpmd::ir {

struct symbol_editing {
  using symbol_uses = ir::symbol_uses;

  static op root(program const& p) { return p.root(); }
  static bool is_symbol_table(program const& p, op o) { return ir::is_symbol_table(p, o); }
  static std::string_view symbol_name(program const& p, op o) { return ir::symbol_name(p, o); }
  static bool is_private(program const& p, op o) { return visibility_of(p, o) == symbol_visibility::is_private; }
  static bool is_function(program const& p, op o) { return ir::is_function(p, o); }
  static bool is_function_call(program const& p, op o) { return p.is(o, opcode::func_call); }
  static void set_called_from(program& p, op o, location caller) {
    location at = p.where(o);
    if (!at.given || !caller.given) return;
    at.given = p.context().get(callsite_loc{at.given, caller.given});
    p.set_where(o, at);
  }
};

}  // namespace mpmd::ir
