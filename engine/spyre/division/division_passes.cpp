// SPDX-License-Identifier: Apache-2.0
// Passes 13 to 15: span reduction, k-fast division or the cost model in its place, work distribution
// (spyre-layouts-and-work-division 10-13, 16, 17, 20.3).
#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/spyre/division/hint_splits.h"
#include "engine/spyre/division/matmul_cost.h"
#include "engine/spyre/division/plan_op.h"
#include "engine/spyre/passes.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

namespace memplan::spyre {
namespace {

constexpr const char* kSpanFix =
    "more cores (spyre.cores) make smaller parts; under spyre.span_rule=seed this is a warning";

SpanRule spanRule(const PassContext& context) {
    const bool late = context.settings.text("spyre.span_rule") == "late";
    return {static_cast<int>(context.settings.integer("spyre.cores")),
            late ? context.machine.spanLimitLate : context.machine.spanLimitSeed};
}

void report(PassContext& context, const Notice& notice, OpId op, const std::string& where) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = notice.code;
    d.where = where;
    d.message = notice.message;
    d.ops = {op};
    context.report(std::move(d));
}

Statement statedSplits(const Op& op, const Splits& splits) {
    std::vector<std::string> loops;
    std::vector<std::int64_t> slices;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (splitOf(splits, v) == 1) continue;
        loops.push_back(op.loops[v].name);
        slices.push_back(splits[v]);
    }
    return loops.empty() ? Statement(say::kNotSplit) : Statement(say::kSplit, std::move(loops), std::move(slices));
}

void decide(PassContext& context, const Op& op, OpId id, const Splits& splits, Statement why) {
    Decision d;
    d.op = id;
    d.buffer = op.write.buffer;
    d.kind = DecisionKind::Split;
    d.chosen = statedSplits(op, splits);
    d.why = std::move(why);
    context.decide(std::move(d));
}

/// What chapter 17 says about operations that have no division.
Result<void> checkUndivided(const Op& op, OpId id, PassContext& context) {
    if (op.kind != OpClass::Extern) return {};
    if (!op.write.buffer.isValid() && op.extraWrites.empty() && !op.impure) {
        return makeError("WDV-004", op.name,
                         "FallbackKernel must be followed by MultiOutput: " + op.name + " has no result");
    }
    if (op.fn.empty()) {
        report(context, {"WDV-006", op.name + ": unhandled operation type, it is left undivided"}, id, op.name);
    }
    return {};
}

void giveUp(Program& program, std::size_t i, const Error& error, PassContext& context) {
    program.divisions[i] = {};
    demote(program.ops[i], error, context, OpId::of(i));
}

bool commit(Program& program, std::size_t i, const MustSplit& forced, const IterationSpace& space,
            PassContext& context) {
    if (coresOf(forced.splits) == 1) return false;
    Division& division = program.divisions[i];
    for (std::size_t v = 0; v < forced.splits.size(); ++v) {
        division.committed[v] = splitOf(forced.splits, v);
    }
    division.splits = division.committed;
    division.written = true;
    Bytes before = 0;
    for (const DividedTensor& t : space.tensors)
        before = std::max(before, perCoreSpan(t, space.loops, {}));
    decide(context, program.ops[i], OpId::of(i), division.splits, {say::kReachLimit, before});
    return true;
}

/// A multiply whose splits no hint decides: there is none, or it cannot be met.
struct Multiply {
    const Op& op;
    const IterationSpace& space;
    const Splits& committed;
    int cores;
};

/// Asks `choose` for the splits of each such multiply; those it gives are taken, and no later rule changes them.
template <class Choose>
Result<PassOutcome> claimMultiplies(State& state, PassContext& context, Choose&& choose, const Statement& why) {
    Program& program = state.program;
    const DivisionHints hints(context, state);
    const int cores = static_cast<int>(context.settings.integer("spyre.cores"));
    std::int64_t claimed = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        const OpId id = OpId::of(i);
        if (!op.isMatmul()) continue;
        if (context.cancelled()) return cancelledError();
        const Result<IterationSpace> space = iterationSpace(program, op);
        if (!space) continue;
        const SplitHint* wanted = hints.splitFor(id);
        if (wanted != nullptr && splitsOf(*wanted, op, space.value(), hints.coresFor(id, cores))) continue;
        Division& division = program.divisions[i];
        std::optional<Splits> splits =
            choose(Multiply{op, space.value(), division.committed, hints.coresFor(id, cores)});
        if (!splits) continue;
        division.splits = std::move(*splits);
        division.isClaimed = true;
        division.written = coresOf(division.splits) > 1;
        ++claimed;
        decide(context, op, id, division.splits, why);
    }
    return PassOutcome{claimed > 0, {{"multiplies_claimed", claimed}}};
}

std::optional<Splits> cheapest(const Multiply& m) {
    if (coresOf(m.committed) != 1) return std::nullopt;  // what the span limit forced stays
    return cheapestMatmulSplits(m.op, m.space, m.cores);
}

struct Task {
    Division& division;
    const Op& op;
    OpId id;
    const IterationSpace& space;
    int cores;
};

/// Largest split that each loop alone could take, against what it got.
void report(const Task& t, PassContext& context) {
    const std::int64_t used = coresOf(t.division.splits);
    Decision d;
    d.op = t.id;
    d.buffer = t.op.write.buffer;
    d.kind = DecisionKind::Split;
    d.chosen = statedSplits(t.op, t.division.splits);
    for (std::size_t v = 0; v < t.space.loops.size() && v < 32; ++v) {
        const std::int64_t most = largestDivisorUpTo(t.space.adjusted[v], t.cores);
        if (most > 1) d.alternatives.push_back({{say::kLoopAlone, t.space.loops[v].name}, static_cast<double>(most)});
    }
    d.why = used == t.cores ? Statement(say::kAllCoresWork) : Statement(say::kSomeCoresWork, used, t.cores);
    context.decide(std::move(d));
}

Result<void> divide(const Task& t, PassContext& context) {
    Result<Distribution> rest = distributeRest(t.space, t.cores, t.division.committed);
    if (!rest) return std::move(rest).error();
    for (const int v : rest.value().skipped) {
        report(context,
               {"WDV-002", t.op.name + ": Cannot satisfy minimum split requirement of " +
                               t.space.loops[static_cast<std::size_t>(v)].name},
               t.id, t.op.name);
    }
    t.division.splits = std::move(rest.value().splits);
    t.division.written = coresOf(t.division.splits) > 1;
    report(t, context);
    return {};
}

void useHint(const Task& t, const SplitHint& wanted, PassContext& context) {
    Result<Splits> splits = splitsOf(wanted, t.op, t.space, t.cores);
    if (!splits) {
        const Diagnostic& d = splits.error().primary();
        context.reportHint(*wanted.hint, wanted.subject, hints::Outcome::Impossible, d.message, d.hint);
        if (!t.division.isClaimed) (void)divide(t, context);
        return;
    }
    t.division.splits = std::move(splits).value();
    t.division.written = coresOf(t.division.splits) > 1;
    context.reportHint(*wanted.hint, wanted.subject, hints::Outcome::Applied);
    decide(context, t.op, t.id, t.division.splits, {say::kSplitByHint});
}

}  // namespace

Result<PassOutcome> commitSpanSplits(State& state, PassContext& context) {
    Program& program = state.program;
    program.divisions.assign(program.ops.size(), {});
    const SpanRule rule = spanRule(context);
    if (Result<void> ok = checkCores(rule.cores); !ok) return ok.error();
    const DivisionHints hints(context, state);
    std::int64_t committed = 0;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if ((i & 63) == 0 && context.cancelled()) return cancelledError();
        Op& op = program.ops[i];
        const OpId id = OpId::of(i);
        if (Result<void> ok = checkUndivided(op, id, context); !ok) return ok.error();
        if (!op.isComputed()) continue;
        program.divisions[i].splits.assign(op.loops.size(), 1);
        program.divisions[i].committed = program.divisions[i].splits;
        Result<IterationSpace> space = iterationSpace(program, op);
        if (!space) {
            giveUp(program, i, space.error(), context);
            continue;
        }
        if (!isDivided(op)) continue;
        Result<MustSplit> forced = forcedSplits(space.value(), {hints.coresFor(id, rule.cores), rule.limit});
        if (!forced) {
            giveUp(program, i, forced.error(), context);
            continue;
        }
        for (const Notice& n : forced.value().notices)
            report(context, n, id, op.name);
        committed += commit(program, i, forced.value(), space.value(), context) ? 1 : 0;
    }
    return PassOutcome{committed > 0, {{"ops_committed", committed}}};
}

Result<PassOutcome> divideKFast(State& state, PassContext& context) {
    // The later cost model takes the place of this rule (20.3).
    if (context.settings.boolean("spyre.matmul_cost_model")) return PassOutcome{false, {{"multiplies_claimed", 0}}};
    return claimMultiplies(state, context, [](const Multiply& m) { return kFastSplits(m.space, m.cores, m.committed); },
                           {say::kSmallM, context.settings.integer("spyre.cores")});
}

Result<PassOutcome> divideByCostModel(State& state, PassContext& context) {
    return claimMultiplies(state, context, &cheapest, {say::kLeastMultiplyTime});
}

Result<PassOutcome> distributeWork(State& state, PassContext& context) {
    Program& program = state.program;
    const SpanRule rule = spanRule(context);
    const DivisionHints hints(context, state);
    PassOutcome outcome;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        if ((i & 63) == 0 && context.cancelled()) return cancelledError();
        const Op& op = program.ops[i];
        const OpId id = OpId::of(i);
        if (!isDivided(op)) continue;
        Result<IterationSpace> space = iterationSpace(program, op);
        if (!space) return std::move(space).error();
        const int cores = hints.coresFor(id, rule.cores);
        if (const SplitHint* wanted = hints.splitFor(id)) {
            useHint({program.divisions[i], op, id, space.value(), cores}, *wanted, context);
        } else if (!program.divisions[i].isClaimed) {
            if (Result<void> ok = divide({program.divisions[i], op, id, space.value(), cores}, context); !ok)
                return ok.error();
        }
        hints.reportCores(id, coresOf(program.divisions[i].splits), context);
        for (const Notice& n : spanNotices(space.value(), program.divisions[i].splits, rule.limit)) {
            if (rule.limit != context.machine.spanLimitSeed) return makeError(n.code, op.name, n.message, kSpanFix);
            report(context, n, id, op.name);
        }
        outcome.counts["ops_split"] += coresOf(program.divisions[i].splits) > 1 ? 1 : 0;
        outcome.changed = outcome.changed || coresOf(program.divisions[i].splits) > 1;
    }
    return outcome;
}

}  // namespace memplan::spyre
