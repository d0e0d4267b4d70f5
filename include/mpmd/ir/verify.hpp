#pragma once
/// The verifier: whether a program obeys the rules of its dialects.
///
/// Errors and their order follow MLIR's verifier, so that programs can be moved between the two: an op's own
/// rules come first, then what is inside it, then rules about its regions; a fault hides what would have been
/// checked later in the same isolated op, and the references to symbols of the module around it. Isolated ops
/// are checked one by one, so two faulty functions are two errors. Ops of foreign dialects are held to the
/// rules of structure only.

#include <cstdint>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/verify_calls.hpp>
#include <mpmd/ir/verify_context.hpp>
#include <mpmd/ir/verify_func.hpp>
#include <mpmd/ir/verify_host.hpp>
#include <mpmd/ir/verify_mpmd.hpp>
#include <mpmd/ir/verify_sdy.hpp>
#include <mpmd/ir/verify_stablehlo.hpp>
#include <mpmd/ir/verify_structure.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/support/diagnostics.hpp>

namespace mpmd::ir {

namespace detail {

class verifier {
 public:
  verifier(program const& p, diagnostics& out) : in_(p), c_(p, out), scopes_(c_) {}

  bool run(op root) {
    c_.module = nearest_symbol_table(in_, in_.parent_op(root) ? in_.parent_op(root) : root);
    c_.function = enclosing_function(in_, root);
    for (op up = in_.parent_op(root); up; up = in_.parent_op(up))
      if (in_.is(up, opcode::sdy_manual_computation))
        c_.manual_computations.insert(c_.manual_computations.begin(), up);
    begin(root, true);
    while (!open_.empty()) step();
    return good_;
  }

 private:
  enum class stage { block_start, inside, block_end, isolated, finished };
  /// An op being verified. A unit is checked by itself: its faults end there.
  struct frame {
    op of;
    bool unit;
    std::size_t region = 0;
    block at = {};
    op next = {};
    stage now = stage::block_start;
    bool inner_fault = false;
    op outer_module = {};
    op outer_function = {};
  };

  bool is_unit(op o) const { return in_.has_trait(o, op_trait::isolated) && !in_.regions(o).empty(); }
  bool is_vhlo_function(op o) const { return in_.kind_text(o).starts_with("vhlo.func"); }

  void begin(op o, bool unit) {
    open_.push_back({.of = o, .unit = unit, .outer_module = c_.module, .outer_function = c_.function});
    bool const fine = check_entrance(o);
    // From here on the context is that of what is inside.
    if (is_symbol_table(in_, o)) c_.module = o;
    if (is_function(in_, o)) c_.function = o;
    if (in_.is(o, opcode::sdy_manual_computation)) c_.manual_computations.push_back(o);
    if (is_vhlo_function(o)) ++c_.vhlo_functions;
    if (!fine) {
      fail();
      return;
    }
    start_region();
  }
  void leave() {
    frame const& f = open_.back();
    c_.module = f.outer_module;
    c_.function = f.outer_function;
    if (in_.is(f.of, opcode::sdy_manual_computation)) c_.manual_computations.pop_back();
    if (is_vhlo_function(f.of)) --c_.vhlo_functions;
    open_.pop_back();
  }
  /// Ends everything up to the unit around, which has failed.
  void fail() {
    while (!open_.back().unit) leave();
    leave();
    if (open_.empty())
      good_ = false;
    else
      open_.back().inner_fault = true;
  }

  /// Goes to the first block of the region that is next, or behind the last region.
  void start_region() {
    frame& f = open_.back();
    auto const regions = in_.regions(f.of);
    while (f.region < regions.size() && !in_.first_block(regions[f.region])) ++f.region;
    f.at = f.region < regions.size() ? in_.first_block(regions[f.region]) : block{};
    if (f.at || f.now == stage::isolated) return;
    f.now = stage::isolated;
    f.region = 0;
    start_region();
  }
  void next_block() {
    frame& f = open_.back();
    f.at = in_.next_block(f.at);
    if (f.at) return;
    ++f.region;
    start_region();
  }

  void step() {
    frame& f = open_.back();
    switch (f.now) {
      case stage::block_start:
        if (!f.at) {
          f.now = stage::finished;
        } else if (!check_block_start(c_, f.at)) {
          fail();
        } else {
          f.next = in_.first_op(f.at);
          f.now = stage::inside;
        }
        return;
      case stage::inside:
        while (f.next && is_unit(f.next)) f.next = in_.next_op(f.next);
        if (op const o = f.next) {
          f.next = in_.next_op(o);
          begin(o, false);
        } else {
          f.now = stage::block_end;
        }
        return;
      case stage::block_end:
        if (!check_block_end(c_, f.at)) {
          fail();
          return;
        }
        f.now = stage::block_start;
        next_block();
        if (open_.back().now == stage::isolated) begin_isolated_ops();
        return;
      case stage::isolated:
        if (!f.at) {
          f.now = stage::finished;
          return;
        }
        while (f.next && !is_unit(f.next)) f.next = in_.next_op(f.next);
        if (op const o = f.next) {
          f.next = in_.next_op(o);
          begin(o, true);
        } else {
          next_block();
          begin_isolated_ops();
        }
        return;
      case stage::finished: finish(); return;
    }
  }
  void begin_isolated_ops() {
    frame& f = open_.back();
    f.next = f.at ? in_.first_op(f.at) : op{};
  }

  void finish() {
    frame const& f = open_.back();
    op const o = f.of;
    bool const fine = !f.inner_fault && check_exit(o) && (!f.unit || scopes_.check_dominance(o));
    if (fine)
      leave();
    else
      fail();
  }

  bool check_entrance(op o) {
    if (!check_discardable_sharding(c_, o)) return false;
    auto const* info = in_.info(o);
    if (info == nullptr) return true;
    if (!check_shape(c_, o) || !check_parent(c_, o)) return false;
    if (info->has(op_trait::symbol) && !check_symbol(c_, o)) return false;
    if (info->name.starts_with("mpmd.")) return check_mpmd(c_, o);
    if (info->name.starts_with("sdy.")) return check_sdy(c_, o);
    if (info->name.starts_with("stablehlo.")) return check_stablehlo(c_, o);
    if (info->name.starts_with("host.")) return check_host(c_, o);
    if (in_.is(o, opcode::func_func)) return check_function(c_, o);
    if (in_.is(o, opcode::func_return)) return check_func_return(c_, o);
    if (in_.is(o, opcode::builtin_module)) return check_module(c_, o);
    return true;
  }

  bool check_exit(op o) {
    if (in_.has_trait(o, op_trait::isolated) && !scopes_.check_isolation(o)) return false;
    return !is_symbol_table(in_, o) || (check_duplicate_symbols(c_, o) && check_symbol_uses(o));
  }

  /// References to symbols by everything in a module; nested modules have been checked by themselves.
  bool check_symbol_uses(op module) {
    op const outer = c_.function;
    std::size_t const manual_around = c_.manual_computations.size();
    bool const fine = walk_around(
        in_, module,
        [&](op o) {
          if (o != module && is_symbol_table(in_, o)) return walk_step::skip;
          if (!check_use(o)) return walk_step::interrupt;
          if (is_function(in_, o)) c_.function = o;
          if (in_.is(o, opcode::sdy_manual_computation)) c_.manual_computations.push_back(o);
          return walk_step::advance;
        },
        [&](op o) {
          if (is_function(in_, o)) c_.function = outer;
          if (in_.is(o, opcode::sdy_manual_computation)) c_.manual_computations.pop_back();
        });
    c_.manual_computations.resize(manual_around);
    c_.function = outer;
    return fine;
  }
  bool check_use(op o) {
    switch (static_cast<opcode>(in_.kind(o).id)) {
      case opcode::func_call: return check_func_call_use(c_, o);
      case opcode::mpmd_call: return check_call_use(c_, o);
      case opcode::mpmd_fragment_call: return check_fragment_call_use(c_, o);
      case opcode::host_call: return check_host_call_use(c_, o);
      default: return check_sdy_use(c_, o);
    }
  }

  program const& in_;
  verify_context c_;
  scope_checker scopes_;
  std::vector<frame> open_;
  bool good_ = true;
};

}  // namespace detail

/// Whether an op and everything in it is well formed; reports what is not. Near-linear in the size of the op,
/// with memory for the depth of nesting and one word a block of the program.
inline bool verify(program const& in, op root, diagnostics& out) {
  return detail::verifier(in, out).run(root);
}
/// Whether a whole program is well formed.
inline bool verify(program const& in, diagnostics& out) { return verify(in, in.root(), out); }

}  // namespace mpmd::ir
