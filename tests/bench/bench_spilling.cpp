// SPDX-License-Identifier: Apache-2.0
// Spilling with the exact solver (performance-and-toolchain 5, target 5: 99 % of the bound within 0.5 s; proved for 95
// % of the instances of up to 200 buffers within 1 s). Prints one line for each family and size.
//   bench_spilling [--seconds S] [--instances N] [--family NAME] [--count N] [--each]
// Seconds are processor time and stop the solver by its deadline; 0 = no deadline, then every figure but the times is
// the same on each run.
#include "engine/solve/exact/exact.h"
#include "engine/solve/validate.h"
#include "tests/support/problem_generators.h"

#include <sys/time.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

using namespace memplan;
using namespace memplan::solve;

namespace {

struct Request {
    double seconds = 0.5;
    int instances = 20;
    std::string family;
    int count = 0;
    bool each = false;
};

struct Family {
    const char* name;
    std::function<Problem(int count, std::uint64_t seed)> make;
};

struct Run {
    double quality = 0.0;  ///< value over bound
    double seconds = 0.0;
    bool isProved = false;
};

RunControl control;

/// Processor time is up; the machine may be shared, so a deadline on the wall clock would say little.
extern "C" void stopSolver(int) {
    control.deadline = std::chrono::steady_clock::time_point::min();
}

void stopAfter(double seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
    setitimer(ITIMER_PROF, &timer, nullptr);
}

Run solveOne(const Problem& problem, double limit) {
    control.deadline = std::chrono::steady_clock::time_point::max();
    const std::clock_t begin = std::clock();
    stopAfter(limit);
    const ExactResult result = solveExactly(problem, {}, control).value();
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    stopAfter(0.0);
    if (!validate(problem, result.solution.addresses).empty()) {
        std::fprintf(stderr, "illegal placement of %s\n", problem.name.c_str());
        std::exit(1);
    }
    return {static_cast<double>(result.value) / static_cast<double>(std::max<std::int64_t>(1, result.upperBound)),
            seconds, result.solution.status == Status::Optimal};
}

void printRow(const Family& family, int count, const Request& request) {
    std::vector<Run> runs;
    for (int seed = 1; seed <= request.instances; ++seed) {
        runs.push_back(solveOne(family.make(count, static_cast<std::uint64_t>(seed)), request.seconds));
        if (!request.each) continue;
        std::printf("  %s n=%d seed %d: %.3f %% of the bound%s, %.3f s\n", family.name, count, seed,
                    100.0 * runs.back().quality, runs.back().isProved ? ", proved" : "", runs.back().seconds);
    }
    const auto proved = std::count_if(runs.begin(), runs.end(), [](const Run& r) { return r.isProved; });
    const auto good = std::count_if(runs.begin(), runs.end(), [](const Run& r) { return r.quality >= 0.99; });
    const auto middle = runs.begin() + static_cast<std::ptrdiff_t>(runs.size() / 2);
    std::nth_element(runs.begin(), middle, runs.end(),
                     [](const Run& a, const Run& b) { return a.seconds < b.seconds; });
    const double median = middle->seconds;
    double longest = 0.0;
    double lowest = 1.0;
    double sum = 0.0;
    for (const Run& r : runs) {
        longest = std::max(longest, r.seconds);
        lowest = std::min(lowest, r.quality);
        sum += r.quality;
    }
    std::printf("%-8s %4d  %3d of %3d proved  %3d at 99 %%  mean %8.4f %%  least %8.4f %%  %.3f s median %.3f s most\n",
                family.name, count, static_cast<int>(proved), request.instances, static_cast<int>(good),
                100.0 * sum / request.instances, 100.0 * lowest, median, longest);
    std::fflush(stdout);
}

bool readRequest(int argc, char** argv, Request& request) {
    for (int k = 1; k < argc; ++k) {
        const std::string name = argv[k];
        if (name == "--each") {
            request.each = true;
            continue;
        }
        if (k + 1 == argc) return false;
        const std::string value = argv[++k];
        if (name == "--seconds")
            request.seconds = std::atof(value.c_str());
        else if (name == "--instances")
            request.instances = std::max(1, std::atoi(value.c_str()));
        else if (name == "--family")
            request.family = value;
        else if (name == "--count")
            request.count = std::atoi(value.c_str());
        else
            return false;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    Request request;
    if (!readRequest(argc, argv, request)) {
        std::fprintf(stderr, "bench_spilling [--seconds S] [--instances N] [--family NAME] [--count N] [--each]\n");
        return 2;
    }
    std::signal(SIGPROF, stopSolver);
    const std::vector<Family> families{
        {"ticks", [](int n, std::uint64_t seed) { return testing::ticksFamily(n, seed); }},
        {"dense", [](int n, std::uint64_t seed) { return testing::denseFamily(n, seed); }},
        {"columns", [](int n, std::uint64_t seed) { return testing::columnsFamily(n, 12, seed); }},
        {"wide", [](int n, std::uint64_t seed) { return testing::columnsFamily(n, 40, seed); }}};
    for (const Family& family : families) {
        if (!request.family.empty() && request.family != family.name) continue;
        for (const int count : {30, 60, 100, 200}) {
            if (request.count == 0 || request.count == count) printRow(family, count, request);
        }
    }
    return 0;
}
