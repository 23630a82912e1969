// SPDX-License-Identifier: Apache-2.0
// Copies between LX and main memory that a plan adds (spyre-scratchpad 14.1b): lx_evict writes a buffer out, lx_reload
// fetches a value back into a buffer of its own. Both are identity copies; everything else treats them as ordinary ops.
#pragma once

#include "engine/spyre/scratchpad/buffers.h"
#include "engine/spyre/scratchpad/move_ops.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::spyre {

/// How the later uses of a buffer are served.
struct LaterUses {
    std::vector<OpId> readers;  ///< list positions, at least one
    bool reload = false;        ///< through a copy on chip of their own, else from main memory
    std::size_t before = 0;     ///< list position that the lx_reload stands in front of
};

/// One buffer whose value leaves the chip. A clone of an input, or a reloaded value, is clean: main memory has it
/// already (`Buffer::cloneOf`), and nothing is written out.
struct MovePlan {
    BufferId buffer;
    bool writeOut = false;   ///< insert an lx_evict, not for clean buffers
    std::size_t before = 0;  ///< list position that the lx_evict stands in front of
    std::vector<LaterUses> later;
};

struct MoveResult {
    BufferId home;  ///< holds the value in main memory: the copy, the original of a clone, or the buffer
    std::vector<BufferId> reloads;  ///< parallel to MovePlan::later, invalid where main memory is read
};

/// Rewrites the program. An lx_evict of the buffer behind the point of departure becomes superfluous and goes; its
/// readers read the new home. nullopt, and nothing changed, when no division of a copy gives the buffer's users their
/// view. `pass` is recorded as the origin of what is added.
[[nodiscard]] std::optional<MoveResult> applyMoves(Program& program, const BufferRules& rules, const MovePlan& plan,
                                                   std::string_view pass);

/// Makes the target of each lx_evict whose source is not on chip a clone of the source, which holds the value in main
/// memory itself: as a clone without address it is taken out again.
void markIdleEvictions(Program& program, std::vector<ScratchpadState::Entry>& entries);

/// Every lx_evict reads and every lx_reload writes a buffer on chip.
[[nodiscard]] bool allMovesServed(const Program& program, const std::vector<ScratchpadState::Entry>& entries);

/// First position of the loop group that `at` stands in, else `at`; one past its last position, else `at + 1`.
[[nodiscard]] std::size_t groupBegin(const Program& program, std::size_t at);
[[nodiscard]] std::size_t groupEnd(const Program& program, std::size_t at);

/// How often the op reads or writes the whole buffer in one run; 0 when it does not.
[[nodiscard]] std::int64_t readsPerRun(const Program& program, OpId op, BufferId buffer);
[[nodiscard]] std::int64_t writesPerRun(const Program& program, OpId op, BufferId buffer);

}  // namespace memplan::spyre
