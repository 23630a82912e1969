// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/compare_pair.h"

#include "app/gui/features/compare/plan_of_file.h"
#include "app/gui/workspace/window_services.h"
#include "engine/target/compile.h"
#include "widgets/plan/units.h"

#include <QFileInfo>

#include <algorithm>
#include <utility>

namespace memplan::app {

using ui::fromStd;

namespace {

bool offersSaved(const Document& document) {
    return document.isModified() && document.kind() == DocumentKind::Graph;
}

}  // namespace

ComparePair::ComparePair(DocumentController& controller, WindowServices& services, QObject* parent)
    : QObject(parent), controller_(controller), services_(services) {
    services_.showTask(task_);
    connect(&controller_, &DocumentController::documentOpened, this, [this] {
        connect(controller_.document(), &Document::currentChanged, this, [this] {
            dropB();  // the document's plan is on screen
            emit changed();
        });
    });
}

ComparePair::Side ComparePair::b() const {
    if (broughtB_.plan) return broughtB_;
    const Document* document = controller_.document();
    const PlanEntry* entry = document == nullptr ? nullptr : document->current();
    return entry == nullptr ? Side() : Side{entry->plan, entry->name};
}

QStringList ComparePair::choicesOfA() const {
    const Document& document = *controller_.document();
    QStringList names;
    for (const PlanEntry& entry : document.plans())
        names << entry.name;
    for (const Side& file : files_)
        names << file.name;
    if (offersSaved(document)) names << tr("Before my unsaved changes");
    names << tr("Open a plan or graph file...");
    return names;
}

int ComparePair::chosenOfA() const {
    const auto& plans = controller_.document()->plans();
    const auto file = std::ranges::find(files_, a_.plan, &Side::plan);
    if (file != files_.end()) return static_cast<int>(plans.size()) + static_cast<int>(file - files_.begin());
    const auto entry = std::ranges::find(plans, a_.plan, &PlanEntry::plan);
    return entry == plans.end() ? -1 : static_cast<int>(entry - plans.begin());
}

int ComparePair::indexOfB() const {
    const auto& plans = controller_.document()->plans();
    const auto entry = std::ranges::find(plans, b().plan, &PlanEntry::plan);
    return entry == plans.end() ? -1 : static_cast<int>(entry - plans.begin());
}

/// What was kept or raced since the plan of the document's inputs is B, and that plan A; else B is the plan on screen,
/// and A the one before it.
void ComparePair::pick() {
    const Document& document = *controller_.document();
    const PlanEntry* entry = document.current();
    if (entry == nullptr || (isChosen_ && a_.plan != b().plan)) return;
    isChosen_ = false;
    const int current = document.currentIndex(), newest = static_cast<int>(document.plans().size()) - 1;
    const bool isBaseline = current < newest && (current == 0 || document.state() == PlanState::Fresh);
    if (isBaseline) {
        a_ = {entry->plan, entry->name};
        return bring(newest);
    }
    a_ = {};
    if (current == 0) return;
    const PlanEntry& before = document.plans()[static_cast<std::size_t>(current - 1)];
    a_ = {before.plan, before.name};
}

void ComparePair::swap() {
    Document* document = controller_.document();
    if (document == nullptr || document->current() == nullptr || !a_.plan) return;
    const Side wanted = std::exchange(a_, b());
    dropB();
    const auto& plans = document->plans();
    const auto at = std::ranges::find(plans, wanted.plan, &PlanEntry::plan);
    if (at != plans.end()) return document->setCurrent(static_cast<int>(at - plans.begin()));
    document->addPlan(wanted.plan, wanted.name);
}

void ComparePair::chooseA(int row) {
    const Document& document = *controller_.document();
    const int plans = static_cast<int>(document.plans().size());
    const int files = static_cast<int>(files_.size());
    if (row < plans) return compareWithPlan(row);
    if (row < plans + files) return setA(files_[static_cast<std::size_t>(row - plans)]);
    emit changed();  // the last rows are commands: the choice stays what it was
    if (offersSaved(document) && row == plans + files) return compareWithSaved();
    askFile();
}

void ComparePair::setA(Side side) {
    a_ = std::move(side);
    isChosen_ = true;
    emit chosen();
}

void ComparePair::setB(int index) {
    if (Document* document = controller_.document()) document->setCurrent(index);
}

void ComparePair::compareWithPlan(int index) {
    const Document* document = controller_.document();
    if (document == nullptr || index < 0 || index >= static_cast<int>(document->plans().size())) return;
    const PlanEntry& entry = document->plans()[static_cast<std::size_t>(index)];
    setA({entry.plan, entry.name});
}

/// Where B came this way already, A stays.
void ComparePair::compareCurrentWith(int index) {
    const Document* document = controller_.document();
    if (document == nullptr || index < 0 || index >= static_cast<int>(document->plans().size())) return;
    const bool keepsA = broughtB_.plan != nullptr;
    bring(index);
    if (keepsA) return;
    setA({document->current()->plan, document->current()->name});
}

void ComparePair::askFile() {
    const QString path =
        services_.askFile(tr("Open for comparison"), QString(), tr("Plans and graphs (*.json *.onnx);;All files (*)"));
    if (!path.isEmpty()) compareWithFile(path);
}

void ComparePair::compareWithFile(const QString& path) {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    plan({path.toStdString(), document->settings()}, QFileInfo(path).fileName());
}

void ComparePair::compareWithDisk() {
    const Document* document = controller_.document();
    if (document == nullptr || document->kind() == DocumentKind::BufferList) return;
    const std::string& path = document->input().input.path;
    plan({path, document->settings(), document->origin().bindings, document->origin().cut, document->hintLists()},
         tr("%1 on disk").arg(QFileInfo(fromStd(path)).fileName()));
}

void ComparePair::plan(FileToPlan file, const QString& name) {
    file.target = controller_.document()->origin().target;
    task_.start(tr("opening %1").arg(name),
                [this, name, file = std::move(file)](const RunControl& control) -> BackgroundTask::Finish {
                    auto plan = std::make_shared<Result<PlanPtr>>(planOfFile(file, control));
                    return [this, name, path = fromStd(file.path), plan] {
                        if (!*plan) return refuse(path, plan->error());
                        files_.push_back({plan->value(), name});
                        setA(files_.back());
                    };
                });
}

void ComparePair::compareWithSaved() {
    const Document* document = controller_.document();
    if (document == nullptr || document->kind() != DocumentKind::Graph) return;
    CompileRequest request = document->request();
    request.settings = document->saved().settings;
    readSettingFiles(request);
    request.hints = hintsInForce(document->fileHints(), *document->saved().hints);
    const std::string hash = inputHash(request);
    for (const PlanEntry& entry : document->plans())
        if (entry.plan->inputHash == hash) return setA({entry.plan, tr("%1 (as saved)").arg(entry.name)});
    task_.start(tr("the plan before your changes"),
                [this, request](const RunControl& control) -> BackgroundTask::Finish {
                    auto outcome = std::make_shared<CompileOutcome>(compile(request, control));
                    return [this, outcome] {
                        if (!outcome->plan) return refuse(tr("the saved inputs"), outcome->failure->error);
                        files_.push_back({outcome->plan, tr("Before my unsaved changes")});
                        setA(files_.back());
                    };
                });
}

void ComparePair::refuse(const QString& what, const Error& error) {
    const Diagnostic& d = error.primary();
    if (d.code == kCancelledCode) return;
    emit failed(QStringLiteral("%1: %2 %3")
                    .arg(QFileInfo(what).fileName(), fromStd(d.message),
                         d.hint.empty() ? QString() : QStringLiteral("(%1)").arg(fromStd(d.hint))));
}

// ---- B that is on screen for the comparison only --------------------------------------------------------------

void ComparePair::bring(int index) {
    Document& document = *controller_.document();
    if (index == document.currentIndex()) {
        giveBack();
        return emit changed();
    }
    const PlanEntry& entry = document.plans()[static_cast<std::size_t>(index)];
    broughtB_ = {entry.plan, entry.name};
    document.showInstead(entry.plan, entry.name, ShownPlan::Kind::Compared);
    emit changed();
}

void ComparePair::giveBack() {
    const bool hadBrought = broughtB_.plan != nullptr;
    dropB();
    Document* document = controller_.document();
    if (hadBrought && document != nullptr) document->showCurrent();
}

void ComparePair::forget() {
    files_.clear();
    a_ = broughtB_ = {};
    isChosen_ = false;
    task_.cancel();
}

}  // namespace memplan::app
