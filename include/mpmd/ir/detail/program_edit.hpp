#pragma once
/// How a program is edited: the definitions of ir/program.hpp, which includes this.

#include <algorithm>
#include <bit>

#include <mpmd/ir/program.hpp>

namespace mpmd::ir {

inline op program::create(op_state const& state) {
  ++revision_;
  op o;
  if (!free_ops_.empty()) {
    o = free_ops_.back();
    free_ops_.pop_back();
    ops_[o.id] = {};
    details_[o.id] = {};
  } else {
    o = {static_cast<std::uint32_t>(ops_.size())};
    push(ops_, op_slot{});
    push(details_, op_details{});
  }
  auto const operands = static_cast<std::uint32_t>(operand_values_.size());
  for (value const v : state.operands) {
    auto const slot = static_cast<std::uint32_t>(operand_values_.size());
    push(operand_values_, v);
    push(operand_links_, operand_link{});
    attach_use(slot, o, v);
  }
  auto const results = static_cast<std::uint32_t>(values_.size());
  for (std::uint32_t i = 0; i < state.results.size(); ++i) {
    push(values_, value_slot{o.id, i, none});
    push(types_, state.results[i]);
  }
  auto const regions = static_cast<std::uint32_t>(region_lists_.size());
  for (region const r : state.regions) {
    assert(!regions_[r.id].parent && "the region already belongs to an op");
    regions_[r.id].parent = o;
    region_lists_.push_back(r);
  }
  op_slot& slot = ops_[o.id];
  slot.kind = state.kind;
  slot.operands = operands;
  slot.operand_count = static_cast<std::uint32_t>(state.operands.size());
  slot.results = results;
  assert(state.results.size() <= 0x1FFFFFFF && state.regions.size() <= 0xFFFF);
  slot.result_count = static_cast<std::uint32_t>(state.results.size()) & 0x1FFFFFFFu;
  slot.has_regions = state.regions.empty() ? 0 : 1;
  op_details& more = details_[o.id];
  more.regions = regions;
  more.region_count = static_cast<std::uint16_t>(state.regions.size());
  more.properties = or_empty(state.properties);
  more.attributes = or_empty(state.attributes);
  note_attributes(o);
  more.text = state.where.text;
  more.given = state.where.given;
  if (!state.successors.empty()) set_successors(o, state.successors);
  return o;
}

inline void program::link(block to, op before, op o) {
  assert(!ops_[o.id].parent && "the op already stands in a block");
  ++revision_;
  block_slot& b = blocks_[to.id];
  op_slot& s = ops_[o.id];
  s.parent = to;
  s.next = before;
  s.previous = before ? ops_[before.id].previous : b.last;
  (s.previous ? ops_[s.previous.id].next : b.first) = o;
  (before ? ops_[before.id].previous : b.last) = o;
  std::uint64_t& order = details_[o.id].order;
  // Far from either end, so that ops can be put before the first and behind the last for as long as memory lasts.
  constexpr std::uint64_t middle = std::uint64_t{1} << 61, stride = std::uint64_t{1} << 20;
  if (!s.previous) {
    order = before ? details_[before.id].order - stride : middle;
  } else if (!before) {
    order = details_[s.previous.id].order + stride;
  } else {
    if (details_[before.id].order - details_[s.previous.id].order < 2) make_room_behind(s.previous);
    std::uint64_t const low = details_[s.previous.id].order;
    order = low + (details_[before.id].order - low) / 2;
  }
}

/// Spreads the order of the ops around `o` so that there is a gap between it and what follows the op behind it, which
/// has just been linked and has no order yet. The smallest range of numbers that is sparse enough is spread evenly (M. A.
/// Bender et al., Two Simplified Algorithms for Maintaining Order in a List, 2002).
inline void program::make_room_behind(op o) {
  op const fresh = next_op(o);
  auto left_of = [&](op at) { return previous_op(at) == fresh ? o : previous_op(at); };
  auto right_of = [&](op at) { return next_op(at) == fresh ? next_op(fresh) : next_op(at); };
  op first = o, last = o;
  std::uint64_t count = 1;
  double limit = 1;
  for (unsigned bits = 1;; ++bits) {
    limit *= 4.0 / 3;
    std::uint64_t const size = std::uint64_t{1} << bits;
    std::uint64_t const base = details_[o.id].order & ~(size - 1);
    for (op at = left_of(first); at && details_[at.id].order >= base; at = left_of(at), ++count) first = at;
    for (op at = right_of(last); at && details_[at.id].order < base + size; at = right_of(at), ++count) last = at;
    if (static_cast<double>(count) >= limit || size / count < 2) continue;
    std::uint64_t const step = size / count;
    std::uint64_t order = base;
    for (op at = first;; at = right_of(at), order += step) {
      details_[at.id].order = order;
      if (at == last) return;
    }
  }
}

inline void program::unlink(op o) {
  ++revision_;
  op_slot& s = ops_[o.id];
  if (!s.parent) return;
  block_slot& b = blocks_[s.parent.id];
  (s.previous ? ops_[s.previous.id].next : b.first) = s.next;
  (s.next ? ops_[s.next.id].previous : b.last) = s.previous;
  s.parent = {};
  s.previous = {};
  s.next = {};
}

inline bool program::is_before(op a, op b) const {
  assert(parent_block(a) && parent_block(a) == parent_block(b));
  return details_[a.id].order < details_[b.id].order;
}

inline void program::attach_use(std::uint32_t slot, op owner, value v) {
  operand_values_[slot] = v;
  std::uint32_t& first = values_[v.id].first_use;
  operand_links_[slot] = {owner, none, first};
  if (first != none) operand_links_[first].previous = slot;
  first = slot;
}

inline void program::detach_use(std::uint32_t slot) {
  operand_link const l = operand_links_[slot];
  if (l.previous != none)
    operand_links_[l.previous].next = l.next;
  else
    values_[operand_values_[slot].id].first_use = l.next;
  if (l.next != none) operand_links_[l.next].previous = l.previous;
}

inline void program::set_operand(op o, std::uint32_t i, value to) {
  ++revision_;
  std::uint32_t const slot = slot_of(o, i);
  detach_use(slot);
  attach_use(slot, o, to);
}

/// Moves the operands to the end of the pool with room for `room` more; their places in use chains stay.
inline void program::relocate_operands(op o, std::uint32_t room) {
  op_slot& s = ops_[o.id];
  auto const to = static_cast<std::uint32_t>(operand_values_.size());
  operand_values_.resize(to + s.operand_count + room);
  operand_links_.resize(to + s.operand_count + room);
  for (std::uint32_t i = 0; i < s.operand_count; ++i) {
    std::uint32_t const from = s.operands + i;
    operand_values_[to + i] = operand_values_[from];
    operand_link const l = operand_links_[from];
    operand_links_[to + i] = l;
    (l.previous != none ? operand_links_[l.previous].next : values_[operand_values_[from].id].first_use) = to + i;
    if (l.next != none) operand_links_[l.next].previous = to + i;
  }
  s.operands = to;
  details_[o.id].operand_room = static_cast<std::uint16_t>(room);
}

inline void program::append_operand(op o, value v) {
  ++revision_;
  if (details_[o.id].operand_room == 0 && slot_of(o, operand_count(o)) == operand_values_.size()) {
    push(operand_values_, value{});  // the last in the pool: grows where it is
    push(operand_links_, operand_link{});
    details_[o.id].operand_room = 1;
  } else if (details_[o.id].operand_room == 0) {
    // Doubling keeps appends amortised O(1), up to the width of the field.
    relocate_operands(o, std::min(std::bit_ceil(ops_[o.id].operand_count + 1), 0x8000u));
  }
  op_slot& s = ops_[o.id];
  std::uint32_t const slot = s.operands + s.operand_count;
  ++s.operand_count;
  --details_[o.id].operand_room;
  attach_use(slot, o, v);
}

inline void program::erase_operand(op o, std::uint32_t i) {
  ++revision_;
  op_slot& s = ops_[o.id];
  detach_use(s.operands + i);
  for (std::uint32_t at = s.operands + i; at + 1 < s.operands + s.operand_count; ++at) {
    operand_values_[at] = operand_values_[at + 1];
    operand_link const l = operand_links_[at + 1];
    operand_links_[at] = l;
    (l.previous != none ? operand_links_[l.previous].next : values_[operand_values_[at].id].first_use) = at;
    if (l.next != none) operand_links_[l.next].previous = at;
  }
  --s.operand_count;
  if (details_[o.id].operand_room < 0xFFFF) ++details_[o.id].operand_room;
}

inline void program::erase_operands(op o, std::span<std::uint32_t const> positions) {
  if (positions.empty()) return;
  ++revision_;
  op_slot& s = ops_[o.id];
  auto gone = positions.begin();
  std::uint32_t to = s.operands + positions.front();
  for (std::uint32_t at = to; at < s.operands + s.operand_count; ++at) {
    if (gone != positions.end() && s.operands + *gone == at) {
      detach_use(at);
      ++gone;
      continue;
    }
    operand_values_[to] = operand_values_[at];
    operand_link const l = operand_links_[at];
    operand_links_[to] = l;
    (l.previous != none ? operand_links_[l.previous].next : values_[operand_values_[at].id].first_use) = to;
    if (l.next != none) operand_links_[l.next].previous = to;
    ++to;
  }
  assert(gone == positions.end() && "the positions do not ascend, or are too large");
  s.operand_count = to - s.operands;
  details_[o.id].operand_room = static_cast<std::uint16_t>(
      std::min<std::size_t>(0xFFFF, details_[o.id].operand_room + positions.size()));
}

inline void program::set_operands(op o, std::span<value const> to) {
  std::vector<value> const wanted(to.begin(), to.end());  // `to` may view this op's own operands
  for (std::uint32_t i = operand_count(o); i-- > wanted.size();) erase_operand(o, i);
  for (std::uint32_t i = 0; i < operand_count(o); ++i) set_operand(o, i, wanted[i]);
  for (std::size_t i = operand_count(o); i < wanted.size(); ++i) append_operand(o, wanted[i]);
}

inline void program::replace_all_uses(value from, value to) {
  if (from == to) return;
  ++revision_;
  for (std::uint32_t slot = values_[from.id].first_use; slot != none;) {
    std::uint32_t const next = operand_links_[slot].next;
    attach_use(slot, operand_links_[slot].owner, to);
    slot = next;
  }
  values_[from.id].first_use = none;
}

inline region program::create_region() {
  regions_.emplace_back();
  return {static_cast<std::uint32_t>(regions_.size() - 1)};
}

inline block program::append_block(region in) {
  ++revision_;
  block const b{static_cast<std::uint32_t>(blocks_.size())};
  region_slot& r = regions_[in.id];
  blocks_.push_back({in, r.last, {}, {}, {}});
  (r.last ? blocks_[r.last.id].next : r.first) = b;
  r.last = b;
  return b;
}

inline void program::move_block(block b, region to) {
  ++revision_;
  block_slot& s = blocks_[b.id];
  if (s.parent) {
    region_slot& from = regions_[s.parent.id];
    (s.previous ? blocks_[s.previous.id].next : from.first) = s.next;
    (s.next ? blocks_[s.next.id].previous : from.last) = s.previous;
  }
  region_slot& r = regions_[to.id];
  s.parent = to;
  s.previous = r.last;
  s.next = {};
  (r.last ? blocks_[r.last.id].next : r.first) = b;
  r.last = b;
}

inline void program::erase_block(block b) {
  while (op const last = last_op(b)) erase(last);
  ++revision_;
  block_slot& s = blocks_[b.id];
  for (value const v : s.arguments) argument_locations_.erase(v.id);
  region_slot& from = regions_[s.parent.id];
  (s.previous ? blocks_[s.previous.id].next : from.first) = s.next;
  (s.next ? blocks_[s.next.id].previous : from.last) = s.previous;
  s = {};
}

inline value program::add_argument(block b, type of, location where) {
  ++revision_;
  value const v{static_cast<std::uint32_t>(values_.size())};
  auto& arguments = blocks_[b.id].arguments;
  push(values_, value_slot{b.id, static_cast<std::uint32_t>(arguments.size()) | argument_bit, none});
  push(types_, of);
  arguments.push_back(v);
  if (where != location{}) argument_locations_[v.id] = where;
  return v;
}

inline void program::erase_argument(block b, std::uint32_t i) {
  ++revision_;
  auto& arguments = blocks_[b.id].arguments;
  assert(is_unused(arguments[i]) && "the argument is still used");
  argument_locations_.erase(arguments[i].id);
  arguments.erase(arguments.begin() + i);
  for (; i < arguments.size(); ++i) values_[arguments[i].id].position = i | argument_bit;
}

inline void program::erase_arguments(block b, std::span<std::uint32_t const> positions) {
  ++revision_;
  auto& arguments = blocks_[b.id].arguments;
  auto gone = positions.begin();
  std::uint32_t kept = 0;
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    if (gone != positions.end() && *gone == i) {
      assert(is_unused(arguments[i]) && "the argument is still used");
      argument_locations_.erase(arguments[i].id);
      ++gone;
      continue;
    }
    values_[arguments[i].id].position = kept | argument_bit;
    arguments[kept++] = arguments[i];
  }
  assert(gone == positions.end() && "the positions do not ascend, or are too large");
  arguments.resize(kept);
}

inline void program::release(op o) {
  for (std::uint32_t i = 0; i < ops_[o.id].operand_count; ++i) detach_use(slot_of(o, i));
  successors_.erase(o.id);
  ops_[o.id] = {};
  details_[o.id] = {};
  free_ops_.push_back(o);
}

inline void program::erase(op o) {
  unlink(o);
  // Collected outside in and released inside out, users before definitions, on a list instead of the call stack.
  std::vector<op> doomed{o};
  std::vector<block> emptied;
  for (std::size_t i = 0; i < doomed.size(); ++i)
    for (region const r : regions(doomed[i]))
      for (block b = first_block(r); b; b = next_block(b)) {
        emptied.push_back(b);
        for (op inner = first_op(b); inner; inner = next_op(inner)) doomed.push_back(inner);
      }
  for (std::size_t i = doomed.size(); i-- > 0;)
    for (std::uint32_t k = 0; k < operand_count(doomed[i]); ++k) detach_use(slot_of(doomed[i], k));
  for (op const d : doomed) {
    for ([[maybe_unused]] value const r : results(d)) assert(is_unused(r) && "an erased result is still used");
    ops_[d.id].operand_count = 0;
    release(d);
  }
  for (block const b : emptied) {
    for (value const v : arguments(b)) argument_locations_.erase(v.id);
    blocks_[b.id] = {};
  }
}

inline op program::clone(op o, value_map& map) {
  auto mapped = [&map](value v) {
    auto const at = map.find(v);
    return at == map.end() ? v : at->second;
  };
  // Two passes: copies with their original operands first, then operands redirected, so that uses of values which
  // are defined later (in another block) find their copies.
  auto copy_one = [&](op from) {
    op_state state{.kind = kind(from), .properties = properties(from), .attributes = attributes(from),
                   .where = where(from)};
    state.operands.assign(operands(from).begin(), operands(from).end());
    for (value const r : results(from)) state.results.push_back(type_of(r));
    for (std::size_t i = 0; i < regions(from).size(); ++i) state.regions.push_back(create_region());
    op const to = create(state);
    for (std::uint32_t i = 0; i < result_count(from); ++i) map[result(from, i)] = result(to, i);
    return to;
  };
  std::vector<std::pair<op, op>> copies{{o, copy_one(o)}};
  std::unordered_map<block, block> blocks;
  for (std::size_t i = 0; i < copies.size(); ++i) {
    auto const [from, to] = copies[i];
    for (std::size_t r = 0; r < regions(from).size(); ++r) {
      for (block b = first_block(regions(from)[r]); b; b = next_block(b)) {
        block const copy = append_block(regions(to)[r]);
        blocks[b] = copy;
        for (std::uint32_t a = 0; a < arguments(b).size(); ++a) {
          value const old = argument(b, a);
          map[old] = add_argument(copy, type_of(old), argument_where(old));
        }
        for (op inner = first_op(b); inner; inner = next_op(inner)) {
          op const inner_copy = copy_one(inner);
          append(copy, inner_copy);
          copies.emplace_back(inner, inner_copy);
        }
      }
    }
  }
  for (auto const& [from, to] : copies) {
    for (std::uint32_t i = 0; i < operand_count(to); ++i)
      if (value const v = mapped(operand(to, i)); v != operand(to, i)) set_operand(to, i, v);
    if (auto const targets = successors(from); !targets.empty()) {
      std::vector<block> moved;
      for (block const b : targets) {
        auto const at = blocks.find(b);
        moved.push_back(at == blocks.end() ? b : at->second);
      }
      set_successors(to, std::move(moved));
    }
  }
  return copies.front().second;
}

}  // namespace mpmd::ir
