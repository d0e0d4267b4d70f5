#pragma once
/// The rules by which finalize.hpp makes assigns and unassigns into nothing or into transfers.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <mpmd/transform/chained_transfers.hpp>
#include <mpmd/transform/greedy_rewriter.hpp>
#include <mpmd/transform/lower_reduce.hpp>

namespace mpmd::detail {

/// The transfers of a value by mesh, kept while they are made and erased, so that nobody searches all uses of
/// a value for each of its assigns.
template <mutable_mpmd_program P>
class transfers_of_values {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;

 public:
  explicit transfers_of_values(P const& p) : program_(p) {}

  /// Transfers of v to a mesh, the most recent last. O(uses) for the first question about v.
  std::vector<op> const& to(value v, std::string_view mesh) {
    auto const [at, is_new] = known_.try_emplace(v);
    if (is_new) {
      std::vector<op> found;
      for (auto const& u : traits::uses(program_, v))
        if (traits::role_of(program_, u.user) == role::transfer) found.push_back(u.user);
      for (std::size_t i = found.size(); i-- > 0;) at->second[mesh_of(found[i])].push_back(found[i]);
    }
    auto const list = at->second.find(mesh);
    return list == at->second.end() ? none_ : list->second;
  }
  /// A transfer of v that is new, or that moved there from another value.
  void add(value v, op transfer) {
    if (auto const at = known_.find(v); at != known_.end()) at->second[mesh_of(transfer)].push_back(transfer);
  }
  void remove(value v, op transfer) {
    auto const at = known_.find(v);
    if (at == known_.end()) return;
    if (auto const list = at->second.find(mesh_of(transfer)); list != at->second.end())
      std::erase(list->second, transfer);
  }
  void forget(value v) { known_.erase(v); }

 private:
  std::string_view mesh_of(op transfer) const {
    return traits::mesh_of(program_, result_of(program_, transfer));
  }

  P const& program_;
  std::unordered_map<value, std::unordered_map<std::string_view, std::vector<op>>> known_;
  std::vector<op> const none_;
};

/// Folds the assigns of what unassigns take off a mesh, and lowers broadcasts and reduces, in the functions
/// it is given.
template <mutable_mpmd_program P>
class assign_folder {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;

 public:
  assign_folder(P& p, bool infer_transfers)
      : program_(p), infer_transfers_(infer_transfers), rewriter_(p), transfers_(p) {
    rewriter_.on_erase([this](op o) {
      if (traits::role_of(program_, o) == role::transfer) transfers_.remove(operand_of(program_, o), o);
      for (auto&& r : traits::results(program_, o)) transfers_.forget(r);
    });
    rewriter_.erase_late([this](op o) { return traits::role_of(program_, o) == role::transfer; });
  }
  assign_folder(assign_folder const&) = delete;
  assign_folder& operator=(assign_folder const&) = delete;

  /// Values that may be brought to other meshes although no transfer takes them there: arguments of entry
  /// functions.
  void allow_transfers_of(value v) { movable_.insert(v); }

  void run(op function) {
    // What a loop carries cannot be transferred: transfers stand outside loops.
    std::vector<op> open{function};
    for (std::size_t i = 0; i < open.size(); ++i)
      for (auto&& o : mpmd::body(program_, open[i])) {
        if (traits::role_of(program_, o) != role::loop) continue;
        open.push_back(o);
        for (auto&& a : mpmd::arguments(program_, o)) in_loops_.insert(a);
      }
    rewriter_.seed(function);
    rewriter_.run([this](greedy_rewriter<P>&, op o) {
      switch (traits::role_of(program_, o)) {
        case role::assign: return fold_assign(o);
        case role::broadcast: return lower_broadcast(o);
        case role::reduce: return mpmd::lower_reduce(*this, o);
        default: return false;
      }
    });
  }

  // As the shared steps edit.
  P& in() const { return program_; }
  op create(op_recipe<P> const& recipe, insertion_point<P> at) {
    op const made = rewriter_.create(recipe, at);
    if (recipe.what == role::transfer && note_way(recipe.operands.front(), made)) revisit_readers(recipe.operands.front());
    return made;
  }
  void replace(op o, std::vector<value> const& with) {
    std::size_t i = 0;
    for (auto&& r : traits::results(program_, o)) {
      value const v = with[i++];
      bool new_way = false;
      for (auto const& u : uses_of(program_, static_cast<value>(r))) {
        role const by = traits::role_of(program_, u.user);
        if (by == role::transfer) new_way |= note_way(v, u.user);
        // What reads the value off its mesh again can be folded anew.
        if (by == role::unassign) rewriter_.revisit_users(result_of(program_, u.user));
      }
      if (new_way) revisit_readers(v);
    }
    rewriter_.replace(o, with);
  }

 private:
  /// Whether v was not transferred to that mesh before.
  bool note_way(value v, op transfer) {
    bool const fresh = transfers_.to(v, traits::mesh_of(program_, result_of(program_, transfer))).empty();
    transfers_.add(v, transfer);
    return fresh;
  }
  /// What was found to have no way to a mesh may have one now.
  void revisit_readers(value v) {
    for (auto const& u : uses_of(program_, v))
      if (traits::role_of(program_, u.user) == role::unassign) rewriter_.revisit_users(result_of(program_, u.user));
  }

  // What an unassign takes off its mesh, through assigns which only put back there what another one took off.
  // The unassigns on the way are made to read it directly.
  value taken_off(op unassign) {
    std::vector<op> way;
    value v = operand_of(program_, unassign);
    for (op at = unassign;;) {
      op const a = defined_by(program_, v, role::assign);
      op const u = a ? defined_by(program_, operand_of(program_, a), role::unassign) : op{};
      if (!u || !(traits::type_of(program_, operand_of(program_, u)) == traits::type_of(program_, v))) break;
      way.push_back(at);
      v = operand_of(program_, u);
      at = u;
    }
    for (op const u : way) rewriter_.set_operand(u, 0, v);
    return v;
  }

  bool may_be_transferred(value v) const {
    op const d = mpmd::defining_op(program_, v);
    return d ? detail::outside_loops(program_, d) == d : !in_loops_.contains(v);
  }

  bool fold_assign(op o) {
    op const u = defined_by(program_, operand_of(program_, o), role::unassign);
    if (!u) return false;
    value const v = taken_off(u), made = result_of(program_, o);
    if (traits::type_of(program_, v) == traits::type_of(program_, made)) {
      replace(o, {v});
      return true;
    }
    if (reuse_transfer(o, v)) return true;
    if (!may_be_transferred(v)) return false;
    std::string_view const home = traits::mesh_of(program_, v);
    if (traits::mesh_of(program_, made) == home) {
      // Another kind of memory on the same mesh.
      replace_by_chained_transfers(*this, v, std::vector<op>{o});
      return true;
    }
    if (!infer_transfers_ && !movable_.contains(v)) return copy_from_other_memory(o, v);
    std::vector<op> assigns;
    for (auto const& w : traits::uses(program_, result_of(program_, u)))
      if (traits::role_of(program_, w.user) == role::assign &&
          traits::mesh_of(program_, result_of(program_, w.user)) != home)
        assigns.push_back(w.user);
    replace_by_chained_transfers(*this, v, assigns);
    return true;
  }

  bool reuse_transfer(op o, value v) {
    auto const wanted = traits::type_of(program_, result_of(program_, o));
    auto const& known = transfers_.to(v, traits::mesh_of(program_, result_of(program_, o)));
    for (std::size_t i = known.size(); i-- > 0;) {
      value const moved = result_of(program_, known[i]);
      if (!(traits::type_of(program_, moved) == wanted) || !bring_before(known[i], o)) continue;
      replace(o, {moved});
      return true;
    }
    return false;
  }
  // Where the value was sent to that mesh, but into another memory, it needs no further way between meshes.
  bool copy_from_other_memory(op o, value v) {
    auto const& known = transfers_.to(v, traits::mesh_of(program_, result_of(program_, o)));
    for (std::size_t i = known.size(); i-- > 0;) {
      value const there = result_of(program_, known[i]);
      if (reuse_transfer(o, there)) return true;
      op const at = bring_before(known[i], o);
      if (!at) continue;
      op const copy = create({.what = role::transfer,
                              .operands = {there},
                              .results = {traits::type_of(program_, result_of(program_, o))},
                              .where = traits::location_of(program_, o)},
                             insertion_point<P>::before(at));
      replace(o, {result_of(program_, copy)});
      return true;
    }
    return false;
  }
  // Has the transfer stand before the op, or before what holds it beside the transfer, which is returned; none where
  // the op stands elsewhere.
  op bring_before(op transfer, op o) {
    op const holder = traits::parent_op(program_, transfer);
    op at = o;
    while (at && !(traits::parent_op(program_, at) == holder)) at = traits::parent_op(program_, at);
    if (at && !traits::comes_before(program_, transfer, at)) rewriter_.move(transfer, insertion_point<P>::before(at));
    return at;
  }

  bool lower_broadcast(op o) {
    op const u = defined_by(program_, operand_of(program_, o), role::unassign);
    if (!u) return false;
    std::vector<op> assigns;
    for (auto const& w : traits::uses(program_, result_of(program_, o)))
      if (traits::role_of(program_, w.user) == role::assign) assigns.push_back(w.user);
    if (assigns.empty()) return false;
    value const v = taken_off(u);
    for (op const a : assigns)
      if (!may_be_transferred(v) &&
          !(traits::type_of(program_, result_of(program_, a)) == traits::type_of(program_, v)))
        return false;
    replace_by_chained_transfers(*this, v, assigns);
    return true;
  }

  P& program_;
  bool infer_transfers_;
  greedy_rewriter<P> rewriter_;
  transfers_of_values<P> transfers_;
  std::unordered_set<value> movable_;
  std::unordered_set<value> in_loops_;  // arguments of loops
};

}  // namespace mpmd::detail
