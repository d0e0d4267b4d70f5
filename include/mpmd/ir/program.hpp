#pragma once
/// A program: ops, values, blocks and regions in arenas, edited in place.
///
/// Everything is named by a 32-bit handle which stays valid until the thing is erased; slots of erased ops
/// are used again. Def-use chains are intrusive and keep the most recent use first, as MLIR does: the order
/// of uses is observable in printed use sets. An op takes 64 bytes, half of them apart from what walks look
/// at; an operand 16, a result 16.

#include <cassert>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <mpmd/ir/context.hpp>
#include <mpmd/ir/handles.hpp>

namespace mpmd::ir {

/// What create() needs to know of an op.
struct op_state {
  name kind;
  std::vector<value> operands = {};
  std::vector<type> results = {};
  attribute properties = {};  ///< inherent attributes, a dictionary; null = none
  attribute attributes = {};  ///< discardable attributes, a dictionary; null = none
  location where = {};
  std::vector<region> regions = {};  ///< detached regions which the op takes over
  std::vector<block> successors = {};
};

/// One use of a value: operand `index` of `user`.
struct use {
  op user;
  std::uint32_t index = 0;
  friend bool operator==(use, use) = default;
};

class program {
 public:
  explicit program(std::shared_ptr<ir::context> in) : context_(std::move(in)) {
    region const body = create_region();
    append_block(body);
    root_ = create({.kind = {static_cast<std::uint32_t>(opcode::builtin_module)}, .regions = {body}});
  }
  program() : program(std::make_shared<ir::context>()) {}
  program(program&&) = default;
  program& operator=(program&&) = default;
  program(program const&) = delete;
  program& operator=(program const&) = delete;

  ir::context& context() const { return *context_; }
  std::shared_ptr<ir::context> const& shared_context() const { return context_; }
  /// The outermost `builtin.module`.
  op root() const { return root_; }
  /// The one block of the outermost module.
  block body() const { return first_block(regions(root_)[0]); }
  /// Grows with every edit of structure; equal revisions mean that facts computed earlier still fit.
  std::uint64_t revision() const { return revision_; }

  // --- Ops -------------------------------------------------------------------------------------------------------

  /// Upper bound of op ids, for arrays indexed by op.
  std::uint32_t op_capacity() const { return static_cast<std::uint32_t>(ops_.size()); }
  std::uint32_t value_capacity() const { return static_cast<std::uint32_t>(values_.size()); }

  /// Makes an op that is in no block yet.
  op create(op_state const& state);
  /// Unlinks and destroys an op with all its regions; none of its results may be used by ops outside it.
  void erase(op o);
  /// Takes an op out of its block without destroying it.
  void unlink(op o);
  void append(block to, op o) { link(to, {}, o); }
  void prepend(block to, op o) { link(to, first_op(to), o); }
  void insert_before(op anchor, op o) { link(parent_block(anchor), anchor, o); }
  void insert_after(op anchor, op o) { link(parent_block(anchor), next_op(anchor), o); }
  void move_before(op anchor, op o) {
    if (anchor == o) return;
    unlink(o);
    insert_before(anchor, o);
  }

  name kind(op o) const { return ops_[o.id].kind; }
  bool is(op o, opcode code) const { return ops_[o.id].kind.id == static_cast<std::uint32_t>(code); }
  std::string_view kind_text(op o) const { return context_->text(kind(o)); }
  /// Facts about the kind of op, or null for a foreign op.
  op_info const* info(op o) const { return info_of(kind(o).id); }
  bool has_trait(op o, op_trait t) const {
    auto const* i = info(o);
    return i != nullptr && i->has(t);
  }
  location where(op o) const { return {details_[o.id].text, details_[o.id].given}; }
  void set_where(op o, location at) {
    details_[o.id].text = at.text;
    details_[o.id].given = at.given;
  }

  std::span<value const> operands(op o) const {
    return {operand_values_.data() + ops_[o.id].operands, ops_[o.id].operand_count};
  }
  value operand(op o, std::uint32_t i) const { return operands(o)[i]; }
  std::uint32_t operand_count(op o) const { return ops_[o.id].operand_count; }
  void set_operand(op o, std::uint32_t i, value to);
  void append_operand(op o, value v);
  void erase_operand(op o, std::uint32_t i);
  /// The operands at these positions, which ascend. O(operands of o).
  void erase_operands(op o, std::span<std::uint32_t const> positions);
  void set_operands(op o, std::span<value const> to);

  std::uint32_t result_count(op o) const { return ops_[o.id].result_count; }
  value result(op o, std::uint32_t i) const {
    assert(i < ops_[o.id].result_count);
    return {ops_[o.id].results + i};
  }
  /// The results, in order.
  auto results(op o) const {
    return result_range{ops_[o.id].results, ops_[o.id].results + ops_[o.id].result_count};
  }

  bool has_regions(op o) const { return ops_[o.id].has_regions != 0; }
  std::span<region const> regions(op o) const {
    return {region_lists_.data() + details_[o.id].regions, details_[o.id].region_count};
  }
  bool has_successors(op o) const { return ops_[o.id].has_successors != 0; }
  std::span<block const> successors(op o) const {
    if (!has_successors(o)) return {};
    auto const at = successors_.find(o.id);
    return at == successors_.end() ? std::span<block const>{} : std::span<block const>{at->second};
  }
  void set_successors(op o, std::vector<block> to) {
    ops_[o.id].has_successors = to.empty() ? 0 : 1;
    if (to.empty())
      successors_.erase(o.id);
    else
      successors_[o.id] = std::move(to);
  }

  // Attributes. A name is looked up among the inherent ones first.
  attribute properties(op o) const { return details_[o.id].properties; }
  attribute attributes(op o) const { return details_[o.id].attributes; }
  /// Null is no attributes.
  void set_properties(op o, attribute dictionary) {
    details_[o.id].properties = or_empty(dictionary);
    note_attributes(o);
  }
  void set_attributes(op o, attribute dictionary) {
    details_[o.id].attributes = or_empty(dictionary);
    note_attributes(o);
  }
  attribute attr(op o, std::string_view key) const {
    if (!ops_[o.id].has_attributes) return {};
    attribute const inherent = context_->lookup(properties(o), key);
    return inherent ? inherent : context_->lookup(attributes(o), key);
  }
  attribute attr(op o, attribute_key key) const {
    if (!ops_[o.id].has_attributes) return {};
    attribute const inherent = context_->lookup(properties(o), key);
    return inherent ? inherent : context_->lookup(attributes(o), key);
  }
  template <class T, class Key>
  T const* attr_if(op o, Key const& key) const {
    return context_->get_if<T>(attr(o, key));
  }
  /// Sets an attribute where it belongs: among the inherent ones if the op's kind declares it. Null removes
  /// it.
  void set_attr(op o, std::string_view key, attribute to) {
    auto const* known = info(o);
    bool const inherent = (known && known->is_inherent(key)) || context_->lookup(properties(o), key);
    attribute& in = inherent ? details_[o.id].properties : details_[o.id].attributes;
    in = context_->with(in, key, to);
    note_attributes(o);
  }
  void remove_attr(op o, std::string_view key) { set_attr(o, key, {}); }

  // --- Values ----------------------------------------------------------------------------------------------------

  type type_of(value v) const { return types_[v.id]; }
  /// Has the types fetched of results some way behind, or before, those of `o`: for walks that look at the
  /// types of few ops, each of which would wait for memory. Inlined by force: GCC takes what does nothing but
  /// this for nothing.
  template <int Results>
  [[gnu::always_inline]] void prefetch_types(op o) const {
    auto const at = reinterpret_cast<std::uintptr_t>(types_.data() + ops_[o.id].results);
    __builtin_prefetch(reinterpret_cast<void const*>(at + static_cast<std::uintptr_t>(Results) * sizeof(type)));
  }
  void set_type(value v, type to) {
    types_[v.id] = to;
    ++revision_;
  }
  bool is_argument(value v) const { return (values_[v.id].position & argument_bit) != 0; }
  /// The op that defines the value, or none for a block argument.
  op defining_op(value v) const { return is_argument(v) ? op{} : op{values_[v.id].owner}; }
  /// The block of a block argument.
  block argument_block(value v) const {
    assert(is_argument(v));
    return {values_[v.id].owner};
  }
  /// Which result, or which argument.
  std::uint32_t index_of(value v) const { return values_[v.id].position & ~argument_bit; }
  /// The block in which the value is defined.
  block block_of(value v) const { return is_argument(v) ? argument_block(v) : parent_block(defining_op(v)); }

  /// The uses, most recently added first. Editing uses while iterating invalidates the iterator.
  class use_range;
  use_range uses(value v) const;
  bool is_unused(value v) const { return values_[v.id].first_use == none; }
  bool has_one_use(value v) const {
    auto const first = values_[v.id].first_use;
    return first != none && operand_links_[first].next == none;
  }
  /// Every use of `from` becomes a use of `to`; the moved uses come first, in reversed order, as one by one.
  void replace_all_uses(value from, value to);

  // --- Blocks and regions ----------------------------------------------------------------------------------------

  region create_region();
  block append_block(region in);
  /// Takes the block with all its ops to the end of another region.
  void move_block(block b, region to);
  void erase_block(block b);
  block parent_block(op o) const { return ops_[o.id].parent; }
  op parent_op(op o) const { return parent_block(o) ? parent_op(parent_block(o)) : op{}; }
  region parent_region(block b) const { return blocks_[b.id].parent; }
  op parent_op(block b) const { return parent_op(blocks_[b.id].parent); }
  op parent_op(region r) const { return regions_[r.id].parent; }
  block first_block(region r) const { return regions_[r.id].first; }
  block last_block(region r) const { return regions_[r.id].last; }
  block next_block(block b) const { return blocks_[b.id].next; }
  block previous_block(block b) const { return blocks_[b.id].previous; }
  op first_op(block b) const { return blocks_[b.id].first; }
  op last_op(block b) const { return blocks_[b.id].last; }
  op next_op(op o) const { return ops_[o.id].next; }
  op previous_op(op o) const { return ops_[o.id].previous; }
  std::uint32_t block_capacity() const { return static_cast<std::uint32_t>(blocks_.size()); }
  /// Whether `a` stands before `b` in their common block. O(1); keeping it so costs an insertion O(log ops)
  /// amortised.
  bool is_before(op a, op b) const;

  std::span<value const> arguments(block b) const { return blocks_[b.id].arguments; }
  value argument(block b, std::uint32_t i) const { return blocks_[b.id].arguments[i]; }
  value add_argument(block b, type of, location where = {});
  void erase_argument(block b, std::uint32_t i);
  /// The arguments at these positions, which ascend. O(arguments of b).
  void erase_arguments(block b, std::span<std::uint32_t const> positions);
  location argument_where(value v) const {
    auto const at = argument_locations_.find(v.id);
    return at == argument_locations_.end() ? location{} : at->second;
  }
  void set_argument_where(value v, location where) { argument_locations_[v.id] = where; }

  // --- Whole ops -------------------------------------------------------------------------------------------------

  /// Where clones of values go; values that are not in it stay themselves.
  using value_map = std::unordered_map<value, value>;
  /// A copy of the op and everything in it, in no block; `map` gains the copies of results and block
  /// arguments.
  op clone(op o, value_map& map);

  /// Text outside ops that belongs to the file and is printed back: the `{-# ... #-}` sections.
  std::string& file_metadata() { return file_metadata_; }
  std::string const& file_metadata() const { return file_metadata_; }

  /// Bytes the arenas of the program occupy, with room they hold in advance and without the context.
  std::size_t memory_use() const {
    auto bytes = [](auto const& list) { return list.capacity() * sizeof(list[0]); };
    std::size_t total = bytes(ops_) + bytes(details_) + bytes(values_) + bytes(types_) +
                        bytes(operand_values_) + bytes(operand_links_) + bytes(region_lists_) +
                        bytes(blocks_) + bytes(regions_) + bytes(free_ops_);
    for (auto const& b : blocks_) total += bytes(b.arguments);
    return total;
  }

  struct result_range {
    struct iterator {
      using value_type = value;
      using difference_type = std::ptrdiff_t;
      std::uint32_t at = 0;
      value operator*() const { return {at}; }
      iterator& operator++() {
        ++at;
        return *this;
      }
      iterator operator++(int) { return {at++}; }
      friend bool operator==(iterator, iterator) = default;
    };
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    iterator begin() const { return {from}; }
    iterator end() const { return {to}; }
    std::size_t size() const { return to - from; }
    bool empty() const { return from == to; }
    value operator[](std::size_t i) const { return {from + static_cast<std::uint32_t>(i)}; }
  };

 private:
  static constexpr std::uint32_t none = 0xFFFFFFFFu;
  static constexpr std::uint32_t argument_bit = 0x80000000u;

  // What a sweep over a program reads stands apart from the rest, at half a cache line an op.
  struct op_slot {
    name kind;
    block parent;
    op previous;
    op next;
    std::uint32_t operands = 0;
    std::uint32_t operand_count = 0;
    std::uint32_t results = 0;
    std::uint32_t result_count : 29 = 0;
    std::uint32_t has_attributes : 1 = 0;  // of either sort
    std::uint32_t has_successors : 1 = 0;
    std::uint32_t has_regions : 1 = 0;
  };
  struct op_details {
    std::uint32_t regions = 0;
    std::uint16_t region_count = 0;
    std::uint16_t operand_room = 0;  // slots beyond operand_count that follow it and are free, saturating
    attribute properties;
    attribute attributes;
    source_position text;
    attribute given;
    std::uint64_t order = 0;  // ascending in a block, with gaps for later ops
  };
  static_assert(sizeof(op_slot) == 32 && sizeof(op_details) == 32);
  struct value_slot {
    std::uint32_t owner = none;
    std::uint32_t position = 0;
    std::uint32_t first_use = none;
  };
  struct operand_link {
    op owner;
    std::uint32_t previous = none;  // none: first of its chain
    std::uint32_t next = none;
  };
  struct block_slot {
    region parent;
    block previous;
    block next;
    op first;
    op last;
    std::vector<value> arguments = {};
  };
  struct region_slot {
    op parent;
    block first;
    block last;
  };

  /// Adds at the end. Half as much again when full, so that at most a third of an arena stands empty.
  template <class T>
  static void push(std::vector<T>& list, T item) {
    if (list.size() == list.capacity()) list.reserve(list.size() + list.size() / 2 + 16);
    list.push_back(std::move(item));
  }
  attribute or_empty(attribute dictionary) const {
    return dictionary ? dictionary : context_->empty_dictionary();
  }
  void note_attributes(op o) {
    attribute const none_at_all = context_->empty_dictionary();
    op_details const& d = details_[o.id];
    ops_[o.id].has_attributes = d.properties != none_at_all || d.attributes != none_at_all ? 1 : 0;
  }
  std::uint32_t slot_of(op o, std::uint32_t i) const { return ops_[o.id].operands + i; }
  void link(block to, op before, op o);
  void make_room_behind(op o);
  void attach_use(std::uint32_t slot, op owner, value v);
  void detach_use(std::uint32_t slot);
  void relocate_operands(op o, std::uint32_t room);
  void release(op o);

  std::shared_ptr<ir::context> context_;
  op root_;
  std::uint64_t revision_ = 0;
  std::vector<op_slot> ops_;
  std::vector<op_details> details_;  // by op
  std::vector<value_slot> values_;
  std::vector<type> types_;  // by value; apart, since many passes look at these alone, here and there
  std::vector<value> operand_values_;
  std::vector<operand_link> operand_links_;
  std::vector<region> region_lists_;
  std::vector<block_slot> blocks_;
  std::vector<region_slot> regions_;
  std::vector<op> free_ops_;
  std::unordered_map<std::uint32_t, std::vector<block>> successors_;
  std::unordered_map<std::uint32_t, location> argument_locations_;
  std::string file_metadata_;
};

class program::use_range {
 public:
  struct iterator {
    using value_type = use;
    using difference_type = std::ptrdiff_t;
    program const* in = nullptr;
    std::uint32_t slot = none;
    use operator*() const {
      op const user = in->operand_links_[slot].owner;
      return {user, slot - in->ops_[user.id].operands};
    }
    iterator& operator++() {
      slot = in->operand_links_[slot].next;
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    friend bool operator==(iterator const& a, iterator const& b) { return a.slot == b.slot; }
  };
  use_range(program const* in, std::uint32_t first) : in_(in), first_(first) {}
  iterator begin() const { return {in_, first_}; }
  iterator end() const { return {in_, none}; }
  bool empty() const { return first_ == none; }

 private:
  program const* in_;
  std::uint32_t first_;
};

inline program::use_range program::uses(value v) const { return {this, values_[v.id].first_use}; }

}  // namespace mpmd::ir

#include <mpmd/ir/detail/program_edit.hpp>
