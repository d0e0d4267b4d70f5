#pragma once
/// What the parts of rewrite_using_analysis.hpp share while they go through a function.

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/mesh_order.hpp>
#include <mpmd/transform/pick_mesh.hpp>

namespace mpmd {
namespace detail {

template <mutable_mpmd_program P>
struct rewrite_context {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;
  using point = insertion_point<P>;
  using assigns_of_meshes = std::map<std::string, std::vector<op>, mesh_order>;

  P& program;
  diagnostics& diags;
  std::unordered_map<std::string_view, op> functions = {};  // those that take part, by name
  op function = {};
  std::string first_mesh = {};  // where everything goes that could be anywhere
  std::unordered_map<value, std::pair<op, std::size_t>> position =
      {};  // of arguments whose sets may be asked for
  bool failed = false;

  rewrite_context(P& p, diagnostics& to) : program(p), diags(to) {
    for (auto&& f : mpmd::functions(p))
      if (takes_part(p, f)) functions.emplace(traits::function_name(p, f), f);
  }
  rewrite_context(rewrite_context const&) = delete;
  rewrite_context& operator=(rewrite_context const&) = delete;

  void start(op f) {
    function = f;
    first_mesh = mpmd::first_mesh(program, f);
    position.clear();
  }

  void error(source_location where, std::string message, std::string hint) {
    failed = true;
    diags.emit(
        {severity::error, "infer-mesh.rewrite", where, std::move(message), {{where, std::move(hint)}}});
  }
  source_location place(op o) const { return traits::source_of(program, traits::location_of(program, o)); }
  source_location place(value v) const {
    return traits::source_of(program, traits::location_of_value(program, v));
  }
  bool is_plain(value v) const { return traits::is_tensor(program, traits::type_of(program, v)); }
  type_t<P> on_mesh(value v, std::string_view mesh) const {
    return traits::mesh_type(program, traits::type_of(program, v), mesh, {});
  }
  value assigned(value v, std::string_view mesh, location_t<P> where, point at) {
    return result_of(
        program,
        traits::create(program,
                       {.what = role::assign, .operands = {v}, .results = {on_mesh(v, mesh)}, .where = where},
                       at));
  }

  // The least mesh of a set by name, those that a broadcast prefers only if there is no other.
  static std::string_view least(mesh_annotation const& set) {
    if (!set) return {};
    std::string_view best;
    bool best_is_low = false;
    for (auto const& m : *set) {
      if (m.mesh == "*") continue;
      bool const low = std::find(m.labels.begin(), m.labels.end(), "broadcast_in") != m.labels.end();
      if (!best.empty() && (low != best_is_low ? low : !mesh_order{}(m.mesh, best))) continue;
      best = m.mesh;
      best_is_low = low;
    }
    return best;
  }
  // Where a value may be according to its src set, else the first mesh.
  std::string fallback_mesh(value v) const {
    std::string_view mesh;
    if (op const d = mpmd::defining_op(program, v)) {
      auto const set = traits::op_annotation(program, d, set_kind::src);
      mesh = least(set);
      return std::string(mesh.empty() ? first_mesh : mesh);
    }
    if (auto const at = position.find(v); at != position.end()) {
      auto const set =
          traits::argument_annotation(program, at->second.first, at->second.second, set_kind::src);
      mesh = least(set);
      return std::string(mesh.empty() ? first_mesh : mesh);
    }
    return first_mesh;
  }

  op terminator_of(op holder) const {
    op last = {};
    auto&& ops = mpmd::body(program, holder);
    if constexpr (std::ranges::bidirectional_range<decltype(ops)> &&
                  std::ranges::common_range<decltype(ops)>) {
      if (std::ranges::begin(ops) != std::ranges::end(ops)) last = *std::ranges::prev(std::ranges::end(ops));
    } else {
      for (auto&& o : ops) last = o;
    }
    return last && traits::role_of(program, last) == role::terminator ? last : op{};
  }

  // The assigns of a value by mesh, in the order of meshes, or nothing after reporting a user that is none.
  std::optional<std::map<std::string, std::vector<op>, mesh_order>> assigns_by_mesh(value v) {
    std::map<std::string, std::vector<op>, mesh_order> found;
    std::unordered_map<std::string_view, std::vector<op>*> known;
    for (auto const& u : uses_of(program, v)) {
      if (traits::role_of(program, u.user) != role::assign) {
        report_stray(place(v), "the argument", u.user);
        return std::nullopt;
      }
      std::string_view const mesh = traits::mesh_of(program, result_of(program, u.user));
      auto const [at, is_new] = known.try_emplace(mesh, nullptr);
      if (is_new) at->second = &found[std::string(mesh)];
      at->second->push_back(u.user);
    }
    return found;
  }
  // Unassigns values on meshes where the body of `holder` starts, in order, and has the assigns read from
  // them.
  void unassign_at_start(op holder, std::vector<std::pair<value, type_t<P>>> const& values,
                         std::vector<std::vector<std::pair<op, std::size_t>>> const& redirect) {
    if (values.empty()) return;
    op first = {};
    for (auto&& o : mpmd::body(program, holder)) {
      first = o;
      break;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      value const v =
          result_of(program, traits::create(program,
                                            {.what = role::unassign,
                                             .operands = {values[i].first},
                                             .results = {values[i].second},
                                             .where = traits::location_of_value(program, values[i].first)},
                                            first ? point::before(first) : point::end(holder)));
      for (auto const& [o, index] : redirect[i]) traits::set_operand(program, o, index, v);
    }
  }
  void number_arguments(op holder) {
    std::size_t i = 0;
    for (auto&& a : mpmd::arguments(program, holder)) position[a] = {holder, i++};
  }

  void report_stray(source_location where, std::string_view what, op user) {
    failed = true;
    diags.emit({severity::error,
                "infer-mesh.rewrite",
                std::move(where),
                std::string(what) + " cannot be put on a mesh: it is used by an op that says no mesh",
                {{place(user), "used here, without an mpmd.assign between"},
                 {place(user), "-mpmd-infer-mesh-assign-mesh-func-leaves gives every use a mesh"}}});
  }
};

}  // namespace detail
}  // namespace mpmd
