#pragma once
/// Walks over the ops of a program. None of them uses the call stack: regions may nest as deep as memory
/// allows.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include <mpmd/ir/program.hpp>

namespace mpmd::ir {

/// What a visitor says about how the walk goes on. A visitor that returns void always advances.
enum class walk_step {
  advance,    ///< go on, into the regions of the op first
  skip,       ///< go on behind the op; means the same as advance once the regions are done
  interrupt,  ///< stop the whole walk
};

enum class walk_direction {
  forward,
  reversed,  ///< last region, last block and last op first
};

namespace detail {
inline op next_of(program const& in, op o) { return in.next_op(o); }
inline block next_of(program const& in, block b) { return in.next_block(b); }
}  // namespace detail

/// The ops of a block or the blocks of a region, in order. The one under the iterator may be erased or moved
/// while iterating; the one after it may not.
template <class Handle>
class sibling_range {
 public:
  struct iterator {
    using value_type = Handle;
    using difference_type = std::ptrdiff_t;
    program const* in = nullptr;
    Handle at = {};
    Handle next = {};
    Handle operator*() const { return at; }
    iterator& operator++() {
      at = next;
      next = at ? detail::next_of(*in, at) : Handle{};
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(iterator const& a, iterator const& b) { return a.at == b.at; }
  };
  sibling_range(program const& in, Handle first) : in_(&in), first_(first) {}
  iterator begin() const { return {in_, first_, first_ ? detail::next_of(*in_, first_) : Handle{}}; }
  iterator end() const { return {in_, {}, {}}; }
  bool empty() const { return !first_; }

 private:
  program const* in_;
  Handle first_;
};
/// The ops directly in a block; of no block, none.
struct op_range : sibling_range<op> {
  op_range(program const& in, block of) : sibling_range<op>(in, of ? in.first_op(of) : op{}) {}
};
inline op_range ops(program const& in, block of) { return {in, of}; }
inline sibling_range<block> blocks(program const& in, region of) { return {in, in.first_block(of)}; }

namespace detail {

template <class Visitor>
walk_step call_visitor(Visitor& visit, op o) {
  if constexpr (std::is_void_v<std::invoke_result_t<Visitor&, op>>) {
    visit(o);
    return walk_step::advance;
  } else {
    return visit(o);
  }
}

}  // namespace detail

/// Walks `root` and everything in it, calling `enter` before the regions of an op and `leave` after them (not
/// for ops that `enter` skipped). `leave` may erase the op it is given, and so may `enter` if it then skips;
/// both may insert ops, which are visited if they stand behind the next op of their block. Returns false if
/// interrupted. O(ops + blocks + regions) time, O(depth) memory.
template <walk_direction direction = walk_direction::forward, class Enter, class Leave>
  requires std::invocable<Enter&, op> && std::invocable<Leave&, op>
bool walk_around(program const& in, op root, Enter enter, Leave leave) {
  constexpr bool forward = direction == walk_direction::forward;
  struct frame {
    op owner;
    std::uint32_t region = 0;  // how many regions have been started
    block next_block = {};
    op next_op = {};
  };
  auto first_of = [&](block b) { return forward ? in.first_op(b) : in.last_op(b); };
  auto after = [&](op o) { return forward ? in.next_op(o) : in.previous_op(o); };
  std::vector<frame> open;
  auto visit = [&](op o) {
    switch (detail::call_visitor(enter, o)) {
      case walk_step::interrupt: return false;
      case walk_step::skip: return true;
      case walk_step::advance: break;
    }
    if (in.regions(o).empty()) return detail::call_visitor(leave, o) != walk_step::interrupt;
    open.push_back({o});
    return true;
  };
  if (!visit(root)) return false;
  while (!open.empty()) {
    frame& f = open.back();
    if (op const o = f.next_op) {
      f.next_op = after(o);
      if (!visit(o)) return false;
    } else if (block const b = f.next_block) {
      f.next_block = forward ? in.next_block(b) : in.previous_block(b);
      f.next_op = first_of(b);
    } else if (auto const regions = in.regions(f.owner); f.region < regions.size()) {
      region const r = regions[forward ? f.region : regions.size() - 1 - f.region];
      ++f.region;
      f.next_block = forward ? in.first_block(r) : in.last_block(r);
    } else {
      op const done = f.owner;
      open.pop_back();
      if (detail::call_visitor(leave, done) == walk_step::interrupt) return false;
    }
  }
  return true;
}

/// Visits `root` and everything in it, an op before its regions. See walk_around.
template <walk_direction direction = walk_direction::forward, std::invocable<op> Visitor>
bool walk(program const& in, op root, Visitor visit) {
  return walk_around<direction>(in, root, visit, [](op) {});
}

/// Visits `root` and everything in it, an op after its regions. See walk_around.
template <walk_direction direction = walk_direction::forward, std::invocable<op> Visitor>
bool walk_post_order(program const& in, op root, Visitor visit) {
  return walk_around<direction>(in, root, [](op) {}, visit);
}

/// The closest op around `o`, not `o` itself, that has this opcode; or none. O(depth).
inline op enclosing(program const& in, op o, opcode code) {
  for (op up = in.parent_op(o); up; up = in.parent_op(up))
    if (in.is(up, code)) return up;
  return {};
}

}  // namespace mpmd::ir
