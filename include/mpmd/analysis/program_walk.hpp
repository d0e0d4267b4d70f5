#pragma once
/// The steps in which a function is analysed, in program order or backwards, without a list of them being made.
///
/// A step is a value, or an op with a set of its own. Bodies of fragments and of named computations are opaque and
/// have no steps, nor has the body of an ordinary op with regions; the body of a loop belongs to the function around
/// it.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <ranges>
#include <type_traits>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/analysis/program_map.hpp>

namespace mpmd {

enum class step_kind : std::uint8_t {
  op,               ///< an ordinary op, and its first result
  result,           ///< a further result of one
  sink,             ///< an ordinary op without results
  assign,           ///< an assign, and its result
  barrier,          ///< a reduce or broadcast, and its result
  source,           ///< a result of an unassign, transfer, fragment, ...
  call,             ///< a call
  call_result,      ///< its results
  argument,         ///< an argument of a function
  loop_argument,    ///< an argument of a loop's body
  loop_result,      ///< a result of a loop
  function_result,  ///< a result of a function
};

template <mpmd_program P>
struct program_step {
  fact_number number = 0;
  step_kind kind = step_kind::op;
  std::uint32_t index = 0;  ///< which result or argument
  /// The op; of a loop result the terminator of the loop's body, of a function result that of the function's; none
  /// for an argument of a function.
  op_t<P> o = {};
  value_t<P> v = {};  ///< the value, none for sinks, calls and function results
};

namespace detail {

/// The ops of one body, first to last or last to first.
template <mpmd_program P, bool Backward>
class body_cursor {
  using range = decltype(mpmd::body(std::declval<P const&>(), op_t<P>{}));
  static constexpr bool listed =
      Backward && !(std::ranges::bidirectional_range<range> && std::ranges::common_range<range>);

 public:
  body_cursor(P const& p, op_t<P> of) : of_(of), range_(mpmd::body(p, of)) {
    if constexpr (listed)
      for (auto&& o : range_) list_.push_back(o);
    else if constexpr (Backward)
      at_ = std::ranges::end(range_);
    else
      at_ = std::ranges::begin(range_);
    if constexpr (!listed && Backward)
      stop_ = std::ranges::begin(range_);
    else if constexpr (!listed)
      stop_ = std::ranges::end(range_);
  }
  body_cursor(body_cursor const&) = delete;  // the iterators may point into the range
  body_cursor& operator=(body_cursor const&) = delete;

  op_t<P> of() const { return of_; }
  /// Moves to the next op; none at the end.
  bool next(op_t<P>& o) {
    if constexpr (listed) {
      if (list_.empty()) return false;
      o = list_.back();
      list_.pop_back();
    } else if constexpr (Backward) {
      if (at_ == stop_) return false;
      o = *--at_;
    } else {
      if (at_ == stop_) return false;
      o = *at_;
      ++at_;
    }
    return true;
  }

 private:
  op_t<P> of_;
  range range_;
  std::ranges::iterator_t<range> at_ = {};
  std::conditional_t<Backward, std::ranges::iterator_t<range>, std::ranges::sentinel_t<range>> stop_ = {};
  std::vector<op_t<P>> list_;
};

/// The steps of an op other than an ordinary one with one result.
template <bool Backward, mpmd_program P, class Visit>
void walk_op(program_map<P> const& map, op_t<P> o, role r, Visit& visit) {
  P const& p = map.program();
  auto&& results = ir_traits<P>::results(p, o);
  auto each_result = [&](step_kind kind) {
    std::uint32_t i = 0;
    for (auto&& v : results) visit({map.number(v), kind, i++, o, v});
  };
  switch (r) {
    case role::compute: {
      // The set of the whole op stands at the first result. The others lead into it backward, in order, and out of
      // it forward.
      auto further = [&] {
        std::uint32_t i = 0;
        for (auto&& v : results) {
          if (i > 0) visit({map.number(v), step_kind::result, i, o, v});
          ++i;
        }
      };
      value_t<P> const first = map.first_result(o);
      if (std::ranges::begin(results) == std::ranges::end(results)) {
        visit({map.nowhere(), step_kind::sink, 0, o, {}});
        return;
      }
      if constexpr (Backward) further();
      visit({map.number(first), step_kind::op, 0, o, first});
      if constexpr (!Backward) further();
      return;
    }
    case role::assign: return each_result(step_kind::assign);
    case role::reduce:
    case role::broadcast: return each_result(step_kind::barrier);
    case role::call:
      if constexpr (Backward) each_result(step_kind::call_result);
      visit({map.nowhere(), step_kind::call, 0, o, {}});
      if constexpr (!Backward) each_result(step_kind::call_result);
      return;
    case role::argument: return each_result(step_kind::argument);
    case role::terminator: return;
    default: return each_result(step_kind::source);
  }
}

}  // namespace detail

/// Visits the steps of a function. Definitions come before uses, or, backward, uses before definitions.
template <bool Backward, mpmd_program P, class Visit>
void walk_steps(program_map<P> const& map, typename program_map<P>::function const& f, Visit visit) {
  using traits = ir_traits<P>;
  using cursor = detail::body_cursor<P, Backward>;
  P const& p = map.program();
  // Ordinary ops with one result are nearly all there is: what a visitor does for them is worth inlining, once.
  auto rarely = [&visit](program_step<P> const& s) __attribute__((noinline)) { visit(s); };
  auto arguments = [&](op_t<P> of, step_kind kind) {
    std::uint32_t i = 0;
    op_t<P> const o = kind == step_kind::argument ? op_t<P>{} : of;
    for (auto&& a : mpmd::arguments(p, of)) rarely({map.number(a), kind, i++, o, a});
  };
  auto loop_results = [&](op_t<P> loop) {
    op_t<P> const yields = map.terminator_of(loop);
    std::uint32_t i = 0;
    for (auto&& v : traits::results(p, loop)) rarely({map.number(v), step_kind::loop_result, i++, yields, v});
  };
  auto function_results = [&] {
    for (std::uint32_t i = 0; i < f.result_count; ++i)
      rarely({f.result(i), step_kind::function_result, i, f.terminator, {}});
  };

  if constexpr (Backward)
    function_results();
  else
    arguments(f.o, step_kind::argument);
  cursor outermost(p, f.o);
  std::vector<std::unique_ptr<cursor>> loops;  // the open ones
  cursor* in = &outermost;
  while (true) {
    op_t<P> o;
    if (!in->next(o)) {
      if (loops.empty()) break;
      if constexpr (Backward)
        arguments(in->of(), step_kind::loop_argument);
      else
        loop_results(in->of());
      loops.pop_back();
      in = loops.empty() ? &outermost : loops.back().get();
      continue;
    }
    role const r = traits::role_of(p, o);
    if (r == role::compute) [[likely]] {
      auto&& results = traits::results(p, o);
      if (std::ranges::distance(results) == 1) [[likely]] {
        value_t<P> const v = *std::ranges::begin(results);
        visit({map.number(v), step_kind::op, 0, o, v});
        continue;
      }
    } else if (r == role::loop) {
      if constexpr (Backward)
        loop_results(o);
      else
        arguments(o, step_kind::loop_argument);
      loops.push_back(std::make_unique<cursor>(p, o));
      in = loops.back().get();
      continue;
    }
    detail::walk_op<Backward>(map, o, r, rarely);
  }
  if constexpr (Backward)
    arguments(f.o, step_kind::argument);
  else
    function_results();
}

/// Calls `visit(v)` for the values that ops inside `o` use but do not define, each once, in the order of their first
/// use. Linear in what is inside.
template <mpmd_program P, class Visit>
void for_each_captured_value(program_map<P> const& map, op_t<P> o, Visit visit) {
  if constexpr (has_functions<P>) {
    P const& p = map.program();
    std::unordered_set<fact_number> seen;  // defined inside, or visited
    std::vector<std::unique_ptr<detail::body_cursor<P, false>>> open;
    auto enter = [&](op_t<P> of) {
      for (auto&& a : mpmd::arguments(p, of)) seen.insert(map.number(a));
      open.push_back(std::make_unique<detail::body_cursor<P, false>>(p, of));
    };
    enter(o);
    while (!open.empty()) {
      op_t<P> inner;
      if (!open.back()->next(inner)) {
        open.pop_back();
        continue;
      }
      for (auto&& v : ir_traits<P>::operands(p, inner))
        if (seen.insert(map.number(v)).second) visit(v);
      for (auto&& v : ir_traits<P>::results(p, inner)) seen.insert(map.number(v));
      enter(inner);
    }
  }
}

}  // namespace mpmd
