#pragma once
/// The steps in which a function is analysed, in program order or backwards, without a list of them being
/// made.
///
/// A step is a value, or an op with a set of its own. Bodies of fragments and of named computations are
/// opaque and have no steps, nor has the body of an ordinary op with regions; the body of a loop belongs to
/// the function around it.

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
  /// The op; of a loop result the terminator of the loop's body, of a function result that of the function's;
  /// none for an argument of a function.
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
  /// Calls `visit(o)` for the ops from here on, until it returns false; returns false if it did, true at the
  /// end. A function of its own, so that what the loop needs finds room in registers.
  template <class Visit>
  [[gnu::noinline]] bool each(Visit visit) {
    if constexpr (listed) {
      while (!list_.empty()) {
        op_t<P> const o = list_.back();
        list_.pop_back();
        if (!visit(o)) return false;
      }
      return true;
    } else {
      auto at = at_;
      bool going = true;
      while (going && at != stop_) {
        if constexpr (Backward) {
          going = visit(*--at);
        } else {
          going = visit(*at);
          ++at;
        }
      }
      at_ = at;
      return going;
    }
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
      // The set of the whole op stands at the first result. The others lead into it backward, in order, and
      // out of it forward.
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
  // Ordinary ops with one result are nearly all there is: what a visitor does for them is worth inlining,
  // once.
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
  // Backward the last one comes first, as of the operands of any op.
  auto function_results = [&] {
    for (std::uint32_t n = 0; n < f.result_count; ++n) {
      std::uint32_t const i = Backward ? f.result_count - 1 - n : n;
      rarely({f.result(i), step_kind::function_result, i, f.terminator, {}});
    }
  };

  if constexpr (Backward)
    function_results();
  else
    arguments(f.o, step_kind::argument);
  cursor outermost(p, f.o);
  std::vector<std::unique_ptr<cursor>> loops;  // the open ones
  cursor* in = &outermost;
  op_t<P> other = {};
  role r = role::compute;
  // Calls `visit` for ordinary ops with one result, up to another one.
  auto ordinary = [&](op_t<P> o) __attribute__((always_inline)) {
    role const its = traits::role_of(p, o);
    if (its == role::compute) [[likely]] {
      auto&& results = traits::results(p, o);
      if (std::ranges::distance(results) == 1) [[likely]] {
        value_t<P> const v = *std::ranges::begin(results);
        visit({map.number(v), step_kind::op, 0, o, v});
        return true;
      }
    }
    other = o;
    r = its;
    return false;
  };
  while (true) {
    if (!in->each(ordinary)) {
      if (r != role::loop) {
        detail::walk_op<Backward>(map, other, r, rarely);
        continue;
      }
      if constexpr (Backward)
        loop_results(other);
      else
        arguments(other, step_kind::loop_argument);
      loops.push_back(std::make_unique<cursor>(p, other));
      in = loops.back().get();
      continue;
    }
    if (loops.empty()) break;
    if constexpr (Backward)
      arguments(in->of(), step_kind::loop_argument);
    else
      loop_results(in->of());
    loops.pop_back();
    in = loops.empty() ? &outermost : loops.back().get();
  }
  if constexpr (Backward)
    arguments(f.o, step_kind::argument);
  else
    function_results();
}

/// The values that ops inside `o` use but do not define, each once, in the order of their first use, which may stand
/// before a definition. Linear in what is inside. Out of line, and a list, so that it costs nothing where ops have no
/// bodies.
template <mpmd_program P>
[[gnu::noinline]] std::vector<value_t<P>> captured_values(program_map<P> const& map, op_t<P> o) {
  std::vector<value_t<P>> captured;
  if constexpr (has_functions<P>) {
    P const& p = map.program();
    std::unordered_set<fact_number> defined, seen;
    std::vector<std::unique_ptr<detail::body_cursor<P, false>>> open;
    auto enter = [&](op_t<P> of) {
      for (auto&& a : mpmd::arguments(p, of)) defined.insert(map.number(a));
      open.push_back(std::make_unique<detail::body_cursor<P, false>>(p, of));
    };
    enter(o);
    while (!open.empty()) {
      op_t<P> deeper = {};
      bool const ended = open.back()->each([&](op_t<P> inner) {
        for (auto&& v : ir_traits<P>::operands(p, inner))
          if (fact_number const n = map.number(v); !defined.contains(n) && seen.insert(n).second) captured.push_back(v);
        for (auto&& v : ir_traits<P>::results(p, inner)) defined.insert(map.number(v));
        if (is_leaf(p, inner)) return true;
        deeper = inner;
        return false;
      });
      if (ended)
        open.pop_back();
      else
        enter(deeper);
    }
    std::erase_if(captured, [&](value_t<P> const& v) { return defined.contains(map.number(v)); });
  }
  return captured;
}

}  // namespace mpmd
