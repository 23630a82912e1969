// SPDX-License-Identifier: GPL-3.0-or-later
// Which two plans are compared (user-experience 16.1): A from the history, a file, or what was saved; B on screen.
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/plan_of_file.h"
#include "app/gui/workspace/window_services.h"
#include "engine/target/compile.h"
#include "widgets/tools/compare/compare_header.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace memplan::app {

using ui::fromStd;

void CompareController::compareWithPlan(int index) {
    const Document* document = controller_.document();
    if (document == nullptr || index < 0 || index >= static_cast<int>(document->plans().size())) return;
    const PlanEntry& entry = document->plans()[static_cast<std::size_t>(index)];
    setBaseline({entry.plan, entry.name});
}

void CompareController::compareCurrentWith(int index) {
    Document* document = controller_.document();
    if (document == nullptr || index < 0 || index >= static_cast<int>(document->plans().size())) return;
    if (hasBroughtPlan()) {
        brought_ = document->plans()[static_cast<std::size_t>(index)].plan;
        return document->setCurrent(index);
    }
    const Baseline own{document->current()->plan, document->current()->name};
    bring(index);
    setBaseline(own);
}

void CompareController::setBaseline(Baseline baseline) {
    baseline_ = std::move(baseline);
    isChosen_ = true;
    if (isOn_) return refresh();
    setOn(true);
}

void CompareController::askFile() {
    const QString path =
        services_.askFile(tr("Open for comparison"), QString(), tr("Plans and graphs (*.json *.onnx);;All files (*)"));
    if (!path.isEmpty()) compareWithFile(path);
}

void CompareController::compareWithFile(const QString& path) {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    compareWith({path.toStdString(), document->settings()}, QFileInfo(path).fileName());
}

void CompareController::compareWithDisk() {
    const Document* document = controller_.document();
    if (document == nullptr || document->kind() == DocumentKind::BufferList) return;
    const std::string& path = document->input().input.path;
    compareWith(
        {path, document->settings(), document->origin().bindings, document->origin().cut, document->hintLists()},
        tr("%1 on disk").arg(QFileInfo(fromStd(path)).fileName()));
}

void CompareController::compareWith(FileToPlan file, const QString& name) {
    file.target = controller_.document()->origin().target;
    task_.start(tr("opening %1").arg(name),
                [this, name, file = std::move(file)](const RunControl& control) -> BackgroundTask::Finish {
                    auto plan = std::make_shared<Result<PlanPtr>>(planOfFile(file, control));
                    return [this, name, path = fromStd(file.path), plan] {
                        if (!*plan) return failed(path, plan->error());
                        files_.push_back({plan->value(), name});
                        setBaseline(files_.back());
                    };
                });
}

void CompareController::compareWithSaved() {
    const Document* document = controller_.document();
    if (document == nullptr || document->kind() != DocumentKind::Graph) return;
    CompileRequest request = document->request();
    request.settings = document->saved().settings;
    readSettingFiles(request);
    request.hints = hintsInForce(document->fileHints(), *document->saved().hints);
    const std::string hash = inputHash(request);
    for (const PlanEntry& entry : document->plans())
        if (entry.plan->inputHash == hash) return setBaseline({entry.plan, tr("%1 (as saved)").arg(entry.name)});
    task_.start(tr("the plan before your changes"),
                [this, request](const RunControl& control) -> BackgroundTask::Finish {
                    auto outcome = std::make_shared<CompileOutcome>(compile(request, control));
                    return [this, outcome] {
                        if (!outcome->plan) return failed(tr("the saved inputs"), outcome->failure->error);
                        files_.push_back({outcome->plan, tr("Before my unsaved changes")});
                        setBaseline(files_.back());
                    };
                });
}

void CompareController::failed(const QString& what, const Error& error) {
    const Diagnostic& d = error.primary();
    if (d.code == kCancelledCode) return;
    if (!isOn_) setOn(true);
    header_->setNotice(QStringLiteral("%1: %2 %3")
                           .arg(QFileInfo(what).fileName(), fromStd(d.message),
                                d.hint.empty() ? QString() : QStringLiteral("(%1)").arg(fromStd(d.hint))));
}

/// The earlier plan is A. What was kept or raced since the plan of the document's inputs is B; else B is the plan on
/// screen, and A the one before it.
void CompareController::pickPair() {
    const Document& document = *controller_.document();
    const PlanEntry* entry = document.current();
    if (entry == nullptr || (isChosen_ && baseline_.plan != entry->plan)) return;
    isChosen_ = false;
    const int current = document.currentIndex(), newest = static_cast<int>(document.plans().size()) - 1;
    const bool isBaseline = current < newest && (current == 0 || document.state() == PlanState::Fresh);
    if (isBaseline) {
        baseline_ = {entry->plan, entry->name};
        return bring(newest);
    }
    baseline_ = {};
    if (current == 0) return;
    const PlanEntry& before = document.plans()[static_cast<std::size_t>(current - 1)];
    baseline_ = {before.plan, before.name};
}

void CompareController::swap() {
    Document* document = controller_.document();
    if (!isOn_ || document == nullptr || document->current() == nullptr || !baseline_.plan) return;
    const PlanPtr wanted = baseline_.plan;
    const auto& plans = document->plans();
    const auto at = std::find_if(plans.begin(), plans.end(), [&](const PlanEntry& e) { return e.plan == wanted; });
    const QString label = baseline_.name;
    baseline_ = {document->current()->plan, document->current()->name};
    if (at != plans.end()) return document->setCurrent(static_cast<int>(at - plans.begin()));
    document->addPlan(wanted, label);
}

void CompareController::chosenA(int row) {
    const Document& document = *controller_.document();
    const int plans = static_cast<int>(document.plans().size());
    const int files = static_cast<int>(files_.size());
    if (row < plans) return compareWithPlan(row);
    if (row < plans + files) return setBaseline(files_[static_cast<std::size_t>(row - plans)]);
    const bool offersSaved = document.isModified() && document.kind() == DocumentKind::Graph;
    fillLists();  // the last rows are commands: the choice stays what it was
    if (offersSaved && row == plans + files) return compareWithSaved();
    askFile();
}

// ---- B that is on screen for the comparison only --------------------------------------------------------------

void CompareController::forget() {
    end();
    files_.clear();
    baseline_ = {};
    isChosen_ = false;
    brought_ = broughtOn_ = nullptr;
    hubA_.setPlan(nullptr);
}

bool CompareController::hasBroughtPlan() const {
    const Document* document = controller_.document();
    const PlanEntry* entry = document == nullptr ? nullptr : document->current();
    return isOn_ && entry != nullptr && brought_ == entry->plan;
}

void CompareController::bring(int index) {
    Document& document = *controller_.document();
    broughtOn_ = document.current()->plan;
    brought_ = document.plans()[static_cast<std::size_t>(index)].plan;
    document.setCurrent(index);
}

/// What was on screen before the comparison brought another plan, where the user has not gone on to a third one.
void CompareController::giveBack() {
    Document* document = controller_.document();
    const PlanPtr brought = std::exchange(brought_, nullptr), before = std::exchange(broughtOn_, nullptr);
    if (document == nullptr || document->current() == nullptr || document->current()->plan != brought) return;
    const auto at = std::ranges::find(document->plans(), before, &PlanEntry::plan);
    if (at != document->plans().end()) document->setCurrent(static_cast<int>(at - document->plans().begin()));
}

}  // namespace memplan::app
