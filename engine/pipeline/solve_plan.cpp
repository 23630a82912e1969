// SPDX-License-Identifier: Apache-2.0
#include "engine/pipeline/solve_plan.h"

#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/pipeline/plan_frame.h"
#include "engine/plan/memory_use.h"
#include "engine/plan/plan_hash.h"
#include "engine/plan/search_decision.h"
#include "engine/plan/wordings.h"
#include "engine/solve/gaps.h"
#include "engine/solve/problem/bounds.h"
#include "engine/solve/renaming.h"
#include "engine/solve/solver_settings.h"
#include "engine/solve/validate.h"

#include <algorithm>
#include <map>

namespace memplan {

namespace {

using solve::Item;
using solve::Problem;
using solve::Solution;

/// Bytes in use between changes: the sum of the placed buffers, a slot that is handed over counted once.
void fillUse(Plan& plan) {
    std::map<Step, Bytes> changes;
    for (const PlanBuffer& b : plan.buffers) {
        if (!b.address) continue;
        const Step from =
            b.inPlaceOf.isValid() ? std::max(b.life.begin, plan.buffer(b.inPlaceOf).life.end) : b.life.begin;
        if (from >= b.life.end) continue;
        changes[from] += b.sizePerCore;
        changes[b.life.end] -= b.sizePerCore;
    }
    Bytes live = 0;
    for (const auto& [step, change] : changes) {
        live += change;
        plan.memory.occupancy.push_back({step, live});
        if (live <= plan.memory.livePeak) continue;
        plan.memory.livePeak = live;
        plan.memory.livePeakStep = step;
    }
    const PeakUse peak = peakUse(plan);
    plan.memory.peak = peak.top;
    plan.metrics.fragmentationMax = peak.fragmentation;
}

class Builder {
public:
    Builder(const SolveRequest& request, const Problem& problem, const Solution& solution)
        : request_(request), problem_(problem), solution_(solution) {}

    std::shared_ptr<Plan> build() {
        auto plan = std::make_shared<Plan>();
        plan->target = request_.target;
        plan->input = request_.input;
        plan->settings = request_.settings;
        plan->inputHash = inputHash(request_);
        plan->memory.capacity = plan->memory.physical = problem_.capacity;
        plan->memory.alignment = std::max<Bytes>(problem_.alignment, 1);
        for (std::size_t i = 0; i < problem_.items.size(); ++i)
            plan->buffers.push_back(buffer(i));
        fillUse(*plan);
        fillMetrics(*plan);
        for (std::size_t i = 0; i < plan->buffers.size(); ++i)
            addProblem(*plan, BufferId::of(i));
        plan->planHash = planHash(*plan);
        return plan;
    }

private:
    const SolveRequest& request_;
    const Problem& problem_;
    const Solution& solution_;

    [[nodiscard]] PlanBuffer buffer(std::size_t i) const {
        const Item& item = problem_.items[i];
        PlanBuffer b;
        b.name = item.name;
        b.size = b.sizePerCore = item.size;
        b.life = {item.start, item.liveEnd()};
        b.address = solution_.addresses[i];
        b.space = b.address ? MemorySpace::Lx : MemorySpace::Hbm;
        const int parent = i < solution_.inPlaceParent.size() ? solution_.inPlaceParent[i] : -1;
        if (b.address && parent >= 0) b.inPlaceOf = BufferId::of(static_cast<std::size_t>(parent));
        if (!b.address) b.reason = reason(item);
        return b;
    }

    [[nodiscard]] Reason reason(const Item& item) const {
        Reason r;
        if (item.ineligible) {
            r.code = ReasonCode::PlanningOff;
            r.stated = {say::kListBars};
        } else if (item.size > problem_.capacity) {
            r.code = ReasonCode::LargerThanMemory;
            r.stated = {say::kLargerThanList, item.size, problem_.capacity};
        } else if (solution_.status == solve::Status::Stopped) {
            r.code = ReasonCode::SolverStopped;
            r.stated = {say::kStoppedBefore, item.size};
        } else {
            r.code = ReasonCode::NoRoom;
            r.stated = {say::kNoRoomInList, item.size, problem_.capacity, item.start, item.liveEnd()};
        }
        return r;
    }

    void fillMetrics(Plan& plan) const {
        PlanMetrics& m = plan.metrics;
        for (const PlanBuffer& b : plan.buffers) {
            ++m.buffersTotal;
            m.buffersOnChip += b.address ? 1 : 0;
            (b.address ? m.pinnedBytes : m.unpinnedBytes) += b.size;
        }
        const solve::Bounds bounds = solve::bounds(problem_);
        plan.memory.boundPerStep = bounds.spacePerTick;
        m.peakLowerBound = bounds.peakLowerBound;
        m.spillLowerBound = bounds.spillLowerBound;
        m.upperBoundBytes = bounds.pinnedUpperBound;
        if (solution_.upperBoundBytes) m.upperBoundBytes = std::min(m.upperBoundBytes, *solution_.upperBoundBytes);
        m.provedOptimal = solution_.status == solve::Status::Optimal || m.pinnedBytes >= m.upperBoundBytes;
    }

    static void addProblem(Plan& plan, BufferId id) {
        const PlanBuffer& b = plan.buffer(id);
        if (!b.reason || b.reason->code == ReasonCode::PlanningOff) return;
        Diagnostic d = refusalOf(plan, id, "Buffer \"" + b.name + "\" is not placed: ");
        d.hint = "raise the capacity, or try another solver";
        plan.problems.push_back(std::move(d));
    }
};

CompileOutcome failed(Error error) {
    return {nullptr, CompileFailure{std::move(error), "solve", {}}};
}

}  // namespace

Problem SolveRequest::applied() const {
    Problem p = solve::withoutEmptyGaps(*problem);
    if (capacity > 0) p.capacity = capacity;
    if (alignment <= 0) return p;
    p.alignment = alignment;
    for (Item& item : p.items)
        item.alignment = 0;
    return p;
}

CompileOutcome solveToPlan(const SolveRequest& request, const RunControl& control) {
    const Problem problem = request.applied();
    const solve::Solver* solver = solve::findSolver(request.settings.text(request.keys.solver));
    auto solved = solver->solve(solve::withGapsUsed(problem), solve::paramsFrom(request.settings, request.keys),
                                solve::withTimeLimit(control, request.settings));
    if (!solved) return failed(std::move(solved).error());
    if (control.cancelled()) return failed(makeError(kCancelledCode, "", "cancelled"));
    const auto violations = solve::validate(problem, solved.value().addresses);
    if (!violations.empty()) {
        return failed(
            makeError("INT-003", problem.name,
                      "the placement of " + std::string(solver->id()) + " breaks a rule: " + violations.front().message,
                      "please report this with the list"));
    }
    auto plan = Builder(request, problem, solved.value()).build();
    plan->solver = std::string(solver->id());
    if (solved.value().search) plan->decisions.push_back(searchDecision(*solved.value().search));
    return {std::move(plan), std::nullopt};
}

PlanPtr givenPlan(const SolveRequest& request) {
    const Problem problem = request.applied();
    Solution given;
    for (const Item& item : problem.items)
        given.addresses.push_back(item.givenAddress);
    const bool any =
        std::any_of(given.addresses.begin(), given.addresses.end(), [](const auto& a) { return a.has_value(); });
    if (!any) return nullptr;
    auto plan = Builder(request, problem, given).build();
    for (PlanBuffer& b : plan->buffers) {
        if (b.reason) b.reason->stated = {say::kListGivesNone};
    }
    plan->metrics.provedOptimal = false;
    plan->problems.clear();
    for (const solve::Violation& v : solve::validate(problem, given.addresses)) {
        Diagnostic d;
        d.code = v.code;
        d.message = "The offsets of the list break a rule: " + v.message;
        d.hint = "solve the list to get a placement that holds";
        for (const int position : {v.first, v.second}) {
            if (position >= 0) d.buffers.push_back(BufferId::of(static_cast<std::size_t>(position)));
        }
        plan->problems.push_back(std::move(d));
    }
    plan->inputHash = hex16(fnv1a(plan->inputHash + "given"));
    plan->planHash = planHash(*plan);
    return plan;
}

std::string inputHash(const SolveRequest& request) {
    const Problem& p = *request.problem;
    std::string key;
    key.reserve(p.items.size() * 48 + 2048);
    const auto number = [&key](std::int64_t v) { key.append(std::to_string(v)).push_back(','); };
    key.append("solve\n").append(p.name).push_back('\n');
    number(request.capacity > 0 ? request.capacity : p.capacity);
    number(request.alignment > 0 ? request.alignment : p.alignment);
    for (const Item& item : p.items) {
        key.append(item.name).push_back('\0');
        for (const std::int64_t v : {item.size, std::int64_t{item.start}, std::int64_t{item.liveEnd()},
                                     request.alignment > 0 ? Bytes{0} : item.alignment, Bytes{item.ineligible}})
            number(v);
        for (const int parent : item.inPlaceParents)
            number(parent);
        key.push_back(';');
        for (const Item::Gap& gap : item.gaps)
            for (const std::int64_t v : {std::int64_t{gap.from}, std::int64_t{gap.to}, gap.lo, gap.hi})
                number(v);
        key.push_back('\n');
    }
    const solve::SolverKeys& keys = request.keys;
    for (const std::string_view setting :
         {keys.solver, keys.ordering, std::string_view("engine.seed"), keys.annealingSteps, keys.annealingStart,
          keys.exactCost, std::string_view("engine.time_limit_seconds")})
        key.append(request.settings.textOf(setting)).push_back('\n');
    return hex16(fnv1a(key));
}

Bytes leastCapacity(const Problem& problem) {
    Problem unlimited = problem;
    unlimited.capacity = Bytes{1} << 50;
    return std::max<Bytes>(1, solve::bounds(unlimited).peakLowerBound);
}

}  // namespace memplan
