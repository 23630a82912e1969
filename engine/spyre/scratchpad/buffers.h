// SPDX-License-Identifier: Apache-2.0
// Liveness, per-core sizes, division mismatches, eligibility and in-place parents of every buffer:
// what the address solver is given (spyre-scratchpad 3).
#pragma once

#include "engine/settings/settings.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/spyre/program.h"
#include "engine/spyre/state.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::spyre {

/// One access of an op to a buffer.
struct BufferAccess {
    OpId op;
    const Access* access = nullptr;  ///< null for further results of an extern kernel
    bool isWrite = false;
};

/// Accesses per buffer in op order; an op that reads and writes a buffer gives two (3.3). Points into the program.
class AccessLists {
public:
    explicit AccessLists(const Program& program);

    [[nodiscard]] std::size_t size() const { return ends_.size(); }  ///< buffers
    [[nodiscard]] std::span<const BufferAccess> operator[](std::size_t buffer) const {
        const std::size_t begin = buffer == 0 ? 0 : ends_[buffer - 1];
        return {accesses_.data() + begin, ends_[buffer] - begin};
    }

private:
    std::vector<BufferAccess> accesses_;  ///< of all buffers, one after the other
    std::vector<std::size_t> ends_;       ///< per buffer: one past its last access
};

/// What the rules of chapter 3 depend on, read once from the settings.
struct BufferRules {
    int cores = 1;
    bool kAdjacentMap = true;     ///< spyre.k_fast also selects the core map
    bool sizeByMaxUsers = false;  ///< spyre.lx_size_rule = max_users
    bool declarative = true;      ///< spyre.lx_eligibility
    bool allowAllOps = true;
    std::vector<std::string> allowedOps;
    bool inPlaceAnyPointwise = true;
    std::vector<std::string> inPlaceOps;
    Bytes capacity = 0;
    unsigned threads = 1;  ///< may share the work on large programs

    [[nodiscard]] static BufferRules from(const Settings& settings, const SpyreMachine& machine);
    [[nodiscard]] bool opAllowed(const Op& op) const;
    [[nodiscard]] bool canWorkInPlace(const Op& op) const;
};

/// Chapters 3.1 - 3.3: lifetimes, uses, sizes, cores and mismatches, one entry per buffer of the
/// program. Nothing is a candidate yet.
[[nodiscard]] std::vector<ScratchpadState::Entry> measureBuffers(const Program& program, const BufferRules& rules);

/// Gives entries that were measured `after` a program was rewritten what had been decided about each buffer `before`,
/// but for the in-place parents, which follow from the lives. Buffers that are new stand last.
void keepDecisions(const std::vector<ScratchpadState::Entry>& before, std::vector<ScratchpadState::Entry>& after);

class ScratchpadHints;

/// Chapter 3.4: marks candidates and gives every other buffer its primary reason and the others. `hints` may be null.
void judgeEligibility(const Program& program, const BufferRules& rules, std::vector<ScratchpadState::Entry>& entries,
                      const ScratchpadHints* hints = nullptr);

/// Chapter 3.5: in-place parents among the candidates, in read order.
void findInPlaceParents(const Program& program, const BufferRules& rules, std::vector<ScratchpadState::Entry>& entries);

/// The part of 3.5 that does not depend on lifetimes: `op` may write its result into the slot of `parent`, which has
/// the size and layout of the result and is read with the very index of the write.
[[nodiscard]] bool fitsInPlace(const Program& program, const Op& op, BufferId parent,
                               const std::vector<ScratchpadState::Entry>& entries);

/// True when the access moves over every element of the buffer exactly in place: no offset, no part left out.
[[nodiscard]] bool readsWholeBuffer(const Op& op, const Access& access, const Buffer& buffer);

}  // namespace memplan::spyre
