// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/concurrency_view.h"

#include "widgets/canvas/chart/chart.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/plan/units.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace memplan::ui {

ConcurrencyView::ConcurrencyView(SelectionHub* hub, QWidget* parent)
    : QWidget(parent), hub_(hub), which_(new QComboBox(this)), find_(new QPushButton(tr("Find the best K"), this)),
      add_(new QPushButton(tr("Add concurrency hint"), this)), sentence_(wrappedLabel({}, this)),
      conditions_(new ReportTree(tr("Conditions of a limit"), hub, this)), chart_(new Chart(this)) {
    setObjectName(QStringLiteral("concurrencyView"));
    setAccessibleName(tr("Concurrency"));
    which_->setObjectName(QStringLiteral("clusterCombo"));
    which_->setAccessibleName(tr("Parallel chains"));
    find_->setObjectName(QStringLiteral("findK"));
    find_->setToolTip(tr("Compiles with one K after another, without the hints on concurrency that there are"));
    add_->setObjectName(QStringLiteral("addK"));
    setPrimary(add_);
    chart_->setObjectName(QStringLiteral("kChart"));
    conditions_->setHeads(factHeads(tr("A limit helps where")));

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 0, 0, 0);
    setScaledMinimumWidth(which_, 180);
    buttons->addWidget(which_);
    buttons->addWidget(find_);
    buttons->addWidget(add_);
    buttons->addStretch(1);
    auto* left = new QVBoxLayout;
    setScaledMargins(left, {10, 8, 10, 4}, 6);
    left->addLayout(buttons);
    left->addWidget(sentence_);
    left->addWidget(conditions_, 1);
    left->addStretch(0);  // takes the room of the conditions while there are none
    QHBoxLayout* row = scrolledRow(this);
    row->addLayout(left, 4);
    row->addWidget(chart_, 5);
    setScaledMinimumWidth(chart_, 240);
    connect(hub_, &SelectionHub::planChanged, this, &ConcurrencyView::refresh);
    connect(which_, &QComboBox::activated, this, [this] { showStudy(); });
    connect(find_, &QPushButton::clicked, this, &ConcurrencyView::search);
    connect(add_, &QPushButton::clicked, this, &ConcurrencyView::add);
    connect(chart_, &Chart::currentChanged, this, [this] { showStudy(); });
    refresh();
}

/// What was found holds for the document, whatever plan of it is on screen; another document has its own.
void ConcurrencyView::refresh() {
    const PlanPtr& plan = hub_->plan();
    const std::string sha = plan ? plan->input.sha256 : std::string();
    if (sha != inputSha_) study_.reset();
    inputSha_ = sha;
    const QString before = which_->currentText();
    clusters_ = chainClusters(plan);
    const QSignalBlocker quiet(which_);
    which_->clear();
    for (const ChainCluster& cluster : clusters_)
        which_->addItem(cluster.title);
    which_->setCurrentIndex(std::max(clusters_.empty() ? -1 : 0, which_->findText(before)));
    showStudy();
}

int ConcurrencyView::chosenK() const {
    if (!study_) return 0;
    const int at = chart_->current();
    const bool isTried = at >= 0 && static_cast<std::size_t>(at) < study_->tried.size();
    if (isTried) return study_->tried[static_cast<std::size_t>(at)].k;
    return study_->best ? study_->best->k : 0;
}

void ConcurrencyView::showStudy() {
    const int index = which_->currentIndex();
    const bool hasCluster = index >= 0 && static_cast<std::size_t>(index) < clusters_.size();
    const bool isShown = study_ && hasCluster && clusters_[static_cast<std::size_t>(index)].join == study_->join;
    which_->setVisible(clusters_.size() > 1);
    find_->setEnabled(hasCluster && !isRunning_ && hub_->offersHints());
    const int k = isShown ? chosenK() : 0;
    add_->setEnabled(k > 0 && hub_->offersHints() && !isRunning_);
    add_->setText(k > 0 ? tr("Add hint, K = %1").arg(k) : tr("Add concurrency hint"));
    conditions_->setVisible(isShown);
    if (isRunning_) return sentence_->setText(tr("Compiling with one K after another..."));
    if (!isShown) {
        chart_->setData({.name = tr("Sweep of K"), .empty = tr("Nothing was compiled yet.")});
        sentence_->setText(hub_->plan() == nullptr
                               ? tr("Show the state before the failure to look for parallel chains.")
                           : !hasCluster ? tr("This graph has no parallel chains that meet in one Concatenate.")
                           : hub_->offersHints()
                               ? tr("%1: each holds columns from its first value to its last. How many at a time give "
                                    "the fewest layers?")
                                     .arg(clusters_[static_cast<std::size_t>(index)].title)
                               : tr("Hints can be given where the graph itself is open."));
        return;
    }
    sentence_->setText(kSentence(*study_));
    conditions_->setRows(factRows(kConditions(*study_)));
    if (chart_->current() < 0) chart_->setData(kChart(*study_));
}

void ConcurrencyView::searchUnder(const QString& annotation) {
    const int cluster = clusterUnder(clusters_, annotation);
    if (cluster >= 0) which_->setCurrentIndex(cluster);
    search();
}

void ConcurrencyView::searchInto(std::int64_t join) {
    const auto at = std::ranges::find(clusters_, join, &ChainCluster::join);
    if (at == clusters_.end()) return;
    which_->setCurrentIndex(static_cast<int>(at - clusters_.begin()));
    search();
}

void ConcurrencyView::search() {
    const int index = which_->currentIndex();
    if (index < 0 || static_cast<std::size_t>(index) >= clusters_.size() || isRunning_) return;
    StreamJob job;
    job.title = tr("Searching for K");
    job.work = [self = QPointer<ConcurrencyView>(this), sha = inputSha_,
                join = clusters_[static_cast<std::size_t>(index)].join](
                   const CompileRequest& request, const RunControl& control) -> StreamJob::Finish {
        auto study = studyK(request, join, control);
        return [self, sha, study = std::move(study)] {
            if (self == nullptr) return;
            self->isRunning_ = false;
            if (study && self->inputSha_ == sha) {
                self->study_ = study;
                self->chart_->setData(kChart(*study));
            }
            self->showStudy();
            if (!study)
                self->sentence_->setText(tr("Without a limit the graph does not compile as far as to its chains."));
        };
    };
    isRunning_ = true;
    showStudy();
    emit jobRequested(job);
}

void ConcurrencyView::ended() {
    isRunning_ = false;
    showStudy();
}

void ConcurrencyView::add() {
    const int k = chosenK(), index = which_->currentIndex();
    if (k < 1 || index < 0) return;
    const auto [scope, json] = concurrencyHint(clusters_[static_cast<std::size_t>(index)], k);
    emit proposed({tr("Limit concurrency to %1").arg(k), {}, {}, scope, QStringLiteral("concurrency"), json});
}

}  // namespace memplan::ui
