#pragma once
/// -cse: computes what is computed several times once. What every compiler has, under the name that MLIR gives it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/graph/structured_program.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/support/hash.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/purity.hpp>

namespace mpmd {

namespace detail {

/// One run over an op. An op replaces equal ones behind it in its block and in all blocks inside ops behind it, as far
/// as the next isolated op. Ops are equal when they are alike, and so are their operands (in any order where that means
/// nothing) and what is inside; locations do not count.
template <structured_program P>
class common_subexpressions {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;
  using block = block_t<P>;

 public:
  explicit common_subexpressions(P& p) : p_(p) {}

  /// How many ops are gone.
  std::size_t run(op root) {
    push_blocks(root, 0);
    while (!todo_.empty()) {
      step const s = todo_.back();
      todo_.pop_back();
      switch (s.what) {
        case step::enter_block: {
          todo_.push_back({step::leave_block, {}, {}, entered_.size()});
          std::size_t const from = todo_.size();
          for (auto&& o : traits::block_ops(p_, s.b)) todo_.push_back({step::look_at, o, {}, s.number});
          std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(from), todo_.end());
          break;
        }
        case step::leave_block:
          for (; entered_.size() > s.number; entered_.pop_back()) known_.at(entered_.back()).pop_back();
          break;
        case step::look_at:
          if (traits::region_count(p_, s.o) == 0) {
            finish(s.o, s.number);
            break;
          }
          todo_.push_back({step::finish_op, s.o, {}, s.number});
          push_blocks(s.o, traits::is_isolated(p_, s.o) ? ++scopes_ : s.number);
          break;
        case step::finish_op: finish(s.o, s.number); break;
      }
    }
    return gone_;
  }

 private:
  struct step {
    enum kind : std::uint8_t { enter_block, leave_block, look_at, finish_op } what;
    op o;
    block b;
    std::size_t number;  // of the scope, ops of different ones being never equal; behind a block, what to go back to
  };

  void push_blocks(op o, std::size_t scope) {
    for (std::size_t i = traits::region_count(p_, o); i-- > 0;) {
      std::size_t const from = todo_.size();
      for (auto&& b : traits::blocks(p_, o, i)) todo_.push_back({step::enter_block, {}, b, scope});
      std::reverse(todo_.begin() + static_cast<std::ptrdiff_t>(from), todo_.end());
    }
  }

  // No op is made meanwhile, so that no handle comes back as that of another op.
  void erase(op o) {
    traits::erase(p_, o);
    ++gone_;
  }
  void finish(op o, std::size_t scope) {
    if (!may_be_erased(p_, o) || !pure_(p_, o)) return;
    if (traits::region_count(p_, o) != 0) inside_.insert_or_assign(o, look_inside(o));
    if (has_unused_results(p_, o)) return erase(o);
    if (!has_single_blocks(o)) return;
    std::uint64_t const hash = hash_of(o, scope);
    auto& alike = known_[hash];
    for (op const earlier : alike) {
      if (!equal(earlier, o)) continue;
      auto const old = results_of(p_, o), now = results_of(p_, earlier);
      for (std::size_t i = 0; i < old.size(); ++i) replace_uses(p_, old[i], now[i]);
      return erase(o);
    }
    alike.push_back(o);
    entered_.push_back(hash);
  }
  bool has_single_blocks(op o) const {
    for (std::size_t i = 0; i < traits::region_count(p_, o); ++i)
      if (std::ranges::distance(traits::blocks(p_, o, i)) > 1) return false;
    return true;
  }

  std::uint64_t hash_of(op o, std::size_t scope) {
    hasher h;
    h.add(static_cast<std::uint64_t>(scope));
    add_own(h, o);
    numbers_.clear();
    for (auto&& v : traits::operands(p_, o)) numbers_.push_back(std::hash<value>{}(v));
    add_operands(h, o);
    if (traits::region_count(p_, o) != 0) h.add(inside_.at(o).captured);
    return h.value();
  }
  void add_operands(hasher& h, op o) {
    if (traits::is_commutative(p_, o)) std::sort(numbers_.begin(), numbers_.end());
    for (std::uint64_t const v : numbers_) h.add(v);
  }
  // What an op is by itself, with what is inside.
  void add_own(hasher& h, op o) const {
    h.add(traits::hash_alone(p_, o));
    if (traits::region_count(p_, o) == 0) return;
    if (auto const at = inside_.find(o); at != inside_.end()) h.add(at->second.hash);
  }

  // What is in an op that has regions.
  struct contents {
    std::uint64_t hash = 0;      // of the ops, and of how their values hang together
    std::uint64_t captured = 0;  // a sum over all uses inside of values from outside; 0 where it is not known
  };
  static std::uint64_t mixed(value v) {
    hasher h;
    h.add(static_cast<std::uint64_t>(std::hash<value>{}(v)));
    return h.value();
  }
  // From what is known of the ops directly inside, so that deep nesting costs no more than flat code. Values from further
  // out need not be the same ones in an op that is equal within an equal one, so that they count in the sum alone: that is
  // over all uses, less those of what is defined inside.
  contents look_inside(op o) {
    hasher h;
    std::uint64_t captured = 0;
    bool complete = true;
    std::unordered_map<value, std::uint64_t> local;
    auto number = [&](value v) {
      local.emplace(v, local.size());
      captured -= mixed(v) * static_cast<std::uint64_t>(std::ranges::distance(traits::uses(p_, v)));
    };
    for (std::size_t i = 0; i < traits::region_count(p_, o); ++i)
      for (auto&& b : traits::blocks(p_, o, i)) {
        for (auto&& v : traits::block_arguments(p_, b)) number(v);
        for (auto&& at : traits::block_ops(p_, b)) {
          add_own(h, at);
          numbers_.clear();
          for (auto&& v : traits::operands(p_, at)) {
            auto const known = local.find(v);
            numbers_.push_back(known == local.end() ? ~std::uint64_t{0} : known->second);
            captured += mixed(v);
          }
          add_operands(h, at);
          for (auto&& v : traits::results(p_, at)) number(v);
          if (traits::region_count(p_, at) == 0) continue;
          auto const deeper = inside_.find(at);
          complete = complete && deeper != inside_.end();
          if (complete) captured += deeper->second.captured;
        }
      }
    return {h.value(), complete ? captured : 0};
  }

  // Whether the operands of x, or in their place what is their partner in the other op, are those of y.
  bool have_equal_operands(op x, op y, std::unordered_map<value, value> const& partner) const {
    auto&& left = traits::operands(p_, x);
    auto&& right = traits::operands(p_, y);
    auto const same = [&](value a, value b) {
      auto const inner = partner.empty() ? partner.end() : partner.find(a);
      return (inner == partner.end() ? a : inner->second) == b;
    };
    if (std::ranges::equal(left, right, same)) return true;
    if (!traits::is_commutative(p_, x) || !traits::is_commutative(p_, y)) return false;
    auto a = std::ranges::begin(left), b = std::ranges::begin(right);
    value const a0 = *a, a1 = *++a, b0 = *b, b1 = *++b;
    return same(a0, b1) && same(a1, b0);
  }

  bool equal(op a, op b) const {
    std::unordered_map<value, value> partner;
    std::vector<std::pair<op, op>> open{{a, b}}, inside;
    while (!open.empty()) {
      auto const [x, y] = open.back();
      open.pop_back();
      std::size_t const regions = traits::region_count(p_, x);
      if (regions != traits::region_count(p_, y) || !traits::is_alike(p_, x, y) || leads_on(x) || leads_on(y) ||
          !have_equal_operands(x, y, partner))
        return false;
      if (x != a) pair_up(traits::results(p_, x), traits::results(p_, y), partner);
      inside.clear();
      for (std::size_t r = 0; r < regions; ++r) {
        auto&& left = traits::blocks(p_, x, r);
        auto&& right = traits::blocks(p_, y, r);
        auto const count = std::ranges::distance(left);
        if (count != std::ranges::distance(right) || count > 1) return false;
        if (count == 0) continue;
        block const p = *std::ranges::begin(left), q = *std::ranges::begin(right);
        if (!std::ranges::equal(traits::block_arguments(p_, p), traits::block_arguments(p_, q),
                                [this](value v, value w) { return traits::type_of(p_, v) == traits::type_of(p_, w); }))
          return false;
        pair_up(traits::block_arguments(p_, p), traits::block_arguments(p_, q), partner);
        std::size_t const from = inside.size();
        for (auto&& o : traits::block_ops(p_, p)) inside.emplace_back(o, op{});
        std::size_t at = from;
        for (auto&& o : traits::block_ops(p_, q)) {
          if (at == inside.size()) return false;
          inside[at++].second = o;
        }
        if (at != inside.size()) return false;
      }
      open.insert(open.end(), inside.rbegin(), inside.rend());
    }
    return true;
  }
  bool leads_on(op o) const {
    auto&& to = traits::successors(p_, o);
    return std::ranges::begin(to) != std::ranges::end(to);
  }
  static void pair_up(auto&& left, auto&& right, std::unordered_map<value, value>& partner) {
    auto w = std::ranges::begin(right);
    for (auto&& v : left) partner[v] = *w++;
  }

  P& p_;
  purity<P> pure_;
  std::vector<step> todo_;
  std::unordered_map<std::uint64_t, std::vector<op>> known_;
  std::vector<std::uint64_t> entered_;
  std::unordered_map<op, contents> inside_;  // of ops that have regions
  std::vector<std::uint64_t> numbers_;       // scratch, of operands
  std::size_t scopes_ = 0;
  std::size_t gone_ = 0;
};

}  // namespace detail

/// Makes equal ops without effects one, those with bodies of single blocks included, and erases unused ones; how many
/// are gone. Expected O(ops), however they nest.
template <structured_program P>
std::size_t merge_common_subexpressions(P& p, op_t<P> root) {
  return detail::common_subexpressions<P>(p).run(root);
}

/// Equal computations, named ones included, become one.
struct eliminate_common_subexpressions {
  static constexpr std::string_view name = "cse";
  static constexpr std::string_view summary = "Compute what is computed several times once";
  static constexpr auto options = std::tuple{};
  template <structured_program P>
  bool operator()(P& p, diagnostics&) const {
    merge_common_subexpressions(p, ir_traits<P>::root(p));
    return true;
  }
};

}  // namespace mpmd
