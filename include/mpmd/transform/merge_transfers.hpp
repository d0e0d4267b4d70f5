#pragma once
/// -mpmd-merge-transfers: scalars that go from one fragment to another go together.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/support/diagnostics.hpp>
#include <mpmd/transform/fragment_merger.hpp>

namespace mpmd {

/// Transfers of replicated tensors of one element and one type, not to or from host memory, whose operands one fragment
/// makes and that only one other fragment uses, are joined by one transfer of a tensor of all their elements: the first
/// fragment concatenates them, in program order, and the second takes them apart again. The new transfer notes
/// `concat_transfer`. What is not used any more stays, for fragment_dce. Near-linear.
struct merge_transfers {
  static constexpr std::string_view name = "mpmd-merge-transfers";
  static constexpr std::string_view summary = "Send scalars that go from one fragment to another together";
  static constexpr auto options = std::tuple{};

  template <mutable_mpmd_program P>
  bool operator()(P& p, diagnostics&) const {
    for (op_t<P> const f : distributed_functions(p)) {
      std::vector<group<P>> groups;
      find_groups(p, f, groups);
      std::unordered_map<op_t<P>, op_t<P>> now;  // fragments that had to be made anew
      for (group<P>& g : groups)
        if (g.transfers.size() > 1) merge(p, g, now);
    }
    return true;
  }

 private:
  template <class P>
  struct group {
    op_t<P> from{}, to{};
    type_t<P> sent{}, received{};
    std::vector<op_t<P>> transfers = {};
    std::vector<std::size_t> results = {};  // of `from`, one a transfer
  };

  template <mutable_mpmd_program P>
  static bool may_merge(P const& p, type_t<P> t) {
    using traits = ir_traits<P>;
    if (!traits::is_replicated(p, t) || traits::memory_kind_of(p, t) == "pinned_host") return false;
    auto const shape = traits::shape_of(p, t);
    if (!shape) return false;
    for (std::int64_t const extent : *shape)
      if (extent != 1) return false;
    return true;
  }

  template <mutable_mpmd_program P>
  static void find_groups(P const& p, op_t<P> f, std::vector<group<P>>& groups) {
    using traits = ir_traits<P>;
    std::unordered_map<value_t<P>, std::size_t> number;  // of results of fragments
    std::unordered_map<op_t<P>, std::vector<std::size_t>> by_consumer;
    for (op_t<P> const o : body_of(p, f)) {
      if (is_fragment(p, o)) {
        std::size_t i = 0;
        for (value_t<P> const v : traits::results(p, o)) number.emplace(v, i++);
        continue;
      }
      if (traits::role_of(p, o) != role::transfer) continue;
      value_t<P> const sent = operand_of(p, o), received = result_of(p, o);
      auto const at = number.find(sent);
      if (at == number.end() || !may_merge(p, traits::type_of(p, sent)) || !may_merge(p, traits::type_of(p, received)))
        continue;
      op_t<P> to{};
      bool one = true;
      for (auto const& u : traits::uses(p, received)) {
        one = one && (!to || to == u.user) && is_fragment(p, u.user);
        to = u.user;
      }
      if (!one || !to) continue;
      op_t<P> const from = mpmd::defining_op(p, sent);
      group<P>* mine = nullptr;
      for (std::size_t const g : by_consumer[to])
        if (groups[g].from == from && groups[g].sent == traits::type_of(p, sent) &&
            groups[g].received == traits::type_of(p, received))
          mine = &groups[g];
      if (mine == nullptr) {
        by_consumer[to].push_back(groups.size());
        groups.push_back({from, to, traits::type_of(p, sent), traits::type_of(p, received)});
        mine = &groups.back();
      }
      mine->transfers.push_back(o);
      mine->results.push_back(at->second);
    }
  }

  template <mutable_mpmd_program P>
  static void merge(P& p, group<P>& g, std::unordered_map<op_t<P>, op_t<P>>& now) {
    using traits = ir_traits<P>;
    // By the fragment as it was at first: the handles of erased ops are given out again.
    auto current = [&now](op_t<P> o) {
      auto const at = now.find(o);
      return at == now.end() ? o : at->second;
    };
    auto const count = static_cast<std::int64_t>(g.transfers.size());
    op_t<P> const from = current(g.from), to = current(g.to);
    type_t<P> const one = traits::tensor_type_of(p, g.sent);
    type_t<P> const single = traits::with_shape(p, one, {1}), many = traits::with_shape(p, one, {count});
    auto make = [&](op_recipe<P> recipe, insertion_point<P> at) {
      recipe.where = traits::location_of(p, g.transfers.front());
      return result_of(p, traits::create(p, recipe, at));
    };

    // In the first fragment.
    op_t<P> const end = terminator_of(p, from);
    auto returned = operands_of(p, end);
    std::vector<value_t<P>> parts;
    for (std::size_t const r : g.results)
      parts.push_back(make({.operands = {returned[r]}, .results = {single}}, insertion_point<P>::before(end)));
    returned.push_back(make({.operands = std::move(parts), .results = {many}, .tensor = tensor_op::concatenate},
                            insertion_point<P>::before(end)));
    traits::set_operands(p, end, returned);
    auto const results = results_of(p, from);
    auto types = types_of(p, results);
    types.push_back(traits::with_shape(p, g.sent, {count}));
    op_t<P> const made = traits::recreate(p, from, operands_of(p, from), types);
    auto const made_results = results_of(p, made);
    for (std::size_t i = 0; i < results.size(); ++i) replace_uses(p, results[i], made_results[i]);
    traits::erase(p, from);
    now[g.from] = made;

    // Between them.
    op_t<P> const transfer = traits::create(p,
                                            op_recipe<P>{.what = role::transfer,
                                                         .operands = {made_results.back()},
                                                         .results = {traits::with_shape(p, g.received, {count})},
                                                         .where = traits::location_of(p, g.transfers.front())},
                                            insertion_point<P>::before(g.transfers.front()));
    traits::set_note(p, transfer, "concat_transfer", unit_note{});

    // In the second.
    std::unordered_map<value_t<P>, std::int64_t> position;
    for (std::int64_t i = 0; i < count; ++i) position.emplace(result_of(p, g.transfers[static_cast<std::size_t>(i)]), i);
    op_t<P> const first = body_of(p, to).front();
    auto const operands = operands_of(p, to);
    std::vector<value_t<P>> arguments;
    for (auto&& a : mpmd::arguments(p, to)) arguments.push_back(a);
    std::size_t const seen = arguments.size();
    value_t<P> const whole = traits::add_argument(p, to, many, traits::location_of(p, transfer));
    for (std::size_t i = 0; i < seen; ++i) {
      auto const at = position.find(operands[i]);
      if (at == position.end()) continue;
      value_t<P> const slice =
          make({.operands = {whole},
                .results = {single},
                .tensor = tensor_op::slice,
                .bounds = {{at->second, at->second + 1}}},
               insertion_point<P>::before(first));
      replace_uses(p, arguments[i], make({.operands = {slice}, .results = {one}}, insertion_point<P>::before(first)));
    }
    auto inputs = operands;
    inputs.insert(inputs.begin() + static_cast<std::ptrdiff_t>(seen), result_of(p, transfer));
    traits::set_operands(p, to, inputs);
    if (inputs.size() > seen + 1) traits::set_note(p, to, control_start_note, static_cast<std::int64_t>(seen + 1));
  }
};

}  // namespace mpmd
