// Host programs of growing size, up to 10^5 allocations in 10^4 domains: read, walked once, traced, materialized, printed. Each allocation has a view, which ten
// dispatches take; a tenth as many different sets of devices as allocations; loops over up to 65536 devices, a collective
// for every tenth allocation.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>

#include <mpmd/analysis/window_trace.hpp>
#include <mpmd/ir/traits.hpp>
#include <mpmd/ir/walk.hpp>
#include <mpmd/text/python.hpp>
#include <mpmd/transform/materialize_comm_domain_scopes.hpp>

namespace {

namespace ir = mpmd::ir;

// `n` dispatches.
std::string source_of(std::int64_t n) {
  std::int64_t const allocations = n / 10, sets = allocations / 10 + 1;
  std::ostringstream out;
  out << "import pypto.language as pl\nimport pypto.language.distributed as pld\n\n@pl.program\nclass Bench:\n"
         "    @pl.function(type=pl.FunctionType.Orchestration)\n"
         "    def step(self, w: pld.DistributedTensor[[16], pl.FP32]):\n        return w\n\n"
         "    @pl.function(level=pl.Level.HOST, role=pl.Role.Orchestrator)\n    def host(self):\n";
  for (std::int64_t i = 0; i < allocations; ++i) {
    std::int64_t const first = i % sets;
    out << "        b" << i << " = pld.alloc_window_buffer(64)\n        w" << i << " = pld.window(b" << i
        << ", [16], dtype=pl.FP32)\n";
    if (i % 10 == 9) {
      out << "        for r" << i << " in pl.range(" << first << ", 65536):\n            self.step(w" << i << ", device=r"
          << i << ")\n";
    } else {
      out << "        v" << i << " = w" << i << "\n";
      for (int d = 0; d < 10; ++d) out << "        self.step(v" << i << ", device=" << first + d * 3 << ")\n";
    }
    if (i % 10 == 5)
      out << "        s" << i << " = pld.window(b" << i - 1 << ", [8, 1], dtype=pl.INT32)\n        pld.tensor.allreduce(w"
          << i << ", s" << i << ")\n";
  }
  out << "        return 0\n";
  return out.str();
}

std::string const& text_of(std::int64_t n) {
  static std::map<std::int64_t, std::string> texts;
  auto const [at, fresh] = texts.try_emplace(n);
  if (fresh) at->second = source_of(n);
  return at->second;
}
ir::program read(std::int64_t n) {
  mpmd::diagnostics diags;
  auto p = mpmd::text::read_python(std::make_shared<ir::context>(), "bench.py", text_of(n), diags);
  if (!p) std::abort();
  return std::move(*p);
}
ir::program const& program_of(std::int64_t n) {
  static std::map<std::int64_t, ir::program> programs;
  auto at = programs.find(n);
  if (at == programs.end()) at = programs.emplace(n, read(n)).first;
  return at->second;
}

void reading(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read(state.range(0)));
  state.SetComplexityN(state.range(0));
}
void walking(benchmark::State& state) {
  ir::program const& p = program_of(state.range(0));
  for (auto _ : state) {
    // A look at all that an op has: its kind, operands, results, their types, its attributes.
    std::size_t seen = 0;
    ir::walk(p, p.root(), [&](ir::op o) {
      seen += p.kind(o).id;
      for (ir::value const v : p.operands(o)) seen += p.type_of(v).id;
      for (ir::value const v : p.results(o)) seen += p.type_of(v).id;
      for (ir::attribute const a : {p.properties(o), p.attributes(o)})
        if (auto const* d = p.context().get_if<ir::dictionary_attr>(a))
          for (auto const& [key, held] : d->entries) seen += key.id + held.id;
    });
    benchmark::DoNotOptimize(seen);
  }
  state.SetComplexityN(state.range(0));
}
void tracing(benchmark::State& state) {
  ir::program const& p = program_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(mpmd::trace_windows(p));
  state.SetComplexityN(state.range(0));
}
void materializing(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    ir::program p = read(state.range(0));
    mpmd::diagnostics diags;
    state.ResumeTiming();
    if (!mpmd::materialize_comm_domain_scopes{}(p, diags)) state.SkipWithError("the pass failed");
  }
  state.SetComplexityN(state.range(0));
}
void printing(benchmark::State& state) {
  ir::program const& p = program_of(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(mpmd::text::to_python(p));
  state.SetComplexityN(state.range(0));
}

BENCHMARK(reading)->RangeMultiplier(10)->Range(100, 1'000'000)->Unit(benchmark::kMillisecond)->Complexity();
BENCHMARK(walking)->RangeMultiplier(10)->Range(100, 1'000'000)->Unit(benchmark::kMillisecond)->Complexity();
BENCHMARK(tracing)->RangeMultiplier(10)->Range(100, 1'000'000)->Unit(benchmark::kMillisecond)->Complexity();
BENCHMARK(materializing)->RangeMultiplier(10)->Range(100, 1'000'000)->Unit(benchmark::kMillisecond)->Complexity();
BENCHMARK(printing)->RangeMultiplier(10)->Range(100, 1'000'000)->Unit(benchmark::kMillisecond)->Complexity();

}  // namespace

BENCHMARK_MAIN();
