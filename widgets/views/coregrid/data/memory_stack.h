// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in a memory at one position where its places have no addresses yet: a bar from the bottom up
// (user-experience 6.6). A machine's own view fills it.
#pragma once

#include "engine/plan/plan.h"

#include <QString>

#include <functional>
#include <optional>
#include <vector>

namespace memplan::ui {

struct MemorySegmentRow {
    enum class Kind { Value, Stored, Kept, Scratch, Reserved, Free };  ///< Stored: off chip
    Kind kind = Kind::Value;
    QString name;  ///< "conv2d_2", "circular buffers"
    QString role;  ///< "operand"; empty where the name says it
    Bytes bytes = 0;
    BufferId buffer;  ///< none for what is no value
};

struct MemoryStack {
    QString title;  ///< "L1 of a core"
    Bytes capacity = 0;
    std::vector<MemorySegmentRow> segments;  ///< from the bottom
};

/// Rows and columns of the cores of a machine.
struct CoreShape {
    int rows = 4, columns = 8;
};

/// The memories at a position of the schedule; empty: nothing is known.
using MemoryStacks = std::function<std::vector<MemoryStack>(const Plan& plan, Step position)>;

/// What only a machine's own code knows of its plans; an empty function, or an answer without a value: nothing.
struct CoreSources {
    MemoryStacks memory;
    std::function<std::optional<CoreShape>(const Plan& plan)> shape;
    /// The operation with its result as iteration space, where the plan says how cores share that and nothing else.
    std::function<std::optional<PlanOp>(const Plan& plan, OpId op)> division;
};

}  // namespace memplan::ui
