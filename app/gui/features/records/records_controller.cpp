// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/records/records_controller.h"

#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/plan/units.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/problems/problems_view.h"
#include "widgets/views/records/side_view.h"

#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace memplan::app {

RecordsController::RecordsController(DocumentController& controller, WindowServices& services, QWidget* window)
    : QObject(window), controller_(controller), services_(services), workspace_(services.views()),
      view_(new ui::SideView(window)) {
    for (BackgroundTask* task : {&reading_, &joining_})
        services_.showTask(*task);
    connect(view_, &ui::SideView::attachRequested, this, &RecordsController::ask);
    connect(view_, &ui::SideView::removeRequested, this, &RecordsController::remove);
    connect(&controller_, &DocumentController::documentOpened, this, [this] {
        reading_.cancel();
        connect(controller_.document(), &Document::sideChanged, this, &RecordsController::refresh);
        refresh();
    });
    connect(&controller_, &DocumentController::documentClosed, this, [this] {
        reading_.cancel();
        refresh();
    });
    connect(&controller_.hub(), &ui::SelectionHub::planChanged, this, &RecordsController::refresh);
    connect(&joining_, &BackgroundTask::failed, this, &RecordsController::showFault);
}

bool RecordsController::takes(const QString& path) const {
    const Document* document = controller_.document();
    return document != nullptr && document->current() != nullptr && isSideFile(path);
}

void RecordsController::ask() {
    if (controller_.document() == nullptr) return;
    const QStringList paths =
        services_.askFiles(tr("Attach compiler records"), QSettings().value(QStringLiteral("lastFolder")).toString(),
                           tr("Provenance sidecars, pass logs, cost dumps (*.json *.txt *.log);;All files (*)"));
    if (paths.isEmpty()) return;
    QSettings().setValue(QStringLiteral("lastFolder"), QFileInfo(paths.front()).absolutePath());
    attach(paths);
}

void RecordsController::attach(const QStringList& paths) {
    const Document* document = controller_.document();
    if (document == nullptr || paths.isEmpty()) return;
    reading_.start(tr("Reading compiler records"),
                   [this, paths, document, limits = io::Limits::from(document->settings())](
                       const RunControl& control) -> BackgroundTask::Finish {
                       auto files = std::make_shared<SideFiles>();
                       for (const QString& path : paths) {
                           auto read = readSideFile(path, limits, control);
                           if (!read)
                               return [this, path, error = std::move(read).error()] { emit failed(path, error); };
                           files->push_back(std::move(read).value());
                       }
                       return [this, files, document] {
                           Document* now = controller_.document();
                           if (now != document) return;
                           SideFiles all = now->sideFiles();
                           for (SideFile& file : *files)
                               all = withSideFile(std::move(all), std::move(file));
                           const QString what = files->size() == 1 ? QFileInfo(all.back().path).fileName()
                                                                   : ui::plural(static_cast<qint64>(files->size()),
                                                                                tr("file"), tr("files"));
                           now->setSideFiles(tr("Attach %1").arg(what), std::move(all));
                           emit attached();
                       };
                   });
}

void RecordsController::remove(const QString& path) {
    Document* document = controller_.document();
    if (document == nullptr) return;
    SideFiles files = document->sideFiles();
    std::erase_if(files, [&](const SideFile& file) { return file.path == path; });
    document->setSideFiles(tr("Remove %1").arg(QFileInfo(path).fileName()), std::move(files));
}

QStringList RecordsController::paths(bool ofEachSource) const {
    QStringList list;
    const Document* document = controller_.document();
    if (document == nullptr) return list;
    for (const SideFile& file : document->sideFiles())
        for (std::size_t i = 0; i < (ofEachSource ? file.documents.size() : 1); ++i)
            list << file.path;
    return list;
}

/// Joining goes over all names of the plan, which may be many: it has a thread of its own.
void RecordsController::refresh() {
    const Document* document = controller_.document();
    const auto job =
        document == nullptr ? std::function<SideAttachment()>() : document->sideJob(controller_.hub().plan());
    if (!job) {
        joining_.cancel();
        return show(nullptr, {});
    }
    view_->setSide(paths(false), nullptr);
    joining_.start(tr("Joining compiler records"), [this, job](const RunControl&) -> BackgroundTask::Finish {
        auto joined = std::make_shared<SideAttachment>(job());
        return [this, joined] {
            show(std::make_shared<const SideInformation>(std::move(joined->side)), std::move(joined->problems));
        };
    });
}

/// The files stay attached; that nothing of them stands beside the plan is a problem of the program, and one.
void RecordsController::showFault() {
    Diagnostic d;
    d.severity = Severity::Error;
    d.code = "INT-001";
    d.message =
        tr("the program failed while it joined the compiler records with the plan; the log says how").toStdString();
    d.hint = tr("remove the files one by one to find the one it fails on").toStdString();
    show(nullptr, {d});
    view_->setFailed();
}

void RecordsController::show(std::shared_ptr<const SideInformation> side, std::vector<Diagnostic> problems) {
    side_ = std::move(side);
    view_->setSide(paths(side_ != nullptr), side_);
    workspace_.inspectorView()->setSide(side_);
    workspace_.passes()->setSide(side_);
    workspace_.problems()->setBeside(std::move(problems));
    emit problemsChanged();
}

}  // namespace memplan::app
