// SPDX-License-Identifier: Apache-2.0
// Divisions of all ops at once, by the relaxation in which every buffer on whose slices its users agree fits
// (spyre-cost-and-co-optimisation 10, 15): what agreement costs in time against what it saves in traffic.
#pragma once

#include "engine/spyre/joint/elimination.h"
#include "engine/spyre/scratchpad/search/division_trial.h"

#include <vector>

namespace memplan::spyre {

/// Estimated nanoseconds of every op under every option, on its own and with its shared buffers on chip.
using OptionTimes = std::vector<std::vector<std::int64_t>>;

struct RelaxedChoice {
    std::vector<int> chosen;   ///< option of every op
    Bytes spilledTraffic = 0;  ///< of the shared buffers on whose slices the ops do not agree
    bool exact = true;         ///< no choice is better under the weights
};

class DivisionRelaxation {
public:
    DivisionRelaxation(const DivisionTrial& trial, const OptionTimes& times);

    /// Least traffic when a nanosecond is worth `bytesPerNanosecond` bytes; 0 = traffic alone, time among equals.
    [[nodiscard]] Result<RelaxedChoice> solve(double bytesPerNanosecond, const RunControl& control) const;
    /// Least traffic when the ring could shuffle, for nothing, whatever it may shuffle at all: no plan moves fewer
    /// bytes, and the choice is worth a trial with the shuffles' prices.
    [[nodiscard]] Result<RelaxedChoice> solveWithFreeRings(const RunControl& control) const;
    /// Traffic of all shared buffers, were none of them on chip.
    [[nodiscard]] Bytes allSpilled() const { return allSpilled_; }

private:
    struct BufferVariable {
        std::size_t shared = 0;   ///< position in `shared_`
        std::vector<int> values;  ///< agreements that every op can come to; the variable's value 0 is none of them
    };
    /// Options of an op that agree alike with all its buffers are one value.
    struct OpVariable {
        OpId op;
        std::vector<std::size_t> buffers;       ///< variables of its buffers
        std::vector<std::vector<int>> agrees;   ///< per value: the value of each buffer's variable, 0 = with none
        std::vector<std::vector<int>> options;  ///< per value, in menu order
    };

    using Fastest = std::vector<std::vector<int>>;  ///< by op and value: its fastest option
    struct Scale {
        double perByte = 1, perNanosecond = 1;
    };

    void addBuffers();
    void addOps();
    [[nodiscard]] Scale scaleOf(const Fastest& fast, double bytesPerNanosecond) const;
    [[nodiscard]] joint::EliminationProblem problem(const Fastest& fast, Scale scale, bool freeRings) const;
    void addPairs(const OpVariable& v, int self, joint::EliminationProblem& problem) const;
    [[nodiscard]] Result<RelaxedChoice> solve(double bytesPerNanosecond, bool freeRings,
                                              const RunControl& control) const;
    [[nodiscard]] bool costsNothing(std::size_t shared, bool freeRings) const {
        return freeRings && !shared_[shared].isWanted && trial_.mayBeShuffled(shared_[shared].buffer);
    }
    [[nodiscard]] int fastest(const OpVariable& v, std::size_t value) const;

    const DivisionTrial& trial_;
    const OptionTimes& times_;
    std::vector<DivisionTrial::Shared> shared_;
    std::vector<BufferVariable> buffers_;
    std::vector<OpVariable> ops_;
    std::vector<std::size_t> neverAgreed_;  ///< positions in `shared_`: no options of its users agree
    Bytes allSpilled_ = 0;
};

}  // namespace memplan::spyre
