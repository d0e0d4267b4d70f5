#pragma once
/// Small programs for tests of the IR, written in C++.

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/locate.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::ir::testing {

/// A program with a cursor at the end of its module, and short names for what tests write often.
struct sample {
  program p;
  builder top;

  sample() : top(p, p.body()) {}
  explicit sample(std::shared_ptr<context> in) : p(std::move(in)), top(p, p.body()) {}
  sample(sample const&) = delete;
  sample& operator=(sample const&) = delete;

  context& cx() { return p.context(); }
  type f32() { return cx().floating("f32"); }
  type i32() { return cx().integer(32); }
  type u32() { return cx().integer(32, signedness::is_unsigned); }
  type tensor(std::vector<std::int64_t> shape) { return cx().tensor(std::move(shape), f32()); }
  /// tensor<4x8xf32>
  type t48() { return tensor({4, 8}); }
  type on(std::string_view mesh, type global) { return cx().mesh_tensor(mesh, global); }
  type on(std::string_view mesh) { return on(mesh, t48()); }

  /// m1 = ["x"=2, "y"=4], m2 = ["x"=2, "y"=4]
  attribute topology() {
    attribute const mesh = make_mesh(cx(), {{"x", 2}, {"y", 4}});
    return make_topology(cx(), {{"m1", mesh}, {"m2", mesh}});
  }
  attribute with_topology() { return make_dictionary(cx(), {{"topology", topology()}}); }

  block entry(op o) const { return p.first_block(p.regions(o)[0]); }
  builder in(op o) { return {p, entry(o)}; }
  value arg(op o, std::uint32_t i) const { return p.argument(entry(o), i); }
  value res(op o, std::uint32_t i = 0) const { return p.result(o, i); }

  /// An op of any name that takes and gives tensor<4x8xf32>.
  op plain(builder& b, std::string_view kind, std::vector<value> operands, std::size_t results = 1) {
    return b.create(kind, std::move(operands), std::vector<type>(results, t48()));
  }
  value add(builder& b, value x, value y) {
    return p.result(b.create(opcode::stablehlo_add, {x, y}, {p.type_of(x)}), 0);
  }
};

/// Gives every op a place in a text: op i of the walk stands alone on line i + 1, at column 3.
inline void place_ops(program& p) {
  std::string text;
  std::vector<std::pair<op, std::size_t>> places;
  walk(p, p.root(), [&](op o) {
    text += "  ";
    places.emplace_back(o, text.size());
    text += std::string(p.kind_text(o)) + "\n";
  });
  auto const [id, fits] = p.context().sources.add("test.mlir", text);
  REQUIRE(fits);
  for (auto const& [o, at] : places) p.set_where(o, {.text = p.context().sources.position(id, at)});
}

/// All that the verifier says about a program.
inline std::vector<diagnostic> faults(sample& s) {
  std::vector<diagnostic> found;
  diagnostics out([&](diagnostic const& d) { found.push_back(d); });
  bool const good = verify(s.p, out);
  CHECK(good == found.empty());
  return found;
}

inline void expect_valid(sample& s) {
  for (auto const& d : faults(s)) FAIL_CHECK(d.message);
}

/// The verifier reports this one error, at this op.
inline std::vector<diagnostic::note> expect_error(sample& s, op at, std::string_view id,
                                                  std::string_view message) {
  place_ops(s.p);
  auto const found = faults(s);
  CHECK(found.size() == 1);
  if (found.empty()) return {};
  CHECK(found[0].message == message);
  CHECK(found[0].id == "verify." + std::string(id));
  CHECK(found[0].level == severity::error);
  auto const place = locate(s.p, at);
  CHECK(found[0].where.line == place.line);
  CHECK(found[0].where.column == 3);
  return found[0].notes;
}

}  // namespace mpmd::ir::testing
