// SPDX-License-Identifier: Apache-2.0
// What finds each kind of finding of the table in ttnn-optimizer 15.3; findings.h is for callers.
#pragma once

#include "engine/ttnn/advice/situation.h"

namespace memplan::ttnn::finders {

// edges.cpp
void untrackedOperands(const Facts& facts, RawFindings& found);  // TT-050
void reshardsElsewhere(const Facts& facts, RawFindings& found);  // TT-052
// failures.cpp
void deadEdges(const Facts& facts, RawFindings& found);   // TT-051
void cutLayouts(const Facts& facts, RawFindings& found);  // TT-058
// chains.cpp
void operandOrder(const Facts& facts, RawFindings& found);     // TT-055
void kindsOutside(const Facts& facts, RawFindings& found);     // TT-056
void longPropagation(const Facts& facts, RawFindings& found);  // TT-059
void fewCores(const Facts& facts, RawFindings& found);         // TT-060
// residents.cpp
void competingResidents(const Facts& facts, RawFindings& found);  // TT-053
void forksInDram(const Facts& facts, RawFindings& found);         // TT-054
void spillsReadBack(const Facts& facts, RawFindings& found);      // TT-061
void concatMismatches(const Facts& facts, RawFindings& found);    // TT-062
// operations.cpp
void noShardedConfigs(const Facts& facts, RawFindings& found);   // TT-057
void unmodelledBetween(const Facts& facts, RawFindings& found);  // TT-063
void fullDram(const Facts& facts, RawFindings& found);           // TT-064

/// What may bring a failed chain through, the smallest change first.
struct FailureProposals {
    std::vector<Proposal> all;
    int solving = -1;  ///< position of the one with which the solver resolves the chain as it stands; -1: none is known
};
[[nodiscard]] FailureProposals failureProposals(const Facts& facts, const ChainInfo& chain);
// forced_layouts.cpp
/// Layouts forced, or no longer forced, with which the solver resolves a failed chain.
[[nodiscard]] std::optional<Proposal> solvingProposal(const Facts& facts, const ChainInfo& chain);
// operations.cpp
/// Takes a forced layout away: the hint, or its entry of the setting.
[[nodiscard]] Proposal withoutOverride(const Facts& facts, OperationId op);
/// The smallest limit that keeps all sharded layouts of these operations, at most 512; 0 where none is cut.
[[nodiscard]] int limitThatKeepsAll(const Facts& facts, const std::vector<OperationId>& ops);

}  // namespace memplan::ttnn::finders
