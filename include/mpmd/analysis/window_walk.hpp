#pragma once
/// A window program as one list of steps, and its values as numbers.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/graph/window_program.hpp>

namespace mpmd {

/// One step of a walk: an op that holds no others, or the start or end of one that does or of a body of it.
template <class Op>
struct window_step {
  enum class kind : std::uint8_t { op, open, body, end_of_body, close };
  kind what;
  window_role role;
  Op o;
};

namespace detail {

/// Dense numbers of values: the program's own, or in the order in which they are met.
template <window_program P>
class value_numbers {
 public:
  explicit value_numbers(P const& p) : program_(&p) {}
  std::uint32_t operator()(value_t<P> const& v) {
    if constexpr (has_value_index<P>)
      return static_cast<std::uint32_t>(ir_traits<P>::index(*program_, v));
    else
      return numbers_.try_emplace(v, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  std::size_t bound() const {
    if constexpr (has_value_index<P>)
      return ir_traits<P>::index_bound(*program_);
    else
      return numbers_.size();
  }

 private:
  struct nothing {};
  template <class Value>
  struct hashed {
    using type = std::unordered_map<Value, std::uint32_t>;
  };
  struct unneeded {
    using type = nothing;
  };
  P const* program_;
  [[no_unique_address]] typename std::conditional_t<has_value_index<P>, unneeded, hashed<value_t<P>>>::type numbers_;
};

/// A range that is there as long as the program, or a copy of one that is not.
template <class Range>
auto lasting(Range&& r) {
  if constexpr (std::is_lvalue_reference_v<Range&&> && !std::ranges::view<std::remove_cvref_t<Range>>)
    return std::ranges::ref_view(r);
  else
    return std::remove_cvref_t<Range>(std::forward<Range>(r));
}

/// The bodies of an op, each a range of ops. One body for a host that does not tell them apart.
template <window_program P>
auto bodies_of(P const& p, op_t<P> o) {
  auto one = [](auto&& ops) {
    std::vector<decltype(lasting(std::forward<decltype(ops)>(ops)))> all;
    all.push_back(lasting(std::forward<decltype(ops)>(ops)));
    return all;
  };
  if constexpr (requires { ir_traits<P>::bodies(p, o); }) {
    using given = decltype(ir_traits<P>::bodies(p, o));
    // Bodies of a list that goes away with this call are copied, unless they are views.
    if constexpr (std::is_lvalue_reference_v<given>) {
      std::vector<decltype(lasting(*std::ranges::begin(ir_traits<P>::bodies(p, o))))> all;
      for (auto&& ops : ir_traits<P>::bodies(p, o)) all.push_back(lasting(ops));
      return all;
    } else {
      std::vector<std::remove_cvref_t<std::ranges::range_value_t<given>>> all;
      for (auto&& ops : ir_traits<P>::bodies(p, o)) all.push_back(std::move(ops));
      return all;
    }
  } else if constexpr (has_functions<P>) {
    return one(ir_traits<P>::body(p, o));
  } else {
    return one(ir_traits<P>::ops(p));
  }
}

}  // namespace detail

/// The functions that are looked at, in the order of their names; a program without functions is a single one, named by
/// no op.
template <window_program P>
std::vector<op_t<P>> window_functions(P const& p) {
  std::vector<op_t<P>> all;
  if constexpr (has_window_functions<P>)
    for (auto&& f : ir_traits<P>::window_functions(p)) all.push_back(f);
  else if constexpr (has_functions<P>)
    for (auto&& f : ir_traits<P>::functions(p)) all.push_back(f);
  else
    all.push_back({});
  if constexpr (requires(op_t<P> f) { ir_traits<P>::function_name(p, f); }) {
    struct named {
      std::string name;
      std::size_t place;
      op_t<P> o;
    };
    std::vector<named> order;
    for (std::size_t i = 0; i < all.size(); ++i)
      order.push_back({std::string(ir_traits<P>::function_name(p, all[i])), i, all[i]});
    std::sort(order.begin(), order.end(), [](named const& a, named const& b) {
      return a.name != b.name ? a.name < b.name : a.place < b.place;
    });
    std::vector<op_t<P>> sorted;
    for (named const& each : order) sorted.push_back(each.o);
    return sorted;
  }
  return all;
}

/// Calls `take` with the steps of one function in program order. Ops of the role `nothing` are left out, unless all are
/// wanted. Linear; nothing recurses.
template <window_program P, class Take>
void for_each_window_step(P const& p, op_t<P> function, bool all, Take take) {
  using op = op_t<P>;
  using kind = typename window_step<op>::kind;
  using body_list = decltype(detail::bodies_of(p, function));
  using body_range = typename body_list::value_type;
  struct holder {
    op o;
    window_role role;
    body_list bodies;
    std::size_t body = 0;
    std::optional<std::ranges::iterator_t<body_range>> at = {};  // absent: the body is not begun
  };
  // Holders stay where they are: iterators point into their bodies.
  std::deque<holder> open;
  open.push_back({function, window_role::sequence, detail::bodies_of(p, function)});
  while (!open.empty()) {
    holder& in = open.back();
    if (in.body == in.bodies.size()) {
      if (open.size() > 1) take(window_step<op>{kind::close, in.role, in.o});
      open.pop_back();
      continue;
    }
    auto& ops = in.bodies[in.body];
    if (!in.at) {
      if (open.size() > 1) take(window_step<op>{kind::body, in.role, in.o});
      in.at = std::ranges::begin(ops);
    }
    bool nested = false;
    for (auto const end = std::ranges::end(ops); *in.at != end;) {
      op const o = **in.at;
      ++*in.at;
      window_role const role = ir_traits<P>::window_role_of(p, o);
      if (role == window_role::nothing && !all) continue;
      if (role != window_role::sequence && role != window_role::branch && role != window_role::loop) {
        take(window_step<op>{kind::op, role, o});
        continue;
      }
      take(window_step<op>{kind::open, role, o});
      open.push_back({o, role, detail::bodies_of(p, o)});
      nested = true;
      break;
    }
    if (nested) continue;
    if (open.size() > 1) take(window_step<op>{kind::end_of_body, in.role, in.o});
    ++in.body;
    in.at.reset();
  }
}
/// All of them as a list.
template <window_program P>
std::vector<window_step<op_t<P>>> window_steps(P const& p, op_t<P> function) {
  std::vector<window_step<op_t<P>>> steps;
  for_each_window_step(p, function, true, [&steps](window_step<op_t<P>> const& s) { steps.push_back(s); });
  return steps;
}

}  // namespace mpmd
