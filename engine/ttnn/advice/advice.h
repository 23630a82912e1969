// SPDX-License-Identifier: Apache-2.0
// What stands in the way of a better plan, as codes, facts and changes worth a compile (ttnn-optimizer 15.3). Values
// for the plan, the command line and the window; a change is proved by a compile (trials.h) before it is offered.
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/target/change.h"

#include <cstdint>
#include <string>
#include <vector>

namespace memplan::ttnn {

/// Something to try.
struct Proposal {
    advice::Change change;
    /// Ids of the operations of the graph whose first two operands are exchanged in a copy of the source: no hint says
    /// that, the graph is the user's. Else empty.
    std::vector<std::string> exchange;
    friend bool operator==(const Proposal&, const Proposal&) = default;
};

struct Finding {
    Severity severity = Severity::Note;
    std::string code;                 ///< "TT-051"
    std::string word;                 ///< "one_dead_edge"
    std::string message;              ///< what and why, with numbers
    std::string fix;                  ///< in words; may be empty
    std::vector<OpId> ops;            ///< of the plan, the first is where it is; of alike findings all
    std::vector<Proposal> proposals;  ///< best guess first; empty: nothing can be tried
    Bytes bytes = 0;                  ///< of whole tensors, that would move less if it were lifted; 0: not known
    int times = 1;                    ///< alike findings in this row: same kinds, same shapes
    int chain = -1;                   ///< position in ChainRecord::chains; -1: none in particular
};

/// Changes that may bring a failed chain through; the same kind of proposals, for every failed chain.
struct ChainProposals {
    int chain = -1;
    std::vector<Proposal> proposals;
    int solving = -1;              ///< position of the one with which the solver alone resolves it; -1: none is known
    std::vector<std::string> ops;  ///< names of its operations in the plan, in order
};

struct Advice {
    std::vector<Finding> findings;       ///< by bytes, then code, then position
    std::vector<ChainProposals> chains;  ///< of failed chains, by position
};

/// The finding as it stands among the diagnostics of a plan.
[[nodiscard]] Diagnostic diagnosticOf(const Finding& finding, const std::string& where);

}  // namespace memplan::ttnn
