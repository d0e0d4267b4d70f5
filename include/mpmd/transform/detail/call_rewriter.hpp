#pragma once
/// How calls, and the functions they call, come onto meshes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/transform/detail/rewrite_context.hpp>

namespace mpmd {

/// The note on an argument or result of a function that is called: the positions of its copies for further
/// meshes.
inline constexpr std::string_view copies_note = "mpmd.copies";

namespace detail {

template <mutable_mpmd_program P>
class call_rewriter {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;
  using point = insertion_point<P>;

 public:
  explicit call_rewriter(rewrite_context<P>& with) : with_(with) {}

  /// Every result of no mesh is assigned to each mesh where it is needed, further meshes behind all results.
  void assign_results() {
    op const end = with_.terminator_of(with_.function);
    if (!end) return;
    with_.number_arguments(with_.function);
    std::vector<value> returned = operands_of(with_.program, end);
    std::size_t const count = returned.size();
    std::vector<note> copies(count);
    bool any_copies = false;
    for (std::size_t i = 0; i < count; ++i) {
      value const v = returned[i];
      if (!with_.is_plain(v)) continue;
      auto const where = traits::location_of_value(with_.program, v);
      auto const needed = traits::result_annotation(with_.program, with_.function, i, set_kind::use);
      std::vector<std::int64_t> further;
      bool first = true;
      auto add = [&](std::string_view mesh) {
        value const made = with_.assigned(v, mesh, where, point::before(end));
        if (std::exchange(first, false)) {
          returned[i] = made;
        } else {
          further.push_back(static_cast<std::int64_t>(returned.size()));
          returned.push_back(made);
        }
      };
      if (needed)
        for (auto const& m : *needed)
          if (m.mesh != "*") add(m.mesh);
      if (first) add(with_.fallback_mesh(v));
      if (further.empty()) continue;
      copies[i] = std::move(further);
      any_copies = true;
    }
    traits::set_operands(with_.program, end, returned);
    if (any_copies) traits::set_result_notes(with_.program, with_.function, copies_note, copies);
  }

  /// Every argument of no mesh comes onto the meshes of its assigns, further meshes behind all arguments.
  void type_arguments() {
    std::vector<value> arguments;
    for (auto&& a : mpmd::arguments(with_.program, with_.function)) arguments.push_back(a);
    std::size_t const count = arguments.size();
    std::vector<note> copies(count);
    std::vector<std::pair<value, type_t<P>>> to_unassign;
    std::vector<std::vector<std::pair<op, std::size_t>>> redirect;  // to_unassign: the assigns that read it
    bool any_copies = false;
    std::size_t total = count;
    for (std::size_t i = 0; i < count; ++i) {
      value const a = arguments[i];
      type_t<P> const plain = traits::type_of(with_.program, a);
      if (!traits::is_tensor(with_.program, plain)) continue;
      auto const meshes = with_.assigns_by_mesh(a);
      if (!meshes) continue;
      std::vector<std::int64_t> further;
      bool first = true;
      for (auto const& [mesh, assigns] : *meshes) {
        value on = a;
        type_t<P> const placed = traits::mesh_type(with_.program, plain, mesh, {});
        if (std::exchange(first, false)) {
          traits::set_type(with_.program, a, placed);
        } else {
          on = traits::add_argument(with_.program, with_.function, placed,
                                    traits::location_of_value(with_.program, a));
          further.push_back(static_cast<std::int64_t>(total++));
        }
        to_unassign.emplace_back(on, plain);
        redirect.emplace_back();
        for (op const o : assigns) redirect.back().emplace_back(o, 0);
      }
      if (first) {
        auto const needed = traits::argument_annotation(with_.program, with_.function, i, set_kind::use);
        std::string_view const mesh = with_.least(needed);
        traits::set_type(with_.program, a,
                         with_.on_mesh(a, mesh.empty() ? std::string_view(with_.fallback_mesh(a)) : mesh));
      }
      if (further.empty()) continue;
      copies[i] = std::move(further);
      any_copies = true;
    }
    with_.unassign_at_start(with_.function, to_unassign, redirect);
    if (any_copies) traits::set_argument_notes(with_.program, with_.function, copies_note, copies);
  }

  /// A call like the old one, with what the callee takes and gives by now.
  void rewrite(op call) {
    auto const found = with_.functions.find(traits::callee_name(with_.program, call));
    if (found == with_.functions.end()) return;
    op const f = found->second;
    op const end = with_.terminator_of(f);
    std::vector<type_t<P>> taken, given;
    for (auto&& a : mpmd::arguments(with_.program, f)) taken.push_back(traits::type_of(with_.program, a));
    if (end)
      for (auto&& v : traits::operands(with_.program, end))
        given.push_back(traits::type_of(with_.program, v));
    std::vector<value> const old_operands = operands_of(with_.program, call),
                             old_results = results_of(with_.program, call);
    if (taken.size() < old_operands.size() || given.size() < old_results.size()) return;  // no valid call

    auto const where = traits::location_of(with_.program, call);
    std::vector<value> operands(taken.size());
    auto bring = [&](value v, std::size_t to) {
      if (!with_.is_plain(v) || traits::is_tensor(with_.program, taken[to])) {
        operands[to] = v;
        return;
      }
      operands[to] = result_of(
          with_.program,
          traits::create(with_.program,
                         {.what = role::assign, .operands = {v}, .results = {taken[to]}, .where = where},
                         point::before(call)));
    };
    for (std::size_t i = 0; i < old_operands.size(); ++i) {
      bring(old_operands[i], i);
      for (std::int64_t const to : copies_of(traits::argument_note(with_.program, f, i, copies_note)))
        if (static_cast<std::uint64_t>(to) < operands.size())
          bring(old_operands[i], static_cast<std::size_t>(to));
    }
    op const made = traits::recreate(with_.program, call, operands, given);
    std::vector<value> const results = results_of(with_.program, made);
    for (std::size_t i = 0; i < old_results.size(); ++i) {
      value const old = old_results[i];
      if (!with_.is_plain(old) || traits::is_tensor(with_.program, given[i])) {
        replace_uses(with_.program, old, results[i]);
        continue;
      }
      std::vector<value> given_by_mesh{results[i]};
      for (std::int64_t const from : copies_of(traits::result_note(with_.program, f, i, copies_note)))
        if (static_cast<std::uint64_t>(from) < results.size())
          given_by_mesh.push_back(results[static_cast<std::size_t>(from)]);
      read_results(call, i, old, given_by_mesh);
    }
    // What could not be redirected has been reported, and keeps the old call.
    if (has_unused_results(with_.program, call)) traits::erase(with_.program, call);
  }

 private:
  static std::vector<std::int64_t> copies_of(note const& n) {
    auto const* positions = std::get_if<std::vector<std::int64_t>>(&n);
    return positions ? *positions : std::vector<std::int64_t>{};
  }

  // Has each assign of an old result read the new one on its mesh, each through an unassign of its own, in the order of
  // uses. Where the function gives it on other meshes only, the first of these is read: whether a transfer may take it
  // from there is decided when all assigns are folded.
  void read_results(op call, std::size_t number, value old, std::vector<value> const& on_meshes) {
    type_t<P> const plain = traits::type_of(with_.program, old);
    std::unordered_map<std::string_view, value> given;
    for (value const v : on_meshes) given.emplace(traits::mesh_of(with_.program, v), v);
    auto const uses = uses_of(with_.program, old);
    for (auto const& u : uses)
      if (traits::role_of(with_.program, u.user) != role::assign)
        return with_.report_stray(with_.place(call), "result " + std::to_string(number) + " of the call", u.user);
    for (auto const& u : uses) {
      auto const at = given.find(traits::mesh_of(with_.program, result_of(with_.program, u.user)));
      value const free =
          result_of(with_.program, traits::create(with_.program,
                                                  {.what = role::unassign,
                                                   .operands = {at == given.end() ? on_meshes.front() : at->second},
                                                   .results = {plain},
                                                   .where = traits::location_of(with_.program, call)},
                                                  point::before(call)));
      traits::set_operand(with_.program, u.user, 0, free);
    }
  }

  rewrite_context<P>& with_;
};

}  // namespace detail
}  // namespace mpmd
