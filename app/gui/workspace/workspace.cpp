// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/workspace.h"

#include "app/gui/targets/targets.h"
#include "app/gui/workspace/inspector_sections.h"
#include "app/gui/workspace/tab_scope.h"
#include "app/gui/workspace/table_filter.h"
#include "app/gui/workspace/view_info.h"
#include "widgets/canvas/pane/dock_title_bar.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/models/row_scope.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/models/table_text.h"
#include "widgets/tools/hints/hints_view.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/inspector/inspector_view.h"
#include "widgets/views/passes/passes_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

constexpr int kHalf = 50;  ///< percent

template <class Model>
Workspace::Table makeTable(DockId dock, ui::SelectionHub* hub, const QString& name, int stretch, Workspace* parent) {
    auto* model = new Model(parent);
    model->follow(hub);
    QObject::connect(parent, &Workspace::unitsChanged, model, &ui::PlanTableModel::setUnits);
    const auto [box, table] = makePlanTable(model, hub, name, stretch, parent);
    const auto count = [hub, model] { return hub->plan() ? model->rowCount() : 0; };
    return {dock, box, table, count};
}

}  // namespace

struct Workspace::Parts {
    struct Made : MadeView {
        const ViewInfo* info = nullptr;
        QWidget* box = nullptr;  ///< page and title of a memory map
    };
    ui::SelectionHub* hub = nullptr;
    QSplitter* split = nullptr;
    QTabWidget* tabs = nullptr;
    QWidget* beside = nullptr;  ///< a view of another plan among the tabs
    QWidget* memory = nullptr;  ///< the memory maps with their titles; one of them is shown
    bool isMemoryWide = false;  ///< the map that is shown wants the room of both halves
    std::vector<Made> made;     ///< in the order of the table
    ui::GraphPane* graph = nullptr;
    ui::CoreGridView* cores = nullptr;
    ui::ViewPane* map = nullptr;  ///< the memory map that is shown
    ui::InspectorView* inspector = nullptr;
    ui::PassesView* passes = nullptr;
    ui::GraphicView* last = nullptr;  ///< focused last
    bool isFolding = false;
    QWidget* besideMemory = nullptr;  ///< in front of the tabs before the memory map became one of them
    int percentBeside = 36;           ///< the share of the tabs that the user or the arrangement gave them

    [[nodiscard]] const Made* find(const QString& key) const {
        const auto at = std::ranges::find_if(made, [&key](const Made& m) { return keyOf(*m.info) == key; });
        return at == made.end() ? nullptr : &*at;
    }
};

Workspace::Workspace(ui::SelectionHub* hub, QWidget* parent) : QWidget(parent), parts_(std::make_unique<Parts>()) {
    setObjectName(QStringLiteral("workspace"));
    Parts& p = *parts_;
    p.hub = hub;
    p.split = new QSplitter(Qt::Horizontal, this);
    p.tabs = new QTabWidget(p.split);
    p.tabs->setDocumentMode(true);
    p.tabs->setAccessibleName(tr("Graph and core grid"));
    p.memory = new QWidget(p.split);
    makeViews(hub);
    p.split->addWidget(p.tabs);
    p.split->addWidget(p.memory);
    p.split->setStretchFactor(0, 9);
    p.split->setStretchFactor(1, 16);
    p.split->setChildrenCollapsible(false);
    connect(p.split, &QSplitter::splitterMoved, this, [&p] {
        const QList<int> sizes = p.split->sizes();
        p.percentBeside = qRound(100.0 * sizes[0] / std::max(1, sizes[0] + sizes[1]));
    });
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(0, 0, 0, 0);
    box->addWidget(p.split);
    p.inspector = new ui::InspectorView(hub, this);
    rememberSections(p.inspector);
    p.last = p.map->view();
    connect(hub, &ui::SelectionHub::planChanged, this, &Workspace::fitMemoryMap);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { noteFocus(now); });
    connect(hub, &ui::SelectionHub::inspectRequested, this, &Workspace::inspectRequested);
    connect(hub, &ui::SelectionHub::showRequested, this, [this](ui::ItemId id, const QString& key) {
        showView(key);
        if (ui::GraphicView* v = view(key)) v->fitItem(id);
    });

    problems_ = new ui::ProblemsView(hub, this);
    hints_ = new ui::HintsView(hub, this);
    p.passes = new ui::PassesView(hub, this);
    connect(p.passes, &ui::PassesView::emptyAction, this, &Workspace::emptyAction);
    tables_ = {
        {DockId::Problems, problems_, nullptr, [this] { return problems_->model()->rowCount(); }},
        {DockId::Hints, hints_, hints_->table(), [this] { return hints_->count(); }},
        {DockId::Passes, p.passes, nullptr,
         [hub] { return hub->plan() ? static_cast<int>(hub->plan()->passes.size()) : 0; }},
        makeTable<ui::BufferModel>(DockId::Buffers, hub, QStringLiteral("bufferTable"), ui::BufferModel::Reason, this),
        makeTable<ui::OpModel>(DockId::Ops, hub, QStringLiteral("opTable"), ui::OpModel::Group, this),
    };
    connect(this, &Workspace::unitsChanged, problems_->model(), &ui::PlanTableModel::setUnits);
    addOwnPictures(hub);
    connect(hub, &ui::SelectionHub::planChanged, this, &Workspace::fitOpTable);
}

/// Columns about cores and main memory go with plans that have neither.
void Workspace::fitOpTable() {
    const PlanPtr& plan = parts_->hub->plan();
    const auto at = std::ranges::find(tables_, DockId::Ops, &Table::dock);
    auto* table = at == tables_.end() ? nullptr : at->widget->findChild<QTableView*>(QStringLiteral("opTable"));
    if (!plan || table == nullptr) return;
    const bool hasCores = app::isOffered(targetUi(plan->target), "cores");
    for (const int column :
         {ui::OpModel::Cores, ui::OpModel::Split, ui::OpModel::Read, ui::OpModel::Written, ui::OpModel::Span})
        table->setColumnHidden(column, !hasCores);
}

/// Every view of the table in its slot.
void Workspace::makeViews(ui::SelectionHub* hub) {
    Parts& p = *parts_;
    auto* column = new QVBoxLayout(p.memory);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    for (const ViewInfo& info : allViews()) {
        const bool isTab = info.slot == ViewSlot::Tab;
        const MadeView made = info.make(hub, isTab ? p.tabs : p.memory);
        p.made.push_back({made, &info});
        if (isTab) {
            p.tabs->addTab(made.page, ui::icon(QString::fromLatin1(info.icon)), titleOf(info));
        } else {
            auto* box = new QWidget(p.memory);
            auto* rows = new QVBoxLayout(box);
            rows->setContentsMargins(0, 0, 0, 0);
            rows->setSpacing(0);
            rows->addWidget(ui::makeViewTitle(made.pane, nullptr));
            rows->addWidget(made.page, 1);
            column->addWidget(box, 1);
            box->setVisible(p.map == nullptr);
            if (p.map == nullptr) p.map = made.pane;
            p.made.back().box = box;
        }
        connect(made.pane->view(), &ui::GraphicView::exportRequested, this, &Workspace::exportRequested);
        connect(made.pane->view(), &ui::GraphicView::emptyAction, this, &Workspace::emptyAction);
    }
    p.graph = qobject_cast<ui::GraphPane*>(p.find(QStringLiteral("graph"))->page);
    p.cores = qobject_cast<ui::CoreGridView*>(view(QStringLiteral("cores")));
    new TabScope(p.tabs, p.graph, p.graph->view());
}

Workspace::~Workspace() = default;

/// The memory map of the plan's target; without a plan the last one is kept.
void Workspace::fitMemoryMap() {
    Parts& p = *parts_;
    if (!p.hub->plan()) return;
    const TargetUi& target = targetUi(p.hub->plan()->target);
    const Parts::Made* wanted = p.find(QString::fromLatin1(target.memoryView));
    p.isMemoryWide = target.isMemoryWide;
    fitTabs();
    if (wanted != nullptr && wanted->pane != p.map) {
        const bool wasLast = p.last == p.map->view(), hadFocus = p.map->isAncestorOf(QApplication::focusWidget());
        for (const Parts::Made& made : p.made)
            if (made.box != nullptr) made.box->setVisible(made.pane == wanted->pane);
        p.map = wanted->pane;
        if (wasLast) p.last = p.map->view();
        if (hadFocus) p.map->view()->setFocus();
        if (isFolded()) nameMemoryTab();
    }
    fold();
}

void Workspace::nameMemoryTab() {
    const ViewInfo& info = *viewInfo(parts_->map->view()->viewKey());
    const int tab = parts_->tabs->indexOf(parts_->memory);
    parts_->tabs->setTabText(tab, titleOf(info));
    parts_->tabs->setTabIcon(tab, ui::icon(QString::fromLatin1(info.icon)));
}

/// The focus of the whole program is reported: a view of another document's window may be gone before this one.
void Workspace::noteFocus(QWidget* now) {
    if (auto* view = qobject_cast<ui::GraphicView*>(now); view != nullptr && isAncestorOf(view)) {
        parts_->last = view;
        focusedPicture_.clear();
    }
    for (const PicturedView& pictured : pictured_)
        if (now != nullptr && pictured.widget != nullptr && pictured.widget->isAncestorOf(now))
            focusedPicture_ = pictured.key;
}

void Workspace::setPlanName(const QString& name) {
    planName_ = name;
    for (ui::GraphicView* view : views())
        view->setPlanName(name);
    parts_->passes->setPlanName(name);
}

void Workspace::setAbsence(const std::optional<ui::EmptyText>& why, bool isLoading) {
    const std::optional<ui::EmptyText> plain = isLoading ? ui::EmptyText() : why;
    for (ui::GraphicView* view : views())
        view->setAbsence(view == parts_->map->view() ? why : plain);
    parts_->passes->setAbsence(plain);
}

void Workspace::setUnits(const ui::Units& units) {
    for (ui::GraphicView* view : views())
        view->setUnits(units);
    parts_->inspector->setUnits(units);
    hints()->setUnits(units);
    emit unitsChanged(units);
}

void Workspace::setMeasured(std::optional<ui::MeasuredComparison> measured) {
    parts_->inspector->setMeasured(std::move(measured));
}

void Workspace::showView(const QString& key) {
    const Parts::Made* made = parts_->find(key);
    if (made == nullptr) return;
    QWidget* page = made->info->slot == ViewSlot::Memory ? parts_->memory : made->page;
    if (parts_->tabs->indexOf(page) >= 0) parts_->tabs->setCurrentWidget(page);
}

// ---- side by side, or tabs -----------------------------------------------------------------------------------

bool Workspace::isFolded() const {
    return parts_->tabs->indexOf(parts_->memory) >= 0;
}

bool Workspace::wantsTabs() const {
    constexpr int kLeastForTwo = 520;  // px at 100 %
    if (!hasOps_ || isMaximised_ || parts_->beside != nullptr) return false;
    if (arrangement_ == Arrangement::MemoryOnly || arrangement_ == Arrangement::Hidden) return false;
    if (split_ == Split::Tabs) return true;
    if (parts_->isMemoryWide && split_ == Split::SideBySide) return true;
    return split_ == Split::SideBySide && width() < ui::themeOf(this).px(kLeastForTwo);
}

/// The memory map has one place at a time: what moving it makes others lay out may ask again before it has arrived.
void Workspace::fold() {
    if (parts_->isFolding || wantsTabs() == isFolded()) return;
    const QScopedValueRollback<bool> guard(parts_->isFolding, true);
    setFolded(wantsTabs());
}

void Workspace::setFolded(bool on) {
    Parts& p = *parts_;
    const bool hadFocus = p.memory->isAncestorOf(QApplication::focusWidget());
    if (on) {
        p.besideMemory = p.tabs->currentWidget();
        p.tabs->addTab(p.memory, QString());
        nameMemoryTab();
        // Where one picture must do, it is the memory map; Review opens with the cores. A user who wants tabs keeps
        // what has the keyboard in front.
        const bool isWanted = split_ != Split::Tabs || p.last == p.map->view();
        if (arrangement_ == Arrangement::Both && isWanted) p.tabs->setCurrentWidget(p.memory);
    } else {
        const bool wasInFront = p.tabs->currentWidget() == p.memory;
        p.tabs->removeTab(p.tabs->indexOf(p.memory));
        if (wasInFront) p.tabs->setCurrentWidget(p.besideMemory);
        p.split->addWidget(p.memory);
        p.memory->show();
        p.split->setStretchFactor(1, 16);
        setSizes(p.percentBeside);
    }
    if (hadFocus && p.memory->isVisible()) p.map->view()->setFocus();
}

void Workspace::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fold();
    if (parts_->percentBeside == kHalf) setSizes(kHalf);  // the split itself gives more new room to the second
}

void Workspace::setHasOps(bool on) {
    hasOps_ = on;
    fold();
    fitTabs();
}

/// False for a view that the plan's target has nothing for.
bool Workspace::hasSense(const QWidget* page) const {
    const auto at = std::ranges::find(parts_->made, page, &Parts::Made::page);
    if (at == parts_->made.end() || !parts_->hub->plan()) return true;
    return app::isOffered(targetUi(parts_->hub->plan()->target), at->info->key);
}

/// Without operations there is nothing beside the memory map but another one.
void Workspace::fitTabs() {
    QTabWidget& tabs = *parts_->tabs;
    const bool hasAny = hasOps_ || parts_->beside != nullptr;
    for (int i = 0; i < tabs.count(); ++i)
        tabs.setTabVisible(i, tabs.widget(i) == parts_->beside || (hasOps_ && hasSense(tabs.widget(i))));
    tabs.setVisible(hasAny && arrangement_ != Arrangement::MemoryOnly);
}

void Workspace::showBeside(QWidget* pane, const QString& title) {
    if (parts_->beside != nullptr) parts_->tabs->removeTab(parts_->tabs->indexOf(parts_->beside));
    parts_->beside = pane;
    fold();
    if (pane == nullptr) return fitTabs();
    parts_->tabs->addTab(pane, ui::icon(QString::fromLatin1(parts_->find(parts_->map->view()->viewKey())->info->icon)),
                         title);
    parts_->tabs->setCurrentWidget(pane);
    fitTabs();
}

void Workspace::setHalves() {
    setSizes(kHalf);
    // What was hidden just now asks for its room until the layouts have heard of it.
    QTimer::singleShot(0, this, [this] {
        if (parts_->percentBeside == kHalf) setSizes(kHalf);
    });
}

void Workspace::setSizes(int percentOfFirst) {
    parts_->percentBeside = percentOfFirst;
    const bool isStacked = parts_->split->orientation() == Qt::Vertical;
    const int all = qMax(isStacked ? height() : width(), 400);
    parts_->split->setSizes({all * percentOfFirst / 100, all * (100 - percentOfFirst) / 100});
}

ui::GraphPane* Workspace::graphPane() const {
    return parts_->graph;
}

ui::CoreGridView* Workspace::coreGrid() const {
    return parts_->cores;
}

QString Workspace::shownTab() const {
    QWidget* shown = parts_->tabs->currentWidget();
    if (isFolded() && shown == parts_->memory) return parts_->map->view()->viewKey();
    const auto at = std::ranges::find(parts_->made, shown, &Parts::Made::page);
    return at == parts_->made.end() ? parts_->graph->view()->viewKey() : at->pane->view()->viewKey();
}

void Workspace::resetSizes() {
    setSizes(parts_->split->orientation() == Qt::Vertical ? 45 : 36);
}

void Workspace::setMetricsShown(bool on) {
    pane(QStringLiteral("gantt"))->setSideShown(on);
}

bool Workspace::showsMetrics() const {
    return pane(QStringLiteral("gantt"))->showsSide();
}

bool Workspace::canSplit(Split split) const {
    const bool hasTwo = hasOps_ || parts_->beside != nullptr;
    if (!hasTwo || isMaximised_ || arrangement_ == Arrangement::Hidden) return false;
    return split != Split::Tabs || parts_->beside == nullptr;
}

void Workspace::setSplit(Split split) {
    if (!canSplit(split)) return;
    if (arrangement_ == Arrangement::MemoryOnly) return arrange(Centre{Arrangement::Both, split});
    split_ = split;
    parts_->split->setOrientation(split == Split::Stacked ? Qt::Vertical : Qt::Horizontal);
    fold();
    resetSizes();
}

void Workspace::arrange(Arrangement arrangement) {
    const bool isReview = arrangement == Arrangement::CoresAndMemory;
    arrange(Centre{arrangement, isReview ? Split::Tabs : Split::SideBySide});
}

void Workspace::arrange(const Centre& centre) {
    const Arrangement arrangement = centre.arrangement;
    const QPointer<QWidget> focused = QApplication::focusWidget();
    const bool hadFocus = focused != nullptr && isAncestorOf(focused);
    arrangement_ = arrangement;
    split_ = centre.split;
    isMaximised_ = false;
    parts_->split->setOrientation(split_ == Split::Stacked ? Qt::Vertical : Qt::Horizontal);
    if (arrangement == Arrangement::Both) showView(QStringLiteral("graph"));
    fold();
    fitTabs();
    const bool hasCores = hasSense(parts_->find(QStringLiteral("cores"))->page);
    if (arrangement == Arrangement::CoresAndMemory)
        showView(hasCores ? QStringLiteral("cores") : parts_->map->view()->viewKey());
    if (isFolded() && arrangement == Arrangement::Both) showView(parts_->map->view()->viewKey());
    if (!isFolded()) parts_->memory->show();
    // The keyboard stays with its view, else with the pictures: a hidden view would hand it to the next widget.
    const std::vector<QWidget*> shown = visiblePanes();
    if (!hadFocus || shown.empty()) return;
    QWidget* next = focused != nullptr && focused->isVisible() ? focused.data() : shown.back();
    next->setFocus();
}

void Workspace::maximise(const ui::GraphicView* view) {
    const bool left = view != nullptr && parts_->tabs->isAncestorOf(view) && !parts_->memory->isAncestorOf(view);
    isMaximised_ = true;
    fold();
    parts_->tabs->setVisible(left);
    parts_->memory->setVisible(!left);
}

std::vector<QWidget*> Workspace::visiblePanes() const {
    std::vector<QWidget*> panes;
    for (const Parts::Made& made : parts_->made)
        if (made.pane->isVisible()) panes.push_back(made.pane);
    return panes;
}

std::vector<ui::GraphicView*> Workspace::views() const {
    std::vector<ui::GraphicView*> list;
    for (const Parts::Made& made : parts_->made)
        list.push_back(made.pane->view());
    return list;
}

bool Workspace::isOffered(const ui::GraphicView* view) const {
    const Parts::Made* made = parts_->find(view->viewKey());
    return made != nullptr && (made->box == nullptr ? hasSense(made->page) : made->pane == parts_->map);
}

ui::ViewPane* Workspace::pane(const QString& key) const {
    const Parts::Made* made = parts_->find(key);
    return made == nullptr ? nullptr : made->pane;
}

QWidget* Workspace::inspector() const {
    return parts_->inspector;
}

ui::PassesView* Workspace::passes() const {
    return parts_->passes;
}

ui::InspectorView* Workspace::inspectorView() const {
    return parts_->inspector;
}

ui::GraphicView* Workspace::focusedView() const {
    if (parts_->last->isVisible() || !isVisible()) return parts_->last;
    for (ui::GraphicView* view : views())
        if (view->isVisible()) return view;
    return parts_->last;
}

ui::GraphicView* Workspace::view(const QString& key) const {
    const ui::ViewPane* found = pane(key);
    return found == nullptr ? nullptr : found->view();
}

QStringList Workspace::viewKeys() {
    QStringList keys;
    for (const ViewInfo& info : allViews())
        keys << keyOf(info);
    return keys;
}

QByteArray Workspace::tableCsv(const ui::GraphicView* view) const {
    const ui::ViewPane* found = view == nullptr ? nullptr : pane(view->viewKey());
    return found == nullptr || found->view() != view ? QByteArray() : found->tableCsv();
}

bool Workspace::isSettled() const {
    return std::ranges::all_of(views(), [](const ui::GraphicView* view) { return view->isSettled(); });
}

}  // namespace memplan::app
