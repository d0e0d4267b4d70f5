#pragma once
/// What the passes that put functions on meshes take for granted of them, checked before they change anything.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/calls_by_callee.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/fragments.hpp>

namespace mpmd {

namespace detail {

template <mutable_mpmd_program P>
void placement_error(P const& p, std::string_view id, op_t<P> at, std::string message, std::string hint,
                     diagnostics& diags) {
  diags.emit({severity::error, std::string(id), source_of(p, at), std::move(message),
              {{source_of(p, at), std::move(hint)}}});
}
template <mutable_mpmd_program P>
bool has_one_block(P const& p, op_t<P> f, diagnostics& diags) {
  op_t<P> const second = second_block(p, f);
  if (second)
    placement_error(p, "placement.blocks", second,
                    "a second block begins here, but function '" + std::string(ir_traits<P>::function_name(p, f)) +
                        "' has a topology and can have but one",
                    "what runs on meshes has no branches between blocks: write stablehlo.if, case or while", diags);
  return !second;
}

template <mutable_mpmd_program P>
class placeable_functions {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;

 public:
  placeable_functions(P const& p, diagnostics& diags) : in_(p), diags_(diags), errors_before_(diags.errors()) {
    for (op const f : mpmd::functions(p))
      if (takes_part(p, f) && !mpmd::is_declaration(p, f)) functions_.push_back(f);
  }

  bool good() const { return diags_.errors() == errors_before_; }

  void check_blocks() {
    for (op const f : functions_) {
      if (!has_one_block(in_, f, diags_)) continue;
      op last = {};
      for (auto&& o : mpmd::body(in_, f)) last = o;
      if (last && traits::role_of(in_, last) != role::terminator)
        fail("placement.end", last, "function '" + name(f) + "' has a topology, and ends in an op that is not known to return",
             "end it in func.return, whose operands come onto meshes");
    }
  }

  void check_callers(bool of_entries_alone) {
    calls_by_callee<P> const calls(in_);
    for (op const f : functions_) {
      if ((of_entries_alone && !is_entry(in_, f)) || !has_plain_ends(f)) continue;
      std::string const why =
          "'" + name(f) + "' has a topology, so that what it takes and returns comes onto meshes, and this ";
      for (op const call : calls.ordinary(f))
        fail("placement.call", call, why + "ordinary call of it cannot follow",
             "call it by mpmd.call from a function of the same topology, or inline the call there (-inline)");
      for (op const call : calls.of(f))
        if (op const caller = function_around(in_, call); caller && !takes_part(in_, caller))
          fail("placement.call", call, why + "call of it stands in a function without one",
               "give function '" + name(caller) + "' the topology of '" + name(f) + "'");
    }
  }

  void check_topologies() {
    std::unordered_map<std::string_view, op> by_name;
    for (op const f : functions_) by_name.emplace(traits::function_name(in_, f), f);
    for (op const f : functions_) {
      std::unordered_set<op> known;
      for (op const o : placed_ops(in_, f)) {
        if (traits::role_of(in_, o) != role::call) continue;
        auto const callee = by_name.find(traits::callee_name(in_, o));
        if (callee == by_name.end() || !known.insert(callee->second).second) continue;
        if (!have_same_meshes(f, callee->second))
          fail("call.topology", o,
               "function '" + name(callee->second) + "' has another topology than its caller '" + name(f) + "'",
               "one function cannot run on both: call a copy of it that has the topology of '" + name(f) + "'");
      }
    }
  }

  void check_ops(bool resultless) {
    for (op const f : functions_)
      for (op const o : placed_ops(in_, f)) {
        if (traits::role_of(in_, o) != role::compute || (!resultless && result_of(in_, o) == value{})) continue;
        auto check = [&](auto&& values, std::string_view verb) {
          for (auto&& each : values) {
            value const v = each;
            std::string_view const mesh = traits::mesh_of(in_, v);
            if (mesh.empty()) continue;
            fail("placement.op", o,
                 "this op " + std::string(verb) + " a value on mesh " + std::string(mesh) + ", but stands in no fragment",
                 "a fragment of that mesh has to be around it, or mpmd.unassign take the value off the mesh before; "
                 "calls of functions are inlined by -inline");
            return false;
          }
          return true;
        };
        bool fine = check(traits::operands(in_, o), "takes") && check(traits::results(in_, o), "makes");
        if (fine && !is_leaf(in_, o)) fine = check(captured_values(in_, o), "takes");
        if (fine) check_types(o);
      }
  }

 private:
  bool have_same_meshes(op f, op g) const {
    if constexpr (requires { traits::has_same_topology(in_, f, g); })
      if (traits::has_same_topology(in_, f, g)) return true;
    auto a = traits::meshes_of(in_, f), b = traits::meshes_of(in_, g);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
  }
  // Of what an op outside of fragments makes.
  void check_types(op o) {
    if constexpr (requires(type_t<P> t) { traits::is_token(in_, t); })
      for (value const v : results_of(in_, o)) {
        type_t<P> const t = traits::type_of(in_, v);
        if (traits::is_tensor(in_, t) || traits::is_token(in_, t) || !traits::mesh_of(in_, v).empty()) continue;
        fail("placement.type", o,
             "this op makes a value of type '" + std::string(traits::type_text(in_, t)) +
                 "', which is neither a tensor nor a token and cannot leave the fragment that the op would be in",
             "put the op into one computation with what uses it, or make a tensor of the value");
        return;
      }
  }
  std::string name(op f) const { return std::string(traits::function_name(in_, f)); }
  bool has_plain_ends(op f) const {
    auto plain = [&](auto&& values) {
      return std::ranges::any_of(values, [&](value v) { return traits::is_tensor(in_, traits::type_of(in_, v)); });
    };
    op const end = terminator_of(in_, f);
    return plain(mpmd::arguments(in_, f)) || (end && plain(traits::operands(in_, end)));
  }
  void fail(std::string_view id, op at, std::string message, std::string hint) {
    placement_error(in_, id, at, std::move(message), std::move(hint), diags_);
  }

  P const& in_;
  diagnostics& diags_;
  std::size_t errors_before_;
  std::vector<op> functions_;
};

}  // namespace detail

/// Whether what entry functions with a topology take and return may come onto meshes: every function with a topology has
/// one block, and no call of an entry function takes or gives it what is on no mesh yet. Reports what is not so. Linear in
/// the program.
template <mutable_mpmd_program P>
bool entries_may_be_placed(P const& p, diagnostics& diags) {
  detail::placeable_functions<P> functions(p, diags);
  functions.check_blocks();
  functions.check_callers(true);
  return functions.good();
}

/// Whether what a function returns may be given other types: it has one block, and no ordinary call enters it. Reports
/// what is not so. O(body).
template <mutable_mpmd_program P>
bool results_may_change(P const& p, op_t<P> f, calls_by_callee<P> const& calls, diagnostics& diags) {
  bool const one = detail::has_one_block(p, f, diags);
  for (op_t<P> const call : calls.ordinary(f))
    detail::placement_error(p, "placement.call", call,
                            "'" + std::string(ir_traits<P>::function_name(p, f)) +
                                "' comes to return a value of another type, and this ordinary call of it cannot follow",
                            "inline the call before (-inline), or make it an mpmd.call", diags);
  return one && calls.ordinary(f).empty();
}

/// Whether everything in functions with a topology may come onto meshes: each has one block; what takes or makes a value
/// on a mesh is an op of the mpmd dialect or stands in a fragment; and all that calls the function can follow: mpmd calls
/// in functions with the same meshes. Other calls stay as they are, and may only hand over what is on meshes already.
/// Reports what is not so; of ops without results only if `resultless` ones are to be placed. Linear in the program and the
/// topologies.
template <mutable_mpmd_program P>
bool functions_may_be_placed(P const& p, bool resultless, diagnostics& diags) {
  detail::placeable_functions<P> functions(p, diags);
  functions.check_blocks();
  functions.check_callers(false);
  functions.check_topologies();
  functions.check_ops(resultless);
  return functions.good();
}

}  // namespace mpmd
