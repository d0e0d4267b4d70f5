#pragma once
/// Inlining of `func.call`.

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/locate.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/symbol_uses.hpp>
#include <mpmd/ir/symbols.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::ir {

namespace detail {

class function_inliner {
 public:
  function_inliner(program& in, diagnostics& diags) : in_(in), diags_(diags), symbols_(in) {}

  bool run() {
    std::vector<op> all, around;
    walk_around(
        in_, in_.root(),
        [&](op o) {
          if (is_function(in_, o)) {
            all.push_back(o);
            around.push_back(o);
          } else if (!around.empty()) {
            ++sizes_[around.back()];
            if (in_.is(o, opcode::mpmd_call))
              if (op const callee = symbols_.resolve(o, "callee")) placed_.insert(callee);
            if (!in_.is(o, opcode::func_call)) return;
            if (op const callee = symbols_.resolve(o, "callee")) calls_[around.back()].emplace_back(o, callee);
          }
        },
        [&](op o) {
          if (!around.empty() && around.back() == o) around.pop_back();
        });
    for (op const f : all)
      if (!visit(f)) return false;
    if (!check_staying()) return false;
    for (auto const& [call, callee] : chosen_) inline_one(call, callee);
    // Callees that only inlined calls named.
    if (!inlined_.empty()) {
      std::unordered_set<std::string> named;
      symbol_uses uses(in_.context());
      walk(in_, in_.root(), [&](op o) {
        uses.of(in_, o, [&](std::string_view label) { named.emplace(label); });
      });
      for (op const f : all)
        if (inlined_.contains(f) && visibility_of(in_, f) == symbol_visibility::is_private &&
            !named.contains(std::string(symbol_name(in_, f))))
          in_.erase(f);
    }
    return true;
  }

 private:
  enum class state : std::uint8_t { fresh, open, done };

  /// Chooses the calls to be inlined, callees first, on a list instead of the call stack; calls in a cycle stay. Counts
  /// what would be made.
  bool visit(op root) {
    if (states_[root] != state::fresh) return true;
    std::vector<std::pair<op, std::size_t>> path{{root, 0}};
    states_[root] = state::open;
    while (!path.empty()) {
      op const f = path.back().first;
      auto const at = calls_.find(f);
      if (at == calls_.end() || path.back().second == at->second.size()) {
        if (at != calls_.end())
          for (auto const& [call, callee] : at->second) {
            if (states_[callee] != state::done)
              staying_.emplace_back(call, callee);
            else if (!choose(f, call, callee))
              return false;
          }
        states_[f] = state::done;
        path.pop_back();
        continue;
      }
      op const callee = at->second[path.back().second++].second;
      if (states_[callee] != state::fresh) continue;
      states_[callee] = state::open;
      path.emplace_back(callee, 0);
    }
    return true;
  }

  /// What mpmd calls call is placed on meshes, and then has operands there: ordinary calls of it cannot stay.
  bool check_staying() {
    bool good = true;
    for (auto const& [call, callee] : staying_) {
      if (!placed_.contains(callee) && !is_mpmd_function(in_, callee)) continue;
      std::string const name(symbol_name(in_, callee));
      diags_.emit({severity::error, "inline.recursion", locate(in_.context(), in_.where(call)),
                   "function '" + name + "' calls itself, directly or through other functions, and cannot be inlined",
                   {{locate(in_, callee), "it is to run on meshes, and what runs there is written out; make a loop of it"}}});
      good = false;
    }
    return good;
  }

  bool choose(op caller, op call, op callee) {
    std::size_t const size = sizes_[callee];
    if (size > most_added_ops - added_) {
      diags_.error(locate(in_.context(), in_.where(call)), "inline",
                   "inlining the functions of this program would make more than " + std::to_string(most_added_ops) +
                       " ops; call some of them with mpmd.call instead");
      return false;
    }
    added_ += size;
    sizes_[caller] += size;
    chosen_.emplace_back(call, callee);
    return true;
  }

  void inline_one(op call, op callee) {
    block const body = entry_block(in_, callee);
    op const end = body && !in_.next_block(body) ? terminator(in_, callee) : op{};
    if (!end || in_.arguments(body).size() != in_.operand_count(call) || in_.operand_count(end) != in_.result_count(call))
      return;
    for (std::uint32_t i = 0; i < in_.operand_count(call); ++i)
      if (in_.type_of(in_.operand(call, i)) != in_.type_of(in_.argument(body, i))) return;
    for (std::uint32_t i = 0; i < in_.result_count(call); ++i)
      if (in_.type_of(in_.operand(end, i)) != in_.type_of(in_.result(call, i))) return;
    program::value_map map;
    for (std::uint32_t i = 0; i < in_.operand_count(call); ++i) map[in_.argument(body, i)] = in_.operand(call, i);
    for (op o = in_.first_op(body); o != end; o = in_.next_op(o)) {
      op const copy = in_.clone(o, map);
      in_.insert_before(call, copy);
      walk(in_, copy, [&](op inner) { called_from(inner, in_.where(call).given); });
    }
    for (std::uint32_t i = 0; i < in_.result_count(call); ++i) {
      auto const at = map.find(in_.operand(end, i));
      in_.replace_all_uses(in_.result(call, i), at == map.end() ? in_.operand(end, i) : at->second);
    }
    in_.erase(call);
    inlined_.insert(callee);
  }
  void called_from(op o, attribute caller) {
    location at = in_.where(o);
    if (!at.given || !caller) return;
    at.given = in_.context().get(callsite_loc{at.given, caller});
    in_.set_where(o, at);
  }

  program& in_;
  diagnostics& diags_;
  symbol_tables symbols_;
  std::unordered_map<op, std::vector<std::pair<op, op>>> calls_;  // calls in each function, and whom they call
  std::unordered_map<op, state> states_;
  std::unordered_map<op, std::size_t> sizes_;  // ops of each function, at last with what is inlined
  std::vector<std::pair<op, op>> chosen_;      // calls and whom they call, callees first
  std::vector<std::pair<op, op>> staying_;     // those in a cycle
  std::unordered_set<op> placed_;              // what mpmd calls call
  std::unordered_set<op> inlined_;
  std::size_t added_ = 0;
};

}  // namespace detail

/// Puts the bodies of functions of one block in the place of `func.call`, in every region; callees before callers, and
/// not where functions call each other in a cycle. Private functions that nothing names then go. False, without a
/// change, after reporting that the program would grow by more than `most_added_ops`, or that a function which is to run on
/// meshes calls itself. Linear in the program that results.
inline bool inline_functions(program& in, diagnostics& diags) { return detail::function_inliner(in, diags).run(); }

}  // namespace mpmd::ir
