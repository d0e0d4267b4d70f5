#pragma once
/// Random StableHLO code on small tensors, the ground on which random programs stand.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/builders.hpp>
#include <mpmd/ir/program.hpp>

namespace mpmd::testing {

struct random_options {
  std::uint64_t seed = 1;
  std::uint32_t meshes = 3;       ///< at most this many, at least one
  std::uint32_t statements = 12;  ///< of the entry function; callees and loops have fewer
  std::uint32_t callees = 2;      ///< private functions, each called several times
  std::uint32_t arguments = 6;    ///< of the entry function
  bool assigned = false;          ///< fragments on meshes instead of names
  bool regions = true;            ///< while and case with captured values
  bool loops = false;             ///< mpmd.for, to be unrolled whole
  bool broadcasts = true;         ///< mpmd.broadcast and mpmd.reduce of values on any meshes
  bool none_reductions = true;    ///< sums across meshes which an mpmd.reduce<none> permits
  bool effects = true;            ///< custom calls with side effects
  bool nested_names = false;      ///< named computations in named computations
  /// Sums across meshes that nothing permits; inference must be told to make reductions.
  bool inferred_reductions = false;
  /// Values are used anywhere; inference must be told to make transfers. Without this every value is used
  /// only where it can be without a transfer that the program does not have.
  bool conflicts = false;
};

namespace detail {

/// Writes code into a program of its own.
class code_generator {
 protected:
  explicit code_generator(random_options const& options)
      : o_(options), p_(std::make_shared<ir::context>()), c_(p_.context()), state_(options.seed) {
    f32_ = c_.floating("f32");
    i32_ = c_.integer(32);
    i1_ = c_.integer(1);
    types_ = {tensor({}, f32_), tensor({4}, f32_), tensor({2, 3}, f32_), tensor({3, 2}, f32_),
              tensor({4}, i32_)};
    scalar_ = tensor({}, i32_);
    mesh_count_ = 1 + below(std::max(1u, o_.meshes));
  }

  static constexpr std::uint64_t anywhere = ~std::uint64_t{0};

  /// A plain value that can be used. `where`: the meshes on which it can be had without a transfer that is
  /// not there.
  struct item {
    ir::value v;
    std::uint64_t where = anywhere;
    bool stages_only = false;   ///< an argument that stages on several meshes take, and nothing else
    bool stage_result = false;  ///< can be sent to any mesh
    std::vector<std::pair<std::uint32_t, ir::value>> placed = {};  ///< mesh tensors that hold it
  };
  struct scope {
    ir::builder b;
    std::vector<item> items = {};
    bool in_loop = false;
    bool plain = false;  ///< the body of a computation or of a region: no ops of mpmd
    bool entry = false;
  };
  // --- Chance ----------------------------------------------------------------------------------------------------

  std::uint64_t next() {
    std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;  // splitmix64
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
  }
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }
  bool chance(std::uint32_t percent) { return below(100) < percent; }
  template <class List>
  auto& one_of(List& list) {
    return list[below(static_cast<std::uint32_t>(list.size()))];
  }

  // --- Types, constants and attributes -----------------------------------------------------------------------------

  ir::type tensor(std::vector<std::int64_t> shape, ir::type element) {
    return c_.tensor(std::move(shape), element);
  }
  ir::type with_element(ir::type t, ir::type element) { return tensor(shape(t), element); }
  std::vector<std::int64_t> const& shape(ir::type t) const { return c_.get_if<ir::tensor_type>(t)->shape; }
  ir::type element(ir::type t) const { return c_.get_if<ir::tensor_type>(t)->element; }
  bool is_float(ir::type t) const { return element(t) == f32_; }
  std::string mesh_name(std::uint32_t m) const { return "m" + std::to_string(m + 1); }
  ir::attribute list(std::vector<std::int64_t> values) {
    return c_.get(ir::dense_array_attr{c_.integer(64), std::move(values)});
  }
  ir::attribute enumerator(std::string_view text) {
    return c_.get(ir::opaque_attr{"#stablehlo<" + std::string(text) + ">"});
  }

  /// v, v + 1, ... in all the places of the type.
  ir::value constant(scope& s, ir::type t, std::int32_t v) {
    std::int64_t count = 1;
    for (std::int64_t const extent : shape(t)) count *= extent;
    std::string data;
    for (std::int64_t i = 0; i < count; ++i, ++v) {
      std::uint32_t const bits =
          is_float(t) ? std::bit_cast<std::uint32_t>(static_cast<float>(v)) : static_cast<std::uint32_t>(v);
      for (unsigned byte = 0; byte < 4; ++byte) data += static_cast<char>(bits >> 8 * byte & 0xFF);
    }
    ir::attribute const value = c_.get(ir::dense_attr{t, std::move(data), count == 1});
    return result(s.b.create(ir::opcode::stablehlo_constant, {}, {t}, properties({{"value", value}})));
  }
  ir::attribute properties(std::initializer_list<std::pair<std::string_view, ir::attribute>> entries) {
    return ir::make_dictionary(c_, entries);
  }
  ir::value result(ir::op o) const { return p_.result(o, 0); }
  ir::value make(scope& s, std::string_view kind, std::vector<ir::value> operands, ir::type t,
                 ir::attribute properties = {}) {
    return result(s.b.create(kind, std::move(operands), {t}, properties));
  }

  // --- Choice of operands ------------------------------------------------------------------------------------------

  /// An item of this type which is to be had on one of these meshes; a new constant if there is none.
  item& choose(scope& s, ir::type t, std::uint64_t where, bool for_stage = false) {
    std::vector<std::size_t> fit, unused;
    for (std::size_t i = 0; i < s.items.size(); ++i) {
      item const& it = s.items[i];
      if (p_.type_of(it.v) != t) continue;
      bool const sent = for_stage && (it.stages_only || (it.stage_result && !s.in_loop));
      if (!o_.conflicts && !sent && ((it.where & where) == 0 || it.stages_only)) continue;
      fit.push_back(i);
      if (p_.is_unused(it.v)) unused.push_back(i);
    }
    // What nothing uses comes first, so that little of a program is dead.
    if (!fit.empty() && !chance(4)) return s.items[one_of(!unused.empty() && chance(60) ? unused : fit)];
    s.items.push_back({constant(s, t, static_cast<std::int32_t>(below(9)) - 2)});
    return s.items.back();
  }
  /// An operand for an op that is on all of `where`, which shrinks to where both can be.
  ir::value operand(scope& s, ir::type t, std::uint64_t& where) {
    item const& chosen = choose(s, t, where);
    if (!o_.conflicts) where &= chosen.where;
    return chosen.v;
  }
  /// Mostly a type of which there are values.
  ir::type any_type(scope const& s) {
    if (s.items.empty() || chance(5)) return one_of(types_);
    ir::type const t = p_.type_of(one_of(s.items).v);
    return std::find(types_.begin(), types_.end(), t) != types_.end() ? t : one_of(types_);
  }

  /// Items to be returned: nearly all that nothing uses, so that little of a program is dead; at least one.
  std::vector<std::size_t> results_of(scope const& s, std::size_t most) {
    std::vector<std::size_t> chosen;
    for (std::size_t i = s.items.size(); i-- > 0 && chosen.size() < most;)
      if (p_.is_unused(s.items[i].v) && chance(93)) chosen.push_back(i);
    if (chosen.empty()) chosen.push_back(s.items.size() - 1);
    if (chosen.size() < most && chance(10)) chosen.push_back(chosen.front());
    return chosen;
  }
  /// An operand that is another value than one chosen already, if there is one.
  ir::value other_operand(scope& s, ir::type t, std::uint64_t& where, ir::value than) {
    ir::value v = than;
    for (int attempts = 0; attempts < 4 && v == than; ++attempts) v = operand(s, t, where);
    return v;
  }
  /// Makes values of nearly all items before `count` that nothing uses.
  void use_up(scope& s, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (!p_.is_unused(s.items[i].v) || s.items[i].stages_only || !chance(90)) continue;
      std::uint64_t where = s.items[i].where;
      ir::value const v = s.items[i].v;
      ir::value const other = other_operand(s, p_.type_of(v), where, v);
      s.items.push_back({make(s, "stablehlo.subtract", {v, other}, p_.type_of(v)), where});
    }
  }
  /// A value of the type on all of `where`, made of nearly all that nothing uses.
  ir::value combined(scope& s, ir::type t, std::uint64_t& where) {
    ir::value made = operand(s, t, where);
    std::size_t const count = s.items.size();
    for (std::size_t i = 0; i < count; ++i) {
      item const& it = s.items[i];
      bool const fits = o_.conflicts || ((it.where & where) == where && !it.stages_only);
      if (!fits || it.v == made || !p_.is_unused(it.v) || !chance(90)) continue;
      ir::value const more = adapted(s, it.v, t);
      made = make(s, chance(50) ? "stablehlo.add" : "stablehlo.subtract", {made, more}, t);
    }
    return made;
  }
  /// A value of the type that depends on one of any type.
  ir::value adapted(scope& s, ir::value v, ir::type t) {
    if (p_.type_of(v) == t) return v;
    ir::type const from = tensor({}, element(p_.type_of(v))), to = tensor({}, element(t));
    if (p_.type_of(v) != from) v = sum(s, v, from);
    if (from != to) v = make(s, "stablehlo.convert", {v}, to);
    if (t == to) return v;
    return make(s, "stablehlo.broadcast_in_dim", {v}, t, properties({{"broadcast_dimensions", list({})}}));
  }

  // --- StableHLO ---------------------------------------------------------------------------------------------------

  void compute(scope& s) {
    std::uint64_t where = anywhere;
    ir::value const made = computed(s, where);
    s.items.push_back({made, where});
  }
  ir::value computed(scope& s, std::uint64_t& where) {
    ir::type const t = any_type(s);
    ir::type const scalar = types_[0], vector = types_[1], flat = types_[2], tall = types_[3],
                   whole = types_[4];
    std::uint32_t const kind = below(o_.regions ? 14 : 12);
    if (kind >= 12) return kind == 12 ? loop(s, t, where) : branch(s, t, where);
    if (kind >= 6 && t == flat && kind < 9) return product(s, where);
    ir::value const a = operand(s, t, where);
    if (kind >= 6) {
      if (t == scalar) {
        ir::type const to = types_[1 + below(3)];
        return make(s, "stablehlo.broadcast_in_dim", {a}, to,
                    properties({{"broadcast_dimensions", list({})}}));
      }
      if (t == flat && kind == 9)
        return make(s, "stablehlo.transpose", {a}, tall, properties({{"permutation", list({1, 0})}}));
      if (t == tall && kind < 9) return make(s, "stablehlo.reshape", {a}, flat);
      if (t == whole) return make(s, "stablehlo.convert", {a}, vector);
      if (kind > 9) return sum(s, a, scalar);
    }
    if (kind < 3) {
      static constexpr std::array<std::string_view, 5> kinds{"stablehlo.add", "stablehlo.subtract",
                                                             "stablehlo.multiply", "stablehlo.maximum",
                                                             "stablehlo.minimum"};
      ir::value const b = other_operand(s, t, where, a);
      return make(s, kinds[below(5)], {a, b}, t);
    }
    if (kind == 3) {
      ir::value const b = other_operand(s, t, where, a);
      ir::value const c = make(s, "stablehlo.compare", {a, b}, with_element(t, i1_),
                               properties({{"comparison_direction", enumerator("comparison_direction LT")}}));
      ir::value const d = other_operand(s, t, where, a);
      return make(s, "stablehlo.select", {c, a, d}, t);
    }
    if (kind == 4 && t == whole) {
      ir::value const b =
          make(s, "stablehlo.iota", {}, whole, properties({{"iota_dimension", c_.integer_value(0)}}));
      return make(s, "stablehlo.subtract", {a, b}, whole);
    }
    static constexpr std::array<std::string_view, 4> kinds{"stablehlo.negate", "stablehlo.abs",
                                                           "stablehlo.exponential", "stablehlo.tanh"};
    return make(s, kinds[below(is_float(t) ? 4 : 2)], {a}, t);
  }
  /// (a b^T) c of three values.
  ir::value product(scope& s, std::uint64_t& where) {
    ir::type const flat = types_[2];
    auto dims = [&](std::string_view right) {
      return properties({{"dot_dimension_numbers",
                          c_.get(ir::opaque_attr{"#stablehlo.dot<lhs_contracting_dimensions = [1], "
                                                 "rhs_contracting_dimensions = [" +
                                                 std::string(right) + "]>"})}});
    };
    ir::value const a = operand(s, flat, where), b = operand(s, flat, where);
    ir::value const square = make(s, "stablehlo.dot_general", {a, b}, tensor({2, 2}, f32_), dims("1"));
    ir::value const c = operand(s, flat, where);
    return make(s, "stablehlo.dot_general", {square, c}, flat, dims("0"));
  }
  /// The sum over all dimensions.
  ir::value sum(scope& s, ir::value of, ir::type scalar) {
    std::vector<std::int64_t> dims;
    for (std::size_t d = 0; d < shape(p_.type_of(of)).size(); ++d)
      dims.push_back(static_cast<std::int64_t>(d));
    return reduced(s, of, scalar, dims);
  }
  ir::value reduced(scope& s, ir::value of, ir::type to, std::vector<std::int64_t> dims) {
    ir::type const scalar = tensor({}, element(to));
    ir::value const zero = constant(s, scalar, 0);
    ir::region const body = s.b.make_body({scalar, scalar});
    ir::block const block = p_.first_block(body);
    ir::builder in(p_, block);
    ir::op const add =
        in.create(ir::opcode::stablehlo_add, {p_.argument(block, 0), p_.argument(block, 1)}, {scalar});
    in.create(ir::opcode::stablehlo_return, {p_.result(add, 0)}, {});
    return result(s.b.create(ir::opcode::stablehlo_reduce, {of, zero}, {to},
                             properties({{"dimensions", list(std::move(dims))}}), {}, {body}));
  }

  /// Plain code with values from around it; gives back a value of the type.
  ir::value inner(scope& outer, ir::block body, std::vector<ir::value> const& arguments, ir::type t,
                  std::uint64_t& where) {
    scope s{ir::builder(p_, body)};
    s.plain = true;
    for (ir::value const v : arguments) s.items.push_back({v, where});
    for (item const& it : outer.items)
      if ((o_.conflicts || ((it.where & where) == where && !it.stages_only)) && chance(50))
        s.items.push_back({it.v, it.where});
    for (std::uint32_t i = 1 + below(2); i-- > 0;) compute_flat(s);
    return combined(s, t, where);
  }
  void compute_flat(scope& s) {
    // No regions within regions within regions without end.
    bool const regions = std::exchange(o_.regions, false);
    compute(s);
    o_.regions = regions;
  }

  /// A while that runs a few times.
  ir::value loop(scope& s, ir::type t, std::uint64_t& where) {
    ir::value const start = operand(s, t, where);
    // Whatever is captured must be had wherever the result is.
    if (!o_.conflicts && where != anywhere) where = std::uint64_t{1} << std::countr_zero(where);
    ir::value const zero = constant(s, scalar_, 0);
    ir::value const captured_limit = constant(s, scalar_, 1 + static_cast<std::int32_t>(below(3)));
    ir::region const condition = s.b.make_body({scalar_, t}), body = s.b.make_body({scalar_, t});
    ir::block const test = p_.first_block(condition), step = p_.first_block(body);
    scope in_test{ir::builder(p_, test)};
    ir::value const go_on =
        make(in_test, "stablehlo.compare", {p_.argument(test, 0), captured_limit}, tensor({}, i1_),
             properties({{"comparison_direction", enumerator("comparison_direction LT")}}));
    in_test.b.create(ir::opcode::stablehlo_return, {go_on}, {});
    std::uint64_t inside = where;
    ir::value const next_value = inner(s, step, {p_.argument(step, 1)}, t, inside);
    scope in_step{ir::builder(p_, step)};
    ir::value const one = constant(in_step, scalar_, 1);
    ir::value const count = make(in_step, "stablehlo.add", {p_.argument(step, 0), one}, scalar_);
    in_step.b.create(ir::opcode::stablehlo_return, {count, next_value}, {});
    return p_.result(
        s.b.create(ir::opcode::stablehlo_while, {zero, start}, {scalar_, t}, {}, {}, {condition, body}), 1);
  }
  /// A case of two branches, chosen by a value of the program.
  ir::value branch(scope& s, ir::type t, std::uint64_t& where) {
    ir::value const four = operand(s, types_[4], where);
    if (!o_.conflicts && where != anywhere) where = std::uint64_t{1} << std::countr_zero(where);
    ir::value const total = reduced(s, four, scalar_, {0});
    ir::value const which = make(s, "stablehlo.and", {total, constant(s, scalar_, 1)}, scalar_);
    std::vector<ir::region> regions;
    for (int i = 0; i < 2; ++i) {
      ir::region const body = s.b.make_body({});
      std::uint64_t inside = where;
      ir::value const made = inner(s, p_.first_block(body), {}, t, inside);
      ir::builder(p_, p_.first_block(body)).create(ir::opcode::stablehlo_return, {made}, {});
      regions.push_back(body);
    }
    return result(s.b.create(ir::opcode::stablehlo_case, {which}, {t}, {}, {}, std::move(regions)));
  }

  random_options o_;
  ir::program p_;
  ir::context& c_;
  std::uint64_t state_;
  std::uint32_t mesh_count_ = 1;
  ir::type f32_, i32_, i1_, scalar_;
  std::vector<ir::type> types_;
};

}  // namespace detail
}  // namespace mpmd::testing
