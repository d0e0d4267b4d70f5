/// Programs made of whatever: the verifier says what is wrong with them, and nothing breaks.
#include <doctest/doctest.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include <mpmd/ir/equality.hpp>
#include <mpmd/ir/invariants.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/transform/canonicalize.hpp>

#include "ir/support.hpp"

namespace hostile_program_test {

using namespace mpmd;
using namespace mpmd::ir;
using testing::sample;

namespace {

class hostile {
 public:
  explicit hostile(unsigned seed) : random_(seed) {
    attribute const mesh = make_mesh(s.cx(), {{"x", 2}, {"y", 4}});
    sharding_attr const by_x{s.cx().symbol("mesh"), {{{{"x", 0, 0}}, false, {}}, {}}};
    types_ = {s.f32(),
              s.u32(),
              s.t48(),
              s.on("m1"),
              s.on("m2"),
              s.on("m9"),
              with_sharding(s.cx(), s.on("m1"), s.cx().get(by_x)),
              s.on("m1", s.f32()),
              s.cx().get(token_type{}),
              s.cx().get(tuple_type{{}}),
              s.cx().tensor({}, s.u32()),
              s.cx().get(unranked_tensor_type{s.f32()}),
              s.cx().get(function_type{{s.t48()}, {s.t48()}})};
    attributes_ = {s.cx().unit(),
                   s.cx().string("m1"),
                   s.cx().string("f"),
                   s.cx().string("private"),
                   s.cx().symbol("f"),
                   s.cx().symbol("mesh"),
                   s.cx().get(symbol_ref_attr{"f", {"g"}}),
                   s.cx().integer_value(0, 32, signedness::is_unsigned),
                   s.cx().integer_value(2, 32, signedness::is_unsigned),
                   s.cx().integer_value(3),
                   s.cx().integer_value(3, 32),
                   s.cx().get(array_attr{{}}),
                   s.cx().get(array_attr{{s.cx().empty_dictionary(), s.cx().unit()}}),
                   make_origins(s.cx(), {{"o", 1}}),
                   s.cx().get(user_origin_attr{"o", 0}),
                   s.topology(),
                   s.cx().get(topology_attr{{}}),
                   mesh,
                   s.cx().get(mesh_attr{{{"x", 0}}, {1, 1}}),
                   s.cx().get(by_x),
                   s.cx().get(sharding_attr{{}, {}}),
                   s.cx().get(sharding_per_value_attr{{s.cx().get(by_x)}}),
                   s.cx().get(sharding_per_value_attr{{s.cx().unit()}}),
                   s.cx().get(reduction_attr{reduction_kind::add}),
                   s.cx().get(type_attr{types_.back()}),
                   s.cx().get(type_attr{s.f32()}),
                   s.cx().get(dense_attr{s.cx().tensor({}, s.u32()), std::string(4, '\0'), true})};
  }

  /// Ops of all known kinds with operands, results, regions and attributes that mostly do not fit.
  void fill() {
    blocks_ = {s.p.body()};
    for (int i = 0; i < 25; ++i) add_op();
    // Some operands that are defined later or elsewhere, and branches to anywhere.
    std::vector<op> all;
    walk(s.p, s.p.root(), [&](op o) { all.push_back(o); });
    for (op const o : all) {
      if (!values_.empty() && chance(4) && o != s.p.root()) s.p.append_operand(o, any(values_));
      if (chance(12)) s.p.set_successors(o, {any(blocks_)});
    }
  }

  sample s;

 private:
  bool chance(unsigned one_in) { return random_() % one_in == 0; }
  template <class T>
  T any(std::vector<T> const& list) {
    return list[random_() % list.size()];
  }

  void add_op() {
    op_info const& info = known_ops[random_() % (static_cast<std::size_t>(opcode::other) + 8)];
    op_state state{.kind = s.cx().intern(info.name)};
    if (chance(8)) state.kind = s.cx().intern("x.foreign");
    bool const has_regions =
        info.has(op_trait::isolated) || info.has(op_trait::recursive_effects) || chance(10);
    for (std::size_t k = random_() % 3; k > 0 && !values_.empty(); --k)
      state.operands.push_back(any(values_));
    for (std::size_t k = random_() % 3; k > 0; --k) state.results.push_back(any(types_));
    std::vector<std::pair<name, attribute>> inherent;
    for (std::string_view rest = info.inherent; !rest.empty();) {
      std::size_t const stop = rest.find(' ');
      if (!chance(3)) inherent.emplace_back(s.cx().intern(rest.substr(0, stop)), any(attributes_));
      rest = stop == std::string_view::npos ? std::string_view{} : rest.substr(stop + 1);
    }
    state.properties = s.cx().dictionary(std::move(inherent));
    std::vector<std::pair<name, attribute>> discardable;
    for (std::string_view const key : {"topology", "mesh_shape", "sdy.sharding", "call_counter", "res_attrs"})
      if (chance(6)) discardable.emplace_back(s.cx().intern(key), any(attributes_));
    state.attributes = s.cx().dictionary(std::move(discardable));
    std::vector<block> inside;
    for (std::size_t k = has_regions ? 1 + random_() % 2 : 0; k > 0; --k) {
      state.regions.push_back(s.p.create_region());
      for (std::size_t b = random_() % 3; b > 0; --b) {
        inside.push_back(s.p.append_block(state.regions.back()));
        for (std::size_t a = random_() % 3; a > 0; --a)
          values_.push_back(s.p.add_argument(inside.back(), any(types_)));
      }
    }
    op const o = s.p.create(state);
    s.p.append(any(blocks_), o);
    for (value const v : s.p.results(o)) values_.push_back(v);
    blocks_.insert(blocks_.end(), inside.begin(), inside.end());
  }

  std::mt19937 random_;
  std::vector<type> types_;
  std::vector<attribute> attributes_;
  std::vector<block> blocks_;
  std::vector<value> values_;
};

}  // namespace

TEST_CASE("programs of misfits are refused in words; one that is valid by chance survives canonicalisation") {
  std::size_t refused = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    hostile h(seed);
    h.fill();
    diagnostics out([](diagnostic const& d) {
      CHECK_FALSE(d.message.empty());
      CHECK(d.id.starts_with("verify."));
    });
    bool const valid = verify(h.s.p, out);
    CHECK(valid == (out.errors() == 0));
    refused += valid ? 0 : 1;
    CHECK(structural_equal(h.s.p, h.s.p));
    if (!valid) continue;
    CHECK(mpmd::canonicalize{}(h.s.p, out));
    std::string const broken = find_broken_link(h.s.p);
    CHECK_MESSAGE(broken.empty(), broken);
    auto const after = structural_hash(h.s.p);
    CHECK(mpmd::canonicalize{}(h.s.p, out));
    CHECK(structural_hash(h.s.p) == after);
  }
  CHECK(refused > 2900);
}

TEST_CASE("each op alone, with nothing it needs, is refused or has no needs") {
  for (op_info const& info : known_ops) {
    sample s;
    s.top.create({.kind = s.cx().intern(info.name)});
    diagnostics out;
    bool const valid = verify(s.p, out);
    CHECK(valid == (out.errors() == 0));
    CHECK(mpmd::canonicalize{}(s.p, out));
    CHECK(find_broken_link(s.p) == "");
  }
}

}  // namespace hostile_program_test
