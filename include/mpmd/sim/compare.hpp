#pragma once
/// Whether two programs do the same: their entry functions are run on the same inputs.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <mpmd/ir/functions.hpp>
#include <mpmd/ir/locate.hpp>
#include <mpmd/sim/simulate.hpp>

namespace mpmd::sim {

struct observation_options {
  std::uint64_t seed = 1;    ///< of the inputs
  std::uint32_t trials = 2;  ///< runs of each function, each on inputs of its own
  simulation_limits limits = {};
};

/// What the entry functions of a program did on inputs that depend on the options alone.
struct behaviour {
  struct function {
    std::string name;
    source_location where;
    std::vector<tensor_form> parameters;
    std::vector<simulation> runs;
  };
  observation_options options;
  std::vector<function> functions;
};

/// A tensor that is always the same for a seed: small whole numbers from -2 to 7, floats also with halves and
/// quarters, so that loops and cases which depend on them stay short. The form must be within limits.
inline tensor make_input(tensor_form const& form, std::uint64_t seed) {
  tensor made{form.shape, form.format, {}};
  std::uint64_t const count = element_count(form.shape, ~std::uint64_t{0} - 1);
  made.elements.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    std::uint64_t const h = exact::mix(seed, i);
    auto const small = static_cast<std::int64_t>(h % 10) - 2;
    switch (form.format.what) {
      case element_format::kind::floating:
        made.elements.push_back(exact::from_dyadic(h >> 63 != 0, h % 32, -2));
        break;
      case element_format::kind::unsigned_integer: made.elements.push_back(wrap(form.format, h % 8)); break;
      case element_format::kind::token: made.elements.push_back(0); break;
      default: made.elements.push_back(wrap(form.format, static_cast<std::uint64_t>(small)));
    }
  }
  return made;
}

/// The functions that are called from outside: the entry points of an MPMD program, or, where there are none,
/// every public function with a body.
inline std::vector<ir::op> observed_functions(ir::program const& p) {
  std::vector<ir::op> entries, all;
  for (ir::op const f : ir::functions(p)) {
    if (ir::is_declaration(p, f) || ir::visibility_of(p, f) != ir::symbol_visibility::is_public) continue;
    all.push_back(f);
    if (ir::is_entry_point(p, f)) entries.push_back(f);
  }
  return entries.empty() ? all : entries;
}

/// Runs the entry functions. Nothing, after saying why, if one of them cannot be run (see simulate()).
inline std::optional<behaviour> observe(ir::program const& p, diagnostics& diags,
                                        observation_options const& options, memories memory) {
  behaviour seen{options, {}};
  for (ir::op const f : observed_functions(p)) {
    behaviour::function one{std::string(ir::symbol_name(p, f)), ir::locate(p, f), {}, {}};
    std::uint64_t elements = 0;
    for (ir::value const v : ir::parameters(p, f)) {
      auto form = form_of(p.context(), p.type_of(v));
      std::string const argument =
          "argument " + std::to_string(one.parameters.size()) + " of function '@" + one.name + "' ";
      if (!form) {
        diags.error(ir::locate(p, v), "sim.malformed", argument + "has a type that is not simulated");
        return std::nullopt;
      }
      std::uint64_t const count = element_count(form->shape, ~std::uint64_t{0} - 1);
      elements = std::min(elements + std::min(count, options.limits.bytes), options.limits.bytes);
      if (count > options.limits.elements || elements * sizeof(std::uint64_t) > options.limits.bytes) {
        diags.error(ir::locate(p, v), "sim.too-large",
                    "too large to simulate: " + argument + "has " + std::to_string(count) +
                        " elements; the limit is " + std::to_string(options.limits.elements));
        return std::nullopt;
      }
      one.parameters.push_back(std::move(*form));
    }
    std::uint64_t seed = exact::mix(options.seed, 0);
    for (char const c : one.name) seed = exact::mix(seed, static_cast<unsigned char>(c));
    for (std::uint32_t t = 0; t < options.trials; ++t) {
      std::vector<tensor> inputs;
      for (auto const& form : one.parameters)
        inputs.push_back(make_input(form, exact::mix(exact::mix(seed, t), inputs.size())));
      auto run = simulate(p, f, inputs, diags, options.limits, memory);
      if (!run) return std::nullopt;
      one.runs.push_back(std::move(*run));
    }
    seen.functions.push_back(std::move(one));
  }
  return seen;
}

namespace detail {

/// Where two runs of a function differ, in words; empty if nowhere. Effects count as sets: a program on
/// meshes may have an effect on each of them.
inline std::string difference(simulation const& before, simulation const& after) {
  if (before.results.size() != after.results.size())
    return "returns " + std::to_string(after.results.size()) + " results, not " +
           std::to_string(before.results.size());
  for (std::size_t r = 0; r < before.results.size(); ++r) {
    tensor const &was = before.results[r], &is = after.results[r];
    if (!same_form(was, is)) return "returns result " + std::to_string(r) + " with another type";
    for (std::size_t e = 0; e < was.elements.size(); ++e)
      if (was.elements[e] != is.elements[e])
        return "computes " + to_text(is.format, is.elements[e]) + " instead of " +
               to_text(was.format, was.elements[e]) + " as element " + index_text(was.shape, e) +
               " of result " + std::to_string(r);
  }
  auto as_set = [](std::vector<effect> effects) {
    std::sort(effects.begin(), effects.end());
    effects.erase(std::unique(effects.begin(), effects.end()), effects.end());
    return effects;
  };
  auto const was = as_set(before.effects), is = as_set(after.effects);
  for (auto const& [from, in, verb] :
       {std::tuple{&was, &is, "has no longer"}, std::tuple{&is, &was, "has a new effect:"}})
    for (effect const& e : *from)
      if (!std::binary_search(in->begin(), in->end(), e))
        return std::string(verb) + " '" + e.what + "' with the same operands";
  return {};
}

}  // namespace detail

/// Whether a program, behind some change of it, does what it did before: the same entry functions, which
/// return the same results bit for bit and have the same effects. Parameters and results may have become mesh
/// tensors. Reports the first difference of each function as `sim.different`, with function, result and
/// element.
inline bool same_behaviour(behaviour const& before, behaviour const& after, diagnostics& diags) {
  bool same = true;
  auto differ = [&](source_location where, std::string message) {
    diags.error(std::move(where), "sim.different", std::move(message));
    same = false;
  };
  for (auto const& was : before.functions) {
    std::string const named = "function '@" + was.name + "' ";
    auto const at = std::find_if(after.functions.begin(), after.functions.end(),
                                 [&](auto const& f) { return f.name == was.name; });
    if (at == after.functions.end()) {
      differ(was.where, named + "is no longer there to be called");
      continue;
    }
    if (at->parameters != was.parameters) {
      differ(at->where, named + "takes other arguments than before");
      continue;
    }
    for (std::size_t t = 0; t < was.runs.size() && t < at->runs.size(); ++t)
      if (auto const what = detail::difference(was.runs[t], at->runs[t]); !what.empty()) {
        differ(at->where, named + what + " (seed " + std::to_string(before.options.seed) + ", run " +
                              std::to_string(t) + ")");
        break;
      }
  }
  return same;
}

/// Runs both programs and compares them: the first with one memory, the second with one a mesh.
inline bool compare_by_simulation(ir::program const& before, ir::program const& after, diagnostics& diags,
                                  observation_options const& options = {}) {
  auto const was = observe(before, diags, options, memories::one);
  if (!was) return false;
  auto const is = observe(after, diags, options, memories::one_per_mesh);
  return is && same_behaviour(*was, *is, diags);
}

}  // namespace mpmd::sim
