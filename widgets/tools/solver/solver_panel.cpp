// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/tools/solver/solver_panel.h"

#include "engine/plan/search_decision.h"
#include "engine/solve/machine_solvers.h"
#include "engine/target/target.h"
#include "widgets/canvas/chart/chart.h"
#include "widgets/kit/controls/offer.h"
#include "widgets/kit/controls/scroll_width.h"
#include "widgets/kit/controls/section.h"
#include "widgets/kit/controls/wheel_pass.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/models/table_setup.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/tools/solver/charts/race_chart.h"
#include "widgets/tools/solver/charts/search_chart.h"
#include "widgets/tools/solver/gain_view.h"
#include "widgets/tools/solver/joint_view.h"
#include "widgets/tools/solver/outcome_bar.h"
#include "widgets/tools/solver/parameter_list.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

/// A bar over the cells that have no figures yet.
class RaceDelegate final : public QStyledItemDelegate {
public:
    explicit RaceDelegate(QObject* parent) : QStyledItemDelegate(parent), cells_(new CellDelegate(this)) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        cells_->paint(painter, option, index);
        const QVariant progress = index.data(RaceModel::ProgressRole);
        if (!progress.isValid()) return;
        const Theme& theme = themeOf(option.widget);
        const QRectF track(option.rect.left() + theme.px(8), option.rect.center().y() - theme.px(2),
                           option.rect.width() - theme.px(16), theme.px(4));
        painter->fillRect(track, theme.color(Token::Line1));
        QRectF done = track;
        done.setWidth(track.width() * std::clamp(progress.toDouble(), 0.02, 1.0));
        painter->fillRect(done, theme.color(Token::Accent));
    }
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return cells_->sizeHint(option, index);
    }

private:
    CellDelegate* cells_;
};

/// The list of the choice says what each solver is; the closed box shows its name.
class ChoiceDelegate final : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        const QString help = index.data(Qt::ToolTipRole).toString();
        if (!help.isEmpty()) option->text += QStringLiteral(" \u2014 ") + help;
    }
};

bool wasStopped(const Plan& plan) {
    return std::ranges::any_of(
        plan.buffers, [](const PlanBuffer& b) { return b.reason && b.reason->code == ReasonCode::SolverStopped; });
}

QString statusWord(const Plan& plan) {
    if (!plan.stoppedAfter.empty()) return SolverPanel::tr("stopped after pass %1").arg(fromStd(plan.stoppedAfter));
    if (plan.metrics.provedOptimal) return SolverPanel::tr("optimal: no plan of these candidates pins more");
    const auto search = searchOf(plan);
    const std::string end = search ? search->end : std::string();
    if (search && search->measure == kLayersSaved && end == "proved")
        return SolverPanel::tr("optimal: no schedule has fewer layers");
    if (end == "time_limit" || (!search && wasStopped(plan))) return SolverPanel::tr("stopped by the time limit");
    if (end == "node_limit") return SolverPanel::tr("stopped at its limit of steps");
    return SolverPanel::tr("feasible: a better plan is not ruled out");
}

QString memoryText(const Plan& plan) {
    const PlanMetrics& m = plan.metrics;
    QStringList lines;
    lines << (plan.ops.empty() ? SolverPanel::tr("placed %1 of %2 buffers, %3")
                               : SolverPanel::tr("on chip %1 of %2 buffers, %3 per core"))
                 .arg(m.buffersOnChip)
                 .arg(m.buffersTotal)
                 .arg(exactBytes(m.pinnedBytes));
    if (m.upperBoundBytes > 0) {
        const double gap = static_cast<double>(m.upperBoundBytes - m.pinnedBytes) /
                           static_cast<double>(std::max<Bytes>(m.upperBoundBytes, 1));
        lines << SolverPanel::tr("upper bound %1, gap %2").arg(exactBytes(m.upperBoundBytes), percentText(gap));
    }
    if (m.peakLowerBound > 0)
        lines << SolverPanel::tr("peak %1, lower bound with every candidate on chip %2")
                     .arg(exactBytes(plan.memory.peak), exactBytes(m.peakLowerBound));
    return lines.join(u'\n');
}

/// The next solver of the machine, which searches longer.
std::pair<QString, QString> nextEffort(const Plan& plan) {
    const solve::MachineSolvers* of = solve::solversOf(plan.target);
    if (of == nullptr) return {};
    const auto own = std::ranges::find(of->solvers, plan.settings.textOf(of->key), &solve::MachineSolver::value);
    if (own == of->solvers.end() || std::next(own) == of->solvers.end()) return {};
    return {fromStd(std::string(of->key)), fromStd(std::string(std::next(own)->value))};
}

/// The setting that would let a search go on, with its next value; empty when there is none.
std::pair<QString, QString> nextSetting(const Plan& plan) {
    const auto search = searchOf(plan);
    if (!search) return {};
    if (search->end == "time_limit") return {QStringLiteral("engine.time_limit_seconds"), QStringLiteral("0")};
    constexpr std::int64_t kMostSteps = 1'000'000;
    const std::int64_t more = search->plannedSteps * 4;
    if (search->end == "steps_done" && more > 0 && more <= kMostSteps && !plan.metrics.provedOptimal)
        return {fromStd(std::string(settingRoles(plan.target).solver.annealingSteps)), QString::number(more)};
    if (search->end == "steps_done" && search->measure == kLayersSaved) return nextEffort(plan);
    return {};
}

}  // namespace

SolverPanel::SolverPanel(QWidget* parent) : QWidget(parent), race_(new RaceModel(this)) {
    setObjectName(QStringLiteral("solverPanel"));
    setAccessibleName(tr("Solver"));
    build();
    refreshButtons();
}

void SolverPanel::build() {
    const Theme& theme = themeOf(this);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* body = new QWidget(scroll);
    body->setAutoFillBackground(true);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, theme.px(6), 0, 0);
    column->setSpacing(theme.px(4));
    auto* line = new QHBoxLayout;
    line->setContentsMargins(theme.px(10), 0, theme.px(10), 0);
    line->setSpacing(theme.px(8));
    solver_ = new QComboBox(body);
    solver_->setObjectName(QStringLiteral("solverChoice"));
    solver_->setAccessibleName(tr("Solver"));
    solver_->setItemDelegate(new ChoiceDelegate(solver_));
    solver_->setSizeAdjustPolicy(QComboBox::AdjustToContents);  // each machine has solvers of its own
    help_ = new QLabel(body);
    help_->setWordWrap(true);
    help_->setTextFormat(Qt::PlainText);
    line->addWidget(solver_, 0, Qt::AlignTop);
    line->addWidget(help_, 1);
    column->addLayout(line);
    auto* results = new Section(tr("Result of this plan"), body);
    results->setContent(buildResult());
    gains_ = new GainView(body);
    gainSection_ = new Section(tr("Saved by each part"), body);
    gainSection_->setContent(gains_);
    joint_ = new JointView(body);
    jointSection_ = new Section(tr("Co-optimisation"), body);
    jointSection_->setContent(joint_);
    parameters_ = new ParameterList(body);
    auto* settings = new Section(tr("Parameters"), body);
    settings->setContent(parameters_);
    auto* race = new Section(tr("Race"), body);
    race->setContent(buildRace());
    column->addWidget(race);
    column->addWidget(results);
    column->addWidget(gainSection_);
    column->addWidget(jointSection_);
    column->addWidget(settings);
    column->addStretch(1);
    scroll->setWidget(body);
    passWheelTo(scroll);
    keepAsWideAsPage(scroll);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->addWidget(scroll);
    connect(parameters_, &ParameterList::changed, this, &SolverPanel::settingChanged);
    connect(joint_, &JointView::operationChosen, this, &SolverPanel::divisionChosen);
    connect(solver_, &QComboBox::currentIndexChanged, this, [this](int row) {
        if (!filling_ && row >= 0) emit settingChanged(key_, choices_[static_cast<std::size_t>(row)].id);
    });
}

QWidget* SolverPanel::buildResult() {
    const Theme& theme = themeOf(this);
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(theme.px(26), 0, theme.px(10), theme.px(6));
    column->setSpacing(theme.px(4));
    const auto label = [&](const QString& name) {
        auto* text = new QLabel(body);
        text->setObjectName(name);
        text->setWordWrap(true);
        text->setTextFormat(Qt::PlainText);
        text->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        column->addWidget(text);
        return text;
    };
    result_ = label(QStringLiteral("solverResult"));
    chart_ = new Chart(body);
    chart_->setObjectName(QStringLiteral("searchChart"));
    chart_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    column->addWidget(chart_);
    onePass_ = label(QStringLiteral("solverOnePass"));
    outcome_ = new OutcomeBar(body);
    column->addWidget(outcome_);
    goOn_ = label(QStringLiteral("solverGoOn"));
    goOnButton_ = new QPushButton(body);
    goOnButton_->setObjectName(QStringLiteral("solverGoOnButton"));
    connect(goOnButton_, &QPushButton::clicked, this, [this] {
        const auto [key, value] = plan_ ? nextSetting(*plan_) : std::pair<QString, QString>();
        if (!key.isEmpty()) emit settingChanged(key, value);
    });
    column->addWidget(goOnButton_, 0, Qt::AlignLeft);
    return body;
}

void SolverPanel::refreshResult() {
    result_->setText(plan_ ? resultText(*plan_, race_->figures()) : tr("Not compiled yet."));
    chart_->setData(plan_ ? searchChartOf(*plan_) : ChartData());
    chart_->setVisible(chart_->data().hasFigures());
    onePass_->setText(plan_ ? onePassText(*plan_) : QString());
    onePass_->setVisible(!onePass_->text().isEmpty());
    outcome_->setVisible(onePass_->isVisibleTo(this) && plan_->metrics.upperBoundBytes > 0);
    if (plan_) outcome_->setPlan(*plan_);
    goOn_->setText(plan_ ? continueText(*plan_) : QString());
    goOn_->setVisible(!goOn_->text().isEmpty());
    const auto [key, value] = plan_ ? nextSetting(*plan_) : std::pair<QString, QString>();
    goOnButton_->setVisible(!key.isEmpty());
    goOnButton_->setText(key.startsWith(u"engine.") ? tr("No time limit")
                                                    : tr("%1 moves").arg(groupedText(value.toLongLong())));
    gains_->setPlan(plan_);
    gainSection_->setVisible(!gains_->isEmpty());
    joint_->setTrace(plan_ ? targetDataOf(*plan_).jointSearch() : nullptr);
    jointSection_->setVisible(plan_ && plan_->graph != nullptr && !settingRoles(plan_->target).jointSearch.empty());
}

QString SolverPanel::onePassText(const Plan& plan) {
    if (plan.solver.empty() || searchChartOf(plan).hasFigures() || plan.metrics.buffersTotal == 0) return {};
    // A search that ended before its first step leaves no trace either.
    if (plan.solver == "annealing" || plan.solver == "exact")
        return tr("%1 had nothing to search: there is no curve of best values over time.").arg(fromStd(plan.solver));
    const QString solver = fromStd(plan.solver);
    // Without addresses it is no list of places that was filled once: a search may leave no curve either.
    const QString why = std::ranges::any_of(plan.buffers, isPlaced)
                            ? tr("%1 places every buffer once and never looks back: there is no curve of best values "
                                 "over time.")
                            : tr("%1 leaves no curve of best values over time.");
    return why.arg(solver) + u' ' + tr("What it reached, and what no plan of these candidates exceeds:");
}

QString SolverPanel::continueText(const Plan& plan) {
    const auto search = searchOf(plan);
    if (!search) return {};
    const SearchTrace& t = *search;
    if (t.end == "time_limit")
        return tr("What would continue it: a time limit above %1 s (engine.time_limit_seconds; 0 = none).")
            .arg(fromStd(plan.settings.textOf("engine.time_limit_seconds")));
    if (t.end == "node_limit")
        return tr(
            "Its limit is counted in steps, not seconds, so that every machine gives the same plan. What can still "
            "find better: annealing with more moves, or hints that fix or leave out some buffers.");
    if (t.end == "steps_done" && !plan.metrics.provedOptimal)
        return tr("What would continue it: more moves (%1), or another seed (engine.seed).")
            .arg(fromStd(std::string(settingRoles(plan.target).solver.annealingSteps)));
    return {};
}

QWidget* SolverPanel::buildRace() {
    const Theme& theme = themeOf(this);
    auto* body = new QWidget(this);
    auto* column = new QVBoxLayout(body);
    column->setContentsMargins(0, 0, 0, theme.px(6));
    column->setSpacing(theme.px(6));
    table_ = new QTableView(body);
    table_->setObjectName(QStringLiteral("raceTable"));
    table_->setAccessibleName(tr("Race of the solvers"));
    table_->setModel(race_);
    setUpTable(table_, RaceModel::State);
    table_->setItemDelegate(new RaceDelegate(table_));
    table_->setSortingEnabled(false);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    withScale(table_, [this](const Theme& scaled) {
        table_->horizontalHeader()->setFixedHeight(scaled.px(38));
        refreshRows();  // columns that larger text widened do not shrink by themselves
    });
    table_->viewport()->installEventFilter(this);
    column->addWidget(table_);
    raceChart_ = new Chart(body);
    raceChart_->setObjectName(QStringLiteral("raceChart"));
    raceChart_->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(raceChart_, &Chart::activated, table_, &QTableView::selectRow);
    connect(raceChart_, &Chart::currentChanged, table_, &QTableView::selectRow);
    column->addWidget(raceChart_);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(theme.px(10), 0, theme.px(10), 0);
    line->setSpacing(theme.px(6));
    current_ = new QPushButton(tr("Make current"), body);
    compare_ = new QPushButton(tr("Compare"), body);
    compare_->setToolTip(tr("With the current plan, side by side"));
    start_ = new QPushButton(tr("Start race"), body);
    start_->setObjectName(QStringLiteral("raceStart"));
    current_->setObjectName(QStringLiteral("raceMakeCurrent"));
    compare_->setObjectName(QStringLiteral("raceCompare"));
    line->addWidget(current_);
    line->addWidget(compare_);
    line->addStretch(1);
    line->addWidget(start_);
    column->addLayout(line);
    connect(start_, &QPushButton::clicked, this, [this] {
        if (racing_) return emit raceCancelled();
        QStringList solvers;
        for (const SolverChoice& choice : choices_)
            solvers << choice.id;
        emit raceRequested(solvers);
    });
    connect(current_, &QPushButton::clicked, this, [this] { emit makeCurrentRequested(selectedRow()); });
    connect(compare_, &QPushButton::clicked, this, [this] { emit compareRequested(selectedRow()); });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SolverPanel::refreshButtons);
    connect(race_, &RaceModel::dataChanged, this, &SolverPanel::refreshRows);
    connect(race_, &RaceModel::modelReset, this, &SolverPanel::refreshRows);
    refreshRows();
    return body;
}

void SolverPanel::setChoices(const QString& key, std::vector<SolverChoice> choices, std::vector<QString> common) {
    const QScopedValueRollback<bool> guard(filling_, true);
    key_ = key;
    choices_ = std::move(choices);
    common_ = std::move(common);
    solver_->clear();
    for (const SolverChoice& choice : choices_) {
        solver_->addItem(choice.name, choice.id);
        solver_->setItemData(solver_->count() - 1, choice.help, Qt::ToolTipRole);
        solver_->setItemData(solver_->count() - 1, choice.help, Qt::AccessibleDescriptionRole);
    }
    // Wider than the box, as wide as the window allows.
    const int widest = solver_->view()->sizeHintForColumn(0) + themeOf(this).px(24);
    solver_->view()->setMinimumWidth(std::min(widest, themeOf(this).px(640)));
    race_->setRows({});
    setEnabled(!choices_.empty());
}

QString SolverPanel::nameOf(const QString& id) const {
    const auto it = std::ranges::find(choices_, id, &SolverChoice::id);
    return it == choices_.end() ? id : it->name;
}

void SolverPanel::setSettings(const Settings& settings) {
    // A machine may have nothing to choose.
    const QString chosen = key_.isEmpty() ? QString() : fromStd(settings.textOf(key_.toStdString()));
    const QScopedValueRollback<bool> guard(filling_, true);
    solver_->setCurrentIndex(solver_->findData(chosen));
    std::vector<QString> keys;
    for (const SolverChoice& choice : choices_) {
        if (choice.id != chosen) continue;
        keys = choice.parameters;
        if (fixed_.isEmpty()) help_->setText(choice.help);
    }
    keys.insert(keys.end(), common_.begin(), common_.end());
    parameters_->show(keys, settings);
}

void SolverPanel::setPlan(PlanPtr plan) {
    plan_ = std::move(plan);
    refreshResult();
    race_->setCurrentHash(plan_ ? plan_->planHash : std::string());
}

/// In the figures of its machine, or in buffers and bytes.
QString SolverPanel::resultText(const Plan& plan, const std::vector<RaceFigure>& figures) {
    QStringList lines;
    lines << tr("%1: %2").arg(fromStd(plan.solver), statusWord(plan));
    double seconds = 0;
    for (const PassRun& pass : plan.passes)
        if (pass.name == "scratchpad_planning") seconds = pass.seconds;
    const auto search = searchOf(plan);
    if (search) lines << searchSentence(*search);
    if (seconds > 0) lines << tr("time %1\u202Fms").arg(QString::number(seconds * 1000, 'f', 2));
    QStringList own;
    // Where all are 0, the plan is one of another machine.
    const bool areOwn = std::ranges::any_of(figures, [&](const RaceFigure& f) { return f.value(plan) != 0; });
    for (const RaceFigure& figure : figures)
        if (areOwn) own << QStringLiteral("%1\u202f%2").arg(figure.title, groupedText(qRound64(figure.value(plan))));
    lines << (own.isEmpty() ? memoryText(plan) : own.join(QStringLiteral(", ")));
    lines << tr("seed %1, plan hash %2").arg(plan.settings.integer("engine.seed")).arg(fromStd(plan.planHash));
    return lines.join(u'\n');
}

void SolverPanel::setRacing(bool on) {
    racing_ = on;
    start_->setText(on ? tr("Cancel race") : tr("Start race"));
    refreshButtons();
}

void SolverPanel::refreshRows() {
    for (int r = 0; r < race_->rowCount(); ++r) {
        const bool running = race_->row(r).state == RaceRow::State::Running;
        const int wide = running ? static_cast<int>(RaceModel::Time) : 1;
        if (table_->columnSpan(r, RaceModel::OnChip) != wide) table_->setSpan(r, RaceModel::OnChip, 1, wide);
    }
    fitRaceTable();
    refreshButtons();
}

/// As high as its rows, and the bar below them where the columns are wider than the table.
void SolverPanel::fitRaceTable() {
    const Theme& theme = themeOf(this);
    sizeColumns(table_, 150);
    const int rows = std::max(race_->rowCount(), 1) * theme.px(24);
    const bool isWider = table_->horizontalHeader()->length() > table_->viewport()->width();
    const int bar = isWider ? table_->horizontalScrollBar()->sizeHint().height() : 0;
    table_->setFixedHeight(theme.px(40) + rows + bar);
}

bool SolverPanel::eventFilter(QObject* watched, QEvent* event) {
    // The last column takes its share of the new width first.
    if (event->type() == QEvent::Resize && watched == table_->viewport())
        QMetaObject::invokeMethod(this, &SolverPanel::fitRaceTable, Qt::QueuedConnection);
    return QWidget::eventFilter(watched, event);
}

int SolverPanel::selectedRow() const {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.front().row();
}

void SolverPanel::refreshButtons() {
    if (current_ == nullptr) return;
    const int row = selectedRow();
    raceChart_->setData(raceChart(*race_, row));
    raceChart_->setVisible(race_->doneCount() > 0);
    const bool done = row >= 0 && row < race_->rowCount() && race_->row(row).plan != nullptr;
    current_->setEnabled(done);
    compare_->setEnabled(done && plan_ && race_->row(row).plan->planHash != plan_->planHash);
    start_->setEnabled(!choices_.empty() && fixed_.isEmpty());
}

void SolverPanel::setFixed(const QString& why) {
    fixed_ = why;
    for (QWidget* control : {static_cast<QWidget*>(solver_), static_cast<QWidget*>(parameters_),
                             static_cast<QWidget*>(start_), static_cast<QWidget*>(goOnButton_)})
        offer(control, why);
    help_->setText(why);
    refreshButtons();
}

}  // namespace memplan::ui
