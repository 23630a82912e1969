// SPDX-License-Identifier: Apache-2.0
// The hint `manual_groups` as groups of a program, and what became of the hints that ask for loops
// (hints.md 3, 4.1).
#pragma once

#include "engine/spyre/hint_values.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// One group of the hint; without a refusal it can become a loop.
struct GivenGroup {
    TileGroup group;
    std::optional<GroupRefusal> refusal;
};

/// What CTB 3 and 4.5 call an error of a group (a hole, a count that does not divide, a multiply, a reduced dimension),
/// and operations that cannot share a loop; nullopt when the group can become one. `number` is the group's, for words.
[[nodiscard]] std::optional<GroupRefusal> whyRefused(const Program& program, const TileGroup& group,
                                                     std::size_t number);

/// Groups of State::searchedLoops, else of the last enabled manual_groups hint; nullopt when there is none. An
/// operation that is not there, and what `whyRefused` finds, is the refusal of that group: a hint never ends the
/// compile. HNT-002 for a value of another form. A hint that a later one replaces is reported.
[[nodiscard]] Result<std::optional<std::vector<GivenGroup>>> manualGroups(const State& state, PassContext& context);

/// Outcomes of the hints `slices` and `manual_groups`.
class LoopOutcomes {
public:
    LoopOutcomes(const State& state, PassContext& context) : state_(state), context_(context) {}

    void refused(const TileGroup& group, const GroupRefusal& refusal);
    void refused(std::size_t manualGroup, GroupRefusal refusal);
    /// After the groups are final.
    void write(bool replacedByManualGroups);

private:
    const State& state_;
    PassContext& context_;
    std::map<int, GroupRefusal> refusals_;                ///< of slices, by hint id
    std::map<std::size_t, GroupRefusal> manualRefusals_;  ///< of manual groups, by position in the hint

    void reportManual();
    [[nodiscard]] std::string namesOfResult(const Op& op) const;
    void reportOp(const ProgramHints::Entry& entry, const std::string& subject, OpId op);
    [[nodiscard]] bool isInLoop(int hintId, OpId op) const;
};

}  // namespace memplan::spyre
