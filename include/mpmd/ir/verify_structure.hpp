#pragma once
/// The checks that hold for ops of every dialect: numbers of operands, results and regions, parents,
/// terminators, successors, isolation and dominance. They are those of MLIR's verifier, in its words where it
/// has them.

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/dominance.hpp>
#include <mpmd/ir/verify_context.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

namespace detail {

inline constexpr std::uint32_t any_number = 0xFFFFFFFFu;

/// What the op declares about its shape. A `terminator` means: each region has exactly one block, ended by
/// that op.
struct op_shape {
  opcode code;
  std::uint32_t least_operands, most_operands;
  std::uint32_t least_results, most_results;
  std::uint32_t regions;
  opcode terminator = opcode::other;
};

inline constexpr auto op_shapes = std::to_array<op_shape>({
    {opcode::builtin_module, 0, 0, 0, 0, 1},
    {opcode::func_func, 0, 0, 0, 0, 1},
    {opcode::func_return, 0, any_number, 0, 0, 0},
    {opcode::func_call, 0, any_number, 0, any_number, 0},
    {opcode::mpmd_return, 0, any_number, 0, 0, 0},
    {opcode::mpmd_named_computation, 0, any_number, 0, any_number, 1, opcode::mpmd_return},
    {opcode::mpmd_named_tensor, 1, 1, 1, 1, 0},
    {opcode::mpmd_fragment, 0, any_number, 0, any_number, 1, opcode::mpmd_return},
    {opcode::mpmd_fragment_call, 0, any_number, 0, any_number, 0},
    {opcode::mpmd_transfer, 1, 1, 1, 1, 0},
    {opcode::mpmd_assign, 1, 1, 1, 1, 0},
    {opcode::mpmd_unassign, 1, 1, 1, 1, 0},
    {opcode::mpmd_call, 0, any_number, 0, any_number, 0},
    {opcode::mpmd_for, 0, any_number, 0, any_number, 1, opcode::mpmd_return},
    {opcode::mpmd_broadcast, 1, 1, 1, 1, 0},
    {opcode::mpmd_reduce, 1, any_number, 1, 1, 0},
    {opcode::sdy_mesh, 0, 0, 0, 0, 0},
    {opcode::sdy_sharding_constraint, 1, 1, 1, 1, 0},
    {opcode::sdy_reshard, 1, 1, 1, 1, 0},
    {opcode::sdy_sharding_group, 1, 1, 0, 0, 0},
    {opcode::sdy_data_flow_edge, 1, 1, 1, 1, 0},
    {opcode::sdy_propagation_barrier, 1, 1, 1, 1, 0},
    {opcode::sdy_manual_computation, 0, any_number, 0, any_number, 1, opcode::sdy_return},
    {opcode::sdy_return, 0, any_number, 0, 0, 0},
    {opcode::sdy_constant, 0, 0, 1, 1, 0},
    {opcode::sdy_named_computation, 0, any_number, 0, any_number, 1, opcode::sdy_return},
    {opcode::stablehlo_constant, 0, 0, 1, 1, 0},
    {opcode::stablehlo_return, 0, any_number, 0, 0, 0},
    {opcode::stablehlo_while, 0, any_number, 0, any_number, 2, opcode::stablehlo_return},
    {opcode::host_func, 0, 0, 0, 0, 1},
    {opcode::host_dim, 0, 0, 1, 1, 0},
    {opcode::host_param, 0, any_number, 1, 1, 0},
    {opcode::host_var, 0, any_number, 1, 1, 0},
    {opcode::host_window, 2, 2, 1, 1, 0},
    {opcode::host_returns, 0, any_number, 0, 0, 0},
    {opcode::host_const, 0, 0, 1, 1, 0},
    {opcode::host_binary, 2, 2, 1, 1, 0},
    {opcode::host_unary, 1, 1, 1, 1, 0},
    {opcode::host_tuple, 0, any_number, 1, 1, 0},
    {opcode::host_get, 1, any_number, 1, 1, 0},
    {opcode::host_subscript, 1, any_number, 1, 1, 0},
    {opcode::host_call, 0, any_number, 1, 1, 0},
    {opcode::host_assign, 2, 2, 0, 0, 0},
    {opcode::host_eval, 1, 1, 0, 0, 0},
    {opcode::host_return, 0, any_number, 0, 0, 0},
    {opcode::host_yield, 0, any_number, 0, 0, 0},
    {opcode::host_for, 4, any_number, 0, 0, 1},
    {opcode::host_while, 0, any_number, 0, 0, 2},
    {opcode::host_condition, 1, 1, 0, 0, 0},
    {opcode::host_break, 0, 0, 0, 0, 0},
    {opcode::host_continue, 0, 0, 0, 0, 0},
    {opcode::host_scope, 0, any_number, 0, 0, 1},
    {opcode::host_comm_domain, 0, any_number, 0, 0, 1},
});

constexpr op_shape const* shape_of(std::uint32_t code) {
  for (auto const& s : op_shapes)
    if (static_cast<std::uint32_t>(s.code) == code) return &s;
  return nullptr;
}
/// By opcode, for ops with a number below opcode::other.
inline constexpr auto op_shape_table = [] {
  std::array<op_shape const*, static_cast<std::size_t>(opcode::other)> table{};
  for (std::uint32_t i = 0; i < table.size(); ++i) table[i] = shape_of(i);
  return table;
}();

inline std::string count_text(std::uint32_t least, std::uint32_t most) {
  return std::to_string(least) + (least == most ? "" : " or more");
}

}  // namespace detail

/// Numbers of operands, results, regions and blocks; terminators of the regions; the place of a terminator.
inline bool check_shape(verify_context& c, op o) {
  program const& in = c.in;
  if (in.has_trait(o, op_trait::terminator) && in.next_op(o))
    return c.fail_op(o, "terminator", "must be the last operation in the parent block");
  std::uint32_t const code = in.kind(o).id;
  auto const* shape = code < detail::op_shape_table.size() ? detail::op_shape_table[code] : nullptr;
  if (shape == nullptr) return true;
  auto const operands = in.operand_count(o), results = in.result_count(o);
  auto const regions = in.regions(o);
  if (operands < shape->least_operands || operands > shape->most_operands)
    return c.fail_op(o, "operand-count",
                     "expected " + detail::count_text(shape->least_operands, shape->most_operands) +
                         " operands, but found " + std::to_string(operands));
  if (results < shape->least_results || results > shape->most_results)
    return c.fail_op(o, "result-count",
                     "expected " + detail::count_text(shape->least_results, shape->most_results) +
                         " results, but found " + std::to_string(results));
  if (regions.size() != shape->regions)
    return c.fail_op(o, "region-count",
                     "expected " + std::to_string(shape->regions) + " regions, but found " +
                         std::to_string(regions.size()));
  if (shape->terminator == opcode::other) return true;
  for (std::size_t i = 0; i < regions.size(); ++i) {
    std::string const which = "region #" + std::to_string(i);
    block const body = in.first_block(regions[i]);
    if (!body || in.next_block(body))
      return c.fail_op(o, "block-count", "expects " + which + " to have one block");
    op const last = in.last_op(body);
    if (!last) return c.fail_op(o, "terminator", "expects a non-empty block");
    if (!in.is(last, shape->terminator))
      return c.fail_op(o, "terminator",
                       "expects regions to end with '" +
                           std::string(known_ops[static_cast<std::size_t>(shape->terminator)].name) +
                           "', found '" + std::string(in.kind_text(last)) + "'");
  }
  return true;
}

/// Some ops stand directly in a function, or in a loop of one, only.
inline bool check_parent(verify_context& c, op o) {
  program const& in = c.in;
  bool const in_function = in.is(o, opcode::mpmd_fragment_call) || in.is(o, opcode::mpmd_transfer) ||
                           in.is(o, opcode::func_return);
  bool const in_function_or_loop =
      in.is(o, opcode::mpmd_fragment) || in.is(o, opcode::mpmd_assign) || in.is(o, opcode::mpmd_unassign);
  if (!in_function && !in_function_or_loop) return true;
  op const parent = in.parent_op(o);
  if (parent && is_function(in, parent)) return true;
  if (in_function) return c.fail_op(o, "parent", "expects parent op 'func.func'");
  if (parent && in.is(parent, opcode::mpmd_for)) return true;
  return c.fail_op(o, "parent", "expects parent op to be one of 'func.func, mpmd.for'");
}

/// Whether the blocks of a region may end without a terminator: ops of foreign dialects, modules, host programs.
inline bool may_end_openly(program const& in, op holder) {
  return !holder || !in.info(holder) || in.is(holder, opcode::builtin_module) ||
         in.has_trait(holder, op_trait::open_ended);
}

/// Before the ops of a block: whether it may be empty, and whether only its last op branches.
inline bool check_block_start(verify_context& c, block b) {
  program const& in = c.in;
  op const holder = in.parent_op(b);
  bool const lone = !in.previous_block(b) && !in.next_block(b);
  bool const needs_terminator = !lone || !may_end_openly(in, holder);
  if (!in.first_op(b))
    return !needs_terminator || c.fail(holder, "terminator", "empty block: expect at least a terminator");
  for (op const o : ops(in, b))
    if (o != in.last_op(b) && !in.successors(o).empty())
      return c.fail(o, "successor", "operation with block successors must terminate its parent block");
  return true;
}

/// After the ops of a block: whether it ends as it must, and where it branches to.
inline bool check_block_end(verify_context& c, block b) {
  program const& in = c.in;
  op const last = in.last_op(b);
  if (!last) return true;
  for (block const to : in.successors(last))
    if (in.parent_region(to) != in.parent_region(b))
      return c.fail_op(last, "successor", "branching to block of a different region");
  bool const lone = !in.previous_block(b) && !in.next_block(b);
  op const holder = in.parent_op(b);
  if (lone && may_end_openly(in, holder)) return true;
  if (in.info(last) && !in.has_trait(last, op_trait::terminator))
    return c.fail(last, "terminator",
                  "block with no terminator, has '" + std::string(in.kind_text(last)) + "'");
  return true;
}

/// Whether values are used only where they are defined on every way, in the regions of an isolated op down to
/// the isolated ops inside, which are checked by themselves; and whether the regions use nothing from
/// outside. Each is O(ops, operands and blocks there).
class scope_checker {
 public:
  explicit scope_checker(verify_context& c) : c_(c), in_(c.in), depth_of_(c.in.block_capacity(), outside) {}

  /// An isolated op uses nothing defined around it.
  bool check_isolation(op isolated) {
    return each_use(isolated, [&](op user, std::uint32_t, value v) {
      if (is_open(in_.block_of(v))) return true;
      if (!in_.block_of(v)) return c_.fail(user, "isolation", "operation's operand is unlinked");
      if (is_inside(in_.block_of(v), isolated)) return true;  // a matter of dominance
      return c_.fail_op(user, "isolation", "using value defined outside the region",
                        {{locate(in_, isolated), "required by region isolation constraints"}});
    });
  }

  /// What is defined outside `root` is not looked at.
  bool check_dominance(op root) {
    trees_.clear();
    return each_use(root, [&](op user, std::uint32_t i, value v) {
      block const defined = in_.block_of(v);
      if (!is_open(defined) && !is_inside(defined, root)) return true;
      return !is_live(user) || dominates(v) || fail_dominance(user, i, v);
    });
  }

 private:
  static constexpr std::uint32_t outside = 0xFFFFFFFFu;
  /// A block being walked, and the op in it that is being walked.
  struct level {
    block at;
    op current;
  };

  /// Calls back for every operand; keeps in path_ the way from the isolated op down to the user.
  template <class Callback>
  bool each_use(op isolated, Callback visit) {
    struct frame {
      op owner;
      std::size_t region = 0;
      block next_block = {};
    };
    // All blocks of a region are marked with its level while it is open.
    std::vector<frame> open{{isolated}};
    path_.clear();
    bool fine = true;
    auto mark = [&](op owner, std::size_t which, std::uint32_t depth) {
      for (block const b : blocks(in_, in_.regions(owner)[which])) depth_of_[b.id] = depth;
    };
    path_.push_back({});
    while (fine && !open.empty()) {
      frame& f = open.back();
      level& here = path_.back();
      if (op const o = here.current) {
        for (std::uint32_t i = 0; fine && i < in_.operand_count(o); ++i)
          fine = visit(o, i, in_.operand(o, i));
        if (fine && !in_.regions(o).empty() && !in_.has_trait(o, op_trait::isolated)) {
          open.push_back({o});
          path_.push_back({});
          continue;
        }
        here.current = in_.next_op(o);
      } else if (block const b = f.next_block) {
        f.next_block = in_.next_block(b);
        here = {b, in_.first_op(b)};
      } else if (f.region < in_.regions(f.owner).size()) {
        if (f.region > 0) mark(f.owner, f.region - 1, outside);
        mark(f.owner, f.region, static_cast<std::uint32_t>(open.size() - 1));
        f.next_block = in_.first_block(in_.regions(f.owner)[f.region]);
        ++f.region;
      } else {
        if (f.region > 0) mark(f.owner, f.region - 1, outside);
        open.pop_back();
        path_.pop_back();
        if (!path_.empty()) path_.back().current = in_.next_op(path_.back().current);
      }
    }
    for (frame const& f : open)  // after a fault: leave no marks
      if (f.region > 0) mark(f.owner, f.region - 1, outside);
    return fine;
  }

  bool is_open(block b) const { return b && depth_of_[b.id] != outside; }
  bool is_inside(block b, op o) const {
    for (op up = b ? in_.parent_op(b) : op{}; up; up = in_.parent_op(up))
      if (up == o) return true;
    return false;
  }
  /// Regions of modules and of foreign ops are graphs: order in a block means nothing there.
  bool is_graph(block b) const {
    op const holder = in_.parent_op(b);
    return !holder || !in_.info(holder) || in_.is(holder, opcode::builtin_module);
  }
  dominator_tree const* tree(block b) {
    region const r = in_.parent_region(b);
    if (in_.first_block(r) == in_.last_block(r)) return nullptr;
    auto const at = trees_.find(r);
    return &(at != trees_.end() ? at : trees_.emplace(r, dominator_tree(in_, r)).first)->second;
  }
  /// Dominance says nothing about a block that cannot be reached.
  bool is_live(op user) {
    block const b = in_.parent_block(user);
    auto const* t = tree(b);
    return t == nullptr || t->is_reachable(b);
  }
  bool dominates(value v) {
    block const defined = in_.block_of(v);
    if (!is_open(defined)) return false;
    // The user, or the op around it, in the region of the definition.
    level const& at = path_[depth_of_[defined.id]];
    if (at.at == defined) {
      if (in_.is_argument(v)) return true;
      op const by = in_.defining_op(v);
      if (is_graph(defined)) return true;
      return by != at.current && in_.is_before(by, at.current);
    }
    auto const* t = tree(defined);
    return t != nullptr && t->dominates(defined, at.at);
  }
  bool fail_dominance(op user, std::uint32_t i, value v) {
    block const defined = in_.block_of(v), used = in_.parent_block(user);
    std::string note = in_.is_argument(v) ? "operand defined as a block argument" : "operand defined here";
    if (defined && defined == used)
      note += " (op in the same block)";
    else if (defined && in_.parent_region(defined) == in_.parent_region(used))
      note += " (op in the same region)";
    return c_.fail(user, "dominance", "operand #" + std::to_string(i) + " does not dominate this use",
                   {{locate(in_, v), std::move(note)}});
  }

  verify_context& c_;
  program const& in_;
  std::vector<std::uint32_t> depth_of_;  // by block: its level in path_, or outside
  std::vector<level> path_;
  std::unordered_map<region, dominator_tree> trees_;
};

}  // namespace mpmd::ir
