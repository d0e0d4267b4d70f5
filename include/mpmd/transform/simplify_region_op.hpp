#pragma once
/// Simplification of an op with a body that is isolated from what stands around it, as a named computation
/// and a fragment are: what it takes and gives in vain goes.
///
/// A result that the body returns twice is taken once, an operand that is handed in twice is handed in once,
/// and a result that is but an operand handed through is that operand (bypass_results: what users see);
/// results nobody uses and operands the body does not use go, with everything that only served them
/// (trim_region_op: what users do not see). Of Shardy, whose simplify-named-computations and simplify-program
/// do this.

#include <cstddef>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// Whether the op could go and nothing would change. O(size of the op) if its results are unused.
template <mutable_mpmd_program P>
bool is_dead(P const& p, op_t<P> o) {
  return may_be_erased(p, o) && has_unused_results(p, o) && ir_traits<P>::is_pure(p, o);
}

/// Redirects uses, of arguments in the body and of results behind the op, to those that are the same; whether
/// there was any. The op keeps all its operands and results. O(operands, results and redirected uses).
template <mutable_mpmd_program P>
bool bypass_results(P& p, op_t<P> o) {
  using traits = ir_traits<P>;
  op_t<P> const end = terminator_of(p, o);
  if (!end) return false;
  bool changed = false;
  auto redirect = [&](value_t<P> from, value_t<P> to) {
    changed = changed || !is_unused(p, from);
    replace_uses(p, from, to);
  };
  std::vector<value_t<P>> const operands = operands_of(p, o), results = results_of(p, o);
  std::vector<value_t<P>> arguments;
  for (auto&& a : mpmd::arguments(p, o)) arguments.push_back(a);
  if (operands_of(p, end).size() != results.size() || arguments.size() != operands.size()) return false;

  // The first with the same value; few of them differ in type.
  auto first_of = [&](auto& seen, value_t<P> key, value_t<P> mine) {
    auto& known = seen[key];
    for (value_t<P> const v : known)
      if (traits::type_of(p, v) == traits::type_of(p, mine)) return v;
    known.push_back(mine);
    return mine;
  };
  std::unordered_map<value_t<P>, std::vector<value_t<P>>> by_operand, by_returned;
  std::unordered_map<value_t<P>, std::size_t> position;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    position.emplace(arguments[i], i);
    redirect(arguments[i], first_of(by_operand, operands[i], arguments[i]));
  }
  std::vector<value_t<P>> const returned = operands_of(p, end);
  for (std::size_t i = 0; i < results.size(); ++i) {
    auto const passed = position.find(returned[i]);
    if (passed != position.end() &&
        traits::type_of(p, operands[passed->second]) == traits::type_of(p, results[i]))
      redirect(results[i], operands[passed->second]);
    else
      redirect(results[i], first_of(by_returned, returned[i], results[i]));
  }
  return changed;
}

namespace detail {

/// Which results of an op with used or impure content stay: those that somebody uses, and for each op in the
/// body with an effect of its own one for each value. At least one stays.
template <mutable_mpmd_program P>
std::vector<bool> results_to_keep(P const& p, std::vector<value_t<P>> const& results,
                                  std::vector<value_t<P>> const& returned) {
  std::vector<bool> keep(results.size(), true);
  std::unordered_map<op_t<P>, bool> pure;
  std::unordered_set<value_t<P>> given;  // by results that stay
  bool any = false;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (is_unused(p, results[i])) {
      op_t<P> const by = mpmd::defining_op(p, returned[i]);
      keep[i] = false;
      if (by && !given.contains(returned[i])) {
        auto const [at, fresh] = pure.emplace(by, false);
        if (fresh) at->second = ir_traits<P>::is_pure(p, by);
        keep[i] = !at->second;
      }
    }
    if (keep[i]) given.insert(returned[i]);
    any = any || keep[i];
  }
  if (!any && !keep.empty()) keep[0] = true;
  return keep;
}

}  // namespace detail

/// Goes through a body from its end and erases the ops that are dead by then, in it and in all bodies inside.
/// Of the ops for which `trims(o)` holds, the results and operands that go to waste go too; others keep
/// theirs. `root` itself is trimmed if that holds of it; its results have to be used. Returns what stands in
/// its place then, and whether anything changed. O(size of the op).
template <mutable_mpmd_program P, class Trims>
std::pair<op_t<P>, bool> trim_inside(P& p, op_t<P> root, Trims trims) {
  using traits = ir_traits<P>;
  struct open_body {
    op_t<P> holder;
    bool trimmed;
    std::vector<bool> keep;     // results of the holder
    std::vector<op_t<P>> todo;  // its ops, the next one last
  };
  std::vector<open_body> open;
  bool changed = false;

  auto enter = [&](op_t<P> o) {
    open_body b{o, trims(o), {}, {}};
    if (b.trimmed) {
      op_t<P> const end = terminator_of(p, o);
      std::vector<value_t<P>> const results = results_of(p, o);
      std::vector<value_t<P>> const returned = end ? operands_of(p, end) : std::vector<value_t<P>>{};
      std::size_t arguments = 0;
      for ([[maybe_unused]] auto&& a : mpmd::arguments(p, o)) ++arguments;
      b.trimmed = end && returned.size() == results.size() && arguments == operands_of(p, o).size();
      if (b.trimmed) {
        b.keep = detail::results_to_keep(p, results, returned);
        std::vector<value_t<P>> kept;
        for (std::size_t i = 0; i < returned.size(); ++i)
          if (b.keep[i]) kept.push_back(returned[i]);
        if (kept.size() != returned.size()) traits::set_operands(p, end, kept);
      }
    }
    for (auto&& inner : mpmd::body(p, o)) b.todo.push_back(inner);
    open.push_back(std::move(b));
  };
  // The holder, or the op that has taken its place because it had results or operands too many.
  auto leave = [&](open_body const& b) {
    op_t<P> const o = b.holder;
    if (!b.trimmed) return o;
    std::vector<value_t<P>> const operands = operands_of(p, o), results = results_of(p, o);
    std::vector<value_t<P>> handed;
    std::vector<std::size_t> unused, dropped;
    std::size_t i = 0;
    for (auto&& a : mpmd::arguments(p, o)) {
      if (is_unused(p, static_cast<value_t<P>>(a)))
        unused.push_back(i);
      else
        handed.push_back(operands[i]);
      ++i;
    }
    std::vector<type_t<P>> types;
    for (i = 0; i < results.size(); ++i)
      if (b.keep[i])
        types.push_back(traits::type_of(p, results[i]));
      else
        dropped.push_back(i);
    if (unused.empty() && dropped.empty()) return o;
    changed = true;
    traits::erase_arguments(p, o, unused);
    for (i = dropped.size(); i-- > 0;) traits::erase_results_kept(p, o, dropped[i]);
    op_t<P> const made = traits::recreate(p, o, handed, types);
    std::vector<value_t<P>> const now = results_of(p, made);
    std::size_t at = 0;
    for (i = 0; i < results.size(); ++i)
      if (b.keep[i]) replace_uses(p, results[i], now[at++]);
    traits::erase(p, o);
    return made;
  };

  op_t<P> left = root;
  enter(root);
  while (!open.empty()) {
    if (open.back().todo.empty()) {
      open_body const b = std::move(open.back());
      open.pop_back();
      left = leave(b);
      continue;
    }
    op_t<P> const o = open.back().todo.back();
    open.back().todo.pop_back();
    if (is_dead(p, o)) {
      traits::erase(p, o);
      changed = true;
    } else {
      enter(o);
    }
  }
  return {left, changed};
}

/// Erases the dead ops inside an op, whatever they stand in; whether there were any. O(size of the op).
template <mutable_mpmd_program P>
bool erase_dead_ops(P& p, op_t<P> root) {
  return trim_inside(p, root, [](op_t<P>) { return false; }).second;
}

/// Drops what one op with a body takes and gives in vain. What stands in its place then: itself, another op,
/// or none if it was dead. O(size of the op).
template <mutable_mpmd_program P>
op_t<P> trim_region_op(P& p, op_t<P> o) {
  if (is_dead(p, o)) {
    ir_traits<P>::erase(p, o);
    return {};
  }
  return trim_inside(p, o, [o](op_t<P> at) { return at == o; }).first;
}

/// Both simplifications of one op. What stands in its place then: itself, another op, or none. O(size of the
/// op).
template <mutable_mpmd_program P>
op_t<P> simplify_region_op(P& p, op_t<P> o) {
  bypass_results(p, o);
  return trim_region_op(p, o);
}

}  // namespace mpmd
