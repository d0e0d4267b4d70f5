#pragma once
/// Which ops call which function.

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

/// The calls in a program by callee, wherever they stand and whether or not their results are used: who changes what a
/// function takes and gives has to change every one of them. Ordinary calls, which the mpmd passes do not change, are
/// told apart. O(ops); it does not follow later edits.
template <mutable_mpmd_program P>
class calls_by_callee {
 public:
  explicit calls_by_callee(P const& p) {
    for (op_t<P> const f : functions(p)) by_name_.emplace(std::string(ir_traits<P>::function_name(p, f)), f);
    for (op_t<P> const f : functions(p))
      walk_ops(p, f, [&](op_t<P> o) {
        bool const ordinary = is_ordinary(p, o);
        if (!ordinary && ir_traits<P>::role_of(p, o) != role::call) return;
        if (op_t<P> const callee = function(ir_traits<P>::callee_name(p, o)))
          (ordinary ? ordinary_ : calls_)[callee].push_back(o);
      });
  }

  /// The function of that name, or none.
  op_t<P> function(std::string_view name) const {
    auto const at = by_name_.find(std::string(name));
    return at == by_name_.end() ? op_t<P>{} : at->second;
  }
  /// The calls of a function, in program order.
  std::vector<op_t<P>> const& of(op_t<P> function) const { return at(calls_, function); }
  /// Those of another kind than mpmd's, in program order.
  std::vector<op_t<P>> const& ordinary(op_t<P> function) const { return at(ordinary_, function); }

 private:
  using calls_of_functions = std::unordered_map<op_t<P>, std::vector<op_t<P>>>;

  static bool is_ordinary(P const& p, op_t<P> o) {
    if constexpr (requires { ir_traits<P>::is_function_call(p, o); })
      return ir_traits<P>::is_function_call(p, o);
    else
      return false;
  }
  static std::vector<op_t<P>> const& at(calls_of_functions const& calls, op_t<P> function) {
    static std::vector<op_t<P>> const nobody;
    auto const found = calls.find(function);
    return found == calls.end() ? nobody : found->second;
  }

  std::unordered_map<std::string, op_t<P>> by_name_;
  calls_of_functions calls_, ordinary_;
};

/// The function around an op. O(depth).
template <mutable_mpmd_program P>
op_t<P> function_around(P const& p, op_t<P> o) {
  op_t<P> at = ir_traits<P>::parent_op(p, o);
  while (at && ir_traits<P>::role_of(p, at) != role::other) at = ir_traits<P>::parent_op(p, at);
  return at;
}

/// Takes some operands, in ascending order, off an op.
template <mutable_mpmd_program P>
void drop_operands(P& p, op_t<P> o, std::vector<std::size_t> const& which) {
  std::vector<value_t<P>> rest;
  std::size_t at = 0, next = 0;
  for (value_t<P> const v : operands_of(p, o)) {
    if (next < which.size() && which[next] == at)
      ++next;
    else
      rest.push_back(v);
    ++at;
  }
  ir_traits<P>::set_operands(p, o, rest);
}

}  // namespace mpmd
