/// Random edits of a program and of a plain model of it, compared after every step.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <set>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/invariants.hpp>

#include "ir/support.hpp"

namespace program_fuzz_test {

using namespace mpmd::ir;
using mpmd::ir::testing::sample;

namespace {

/// A program the plain way: trees of vectors, and for each value the list of its uses, most recent first.
struct model {
  struct node;
  struct model_block {
    block real;
    std::vector<value> arguments;
    std::vector<std::shared_ptr<node>> ops;
  };
  struct node {
    op real;
    std::vector<value> operands;
    std::vector<value> results;
    std::vector<std::vector<std::shared_ptr<model_block>>> regions;
    model_block* parent = nullptr;
  };
  std::vector<std::shared_ptr<node>> loose;  // ops in no block
  std::shared_ptr<model_block> body = std::make_shared<model_block>();
  std::map<value, std::vector<use>> uses;

  void add_use(value v, node const& n, std::size_t i) {
    uses[v].insert(uses[v].begin(), use{n.real, static_cast<std::uint32_t>(i)});
  }
  void drop_use(value v, node const& n, std::size_t i) {
    auto& list = uses[v];
    list.erase(std::find(list.begin(), list.end(), use{n.real, static_cast<std::uint32_t>(i)}));
  }
  /// Calls back for every node in a block or a loose op, outermost first.
  template <class F>
  static void each(std::shared_ptr<node> const& n, F const& f) {
    f(n);
    for (auto const& r : n->regions)
      for (auto const& b : r)
        for (auto const& inner : b->ops) each(inner, f);
  }
  template <class F>
  void each(F const& f) const {
    for (auto const& n : body->ops) each(n, f);
    for (auto const& n : loose) each(n, f);
  }
};

class editor {
 public:
  explicit editor(unsigned seed) : random_(seed) { m_.body->real = s_.p.body(); }

  void step() {
    collect();
    switch (pick(18)) {
      case 0:
      case 1:
      case 2: create(); break;
      case 3: insert(); break;
      case 4: unlink(); break;
      case 5: erase(); break;
      case 6:
      case 7: set_operand(); break;
      case 8: append_operand(); break;
      case 9: erase_operand(); break;
      case 10: set_operands(); break;
      case 11: replace_all_uses(); break;
      case 12: add_argument(); break;
      case 13: erase_argument(); break;
      case 14: append_block(); break;
      case 15: move_block(); break;
      case 16: erase_block(); break;
      case 17: clone(); break;
    }
  }

  /// Everything the program says is what the model says.
  void compare() {
    std::vector<op> loose;
    for (auto const& n : m_.loose) loose.push_back(n->real);
    std::string const broken = find_broken_link(s_.p, loose);
    REQUIRE_MESSAGE(broken.empty(), broken);
    compare_block(*m_.body);
    m_.each([&](std::shared_ptr<model::node> const& n) { compare_node(*n); });
    for (auto const& n : m_.loose) REQUIRE(s_.p.parent_block(n->real) == block{});
    for (auto const& [v, expected] : m_.uses) {
      std::vector<use> got;
      for (use const u : s_.p.uses(v)) got.push_back(u);
      REQUIRE(got == expected);
    }
  }
  std::size_t size() const { return nodes_.size(); }

 private:
  using node_ptr = std::shared_ptr<model::node>;
  using block_ptr = std::shared_ptr<model::model_block>;

  std::size_t pick(std::size_t n) { return random_() % n; }

  void collect() {
    nodes_.clear();
    blocks_ = {m_.body};
    values_.clear();
    m_.each([&](node_ptr const& n) {
      nodes_.push_back(n);
      for (value const v : n->results) values_.push_back(v);
      for (auto const& r : n->regions)
        for (auto const& b : r) {
          blocks_.push_back(b);
          for (value const v : b->arguments) values_.push_back(v);
        }
    });
    for (value const v : m_.body->arguments) values_.push_back(v);
  }

  void compare_block(model::model_block const& b) {
    std::vector<op> got, expected;
    for (op const o : ops(s_.p, b.real)) got.push_back(o);
    for (auto const& n : b.ops) expected.push_back(n->real);
    REQUIRE(got == expected);
    std::vector<value> const arguments(s_.p.arguments(b.real).begin(), s_.p.arguments(b.real).end());
    REQUIRE(arguments == b.arguments);
    // One random pair of ops: which stands first.
    if (got.size() >= 2) {
      std::size_t const i = pick(got.size()), j = pick(got.size());
      REQUIRE(s_.p.is_before(got[i], got[j]) == (i < j));
    }
  }
  void compare_node(model::node const& n) {
    REQUIRE(std::vector<value>(s_.p.operands(n.real).begin(), s_.p.operands(n.real).end()) == n.operands);
    REQUIRE(s_.p.regions(n.real).size() == n.regions.size());
    for (std::size_t i = 0; i < n.regions.size(); ++i) {
      std::vector<block> got, expected;
      for (block const b : blocks(s_.p, s_.p.regions(n.real)[i])) got.push_back(b);
      for (auto const& b : n.regions[i]) expected.push_back(b->real);
      REQUIRE(got == expected);
      for (auto const& b : n.regions[i]) compare_block(*b);
    }
  }

  bool is_in(node_ptr const& outer, model::model_block const* b) const {
    bool found = false;
    model::each(outer, [&](node_ptr const& n) {
      for (auto const& r : n->regions)
        for (auto const& inner : r) found = found || inner.get() == b;
    });
    return found;
  }

  void create() {
    if (nodes_.size() > 60) return;
    auto n = std::make_shared<model::node>();
    op_state state{.kind = s_.cx().intern("x.op")};
    for (std::size_t i = pick(4); i > 0 && !values_.empty(); --i)
      state.operands.push_back(values_[pick(values_.size())]);
    state.results.assign(pick(3), s_.t48());
    for (std::size_t i = pick(5) == 0 ? 1 + pick(2) : 0; i > 0; --i)
      state.regions.push_back(s_.p.create_region());
    n->real = s_.p.create(state);
    n->operands = state.operands;
    for (std::size_t i = 0; i < n->operands.size(); ++i) m_.add_use(n->operands[i], *n, i);
    for (value const v : s_.p.results(n->real)) n->results.push_back(v);
    n->regions.resize(state.regions.size());
    m_.loose.push_back(n);
    if (pick(4) != 0) place(n);
  }

  /// Puts a loose op somewhere, in one of four ways.
  void place(node_ptr const& n) {
    auto const& b = blocks_[pick(blocks_.size())];
    if (is_in(n, b.get())) return;
    std::size_t at = b->ops.size();
    switch (b->ops.empty() ? pick(2) : pick(4)) {
      case 0: s_.p.append(b->real, n->real); break;
      case 1:
        at = 0;
        s_.p.prepend(b->real, n->real);
        break;
      case 2:
        at = pick(b->ops.size());
        s_.p.insert_before(b->ops[at]->real, n->real);
        break;
      case 3:
        at = pick(b->ops.size());
        s_.p.insert_after(b->ops[at]->real, n->real);
        ++at;
        break;
    }
    b->ops.insert(b->ops.begin() + static_cast<std::ptrdiff_t>(at), n);
    n->parent = b.get();
    m_.loose.erase(std::find(m_.loose.begin(), m_.loose.end(), n));
  }
  void insert() {
    if (!m_.loose.empty()) place(node_ptr(m_.loose[pick(m_.loose.size())]));
  }
  void take_out(node_ptr const& n) {
    auto& list = n->parent ? n->parent->ops : m_.loose;
    list.erase(std::find(list.begin(), list.end(), n));
    n->parent = nullptr;
  }
  void unlink() {
    if (nodes_.empty()) return;
    node_ptr const n = nodes_[pick(nodes_.size())];
    s_.p.unlink(n->real);
    if (n->parent == nullptr) return;
    take_out(n);
    m_.loose.push_back(n);
  }

  /// Whether everything that uses values of these nodes is among them.
  bool closed(std::vector<node_ptr> const& doomed) const {
    std::set<op> inside;
    std::vector<value> defined;
    for (auto const& top : doomed)
      model::each(top, [&](node_ptr const& n) {
        inside.insert(n->real);
        defined.insert(defined.end(), n->results.begin(), n->results.end());
        for (auto const& r : n->regions)
          for (auto const& b : r) defined.insert(defined.end(), b->arguments.begin(), b->arguments.end());
      });
    for (value const v : defined)
      if (auto const at = m_.uses.find(v); at != m_.uses.end())
        for (use const& u : at->second)
          if (!inside.contains(u.user)) return false;
    return true;
  }
  void forget(node_ptr const& top) {
    model::each(top, [&](node_ptr const& n) {
      for (std::size_t i = n->operands.size(); i-- > 0;) m_.drop_use(n->operands[i], *n, i);
    });
    model::each(top, [&](node_ptr const& n) {
      for (value const v : n->results) m_.uses.erase(v);
      for (auto const& r : n->regions)
        for (auto const& b : r)
          for (value const v : b->arguments) m_.uses.erase(v);
    });
  }
  void erase() {
    if (nodes_.empty()) return;
    node_ptr const n = nodes_[pick(nodes_.size())];
    if (!closed({n})) return;
    s_.p.erase(n->real);
    forget(n);
    take_out(n);
  }

  node_ptr node_with_operands() {
    if (nodes_.empty()) return {};
    node_ptr const n = nodes_[pick(nodes_.size())];
    return n->operands.empty() ? node_ptr{} : n;
  }
  void set_operand() {
    node_ptr const n = node_with_operands();
    if (!n) return;
    std::size_t const i = pick(n->operands.size());
    value const to = values_[pick(values_.size())];
    s_.p.set_operand(n->real, static_cast<std::uint32_t>(i), to);
    m_.drop_use(n->operands[i], *n, i);
    n->operands[i] = to;
    m_.add_use(to, *n, i);
  }
  void append_operand() {
    if (nodes_.empty() || values_.empty()) return;
    node_ptr const n = nodes_[pick(nodes_.size())];
    for (std::size_t k = 1 + pick(5); k > 0; --k) {
      value const v = values_[pick(values_.size())];
      s_.p.append_operand(n->real, v);
      n->operands.push_back(v);
      m_.add_use(v, *n, n->operands.size() - 1);
    }
  }
  void model_erase_operand(node_ptr const& n, std::size_t i) {
    m_.drop_use(n->operands[i], *n, i);
    n->operands.erase(n->operands.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& [v, list] : m_.uses)
      for (use& u : list)
        if (u.user == n->real && u.index > i) --u.index;
  }
  void erase_operand() {
    node_ptr const n = node_with_operands();
    if (!n) return;
    std::size_t const i = pick(n->operands.size());
    s_.p.erase_operand(n->real, static_cast<std::uint32_t>(i));
    model_erase_operand(n, i);
  }
  void set_operands() {
    if (nodes_.empty() || values_.empty()) return;
    node_ptr const n = nodes_[pick(nodes_.size())];
    std::vector<value> to;
    for (std::size_t k = pick(5); k > 0; --k) to.push_back(values_[pick(values_.size())]);
    s_.p.set_operands(n->real, to);
    while (n->operands.size() > to.size()) model_erase_operand(n, n->operands.size() - 1);
    for (std::size_t i = 0; i < to.size(); ++i) {
      if (i < n->operands.size()) {
        m_.drop_use(n->operands[i], *n, i);
        n->operands[i] = to[i];
      } else {
        n->operands.push_back(to[i]);
      }
      m_.add_use(to[i], *n, i);
    }
  }
  void replace_all_uses() {
    if (values_.empty()) return;
    value const from = values_[pick(values_.size())], to = values_[pick(values_.size())];
    s_.p.replace_all_uses(from, to);
    if (from == to) return;
    std::map<op, node_ptr> by_op;
    for (auto const& n : nodes_) by_op[n->real] = n;
    std::vector<use> const moved = std::move(m_.uses[from]);
    m_.uses[from].clear();
    for (use const& u : moved) {
      by_op.at(u.user)->operands[u.index] = to;
      m_.add_use(to, *by_op.at(u.user), u.index);
    }
  }

  void add_argument() {
    auto const& b = blocks_[pick(blocks_.size())];
    if (b->arguments.size() < 4) b->arguments.push_back(s_.p.add_argument(b->real, s_.t48()));
  }
  void erase_argument() {
    auto const& b = blocks_[pick(blocks_.size())];
    if (b->arguments.empty()) return;
    std::size_t const i = pick(b->arguments.size());
    if (!m_.uses[b->arguments[i]].empty()) return;
    m_.uses.erase(b->arguments[i]);
    s_.p.erase_argument(b->real, static_cast<std::uint32_t>(i));
    b->arguments.erase(b->arguments.begin() + static_cast<std::ptrdiff_t>(i));
  }

  node_ptr node_with_regions() {
    std::vector<node_ptr> some;
    for (auto const& n : nodes_)
      if (!n->regions.empty()) some.push_back(n);
    return some.empty() ? node_ptr{} : some[pick(some.size())];
  }
  void append_block() {
    node_ptr const n = node_with_regions();
    if (!n) return;
    std::size_t const r = pick(n->regions.size());
    if (n->regions[r].size() >= 3) return;
    auto b = std::make_shared<model::model_block>();
    b->real = s_.p.append_block(s_.p.regions(n->real)[r]);
    n->regions[r].push_back(b);
  }
  void move_block() {
    node_ptr const from = node_with_regions(), to = node_with_regions();
    if (!from) return;
    std::size_t const r = pick(from->regions.size()), t = pick(to->regions.size());
    if (from->regions[r].empty()) return;
    std::size_t const i = pick(from->regions[r].size());
    block_ptr const b = from->regions[r][i];
    for (auto const& n : b->ops)
      if (n == to || inside(n, to)) return;
    s_.p.move_block(b->real, s_.p.regions(to->real)[t]);
    from->regions[r].erase(from->regions[r].begin() + static_cast<std::ptrdiff_t>(i));
    to->regions[t].push_back(b);
  }
  bool inside(node_ptr const& outer, node_ptr const& inner) const {
    bool found = false;
    model::each(outer, [&](node_ptr const& n) { found = found || n == inner; });
    return found;
  }
  void erase_block() {
    node_ptr const n = node_with_regions();
    if (!n) return;
    auto& list = n->regions[pick(n->regions.size())];
    if (list.empty()) return;
    std::size_t const i = pick(list.size());
    block_ptr const b = list[i];
    // Erased last to first, so that uses must lead backwards; and nothing outside may use what is in it.
    for (std::size_t k = b->ops.size(); k-- > 0;) {
      std::vector<node_ptr> rest(b->ops.begin() + static_cast<std::ptrdiff_t>(k), b->ops.end());
      for (std::size_t later = k; later < b->ops.size(); ++later)
        if (!closed({b->ops.begin() + static_cast<std::ptrdiff_t>(later), b->ops.end()})) return;
    }
    std::set<op> inner;
    for (auto const& top : b->ops) model::each(top, [&](node_ptr const& x) { inner.insert(x->real); });
    for (value const v : b->arguments)
      for (use const& u : m_.uses[v])
        if (!inner.contains(u.user)) return;
    s_.p.erase_block(b->real);
    for (std::size_t k = b->ops.size(); k-- > 0;) forget(b->ops[k]);
    for (value const v : b->arguments) m_.uses.erase(v);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(i));
  }

  void clone() {
    if (nodes_.empty() || nodes_.size() > 60) return;
    node_ptr const n = nodes_[pick(nodes_.size())];
    program::value_map map;
    op const copy = s_.p.clone(n->real, map);
    REQUIRE(structural_equal(s_.p, n->real, s_.p, copy));
    m_.loose.push_back(read(copy));
    // In which order the uses of a clone are entered is its own business: taken over, once it is known to be
    // complete.
    model::each(m_.loose.back(), [&](node_ptr const& x) {
      for (value const v : x->operands) {
        auto& expected = m_.uses[v];
        expected.clear();
        for (use const u : s_.p.uses(v)) expected.push_back(u);
      }
    });
  }
  node_ptr read(op o) {
    auto n = std::make_shared<model::node>();
    n->real = o;
    n->operands.assign(s_.p.operands(o).begin(), s_.p.operands(o).end());
    for (value const v : s_.p.results(o)) n->results.push_back(v);
    for (region const r : s_.p.regions(o)) {
      n->regions.emplace_back();
      for (block const b : blocks(s_.p, r)) {
        auto made = std::make_shared<model::model_block>();
        made->real = b;
        made->arguments.assign(s_.p.arguments(b).begin(), s_.p.arguments(b).end());
        for (op const inner : ops(s_.p, b)) {
          made->ops.push_back(read(inner));
          made->ops.back()->parent = made.get();
        }
        n->regions.back().push_back(made);
      }
    }
    return n;
  }

  std::mt19937 random_;
  sample s_;
  model m_;
  std::vector<node_ptr> nodes_;
  std::vector<block_ptr> blocks_;
  std::vector<value> values_;
};

}  // namespace

TEST_CASE("random edits leave a program as a plain model says") {
  std::size_t largest = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    editor e(seed);
    for (int i = 0; i < 300; ++i) {
      e.step();
      e.compare();
    }
    largest = std::max(largest, e.size());
  }
  CHECK(largest > 20);  // the programs do grow
}

TEST_CASE("a broken link is found") {
  // The checker itself: ops left out of what it is told about make their uses dangling.
  sample s;
  op const f = s.top.func("f", {s.t48()}, {});
  op const loose = s.p.create({.kind = s.cx().intern("x.op"), .operands = {s.arg(f, 0)}});
  CHECK(find_broken_link(s.p) != "");
  CHECK(find_broken_link(s.p, {loose}) == "");
  s.p.append(s.entry(f), loose);
  CHECK(find_broken_link(s.p) == "");
  CHECK(find_broken_link(s.p, {loose}) != "");
}

}  // namespace program_fuzz_test
