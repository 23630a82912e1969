// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/sharding/merge_checks.h"
#include "engine/ttnn/sharding/steps.h"

#include <algorithm>
#include <utility>

namespace memplan::ttnn {
namespace {

class Merger {
public:
    Merger(ShardingState& state, int target) : state_(state), checks_(state), target_(target) {}

    void run() {
        findCandidates();
        if (const auto pair = threeWayPair(); pair && tryThreeWay(pair->first, pair->second)) return;
        trySimple();
    }

private:
    void findCandidates() {
        const std::vector<OperationId>& ops = state_.chain(target_).ops();
        for (std::size_t index = 0; index < ops.size(); ++index) {
            for (const TensorOperand& operand : state_.flow.operands(ops[index])) {
                if (index > 0 && operand.position == 0) continue;
                const int source = state_.completedChainEndingIn(operand.producer);
                if (source < 0 || source == target_ || isDecided(source)) continue;
                candidates_.push_back({source, target_, index, ops[index], operand.position});
            }
        }
    }

    /// Its output stays in L1 already.
    [[nodiscard]] bool isDecided(int source) const {
        return state_.residency.layoutOf(state_.chain(source).last()) != nullptr;
    }

    [[nodiscard]] MergeInfo infoOf(MergeKind kind, std::span<const MergeCandidate> sources) const {
        MergeInfo merge;
        merge.kind = kind;
        merge.target = target_;
        merge.joinOp = sources.front().join;
        merge.operand = sources.front().operand;
        for (const MergeCandidate& source : sources) {
            merge.sources.push_back(source.source);
            merge.bytes += checks_.resident(source.source).bytes();
        }
        return merge;
    }

    /// Both operands of the first operation come from other chains.
    [[nodiscard]] std::optional<std::pair<MergeCandidate, MergeCandidate>> threeWayPair() const {
        const OperationId first = state_.chain(target_).first();
        if (state_.flow.operands(first).size() != 2) return std::nullopt;
        const auto at = [&](int operand) {
            return std::ranges::find_if(candidates_,
                                        [&](const MergeCandidate& c) { return c.index == 0 && c.operand == operand; });
        };
        const auto lhs = at(0), rhs = at(1);
        if (lhs == candidates_.end() || rhs == candidates_.end()) return std::nullopt;
        return std::pair(*lhs, *rhs);
    }

    bool tryThreeWay(const MergeCandidate& lhs, const MergeCandidate& rhs) {
        const std::vector<MergeCandidate> both{lhs, rhs};
        MergeInfo merge = infoOf(MergeKind::ThreeWay, both);
        if (const auto refused = threeWayRefusal(both)) reject(merge, refused->first, refused->second);
        const bool isAccepted = merge.isAccepted = merge.rejectedBy.empty();
        if (isAccepted) dropReshards(both);
        finishMerge(state_, std::move(merge));
        return isAccepted;
    }

    using Rejection = std::optional<std::pair<const char*, Refusal>>;  ///< step and why

    Rejection hinted(const MergeCandidate& candidate) const {
        if (!checks_.isForbidden(candidate)) return std::nullopt;
        return std::pair("hint", Refusal{candidate.join, "a hint forbids it", 0, 0});
    }

    Rejection threeWayRefusal(const std::vector<MergeCandidate>& both) {
        for (const MergeCandidate& one : both) {
            if (Rejection hint = hinted(one)) return hint;
            if (const Outcome refused = checks_.mayMerge(one)) return std::pair("fork", *refused);
        }
        int first = both[0].source, second = both[1].source;
        if (state_.positionOf(state_.chain(first).last()) > state_.positionOf(state_.chain(second).last()))
            std::swap(first, second);
        const Chain& later = state_.chain(second);
        const std::vector<Resident> held{checks_.resident(first), checks_.resident(second)};
        const std::span<const Resident> early(held.data(), 1);
        if (const Outcome refused = checks_.between(held[0].source, later.first(), early))
            return std::pair("range", *refused);
        if (const Outcome refused = checks_.chain(second, {0, later.ops().size()}, early))
            return std::pair("chain", *refused);
        if (const Outcome refused = checks_.between(held[1].source, both[0].join, held))
            return std::pair("range", *refused);
        if (const Outcome refused = checks_.join(both, {})) return std::pair("join", *refused);
        if (const Outcome refused = checks_.fragmentation(both[0], held)) return std::pair("fragmentation", *refused);
        return std::nullopt;
    }

    /// Operand 0 is left to chain building, unless the operation has no other, a concatenation produces it, or another
    /// operand stays in L1 by hint, which otherwise would have made it a three-way merge.
    [[nodiscard]] bool isSimpleCandidate(const MergeCandidate& candidate) const {
        return candidate.operand != 0 || state_.input.options.mergeAnyOperand ||
               state_.flow.operands(candidate.join).size() == 1 || state_.chain(candidate.source).info().isConcat ||
               hasWishedPartner(candidate);
    }

    [[nodiscard]] bool hasWishedPartner(const MergeCandidate& candidate) const {
        return std::ranges::any_of(state_.flow.operands(candidate.join), [&](const TensorOperand& operand) {
            return operand.position != candidate.operand && state_.residency.layoutOf(operand.producer) != nullptr &&
                   state_.spillWish(operand.producer) == SpillWish::None;
        });
    }

    Rejection simpleRefusal(const MergeCandidate& candidate) {
        if (Rejection hint = hinted(candidate)) return hint;
        if (const Outcome refused = checks_.mayMerge(candidate)) return std::pair("fork", *refused);
        const std::vector<Resident> held{checks_.resident(candidate.source)};
        if (const Outcome refused = checks_.chain(target_, {0, candidate.index}, held))
            return std::pair("chain", *refused);
        if (const Outcome refused = checks_.join({&candidate, 1}, held)) return std::pair("join", *refused);
        if (const Outcome refused = checks_.fragmentation(candidate, held)) return std::pair("fragmentation", *refused);
        if (const Outcome refused = checks_.between(held[0].source, candidate.join, held))
            return std::pair("range", *refused);
        return std::nullopt;
    }

    void trySimple() {
        std::vector<MergeCandidate> tried;
        std::vector<MergeInfo> merges;
        std::size_t best = 0;
        Bytes most = 0;  // a merge of no bytes never wins
        for (const MergeCandidate& candidate : candidates_) {
            if (!isSimpleCandidate(candidate)) continue;
            MergeInfo merge = infoOf(MergeKind::Simple, {&candidate, 1});
            if (const auto refused = simpleRefusal(candidate)) reject(merge, refused->first, refused->second);
            if (merge.rejectedBy.empty() && merge.bytes > most) {
                best = merges.size();
                most = merge.bytes;
            }
            tried.push_back(candidate);
            merges.push_back(std::move(merge));
        }
        for (std::size_t i = 0; i < merges.size(); ++i) {
            if (!merges[i].rejectedBy.empty()) continue;
            if (i == best && most > 0) {
                merges[i].isAccepted = true;
                dropReshards({&tried[i], 1});
            } else {
                merges[i].rejectedBy = "larger_candidate";
            }
        }
        for (MergeInfo& merge : merges)
            finishMerge(state_, std::move(merge));
    }

    /// The join has been validated with the output itself: a conversion on that operand is needed no longer.
    void dropReshards(std::span<const MergeCandidate> sources) {
        for (const MergeCandidate& source : sources) {
            std::erase_if(state_.reshards[static_cast<std::size_t>(target_)], [&](const Reshard& reshard) {
                return reshard.consumer == source.join && reshard.operand == source.operand;
            });
            for (EdgeInfo& edge : state_.record.edges) {
                if (edge.consumer != source.join || edge.operand != source.operand) continue;
                edge.isResharded = false;
                edge.reshard.reset();
            }
        }
    }

    ShardingState& state_;
    MergeChecks checks_;
    int target_;
    std::vector<MergeCandidate> candidates_;
};

}  // namespace

void reject(MergeInfo& merge, std::string_view step, const Refusal& refusal) {
    merge.rejectedBy = step;
    merge.rejectedAt = refusal.at;
    merge.needed = refusal.needed;
    merge.available = refusal.available;
    merge.message = refusal.message;
}

void finishMerge(ShardingState& state, MergeInfo merge) {
    TraceEvent& tried = state.trace(TraceKind::MergeTried, merge.target, merge.joinOp);
    tried.operand = merge.operand;
    tried.after = merge.bytes;
    tried.text = merge.rejectedBy;
    if (merge.isAccepted) {
        state.trace(TraceKind::MergeApplied, merge.target, merge.joinOp).operand = merge.operand;
        for (const int source : merge.sources) {
            Chain& chain = state.chain(source);
            chain.setSpill(SpillLocation::None);
            state.reserve({chain.last(), *chain.output()}, state.positionOf(merge.joinOp),
                          merge.kind == MergeKind::Concat ? "concat" : "merge");
        }
    }
    state.record.merges.push_back(std::move(merge));
}

void mergeChainOutputs(ShardingState& state) {
    for (std::size_t i = 0; i < state.chains.size() && !state.input.control.cancelled(); ++i)
        if (state.chains[i].isCompleted() && !state.chains[i].ops().empty()) Merger(state, static_cast<int>(i)).run();
}

}  // namespace memplan::ttnn
