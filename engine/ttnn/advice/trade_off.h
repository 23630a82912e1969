// SPDX-License-Identifier: Apache-2.0
// What each kind of memory would give an operation (ttnn-optimizer 15.2), against the plan as it is.
#pragma once

#include "engine/base/result.h"
#include "engine/graph/graph.h"
#include "engine/plan/ttnn_data.h"
#include "engine/ttnn/model/op_query.h"

#include <optional>
#include <string>
#include <vector>

namespace memplan::ttnn {

enum class MemoryKind : std::uint8_t { Sharded, L1Interleaved, Dram };
/// "sharded L1", "L1 interleaved", "DRAM interleaved"
[[nodiscard]] std::string_view titleOf(MemoryKind kind);
/// Benefit and cost in words: "fastest and parallel, limited room, layout rules".
[[nodiscard]] std::string_view wordsOf(MemoryKind kind);

struct TradeOffRow {
    MemoryKind kind = MemoryKind::Dram;
    std::optional<Layout> layout;  ///< none: the operation has no such layout
    bool isPossible = false;
    bool isCurrent = false;  ///< the plan has it so
    std::string message;     ///< of the model, where it is not possible
    double ns = 0;           ///< with the plan's input layouts
    BoundBy boundBy = BoundBy::Launch;
    std::int64_t cores = 0;
    Bytes shardBytes = 0;      ///< of one core; of the whole tensor in DRAM
    Bytes need = 0, room = 0;  ///< of one core at its position: needed, and left below the limit
    int conversions = 0;       ///< on the edges behind it if only this operation changed
    double conversionNs = 0;
    Bytes dramBytes = 0;  ///< read and written by it and its readers
    int accepting = 0, readers = 0;
    double totalNs = 0;        ///< ns, conversions and the readers' change of DRAM time
    double differenceNs = 0;   ///< to the plan
    std::optional<Hint> hint;  ///< output_layout; none where it cannot be named or is not possible
};

/// Three rows in the order of MemoryKind. Errors: EXP-006 for a plan that was read from a file, which has no module to
/// ask the model about; CLI-001 for an operation without a tensor result and for an inserted conversion.
[[nodiscard]] Result<std::vector<TradeOffRow>> tradeOffs(const Plan& plan, OpId op);

}  // namespace memplan::ttnn
