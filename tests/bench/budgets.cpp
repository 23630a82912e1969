// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/budgets.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

namespace memplan::bench {
namespace {

double milliseconds(const benchmark::BenchmarkReporter::Run& run) {
    return run.GetAdjustedRealTime() / benchmark::GetTimeUnitMultiplier(run.time_unit) * 1e3;
}

double medianOf(std::vector<double> times) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
}

/// Prints as usual, and keeps the times of what has a budget.
class Watcher final : public benchmark::ConsoleReporter {
public:
    void ReportRuns(const std::vector<Run>& runs) override {
        ConsoleReporter::ReportRuns(runs);
        for (const Run& run : runs)
            keep(run);
    }
    /// Prints budget and median of each; false when one is far beyond.
    [[nodiscard]] bool check() const {
        bool isGood = !hasError_;
        if (!times_.empty()) std::printf("\n%-44s %10s %10s %7s\n", "budget check", "median ms", "budget ms", "ratio");
        for (const auto& [name, times] : times_) {
            const Budget& budget = *budgetOf(name);
            const double median = times.median >= 0 ? times.median : medianOf(times.each);
            const double ratio = median / budget.ms;
            const bool isBeyond = ratio > kAllowance;
            std::printf("%-44s %10.2f %10.2f %7.2f %s\n", name.c_str(), median, budget.ms, ratio,
                        isBeyond      ? "beyond three times the budget"
                        : ratio > 1.0 ? "over, allowed on a shared machine"
                                      : "");
            isGood = isGood && !isBeyond;
        }
        return isGood;
    }

private:
    struct Times {
        std::vector<double> each;
        double median = -1;  ///< as the library counted it over repetitions
    };
    void keep(const Run& run) {
        hasError_ = hasError_ || run.error_occurred;
        const std::string name = run.run_name.str();
        if (run.error_occurred || budgetOf(name) == nullptr) return;
        if (run.run_type == Run::RT_Iteration) times_[name].each.push_back(milliseconds(run));
        if (run.run_type == Run::RT_Aggregate && run.aggregate_name == "median")
            times_[name].median = milliseconds(run);
    }

    std::map<std::string, Times> times_;
    bool hasError_ = false;
};

}  // namespace

const std::vector<Budget>& budgets() {
    static const std::vector<Budget> kBudgets{
        {"gantt/frame/buffers:10000/zoom:1", 16, "Gantt pan/zoom frame, 10 000"},
        {"gantt/frame/buffers:100000/zoom:10", 16, "Gantt pan/zoom frame, 10 000 visible of 100 000"},
        {"gantt/frame/buffers:100000/zoom:1", 16, "Gantt pan/zoom frame, 100 000 visible, scaled picture"},
        {"gantt/hover/buffers:100000", 1, "Gantt hover hit-test, 100 000"},
        {"gantt/new_plan/buffers:100000", 50, "nothing blocks the window for more than 50 ms (2.15)"},
        {"gantt/selection/buffers:100000", 50, "selection shown, 100 000 buffers"},
        {"gantt/png_4k/buffers:100000", 1000, "PNG export 4K, 100 000 buffers"},
        {"layout/built_in/nodes:2000", 300, "built-in layout, 2 000 nodes (appendix B.7)"},
        {"graph/frame/ops:500", 16, "graph pan/zoom frame, 500 operations"},
        {"cores/matrix/ops:10000", 16, "matrix of all operations, 10 000 x 32"},
        {"cores/selection/ops:10000", 16, "core grid after a selection"},
        {"palette/seven_searches/names:100000", 350, "palette, seven searches of 50 ms over 100 000 names"},
        {"residual/frame/layers:400/columns:8192/zoom:0", 16, "residual map zoom frame, 400 layers x 8 192 columns"},
        {"residual/frame/layers:400/columns:8192/zoom:2", 16, "residual map pan frame, 400 layers x 8 192 columns"},
        {"residual/frame/layers:400/columns:8192/zoom:8", 16, "residual map pan frame, zoomed in"},
        {"start_to_frame/S1", 1500, "open, compile and first picture of S1"},
        {"hint_edit_to_frame/200", 100, "a hint edited to the plan on screen, 200 operations"},
        {"compile/greedy/ops:500", 100, "greedy recompile, 500 operations"},
        {"compile/calculator/optimize:0", 100, "960 nodes into layers"},
        {"compile/calculator_narrow/optimize:1", 5000, "search for fewer layers, 960 nodes"},
    };
    return kBudgets;
}

const Budget* budgetOf(std::string_view benchmark) {
    const auto isOf = [benchmark](const Budget& budget) {
        if (!benchmark.starts_with(budget.benchmark)) return false;
        const std::string_view rest = benchmark.substr(budget.benchmark.size());
        return rest.empty() || rest.front() == '/';
    };
    const auto found = std::ranges::find_if(budgets(), isOf);
    return found == budgets().end() ? nullptr : &*found;
}

int runBenchmarks(int argc, char** argv) {
    const auto isOff = [](const char* argument) { return std::string_view(argument) == "--no_budgets"; };
    char** const end = std::remove_if(argv + 1, argv + argc, isOff);
    const bool checks = end == argv + argc;
    argc = static_cast<int>(end - argv);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    Watcher watcher;
    benchmark::RunSpecifiedBenchmarks(&watcher);
    benchmark::Shutdown();
    return !checks || watcher.check() ? 0 : 1;
}

}  // namespace memplan::bench
