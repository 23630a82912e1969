// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/variants.h"

#include "engine/base/text.h"
#include "engine/pipeline/run.h"
#include "engine/plan/plan_hash.h"
#include "engine/solve/solver_settings.h"
#include "engine/spyre/compile/tiling_search.h"
#include "engine/spyre/texts/decisions.h"
#include "engine/verify/spyre/verify.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace memplan::spyre {
namespace {

struct Variant {
    const Wording* name = nullptr;
    Settings settings;
};

/// The keys that the user set, over another preset.
Settings withPreset(const Settings& given, std::string_view preset) {
    Settings settings;
    (void)settings.set("preset", preset);
    for (const SettingInfo& info : allSettings()) {
        if (info.key != "preset" && given.isExplicit(info.key)) (void)settings.set(info.key, given.textOf(info.key));
    }
    return settings;
}

std::vector<Variant> variantsOf(const Settings& given) {
    std::vector<Variant> variants{{&memplan::say::kEveryPass, given}};
    if (given.boolean("spyre.matmul_cost_model") && !given.isExplicit("spyre.matmul_cost_model")) {
        Settings other = given;
        (void)other.set("spyre.matmul_cost_model", "false");
        variants.push_back({&memplan::say::kProductDivisions, std::move(other)});
    }
    variants.push_back({&memplan::say::kProductSettings, withPreset(given, "product")});
    return variants;
}

/// Smaller is better.
std::tuple<std::int64_t, Bytes, double> rankOf(const Plan& plan) {
    const auto unmet = std::count_if(plan.hintStates.begin(), plan.hintStates.end(),
                                     [](const std::string& s) { return s != "applied" && s != "disabled"; });
    return {unmet, plan.metrics.traffic(), plan.metrics.estimatedMicroseconds.value_or(0)};
}

/// Loops that the compile took on.
std::size_t groupsOf(const Plan& plan) {
    const auto step = std::ranges::find(plan.passes, "coarse_tile.groups", &PassRun::name);
    return step == plan.passes.end() ? 0 : static_cast<std::size_t>(step->counts.at("groups"));
}

Decision decisionOf(const Wording& variant, const Plan& plan, bool isKept) {
    Decision d;
    d.pass = "scratchpad_planning";
    d.kind = DecisionKind::PlanVariant;
    d.chosen = {variant};
    d.alternatives = {{say::kMainMemoryBytes, static_cast<double>(plan.metrics.traffic())},
                      {say::kEstimatedMicroseconds, plan.metrics.estimatedMicroseconds.value_or(0)},
                      {say::kBuffersOnChip, static_cast<double>(plan.metrics.buffersOnChip)}};
    d.why = {isKept ? memplan::say::kKept : memplan::say::kNotKept};
    return d;
}

/// What the search for loops says, and what they are worth in the whole plan, or that they are worth nothing there.
void reportTilings(Plan& plan, const TilingSearch& search, Bytes without, bool isKept) {
    for (Decision d : search.decisions) {
        if (d.kind == DecisionKind::Tiling && !isKept) {
            d.why = {say::kButNoGain, std::move(d.why)};
            d.chosen = {say::kNone};
        }
        plan.decisions.push_back(std::move(d));
    }
    for (PassRun& run : plan.passes) {
        // The step ran in the compile before this one; the loops came in as its result.
        const bool isStep = run.name == "coarse_tile.joint_tiling";
        if (isStep) {
            run.ran = true;
            run.changed = isKept;
            run.counts = search.counts;
            run.counts["traffic_before"] = run.counts["traffic_after"] = plan.metrics.traffic();
        }
        if (!isKept || (!isStep && run.name != "coarse_tile")) continue;
        run.counts["traffic_before"] = without;
        run.counts["traffic_after"] = plan.metrics.traffic();
        run.counts["nests"] = static_cast<std::int64_t>(search.chosen.size());
    }
}

class Comparison {
public:
    Comparison(const CompileRequest& request, const RunControl& control, const SingleCompile& compileOne,
               PipelineObserver* observer)
        : request_(request), control_(control), compileOne_(compileOne), observer_(observer) {}

    CompileOutcome run() {
        const bool isBest = request_.settings.text("preset") == "best";
        const std::vector<Variant> variants =
            isBest ? variantsOf(request_.settings) : std::vector<Variant>{{nullptr, request_.settings}};
        for (const Variant& v : variants) {
            if (!plans_.empty() && control_.timedOut()) break;
            CompileRequest one = request_;
            one.settings = v.settings;
            // Loops are weighed below, against the best plan without them.
            (void)one.settings.set("spyre.co_optimize_tilings", "false");
            // Who watches sees one pipeline: the one asked for.
            CompileOutcome outcome = compileOne_(one, {}, share(), plans_.empty() ? observer_ : nullptr);
            // The variant asked for has to compile; of the others those that do are compared.
            if (!outcome.plan && (plans_.empty() || isCancelled(outcome))) return outcome;
            if (!outcome.plan) continue;
            plans_.push_back(std::move(outcome.plan));
            names_.push_back(v.name);
            if (rankOf(*plans_.back()) < rankOf(*plans_[best_])) best_ = plans_.size() - 1;
        }
        kept_ = std::make_shared<Plan>(*plans_[best_]);
        if (searchesTilings(request_) && !control_.timedOut()) {
            if (auto done = tile(variants); !done) return cancelledOutcome(done.error());
        }
        return finish(isBest);
    }

private:
    /// Half of the time left: the first compile would otherwise leave none for one that is as good in less.
    [[nodiscard]] RunControl share() const {
        if (!control_.deadline) return control_;
        const std::chrono::duration<double> left = *control_.deadline - std::chrono::steady_clock::now();
        return solve::withDeadlineIn(control_, left.count() / 2);
    }

    static bool isCancelled(const CompileOutcome& outcome) {
        return outcome.failure && outcome.failure->error.primary().code == kCancelledCode;
    }
    static CompileOutcome cancelledOutcome(const Error& error) {
        return {nullptr, CompileFailure{error, "coarse_tile", {}}};
    }

    /// Loops around what finds no room, under the settings of the kept variant where it searches at all. The plan
    /// without them stays where they are no gain (16.5).
    Result<void> tile(const std::vector<Variant>& variants) {
        CompileRequest one = request_;
        for (const Variant& v : variants)
            one.settings =
                v.name == names_[best_] && v.settings.boolean("spyre.co_optimize") ? v.settings : one.settings;
        auto search = searchTilings(one, share(), compileOne_);
        if (!search) return std::move(search).error();
        if (search.value().chosen.empty()) {
            reportTilings(*kept_, search.value(), 0, false);
            return {};
        }
        (void)one.settings.set("spyre.co_optimize_tilings", "false");
        CompileOutcome outcome = compileOne_(one, search.value().chosen, control_, nullptr);
        if (isCancelled(outcome)) return std::move(outcome.failure->error);
        const bool isKept = outcome.plan && groupsOf(*outcome.plan) == search.value().chosen.size() &&
                            rankOf(*outcome.plan) < rankOf(*kept_);
        const Bytes without = kept_->metrics.traffic();
        if (isKept) kept_ = std::make_shared<Plan>(*outcome.plan);
        reportTilings(*kept_, search.value(), without, isKept);
        return {};
    }

    CompileOutcome finish(bool isBest) {
        Plan& plan = *kept_;
        plan.settings = request_.settings;
        plan.inputHash = inputHash(request_);
        plan.planHash = planHash(plan);
        for (std::size_t i = 0; i < plans_.size() && isBest; ++i)
            plan.decisions.push_back(decisionOf(*names_[i], *plans_[i], i == best_));
        if (auto broken = firstViolation(verify::spyre::checkCompiled(plan)))
            return {nullptr, CompileFailure{std::move(*broken), "verify", plan.passes}};
        return {std::move(kept_), std::nullopt};
    }

    const CompileRequest& request_;
    const RunControl& control_;
    const SingleCompile& compileOne_;
    PipelineObserver* observer_;
    std::vector<PlanPtr> plans_;
    std::vector<const Wording*> names_;  ///< parallel to the plans; null where no variants are compared
    std::size_t best_ = 0;
    std::shared_ptr<Plan> kept_;
};

}  // namespace

bool comparesVariants(const CompileRequest& request) {
    if (request.program || !request.stopAfter.empty()) return false;
    const bool isBest = request.settings.text("preset") == "best" && request.settings.boolean("spyre.lx_planning");
    return isBest || searchesTilings(request);
}

CompileOutcome compileBest(const CompileRequest& request, const RunControl& control, const SingleCompile& compileOne,
                           PipelineObserver* observer) {
    return Comparison(request, control, compileOne, observer).run();
}

}  // namespace memplan::spyre
