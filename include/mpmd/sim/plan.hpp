#pragma once
/// What a simulation knows of a program before it runs: where values are kept, and after which op they go.

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::sim {

/// Numbers the values of each function densely and finds the last op that needs each. A value goes when the
/// op of its own block which uses it last is done: a value used in a loop from outside goes behind the loop.
/// Functions are planned when first asked for, each in time linear in its size.
class program_plan {
 public:
  explicit program_plan(ir::program const& p)
      : p_(&p), slots_(p.value_capacity(), none), released_(p.op_capacity()) {}

  /// How many values the function has.
  std::uint32_t slot_count(ir::op function) {
    auto const [at, fresh] = functions_.try_emplace(function, 0);
    if (fresh) at->second = plan(function);
    return at->second;
  }
  std::uint32_t slot(ir::value v) const { return slots_[v.id]; }
  /// The values that nothing needs once the op is done.
  std::span<std::uint32_t const> released_by(ir::op o) const {
    return std::span(releases_).subspan(released_[o.id].first, released_[o.id].second);
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;

  struct kept {
    ir::op last;
    std::uint32_t depth = 0;  // of the ops in the block that defines the value
  };

  std::uint32_t plan(ir::op function) {
    std::vector<kept> values;
    std::vector<ir::op> path;  // the ops around the one that is visited, and that one
    std::vector<ir::op> all;
    ir::walk_around(
        *p_, function,
        [&](ir::op o) {
          path.push_back(o);
          all.push_back(o);
          for (ir::value const v : p_->operands(o)) {
            std::uint32_t const s = slots_[v.id];
            if (s != none && s < values.size() && values[s].depth < path.size())
              values[s].last = path[values[s].depth];
          }
          for (ir::region const r : p_->regions(o))
            for (ir::block const b : ir::blocks(*p_, r))
              for (ir::value const v : p_->arguments(b))
                add(v, values, {{}, static_cast<std::uint32_t>(path.size())});
          for (ir::value const v : p_->results(o))
            add(v, values, {o, static_cast<std::uint32_t>(path.size() - 1)});
        },
        [&](ir::op) { path.pop_back(); });
    // Bucket sort by op.
    for (auto const& v : values)
      if (v.last) ++released_[v.last.id].second;
    for (ir::op const o : all) {
      released_[o.id].first = static_cast<std::uint32_t>(releases_.size());
      releases_.resize(releases_.size() + std::exchange(released_[o.id].second, 0));
    }
    for (std::uint32_t s = 0; s < values.size(); ++s)
      if (ir::op const o = values[s].last) releases_[released_[o.id].first + released_[o.id].second++] = s;
    return static_cast<std::uint32_t>(values.size());
  }
  void add(ir::value v, std::vector<kept>& values, kept what) {
    slots_[v.id] = static_cast<std::uint32_t>(values.size());
    values.push_back(what);
  }

  ir::program const* p_;
  std::vector<std::uint32_t> slots_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> released_;  // of each op: where in releases_, how many
  std::vector<std::uint32_t> releases_;
  std::unordered_map<ir::op, std::uint32_t> functions_;
};

}  // namespace mpmd::sim
