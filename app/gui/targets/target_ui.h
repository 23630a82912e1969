// SPDX-License-Identifier: GPL-3.0-or-later
// What the window must know of a target (architecture 8.13): which settings stand in the toolbar, what a race chooses,
// what a trial and a sweep change, and the words for them. Data only; one source file per target fills it.
#pragma once

#include "engine/plan/plan.h"

#include <QString>

#include <span>

namespace memplan::app {

/// A setting that the window calls by a name of its own.
struct SettingWord {
    const char* key;
    const char* title;  ///< English, in the context "Target"
};

/// A field of the toolbar; what it may hold says the table of settings.
struct ToolSetting {
    SettingWord word;
    const char* help;
    const char* objectName;
    int width;      ///< px at 100 %, 0 = its own
    bool isOfList;  ///< lists of buffers are solved by it too
};

/// Parameters that one of the solvers takes.
struct SolverParameters {
    const char* solver;
    std::span<const char* const> keys;
};

struct TargetUi {
    const char* target;  ///< id
    const char* title;   ///< of documents: "Spyre"
    std::span<const ToolSetting> toolBar;
    const char* solverKey;  ///< what a race runs over
    std::span<const SolverParameters> solverParameters;
    std::span<const char* const> graphParameters;  ///< of every solver, for a graph
    std::span<const char* const> listParameters;   ///< of every solver, for a list of buffers
    SettingWord trialCount, trialShare;            ///< the sliders of what-if, and the first axes of a sweep
    std::span<const SettingWord> trialChoices;     ///< the other choices of what-if; a preset comes first
    QString (*planWords)(const Plan& plan);        ///< in the name of a plan: "greedy"
};

}  // namespace memplan::app
