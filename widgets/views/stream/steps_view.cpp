// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/steps_view.h"

#include "engine/torchwright/trial/split_steps.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>

#include <algorithm>
#include <memory>

namespace memplan::ui {

namespace tw = torchwright;

struct StepsView::Found {
    QString error;
    std::shared_ptr<const tw::StepSplit> split;
    QString isolate, asInputs;
};

namespace {

constexpr int kMostNamed = 6;

QString numbersText(const std::vector<std::int64_t>& numbers) {
    QStringList list;
    for (const std::int64_t number : numbers)
        list << QString::number(number);
    return list.join(u',');
}

/// What step 1 computes: the outputs of its graph, a Concatenate made for them opened.
QString resultsText(const TorchwrightData& record, const tw::NodeGraph& first) {
    std::vector<std::int64_t> numbers;
    const tw::Node& output = first.at(first.output);
    if (record.graph->find(output.number).isValid())
        numbers.push_back(output.number);
    else
        for (const tw::NodeId input : output.inputs)
            numbers.push_back(first.at(input).number);
    return numbersText(numbers);
}

ReportCell layersCell(const tw::Schedule& s) {
    if (s.ok()) return numberCell(s.layerCount());
    const QString result = fromStd(std::string(tw::resultName(s.result))).replace(u'_', u' ');
    return {StepsView::tr("%1 after %2").arg(result).arg(s.layerCount()), QVariant(s.layerCount()), fromStd(s.error)};
}

}  // namespace

StepsView::StepsView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), choice_(wrappedLabel({}, this)), result_(wrappedLabel({}, this)),
      split_(new QPushButton(tr("Split here"), this)), first_(new QPushButton(tr("Plan step 1"), this)),
      second_(new QPushButton(tr("Plan step 2"), this)), table_(new ReportTree(tr("Steps"), hub, this)) {
    setObjectName(QStringLiteral("stepsView"));
    setAccessibleName(tr("Split across steps"));
    split_->setObjectName(QStringLiteral("splitSteps"));
    table_->setObjectName(QStringLiteral("stepTable"));
    table_->setHeads({{tr("Figure")}, {tr("Whole graph"), true}, {tr("Step 1"), true}, {tr("Step 2"), true}});
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* button : {split_, first_, second_})
        buttons->addWidget(button);
    buttons->addStretch(1);
    auto* left = new QVBoxLayout;
    setScaledMargins(left, {10, 8, 10, 4}, 6);
    left->addWidget(choice_);
    left->addLayout(buttons);
    left->addWidget(result_);
    left->addStretch(1);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    row->addLayout(left, 1);
    row->addWidget(table_, 1);
    connect(split_, &QPushButton::clicked, this, &StepsView::split);
    connect(first_, &QPushButton::clicked, this, [this] {
        emit proposed({tr("Plan step 1"), QStringLiteral("torchwright.isolate"), isolate_});
    });
    connect(second_, &QPushButton::clicked, this, [this] {
        emit proposed({tr("Plan step 2"), QStringLiteral("torchwright.as_inputs"), asInputs_});
    });
    connect(hub_, &SelectionHub::planChanged, this, &StepsView::planChanged);
    connect(hub_, &SelectionHub::selectionChanged, this, &StepsView::showChoice);
    planChanged();
}

std::vector<std::int64_t> StepsView::chosen() const {
    const TorchwrightData* record = streamDataOf(hub_->plan());
    if (record == nullptr) return {};
    std::vector<std::int64_t> numbers;
    const auto take = [&](BufferId id) {
        const tw::Node& node = record->graph->nodes[id.at()];
        const bool leaves = !tw::isInputLike(node.kind) && !node.is(tw::NodeKind::Concatenate);
        if (leaves && std::ranges::count(numbers, node.number) == 0) numbers.push_back(node.number);
    };
    for (const ItemId item : hub_->selection()) {
        if (item.kind == ItemKind::Buffer) take(BufferId{item.index});
        if (item.kind != ItemKind::Op) continue;
        for (const BufferId output : hub_->plan()->op(OpId{item.index}).outputs)
            take(output);
    }
    std::ranges::sort(numbers);
    return numbers;
}

void StepsView::planChanged() {
    if (hub_->plan() != plan_) {
        plan_ = hub_->plan();
        isolate_.clear();
        asInputs_.clear();
        table_->setRows({});
        result_->clear();
    }
    showChoice();
}

void StepsView::showChoice() {
    const std::vector<std::int64_t> numbers = chosen();
    const bool isThere = streamDataOf(plan_) != nullptr;
    if (!isThere)
        choice_->setText(tr("This plan has no layers."));
    else if (numbers.empty())
        choice_->setText(tr("Select the nodes whose values leave one step and come back as inputs of the next."));
    else if (numbers.size() <= kMostNamed)
        choice_->setText(
            tr("Leave one step and come back in the next: %1").arg(numbersText(numbers).replace(u',', tr(", "))));
    else
        choice_->setText(tr("%1 nodes leave one step and come back in the next").arg(numbers.size()));
    split_->setEnabled(isThere && !numbers.empty() && !isRunning_);
    split_->setText(isRunning_ ? tr("Compiling...") : tr("Split here"));
    const bool canPlan = !asInputs_.isEmpty() && hub_->offersHints();
    first_->setVisible(canPlan);
    second_->setVisible(canPlan);
}

void StepsView::split() {
    const std::vector<std::int64_t> numbers = chosen();
    if (numbers.empty() || isRunning_) return;
    StreamJob job;
    job.title = tr("Compiling two steps");
    job.work = [self = QPointer<StepsView>(this), plan = plan_,
                numbers](const CompileRequest&, const RunControl& control) -> StreamJob::Finish {
        const TorchwrightData& record = *streamDataOf(plan);
        std::vector<tw::NodeId> nodes;
        for (const std::int64_t number : numbers)
            nodes.push_back(record.graph->find(number));
        auto made = tw::splitAcrossSteps(*record.graph, nodes, record.schedule.options, control);
        if (control.cancelled()) return {};
        Found found;
        if (made) {
            found.split = std::make_shared<const tw::StepSplit>(std::move(made).value());
            found.isolate = resultsText(record, found.split->first);
            found.asInputs = numbersText(numbers);
        } else {
            found.error = fromStd(made.error().primary().message);
        }
        return [self, plan, found] {
            if (self == nullptr) return;
            self->isRunning_ = false;
            if (self->plan_ == plan) self->show(found);
            self->showChoice();
        };
    };
    isRunning_ = true;
    showChoice();
    emit jobRequested(job);
}

void StepsView::ended() {
    isRunning_ = false;
    showChoice();
}

void StepsView::show(const Found& found) {
    isolate_ = found.isolate;
    asInputs_ = found.asInputs;
    if (!found.split) {
        table_->setRows({});
        return result_->setText(found.error);
    }
    const tw::StepSplit& s = *found.split;
    const auto row = [](const QString& name, ReportCell whole, ReportCell one, ReportCell two) {
        return ReportRow{name, {{name}, std::move(whole), std::move(one), std::move(two)}};
    };
    table_->setRows(
        {row(tr("Layers"), layersCell(s.before), layersCell(s.one), layersCell(s.two)),
         row(tr("Peak columns"), numberCell(s.before.peakOccupied), numberCell(s.one.peakOccupied),
             numberCell(s.two.peakOccupied)),
         row(tr("Heads"), numberCell(s.before.headsTotal), numberCell(s.one.headsTotal), numberCell(s.two.headsTotal)),
         row(tr("Slots"), numberCell(s.before.slotsTotal), numberCell(s.one.slotsTotal),
             numberCell(s.two.slotsTotal))});
    const QString carried = tr("Each token carries %1 to the next step; a result needs %2 positions.")
                                .arg(plural(s.widthPerToken, tr("column"), tr("columns")))
                                .arg(s.positionsPerResult);
    const int before = s.before.layerCount(), after = s.layersAfter();
    if (!s.ok()) return result_->setText(tr("One of the steps does not compile. %1").arg(carried));
    result_->setText(tr("A transformer that runs either step needs %1 layers instead of %2. %3")
                         .arg(after)
                         .arg(before)
                         .arg(carried));
}

}  // namespace memplan::ui
