// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/document_controller.h"

#include "app/gui/document/workspace_document.h"

#include <memory>

namespace memplan::app {

DocumentController::DocumentController(QObject* parent) : QObject(parent) {
    debounce_.setSingleShot(true);
    debounce_.setInterval(kDebounceMs);
    connect(&debounce_, &QTimer::timeout, this, &DocumentController::compileNow);
    connect(&task_, &BackgroundTask::failed, this, [this] {
        if (document_) document_->setCancelled();  // the plan before stays, as after a cancel
    });
}

void DocumentController::open(const OpenRequest& request) {
    debounce_.stop();
    lastRequest_ = request;
    // Opening ends the compile of the document before, which stays when nothing comes of it.
    const bool wasCompiling = document_ && document_->state() == PlanState::Compiling;
    if (wasCompiling) document_->setCancelled();
    task_.start(tr("Opening %1").arg(request.path),
                [this, request, wasCompiling](const RunControl& control) -> BackgroundTask::Finish {
                    auto opened = std::make_shared<Opened>(openDocument(request, control));
                    return [this, request, opened, wasCompiling] {
                        if (opened->error) {
                            emit openFailed(request.path, *opened->error);
                            if (wasCompiling) compileNow();
                            return;
                        }
                        install(*opened);
                    };
                });
}

void DocumentController::install(Opened& opened) {
    lastRequest_.sample = std::move(opened.sample);
    auto next =
        std::make_unique<Document>(std::move(opened.input), std::move(opened.settings), hub_, std::move(opened.origin));
    next->restore(std::move(opened.hints), std::move(opened.notes), opened.instance);
    next->restoreSide(std::move(opened.side), std::move(opened.givenSide));
    hub_.clearSelection();
    document_ = std::move(next);
    automatic_ = documentSize() < kAutomaticOps;
    connect(document_.get(), &Document::settingsChanged, this, [this] { inputsChanged(kDebounceMs); });
    // Hints are committed whole: there is no more to wait for.
    connect(document_.get(), &Document::hintsChanged, this, [this] { inputsChanged(0); });
    connect(document_.get(), &Document::targetChanged, this, [this] { inputsChanged(0); });
    connect(document_.get(), &Document::instanceChanged, this, [this] { inputsChanged(kDebounceMs); });
    emit documentOpened();
    for (Opened::MadePlan& made : opened.plans)
        document_->addPlan(std::move(made.plan), made.label);
    if (!opened.shownHash.empty()) (void)document_->showStored(opened.shownHash);
    if (opened.onDisk) {
        Opened::OnDisk& disk = *opened.onDisk;
        document_->markRecovered({disk.settings, std::make_shared<const HintLists>(std::move(disk.hints)),
                                  std::move(disk.notes), disk.instance,
                                  std::make_shared<const SideFiles>(std::move(disk.side))});
    }
    if (opened.failure) {
        document_->setFailed(std::move(*opened.failure));
        emit compileFailed();
    }
    emit documentReady(opened.viewJson);
    // A copy for recovery was made before the compile that its inputs asked for.
    const bool isRecovered = lastRequest_.from == OpenFrom::AutosavedCopy;
    if (isRecovered && automatic_ && document_->isStale()) debounce_.start(0);
}

/// The input is read anew; settings, hints and notes stay, also those whose subject is gone (UX 3.10, 11.5).
void DocumentController::reload() {
    if (!document_) {
        if (!lastRequest_.path.isEmpty()) open(lastRequest_);
        return;
    }
    reopen(std::make_shared<io::Workspace>(workspaceOf(*document_, {}, {})));
}

void DocumentController::openWith(const std::vector<std::pair<std::string, std::string>>& bindings) {
    if (!document_) {
        OpenRequest request = lastRequest_;
        request.bindings = bindings;
        return open(request);
    }
    auto kept = std::make_shared<io::Workspace>(workspaceOf(*document_, {}, {}));
    kept->input.bindings = bindings;
    reopen(std::move(kept));
}

void DocumentController::reopen(std::shared_ptr<io::Workspace> kept) {
    kept->document = document_->origin().workspacePath.toStdString();
    OpenRequest request = lastRequest_;
    request.path = QString::fromStdString(document_->input().input.path);
    request.from = OpenFrom::File;
    request.isUnsaved = document_->isModified();
    request.kept = std::move(kept);
    open(request);
}

void DocumentController::close() {
    task_.cancel();
    document_.reset();
    hub_.clearSelection();
    hub_.setPlan(nullptr);
    emit documentClosed();
}

std::size_t DocumentController::documentSize() const {
    if (!document_) return 0;
    if (document_->kind() == DocumentKind::Graph) return document_->input().graph->ops.size();
    return document_->kind() == DocumentKind::BufferList ? document_->problem().items.size() : 0;
}

void DocumentController::inputsChanged(int waitMs) {
    if (document_->showStored(document_->inputHash())) {
        debounce_.stop();
        return;
    }
    if (automatic_) debounce_.start(waitMs);
}

void DocumentController::compileNow() {
    debounce_.stop();
    if (!document_) return;
    const auto job = document_->job();
    if (!job || document_->showStored(document_->inputHash())) return;
    emit aboutToCompile();
    document_->setCompiling();
    task_.start(document_->kind() == DocumentKind::Graph ? tr("Compiling") : tr("Solving"),
                [this, job](const RunControl& control) -> BackgroundTask::Finish {
                    auto outcome = std::make_shared<CompileOutcome>(job(control));
                    return [this, outcome] {
                        if (!document_) return;
                        if (outcome->plan) {
                            document_->addPlan(outcome->plan);
                            return;
                        }
                        document_->setFailed(std::move(*outcome->failure));
                        emit compileFailed();
                    };
                });
}

void DocumentController::cancel() {
    debounce_.stop();
    task_.cancel();
    if (document_) document_->setCancelled();
}

void DocumentController::setAutomatic(bool on) {
    automatic_ = on;
    if (on && document_ && document_->isStale()) debounce_.start(kDebounceMs);
}

}  // namespace memplan::app
