#pragma once
/// How windows flow through a program: a graph of what its values hold, from allocations through views, assignments,
/// merges of branches and rounds of loops to what dispatches and collectives are given.

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/analysis/window_devices.hpp>
#include <mpmd/graph/csr_graph.hpp>

namespace mpmd {

/// The number of a node.
using window_node = std::uint32_t;

enum class window_node_kind : std::uint8_t { opaque, allocation, view, copy, collective, merge };

struct window_options {
  /// Take a `device` and bounds of loops that arithmetic makes of literals and of loop variables, where they are
  /// refused otherwise.
  bool widen = false;
};

/// What the walk finds. Everything stands in program order, functions in the order of their names.
template <window_program P>
struct window_graph {
  static constexpr window_node none = std::numeric_limits<window_node>::max();

  struct node {
    window_node_kind kind = window_node_kind::opaque;
    op_t<P> o = {};
    value_t<P> v = {};  ///< the value that holds it, or holds it first
  };
  struct allocation {
    op_t<P> o;
    window_node n;
    value_t<P> v;  ///< the variable that points to it
    std::string_view name;
    std::string_view domain = {};                ///< its tag
    std::optional<std::int64_t> bytes = {};      ///< where a literal says so
  };
  struct view {
    op_t<P> o;
    window_node n;
    value_t<P> v;         ///< the variable that holds it
    bool bound = false;   ///< whether there is one
  };
  struct dispatch {
    op_t<P> o;
    dispatch_devices on;
    bool says_devices = false;
    std::uint32_t first_argument = 0, end_of_arguments = 0;  ///< in `arguments`
  };
  struct collective {
    op_t<P> o;
    collective_kind kind;
    std::uint32_t operand_count = 0;
    std::array<window_node, 6> operands = {none, none, none, none, none, none};
    std::array<bool, 6> variables = {};
    bool in_loop = false;
  };
  /// A dispatch or a collective.
  struct site {
    bool is_dispatch;
    std::uint32_t index;
  };
  struct function {
    op_t<P> o;
    bool materialised = false;
    std::uint32_t allocations = 0, views = 0, dispatches = 0, collectives = 0, sites = 0;  ///< one past its last
    std::uint32_t definitions = 0, mentions = 0;
    op_t<P> faulty = {};  ///< an allocation that is not as it should be
    std::uint32_t faulty_allocation = 0;
    window_fault fault = window_fault::none;
  };

  std::vector<node> nodes;
  std::vector<std::uint32_t> offsets = {0};
  std::vector<window_node> sources;  ///< by node: what it may hold
  std::vector<function> functions;
  std::vector<allocation> allocations;
  std::vector<view> views;
  std::vector<dispatch> dispatches;
  std::vector<window_node> arguments;
  std::vector<collective> collectives;
  std::vector<site> sites;
  /// For each thing that a value was set to: value and node.
  std::vector<std::pair<value_t<P>, window_node>> definitions;
  /// What variables that several ops set hold where an op reads them, wherever in it; for hosts that tell.
  struct mention {
    op_t<P> o;
    value_t<P> v;
    window_node n;
  };
  std::vector<mention> mentions;
  /// What a dispatch is given that has no name, as far as something is known of it.
  struct nested_argument {
    op_t<P> o;
    window_node n;
  };
  std::vector<nested_argument> nested;

  csr_graph<> flow() const { return csr_graph<>(offsets, sources); }
};

}  // namespace mpmd
