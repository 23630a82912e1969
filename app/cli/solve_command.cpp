// SPDX-License-Identifier: Apache-2.0
// `memplan solve`: runs address solvers on allocation instances.
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/io/instances/instances.h"
#include "engine/solve/gaps.h"
#include "engine/solve/problem/bounds.h"
#include "engine/solve/renaming.h"
#include "engine/solve/solver.h"
#include "engine/solve/validate.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <limits>

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;
using solve::Problem;
using solve::Solution;
using Clock = std::chrono::steady_clock;

struct SolveOptions {
    std::string instance, solvers, capacity, alignment, objective, timeout, seed, out;
    std::string progress = "auto";
    bool freeRenaming = false;
    bool helpShown = false;
};

/// The options after checking.
struct SolvePlan {
    std::vector<const solve::Solver*> solvers;
    std::optional<Bytes> capacity, alignment;
    bool isFit = false;
    double timeoutSeconds = 0;  ///< 0 = none
    solve::SolverParams params;
    ProgressBar::When progress = ProgressBar::When::Auto;
};

struct Run {
    Solution solution;
    double seconds = 0;
    Bytes pinned = 0;
    Bytes upperBound = 0;
    bool optimal = false;
    bool placedAll = false;
};

Result<SolveOptions> parse(const Args& args, const Streams& streams) {
    SolveOptions o;
    Arguments a("solve", "Runs address solvers on an allocation instance (CSV or JSON lines).");
    a.positional("INSTANCE", o.instance, "file with the buffers");
    a.option("--solver", "NAME[,NAME...]", o.solvers, "solvers to run, needed; `memplan list solvers`");
    a.option("--capacity", "BYTES", o.capacity, "memory to place into; needed for CSV, which names none");
    a.option("--alignment", "BYTES", o.alignment, "alignment of every address");
    a.option("--objective", "fit|pin", o.objective,
             "fit: place every buffer (CSV default); pin: pin as many bytes as possible (JSON default)");
    a.flag("--free-renaming", o.freeRenaming,
           "cut buffers where their content is dead (gaps, overwrites); the parts name.k are placed one by one");
    a.option("--timeout", "SECONDS", o.timeout, "time for each solver; the best placement so far is kept");
    a.option("--seed", "N", o.seed, "seed of random choices");
    a.option("--out", "FILE", o.out, "file of the result, - for standard output");
    a.option("--progress", "WHEN", o.progress, "progress bar: auto (a terminal only), always, never");
    a.footer("fit writes the buffer list with an offset column (the first solver that succeeds); exit status 1 when\n"
             "not every buffer was placed. pin writes one JSON line for each instance.");
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

std::vector<std::string> solverNames() {
    std::vector<std::string> names;
    for (const solve::Solver* s : solve::allSolvers())
        names.emplace_back(s->id());
    return names;
}

Result<std::vector<const solve::Solver*>> solversFrom(const std::string& list) {
    std::vector<const solve::Solver*> solvers;
    if (list.empty()) return makeError("CLI-001", "--solver", "no solver was named", text::join(solverNames(), ", "));
    for (const std::string& name : text::split(list, ',')) {
        const solve::Solver* solver = solve::findSolver(name);
        if (solver == nullptr) {
            return makeError("CLI-001", "--solver", "unknown solver \"" + name + "\"",
                             didYouMean(name, solverNames(), "the solvers are " + text::join(solverNames(), ", ")));
        }
        if (std::find(solvers.begin(), solvers.end(), solver) == solvers.end()) solvers.push_back(solver);
    }
    return solvers;
}

Result<std::optional<std::int64_t>> optionalNumber(const std::string& option, const std::string& text,
                                                   std::pair<std::int64_t, std::int64_t> range) {
    if (text.empty()) return std::optional<std::int64_t>();
    auto value = wholeNumber(option, text, range);
    if (!value) return std::move(value).error();
    return std::optional<std::int64_t>(value.value());
}

Result<double> timeoutFrom(const std::string& text) {
    if (text.empty()) return 0.0;
    const auto seconds = text::parseDouble(text);
    if (seconds && *seconds > 0 && *seconds <= 86400) return *seconds;
    return makeError("CLI-001", "--timeout", "\"" + text + "\" is no time", "seconds above 0 and up to 86400");
}

Result<SolvePlan> check(const SolveOptions& o, io::Format format) {
    constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
    SolvePlan plan;
    auto solvers = solversFrom(o.solvers);
    if (!solvers) return std::move(solvers).error();
    plan.solvers = std::move(solvers).value();
    auto capacity = optionalNumber("--capacity", o.capacity, {1, kMostBytes});
    if (!capacity) return std::move(capacity).error();
    plan.capacity = capacity.value();
    auto alignment = optionalNumber("--alignment", o.alignment, {1, kMostBytes});
    if (!alignment) return std::move(alignment).error();
    plan.alignment = alignment.value();
    auto seed = optionalNumber("--seed", o.seed, {0, 4294967295});
    if (!seed) return std::move(seed).error();
    plan.params.seed = static_cast<std::uint64_t>(seed.value().value_or(0));
    auto timeout = timeoutFrom(o.timeout);
    if (!timeout) return std::move(timeout).error();
    plan.timeoutSeconds = timeout.value();
    auto progress = progressFrom(o.progress);
    if (!progress) return std::move(progress).error();
    plan.progress = progress.value();
    if (!o.objective.empty() && o.objective != "fit" && o.objective != "pin") {
        return makeError("CLI-001", "--objective", "unknown objective \"" + o.objective + "\"", "fit or pin");
    }
    plan.isFit = o.objective.empty() ? format == io::Format::Csv : o.objective == "fit";
    if (plan.isFit && o.freeRenaming) {
        return makeError("CLI-001", "--free-renaming", "fit gives every row of the list one offset",
                         "use --objective pin");
    }
    plan.params.mustPlaceAll = plan.isFit;
    return plan;
}

Result<void> prepare(std::vector<Problem>& problems, const SolvePlan& plan, bool freeRenaming) {
    for (Problem& p : problems) {
        p = freeRenaming ? solve::withFreeRenaming(p) : solve::withoutEmptyGaps(std::move(p));
        if (plan.capacity) p.capacity = *plan.capacity;
        if (plan.alignment) {
            p.alignment = *plan.alignment;
            for (solve::Item& item : p.items)
                item.alignment = 0;  // one for all, as asked for
        }
        if (p.capacity <= 0) {
            return makeError("CLI-001", "--capacity", "the instance names no capacity", "give --capacity BYTES");
        }
    }
    if (plan.isFit && problems.size() != 1) {
        return makeError("CLI-001", "--objective fit",
                         "the file holds " + std::to_string(problems.size()) + " instances, fit takes one",
                         "use --objective pin, or a file with one instance");
    }
    return {};
}

/// A placement that breaks the rules is a defect of the solver, never a result.
Result<void> checkPlacement(const Problem& problem, const Solution& solution, const solve::Solver& solver) {
    const auto violations = solve::validate(problem, solution.addresses);
    if (violations.empty()) return {};
    return makeError("INT-003", problem.name,
                     "the placement of " + std::string(solver.id()) + " breaks a rule: " + violations.front().message,
                     "please report this with the instance");
}

Result<Run> runOne(const Problem& problem, const solve::Solver& solver, const SolvePlan& plan, RunControl control) {
    const auto start = Clock::now();
    if (plan.timeoutSeconds > 0) {
        control.deadline =
            start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(plan.timeoutSeconds));
    }
    auto solved = solver.solve(solve::withGapsUsed(problem), plan.params, control);
    if (!solved) return std::move(solved).error();
    if (control.cancelled()) return makeError(kCancelledCode, "", "cancelled, nothing was written");
    Run run;
    run.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    run.solution = std::move(solved).value();
    if (auto ok = checkPlacement(problem, run.solution, solver); !ok) return Error(ok.error());
    run.placedAll = true;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        if (run.solution.addresses[i]) {
            run.pinned += problem.items[i].size;
        } else if (!problem.items[i].ineligible) {
            run.placedAll = false;
        }
    }
    run.upperBound = solve::bounds(problem).pinnedUpperBound;
    if (run.solution.upperBoundBytes) run.upperBound = std::min(run.upperBound, *run.solution.upperBoundBytes);
    run.optimal = run.solution.status == solve::Status::Optimal || run.pinned >= run.upperBound;
    return run;
}

Json resultJson(const Problem& problem, const Run& run) {
    Json addresses = Json::object();
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        const auto& address = run.solution.addresses[i];
        addresses[problem.items[i].name] = address ? Json(*address) : Json();
    }
    return {{"addresses", std::move(addresses)},
            {"pinned_bytes", run.pinned},
            {"upper_bound_bytes", run.upperBound},
            {"optimal", run.optimal},
            {"seconds", run.seconds}};
}

/// What a person wants to know first: bytes, bound, gap and whether it is proved.
std::string summary(const Problem& problem, const solve::Solver& solver, const Run& run) {
    const auto gap = static_cast<double>(run.upperBound - run.pinned);
    const double percent = run.upperBound > 0 ? 100.0 * gap / static_cast<double>(run.upperBound) : 0.0;
    return text::escaped(problem.name) + ": " + std::string(solver.id()) + " pins " + text::grouped(run.pinned) +
           " of at most " + text::grouped(run.upperBound) + " bytes, gap " + text::fixed(percent, 3) + " %, " +
           (run.optimal ? "proved best" : "not proved best") + ", " + text::fixed(run.seconds, 3) + " s";
}

int pinAll(const std::vector<Problem>& problems, const SolvePlan& plan, const SolveOptions& o, const Streams& streams) {
    std::string lines;
    ProgressBar bar(streams, plan.progress);
    for (const Problem& problem : problems) {
        Json results = Json::object();
        for (const solve::Solver* solver : plan.solvers) {
            const auto run = runOne(problem, *solver, plan, bar.control());
            bar.clear();
            if (!run) return Reporter(streams).fail(o.instance, run.error());
            results[std::string(solver->id())] = resultJson(problem, run.value());
            Reporter(streams).say(summary(problem, *solver, run.value()));
        }
        lines += Json{{"name", problem.name}, {"results", std::move(results)}}.dump(-1, ' ', false,
                                                                                    Json::error_handler_t::replace);
        lines += '\n';
    }
    return writeResult(o.out, lines, streams);
}

int refuseFit(const Problem& problem, bool proved, const SolveOptions& o, const Streams& streams) {
    const Bytes least = solve::bounds(problem).peakLowerBound;
    std::string what =
        proved ? "no placement of every buffer exists in " : "no placement of every buffer was found in ";
    what += text::grouped(problem.capacity) + " bytes";
    if (least > problem.capacity) what += ": " + text::grouped(least) + " bytes are live at once";
    const bool hasExact = o.solvers.find("exact") != std::string::npos || o.solvers.find("cpsat") != std::string::npos;
    Diagnostic d;
    d.code = "LX-018";
    d.where = problem.name;
    d.message = what + (proved ? " (proved)" : "; this proves nothing");
    d.hint = proved     ? "raise --capacity"
             : hasExact ? "raise --capacity or --timeout"
                        : "raise --capacity, or try --solver exact";
    if (!proved && solve::hasUnusedGaps(solve::withGapsUsed(problem)))
        d.hint += "; the solvers take a buffer with a gap inside its life as live throughout";
    Reporter(streams).print(o.instance, d);
    return kAnswerIsNo;
}

Bytes bytesToPlace(const Problem& problem) {
    Bytes sum = 0;
    for (const solve::Item& item : problem.items)
        sum += item.ineligible ? 0 : item.size;
    return sum;
}

/// Which of the solvers it was, and how high it stacked.
std::string fitSummary(const Problem& problem, const solve::Solver& solver, const Run& run) {
    Bytes top = 0;
    for (std::size_t i = 0; i < problem.items.size(); ++i) {
        if (run.solution.addresses[i]) top = std::max(top, *run.solution.addresses[i] + problem.items[i].size);
    }
    return text::escaped(problem.name) + ": " + std::string(solver.id()) + " places every buffer in " +
           text::grouped(top) + " of " + text::grouped(problem.capacity) + " bytes, " + text::fixed(run.seconds, 3) +
           " s";
}

int fit(const io::BufferList& list, const SolvePlan& plan, const SolveOptions& o, const Streams& streams) {
    const Problem& problem = list.problem;
    if (solve::bounds(problem).peakLowerBound > problem.capacity) return refuseFit(problem, true, o, streams);
    bool proved = false;
    ProgressBar bar(streams, plan.progress);
    for (const solve::Solver* solver : plan.solvers) {
        const auto run = runOne(problem, *solver, plan, bar.control());
        bar.clear();
        if (!run) return Reporter(streams).fail(o.instance, run.error());
        if (run.value().placedAll) {
            Reporter(streams).say(fitSummary(problem, *solver, run.value()));
            return writeResult(o.out, io::writeBufferCsv(list, run.value().solution.addresses), streams);
        }
        proved = proved || run.value().optimal || run.value().upperBound < bytesToPlace(problem);
    }
    return refuseFit(problem, proved, o, streams);
}

int run(const SolveOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (const auto kept = keepInputs("--out", o.out, {o.instance}); !kept)
        return reporter.fail("command line", kept.error());
    auto input = open(o.instance, openOptions(Settings()), Wanted::Instance, streams);
    if (!input) return reporter.fail(o.instance, input.error());
    auto plan = check(o, input.value().format);
    if (!plan) return reporter.fail("command line", plan.error());
    std::vector<Problem> problems = std::move(input.value().problems);
    if (problems.empty()) {
        return reporter.usage(o.instance, "this file is no allocation instance",
                              "CSV or JSON lines are expected; `memplan compile` takes graphs");
    }
    if (auto ok = prepare(problems, plan.value(), o.freeRenaming); !ok)
        return reporter.fail("command line", ok.error());
    return plan.value().isFit ? fit({problems.front(), input.value().extraColumns, {}, {}}, plan.value(), o, streams)
                              : pinAll(problems, plan.value(), o, streams);
}

}  // namespace

int solveCommand(const Args& args, const Streams& streams) {
    const auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    return options.value().helpShown ? kDone : run(options.value(), streams);
}

}  // namespace memplan::cli
