#pragma once
/// Window programs that are described in C++ and traced while they compile (analysis/static_domains.hpp), or at run
/// time like any other: a static_window_program models window_program.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include <mpmd/graph/static_program.hpp>
#include <mpmd/graph/window_program.hpp>

namespace mpmd {

/// The devices of a dispatch as they are written down: `device(3)`, `devices(0, 7)`, both included, or `every_device`.
struct static_device_range {
  bool every = false;
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// One op as it is written down: see `static_window_ops`. Names must outlive the program, as literals do.
template <std::size_t Operands>
struct static_window_op {
  window_role means = window_role::other;
  char const* name = "";  ///< of what it sets, or of the task of a dispatch
  std::array<char const*, Operands> operands = {};
  static_device_range on = {};
  collective_kind moves = collective_kind::allreduce;
};

/// The ops of a static_window_program. Operands are named by the ops that set them.
namespace static_window_ops {

constexpr static_device_range every_device{true, 0, 0};
constexpr static_device_range device(std::int64_t number) { return {false, number, number}; }
constexpr static_device_range devices(std::int64_t first, std::int64_t last) { return {false, first, last}; }

/// A new buffer.
constexpr static_window_op<0> allocation(char const* name) { return {window_role::allocation, name, {}, {}, {}}; }
/// A window over a buffer.
constexpr static_window_op<1> view(char const* name, char const* of) { return {window_role::view, name, {of}, {}, {}}; }
/// Another name of a window.
constexpr static_window_op<1> alias(char const* name, char const* of) {
  return {window_role::alias, name, {of}, {}, {}};
}
/// Runs a task on some devices, which touch the windows. Tasks may run several times.
template <std::size_t N>
constexpr static_window_op<N> dispatch(char const* task, char const* const (&windows)[N], static_device_range on) {
  static_window_op<N> made{window_role::dispatch, task, {}, on, {}};
  for (std::size_t i = 0; i < N; ++i) made.operands[i] = windows[i];
  return made;
}
/// Moves data between the devices of a domain; `collective_table` has the operands of each kind. What it sets is a
/// window over the memory of the operand that the table calls the result.
template <std::size_t N>
constexpr static_window_op<N> collective(char const* name, collective_kind kind, char const* const (&operands)[N]) {
  static_window_op<N> made{window_role::collective, name, {}, {}, kind};
  for (std::size_t i = 0; i < N; ++i) made.operands[i] = operands[i];
  return made;
}

}  // namespace static_window_ops

/// A straight list of window ops held by value: made by `make_static_windows`.
template <std::size_t Ops, std::size_t Slots>
class static_window_program {
 public:
  static constexpr std::size_t op_count = Ops;

  struct entry {
    window_role means = window_role::other;
    collective_kind moves = collective_kind::allreduce;
    static_device_range on = {};
    std::uint32_t first_operand = 0;
    std::uint32_t operand_count = 0;
    static_handle self = {};
    char const* name = "";
  };

  /// Expected linear. Does not compile when an operand is not the name of an op before, or a name is set twice.
  template <std::size_t... Operands>
  consteval explicit static_window_program(static_window_op<Operands> const&... ops) {
    static_names<Ops> names;
    static_cast<void>(std::initializer_list<int>{(add(names, ops), 0)...});  // a fold would nest as deep as it is long
    for (std::uint32_t i = 0; i < Ops; ++i) all_[i] = entries_[i].self;
  }

  constexpr std::array<entry, Ops> const& entries() const { return entries_; }
  constexpr entry const& operator[](static_handle h) const { return entries_[h.number - 1]; }
  constexpr std::span<static_handle const> ops() const { return all_; }
  constexpr std::span<static_handle const> operands(static_handle h) const {
    return {operands_.data() + (*this)[h].first_operand, (*this)[h].operand_count};
  }
  constexpr std::span<static_handle const> results(static_handle h) const {
    return {&(*this)[h].self, (*this)[h].means == window_role::dispatch ? std::size_t{0} : std::size_t{1}};
  }
  /// What is set under a name, or none. Linear.
  constexpr static_handle find(std::string_view name) const {
    for (entry const& e : entries_)
      if (e.means != window_role::dispatch && e.name == name) return e.self;
    return {};
  }

 private:
  template <std::size_t Operands>
  constexpr void add(static_names<Ops>& names, static_window_op<Operands> const& from) {
    entry& to = entries_[added_];
    to = {from.means, from.moves, from.on, next_operand_, Operands, {added_ + 1}, from.name};
    for (char const* const operand : from.operands) {
      std::uint32_t const found = names.find(operand);
      if (found == names.missing) detail::static_program_does_not_define(operand);
      operands_[next_operand_++] = {found + 1};
    }
    if (from.means != window_role::dispatch && names.insert(from.name, added_) != added_)
      detail::static_program_defines_twice(from.name);
    ++added_;
  }

  std::array<entry, Ops> entries_ = {};
  std::array<static_handle, Ops> all_ = {};
  std::array<static_handle, Slots> operands_ = {};
  std::uint32_t added_ = 0, next_operand_ = 0;
};

/// A program from its ops, in order:
///
///     using namespace mpmd::static_window_ops;
///     constexpr auto step = mpmd::make_static_windows(allocation("weights"), view("w", "weights"),
///                                                     dispatch("train", {"w"}, devices(0, 3)));
///
/// See the constructor for what does not compile.
template <std::size_t... Operands>
consteval auto make_static_windows(static_window_op<Operands> const&... ops) {
  return static_window_program<sizeof...(Operands), detail::sum({Operands...})>(ops...);
}

template <std::size_t Ops, std::size_t Slots>
struct ir_traits<static_window_program<Ops, Slots>> {
  using program = static_window_program<Ops, Slots>;
  using op = static_handle;
  using value = static_handle;

  static constexpr std::span<op const> ops(program const& p) { return p.ops(); }
  static constexpr std::span<value const> operands(program const& p, op o) { return p.operands(o); }
  static constexpr std::span<value const> results(program const& p, op o) { return p.results(o); }
  static constexpr std::size_t index(program const&, value v) { return v.number - std::size_t{1}; }
  static constexpr std::size_t index_bound(program const&) { return Ops; }

  static constexpr window_role window_role_of(program const& p, op o) { return p[o].means; }
  static constexpr collective_kind collective_of(program const& p, op o) { return p[o].moves; }
  static constexpr device_form<value> device_of(program const& p, op o) {
    using kind = typename device_form<value>::kind;
    static_device_range const on = p[o].on;
    return {on.every ? kind::every : kind::numbers, on.first, on.last, {}};
  }
  static constexpr std::string_view allocation_name(program const& p, op o) { return p[o].name; }
  static constexpr std::string_view value_name(program const& p, value v) { return p[v].name; }
};

static_assert(window_program<static_window_program<1, 1>>);

}  // namespace mpmd
