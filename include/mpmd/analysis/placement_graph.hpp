#pragma once
/// The fragments of a program and what is sent between them, as plain data: what a table, a drawing or a cost is made of.

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/analysis/program_map.hpp>
#include <mpmd/graph/mutable_program.hpp>

namespace mpmd {

struct placement_graph {
  /// What a value comes from or goes to.
  enum class end_kind : std::uint8_t { none, argument, result, fragment, transfer };
  struct end {
    end_kind kind = end_kind::none;
    std::uint32_t index = 0;  ///< of an argument or result of the function, or in the lists below
    friend auto operator<=>(end const&, end const&) = default;
  };
  struct fragment {
    std::uint32_t mesh = 0;                     ///< in `meshes`
    std::optional<std::int64_t> stage = {};
    std::vector<user_origin> origins = {};      ///< the user's computations in it; none in one that inference made
    std::vector<std::string> reasons = {};      ///< what made one without origins
    std::optional<std::uint32_t> microbatch = {};  ///< its call counter, or the turn of the loop it was written out from
    std::uint64_t ops = 0;                      ///< directly in its body
    std::uint64_t added_ops = 0;                ///< those of them that no user had placed
    std::uint64_t bytes = 0;                    ///< of its results, as far as known
    std::vector<end> operands = {};             ///< where they come from, each once
  };
  struct transfer {
    std::uint32_t from = 0;  ///< meshes; the same one for a transfer between kinds of memory
    std::uint32_t to = 0;
    std::optional<std::uint64_t> bytes = {};
    std::optional<std::uint32_t> microbatch = {};  ///< of what it comes from, or else of all that it goes to
    end source = {};
    std::vector<end> targets = {};  ///< fragments, transfers and results, in program order, each once
    std::string from_memory = {};   ///< the kind, empty where the type says none
    std::string to_memory = {};
  };
  struct function {
    std::string name;
    bool entry = true;
    std::vector<std::string> meshes = {};  ///< those of its topology in order, then any others in order of appearance
    std::vector<fragment> fragments = {};  ///< in program order
    std::vector<transfer> transfers = {};  ///< in program order
    struct place {
      std::optional<std::uint32_t> mesh = {};  ///< none while it has none
      std::optional<std::uint64_t> bytes = {};
      end source = {};  ///< of a result
    };
    std::vector<place> arguments = {};
    std::vector<place> results = {};
  };
  std::vector<function> functions;
};

namespace detail {

template <mpmd_program P, class Added>
class placement_grapher {
  using traits = ir_traits<P>;
  using end = placement_graph::end;
  using end_kind = placement_graph::end_kind;

 public:
  placement_grapher(P const& p, program_map<P> const& map, std::vector<end>& ends, Added const& added,
                    placement_graph::function& to)
      : program_(p), map_(map), ends_(ends), added_(added), to_(to) {}

  void run(op_t<P> f) {
    if constexpr (requires { traits::meshes_of(program_, f); })
      for (auto const& m : traits::meshes_of(program_, f))
        if (m != empty_mesh_name) static_cast<void>(mesh(m));
    for (auto&& a : mpmd::arguments(program_, f)) {
      ends_[map_.number(a)] = {end_kind::argument, static_cast<std::uint32_t>(to_.arguments.size())};
      to_.arguments.push_back(place(a));
    }
    std::vector<op_t<P>> loops{f};
    op_t<P> last = {};
    for (std::size_t i = 0; i < loops.size(); ++i)
      for (auto&& o : mpmd::body(program_, loops[i])) {
        role const r = traits::role_of(program_, o);
        if (r == role::loop) loops.push_back(o);
        if (r == role::fragment) visit_fragment(o);
        if (r == role::transfer) visit_transfer(o);
        if (r == role::terminator && i == 0) last = o;
      }
    if (last)
      for (auto&& v : traits::operands(program_, last)) {
        auto at = place(v);
        at.source = ends_[map_.number(v)];
        reaches(at.source, {end_kind::result, static_cast<std::uint32_t>(to_.results.size())});
        to_.results.push_back(at);
      }
    // What comes from no microbatch belongs to the one that it goes to.
    for (auto at = to_.transfers.rbegin(); at != to_.transfers.rend(); ++at)
      if (!at->microbatch) at->microbatch = microbatch_of_targets(*at);
  }

 private:
  std::uint32_t mesh(std::string_view name) {
    auto const at = numbers_.find(name);
    if (at != numbers_.end()) return at->second;
    auto const number = static_cast<std::uint32_t>(to_.meshes.size());
    numbers_.emplace(std::string(name), number);
    to_.meshes.emplace_back(name);
    return number;
  }
  typename placement_graph::function::place place(value_t<P> v) {
    typename placement_graph::function::place at;
    if (std::string_view const where = traits::mesh_of(program_, v); !where.empty()) at.mesh = mesh(where);
    at.bytes = mpmd::byte_size(program_, v);
    return at;
  }
  std::string memory_of(value_t<P> v) const {
    if constexpr (requires { traits::memory_kind_of(program_, traits::type_of(program_, v)); })
      return std::string(traits::memory_kind_of(program_, traits::type_of(program_, v)));
    return {};
  }
  // A value with this source goes there; program order makes repeats stand side by side.
  void reaches(end source, end target) {
    if (source.kind != end_kind::transfer) return;
    auto& targets = to_.transfers[source.index].targets;
    if (targets.empty() || targets.back() != target) targets.push_back(target);
  }
  std::optional<std::uint32_t> number_note(op_t<P> o, std::string_view name) const {
    if constexpr (requires { traits::note_of(program_, o, name); }) {
      auto const noted = traits::note_of(program_, o, name);
      if (auto const* n = std::get_if<std::uint32_t>(&noted)) return *n;
    }
    return std::nullopt;
  }
  std::optional<std::uint32_t> microbatch_of(op_t<P> o) const {
    auto const counted = number_note(o, "call_counter");
    return counted ? counted : number_note(o, "unroll_counter");
  }
  std::optional<std::uint32_t> microbatch_of(end e) const {
    if (e.kind == end_kind::fragment) return to_.fragments[e.index].microbatch;
    if (e.kind == end_kind::transfer) return to_.transfers[e.index].microbatch;
    return std::nullopt;
  }
  std::optional<std::uint32_t> microbatch_of_targets(placement_graph::transfer const& t) const {
    std::optional<std::uint32_t> common;
    for (end const e : t.targets) {
      auto const one = microbatch_of(e);
      if (!one || (common && *common != *one)) return std::nullopt;
      common = one;
    }
    return common;
  }
  void visit_transfer(op_t<P> o) {
    auto const index = static_cast<std::uint32_t>(to_.transfers.size());
    placement_graph::transfer t;
    for (auto&& v : traits::operands(program_, o)) {
      t.from = mesh(traits::mesh_of(program_, v));
      t.from_memory = memory_of(v);
      t.source = ends_[map_.number(v)];
    }
    reaches(t.source, {end_kind::transfer, index});
    for (auto&& v : traits::results(program_, o)) {
      t.to = mesh(traits::mesh_of(program_, v));
      t.to_memory = memory_of(v);
      t.bytes = mpmd::byte_size(program_, v);
      ends_[map_.number(v)] = {end_kind::transfer, index};
    }
    t.microbatch = microbatch_of(o);
    if (!t.microbatch) t.microbatch = microbatch_of(t.source);
    to_.transfers.push_back(std::move(t));
  }
  void visit_fragment(op_t<P> o) {
    auto const index = static_cast<std::uint32_t>(to_.fragments.size());
    placement_graph::fragment made;
    std::string where;
    if constexpr (requires { traits::fragment_of(program_, o); }) {
      auto info = traits::fragment_of(program_, o);
      where = std::move(info.mesh);
      made.stage = info.stage;
      made.origins = std::move(info.origins);
    }
    for (auto&& v : traits::results(program_, o)) {
      if (where.empty()) where = traits::mesh_of(program_, v);
      made.bytes += mpmd::byte_size(program_, v).value_or(0);
      ends_[map_.number(v)] = {end_kind::fragment, index};
    }
    made.mesh = mesh(where);
    made.microbatch = microbatch_of(o);
    if constexpr (requires { traits::note_of(program_, o, std::string_view{}); }) {
      auto noted = traits::note_of(program_, o, "mpmd.inferred_by");
      if (auto* reasons = std::get_if<std::vector<std::string>>(&noted)) made.reasons = std::move(*reasons);
    }
    for (auto&& inner : mpmd::body(program_, o)) {
      if (traits::role_of(program_, inner) == role::terminator) continue;
      ++made.ops;
      made.added_ops += made.origins.empty() || added_(inner);
    }
    for (auto&& v : traits::operands(program_, o)) {
      end const from = ends_[map_.number(v)];
      reaches(from, {end_kind::fragment, index});
      if (from.kind != end_kind::none) made.operands.push_back(from);
    }
    std::sort(made.operands.begin(), made.operands.end());
    made.operands.erase(std::unique(made.operands.begin(), made.operands.end()), made.operands.end());
    to_.fragments.push_back(std::move(made));
  }

  P const& program_;
  program_map<P> const& map_;
  std::vector<end>& ends_;  // by the number of a value
  Added const& added_;
  placement_graph::function& to_;
  std::map<std::string, std::uint32_t, std::less<>> numbers_;
};

}  // namespace detail

/// The graph of every function that takes part, in program order. `added(op)` says whether no user had placed an op that
/// stands in a fragment. What a function calls stands where it is, once however often it is called, and so does what a
/// loop does. Changes and reports nothing. O(program * log(meshes + operands)).
template <mpmd_program P, std::predicate<op_t<P>> Added>
placement_graph graph_of_placement(P const& p, Added const& added) {
  placement_graph all;
  program_map<P> const map(p);
  std::vector<placement_graph::end> ends(map.bound());
  for (auto&& f : mpmd::functions(p)) {
    if (!takes_part(p, f)) continue;
    all.functions.push_back({});
    auto& to = all.functions.back();
    to.entry = is_entry(p, f);
    if constexpr (has_calls<P>) to.name = ir_traits<P>::function_name(p, f);
    detail::placement_grapher<P, Added>(p, map, ends, added, to).run(f);
  }
  return all;
}
template <mpmd_program P>
placement_graph graph_of_placement(P const& p) {
  return graph_of_placement(p, [](op_t<P>) { return false; });
}

}  // namespace mpmd
