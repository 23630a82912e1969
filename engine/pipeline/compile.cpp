// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/compile.h"

#include "engine/base/parallel.h"
#include "engine/base/text.h"
#include "engine/hints/resolve.h"
#include "engine/plan/input_hash.h"
#include "engine/solve/solver_settings.h"
#include "engine/spyre/codegen/codegen_passes.h"
#include "engine/spyre/compile/hint_states.h"
#include "engine/spyre/compile/imported/imported_plan.h"
#include "engine/spyre/compile/plan_builder.h"
#include "engine/spyre/compile/snapshot_text.h"
#include "engine/spyre/compile/state.h"
#include "engine/spyre/compile/variants.h"
#include "engine/spyre/cost/model_settings.h"
#include "engine/spyre/lower/lower_to_spyre.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/scratchpad/passes.h"
#include "engine/spyre/tiling/passes.h"
#include "engine/verify/verify.h"

#include <algorithm>
#include <chrono>
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

/// The row that stands above the steps `a.b` of pass a.
const PassInfo& umbrellaOf(const PassInfo& step) {
    const PassInfo& tiling = spyre::coarseTileInfo();
    return step.parent == tiling.id ? tiling : spyre::scratchpadPlanningInfo();
}

/// Steps that only look for a better plan: left out when the time of the compile is over before they begin.
constexpr std::string_view kSearches[] = {
    "coarse_tile.joint_tiling",           "scratchpad_planning.co_optimize",      "scratchpad_planning.reorder_ops",
    "scratchpad_planning.solver_clones",  "scratchpad_planning.evict_reload",     "scratchpad_planning.output_clones",
    "scratchpad_planning.ring_transfers", "scratchpad_planning.elide_read_copies"};

bool isSearch(const PassInfo& info) {
    return std::find(std::begin(kSearches), std::end(kSearches), info.id) != std::end(kSearches);
}

/// Tags that a pass which did not run leaves behind as empty (pipeline.md 1, notes).
constexpr std::string_view kEmptyWhenOff[] = {"loops", "pool", "lifetimes"};

/// Runs the passes of one compile over one state.
class Run {
public:
    Run(const CompileRequest& request, const RunControl& control, PipelineObserver* observer,
        const RefusedLoops& refusedLoops)
        : request_(request), control_(control), observer_(observer), refusedBefore_(refusedLoops.size()) {
        state_.graph = request.graph;
        state_.refusedLoops = refusedLoops;
        state_.provided = {"graph", "settings", "hints", "machine"};
        hints::World world;
        world.target = request.target;
        world.settings = &request.settings;
        world.graph = request.graph.get();
        if (!request.hints.empty()) hints_ = hints::resolve(request.hints, world);
    }

    CompileOutcome go() {
        if (auto calibration = spyre::cost::calibrationFrom(request_.settings); !calibration)
            return {nullptr, CompileFailure{std::move(calibration).error(), "", {}}};
        keepInput();
        const auto& passes = spyrePipeline();
        for (std::size_t i = 0; i < passes.size() && !stopped_; ++i) {
            control_.progress(passes[i]->info().title, static_cast<double>(i), static_cast<double>(passes.size()));
            const PassInfo& info = passes[i]->info();
            if (auto failure = runOne(*passes[i])) return fail(std::move(*failure), info);
            const bool lastStep = i + 1 == passes.size() || passes[i + 1]->info().parent != info.parent;
            stopped_ = stopped_ || (lastStep && !info.parent.empty() && info.parent == request_.stopAfter);
        }
        return freeze();
    }

    /// Those it began with and those because of which it failed: without them it may succeed. None once the end of the
    /// passes was reached.
    [[nodiscard]] const RefusedLoops& refusedLoops() const { return state_.refusedLoops; }

private:
    const CompileRequest& request_;
    const RunControl& control_;
    PipelineObserver* observer_;
    SpyreMachine machine_;
    std::size_t refusedBefore_;
    State state_;
    std::vector<PassRun> runs_;
    std::vector<Decision> decisions_;
    std::shared_ptr<const Snapshot> last_;
    hints::InForce hints_;  ///< what the passes see, and every verdict so far
    bool stopped_ = false;
    bool isDeadlineNoted_ = false;

    [[nodiscard]] bool keepsSnapshots() const {
        return request_.keepSnapshotTexts && request_.settings.text("engine.snapshots") != "off";
    }

    void keepInput() {
        if (!keepsSnapshots()) return;
        last_ = std::make_shared<Snapshot>(Snapshot{"input", ""});
    }

    std::optional<Error> runOne(const Pass& pass) {
        const PassInfo& info = pass.info();
        if (!info.parent.empty()) openParent(info);
        PassRun run = newRun(info);
        const bool parentOn = info.parent.empty() || isOn(umbrellaOf(info), request_.settings);
        const bool forExport = info.id == spyre::writeBundlePass().info().id;
        const bool isTooLate = control_.timedOut() && isSearch(info);
        if (!parentOn || !isOn(info, request_.settings) || (forExport && !request_.makeArtefacts) || isTooLate) {
            run.ran = false;
            run.snapshot = last_;
            provideEmpty(info);
            runs_.push_back(std::move(run));
            stopAt(info);
            return std::nullopt;
        }
        if (control_.cancelled()) return makeError(kCancelledCode, "", "cancelled");
        if (auto gap = missingNeed(info)) return gap;
        if (observer_ != nullptr) observer_->beforePass(info);
        return execute(pass, std::move(run));
    }

    std::optional<Error> execute(const Pass& pass, PassRun run) {
        const PassInfo& info = pass.info();
        PassContext context(info.id, request_.settings, machine_, hints_.hints, control_);
        const auto start = Clock::now();
        Result<PassOutcome> outcome = pass.run(state_, context);
        if (request_.recordTimes) run.seconds = secondsSince(start);
        noteDeadline(context, info);
        run.diagnostics = std::move(context.diagnostics);
        for (hints::Verdict& v : context.verdicts) {
            v.hint = hints_.positions[v.hint];
            hints_.verdicts.push_back(std::move(v));
        }
        rememberSubjects(run.diagnostics);
        if (!outcome) {
            runs_.push_back(std::move(run));
            return std::move(outcome).error();
        }
        run.changed = outcome.value().changed;
        run.counts = outcome.value().counts;
        for (const std::string_view tag : info.provides)
            state_.provided.emplace(tag);
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

    void provideEmpty(const PassInfo& info) {
        for (const std::string_view tag : kEmptyWhenOff) {
            if (std::find(info.provides.begin(), info.provides.end(), tag) != info.provides.end())
                state_.provided.emplace(tag);
        }
        const PassInfo& planning = spyre::scratchpadPlanningInfo();
        const bool unmeasured = info.parent == planning.id && !isOn(planning, request_.settings);
        if (unmeasured && state_.scratchpad.entries.empty())
            spyre::measureWithoutPlanning(state_, request_.settings, machine_);
    }

    static PassRun newRun(const PassInfo& info) {
        PassRun run;
        run.name = info.id;
        run.title = info.title;
        run.mandatory = info.mandatory;
        run.parent = info.parent;
        return run;
    }

    /// The umbrella row of a pass with steps stands before its first step.
    void openParent(const PassInfo& step) {
        const auto is = [&](const PassRun& r) { return r.name == step.parent; };
        if (std::any_of(runs_.begin(), runs_.end(), is)) return;
        PassRun parent = newRun(umbrellaOf(step));
        parent.ran = isOn(umbrellaOf(step), request_.settings);
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
            if (state_.provided.contains(need)) continue;
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
                const bool there = id.isValid() && id.at() < state_.program.ops.size();
                names.push_back(there ? state_.program.ops[id.at()].name : std::string());
            }
            findingOps_.push_back(std::move(names));
        }
    }

    /// Positions move when later passes insert ops: a decision remembers its op by name until the end.
    void takeDecisions(std::vector<Decision> decisions) {
        for (Decision& d : decisions) {
            decisionOps_.push_back(d.op.isValid() ? state_.program.ops[d.op.at()].name : std::string());
            decisions_.push_back(std::move(d));
        }
    }

    void takeSnapshot(PassRun& run) {
        if (!keepsSnapshots()) return;
        const bool isAll = request_.settings.text("engine.snapshots") == "all";
        if (run.changed || isAll || !last_)
            last_ = std::make_shared<Snapshot>(Snapshot{run.name, snapshotText(state_)});
        run.snapshot = last_;
    }

    void stopAt(const PassInfo& info) {
        if (request_.stopAfter.empty()) return;
        if (info.id == request_.stopAfter) stopped_ = true;
    }

    CompileOutcome fail(Error error, const PassInfo& info) {
        const bool isLast = state_.refusedLoops.size() == refusedBefore_;  // else there is another round
        if (observer_ != nullptr && isLast) observer_->passFailed(info, error);
        for (Diagnostic& d : error.diagnostics)
            d.pass = d.pass.empty() ? std::string(info.id) : d.pass;
        const bool hasMemory = isLast && state_.scratchpad.planned && error.primary().code != kCancelledCode;
        PlanPtr memory = hasMemory ? memoryNow() : nullptr;
        return {nullptr, CompileFailure{std::move(error), std::string(info.id), std::move(runs_), std::move(memory)}};
    }

    /// As a plan that was stopped here (user-experience 19.4).
    PlanPtr memoryNow() {
        resolveSubjects();
        return buildSpyrePlan({request_, machine_, state_, runs_, decisions_, {}});
    }

    CompileOutcome freeze() {
        // Stopped between measuring and placing: what was found out of the buffers stays.
        const bool isMeasured =
            state_.provided.contains("lifetimes") && isOn(spyre::scratchpadPlanningInfo(), request_.settings);
        if (!state_.scratchpad.planned && !isMeasured)
            spyre::measureWithoutPlanning(state_, request_.settings, machine_);
        resolveSubjects();
        std::vector<hints::Conclusion> states = concludeHints(request_, state_, hints_, runs_);
        auto plan =
            buildSpyrePlan({request_, machine_, state_, std::move(runs_), std::move(decisions_), std::move(states)});
        std::vector<Diagnostic> violations = verifyAndRelease(*plan);
        if (!violations.empty()) {
            Error error =
                makeError("INT-003", violations.front().where,
                          "the plan breaks its own rules: " + violations.front().message, "please report this");
            error.diagnostics.insert(error.diagnostics.end(), violations.begin(), violations.end());
            return {nullptr, CompileFailure{std::move(error), "verify", plan->passes}};
        }
        return {std::move(plan), std::nullopt};
    }

    /// To free the state of a large program takes as long as to verify its plan.
    std::vector<Diagnostic> verifyAndRelease(const Plan& plan) {
        std::vector<Diagnostic> violations;
        const unsigned threads = threadCount(request_.settings.integer("engine.threads"));
        const bool isLarge = state_.program.ops.size() >= kLargeProgram;
        parallelRanges(2, 1, isLarge ? threads : 1, [&](std::size_t, std::size_t begin, std::size_t end) {
            for (std::size_t task = begin; task < end; ++task) {
                if (task == 0) violations = verifyCompiled(plan);
                if (task == 1) state_ = State{};
            }
        });
        return violations;
    }

    void resolveSubjects() {
        std::unordered_map<std::string_view, OpId> position;
        position.reserve(state_.program.ops.size());
        for (std::size_t i = 0; i < state_.program.ops.size(); ++i)
            position[state_.program.ops[i].name] = OpId::of(i);
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

/// Plans again without the loops of hints that no kernel can address; each time there are fewer. An observer sees the
/// passes of every round.
CompileOutcome runWithoutLargeLoops(const CompileRequest& request, const RunControl& control,
                                    PipelineObserver* observer) {
    RefusedLoops refused;
    while (true) {
        Run run(request, control, observer, refused);
        CompileOutcome outcome = run.go();
        if (run.refusedLoops().size() <= refused.size()) return outcome;
        refused = run.refusedLoops();
    }
}

}  // namespace

const std::vector<const Pass*>& spyrePipeline() {
    static const std::vector<const Pass*> kPasses = [] {
        std::vector<const Pass*> passes{&spyre::lowerToSpyrePass()};
        const auto& middle = spyre::layoutAndDivisionPasses();
        passes.insert(passes.end(), middle.begin(), middle.end());
        const auto last = spyre::scratchpadPasses();
        passes.insert(passes.end(), last.begin(), last.end());
        passes.insert(passes.end(), {&spyre::memoryPlanningPass(), &spyre::loopTreePass(), &spyre::fuseNodesPass()});
        const auto& code = spyre::codegenPasses();
        passes.insert(passes.end(), code.begin(), code.end());
        return passes;
    }();
    return kPasses;
}

std::vector<PassInfo> passList(Target target) {
    std::vector<PassInfo> list;
    if (target != Target::Spyre) return list;
    for (const Pass* pass : spyrePipeline()) {
        const PassInfo& info = pass->info();
        const bool firstStep = !info.parent.empty() && (list.empty() || list.back().parent != info.parent);
        if (firstStep && list.back().id != info.parent) list.push_back(umbrellaOf(info));
        list.push_back(info);
    }
    return list;
}

CompileOutcome compile(const CompileRequest& request, const RunControl& control, PipelineObserver* observer) {
    if (request.imported) return compileImported(request, control, observer);
    const RunControl limited = solve::withCompileLimit(control, request.settings);
    if (!comparesVariants(request)) return runWithoutLargeLoops(request, limited, observer);
    return compileBest(request, limited, runWithoutLargeLoops, observer);
}

std::string inputHash(const CompileRequest& request) {
    HashedInput input{request.target, request.graph.get(), &request.settings, &request.hints, {}, request.stopAfter};
    // The file's content counts, not its name alone; one that cannot be read fails the compile.
    const auto calibration = spyre::cost::calibrationFrom(request.settings);
    if (calibration) input.calibrationSha256 = calibration.value().sha256;
    return inputHash(input);
}

}  // namespace memplan
