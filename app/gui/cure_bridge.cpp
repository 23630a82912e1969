// SPDX-License-Identifier: GPL-3.0-or-later
#include "cure_bridge.h"

#include "core/units.h"
#include "coregrid/split_cure.h"
#include "hints/hint_templates.h"
#include "hints/hints_view.h"
#include "inspector/inspector_view.h"
#include "problems/problems_view.h"
#include "workspace.h"

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {
constexpr int kWaitMs = 250;  ///< a selection that stays: arrow keys do not start a search at every item
}

CureBridge::CureBridge(DocumentController& controller, Workspace& workspace, QObject* parent)
    : QObject(parent), controller_(controller), workspace_(workspace) {
    wait_.setSingleShot(true);
    wait_.setInterval(kWaitMs);
    ui::SelectionHub& hub = controller_.hub();
    connect(&hub, &ui::SelectionHub::selectionChanged, this, &CureBridge::selectionChanged);
    connect(&controller_, &DocumentController::documentClosed, this, [this] {
        wait_.stop();
        inspectorSearch_.cancel();
        fixSearch_.cancel();
    });
    connect(&wait_, &QTimer::timeout, this, [this] {
        if (const auto refused = selectedRefusal()) show(*refused);
    });
    connect(workspace_.inspectorView(), &ui::InspectorView::cureApplied, this, [this](int index) {
        if (index >= 0 && index < static_cast<int>(shown_.size()))
            apply(CureAttempt(shown_[static_cast<std::size_t>(index)].attempt));
    });
    connect(workspace_.problems(), &ui::ProblemsView::fixRequested, this, &CureBridge::fix);
    connect(workspace_.problems(), &ui::ProblemsView::fixAllRequested, this, &CureBridge::fixAll);
}

std::optional<BufferId> CureBridge::selectedRefusal() const {
    const ui::SelectionHub& hub = controller_.hub();
    const auto primary = hub.primary();
    if (!primary || !hub.plan()) return std::nullopt;
    BufferId id{primary->kind == ui::ItemKind::Buffer ? primary->index : -1};
    if (primary->kind == ui::ItemKind::Op && hub.plan()->op(OpId{primary->index}).outputs.size() == 1)
        id = hub.plan()->op(OpId{primary->index}).outputs.front();
    if (!id.isValid() || !hub.plan()->buffer(id).reason) return std::nullopt;
    return id;
}

void CureBridge::selectionChanged() {
    wait_.stop();
    shown_.clear();
    inspectorSearch_.cancel();
    if (selectedRefusal()) wait_.start();
}

void CureBridge::show(BufferId refused) {
    const Document* document = controller_.document();
    const PlanPtr plan = controller_.hub().plan();
    // Only what belongs to the inputs on screen can be tried: a stale plan is about to be replaced.
    if (document == nullptr || !plan || document->isStale() || plan->ops.size() > kAutomaticOps) return;
    inspectorSearch_.search(document->request(), plan, refused, [this, plan](std::vector<TriedCure> cures, int tried) {
        if (tried == 0 || controller_.hub().plan() != plan) return;
        shown_ = std::move(cures);
        std::vector<ui::Cure> cards;
        for (const TriedCure& cure : shown_)
            cards.push_back(cureCard(cure, *plan));
        workspace_.inspectorView()->setCures(std::move(cards), tr("tried on a copy"));
    });
}

void CureBridge::apply(const CureAttempt& attempt) {
    Document* document = controller_.document();
    if (document == nullptr) return;
    if (!attempt.hints.empty()) workspace_.hints()->putHints(attempt.hints, attempt.title);
    if (!attempt.settingKey.isEmpty()) document->changeSetting(attempt.settingKey, attempt.settingValue);
}

/// Hints that make writers and readers of the problem's buffers cut alike; they need no trial to be known.
std::vector<Hint> CureBridge::mismatchHints(int problem, QString& title) const {
    const PlanPtr& plan = controller_.hub().plan();
    std::vector<Hint> hints;
    for (const BufferId buffer : plan->problems[static_cast<std::size_t>(problem)].buffers) {
        const auto pair = ui::splitPairOf(*plan, buffer);
        const auto cure = pair ? ui::splitCure(*plan, *pair) : std::nullopt;
        if (!cure) continue;
        if (title.isEmpty()) title = fromStd(cure->label);
        for (const Hint& hint : ui::splitHints(*plan, *cure))
            if (std::ranges::find(hints, hint) == hints.end()) hints.push_back(hint);
    }
    return hints;
}

void CureBridge::fix(int problem) {
    const Document* document = controller_.document();
    const PlanPtr plan = controller_.hub().plan();
    if (document == nullptr || !plan) return;
    QString title;
    const std::vector<Hint> hints = mismatchHints(problem, title);
    if (!hints.empty()) {
        if (!workspace_.hints()->putHints(hints, title)) emit message(tr("These hints are there already."));
        return;
    }
    const auto& buffers = plan->problems[static_cast<std::size_t>(problem)].buffers;
    if (buffers.empty()) return emit message(tr("No hint is known that would cure this."));
    emit message(tr("Trying cures..."));
    fixSearch_.search(document->request(), plan, buffers.front(),
                      [this, plan](const std::vector<TriedCure>& cures, int tried) {
                          if (controller_.hub().plan() != plan) return;
                          if (cures.empty())
                              return emit message(tried == 0 ? tr("No hint is known that would cure this.")
                                                             : tr("%1 cures tried, none helps.").arg(tried));
                          apply(cures.front().attempt);
                          emit message(tr("Applied: %1").arg(cures.front().attempt.title));
                      });
}

void CureBridge::fixAll(const QString& code) {
    const PlanPtr& plan = controller_.hub().plan();
    if (!plan) return;
    std::vector<Hint> hints;
    int first = -1, count = 0;
    for (std::size_t i = 0; i < plan->problems.size(); ++i) {
        if (plan->problems[i].code != code.toStdString()) continue;
        if (first < 0) first = static_cast<int>(i);
        ++count;
        QString title;
        for (const Hint& hint : mismatchHints(static_cast<int>(i), title))
            if (std::ranges::find(hints, hint) == hints.end()) hints.push_back(hint);
    }
    if (hints.empty()) {
        if (first >= 0) fix(first);
        return;
    }
    workspace_.hints()->putHints(hints, tr("Fix %1 of %2").arg(ui::plural(count, tr("problem"), tr("problems")), code));
}

}  // namespace memplan::app
