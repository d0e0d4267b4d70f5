#pragma once
/// Short cuts for tests that simulate programs.

#include <doctest/doctest.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/verify.hpp>
#include <mpmd/sim/compare.hpp>
#include <mpmd/text/mlir.hpp>

namespace mpmd::sim::testing {

/// Reads a program that must be valid.
inline ir::program good(std::string_view text) {
  std::string all;
  diagnostics to(
      [&all](diagnostic const& d) { all += std::to_string(d.where.line) + ": " + d.message + '\n'; });
  auto p = text::read_mlir(std::make_shared<ir::context>(), "test.mlir", std::string(text), to);
  REQUIRE_MESSAGE(p.has_value(), all << " in " << text);
  REQUIRE_MESSAGE(ir::verify(*p, to), all << " in " << text);
  return std::move(*p);
}

/// The elements of a tensor, row by row.
inline std::string elements(tensor const& t) {
  std::string out;
  for (auto const e : t.elements) out += (out.empty() ? "" : " ") + to_text(t.format, e);
  return out;
}

/// A tensor of whole numbers.
inline tensor numbers(std::vector<std::int64_t> shape, std::vector<std::int64_t> const& values,
                      element_format format = {element_format::kind::floating, 32}) {
  tensor made{std::move(shape), format, {}};
  for (std::int64_t const v : values)
    made.elements.push_back(format.is_float() ? exact::from_integer(v)
                                              : wrap(format, static_cast<std::uint64_t>(v)));
  return made;
}
inline constexpr element_format i32{element_format::kind::integer, 32};

struct outcome {
  std::optional<simulation> made;
  std::vector<diagnostic> said;

  /// The results, separated by bars; or `id: message` of the first error.
  std::string text() const {
    std::string out;
    if (!made) return said.empty() ? "silent" : said[0].id + ": " + said[0].message;
    for (auto const& r : made->results) out += (out.empty() ? "" : " | ") + elements(r);
    return out;
  }
};

/// Runs the first function of a program.
inline outcome run(ir::program const& p, std::vector<tensor> const& inputs = {},
                   memories memory = memories::one_per_mesh, simulation_limits limits = {}) {
  outcome o;
  diagnostics to([&o](diagnostic const& d) { o.said.push_back(d); });
  o.made = simulate(p, ir::functions(p).at(0), inputs, to, limits, memory);
  CHECK(o.made.has_value() == (to.errors() == 0));
  return o;
}
inline outcome run(std::string_view text, std::vector<tensor> const& inputs = {},
                   memories memory = memories::one_per_mesh, simulation_limits limits = {}) {
  return run(good(text), inputs, memory, limits);
}

}  // namespace mpmd::sim::testing
