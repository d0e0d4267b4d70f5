#pragma once
/// Where a value comes from and where it goes to, in words: the unassigns and arguments that say on which meshes it can
/// be, the assigns that need it. Part of what the passes of mesh inference say about a conflict.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/analysis/stored_sets.hpp>
#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/placement_spelling.hpp>

namespace mpmd {

/// Writes the traces. Made when the first conflict is found, linear in the functions and loops; each trace follows at
/// most some thousands of values, after some hundreds of traces some tens, and shows some tens of lines, so that a report
/// of many conflicts stays near-linear.
template <mutable_mpmd_program P>
class placement_trace {
  using traits = ir_traits<P>;
  using function = typename program_map<P>::function;

 public:
  placement_trace(P const& p, stored_sets<P> const& sets, call_sites<P> const& calls)
      : program_(p), sets_(sets), map_(sets.map()), calls_(calls) {
    for (function const& f : map_.functions()) {
      functions_.emplace(f.o, &f);
      walk_steps<false>(map_, f, [&](program_step<P> const& s) {
        if (s.kind == step_kind::argument || s.kind == step_kind::loop_argument)
          arguments_.emplace(s.number, argument{&f, s.o, s.index});
      });
    }
  }

  /// A line for each unassign, reduction and entry argument that the values come from, the last found first.
  std::string sources(std::span<value_t<P> const> of) const {
    std::vector<std::string> lines, vague;
    follow(of, [&](value_t<P> v, auto const& push) {
      source(v, lines, vague);
      behind(v, push);
    });
    return joined(lines.empty() ? vague : lines);
  }
  /// Whether an op is a reduction that can be delivered on meshes of its parts only, as one that was inferred is.
  bool is_confined_reduction(op_t<P> o) const {
    if (traits::role_of(program_, o) != role::reduce) return false;
    for (auto&& r : traits::results(program_, o)) return sets_.src(r).specified();
    return false;
  }
  /// What a value was before it was put on a mesh only to be taken off it for a reduction or broadcast, as inference does
  /// with their operands; the value itself if it was not.
  value_t<P> before_barrier(value_t<P> v) const {
    op_t<P> const d = mpmd::defining_op(program_, v);
    if (!d || traits::role_of(program_, d) != role::unassign || !label_of(program_, d).empty()) return v;
    op_t<P> const assign = assign_below(d);
    if (!assign) return v;
    for (auto const& u : traits::uses(program_, v)) {
      role const r = traits::role_of(program_, u.user);
      if (r != role::reduce && r != role::broadcast) return v;
    }
    for (auto&& from : traits::operands(program_, assign)) return from;
    return v;
  }
  /// The assign that put on its mesh what an unassign takes off it; none if something else did.
  op_t<P> assign_below(op_t<P> unassign) const {
    for (auto&& placed : traits::operands(program_, unassign))
      if (op_t<P> const d = mpmd::defining_op(program_, placed); d && traits::role_of(program_, d) == role::assign) return d;
    return {};
  }
  /// Whether one of the values comes from a reduction that can be delivered on meshes of its parts only.
  bool from_confined_reduction(std::span<value_t<P> const> of) const {
    bool found = false;
    follow(of, [&](value_t<P> v, auto const& push) {
      op_t<P> const d = mpmd::defining_op(program_, v);
      found = found || (d && is_confined_reduction(d));
      if (!found) behind(v, push);
    });
    return found;
  }
  /// A line for each assign that needs one of the values, and for each return that hands one out; if there is neither,
  /// for each argument of a function that calls hand one on to.
  std::string uses(std::span<value_t<P> const> of) const {
    std::vector<std::string> lines, handed_on;
    follow(of, [&](value_t<P> v, auto const& push) {
      for (auto const& u : traits::uses(program_, v)) use(u.user, u.index, push, lines);
      std::uint32_t i = 0;
      if (function const* f = function_of(v, i); f && !is_input(*f))
        handed_on.push_back(" - Argument " + std::to_string(i) + " of @" +
                            std::string(traits::function_name(program_, f->o)) + ": " + sets_.labels_text(sets_.use(v)));
    });
    return joined(lines.empty() ? handed_on : lines);
  }
  /// The line for an assign itself.
  std::string assigned(op_t<P> assign) const { return joined({assign_line(assign)}); }

  /// The values of an op that have to be where it is: its operands, then what its regions capture.
  std::vector<value_t<P>> inputs(op_t<P> o) const {
    std::vector<value_t<P>> all;
    for (auto&& v : traits::operands(program_, o)) all.push_back(v);
    if (!is_leaf(program_, o))
      for (auto const& v : captured_values(map_, o)) all.push_back(v);
    return all;
  }
  std::size_t operand_count(op_t<P> o) const {
    return static_cast<std::size_t>(std::ranges::distance(traits::operands(program_, o)));
  }
  /// The function and position of an argument of a function; null for anything else.
  function const* function_of(value_t<P> v, std::uint32_t& index) const {
    auto const at = arguments_.find(map_.number(v));
    if (at == arguments_.end() || at->second.loop) return nullptr;
    index = at->second.index;
    return at->second.in;
  }
  std::vector<op_t<P>> const& calls_of(function const& f) const { return calls_.of(f); }
  function const* find(op_t<P> f) const {
    auto const at = functions_.find(f);
    return at == functions_.end() ? nullptr : at->second;
  }

 private:
  struct argument {
    function const* in;
    op_t<P> loop;  // none for an argument of the function
    std::uint32_t index;
  };

  template <class Visit>
  void follow(std::span<value_t<P> const> from, Visit visit) const {
    constexpr std::size_t thorough = 256, far = 4096, near = 64;
    std::size_t const most = followed_++ < thorough ? far : near;
    std::vector<value_t<P>> open(from.begin(), from.end());
    std::unordered_set<value_t<P>> seen;
    auto push = [&open](value_t<P> v) { open.push_back(v); };
    while (!open.empty() && seen.size() < most) {
      value_t<P> const v = open.back();
      open.pop_back();
      if (seen.insert(v).second) visit(v, push);
    }
  }

  void source(value_t<P> v, std::vector<std::string>& lines, std::vector<std::string>& vague) const {
    op_t<P> const d = mpmd::defining_op(program_, v);
    if (!d) {
      auto const at = arguments_.find(map_.number(v));
      if (at == arguments_.end() || at->second.loop || !is_input(*at->second.in)) return;
      auto const& set = sets_.src(v);
      (set.specified() ? lines : vague).push_back(line("Input", traits::location_of_value(program_, v), set));
    } else if (traits::role_of(program_, d) == role::unassign) {
      if (before_barrier(v) == v) lines.push_back(unassign_line(d, v));
    } else if (is_confined_reduction(d)) {
      lines.push_back(" - Reduction " + spell_location(program_, traits::location_of(program_, d)) + ": " +
                      sets_.labels_text(sets_.src(v)) + ", the meshes of its parts");
    }
  }
  /// Whether nothing but the function itself says where its arguments are.
  bool is_input(function const& f) const { return f.entry || calls_.of(f).empty(); }
  /// The values that say where a value can be.
  template <class Push>
  void behind(value_t<P> v, Push const& push) const {
    op_t<P> const d = mpmd::defining_op(program_, v);
    if (!d) {
      auto const at = arguments_.find(map_.number(v));
      if (at == arguments_.end()) return;
      auto const& [in, loop, index] = at->second;
      if (loop)
        operand(loop, index, push);
      else if (!is_input(*in))
        for (op_t<P> const call : calls_.of(*in)) operand(call, index, push);
      return;
    }
    role const r = traits::role_of(program_, d);
    if (r == role::call || r == role::loop) {
      if (value_t<P> const from = sets_.origin(v); from != v) push(from);
    } else if (r == role::compute || is_confined_reduction(d)) {
      for (value_t<P> const from : inputs(d)) push(from);
    } else if (value_t<P> const from = before_barrier(v); from != v) {
      push(from);
    }
  }
  template <class Push>
  void use(op_t<P> user, std::size_t index, Push const& push, std::vector<std::string>& lines) const {
    // A use inside the region of an ordinary op is one of that op.
    for (op_t<P> up = traits::parent_op(program_, user);
         up && traits::role_of(program_, up) == role::compute; up = traits::parent_op(program_, up))
      user = up;
    switch (traits::role_of(program_, user)) {
      case role::assign: lines.push_back(assign_line(user)); break;
      case role::compute:
        for (auto&& r : traits::results(program_, user)) push(r);
        break;
      case role::terminator: returned(user, index, push, lines); break;
      case role::call:
        if (auto const* f = map_.callee(user)) nth(mpmd::arguments(program_, f->o), index, push);
        break;
      case role::loop: nth(mpmd::arguments(program_, user), index, push); break;
      default: break;
    }
  }
  template <class Push>
  void returned(op_t<P> end, std::size_t index, Push const& push, std::vector<std::string>& lines) const {
    op_t<P> const around = traits::parent_op(program_, end);
    if (function const* f = find(around)) {
      if (f->entry)
        lines.push_back(" - Output " + spell_result(f->o, end, index) + ": returned");
      else
        for (op_t<P> const call : calls_.of(*f)) nth(traits::results(program_, call), index, push);
    } else if (around && traits::role_of(program_, around) == role::loop) {
      nth(traits::results(program_, around), index, push);
    }
  }
  std::string spell_result(op_t<P> f, op_t<P> end, std::size_t index) const {
    note const said = traits::result_note(program_, f, index, "jax.result_info");
    if (auto const* text = std::get_if<std::string>(&said)) return '"' + *text + '"';
    return std::to_string(index) + " at " + spell_location(program_, traits::location_of(program_, end));
  }
  template <class Push>
  void operand(op_t<P> o, std::size_t index, Push const& push) const {
    nth(traits::operands(program_, o), index, push);
  }
  template <class Range, class Push>
  static void nth(Range&& all, std::size_t index, Push const& push) {
    auto const at = std::ranges::next(std::ranges::begin(all), static_cast<std::ptrdiff_t>(index), std::ranges::end(all));
    if (at != std::ranges::end(all)) push(*at);
  }

  std::string unassign_line(op_t<P> o, value_t<P> v) const {
    std::string own, maker;
    for (auto&& placed : traits::operands(program_, o)) {
      own = traits::mesh_of(program_, placed);
      maker = spell_maker(program_, static_cast<value_t<P>>(placed));
    }
    std::string label(label_of(program_, o));
    if (op_t<P> const assign = assign_below(o); assign && label.empty()) label = label_of(program_, assign);
    std::string meshes = own + '[' + label + ']';
    // The set on the op names the mesh again.
    for (auto const& e : sets_.src(v).entries())
      if (sets_.names().meshes[e.mesh] != own) meshes.append(", ").append(sets_.labels_text({{e.mesh, e.origins}}));
    return line("Input", traits::location_of(program_, o), meshes, label) + maker;
  }
  std::string assign_line(op_t<P> o) const {
    std::string mesh;
    for (auto&& r : traits::results(program_, o)) mesh = traits::mesh_of(program_, r);
    std::string const label(label_of(program_, o));
    return line("Output", traits::location_of(program_, o), mesh + '[' + label + ']', label);
  }
  std::string line(std::string_view what, location_t<P> at, mesh_origins const& set) const {
    if (!set.specified()) return line(what, at, "any mesh", {});
    std::string const meshes = sets_.labels_text(set);
    std::string label;
    if (!set.entries().empty() && set.entries().front().origins.size() != 0)
      label = sets_.names().labels[*set.entries().front().origins.begin()];
    return line(what, at, meshes, label);
  }
  /// ` - Input "x": m1[label]`, or ` - named_computation "label": m1[label] at "x"` where the location says that it is one.
  std::string line(std::string_view what, location_t<P> at, std::string_view meshes, std::string_view label) const {
    std::string text = " - ";
    for (std::string_view const named : {"named_computation", "named_tensor"}) {
      bool const is = !label.empty() && std::ranges::any_of(traits::location_stack(program_, at), [&](auto const& f) {
        return f.name.find(named) != std::string::npos;
      });
      if (!is) continue;
      text.append(named).append(" \"").append(label).append("\": ").append(meshes);
      return text.append(" at ").append(spell_location(program_, at));
    }
    text.append(what).append(" ").append(spell_location(program_, at)).append(": ");
    return text.append(meshes);
  }
  static std::string joined(std::vector<std::string> const& lines) {
    constexpr std::size_t most = 32;
    std::string all;
    for (std::size_t i = 0; i < lines.size() && i < most; ++i) all.append("\n").append(lines[i]);
    if (lines.size() > most) all.append("\n - and ").append(std::to_string(lines.size() - most)).append(" more");
    return all;
  }

  P const& program_;
  stored_sets<P> const& sets_;
  program_map<P> const& map_;
  call_sites<P> const& calls_;
  std::unordered_map<op_t<P>, function const*> functions_;
  std::unordered_map<fact_number, argument> arguments_;
  mutable std::size_t followed_ = 0;
};

}  // namespace mpmd
