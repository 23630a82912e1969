// SPDX-License-Identifier: Apache-2.0
// A buffer of a plan: its bytes, its life, its place, and why it is off chip.
#pragma once

#include "engine/base/ids.h"
#include "engine/graph/dtype.h"
#include "engine/plan/reasons.h"
#include "engine/plan/statement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace memplan {

enum class MemorySpace { Lx, L1, Residual, Hbm, Dram };
enum class BufferRole { GraphInput, Parameter, Constant, Intermediate, GraphOutput };

[[nodiscard]] std::string_view spaceName(MemorySpace s);  ///< "lx"
[[nodiscard]] inline bool isOnChip(MemorySpace s) {
    return s == MemorySpace::Lx || s == MemorySpace::L1 || s == MemorySpace::Residual;
}

struct BufferLayout {
    std::vector<std::int64_t> size, stride, deviceSize, strideMap;
    std::string deviceDtype, elementArrangement = "STANDARD";
    bool perTileFixed = false;
    friend bool operator==(const BufferLayout&, const BufferLayout&) = default;
};

/// Why a buffer is off chip, in codes, numbers and names; sentence() makes the words.
struct Reason {
    ReasonCode code = ReasonCode::PlanningOff;
    Statement stated;                 ///< what holds
    std::vector<Statement> clones{};  ///< what kept clones of it off, which were taken out
    Bytes largestGap = -1;            ///< for no_room: largest gap over its lifetime at the tightest step
    Step gapStep = -1;                ///< for no_room: that step
    std::vector<BufferId> blockers;   ///< for no_room: live neighbours that take the room
    OpId writer, reader;              ///< for core_div_mismatch: the first pair that differs
    std::vector<ReasonCode> others;   ///< further reasons that hold
};

/// One sentence with numbers and units.
[[nodiscard]] std::string sentence(const Reason& reason);

struct PlanBuffer {
    std::string name;
    OpId producer;  ///< invalid for graph inputs, parameters
    BufferRole role = BufferRole::Intermediate;
    Bytes size = 0;          ///< device bytes of all cores
    Bytes sizePerCore = 0;   ///< bytes of the on-chip memory it occupies
    std::int64_t cores = 1;  ///< cores its bytes are divided by
    StepRange life;          ///< [start, end)
    std::vector<OpId> uses;  ///< ops that touch it, in order
    MemorySpace space = MemorySpace::Hbm;
    std::optional<Address> address;
    BufferId inPlaceOf;            ///< parent whose slot it took over
    BufferId cloneOf;              ///< graph input it is a clone of
    std::optional<Reason> reason;  ///< empty when on chip
    std::vector<std::int64_t> shape;
    DType dtype = DType::F16;
    std::optional<BufferLayout> layout;
    TensorId graphTensor;               ///< tensor of the input graph it holds, invalid when added by a pass
    Bytes trafficSaved = 0;             ///< main-memory bytes its residency saves per run
    std::optional<Address> poolOffset;  ///< of an intermediate in main memory: in their segment
};

}  // namespace memplan
