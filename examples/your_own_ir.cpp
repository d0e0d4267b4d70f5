// From nothing to mesh inference on an IR of your own. docs/your_own_ir.md walks through this file.

#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <mpmd/analysis/src_sets.hpp>
#include <mpmd/analysis/use_sets.hpp>
#include <mpmd/analysis/why.hpp>

// --- An IR that knows nothing of mpmd: reference-counted expressions, one value each, in the order they were made ---

namespace toy {

enum class kind { input, add, multiply, place, take, send };

struct node {
  kind what;
  std::string name;  // of an input, or of a stage
  std::vector<std::shared_ptr<node const>> operands;
  std::string device_group;  // on which a placed value is, else empty
};
using expression = std::shared_ptr<node const>;

class graph {
 public:
  expression input(std::string name) { return make({kind::input, std::move(name), {}, {}}); }
  expression add(expression a, expression b) { return make({kind::add, {}, {std::move(a), std::move(b)}, {}}); }
  expression multiply(expression a, expression b) { return make({kind::multiply, {}, {std::move(a), std::move(b)}, {}}); }
  /// A stage takes a value onto a group of devices, takes it off again, or sends it to another group.
  expression place(expression v, std::string stage, std::string group) {
    return make({kind::place, std::move(stage), {std::move(v)}, std::move(group)});
  }
  expression take(expression v) { return make({kind::take, v->name, {v}, {}}); }
  expression send(expression v, std::string group) { return make({kind::send, v->name, {std::move(v)}, std::move(group)}); }

  std::vector<expression> const& nodes() const { return nodes_; }

 private:
  expression make(node n) { return nodes_.emplace_back(std::make_shared<node const>(std::move(n))); }
  std::vector<expression> nodes_;
};

}  // namespace toy

// --- What mpmd has to know of it ---

template <>
struct mpmd::ir_traits<toy::graph> {
  using op = toy::expression;
  using value = toy::expression;  // a node is its own value

  static auto const& ops(toy::graph const& g) { return g.nodes(); }
  static auto const& operands(toy::graph const&, op const& o) { return o->operands; }
  static std::vector<value> results(toy::graph const&, op const& o) { return {o}; }
  static role role_of(toy::graph const&, op const& o) {
    switch (o->what) {
      case toy::kind::input: return role::argument;
      case toy::kind::place: return role::assign;
      case toy::kind::take: return role::unassign;
      case toy::kind::send: return role::transfer;
      default: return role::compute;
    }
  }
  static std::string_view mesh_of(toy::graph const&, value const& v) { return v->device_group; }
  static std::string_view label_of(toy::graph const&, op const& o) { return o->name; }  // optional: names for answers
};
static_assert(mpmd::check_mpmd_program<toy::graph>());

// --- And that is all ---

namespace {

void print(char const* what, std::vector<std::string_view> const& meshes) {
  std::cout << what;
  for (auto const mesh : meshes) std::cout << ' ' << mesh;
  std::cout << '\n';
}

}  // namespace

int main() {
  // Two stages share their weights; what the first makes is sent to the second.
  toy::graph g;
  auto const x = g.input("x"), w = g.input("w");
  auto const h = g.multiply(x, w);
  auto const sent = g.send(g.place(h, "first", "left"), "right");
  auto const y = g.multiply(g.take(sent), w);
  auto const out = g.place(y, "second", "right");

  auto const needed = mpmd::use_sets(g);
  auto const possible = mpmd::src_sets(needed);
  print("w is needed on:", needed.meshes(w));
  print("x is needed on:", needed.meshes(x));
  print("y is needed on:", needed.meshes(y));
  print("y can be on:", possible.meshes(y));

  mpmd::explainer why(needed);
  std::cout << "w is needed on left because of stage";
  for (auto const& step : why.why(w, "left"))
    if (step.o && step.o->what == toy::kind::place) std::cout << " '" << step.o->name << "'\n";
}
