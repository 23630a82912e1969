// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_overview.h"

#include "engine/base/figures.h"
#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStandardItemModel>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace memplan::ui {

namespace {

constexpr std::size_t kFailedShown = 12;

QString microseconds(double ns) {
    return fromStd(text::groupedFixed(ns / 1000, ns < 1e5 ? 2 : 1));
}

}  // namespace

ChainOverview::ChainOverview(ChainView* view, QWidget* parent)
    : SidePage(view, parent), scroll_(new QScrollArea(this)) {
    setObjectName(QStringLiteral("chainOverview"));
    column()->setContentsMargins(0, 0, 0, 0);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    column()->addWidget(scroll_);
}

/// While changes are tried only words change: a page made anew would lose the chosen row and the button that is
/// pressed.
void ChainOverview::setAdvice(const ChainAdvice& advice) {
    ChainAdvice before = std::exchange(advice_, advice);
    before.state = advice_.state;
    if (before == advice_ && adviceState_ && !advice_.state.isEmpty()) return adviceState_->setText(advice_.state);
    if (isVisible()) refresh();
}

void ChainOverview::setParts(const ChainParts& parts) {
    parts_ = parts;
    if (isVisible()) refresh();
}

void ChainOverview::refresh() {
    const int at = scroll_->verticalScrollBar()->value();
    auto* content = new QWidget;
    auto* into = new QVBoxLayout(content);
    const int margin = themeOf(this).px(10);
    into->setContentsMargins(margin, margin, margin, margin);
    into->setSpacing(themeOf(this).px(6));
    if (!data()) {
        into->addWidget(sideSentence(tr("This plan has no L1 chains."), content));
    } else {
        const TtnnGoals& goals = data()->record().goals;
        into->addWidget(sideHead(tr("The plan as a whole"), content));
        into->addWidget(sideSentence(tr("Estimated %1 \u00b5s a run, %2 read from and written to DRAM, %3.")
                                         .arg(microseconds(goals.estimatedNs), exactBytes(goals.dramBytes),
                                              plural(goals.spills, tr("spill"), tr("spills"))),
                                     content));
        auto* row = new QHBoxLayout;
        row->setSpacing(themeOf(this).px(6));
        auto* text = new QPushButton(tr("Copy override string"), content);
        auto* module = new QPushButton(tr("Save module..."), content);
        text->setObjectName(QStringLiteral("copyOverrides"));
        module->setObjectName(QStringLiteral("saveModule"));
        text->setEnabled(!data()->record().overrides.empty());
        text->setToolTip(text->isEnabled() ? tr("Forced layouts and conversions in force, as options of the compiler")
                                           : tr("No hint and no setting forces a layout or a conversion in this plan"));
        module->setEnabled(data()->record().hasArtefacts());
        module->setToolTip(module->isEnabled() ? tr("The optimised module as MLIR text")
                                               : tr("A plan that was read from a file holds no module: compile it"));
        connect(text, &QPushButton::clicked, this, &ChainOverview::overridesRequested);
        connect(module, &QPushButton::clicked, this, &ChainOverview::moduleRequested);
        row->addWidget(text);
        row->addWidget(module);
        row->addStretch(1);
        into->addLayout(row);
        fillFailed(into, content);
        fillAdvice(into, content);
        fillParts(into, content);
    }
    into->addStretch(1);
    scroll_->setWidget(content);
    content->show();
    scroll_->verticalScrollBar()->setValue(at);
}

QPushButton* ChainOverview::addButton(const QString& text, const QString& name, QVBoxLayout* into, QWidget* content) {
    auto* button = new QPushButton(text, content);
    button->setObjectName(name);
    into->addWidget(button, 0, Qt::AlignLeft);
    return button;
}

void ChainOverview::fillFailed(QVBoxLayout* into, QWidget* content) {
    std::vector<int> failed;
    for (std::size_t i = 0; i < data()->lanes().size(); ++i)
        if (data()->lanes()[i].state == ttnn::ChainState::Failed) failed.push_back(static_cast<int>(i));
    if (failed.empty()) return;
    into->addWidget(sideHead(tr("Failed chains"), content));
    for (std::size_t i = 0; i < failed.size() && i < kFailedShown; ++i) {
        const int lane = failed[i];
        const ChainLane& row = data()->lanes()[static_cast<std::size_t>(lane)];
        auto* link = new QPushButton(
            tr("%1: %2 at position %3")
                .arg(row.title, plural(static_cast<qint64>(row.cells.size()), tr("operation"), tr("operations")))
                .arg(row.first()),
            content);
        link->setObjectName(QStringLiteral("failedChain"));
        into->addWidget(link, 0, Qt::AlignLeft);
        connect(link, &QPushButton::clicked, this, [this, lane] { emit laneRequested(lane); });
    }
    if (failed.size() > kFailedShown)
        into->addWidget(sideNote(tr("and %1 more").arg(failed.size() - kFailedShown), content));
}

bool ChainOverview::isSaidBefore(std::size_t offer) const {
    const ChainOffer& o = advice_.offers[offer];
    const auto end = advice_.offers.begin() + static_cast<std::ptrdiff_t>(offer);
    return o.isOffered() &&
           std::any_of(advice_.offers.begin(), end, [&o](const ChainOffer& other) { return other.isSameChange(o); });
}

QString ChainOverview::findingsOf(const ChainOffer& offer) const {
    QStringList findings;
    for (const ChainOffer& o : advice_.offers)
        if (o.isSameChange(offer) && !findings.contains(o.finding)) findings << o.finding;
    return findings.join(u'\n');
}

void ChainOverview::addOffer(int offer, QVBoxLayout* into, QWidget* content) {
    const ChainOffer& o = advice_.offers[static_cast<std::size_t>(offer)];
    const QString times = o.times > 1 ? tr(" \u00d7 %1").arg(o.times) : QString();
    if (o.isOffered() && view()->hub()->offersHints()) {
        auto* card = new FixCard({changeTitle(o.change), findingsOf(o) + u'\n' + o.effect, tr("Apply"), {}, false},
                                 false, content);
        connect(card, &FixCard::applied, this, [this, offer] { emit offerTaken(offer); });
        into->addWidget(card);
        return;
    }
    auto* text = sideNote(QStringLiteral("%1%2  %3").arg(o.code, times, o.finding), content);
    into->addWidget(text);
    QString outcome = o.change;
    if (o.state == ChainOffer::State::Better) outcome = tr("Tried on a copy: %1. %2").arg(o.change, o.effect);
    if (o.state == ChainOffer::State::NoGain)
        outcome =
            (o.resolves ? tr("Tried, it completes the chain without a gain: %1. %2") : tr("Tried, no gain: %1. %2"))
                .arg(o.change, o.effect);
    if (o.state == ChainOffer::State::Failed) outcome = tr("Tried, it fails: %1. %2").arg(o.change, o.effect);
    if (o.state == ChainOffer::State::Waiting) outcome = tr("Not tried yet: %1").arg(o.change);
    if (!outcome.isEmpty()) into->addWidget(sideNote(QStringLiteral("    ") + outcome, content));
}

void ChainOverview::fillAdvice(QVBoxLayout* into, QWidget* content) {
    if (advice_.offers.empty() && advice_.state.isEmpty()) return;
    into->addWidget(sideHead(tr("What would help"), content));
    if (!advice_.state.isEmpty()) into->addWidget(adviceState_ = sideSentence(advice_.state, content));
    if (advice_.canRun)
        connect(addButton(tr("Try the changes"), QStringLiteral("tryAdvice"), into, content), &QPushButton::clicked,
                this, &ChainOverview::trialsRequested);
    int others = 0;
    for (std::size_t i = 0; i < advice_.offers.size(); ++i)
        if (!advice_.offers[i].isOffered())
            ++others;
        else if (!isSaidBefore(i))  // one card for one change
            addOffer(static_cast<int>(i), into, content);
    if (others == 0) return;
    auto* more =
        addButton(showsAll_ ? tr("Hide the others") : plural(others, tr("other finding"), tr("other findings")),
                  QStringLiteral("otherFindings"), into, content);
    connect(more, &QPushButton::clicked, this, [this] {
        showsAll_ = !showsAll_;
        QMetaObject::invokeMethod(
            this, [this] { refresh(); }, Qt::QueuedConnection);
    });
    for (std::size_t i = 0; showsAll_ && i < advice_.offers.size(); ++i)
        if (!advice_.offers[i].isOffered()) addOffer(static_cast<int>(i), into, content);
}

void ChainOverview::fillParts(QVBoxLayout* into, QWidget* content) {
    if (parts_.rows.empty() && !parts_.canRun && parts_.state.isEmpty()) return;
    into->addWidget(sideHead(tr("What each part gained"), content));
    if (!parts_.state.isEmpty()) into->addWidget(sideSentence(parts_.state, content));
    if (parts_.canRun)
        connect(addButton(tr("Compile the parts one by one"), QStringLiteral("tryParts"), into, content),
                &QPushButton::clicked, this, &ChainOverview::partsRequested);
    if (parts_.rows.empty()) return;
    auto* model = new QStandardItemModel(content);
    model->setHorizontalHeaderLabels(
        {tr("Parts"), tr("In L1"), tr("Sharded"), tr("Reshards"), tr("Cores"), tr("\u00b5s")});
    for (const ChainPartRow& row : parts_.rows) {
        QList<QStandardItem*> cells{tableItem(row.isCurrent ? tr("%1 (this plan)").arg(row.title) : row.title)};
        if (row.goals)
            cells << tableItem(percentText(row.goals->l1ResidencyShare()), true)
                  << tableItem(groupedText(row.goals->shardedOps), true)
                  << tableItem(groupedText(row.goals->reshards()), true)
                  << tableItem(percentText(row.goals->coreUtilisation), true)
                  << tableItem(microseconds(row.goals->estimatedNs), true);
        else
            cells << tableItem(row.why);
        cells.front()->setToolTip(row.why.isEmpty() ? row.title : row.why);
        model->appendRow(cells);
    }
    QTableView* table = sideTable(model, tr("What each part gained"), content);
    table->setObjectName(QStringLiteral("chainParts"));
    table->setFont(themeOf(this).font(TextStyle::Small));
    table->resizeColumnsToContents();
    showAllRows(table);
    into->addWidget(table);
    QPushButton* make = addButton(tr("Make this row current"), QStringLiteral("partCurrent"), into, content);
    make->setEnabled(false);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, make,
            [this, make](const QModelIndex& at) {
                const auto row = static_cast<std::size_t>(std::max(0, at.row()));
                make->setEnabled(at.isValid() && row < parts_.rows.size() && !parts_.rows[row].isCurrent &&
                                 parts_.rows[row].goals && view()->hub()->offersHints());
            });
    connect(make, &QPushButton::clicked, this, [this, table] { emit partChosen(table->currentIndex().row()); });
}

}  // namespace memplan::ui
