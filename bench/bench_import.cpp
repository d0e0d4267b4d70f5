// Training steps as users write them, read, imported and printed, each timed on its own. N in `read/N`, `import/N` and
// `print/N` is the number of ops of the imported step; in the other families it is what their names say.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <mpmd/ir/traits.hpp>
#include <mpmd/pipeline/import_pipeline.hpp>
#include <mpmd/text/mlir.hpp>

#include "import_step.hpp"

namespace {

using mpmd::bench::import_step;
using program = mpmd::ir::program;

// The text of the step that is asked for, made once.
std::string const& text_of(import_step const& step) {
  static std::map<std::string, std::string> texts;
  auto const key = std::to_string(step.stages) + ' ' + std::to_string(step.microbatches) + ' ' + std::to_string(step.meshes) +
                   ' ' + std::to_string(step.layers) + ' ' + std::to_string(step.parameters) +
                   (step.calls ? " c" : "") + (step.one_zero ? " z" : "");
  auto& text = texts[key];
  if (text.empty()) text = step.text();
  return text;
}

std::optional<program> read(import_step const& step) {
  mpmd::diagnostics diags;
  return mpmd::text::read_mlir(std::make_shared<mpmd::ir::context>(), "step.mlir", text_of(step), diags);
}

mpmd::pipeline<program> pipeline_of(import_step const& step, bool merge_after_scheduling) {
  mpmd::diagnostics diags;
  auto made = mpmd::register_import_pipeline<program>().make(
      step.assignment() + (merge_after_scheduling ? " merge-after-scheduling" : ""), diags);
  return made ? *made : mpmd::pipeline<program>{};
}

bool import(import_step const& step, program& p, bool merge_after_scheduling = false) {
  mpmd::diagnostics diags;
  auto const passes = pipeline_of(step, merge_after_scheduling);
  return !passes.empty() && mpmd::run(passes, p, diags);
}

using step_of = import_step (*)(std::int64_t n);

// Runs `timed(program)` on what `before` makes of each fresh program; the clock stands still meanwhile.
template <class Before, class Timed>
void repeat(benchmark::State& state, import_step const& step, Before before, Timed timed) {
  for (auto _ : state) {
    state.PauseTiming();
    auto p = read(step);
    bool good = p && before(*p);
    state.ResumeTiming();
    good = good && timed(*p);
    if (!good) {
      state.SkipWithError("the step could not be read or imported");
      break;
    }
    state.PauseTiming();
    p.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * step.ops());
}

void time_read(benchmark::State& state, step_of make) {
  import_step const step = make(state.range(0));
  static_cast<void>(text_of(step));
  for (auto _ : state) {
    auto p = read(step);
    if (!p) {
      state.SkipWithError("the step could not be read");
      break;
    }
    state.PauseTiming();
    p.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * step.ops());
}
void time_import(benchmark::State& state, step_of make, bool merge_after_scheduling) {
  import_step const step = make(state.range(0));
  auto const passes = pipeline_of(step, merge_after_scheduling);
  repeat(state, step, [](program&) { return true; }, [&](program& p) {
    mpmd::diagnostics diags;
    return mpmd::run(passes, p, diags);
  });
}
void time_print(benchmark::State& state, step_of make) {
  import_step const step = make(state.range(0));
  repeat(state, step, [&](program& p) { return import(step, p); }, [](program& p) {
    std::string const text = mpmd::text::to_mlir(p);
    benchmark::DoNotOptimize(text.data());
    return true;
  });
}

// Stages and microbatches grow alike; microbatches are written out.
import_step of_ops(std::int64_t n) {
  auto const side = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n) / 6));
  return {.stages = side, .microbatches = side, .meshes = side < 16 ? side : 16};
}
import_step of_large_stages(std::int64_t n) { return {.stages = 4, .microbatches = 4, .meshes = 4, .layers = n / 80}; }
import_step of_calls(std::int64_t n) { return {.stages = 4, .microbatches = n, .meshes = 4, .calls = true}; }
import_step of_microbatches(std::int64_t n) { return {.stages = 4, .microbatches = n, .meshes = 4}; }
import_step of_parameters(std::int64_t n) { return {.stages = 4, .microbatches = 4, .meshes = 4, .calls = true, .parameters = n}; }
import_step of_meshes(std::int64_t n) { return {.stages = n, .microbatches = 4, .meshes = n}; }
import_step of_one_value(std::int64_t n) { return {.stages = n, .microbatches = 4, .meshes = n, .one_zero = true}; }
// The size that is aimed at: N stages, half as many microbatches, a mesh a stage.
import_step of_target(std::int64_t n) { return {.stages = n, .microbatches = n / 2, .meshes = n, .calls = true}; }

struct family {
  char const* suffix;
  step_of make;
  std::int64_t least, most, factor;
};
constexpr family families[] = {
    {"", of_ops, 1'000, 1'000'000, 10},
    {"_large_stages", of_large_stages, 1'000, 1'000'000, 10},
    {"_call_sites", of_calls, 16, 16'384, 4},
    {"_microbatches", of_microbatches, 16, 16'384, 4},
    {"_parameters", of_parameters, 16, 4'096, 4},
    {"_meshes", of_meshes, 16, 1'024, 4},
    {"_value_on_all_meshes", of_one_value, 16, 1'024, 4},
    {"_target", of_target, 64, 64, 2},
};

}  // namespace

int main(int argc, char** argv) {
  for (auto const& f : families) {
    auto const add = [&f](std::string const& name, auto run) {
      auto* const made = benchmark::RegisterBenchmark((name + f.suffix).c_str(), run);
      made->Unit(benchmark::kMillisecond);
      for (std::int64_t n = f.least; n <= f.most; n *= f.factor) made->Arg(n);
    };
    add("read", [make = f.make](benchmark::State& s) { time_read(s, make); });
    add("import", [make = f.make](benchmark::State& s) { time_import(s, make, false); });
    add("import_merge_after_scheduling", [make = f.make](benchmark::State& s) { time_import(s, make, true); });
    add("print", [make = f.make](benchmark::State& s) { time_print(s, make); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
