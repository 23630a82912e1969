// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/run.h"

#include "engine/base/parallel.h"
#include "engine/base/text.h"
#include "engine/hints/resolve.h"
#include "engine/pipeline/hint_states.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <unordered_map>

namespace memplan {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLargeProgram = 1024;  ///< operations from which a second thread is worth its start

double secondsSince(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

bool isOn(const PassInfo& info, const Settings& settings) {
    return info.switchKey.empty() || settings.boolean(info.switchKey);
}

/// Runs the passes of one compile over one state.
class Run {
public:
    Run(const Machinery& machinery, Compilation& compilation, const CompileRequest& request, const RunControl& control,
        PipelineObserver* observer)
        : machinery_(machinery), compilation_(compilation), request_(request), control_(control),
          observer_(observer), provided_{"graph", "settings", "hints", "machine"} {
        if (!request.hints.empty()) hints_ = hints::resolve(request.hints, worldOf(request));
    }

    CompileOutcome go() {
        keepInput();
        const PassList& passes = compilation_.passes();
        for (std::size_t i = 0; i < passes.size() && !stopped_; ++i) {
            const PassInfo& info = passes[i];
            if (info.hasSteps) {
                openSteps(info);
                continue;
            }
            control_.progress(info.title, static_cast<double>(i), static_cast<double>(passes.size()));
            if (auto failure = runOne(i)) return fail(std::move(*failure), info);
            const bool lastStep = i + 1 == passes.size() || passes[i + 1].parent != info.parent;
            stopped_ = stopped_ || (lastStep && !info.parent.empty() && info.parent == request_.stopAfter);
        }
        return freeze();
    }

    /// The same compile once more, with what this one found out when it failed; null where it is over.
    [[nodiscard]] std::unique_ptr<Compilation> takeRetry() { return std::move(retry_); }

private:
    const Machinery& machinery_;
    Compilation& compilation_;
    const CompileRequest& request_;
    const RunControl& control_;
    PipelineObserver* observer_;
    Tags provided_;
    std::unique_ptr<Compilation> retry_;
    std::vector<PassRun> runs_;
    std::vector<Decision> decisions_;
    std::shared_ptr<const Snapshot> last_;
    hints::InForce hints_;  ///< what the passes see, and every outcome so far
    bool stopped_ = false;
    bool isDeadlineNoted_ = false;

    [[nodiscard]] bool keepsSnapshots() const {
        return request_.keepSnapshotTexts && request_.settings.text("engine.snapshots") != "off";
    }

    void keepInput() {
        if (!keepsSnapshots()) return;
        last_ = std::make_shared<Snapshot>(Snapshot{"input", ""});
    }

    std::optional<Error> runOne(std::size_t i) {
        const PassInfo& info = compilation_.passes()[i];
        PassRun run = newRun(info);
        const bool parentOn = info.parent.empty() || isOn(parentOf(i), request_.settings);
        const bool isTooLate = control_.timedOut() && info.isSearch;
        const bool isForNothing = info.onlyForExport && !request_.makeArtefacts;
        if (!parentOn || !isOn(info, request_.settings) || isForNothing || isTooLate) {
            run.ran = false;
            run.snapshot = last_;
            provided_.insert(info.emptyWhenOff.begin(), info.emptyWhenOff.end());
            compilation_.skip(i);
            runs_.push_back(std::move(run));
            stopAt(info);
            return std::nullopt;
        }
        if (control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (auto gap = missingNeed(info)) return gap;
        if (observer_ != nullptr) observer_->beforePass(info);
        return execute(i, std::move(run));
    }

    /// The row above a step.
    [[nodiscard]] const PassInfo& parentOf(std::size_t step) const {
        const PassList& passes = compilation_.passes();
        while (!passes[step].hasSteps)
            --step;
        return passes[step];
    }

    std::optional<Error> execute(std::size_t i, PassRun run) {
        const PassInfo& info = compilation_.passes()[i];
        PassContext context(info.id, request_.settings, hints_.hints, control_);
        const auto start = Clock::now();
        Result<PassOutcome> outcome = compilation_.run(i, context);
        if (request_.recordTimes) run.seconds = secondsSince(start);
        noteDeadline(context, info);
        run.diagnostics = std::move(context.diagnostics);
        for (hints::SubjectOutcome& v : context.outcomes) {
            v.hint = hints_.positions[v.hint];
            hints_.outcomes.push_back(std::move(v));
        }
        rememberSubjects(run.diagnostics);
        if (!outcome) {
            runs_.push_back(std::move(run));
            return std::move(outcome).error();
        }
        run.changed = outcome.value().changed;
        run.counts = outcome.value().counts;
        for (const std::string_view tag : info.provides)
            provided_.emplace(tag);
        takeDecisions(std::move(context.decisions));
        takeSnapshot(run);
        addToParent(run);
        if (observer_ != nullptr) observer_->afterPass(run);
        runs_.push_back(std::move(run));
        stopAt(info);
        return std::nullopt;
    }

    /// Once, at the first step of a search or placement that the deadline of the compile ended.
    void noteDeadline(PassContext& context, const PassInfo& info) {
        if (isDeadlineNoted_ || info.parent.empty() || !control_.timedOut()) return;
        isDeadlineNoted_ = true;
        Diagnostic d;
        d.severity = Severity::Note;
        d.code = "LX-020";
        d.where = std::string(info.id);
        d.message = "the time limit of the compile ended the search for a better plan; the best one so far is kept";
        d.hint = "raise engine.time_limit_seconds";
        context.report(std::move(d));
    }

    static PassRun newRun(const PassInfo& info) {
        PassRun run;
        run.name = info.id;
        run.title = info.title;
        run.mandatory = info.isMandatory();
        run.parent = info.parent;
        return run;
    }

    void openSteps(const PassInfo& info) {
        PassRun parent = newRun(info);
        parent.ran = isOn(info, request_.settings);
        parent.snapshot = last_;
        runs_.push_back(std::move(parent));
    }

    void addToParent(const PassRun& step) {
        if (step.parent.empty()) return;
        for (PassRun& r : runs_) {
            if (r.name != step.parent) continue;
            r.seconds += step.seconds;
            r.changed = r.changed || step.changed;
            r.snapshot = step.snapshot;
            for (const auto& [key, value] : step.counts)
                addCount(r.counts, key, value);
        }
    }

    /// Counts of the steps add up; of the bytes before and after them the first and the last stand.
    static void addCount(std::map<std::string, std::int64_t>& counts, const std::string& key, std::int64_t value) {
        if (key == "traffic_bound") return;
        if (key == "traffic_before") {
            counts.emplace(key, value);
        } else if (key == "traffic_after") {
            counts[key] = value;
        } else {
            counts[key] += value;
        }
    }

    std::optional<Error> missingNeed(const PassInfo& info) const {
        for (const std::string_view need : info.needs) {
            if (provided_.contains(need)) continue;
            return makeError("INT-002", std::string(info.id),
                             "pass \"" + std::string(info.id) + "\" needs \"" + std::string(need) +
                                 "\", which no earlier pass provides",
                             "please report this");
        }
        return std::nullopt;
    }

    /// Subjects of findings are remembered by name too, in the order of the findings.
    void rememberSubjects(const std::vector<Diagnostic>& findings) {
        for (const Diagnostic& d : findings) {
            std::vector<std::string> names;
            for (const OpId id : d.ops) {
                const bool there = id.isValid() && id.at() < compilation_.opCount();
                names.push_back(there ? compilation_.opName(id) : std::string());
            }
            findingOps_.push_back(std::move(names));
        }
    }

    /// Positions move when later passes insert ops: a decision remembers its op by name until the end.
    void takeDecisions(std::vector<Decision> decisions) {
        for (Decision& d : decisions) {
            decisionOps_.push_back(d.op.isValid() ? compilation_.opName(d.op) : std::string());
            decisions_.push_back(std::move(d));
        }
    }

    void takeSnapshot(PassRun& run) {
        if (!keepsSnapshots()) return;
        const bool isAll = request_.settings.text("engine.snapshots") == "all";
        if (run.changed || isAll || !last_)
            last_ = std::make_shared<Snapshot>(Snapshot{run.name, compilation_.snapshot()});
        run.snapshot = last_;
    }

    void stopAt(const PassInfo& info) {
        if (request_.stopAfter.empty()) return;
        if (info.id == request_.stopAfter) stopped_ = true;
    }

    CompileOutcome fail(Error error, const PassInfo& info) {
        retry_ = compilation_.retry();
        if (observer_ != nullptr && !retry_) observer_->passFailed(info, error);
        for (Diagnostic& d : error.diagnostics)
            d.pass = d.pass.empty() ? std::string(info.id) : d.pass;
        const bool hasMemory = !retry_ && compilation_.hasPlaces() && error.primary().code != kCancelledCode;
        PlanPtr memory = hasMemory ? memoryNow() : nullptr;
        return {nullptr, CompileFailure{std::move(error), std::string(info.id), std::move(runs_), std::move(memory)}};
    }

    /// As a plan that was stopped here (user-experience 19.4).
    PlanPtr memoryNow() {
        resolveSubjects();
        return compilation_.freeze({runs_, decisions_, {}, provided_});
    }

    CompileOutcome freeze() {
        compilation_.finish(provided_);
        resolveSubjects();
        std::vector<hints::Conclusion> states = concludeHints(request_, compilation_, hints_, runs_);
        auto plan = compilation_.freeze({std::move(runs_), std::move(decisions_), std::move(states), provided_});
        if (auto broken = firstViolation(verifyAndRelease(*plan)))
            return {nullptr, CompileFailure{std::move(*broken), "verify", plan->passes}};
        return {std::move(plan), std::nullopt};
    }

    /// To free the state of a large program takes as long as to verify its plan.
    std::vector<Diagnostic> verifyAndRelease(const Plan& plan) {
        std::vector<Diagnostic> violations;
        const unsigned threads = threadCount(request_.settings.integer("engine.threads"));
        const bool isLarge = compilation_.opCount() >= kLargeProgram;
        parallelRanges(2, 1, isLarge ? threads : 1, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t task = begin; task < end; ++task) {
                if (task == 0) violations = machinery_.verify(plan);
                if (task == 1) compilation_.release();
            }
        });
        return violations;
    }

    void resolveSubjects() {
        std::unordered_map<std::string_view, OpId> position;
        position.reserve(compilation_.opCount());
        for (std::size_t i = 0; i < compilation_.opCount(); ++i)
            position[compilation_.opName(OpId::of(i))] = OpId::of(i);
        const auto find = [&](const std::string& name) {
            const auto it = position.find(name);
            return it == position.end() ? OpId{} : it->second;
        };
        for (std::size_t i = 0; i < decisions_.size(); ++i) {
            if (!decisionOps_[i].empty()) decisions_[i].op = find(decisionOps_[i]);
        }
        std::size_t next = 0;
        for (PassRun& run : runs_) {
            for (Diagnostic& d : run.diagnostics) {
                d.ops.clear();
                for (const std::string& name : findingOps_[next]) {
                    if (const OpId id = find(name); id.isValid()) d.ops.push_back(id);
                }
                ++next;
            }
        }
    }

    std::vector<std::string> decisionOps_;
    std::vector<std::vector<std::string>> findingOps_;
};

}  // namespace

hints::World worldOf(const CompileRequest& request) {
    hints::World world;
    world.target = request.target;
    world.settings = &request.settings;
    world.machine = &request.machine;
    world.graph = request.graph.get();
    return world;
}

std::optional<Error> firstViolation(std::vector<Diagnostic> violations) {
    if (violations.empty()) return std::nullopt;
    Error error = makeError("INT-003", violations.front().where,
                            "the plan breaks its own rules: " + violations.front().message, "please report this");
    error.diagnostics.insert(error.diagnostics.end(), violations.begin(), violations.end());
    return error;
}

CompileOutcome runPipeline(const Machinery& machinery, const CompileRequest& request, const RunControl& control,
                           PipelineObserver* observer) {
    auto begun = machinery.begin(request);
    if (!begun) return {nullptr, CompileFailure{std::move(begun).error(), "", {}}};
    std::unique_ptr<Compilation> compilation = std::move(begun).value();
    while (true) {
        Run run(machinery, *compilation, request, control, observer);
        CompileOutcome outcome = run.go();
        auto retry = run.takeRetry();
        if (!retry) return outcome;
        compilation = std::move(retry);
    }
}

}  // namespace memplan
