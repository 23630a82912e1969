// SPDX-License-Identifier: GPL-3.0-or-later
// The table of docks (architecture 8.12): perspectives, menus, help, keyboard map and export walk over it. A new dock
// is a row here and the line that hands its content to the window.
#pragma once

#include <QString>

#include <span>

namespace memplan::app {

enum class DockId {
    Outline,
    Inspector,
    Problems,
    Hints,
    Passes,
    Buffers,
    Ops,
    UserNotes,
    Undo,
    Solver,
    Compare,
    WhatIf,
    Sweep,
    Side,
    Log,
    Matrix,
    Edges,
    Annotations,
    Paths,
    Parameters,
    Concurrency,
    Steps,
    Advice
};

/// What a document must have for the dock to be offered (UX 2.1).
enum class DockNeeds { Anything, Operations, Compile };

/// The arrangements that ship, as bits: where a dock is shown.
enum Arrangements : unsigned { InNone = 0, InExplore = 1, InTune = 2, InPasses = 4, InReview = 8 };

struct DockInfo {
    DockId id;
    const char* name;   ///< object name: what stored arrangements and tests call it
    const char* title;  ///< English; title() is what the user reads
    Qt::DockWidgetArea area;
    DockNeeds needs;
    unsigned shownIn;   ///< Arrangements
    const char* help;   ///< page
    const char* keys;   ///< group of the keyboard map, "" = none of its own
    const char* table;  ///< name of the table it exports, "" = it has none, or a view's twin has the rows
    bool countsZero;    ///< the title says "0" too
};

[[nodiscard]] std::span<const DockInfo> allDocks();
[[nodiscard]] const DockInfo& dockInfo(DockId id);
[[nodiscard]] QString titleOf(const DockInfo& info);
[[nodiscard]] QString nameOf(const DockInfo& info);

}  // namespace memplan::app
