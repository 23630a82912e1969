// SPDX-License-Identifier: GPL-3.0-or-later
// What lies in a memory at one position where its places have no addresses yet: a bar from the bottom up
// (user-experience 6.6). A machine's own view fills it.
#pragma once

#include "engine/plan/plan.h"

#include <QString>

#include <functional>
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

/// The memories at a position of the schedule; empty: nothing is known.
using MemoryStacks = std::function<std::vector<MemoryStack>(const Plan& plan, Step position)>;

}  // namespace memplan::ui
