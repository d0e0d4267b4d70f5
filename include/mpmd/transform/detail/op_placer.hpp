#pragma once
/// How one op of no mesh comes into fragments.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/analysis/program_walk.hpp>
#include <mpmd/transform/detail/rewrite_context.hpp>
#include <mpmd/transform/fragment_absorber.hpp>
#include <mpmd/transform/wrap_in_fragment.hpp>

namespace mpmd {

/// What the fragments note which are made for ops of no mesh.
inline constexpr std::string_view wrapped_op_tag = "infer_mesh_wrap_meshless_ops";

namespace detail {

template <mutable_mpmd_program P>
class op_placer {
  using traits = ir_traits<P>;
  using op = op_t<P>;
  using value = value_t<P>;
  using point = insertion_point<P>;

 public:
  op_placer(rewrite_context<P>& with, std::int64_t max_clones)
      : with_(with), max_clones_(max_clones), absorber_(with.program) {}

  /// All users of its results are assigns by now, or take tokens.
  void place(op o) {
    auto&& results = traits::results(with_.program, o);
    if (std::ranges::begin(results) == std::ranges::end(results)) return;
    users const used = users_of(o);
    if (used.stray) return with_.report_stray(with_.place(o), "the op", used.stray);
    if (!used.any) return;
    traits::set_op_annotation(with_.program, o, set_kind::use, std::nullopt);
    traits::set_op_annotation(with_.program, o, set_kind::src, std::nullopt);
    std::size_t const n = used.consumers.size();
    if (n == 0 || used.others || !may_be_copied(o, n)) return wrap(o, used);
    // The last of them gets the op itself.
    for (std::size_t i = 0; i + 1 < n; ++i)
      absorber_.take_in(o, used.consumers[i].fragment, used.consumers[i].what, true);
    absorber_.take_in(o, used.consumers.back().fragment, used.consumers.back().what, false);
    for (auto const& a : used.assigns)
      if (n == 1)
        absorber_.erase_with(a.o, used.consumers.back().fragment);
      else
        absorber_.erase_at_the_end(a.o);
  }
  /// Once all ops of a function have been placed.
  void finish() { absorber_.finish(); }

 private:
  // Who uses the results of an op.
  struct users {
    struct assign {
      op o;
      std::size_t result;
    };
    struct consumer {
      op fragment;
      std::vector<consumed_result<P>> what;
    };
    std::vector<assign> assigns;
    std::vector<consumer> consumers;
    bool others = false;  // an assign is used by something else than a fragment
    op stray = {};        // uses a tensor which no assign has put on a mesh
    bool any = false;
  };

  users users_of(op o) {
    users found;
    std::unordered_map<op, std::size_t> numbers;
    op const holder = traits::parent_op(with_.program, o);
    auto is_consumer = [&](op user) {
      return traits::role_of(with_.program, user) == role::fragment &&
             traits::parent_op(with_.program, user) == holder;
    };
    auto consume = [&](op fragment, std::size_t index, std::size_t result) {
      auto const [at, is_new] = numbers.try_emplace(fragment, found.consumers.size());
      if (is_new) found.consumers.push_back({fragment, {}});
      found.consumers[at->second].what.push_back({index, result});
    };
    std::size_t i = 0;
    for (auto&& r : traits::results(with_.program, o)) {
      bool const tensor = with_.is_plain(r);
      for (auto const& u : traits::uses(with_.program, r)) {
        found.any = true;
        if (traits::role_of(with_.program, u.user) == role::assign) {
          found.assigns.push_back({u.user, i});
          for (auto const& w : traits::uses(with_.program, result_of(with_.program, u.user)))
            if (is_consumer(w.user))
              consume(w.user, w.index, i);
            else
              found.others = true;
        } else if (tensor) {
          found.stray = u.user;
        } else if (is_consumer(u.user)) {
          consume(u.user, u.index, i);
        } else {
          found.others = true;
        }
      }
      ++i;
    }
    return found;
  }
  // Whether each of n fragments may have the op. One that has effects must not have them more often.
  bool may_be_copied(op o, std::size_t n) const {
    if (n == 1) return true;
    auto&& operands = traits::operands(with_.program, o);
    auto const count = std::ranges::distance(operands);
    bool const cheap = count <= 1 && std::ranges::distance(traits::results(with_.program, o)) == 1 &&
                       mpmd::is_leaf(with_.program, o);
    bool const few = max_clones_ > 0 && n <= static_cast<std::uint64_t>(max_clones_);
    return (count == 0 || few || cheap) && traits::is_pure(with_.program, o);
  }

  // A fragment of its own on each mesh where the op is needed.
  void wrap(op o, users const& used) {
    std::map<std::string, std::vector<typename users::assign>, mesh_order> by_mesh;
    {
      std::unordered_map<std::string_view, std::vector<typename users::assign>*> known;
      for (auto const& a : used.assigns) {
        std::string_view const mesh = traits::mesh_of(with_.program, result_of(with_.program, a.o));
        auto const [at, is_new] = known.try_emplace(mesh, nullptr);
        if (is_new) at->second = &by_mesh[std::string(mesh)];
        at->second->push_back(a);
      }
    }
    // Only tokens are used: where their users are.
    if (by_mesh.empty())
      by_mesh[used.consumers.empty()
                  ? with_.first_mesh
                  : traits::fragment_of(with_.program, used.consumers.front().fragment).mesh];
    bool first = true;
    for (auto const& [mesh, assigns] : by_mesh) {
      auto const wrapped = wrap_in_fragment(with_.program, o, mesh, wrapped_op_tag);
      for (auto const& a : assigns) traits::set_operand(with_.program, a.o, 0, wrapped.results[a.result]);
      if (!std::exchange(first, false)) continue;
      std::size_t i = 0;
      for (auto const& r : results_of(with_.program, o)) {
        if (!with_.is_plain(r)) replace_uses(with_.program, r, wrapped.results[i]);
        ++i;
      }
    }
    traits::erase(with_.program, o);
  }

  rewrite_context<P>& with_;
  std::int64_t max_clones_;
  fragment_absorber<P> absorber_;
};

}  // namespace detail
}  // namespace mpmd
