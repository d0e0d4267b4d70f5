#pragma once
/// -mpmd-split-bwd-fragments: what a backward fragment sends to other meshes is computed first.

#include <cstddef>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>
#include <mpmd/transform/split_fragment.hpp>

namespace mpmd {

/// A fragment whose computations have all been transposed once, and some of whose results, but not all, are transferred,
/// is cut in two: ops without effects that only results need which are not transferred go to a second fragment behind
/// it. One without such ops stays whole. What a second fragment takes from the first is replicated on its mesh, so this
/// has to come before shardings are propagated. Linear.
struct split_bwd_fragments {
  static constexpr std::string_view name = "mpmd-split-bwd-fragments";
  static constexpr std::string_view summary = "Cut backward fragments in what is transferred and what is not";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    using traits = ir_traits<P>;
    for (op_t<P> const f : distributed_functions(p))
      for (op_t<P> const o : body_of(p, f)) {
        if (!is_fragment(p, o) || single_transpose_count(traits::fragment_of(p, o)) != 1 || is_split(p, o)) continue;
        std::vector<bool> transferred;
        std::size_t count = 0;
        for (value_t<P> const v : traits::results(p, o)) {
          bool sent = false;
          for (auto const& u : traits::uses(p, v)) sent = sent || traits::role_of(p, u.user) == role::transfer;
          transferred.push_back(sent);
          count += sent ? 1 : 0;
        }
        if (count == 0 || count == transferred.size()) continue;
        auto const others = only_for_others(p, o, transferred);
        if (others.empty())
          traits::set_note(p, o, split_first_note, unit_note{});
        else
          split_fragment(p, o, others, {});
      }
    return true;
  }

 private:
  /// The ops which only results need that are not transferred.
  template <mutable_mpmd_program P>
  static std::unordered_set<op_t<P>> only_for_others(P const& p, op_t<P> fragment, std::vector<bool> const& transferred) {
    using traits = ir_traits<P>;
    op_t<P> const end = terminator_of(p, fragment);
    std::unordered_set<op_t<P>> found;
    auto const all = body_of(p, fragment);
    for (std::size_t i = all.size(); i-- > 0;) {
      if (all[i] == end) continue;
      bool only = true, used = false;
      for (value_t<P> const v : traits::results(p, all[i]))
        for (auto const& u : traits::uses(p, v)) {
          used = true;
          op_t<P> const user = ancestor_in(p, fragment, u.user);
          only = only && (user == end ? !transferred[u.index] : found.contains(user));
        }
      if (only && used && traits::is_pure(p, all[i])) found.insert(all[i]);
    }
    return found;
  }
};

}  // namespace mpmd
