// SPDX-License-Identifier: GPL-3.0-or-later
// Options and arguments of memplan-studio, with and without a window (command-line "Commands").
#pragma once

#include "engine/base/result.h"
#include "engine/machine/machine.h"
#include "engine/plan/plan.h"
#include "widgets/kit/theme/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan::app {

/// One picture: "gantt:select=y,theme=dark=OUT.png".
struct Shot {
    QString view;
    QString file;
    QString select;
    int plan = 0;         ///< number of the plan from 1, 0 = the last
    QStringList actions;  ///< ids triggered before the picture of the window is taken
    ui::ThemeKind theme = ui::ThemeKind::Light;
    double scale = 1;
    bool allShapes = false;  ///< a vector keeps every rectangle
    int labelPercent = 100;  ///< size of text, as the preference of that name
};

struct StudioArguments {
    std::vector<std::pair<std::string, std::string>> settings, bindings;
    MachineDescription machine;      ///< to plan for
    QString hints;                   ///< hint file, empty = none
    TargetId target;                 ///< machine to plan for, empty = the natural one
    std::vector<std::string> files;  ///< files, or ids of samples
    std::vector<Shot> shots;         ///< none: the window opens
    QSize size{1600, 1000};          ///< of pictures
    QString planName;                ///< what pictures call the plan, empty = as the window numbers it
    bool clean = false;
};

/// Names that pictures may be asked for.
[[nodiscard]] QStringList pictureViews();

/// Options that a workspace among the files leaves aside, because it brings settings, bindings and hints of its own;
/// empty when there is nothing to report.
[[nodiscard]] std::optional<Diagnostic> leftAside(const StudioArguments& arguments);

/// `arguments` begins with the program's name. Error CLI-001 names the option; settings are checked too (SET-...).
[[nodiscard]] Result<StudioArguments> readStudioArguments(const QStringList& arguments);

}  // namespace memplan::app
