#pragma once
/// What passes share that merge fragments with fragments behind them.

#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/graph/mutable_program.hpp>
#include <mpmd/transform/fragments.hpp>
#include <mpmd/transform/merge_fragments.hpp>

namespace mpmd {

/// Which fragment one may be merged with.
enum class merge_candidate {
  closest_consumer,  ///< the first that uses it, or none
  any_consumer,      ///< the first that uses it and is allowed
  next_on_mesh,      ///< the first behind it on its mesh
};

/// The fragments at the top level of one function, from last to first: each is merged with one behind it until no
/// candidate is left. `allowed(producer, consumer)` says whether two may become one.
///
/// The new fragment stands where the later one was if nothing uses the earlier one before that, else where the earlier
/// one was if all that the later one needs is there; else they are left alone. A fragment that nobody uses, and that has
/// no effects, goes. O(ops + what is merged, per merge).
template <mutable_mpmd_program P, class Allowed>
class fragment_merger {
 public:
  using traits = ir_traits<P>;

  fragment_merger(P& p, op_t<P> function, merge_candidate candidate, Allowed allowed)
      : p_(p), function_(function), candidate_(candidate), allowed_(std::move(allowed)) {}

  /// How many merges there were.
  std::size_t run() {
    std::size_t merges = 0;
    std::vector<op_t<P>> fragments;
    for (op_t<P> const o : body_of(p_, function_)) {
      place_.emplace(o, place_.size());
      if (is_fragment(p_, o)) {
        fragments.push_back(o);
        on_mesh_[traits::fragment_of(p_, o).mesh].emplace(place_.at(o), o);
      }
    }
    for (std::size_t i = fragments.size(); i-- > 0;) {
      op_t<P> at = fragments[i];
      if (has_unused_results(p_, at) && traits::is_pure(p_, at)) {
        forget(at);
        traits::erase(p_, at);
        continue;
      }
      while (auto const merged = merge_once(at)) {
        at = *merged;
        ++merges;
      }
    }
    return merges;
  }

 private:
  std::optional<op_t<P>> merge_once(op_t<P> producer) {
    users_.clear();
    for (value_t<P> const v : traits::results(p_, producer))
      for (auto const& u : traits::uses(p_, v))
        if (op_t<P> const user = ancestor_in(p_, function_, u.user)) users_.push_back(user);
    op_t<P> const consumer = find(producer);
    if (!consumer) return std::nullopt;
    bool at_consumer = true;
    for (op_t<P> const user : users_) at_consumer = at_consumer && !(place_.at(user) < place_.at(consumer));
    if (!at_consumer) {
      for (value_t<P> const v : traits::operands(p_, consumer)) {
        op_t<P> const made_by = defining_op(p_, v);
        if (made_by && !(made_by == producer) && place_.at(producer) < place_.at(made_by)) return std::nullopt;
      }
      traits::move(p_, consumer, insertion_point<P>::after(producer));
    }
    merged_notes const notes = merge_notes(p_, producer, consumer);
    std::size_t const place = place_.at(at_consumer ? consumer : producer);
    forget(producer);
    forget(consumer);
    op_t<P> const made = merge_fragments(p_, producer, consumer);
    set_notes(p_, made, notes);
    place_[made] = place;
    on_mesh_[traits::fragment_of(p_, made).mesh].emplace(place, made);
    return made;
  }

  op_t<P> find(op_t<P> producer) const {
    auto may_merge = [&](op_t<P> other) {
      fragment_info const a = traits::fragment_of(p_, producer), b = traits::fragment_of(p_, other);
      return a.mesh == b.mesh && stages_agree(a, b) && allowed_(producer, other);
    };
    if (candidate_ == merge_candidate::next_on_mesh) {
      auto const& peers = on_mesh_.at(traits::fragment_of(p_, producer).mesh);
      auto const next = peers.upper_bound(place_.at(producer));
      return next != peers.end() && may_merge(next->second) ? next->second : op_t<P>{};
    }
    op_t<P> best{};
    std::size_t at = 0;
    for (op_t<P> const user : users_) {
      std::size_t const place = place_.at(user);
      if ((best && place >= at) || !is_fragment(p_, user)) continue;
      if (candidate_ == merge_candidate::any_consumer && !may_merge(user)) continue;
      best = user;
      at = place;
    }
    return best && may_merge(best) ? best : op_t<P>{};
  }

  void forget(op_t<P> fragment) {
    auto const at = place_.find(fragment);
    on_mesh_.at(traits::fragment_of(p_, fragment).mesh).erase(at->second);
    place_.erase(at);
  }

  P& p_;
  op_t<P> function_;
  merge_candidate candidate_;
  Allowed allowed_;
  std::unordered_map<op_t<P>, std::size_t> place_;  // of the ops at the top level, rising
  std::map<std::string, std::map<std::size_t, op_t<P>>> on_mesh_;
  std::vector<op_t<P>> users_;
};

/// The functions that run on meshes, in order.
template <mutable_mpmd_program P>
std::vector<op_t<P>> distributed_functions(P const& p) {
  std::vector<op_t<P>> found;
  for (op_t<P> const f : functions(p))
    if (is_distributed(p, f)) found.push_back(f);
  return found;
}

}  // namespace mpmd
