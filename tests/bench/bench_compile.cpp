// SPDX-License-Identifier: Apache-2.0
// Compile times (performance-and-toolchain 6): ResNet-50 after reading, and generated models of up to
// 10 000 operations; reading of models and graphs; matching of two plans. Every run's plan has passed the validator;
// peak memory is a counter. Generated models are large enough for several threads: their time is that of the clock, and
// CPU is that of the process.
#include "engine/compare/comparison.h"
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "engine/target/compile.h"
#include "tests/bench/bench_support.h"
#include "tests/bench/budgets.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

using namespace memplan;
using memplan::bench::peakMegabytes;

void compileOften(benchmark::State& state, const CompileRequest& request) {
    PlanPtr plan;
    for (auto _ : state) {
        CompileOutcome outcome = compile(request, RunControl{});
        if (!outcome.plan) {
            state.SkipWithError(outcome.failure->error.primary().message.c_str());
            return;
        }
        plan = std::move(outcome.plan);
    }
    state.counters["ops"] = static_cast<double>(plan->ops.size());
    state.counters["on_chip"] = plan->metrics.buffersOnChip;
    state.counters["peak_MB"] = peakMegabytes();
}

void model(benchmark::State& state, const std::string& path) {
    io::OpenOptions options;
    options.bindWithSuggestions = true;
    auto opened = io::openInput(path, options, RunControl{});
    if (!opened) {
        state.SkipWithError(opened.error().primary().message.c_str());
        return;
    }
    CompileRequest request;
    request.graph = opened.value().graph;
    request.keepSnapshotTexts = state.range(0) != 0;
    compileOften(state, request);
}

/// A node graph of the tests; `level` of the search for fewer layers.
void nodes(benchmark::State& state, const std::string& name, const char* d, const char* hidden) {
    const std::string path = std::string(MEMPLAN_SOURCE_DIR) + "/tests/data/torchwright/" + name + ".graph.json";
    auto opened = io::openInput(path, {}, RunControl{});
    if (!opened) {
        state.SkipWithError(opened.error().primary().message.c_str());
        return;
    }
    Settings settings;
    const std::string level = std::to_string(state.range(0));
    for (const auto& [key, value] :
         {std::pair{"torchwright.d", d}, {"torchwright.d_hidden", hidden}, {"torchwright.optimize", level.c_str()}})
        (void)settings.set(key, value);
    auto& input = opened.value();
    CompileRequest request = requestFor(graphOf(*input.program, name), input.program, {}, std::move(settings), {});
    request.keepSnapshotTexts = false;
    compileOften(state, request);
}

void generated(benchmark::State& state) {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(generateChainModel(static_cast<int>(state.range(0)), 1));
    request.keepSnapshotTexts = state.range(1) != 0;
    compileOften(state, request);
}

/// One solver, with the texts that the window keeps: what a changed setting leads to.
void greedy(benchmark::State& state) {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(generateChainModel(static_cast<int>(state.range(0)), 1));
    request.keepSnapshotTexts = true;
    if (!request.settings.set("spyre.layout_solver", "greedy")) return state.SkipWithError("no such setting");
    compileOften(state, request);
}

void readModel(benchmark::State& state, const std::string& path) {
    io::OpenOptions options;
    options.bindWithSuggestions = true;
    for (auto _ : state) {
        auto opened = io::openInput(path, options, RunControl{});
        if (!opened) state.SkipWithError(opened.error().primary().message.c_str());
        benchmark::DoNotOptimize(opened);
    }
    state.counters["peak_MB"] = peakMegabytes();
}

void readGraph(benchmark::State& state) {
    const std::string text = io::writeGraphJson(generateChainModel(static_cast<int>(state.range(0)), 1));
    for (auto _ : state) {
        auto graph = io::readGraphJson(text, {}, RunControl{});
        if (!graph) state.SkipWithError(graph.error().primary().message.c_str());
        benchmark::DoNotOptimize(graph);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
    state.counters["peak_MB"] = peakMegabytes();
}

void comparison(benchmark::State& state) {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(generateChainModel(static_cast<int>(state.range(0)), 1));
    const PlanPtr plan = compile(request, RunControl{}).plan;
    if (!request.settings.set("spyre.cores", "4")) return state.SkipWithError("no such setting");
    const PlanPtr other = compile(request, RunControl{}).plan;
    if (!plan || !other) return state.SkipWithError("no plan");
    for (auto _ : state)
        benchmark::DoNotOptimize(compare::comparePlans(*plan, *other));
    state.counters["peak_MB"] = peakMegabytes();
}

}  // namespace

int main(int argc, char** argv) {
    // Models beside the repository are not part of it; their rows are left out where they are absent.
    const std::filesystem::path root(MEMPLAN_SOURCE_DIR);
    for (const auto& path :
         {root / "../shared/models/onnx/light_resnet50.onnx", root / "samples/networks/bert_mini_encoder.onnx"}) {
        if (!std::filesystem::exists(path)) continue;
        const std::string name = path.stem().string();
        benchmark::RegisterBenchmark(("compile/" + name).c_str(), model, path.string())
            ->Arg(0)
            ->Arg(1)
            ->ArgName("snapshots")
            ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("read/" + name).c_str(), readModel, path.string())->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("compile/generated", generated)
        ->Args({1000, 0})
        ->Args({10000, 0})
        ->Args({10000, 1})
        ->ArgNames({"ops", "snapshots"})
        ->MeasureProcessCPUTime()
        ->UseRealTime()
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("compile/greedy", greedy)
        ->Arg(500)
        ->ArgName("ops")
        ->UseRealTime()
        ->Repetitions(5)
        ->ReportAggregatesOnly(true)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("compile/calculator", nodes, "calculator", "1024", "1024")
        ->Arg(0)
        ->Arg(1)
        ->ArgName("optimize")
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("compile/calculator_narrow", nodes, "calculator", "512", "512")
        ->Arg(1)
        ->ArgName("optimize")
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("compile/basin24", nodes, "basin24_k0", "768", "256")
        ->Arg(0)
        ->Arg(1)
        ->ArgName("optimize")
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("read/json", readGraph)->Arg(20000)->ArgName("ops")->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("compare/plans", comparison)
        ->Arg(10000)
        ->ArgName("ops")
        ->Unit(benchmark::kMillisecond);
    return memplan::bench::runBenchmarks(argc, argv);
}
