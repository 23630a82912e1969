// SPDX-License-Identifier: GPL-3.0-or-later
// What the window must know of a target (architecture 8.13): which settings stand in the toolbar, what a race chooses,
// what a trial and a sweep change, and the words for them. Data only; one source file per target fills it.
#pragma once

#include "engine/base/result.h"
#include "engine/plan/plan.h"
#include "widgets/kit/theme/theme.h"

#include <QPainter>
#include <QString>
#include <QStringList>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::app {

/// A setting that the window calls by a name of its own; without a key it has no such setting.
struct SettingWord {
    std::string_view key;
    const char* title = "";  ///< English, in the context "Target"
};

/// What one value of a setting means, in a sentence.
struct ValueWord {
    const char* key;
    const char* value;
    const char* help;  ///< English, in the context "Target"
};

/// A field of the toolbar; what it may hold says the table of settings.
struct ToolSetting {
    SettingWord word;
    const char* help;
    const char* objectName;
    int width;                         ///< px at 100 %, 0 = its own
    bool isOfList;                     ///< lists of buffers are solved by it too
    std::string_view multipleOf = {};  ///< of a count: key of the setting that it is a multiple of
    const char* atZero = nullptr;      ///< of a count: what stands there for 0, English, in the context "Target"
};

/// Parameters that one of the solvers takes.
struct SolverParameters {
    const char* solver;
    std::span<const char* const> keys;
};

/// What the plans of a race are compared in; less is better.
struct PlanFigure {
    const char* title;  ///< English, in the context "Target"
    double (*value)(const Plan& plan);
};

/// What the problem codes with this prefix are about.
struct CodeFamily {
    const char* prefix;  ///< "LX"
    const char* text;    ///< English, in the context "Target"
};

struct TargetUi {
    std::string_view target;  ///< id
    std::string_view title;   ///< of documents and menus
    std::span<const ToolSetting> toolBar = {};
    std::string_view solverKey = {};  ///< what a race runs over
    std::span<const SolverParameters> solverParameters = {};
    std::span<const char* const> graphParameters = {};  ///< of every solver, for a graph
    std::span<const char* const> listParameters = {};   ///< of every solver, for a list of buffers
    SettingWord trialCount = {}, trialShare = {};       ///< the sliders of what-if, and the first axes of a sweep
    std::span<const SettingWord> trialChoices = {};     ///< the other choices of what-if; a preset comes first
    QString (*planWords)(const Plan& plan) = nullptr;   ///< in the name of a plan: "greedy"; null: its solver
    const char* opens = "";                             ///< which files it plans, on the start page; "" = not said
    const char* files = "";                             ///< what its own files are, in the export dialog
    std::span<const CodeFamily> codes = {};
    std::span<const ValueWord> valueWords = {};
    bool isShareOfMemory = true;           ///< trialShare says how much of the on-chip memory is usable
    std::string_view trialCountStep = {};  ///< key of the setting that trialCount is a multiple of
    /// Three facts of the status bar: what is placed, the peak, the rest; null: those of buffers on chip.
    QStringList (*statusWords)(const Plan& plan) = nullptr;
    std::span<const char* const> hides = {};  ///< keys of views and names of docks that its plans have nothing for
    std::span<const char* const> owns = {};   ///< names of docks that are shown for its plans alone
    /// Hints in the words of the machine's own compiler, for who copies them there; null: it has no such form. Hints of
    /// kinds that the form does not know are left out.
    Result<std::string> (*hintsAsText)(std::span<const Hint> hints) = nullptr;
    /// The same back; nothing for a text of another form.
    std::optional<Result<std::vector<Hint>>> (*hintsOfText)(std::string_view text) = nullptr;
    const char* memoryView = "gantt";  ///< key of the view of its on-chip memory
    bool isMemoryWide = false;         ///< that view is as wide as the window: a tab beside graph and cores
    /// The picture of a plan on the start page; null: what fits any machine.
    void (*paintThumbnail)(QPainter& painter, const QRectF& area, const Plan& plan, const ui::Theme& theme) = nullptr;
    std::span<const PlanFigure> raceFigures = {};  ///< at most five; empty: bytes on chip, traffic, peak
    std::span<const char* const> helpPages = {};   ///< what its memory and layouts are, one page each
};

}  // namespace memplan::app
