#pragma once
/// The walk that makes a window_graph.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include <mpmd/analysis/detail/window_op_visitor.hpp>
#include <mpmd/analysis/window_devices.hpp>
#include <mpmd/analysis/window_graph.hpp>
#include <mpmd/analysis/window_walk.hpp>

namespace mpmd::detail {

template <window_program P>
class window_graph_builder : window_op_visitor<P> {
  using base = window_op_visitor<P>;
  using typename base::graph;
  using typename base::kind;
  using typename base::op;
  using typename base::state;
  using typename base::value;
  using base::add_node;
  using base::add_source;
  using base::at;
  using base::current_;
  using base::define;
  using base::g_;
  using base::integer;
  using base::loop_depth_;
  using base::loops_;
  using base::make_room;
  using base::never_;
  using base::none;
  using base::number_;
  using base::p_;
  using base::use;
  using base::view_at_;
  using step_kind = typename window_step<op>::kind;
  static constexpr bool has_parameters = has_arguments<P> && has_functions<P> && !has_window_functions<P>;

 public:
  window_graph_builder(P const& p, window_options options) : base(p, options) {}

  graph build() && {
    for (op const& f : window_functions(p_)) add_function(f);
    this->list_sources();
    return std::move(g_);
  }

 private:
  // An open op that holds others.
  struct frame {
    op o;
    window_role role;
    std::vector<value> set_inside;             // variables that several ops set, by number
    std::vector<window_node> before;           // what they held before; of a loop, their merges
    std::vector<std::vector<window_node>> after;  // what they held at the end of each body
    std::vector<window_node> yields;           // by place
    loop_parts<value> loop;
    std::vector<window_node> carried;
    bool never = false;                        // its bodies never run
    bool surely = false;                       // of a loop: it makes a round, and is not left early
    std::uint32_t bodies = 0;
  };

  void add_function(op f) {
    typename graph::function fn;
    fn.o = f;
    fn.materialised = mpmd::is_materialised(p_, f);
    current_ = &fn;
    if constexpr (has_parameters)
      for (auto&& v : ir_traits<P>::arguments(p_, f)) note_set(value(v));
    bool again = false;
    std::size_t opened = 0, allocations = 0, views = 0, dispatches = 0;
    steps_.clear();
    make_room(steps_, 128);
    for_each_window_step(p_, f, false, [&](window_step<op> const& s) {
      steps_.push_back(s);
      if (s.what != step_kind::op && s.what != step_kind::open) return;
      opened += s.what == step_kind::open;
      if (s.role == window_role::dispatch) ++dispatches;
      if (s.role == window_role::allocation) ++allocations;
      if (s.role == window_role::view) ++views;
      if (s.role != window_role::loop && mpmd::is_expression(p_, s.o)) return;  // only one op sets such a value
      for_each_set(s.o, s.role, [&](value const& v) { again |= note_set(v); });
    });
    // These are many, and large enough that moving them to more room again and again would show.
    make_room(g_.allocations, allocations);
    make_room(g_.views, views);
    make_room(view_at_, views);
    make_room(g_.dispatches, dispatches);
    make_room(g_.sites, dispatches);
    make_room(g_.arguments, dispatches);
    this->make_room_for_nodes(steps_.size() - dispatches);
    set_inside_.assign(opened, {});
    if (again) {
      find_variables_set();
      // Whatever reads such variables counts, ops that do nothing else too.
      steps_ = window_steps(p_, f);
    }
    if constexpr (has_parameters)
      for (auto&& v : ir_traits<P>::arguments(p_, f)) define(kind::opaque, op{}, value(v));
    opened_ = 0;
    for (auto const& s : steps_) {
      if (again && (s.what == step_kind::op || s.what == step_kind::open)) note_mentions(s.o);
      walk(s);
    }
    fn.definitions = static_cast<std::uint32_t>(g_.definitions.size());
    fn.mentions = static_cast<std::uint32_t>(g_.mentions.size());
    for (std::uint32_t i = g_.functions.empty() ? 0 : g_.functions.back().allocations;
         i < g_.allocations.size() && fn.fault == window_fault::none; ++i)
      if (auto const& a = g_.allocations[i]; !mpmd::is_variable(p_, a.v)) {
        fn.fault = window_fault::allocation_unassigned;
        fn.faulty = a.o;
        fn.faulty_allocation = i;
      }
    fn.allocations = static_cast<std::uint32_t>(g_.allocations.size());
    fn.views = static_cast<std::uint32_t>(g_.views.size());
    fn.dispatches = static_cast<std::uint32_t>(g_.dispatches.size());
    fn.collectives = static_cast<std::uint32_t>(g_.collectives.size());
    fn.sites = static_cast<std::uint32_t>(g_.sites.size());
    g_.functions.push_back(fn);
  }

  /// Whether it has been set before.
  bool note_set(value const& v) {
    state& of = at(v);
    of.again = of.set;
    of.set = 1;
    return of.again;
  }
  template <class F>
  void for_each_set(op o, window_role role, F f) {
    for (auto&& v : mpmd::window_results(p_, o)) f(value(v));
    if (role != window_role::loop) return;
    loop_parts<value> const parts = mpmd::loop_of(p_, o);
    if (parts.counts) f(parts.induction);
    for (value const& v : parts.carried) f(v);
  }

  /// For each op that holds others, in the order they are opened, the variables set inside that several ops set.
  void find_variables_set() {
    struct variable {
      std::uint32_t number;
      value v;
    };
    std::vector<std::vector<variable>> inside(set_inside_.size());
    std::size_t next = 0;
    std::vector<std::size_t> open;
    for (auto const& s : steps_) {
      if (s.what == step_kind::open) {
        open.push_back(next++);
      } else if (s.what == step_kind::close) {
        auto& mine = inside[open.back()];
        std::sort(mine.begin(), mine.end(), [](variable const& a, variable const& b) { return a.number < b.number; });
        auto const end = std::unique(mine.begin(), mine.end(),
                                     [](variable const& a, variable const& b) { return a.number == b.number; });
        mine.erase(end, mine.end());
        for (variable const& each : mine) set_inside_[open.back()].push_back(each.v);
        open.pop_back();
        if (!open.empty()) {
          auto& outer = inside[open.back()];
          outer.insert(outer.end(), mine.begin(), mine.end());
        }
        mine = {};
      }
      if (open.empty() || (s.what != step_kind::op && s.what != step_kind::open)) continue;
      for_each_set(s.o, s.role, [&](value const& v) {
        if (at(v).again) inside[open.back()].push_back({number_(v), v});
      });
    }
  }

  void note_mentions(op o) {
    if constexpr (requires { ir_traits<P>::mentions(p_, o); })
      for (auto&& each : ir_traits<P>::mentions(p_, o)) {
        value const v = each;
        if (at(v).again) g_.mentions.push_back({o, v, use(v)});
      }
  }

  void walk(window_step<op> const& s) {
    switch (s.what) {
      case step_kind::op:
        if (s.role == window_role::yield) return yield(s.o);
        if (s.role == window_role::leave) return leave();
        return this->visit(s.o, s.role);
      case step_kind::open: return open(s.o, s.role);
      case step_kind::body: return start_body();
      case step_kind::end_of_body: return end_body();
      case step_kind::close: return close();
    }
  }

  // --- Ops that hold others ------------------------------------------------------------------------------------

  void open(op o, window_role role) {
    frame f{o, role, std::move(set_inside_[opened_++]), {}, {}, {}, {}, {}, false, false, 0};
    if (role == window_role::loop) {
      f.loop = mpmd::loop_of(p_, o);
      ++loop_depth_;
      for (std::size_t i = 0; i < f.loop.initial.size(); ++i) use(f.loop.initial[i]);
      if (f.loop.counts) {
        counted_loop known{integer(use(f.loop.start)), integer(use(f.loop.stop)), integer(use(f.loop.step)), {}};
        known.rounds = rounds_of(known.start, known.stop, known.step);
        f.never = known.rounds.never;
        // There is at least one device.
        bool const reaches_first = known.start.range && known.start.range->last <= 0 && known.step.is_literal();
        f.surely = known.rounds.values || (known.stop.is_world_size() && reaches_first && known.step.number() > 0);
        loops_.emplace_back(number_(f.loop.induction), known);
        define(kind::opaque, o, f.loop.induction, integer_fact::computed(known.rounds.values));
        at(f.loop.induction).loop = static_cast<std::uint32_t>(loops_.size()) & 0xFFFFFFFu;
      }
      for (std::size_t i = 0; i < f.loop.carried.size(); ++i) {
        window_node const from = i < f.loop.initial.size() ? use(f.loop.initial[i]) : none;
        window_node const n = define(kind::merge, o, f.loop.carried[i]);
        at(f.loop.carried[i]).carried = 1;
        add_source(n, from);
        f.carried.push_back(n);
      }
      for (value const& v : f.set_inside) {
        window_node const n = add_node(kind::merge, o, v);
        state& s = at(v);
        add_source(n, s.now);
        s.now = n;
        f.before.push_back(n);
      }
    } else {
      for (value const& v : f.set_inside) f.before.push_back(at(v).now);
    }
    if (f.never) ++never_;
    frames_.push_back(std::move(f));
  }
  void start_body() {
    frame& f = frames_.back();
    ++f.bodies;
    if (f.role != window_role::branch) return;
    for (std::size_t i = 0; i < f.set_inside.size(); ++i) at(f.set_inside[i]).now = f.before[i];
  }
  void end_body() {
    frame& f = frames_.back();
    if (f.role == window_role::branch) {
      auto& kept = f.after.emplace_back();
      for (value const& v : f.set_inside) kept.push_back(at(v).now);
    }
  }
  void close() {
    frame f = std::move(frames_.back());
    frames_.pop_back();
    if (f.never) --never_;
    if (f.role == window_role::branch) close_branch(f);
    if (f.role == window_role::loop) close_loop(f);
    if (f.role == window_role::sequence) {
      std::size_t i = 0;
      for (auto&& v : mpmd::window_results(p_, f.o)) {
        window_node const n = define(kind::copy, f.o, value(v));
        if (i < f.yields.size()) add_source(n, f.yields[i++]);
      }
    }
  }
  void close_branch(frame& f) {
    if (f.bodies < 2) f.after.push_back(f.before);
    for (std::size_t i = 0; i < f.set_inside.size(); ++i) {
      std::vector<window_node> ends;
      for (auto const& kept : f.after)
        if (kept[i] != none && std::find(ends.begin(), ends.end(), kept[i]) == ends.end()) ends.push_back(kept[i]);
      state& s = at(f.set_inside[i]);
      s.now = ends.empty() ? none : ends.front();
      if (ends.size() < 2) continue;
      s.now = add_node(kind::merge, f.o, f.set_inside[i]);
      for (window_node const end : ends) add_source(s.now, end);
    }
    results_of(f);
  }
  /// The results of a branch hold what its bodies yield: place i of any of them.
  void results_of(frame const& f) {
    std::size_t count = 0, i = 0;
    for (auto&& v : mpmd::window_results(p_, f.o)) count += (static_cast<void>(v), 1u);
    for (auto&& v : mpmd::window_results(p_, f.o)) {
      window_node const n = define(kind::merge, f.o, value(v));
      for (std::size_t j = i; j < f.yields.size(); j += count) add_source(n, f.yields[j]);
      ++i;
    }
  }
  void close_loop(frame& f) {
    --loop_depth_;
    for (std::size_t i = 0; i < f.set_inside.size(); ++i) {
      state& s = at(f.set_inside[i]);
      add_source(f.before[i], s.now);
      if (!f.surely) s.now = f.before[i];
    }
    for (std::size_t i = 0; i < f.yields.size() && !f.carried.empty(); ++i)
      add_source(f.carried[i % f.carried.size()], f.yields[i]);
    std::size_t i = 0;
    for (auto&& v : mpmd::window_results(p_, f.o)) {
      window_node const n = define(kind::merge, f.o, value(v));
      if (i >= f.carried.size()) break;
      if (f.surely && f.yields.size() == f.carried.size())
        add_source(n, f.yields[i++]);
      else
        add_source(n, f.carried[i++]);
    }
    if (f.loop.counts) {
      at(f.loop.induction).loop = 0;
      loops_.pop_back();
    }
  }
  void yield(op o) {
    for (auto f = frames_.rbegin(); f != frames_.rend(); ++f) {
      if (f->role == window_role::sequence && std::ranges::empty(mpmd::window_results(p_, f->o))) continue;
      for (auto&& v : mpmd::window_operands(p_, o)) f->yields.push_back(use(v));
      return;
    }
  }
  /// What variables hold where a loop is left early, they may hold behind it.
  void leave() {
    for (auto f = frames_.rbegin(); f != frames_.rend(); ++f) {
      if (f->role != window_role::loop) continue;
      f->surely = false;
      for (std::size_t i = 0; i < f->set_inside.size(); ++i) add_source(f->before[i], at(f->set_inside[i]).now);
      return;
    }
  }

  std::vector<window_step<op>> steps_;             // of the function
  std::vector<std::vector<value>> set_inside_;  // by op that holds others, in the order they are opened
  std::size_t opened_ = 0;
  std::vector<frame> frames_;
};

}  // namespace mpmd::detail

namespace mpmd {

/// The graph of a whole program. Linear, but for programs that are not in SSA form: there an op that holds others costs
/// as much as variables are set again inside it.
template <window_program P>
window_graph<P> make_window_graph(P const& p, window_options options = {}) {
  return detail::window_graph_builder<P>(p, options).build();
}

}  // namespace mpmd
