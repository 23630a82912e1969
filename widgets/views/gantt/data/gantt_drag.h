// SPDX-License-Identifier: GPL-3.0-or-later
// Dragging a buffer up or down proposes a hint, it moves nothing (user-experience 7.8): where the
// buffer would stand, snapped to 128 bytes, and who is in the way.
#pragma once

#include "widgets/views/gantt/data/gantt_data.h"

namespace memplan::ui {

struct GanttDrag {
    BufferId buffer;
    Address address = 0;   ///< proposed, a multiple of 128
    bool isLimit = false;  ///< "at or below" instead of "at" (Alt)
    Bytes size = 0;
    StepRange life;
    std::vector<BufferId> conflicts;  ///< live buffers it would overlap, by address; empty for a limit
    bool overLimit = false;           ///< larger than the usable memory: it fits nowhere
    friend bool operator==(const GanttDrag&, const GanttDrag&) = default;
};

/// The proposal for a wanted address: the nearest multiple of 128 in [0, usable - size]. `magnet` bytes
/// round about an edge of a neighbour that is live at the same time pull it there.
[[nodiscard]] GanttDrag dragProposal(const GanttData& data, BufferId buffer, Address wanted, bool isLimit,
                                     Bytes magnet = 0);
/// Whether a buffer can be dragged: it has an address, or a place could be found for it (its ghost).
[[nodiscard]] std::optional<Address> dragStart(const GanttData& data, BufferId buffer);

}  // namespace memplan::ui
