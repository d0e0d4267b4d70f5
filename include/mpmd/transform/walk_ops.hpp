#pragma once
/// Walks through everything inside an op. They read bodies as they enter them: who edits on the way lists
/// first.

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <ranges>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

/// Calls `visit` for each op inside `root`, an op before those inside it, in program order. `visit` may say
/// with a bool whether it goes on into the op. O(ops), on the heap.
template <ssa_program P, class Visit>
void walk_ops(P const& p, op_t<P> root, Visit visit) {
  std::vector<op_t<P>> todo;
  auto enter = [&](op_t<P> o) {
    std::size_t const from = todo.size();
    for (auto&& inner : mpmd::body(p, o)) todo.push_back(inner);
    std::reverse(todo.begin() + static_cast<std::ptrdiff_t>(from), todo.end());
  };
  enter(root);
  while (!todo.empty()) {
    op_t<P> const o = todo.back();
    todo.pop_back();
    if constexpr (std::same_as<std::invoke_result_t<Visit&, op_t<P>>, bool>) {
      if (!visit(o)) continue;
    } else {
      visit(o);
    }
    enter(o);
  }
}

/// The ops inside `root` of a role, an op behind those inside it, in program order. O(ops), on the heap.
template <mpmd_program P>
std::vector<op_t<P>> inner_ops_first(P const& p, op_t<P> root, role of) {
  std::vector<op_t<P>> found;
  std::vector<std::pair<op_t<P>, bool>> todo;  // and whether what is inside is done
  auto enter = [&](op_t<P> o) {
    std::size_t const from = todo.size();
    for (auto&& inner : mpmd::body(p, o)) todo.emplace_back(inner, false);
    std::reverse(todo.begin() + static_cast<std::ptrdiff_t>(from), todo.end());
  };
  enter(root);
  while (!todo.empty()) {
    auto const [o, done] = todo.back();
    if (done) {
      if (ir_traits<P>::role_of(p, o) == of) found.push_back(o);
      todo.pop_back();
    } else {
      todo.back().second = true;
      enter(o);
    }
  }
  return found;
}

/// The op with which a second block begins in a body, or none. O(body).
template <mpmd_program P>
op_t<P> second_block(P const& p, op_t<P> holder) {
  bool ended = false;
  for (auto&& o : mpmd::body(p, holder)) {
    if (ended) return o;
    ended = ir_traits<P>::role_of(p, o) == role::terminator;
  }
  return {};
}

/// The op that ends the body of an op, or none. O(1) where the body can be walked backwards, else O(body).
template <mpmd_program P>
op_t<P> terminator_of(P const& p, op_t<P> holder) {
  auto&& ops = mpmd::body(p, holder);
  op_t<P> last = {};
  if constexpr (std::ranges::bidirectional_range<decltype(ops)> && std::ranges::common_range<decltype(ops)>) {
    if (std::ranges::begin(ops) != std::ranges::end(ops)) last = *std::ranges::prev(std::ranges::end(ops));
  } else {
    for (auto&& o : ops) last = o;
  }
  return last && ir_traits<P>::role_of(p, last) == role::terminator ? last : op_t<P>{};
}

}  // namespace mpmd
