// SPDX-License-Identifier: Apache-2.0
// The hints of scratchpad planning by buffer (hints.md 4.1, spyre-scratchpad 4.1): pin, keep_off_chip, address,
// address_limit, in_place, clone_input, lx_eligible.
#pragma once

#include "engine/hints/outcome.h"
#include "engine/spyre/pass.h"
#include "engine/spyre/state.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace memplan::spyre {

/// A hint on one subject that stands for one buffer.
struct BufferHint {
    const Hint* hint = nullptr;
    std::string subject;
    explicit operator bool() const { return hint != nullptr; }
};

/// What is asked for one buffer. A graph input's wishes hold for its clone, the only form in which it can be on chip.
struct BufferWishes {
    BufferHint pin, keepOffChip, address, addressLimit, inPlace, cloneInput, lxEligible;
    Address addressValue = 0, limitValue = 0;
    bool forceInPlace = false, clone = false, eligible = false;  ///< values of the three hints that have one

    /// Ineligible by keep_off_chip or lx_eligible = false; the hint that does it.
    [[nodiscard]] const BufferHint* barrier() const;
    [[nodiscard]] bool wantsChip() const { return pin || address; }
    /// The rule on operation kinds does not act (hints.md 4.1: pin, address, lx_eligible = true).
    [[nodiscard]] bool anyOpKind() const { return wantsChip() || (lxEligible && eligible); }
};

class ScratchpadHints {
public:
    ScratchpadHints() = default;
    ScratchpadHints(const PassContext& context, const State& state);

    [[nodiscard]] bool empty() const { return wishes_.empty(); }
    /// nullptr without hints. A clone of an input shows the wishes of the input.
    [[nodiscard]] const BufferWishes* find(const Program& program, BufferId id) const;
    /// Buffers with an address hint in the order of the list.
    [[nodiscard]] const std::vector<BufferId>& addressOrder() const { return addressOrder_; }

    /// True: clone the input whatever the budget; false: never; nullopt: as the rule says.
    [[nodiscard]] std::optional<bool> cloneWish(BufferId input) const;

    /// Outcomes of the finished placement.
    void report(const State& state, PassContext& context) const;

private:
    std::map<BufferId, BufferWishes> wishes_;  ///< by the buffer that the subject names
    std::vector<BufferId> addressOrder_;
};

}  // namespace memplan::spyre
