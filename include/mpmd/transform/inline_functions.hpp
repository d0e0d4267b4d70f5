#pragma once
/// -inline: what every compiler has, under the name that MLIR gives it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/foldable_program.hpp>
#include <mpmd/graph/symbol_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/canonicalize.hpp>
#include <mpmd/transform/erase_unused_symbols.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

namespace detail {

template <inlinable_program P>
class function_inliner {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;

 public:
  function_inliner(P& in, diagnostics& diags) : in_(in), diags_(diags) {}

  bool run() {
    look();
    for (op const f : all_)
      if (!visit(f)) return false;
    if (!check_staying()) return false;
    for (auto const& [call, callee] : chosen_) inline_one(call, callee);
    // As MLIR's inliner does: also what nobody ever called, but no declaration.
    erase_unnamed_symbols(in_, [this](op o) { return traits::is_function(in_, o) && !mpmd::is_declaration(in_, o); });
    return true;
  }

 private:
  enum class state : std::uint8_t { fresh, open, done };
  struct known_function {
    std::vector<std::pair<op, op>> calls = {};  // in it, and whom they call
    std::size_t size = 0;                       // ops, at last with what is inlined
    std::size_t ends = 0;                       // terminators, one for each block
    bool placed = false;                        // something in it stands on a mesh
    std::unordered_map<op, bool> takes = {};    // of functions it calls: whether they may stand in it
    op end = {};                                // the last of them
    state at = state::fresh;
  };

  /// Finds functions, what they call and what mpmd calls call. A name means what it does in the nearest table around.
  void look() {
    struct place {
      op o, around, table;
    };
    std::vector<place> todo;
    std::unordered_map<op, std::unordered_map<std::string, op>> tables;
    std::vector<place> calls;
    auto enter = [&](op of, op around, op table) {
      std::size_t const from = todo.size();
      for (auto&& inner : mpmd::body(in_, of)) todo.push_back({inner, around, table});
      std::reverse(todo.begin() + static_cast<std::ptrdiff_t>(from), todo.end());
    };
    op const root = traits::root(in_);
    enter(root, {}, root);
    while (!todo.empty()) {
      auto const [o, around, table] = todo.back();
      todo.pop_back();
      if (traits::is_function(in_, o)) {
        all_.push_back(o);
        tables[table].emplace(std::string(traits::symbol_name(in_, o)), o);
        enter(o, o, table);
        continue;
      }
      if (around) {
        known_function& f = functions_[around];
        ++f.size;
        for (auto&& v : traits::results(in_, o)) f.placed = f.placed || !traits::mesh_of(in_, v).empty();
        role const what = traits::role_of(in_, o);
        if (what == role::terminator && traits::parent_op(in_, o) == around) {
          ++f.ends;
          f.end = o;
        }
        if (what == role::call || traits::is_function_call(in_, o)) calls.push_back({o, around, table});
      }
      enter(o, around, traits::is_symbol_table(in_, o) ? o : table);
    }
    for (auto const& [call, around, table] : calls) {
      auto const& names = tables[table];
      auto const at = names.find(std::string(traits::callee_name(in_, call)));
      if (at == names.end()) continue;
      if (traits::is_function_call(in_, call))
        functions_[around].calls.emplace_back(call, at->second);
      else
        placed_.insert(at->second);
    }
  }

  /// Chooses the calls to be inlined, callees first, on a list instead of the call stack; calls in a cycle stay. Counts
  /// what would be made.
  bool visit(op root) {
    if (functions_[root].at != state::fresh) return true;
    std::vector<std::pair<op, std::size_t>> path{{root, 0}};
    functions_[root].at = state::open;
    while (!path.empty()) {
      known_function& f = functions_[path.back().first];  // stays where it is when others come in
      if (path.back().second == f.calls.size()) {
        for (auto const& [call, callee] : f.calls) {
          if (functions_[callee].at != state::done)
            staying_.emplace_back(call, callee);
          else if (!choose(path.back().first, call, callee))
            return false;
        }
        f.at = state::done;
        path.pop_back();
        continue;
      }
      op const callee = f.calls[path.back().second++].second;
      state& at = functions_[callee].at;
      if (at != state::fresh) continue;
      at = state::open;
      path.emplace_back(callee, 0);
    }
    return true;
  }

  /// What mpmd calls call is placed on meshes, and then has operands there: ordinary calls of it cannot stay.
  bool check_staying() {
    bool good = true;
    for (auto const& [call, callee] : staying_) {
      if (!placed_.contains(callee) && !mpmd::takes_part(in_, callee)) continue;
      diags_.emit({severity::error, "inline.recursion", source_of(in_, call),
                   "function '" + std::string(traits::symbol_name(in_, callee)) +
                       "' calls itself, directly or through other functions, and cannot be inlined",
                   {{source_of(in_, callee), "it is to run on meshes, and what runs there is written out; make a loop of it"}}});
      good = false;
    }
    return good;
  }

  /// Values on meshes can only stand where the topology has those meshes.
  bool may_stand_in(op caller, op callee) {
    if (!functions_[callee].placed || !mpmd::takes_part(in_, callee)) return true;
    if (!mpmd::takes_part(in_, caller)) return false;
    auto const [known, is_new] = functions_[caller].takes.try_emplace(callee, true);
    if (is_new) {
      auto inner = traits::meshes_of(in_, callee), outer = traits::meshes_of(in_, caller);
      std::sort(inner.begin(), inner.end());
      std::sort(outer.begin(), outer.end());
      known->second = std::includes(outer.begin(), outer.end(), inner.begin(), inner.end());
    }
    return known->second;
  }
  bool choose(op around, op call, op callee) {
    if (!may_stand_in(around, callee)) return true;
    known_function& caller = functions_[around];
    std::size_t const size = functions_[callee].size;
    if (size > most_added_ops - added_) {
      diags_.error(source_of(in_, call), "inline",
                   "inlining the functions of this program would make more than " + std::to_string(most_added_ops) +
                       " ops; call some of them with mpmd.call instead");
      return false;
    }
    added_ += size;
    caller.size += size;
    caller.placed = caller.placed || functions_[callee].placed;
    chosen_.emplace_back(call, callee);
    return true;
  }

  bool have_same_types(std::vector<value> const& a, std::vector<value> const& b) const {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [this](value x, value y) { return traits::type_of(in_, x) == traits::type_of(in_, y); });
  }
  void inline_one(op call, op callee) {
    known_function const& f = functions_[callee];
    if (f.ends != 1) return;
    std::vector<value> arguments;
    for (auto&& a : mpmd::arguments(in_, callee)) arguments.push_back(a);
    auto const operands = operands_of(in_, call), results = results_of(in_, call), returned = operands_of(in_, f.end);
    if (!have_same_types(arguments, operands) || !have_same_types(returned, results)) return;
    value_map<P> map;
    for (std::size_t i = 0; i < operands.size(); ++i) map[arguments[i]] = operands[i];
    auto const at = traits::location_of(in_, call);
    for (op const o : body_of(in_, callee)) {
      if (o == f.end) continue;
      op const copy = traits::clone(in_, o, map, insertion_point<P>::before(call));
      traits::set_called_from(in_, copy, at);
      walk_ops(in_, copy, [&](op inner) { traits::set_called_from(in_, inner, at); });
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
      auto const found = map.find(returned[i]);
      replace_uses(in_, results[i], found == map.end() ? returned[i] : found->second);
    }
    traits::erase(in_, call);
  }

  P& in_;
  diagnostics& diags_;
  std::vector<op> all_;
  std::unordered_map<op, known_function> functions_;
  std::vector<std::pair<op, op>> chosen_;   // calls and whom they call, callees first
  std::vector<std::pair<op, op>> staying_;  // those in a cycle
  std::unordered_set<op> placed_;           // what mpmd calls call
  std::size_t added_ = 0;
};

}  // namespace detail

/// Puts the bodies of functions of one block in the place of ordinary calls, in every region; callees before callers, and
/// not where functions call each other in a cycle, nor what stands on meshes that the topology of the caller lacks.
/// mpmd.call and calls of fragments stay. Private functions that nothing names then go, declarations excepted. False,
/// without a change, after reporting that the program would grow by more than `most_added_ops`, or that a function which
/// is to run on meshes calls itself. Linear in the program that results.
template <inlinable_program P>
bool inline_calls(P& p, diagnostics& diags) {
  return detail::function_inliner<P>(p, diags).run();
}

/// The same, and then, as MLIR's inliner does, simplifies what it has put together.
struct inline_functions {
  static constexpr std::string_view name = "inline";
  static constexpr std::string_view summary = "Put the bodies of functions in the place of func.call";
  static constexpr auto options = std::tuple{};
  template <inlinable_program P>
    requires foldable_program<P>
  bool operator()(P& p, diagnostics& diags) const {
    return inline_calls(p, diags) && canonicalize{}(p, diags);
  }
};

}  // namespace mpmd
