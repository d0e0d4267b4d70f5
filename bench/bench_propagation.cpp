// Set propagation by the solver against a loop written by hand, on one graph; and mesh inference from end to
// end on generated programs. With
//
//     bench_propagation --repeat NAME N COUNT
//
// it runs one kernel COUNT times and nothing else: for tools that count instructions.

#include <benchmark/benchmark.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>

#include "inference_program.hpp"
#include "propagation_kernels.hpp"
#include "propagation_program.hpp"

namespace {

using namespace mpmd::bench;

// The graph of each size is made once.
const propagation_graph& graph_of(std::int64_t ops) {
  static std::map<std::int64_t, propagation_graph> graphs;
  const auto [at, fresh] = graphs.try_emplace(ops);
  if (fresh) at->second = make_propagation_graph(static_cast<std::uint32_t>(ops));
  return at->second;
}

const propagation_program& program_of(std::int64_t ops) {
  static std::map<std::int64_t, propagation_program> programs;
  const auto [at, fresh] = programs.try_emplace(ops);
  if (fresh) at->second = make_propagation_program(graph_of(ops));
  return at->second;
}

// A kernel and what it runs on, which is made from the graph before the clock starts. Another model of the
// same graph is another entry.
struct kernel {
  const char* name;
  void (*run)(std::int64_t ops, benchmark::State* state, std::int64_t count);
  std::int64_t least = 10'000;  // ops
  std::int64_t most = 10'000'000;
};

// Runs `body(input)` under the benchmark's clock, or `count` times without one.
template <class Input, class Body>
void repeat(const Input& input, benchmark::State* state, std::int64_t count, Body body) {
  if (state) {
    for (auto _ : *state) {
      auto result = body(input);
      benchmark::DoNotOptimize(result);
    }
    state->SetItemsProcessed(state->iterations() * state->range(0));
  } else {
    for (std::int64_t i = 0; i < count; ++i) {
      auto result = body(input);
      benchmark::DoNotOptimize(result);
    }
  }
}

// The pipeline changes the program it runs on, so each run has its own, made while the clock stands still.
template <inference_program::shape Shape>
void infer(std::int64_t ops, benchmark::State* state, std::int64_t count) {
  auto once = [&] {
    if (state) state->PauseTiming();
    auto made = std::make_unique<inference_program>(Shape, ops);
    if (state) state->ResumeTiming();
    if (!infer_meshes(made->program)) {
      if (!state) std::cerr << "the pipeline failed\n";
      if (state) state->SkipWithError("the pipeline failed");
    }
    if (state) state->PauseTiming();
    made.reset();
    if (state) state->ResumeTiming();
  };
  if (state) {
    for (auto _ : *state) once();
    state->SetItemsProcessed(state->iterations() * ops);
  } else {
    for (std::int64_t i = 0; i < count; ++i) once();
  }
}

const kernel kernels[] = {
    {"raw_sweep", [](std::int64_t ops, benchmark::State* state,
                     std::int64_t count) { repeat(graph_of(ops), state, count, raw_sweep); }},
    {"use_set_flat",
     [](std::int64_t ops, benchmark::State* state, std::int64_t count) {
       repeat(graph_of(ops), state, count, [](const auto& g) { return use_set_flat(g); });
     }},
    {"use_set_flat_any_order",
     [](std::int64_t ops, benchmark::State* state, std::int64_t count) {
       repeat(graph_of(ops), state, count,
              [](const auto& g) { return use_set_flat(g, mpmd::csr_order::unknown); });
     }},
    {"use_set_ir", [](std::int64_t ops, benchmark::State* state,
                      std::int64_t count) { repeat(program_of(ops), state, count, use_set_ir); }},
    {"src_set_ir", [](std::int64_t ops, benchmark::State* state,
                      std::int64_t count) { repeat(program_of(ops), state, count, src_set_ir); }},
    {"use_set_origins_ir",
     [](std::int64_t ops, benchmark::State* state, std::int64_t count) {
       repeat(program_of(ops), state, count, use_set_origins_ir);
     }},
    {"infer_pipeline", infer<inference_program::shape::stages>, 1'000, 1'000'000},
    {"infer_pipeline_chain", infer<inference_program::shape::chain>, 1'000, 1'000'000},
    {"infer_pipeline_functions", infer<inference_program::shape::functions>, 1'000, 1'000'000},
    {"infer_pipeline_meshes", infer<inference_program::shape::meshes>, 1'000, 1'000'000},
    {"infer_pipeline_users", infer<inference_program::shape::users>, 1'000, 1'000'000},
};

int run_one(const char* name, const char* ops, const char* count) {
  for (const auto& k : kernels)
    if (std::strcmp(k.name, name) == 0) {
      k.run(std::strtoll(ops, nullptr, 10), nullptr, std::strtoll(count, nullptr, 10));
      return 0;
    }
  std::cerr << "no kernel is called '" << name << "'\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
#if defined(__GLIBC__)
  // Memory that one run frees is kept for the next, as in a compiler at work. Otherwise large sizes would
  // measure the kernel, which hands out and clears pages anew for each run.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 2'000'000'000);
#endif
  if (argc == 5 && std::strcmp(argv[1], "--repeat") == 0) return run_one(argv[2], argv[3], argv[4]);
  for (const auto& k : kernels)
    benchmark::RegisterBenchmark(k.name, [&k](benchmark::State& state) { k.run(state.range(0), &state, 0); })
        ->RangeMultiplier(10)
        ->Range(k.least, k.most)
        ->Unit(benchmark::kMicrosecond);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
