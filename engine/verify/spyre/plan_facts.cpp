// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/plan_facts.h"

#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/plan/input_hash.h"
#include "engine/plan/spyre_data.h"
#include "engine/plan/stopped.h"
#include "engine/plan/wordings.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace memplan::verify {
namespace {

/// The passes of pipeline.md 1 and their steps.
constexpr std::array<std::string_view, 42> kPasses = {"lower_to_spyre",
                                                      "deadcode_elimination",
                                                      "propagate_spyre_tensor_layouts",
                                                      "optimize_restickify_locations",
                                                      "finalize_layouts",
                                                      "insert_restickify",
                                                      "insert_bmm_padding",
                                                      "dedup_and_promote_constants",
                                                      "chunk_large_tensors",
                                                      "propagate_named_dims",
                                                      "assign_dim_hints",
                                                      "coarse_tile",
                                                      "coarse_tile.reorder_interlopers",
                                                      "coarse_tile.groups",
                                                      "coarse_tile.joint_tiling",
                                                      "coarse_tile.read_copies",
                                                      "coarse_tile.stamp",
                                                      "coarse_tile.propagate",
                                                      "span_reduction",
                                                      "k_fast_division",
                                                      "matmul_cost_model",
                                                      "work_distribution",
                                                      "scratchpad_planning",
                                                      "scratchpad_planning.clone_inputs",
                                                      "scratchpad_planning.co_optimize",
                                                      "scratchpad_planning.free_renaming",
                                                      "scratchpad_planning.reorder_ops",
                                                      "scratchpad_planning.solver_clones",
                                                      "scratchpad_planning.buffers",
                                                      "scratchpad_planning.solve",
                                                      "scratchpad_planning.evict_reload",
                                                      "scratchpad_planning.output_clones",
                                                      "scratchpad_planning.ring_transfers",
                                                      "scratchpad_planning.elide_read_copies",
                                                      "scratchpad_planning.boundaries",
                                                      "scratchpad_planning.push",
                                                      "memory_planning",
                                                      "build_loop_scheduler_nodes",
                                                      "spyre_fuse_nodes",
                                                      "build_op_specs",
                                                      "unroll_loops",
                                                      "write_bundle"};

using text::quoted;

class PlanFacts {
public:
    PlanFacts(const Plan& plan, Report& report) : plan_(plan), report_(report) {}

    void run() {
        checkHints();
        checkPasses();
        checkSolver();
        checkHash();
    }

private:
    const Plan& plan_;
    Report& report_;

    void wrong(std::string where, std::string message) { report_.add("VER-013", std::move(where), std::move(message)); }

    // ---- hints ---------------------------------------------------------------------------------------

    struct StateRule {
        std::string_view state;
        std::string_view code;  ///< of its diagnostic, empty for none
    };
    static constexpr std::array<StateRule, 7> kStates{{{"applied", ""},
                                                       {"partly_applied", "HNT-007"},
                                                       {"ignored", "HNT-007"},
                                                       {"conflicting", "HNT-006"},
                                                       {"impossible", "HNT-008"},
                                                       {"unmatched", "HNT-005"},
                                                       {"disabled", ""}}};

    /// What passes and the reader of hints report of one hint.
    struct Findings {
        std::vector<const Diagnostic*> own;  ///< of the hint: its state
        bool hasParts = false;               ///< of a part of it: a scope or the value
    };

    /// A state other than applied and disabled has a sentence and a diagnostic at its place.
    void checkHints() {
        std::map<std::string, Findings> findings;
        const auto note = [&](const Diagnostic& d) {
            if (!d.code.starts_with("HNT-") || !d.where.starts_with("/hints/")) return;
            const std::size_t end = d.where.find('/', std::string_view("/hints/").size());
            Findings& of = findings[d.where.substr(0, end)];
            if (end == std::string::npos)
                of.own.push_back(&d);
            else
                of.hasParts = true;
        };
        for (const PassRun& run : plan_.passes)
            std::for_each(run.diagnostics.begin(), run.diagnostics.end(), note);
        std::for_each(plan_.problems.begin(), plan_.problems.end(), note);
        for (std::size_t i = 0; i < plan_.hints.size() && i < plan_.hintStates.size(); ++i)
            checkHint(i, findings["/hints/" + std::to_string(i)]);
    }

    void checkHint(std::size_t i, const Findings& findings) {
        const std::string where = "hints[" + std::to_string(i) + "] (" + plan_.hints[i].key + ")";
        const std::string& state = plan_.hintStates[i];
        const std::string reason = i < plan_.hintStateReasons.size() ? plan_.hintStateReasons[i] : std::string();
        const auto* rule =
            std::find_if(kStates.begin(), kStates.end(), [&](const StateRule& r) { return r.state == state; });
        if (rule == kStates.end()) return wrong(where, "is in the unknown state " + quoted(state));
        if ((state == "disabled") == plan_.hints[i].enabled)
            wrong(where, std::string("is ") + (plan_.hints[i].enabled ? "enabled" : "not enabled") +
                             " and in the state " + quoted(state));
        if (rule->code.empty() != reason.empty())
            wrong(where, "is in the state " + quoted(state) +
                             (reason.empty() ? " and gives no reason" : " and gives a reason"));
        if (!plan_.passes.empty()) checkFindings(where, state, reason, rule->code, findings);
    }

    /// The diagnostic of the state, with its sentence; where a part of the hint is at fault, that finding may stand
    /// alone.
    void checkFindings(const std::string& where, const std::string& state, const std::string& reason,
                       std::string_view code, const Findings& findings) {
        if (code.empty()) {
            if (!findings.own.empty())
                wrong(where, "is in the state " + quoted(state) + ", and a pass reports " + findings.own.front()->code);
            return;
        }
        // The findings of the whole compile are a list of their own, which a file need not hold.
        if (plan_.problems.empty() || (findings.own.empty() && findings.hasParts)) return;
        const bool isReported = std::any_of(findings.own.begin(), findings.own.end(), [&](const Diagnostic* d) {
            return d->code == code && d->message.ends_with(withoutFix(reason, d->hint));
        });
        if (isReported) return;
        wrong(where, "is in the state " + quoted(state) +
                         (findings.own.empty() ? ", and no pass reports it"
                                               : ", and a pass reports another thing: " + findings.own.front()->code));
    }

    /// The sentence of a state ends with the fix that its diagnostic gives apart.
    static std::string_view withoutFix(std::string_view reason, const std::string& fix) {
        const std::string end = " (" + fix + ")";
        return !fix.empty() && reason.ends_with(end) ? reason.substr(0, reason.size() - end.size()) : reason;
    }

    // ---- passes --------------------------------------------------------------------------------------

    void checkPasses() {
        std::set<std::string_view> names;
        // A compile may end with a pass that is switched off: it stands nowhere else in the plan.
        bool knowsStop = plan_.stoppedAfter.empty() ||
                         std::find(kPasses.begin(), kPasses.end(), plan_.stoppedAfter) != kPasses.end();
        for (const PassRun& run : plan_.passes) {
            if (!names.insert(run.name).second) wrong("pass " + run.name, "is listed twice");
            if (run.name.empty()) wrong("passes", "one has no name");
            knowsStop = knowsStop || run.name == plan_.stoppedAfter || run.parent == plan_.stoppedAfter;
        }
        if (!knowsStop)
            wrong("x_stopped_after",
                  "says that the compile ended with the pass " + quoted(plan_.stoppedAfter) + ", which there is not");
        if (!isPlannedHere(plan_) || plan_.passes.empty()) return;
        const auto needs = [&](const char* key, const char* pass, bool isThere) {
            if (isThere && !names.contains(pass))
                wrong("pass " + std::string(pass), std::string("did not run, and the plan has its result ") + key);
        };
        needs("loops", "build_loop_scheduler_nodes", spyreData(plan_).loops.has_value());
        needs("kernels", "spyre_fuse_nodes", spyreData(plan_).kernels.has_value());
        needs("pool", "memory_planning", spyreData(plan_).pool.has_value());
        needs("propagation", "coarse_tile.propagate", spyreData(plan_).propagation.has_value());
        needs("op_specs", "build_op_specs", spyreData(plan_).opSpecs != nullptr);
        const bool isPlaced = std::any_of(plan_.buffers.begin(), plan_.buffers.end(),
                                          [](const PlanBuffer& b) { return isOnChip(b.space); });
        needs("addresses", "scratchpad_planning.solve", isPlaced);
    }

    // ---- solver, hash --------------------------------------------------------------------------------

    void checkSolver() {
        if (!isPlannedHere(plan_) || plan_.solver.empty()) return;
        const std::string& wanted = plan_.settings.text("spyre.layout_solver");
        if (plan_.solver == wanted || (isSearching(wanted) && plan_.solver == "bestfit" && wasTried())) return;
        if (plan_.solver == "greedy" && isProductsPlan()) return;
        wrong("x_solver", "is " + quoted(plan_.solver) + ", the settings name " + quoted(wanted));
    }

    /// Of the variants that preset "best" compiles the one with the product's settings, and so its solver, was kept.
    [[nodiscard]] bool isProductsPlan() const {
        return plan_.settings.text("preset") == "best" &&
               std::any_of(plan_.decisions.begin(), plan_.decisions.end(), [](const Decision& d) {
                   return d.kind == DecisionKind::PlanVariant && d.chosen.is(say::kProductSettings) &&
                          d.why.is(say::kKept);
               });
    }

    static bool isSearching(std::string_view solver) { return solver == "exact" || solver == "annealing"; }

    /// What changes the plan behind its solver tries every change with the quick solver where the chosen one searches,
    /// and keeps the best of them.
    [[nodiscard]] bool wasTried() const {
        static constexpr std::array<std::string_view, 5> kTrying{
            "scratchpad_planning.evict_reload", "scratchpad_planning.output_clones",
            "scratchpad_planning.ring_transfers", "scratchpad_planning.elide_read_copies",
            "scratchpad_planning.boundaries"};
        return std::any_of(plan_.passes.begin(), plan_.passes.end(), [](const PassRun& r) {
            return r.changed && std::find(kTrying.begin(), kTrying.end(), r.name) != kTrying.end();
        });
    }

    void checkHash() {
        const auto isHex = [](const std::string& s) {
            return s.size() == 16 && s.find_first_not_of("0123456789abcdef") == std::string::npos;
        };
        for (const auto& [name, value] :
             {std::pair{"x_input_hash", &plan_.inputHash}, {"x_plan_hash", &plan_.planHash}}) {
            if (!value->empty() && !isHex(*value)) wrong(name, quoted(*value) + " is no hash of 16 hexadecimal digits");
        }
        checkInputHash();
        if (plan_.planHash.empty() || plan_.planHash == hash()) return;
        wrong("x_plan_hash", "is " + plan_.planHash + ", the operations, splits, sizes and addresses give " + hash());
    }

    /// Graph, settings and hints are those that the plan was made of. A file without the graph has nothing to hash.
    void checkInputHash() {
        const bool hasCalibration = !plan_.settings.text("spyre.calibration").empty();
        if (plan_.inputHash.empty() || !plan_.graph || !isPlannedHere(plan_) ||
            (hasCalibration && !spyreData(plan_).costEstimate))
            return;
        HashedInput input{plan_.target, plan_.graph.get(), &plan_.settings,
                          &plan_.hints, std::string(),     plan_.stoppedAfter};
        if (hasCalibration) input.filesSha256 = spyreData(plan_).costEstimate->calibrationSha256;
        input.machine = machineKey(plan_.machine);
        const std::string real = inputHash(input);
        if (plan_.inputHash != real)
            wrong("x_input_hash", "is " + plan_.inputHash + ", the graph, the settings and the hints give " + real);
    }

    /// Over the input and what was decided: functions, loops and slices, sizes and places.
    [[nodiscard]] std::string hash() const {
        std::string key = plan_.inputHash;
        const auto add = [&key](std::string_view part) { key.append(part).push_back('\0'); };
        for (const PlanOp& op : plan_.ops) {
            add(op.name);
            add(op.type);
            for (const IterationDim& d : op.iterationSpace)
                add(std::to_string(d.extent) + "/" + std::to_string(d.slices));
        }
        for (const PlanBuffer& b : plan_.buffers) {
            add(b.name);
            add(std::to_string(b.sizePerCore));
            add(b.address ? std::to_string(*b.address)
                          : std::string(b.reason ? reasonInfo(b.reason->code).name : std::string_view()));
        }
        return hex16(fnv1a(key));
    }
};

}  // namespace

void checkPlanFacts(const PlanReading& reading, Report& report) {
    PlanFacts(reading.plan, report).run();
}

}  // namespace memplan::verify
