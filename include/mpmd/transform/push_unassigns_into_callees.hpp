#pragma once
/// Telling a callee what its callers know: that an argument comes from a mesh.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

namespace detail {

template <mutable_mpmd_program P>
class unassign_pusher {
  using traits = ir_traits<P>;

 public:
  explicit unassign_pusher(P& p) : p_(p) {
    for (op_t<P> const f : functions(p)) functions_.push_back(f);
    for (op_t<P> const f : functions_) by_name_.emplace(std::string(traits::function_name(p, f)), f);
    for (op_t<P> const f : functions_) {
      if (!takes_part(p, f)) continue;
      walk_ops(p, f, [&](op_t<P> o) {
        role const r = traits::role_of(p, o);
        if (r == role::call)
          if (auto const callee = by_name_.find(std::string(traits::callee_name(p, o)));
              callee != by_name_.end()) {
            calls_[callee->second].push_back(o);
            std::size_t i = 0;
            for (value_t<P> const v : results_of(p, o))
              call_results_.emplace(v, std::pair{callee->second, i++});
          }
        return r == role::loop;
      });
    }
  }

  void run() {
    for (op_t<P> const f : functions_)
      if (takes_part(p_, f) && !is_entry(p_, f))
        if (auto const found = calls_.find(f); found != calls_.end()) push_into(f, found->second);
  }

 private:
  void push_into(op_t<P> f, std::vector<op_t<P>> const& calls) {
    std::vector<std::vector<value_t<P>>> handed;
    for (op_t<P> const c : calls) handed.push_back(operands_of(p_, c));
    std::vector<value_t<P>> arguments;
    for (auto&& a : mpmd::arguments(p_, f)) arguments.push_back(a);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      value_t<P> const argument = arguments[i];
      value_t<P> first = {};
      bool all = true;
      for (auto const& operands : handed) {
        value_t<P> const from = i < operands.size() ? taken_off(operands[i]) : value_t<P>{};
        all = !(from == value_t<P>{}) &&
              (first == value_t<P>{} || traits::type_of(p_, from) == traits::type_of(p_, first));
        if (!all) break;
        first = from;
      }
      if (!all || !is_assigned(argument)) continue;
      auto const where = traits::location_of_value(p_, argument);
      auto const users = uses_of(p_, argument);
      value_t<P> const placed = result_of(p_, traits::create(p_,
                                                             {.what = role::assign,
                                                              .operands = {argument},
                                                              .results = {traits::type_of(p_, first)},
                                                              .where = where},
                                                             insertion_point<P>::start(f)));
      value_t<P> const again =
          result_of(p_, traits::create(p_,
                                       {.what = role::unassign,
                                        .operands = {placed},
                                        .results = {traits::type_of(p_, argument)},
                                        .where = where},
                                       insertion_point<P>::after(mpmd::defining_op(p_, placed))));
      for (auto const& u : users) traits::set_operand(p_, u.user, u.index, again);
    }
  }

  bool is_assigned(value_t<P> v) const {
    for (auto const& u : traits::uses(p_, v))
      if (traits::role_of(p_, u.user) == role::assign) return true;
    return false;
  }

  // The value on a mesh that has become this one by an unassign, here or as the last thing in a callee, or
  // none.
  value_t<P> taken_off(value_t<P> v) const {
    if (op_t<P> const u = defined_by(p_, v, role::unassign)) return operand_of(p_, u);
    auto const called = call_results_.find(v);
    if (called == call_results_.end()) return {};
    op_t<P> const end = terminator_of(p_, called->second.first);
    std::size_t i = 0;
    if (end)
      for (auto&& returned : traits::operands(p_, end))
        if (i++ == called->second.second)
          if (op_t<P> const u = defined_by(p_, static_cast<value_t<P>>(returned), role::unassign))
            return operand_of(p_, u);
    return {};
  }

  P& p_;
  std::vector<op_t<P>> functions_;
  std::unordered_map<std::string, op_t<P>> by_name_;
  std::unordered_map<op_t<P>, std::vector<op_t<P>>> calls_;
  std::unordered_map<value_t<P>, std::pair<op_t<P>, std::size_t>> call_results_;
};

}  // namespace detail

/// For each argument of a function that is not entered from outside: if every call hands in a value which has
/// just been taken off its mesh, all of one type, and the function assigns the argument somewhere, then the
/// function begins with an assign of the argument to that type and an unassign, which takes the place of the
/// argument. Calls and signatures stay. Looks through a call whose callee returns an unassigned value, one
/// call deep. In the order of functions and arguments, the pair of a later argument above that of an earlier
/// one. Near-linear in ops and operands.
template <mutable_mpmd_program P>
void push_unassigns_into_callees(P& p) {
  detail::unassign_pusher<P>(p).run();
}

}  // namespace mpmd
