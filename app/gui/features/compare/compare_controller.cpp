// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/features/compare/compare_controller.h"

#include "app/gui/features/compare/compare_pair.h"
#include "app/gui/targets/targets.h"
#include "app/gui/workspace/window_services.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/tools/compare/changes_view.h"
#include "widgets/tools/compare/compare_header.h"
#include "widgets/views/chains/chain_view.h"
#include "widgets/views/gantt/gantt_pane.h"
#include "widgets/views/gantt/look/gantt_overlay.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/graph/graph_view.h"
#include "widgets/views/residual/residual_view.h"

#include <QScopedValueRollback>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace memplan::app {

using Form = ui::CompareHeader::Form;

namespace {

constexpr std::size_t kAtOnce = 5000;  ///< buffers that are compared without a worker

ui::ComparedPtr compared(const PlanPtr& a, const QString& nameA, const PlanPtr& b, const QString& nameB) {
    auto c = std::make_shared<ui::Compared>();
    c->a = a;
    c->b = b;
    c->nameA = nameA;
    c->nameB = nameB;
    c->result = compare::comparePlans(*a, *b);
    return c;
}

ui::ItemId partnerOf(const compare::PlanMatch& match, ui::ItemId id, bool fromA) {
    const auto at = static_cast<std::size_t>(id.index);
    const auto pick = [at](const auto& list) { return at < list.size() ? list[at].index : -1; };
    if (id.kind == ui::ItemKind::Buffer) return {id.kind, pick(fromA ? match.buffers.inB : match.buffers.inA)};
    if (id.kind == ui::ItemKind::Op) return {id.kind, pick(fromA ? match.ops.inB : match.ops.inA)};
    return {id.kind, -1};
}

}  // namespace

CompareController::CompareController(DocumentController& controller, WindowServices& services, QWidget* page,
                                     QObject* parent)
    : QObject(parent), controller_(controller), services_(services), workspace_(services.views()),
      pair_(new ComparePair(controller, services, this)), header_(new ui::CompareHeader(page)),
      changes_(new ui::ChangesView(&controller.hub(), page)) {
    services_.showTask(task_);
    header_->hide();
    if (auto* column = qobject_cast<QVBoxLayout*>(page->layout()))
        column->insertWidget(column->indexOf(&workspace_), header_);
    connect(header_, &ui::CompareHeader::closeRequested, this, [this] { setOn(false); });
    connect(header_, &ui::CompareHeader::swapRequested, pair_, &ComparePair::swap);
    connect(header_, &ui::CompareHeader::formChanged, this, &CompareController::applyForm);
    connect(header_, &ui::CompareHeader::baselineChosen, pair_, &ComparePair::chooseA);
    connect(header_, &ui::CompareHeader::planChosen, pair_, &ComparePair::setB);
    connect(changes_, &ui::ChangesView::compareRequested, this, [this] { setOn(true); });
    const auto save = [this](const Result<void>& written) {
        if (!written) header_->setNotice(ui::fromStd(written.error().primary().message));
    };
    connect(changes_, &ui::ChangesView::csvRequested, this, [this, save] {
        if (compared_) save(saveChanges(*compared_, controller_.document()->name(), services_));
    });
    connect(changes_, &ui::ChangesView::pagesRequested, this, [this, save] {
        if (compared_) save(savePages(shown(), controller_.document()->name(), services_));
    });
    connect(pair_, &ComparePair::changed, this, &CompareController::refresh);
    connect(pair_, &ComparePair::chosen, this, [this] { isOn_ ? refresh() : setOn(true); });
    connect(pair_, &ComparePair::failed, this, [this](const QString& words) {
        setOn(true);
        header_->setNotice(words);
    });
    workspace_.addPictured(pictured());
    connect(&controller_, &DocumentController::documentOpened, this, [this] {
        forget();
        Document* document = controller_.document();
        connect(document, &Document::plansChanged, this, [this] {
            if (isOn_) fillLists();
        });
        connect(document, &Document::modifiedChanged, this, [this] {
            if (isOn_) fillLists();
        });
    });
    connect(&controller_, &DocumentController::documentClosed, this, &CompareController::forget);
}

// A pane that never stood in the window has no parent to delete it.
CompareController::~CompareController() {
    if (paneOfA_ && paneOfA_->parent() == nullptr) delete paneOfA_;
}

bool CompareController::showsChains() const {
    return compared_ && std::string_view(targetUi(compared_->b->target).memoryView) == "chains";
}

ui::ChainView* CompareController::chainsOfB() const {
    return qobject_cast<ui::ChainView*>(workspace_.view(QStringLiteral("chains")));
}

ui::GanttView* CompareController::ganttOfB() const {
    return qobject_cast<ui::GanttView*>(workspace_.view(QStringLiteral("gantt")));
}

ui::GanttView* CompareController::ganttOfA() const {
    const auto gantt = mapsOfA_.find(QStringLiteral("gantt"));
    return paneOfA_ && gantt != mapsOfA_.end() ? qobject_cast<ui::GanttView*>(gantt->second.pane->view()) : nullptr;
}

ui::GraphicView* CompareController::mapOfB() const {
    if (!compared_) return ganttOfB();
    return workspace_.view(QString::fromLatin1(targetUi(compared_->b->target).memoryView));
}

void CompareController::setOn(bool on) {
    if (on == isOn_ || (on && controller_.document() == nullptr)) return;
    if (!on) {
        end();
        return pair_->giveBack();
    }
    pair_->pick();
    isOn_ = true;
    centreBefore_ = workspace_.centre();
    split_ = Workspace::Split::SideBySide;
    if (!paneOfA_) buildPaneOfA();
    header_->show();
    refresh();
    emit onChanged(true);
}

void CompareController::end() {
    if (!isOn_) return;
    isOn_ = false;
    task_.cancel();
    leaveForms();
    header_->hide();
    compared_.reset();
    changes_->setComparison(nullptr);
    hubA_.setPlan(nullptr);
    emit onChanged(false);
}

void CompareController::forget() {
    end();
    pair_->forget();
    hubA_.setPlan(nullptr);
}

ShownComparison CompareController::shown() const {
    return {compared_, viewOfA_ == nullptr ? nullptr : viewOfA_->view(), mapOfB(), header_->form() == Form::SideBySide};
}

PicturedView CompareController::pictured() {
    PicturedView view;
    view.key = QStringLiteral("compare");
    view.title = tr("Comparison");
    view.widget = changes_;
    view.hasMarks = true;  // in its maps
    view.isThere = [this] { return compared_ != nullptr; };
    view.picture = [this](const ui::RenderOptions& render) { return comparisonPicture(shown(), render); };
    view.csv = [this] { return QByteArray::fromStdString(compare::changesCsv(compared_->result)); };
    view.looksAsOpened = [this] { return looksAsOpened(shown(), controller_); };
    return view;
}

void CompareController::keepSplit(Workspace::Split split) {
    if (!isOn_) return;
    split_ = centreBefore_.split = split;
    if (centreBefore_.arrangement == Workspace::Arrangement::MemoryOnly)
        centreBefore_.arrangement = Workspace::Arrangement::Both;
}

void CompareController::rearrange() {
    if (!isOn_) return;
    centreBefore_ = workspace_.centre();
    applyForm();
}

/// The memory map of A with its own selection; it is linked to that of B in zoom, cursor and selection.
void CompareController::buildPaneOfA() {
    paneOfA_ = new QWidget;
    auto* column = new QVBoxLayout(paneOfA_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    viewOfA_ = ui::makeGanttPane(&hubA_, paneOfA_);
    viewOfA_->setObjectName(QStringLiteral("ganttPaneOfA"));
    column->addWidget(viewOfA_, 1);
    mapsOfA_ = {{QStringLiteral("gantt"), {viewOfA_, viewOfA_}}};
    linkViews();
    emit viewMade(viewOfA_->view());
}

/// Made when a target first needs it.
void CompareController::showMapOfA(const QString& key) {
    const ViewInfo* info = viewInfo(key);
    if (info == nullptr || !paneOfA_) return;
    if (!mapsOfA_.contains(key)) {
        const MadeView made = info->make(&hubA_, paneOfA_);
        static_cast<QVBoxLayout*>(paneOfA_->layout())->addWidget(made.page, 1);
        made.pane->setSideShown(false);  // two pictures need the room
        mapsOfA_[key] = made;
        linkViewports(made.pane->view(), workspace_.view(key));
        emit viewMade(made.pane->view());
    }
    for (const auto& [other, made] : mapsOfA_)
        made.page->setVisible(other == key);
    viewOfA_ = mapsOfA_[key].pane;
}

void CompareController::linkViews() {
    linkViewports(viewOfA_->view(), ganttOfB());
    for (const ui::GanttView* view : {ganttOfA(), ganttOfB()})
        connect(view, &ui::GanttView::dataChanged, this, &CompareController::linkPeers);
    const auto cursor = [this](ui::SelectionHub* from, ui::SelectionHub* to) {
        connect(from, &ui::SelectionHub::timeCursorChanged, this, [this, from, to] {
            if (!isOn_ || isLinking_ || !hubA_.plan()) return;
            const QScopedValueRollback<bool> guard(isLinking_, true);
            to->setTimeCursor(from->timeCursor());
        });
    };
    cursor(&hubA_, &controller_.hub());
    cursor(&controller_.hub(), &hubA_);
    connect(&hubA_, &ui::SelectionHub::selectionChanged, this, [this] { carrySelection(true); });
    connect(&controller_.hub(), &ui::SelectionHub::selectionChanged, this, [this] { carrySelection(false); });
}

/// Maps over the same steps and the same memory show the same part of it.
void CompareController::linkViewports(ui::GraphicView* a, ui::GraphicView* b) {
    const auto follow = [this](ui::GraphicView* from, ui::GraphicView* to) {
        connect(from, &ui::GraphicView::viewportChanged, to, [this, from, to] {
            const ui::Viewport& x = from->viewport();
            const ui::Viewport& y = to->viewport();
            const bool alike = x.x.contentEnd == y.x.contentEnd && x.y.contentEnd == y.y.contentEnd;
            if (!isOn_ || isLinking_ || !alike || header_->form() != Form::SideBySide) return;
            const QScopedValueRollback<bool> guard(isLinking_, true);
            // What is seen whole is seen whole in the other too, where that has another size.
            to->setViewport({x.x.resized(y.x.length), x.y.resized(y.y.length)}, false);
        });
    };
    follow(a, b);
    follow(b, a);
}

void CompareController::carrySelection(bool fromA) {
    if (!isOn_ || isLinking_ || !compared_ || hubA_.plan() != compared_->a) return;
    const QScopedValueRollback<bool> guard(isLinking_, true);
    ui::SelectionHub& from = fromA ? hubA_ : controller_.hub();
    ui::SelectionHub& to = fromA ? controller_.hub() : hubA_;
    std::vector<ui::ItemId> items;
    for (const ui::ItemId id : from.selection())
        if (const ui::ItemId other = partnerOf(compared_->result.match, id, fromA); other.index >= 0)
            items.push_back(other);
    std::optional<ui::ItemId> primary;
    if (from.primary()) primary = partnerOf(compared_->result.match, *from.primary(), fromA);
    if (primary && primary->index < 0) primary.reset();
    to.setSelection(std::move(items), primary);
}

void CompareController::fillLists() {
    const Document* document = controller_.document();
    if (document == nullptr) return;
    QStringList names;
    for (const PlanEntry& entry : document->plans())
        names << entry.name;
    header_->setPlans(names, pair_->indexOfB());
    header_->setBaselines(pair_->choicesOfA(), pair_->chosenOfA());
}

void CompareController::refresh() {
    if (!isOn_ || controller_.document() == nullptr) return;
    if (!pair_->b().plan) return header_->setNotice(tr("Nothing is compiled yet."));
    if (!pair_->a().plan) pair_->pick();
    const ComparePair::Side a = pair_->a(), b = pair_->b();
    fillLists();
    if (!a.plan) {
        compared_.reset();
        changes_->setComparison(nullptr);
        return header_->setNotice(
            tr("There is one plan only. Compile with other settings or hints, or open a plan file as A."));
    }
    const std::size_t size = std::max(a.plan->buffers.size(), b.plan->buffers.size());
    if (size <= kAtOnce) return show(compared(a.plan, a.name, b.plan, b.name));
    header_->setNotice(tr("Comparing %1 buffers").arg(ui::groupedText(static_cast<qint64>(size))));
    task_.start(tr("comparing"), [this, a, b](const RunControl&) -> BackgroundTask::Finish {
        return [this, c = compared(a.plan, a.name, b.plan, b.name)] { show(c); };
    });
}

void CompareController::show(ui::ComparedPtr compared) {
    // A worker that was faster than the next choice is late.
    if (!isOn_ || compared->a != pair_->a().plan || compared->b != pair_->b().plan) return;
    compared_ = std::move(compared);
    header_->setComparison(compared_);
    changes_->setComparison(compared_);
    emit comparisonChanged(static_cast<int>(compared_->result.changes.size()));
    {
        const QScopedValueRollback<bool> guard(isLinking_, true);
        showMapOfA(QString::fromLatin1(targetUi(compared_->a->target).memoryView));
        hubA_.setPlan(compared_->a);
        viewOfA_->view()->setPlanName(compared_->nameA);
        hubA_.setTimeCursor(controller_.hub().timeCursor());
    }
    applyForm();
    carrySelection(false);
}

void CompareController::applyForm() {
    if (!isOn_ || !compared_) return;
    hideSide();
    auto overlay =
        std::make_shared<ui::GanttOverlay>(ui::ganttOverlay(*compared_->a, *compared_->b, compared_->result.match));
    overlay->otherName = compared_->nameA;
    overlay->difference = header_->form() == Form::Difference;
    ganttOfB()->setOverlay(overlay);
    linkStreams();
    linkChains();
    linkPeers();
    ui::OverlaySources sources;
    sources.other = compared_->a;
    sources.match = std::shared_ptr<const compare::PlanMatch>(compared_, &compared_->result.match);
    workspace_.graphPane()->setOverlaySources(sources);
    ui::GraphView* graph = workspace_.graphPane()->view();
    graph->setOverlay(ui::Overlay::Difference);
    std::vector<ui::ItemId> changed;
    for (const compare::Change& c : compared_->result.changes) {
        if (c.bufferB.isValid()) changed.push_back(ui::ItemId::of(c.bufferB));
        if (c.opB.isValid()) changed.push_back(ui::ItemId::of(c.opB));
    }
    graph->setMatches(changed.empty() ? std::nullopt : std::optional(std::move(changed)));
    arrangeForm();
}

/// Two pictures side by side need the room.
void CompareController::hideSide() {
    const QString key = QString::fromLatin1(targetUi(compared_->b->target).memoryView);
    ui::ViewPane* pane = key == u"gantt" ? nullptr : workspace_.pane(key);
    if (pane == nullptr || !pane->showsSide()) return;
    hidSideOf_ = key;
    pane->setSideShown(false);
}

/// Layers and columns of both at one scale; over the stack of B how full A was.
void CompareController::linkStreams() {
    auto* a = viewOfA_ == nullptr ? nullptr : qobject_cast<ui::ResidualView*>(viewOfA_->view());
    auto* b = qobject_cast<ui::ResidualView*>(mapOfB());
    if (b != nullptr) b->setPeer(a == nullptr ? nullptr : a->residualData(), ui::ResidualView::Peer::Line);
    if (a != nullptr) a->setPeer(b == nullptr ? nullptr : b->residualData(), ui::ResidualView::Peer::Scale);
}

/// Bytes of a core of both at one scale; the goals of B against those of A.
void CompareController::linkChains() {
    using Peer = ui::ChainView::Peer;
    if (ui::ChainView* b = chainsOfB()) b->setPeer(compared_->a, Peer::Baseline);
    auto* a = viewOfA_ == nullptr ? nullptr : qobject_cast<ui::ChainView*>(viewOfA_->view());
    if (a != nullptr) a->setPeer(compared_->b, Peer::Scale);
}

/// Where the perspective has no pictures none come back with the comparison.
void CompareController::arrangeForm() {
    if (centreBefore_.arrangement == Workspace::Arrangement::Hidden) return workspace_.showBeside(nullptr, {});
    switch (header_->form()) {
    case Form::SideBySide:
        workspace_.arrange(Workspace::Centre{Workspace::Arrangement::Both, split_});
        workspace_.showBeside(paneOfA_, tr("A: %1").arg(compared_->nameA));
        workspace_.setHalves();
        if (!showsChains()) mapOfB()->fitAll();  // chains stay where their words can be read
        mapOfB()->setFocus();                    // what had the keyboard may be behind the view of A now
        break;
    case Form::Overlay:
        workspace_.showBeside(nullptr, {});
        workspace_.arrange(Workspace::Arrangement::MemoryOnly);
        break;
    case Form::Difference:
        workspace_.showBeside(nullptr, {});
        workspace_.arrange(Workspace::Centre{Workspace::Arrangement::Both, split_});
        workspace_.resetSizes();
        break;
    }
}

/// A large map arrives later than its plan.
void CompareController::linkPeers() {
    if (!isOn_ || !compared_) return;
    ganttOfA()->setPeer(ganttOfB()->ganttData());
    ganttOfB()->setPeer(ganttOfA()->ganttData());
}

void CompareController::leaveForms() {
    workspace_.showBeside(nullptr, {});
    if (ui::ChainView* chains = chainsOfB()) chains->setPeer(nullptr, ui::ChainView::Peer::Scale);
    if (const QString key = std::exchange(hidSideOf_, {}); !key.isEmpty()) workspace_.pane(key)->setSideShown(true);
    if (ganttOfB() != nullptr) {
        ganttOfB()->setOverlay(nullptr);
        ganttOfB()->setPeer(nullptr);
    }
    if (auto* residual = qobject_cast<ui::ResidualView*>(workspace_.view(QStringLiteral("residual"))))
        residual->setPeer(nullptr, ui::ResidualView::Peer::Scale);
    ui::GraphView* graph = workspace_.graphPane()->view();
    graph->setMatches(std::nullopt);
    if (graph->overlay() == ui::Overlay::Difference) graph->setOverlay(ui::Overlay::Residency);
    workspace_.graphPane()->setOverlaySources({});
    workspace_.arrange(centreBefore_);
    workspace_.resetSizes();
}

}  // namespace memplan::app
