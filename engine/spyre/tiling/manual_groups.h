// SPDX-License-Identifier: Apache-2.0
// The hint `manual_groups` as groups of a program, and what became of the hints that ask for loops
// (hints.md 3, 4.1).
#pragma once

#include "pipeline/pass.h"
#include "pipeline/state.h"
#include "spyre/layout/hint_values.h"
#include "spyre/program.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// Groups of the last enabled manual_groups hint; nullopt when there is none. CT-001 for an op that is not
/// there, HNT-002 and HNT-003 for a wrong value. A hint that a later one replaces is told.
[[nodiscard]] Result<std::optional<std::vector<TileGroup>>> manualGroups(const State& state, PassContext& context);

/// Verdicts of the hints `slices` and `manual_groups`.
class LoopVerdicts {
public:
    LoopVerdicts(const State& state, PassContext& context) : state_(state), context_(context) {}

    void refused(const TileGroup& group, const std::string& why);
    /// After the groups are final.
    void write(bool replacedByManualGroups);

private:
    const State& state_;
    PassContext& context_;
    std::map<int, std::string> refusals_;       ///< of slices, by hint id
    std::optional<std::string> manualRefusal_;  ///< of the manual groups

    void tellManual();
    [[nodiscard]] std::string namesOfResult(const Op& op) const;
    void tellOp(const ProgramHints::Entry& entry, const std::string& subject, OpId op);
    [[nodiscard]] bool isInLoop(int hintId, OpId op) const;
};

}  // namespace memplan::spyre
