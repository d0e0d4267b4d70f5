#pragma once
/// -mpmd-validate-named-ops-in-mpmd-func: named ops stand where the other passes look for them.

#include <string>
#include <string_view>
#include <tuple>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/option.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// Reports an error for each named computation or tensor that stands directly neither in a function with a
/// topology nor in a named computation, fragment or loop. By default it only reports, and what comes behind
/// it runs; with `fail` it also fails. Linear.
struct validate_named_ops_in_mpmd_func {
  bool fail = false;

  static constexpr std::string_view name = "mpmd-validate-named-ops-in-mpmd-func";
  static constexpr std::string_view summary =
      "Report named computations and tensors in ops that are not mpmd's";
  static constexpr auto options =
      std::tuple{option{"fail", &validate_named_ops_in_mpmd_func::fail, "Stop behind an error"}};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics& diags) const {
    using traits = ir_traits<P>;
    bool good = true;
    for (op_t<P> const f : functions(p))
      walk_ops(p, f, [&](op_t<P> o) {
        role const r = traits::role_of(p, o);
        if (r != role::named_computation && r != role::named_tensor) return;
        op_t<P> const holder = traits::parent_op(p, o);
        role const around = traits::role_of(p, holder);
        bool const in_function = holder == f;
        if (in_function
                ? takes_part(p, f)
                : around == role::named_computation || around == role::fragment || around == role::loop)
          return;
        std::string message = r == role::named_computation ? "Named computations" : "Named tensors";
        message += " can only be nested in mpmd functions or mpmd ops. '" + traits::origin_of(p, o).name +
                   "' stands in ";
        if (in_function)
          message += "function '" + std::string(traits::function_name(p, f)) + "', which has no topology";
        else
          message += traits::op_text(p, holder);
        diags.error(traits::source_of(p, traits::location_of(p, o)), "named-op.place", std::move(message));
        good = false;
      });
    return good || !fail;
  }
};

}  // namespace mpmd
