#pragma once
/// What analyses need to know of a program before they walk it: a number for every fact, and which function a call
/// means.

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/support/handle_numbers.hpp>

namespace mpmd {

/// The number of a fact: of a value, of a result of a function, or of nothing.
using fact_number = std::uint32_t;

/// Numbers facts: values by the host's own index where it has one, else in the order in which they are met; then the
/// results of functions; last a place for what has no fact. O(functions), or O(program) for a host without an index.
/// The program must outlive it, and must not gain values while it is used.
template <mpmd_program P>
class program_map {
 public:
  struct function {
    op_t<P> o = {};
    op_t<P> terminator = {};  ///< the op whose operands the function returns, none if it ends in no such op
    fact_number first_result = 0;
    std::uint32_t result_count = 0;
    std::uint32_t argument_count = 0;
    bool entry = true;

    fact_number result(std::uint32_t i) const { return first_result + i; }
  };

  explicit program_map(P const& p) : program_(&p) {
    for (auto&& f : mpmd::functions(p))
      if (takes_part(p, f)) add(f);
    fact_number next = 0;
    if constexpr (has_value_index<P>)
      next = static_cast<fact_number>(ir_traits<P>::index_bound(p));
    else
      next = static_cast<fact_number>(numbers_.size());
    for (function& f : functions_) {
      f.first_result = next;
      next += f.result_count;
    }
    nowhere_ = next;
  }

  P const& program() const { return *program_; }
  std::vector<function> const& functions() const { return functions_; }
  fact_number number(value_t<P> v) const {
    if constexpr (has_value_index<P>) {
      return static_cast<fact_number>(ir_traits<P>::index(*program_, v));
    } else {
      auto const n = numbers_.find(v);
      return n == numbers::none ? nowhere_ : n;
    }
  }
  fact_number nowhere() const { return nowhere_; }
  std::size_t bound() const { return std::size_t{nowhere_} + 1; }

  /// The function that a call names, or null where there is none that takes part. Expected O(1).
  function const* callee(op_t<P> call) const {
    if constexpr (has_calls<P>) {
      auto const at = by_name_.find(ir_traits<P>::callee_name(*program_, call));
      return at == by_name_.end() ? nullptr : &functions_[at->second];
    } else {
      return nullptr;
    }
  }
  std::size_t index_of(function const& f) const { return static_cast<std::size_t>(&f - functions_.data()); }

  /// The first result of an op, which bears the set of the whole op.
  value_t<P> first_result(op_t<P> o) const {
    for (auto&& v : ir_traits<P>::results(*program_, o)) return v;
    return {};
  }
  /// The number of the set that holds for a value: that of the op it is a result of, if all its results share one.
  fact_number owner(value_t<P> v) const {
    if (op_t<P> const d = mpmd::defining_op(*program_, v); d && shares_a_set(ir_traits<P>::role_of(*program_, d)))
      return number(first_result(d));
    return number(v);
  }
  static bool shares_a_set(role r) {
    return r == role::compute || r == role::reduce || r == role::broadcast || r == role::assign;
  }

  /// The last op of a body if it is a terminator, else none.
  op_t<P> terminator_of(op_t<P> o) const {
    auto&& ops = mpmd::body(*program_, o);
    auto const first = std::ranges::begin(ops);
    auto const end = std::ranges::end(ops);
    if (first == end) return {};
    op_t<P> last = {};
    if constexpr (std::ranges::bidirectional_range<decltype(ops)> && std::ranges::common_range<decltype(ops)>)
      last = *std::ranges::prev(end);
    else
      for (auto&& each : ops) last = each;
    return ir_traits<P>::role_of(*program_, last) == role::terminator ? last : op_t<P>{};
  }

 private:
  void add(op_t<P> f) {
    P const& p = *program_;
    function fn{f, terminator_of(f), 0, 0, 0, is_entry(p, f)};
    fn.argument_count = static_cast<std::uint32_t>(std::ranges::distance(mpmd::arguments(p, f)));
    if (fn.terminator)
      fn.result_count = static_cast<std::uint32_t>(std::ranges::distance(ir_traits<P>::operands(p, fn.terminator)));
    if constexpr (has_calls<P>) by_name_.emplace(ir_traits<P>::function_name(p, f), functions_.size());
    if constexpr (!has_value_index<P>) number_values_in(f);
    functions_.push_back(fn);
  }
  void number_values_in(op_t<P> f) {
    // Regions nest on a list, not on the call stack.
    std::vector<op_t<P>> open{f};
    for (std::size_t i = 0; i < open.size(); ++i) {
      for (auto&& v : mpmd::arguments(*program_, open[i])) numbers_.add(v);
      for (auto&& o : mpmd::body(*program_, open[i])) {
        for (auto&& v : ir_traits<P>::results(*program_, o)) numbers_.add(v);
        if (!is_leaf(*program_, o)) open.push_back(o);
      }
    }
  }

  struct no_numbers {};
  template <class Value>  // named only where it is needed: the host need not give its values a hash otherwise
  struct hashed_numbers {
    using type = handle_numbers<Value>;
  };
  struct unneeded {
    using type = no_numbers;
  };
  using numbers = typename std::conditional_t<has_value_index<P>, unneeded, hashed_numbers<value_t<P>>>::type;

  P const* program_;
  std::vector<function> functions_;
  std::unordered_map<std::string_view, std::size_t> by_name_;
  [[no_unique_address]] numbers numbers_;
  fact_number nowhere_ = 0;
};

}  // namespace mpmd
