// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/dock_info.h"

#include <QCoreApplication>

#include <array>

namespace memplan::app {
namespace {

constexpr auto kLeft = Qt::LeftDockWidgetArea, kRight = Qt::RightDockWidgetArea, kBottom = Qt::BottomDockWidgetArea;
constexpr auto kAny = DockNeeds::Anything, kOps = DockNeeds::Operations, kCompile = DockNeeds::Compile;
constexpr unsigned kPlan = InExplore | InTune;

/// In the order of DockId, which is that of the tabs and of the menu.
constexpr std::array kDocks{
    DockInfo{DockId::Outline, "outlineDock", QT_TRANSLATE_NOOP("Dock", "Outline"), kLeft, kOps, InExplore | InReview,
             "window.md", "", "", false},
    DockInfo{DockId::Inspector, "inspectorDock", QT_TRANSLATE_NOOP("Dock", "Inspector"), kRight, kAny, InExplore,
             "inspector.md", "", "", false},
    DockInfo{DockId::Problems, "problemsDock", QT_TRANSLATE_NOOP("Dock", "Problems"), kBottom, kAny, InExplore,
             "problems.md", "problems", "", true},
    DockInfo{DockId::Hints, "hintsDock", QT_TRANSLATE_NOOP("Dock", "Hints"), kBottom, kCompile, kPlan, "hints.md",
             "hints", "hints", true},
    DockInfo{DockId::Passes, "passesDock", QT_TRANSLATE_NOOP("Dock", "Passes"), kBottom, kOps, InExplore | InPasses,
             "passes.md", "passes", "", true},
    DockInfo{DockId::Buffers, "buffersDock", QT_TRANSLATE_NOOP("Dock", "Table: buffers"), kBottom, kAny, kPlan,
             "window.md", "tables", "", true},
    DockInfo{DockId::Ops, "opsDock", QT_TRANSLATE_NOOP("Dock", "Table: operations"), kBottom, kOps, InExplore,
             "window.md", "tables", "ops", true},
    DockInfo{DockId::UserNotes, "notesDock", QT_TRANSLATE_NOOP("Dock", "Notes"), kBottom, kAny, kPlan, "notes.md",
             "notes", "", false},
    DockInfo{DockId::Undo, "undoDock", QT_TRANSLATE_NOOP("Dock", "Undo history"), kBottom, kAny, kPlan, "window.md", "",
             "", false},
    DockInfo{DockId::Solver, "solverDock", QT_TRANSLATE_NOOP("Dock", "Solver"), kBottom, kAny, InTune, "solver.md", "",
             "", false},
    DockInfo{DockId::Compare, "compareDock", QT_TRANSLATE_NOOP("Dock", "Changes"), kBottom, kAny, InNone, "compare.md",
             "tables", "", true},
    DockInfo{DockId::WhatIf, "whatIfDock", QT_TRANSLATE_NOOP("Dock", "What-if"), kRight, kCompile, InTune, "compare.md",
             "", "", false},
    DockInfo{DockId::Sweep, "sweepDock", QT_TRANSLATE_NOOP("Dock", "Sweep"), kRight, kCompile, InTune, "compare.md",
             "sweep", "", false},
    DockInfo{DockId::Side, "sideDock", QT_TRANSLATE_NOOP("Dock", "Compiler records"), kBottom, kAny, InNone,
             "records.md", "", "", false},
    DockInfo{DockId::Log, "logDock", QT_TRANSLATE_NOOP("Dock", "Log"), kBottom, kAny, InExplore, "window.md", "", "",
             false},
    DockInfo{DockId::Matrix, "matrixDock", QT_TRANSLATE_NOOP("Dock", "All ops"), kBottom, kOps, InReview, "cores.md",
             "", "", false},
    DockInfo{DockId::Edges, "edgesDock", QT_TRANSLATE_NOOP("Dock", "Edges"), kBottom, kOps, InReview, "cores.md",
             "tables", "", false},
    DockInfo{DockId::Annotations, "annotationsDock", QT_TRANSLATE_NOOP("Dock", "Annotations"), kBottom, kOps, kPlan,
             "layers.md", "", "", true},
    DockInfo{DockId::Paths, "pathsDock", QT_TRANSLATE_NOOP("Dock", "Paths"), kBottom, kOps, kPlan, "layers.md", "", "",
             false},
    DockInfo{DockId::Parameters, "parametersDock", QT_TRANSLATE_NOOP("Dock", "Parameters"), kBottom, kOps, kPlan,
             "layers.md", "", "", false},
    DockInfo{DockId::Concurrency, "concurrencyDock", QT_TRANSLATE_NOOP("Dock", "Concurrency"), kBottom, kOps, InTune,
             "layers.md", "", "", false},
    DockInfo{DockId::Steps, "stepsDock", QT_TRANSLATE_NOOP("Dock", "Steps"), kBottom, kOps, InTune, "layers.md", "", "",
             false},
    DockInfo{DockId::Advice, "adviceDock", QT_TRANSLATE_NOOP("Dock", "Advice"), kBottom, kOps, kPlan, "layers.md", "",
             "", true},
};

static_assert([] {
    for (std::size_t i = 0; i < kDocks.size(); ++i)
        if (static_cast<std::size_t>(kDocks[i].id) != i) return false;
    return true;
}());

}  // namespace

std::span<const DockInfo> allDocks() {
    return kDocks;
}

const DockInfo& dockInfo(DockId id) {
    return kDocks[static_cast<std::size_t>(id)];
}

QString titleOf(const DockInfo& info) {
    return QCoreApplication::translate("Dock", info.title);
}

QString nameOf(const DockInfo& info) {
    return QString::fromLatin1(info.name);
}

}  // namespace memplan::app
