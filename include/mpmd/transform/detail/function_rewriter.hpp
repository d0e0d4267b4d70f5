#pragma once
/// How rewrite_using_analysis.hpp goes through one function.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/analysis/program_walk.hpp>
#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/fragment_absorber.hpp>
#include <mpmd/transform/mesh_order.hpp>
#include <mpmd/transform/wrap_in_fragment.hpp>

namespace mpmd {

/// The note on an argument or result of a function that is called: the positions of its copies for further meshes.
inline constexpr std::string_view copies_note = "mpmd.copies";
/// What noted fragments were made for.
inline constexpr std::string_view wrapped_op_tag = "infer_mesh_wrap_meshless_ops";

namespace detail {

template <mutable_mpmd_program P>
class function_rewriter {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;
  using point = insertion_point<P>;

 public:
  function_rewriter(P& p, diagnostics& diags, std::int64_t max_clones)
      : program_(p), diags_(diags), max_clones_(max_clones), absorber_(p) {
    for (auto&& f : mpmd::functions(p))
      if (takes_part(p, f)) functions_.emplace(traits::function_name(p, f), f);
  }

  bool failed() const { return failed_; }

  void rewrite_callee(op f) {
    start(f);
    assign_results();
    rewrite_body();
    type_arguments();
    traits::update_signature(program_, f);
  }
  void rewrite_entry(op f) {
    start(f);
    rewrite_body();
    traits::update_signature(program_, f);
  }

 private:
  // Ops of a body, the last of which is looked at next; of a loop's body if `loop`.
  struct frame {
    std::vector<op> ops;
    op loop = {};
    std::vector<std::string> meshes = {};  // of what the loop carries, empty where it stands on a mesh already
  };
  // Who uses the results of an op.
  struct users {
    struct assign {
      op o;
      std::size_t result;
    };
    struct consumer {
      op fragment;
      std::vector<consumed_result<P>> what;
    };
    std::vector<assign> assigns;
    std::vector<consumer> consumers;
    bool others = false;  // an assign is used by something else than a fragment
    op stray = {};        // uses a tensor which no assign has put on a mesh
    bool any = false;
  };

  void start(op f) {
    function_ = f;
    // The mesh that is taken where nothing else decides: the first by name.
    first_mesh_.clear();
    for (auto const& m : traits::meshes_of(program_, f))
      if (first_mesh_.empty() || m < first_mesh_) first_mesh_ = m;
  }
  void error(source_location where, std::string message, std::string hint) {
    failed_ = true;
    diags_.emit({severity::error, "infer-mesh.rewrite", where, std::move(message), {{where, std::move(hint)}}});
  }
  source_location place(op o) const { return traits::source_of(program_, traits::location_of(program_, o)); }
  source_location place(value v) const { return traits::source_of(program_, traits::location_of_value(program_, v)); }
  bool is_plain(value v) const { return traits::is_tensor(program_, traits::type_of(program_, v)); }
  type_t<P> on_mesh(value v, std::string_view mesh) const {
    return traits::mesh_type(program_, traits::type_of(program_, v), mesh, {});
  }
  value assigned(value v, std::string_view mesh, location_t<P> where, point at) {
    return result_of(program_, traits::create(program_,
                                              {.what = role::assign,
                                               .operands = {v},
                                               .results = {on_mesh(v, mesh)},
                                               .where = where},
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
      if (!best.empty() && (low != best_is_low ? low : best <= m.mesh)) continue;
      best = m.mesh;
      best_is_low = low;
    }
    return best;
  }
  // Where a value may be according to its src set, else the first mesh.
  std::string fallback_mesh(value v) const {
    std::string_view mesh;
    if (op const d = mpmd::defining_op(program_, v)) {
      auto const set = traits::op_annotation(program_, d, set_kind::src);
      mesh = least(set);
      return std::string(mesh.empty() ? first_mesh_ : mesh);
    }
    if (auto const at = position_.find(v); at != position_.end()) {
      auto const set = traits::argument_annotation(program_, at->second.first, at->second.second, set_kind::src);
      mesh = least(set);
      return std::string(mesh.empty() ? first_mesh_ : mesh);
    }
    return first_mesh_;
  }

  // --- Functions that are called ---------------------------------------------------------------------------------

  op terminator_of(op holder) const {
    op last = {};
    auto&& ops = mpmd::body(program_, holder);
    if constexpr (std::ranges::bidirectional_range<decltype(ops)> && std::ranges::common_range<decltype(ops)>) {
      if (std::ranges::begin(ops) != std::ranges::end(ops)) last = *std::ranges::prev(std::ranges::end(ops));
    } else {
      for (auto&& o : ops) last = o;
    }
    return last && traits::role_of(program_, last) == role::terminator ? last : op{};
  }

  // Every result of no mesh is assigned to each mesh where it is needed, further meshes behind all results.
  void assign_results() {
    op const end = terminator_of(function_);
    if (!end) return;
    number_arguments(function_);
    std::vector<value> returned = operands_of(program_, end);
    std::size_t const count = returned.size();
    std::vector<note> copies(count);
    bool any_copies = false;
    for (std::size_t i = 0; i < count; ++i) {
      value const v = returned[i];
      if (!is_plain(v)) continue;
      auto const where = traits::location_of_value(program_, v);
      auto const needed = traits::result_annotation(program_, function_, i, set_kind::use);
      std::vector<std::int64_t> further;
      bool first = true;
      auto add = [&](std::string_view mesh) {
        value const made = assigned(v, mesh, where, point::before(end));
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
      if (first) add(fallback_mesh(v));
      if (further.empty()) continue;
      copies[i] = std::move(further);
      any_copies = true;
    }
    traits::set_operands(program_, end, returned);
    if (any_copies) traits::set_result_notes(program_, function_, copies_note, copies);
  }

  // Every argument of no mesh comes onto the meshes of its assigns, further meshes behind all arguments.
  void type_arguments() {
    std::vector<value> arguments;
    for (auto&& a : mpmd::arguments(program_, function_)) arguments.push_back(a);
    std::size_t const count = arguments.size();
    std::vector<note> copies(count);
    std::vector<std::pair<value, type_t<P>>> to_unassign;
    std::vector<std::vector<std::pair<op, std::size_t>>> redirect;  // to_unassign: the assigns that read it
    bool any_copies = false;
    std::size_t total = count;
    for (std::size_t i = 0; i < count; ++i) {
      value const a = arguments[i];
      type_t<P> const plain = traits::type_of(program_, a);
      if (!traits::is_tensor(program_, plain)) continue;
      auto const meshes = assigns_by_mesh(a);
      if (!meshes) continue;
      std::vector<std::int64_t> further;
      bool first = true;
      for (auto const& [mesh, assigns] : *meshes) {
        value on = a;
        type_t<P> const placed = traits::mesh_type(program_, plain, mesh, {});
        if (std::exchange(first, false)) {
          traits::set_type(program_, a, placed);
        } else {
          on = traits::add_argument(program_, function_, placed, traits::location_of_value(program_, a));
          further.push_back(static_cast<std::int64_t>(total++));
        }
        to_unassign.emplace_back(on, plain);
        redirect.emplace_back();
        for (op const o : assigns) redirect.back().emplace_back(o, 0);
      }
      if (first) {
        auto const needed = traits::argument_annotation(program_, function_, i, set_kind::use);
        std::string_view const mesh = least(needed);
        traits::set_type(program_, a, on_mesh(a, mesh.empty() ? std::string_view(fallback_mesh(a)) : mesh));
      }
      if (further.empty()) continue;
      copies[i] = std::move(further);
      any_copies = true;
    }
    unassign_at_start(function_, to_unassign, redirect);
    if (any_copies) traits::set_argument_notes(program_, function_, copies_note, copies);
  }

  // The assigns of a value by mesh, in the order of meshes, or nothing after reporting a user that is none.
  std::optional<std::map<std::string, std::vector<op>, mesh_order>> assigns_by_mesh(value v) {
    std::map<std::string, std::vector<op>, mesh_order> found;
    std::unordered_map<std::string_view, std::vector<op>*> known;
    for (auto const& u : uses_of(program_, v)) {
      if (traits::role_of(program_, u.user) != role::assign) {
        report_stray(place(v), "a value", u.user);
        return std::nullopt;
      }
      std::string_view const mesh = traits::mesh_of(program_, result_of(program_, u.user));
      auto const [at, is_new] = known.try_emplace(mesh, nullptr);
      if (is_new) at->second = &found[std::string(mesh)];
      at->second->push_back(u.user);
    }
    return found;
  }
  // Unassigns values on meshes where the body of `holder` starts, in order, and has the assigns read from them.
  void unassign_at_start(op holder, std::vector<std::pair<value, type_t<P>>> const& values,
                         std::vector<std::vector<std::pair<op, std::size_t>>> const& redirect) {
    if (values.empty()) return;
    op first = {};
    for (auto&& o : mpmd::body(program_, holder)) {
      first = o;
      break;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      value const v = result_of(
          program_, traits::create(program_,
                                   {.what = role::unassign,
                                    .operands = {values[i].first},
                                    .results = {values[i].second},
                                    .where = traits::location_of_value(program_, values[i].first)},
                                   first ? point::before(first) : point::end(holder)));
      for (auto const& [o, index] : redirect[i]) traits::set_operand(program_, o, index, v);
    }
  }
  void number_arguments(op holder) {
    std::size_t i = 0;
    for (auto&& a : mpmd::arguments(program_, holder)) position_[a] = {holder, i++};
  }

  // --- Bodies ----------------------------------------------------------------------------------------------------

  // Last op first, so that whatever uses an op has become an assign by the time it is looked at.
  void rewrite_body() {
    std::vector<frame> open;
    auto enter = [&](op holder) {
      open.emplace_back();
      for (auto&& o : mpmd::body(program_, holder)) open.back().ops.push_back(o);
    };
    enter(function_);
    while (!open.empty()) {
      frame& in = open.back();
      if (in.ops.empty()) {
        if (in.loop) finish_loop(in.loop, in.meshes);
        open.pop_back();
        continue;
      }
      op const o = in.ops.back();
      in.ops.pop_back();
      switch (traits::role_of(program_, o)) {
        case role::call: rewrite_call(o); break;
        case role::compute: place_op(o); break;
        case role::loop: {
          auto meshes = assign_yields(o);
          enter(o);
          open.back().loop = o;
          open.back().meshes = std::move(meshes);
          break;
        }
        default: break;
      }
    }
    absorber_.finish();
    position_.clear();
  }

  users users_of(op o) {
    users found;
    std::unordered_map<op, std::size_t> numbers;
    op const holder = traits::parent_op(program_, o);
    auto is_consumer = [&](op user) {
      return traits::role_of(program_, user) == role::fragment && traits::parent_op(program_, user) == holder;
    };
    auto consume = [&](op fragment, std::size_t index, std::size_t result) {
      auto const [at, is_new] = numbers.try_emplace(fragment, found.consumers.size());
      if (is_new) found.consumers.push_back({fragment, {}});
      found.consumers[at->second].what.push_back({index, result});
    };
    std::size_t i = 0;
    for (auto&& r : traits::results(program_, o)) {
      bool const tensor = is_plain(r);
      for (auto const& u : traits::uses(program_, r)) {
        found.any = true;
        if (traits::role_of(program_, u.user) == role::assign) {
          found.assigns.push_back({u.user, i});
          for (auto const& w : traits::uses(program_, result_of(program_, u.user)))
            if (is_consumer(w.user))
              consume(w.user, w.index, i);
            else
              found.others = true;
        } else if (tensor) {
          found.stray = u.user;
        } else if (is_consumer(u.user)) {
          consume(u.user, u.index, i);
        } else {
          found.others = true;
        }
      }
      ++i;
    }
    return found;
  }
  void report_stray(source_location where, std::string_view what, op user) {
    failed_ = true;
    diags_.emit({severity::error,
                 "infer-mesh.rewrite",
                 std::move(where),
                 std::string(what) + " cannot be put on a mesh: it is used by an op that says no mesh",
                 {{place(user), "used here, without an mpmd.assign between"},
                  {place(user), "-mpmd-infer-mesh-assign-mesh-func-leaves gives every use a mesh"}}});
  }

  void place_op(op o) {
    auto&& results = traits::results(program_, o);
    if (std::ranges::begin(results) == std::ranges::end(results)) return;
    users const used = users_of(o);
    if (used.stray) return report_stray(place(o), "the op", used.stray);
    if (!used.any) return;
    traits::set_op_annotation(program_, o, set_kind::use, std::nullopt);
    traits::set_op_annotation(program_, o, set_kind::src, std::nullopt);
    std::size_t const n = used.consumers.size();
    if (n == 0 || used.others || !may_be_copied(o, n)) return wrap(o, used);
    // The last of them gets the op itself.
    for (std::size_t i = 0; i + 1 < n; ++i)
      absorber_.take_in(o, used.consumers[i].fragment, used.consumers[i].what, true);
    absorber_.take_in(o, used.consumers.back().fragment, used.consumers.back().what, false);
    for (auto const& a : used.assigns)
      if (n == 1)
        absorber_.erase_with(a.o, used.consumers.back().fragment);
      else
        absorber_.erase_at_the_end(a.o);
  }
  // Whether each of n fragments may have the op. One that has effects must not have them more often.
  bool may_be_copied(op o, std::size_t n) const {
    if (n == 1) return true;
    auto&& operands = traits::operands(program_, o);
    auto const count = std::ranges::distance(operands);
    bool const cheap = count <= 1 && std::ranges::distance(traits::results(program_, o)) == 1 && mpmd::is_leaf(program_, o);
    bool const few = max_clones_ > 0 && n <= static_cast<std::uint64_t>(max_clones_);
    return (count == 0 || few || cheap) && traits::is_pure(program_, o);
  }

  // A fragment of its own on each mesh where the op is needed.
  void wrap(op o, users const& used) {
    std::map<std::string, std::vector<typename users::assign>, mesh_order> by_mesh;
    {
      std::unordered_map<std::string_view, std::vector<typename users::assign>*> known;
      for (auto const& a : used.assigns) {
        std::string_view const mesh = traits::mesh_of(program_, result_of(program_, a.o));
        auto const [at, is_new] = known.try_emplace(mesh, nullptr);
        if (is_new) at->second = &by_mesh[std::string(mesh)];
        at->second->push_back(a);
      }
    }
    // Only tokens are used: where their users are.
    if (by_mesh.empty())
      by_mesh[used.consumers.empty() ? first_mesh_
                                     : traits::fragment_of(program_, used.consumers.front().fragment).mesh];
    bool first = true;
    for (auto const& [mesh, assigns] : by_mesh) {
      auto const wrapped = wrap_in_fragment(program_, o, mesh, wrapped_op_tag);
      for (auto const& a : assigns) traits::set_operand(program_, a.o, 0, wrapped.results[a.result]);
      if (!std::exchange(first, false)) continue;
      std::size_t i = 0;
      for (auto const& r : results_of(program_, o)) {
        if (!is_plain(r)) replace_uses(program_, r, wrapped.results[i]);
        ++i;
      }
    }
    traits::erase(program_, o);
  }

  // --- Calls -----------------------------------------------------------------------------------------------------

  static std::vector<std::int64_t> copies_of(note const& n) {
    auto const* positions = std::get_if<std::vector<std::int64_t>>(&n);
    return positions ? *positions : std::vector<std::int64_t>{};
  }

  // A call like the old one, with what the callee takes and gives by now.
  void rewrite_call(op call) {
    auto const found = functions_.find(traits::callee_name(program_, call));
    if (found == functions_.end()) return;
    op const f = found->second;
    op const end = terminator_of(f);
    std::vector<type_t<P>> taken, given;
    for (auto&& a : mpmd::arguments(program_, f)) taken.push_back(traits::type_of(program_, a));
    if (end)
      for (auto&& v : traits::operands(program_, end)) given.push_back(traits::type_of(program_, v));
    std::vector<value> const old_operands = operands_of(program_, call), old_results = results_of(program_, call);
    if (taken.size() < old_operands.size() || given.size() < old_results.size()) return;  // no valid call

    auto const where = traits::location_of(program_, call);
    std::vector<value> operands(taken.size());
    auto bring = [&](value v, std::size_t to) {
      if (!is_plain(v) || traits::is_tensor(program_, taken[to])) {
        operands[to] = v;
        return;
      }
      operands[to] = result_of(program_, traits::create(program_,
                                                        {.what = role::assign,
                                                         .operands = {v},
                                                         .results = {taken[to]},
                                                         .where = where},
                                                        point::before(call)));
    };
    for (std::size_t i = 0; i < old_operands.size(); ++i) {
      bring(old_operands[i], i);
      for (std::int64_t const to : copies_of(traits::argument_note(program_, f, i, copies_note)))
        if (static_cast<std::uint64_t>(to) < operands.size()) bring(old_operands[i], static_cast<std::size_t>(to));
    }
    op const made = traits::recreate(program_, call, operands, given);
    std::vector<value> const results = results_of(program_, made);
    for (std::size_t i = 0; i < old_results.size(); ++i) {
      value const old = old_results[i];
      if (!is_plain(old) || traits::is_tensor(program_, given[i])) {
        replace_uses(program_, old, results[i]);
        continue;
      }
      std::vector<value> given_by_mesh{results[i]};
      for (std::int64_t const from : copies_of(traits::result_note(program_, f, i, copies_note)))
        if (static_cast<std::uint64_t>(from) < results.size())
          given_by_mesh.push_back(results[static_cast<std::size_t>(from)]);
      read_results(call, i, old, given_by_mesh);
    }
    // What could not be redirected has been reported, and keeps the old call.
    if (has_unused_results(program_, call)) traits::erase(program_, call);
  }
  // Has each assign of an old result read the new one on its mesh.
  void read_results(op call, std::size_t number, value old, std::vector<value> const& on_meshes) {
    type_t<P> const plain = traits::type_of(program_, old);
    std::unordered_map<std::string_view, std::vector<op>> assigns;
    for (auto const& u : uses_of(program_, old)) {
      if (traits::role_of(program_, u.user) != role::assign)
        return report_stray(place(call), "result " + std::to_string(number) + " of the call", u.user);
      assigns[traits::mesh_of(program_, result_of(program_, u.user))].push_back(u.user);
    }
    std::size_t redirected = 0;
    for (value const v : on_meshes) {
      auto const at = assigns.find(traits::mesh_of(program_, v));
      if (at == assigns.end()) continue;
      value const free = result_of(program_, traits::create(program_,
                                                            {.what = role::unassign,
                                                             .operands = {v},
                                                             .results = {plain},
                                                             .where = traits::location_of(program_, call)},
                                                            point::before(call)));
      for (op const a : at->second) traits::set_operand(program_, a, 0, free);
      ++redirected;
    }
    if (redirected == assigns.size()) return;
    op missing = {};
    for (auto const& u : traits::uses(program_, old)) missing = u.user;
    failed_ = true;
    std::string have;
    for (value const v : on_meshes) have.append(have.empty() ? "" : ",").append(traits::mesh_of(program_, v));
    diags_.emit({severity::error,
                 "infer-mesh.rewrite",
                 place(call),
                 "result " + std::to_string(number) + " of the call is needed on mesh " +
                     std::string(traits::mesh_of(program_, result_of(program_, missing))) +
                     " but the function gives it on {" + have + "}",
                 {{place(missing), "needed here"},
                  {place(call), "-mpmd-infer-mesh-populate-use-set tells the function where its results are needed"}}});
  }

  // --- Loops -----------------------------------------------------------------------------------------------------

  void add_mesh(std::vector<std::string>& to, std::string_view mesh) {
    if (mesh != "*" && std::find(to.begin(), to.end(), mesh) == to.end()) to.emplace_back(mesh);
  }
  void add_meshes(std::vector<std::string>& to, mesh_annotation const& set) {
    if (set)
      for (auto const& m : *set) add_mesh(to, m.mesh);
  }

  // Chooses the one mesh of everything of no mesh that the loop carries, and assigns what the body yields to it.
  std::vector<std::string> assign_yields(op loop) {
    number_arguments(loop);
    op const end = terminator_of(loop);
    std::vector<std::string> chosen;
    if (!end) return chosen;
    std::vector<value> yields = operands_of(program_, end);
    std::size_t i = 0;
    for (auto const& r : results_of(program_, loop)) {
      chosen.emplace_back();
      if (i == yields.size()) break;
      value& v = yields[i];
      std::vector<std::string> wanted;
      for (auto const& u : traits::uses(program_, r))
        if (traits::role_of(program_, u.user) == role::assign)
          add_mesh(wanted, traits::mesh_of(program_, result_of(program_, u.user)));
      add_meshes(wanted, traits::argument_annotation(program_, loop, i, set_kind::use));
      if (!is_plain(v)) {
        // The body has put it on a mesh already.
        if (!traits::mesh_of(program_, v).empty() && is_plain(r)) chosen.back() = traits::mesh_of(program_, v);
      } else {
        if (op const d = mpmd::defining_op(program_, v))
          add_meshes(wanted, traits::op_annotation(program_, d, set_kind::use));
        chosen.back() = wanted.empty() ? fallback_mesh(v) : wanted.front();
        v = assigned(v, chosen.back(), traits::location_of_value(program_, v), point::before(end));
      }
      if (wanted.size() > 1 || (wanted.size() == 1 && !chosen.back().empty() && wanted.front() != chosen.back()))
        report_loop(loop, "value " + std::to_string(i), wanted);
      ++i;
    }
    traits::set_operands(program_, end, yields);
    return chosen;
  }
  void report_loop(op loop, std::string const& what, std::vector<std::string> const& meshes) {
    std::string all;
    for (auto const& m : meshes) all.append(all.empty() ? "" : ",").append(m);
    error(place(loop), what + " of the loop is needed on several meshes: {" + all + "}",
          "what a loop carries stands on one mesh; unroll the loop, or keep its body on one mesh");
  }

  // Once the body is done: what the loop takes, carries and gives comes onto its mesh.
  void finish_loop(op loop, std::vector<std::string> const& chosen) {
    std::vector<value> arguments;
    for (auto&& a : mpmd::arguments(program_, loop)) arguments.push_back(a);
    std::vector<std::pair<value, type_t<P>>> to_unassign;
    std::vector<std::vector<std::pair<op, std::size_t>>> redirect;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      value const a = arguments[i];
      type_t<P> const plain = traits::type_of(program_, a);
      if (!traits::is_tensor(program_, plain)) continue;
      auto const meshes = assigns_by_mesh(a);
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
      traits::set_type(program_, a, traits::mesh_type(program_, plain, wanted.front(), {}));
      if (meshes->empty()) continue;
      to_unassign.emplace_back(a, plain);
      redirect.emplace_back();
      for (op const o : meshes->begin()->second) redirect.back().emplace_back(o, 0);
    }
    unassign_at_start(loop, to_unassign, redirect);

    std::vector<value> operands = operands_of(program_, loop);
    std::vector<value> const results = results_of(program_, loop);
    for (std::size_t i = 0; i < operands.size() && i < chosen.size(); ++i)
      if (!chosen[i].empty() && is_plain(operands[i]))
        operands[i] = assigned(operands[i], chosen[i], traits::location_of(program_, loop), point::before(loop));
    traits::set_operands(program_, loop, operands);
    op behind = loop;
    for (std::size_t i = 0; i < results.size() && i < chosen.size(); ++i) {
      value const r = results[i];
      type_t<P> const plain = traits::type_of(program_, r);
      if (chosen[i].empty() || !traits::is_tensor(program_, plain)) continue;
      traits::set_type(program_, r, traits::mesh_type(program_, plain, chosen[i], {}));
      auto const uses = uses_of(program_, r);
      if (uses.empty()) continue;
      behind = traits::create(program_,
                              {.what = role::unassign,
                               .operands = {r},
                               .results = {plain},
                               .where = traits::location_of(program_, loop)},
                              point::after(behind));
      for (auto const& u : uses) traits::set_operand(program_, u.user, u.index, result_of(program_, behind));
    }
    for (set_kind const kind : {set_kind::use, set_kind::src}) {
      traits::set_op_annotation(program_, loop, kind, std::nullopt);
      traits::set_argument_annotations(program_, loop, kind, {});
    }
  }

  P& program_;
  diagnostics& diags_;
  std::int64_t max_clones_;
  fragment_absorber<P> absorber_;
  std::unordered_map<std::string_view, op> functions_;
  std::unordered_map<value, std::pair<op, std::size_t>> position_;  // of arguments whose sets may be asked for
  op function_ = {};
  std::string first_mesh_;
  bool failed_ = false;
};

}  // namespace detail
}  // namespace mpmd
