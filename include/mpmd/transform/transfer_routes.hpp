#pragma once
/// Which transfers bring a value to the meshes where it is wanted.
///
/// A value on one mesh that is wanted on several others goes from mesh to mesh, along the order of the meshes
/// in either direction from its own: each hop is a transfer from the neighbour, where a star would make the
/// value's own mesh send every copy. Copies in host memory are made from what stands on their mesh, or passes
/// nearest, and nothing is sent on from them. A value goes to one place once, however often it was taken off
/// its mesh.

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/transform/edit.hpp>
#include <mpmd/transform/mesh_order.hpp>
#include <mpmd/transform/walk_ops.hpp>

namespace mpmd {

namespace detail {

inline constexpr std::string_view host_memory = "pinned_host";

/// Replaces assigns of unassigned values in one function.
template <mutable_mpmd_program P>
class transfer_router {
  using traits = ir_traits<P>;

 public:
  transfer_router(P& p, op_t<P> f) : p_(p), function_(f) {}

  void run() {
    std::vector<op_t<P>> assigns;
    walk_ops(p_, function_, [&](op_t<P> o) {
      if (traits::role_of(p_, o) == role::assign) assigns.push_back(o);
    });
    for (op_t<P> const a : assigns) {
      op_t<P> const u = defined_by(p_, operand_of(p_, a), role::unassign);
      if (!u) continue;
      value_t<P> const source = operand_of(p_, u), v = result_of(p_, a);
      if (traits::type_of(p_, source) == traits::type_of(p_, v)) {
        replace_uses(p_, v, source);
        traits::erase(p_, a);
      } else {
        wanted_of(source).push_back(a);
      }
    }
    while (next_ < sources_.size()) {
      auto const [source, assigned] = std::move(sources_[next_++]);
      if (!assigned.empty()) route(source, assigned);
    }
  }

 private:
  /// One type in which the source is wanted, and the assigns to it.
  struct target {
    type_t<P> type;
    mesh_order_key mesh;
    bool on_host;
    std::size_t number;  // in the order of the first assigns
    std::vector<op_t<P>> assigns;
  };

  std::vector<op_t<P>>& wanted_of(value_t<P> source) {
    auto const at = position_.emplace(source, sources_.size()).first;
    if (at->second < next_) at->second = sources_.size();  // its turn is over: it gets another
    if (at->second == sources_.size()) sources_.emplace_back(source, std::vector<op_t<P>>{});
    return sources_[at->second].second;
  }

  void route(value_t<P> source, std::vector<op_t<P>> const& assigns) {
    if (!stands_in_function(source, assigns.front())) return;
    mesh_order_key const from(traits::mesh_of(p_, source));
    std::vector<target> here, before, behind;
    auto const transfers = transfers_of(source);
    for (target& t : targets_of(assigns)) {
      auto const existing = transfers.find(traits::mesh_of(p_, result_of(p_, t.assigns.front())));
      op_t<P> there = {};
      if (existing != transfers.end())
        for (op_t<P> const o : existing->second)
          if (traits::type_of(p_, result_of(p_, o)) == t.type &&
              (!there || traits::comes_before(p_, o, there)))
            there = o;
      if (there) {
        op_t<P> const first = first_of(t.assigns);
        if (traits::comes_before(p_, first, there))
          traits::move(p_, there, insertion_point<P>::before(first));
        replace(t, result_of(p_, there));
      } else {
        (t.mesh == from ? here : t.mesh < from ? before : behind).push_back(std::move(t));
      }
    }
    for (target const& t : here) replace(t, send(source, t, first_of(t.assigns)));
    // On one mesh the copy in device memory comes first, for the one on the host to be made from it.
    std::sort(behind.begin(), behind.end(), [](target const& a, target const& b) {
      if (!(a.mesh == b.mesh)) return a.mesh < b.mesh;
      return a.on_host != b.on_host ? b.on_host : a.number < b.number;
    });
    follow(source, behind);
    std::sort(before.begin(), before.end(), [](target const& a, target const& b) {
      if (!(a.mesh == b.mesh)) return b.mesh < a.mesh;
      return a.on_host != b.on_host ? b.on_host : a.number < b.number;
    });
    follow(source, before);
  }

  // Sends the value along meshes in the order given.
  void follow(value_t<P> source, std::vector<target> const& along) {
    if (along.empty()) return;
    std::vector<op_t<P>> all;
    for (target const& t : along) all.insert(all.end(), t.assigns.begin(), t.assigns.end());
    op_t<P> const first = first_of(all);
    value_t<P> at = source;
    std::vector<value_t<P>> stops;  // all made before the first assign goes, which they stand before
    for (target const& t : along) {
      stops.push_back(send(at, t, first));
      if (!t.on_host) at = stops.back();
    }
    for (std::size_t i = 0; i < along.size(); ++i) replace(along[i], stops[i]);
  }

  value_t<P> send(value_t<P> v, target const& t, op_t<P> before) {
    return result_of(p_, traits::create(p_,
                                        {.what = role::transfer,
                                         .operands = {v},
                                         .results = {t.type},
                                         .where = traits::location_of(p_, t.assigns.front())},
                                        insertion_point<P>::before(before)));
  }

  // What the assigns made comes from elsewhere now; so does what was to be made of it.
  void replace(target const& t, value_t<P> by) {
    for (op_t<P> const a : t.assigns) {
      value_t<P> const v = result_of(p_, a);
      if (auto const own = position_.find(v); own != position_.end() && own->second >= next_) {
        std::vector<op_t<P>> const inherited = std::exchange(sources_[own->second].second, {});
        auto& wanted = wanted_of(by);
        wanted.insert(wanted.end(), inherited.begin(), inherited.end());
      }
      replace_uses(p_, v, by);
      traits::erase(p_, a);
    }
  }

  // By type, in the order of the first assign to each. A value is wanted in few types on one mesh.
  std::vector<target> targets_of(std::vector<op_t<P>> const& assigns) const {
    std::vector<target> found;
    std::unordered_map<std::string_view, std::vector<std::size_t>> on_mesh;
    for (op_t<P> const a : assigns) {
      value_t<P> const v = result_of(p_, a);
      type_t<P> const type = traits::type_of(p_, v);
      std::string_view const mesh = traits::mesh_of(p_, v);
      auto& known = on_mesh[mesh];
      auto const same =
          std::find_if(known.begin(), known.end(), [&](std::size_t i) { return found[i].type == type; });
      if (same != known.end()) {
        found[*same].assigns.push_back(a);
        continue;
      }
      known.push_back(found.size());
      found.push_back(
          {type, mesh_order_key(mesh), traits::memory_kind_of(p_, type) == host_memory, found.size(), {a}});
    }
    return found;
  }

  // Whether the value is defined directly in the body of the function, where transfers may stand.
  bool stands_in_function(value_t<P> v, op_t<P> assign) const {
    if (op_t<P> const d = mpmd::defining_op(p_, v)) return traits::parent_op(p_, d) == function_;
    // An argument of the function, or of a loop around the op that takes it off its mesh.
    op_t<P> o = traits::parent_op(p_, mpmd::defining_op(p_, operand_of(p_, assign)));
    for (; o && !(o == function_); o = traits::parent_op(p_, o))
      for (auto&& a : mpmd::arguments(p_, o))
        if (a == v) return false;
    return true;
  }

  // The first of these in the body of the function, each with what stands around it there.
  op_t<P> first_of(std::vector<op_t<P>> const& ops) const {
    op_t<P> first = {};
    for (op_t<P> o : ops) {
      while (!(traits::parent_op(p_, o) == function_)) o = traits::parent_op(p_, o);
      if (!first || (!(o == first) && traits::comes_before(p_, o, first))) first = o;
    }
    return first;
  }

  // The transfers of a value in the body of the function, by mesh.
  std::unordered_map<std::string_view, std::vector<op_t<P>>> transfers_of(value_t<P> source) const {
    std::unordered_map<std::string_view, std::vector<op_t<P>>> found;
    for (auto const& u : traits::uses(p_, source))
      if (traits::role_of(p_, u.user) == role::transfer && traits::parent_op(p_, u.user) == function_)
        found[traits::mesh_of(p_, result_of(p_, u.user))].push_back(u.user);
    return found;
  }

  P& p_;
  op_t<P> function_;
  std::vector<std::pair<value_t<P>, std::vector<op_t<P>>>>
      sources_;           // with the assigns of each, in the order found
  std::size_t next_ = 0;  // the first whose assigns are not replaced
  std::unordered_map<value_t<P>, std::size_t> position_;
};

}  // namespace detail

/// Replaces, in one function, each assign of an unassigned value: by that value if it is of the same type,
/// else by a transfer. Transfers that are there already are used, and moved up where that is too late; new
/// ones stand before the first assign of their route. Unassigns stay; those without uses are dead.
/// Near-linear.
template <mutable_mpmd_program P>
void replace_by_transfers(P& p, op_t<P> function) {
  detail::transfer_router<P>(p, function).run();
}

}  // namespace mpmd
