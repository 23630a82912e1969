// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/problems/problems_view.h"

#include "widgets/canvas/picture/table_picture.h"
#include "widgets/kit/theme/icons.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/marks/item_actions.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/models/row_scope.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/units.h"
#include "widgets/views/problems/code_groups.h"
#include "widgets/views/problems/problem_bar.h"
#include "widgets/views/problems/refusal_pane.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <numeric>
#include <set>

namespace memplan::ui {

namespace {

constexpr int kWidestColumn = 170;  // px; the message is what is read

}  // namespace

ProblemsView::ProblemsView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), model_(new ProblemModel(this)), sorted_(new SortFilterModel(this)),
      groups_(new CodeGroups(this)), bar_(new ProblemBar(this)), table_(new QTableView(this)) {
    setObjectName(QStringLiteral("problemsView"));
    setAccessibleName(tr("Problems"));
    build();
    connect(hub_, &SelectionHub::planChanged, this, &ProblemsView::refreshPlan);
    connect(hub_, &SelectionHub::selectionChanged, this, &ProblemsView::showSelection);
    connect(hub_, &SelectionHub::rangeChanged, this, &ProblemsView::applyFilter);
    refreshPlan();
}

void ProblemsView::build() {
    connect(bar_, &ProblemBar::filterChanged, this, &ProblemsView::applyFilter);
    connect(bar_, &ProblemBar::groupedChanged, this, &ProblemsView::setGroupedByCode);
    connect(bar_, &ProblemBar::textChanged, sorted_, &SortFilterModel::setTextFilter);
    buildTable();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar_);
    auto* halves = new QSplitter(Qt::Horizontal, this);
    halves->setChildrenCollapsible(false);
    halves->addWidget(table_);
    refusal_ = new RefusalPane(halves);
    refusal_->hide();
    halves->addWidget(refusal_);
    refusal_->installEventFilter(this);
    halves->addWidget(buildDetail(halves));
    halves->setStretchFactor(0, 1);
    halves->setSizes({themeOf(this).px(560), themeOf(this).px(560), themeOf(this).px(340)});
    column->addWidget(halves, 1);
}

void ProblemsView::buildTable() {
    model_->setHintsOffered([hub = hub_] { return hub->offersHints(); });
    sorted_->setSourceModel(model_);
    groups_->setSourceModel(sorted_);
    table_->setModel(groups_);
    connect(groups_, &CodeGroups::groupsChanged, this, [this] {
        spanHeads();
        showSelection();
        showDetail();  // rows that were made anew are no longer selected, and nothing announces that
    });
    table_->setObjectName(QStringLiteral("problemsTable"));
    table_->setAccessibleName(tr("Problems"));
    setUpTable(table_, ProblemModel::Message);
    // What is allowed is as long as what is wrong: both share what the others leave.
    table_->horizontalHeader()->setSectionResizeMode(ProblemModel::Fix, QHeaderView::Stretch);
    setGroupedByCode(false);
    table_->setTextElideMode(Qt::ElideRight);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    table_->installEventFilter(this);
    connect(table_, &QTableView::customContextMenuRequested, this, &ProblemsView::openMenu);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ProblemsView::selectItems);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &ProblemsView::showDetail,
            Qt::QueuedConnection);  // the pane of a refusal comes or goes first
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (const QString code = groups_->headAt(index.row()); !code.isEmpty())
            return groups_->setOpen(code, !groups_->isOpen(code));
        const int problem = problemAt(index.row());
        if (index.column() != ProblemModel::Fix || problem < 0) return;
        if (const auto hint = model_->hintOf(problem)) return emit hintRequested(*hint);
        if (model_->isFixable(problem)) emit fixRequested(problem);
    });
}

/// Scrolled where it is longer than the dock is high: with large text a long message is.
QWidget* ProblemsView::buildDetail(QWidget* parent) {
    detailArea_ = new QScrollArea(parent);
    detailArea_->setObjectName(QStringLiteral("problemDetailArea"));
    detailArea_->setAccessibleName(tr("The selected problem"));
    detailArea_->setFrameShape(QFrame::NoFrame);
    detailArea_->setWidgetResizable(true);
    detail_ = new QLabel(detailArea_);
    detail_->setObjectName(QStringLiteral("problemDetail"));
    detail_->setAccessibleName(tr("The selected problem"));
    detail_->setAutoFillBackground(true);
    detail_->setWordWrap(true);
    detail_->setTextFormat(Qt::PlainText);
    detail_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    withScale(detail_, [detail = detail_](const Theme& theme) { detail->setMargin(theme.px(8)); });
    detail_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    detailArea_->setWidget(detail_);
    detailArea_->hide();
    return detailArea_;
}

void ProblemsView::setFixable(std::function<bool(int problem)> isFixable) {
    model_->setFixable(std::move(isFixable));
}

void ProblemsView::setBeside(std::vector<Diagnostic> findings) {
    beside_ = std::move(findings);
    showBeside();
}

void ProblemsView::setFailure(std::vector<Diagnostic> findings) {
    // Their numbers of items are those of a program that was never shown.
    for (Diagnostic& d : findings) {
        d.ops.clear();
        d.buffers.clear();
    }
    if (findings == failure_) return;
    failure_ = std::move(findings);
    showBeside();
}

void ProblemsView::setFaults(PlanPtr plan, std::vector<Diagnostic> findings) {
    if (findings == faults_ && (plan == faultsOf_ || findings.empty())) return;
    faultsOf_ = std::move(plan);
    faults_ = std::move(findings);
    showBeside();
}

void ProblemsView::showBeside() {
    busy_ = true;
    fillBeside();
    refreshPlan();
}

void ProblemsView::fillBeside() {
    std::vector<Diagnostic> all = failure_;
    if (faultsOf_ == hub_->plan()) all.insert(all.end(), faults_.begin(), faults_.end());
    all.insert(all.end(), beside_.begin(), beside_.end());
    model_->setBeside(std::move(all));
}

void ProblemsView::refreshPlan() {
    busy_ = true;
    // Items of another plan are none of this one: they go before it comes.
    if (!faults_.empty() && faultsOf_ != hub_->plan()) {
        faults_.clear();
        faultsOf_ = nullptr;
        fillBeside();
    }
    model_->setPlan(hub_->plan());
    counts_ = {};
    std::set<QString> passes;
    for (int row = 0; row < model_->rowCount(); ++row) {
        const Diagnostic& d = model_->problem(row);
        ++counts_[static_cast<std::size_t>(d.severity)];
        if (!d.pass.empty()) passes.insert(fromStd(d.pass));
    }
    bar_->fill(counts_, passes, hub_->plan() ? hub_->plan()->passes : std::vector<PassRun>());
    applyFilter();
    sizeColumns(table_, kWidestColumn);
    busy_ = false;
    showDetail();
    emit countsChanged();
}

QString ProblemsView::countText() const {
    return severityText(counts_);
}

void ProblemsView::applyFilter() {
    std::array<bool, 3> shown{};
    for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note})
        shown[static_cast<std::size_t>(severity)] = bar_->isShown(severity);
    const QString pass = bar_->pass();
    const std::vector<char> outside = outsideRange();
    // Asks the model, not a plan: the filter also runs while the model takes a new plan.
    sorted_->setRowFilter([shown, pass, outside](const QAbstractItemModel& source, int row) {
        if (static_cast<std::size_t>(row) < outside.size() && outside[static_cast<std::size_t>(row)] != 0) return false;
        const int severity = source.index(row, ProblemModel::Severity).data(RawRole).toInt();
        return shown[static_cast<std::size_t>(severity)] &&
               (pass.isEmpty() || source.index(row, ProblemModel::Pass).data().toString() == pass);
    });
    const auto range = hub_->range();
    bar_->setTextHint(range ? tr("Filter in steps %1").arg(rangeText(*range)) : tr("Filter"));
    showSelection();
}

/// By row, whether a problem is about items none of which lives in the marked steps (7.11); empty without a range. What
/// is about no item, such as a setting, stays.
std::vector<char> ProblemsView::outsideRange() const {
    const auto range = hub_->range();
    const PlanPtr& plan = hub_->plan();
    if (!range || !plan) return {};
    std::vector<char> outside(static_cast<std::size_t>(model_->rowCount()), 0);
    for (int row = 0; row < model_->rowCount(); ++row) {
        const Diagnostic& d = model_->problem(row);
        const auto isInside = [&](auto id) { return isInSteps(*plan, ItemId::of(id), *range); };
        const bool isInRange = std::ranges::any_of(d.buffers, isInside) || std::ranges::any_of(d.ops, isInside);
        outside[static_cast<std::size_t>(row)] = !isInRange && !(d.buffers.empty() && d.ops.empty());
    }
    return outside;
}

void ProblemsView::setSeverityShown(Severity severity, bool shown) {
    bar_->setShown(severity, shown);
}

void ProblemsView::setPassFilter(const QString& pass) {
    bar_->setPass(pass);
}

void ProblemsView::setTextFilter(const QString& text) {
    bar_->setText(text);
}

void ProblemsView::setGroupedByCode(bool on) {
    bar_->setGrouped(on);
    groups_->setGrouped(on);
    // Errors stand first, then warnings; what is alike keeps the order of the passes.
    table_->sortByColumn(ProblemModel::Severity, Qt::AscendingOrder);
}

/// Code and count of a group take the room of all columns.
void ProblemsView::spanHeads() {
    table_->clearSpans();
    for (int row = 0; groups_->isGrouped() && row < groups_->rowCount(); ++row)
        if (!groups_->headAt(row).isEmpty())
            table_->setSpan(row, ProblemModel::Code, 1, ProblemModel::ColumnCount - ProblemModel::Code);
}

/// Space and Enter turn a group; left closes it, also from a row in it, right opens it. False for other keys and rows.
bool ProblemsView::groupKey(int key) {
    const int row = table_->currentIndex().row();
    QString code = groups_->headAt(row);
    const bool isHead = !code.isEmpty();
    if (!groups_->isGrouped()) return false;
    if (!isHead && key == Qt::Key_Left) code = groups_->index(row, ProblemModel::Code).data().toString();
    if (code.isEmpty()) return false;
    const bool isTurn = isHead && (key == Qt::Key_Space || key == Qt::Key_Return || key == Qt::Key_Enter);
    if (!isTurn && key != Qt::Key_Left && (key != Qt::Key_Right || !isHead)) return false;
    groups_->setOpen(code, isTurn ? !groups_->isOpen(code) : key == Qt::Key_Right);
    table_->setCurrentIndex(groups_->index(groups_->headRow(code), ProblemModel::Code));
    return true;
}

/// Beside the reasons of a refused buffer the table is narrow: the message keeps its room, the fix stands in the
/// pane beside it, and the pass in the tooltip of the row's inspector.
void ProblemsView::fitColumns() {
    constexpr int kAll = 700, kWithItem = 420;
    const Theme& theme = themeOf(this);
    const bool isBeside = refusal_ != nullptr && !refusal_->isHidden();
    for (const int column : {static_cast<int>(ProblemModel::Pass), static_cast<int>(ProblemModel::Fix)})
        table_->setColumnHidden(column, isBeside && table_->width() < theme.px(kAll));
    table_->setColumnHidden(ProblemModel::Item, isBeside && table_->width() < theme.px(kWithItem));
}

/// Message and fix of the selected row as a whole: in the table both may be cut.
void ProblemsView::showDetail() {
    if (detail_ == nullptr) return;  // rows are sorted before the pane is made
    const QModelIndexList chosen = table_->selectionModel()->selectedRows();
    const int problem = chosen.size() == 1 ? problemAt(chosen.front().row()) : -1;
    detailArea_->setVisible(problem >= 0 && refusal_->isHidden());
    if (problem < 0) return detail_->clear();
    const Diagnostic& d = model_->problem(problem);
    QString text = fromStd(d.code) + u'\n' + fromStd(d.message);
    if (!d.hint.empty()) text += QStringLiteral("\n\n") + tr("What helps: %1").arg(fromStd(d.hint));
    detail_->setText(text);
}

int ProblemsView::problemAt(int row) const {
    const QModelIndex source = sorted_->mapToSource(groups_->mapToSource(groups_->index(row, 0)));
    return source.isValid() ? source.row() : -1;
}

std::vector<int> ProblemsView::shownProblems() const {
    std::vector<int> problems;
    for (int row = 0; row < sorted_->rowCount(); ++row)
        problems.push_back(sorted_->mapToSource(sorted_->index(row, 0)).row());
    return problems;
}

/// The worst first, as the table begins.
std::vector<int> ProblemsView::allProblems() const {
    std::vector<int> problems(static_cast<std::size_t>(model_->rowCount()));
    std::iota(problems.begin(), problems.end(), 0);
    std::ranges::stable_sort(problems, {}, [this](int problem) { return model_->problem(problem).severity; });
    return problems;
}

std::vector<int> ProblemsView::selectedProblems() const {
    std::vector<int> problems;
    for (const QModelIndex& index : table_->selectionModel()->selectedRows())
        if (const int problem = problemAt(index.row()); problem >= 0) problems.push_back(problem);
    std::ranges::sort(problems);
    return problems;
}

std::unique_ptr<PictureSource> ProblemsView::picture(const RenderOptions& render, const QString& planName) const {
    using Scope = RenderOptions::Scope;
    TableShape shape = wholeTable(*model_, {ProblemModel::Message, ProblemModel::Fix});
    const std::vector<int> chosen = selectedProblems();
    shape.rows = render.scope == Scope::Visible ? shownProblems() : allProblems();
    // As elsewhere, what stands for a selection that is not there is everything.
    if (render.scope == Scope::Selection && !chosen.empty()) shape.rows = chosen;
    if (render.selection && render.scope != Scope::Selection) shape.chosen = chosen;
    TablePicture::Words words{tr("Problems"), planName, tr("There are no problems.")};
    if (model_->rowCount() > 0) words.empty = tr("The filters leave no problem.");
    return std::make_unique<TablePicture>(*model_, std::move(shape), std::move(words));
}

QString ProblemsView::currentCode() const {
    const int row = table_->currentIndex().row();
    const QString head = groups_->headAt(row);
    if (!head.isEmpty()) return head;
    const int problem = problemAt(row);
    return problem < 0 ? QString() : fromStd(model_->problem(problem).code);
}

void ProblemsView::selectItems() {
    if (busy_ || !hub_->plan()) return;
    std::vector<ItemId> items;
    std::vector<ItemId> problems;
    const QModelIndexList chosen = table_->selectionModel()->selectedRows();
    const auto isHead = [this](const QModelIndex& index) { return !groups_->headAt(index.row()).isEmpty(); };
    if (!chosen.isEmpty() && std::ranges::all_of(chosen, isHead)) return;  // a head only opens and closes
    for (const QModelIndex& index : chosen) {
        const int problem = problemAt(index.row());
        if (problem < 0) continue;
        const Diagnostic& d = model_->problem(problem);
        // The inspector knows the plan's own findings; of one beside it the items are shown.
        if (!model_->isBeside(problem)) problems.push_back({ItemKind::Problem, problem});
        for (const BufferId b : d.buffers)
            items.push_back(ItemId::of(b));
        if (d.buffers.empty())
            for (const OpId op : d.ops)
                items.push_back(ItemId::of(op));
    }
    busy_ = true;
    hub_->setSelection(items.empty() ? std::move(problems) : std::move(items));
    busy_ = false;
}

void ProblemsView::showSelection() {
    if (busy_ || !table_->selectionModel()) return;
    busy_ = true;
    // A row is marked when it is selected itself or when all its items are.
    const SelectionState& state = hub_->state();
    QItemSelection rows;
    for (int row = 0; hub_->plan() && !state.items.empty() && row < groups_->rowCount(); ++row) {
        const int problem = problemAt(row);
        if (problem < 0) continue;
        const Diagnostic& d = model_->problem(problem);
        bool all = !d.buffers.empty();
        for (const BufferId b : d.buffers)
            all = all && state.isSelected(ItemId::of(b));
        if (all || (!model_->isBeside(problem) && state.isSelected({ItemKind::Problem, problem})))
            rows.select(groups_->index(row, 0), groups_->index(row, ProblemModel::ColumnCount - 1));
    }
    table_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    busy_ = false;
}

void ProblemsView::openMenu(const QPoint& position) {
    const int row = table_->rowAt(position.y());
    if (const QString code = groups_->headAt(row); !code.isEmpty()) return openGroupMenu(code, position);
    const int problem = problemAt(row);
    if (problem < 0) return;
    const Diagnostic& d = model_->problem(problem);
    const QString code = fromStd(d.code), message = fromStd(d.message);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool fixable = model_->isFixable(problem);
    menu->addAction(icon(QStringLiteral("hint-add")), tr("Fix"), this, [this, problem] { emit fixRequested(problem); })
        ->setEnabled(fixable);
    menu->addAction(tr("Fix all %1").arg(code), this, [this, code] { emit fixAllRequested(code); })
        ->setEnabled(fixable);
    if (const auto hint = model_->hintOf(problem))
        menu->addAction(icon(QStringLiteral("edit")), tr("Edit hint %1").arg(*hint + 1) + QStringLiteral("\tF2"), this,
                        [this, hint = *hint] { emit hintRequested(hint); });
    menu->addSeparator();
    if (!d.buffers.empty() || !d.ops.empty())
        addItemActions(*menu, hub_, d.buffers.empty() ? ItemId::of(d.ops.front()) : ItemId::of(d.buffers.front()),
                       false);
    if (!model_->isBeside(problem))
        menu->addAction(icon(QStringLiteral("inspector")), tr("Inspect the problem"), this, [this, problem] {
            hub_->requestInspect({ItemKind::Problem, problem});
        });
    menu->addAction(icon(QStringLiteral("copy")), tr("Copy message"), this,
                    [message] { QApplication::clipboard()->setText(message); });
    menu->addAction(icon(QStringLiteral("help")), tr("Help on %1").arg(code) + QStringLiteral("\tF1"), this,
                    [this, code] { emit helpRequested(code); });
    menu->popup(table_->viewport()->mapToGlobal(position));
}

void ProblemsView::openGroupMenu(const QString& code, const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const bool isOpen = groups_->isOpen(code);
    menu->addAction(isOpen ? tr("Close the group") : tr("Open the group"), groups_,
                    [this, code, isOpen] { groups_->setOpen(code, !isOpen); });
    menu->addAction(tr("Open all groups"), groups_, [this] { groups_->setAllOpen(true); });
    menu->addAction(tr("Close all groups"), groups_, [this] { groups_->setAllOpen(false); });
    menu->addSeparator();
    menu->addAction(icon(QStringLiteral("hint-add")), tr("Fix all %1").arg(code), this,
                    [this, code] { emit fixAllRequested(code); });
    menu->addAction(icon(QStringLiteral("help")), tr("Help on %1").arg(code) + QStringLiteral("\tF1"), this,
                    [this, code] { emit helpRequested(code); });
    menu->popup(table_->viewport()->mapToGlobal(position));
}

bool ProblemsView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == table_ && event->type() == QEvent::Resize) fitColumns();
    if (watched == refusal_ && (event->type() == QEvent::Show || event->type() == QEvent::Hide)) showDetail();
    if (watched == table_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (groupKey(key->key())) return true;
        if (const QString code = currentCode(); !code.isEmpty() && key->key() == Qt::Key_F1)
            return emit helpRequested(code), true;
        const int problem = problemAt(table_->currentIndex().row());
        if (problem >= 0 && !model_->isBeside(problem) && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter))
            return hub_->requestInspect({ItemKind::Problem, problem}), true;
        const auto hint = problem < 0 ? std::nullopt : model_->hintOf(problem);
        if (hint && key->key() == Qt::Key_F2) return emit hintRequested(*hint), true;
        if (key->key() == Qt::Key_Escape && hub_->escape()) return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace memplan::ui
