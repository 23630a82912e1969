// SPDX-License-Identifier: Apache-2.0
#include "pipeline/variants.h"

#include "base/text.h"
#include "pipeline/plan_builder.h"
#include "verify/verify.h"

#include <algorithm>
#include <tuple>

namespace memplan {
namespace {

struct Variant {
    std::string name;
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
    std::vector<Variant> variants{{"every improving pass", given}};
    if (given.boolean("spyre.matmul_cost_model") && !given.isExplicit("spyre.matmul_cost_model")) {
        Settings other = given;
        (void)other.set("spyre.matmul_cost_model", "false");
        variants.push_back({"every improving pass, multiplies divided as the product does", std::move(other)});
    }
    variants.push_back({"the product's settings", withPreset(given, "product")});
    return variants;
}

/// Smaller is better.
std::tuple<std::int64_t, Bytes, double> rankOf(const Plan& plan) {
    const auto unmet = std::count_if(plan.hintStates.begin(), plan.hintStates.end(),
                                     [](const std::string& s) { return s != "applied" && s != "disabled"; });
    return {unmet, plan.metrics.mainMemoryReadBytes + plan.metrics.mainMemoryWriteBytes,
            plan.metrics.estimatedMicroseconds.value_or(0)};
}

Decision told(const std::string& variant, const Plan& plan, bool isKept) {
    Decision d;
    d.pass = "scratchpad_planning";
    d.kind = "plan_variant";
    d.chosen = variant;
    d.alternatives = {{"main-memory bytes", static_cast<double>(std::get<1>(rankOf(plan)))},
                      {"estimated microseconds", plan.metrics.estimatedMicroseconds.value_or(0)},
                      {"buffers on chip", static_cast<double>(plan.metrics.buffersOnChip)}};
    d.why = isKept ? "kept: no variant satisfies more hints or moves fewer bytes" : "another variant is better";
    return d;
}

}  // namespace

bool comparesVariants(const CompileRequest& request) {
    return request.target == Target::Spyre && !request.imported && request.stopAfter.empty() &&
           request.settings.text("preset") == "best" && request.settings.boolean("spyre.lx_planning");
}

CompileOutcome compileBest(const CompileRequest& request, const SingleCompile& compileOne, PipelineObserver* observer) {
    const std::vector<Variant> variants = variantsOf(request.settings);
    std::vector<PlanPtr> plans;
    std::vector<std::string> names;  ///< parallel to the plans
    std::size_t best = 0;
    for (const Variant& v : variants) {
        CompileRequest one = request;
        one.settings = v.settings;
        // Who watches sees one pipeline: the one asked for.
        CompileOutcome outcome = compileOne(one, plans.empty() ? observer : nullptr);
        // The variant asked for has to compile; of the others those that do are compared.
        const bool cancelled = outcome.failure && outcome.failure->error.primary().code == kCancelledCode;
        if (!outcome.plan && (plans.empty() || cancelled)) return outcome;
        if (!outcome.plan) continue;
        plans.push_back(std::move(outcome.plan));
        names.push_back(v.name);
        if (rankOf(*plans.back()) < rankOf(*plans[best])) best = plans.size() - 1;
    }
    auto plan = std::make_shared<Plan>(*plans[best]);
    plan->settings = request.settings;
    plan->inputHash = inputHash(request);
    plan->planHash = planHash(*plan);
    for (std::size_t i = 0; i < plans.size(); ++i)
        plan->decisions.push_back(told(names[i], *plans[i], i == best));
    if (std::vector<Diagnostic> violations = verifyPlan(*plan); !violations.empty()) {
        Error error = makeError("INT-003", violations.front().where,
                                "the plan breaks its own rules: " + violations.front().message, "please report this");
        error.diagnostics.insert(error.diagnostics.end(), violations.begin(), violations.end());
        return {nullptr, CompileFailure{std::move(error), "verify", plan->passes}};
    }
    return {std::move(plan), std::nullopt};
}

}  // namespace memplan
