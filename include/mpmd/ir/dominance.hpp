#pragma once
/// Dominance between the blocks of a region: a block dominates another when every way from the entry block to
/// the other leads through it.

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/program.hpp>
#include <mpmd/ir/walk.hpp>

namespace mpmd::ir {

/// The dominator tree of one region. Built in O((blocks + edges) log blocks) without recursion, by the
/// algorithm of Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph" (TOPLAS 1979),
/// in its simple form.
class dominator_tree {
 public:
  dominator_tree(program const& in, region of) {
    number_in_depth_first_order(in, of);
    find_immediate_dominators();
    number_tree();
  }

  /// Whether there is a way from the entry block to this one.
  bool is_reachable(block b) const { return index_.contains(b); }
  /// Whether `a` dominates `b`; a block dominates itself. False if either is unreachable. O(1).
  bool dominates(block a, block b) const {
    auto const x = index_.find(a), y = index_.find(b);
    if (x == index_.end() || y == index_.end()) return false;
    node const& over = nodes_[x->second];
    node const& under = nodes_[y->second];
    return over.first <= under.first && under.first < over.first + over.size;
  }
  /// The closest other block that dominates this one; none for the entry and for unreachable blocks.
  block immediate_dominator(block b) const {
    auto const at = index_.find(b);
    return at == index_.end() || at->second == 0 ? block{} : nodes_[nodes_[at->second].dominator].of;
  }
  /// The blocks that can be reached, in depth-first order from the entry.
  std::vector<block> reachable() const {
    std::vector<block> found;
    for (node const& n : nodes_) found.push_back(n.of);
    return found;
  }

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  struct node {
    block of;
    std::uint32_t parent = none;  // in the depth-first tree
    std::uint32_t semi = 0;       // semidominator, a depth-first number
    std::uint32_t ancestor = none;
    std::uint32_t label = 0;
    std::uint32_t dominator = 0;
    std::uint32_t first = 0;  // interval of the subtree of dominated blocks
    std::uint32_t size = 1;
    std::vector<std::uint32_t> predecessors = {};
  };

  void number_in_depth_first_order(program const& in, region of) {
    struct open_block {
      block at;
      std::uint32_t number;
      std::size_t next = 0;
    };
    std::vector<std::pair<std::uint32_t, block>> edges;
    std::vector<open_block> path;
    auto enter = [&](block b, std::uint32_t parent) {
      auto const number = static_cast<std::uint32_t>(nodes_.size());
      if (!index_.emplace(b, number).second) return;
      nodes_.push_back({b, parent, number, none, number});
      path.push_back({b, number});
    };
    if (block const entry = in.first_block(of)) enter(entry, none);
    while (!path.empty()) {
      open_block& top = path.back();
      op const last = in.last_op(top.at);
      auto const successors = last ? in.successors(last) : std::span<block const>{};
      if (top.next == successors.size()) {
        path.pop_back();
        continue;
      }
      block const to = successors[top.next++];
      std::uint32_t const from = top.number;
      if (in.parent_region(to) != of) continue;  // malformed; the verifier says so
      edges.emplace_back(from, to);
      enter(to, from);
    }
    for (auto const& [from, to] : edges) nodes_[index_.at(to)].predecessors.push_back(from);
  }

  /// The node with the smallest semidominator on the path to the root of the forest built so far.
  std::uint32_t evaluate(std::uint32_t v) {
    if (nodes_[v].ancestor == none) return v;
    std::vector<std::uint32_t> path;
    for (std::uint32_t at = v; nodes_[nodes_[at].ancestor].ancestor != none; at = nodes_[at].ancestor)
      path.push_back(at);
    while (!path.empty()) {
      node& n = nodes_[path.back()];
      path.pop_back();
      node const& above = nodes_[n.ancestor];
      if (nodes_[above.label].semi < nodes_[n.label].semi) n.label = above.label;
      n.ancestor = above.ancestor;
    }
    return nodes_[v].label;
  }

  void find_immediate_dominators() {
    auto const count = static_cast<std::uint32_t>(nodes_.size());
    std::vector<std::vector<std::uint32_t>> bucket(count);
    for (std::uint32_t w = count; w-- > 1;) {
      for (std::uint32_t const v : nodes_[w].predecessors)
        nodes_[w].semi = std::min(nodes_[w].semi, nodes_[evaluate(v)].semi);
      bucket[nodes_[w].semi].push_back(w);
      std::uint32_t const parent = nodes_[w].parent;
      nodes_[w].ancestor = parent;
      for (std::uint32_t const v : bucket[parent]) {
        std::uint32_t const u = evaluate(v);
        nodes_[v].dominator = nodes_[u].semi < nodes_[v].semi ? u : parent;
      }
      bucket[parent].clear();
    }
    for (std::uint32_t w = 1; w < count; ++w)
      if (nodes_[w].dominator != nodes_[w].semi) nodes_[w].dominator = nodes_[nodes_[w].dominator].dominator;
  }

  void number_tree() {
    // A dominator has a smaller depth-first number than what it dominates.
    for (std::size_t w = nodes_.size(); w-- > 1;) nodes_[nodes_[w].dominator].size += nodes_[w].size;
    std::vector<std::uint32_t> next(nodes_.size(), 1);
    for (std::size_t w = 1; w < nodes_.size(); ++w) {
      std::uint32_t& free = next[nodes_[w].dominator];
      nodes_[w].first = nodes_[nodes_[w].dominator].first + free;
      free += nodes_[w].size;
    }
  }

  std::unordered_map<block, std::uint32_t> index_;
  std::vector<node> nodes_;  // by depth-first number
};

}  // namespace mpmd::ir
