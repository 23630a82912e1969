// SPDX-License-Identifier: Apache-2.0
// The check of budgets, held against a stand-in that takes five times its own.
#include "tests/bench/budgets.h"

#include <benchmark/benchmark.h>

#include <chrono>
#include <thread>

namespace {

void fiveTimesTheBudget(benchmark::State& state) {
    const auto* budget = memplan::bench::budgetOf("gantt/hover/buffers:100000");
    for (auto _ : state)
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(5 * budget->ms));
}

}  // namespace

int main(int argc, char** argv) {
    benchmark::RegisterBenchmark("gantt/hover", fiveTimesTheBudget)
        ->Arg(100'000)
        ->ArgName("buffers")
        ->UseRealTime()
        ->Iterations(3);
    return memplan::bench::runBenchmarks(argc, argv);
}
