#pragma once
/// What stands where in a program: for each function its meshes with what they compute, the ways between meshes with
/// what is sent over them, and where its arguments and results live. Data, for a table or for a test to look at.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <mpmd/graph/mpmd_program.hpp>

namespace mpmd {

struct placement_summary {
  /// Fragments, and the ops directly in their bodies.
  struct work {
    std::uint64_t fragments = 0;
    std::uint64_t ops = 0;
    friend bool operator==(work const&, work const&) = default;
  };
  struct mesh {
    std::string name;
    work asked_for = {};  ///< in fragments that a user named
    work inferred = {};   ///< in fragments that inference made
    friend bool operator==(mesh const&, mesh const&) = default;
  };
  struct route {
    std::string from;
    std::string to;  ///< equal to `from` for transfers between kinds of memory
    std::uint64_t transfers = 0;
    std::uint64_t bytes = 0;
    std::uint64_t unsized = 0;  ///< transfers of values whose size is not known
    friend bool operator==(route const&, route const&) = default;
  };
  struct function {
    std::string name;
    bool entry = true;
    std::vector<mesh> meshes = {};            ///< those of its topology in order, then any others in order of appearance
    std::vector<route> routes = {};           ///< in the order of the meshes
    std::vector<std::string> arguments = {};  ///< their meshes; empty for one that stands on none
    std::vector<std::string> results = {};
    std::uint64_t named = 0;     ///< computations that a user named and that are not placed yet
    std::uint64_t unplaced = 0;  ///< ops outside fragments and named computations
    std::uint64_t calls = 0;
    std::map<std::string, work> reasons = {};  ///< why inference made its fragments: what they note
    friend bool operator==(function const&, function const&) = default;
  };
  std::vector<function> functions;
};

namespace detail {

template <mpmd_program P>
class placement_summarizer {
  using traits = ir_traits<P>;
  using function = placement_summary::function;

 public:
  placement_summarizer(P const& p, function& to) : program_(p), to_(to) {}

  void run(op_t<P> f) {
    if constexpr (requires { traits::meshes_of(program_, f); })
      for (auto const& m : traits::meshes_of(program_, f))
        if (m != empty_mesh_name) static_cast<void>(mesh(m));
    for (auto&& a : mpmd::arguments(program_, f)) to_.arguments.emplace_back(traits::mesh_of(program_, a));
    op_t<P> end = {};
    std::vector<op_t<P>> loops{f};
    for (std::size_t i = 0; i < loops.size(); ++i) {
      for (auto&& o : mpmd::body(program_, loops[i])) {
        role const r = traits::role_of(program_, o);
        if (i == 0 && r == role::terminator) end = o;
        if (r == role::loop) loops.push_back(o);
        visit(o, r);
      }
    }
    if (end)
      for (auto&& v : traits::operands(program_, end)) to_.results.emplace_back(traits::mesh_of(program_, v));
    for (auto& [between, route] : routes_) to_.routes.push_back(std::move(route));
  }

 private:
  std::size_t mesh(std::string_view name) {
    auto const at = numbers_.find(name);
    if (at != numbers_.end()) return at->second;
    numbers_.emplace(std::string(name), to_.meshes.size());
    to_.meshes.push_back({std::string(name)});
    return to_.meshes.size() - 1;
  }
  void visit(op_t<P> o, role r) {
    switch (r) {
      case role::fragment: return visit_fragment(o);
      case role::transfer: return visit_transfer(o);
      case role::named_computation: ++to_.named; return;
      case role::call: ++to_.calls; return;
      case role::compute: ++to_.unplaced; return;
      default: return;
    }
  }
  void visit_transfer(op_t<P> o) {
    std::string_view from, to;
    std::optional<std::uint64_t> bytes;
    for (auto&& v : traits::operands(program_, o)) from = traits::mesh_of(program_, v);
    for (auto&& v : traits::results(program_, o)) {
      to = traits::mesh_of(program_, v);
      bytes = mpmd::byte_size(program_, v);
    }
    auto& way = routes_[std::pair(mesh(from), mesh(to))];
    way.from = from;
    way.to = to;
    ++way.transfers;
    if (bytes)
      way.bytes += *bytes;
    else
      ++way.unsized;
  }
  void visit_fragment(op_t<P> o) {
    std::string where;
    bool inferred = false;
    if constexpr (requires { traits::fragment_of(program_, o); }) {
      auto const info = traits::fragment_of(program_, o);
      where = info.mesh;
      inferred = info.is_inferred();
    }
    if (where.empty())
      for (auto&& v : traits::results(program_, o)) where = traits::mesh_of(program_, v);
    std::uint64_t ops = 0;
    for (auto&& inner : mpmd::body(program_, o)) ops += traits::role_of(program_, inner) != role::terminator;
    auto& row = to_.meshes[mesh(where)];
    add(inferred ? row.inferred : row.asked_for, ops);
    if (!inferred) return;
    if constexpr (requires { traits::note_of(program_, o, std::string_view{}); }) {
      auto const noted = traits::note_of(program_, o, "mpmd.inferred_by");
      if (auto const* reasons = std::get_if<std::vector<std::string>>(&noted))
        for (auto const& reason : *reasons) add(to_.reasons[reason], ops);
    }
  }
  static void add(placement_summary::work& to, std::uint64_t ops) {
    ++to.fragments;
    to.ops += ops;
  }

  P const& program_;
  function& to_;
  std::map<std::string, std::size_t, std::less<>> numbers_;
  std::map<std::pair<std::size_t, std::size_t>, placement_summary::route> routes_;
};

}  // namespace detail

/// The summary of every function that takes part, in program order. Changes and reports nothing. What a function calls
/// is counted where it stands, and once however often it is called; so is what a loop does. O(program * log meshes).
template <mpmd_program P>
placement_summary summarize_placement(P const& p) {
  placement_summary all;
  for (auto&& f : mpmd::functions(p)) {
    if (!takes_part(p, f)) continue;
    all.functions.push_back({});
    auto& to = all.functions.back();
    to.entry = is_entry(p, f);
    if constexpr (has_calls<P>) to.name = ir_traits<P>::function_name(p, f);
    detail::placement_summarizer<P>(p, to).run(f);
  }
  return all;
}

}  // namespace mpmd
