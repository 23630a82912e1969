// SPDX-License-Identifier: Apache-2.0
// What lies in the L1 of a core and in DRAM at one position of the schedule (ttnn-optimizer 15.2, user-experience 6.6).
// All of it stands in the plan file.
#pragma once

#include "engine/plan/ttnn_data.h"

#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn {

enum class MemoryPart : std::uint8_t {
    Base,         ///< below what may be used
    Constants,    ///< kept for const-eval results
    Reservation,  ///< a value that stays for others
    Operand,
    Result,
    Buffers,  ///< circular buffers and scratch of the kernel
    Free,
    CutOff,  ///< above the cap
    Argument,
    Value  ///< of an operation, in DRAM
};
/// "unreserved base", "circular buffers"
[[nodiscard]] std::string_view wordOf(MemoryPart part);

struct MemorySegment {
    MemoryPart part = MemoryPart::Free;
    std::string name;  ///< of the value; empty for what is none
    Bytes bytes = 0;
    BufferId buffer;  ///< none for what is no value
};

struct MemoryPicture {
    Step position = 0;
    std::vector<MemorySegment> core;  ///< from the bottom; together the L1 of a core
    std::vector<MemorySegment> dram;  ///< from the bottom; together all channels, or more where it is full
    Bytes coreBytes = 0, dramBytes = 0;
    Bytes dramUsed = 0;
    [[nodiscard]] bool isDramFull() const { return dramUsed > dramBytes; }  ///< TT-064
};

/// Empty for a position outside the schedule, and for a plan that has no layouts (stopped early, another machine).
[[nodiscard]] MemoryPicture memoryPicture(const Plan& plan, Step position);

}  // namespace memplan::ttnn
