// SPDX-License-Identifier: GPL-3.0-or-later
// The command that makes the same bytes as the window (user-experience 18.3).
#pragma once

#include "core/theme.h"
#include "document/document_controller.h"

#include <QSize>

namespace memplan::ui {
class GraphicView;
}

namespace memplan::app {

/// One word for a POSIX shell: quoted where it has to be.
[[nodiscard]] QString shellWord(const QString& word);
/// " --hints FILE" where the document has hints of its own, FILE being the exported list of all that are in force; with
/// " --no-input-hints" where the graph file has some. Empty: the input says it all.
[[nodiscard]] QString hintOptions(const Document& document, const QString& hintFile);
/// "memplan compile INPUT --bind N=8 --set spyre.cores=4 --out PLAN.json"
[[nodiscard]] QString compileCommand(const Document& document, const OpenRequest& request, const QString& out);
/// Why no command makes what is on screen, `pictured` being the view for a command that draws it; empty: one does.
[[nodiscard]] QString whyNoCommand(const Document& document, const PlanPtr& onScreen, ui::GraphicView* pictured);
/// "memplan-studio --screenshot gantt:scale=2=OUT --size 800x600 ... INPUT" of the current plan; empty for a list whose
/// instance or capacity was chosen, which no option names.
[[nodiscard]] QString pictureCommand(const Document& document, const OpenRequest& request, const QString& view,
                                     QSize size, QStringList options, const QString& out);
/// Option of a picture: "theme=dark"
[[nodiscard]] QString themeOption(ui::ThemeKind kind);

}  // namespace memplan::app
