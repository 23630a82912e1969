// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/compile/figures.h"

#include <algorithm>
#include <array>

namespace memplan::ttnn {

std::span<const FigureInfo> figures() {
    using enum FigureUnit;
    using enum FigureGoal;
    static constexpr std::array<FigureInfo, 13> kFigures{{
        {"l1_residency_share", "Results in L1 when last read", Share, High},
        {"dram_bytes", "DRAM bytes read and written", ByteCount, Low},
        {"sharded_share", "Operations with a sharded L1 result", Share, High},
        {"sharded_ops", "Sharded operations", Count, High},
        {"reshards", "Reshards", Count, Low},
        {"forced_reshards", "Forced reshards", Count, Low},
        {"override_reshards", "Reshards by override", Count, Low},
        {"proactive_reshards", "Proactive reshards", Count, Low},
        {"reshard_bytes", "Bytes that reshards move", ByteCount, Low},
        {"spills", "Spills to DRAM", Count, Low},
        {"mean_cores", "Mean cores of an operation", Count, High},
        {"validated_ops", "Validated operations", Count, High},
        {"unmodelled_ops", "Operations without a model", Count, Low},
    }};
    return kFigures;
}

std::vector<std::pair<std::string, double>> ownFigures(const TtnnGoals& g) {
    const auto whole = [](std::int64_t n) { return static_cast<double>(n); };
    std::vector<std::pair<std::string, double>> own{{"l1_residency_share", g.l1ResidencyShare()},
                                                    {"dram_bytes", whole(g.dramBytes)},
                                                    {"sharded_share", g.shardedShare()},
                                                    {"sharded_ops", whole(g.shardedOps)},
                                                    {"reshards", whole(g.reshards())},
                                                    {"forced_reshards", whole(g.forcedReshards)},
                                                    {"override_reshards", whole(g.overrideReshards)},
                                                    {"proactive_reshards", whole(g.proactiveReshards)},
                                                    {"reshard_bytes", whole(g.reshardBytes)},
                                                    {"spills", whole(g.spills)},
                                                    {"mean_cores", g.meanCores},
                                                    {"validated_ops", whole(g.validatedOps)},
                                                    {"unmodelled_ops", whole(g.unmodelledOps)}};
    std::ranges::sort(own);
    return own;
}

}  // namespace memplan::ttnn
