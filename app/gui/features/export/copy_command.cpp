// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/export/copy_command.h"

#include "app/gui/features/export/command_line.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/features/export/shipped_view.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QGuiApplication>

namespace memplan::app {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Export", text);
}

}  // namespace

void copyCommandLine(const DocumentController& controller, WindowServices& window, bool picture) {
    const Document* document = controller.document();
    ui::GraphicView* view = window.views().focusedView();
    if (document == nullptr || view == nullptr) return;
    const auto reportNone = [&window](const QString& why) { window.message(tr("No command line: %1").arg(why)); };
    const PlanPtr& onScreen = controller.hub().plan();
    const QString why = picture ? whyNoPictureCommand(*document, onScreen) : whyNoCompileCommand(*document, onScreen);
    if (!why.isEmpty()) return reportNone(why);
    if (picture && !looksAsOpened(*view)) return reportNone(tr("only this window knows what you chose to see here"));
    const QString base = document->name();
    const ExportSource source(controller, window.views(), view);
    const QString line = picture ? pictureCommand(*document, controller.lastRequest(), view->viewKey(), view->size(),
                                                  {themeOption(ui::themeOf(view).kind()), QStringLiteral("scale=2")},
                                                  base + QLatin1Char('-') + view->viewKey() + QStringLiteral(".png"))
                                 : source.commandLine(ExportWhat::Plan, {}, base + QStringLiteral(".plan.json"));
    if (line.isEmpty()) return reportNone(tr("no option names the instance and the capacity that were chosen"));
    QGuiApplication::clipboard()->setText(line);
    window.message(tr("Copied: %1").arg(line));
}

}  // namespace memplan::app
