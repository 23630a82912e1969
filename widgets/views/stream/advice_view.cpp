// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/advice_view.h"

#include "engine/torchwright/compile/advice_text.h"
#include "engine/torchwright/graph/graph_json.h"
#include "widgets/kit/controls/notices/link_label.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QScrollArea>

namespace memplan::ui {

namespace tw = torchwright;

namespace {

constexpr int kWaitMs = 400;  ///< the plan is drawn first

}  // namespace

AdviceView::AdviceView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), table_(new ReportTree(tr("Advice"), hub, this)), state_(wrappedLabel({}, this)),
      try_(new LinkLabel(tr("Try out"), this)), all_(new QCheckBox(tr("Also what gained nothing"), this)) {
    setObjectName(QStringLiteral("adviceView"));
    setAccessibleName(tr("Advice"));
    table_->setObjectName(QStringLiteral("adviceTable"));
    table_->setHeads({{tr("Advice")},
                      {tr("Layers"), true, tr("Before and after, of a compile that followed it")},
                      {tr("What is there")}});
    table_->setStretched(2);
    try_->setToolTip(tr("Compiles the graph with up to %1 of them followed").arg(kTrials));
    auto* bar = new QHBoxLayout;
    setScaledMargins(bar, {10, 4, 10, 4}, 14);
    bar->addWidget(state_, 1);
    bar->addWidget(all_);
    bar->addWidget(try_);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    row->addWidget(table_, 3);
    row->addWidget(buildSide(), 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(bar);
    column->addLayout(row, 1);
    setFocusProxy(table_);
    wait_.setSingleShot(true);
    wait_.setInterval(kWaitMs);
    connect(&wait_, &QTimer::timeout, this, &AdviceView::tryOut);
    connect(try_, &QAbstractButton::clicked, this, &AdviceView::tryOut);
    connect(all_, &QCheckBox::toggled, this, &AdviceView::fill);
    connect(hub_, &SelectionHub::planChanged, this, &AdviceView::planChanged);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &AdviceView::showFinding);
    planChanged();
}

QWidget* AdviceView::buildSide() {
    auto* side = new QWidget;
    what_ = wrappedLabel({}, side, TextStyle::BodyStrong);
    why_ = wrappedLabel({}, side);
    instead_ = wrappedLabel({}, side);
    trial_ = wrappedLabel({}, side);
    apply_ = new QPushButton(side);
    compare_ = new QPushButton(tr("Compare"), side);
    compare_->setToolTip(tr("The plan on screen beside the one that follows this advice"));
    save_ = new QPushButton(tr("Save rewritten graph..."), side);
    copy_ = new QPushButton(tr("Copy"), side);
    apply_->setObjectName(QStringLiteral("adviceApply"));
    compare_->setObjectName(QStringLiteral("adviceCompare"));
    save_->setObjectName(QStringLiteral("adviceSave"));
    setPrimary(apply_);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* button : {apply_, compare_, save_, copy_})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto* column = new QVBoxLayout(side);
    setScaledMargins(column, {10, 8, 10, 8}, 6);
    for (QLabel* label : {what_, why_, instead_, trial_})
        column->addWidget(label);
    column->addLayout(buttons);
    column->addStretch(1);
    connect(apply_, &QPushButton::clicked, this, [this] {
        const tw::Finding* finding = current();
        if (finding == nullptr) return;
        if (const auto proposal = adviceProposal(*advice_, *finding)) emit proposed(*proposal);
    });
    connect(compare_, &QPushButton::clicked, this, &AdviceView::compare);
    connect(save_, &QPushButton::clicked, this, [this] {
        const tw::Finding* finding = current();
        if (finding == nullptr || finding->trial.rewritten == nullptr) return;
        emit saveRequested(fromStd(tw::codeText(finding->code)).toLower(),
                           QByteArray::fromStdString(tw::writeGraph(*finding->trial.rewritten)));
    });
    connect(copy_, &QPushButton::clicked, this, [this] {
        if (const tw::Finding* finding = current()) QApplication::clipboard()->setText(adviceText(*finding));
    });
    auto* area = new QScrollArea(this);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidget(side);
    return area;
}

void AdviceView::planChanged() {
    if (hub_->plan() == plan_) return;
    plan_ = hub_->plan();
    wait_.stop();
    isTried_ = false;
    const TorchwrightData* record = streamDataOf(plan_);
    advice_ = record == nullptr ? nullptr : record->advice;
    fill();
    emit countChanged();
    beginWait();
}

void AdviceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    beginWait();
}

/// Trials cost compiles: only for a graph that is compiled here, and where somebody looks.
void AdviceView::beginWait() {
    const bool isSmall = plan_ && plan_->buffers.size() <= kAutomaticNodes;
    const bool isWanted = advice_ && !advice_->findings.empty() && !isTried_ && !isRunning_;
    if (isVisible() && isWanted && isSmall && hub_->offersHints()) wait_.start();
}

void AdviceView::tryOut() {
    wait_.stop();
    if (!advice_ || isRunning_ || !hub_->offersHints()) return;
    StreamJob job;
    job.title = tr("Trying advice");
    job.work = [self = QPointer<AdviceView>(this), plan = plan_](const CompileRequest& request,
                                                                 const RunControl& control) -> StreamJob::Finish {
        auto found = tw::tryAdvice(request, *plan, kTrials, control);
        if (control.cancelled()) return {};
        const AdvicePtr report = found ? found.value().report : nullptr;
        const QString error = found ? QString() : fromStd(found.error().primary().message);
        return [self, plan, report, error] {
            if (self == nullptr) return;
            self->isRunning_ = false;
            if (self->plan_ != plan) return self->beginWait();
            self->isTried_ = true;
            if (report) self->advice_ = report;
            self->fill();
            if (!error.isEmpty()) self->state_->setText(error);
            emit self->countChanged();
        };
    };
    isRunning_ = true;
    fill();
    emit jobRequested(job);
}

void AdviceView::ended() {
    if (!isRunning_) return;
    isRunning_ = false;
    isTried_ = true;  // it was stopped: nothing begins again by itself
    fill();
}

void AdviceView::fill() {
    const auto groups = adviceGroups(plan_, advice_, all_->isChecked());
    std::vector<ReportRow> rows;
    int better = 0;
    for (const AdviceGroup& group : groups) {
        ReportRow head{group.lever, {{group.lever}, {}, {}}, {}, true, {}};
        if (group.gain > 0) head.cells[1] = {tr("up to %1 fewer").arg(group.gain), QVariant(-group.gain)};
        for (const AdviceLine& line : group.lines) {
            better += line.isBetter ? 1 : 0;
            const QString layers = !line.layers.isEmpty() ? line.layers
                                   : line.isTried         ? tr("fails")
                                   : line.canBeTried      ? tr("not tried")
                                                          : QString();
            head.parts.push_back(
                {QString::number(line.finding),
                 {{line.code}, {layers, QVariant(-line.gain), line.effect}, {line.what, {}, line.what}},
                 line.items});
        }
        rows.push_back(std::move(head));
    }
    table_->setRows(rows);
    if (table_->currentKey().isEmpty() && !groups.empty())
        table_->setCurrentKeyQuietly(QString::number(groups.front().lines.front().finding));
    QStringList words;
    if (streamDataOf(plan_) == nullptr)
        words << tr("This plan has no layers.");
    else if (!advice_)
        words << tr("This plan comes without advice: compile the graph with torchwright.advice.");
    else if (advice_->findings.empty())
        words << tr("Nothing is found.");
    else
        words << plural(count(), tr("finding"), tr("findings"));
    if (isRunning_)
        words << tr("trying them out...");
    else if (isTried_)
        words << tr("%1 compiled, %2 better").arg(advice_ ? advice_->compiles : 0).arg(better);
    if (const QString rest = adviceRest(advice_); !rest.isEmpty()) words << rest;
    state_->setText(words.join(QStringLiteral(", ")));
    try_->setEnabled(advice_ && !advice_->findings.empty() && !isRunning_ && hub_->offersHints());
    showFinding();
}

const tw::Finding* AdviceView::current() const {
    bool isNumber = false;
    const int index = table_->currentKey().toInt(&isNumber);
    if (!advice_ || !isNumber || static_cast<std::size_t>(index) >= advice_->findings.size()) return nullptr;
    return &advice_->findings[static_cast<std::size_t>(index)];
}

void AdviceView::showFinding() {
    const tw::Finding* finding = current();
    const bool isThere = finding != nullptr;
    what_->setText(isThere ? fromStd(tw::codeText(finding->code) + "  " + tw::findingText(*finding)) : QString());
    why_->setText(isThere ? fromStd(sentence(finding->why)) : QString());
    instead_->setText(isThere ? fromStd(sentence(finding->instead)) : QString());
    trial_->setText(isThere ? fromStd(tw::trialText(*finding)) : QString());
    for (QLabel* label : {why_, instead_, trial_})
        label->setVisible(!label->text().isEmpty());
    const auto proposal = isThere ? adviceProposal(*advice_, *finding) : std::nullopt;
    const bool canChange = isThere && hub_->offersHints();
    apply_->setVisible(canChange && proposal.has_value());
    if (proposal) apply_->setText(proposal->isHint() ? tr("Add hint") : tr("Set %1").arg(proposal->title));
    const bool isRewritten = isThere && finding->trial.rewritten != nullptr;
    compare_->setVisible(canChange && (isRewritten || proposal.has_value()));
    save_->setVisible(isRewritten);
    copy_->setVisible(isThere);
}

void AdviceView::compare() {
    const tw::Finding* finding = current();
    if (finding == nullptr) return;
    StreamJob job;
    const QString code = fromStd(tw::codeText(finding->code));
    job.title = tr("Compiling with %1 followed").arg(code);
    job.work = [self = QPointer<AdviceView>(this), advice = advice_, index = finding - advice_->findings.data(),
                code](const CompileRequest& request, const RunControl& control) -> StreamJob::Finish {
        const tw::Finding& followedOne = advice->findings[static_cast<std::size_t>(index)];
        const CompileOutcome outcome = compile(followed(request, *advice, followedOne), control);
        if (control.cancelled()) return {};
        if (!outcome.plan)
            return [self, error = fromStd(outcome.failure->error.primary().message)] {
                if (self != nullptr) self->state_->setText(error);
            };
        return [self, plan = outcome.plan, code] {
            if (self != nullptr) emit self->planMade(plan, tr("%1 followed").arg(code));
        };
    };
    emit jobRequested(job);
}

}  // namespace memplan::ui
