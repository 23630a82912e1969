// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/hints/hints_view.h"

#include "widgets/canvas/empty_block.h"
#include "widgets/canvas/pane/legend_bar.h"
#include "widgets/kit/controls/offer.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/hints/hint_text.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/tools/hints/editor/check_line.h"
#include "widgets/tools/hints/editor/hint_editor.h"
#include "widgets/tools/hints/hint_delegate.h"
#include "widgets/tools/hints/hint_templates.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

/// The form of a hint and its answer stay whole where the view is low: first the list gives its room, then the bar,
/// then the answer is cut to what is left (its tooltip has it all).
void makeRoom(QWidget& view, QWidget& table, const QWidget& editor, QWidget& line) {
    QWidget& bar = *view.layout()->itemAt(0)->widget();
    line.setMaximumHeight(QWIDGETSIZE_MAX);
    if (editor.isHidden()) {
        table.show();
        bar.show();
        return;
    }
    const Theme& theme = themeOf(&view);
    const int answer = line.isHidden() ? 0 : line.heightForWidth(view.width());
    const int left = view.height() - editor.sizeHint().height() - answer;
    const int forList = left - bar.sizeHint().height();
    table.setVisible(forList >= theme.px(48));  // the heads and a row
    bar.setVisible(forList >= 0);
    if (left < 0) line.setMaximumHeight(std::max(theme.px(26), answer + left));
}

}  // namespace

HintsView::HintsView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), model_(new HintModel(context_, this)), sorted_(new SortFilterModel(this)),
      table_(new QTableView(this)), editor_(new HintEditor(context_, this)), line_(new CheckLine(this)),
      empty_(new EmptyBlock(table_)) {
    setObjectName(QStringLiteral("hintsView"));
    setAccessibleName(tr("Hints"));
    setAcceptDrops(true);
    build();
    connect(model_, &HintModel::edited, this, &HintsView::edited);
    connect(hub_, &SelectionHub::planChanged, this, &HintsView::planReplaced);
    connect(hub_, &SelectionHub::selectionChanged, this, &HintsView::showSelection);
    connect(editor_, &HintEditor::committed, this, &HintsView::commit);
    connect(editor_, &HintEditor::cancelled, this, &HintsView::closeEditor);
    connect(editor_, &HintEditor::checked, this, [this] {
        line_->show(editor_->check());
        makeRoom(*this, *table_, *editor_, *line_);
    });
    planReplaced();
}

// ---- construction ----------------------------------------------------------------------------------------

QWidget* HintsView::buildBar() {
    auto* bar = new ViewBar(this);
    auto* line = new QHBoxLayout(bar);
    line->setContentsMargins(8, 0, 8, 1);
    line->setSpacing(6);
    auto* add = new QPushButton(icon(QStringLiteral("add")), tr("Add hint"), bar);
    add->setObjectName(QStringLiteral("hintAdd"));
    setScaledSize(add, -1, 24);
    add->setToolTip(tr("Add a hint for the selection (H)"));
    connect(add, &QPushButton::clicked, this, [this] { startHint(hub_->selection(), {}); });
    line->addWidget(add);
    auto* templates = new QPushButton(tr("Templates"), bar);
    templates->setObjectName(QStringLiteral("hintTemplates"));
    setScaledSize(templates, -1, 24);
    auto* menu = new QMenu(templates);
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillTemplates(*menu); });
    templates->setMenu(menu);
    line->addWidget(templates);
    line->addStretch(1);
    summary_ = new QLabel(bar);
    summary_->setForegroundRole(QPalette::PlaceholderText);
    line->addWidget(summary_);
    filter_ = new QLineEdit(bar);
    filter_->setPlaceholderText(tr("Filter"));
    filter_->setAccessibleName(tr("Filter hints"));
    filter_->setClearButtonEnabled(true);
    setScaledMaximumWidth(filter_, 150);
    setScaledSize(filter_, -1, 24);
    filter_->addAction(icon(QStringLiteral("filter")), QLineEdit::LeadingPosition);
    connect(filter_, &QLineEdit::textChanged, sorted_, &SortFilterModel::setTextFilter);
    connect(filter_, &QLineEdit::textChanged, this, [this] { refreshBar(); });
    line->addWidget(filter_);
    auto* more = new QToolButton(bar);
    more->setObjectName(QStringLiteral("hintMore"));
    more->setIcon(icon(QStringLiteral("more")));
    setScaledIconSize(more, 16);
    more->setAutoRaise(true);
    more->setToolTip(tr("Import, export, copy"));
    more->setAccessibleName(more->toolTip());
    more->setPopupMode(QToolButton::InstantPopup);
    auto* moreMenu = new QMenu(more);
    moreMenu->setToolTipsVisible(true);
    connect(moreMenu, &QMenu::aboutToShow, this, [this, moreMenu] { fillMore(*moreMenu); });
    more->setMenu(moreMenu);
    line->addWidget(more);
    return bar;
}

void HintsView::buildTable() {
    sorted_->setSourceModel(model_);
    table_->setModel(sorted_);
    table_->setObjectName(QStringLiteral("hintsTable"));
    table_->setAccessibleName(tr("Hints"));
    setUpTable(table_, HintModel::Reason);
    auto* delegate = new HintDelegate(context_, table_);
    table_->setItemDelegate(delegate);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    table_->setDragDropMode(QAbstractItemView::InternalMove);
    table_->setDragDropOverwriteMode(false);
    table_->setDropIndicatorShown(true);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->installEventFilter(this);
    connect(delegate, &HintDelegate::checked, line_, &CheckLine::show);
    connect(delegate, &QAbstractItemDelegate::closeEditor, this, [this] { refreshLine(); });
    connect(table_, &QTableView::customContextMenuRequested, this, &HintsView::openMenu);
    connect(table_, &QTableView::doubleClicked, this, [this](const QModelIndex& at) {
        if (at.column() != HintModel::Value && at.column() != HintModel::Comment && at.column() != HintModel::On)
            editCurrent();
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &HintsView::selectItems);
    connect(table_->horizontalHeader(), &QHeaderView::sortIndicatorChanged, this,
            [this](int column) { model_->setReorderable(column < 0); });
    // A third click on a head gives back the order that counts.
    table_->horizontalHeader()->setSortIndicatorClearable(true);
}

void HintsView::build() {
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(buildBar());
    column->addWidget(table_, 1);
    column->addWidget(editor_);
    column->addWidget(line_);
    column->addStretch(0);  // takes the rest when the list is hidden
    editor_->hide();
    line_->hide();
    setRefused({});
    connect(empty_, &EmptyBlock::triggered, this, [this] { startHint(hub_->selection(), {}); });
}

// ---- the document ----------------------------------------------------------------------------------------

void HintsView::setDocument(const TargetId& target, const Settings& settings, std::shared_ptr<const Graph> graph) {
    remark_.clear();
    closeEditor();
    context_.setDocument(target, settings, std::move(graph));
    filter_->clear();
    table_->sortByColumn(-1, Qt::AscendingOrder);
    model_->setHints({}, {});
    planReplaced();
}

void HintsView::setRefused(const QString& why) {
    refused_ = why;
    for (const char* name : {"hintAdd", "hintTemplates", "hintMore"})
        offer(findChild<QWidget*>(QLatin1String(name)), why);
    if (!why.isEmpty()) return empty_->setText({QStringLiteral("hint-add"), tr("No hints here."), why, {}, {}});
    empty_->setText({QStringLiteral("hint-add"), tr("No hints yet."),
                     tr("A hint asks the planner for something about one part of the graph: select it and press H."),
                     tr("Add hint"), QStringLiteral("add")});
}

void HintsView::setSettings(const Settings& settings) {
    context_.setSettings(settings);
    refreshLine();
}

void HintsView::setUnits(const Units& units) {
    if (context_.hexAddresses() == units.hexAddresses) return;
    context_.setHexAddresses(units.hexAddresses);
    model_->unitsChanged();
    editor_->unitsChanged();
}

void HintsView::setPlans(std::vector<PlanPtr> plans) {
    model_->setOtherPlans(std::move(plans));
}

void HintsView::showRemark(const QString& text, bool isWarning) {
    remark_ = text;
    isRemarkWarning_ = isWarning;
    refreshLine();
}

void HintsView::setHints(const std::vector<Hint>& fixed, const std::vector<Hint>& own) {
    const std::vector<int> rows = selectedRows();
    const int current = sorted_->mapToSource(table_->currentIndex()).row();
    std::vector<Hint> all = fixed;
    all.insert(all.end(), own.begin(), own.end());
    context_.setHints(all);
    editor_->setExisting(all);
    const QScopedValueRollback<bool> guard(busy_, true);
    model_->setHints(fixed, own);
    const int last = model_->rowCount() - 1;
    if (selectLast_)
        restoreSelection({last}, last);
    else
        restoreSelection(rows, current);
    selectLast_ = false;
    sizeColumns(table_, 220);
    table_->setColumnWidth(HintModel::State,
                           table_->columnWidth(HintModel::State) + themeOf(this).px(22));  // the glyph
    refreshBar();
    refreshLine();
    emit countChanged();
}

void HintsView::planReplaced() {
    context_.setPlan(hub_->plan());
    model_->refreshStates();
    showSelection();
    sizeColumns(table_, 220);
    table_->setColumnWidth(HintModel::State,
                           table_->columnWidth(HintModel::State) + themeOf(this).px(22));  // the glyph
    refreshBar();
    refreshLine();
}

void HintsView::refreshBar() {
    summary_->setText(model_->summary());
    const bool isEmpty = model_->rowCount() == 0 && editor_->isHidden();
    empty_->setVisible(isEmpty);
    table_->horizontalHeader()->setVisible(!isEmpty);
    makeRoom(*this, *table_, *editor_, *line_);
}

void HintsView::refreshLine() {
    if (!editor_->isHidden()) return line_->show(editor_->check());
    if (!remark_.isEmpty()) return line_->show({true, isRemarkWarning_, false, remark_});
    const QModelIndex at = sorted_->mapToSource(table_->currentIndex());
    if (!at.isValid() || !table_->selectionModel()->isRowSelected(table_->currentIndex().row(), {}))
        return line_->clear();
    const HintModel::Row& row = model_->row(at.row());
    HintCheck check = context_.check(row.hint);
    const bool isBad = row.state == hints::state::kImpossible || row.state == hints::state::kUnmatched;
    const bool isApplied = row.state == hints::state::kApplied || row.state == hints::state::kDisabled;
    if (check.ok && !isApplied && !row.reason.empty())
        check = {!isBad, !isBad, false, QString::fromStdString(row.reason)};
    line_->show(check);
}

// ---- adding and removing ---------------------------------------------------------------------------------

void HintsView::startHint(const std::vector<ItemId>& items, const QString& key, const std::optional<HintValue>& value) {
    remark_.clear();
    if (!refused_.isEmpty()) return;
    editor_->setVisible(true);
    editor_->startNew(items, key, value);
    refreshBar();
    line_->show(editor_->check());
}

bool HintsView::putHints(const std::vector<Hint>& hints, const QString& text) {
    if (!refused_.isEmpty()) return false;
    std::vector<Hint> after = model_->own();
    bool isNew = false;
    for (const Hint& hint : hints) {
        const auto there = std::ranges::find_if(after, [&](const Hint& h) {
            return h.enabled && h.target == hint.target && h.scopes == hint.scopes && h.key == hint.key;
        });
        isNew = isNew || there == after.end();
        if (there == after.end())
            after.push_back(hint);
        else
            there->value = hint.value;
    }
    if (after == model_->own()) return false;
    selectLast_ = isNew;
    emit edited(text, after, {});
    selectLast_ = false;
    return true;
}

bool HintsView::removeHints(const std::vector<std::string>& scopes, const std::vector<std::string>& keys) {
    std::vector<Hint> after;
    QStringList gone;
    for (Hint hint : model_->own()) {
        const std::size_t before = hint.scopes.size();
        const bool isMeant = hint.enabled && std::ranges::find(keys, hint.key) != keys.end();
        const QString text = hintCommandText(hint, context_.target());
        if (isMeant)
            std::erase_if(hint.scopes,
                          [&](const std::string& s) { return std::ranges::find(scopes, s) != scopes.end(); });
        if (hint.scopes.size() != before) gone << text;
        if (!hint.scopes.empty() || before == 0) after.push_back(std::move(hint));
    }
    if (gone.isEmpty()) return false;
    emit edited(gone.size() == 1 ? tr("Remove hint: %1").arg(gone.front()) : tr("Remove %1 hints").arg(gone.size()),
                after, {});
    return true;
}

void HintsView::commit(int row, const Hint& hint) {
    std::vector<Hint> after = model_->own();
    const int at = row - model_->fixedCount();
    const bool isChange = row >= 0 && at >= 0 && at < static_cast<int>(after.size());
    if (isChange)
        after[static_cast<std::size_t>(at)] = hint;
    else
        after.push_back(hint);
    closeEditor();
    selectLast_ = !isChange;
    if (after != model_->own()) emit edited(hintCommandText(hint, context_.target()), after, {});
    selectLast_ = false;
    table_->setFocus();
}

void HintsView::closeEditor() {
    const bool had = editor_->isAncestorOf(focusWidget());
    editor_->hide();
    refreshBar();
    refreshLine();
    if (had) table_->setFocus();
}

void HintsView::editCurrent() {
    const QModelIndex at = sorted_->mapToSource(table_->currentIndex());
    if (at.isValid()) editRow(at.row());
}

void HintsView::editRow(int row) {
    if (row < 0 || row >= model_->rowCount()) return;
    const QModelIndex at = sorted_->mapFromSource(model_->index(row, HintModel::Subject));
    if (at.isValid()) table_->setCurrentIndex(at);
    if (model_->row(row).isFixed)
        return showRemark(tr("It stands in the graph file: \"Take over\" in the menu makes it yours to change."),
                          false);
    editor_->setVisible(true);
    editor_->startEdit(row, model_->row(row).hint);
    refreshBar();
    line_->show(editor_->check());
}

// ---- selection -------------------------------------------------------------------------------------------

std::vector<int> HintsView::selectedRows() const {
    std::vector<int> rows;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        rows.push_back(sorted_->mapToSource(index).row());
    std::ranges::sort(rows);
    return rows;
}

void HintsView::restoreSelection(const std::vector<int>& rows, int current) {
    QItemSelection selection;
    for (const int row : rows) {
        if (row < 0 || row >= model_->rowCount()) continue;
        const QModelIndex at = sorted_->mapFromSource(model_->index(row, 0));
        if (at.isValid()) selection.select(at, at.siblingAtColumn(HintModel::ColumnCount - 1));
    }
    const int kept = std::min(current, model_->rowCount() - 1);
    const QModelIndex at = kept < 0 ? QModelIndex() : sorted_->mapFromSource(model_->index(kept, HintModel::Subject));
    if (at.isValid()) table_->setCurrentIndex(at);
    table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (at.isValid()) table_->scrollTo(at);
}

void HintsView::selectItems() {
    if (busy_) return;
    remark_.clear();
    refreshLine();
    if (!hub_->plan()) return;
    std::vector<ItemId> items;
    for (const int row : selectedRows()) {
        const std::vector<ItemId> more = itemsOf(*hub_->plan(), model_->row(row).hint);
        items.insert(items.end(), more.begin(), more.end());
    }
    if (items.empty()) return;
    const QScopedValueRollback<bool> guard(busy_, true);
    hub_->setSelection(std::move(items));
}

/// Hints about the selected items stand out; the selected rows stay the user's own.
void HintsView::showSelection() {
    std::vector<std::string> scopes;
    if (hub_->plan()) {
        for (const ItemId item : hub_->selection())
            for (const auto kind : {hints::ScopeKind::Op, hints::ScopeKind::Tensor})
                if (const auto scope = scopeOf(*hub_->plan(), item, kind)) scopes.push_back(hints::scopeText(*scope));
    }
    model_->setMarked(scopes);
}

void HintsView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    makeRoom(*this, *table_, *editor_, *line_);
    empty_->centreIn(table_->rect());
}

}  // namespace memplan::ui
