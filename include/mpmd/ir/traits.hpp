#pragma once
/// The library's own IR as a model of the program concepts.

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/ir/editing.hpp>
#include <mpmd/ir/folding.hpp>
#include <mpmd/ir/host_window_editing.hpp>
#include <mpmd/ir/program.hpp>
#include <mpmd/ir/reductions.hpp>
#include <mpmd/ir/symbol_editing.hpp>
#include <mpmd/ir/type_size.hpp>
#include <mpmd/ir/topology_editing.hpp>

namespace mpmd::ir {

/// The ops directly inside the regions of an op: of all regions and blocks, in order.
class body_range {
 public:
  class iterator {
   public:
    using value_type = op;
    using difference_type = std::ptrdiff_t;

    iterator() = default;
    iterator(program const* p, op of) : program_(p), of_(of) { settle(); }
    op operator*() const { return at_; }
    iterator& operator++() {
      at_ = program_->next_op(at_);
      if (!at_) [[unlikely]]
        *this = in_next_block(*this);
      return *this;
    }
    iterator operator++(int) {
      iterator old = *this;
      ++*this;
      return old;
    }
    [[gnu::always_inline]] iterator& operator--() {
      op const before = at_ ? program_->previous_op(at_) : op{};
      if (before) [[likely]]
        at_ = before;
      else
        *this = stepped_back(*this);
      program_->prefetch_types<-400>(at_);
      return *this;
    }
    iterator operator--(int) {
      iterator old = *this;
      --*this;
      return old;
    }
    friend bool operator==(iterator const& a, iterator const& b) { return a.at_ == b.at_; }

   private:
    friend body_range;
    // With a block, region_ is one past that block's region; without one, the next region to look into. By value,
    // so that the iterator of a loop can stay in registers.
    [[gnu::noinline]] static iterator stepped_back(iterator from) {
      program const& p = *from.program_;
      auto const regions = p.regions(from.of_);
      std::uint32_t index = from.block_ ? from.region_ - 1 : from.region_;
      block at = from.block_ ? p.previous_block(from.block_) : block{};
      while (true) {
        for (; at; at = p.previous_block(at)) {
          from.at_ = p.last_op(at);
          if (!from.at_) continue;
          from.block_ = at;
          from.region_ = index + 1;
          return from;
        }
        assert(index > 0 && "there is no op before the first");
        at = p.last_block(regions[--index]);
      }
    }
    [[gnu::noinline]] static iterator in_next_block(iterator from) {
      from.block_ = from.program_->next_block(from.block_);
      from.settle();
      return from;
    }
    void settle() {
      auto const regions = program_->regions(of_);
      while (true) {
        for (; block_; block_ = program_->next_block(block_))
          if ((at_ = program_->first_op(block_))) return;
        if (region_ == regions.size()) return;
        block_ = program_->first_block(regions[region_++]);
      }
    }
    program const* program_ = nullptr;
    op of_ = {};
    std::uint32_t region_ = 0;
    block block_ = {};
    op at_ = {};
  };
    body_range(program const& p, op of) : program_(&p), of_(of) {}
  iterator begin() const { return program_->regions(of_).empty() ? iterator{} : iterator{program_, of_}; }
  iterator end() const {
    iterator past;
    past.program_ = program_;
    past.of_ = of_;
    past.region_ = static_cast<std::uint32_t>(program_->regions(of_).size());
    return past;
  }

 private:
  program const* program_ = nullptr;
  op of_ = {};
};

constexpr role role_of(op_info const& info) {
  switch (info.code) {
    case opcode::mpmd_assign: return role::assign;
    case opcode::mpmd_unassign: return role::unassign;
    case opcode::mpmd_transfer: return role::transfer;
    case opcode::mpmd_fragment:
    case opcode::mpmd_fragment_call: return role::fragment;
    case opcode::mpmd_named_computation: return role::named_computation;
    case opcode::mpmd_named_tensor: return role::named_tensor;
    case opcode::mpmd_call: return role::call;
    case opcode::mpmd_for: return role::loop;
    case opcode::mpmd_reduce: return role::reduce;
    case opcode::mpmd_broadcast: return role::broadcast;
    case opcode::builtin_module:
    case opcode::func_func: return role::other;
    default: return info.has(op_trait::terminator) ? role::terminator : role::compute;
  }
}
/// By opcode; asked for every op in every sweep.
inline constexpr auto roles = [] {
  std::array<role, known_ops.size()> found{};
  for (std::size_t i = 0; i < known_ops.size(); ++i) found[i] = role_of(known_ops[i]);
  return found;
}();

constexpr std::string_view annotation_name(set_kind k) {
  return k == set_kind::use ? "mpmd.use_set" : "mpmd.src_set";
}

namespace detail {
inline mesh_annotation read_annotation(context const& c, attribute a) {
  auto const* set = c.get_if<meshes_with_origins_attr>(a);
  if (set == nullptr) return std::nullopt;
  std::vector<labelled_mesh> meshes;
  for (auto const& m : set->meshes) meshes.push_back({m.mesh, m.origins});
  return meshes;
}
inline attribute write_annotation(context& c, mesh_annotation const& from) {
  if (!from) return {};
  meshes_with_origins_attr set;
  for (auto const& m : *from) set.meshes.push_back({m.mesh, m.labels});
  return c.get(std::move(set));
}
/// The annotation in entry i of an array of dictionaries (`arg_attrs`, `res_attrs`).
inline mesh_annotation read_entry(program const& p, op o, std::string_view list, std::size_t i, set_kind k) {
  auto const* entries = p.attr_if<array_attr>(o, list);
  if (entries == nullptr || i >= entries->elements.size()) return std::nullopt;
  return read_annotation(p.context(), p.context().lookup(entries->elements[i], annotation_name(k)));
}
/// Sets or removes it, in a list of `count` entries which is made where it is missing.
inline void write_entry(program& p, op o, std::string_view list, std::size_t count, std::size_t i, set_kind k,
                        mesh_annotation const& to) {
  context& c = p.context();
  auto const* old = p.attr_if<array_attr>(o, list);
  if (old == nullptr && !to) return;
  std::vector<attribute> entries = old ? old->elements : std::vector<attribute>{};
  entries.resize(std::max(count, entries.size()), c.empty_dictionary());
  entries[i] = c.with(entries[i], annotation_name(k), write_annotation(c, to));
  p.set_attr(o, list, c.get(array_attr{std::move(entries)}));
}
/// All entries of such a list at once; the list goes when nothing is left in it.
inline void write_entries(program& p, op o, std::string_view list, std::size_t count, set_kind k,
                          std::span<mesh_annotation const> to) {
  context& c = p.context();
  auto const* old = p.attr_if<array_attr>(o, list);
  std::vector<attribute> entries = old ? old->elements : std::vector<attribute>{};
  entries.resize(std::max(count, entries.size()), c.empty_dictionary());
  bool any = false;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i]) entries[i] = c.empty_dictionary();
    entries[i] = c.with(entries[i], annotation_name(k), i < to.size() ? write_annotation(c, to[i]) : attribute{});
    any = any || entries[i] != c.empty_dictionary();
  }
  p.set_attr(o, list, any ? c.get(array_attr{std::move(entries)}) : attribute{});
}
}  // namespace detail
}  // namespace mpmd::ir

template <>
struct mpmd::ir_traits<mpmd::ir::program> : mpmd::ir::editing,
                                             mpmd::ir::folding,
                                             mpmd::ir::topology_editing,
                                             mpmd::ir::symbol_editing,
                                             mpmd::ir::host::window_editing {
  using program = ir::program;
  using op = ir::op;
  using value = ir::value;
  using opcode = ir::opcode;

  // ssa_program
  static std::vector<op> functions(program const& p) {
    std::vector<op> found;
    for (op o = p.first_op(p.body()); o; o = p.next_op(o))
      if (p.is(o, opcode::func_func)) found.push_back(o);
    return found;
  }
  static ir::body_range body(program const& p, op o) { return {p, o}; }
  static bool is_leaf(program const& p, op o) { return !p.has_regions(o); }
  static std::vector<value> arguments(program const& p, op o) {
    std::vector<value> found;
    for (ir::region const r : p.regions(o)) {
      for (ir::block b = p.first_block(r); b; b = p.next_block(b)) {
        found.insert(found.end(), p.arguments(b).begin(), p.arguments(b).end());
        if (p.is(o, opcode::func_func)) return found;
      }
    }
    return found;
  }
  static std::span<value const> operands(program const& p, op o) { return p.operands(o); }
  static auto results(program const& p, op o) { return p.results(o); }
  static op defining_op(program const& p, value v) { return p.defining_op(v); }
  static op parent_op(program const& p, op o) { return p.parent_op(o); }
  static auto uses(program const& p, value v) { return p.uses(v); }
  static std::size_t index(program const&, value v) { return v.id; }
  static std::size_t index_bound(program const& p) { return p.value_capacity(); }
  static std::string_view callee_name(program const& p, op call) { return symbol(p, call, ir::attribute_key::callee); }
  static std::string_view function_name(program const& p, op f) { return text(p, f, "sym_name"); }
  static bool in_dominance_order(program const& p, op f) {
    auto const regions = p.regions(f);
    return regions.size() == 1 && p.first_block(regions[0]) == p.last_block(regions[0]);
  }

  // mpmd_program
  [[gnu::always_inline]] static role role_of(program const& p, op o) {
    auto const id = p.kind(o).id;
    if (id < ir::known_ops.size()) [[likely]] return ir::roles[id];
    return p.has_successors(o) ? role::terminator : role::compute;
  }
  static std::string_view mesh_of(program const& p, value v) {
    auto const* t = p.context().get_if<ir::mesh_tensor_type>(p.type_of(v));
    return t ? std::string_view(t->mesh) : std::string_view{};
  }
  static std::optional<std::uint64_t> byte_size(program const& p, value v) {
    return ir::byte_size(p.context(), p.type_of(v));
  }
  static std::string_view label_of(program const& p, op o) { return text(p, o, "origin"); }
  static bool takes_part(program const& p, op f) { return static_cast<bool>(p.attr(f, "topology")); }
  static bool is_distributed(program const& p, op f) {
    return takes_part(p, f) || static_cast<bool>(p.attr(f, "mesh_shape"));
  }
  static bool is_entry(program const& p, op f) {
    std::string_view const visibility = text(p, f, "sym_visibility");
    return visibility.empty() || visibility == "public";
  }
  static bool is_barrier(program const& p, op o) { return p.is(o, opcode::stablehlo_optimization_barrier); }
  static bool is_neutral(program const& p, op constant, reduction_kind kind) {
    return ir::is_neutral(p, constant, kind);
  }
  static reduction_op<op> reduction_of(program const& p, op o) { return ir::reduction_of(p, o); }

  // Sets that passes leave on ops.
  static mesh_annotation op_annotation(program const& p, op o, set_kind k) {
    return ir::detail::read_annotation(p.context(), p.context().lookup(p.attributes(o), ir::annotation_name(k)));
  }
  static std::uint64_t annotation_key(program const& p, op o, set_kind k) {
    ir::attribute const set = p.context().lookup(p.attributes(o), ir::annotation_name(k));
    return p.context().get_if<ir::meshes_with_origins_attr>(set) == nullptr ? 0 : std::uint64_t{set.id} + 1;
  }
  static void copy_op_annotation(program& p, op from, op to, set_kind k) {
    p.set_attr(to, ir::annotation_name(k), p.context().lookup(p.attributes(from), ir::annotation_name(k)));
  }
  static mesh_annotation argument_annotation(program const& p, op o, std::size_t i, set_kind k) {
    return ir::detail::read_entry(p, o, "arg_attrs", i, k);
  }
  static mesh_annotation result_annotation(program const& p, op f, std::size_t i, set_kind k) {
    return ir::detail::read_entry(p, f, "res_attrs", i, k);
  }
  static reduction_kind reduction_annotation(program const& p, op o) {
    auto const* r = p.context().get_if<ir::reduction_attr>(p.context().lookup(p.attributes(o), "mpmd.reduce"));
    return r ? r->kind : reduction_kind::none;
  }

  // Writing them.
  static void set_op_annotation(program& p, op o, set_kind k, mesh_annotation const& to) {
    p.set_attr(o, ir::annotation_name(k), ir::detail::write_annotation(p.context(), to));
  }
  static void set_argument_annotation(program& p, op o, std::size_t i, set_kind k, mesh_annotation const& to) {
    ir::detail::write_entry(p, o, "arg_attrs", arguments(p, o).size(), i, k, to);
  }
  static void set_result_annotation(program& p, op f, std::size_t i, set_kind k, mesh_annotation const& to) {
    ir::detail::write_entry(p, f, "res_attrs", std::max(i + 1, result_count(p, f)), i, k, to);
  }
  static void set_argument_annotations(program& p, op o, set_kind k, std::span<mesh_annotation const> to) {
    ir::detail::write_entries(p, o, "arg_attrs", arguments(p, o).size(), k, to);
  }
  static void set_result_annotations(program& p, op f, set_kind k, std::span<mesh_annotation const> to) {
    ir::detail::write_entries(p, f, "res_attrs", result_count(p, f), k, to);
  }
  static void set_reduction_annotation(program& p, op o, reduction_kind k) {
    p.set_attr(o, "mpmd.reduce",
               k == reduction_kind::none ? ir::attribute{} : p.context().get(ir::reduction_attr{k}));
  }

 private:
  static std::size_t result_count(program const& p, op f) {
    auto const* held = p.attr_if<ir::type_attr>(f, "function_type");
    auto const* type = held ? p.context().get_if<ir::function_type>(held->held) : nullptr;
    return type ? type->results.size() : 0;
  }
  static std::string_view text(program const& p, op o, std::string_view key) {
    auto const* s = p.attr_if<ir::string_attr>(o, key);
    return s ? std::string_view(s->text) : std::string_view{};
  }
  template <class Key>
  static std::string_view symbol(program const& p, op o, Key const& key) {
    auto const* s = p.attr_if<ir::symbol_ref_attr>(o, key);
    return s && s->nested.empty() ? std::string_view(s->root) : std::string_view{};
  }
};
