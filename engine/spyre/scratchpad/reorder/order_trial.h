// SPDX-License-Identifier: Apache-2.0
// What an order of the operations is worth (spyre-scratchpad 14.2): lifetimes, load and placement of the candidates
// without changing the program. Sizes, eligibility and divisions do not depend on the order and are worked out once.
#pragma once

#include "engine/solve/solver.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/reorder/order_rules.h"

#include <map>
#include <tuple>
#include <vector>

namespace memplan::spyre {

class OrderTrial {
public:
    OrderTrial(const Program& program, const BufferRules& rules, Bytes alignment,
               const ScratchpadHints* hints = nullptr);

    /// What the search minimises, in this order.
    struct Score {
        Bytes traffic = 0;              ///< bytes that the candidates without place move more than the placed ones
        Bytes peak = 0;                 ///< largest sum of live candidate bytes
        std::int64_t distance = 0;      ///< sum of the distances to the program's order
        std::vector<std::size_t> lost;  ///< candidates without place, by number; no part of the comparison
        friend bool operator<(const Score& a, const Score& b) {
            return std::tie(a.traffic, a.peak, a.distance) < std::tie(b.traffic, b.peak, b.distance);
        }
    };
    [[nodiscard]] Result<Score> score(const OpOrder& order, const solve::Solver& solver,
                                      const solve::SolverParams& params, const RunControl& control) const;

    /// Cheap forecast of a score: bytes over capacity summed over the steps, then the sum of all loads.
    struct Load {
        Bytes excess = 0, sum = 0, peak = 0;
        friend bool operator<(const Load& a, const Load& b) {
            return std::tie(a.excess, a.sum) < std::tie(b.excess, b.sum);
        }
    };
    [[nodiscard]] Load load(const OpOrder& order) const;

    [[nodiscard]] std::size_t candidates() const { return candidates_.size(); }
    [[nodiscard]] BufferId buffer(std::size_t candidate) const { return candidates_[candidate].id; }
    [[nodiscard]] const std::vector<std::size_t>& accessesOf(std::size_t candidate) const {
        return candidates_[candidate].accesses;
    }
    /// Candidates that the op accesses.
    [[nodiscard]] const std::vector<std::size_t>& accessedBy(std::size_t op) const { return accessedBy_[op]; }
    [[nodiscard]] Bytes sizeOf(std::size_t candidate) const { return candidates_[candidate].size; }
    /// Accesses of all candidates: what one load costs.
    [[nodiscard]] std::size_t accesses() const { return accesses_; }
    /// Lifetimes of the candidates under an order.
    [[nodiscard]] std::vector<StepRange> lives(const OpOrder& order) const;

private:
    struct Candidate {
        BufferId id;
        std::string name;
        Bytes size = 0;    ///< on a core
        Bytes weight = 0;  ///< main-memory bytes that its residency saves
        std::optional<Bytes> spillTraffic;
        std::vector<std::size_t> accesses;  ///< ops, each once
        std::vector<int> loops;             ///< loops it has to outlive, numbers of loopOf_
        struct Parent {
            std::size_t candidate = 0;
            std::size_t op = 0;  ///< the op that would hand over
        };
        std::vector<Parent> parents;  ///< that may hand over if they die there, in read order
    };

    void collectParents(const BufferRules& rules, const std::vector<ScratchpadState::Entry>& entries,
                        const ScratchpadHints* hints);
    void collectLoops();
    [[nodiscard]] std::vector<std::size_t> positions(const OpOrder& order) const;
    [[nodiscard]] std::vector<StepRange> livesAt(const std::vector<std::size_t>& at) const;
    /// The parent is alive at the op of the child's birth for the last time.
    [[nodiscard]] bool handsOver(const Candidate::Parent& parent, const StepRange& child,
                                 const std::vector<std::size_t>& at, const std::vector<StepRange>& lives) const;

    const Program& program_;
    Bytes capacity_;
    Bytes alignment_;
    std::vector<Candidate> candidates_;
    std::vector<int> candidateOf_;  ///< per buffer, -1 = none
    std::vector<std::vector<std::size_t>> accessedBy_;
    std::vector<std::vector<int>> loopsOf_;  ///< per op the loops around it, by number
    std::size_t loopCount_ = 0;
    std::size_t accesses_ = 0;
};

/// Sum of the distances of all ops to their place in the program.
[[nodiscard]] std::int64_t distanceOf(const OpOrder& order);

}  // namespace memplan::spyre
