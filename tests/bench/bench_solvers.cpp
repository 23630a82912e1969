// SPDX-License-Identifier: Apache-2.0
// Placement at 1e3 .. 1e6 buffers of family "ticks", against the quadratic oracle at 1e4 and 1e5
// (performance-and-toolchain 5, target 1: at least 10x and 100x with byte-identical output). Every measured plan is
// checked outside the timed region; a wrong one ends the run with an error.
#include "engine/solve/annealing/annealing.h"
#include "engine/solve/annealing/packer.h"
#include "engine/solve/exact/exact.h"
#include "engine/solve/heuristics/heuristics.h"
#include "engine/solve/problem/bounds.h"
#include "engine/solve/validate.h"
#include "tests/support/problem_generators.h"
#include "tests/support/solver_oracle.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

using namespace memplan;
using namespace memplan::solve;

namespace {

struct Method {
    const char* name;
    std::function<Addresses(const Problem&)> fast;
    std::function<Addresses(const Problem&)> oracle;
};

const std::vector<Method>& methods() {
    static const std::vector<Method> kMethods{
        {"greedy", [](const Problem& p) { return placeGreedily(p, {}).value().addresses; },
         [](const Problem& p) { return testing::oracleGreedy(p); }},
        {"firstfit",
         [](const Problem& p) { return placeInOrder(p, Fit::First, Ordering::Lifetime, {}).value().addresses; },
         [](const Problem& p) {
             return testing::oracleFit(p, testing::OracleFit::First, testing::OracleOrder::Lifetime);
         }},
        {"bestfit",
         [](const Problem& p) { return placeInOrder(p, Fit::Best, Ordering::Lifetime, {}).value().addresses; },
         [](const Problem& p) {
             return testing::oracleFit(p, testing::OracleFit::Best, testing::OracleOrder::Lifetime);
         }},
    };
    return kMethods;
}

const Problem& ticks(int count) {
    static std::map<int, Problem> problems;
    const auto known = problems.find(count);
    return known != problems.end() ? known->second : problems.emplace(count, testing::ticksFamily(count)).first->second;
}

/// Peak resident memory of the process so far; run one case per process for its own figure.
double peakMebibytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

void report(benchmark::State& state, const Problem& problem, const Addresses& addresses) {
    if (!validate(problem, addresses).empty()) state.SkipWithError("illegal placement");
    Bytes pinned = 0;
    Bytes height = 0;
    Bytes total = 0;
    for (std::size_t i = 0; i < addresses.size(); ++i) {
        total += problem.items[i].size;
        if (!addresses[i]) continue;
        pinned += problem.items[i].size;
        height = std::max(height, *addresses[i] + problem.items[i].size);
    }
    state.counters["pinned_percent"] = 100.0 * static_cast<double>(pinned) / static_cast<double>(total);
    state.counters["height"] = static_cast<double>(height);
    state.counters["peak_rss_MiB"] = peakMebibytes();
}

void runFast(benchmark::State& state, const Method& method) {
    const Problem& problem = ticks(static_cast<int>(state.range(0)));
    Addresses addresses;
    for (auto unused : state) {
        static_cast<void>(unused);
        addresses = method.fast(problem);
    }
    report(state, problem, addresses);
    state.SetComplexityN(state.range(0));
}

double seconds(const std::function<Addresses(const Problem&)>& run, const Problem& problem, Addresses& out) {
    // Processor time: the machine is shared, and both sides run on one thread.
    const std::clock_t begin = std::clock();
    out = run(problem);
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Both in one process, fast ones around the oracle; the counter `ratio` is oracle over the median fast time.
void runRatio(benchmark::State& state, const Method& method) {
    const Problem& problem = ticks(static_cast<int>(state.range(0)));
    for (auto unused : state) {
        static_cast<void>(unused);
        Addresses fast;
        Addresses oracle;
        std::vector<double> times;
        for (int k = 0; k < 3; ++k)
            times.push_back(seconds(method.fast, problem, fast));
        const double slow = seconds(method.oracle, problem, oracle);
        for (int k = 0; k < 4; ++k)
            times.push_back(seconds(method.fast, problem, fast));
        std::nth_element(times.begin(), times.begin() + 3, times.end());
        state.SetIterationTime(slow);
        state.counters["fast_ms"] = 1e3 * times[3];
        state.counters["ratio"] = slow / times[3];
        state.PauseTiming();
        if (fast != oracle) state.SkipWithError("addresses differ from the oracle's");
        report(state, problem, fast);
        state.ResumeTiming();
    }
}

void runBounds(benchmark::State& state) {
    const Problem& problem = ticks(static_cast<int>(state.range(0)));
    for (auto unused : state) {
        static_cast<void>(unused);
        benchmark::DoNotOptimize(bounds(problem).pinnedUpperBound);
    }
    state.counters["peak_rss_MiB"] = peakMebibytes();
    state.SetComplexityN(state.range(0));
}

/// One whole packing of a random order (performance-and-toolchain 5, target 3).
void runPacker(benchmark::State& state) {
    const Problem problem = testing::ticksFamily(static_cast<int>(state.range(0)));
    const Packer packer(problem);
    std::vector<int> order(packer.count());
    std::iota(order.begin(), order.end(), 0);
    testing::SeededDraws draws(7);
    for (std::size_t i = order.size(); i > 1; --i) {
        std::swap(order[i - 1], order[static_cast<std::size_t>(draws.between(0, static_cast<int>(i) - 1))]);
    }
    for (auto unused : state) {
        static_cast<void>(unused);
        benchmark::DoNotOptimize(packer.pack(order).quality);
    }
}

void runAnnealing(benchmark::State& state) {
    const Problem problem = testing::ticksFamily(static_cast<int>(state.range(0)));
    Addresses addresses;
    for (auto unused : state) {
        static_cast<void>(unused);
        addresses = placeByAnnealing(problem, {}, {}).value().addresses;
    }
    report(state, problem, addresses);
}

/// One step of the annealer, which probes every insertion point, in 12 time columns (performance-and-toolchain 5,
/// target 3: 5, 85 and 350 us at 32, 128 and 256 buffers). The start solution is in the time, spread over the steps.
void runAnnealingStep(benchmark::State& state) {
    const Problem problem = testing::columnsFamily(static_cast<int>(state.range(0)), 12);
    SolverParams params;
    params.annealingSteps = 2'000;
    Addresses addresses;
    for (auto unused : state) {
        static_cast<void>(unused);
        addresses = placeByAnnealing(problem, params, {}).value().addresses;
    }
    state.counters["step_us"] =
        benchmark::Counter(static_cast<double>(state.iterations()) * params.annealingSteps / 1e6,
                           benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
    report(state, problem, addresses);
}

/// Gap to the proved bound of the exact solver, in percent.
void runExact(benchmark::State& state) {
    const Problem problem = testing::ticksFamily(static_cast<int>(state.range(0)));
    ExactResult result;
    for (auto unused : state) {
        static_cast<void>(unused);
        result = solveExactly(problem, {}, {}).value();
    }
    report(state, problem, result.solution.addresses);
    state.counters["gap_percent"] =
        100.0 * static_cast<double>(result.upperBound - result.value) / static_cast<double>(result.upperBound);
}

void registerAll() {
    for (const Method& m : methods()) {
        const std::string name = m.name;
        benchmark::RegisterBenchmark(("fast/" + name).c_str(), [&m](benchmark::State& s) { runFast(s, m); })
            ->RangeMultiplier(10)
            ->Range(1'000, 1'000'000)
            ->Unit(benchmark::kMillisecond)
            ->Complexity();
        benchmark::RegisterBenchmark(("ratio/" + name).c_str(), [&m](benchmark::State& s) { runRatio(s, m); })
            ->Arg(10'000)
            ->Arg(100'000)
            ->Iterations(1)
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond);
    }
    benchmark::RegisterBenchmark("bounds", runBounds)
        ->RangeMultiplier(10)
        ->Range(1'000, 100'000)
        ->Unit(benchmark::kMillisecond)
        ->Complexity();
    benchmark::RegisterBenchmark("packer", runPacker)->Arg(32)->Arg(128)->Arg(256)->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark("annealing", runAnnealing)->Arg(32)->Arg(64)->Arg(128)->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("annealing_step", runAnnealingStep)
        ->Arg(32)
        ->Arg(64)
        ->Arg(128)
        ->Arg(256)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("exact", runExact)
        ->Arg(30)
        ->Arg(60)
        ->Arg(100)
        ->Iterations(1)
        ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char** argv) {
    registerAll();
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
