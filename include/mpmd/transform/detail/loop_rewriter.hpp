#pragma once
/// How loops come onto meshes: each value that a loop carries stands on one.

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/transform/detail/rewrite_context.hpp>

namespace mpmd {
namespace detail {

template <mutable_mpmd_program P>
class loop_rewriter {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;
  using point = insertion_point<P>;

 public:
  explicit loop_rewriter(rewrite_context<P>& with) : with_(with) {}

  /// Chooses the one mesh of everything of no mesh that the loop carries, and assigns what the body yields to
  /// it.
  std::vector<std::string> assign_yields(op loop) {
    with_.number_arguments(loop);
    op const end = with_.terminator_of(loop);
    std::vector<std::string> chosen;
    if (!end) return chosen;
    std::vector<value> yields = operands_of(with_.program, end);
    std::size_t i = 0;
    for (auto const& r : results_of(with_.program, loop)) {
      chosen.emplace_back();
      if (i == yields.size()) break;
      value& v = yields[i];
      std::vector<std::string> wanted;
      for (auto const& u : traits::uses(with_.program, r))
        if (traits::role_of(with_.program, u.user) == role::assign)
          add_mesh(wanted, traits::mesh_of(with_.program, result_of(with_.program, u.user)));
      add_meshes(wanted, traits::argument_annotation(with_.program, loop, i, set_kind::use));
      if (!with_.is_plain(v)) {
        // The body has put it on a mesh already.
        if (!traits::mesh_of(with_.program, v).empty() && with_.is_plain(r))
          chosen.back() = traits::mesh_of(with_.program, v);
      } else {
        if (op const d = mpmd::defining_op(with_.program, v))
          add_meshes(wanted, traits::op_annotation(with_.program, d, set_kind::use));
        chosen.back() = wanted.empty() ? with_.fallback_mesh(v) : wanted.front();
        v = with_.assigned(v, chosen.back(), traits::location_of_value(with_.program, v), point::before(end));
      }
      if (wanted.size() > 1 ||
          (wanted.size() == 1 && !chosen.back().empty() && wanted.front() != chosen.back()))
        report_loop(loop, "value " + std::to_string(i), wanted);
      ++i;
    }
    traits::set_operands(with_.program, end, yields);
    return chosen;
  }
  /// Once the body is done: what the loop takes, carries and gives comes onto its mesh.
  void finish(op loop, std::vector<std::string> const& chosen) {
    std::vector<value> arguments;
    for (auto&& a : mpmd::arguments(with_.program, loop)) arguments.push_back(a);
    std::vector<std::pair<value, type_t<P>>> to_unassign;
    std::vector<std::vector<std::pair<op, std::size_t>>> redirect;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      value const a = arguments[i];
      type_t<P> const plain = traits::type_of(with_.program, a);
      if (!traits::is_tensor(with_.program, plain)) continue;
      auto const meshes = with_.assigns_by_mesh(a);
      if (!meshes) continue;
      std::string mesh = i < chosen.size() ? chosen[i] : std::string{};
      std::vector<std::string> wanted;
      if (!mesh.empty()) wanted.push_back(mesh);
      for (auto const& [m, assigns] : *meshes) add_mesh(wanted, m);
      if (wanted.size() > 1) {
        report_loop(loop, i < chosen.size() ? "value " + std::to_string(i) : "the index", wanted);
        continue;
      }
      if (wanted.empty()) continue;  // an index that nobody uses
      traits::set_type(with_.program, a, traits::mesh_type(with_.program, plain, wanted.front(), {}));
      if (meshes->empty()) continue;
      to_unassign.emplace_back(a, plain);
      redirect.emplace_back();
      for (op const o : meshes->begin()->second) redirect.back().emplace_back(o, 0);
    }
    with_.unassign_at_start(loop, to_unassign, redirect);

    std::vector<value> operands = operands_of(with_.program, loop);
    std::vector<value> const results = results_of(with_.program, loop);
    for (std::size_t i = 0; i < operands.size() && i < chosen.size(); ++i)
      if (!chosen[i].empty() && with_.is_plain(operands[i]))
        operands[i] = with_.assigned(operands[i], chosen[i], traits::location_of(with_.program, loop),
                                     point::before(loop));
    traits::set_operands(with_.program, loop, operands);
    op behind = loop;
    for (std::size_t i = 0; i < results.size() && i < chosen.size(); ++i) {
      value const r = results[i];
      type_t<P> const plain = traits::type_of(with_.program, r);
      if (chosen[i].empty() || !traits::is_tensor(with_.program, plain)) continue;
      traits::set_type(with_.program, r, traits::mesh_type(with_.program, plain, chosen[i], {}));
      auto const uses = uses_of(with_.program, r);
      if (uses.empty()) continue;
      behind = traits::create(with_.program,
                              {.what = role::unassign,
                               .operands = {r},
                               .results = {plain},
                               .where = traits::location_of(with_.program, loop)},
                              point::after(behind));
      for (auto const& u : uses)
        traits::set_operand(with_.program, u.user, u.index, result_of(with_.program, behind));
    }
    for (set_kind const kind : {set_kind::use, set_kind::src}) {
      traits::set_op_annotation(with_.program, loop, kind, std::nullopt);
      traits::set_argument_annotations(with_.program, loop, kind, {});
    }
  }

 private:
  void add_mesh(std::vector<std::string>& to, std::string_view mesh) {
    if (mesh != "*" && std::find(to.begin(), to.end(), mesh) == to.end()) to.emplace_back(mesh);
  }
  void add_meshes(std::vector<std::string>& to, mesh_annotation const& set) {
    if (set)
      for (auto const& m : *set) add_mesh(to, m.mesh);
  }

  void report_loop(op loop, std::string const& what, std::vector<std::string> const& meshes) {
    std::string all;
    for (auto const& m : meshes) all.append(all.empty() ? "" : ",").append(m);
    with_.error(with_.place(loop), what + " of the loop is needed on several meshes: {" + all + "}",
                "what a loop carries stands on one mesh; unroll the loop, or keep its body on one mesh");
  }

  rewrite_context<P>& with_;
};

}  // namespace detail
}  // namespace mpmd
