#pragma once

#include <mpmd/ir/context.hpp>
#include <mpmd/text/mlir/detail/element.hpp>
#include <mpmd/text/mlir/number.hpp>
#include <mpmd/text/mlir/reader.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace mpmd::testing {

/// Types and attributes of every kind, the same for the same seed everywhere. They keep the invariants that
/// the reader establishes (a dense value that can be a splat is one, ...), so that reading what was printed
/// gives the same.
class random_attributes {
 public:
  random_attributes(ir::context& in, std::uint64_t seed) : in_(in), state_(seed * 0x9E3779B97F4A7C15u + 1) {}

  ir::type type(int depth = 3) {
    switch (below(depth > 0 ? 16 : 6)) {
      case 0: return in_.integer(width(), sign());
      case 1: return in_.get(ir::index_type{});
      case 2: return float_type();
      case 3: return in_.get(ir::token_type{});
      case 4:
        return in_.get(
            ir::opaque_type{pick({"!util.ptr<i32>", "!a.b", "!a<b c, [1]>", "memref<4x?xf32, 1 : i32>"})});
      case 5: return in_.integer(32);
      case 6: return in_.get(ir::none_type{});
      case 7: return in_.get(ir::unranked_tensor_type{scalar_type()});
      case 8: return vector_type();
      case 9: return in_.get(ir::complex_type{coin() ? in_.integer(width(), sign()) : float_type()});
      case 10: return in_.get(ir::tuple_type{types(depth - 1)});
      case 11: return in_.get(ir::function_type{types(depth - 1), types(depth - 1)});
      case 12: return mesh_tensor();
      default: return tensor(true, coin() ? attribute(depth - 1) : ir::attribute{});
    }
  }

  ir::attribute attribute(int depth = 3) {
    switch (below(depth > 0 ? 25 : 8)) {
      case 0: return in_.unit();
      case 1: return integer();
      case 2: return floating();
      case 3: return in_.get(ir::string_attr{text(), coin() ? ir::type{} : in_.integer(32)});
      case 4: return symbol();
      case 5:
        return in_.get(ir::opaque_attr{pick({"#foo.bar", "#foo.bar<a = 1, \"x  y\">", "#foo<a b>",
                                             "affine_map<(d0) -> (d0 + 1)>", "strided<[1, ?], offset: 4>"}),
                                       {}});
      case 6: return in_.boolean(coin());
      case 7: return in_.get(ir::reduction_attr{static_cast<ir::reduction_kind>(below(7))});
      case 8: return in_.get(ir::type_attr{type(depth - 1)});
      case 9: return in_.get(ir::array_attr{attributes(depth - 1)});
      case 10: return dictionary(depth);
      case 11:
      case 12:
      case 13: return dense();
      case 14: return dense_array();
      case 15: return in_.get(ir::dense_resource_attr{coin() ? "key" : text(), tensor(true)});
      case 16: return mesh();
      case 17: return sharding();
      case 18: return in_.get(ir::sharding_per_value_attr{many([this] { return sharding(); })});
      case 19: return in_.get(ir::topology_attr{at_least_one([this] { return named_mesh(); })});
      case 20: return named_mesh();
      case 21: return in_.get(ir::user_origin_attr{text(), static_cast<std::int64_t>(below(4)) - 1});
      case 22: return origins();
      case 23: return location(depth);
      default: return in_.get(ir::opaque_attr{"sparse<[[0, 0]], 1>", tensor(false)});
    }
  }

  std::uint64_t below(std::uint64_t bound) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return (state_ * 0x2545F4914F6CDD1Du >> 11) % bound;
  }
  bool coin() { return below(2) == 0; }

 private:
  std::uint64_t bits() { return below(1u << 31) << 33 ^ below(1u << 31) << 16 ^ below(1u << 31); }
  std::string pick(std::vector<std::string> const& from) { return from[below(from.size())]; }
  template <class F>
  std::vector<std::invoke_result_t<F&>> at_least_one(F one) {
    std::vector<std::invoke_result_t<F&>> made;
    do made.push_back(one());
    while (below(3) != 0 && made.size() < 5);
    return made;
  }
  template <class F>
  std::vector<std::invoke_result_t<F&>> many(F one) {
    return below(4) == 0 ? std::vector<std::invoke_result_t<F&>>{} : at_least_one(one);
  }
  std::vector<ir::type> types(int depth) {
    return many([this, depth] { return type(depth); });
  }
  std::vector<ir::attribute> attributes(int depth) {
    return many([this, depth] { return attribute(depth); });
  }

  std::string text() {
    std::string made;
    for (auto n = below(6) + 1; n > 0; --n)
      made += below(4) != 0 ? static_cast<char>('a' + below(26)) : static_cast<char>(below(256));
    return made;
  }
  std::uint32_t width() { return static_cast<std::uint32_t>(coin() ? 8u << below(4) : below(65)); }
  ir::signedness sign() { return static_cast<ir::signedness>(below(3)); }
  ir::type float_type() {
    return in_.floating(float_formats[below(float_formats.size())].keyword);
  }
  ir::type scalar_type() {
    switch (below(5)) {
      case 0: return float_type();
      case 1: return in_.get(ir::index_type{});
      case 2: return in_.integer(1);
      default: return in_.integer(coin() ? width() : 65 + static_cast<std::uint32_t>(below(100)), sign());
    }
  }
  std::vector<std::int64_t> shape(bool dynamic) {
    std::vector<std::int64_t> made;
    for (auto rank = below(4); rank > 0; --rank) {
      made.push_back(dynamic && below(5) == 0 ? ir::dynamic_extent : static_cast<std::int64_t>(below(7)));
      if (below(20) == 0) made.back() = 40;
    }
    return made;
  }
  ir::type tensor(bool dynamic, ir::attribute encoding = {}) {
    ir::type const element =
        below(5) == 0 ? in_.get(ir::complex_type{coin() ? in_.integer(width(), sign()) : float_type()})
                      : scalar_type();
    return in_.get(ir::tensor_type{shape(dynamic), element, encoding});
  }
  ir::type vector_type() {
    ir::vector_type made{shape(false), {}, scalar_type()};
    for (auto& extent : made.shape) {
      extent += 1;
      made.scalable.push_back(coin());
    }
    return in_.get(std::move(made));
  }
  ir::type mesh_tensor() {
    ir::mesh_tensor_type made{text(), tensor(true)};
    if (coin()) made.sharding = sharding();
    if (coin()) made.memory_kind = coin() ? "device" : text();
    return in_.get(std::move(made));
  }

  ir::attribute integer() {
    ir::type const of = coin()          ? in_.integer(64)
                        : below(4) == 0 ? in_.get(ir::index_type{})
                                        : in_.integer(width(), sign());
    auto const format = *text::mlir::integer_format_of(in_, of);
    return in_.get(ir::integer_attr{text::mlir::extend(format, bits()), of});
  }
  ir::attribute floating() {
    for (;;) {
      ir::type const of = coin() ? in_.floating("f64") : float_type();
      unsigned const width_of = find_float_format(in_.get_if<ir::float_type>(of)->keyword)->width;
      if (width_of <= 64) return in_.get(ir::float_attr{bits() >> (64 - width_of), of});
    }
  }
  ir::attribute symbol() {
    return in_.get(
        ir::symbol_ref_attr{text(), coin() ? std::vector<std::string>{} : std::vector{text(), text()}});
  }
  ir::attribute dictionary(int depth) {
    std::vector<std::pair<ir::name, ir::attribute>> entries;
    for (auto n = below(5); n > 0; --n) entries.emplace_back(in_.intern(text()), attribute(depth - 1));
    return in_.dictionary(std::move(entries));
  }
  ir::attribute dense() {
    ir::type const of = below(5) == 0 ? vector_type() : tensor(false);
    auto const e = *text::mlir::detail::element_of(in_, of);
    std::uint64_t const count = text::mlir::detail::element_count(in_, of);
    ir::dense_attr made{of, {}};
    bool const splat = count != 0 && coin();
    for (std::uint64_t i = 0; i < (splat ? 1 : count); ++i)
      for (int part = 0; part < (e.complex ? 2 : 1); ++part) {
        std::size_t const size = e.scalar_size();
        for (std::size_t b = 0; b < size; ++b) made.data += static_cast<char>(below(256));
        auto const top = static_cast<unsigned char>(made.data.back());
        made.data.back() = static_cast<char>(e.width() == 0 ? 0 : top & 0xFFu >> e.spare_bits());
      }
    made.splat = splat ||
                 (count != 0 && made.data.find_first_not_of(made.data.substr(0, 1)) == std::string::npos) ||
                 is_splat(made.data, e.size());
    if (made.splat) made.data.resize(e.size());
    return in_.get(std::move(made));
  }
  static bool is_splat(std::string const& data, std::size_t size) {
    return !data.empty() && data.substr(size) == data.substr(0, data.size() - size);
  }
  ir::attribute dense_array() {
    bool const real = coin();
    ir::type const of =
        real ? in_.floating(coin() ? "f32" : "f64") : in_.integer(coin() ? 1 : 8u << below(4), sign());
    ir::dense_array_attr made{of, {}};
    for (auto n = below(5); n > 0; --n) {
      auto const wide = static_cast<std::int64_t>(bits());
      made.values.push_back(real ? in_.get_if<ir::float_type>(of)->keyword == "f32" ? wide & 0xFFFFFFFF : wide
                                 : text::mlir::extend(*text::mlir::integer_format_of(in_, of), bits()));
    }
    return in_.get(std::move(made));
  }

  ir::attribute mesh() {
    ir::mesh_attr made;
    std::int64_t count = 1;
    for (auto n = below(4); n > 0; --n) {
      made.axes.push_back({text() + std::to_string(n), static_cast<std::int64_t>(below(4) + 1)});
      count *= made.axes.back().size;
    }
    if (made.axes.empty()) {
      if (coin()) made.device_ids.push_back(static_cast<std::int64_t>(below(9)));
    } else if (coin() && count > 1) {
      for (std::int64_t id = count; id > 0; --id) made.device_ids.push_back(id - 1);
    }
    return in_.get(std::move(made));
  }
  ir::axis_ref axis() {
    if (coin()) return {text()};
    return {text(), static_cast<std::int64_t>(below(4)), static_cast<std::int64_t>(below(4) + 1)};
  }
  ir::attribute sharding() {
    ir::sharding_attr made{coin() ? in_.symbol(text()) : mesh(), {}};
    made.dims = many([this] {
      ir::dim_sharding d{many([this] { return axis(); }), coin(), {}};
      if (coin()) d.priority = static_cast<std::int64_t>(below(12));
      return d;
    });
    if (coin()) made.replicated = many([this] { return axis(); });
    if (coin()) made.unreduced = at_least_one([this] { return axis(); });
    if (!made.unreduced.empty()) made.reduction = static_cast<ir::unreduced_kind>(below(3));
    return in_.get(std::move(made));
  }
  ir::attribute named_mesh() { return in_.get(ir::named_mesh_attr{text(), mesh()}); }
  ir::mesh_with_origins one_mesh() {
    return {text(), many([this] { return text(); })};
  }
  ir::attribute origins() {
    switch (below(3)) {
      case 0: return in_.get(ir::origin_attr{text()});
      case 1: return in_.get(ir::mesh_with_origins_attr{one_mesh()});
      default: return in_.get(ir::meshes_with_origins_attr{many([this] { return one_mesh(); })});
    }
  }

  ir::attribute location(int depth) {
    auto number = [this] { return static_cast<std::uint32_t>(below(1000) + 1); };
    switch (below(depth > 0 ? 5 : 2)) {
      case 0: return in_.get(ir::file_loc{text(), number(), number(), coin() ? 0 : number(), number()});
      case 1: return in_.get(ir::name_loc{text(), {}});
      case 2: return in_.get(ir::name_loc{text(), location(depth - 1)});
      case 3: return in_.get(ir::callsite_loc{location(depth - 1), location(depth - 1)});
      default:
        return ir::fuse_locations(in_, many([this, depth] { return location(depth - 1); }),
                                          coin() ? ir::attribute{} : attribute(depth - 1));
    }
  }

  ir::context& in_;
  std::uint64_t state_;
};

}  // namespace mpmd::testing
