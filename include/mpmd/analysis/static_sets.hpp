#pragma once
/// Use sets and src sets of a static_program, found while the program compiles: what use_sets() and src_sets() find at
/// run time, through the same solver.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <type_traits>
#include <vector>

#include <mpmd/dataflow/solver.hpp>
#include <mpmd/graph/static_program.hpp>
#include <mpmd/lattice/inverted.hpp>
#include <mpmd/lattice/lift.hpp>
#include <mpmd/lattice/mesh_set.hpp>
#include <mpmd/support/fixed_string.hpp>
#include <mpmd/support/verdict.hpp>

namespace mpmd {

/// A transfer that a program needs and does not have: `value` is needed on mesh `to`, and can be made on `from`, the
/// first mesh of its src set.
struct static_transfer {
  std::string_view value;
  std::string_view from;
  std::string_view to;
  friend constexpr bool operator==(static_transfer const&, static_transfer const&) = default;
};

namespace detail {

/// The flow of sets between the ops of a static program: what set_flow is for others.
template <class P, bool Use>
struct static_set_flow {
  P const* program;
};

template <class P>
using static_uses = mesh_sets<P::mesh_count == 0 ? 1 : P::mesh_count>;
template <class P>
using static_srcs = lift<inverted<static_uses<P>>>;

template <class P>
constexpr auto find_static_uses(P const& p) {
  using flow = static_set_flow<P, true>;
  using element = typename static_uses<P>::element;
  auto const found = solve<backward>(flow{&p}, static_uses<P>{}, [&p](flow const&, static_handle o, element& at) {
    if (p[o].means == role::assign) at = {p[o].mesh};
  });
  std::array<element, P::op_count> facts = {};
  for (std::size_t i = 0; i < P::op_count; ++i) facts[i] = found.facts.at_slot(i);
  return facts;
}

/// The rules of src_sets(), for one entry function without calls.
template <class P>
class static_src_run {
 public:
  using uses = std::array<typename static_uses<P>::element, P::op_count>;
  using element = typename static_srcs<P>::element;
  using set = typename static_uses<P>::element;
  using flow = static_set_flow<P, false>;

  constexpr static_src_run(P const& p, uses const& needed) : p_(p), needed_(needed) {}

  struct result {
    std::array<element, P::op_count> sets = {};
    std::array<reduction_kind, P::op_count> reductions = {};  ///< seen in an op, as src_sets() sees them
  };

  constexpr result run() {
    fact_map<flow, element> facts(flow{&p_}, element{});
    static_cast<void>(solve_into<forward>(facts, flow{&p_}, static_srcs<P>{},
                                          [&](flow const&, static_handle o, element& at) { visit(facts, o, at); }));
    for (std::size_t i = 0; i < P::op_count; ++i) found_.sets[i] = facts.at_slot(i);
    return found_;
  }

 private:
  constexpr void visit(fact_map<flow, element> const& facts, static_handle o, element& at) {
    auto const& e = p_[o];
    if (e.means == role::argument) {
      if (auto const& wanted = needed_[o.number - 1]; !wanted.empty()) at = wanted;
    } else if (e.means == role::unassign) {
      at = unassigned(o, p_.operands(o)[0]);
    } else if (e.means == role::compute && e.combines != reduction_kind::none && at) {
      combined(facts, o, at);
    }
  }
  constexpr set unassigned(static_handle o, static_handle placed) const {
    set at{p_[placed].mesh};
    for (auto const& u : p_.uses(placed))
      if (p_[u.user].means == role::transfer) static_cast<void>(at.insert(p_[u.user].mesh));
    if (p_[placed].means == role::argument)  // it moves as freely as one that comes on no mesh
      for (auto const& u : p_.uses(o))
        if (auto const r = p_[u.user].means; r == role::compute || r == role::assign) at |= needed_[u.user.number - 1];
    return at;
  }
  constexpr void combined(fact_map<flow, element> const& facts, static_handle o, element& at) {
    set all;
    bool chained = false;
    for (auto const v : p_.operands(o)) {
      element const& from = facts.at_slot(v.number - std::size_t{1});
      if (from && from->empty()) return;
      if (from) all |= *from;
      chained |= found_.reductions[v.number - 1] == p_[o].combines;
    }
    if (!at->empty() && !chained) return;
    found_.reductions[o.number - 1] = p_[o].combines;
    at = all;
  }

  P const& p_;
  uses const& needed_;
  result found_;
};

/// On which meshes each value must be made although nothing there can make it: at an op that can be nowhere, its
/// operands must come; at any other, its result. The operands of a reduction across meshes stay where they are.
template <class P>
constexpr auto find_static_transfers(P const& p, typename static_src_run<P>::result const& found) {
  auto const& srcs = found.sets;
  typename static_src_run<P>::uses demanded = {}, missing = {};
  for (std::size_t i = P::op_count; i-- > 0;) {
    auto const& e = p.entries()[i];
    if (e.means == role::assign) {
      static_cast<void>(demanded[p.operands(e.self)[0].number - 1].insert(e.mesh));
      continue;
    }
    if (e.means != role::compute && e.means != role::unassign) continue;
    auto& wanted = demanded[i];
    if (srcs[i] && !srcs[i]->empty()) {
      missing[i] = wanted - *srcs[i];
      wanted &= *srcs[i];
    }
    if (e.means == role::compute && found.reductions[i] == reduction_kind::none)
      for (auto const v : p.operands(e.self)) demanded[v.number - 1] |= wanted;
  }
  return missing;
}

}  // namespace detail

template <class P, bool Use>
struct ir_traits<detail::static_set_flow<P, Use>> {
  using graph = detail::static_set_flow<P, Use>;
  using node = static_handle;
  static constexpr bool is_view = true;

  static constexpr std::size_t index(graph const&, node n) { return n.number - std::size_t{1}; }
  static constexpr std::size_t index_bound(graph const&) { return P::op_count; }
  static constexpr bool topologically_ordered(graph const&) { return true; }

  template <direction D, class Visit>
  static constexpr void for_each_node(graph const&, Visit visit) {
    for (std::uint32_t i = 1; i <= P::op_count; ++i)
      visit(node{D == forward ? i : static_cast<std::uint32_t>(P::op_count) + 1 - i});
  }
  static constexpr std::array<node, P::op_count> nodes(graph const&) {
    std::array<node, P::op_count> all;
    for (std::uint32_t i = 0; i < P::op_count; ++i) all[i] = {i + 1};
    return all;
  }
  template <class Visit>
  static constexpr void for_each_predecessor(graph const& g, node n, Visit visit) {
    auto const& e = (*g.program)[n];
    bool const barrier = e.means == role::reduce || e.means == role::broadcast;
    if (e.means != role::compute && e.means != role::assign && !(Use && barrier)) return;
    for (static_handle const v : g.program->operands(n))
      if (!barrier || (*g.program)[v].means == role::broadcast) visit(v);
  }
  static constexpr std::vector<node> predecessors(graph const& g, node n) {
    std::vector<node> all;
    for_each_predecessor(g, n, [&all](node m) { all.push_back(m); });
    return all;
  }
};

/// All that is known of the placement of a static program, which is named as a template argument. Each is found once,
/// when it is first asked for, by op number from 0.
/// @{
template <auto const& Program>
inline constexpr auto static_use_sets = detail::find_static_uses(Program);
/// `sets`, and the kinds of cross-mesh `reductions`. A set without a value is unspecified, which is anywhere.
template <auto const& Program>
inline constexpr auto static_src_sets =
    detail::static_src_run<std::remove_cvref_t<decltype(Program)>>(Program, static_use_sets<Program>).run();
/// The meshes to which the value must be transferred.
template <auto const& Program>
inline constexpr auto static_missing_sets = detail::find_static_transfers(Program, static_src_sets<Program>);
/// @}

namespace detail {

template <class Name>
constexpr void static_program_has_no_value(Name name) {
  if (name != nullptr) stop_the_build();
}

template <auto const& Program>
consteval static_handle static_value(char const* name) {
  static_handle const found = Program.find(name);
  if (!found) static_program_has_no_value(name);
  return found;
}

template <auto const& Program>
using static_set = typename static_uses<std::remove_cvref_t<decltype(Program)>>::element;

// The names of a set, as a template argument.
template <auto const& Program>
constexpr std::size_t static_length(static_set<Program> const& s) {
  std::size_t length = 0;
  for (auto const m : s) length += (length == 0 ? 0 : 2) + std::string_view(Program.meshes()[m]).size();
  return length;
}
template <auto const& Program, std::size_t Length>
constexpr fixed_string<Length> static_text(static_set<Program> const& s) {
  fixed_string<Length> made;
  std::size_t at = 0;
  for (auto const m : s) {
    for (char const c : std::string_view(at == 0 ? "" : ", ")) made.text[at++] = c;
    for (char const c : std::string_view(Program.meshes()[m])) made.text[at++] = c;
  }
  return made;
}

template <auto const& Program>
constexpr std::size_t static_transfer_count() {
  std::size_t count = 0;
  for (auto const& m : static_missing_sets<Program>) count += m.size();
  return count;
}
template <auto const& Program>
constexpr auto list_static_transfers() {
  std::array<static_transfer, static_transfer_count<Program>()> all;
  std::size_t next = 0;
  for (std::size_t i = 0; i < Program.op_count; ++i)
    for (auto const to : static_missing_sets<Program>[i])
      all[next++] = {Program.entries()[i].name, Program.meshes()[static_src_sets<Program>.sets[i]->first()],
                     Program.meshes()[to]};
  return all;
}
/// Whether nothing can make the result of an op: its operands are nowhere together.
template <auto const& Program>
constexpr bool is_nowhere(static_handle o) {
  auto const& set = static_src_sets<Program>.sets[o.number - 1];
  return set && set->empty();
}
/// The first op that must be transferred or can be nowhere, or none.
template <auto const& Program>
constexpr static_handle find_misplaced() {
  for (auto const& e : Program.entries())
    if (!static_missing_sets<Program>[e.self.number - 1].empty() || is_nowhere<Program>(e.self)) return e.self;
  return {};
}

/// Appends the operands of an op that cannot be anywhere, as "a on m1, b on m2"; returns the length.
template <auto const& Program, class Append>
constexpr std::size_t describe_operands(static_handle o, Append append) {
  std::size_t length = 0;
  auto add = [&](std::string_view text) {
    for (char const c : text) append(length++, c);
  };
  for (auto const v : Program.operands(o)) {
    auto const& set = static_src_sets<Program>.sets[v.number - 1];
    if (!set) continue;
    add(length == 0 ? "" : ", ");
    add(Program[v].name);
    add(set->empty() ? " nowhere" : " on");
    for (auto const m : *set) {
      add(" ");
      add(Program.meshes()[m]);
    }
  }
  return length;
}
template <auto const& Program, std::size_t Length>
constexpr fixed_string<Length> operands_text(static_handle o) {
  fixed_string<Length> made;
  describe_operands<Program>(o, [&made](std::size_t at, char c) { made.text[at] = c; });
  return made;
}

/// Its name and arguments are the message.
template <fixed_string Op, fixed_string NeededOn, fixed_string PossibleOn>
struct op_is_needed_where_it_cannot_be {
  static_assert(sizeof(Op) == 0,
                "mpmd: an op is needed on a mesh on which it cannot be without a transfer: the op, the meshes on which "
                "it is needed, and those on which it can be, stand in the name of this type");
};
template <fixed_string Op, fixed_string Operands>
struct operands_of_op_are_nowhere_together {
  static_assert(sizeof(Op) == 0,
                "mpmd: the operands of an op are on no mesh together without a transfer: the op and the meshes on which "
                "each of its operands can be stand in the name of this type");
};

}  // namespace detail

/// The set of these meshes, to compare with.
template <auto const& Program, class... Names>
consteval auto on(Names... names) {
  detail::static_set<Program> all;
  for (char const* name : std::initializer_list<char const*>{names...}) {
    auto const mesh = Program.find_mesh(name);
    if (mesh == Program.no_mesh) detail::static_program_has_no_mesh(name);
    static_cast<void>(all.insert(mesh));
  }
  return all;
}

/// The meshes on which the value of this name must exist.
template <auto const& Program>
consteval auto needed_on(char const* value) {
  return static_use_sets<Program>[detail::static_value<Program>(value).number - 1];
}
/// The meshes on which it can exist without a further transfer. Compares with `on`; has no value where it can exist on
/// any.
template <auto const& Program>
consteval auto possible_on(char const* value) {
  return static_src_sets<Program>.sets[detail::static_value<Program>(value).number - 1];
}
/// The transfers that the program needs and does not have, in program order: each value that is needed on a mesh where
/// neither it nor what it is made of can be, as late in the program as can be.
template <auto const& Program>
inline constexpr auto transfers_needed = detail::list_static_transfers<Program>();

/// Whether every value can be where it is needed, and every op somewhere.
template <auto const& Program>
inline constexpr verdict is_placed{!detail::find_misplaced<Program>()};

namespace detail {
template <auto const& Program>
consteval bool stop_where_misplaced() {
  constexpr static_handle misplaced = detail::find_misplaced<Program>();
  if constexpr (misplaced && detail::is_nowhere<Program>(misplaced)) {
    constexpr std::string_view name = Program[misplaced].name;
    constexpr std::size_t length = detail::describe_operands<Program>(misplaced, [](std::size_t, char) {});
    using message = detail::operands_of_op_are_nowhere_together<
        fixed_string<name.size()>(name), detail::operands_text<Program, length>(misplaced)>;
    return sizeof(message) == 0;
  } else if constexpr (misplaced) {
    constexpr std::string_view name = Program[misplaced].name;
    constexpr auto& needed = static_use_sets<Program>[misplaced.number - 1];
    constexpr auto& possible = *static_src_sets<Program>.sets[misplaced.number - 1];
    using message = detail::op_is_needed_where_it_cannot_be<
        fixed_string<name.size()>(name), detail::static_text<Program, detail::static_length<Program>(needed)>(needed),
        detail::static_text<Program, detail::static_length<Program>(possible)>(possible)>;
    return sizeof(message) == 0;
  }
  return true;
}
}  // namespace detail

/// The same, but stops the build where it is not so, with a message that names the first op at fault, the meshes on
/// which it is needed, and those on which it or its operands can be: `static_assert(mpmd::check_placed<step>);`
template <auto const& Program>
inline constexpr verdict check_placed{detail::stop_where_misplaced<Program>()};

}  // namespace mpmd
