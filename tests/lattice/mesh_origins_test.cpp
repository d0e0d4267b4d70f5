#include <mpmd/lattice/interned.hpp>
#include <mpmd/lattice/mesh_origins.hpp>

#include <doctest/doctest.h>

#include <array>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lattice/check_laws.hpp"

namespace mesh_origins_test {

namespace {

using mpmd::change;
using mpmd::interned;
using mpmd::mesh_origins;
using mpmd::src_origins;
using mpmd::use_origins;

constexpr std::uint32_t m1 = 1, m2 = 2, m3 = 3, m4 = 4, x1 = 5, x2 = 6;
constexpr std::uint32_t o1 = 11, o2 = 12, o3 = 13, o4 = 14, broadcast_in = 20;

constexpr std::string_view name_of(std::uint32_t mesh) {
  constexpr std::array<std::string_view, 7> names{"", "m1", "m2", "m3", "m4", "x1", "x2"};
  return names[mesh];
}

constexpr mesh_origins with_wildcard(mesh_origins value, const mesh_origins::labels& labels) {
  value.insert_wildcard(labels);
  return value;
}

std::optional<std::uint32_t> pick(const mesh_origins& value, std::vector<std::uint32_t> preferred = {}) {
  return value.pick(name_of, broadcast_in, preferred);
}

// The way a value is printed, which shows every order.
std::string print(const mesh_origins& value) {
  if (!value.specified()) return "unspecified";
  std::string out = "<";
  const auto add = [&](std::string_view mesh, const mesh_origins::labels& labels) {
    if (out.size() > 1) out += ", ";
    out += mesh;
    std::string separator = "[";
    for (auto label : labels) out += std::exchange(separator, ",") + "o" + std::to_string(label - 10);
    if (!labels.empty()) out += "]";
  };
  for (const auto& e : value.entries()) add(name_of(e.mesh), e.origins);
  if (value.has_wildcard()) add("*", value.wildcard());
  return out + ">";
}

constexpr bool works_in_a_constant_expression() {
  mesh_origins value{{m2, {o1}}, {m1}};
  return value.unite({{m1, {o2}}, {m3}}) && value == mesh_origins{{m3}, {m1, {o2}}, {m2, {o1}}} &&
         value.pick(name_of, broadcast_in) == m1;
}
static_assert(works_in_a_constant_expression());

}  // namespace

TEST_CASE("a new value is unspecified, which is every mesh and not none") {
  const mesh_origins value;
  CHECK_FALSE(value.specified());
  CHECK_FALSE(value.empty());
  CHECK(value.entries().empty());
  CHECK_FALSE(value.contains(m1));
}

TEST_CASE("no mesh at all is specified and empty") {
  const auto value = mesh_origins::none();
  CHECK(value.specified());
  CHECK(value.empty());
  CHECK(value != mesh_origins());
  CHECK(print(value) == "<>");
}

TEST_CASE("insertion makes a value specified and keeps the order of arrival") {
  mesh_origins value;
  CHECK(value.insert(m2, {o2, o1}));
  CHECK(value.specified());
  CHECK(value.insert(m1));
  CHECK(value.insert(m2, {o1, o3}));
  CHECK_FALSE(value.insert(m2, {o3}));
  CHECK_FALSE(value.insert(m1));
  CHECK(print(value) == "<m2[o2,o1,o3], m1>");
  CHECK_FALSE(value.empty());
  CHECK(value.contains(m1));
  CHECK_FALSE(value.contains(m3));
  CHECK(value.find(m3) == nullptr);
  CHECK(*value.find(m2) == mesh_origins::labels{o1, o2, o3});
}

TEST_CASE("a value made of entries is the one that inserting them makes") {
  using entry = mpmd::mesh_origins::entry;
  std::vector<entry> const entries{{7, {1}}, {3, {}}, {7, {2, 1}}, {3, {5}}, {9, {}}, {0, {4}}, {7, {0}}};
  mpmd::mesh_origins inserted = mpmd::mesh_origins::none();
  for (auto const& e : entries) inserted.insert(e.mesh, e.origins);
  CHECK(mpmd::mesh_origins::of(entries).identical(inserted));
  CHECK(inserted.identical({{7, {1, 2, 0}}, {3, {5}}, {9, {}}, {0, {4}}}));
  CHECK(mpmd::mesh_origins::of({}).identical(mpmd::mesh_origins::none()));
}

TEST_CASE("the wildcard comes last, whenever it was inserted") {
  mesh_origins value;
  CHECK(value.insert_wildcard({o3}));
  CHECK(value.insert(m1, {o1}));
  CHECK_FALSE(value.insert_wildcard({o3}));
  CHECK(value.insert_wildcard({o4}));
  CHECK(print(value) == "<m1[o1], *[o3,o4]>");
  CHECK(value.entries().size() == 1);
}

TEST_CASE("a union appends meshes and labels, and wildcard labels by themselves") {
  mesh_origins value = with_wildcard({{m2, {o1}}}, {o3});
  CHECK(value.unite(with_wildcard({{m1, {o2}}, {m2, {o4, o1}}}, {o4})));
  CHECK(print(value) == "<m2[o1,o4], m1[o2], *[o3,o4]>");
  CHECK_FALSE(value.unite(with_wildcard({{m2, {o4}}, {m1}}, {o3})));
  CHECK_FALSE(value.unite(value));
}

TEST_CASE("an unspecified value adds nothing to a union and is replaced by the first that is specified") {
  mesh_origins value{{m1, {o1}}};
  CHECK_FALSE(value.unite(mesh_origins()));
  CHECK(print(value) == "<m1[o1]>");
  mesh_origins unspecified;
  CHECK_FALSE(unspecified.unite(mesh_origins()));
  CHECK_FALSE(unspecified.specified());
  CHECK(unspecified.unite(with_wildcard({{m1, {o1}}}, {o3})));
  CHECK(print(unspecified) == "<m1[o1], *[o3]>");
  mesh_origins other;
  CHECK(other.unite(mesh_origins::none()));
  CHECK(other.empty());
}

TEST_CASE("a union adds growing meshes in the order of the use sets of a chained call") {
  // The results of a call that rotates three values, the call after it pinned to m1, m2, m3.
  mesh_origins result{{m1}};
  CHECK(result.unite({{m3}}));
  CHECK(result.unite({{m3}, {m2}}));
  CHECK_FALSE(result.unite({{m2}, {m1}, {m3}}));
  CHECK(print(result) == "<m1, m3, m2>");
}

TEST_CASE("an intersection keeps common meshes with the labels of both") {
  mesh_origins value{{m2, {o1}}, {m1}, {m3, {o3}}};
  CHECK(value.intersect({{m3, {o3}}, {m2, {o2}}}));
  CHECK(print(value) == "<m2[o1,o2], m3[o3]>");
  CHECK_FALSE(value.intersect({{m3}, {m2, {o1}}}));
  CHECK_FALSE(value.intersect(value));
  CHECK(value.intersect({{m1}}));
  CHECK(print(value) == "<>");
  CHECK_FALSE(value.intersect({{m1}}));
}

TEST_CASE("{m1} and {m2} have no mesh in common") {
  mesh_origins value{{m1}};
  CHECK(value.intersect({{m2}}));
  CHECK(value.empty());
  CHECK(value.specified());
}

TEST_CASE("an intersection with an unspecified value is the other one") {
  mesh_origins both;
  CHECK_FALSE(both.intersect(mesh_origins()));
  CHECK_FALSE(both.specified());
  mesh_origins left;
  CHECK(left.intersect(with_wildcard({{m2, {o2}}}, {o4})));
  CHECK(print(left) == "<m2[o2], *[o4]>");
  CHECK_FALSE(left.intersect(mesh_origins()));
  CHECK(print(left) == "<m2[o2], *[o4]>");
}

TEST_CASE("two wildcards admit the meshes of both sides and stay") {
  mesh_origins value = with_wildcard({{m1, {o1}}}, {o3});
  CHECK(value.intersect(with_wildcard({{m2, {o2}}}, {o4})));
  CHECK(print(value) == "<m1[o1,o4], m2[o2,o3], *[o3,o4]>");
}

TEST_CASE("a wildcard on one side admits the meshes of the other and goes") {
  mesh_origins value{{m1}};
  CHECK(value.intersect(with_wildcard({{m1, {o1}}}, {o3})));
  CHECK(print(value) == "<m1[o1]>");
  mesh_origins right{{m1, {o1}}, {m2}};
  CHECK(right.intersect(with_wildcard({{m1, {o2}}}, {o3, o1})));
  CHECK(print(right) == "<m1[o1,o2], m2[o3,o1]>");
  mesh_origins left = with_wildcard({{m1, {o1}}}, {o3});
  CHECK(left.intersect({{m2, {o2}}, {m1}}));
  CHECK(print(left) == "<m1[o1], m2[o2,o3]>");
  mesh_origins against_none = with_wildcard({{m1, {o1}}}, {o3});
  CHECK(against_none.intersect(mesh_origins::none()));
  CHECK(print(against_none) == "<>");
}

TEST_CASE("the same meshes may have other labels and another order") {
  const mesh_origins one{{m1}}, both{{m1, {o1}}, {m2}}, unspecified;
  CHECK(both.same_meshes({{m2}, {m1}}));
  CHECK_FALSE(one.same_meshes(both));
  CHECK_FALSE(both.same_meshes({{m1}, {m3}}));
  CHECK_FALSE(one.same_meshes(with_wildcard(one, {o1})));
  CHECK_FALSE(with_wildcard(one, {o1}).same_meshes(one));
  CHECK(with_wildcard(one, {o1}).same_meshes(with_wildcard(one, {o2})));
  CHECK(unspecified.same_meshes(mesh_origins()));
  CHECK(unspecified.same_meshes(mesh_origins::none()));
  CHECK_FALSE(unspecified.same_meshes(one));
}

TEST_CASE("equality looks at labels but not at the order, and identity at both") {
  const mesh_origins a{{m1, {o1, o2}}, {m2}}, b{{m2}, {m1, {o2, o1}}}, c{{m1, {o1}}, {m2}};
  CHECK(a == b);
  CHECK_FALSE(a.identical(b));
  CHECK(a.unordered_digest() == b.unordered_digest());
  CHECK(a.unordered_digest() != c.unordered_digest());
  CHECK(a.digest() != b.digest());
  CHECK(a != c);
  CHECK(with_wildcard(a, {o1, o2}) == with_wildcard(b, {o2, o1}));
  CHECK(with_wildcard(a, {o1}) != with_wildcard(b, {o2}));
  CHECK(with_wildcard(a, {o1}) != a);
}

TEST_CASE("without preference the least name is picked") {
  const mesh_origins value{{m2, {o1}}, {m1, {o2}}};
  CHECK(pick(value) == m1);
  CHECK(pick(mesh_origins::none()) == std::nullopt);
  CHECK(pick(mesh_origins::none(), {m1}) == std::nullopt);
}

TEST_CASE("a preferred mesh counts only when it is in the set") {
  const mesh_origins value{{m2, {o1}}, {m1, {o2}}};
  CHECK(pick(value, {m3}) == m1);
  CHECK(pick(value, {m3, m2}) == m2);
}

TEST_CASE("a mesh that is there for a broadcast is picked last") {
  const mesh_origins value =
      with_wildcard({{m1, {broadcast_in}}, {m2, {o2}}, {m3, {broadcast_in}}, {m4, {o4}}}, {broadcast_in});
  CHECK(pick(value) == m2);
  CHECK(pick(value, {x2}) == x2);
  CHECK(pick(value, {x2, x1}) == x1);
  CHECK(pick(value, {x2, x1, m3}) == m3);
  CHECK(pick(value, {x2, x1, m3, m1}) == m1);
  CHECK(pick(value, {x2, x1, m3, m1, m4}) == m4);
  CHECK(pick(value, {x2, x1, m3, m1, m4, m2}) == m2);
  CHECK(pick({{m3, {broadcast_in}}, {m2, {o1, broadcast_in}}}) == m2);
}

TEST_CASE("names are compared byte by byte, so m10 comes before m2") {
  const auto name = [](std::uint32_t mesh) -> std::string_view { return mesh == 10 ? "m10" : "m2"; };
  CHECK(mesh_origins{{2}, {10}}.pick(name, broadcast_in) == 10u);
}

namespace {

std::vector<mesh_origins> small_values() {
  std::vector<mesh_origins> values{mesh_origins::none()};
  const std::vector<std::optional<mesh_origins::labels>> choices{
      std::nullopt, mesh_origins::labels{}, mesh_origins::labels{o1}, mesh_origins::labels{o2, o1}};
  for (const auto& first : choices)
    for (const auto& second : choices) {
      auto value = mesh_origins::none();
      if (second) value.insert(m2, *second);
      if (first) value.insert(m1, *first);
      values.push_back(value);
    }
  // Some that are equal to others in another order, and some with a wildcard.
  values.push_back({{m1, {o1, o2}}, {m2, {o1, o2}}});
  values.push_back(with_wildcard({{m1, {o1}}}, {o3}));
  values.push_back(with_wildcard({{m2}}, {o1, o3}));
  values.push_back(with_wildcard({{m2, {o1}}, {m1}}, {o4}));
  values.push_back(with_wildcard({{m3}}, {o3}));
  return values;
}

template <class L>
std::vector<mpmd::interned_element> handles(const interned<L>& l, const std::vector<mesh_origins>& values) {
  std::vector<mpmd::interned_element> result;
  for (const auto& value : values) result.push_back(l.make(value));
  return result;
}

}  // namespace

TEST_CASE("use sets with origins are a lattice under union") {
  const auto values = small_values();
  mpmd::testing::check_laws(use_origins{}, values);
  const interned<use_origins> l;
  mpmd::testing::check_laws(l, handles(l, values));
}

TEST_CASE("source sets with origins are a lattice under intersection, unspecified and wildcards included") {
  auto values = small_values();
  values.emplace_back();
  mpmd::testing::check_laws(src_origins{}, values);
  const interned<src_origins> l;
  mpmd::testing::check_laws(l, handles(l, values));
  CHECK(mpmd::less_equal(src_origins{}, mesh_origins{{m1}, {m2}}, mesh_origins{{m1}}));
  CHECK(mpmd::less_equal(src_origins{}, mesh_origins(), mesh_origins{{m1}, {m2}}));
  CHECK(mpmd::less_equal(src_origins{}, mesh_origins{{m1}}, mesh_origins::none()));
}

namespace {

// The rules written down in the plainest way: ordered lists, searched from the front.
struct plain_value {
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> meshes;
  std::vector<std::uint32_t> wildcard;

  std::vector<std::uint32_t>* find(std::uint32_t mesh) {
    for (auto& [m, labels] : meshes)
      if (m == mesh) return &labels;
    return nullptr;
  }
  static void append(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& labels) {
    for (auto label : labels)
      if (std::find(into.begin(), into.end(), label) == into.end()) into.push_back(label);
  }
  void unite(const plain_value& other) {
    for (const auto& [mesh, labels] : other.meshes) {
      if (!find(mesh)) meshes.push_back({mesh, {}});
      append(*find(mesh), labels);
    }
    append(wildcard, other.wildcard);
  }
  void intersect(plain_value other) {
    auto before = *this;
    meshes.clear();
    for (auto [mesh, labels] : before.meshes) {
      if (auto* theirs = other.find(mesh))
        append(labels, *theirs);
      else if (!other.wildcard.empty())
        append(labels, other.wildcard);
      else
        continue;
      meshes.push_back({mesh, labels});
    }
    if (!before.wildcard.empty())
      for (auto [mesh, labels] : other.meshes)
        if (!before.find(mesh)) {
          append(labels, before.wildcard);
          meshes.push_back({mesh, labels});
        }
    if (wildcard.empty() == other.wildcard.empty())
      append(wildcard, other.wildcard);
    else
      wildcard.clear();
  }
  mesh_origins value() const {
    auto result = mesh_origins::none();
    for (const auto& [mesh, labels] : meshes) result.insert(mesh, mesh_origins::labels(std::span(labels)));
    if (!wildcard.empty()) result.insert_wildcard(mesh_origins::labels(std::span(wildcard)));
    return result;
  }
};

plain_value draw(std::mt19937& random, std::uint32_t meshes) {
  plain_value result;
  for (auto count = random() % (meshes + 1); count > 0; --count) {
    plain_value one{{{static_cast<std::uint32_t>(random() % meshes), {}}}, {}};
    for (auto labels = random() % 4; labels > 0; --labels)
      plain_value::append(one.meshes[0].second, {static_cast<std::uint32_t>(random() % 6)});
    result.unite(one);
  }
  if (random() % 3 == 0) plain_value::append(result.wildcard, {static_cast<std::uint32_t>(random() % 6)});
  return result;
}

}  // namespace

TEST_CASE("random unions and intersections agree with the plain rules in everything that is printed") {
  std::mt19937 random{5};
  const interned<use_origins> uses;
  const interned<src_origins> sources;
  for (std::uint32_t meshes : {3u, 4u, 30u})
    for (int round = 0; round < 150; ++round) {
      CAPTURE(meshes);
      CAPTURE(round);
      const auto a = draw(random, meshes), b = draw(random, meshes);
      auto both = a, common = a;
      both.unite(b);
      common.intersect(b);
      auto value = a.value();
      CHECK(value.unite(b.value()) == (both.value() != a.value()));
      CHECK(value.identical(both.value()));
      value = a.value();
      CHECK(value.intersect(b.value()) == (common.value() != a.value()));
      CHECK(value.identical(common.value()));
      auto handle = uses.make(a.value());
      CHECK(uses.join(handle, uses.make(b.value())) == mpmd::changed_if(both.value() != a.value()));
      CHECK(uses.value(handle) == both.value());
      handle = sources.make(a.value());
      CHECK(sources.join(handle, sources.make(b.value())) == mpmd::changed_if(common.value() != a.value()));
      CHECK(sources.value(handle) == common.value());
    }
}

}  // namespace mesh_origins_test
