// SPDX-License-Identifier: Apache-2.0
// Scores other divisions of a program without changing it: buffer analysis and placement on trial splits
// (spyre-scratchpad 11.3). What does not depend on splits is worked out once.
#pragma once

#include "engine/solve/solver.h"
#include "engine/spyre/joint/joint_problem.h"
#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/hints.h"
#include "engine/spyre/scratchpad/placement/candidate_problem.h"
#include "engine/spyre/scratchpad/rings/ring_offers.h"

#include <vector>

namespace memplan::spyre {

/// Divisions that one op may take, the committed one first.
using DivisionOptions = std::vector<std::vector<Splits>>;  ///< parallel to Program::ops

struct TrialScore {
    std::int64_t brokenWishes = 0;  ///< pins and fixed addresses that found no place
    Bytes unpinned = 0;             ///< total bytes of the computed buffers that are not pinned, each once
    Bytes traffic = 0;              ///< main-memory bytes of the plan (spyre-scratchpad 12)
    std::vector<std::optional<Address>> addresses;  ///< parallel to Program::buffers
    double ringNanoseconds = 0;                     ///< price of the shuffles that it counts on (17.4)
    std::vector<BufferId> shuffled;                 ///< their sources, which are on chip
};

class DivisionTrial {
public:
    /// `program` and `hints` have to outlive it; `hints` may be null.
    DivisionTrial(const Program& program, const BufferRules& rules, const SpyreMachine& machine,
                  DivisionOptions options, const ScratchpadHints* hints = nullptr);

    /// From now on a buffer that its users divide differently may stay on chip, where the ring can shuffle it (17.5).
    void offerRings(const cost::Constants& constants) { rings_.emplace(program_, rules_, constants); }
    /// The ring may serve the users of this buffer under some divisions.
    [[nodiscard]] bool mayBeShuffled(BufferId buffer) const { return rings_ && rings_->canBeSource(buffer); }

    [[nodiscard]] const DivisionOptions& options() const { return options_; }
    [[nodiscard]] bool isAccessed(std::size_t buffer) const { return !accesses_[buffer].empty(); }
    /// `chosen` holds the option of every op.
    [[nodiscard]] Result<TrialScore> score(const std::vector<int>& chosen, const solve::Solver& solver,
                                           const solve::SolverParams& params, const RunControl& control) const;

    /// Sets `op` to `option` and spreads it: each op that shares a buffer takes its first option that sees the buffer
    /// alike, until none does. Ops that are reached first keep what they got.
    [[nodiscard]] std::vector<int> spread(std::vector<int> chosen, OpId op, int option) const;

    /// A buffer that may live on chip, with who accesses it and what its absence costs.
    struct Shared {
        BufferId buffer;
        Bytes spillTraffic = 0;  ///< main-memory bytes that its residency saves
        std::vector<OpId> ops;   ///< each once, in op order
        bool isWanted = false;   ///< a hint pins it
    };
    [[nodiscard]] std::vector<Shared> sharedBuffers() const;
    /// What `op` under `option` makes of a shared buffer: equal numbers of all its ops let it stay on chip, -1 never
    /// does.
    [[nodiscard]] int agreement(BufferId buffer, OpId op, int option) const;
    [[nodiscard]] const Program& program() const { return program_; }
    /// Main-memory bytes were every candidate on chip that all cores together can hold: no divisions and no placement
    /// move fewer.
    [[nodiscard]] Bytes leastTraffic() const;

    /// One joint buffer per op, in op order: the buffer it writes with its options, and tables of the options under
    /// which producer and consumer see it alike (spyre-cost-and-co-optimisation 12).
    [[nodiscard]] joint::JointProblem jointProblem() const;

private:
    [[nodiscard]] std::vector<joint::DivisionPair> matchTable(BufferId buffer, OpId producer, OpId consumer) const;

    /// What one access of an op sees under one option.
    struct View {
        int id = -1;  ///< equal ids see equal slices on equal cores; -1 = cannot be represented
        bool partialSums = false;
        int splitDims = 0;  ///< device dimensions that are cut
    };
    struct AccessOf {
        OpId op;
        std::size_t access = 0;  ///< position in the op's list of views
        bool isWrite = false, isJudged = false;
    };

    [[nodiscard]] const View& view(const AccessOf& t, const std::vector<int>& chosen) const {
        return views_[t.op.at()][static_cast<std::size_t>(chosen[t.op.at()])][t.access];
    }
    [[nodiscard]] std::int64_t cores(OpId op, const std::vector<int>& chosen) const {
        return cores_[op.at()][static_cast<std::size_t>(chosen[op.at()])];
    }
    /// A buffer that its users see differently, with the copies that the ring would make of it.
    struct Shuffle {
        BufferId source;
        std::vector<OfferedCopy> copies;
    };
    [[nodiscard]] std::vector<Shuffle> divide(std::vector<ScratchpadState::Entry>& entries,
                                              const std::vector<int>& chosen) const;
    [[nodiscard]] Result<solve::Addresses> place(CandidateProblem& candidates, const solve::Solver& solver,
                                                 const solve::SolverParams& params, const RunControl& control) const;
    /// What a placement is worth.
    void weigh(const std::vector<ScratchpadState::Entry>& entries, TrialScore& score) const;
    [[nodiscard]] std::optional<std::vector<OfferedCopy>> copiesOf(std::size_t buffer,
                                                                   const std::vector<int>& chosen) const;
    [[nodiscard]] bool mismatches(std::size_t buffer, const std::vector<int>& chosen) const;
    [[nodiscard]] std::int64_t dividingCores(std::size_t buffer, const std::vector<int>& chosen) const;
    [[nodiscard]] bool isPinned(std::size_t buffer) const;
    [[nodiscard]] std::int64_t brokenWishes(const std::vector<ScratchpadState::Entry>& entries) const;
    void collectViews();
    void measureFixedFacts();

    const Program& program_;
    const ScratchpadHints* hints_;
    BufferRules rules_;
    Bytes alignment_;
    DivisionOptions options_;
    std::vector<std::vector<std::vector<View>>> views_;  ///< op, option, access (reads, then the write)
    std::vector<PerCoreView> viewOf_;                    ///< by View::id
    std::optional<RingOffers> rings_;
    std::vector<std::vector<std::int64_t>> cores_;  ///< op, option
    std::vector<std::vector<AccessOf>> accesses_;   ///< per buffer, in op order
    std::vector<ScratchpadState::Entry> fixed_;     ///< candidates as if every split agreed and everything fitted
};

}  // namespace memplan::spyre
