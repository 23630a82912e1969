// SPDX-License-Identifier: GPL-3.0-or-later
// The command that makes the same bytes as the window (user-experience 18.3).
#pragma once

#include "app/gui/document/document_controller.h"
#include "widgets/kit/theme/theme.h"

#include <QSize>

namespace memplan::app {

/// One word for a POSIX shell: quoted where it has to be.
[[nodiscard]] QString shellWord(const QString& word);
/// " --machine MACHINE.json" for a document that is planned for another machine than the built-in one: it knows what
/// the machine has, not which file said so.
[[nodiscard]] QString machineOption(const Document& document);
/// " --hints FILE" where the document has hints of its own, FILE being the exported list of all that are in force; with
/// " --no-input-hints" where the graph file has some. Empty: the input says it all.
[[nodiscard]] QString hintOptions(const Document& document, const QString& hintFile);
/// "memplan compile INPUT --bind N=8 --set KEY=VALUE --out PLAN.json"
[[nodiscard]] QString compileCommand(const Document& document, const OpenRequest& request, const QString& out);
/// Why no command draws the plan on screen: it comes from what no file or option names, such as a what-if, hints of the
/// document or what a workspace has not saved. Empty: one does, unless the view shows what only this window knows.
[[nodiscard]] QString whyNoPictureCommand(const Document& document, const PlanPtr& onScreen);
/// Why no command compiles the plan on screen; empty: one does.
[[nodiscard]] QString whyNoCompileCommand(const Document& document, const PlanPtr& onScreen);
/// "memplan-studio --screenshot gantt:scale=2=OUT --size 800x600 ... INPUT" of the current plan; empty for a list whose
/// instance or capacity was chosen, which no option names.
[[nodiscard]] QString pictureCommand(const Document& document, const OpenRequest& request, const QString& view,
                                     QSize size, QStringList options, const QString& out);
/// Option of a picture: "theme=dark"
[[nodiscard]] QString themeOption(ui::ThemeKind kind);

}  // namespace memplan::app
