#pragma once
/// Elimination of common subexpressions.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/effects.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/hash.hpp>

namespace mpmd::ir {

namespace detail {

/// One run over an op. An op replaces equal ones behind it in its block and in all blocks inside ops behind it, as far
/// as the next isolated op. Ops are equal when kind, attributes, operands (in any order where that means nothing),
/// result types and what is inside agree; locations do not count.
class common_subexpressions {
 public:
  common_subexpressions(program& in, op root) : in_(in), root_(root), pure_(in, root) {}

  /// How many ops are gone.
  std::size_t run() {
    push_blocks(root_, 0);
    while (!todo_.empty()) {
      step const s = todo_.back();
      todo_.pop_back();
      switch (s.what) {
        case step::enter_block:
          todo_.push_back({step::leave_block, {}, {}, s.scope, entered_.size()});
          if (op const first = in_.first_op(s.b)) todo_.push_back({step::look_at, first, {}, s.scope, 0});
          break;
        case step::leave_block:
          for (; entered_.size() > s.mark; entered_.pop_back()) known_.at(entered_.back()).pop_back();
          break;
        case step::look_at:
          if (op const next = in_.next_op(s.o)) todo_.push_back({step::look_at, next, {}, s.scope, 0});
          todo_.push_back({step::finish, s.o, {}, s.scope, 0});
          push_blocks(s.o, in_.has_trait(s.o, op_trait::isolated) ? ++scopes_ : s.scope);
          break;
        case step::finish: finish(s.o, s.scope); break;
      }
    }
    return gone_;
  }

 private:
  struct step {
    enum kind : std::uint8_t { enter_block, leave_block, look_at, finish } what;
    op o;
    block b;
    std::size_t scope;  // ops of different scopes are never equal
    std::size_t mark;
  };

  void push_blocks(op o, std::size_t scope) {
    auto const regions = in_.regions(o);
    for (std::size_t i = regions.size(); i-- > 0;)
      for (block b = in_.last_block(regions[i]); b; b = in_.previous_block(b))
        todo_.push_back({step::enter_block, {}, b, scope, 0});
  }

  void finish(op o, std::size_t scope) {
    if (!in_.regions(o).empty()) inside_.insert_or_assign(o, hash_of_inside(o));
    if (!may_be_erased(in_, o) || !pure_(o)) return;
    if (has_unused_results(in_, o)) {
      in_.erase(o);
      ++gone_;
      return;
    }
    for (region const r : in_.regions(o))
      if (in_.first_block(r) != in_.last_block(r)) return;
    std::uint64_t const hash = hash_of(o, scope);
    auto& alike = known_[hash];
    for (op const earlier : alike) {
      if (!equal(earlier, o)) continue;
      for (std::uint32_t i = 0; i < in_.result_count(o); ++i)
        in_.replace_all_uses(in_.result(o, i), in_.result(earlier, i));
      in_.erase(o);
      ++gone_;
      return;
    }
    alike.push_back(o);
    entered_.push_back(hash);
  }

  std::uint64_t hash_of(op o, std::size_t scope) const {
    hasher h;
    h.add(static_cast<std::uint64_t>(scope));
    add_own(h, o);
    std::vector<std::uint64_t> operands;
    for (value const v : in_.operands(o)) operands.push_back(v.id);
    add_operands(h, o, std::move(operands));
    return h.value();
  }
  void add_operands(hasher& h, op o, std::vector<std::uint64_t> operands) const {
    if (commutes(o)) std::sort(operands.begin(), operands.end());
    for (std::uint64_t const v : operands) h.add(v);
  }
  // Whether the order of the operands means nothing.
  bool commutes(op o) const {
    return in_.operand_count(o) == 2 &&
           (in_.has_trait(o, op_trait::commutative) || in_.kind_text(o) == "stablehlo.xor");
  }
  // What an op is by itself, with what is inside.
  void add_own(hasher& h, op o) const {
    h.add(in_.kind(o).id);
    h.add(in_.properties(o).id);
    h.add(in_.attributes(o).id);
    for (value const v : in_.results(o)) h.add(in_.type_of(v).id);
    if (auto const at = inside_.find(o); at != inside_.end()) h.add(at->second);
  }
  // The hash of what is inside, from the hashes of what is directly inside, so that deep nesting costs no more than flat
  // code. How values hang together in a block counts; of those from further out, which need not be the same ones in an
  // equal op, only the types do.
  std::uint64_t hash_of_inside(op o) const {
    hasher h;
    std::unordered_map<value, std::uint32_t> local;
    auto number = [&](value v) { local.emplace(v, static_cast<std::uint32_t>(local.size())); };
    for (region const r : in_.regions(o))
      for (block b = in_.first_block(r); b; b = in_.next_block(b)) {
        for (value const v : in_.arguments(b)) {
          h.add(in_.type_of(v).id);
          number(v);
        }
        for (op at = in_.first_op(b); at; at = in_.next_op(at)) {
          add_own(h, at);
          std::vector<std::uint64_t> operands;
          for (value const v : in_.operands(at)) {
            auto const known = local.find(v);
            operands.push_back(known == local.end() ? std::uint64_t{in_.type_of(v).id} << 32 : known->second);
          }
          add_operands(h, at, std::move(operands));
          for (value const v : in_.results(at)) number(v);
        }
      }
    return h.value();
  }

  bool equal(op a, op b) const {
    std::unordered_map<value, value> partner;
    std::vector<std::pair<op, op>> open{{a, b}};
    while (!open.empty()) {
      auto const [x, y] = open.back();
      open.pop_back();
      if (in_.kind(x) != in_.kind(y) || in_.properties(x) != in_.properties(y) ||
          in_.attributes(x) != in_.attributes(y) || in_.operand_count(x) != in_.operand_count(y) ||
          in_.result_count(x) != in_.result_count(y) || in_.regions(x).size() != in_.regions(y).size() ||
          !in_.successors(x).empty() || !in_.successors(y).empty())
        return false;
      auto same = [&](std::uint32_t i, std::uint32_t j) {
        auto const inner = partner.find(in_.operand(x, i));
        return (inner == partner.end() ? in_.operand(x, i) : inner->second) == in_.operand(y, j);
      };
      if (!commutes(x) || !same(0, 1) || !same(1, 0))
        for (std::uint32_t i = 0; i < in_.operand_count(x); ++i)
          if (!same(i, i)) return false;
      for (std::uint32_t i = 0; i < in_.result_count(x); ++i) {
        if (in_.type_of(in_.result(x, i)) != in_.type_of(in_.result(y, i))) return false;
        if (x != a) partner[in_.result(x, i)] = in_.result(y, i);
      }
      std::vector<std::pair<op, op>> inside;
      for (std::size_t r = 0; r < in_.regions(x).size(); ++r) {
        block const p = in_.first_block(in_.regions(x)[r]), q = in_.first_block(in_.regions(y)[r]);
        if (!p != !q) return false;
        if (!p) continue;
        if (p != in_.last_block(in_.regions(x)[r]) || q != in_.last_block(in_.regions(y)[r])) return false;
        auto const left = in_.arguments(p), right = in_.arguments(q);
        if (left.size() != right.size()) return false;
        for (std::size_t i = 0; i < left.size(); ++i) {
          if (in_.type_of(left[i]) != in_.type_of(right[i])) return false;
          partner[left[i]] = right[i];
        }
        op m = in_.first_op(p), n = in_.first_op(q);
        for (; m && n; m = in_.next_op(m), n = in_.next_op(n)) inside.emplace_back(m, n);
        if (m || n) return false;
      }
      open.insert(open.end(), inside.rbegin(), inside.rend());
    }
    return true;
  }

  program& in_;
  op root_;
  purity pure_;
  std::vector<step> todo_;
  std::unordered_map<std::uint64_t, std::vector<op>> known_;
  std::vector<std::uint64_t> entered_;
  std::unordered_map<op, std::uint64_t> inside_;  // hashes of what is in ops that have regions
  std::size_t scopes_ = 0;
  std::size_t gone_ = 0;
};

}  // namespace detail

/// Makes equal ops without effects one, those with bodies of single blocks included, and erases unused ones; how many
/// are gone. Expected O(ops), however they nest.
inline std::size_t eliminate_common_subexpressions(program& in, op root) {
  return detail::common_subexpressions(in, root).run();
}

}  // namespace mpmd::ir
