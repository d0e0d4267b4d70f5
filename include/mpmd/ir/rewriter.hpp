#pragma once
/// Rewriting of ops to a fixed point: a list of ops to look at, and edits that put what they touch back on
/// it.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <mpmd/ir/effects.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

/// How a rewrite edits the program. A rewrite is a callable `bool(rewriter&, op)` that says whether it
/// changed anything; it edits through this object only, so that everything that may be rewritten next is
/// looked at again.
class rewriter {
 public:
  rewriter(program& in, op root) : in_(in), pure_(in, root) {}

  program& in() const { return in_; }

  /// Puts an op on the list, to be looked at next.
  void revisit(op o) {
    if (listed_.size() <= o.id) listed_.resize(in_.op_capacity(), false);
    if (listed_[o.id]) return;
    listed_[o.id] = true;
    list_.push_back(o);
  }
  void revisit_users(value v) {
    for (use const u : in_.uses(v)) revisit(u.user);
  }

  void set_operand(op o, std::uint32_t i, value to) {
    value const from = in_.operand(o, i);
    if (from == to) return;
    in_.set_operand(o, i, to);
    suspect(from);
    changed(o);
  }
  void set_attributes(op o, attribute dictionary) {
    in_.set_attributes(o, dictionary);
    revisit(o);
  }
  void replace_all_uses(value from, value to) {
    for (use const u : in_.uses(from)) changed(u.user);
    in_.replace_all_uses(from, to);
    suspect(from);
  }
  /// Puts other values in the place of the results of an op, and erases it.
  void replace(op o, std::vector<value> const& with) {
    for (std::uint32_t i = 0; i < in_.result_count(o); ++i) {
      for (use const u : in_.uses(in_.result(o, i))) changed(u.user);
      in_.replace_all_uses(in_.result(o, i), with[i]);
    }
    erase(o);
  }
  /// An op that a rewrite has made and inserted.
  void created(op o) {
    pure_.add(in_, o);
    revisit(o);
  }
  /// An op whose results nobody uses, with all it contains.
  void erase(op o) {
    std::vector<value> used;
    walk(in_, o, [&](op inner) {
      if (inner.id < listed_.size()) listed_[inner.id] = false;
      if (inner.id < suspected_.size()) suspected_[inner.id] = false;
      for (value const v : in_.operands(inner)) used.push_back(v);
    });
    in_.erase(o);
    for (value const v : used) suspect(v);
  }

  bool is_dead(op o) {
    return may_be_erased(in_, o) && pure_(o) && has_unused_results(in_, o) && is_closed(o);
  }

  /// Looks at every listed op until none is left: erases it if it is dead, else applies the first rewrite
  /// that changes anything. Ops that may have died by the way are looked at once the list is empty, so that
  /// an op with many results is not searched for uses after every one of them goes.
  template <class... Rewrites>
  void run(Rewrites const&... rewrites) {
    for (;;) {
      if (!list_.empty()) {
        op const o = list_.back();
        list_.pop_back();
        if (!listed_[o.id]) continue;  // erased since
        listed_[o.id] = false;
        if (is_dead(o))
          erase(o);
        else if ((rewrites(*this, o) || ...))
          continue;
      } else if (next_suspect_ < suspects_.size()) {
        op const o = suspects_[next_suspect_++];
        if (!suspected_[o.id]) continue;
        suspected_[o.id] = false;
        if (is_dead(o)) erase(o);
      } else {
        return;
      }
    }
  }

 private:
  /// Whether nothing outside an op uses what is defined in it, as in every valid program. O(size of its
  /// regions).
  bool is_closed(op o) {
    if (in_.regions(o).empty()) return true;
    if (inside_.size() < in_.op_capacity()) inside_.resize(in_.op_capacity(), false);
    walk(in_, o, [&](op inner) { inside_[inner.id] = true; });
    bool closed = true;
    auto check = [&](value v) {
      for (use const u : in_.uses(v)) closed = closed && inside_[u.user.id];
    };
    walk(in_, o, [&](op inner) {
      for (value const v : in_.results(inner)) check(v);
      for (region const r : in_.regions(inner))
        for (block const b : blocks(in_, r))
          for (value const v : in_.arguments(b)) check(v);
    });
    walk(in_, o, [&](op inner) { inside_[inner.id] = false; });
    return closed;
  }
  /// The operands of an op have changed. A terminator says something about the op around it.
  void changed(op o) {
    revisit(o);
    if (in_.has_trait(o, op_trait::terminator))
      if (op const around = in_.parent_op(o)) revisit(around);
  }
  /// A use of a value is gone: the op that makes it may have died.
  void suspect(value v) {
    if (!in_.is_unused(v) || in_.is_argument(v)) return;
    op const by = in_.defining_op(v);
    if (!in_.kind(by)) return;  // it went with the op around it
    if (suspected_.size() <= by.id) suspected_.resize(in_.op_capacity(), false);
    if (suspected_[by.id]) return;
    suspected_[by.id] = true;
    suspects_.push_back(by);
  }

  program& in_;
  purity pure_;
  std::vector<op> list_;      // the last is looked at next
  std::vector<bool> listed_;  // by op
  std::vector<op> suspects_;  // the first not looked at is next
  std::size_t next_suspect_ = 0;
  std::vector<bool> suspected_;
  std::vector<bool> inside_;  // scratch of is_closed, all false between calls
};

}  // namespace mpmd::ir
