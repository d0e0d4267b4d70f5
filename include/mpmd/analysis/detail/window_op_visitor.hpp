#pragma once
/// What ops that hold no others mean for the values they set: one step of the walk that makes a window_graph.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/analysis/detail/window_values.hpp>
#include <mpmd/analysis/window_devices.hpp>
#include <mpmd/analysis/window_graph.hpp>

namespace mpmd::detail {

template <window_program P>
class window_op_visitor : protected window_values<P> {
 protected:
  using base = window_values<P>;
  using typename base::graph;
  using typename base::kind;
  using typename base::op;
  using typename base::state;
  using typename base::value;
  using base::add_source;
  using base::at;
  using base::define;
  using base::edges_;
  using base::g_;
  using base::integer;
  using base::none;
  using base::p_;
  using base::set_integer;
  using base::use;
  static constexpr bool has_tasks = requires(P const& p, op o) {
    ir_traits<P>::task_names(p);
    ir_traits<P>::callee_name(p, o);
  };

  static constexpr bool remembers_dispatches = requires { typename ir_traits<P>::dispatch_memory; };
  template <class T, bool>
  struct memory_of {
    struct type {};
  };
  template <class T>
  struct memory_of<T, true> {
    using type = typename T::dispatch_memory;
  };
  static constexpr bool has_tuples = requires(P const& p, op o, value v) {
    ir_traits<P>::tuple_elements(p, v);
    ir_traits<P>::element_of(p, o);
  };

  window_op_visitor(P const& p, window_options options) : base(p), options_(options) {
    if constexpr (has_tasks)
      for (auto&& name : ir_traits<P>::task_names(p_)) tasks_.emplace(name);
  }

  void visit(op o, window_role role) {
    switch (role) {
      case window_role::allocation: return allocation(o);
      case window_role::view: return view(o);
      case window_role::alias: return alias(o);
      case window_role::element: return element(o);
      case window_role::dispatch: return dispatch(o);
      case window_role::collective:
        if constexpr (requires { ir_traits<P>::collective_of(p_, o); })
          collective(o);
        else
          assert(false && "ir_traits<P> of a program with collectives has collective_of(p, o)");
        return;
      case window_role::nothing: return;
      default: return other(o);
    }
  }

  value first_result(op o) const {
    for (auto&& v : mpmd::window_results(p_, o)) return v;
    return {};
  }
  void fault(window_fault code, op o) {
    if (current_->fault != window_fault::none) return;
    current_->fault = code;
    current_->faulty = o;
    current_->faulty_allocation = static_cast<std::uint32_t>(g_.allocations.size());
  }

  void allocation(op o) {
    if constexpr (requires { ir_traits<P>::allocation_of(p_, o); }) {
      auto const parts = ir_traits<P>::allocation_of(p_, o);
      allocation(o, parts.name, parts.domain, parts.sizes.size(), parts.sizes);
    } else {
      allocation(o, mpmd::allocation_name(p_, o), mpmd::allocation_domain(p_, o), mpmd::allocation_sizes(p_, o),
                 mpmd::window_operands(p_, o));
    }
  }
  template <class Operands>
  void allocation(op o, std::string_view name, std::string_view domain, std::size_t sizes, Operands const& operands) {
    if (sizes != 1)
      fault(window_fault::allocation_arity, o);
    else if (name.empty() && requires { ir_traits<P>::allocation_name(p_, o); })
      fault(window_fault::allocation_unnamed, o);
    value const v = first_result(o);
    std::optional<std::int64_t> bytes;
    for (auto&& each : operands) {
      bytes = mpmd::literal_of(p_, value(each));
      if (auto const n = at(value(each)).now; !bytes && n != none && integer(n).is_literal()) bytes = integer(n).number();
      break;
    }
    g_.allocations.push_back({o, define(kind::allocation, o, v), v, name, domain, bytes});
  }
  void view(op o) {
    value const v = first_result(o);
    window_node pointer = none;
    for (auto&& each : mpmd::window_operands(p_, o)) {
      pointer = use(each);
      break;
    }
    window_node const n = define(kind::view, o, v);
    add_source(n, pointer);
    view_at_.emplace_back(n, static_cast<std::uint32_t>(g_.views.size()));
    g_.views.push_back({o, n, v, mpmd::is_variable(p_, v)});
  }
  void alias(op o) {
    copied_.clear();
    for (auto&& v : mpmd::window_operands(p_, o)) {
      copied_.push_back(use(v));
      note_tuple(v, copied_.back());
    }
    std::size_t i = 0;
    for (auto&& each : mpmd::window_results(p_, o)) {
      value const v = each;
      if (i == copied_.size()) break;
      window_node const source = copied_[i++];
      integer_fact const known = integer(source);
      window_node const before = at(v).now;
      window_node const n = define(kind::copy, o, v, known);
      add_source(n, source);
      if (refers_on(v, source)) add_source(n, before);
      name_variable(source, v);
      if (!tuples_.empty())
        if (auto const tuple = tuples_.find(source); tuple != tuples_.end()) tuples_.emplace(n, tuple->second);
    }
  }
  /// What a tuple that is written down holds: that, its elements hold as long as its variable is set to it.
  void note_tuple(value const& v, window_node n) {
    if constexpr (has_tuples) {
      if (g_.nodes[n].kind != kind::opaque || mpmd::is_variable(p_, v)) return;
      std::vector<window_node> held;
      for (auto&& each : ir_traits<P>::tuple_elements(p_, v)) held.push_back(use(each));
      if (!held.empty()) tuples_.emplace(n, std::move(held));
    }
  }
  void element(op o) {
    window_node from = none;
    if constexpr (has_tuples)
      for (auto&& each : mpmd::window_operands(p_, o)) {
        value const tuple = each;
        window_node const n = use(tuple);
        note_tuple(tuple, n);
        auto const known = tuples_.find(n);
        auto const which = ir_traits<P>::element_of(p_, o);
        if (known != tuples_.end() && which && *which < known->second.size()) from = known->second[*which];
        break;
      }
    if (from == none) return other(o);
    for (auto&& v : mpmd::window_results(p_, o)) {
      integer_fact const known = integer(from);
      add_source(define(kind::copy, o, value(v), known), from);
    }
  }
  /// Whether a variable that was a window refers to that one still: its type does, and what a call of unknown outcome
  /// returns says nothing else.
  bool refers_on(value const& v, window_node source) {
    if constexpr (requires { ir_traits<P>::is_window_type(p_, v); }) {
      auto const& from = g_.nodes[source];
      return at(v).again && from.kind == kind::opaque && !mpmd::is_variable(p_, from.v) &&
             ir_traits<P>::is_window_type(p_, v);
    }
    return false;
  }
  /// An allocation or view that is part of an expression belongs to the variable the expression is assigned to.
  void name_variable(window_node source, value const& v) {
    auto const& what = g_.nodes[source];
    if (what.kind == kind::allocation) {
      for (auto a = g_.allocations.rbegin(); a != g_.allocations.rend(); ++a)
        if (a->n == source) {
          if (!mpmd::is_variable(p_, a->v)) a->v = v;
          break;
        }
    } else if (what.kind == kind::view) {
      // Mostly it is the one just met.
      auto const found = view_at_.back().first == source
                             ? view_at_.end() - 1
                             : std::lower_bound(view_at_.begin(), view_at_.end(), std::pair{source, std::uint32_t{0}});
      if (found == view_at_.end() || found->first != source) return;
      auto& seen = g_.views[found->second];
      if (seen.bound) return;
      seen.bound = true;
      seen.v = v;
    }
  }
  void other(op o) {
    integer_fact known;
    if (auto const computes = mpmd::integer_of(p_, o); computes.computes != integer_op::kind::none) {
      facts_.clear();
      for (auto&& v : mpmd::window_operands(p_, o)) facts_.push_back(integer(use(v)));
      known = evaluate(computes, facts_);
    }
    define_opaque(o, known);
  }
  /// Most results of calls are parts of expressions that nothing asks about: these get no node before something does.
  void define_opaque(op o, integer_fact const& known) {
    if (known == integer_fact{} && mpmd::is_expression(p_, o)) return;
    for (auto&& each : mpmd::window_results(p_, o)) {
      value const v = each;
      if (known != integer_fact{} || mpmd::is_variable(p_, v)) define(kind::opaque, o, v, known);
    }
  }

  void dispatch(op o) {
    if constexpr (remembers_dispatches) {
      auto const parts = ir_traits<P>::dispatch_of(p_, o, dispatch_before_);
      if constexpr (has_tasks)
        if (!is_task(parts.callee)) return other(o);
      dispatch(o, parts.device, parts.operands);
    } else {
      if constexpr (has_tasks)
        if (!is_task(ir_traits<P>::callee_name(p_, o))) return other(o);
      dispatch(o, ir_traits<P>::device_of(p_, o), mpmd::window_operands(p_, o));
    }
  }
  template <class Operands>
  void dispatch(op o, device_form<value> const& form, Operands const& operands) {
    auto const first = static_cast<std::uint32_t>(g_.arguments.size());
    g_.dispatches.push_back({o, devices(form), form.form != device_form<value>::kind::none, first, first});
    auto& d = g_.dispatches.back();
    if (never_ > 0) d.on.devices = {};
    // What is part of an expression stands for nothing that has a name, so nothing can be said of its buffer.
    for (auto&& v : operands) {
      if (mpmd::is_variable(p_, v))
        g_.arguments.push_back(use(v));
      else if (window_node const n = at(v).now; n != none)
        g_.nested.push_back({o, n});
    }
    d.end_of_arguments = static_cast<std::uint32_t>(g_.arguments.size());
    g_.sites.push_back({true, static_cast<std::uint32_t>(g_.dispatches.size() - 1)});
    if (!mpmd::is_expression(p_, o)) define_opaque(o, {});
  }
  bool is_task(std::string_view callee) {
    // A program calls a few tasks again and again, mostly the one before.
    if (callee == last_callee_) return last_is_task_;
    last_callee_ = callee;
    last_is_task_ = tasks_.contains(last_callee_);
    return last_is_task_;
  }
  dispatch_devices devices(device_form<value> const& form) {
    using form_kind = typename device_form<value>::kind;
    switch (form.form) {
      case form_kind::none: return {};
      case form_kind::every: return {device_set::all(), window_fault::none, 0};
      case form_kind::malformed: return {{}, window_fault::unsupported_device, 0};
      case form_kind::numbers:
        if (form.first < 0) return {{}, window_fault::negative_device, form.first};
        return {device_set(form.first, form.last), window_fault::none, 0};
      case form_kind::expression: break;
    }
    window_node const n = use(form.expression);
    state const& s = at(form.expression);
    if (s.loop != 0 && !s.again) return devices_of_loop(loops_[s.loop - 1].second, options_.widen);
    bool const variable = mpmd::is_variable(p_, form.expression);
    integer_fact const& known = integer(n);
    if (known.is_literal() && !variable) return devices_of_number(known);
    if (options_.widen && known.range) return devices_of_number(known);
    // A copy of a loop variable, where that will do.
    if (options_.widen)
      for (window_node m = n; m != none; m = copied_from(m))
        if (state const& of = at(g_.nodes[m].v); of.loop != 0 && !of.again)
          return devices_of_loop(loops_[of.loop - 1].second, true);
    if (options_.widen && never_ > 0) return {};  // of no values at all, whatever computes it
    return {{}, variable && !s.carried ? window_fault::no_induction_variable : window_fault::unsupported_device, 0};
  }
  window_node copied_from(window_node n) const {
    if (g_.nodes[n].kind != kind::copy) return none;
    // Edges are listed as they are found: those of the last node last.
    for (auto e = edges_.rbegin(); e != edges_.rend() && e->first >= n; ++e)
      if (e->first == n) return e->second;
    return none;
  }

  void collective(op o) {
    typename graph::collective c{o, ir_traits<P>::collective_of(p_, o)};
    c.in_loop = loop_depth_ > 0;
    for (auto&& v : mpmd::window_operands(p_, o)) {
      if (c.operand_count < c.operands.size()) {
        c.operands[c.operand_count] = use(v);
        c.variables[c.operand_count] = mpmd::is_variable(p_, v);
      }
      ++c.operand_count;
    }
    window_node source = none;
    if (auto const result = facts_of(c.kind).result; result < c.operand_count) source = c.operands[result];
    g_.sites.push_back({false, static_cast<std::uint32_t>(g_.collectives.size())});
    g_.collectives.push_back(c);
    for (auto&& v : mpmd::window_results(p_, o)) add_source(define(kind::collective, o, value(v)), source);
  }

  window_options options_;
  std::vector<std::pair<window_node, std::uint32_t>> view_at_;
  std::vector<std::pair<std::uint32_t, counted_loop>> loops_;  // those open that count, with their variables
  std::uint32_t loop_depth_ = 0;
  std::uint32_t never_ = 0;  // how many of the open loops make no round
  std::vector<integer_fact> facts_;    // of the operands that are looked at
  std::vector<window_node> copied_;
  std::unordered_map<window_node, std::vector<window_node>> tuples_;  // what nodes that are tuples hold; for look-ups alone
  std::unordered_set<std::string> tasks_;  // asked for membership alone
  [[no_unique_address]] typename memory_of<ir_traits<P>, remembers_dispatches>::type dispatch_before_ = {};
  std::string last_callee_;
  bool last_is_task_ = false;
  typename graph::function* current_ = nullptr;
};

}  // namespace mpmd::detail
