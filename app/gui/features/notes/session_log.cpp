// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/notes/session_log.h"

#include "app/gui/document/document_controller.h"
#include "app/gui/tasks/log.h"
#include "widgets/plan/units.h"

namespace memplan::app {

using ui::fromStd;

void logTasks(DocumentController& controller, QObject* context) {
    BackgroundTask& task = controller.task();
    QObject::connect(&task, &BackgroundTask::started, context, [](const QString& what) { Log::instance().add(what); });
    QObject::connect(&task, &BackgroundTask::cancelled, context, [](double seconds, const QString& what) {
        Log::instance().add(QObject::tr("cancelled after %1 s: %2").arg(seconds, 0, 'f', 2).arg(what));
    });
    QObject::connect(&task, &BackgroundTask::finished, context, [&controller] {
        Log::instance().add(QObject::tr("done after %1 s").arg(controller.task().elapsedSeconds(), 0, 'f', 3));
    });
    QObject::connect(
        &controller, &DocumentController::openFailed, context, [](const QString& path, const Error& error) {
            for (const Diagnostic& d : error.diagnostics)
                Log::instance().add(
                    QStringLiteral("%1: %2 %3 %4").arg(path, fromStd(d.code), fromStd(d.where), fromStd(d.message)));
        });
    QObject::connect(&controller, &DocumentController::compileFailed, context, [&controller] {
        const Document* document = controller.document();
        if (document == nullptr || !document->failure()) return;
        const Diagnostic& d = document->failure()->error.primary();
        const QString pass = fromStd(document->failure()->pass);
        Log::instance().add(
            (pass.isEmpty() ? QObject::tr("compile failed: ") : QObject::tr("compile failed in pass %1: ").arg(pass)) +
            QStringLiteral("%1 %2").arg(fromStd(d.code), fromStd(d.message)));
    });
    QObject::connect(&controller.hub(), &ui::SelectionHub::planChanged, context, [&controller] {
        const PlanPtr& plan = controller.hub().plan();
        if (!plan) return;
        Log::instance().add(QObject::tr("plan %1: %2 of %3 buffers on chip, %4 findings")
                                .arg(fromStd(plan->planHash))
                                .arg(plan->metrics.buffersOnChip)
                                .arg(plan->metrics.buffersTotal)
                                .arg(plan->problems.size()));
    });
}

}  // namespace memplan::app
