// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/passes_view.h"

#include "widgets/canvas/empty_block.h"
#include "widgets/canvas/pane/legend_bar.h"
#include "widgets/kit/controls/bar_layout.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/controls/elide_label.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/pass_words.h"
#include "widgets/plan/units.h"
#include "widgets/views/passes/passes_picture.h"
#include "widgets/views/passes/recorded_facts.h"
#include "widgets/views/passes/snapshot/pass_diff.h"
#include "widgets/views/passes/timeline/pass_legend.h"
#include "widgets/views/passes/timeline/pass_texts.h"
#include "widgets/views/passes/timeline/pass_timeline.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QShortcut>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace memplan::ui {
namespace {

constexpr int kTimelineFrom = 330;  ///< height at 100 % from which the timeline has room

QTableView* plainTable(QStandardItemModel* model, const QString& name, int stretch, QWidget* parent) {
    auto* table = new QTableView(parent);
    table->setModel(model);
    table->setObjectName(name);
    setUpTable(table, stretch);
    table->setSortingEnabled(false);
    return table;
}

QStandardItem* cell(const QString& text) {
    auto* item = new QStandardItem(text);
    item->setToolTip(text);
    item->setEditable(false);
    return item;
}

QString tabTitle(const QString& name, qsizetype count) {
    return count == 0 ? name : name + QStringLiteral("\u2009") + QString::number(count);
}

}  // namespace

PassesView::PassesView(SelectionHub* hub, QWidget* parent) : QWidget(parent), hub_(hub) {
    setObjectName(QStringLiteral("passesView"));
    setAccessibleName(tr("Passes"));
    const Theme& theme = themeOf(this);
    timeline_ = new PassTimeline(this);
    top_ = makeHead();

    model_ = new PassModel(this);
    auto* sorted = new SortFilterModel(this);
    sorted->setSourceModel(model_);
    list_ = new QTableView(this);
    list_->setModel(sorted);
    list_->setObjectName(QStringLiteral("passTable"));
    list_->setAccessibleName(tr("Passes as a table"));
    setUpTable(list_, PassModel::Changes);
    list_->setSelectionMode(QAbstractItemView::SingleSelection);
    bindSelection(list_, hub);

    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(list_);
    split->addWidget(makeTabs());
    split->setSizes({theme.px(780), theme.px(820)});
    split->setChildrenCollapsible(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(top_);
    column->addWidget(split, 1);
    pages_ = split;
    QSizePolicy policy = pages_->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    pages_->setSizePolicy(policy);
    empty_ = new EmptyBlock(this);
    connect(empty_, &EmptyBlock::triggered, this, &PassesView::emptyAction);
    connect(timeline_, &PassTimeline::passChosen, this, [this](int pass) { hub_->select({ItemKind::Pass, pass}); });
    connect(hub_, &SelectionHub::planChanged, this, &PassesView::planChanged);
    connect(hub_, &SelectionHub::selectionChanged, this, &PassesView::selectionChanged);
    for (const auto& [key, direction] : {std::pair(Qt::Key_J, -1), std::pair(Qt::Key_K, 1)}) {
        auto* shortcut = new QShortcut(QKeySequence(key), list_);
        shortcut->setContext(Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, timeline_,
                [this, direction = direction] { timeline_->stepChanged(direction); });
    }
    planChanged();
}

QWidget* PassesView::makeHead() {
    const Theme& theme = themeOf(this);
    auto* head = new QWidget(this);
    auto* bar = new WrapBar(head);
    auto* row = new BarLayout(bar);
    title_ = new QLabel(tr("Pass timeline"), bar);
    title_->setFont(theme.font(TextStyle::BodyStrong));
    scope_ = new ElideLabel(bar);
    scope_->setForegroundRole(QPalette::PlaceholderText);
    row->addWidget(title_);
    row->addWidget(scope_);
    row->addStretch();
    const auto chip = [&](const QString& text, bool on) {
        auto* c = new Chip(text, bar);
        c->setChecked(on);
        row->addWidget(c);
        return c;
    };
    Chip* root = chip(tr("square root"), true);
    Chip* linear = chip(tr("linear"), false);
    Chip* hide = chip(tr("Hide unchanged"), false);
    const auto scale = [this, root, linear](PassTimeline::Scale wanted) {
        root->setChecked(wanted == PassTimeline::Scale::SquareRoot);
        linear->setChecked(wanted == PassTimeline::Scale::Linear);
        timeline_->setScale(wanted);
    };
    connect(root, &QAbstractButton::clicked, this, [scale] { scale(PassTimeline::Scale::SquareRoot); });
    connect(linear, &QAbstractButton::clicked, this, [scale] { scale(PassTimeline::Scale::Linear); });
    connect(hide, &QAbstractButton::toggled, timeline_, &PassTimeline::setUnchangedHidden);
    foot_ = new QWidget(head);
    foot_->setAutoFillBackground(true);
    foot_->setBackgroundRole(QPalette::Base);
    slowest_ = new ElideLabel(foot_);
    slowest_->setForegroundRole(QPalette::PlaceholderText);
    legend_ = new PassLegend(foot_);
    auto* line = new QHBoxLayout(foot_);
    setScaledMargins(line, {10, 2, 0, 6}, 12);
    line->addWidget(slowest_, 1);
    line->addWidget(legend_);
    auto* column = new QVBoxLayout(head);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(timeline_);
    column->addWidget(foot_);
    return head;
}

QWidget* PassesView::makeTabs() {
    const Theme& theme = themeOf(this);
    tabs_ = new QTabWidget(this);
    tabs_->setDocumentMode(true);
    tabs_->setAccessibleName(tr("What the pass did"));
    diff_ = new PassDiff(tabs_);
    auto* page = new QWidget(tabs_);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* bar = new ViewBar(page);
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(theme.px(8), 0, theme.px(8), 1);
    fold_ = new Chip(tr("Fold operations"), bar);
    row->addWidget(fold_);
    row->addStretch(1);
    snapshot_ = new SnapshotEdit(page);
    snapshot_->setObjectName(QStringLiteral("snapshotText"));
    snapshot_->setAccessibleName(tr("Program after the pass"));
    column->addWidget(bar);
    column->addWidget(snapshot_, 1);
    connect(fold_, &QAbstractButton::toggled, this, &PassesView::fillSnapshot);
    connect(snapshot_, &SnapshotEdit::rowChosen, this, &PassesView::chooseRow);

    fields_ = new QStandardItemModel(this);
    fields_->setHorizontalHeaderLabels({tr("Item"), tr("Field"), tr("Before"), tr("After")});
    structure_ = plainTable(fields_, QStringLiteral("structureTable"), 3, tabs_);
    structure_->setAccessibleName(tr("Changed fields"));
    connect(structure_, &QTableView::clicked, this, &PassesView::selectNamed);
    findings_ = new QStandardItemModel(this);
    findings_->setHorizontalHeaderLabels({QString(), tr("Code"), tr("Message"), tr("What to do")});
    log_ = plainTable(findings_, QStringLiteral("passLog"), 2, tabs_);
    log_->setAccessibleName(tr("Findings of the pass"));
    makeRecorded();
    tabs_->addTab(diff_, tr("Diff"));
    tabs_->addTab(page, tr("Snapshot"));
    tabs_->addTab(structure_, tr("Structural"));
    tabs_->addTab(log_, tr("Log"));
    return tabs_;
}

/// The page of the tab "Recorded", which is there while something is attached.
void PassesView::makeRecorded() {
    const Theme& theme = themeOf(this);
    recordedPage_ = new QWidget(this);
    facts_ = new QStandardItemModel(this);
    facts_->setHorizontalHeaderLabels({tr("Item"), tr("Field"), tr("Recorded"), tr("File")});
    recorded_ = plainTable(facts_, QStringLiteral("recordedTable"), 2, recordedPage_);
    recorded_->setAccessibleName(tr("What the original compiler recorded about the pass"));
    connect(recorded_, &QTableView::clicked, this, &PassesView::selectNamed);
    recordedElsewhere_ = new QLabel(recordedPage_);
    recordedElsewhere_->setObjectName(QStringLiteral("recordedElsewhere"));
    recordedElsewhere_->setWordWrap(true);
    recordedElsewhere_->setContentsMargins(theme.px(10), theme.px(8), theme.px(10), theme.px(8));
    recordedElsewhere_->setForegroundRole(QPalette::PlaceholderText);
    auto* column = new QVBoxLayout(recordedPage_);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(recordedElsewhere_);
    column->addWidget(recorded_, 1);
    column->addStretch(0);
    recordedPage_->hide();
}

/// Which passes the attached files say something about, for those about which they say nothing.
QString PassesView::recordedElsewhere() const {
    constexpr std::size_t kOne = 1;
    QStringList passes;
    for (const PassRun& run : shown_->passes)
        if (!recordedFacts(*side_, shown_->target, run.name, kOne).empty()) passes << passTitle(run);
    return passes.isEmpty()
               ? tr("The attached files say nothing about a pass of this plan.")
               : tr("Nothing is recorded about this pass. There is about: %1.").arg(passes.join(QStringLiteral("; ")));
}

void PassesView::setSide(std::shared_ptr<const SideInformation> side) {
    if (side == side_) return;
    side_ = std::move(side);
    const int at = tabs_->indexOf(recordedPage_);
    if (side_ && at < 0) tabs_->addTab(recordedPage_, tr("Recorded"));
    if (!side_ && at >= 0) tabs_->removeTab(at);
    showPass(timeline_->current());
}

void PassesView::setPlanName(const QString& name) {
    planName_ = name;
    planChanged();
}

int PassesView::currentPass() const {
    return timeline_->current();
}

void PassesView::planChanged() {
    shown_ = hub_->plan();
    isFailure_ = false;
    showRuns();
}

void PassesView::showFailure(std::vector<PassRun> passes) {
    auto holder = std::make_shared<Plan>();
    holder->passes = std::move(passes);
    shown_ = std::move(holder);
    isFailure_ = true;
    timeline_->setCurrent(-1);
    showRuns();
    showPass(static_cast<int>(shown_->passes.size()) - 1);
}

void PassesView::showRuns() {
    const PlanPtr& plan = shown_;
    model_->setPlan(plan);
    const int before = timeline_->current();
    timeline_->setPlan(plan);
    sizeColumns(list_, themeOf(this).px(320));
    slowest_->setText(timeline_->slowestText());
    legend_->setPasses(plan ? plan->passes : std::vector<PassRun>());
    foot_->setVisible(plan && !plan->passes.empty());
    fitEmpty();
    if (!plan || plan->passes.empty()) return;
    QStringList scope{plural(static_cast<qint64>(plan->passes.size()), tr("pass"), tr("passes"))};
    if (timeline_->hasTimes()) scope << tr("%1 ms").arg(timeline_->totalSeconds() * 1000, 0, 'f', 2);
    if (isFailure_) scope << tr("up to the pass that failed");
    scope_->setText((planName_.isEmpty() || isFailure_ ? QString() : planName_ + QStringLiteral(" \u2014 ")) +
                    scope.join(QStringLiteral(", ")));
    const int count = static_cast<int>(plan->passes.size());
    // What nobody chose is chosen anew for each plan.
    const bool isKept = before >= 0 && before < count && before != opened_;
    if (!isKept) opened_ = passToOpenWith(plan->passes);
    showPass(isKept ? before : opened_);
}

void PassesView::setAbsence(const std::optional<EmptyText>& why) {
    absence_ = why;
    fitEmpty();
}

/// Without passes a sentence stands in the head and in the place of tables that have nothing to say.
void PassesView::fitEmpty() {
    const bool isEmpty = !shown_ || shown_->passes.empty();
    timeline_->setVisible(!isEmpty);
    pages_->setVisible(!isEmpty);
    const QString icon = QStringLiteral("compile");
    const EmptyText text = absence_.value_or(EmptyText{
        icon, tr("Not compiled yet"), tr("Compile the document to see its passes here."), tr("Compile"), icon});
    empty_->setVisible(isEmpty && !text.sentence.isEmpty());
    if (!isEmpty) return;
    scope_->setText(text.sentence);
    empty_->setText(text);
    empty_->centreIn(rect());
}

void PassesView::selectionChanged() {
    const auto primary = hub_->primary();
    if (primary && primary->kind == ItemKind::Pass) showPass(primary->index);
    if (!isPending_) markRows();
}

void PassesView::showPass(int pass) {
    const PlanPtr& plan = shown_;
    if (!plan || pass < 0 || pass >= static_cast<int>(plan->passes.size())) return;
    timeline_->setCurrent(pass);
    isPending_ = isCovered();
    if (!isPending_) fillPass();
}

void PassesView::showPassToOpenWith() {
    if (shown_) showPass(passToOpenWith(shown_->passes));
}

bool PassesView::isCovered() const {
    // A dock behind a tab is not hidden but moved away.
    return window()->isVisible() && visibleRegion().isEmpty();
}

void PassesView::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    if (!isPending_) return;
    const auto fill = [this] {
        if (isPending_) fillPass();
    };
    QMetaObject::invokeMethod(this, fill, Qt::QueuedConnection);
}

void PassesView::fillPass() {
    isPending_ = false;
    const PlanPtr& plan = shown_;
    const int pass = timeline_->current();
    if (!plan || pass < 0 || pass >= static_cast<int>(plan->passes.size())) return;
    const PassRun& run = plan->passes[static_cast<std::size_t>(pass)];
    const PassTexts texts = passTexts(plan->passes, pass);
    diff_->setTexts(texts.beforeName, texts.before, texts.afterName, texts.after);
    tabs_->setTabText(0, tabTitle(tr("Diff"), diff_->changeCount()));
    fillSnapshot();
    fillStructure(texts.before, texts.after);
    fillLog(run);
    fillRecorded(run);
}

void PassesView::fillSnapshot() {
    const int pass = timeline_->current();
    if (pass < 0 || !shown_) return;
    lines_ = snapshotLines(passTexts(shown_->passes, pass).after, fold_->isChecked());
    opNames_.clear();
    std::vector<SnapshotRow> rows;
    for (int i = 0; i < lines_.text.size(); ++i) {
        rows.push_back({lines_.text[i], i, SnapshotRow::Mark::None, {}});
        if (lines_.op[static_cast<std::size_t>(i)] == static_cast<int>(opNames_.size()))
            opNames_.push_back(lines_.text[i].section(QStringLiteral(" = "), 0, 0).trimmed());
    }
    snapshot_->setRows(std::move(rows), false);
    markRows();
}

void PassesView::fillStructure(const QString& before, const QString& after) {
    constexpr std::size_t kMostRows = 5000;
    fields_->removeRows(0, fields_->rowCount());
    const std::vector<FieldChange> changes = fieldChanges(before, after);
    for (std::size_t i = 0; i < std::min(changes.size(), kMostRows); ++i) {
        const FieldChange& c = changes[i];
        auto* item = cell(c.item);
        item->setData(true, StrongRole);
        fields_->appendRow({item, cell(c.field), cell(c.before), cell(c.after)});
    }
    sizeColumns(structure_);
    tabs_->setTabText(2, tabTitle(tr("Structural"), static_cast<qsizetype>(changes.size())));
}

void PassesView::fillLog(const PassRun& run) {
    findings_->removeRows(0, findings_->rowCount());
    for (const Diagnostic& d : run.diagnostics) {
        auto* severity = cell({});
        severity->setData(QVariant::fromValue(badgeOf(d.severity)), BadgeRole);
        auto* code = cell(fromStd(d.code));
        code->setData(true, FixedRole);
        findings_->appendRow({severity, code, cell(fromStd(d.message)), cell(fromStd(d.hint))});
    }
    sizeColumns(log_);
    tabs_->setTabText(3, tabTitle(tr("Log"), static_cast<qsizetype>(run.diagnostics.size())));
}

void PassesView::fillRecorded(const PassRun& run) {
    constexpr std::size_t kMostRows = 5000;
    facts_->removeRows(0, facts_->rowCount());
    if (!side_) return;
    for (const RecordedFact& r : recordedFacts(*side_, shown_->target, run.name, kMostRows)) {
        auto* item = cell(fromStd(r.item));
        item->setData(true, StrongRole);
        const SideSource& source = side_->sources[static_cast<std::size_t>(r.source)];
        facts_->appendRow({item, cell(fromStd(r.fact.key).replace(u'_', u' ')), cell(fromStd(r.fact.text)),
                           cell(fromStd(source.file))});
    }
    sizeColumns(recorded_);
    const bool hasFacts = facts_->rowCount() > 0;
    recorded_->setVisible(hasFacts);
    recordedElsewhere_->setVisible(!hasFacts);
    if (!hasFacts) recordedElsewhere_->setText(recordedElsewhere());
    const int at = tabs_->indexOf(recordedPage_);
    if (at >= 0) tabs_->setTabText(at, tabTitle(tr("Recorded"), facts_->rowCount()));
}

std::unique_ptr<PictureSource> PassesView::picture(const RenderOptions& render) const {
    PassesShown shown;
    if (shown_) shown.passes = shown_->passes;
    shown.chosen = timeline_->current();
    const bool isWhole = render.scope == RenderOptions::Scope::All;
    if (!isWhole) {
        shown.bars = timeline_->form();
        shown.diff = diff_->form();
    }
    shown.isOnePass = render.scope == RenderOptions::Scope::Selection;
    shown.marksPass = render.selection;
    // A time is another one each time: what is written is the same for the same plan (17.4).
    shown.bars.hasTimes = false;
    shown.scope = planName_;
    return std::make_unique<PassesPicture>(std::move(shown));
}

bool PassesView::looksAsOpened() const {
    return shown_ && !isFailure_ && timeline_->form() == PassBarsForm() && diff_->form() == DiffForm() &&
           timeline_->current() == passToOpenWith(shown_->passes);
}

void PassesView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    top_->setVisible(height() >= themeOf(this).px(kTimelineFrom));
    fitEmpty();
}

}  // namespace memplan::ui
