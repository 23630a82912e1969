// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/fixes/fix_controller.h"

#include "app/gui/features/fixes/fix_text.h"
#include "app/gui/targets/targets.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "engine/plan/given_name.h"
#include "widgets/plan/units.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/problems/problems_view.h"

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

constexpr int kWaitMs = 250;  ///< a selection that stays: arrow keys do not start a search at every item

QString codeOf(const PlanBuffer& buffer) {
    const std::string_view code = reasonInfo(buffer.reason->code).diagnostic;
    return QString::fromUtf8(code.data(), static_cast<qsizetype>(code.size()));
}

/// The problem that names the buffer: the selected one, else the first with the reason's code; null when none does.
const Diagnostic* problemOf(const Plan& plan, BufferId buffer, const std::optional<ui::ItemId>& selected) {
    const auto names = [&](const Diagnostic& d) { return std::ranges::find(d.buffers, buffer) != d.buffers.end(); };
    if (selected && selected->kind == ui::ItemKind::Problem) {
        const auto at = static_cast<std::size_t>(selected->index);
        if (at < plan.problems.size() && names(plan.problems[at])) return &plan.problems[at];
    }
    const std::string_view code = reasonInfo(plan.buffer(buffer).reason->code).diagnostic;
    const auto first =
        std::ranges::find_if(plan.problems, [&](const Diagnostic& d) { return d.code == code && names(d); });
    return first == plan.problems.end() ? nullptr : &*first;
}

}  // namespace

FixController::FixController(DocumentController& controller, WindowServices& services, QObject* parent)
    : QObject(parent), controller_(controller), services_(services), workspace_(services.views()) {
    for (BackgroundTask* task : {&search_, &fixing_})
        services_.showTask(*task);
    wait_.setSingleShot(true);
    wait_.setInterval(kWaitMs);
    connect(&controller_.hub(), &ui::SelectionHub::selectionChanged, this, &FixController::selectionChanged);
    connect(&controller_, &DocumentController::documentClosed, this, [this] {
        fixing_.cancel();
        found_.reset();
        selectionChanged();
    });
    connect(&wait_, &QTimer::timeout, this, &FixController::startSearch);
    connect(workspace_.inspectorView(), &ui::InspectorView::fixApplied, this, &FixController::applyCard);
    connect(workspace_.inspectorView(), &ui::InspectorView::fixPreviewed, this, &FixController::previewCard);
    ui::ProblemsView* problems = workspace_.problems();
    problems->setFixable([this](int problem) { return isFixable(problem); });
    connect(problems, &ui::ProblemsView::fixRequested, this, &FixController::fix);
    connect(problems, &ui::ProblemsView::fixAllRequested, this, &FixController::fixAll);
    ui::RefusalPane* pane = problems->refusalPane();
    connect(pane, &ui::RefusalPane::fixApplied, this, &FixController::applyCard);
    connect(pane, &ui::RefusalPane::fixPreviewed, this, &FixController::previewCard);
    connect(pane, &ui::RefusalPane::searchClicked, this, &FixController::searchClicked);
    for (const BackgroundTask* task : {&search_, &fixing_}) {
        connect(task, &BackgroundTask::cancelled, this, &FixController::showStopped);
        connect(task, &BackgroundTask::failed, this, &FixController::showStopped);
    }
    connect(pane, &ui::RefusalPane::fixAllClicked, this, [this] { fixAll(shown_.code); });
    connect(pane, &ui::RefusalPane::linkActivated, this, [this](const QString& link) {
        if (const auto item = ui::itemOfLink(link)) controller_.hub().select(*item);
    });
    connect(&search_, &BackgroundTask::progress, this,
            [this](const QString&, double done, double total) { showProgress(tr("Trying change"), done, total); });
    connect(&fixing_, &BackgroundTask::progress, this,
            [this](const QString&, double done, double total) { showProgress(tr("Looking at buffer"), done, total); });
}

// ---- the selected refusal --------------------------------------------------------------------------------

std::optional<BufferId> FixController::selectedRefusal() const {
    const ui::SelectionHub& hub = controller_.hub();
    const auto primary = hub.primary();
    if (!primary || !hub.plan() || controller_.document() == nullptr) return std::nullopt;
    BufferId id{primary->kind == ui::ItemKind::Buffer ? primary->index : -1};
    if (primary->kind == ui::ItemKind::Op && hub.plan()->op(OpId{primary->index}).outputs.size() == 1)
        id = hub.plan()->op(OpId{primary->index}).outputs.front();
    if (primary->kind == ui::ItemKind::Problem) return refusalOf(primary->index);
    if (!id.isValid() || !hub.plan()->buffer(id).reason) return std::nullopt;
    return id;
}

void FixController::selectionChanged() {
    wait_.stop();
    changes_.clear();
    shown_ = {};
    search_.cancel();
    refused_ = selectedRefusal();
    if (!refused_) return workspace_.problems()->refusalPane()->hide();
    const Plan& plan = *controller_.hub().plan();
    const PlanBuffer& buffer = plan.buffer(*refused_);
    shown_.title = fromStd(shownName(plan, *refused_));
    shown_.code = codeOf(buffer);
    shown_.sentence = fromStd(memplan::sentence(*buffer.reason));
    if (const Diagnostic* problem = problemOf(plan, *refused_, controller_.hub().primary())) {
        shown_.message = fromStd(problem->message);
        shown_.advice = fromStd(problem->hint);
        shown_.messageSaysReason = problem->code == reasonInfo(buffer.reason->code).diagnostic;
    }
    if (const auto evidence = advice::evidenceFor(plan, *refused_)) shown_.evidence = evidenceRows(plan, *evidence);
    workspace_.inspectorView()->setEvidence(shown_.evidence);
    if (!controller_.document()->isPlanned()) {
        shown_.state = tr("Changes can be tried where the graph itself is open.");
        return show();
    }
    if (const QString other = otherOnScreen(); !other.isEmpty()) {
        shown_.state = other;
        return show();
    }
    if (advice::candidateChanges(plan, *refused_).empty()) {
        const bool hasChains = std::string_view(targetUi(plan.target).memoryView) == "chains";
        shown_.state =
            hasChains ? tr("Changes to a whole plan are tried beside the L1 chains (Plan).") : searchResult({});
    } else if (controller_.document()->isStale()) {
        // Only what belongs to the inputs on screen can be tried: a stale plan is about to be replaced.
        shown_.state = tr("The plan is older than its inputs: recompile, then changes are tried.");
    } else if (found_ && found_->plan == controller_.hub().plan() && found_->refused == *refused_) {
        shown_.fixAllText = fixAllText();
        return showReport(found_->report);
    } else if (plan.ops.size() > kAutomaticOps) {
        shown_.state = tr("Changes are tried when asked for: the graph is large.");
        shown_.searchText = tr("Try changes");
    } else {
        shown_.state = tr("Trying changes...");
        wait_.start();
    }
    shown_.fixAllText = fixAllText();
    show();
}

QString FixController::fixAllText() const {
    if (advice::candidateChanges(*controller_.hub().plan(), *refused_).empty()) return {};
    const auto all = advice::buffersRefusedAs(*controller_.hub().plan(), shown_.code.toStdString());
    const bool isHopeless = found_ && found_->plan == controller_.hub().plan() && found_->refused == *refused_ &&
                            found_->report.fixes.empty();
    return fixAllOffer(all.size(), isHopeless);
}

void FixController::show() {
    workspace_.problems()->refusalPane()->show(shown_);
    workspace_.inspectorView()->setFixes(shown_.fixes, shown_.state);
}

void FixController::startSearch() {
    const Document* document = controller_.document();
    const PlanPtr plan = controller_.hub().plan();
    if (document == nullptr || !plan || !refused_ || document->isStale()) return;
    shown_.searchText = tr("Stop");
    workspace_.problems()->refusalPane()->show(shown_);
    search_.start(tr("Trying changes"),
                  [this, request = document->request(), plan,
                   refused = *refused_](const RunControl& control) -> BackgroundTask::Finish {
                      auto report = advice::findFixes(request, *plan, refused, {}, control);
                      if (!report) return {};
                      auto found = std::make_shared<advice::FixReport>(std::move(report).value());
                      return [this, plan, found] { searchEnded(plan, std::move(*found)); };
                  });
}

void FixController::searchEnded(const PlanPtr& plan, advice::FixReport report) {
    if (controller_.hub().plan() != plan || !refused_) return;
    found_ = Found{plan, *refused_, std::move(report)};
    showReport(found_->report);
}

void FixController::showReport(advice::FixReport report) {
    const PlanPtr plan = controller_.hub().plan();
    shown_.searchText.clear();
    shown_.state = searchResult(report);
    shown_.fixAllText = fixAllText();
    shown_.fixes.clear();
    changes_.clear();
    for (const advice::Fix& fix : report.fixes) {
        shown_.fixes.push_back(fixCard(fix, *plan));
        if (switchesOffFileHint(fix.change)) shown_.fixes.back().text += u' ' + takenOverText();
        changes_.push_back(fix.change);
    }
    show();
}

void FixController::searchClicked() {
    if (!search_.isRunning() && !fixing_.isRunning()) {
        shown_.state = tr("Trying changes...");
        return startSearch();
    }
    search_.cancel();
    fixing_.cancel();
}

void FixController::showStopped() {
    // Not where the search ended for another reason: then the pane shows what comes next already.
    if (!refused_ || shown_.searchText.isEmpty()) return;
    shown_.searchText = tr("Try changes");
    shown_.state = tr("Stopped.");
    show();
}

void FixController::showProgress(const QString& verb, double done, double total) {
    const QString text = tr("%1 %2 of %3...").arg(verb).arg(std::min(done + 1, total), 0, 'f', 0).arg(total, 0, 'f', 0);
    workspace_.problems()->refusalPane()->setState(text);
}

// ---- carrying changes out --------------------------------------------------------------------------------

QString FixController::takenOverText() {
    return tr("The hint stands in the graph file: it and the hints after it are taken over into your list.");
}

bool FixController::switchesOffFileHint(const advice::Change& change) const {
    const Document* document = controller_.document();
    const std::size_t fixed = document == nullptr ? 0 : document->graphHints().size();
    return std::ranges::any_of(change.hintsOff, [fixed](std::size_t i) { return i < fixed; });
}

/// Why changes cannot be tried: what is on screen is no plan of the document. Empty: it is.
QString FixController::otherOnScreen() const {
    const Document* document = controller_.document();
    if (document == nullptr) return {};
    const PlanPtr& shown = controller_.hub().plan();
    if (document->isOfFailure(shown))
        return tr("This is the memory as it stood at the failure. Changes are tried on a plan.");
    const PlanEntry* current = document->current();
    if (current == nullptr || current->plan == shown) return {};
    if (document->shown().kind == ShownPlan::Kind::Compared)
        return tr("Another plan is on screen to be compared: end the comparison, then changes are tried.");
    return tr("A what-if plan is on screen: leave it (Esc), then changes are tried.");
}

void FixController::applyCard(int index) {
    if (index < 0 || index >= static_cast<int>(changes_.size())) return;
    // The list is cleared while the change is carried out.
    const advice::Change change = changes_[static_cast<std::size_t>(index)];
    apply(change, shown_.fixes[static_cast<std::size_t>(index)].title);
}

/// With just the inputs that the card's button would make: applied, the plan is there already.
void FixController::previewCard(int index) {
    const Document* document = controller_.document();
    if (document == nullptr || index < 0 || index >= static_cast<int>(changes_.size())) return;
    const advice::Change change = changes_[static_cast<std::size_t>(index)];
    const QString title = shown_.fixes[static_cast<std::size_t>(index)].title;
    CompileRequest request = document->request();
    request.hints = hintsInForce(document->fileHints(), listsAfter(change));
    for (const auto& [key, value] : change.settings)
        (void)request.settings.set(key, value);  // values of the table's own range
    emit previewRequested(request, title, [this, change, title] { apply(change, title); });
}

/// The lists of hints with the change carried out. One of the graph file is taken over to be switched off, with those
/// behind it, as the order counts.
HintLists FixController::listsAfter(const advice::Change& change) const {
    const Document* document = controller_.document();
    std::size_t fixed = document->graphHints().size();
    for (const std::size_t i : change.hintsOff)
        fixed = std::min(fixed, i);
    HintLists lists = withTakenOver(document->hintLists(), document->graphHints(), fixed);
    for (const std::size_t i : change.hintsOff)
        if (i - fixed < lists.own.size()) lists.own[i - fixed].enabled = false;
    for (const Hint& hint : change.hints) {
        const auto there = std::ranges::find_if(lists.own, [&](const Hint& h) {
            return h.enabled && h.target == hint.target && h.scopes == hint.scopes && h.key == hint.key;
        });
        if (there == lists.own.end())
            lists.own.push_back(hint);
        else
            there->value = hint.value;
    }
    return lists;
}

/// One step of the undo history, whatever it is made of.
void FixController::apply(const advice::Change& change, const QString& title) {
    Document* document = controller_.document();
    if (document == nullptr) return;
    document->closeEdit();
    document->undoStack().beginMacro(title);
    const bool takesOver = switchesOffFileHint(change);
    document->setHintLists(title, listsAfter(change));
    for (const auto& [key, value] : change.settings)
        document->changeSetting(fromStd(key), fromStd(value));
    document->undoStack().endMacro();
    const QString applied = tr("Applied: %1").arg(title);
    services_.message(takesOver ? applied + QStringLiteral(". ") + takenOverText() : applied);
}

std::optional<BufferId> FixController::refusalOf(int problem) const {
    const PlanPtr& plan = controller_.hub().plan();
    if (!plan || problem < 0 || problem >= static_cast<int>(plan->problems.size())) return std::nullopt;
    const auto& buffers = plan->problems[static_cast<std::size_t>(problem)].buffers;
    const auto refused = std::ranges::find_if(buffers, [&](BufferId b) { return plan->buffer(b).reason.has_value(); });
    return refused == buffers.end() ? std::nullopt : std::optional(*refused);
}

bool FixController::isFixable(int problem) const {
    const Document* document = controller_.document();
    if (document == nullptr || !document->isPlanned()) return false;
    const auto refused = refusalOf(problem);
    return refused && !advice::candidateChanges(*controller_.hub().plan(), *refused).empty();
}

void FixController::fix(int problem) {
    const Document* document = controller_.document();
    const PlanPtr plan = controller_.hub().plan();
    const auto refused = refusalOf(problem);
    if (document == nullptr || !plan || !refused) return services_.message(tr("No change is known that would help."));
    if (document->isStale()) return services_.message(tr("The plan is older than its inputs: recompile first."));
    fixing_.start(tr("Trying changes"),
                  [this, request = document->request(), plan,
                   id = *refused](const RunControl& control) -> BackgroundTask::Finish {
                      advice::FixOptions options;
                      options.enough = 1;
                      auto found = advice::findFixes(request, *plan, id, options, control);
                      if (!found) return {};
                      auto report = std::make_shared<advice::FixReport>(std::move(found).value());
                      return [this, plan, report] {
                          if (controller_.hub().plan() != plan) return;
                          std::erase_if(report->fixes, [](const advice::Fix& c) { return !c.pays(); });
                          if (report->fixes.empty()) return services_.message(searchResult(*report));
                          const advice::Change& change = report->fixes.front().change;
                          apply(change, changeTitle(change, plan->target));
                      };
                  });
}

void FixController::fixAll(const QString& code) {
    const Document* document = controller_.document();
    const PlanPtr plan = controller_.hub().plan();
    if (document == nullptr || !plan || code.isEmpty()) return;
    if (document->isStale()) return services_.message(tr("The plan is older than its inputs: recompile first."));
    search_.cancel();
    wait_.stop();
    if (refused_) {
        shown_.searchText = tr("Stop");
        shown_.state = tr("Looking for a change for every buffer with %1...").arg(code);
        show();
    }
    fixing_.start(
        tr("Fixing %1").arg(code),
        [this, request = document->request(), plan, code](const RunControl& control) -> BackgroundTask::Finish {
            auto found = advice::fixAll(request, plan, code.toStdString(), {}, control);
            if (!found) return {};
            auto report = std::make_shared<advice::FixAllReport>(std::move(found).value());
            return [this, plan, report, code] {
                if (controller_.hub().plan() != plan) return;
                const QString result = fixAllResult(*report, code);
                shown_.searchText.clear();
                shown_.state = result;
                if (refused_) show();
                if (report->fixed > 0)
                    apply(report->change,
                          tr("Fix %1 of %2").arg(ui::plural(report->fixed, tr("buffer"), tr("buffers")), code));
                services_.message(result);
            };
        });
}

}  // namespace memplan::app
