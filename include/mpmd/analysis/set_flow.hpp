#pragma once
/// Views of a program as flow graphs of steps, one for each question: along which edges do use sets and src
/// sets flow?

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include <mpmd/analysis/program_walk.hpp>
#include <mpmd/dataflow/direction.hpp>
#include <mpmd/graph/flow_graph.hpp>

namespace mpmd {

/// The edges that cross calls: from the operands of every call into the arguments of its callee, and from the
/// results of a function into the results of its calls. Built once, linear in the program.
template <mpmd_program P>
class call_edges {
 public:
  explicit call_edges(program_map<P> const& map) {
    P const& p = map.program();
    for (auto const& f : map.functions())
      walk_steps<false>(map, f, [&](program_step<P> const& s) {
        if (s.kind != step_kind::call) return;
        auto const* to = map.callee(s.o);
        if (to == nullptr) return;
        std::uint32_t i = 0;
        auto&& operands = ir_traits<P>::operands(p, s.o);
        for (auto&& a : mpmd::arguments(p, to->o)) {
          auto const at = std::ranges::next(std::ranges::begin(operands), i++, std::ranges::end(operands));
          if (at == std::ranges::end(operands)) break;
          edges_.push_back({map.number(a), edges_.size(), {map.number(*at), step_kind::source, 0, {}, *at}});
        }
        i = 0;
        for (auto&& r : ir_traits<P>::results(p, s.o)) {
          if (i == to->result_count) break;
          edges_.push_back({map.number(r),
                            edges_.size(),
                            {to->result(i), step_kind::function_result, i, to->terminator, {}}});
          ++i;
        }
      });
    std::sort(edges_.begin(), edges_.end(), [](edge const& a, edge const& b) {
      return a.into != b.into ? a.into < b.into : a.place < b.place;
    });
  }

  /// Calls `f(step)` for what leads into an argument or call result from the other side of calls, in program
  /// order.
  template <class F>
  void for_each_into(fact_number into, F f) const {
    auto at = std::lower_bound(edges_.begin(), edges_.end(), into,
                               [](edge const& e, fact_number n) { return e.into < n; });
    for (; at != edges_.end() && at->into == into; ++at) f(at->from);
  }

 private:
  struct edge {
    fact_number into;
    std::size_t place;  // in program order of the calls
    program_step<P> from;
  };
  std::vector<edge> edges_;
};

/// How sets flow through a function, or through a whole program when none is named. Without `calls` a call is
/// opaque. With `origins`, by number, what a value's users are led to is not the value but where it comes from.
template <mpmd_program P, bool Use>
struct set_flow {
  program_map<P> const* map;
  typename program_map<P>::function const* function = nullptr;
  call_edges<P> const* calls = nullptr;
  std::vector<fact_number> const* origins = nullptr;
};

/// Edges for use sets: what an op uses must be where the op must be. Barriers, unassigns and everything on a
/// mesh stop them; a call is crossed only where the view is told how.
template <class P>
using use_flow = set_flow<P, true>;
/// Edges for src sets: an op can be where all its operands can be. Barriers and everything on a mesh stop
/// them.
template <class P>
using src_flow = set_flow<P, false>;

template <mpmd_program P, bool Use>
struct ir_traits<set_flow<P, Use>> {
  using graph = set_flow<P, Use>;
  using node = program_step<P>;
  static constexpr bool is_view = true;

  static std::size_t index(graph const&, node const& n) { return n.number; }
  static std::size_t index_bound(graph const& g) { return g.map->bound(); }
  static bool topologically_ordered(graph const& g) {
    if constexpr (requires { ir_traits<P>::in_dominance_order(g.map->program(), g.function->o); })
      return g.calls == nullptr && g.function != nullptr &&
             ir_traits<P>::in_dominance_order(g.map->program(), g.function->o);
    else
      return false;
  }

  template <direction D, class Visit>
  static void for_each_node(graph const& g, Visit visit) {
    if (g.function != nullptr) return walk_steps < D == backward > (*g.map, *g.function, visit);
    for (auto const& f : g.map->functions()) walk_steps<D == backward>(*g.map, f, visit);
  }
  static std::vector<node> nodes(graph const& g) {
    std::vector<node> all;
    for_each_node<forward>(g, [&all](node const& n) { all.push_back(n); });
    return all;
  }

  // Inlined by force: left to themselves, compilers make three calls an op of what is a loop over its
  // operands.
  template <class Visit>
  [[gnu::always_inline]] static void for_each_predecessor(graph const& g, node const& n, Visit visit) {
    P const& p = g.map->program();
    switch (n.kind) {
      case step_kind::op: {
        bool const leaf = is_leaf(p, n.o);
        operands(g, n.o, visit);
        if (!leaf) [[unlikely]]
          for (auto const& v : captured_values(*g.map, n.o)) visit(of_value(g, v));
        return;
      }
      case step_kind::result: return visit(of_value(g, g.map->first_result(n.o)));
      case step_kind::assign: return operands(g, n.o, visit);
      case step_kind::barrier:
        if constexpr (Use)
          for (auto&& v : ir_traits<P>::operands(p, n.o))
            if (defined_by(p, v, role::broadcast)) visit(of_value(g, v));
        return;
      case step_kind::loop_argument:
      case step_kind::loop_result:
      case step_kind::function_result:
        if (auto const v = operand(p, n.o, n.index))
          // A value that an assign put on a mesh can go nowhere else, but that is not for its users to be
          // told here.
          if (Use || !defined_by(p, *v, role::assign)) visit(of_value(g, *v));
        return;
      case step_kind::argument:
      case step_kind::call_result:
        if (g.calls != nullptr) g.calls->for_each_into(n.number, visit);
        return;
      default: return;
    }
  }
  static std::vector<node> predecessors(graph const& g, node const& n) {
    std::vector<node> all;
    for_each_predecessor(g, n, [&all](node const& m) { all.push_back(m); });
    return all;
  }

 private:
  static node of_value(graph const& g, value_t<P> v) {
    fact_number const n = g.map->number(v);
    return {!Use && g.origins != nullptr ? (*g.origins)[n] : n, step_kind::source, 0, {}, v};
  }

  template <class Visit>
  [[gnu::always_inline]] static void operands(graph const& g, op_t<P> o, Visit& visit) {
    auto&& all = ir_traits<P>::operands(g.map->program(), o);
    using range = decltype(all);
    if constexpr (Use && std::ranges::bidirectional_range<range> && std::ranges::common_range<range>) {
      // The last operand comes first: that is the order in which uses are joined into printed sets.
      auto const first = std::ranges::begin(all);
      for (auto at = std::ranges::end(all); at != first;) visit(of_value(g, *--at));
    } else {
      for (auto&& v : all) visit(of_value(g, v));
    }
  }
  static std::optional<value_t<P>> operand(P const& p, op_t<P> o, std::uint32_t i) {
    if (!o) return std::nullopt;
    auto&& all = ir_traits<P>::operands(p, o);
    auto const at = std::ranges::next(std::ranges::begin(all), i, std::ranges::end(all));
    if (at == std::ranges::end(all)) return std::nullopt;
    return *at;
  }
  static bool defined_by(P const& p, value_t<P> v, role r) {
    op_t<P> const d = mpmd::defining_op(p, v);
    return d && ir_traits<P>::role_of(p, d) == r;
  }
};

}  // namespace mpmd
