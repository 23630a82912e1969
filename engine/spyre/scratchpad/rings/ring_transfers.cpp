// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/rings/ring_transfers.h"

#include "engine/base/text.h"
#include "engine/spyre/cost/model_settings.h"
#include "engine/spyre/joint/relayout.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/scratchpad/placement/trial_plan.h"
#include "engine/spyre/state.h"
#include "engine/spyre/texts/decisions.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

constexpr std::string_view kId = "scratchpad_planning.ring_transfers";

/// Inserts one copy for each view directly before its first user; its users read the copy. Returns the copies.
std::vector<BufferId> insertCopies(Program& program, const RingPlan& plan) {
    std::vector<BufferId> copies;
    std::map<std::size_t, std::vector<std::size_t>> before;  // first user -> transfers
    for (std::size_t k = 0; k < plan.transfers.size(); ++k) {
        NameMaker names(program);
        const Buffer like = program.buffers[plan.source.at()];
        copies.push_back(addBuffer(
            program, like, names.make("__spyre_lx_relayout__:copy:" + like.name + ":g" + std::to_string(k)), kId));
        for (const OpId user : plan.transfers[k].users) {
            for (Access& read : program.ops[user.at()].reads)
                read.buffer = read.buffer == plan.source ? copies.back() : read.buffer;
        }
        before[plan.transfers[k].users.front().at()].push_back(k);
    }
    const std::size_t count = program.ops.size();
    ProgramEdit edit(program);
    std::vector<std::pair<std::string, Splits>> divisions;
    for (std::size_t i = 0; i < count; ++i) {
        for (const std::size_t k : before[i]) {
            Op copy = identityOp(program, plan.source, copies[k], OpId::of(i));
            copy.fn = joint::kRelayoutFn;
            divisions.emplace_back(copy.name, plan.transfers[k].splits);
            edit.add(std::move(copy));
        }
        edit.keep(i);
    }
    edit.finish();
    for (const auto& [name, splits] : divisions) {
        for (std::size_t i = 0; i < program.ops.size(); ++i) {
            if (program.ops[i].name != name) continue;
            program.divisions[i].splits = splits;
            program.divisions[i].committed.assign(splits.size(), 1);
            program.divisions[i].written = coresOf(splits) > 1;
        }
    }
    return copies;
}

bool isResident(const State& trial, BufferId source, const std::vector<BufferId>& copies) {
    const auto placed = [&](BufferId id) { return trial.scratchpad.entries[id.at()].address.has_value(); };
    return placed(source) && std::all_of(copies.begin(), copies.end(), placed);
}

void report(PassContext& context, BufferId buffer, Statement chosen, Statement why) {
    Decision d;
    d.buffer = buffer;
    d.kind = DecisionKind::Ring;
    d.chosen = std::move(chosen);
    d.why = std::move(why);
    context.decide(std::move(d));
}

void report(PassContext& context, const RingPlan& plan, Bytes saved) {
    for (const RingTransfer& t : plan.transfers) {
        report(context, plan.source, {say::kName, t.kind},
               {say::kShuffle, t.fanOut, t.fanIn, t.bytes, t.nanoseconds / 1000, saved});
    }
}

}  // namespace

Result<PassOutcome> transferOverRing(State& state, PassContext& context) {
    const BufferRules rules = BufferRules::from(context.settings, context.machine);
    const cost::Calibration calibration = context.calibration();
    const Bytes start = plannedTraffic(state);
    Bytes traffic = start;
    double price = estimatedMicroseconds(state, calibration);
    std::int64_t made = 0;
    for (std::size_t b = 0; b < state.scratchpad.entries.size(); ++b) {
        if (context.cancelled()) return cancelledError();
        if (context.control.timedOut()) break;
        const auto& reason = state.scratchpad.entries[b].reason;
        if (!reason || reason->code != ReasonCode::CoreDivMismatch) continue;
        const RingPlan plan = planRing(state.program, rules, BufferId::of(b), calibration.model.constants);
        if (plan.transfers.empty()) {
            report(context, BufferId::of(b), {say::kNone}, plan.refusal);
            continue;
        }
        State trial = state;
        const std::vector<BufferId> copies = insertCopies(trial.program, plan);
        if (auto ok = placeAgain(trial, context, context.settings); !ok) return std::move(ok).error();
        const bool resident = isResident(trial, plan.source, copies);
        const Bytes after = plannedTraffic(trial);
        const double priceAfter = estimatedMicroseconds(trial, calibration);
        if (!resident || after >= traffic || priceAfter > price) {
            report(context, BufferId::of(b), {say::kNone}, {resident ? say::kSavesNothing : say::kCopiesDoNotFit});
            continue;
        }
        report(context, plan, traffic - after);
        made += static_cast<std::int64_t>(plan.transfers.size());
        traffic = after;
        price = priceAfter;
        state = std::move(trial);
    }
    PassOutcome outcome{made > 0, {{"transfers", made}}};
    countTraffic(outcome, start, traffic);
    return outcome;
}

}  // namespace memplan::spyre
