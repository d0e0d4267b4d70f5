#include <mpmd/lattice/mesh_set.hpp>

#include <doctest/doctest.h>

#include <boost/dynamic_bitset.hpp>

#include <cstdlib>
#include <new>
#include <random>
#include <set>
#include <type_traits>
#include <vector>

namespace {
std::size_t allocations = 0;
}

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  ++allocations;
  if (void* p = std::malloc(bytes)) return p;
  std::abort();
}
[[gnu::noinline]] void* operator new[](std::size_t bytes) { return operator new(bytes); }
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete[](void* p, std::size_t) noexcept { std::free(p); }

namespace {

using mpmd::mesh_set;
using mpmd::mesh_sets;

static_assert(sizeof(mesh_set<>) == 16);
static_assert(sizeof(mesh_set<64>) == 8);
static_assert(sizeof(mesh_set<65>) == 16);
static_assert(std::is_trivially_copyable_v<mesh_set<256>>);
static_assert(std::is_nothrow_move_constructible_v<mesh_set<>>);
static_assert(std::forward_iterator<mesh_set<>::iterator>);
static_assert(mpmd::lattice<mesh_sets<>> && mpmd::lattice<mesh_sets<3>>);

template <class Set>
std::vector<unsigned> members(const Set& set) {
  return {set.begin(), set.end()};
}

// Heap words are used and freed while compiling, too.
constexpr bool works_in_constant_expressions() {
  mesh_set<> a{1, 63, 64, 1000};
  mesh_set<> b = a;
  b.erase(1000);
  if (a == b || !b.is_subset_of(a) || b.size() != 3) return false;
  b |= {2};
  a = b;
  a -= {63, 64};
  return a == mesh_set<>{1, 2} && a.first() == 1 && (a & mesh_set<>{2, 500}) == mesh_set<>{2};
}
static_assert(works_in_constant_expressions());

constexpr mesh_set<100> at_compile_time{3, 99};
static_assert(at_compile_time.contains(99) && !at_compile_time.contains(64) && at_compile_time.size() == 2);

}  // namespace

TEST_CASE_TEMPLATE("members come out once and in ascending order", Set, mesh_set<>, mesh_set<1001>) {
  const Set set{1000, 64, 0, 63, 65, 64};
  CHECK(members(set) == std::vector<unsigned>{0, 63, 64, 65, 1000});
  CHECK(set.size() == 5);
  CHECK(set.first() == 0);
  CHECK(Set{65}.first() == 65);
  CHECK(members(Set{}).empty());
}

TEST_CASE_TEMPLATE("insert and erase say whether they did something", Set, mesh_set<>, mesh_set<128>) {
  Set set;
  CHECK(set.insert(64));
  CHECK_FALSE(set.insert(64));
  CHECK(set.insert(63));
  CHECK_FALSE(set.insert(63));
  CHECK_FALSE(set.erase(65));
  CHECK(set.erase(64));
  CHECK_FALSE(set.erase(64));
  CHECK(set == Set{63});
  set.clear();
  CHECK(set.empty());
}

TEST_CASE("asking for a mesh beyond the room of a set answers no and makes no room") {
  const mesh_set<> small{1};
  const auto before = allocations;
  CHECK_FALSE(small.contains(64));
  CHECK_FALSE(small.contains(4'000'000'000u));
  mesh_set<> other = small;
  CHECK_FALSE(other.erase(70));
  CHECK(allocations == before);
}

TEST_CASE("equality looks at members and not at room") {
  mesh_set<> shrunk{5, 200};
  shrunk.erase(200);
  CHECK(shrunk == mesh_set<>{5});
  CHECK(mesh_set<>{5} == shrunk);
  CHECK(shrunk.is_subset_of(mesh_set<>{5}));
  CHECK_FALSE(shrunk == mesh_set<>{5, 200});
  mesh_set<> emptied{64};
  emptied.erase(64);
  CHECK(emptied.empty());
  CHECK(emptied == mesh_set<>{});
}

TEST_CASE("a set of meshes below 64 never allocates") {
  const auto before = allocations;
  {
    mesh_set<> a{0, 31, 63}, b{1, 62};
    mesh_set<> c = a;
    c = b;
    c |= a;
    c &= a;
    c -= b;
    mesh_set<> moved = std::move(c);
    mesh_sets<> sets{64};
    auto top = sets.top();
    CHECK(sets.join(moved, b) == mpmd::change::yes);
    CHECK(sets.meet(top, moved) == mpmd::change::yes);
    CHECK(top.size() == 5);
    CHECK(a.is_subset_of(moved));
  }
  CHECK(allocations == before);
}

TEST_CASE("a union with a set that has only spare room beyond 64 does not allocate") {
  mesh_set<> roomy{1, 300};
  roomy.erase(300);
  mesh_set<> small{2};
  const auto before = allocations;
  small |= roomy;
  CHECK(allocations == before);
  CHECK(small == mesh_set<>{1, 2});
}

TEST_CASE("a copy is independent of its original and a moved-to set keeps the members") {
  mesh_set<> original{1, 64, 129};
  mesh_set<> copy = original;
  copy.erase(64);
  copy.insert(2);
  CHECK(original == mesh_set<>{1, 64, 129});
  mesh_set<> target{7, 500};
  target = original;
  target.insert(3);
  CHECK(original == mesh_set<>{1, 64, 129});
  CHECK(target == mesh_set<>{1, 3, 64, 129});
  const auto& self = target;
  target = self;
  CHECK(target == mesh_set<>{1, 3, 64, 129});
  mesh_set<> moved = std::move(target);
  CHECK(moved == mesh_set<>{1, 3, 64, 129});
  moved = mesh_set<>{9};
  CHECK(moved == mesh_set<>{9});
}

TEST_CASE("an operation on a set and itself is safe") {
  mesh_set<> a{1, 64};
  a |= a;
  a &= a;
  CHECK(a == mesh_set<>{1, 64});
  a -= a;
  CHECK(a.empty());
}

TEST_CASE("top is the whole universe and no more") {
  for (std::size_t n : {0u, 1u, 63u, 64u, 65u, 127u, 128u, 1000u}) {
    CAPTURE(n);
    const auto top = mesh_sets<>{n}.top();
    CHECK(top.size() == n);
    CHECK_FALSE(top.contains(static_cast<unsigned>(n)));
    if (n > 0) CHECK(top.contains(static_cast<unsigned>(n - 1)));
  }
  CHECK(mesh_sets<70>{}.top().size() == 70);
  CHECK(mesh_sets<70>{3}.top() == mesh_set<70>{0, 1, 2});
}

TEST_CASE("join and meet report a change exactly when the element changed") {
  const mesh_sets<> sets{128};
  mesh_set<> a{1};
  CHECK(sets.join(a, {1}) == mpmd::change::no);
  CHECK(sets.join(a, {}) == mpmd::change::no);
  CHECK(sets.join(a, {70}) == mpmd::change::yes);
  CHECK(sets.join(a, {1, 70}) == mpmd::change::no);
  CHECK(sets.meet(a, {1, 2, 70}) == mpmd::change::no);
  CHECK(sets.meet(a, {1}) == mpmd::change::yes);
  CHECK(a == mesh_set<>{1});
  CHECK(sets.meet(a, sets.top()) == mpmd::change::no);
  CHECK(a == mesh_set<>{1});
}

namespace {

// Runs the same random operations on a mesh_set, a std::set and a boost::dynamic_bitset.
template <class Set>
void compare_with_oracles(unsigned universe, unsigned seed) {
  std::mt19937 random{seed};
  const auto draw_id = [&] { return static_cast<unsigned>(random() % universe); };
  struct triple {
    Set mine;
    std::set<unsigned> tree;
    boost::dynamic_bitset<> bits;
  };
  std::vector<triple> pool(4, triple{{}, {}, boost::dynamic_bitset<>(universe)});
  for (int step = 0; step < 400; ++step) {
    auto& a = pool[random() % pool.size()];
    auto& b = pool[random() % pool.size()];
    const auto before = a.tree;
    const unsigned id = draw_id();
    switch (random() % 6) {
      case 0:
        CHECK(a.mine.insert(id) == a.tree.insert(id).second);
        a.bits.set(id);
        break;
      case 1:
        CHECK(a.mine.erase(id) == (a.tree.erase(id) == 1));
        a.bits.reset(id);
        break;
      case 2:
        a.tree.insert(b.tree.begin(), b.tree.end());
        a.bits |= b.bits;
        CHECK(a.mine.unite(b.mine) == (a.tree != before));
        break;
      case 3:
        std::erase_if(a.tree, [&, keep = b.tree](unsigned m) { return !keep.contains(m); });
        a.bits &= b.bits;
        CHECK(a.mine.retain(b.mine) == (a.tree != before));
        break;
      case 4:
        std::erase_if(a.tree, [drop = b.tree](unsigned m) { return drop.contains(m); });
        a.bits -= boost::dynamic_bitset<>(b.bits);
        CHECK(a.mine.remove(b.mine) == (a.tree != before));
        break;
      default:
        if (&a != &b) a = b;
        break;
    }
    CHECK(std::vector<unsigned>(a.tree.begin(), a.tree.end()) == members(a.mine));
    CHECK(a.mine.size() == a.bits.count());
    CHECK(a.mine.empty() == a.bits.none());
    CHECK(a.mine.contains(id) == a.bits.test(id));
    CHECK((a.mine == b.mine) == (a.bits == b.bits));
    CHECK(a.mine.is_subset_of(b.mine) == a.bits.is_subset_of(b.bits));
    CHECK(a.mine.intersects(b.mine) == a.bits.intersects(b.bits));
    if (!a.tree.empty()) CHECK(a.mine.first() == *a.tree.begin());
  }
}

}  // namespace

TEST_CASE("random operations agree with std::set and boost::dynamic_bitset") {
  for (unsigned universe : {3u, 63u, 64u, 65u, 66u, 130u, 1001u})
    for (unsigned seed = 0; seed < 4; ++seed) {
      CAPTURE(universe);
      CAPTURE(seed);
      compare_with_oracles<mesh_set<>>(universe, seed);
    }
  compare_with_oracles<mesh_set<3>>(3, 10);
  compare_with_oracles<mesh_set<64>>(64, 11);
  compare_with_oracles<mesh_set<65>>(65, 12);
  compare_with_oracles<mesh_set<1001>>(1001, 13);
}
