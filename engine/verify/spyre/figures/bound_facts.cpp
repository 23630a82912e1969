// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/figures/bound_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/stopped.h"
#include "engine/verify/spyre/figures/verify_search.h"
#include "engine/verify/spyre/memory/in_place.h"
#include "engine/verify/spyre/specs/whole_parts.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace memplan::verify {
namespace {

using text::grouped;

/// A buffer that may be placed.
struct Candidate {
    BufferId id;
    StepRange life;
    Bytes size = 0;
    Bytes padded = 0;          ///< with the padding behind it
    bool mayTakeSlot = false;  ///< in its first step it may need no room of its own
};

/// L(t) at a step where it changes, and the least bytes that cannot stay there.
struct Tick {
    Step at = 0;
    Bytes load = 0;
    Bytes loss = 0;
    Step reach = 0;  ///< latest end of everything that has begun
};

class BoundFacts {
public:
    BoundFacts(const PlanReading& reading, Report& report) : reading_(reading), plan_(reading.plan), report_(report) {}

    void run() {
        collect();
        sweep();
        checkSpace();
        checkSpill();
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    std::vector<Candidate> candidates_;
    std::vector<std::size_t> position_;  ///< per buffer its candidate, SIZE_MAX = none
    std::vector<Tick> ticks_;

    void wrong(const char* where, std::string message) { report_.add("VER-013", where, std::move(message)); }

    /// Placed, or in main memory for no other reason than the packing.
    [[nodiscard]] bool isCandidate(BufferId id) const {
        const PlanBuffer& b = plan_.buffer(id);
        if (reading_.uses(id).empty()) return false;
        if (reading_.isOn(id)) return true;
        if (!b.reason) return false;
        // What a boundary between kernels would wipe was taken out of the packing (spyre-scratchpad 14.6).
        if (b.reason->gapStep < 0 && plan_.settings.boolean("spyre.safe_boundaries")) return false;
        return b.reason->code == ReasonCode::NoRoom || b.reason->code == ReasonCode::SolverStopped ||
               b.reason->code == ReasonCode::PartnerUnplaced;
    }

    void collect() {
        const Bytes alignment = std::max<Bytes>(plan_.memory.alignment, 1);
        position_.assign(plan_.buffers.size(), SIZE_MAX);
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const BufferId id = BufferId::of(i);
            if (!isCandidate(id)) continue;
            const Bytes size = plan_.buffers[i].sizePerCore;
            candidates_.push_back(
                {id, reading_.life(id), size, saturatedMul(wholeParts(size, alignment), alignment), mayTakeASlot(id)});
        }
    }

    /// Its op may work in place and reads another candidate that dies there (spyre-scratchpad 3.5).
    [[nodiscard]] bool mayTakeASlot(BufferId child) const {
        const OpId writer = reading_.writer(child);
        if (!writer.isValid() || reading_.life(child).begin != writer.index) return false;
        const PlanOp& op = plan_.op(writer);
        if (!worksInPlace(op)) return false;
        return std::any_of(op.inputs.begin(), op.inputs.end(), [&](BufferId parent) {
            return parent != child && isCandidate(parent) &&
                   reading_.life(parent).end == reading_.life(child).begin + 1 &&
                   plan_.buffer(parent).sizePerCore == plan_.buffer(child).sizePerCore &&
                   fitsInPlace(plan_, writer, parent, child);
        });
    }

    [[nodiscard]] bool worksInPlace(const PlanOp& op) const {
        if (op.kind == "relayout" || op.kind == "extern") return false;
        const std::string& allowed = plan_.settings.text("spyre.lx_in_place_ops");
        if (allowed == "pointwise")
            return op.kind != "reduction" && op.kind != "matmul" && op.kind != "constant" && op.kind != "mutation";
        for (std::string& name : text::split(allowed, ',')) {
            name.erase(0, name.find_first_not_of(' '));
            name.erase(name.find_last_not_of(' ') + 1);
            if (!name.empty() && name == op.type) return true;
        }
        return false;
    }

    // ---- L(t) ----------------------------------------------------------------------------------------

    struct Change {
        Step at = 0;
        std::size_t candidate = 0;
        bool isLive = false;
    };

    void sweep() {
        std::vector<Change> changes;
        for (std::size_t c = 0; c < candidates_.size(); ++c) {
            const Candidate& b = candidates_[c];
            const Step begin = b.life.begin + (b.mayTakeSlot ? 1 : 0);
            if (b.mayTakeSlot) changes.push_back({b.life.begin, c, false});
            if (begin < b.life.end) changes.push_back({begin, c, true});
            changes.push_back({b.life.end, c, false});
        }
        std::stable_sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.at < b.at; });
        std::set<std::size_t> live;
        std::multiset<Bytes> padding;
        Bytes padded = 0;
        Step reach = 0;
        for (std::size_t i = 0; i < changes.size();) {
            const Step at = changes[i].at;
            for (; i < changes.size() && changes[i].at == at; ++i) {
                const Candidate& b = candidates_[changes[i].candidate];
                reach = std::max(reach, b.life.end);
                if (changes[i].isLive && live.insert(changes[i].candidate).second) {
                    padded = saturatedAdd(padded, b.padded);
                    padding.insert(b.padded - b.size);
                } else if (!changes[i].isLive && live.erase(changes[i].candidate) > 0) {
                    padded -= b.padded;
                    padding.erase(padding.find(b.padded - b.size));
                }
            }
            Bytes saving = padding.empty() ? 0 : *padding.rbegin();
            // The padding of a buffer whose room another one may hand to it counts too.
            saving = std::max(saving, savingOfSlotTakers(at));
            const Bytes load = padded - saving;
            ticks_.push_back({at, load, load > plan_.memory.capacity ? leastLoss(live, load) : 0, reach});
        }
    }

    [[nodiscard]] Bytes savingOfSlotTakers(Step at) const {
        Bytes saving = 0;
        for (const std::size_t c : slotTakersAt(at))
            saving = std::max(saving, candidates_[c].padded - candidates_[c].size);
        return saving;
    }

    [[nodiscard]] std::vector<std::size_t> slotTakersAt(Step at) const {
        std::vector<std::size_t> out;
        if (at < 0 || static_cast<std::size_t>(at) >= plan_.ops.size()) return out;
        for (const BufferId id : plan_.ops[static_cast<std::size_t>(at)].outputs) {
            const std::size_t c = position_[id.at()];
            if (c < candidates_.size() && candidates_[c].mayTakeSlot && candidates_[c].life.begin == at)
                out.push_back(c);
        }
        return out;
    }

    /// Least bytes whose removal brings L(t) down to the capacity when the last buffer may be given up in part.
    [[nodiscard]] Bytes leastLoss(const std::set<std::size_t>& live, Bytes load) const {
        const Bytes alignment = std::max<Bytes>(plan_.memory.alignment, 1);
        Bytes needed = saturatedMul(wholeParts(load - plan_.memory.capacity, alignment), alignment);
        std::vector<std::pair<double, const Candidate*>> byPrice;
        for (const std::size_t c : live) {
            const Candidate& b = candidates_[c];
            if (b.padded > 0) byPrice.emplace_back(static_cast<double>(b.size) / static_cast<double>(b.padded), &b);
        }
        std::sort(byPrice.begin(), byPrice.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        Bytes loss = 0;
        for (const auto& [price, b] : byPrice) {
            if (needed <= 0) break;
            if (b->padded > needed) return loss + static_cast<Bytes>(std::floor(price * static_cast<double>(needed)));
            loss += b->size;
            needed -= b->padded;
        }
        return loss;
    }

    void checkSpace() {
        Bytes peak = 0;
        for (const Tick& t : ticks_)
            peak = std::max(peak, t.load);
        // A hint may keep a buffer from the slot of another one, which only raises the bound.
        const bool isHinted = std::any_of(plan_.hints.begin(), plan_.hints.end(),
                                          [](const Hint& h) { return h.enabled && h.key == "in_place"; });
        if (isHinted && plan_.metrics.peakLowerBound >= peak) return;
        report_.expect("metrics peak_lower_bound", plan_.metrics.peakLowerBound, peak);
        const std::vector<Bytes>& stated = plan_.memory.boundPerStep;
        if (stated.empty()) return;
        report_.expect("memory x_bound_per_step, its steps", static_cast<std::int64_t>(stated.size()),
                       static_cast<std::int64_t>(plan_.ops.size()));
        std::size_t next = 0;
        Bytes load = 0;
        for (std::size_t s = 0; s < stated.size(); ++s) {
            while (next < ticks_.size() && ticks_[next].at <= static_cast<Step>(s))
                load = ticks_[next++].load;
            if (stated[s] == load) continue;
            return report_.expect("memory x_bound_per_step at step " + std::to_string(s), stated[s], load);
        }
    }

    // ---- spill ---------------------------------------------------------------------------------------

    /// Ticks that share no buffer add up.
    [[nodiscard]] Bytes leastSpill() const {
        std::vector<Bytes> best(ticks_.size() + 1, 0);
        for (std::size_t i = ticks_.size(); i-- > 0;) {
            const Step after = std::max(ticks_[i].reach, ticks_[i].at + 1);
            const auto next =
                std::partition_point(ticks_.begin(), ticks_.end(), [&](const Tick& t) { return t.at < after; });
            best[i] = std::max(best[i + 1],
                               saturatedAdd(ticks_[i].loss, best[static_cast<std::size_t>(next - ticks_.begin())]));
        }
        return best.front();
    }

    /// Clones that were candidates and found no place are no part of the plan any more; the bounds still count them.
    [[nodiscard]] bool hasDroppedClones() const {
        return std::any_of(plan_.passes.begin(), plan_.passes.end(), [](const PassRun& r) {
            const auto it = r.counts.find("clones_removed");
            return it != r.counts.end() && it->second > 0;
        });
    }

    void checkSpill() {
        const PlanMetrics& m = plan_.metrics;
        Bytes total = 0;
        Bytes pinned = 0;
        for (const Candidate& b : candidates_) {
            total = saturatedAdd(total, b.size);
            pinned = saturatedAdd(pinned, reading_.isOn(b.id) ? b.size : 0);
        }
        const Bytes least = leastSpill();
        if (m.spillLowerBound < least)
            wrong("metrics spill_lower_bound", "says that " + grouped(m.spillLowerBound) +
                                                   " B stay off chip at least, the candidates give " + grouped(least) +
                                                   " B");
        if (m.provedOptimal != (m.pinnedBytes == m.upperBoundBytes))
            wrong("metrics proved_optimal", std::string("is ") + (m.provedOptimal ? "true" : "false") + ", " +
                                                grouped(m.pinnedBytes) + " B are pinned and the bound is " +
                                                grouped(m.upperBoundBytes) + " B");
        if (hasDroppedClones()) return;
        if (m.spillLowerBound > total - pinned)
            wrong("metrics spill_lower_bound", "says that " + grouped(m.spillLowerBound) +
                                                   " B stay off chip at least, the plan leaves " +
                                                   grouped(total - pinned) + " B there");
        const Bytes most = total - m.spillLowerBound;
        const bool mayKnowMore = plan_.solver == "exact";
        if (m.upperBoundBytes > most || (!mayKnowMore && m.upperBoundBytes != most))
            wrong("metrics upper_bound_bytes", "says that no plan pins more than " + grouped(m.upperBoundBytes) +
                                                   " B, the candidates and what stays off chip give " + grouped(most) +
                                                   " B");
    }
};

}  // namespace

void checkBounds(const PlanReading& reading, Report& report) {
    const Plan& plan = reading.plan;
    if (!isPlannedHere(plan) || statesNoMetrics(plan) || !isPlacementDecided(plan)) return;
    const bool isDetailed =
        std::any_of(plan.ops.begin(), plan.ops.end(), [](const PlanOp& op) { return !op.accesses.empty(); });
    if (isDetailed) BoundFacts(reading, report).run();
}

}  // namespace memplan::verify
