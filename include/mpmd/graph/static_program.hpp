#pragma once
/// Programs that are described in C++ and analysed while they compile (analysis/static_sets.hpp), or at run time like
/// any other: a static_program models mpmd_program.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

#include <mpmd/graph/mpmd_program.hpp>
#include <mpmd/support/static_names.hpp>

namespace mpmd {

/// One op as it is written down: see `static_ops`. Names must outlive the program, as literals do.
template <std::size_t Operands>
struct static_op {
  role means = role::compute;
  char const* name = "";  ///< of its result; empty if it has none
  std::array<char const*, Operands> operands = {};
  std::uint32_t operand_count = Operands;  ///< may be less
  char const* mesh = "";
  char const* label = "";
  reduction_kind combines = reduction_kind::none;

  constexpr static_op() = default;
  constexpr static_op(role meaning, char const* called, char const* on = "") : means(meaning), name(called), mesh(on) {}
  constexpr static_op(role meaning, char const* called, std::span<char const* const, Operands> of, char const* on = "",
                      char const* why = "")
      : means(meaning), name(called), mesh(on), label(why) {
    for (std::size_t i = 0; i < Operands; ++i) operands[i] = of[i];
  }
  /// One with room for fewer operands, as an array of ops needs them all alike.
  template <std::size_t Fewer>
    requires(Fewer < Operands)
  constexpr static_op(static_op<Fewer> const& from)
      : means(from.means),
        name(from.name),
        operand_count(from.operand_count),
        mesh(from.mesh),
        label(from.label),
        combines(from.combines) {
    for (std::size_t i = 0; i < Fewer; ++i) operands[i] = from.operands[i];
  }
};

/// The ops of a static_program. Operands are named by the ops that define them.
namespace static_ops {

/// An argument of the program; with a mesh, one that comes on it.
constexpr static_op<0> argument(char const* name, char const* mesh = "") { return {role::argument, name, mesh}; }
/// An ordinary op, for which the analyses find meshes.
template <std::size_t N>
constexpr static_op<N> compute(char const* name, char const* const (&operands)[N]) {
  return {role::compute, name, operands};
}
/// The same without operands: a constant.
constexpr static_op<0> constant(char const* name) { return {role::compute, name}; }
/// An ordinary op that combines its operands, so that it could be a reduction across meshes.
template <std::size_t N>
constexpr static_op<N> combine(char const* name, reduction_kind kind, char const* const (&operands)[N]) {
  static_op<N> made(role::compute, name, operands);
  made.combines = kind;
  return made;
}
/// Puts a value of no mesh on a mesh.
constexpr static_op<1> assign(char const* name, char const* operand, char const* mesh, char const* label = "") {
  return {role::assign, name, std::array{operand}, mesh, label};
}
/// Takes a value off its mesh.
constexpr static_op<1> unassign(char const* name, char const* operand, char const* label = "") {
  return {role::unassign, name, std::array{operand}, "", label};
}
/// Moves a value from its mesh to another.
constexpr static_op<1> transfer(char const* name, char const* operand, char const* mesh) {
  return {role::transfer, name, std::array{operand}, mesh};
}
/// A computation on a mesh, of values on it.
template <std::size_t N>
constexpr static_op<N> fragment(char const* name, char const* const (&operands)[N], char const* mesh) {
  return {role::fragment, name, operands, mesh};
}
/// Combines values of several meshes.
template <std::size_t N>
constexpr static_op<N> reduce(char const* name, char const* const (&operands)[N]) {
  return {role::reduce, name, operands};
}
/// Makes a value available wherever it is used.
constexpr static_op<1> broadcast(char const* name, char const* operand) {
  return {role::broadcast, name, std::array{operand}};
}
/// What the program returns; its last op.
template <std::size_t N>
constexpr static_op<N> returns(char const* const (&operands)[N]) {
  return {role::terminator, "", operands};
}

}  // namespace static_ops

/// An op of a static program, its result, or, with the number behind all ops, the function that they are in.
struct static_handle {
  std::uint32_t number = 0;  ///< counts from 1; 0 is none
  constexpr explicit operator bool() const { return number != 0; }
  friend constexpr bool operator==(static_handle, static_handle) = default;
};

namespace detail {

constexpr std::size_t sum(std::initializer_list<std::size_t> all) {
  std::size_t total = 0;
  for (std::size_t const n : all) total += n;
  return total;
}

// A program that comes here does not compile: messages show the names of these functions and their arguments. The
// conditions hold always; without them GCC refuses the call before it shows what it was called with.
void stop_the_build();
/// @{
template <class Name>
constexpr void static_program_does_not_define(Name operand) {
  if (operand != nullptr) stop_the_build();
}
template <class Name>
constexpr void static_program_defines_twice(Name name) {
  if (name != nullptr) stop_the_build();
}
template <class Name>
constexpr void static_program_has_no_mesh(Name mesh) {
  if (mesh != nullptr) stop_the_build();
}
template <class Name>
constexpr void static_program_needs_operand_on_a_mesh(Name op, [[maybe_unused]] Name operand) {
  if (op != nullptr) stop_the_build();
}
template <class Name>
constexpr void static_program_needs_operand_on_no_mesh(Name op, [[maybe_unused]] Name operand) {
  if (op != nullptr) stop_the_build();
}
template <class Name>
constexpr void static_program_needs_operand_on_this_mesh(Name op, [[maybe_unused]] Name operand,
                                                         [[maybe_unused]] Name mesh) {
  if (op != nullptr) stop_the_build();
}
template <class Name>
constexpr void static_program_goes_on_behind_its_end(Name op) {
  if (op != nullptr) stop_the_build();
}
/// @}

}  // namespace detail

/// A program of one function without regions and calls, held by value: made by `make_static_program`. It has room for
/// `Slots` operands in all.
template <std::size_t Meshes, std::size_t Ops, std::size_t Slots>
class static_program {
 public:
  static constexpr std::size_t mesh_count = Meshes;
  static constexpr std::size_t op_count = Ops;

  struct entry {
    role means = role::compute;
    reduction_kind combines = reduction_kind::none;
    std::uint32_t mesh = no_mesh;
    std::uint32_t first_operand = 0;
    std::uint32_t operand_count = 0;
    static_handle self = {};
    char const* name = "";
    char const* label = "";
  };
  static constexpr std::uint32_t no_mesh = 0xFFFFFFFFu;

  /// Expected linear. Does not compile when an operand is not the name of an op before, a name is used twice, a mesh is
  /// not among `meshes`, or an op is on a mesh, or not, where it must not be.
  template <std::size_t... Operands>
  consteval static_program(std::array<char const*, Meshes> const& meshes, static_op<Operands> const&... ops)
      : meshes_(meshes) {
    numbering numbers(meshes);
    static_cast<void>(std::initializer_list<int>{(add(numbers, ops), 0)...});  // a fold would nest as deep as it is long
    list_body();
    list_uses();
  }
  template <std::size_t Operands>
  consteval static_program(std::array<char const*, Meshes> const& meshes,
                           std::array<static_op<Operands>, Ops> const& ops)
      : meshes_(meshes) {
    numbering numbers(meshes);
    for (auto const& op : ops) add(numbers, op);
    list_body();
    list_uses();
  }

  constexpr std::array<char const*, Meshes> const& meshes() const { return meshes_; }
  constexpr std::array<entry, Ops> const& entries() const { return entries_; }
  constexpr entry const& operator[](static_handle h) const { return entries_[h.number - 1]; }
  constexpr std::span<static_handle const> operands(static_handle h) const {
    return {operands_.data() + (*this)[h].first_operand, (*this)[h].operand_count};
  }
  constexpr std::span<static_handle const> results(static_handle h) const {
    return {&(*this)[h].self, (*this)[h].means == role::terminator ? std::size_t{0} : std::size_t{1}};
  }
  constexpr std::span<static_handle const> arguments() const { return {listed_.data(), argument_count_}; }
  constexpr std::span<static_handle const> body() const {
    return {listed_.data() + argument_count_, Ops - argument_count_};
  }
  /// The uses of a value in program order.
  constexpr std::span<operand_use<static_handle> const> uses(static_handle h) const {
    return {uses_.data() + first_use_[h.number - 1], uses_.data() + first_use_[h.number]};
  }
  /// The value of a name, or none. Linear.
  constexpr static_handle find(std::string_view name) const {
    for (entry const& e : entries_)
      if (e.means != role::terminator && e.name == name) return e.self;
    return {};
  }
  /// The number of a mesh, or `no_mesh`. Linear.
  constexpr std::uint32_t find_mesh(std::string_view name) const {
    for (std::uint32_t m = 0; m < Meshes; ++m)
      if (meshes_[m] == name) return m;
    return no_mesh;
  }

 private:
  struct numbering {
    static_names<Meshes> meshes;
    static_names<Ops> values;
    std::uint32_t next = 0, next_operand = 0;

    constexpr explicit numbering(std::array<char const*, Meshes> const& all) {
      for (std::uint32_t m = 0; m < Meshes; ++m)
        if (meshes.insert(all[m], m) != m) detail::static_program_defines_twice(all[m]);
    }
  };

  template <std::size_t Operands>
  constexpr void add(numbering& numbers, static_op<Operands> const& from) {
    std::uint32_t const i = numbers.next++;
    if (i > 0 && entries_[i - 1].means == role::terminator) detail::static_program_goes_on_behind_its_end(from.name);
    entry& to = entries_[i];
    to.means = from.means;
    to.combines = from.combines;
    to.first_operand = numbers.next_operand;
    to.operand_count = from.operand_count;
    to.self = {i + 1};
    to.name = from.name;
    to.label = from.label;
    bool const placed = from.means == role::assign || from.means == role::transfer || from.means == role::fragment;
    if (placed || *from.mesh != '\0') {
      to.mesh = numbers.meshes.find(from.mesh);
      if (to.mesh == numbers.meshes.missing) detail::static_program_has_no_mesh(from.mesh);
    }
    for (std::uint32_t k = 0; k < from.operand_count; ++k) {
      char const* const operand = from.operands[k];
      std::uint32_t const found = numbers.values.find(operand);
      if (found == numbers.values.missing) detail::static_program_does_not_define(operand);
      operands_[numbers.next_operand++] = {found + 1};
      ++first_use_[found + 1];
      check_operand(from.name, to, operand, entries_[found].mesh);
    }
    if (from.means != role::terminator && numbers.values.insert(from.name, i) != i)
      detail::static_program_defines_twice(from.name);
  }
  // Assigns, barriers and ordinary ops are for values of no mesh; unassigns, transfers and fragments for others.
  constexpr void check_operand(char const* op, entry const& of, char const* operand, std::uint32_t mesh) const {
    switch (of.means) {
      case role::terminator:
        break;
      case role::unassign:
      case role::transfer:
        if (mesh == no_mesh) detail::static_program_needs_operand_on_a_mesh(op, operand);
        break;
      case role::fragment:
        if (mesh != of.mesh) detail::static_program_needs_operand_on_this_mesh(op, operand, meshes_[of.mesh]);
        break;
      default:
        if (mesh != no_mesh) detail::static_program_needs_operand_on_no_mesh(op, operand);
    }
  }
  constexpr void list_body() {
    for (entry const& e : entries_)
      if (e.means == role::argument) listed_[argument_count_++] = e.self;
    std::size_t next = argument_count_;
    for (entry const& e : entries_)
      if (e.means != role::argument) listed_[next++] = e.self;
  }
  // first_use_[n + 1] counts the uses of n; filling from the back turns the sums into beginnings.
  constexpr void list_uses() {
    for (std::size_t i = 1; i <= Ops; ++i) first_use_[i] += first_use_[i - 1];
    std::array<std::uint32_t, Ops + 1> next = first_use_;
    for (std::uint32_t i = Ops; i-- > 0;)
      for (std::uint32_t k = entries_[i].operand_count; k-- > 0;)
        uses_[--next[operands_[entries_[i].first_operand + k].number]] = {entries_[i].self, k};
  }

  std::array<char const*, Meshes> meshes_;
  std::array<entry, Ops> entries_ = {};
  std::array<static_handle, Ops> listed_ = {};  // arguments, then the other ops
  std::size_t argument_count_ = 0;
  std::array<std::uint32_t, Ops + 1> first_use_ = {};
  std::array<static_handle, Slots> operands_ = {};
  std::array<operand_use<static_handle>, Slots> uses_ = {};
};

/// The meshes that a static program may name.
template <class... Names>
constexpr std::array<char const*, sizeof...(Names)> static_meshes(Names... names) {
  return {names...};
}

/// A program from its meshes and ops, in order:
///
///     using namespace mpmd::static_ops;
///     constexpr auto step = mpmd::make_static_program(mpmd::static_meshes("m1", "m2"),
///                                                     argument("x"), argument("w"),
///                                                     compute("h", {"x", "w"}), assign("h1", "h", "m1"));
///
/// Or of an array of ops, or of a tuple, which metaprograms put together; `boost::hana::unpack` makes one of any sequence
/// of Hana. See the constructor for what does not compile.
template <std::size_t Meshes, std::size_t... Operands>
consteval auto make_static_program(std::array<char const*, Meshes> const& meshes, static_op<Operands> const&... ops) {
  return static_program<Meshes, sizeof...(Operands), detail::sum({Operands...})>(meshes, ops...);
}
template <std::size_t Meshes, std::size_t Ops, std::size_t Operands>
consteval auto make_static_program(std::array<char const*, Meshes> const& meshes,
                                   std::array<static_op<Operands>, Ops> const& ops) {
  return static_program<Meshes, Ops, Ops * Operands>(meshes, ops);
}
template <std::size_t Meshes, std::size_t... Operands>
consteval auto make_static_program(std::array<char const*, Meshes> const& meshes,
                                   std::tuple<static_op<Operands>...> const& ops) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) consteval {
    return make_static_program(meshes, std::get<I>(ops)...);
  }(std::index_sequence_for<static_op<Operands>...>());
}

template <std::size_t Meshes, std::size_t Ops, std::size_t Slots>
struct ir_traits<static_program<Meshes, Ops, Slots>> {
  using program = static_program<Meshes, Ops, Slots>;
  using op = static_handle;
  using value = static_handle;

  static constexpr std::array<op, 1> functions(program const&) { return {op{Ops + 1}}; }
  static constexpr std::span<op const> body(program const& p, op o) {
    return o.number == Ops + 1 ? p.body() : std::span<op const>{};
  }
  static constexpr std::span<value const> arguments(program const& p, op o) {
    return o.number == Ops + 1 ? p.arguments() : std::span<value const>{};
  }
  static constexpr std::span<value const> operands(program const& p, op o) { return p.operands(o); }
  static constexpr std::span<value const> results(program const& p, op o) { return p.results(o); }
  static constexpr op defining_op(program const& p, value v) { return p[v].means == role::argument ? op{} : v; }
  static constexpr std::span<operand_use<op> const> uses(program const& p, value v) { return p.uses(v); }
  static constexpr bool is_leaf(program const&, op o) { return o.number != Ops + 1; }
  static constexpr bool in_dominance_order(program const&, op) { return true; }
  static constexpr std::size_t index(program const&, value v) { return v.number - std::size_t{1}; }
  static constexpr std::size_t index_bound(program const&) { return Ops; }

  static constexpr role role_of(program const& p, op o) { return p[o].means; }
  static constexpr std::string_view mesh_of(program const& p, value v) {
    auto const mesh = p[v].mesh;
    return mesh == program::no_mesh ? std::string_view{} : p.meshes()[mesh];
  }
  static constexpr std::string_view label_of(program const& p, op o) { return p[o].label; }
  static constexpr reduction_op<op> reduction_of(program const& p, op o) { return {p[o].combines, {}}; }
};

static_assert(mpmd_program<static_program<1, 1, 1>>);

}  // namespace mpmd
