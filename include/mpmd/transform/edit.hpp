#pragma once
/// Edits that several passes make, in terms of those of the concept.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

/// The note on a fragment which nobody asked for: the steps that made it.
inline constexpr std::string_view inferred_by_note = "mpmd.inferred_by";

/// The functions that run on meshes, in order.
template <mutable_mpmd_program P>
std::vector<op_t<P>> distributed_functions(P const& p) {
  std::vector<op_t<P>> found;
  for (op_t<P> const f : functions(p))
    if (is_distributed(p, f)) found.push_back(f);
  return found;
}

/// The uses of a value, in a list which outlives edits of them. O(uses).
template <mutable_mpmd_program P>
std::vector<operand_use<op_t<P>>> uses_of(P const& p, value_t<P> v) {
  std::vector<operand_use<op_t<P>>> all;
  for (auto const& u : ir_traits<P>::uses(p, v)) all.push_back({u.user, static_cast<std::uint32_t>(u.index)});
  return all;
}
template <mutable_mpmd_program P>
bool is_unused(P const& p, value_t<P> v) {
  auto&& uses = ir_traits<P>::uses(p, v);
  return std::ranges::begin(uses) == std::ranges::end(uses);
}
template <mutable_mpmd_program P>
bool has_unused_results(P const& p, op_t<P> o) {
  for (auto&& r : ir_traits<P>::results(p, o))
    if (!is_unused(p, static_cast<value_t<P>>(r))) return false;
  return true;
}

/// Whether an op could go if nobody used its results, provided that it is pure: it ends no body and is no function.
template <mutable_mpmd_program P>
bool may_be_erased(P const& p, op_t<P> o) {
  role const r = ir_traits<P>::role_of(p, o);
  return r != role::terminator && r != role::other;
}

template <mutable_mpmd_program P>
std::vector<value_t<P>> operands_of(P const& p, op_t<P> o) {
  std::vector<value_t<P>> all;
  for (auto&& v : ir_traits<P>::operands(p, o)) all.push_back(v);
  return all;
}
template <mutable_mpmd_program P>
std::vector<value_t<P>> results_of(P const& p, op_t<P> o) {
  std::vector<value_t<P>> all;
  for (auto&& v : ir_traits<P>::results(p, o)) all.push_back(v);
  return all;
}
/// Whether a function is without a body: any body has a terminator.
template <mutable_mpmd_program P>
bool is_declaration(P const& p, op_t<P> function) {
  auto&& ops = mpmd::body(p, function);
  return std::ranges::begin(ops) == std::ranges::end(ops);
}

/// The first operand, and the first result; none where there is none.
template <mutable_mpmd_program P>
value_t<P> operand_of(P const& p, op_t<P> o) {
  for (auto&& v : ir_traits<P>::operands(p, o)) return v;
  return {};
}
template <mutable_mpmd_program P>
value_t<P> result_of(P const& p, op_t<P> o) {
  for (auto&& v : ir_traits<P>::results(p, o)) return v;
  return {};
}
/// Operand `i` of an op, if it has that many. O(1) where operands are random access.
template <mutable_mpmd_program P>
std::optional<value_t<P>> operand_at(P const& p, op_t<P> o, std::size_t i) {
  auto&& all = ir_traits<P>::operands(p, o);
  auto const at = std::ranges::next(std::ranges::begin(all), static_cast<std::ptrdiff_t>(i), std::ranges::end(all));
  if (at == std::ranges::end(all)) return std::nullopt;
  return *at;
}

/// The op that defines a value if it is one of that role, else none.
template <mutable_mpmd_program P>
op_t<P> defined_by(P const& p, value_t<P> v, role r) {
  op_t<P> const d = mpmd::defining_op(p, v);
  return d && ir_traits<P>::role_of(p, d) == r ? d : op_t<P>{};
}

/// Makes the uses for which `which(use)` holds uses of another value. The most recent use is moved first, so that moved
/// uses come to stand in reversed order. O(uses).
template <mutable_mpmd_program P, class Which>
void replace_uses_if(P& p, value_t<P> from, value_t<P> to, Which which) {
  if (from == to) return;
  for (auto const& u : uses_of(p, from))
    if (which(u)) ir_traits<P>::set_operand(p, u.user, u.index, to);
}
template <mutable_mpmd_program P>
void replace_uses(P& p, value_t<P> from, value_t<P> to) {
  replace_uses_if(p, from, to, [](auto const&) { return true; });
}

/// How a helper that several passes share edits the program: at once. A pass that has to know what changes hands in an
/// object of its own with these members (greedy_rewriter).
template <mutable_mpmd_program P>
class direct_edits {
 public:
  explicit direct_edits(P& p) : program_(p) {}
  P& in() const { return program_; }
  op_t<P> create(op_recipe<P> const& recipe, insertion_point<P> at) { return ir_traits<P>::create(program_, recipe, at); }
  void replace_all_uses(value_t<P> from, value_t<P> to) { replace_uses(program_, from, to); }
  /// Puts other values in the place of the results of an op, and erases it.
  void replace(op_t<P> o, std::vector<value_t<P>> const& with) {
    std::size_t i = 0;
    for (auto&& r : results_of(program_, o)) replace_all_uses(r, with[i++]);
    ir_traits<P>::erase(program_, o);
  }

 private:
  P& program_;
};

/// The values that ops inside `o` use but do not define, each once, in the order in which the text names them. A use may
/// stand before the definition, as in graph regions. O(size of o).
template <mutable_mpmd_program P>
std::vector<value_t<P>> captured_values(P const& p, op_t<P> o) {
  using traits = ir_traits<P>;
  std::vector<value_t<P>> found;
  std::vector<op_t<P>> open;  // what is left of each body, the next op last
  std::unordered_set<value_t<P>> defined, seen;
  auto enter = [&](op_t<P> of) {
    std::size_t const from = open.size();
    for (auto&& inner : mpmd::body(p, of)) open.push_back(inner);
    if (open.size() == from) return;
    for (auto&& a : mpmd::arguments(p, of)) defined.insert(a);
    std::reverse(open.begin() + static_cast<std::ptrdiff_t>(from), open.end());
  };
  enter(o);
  while (!open.empty()) {
    op_t<P> const inner = open.back();
    open.pop_back();
    for (auto&& v : traits::operands(p, inner))
      if (!defined.contains(v) && seen.insert(v).second) found.push_back(v);
    for (auto&& v : traits::results(p, inner)) defined.insert(v);
    enter(inner);
  }
  std::erase_if(found, [&](value_t<P> const& v) { return defined.contains(v); });
  return found;
}

}  // namespace mpmd
