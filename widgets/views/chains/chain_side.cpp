// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/chain_side.h"

#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/kit/controls/wrapped_label.h"
#include "widgets/kit/theme/scaled.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_story.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/path_matrix.h"
#include "widgets/views/chains/state_diagram.h"

#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr int kWidth = 384, kMargin = 10;

QWidget* page(QVBoxLayout*& column) {
    auto* widget = new QWidget;
    column = new QVBoxLayout(widget);
    setScaledMargins(column, {kMargin, kMargin, kMargin, kMargin}, 6);
    return widget;
}

}  // namespace

ChainSide::ChainSide(ChainView* view, QWidget* parent)
    : QWidget(parent), view_(view), tabs_(new QTabBar(this)), stack_(new QStackedWidget(this)),
      overview_(new ChainOverview(view, this)), chain_(new QScrollArea(this)), matrix_(new PathMatrix),
      layouts_(new ChainLayouts(view, this)), memory_(new ChainMemoryPage(view, this)),
      steps_(new ChainStepsPage(view, this)) {
    setObjectName(QStringLiteral("chainSide"));
    setScaledSize(this, kWidth, -1);
    for (const QString& name : {tr("Plan"), tr("Chain"), tr("Paths"), tr("Layouts"), tr("Memory"), tr("Steps")})
        tabs_->addTab(name);
    tabs_->setTabToolTip(Overview, tr("Goals, suggestions, what each part gained"));
    tabs_->setTabToolTip(Paths, tr("Path matrix: which configurations of two operations fit each other"));
    tabs_->setTabToolTip(Steps, tr("What the solver did, event after event"));
    tabs_->setDrawBase(false);
    tabs_->setExpanding(false);
    tabs_->setUsesScrollButtons(true);
    chain_->setWidgetResizable(true);
    chain_->setFrameShape(QFrame::NoFrame);
    chain_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (QWidget* each :
         {static_cast<QWidget*>(overview_), static_cast<QWidget*>(chain_), buildPaths(),
          static_cast<QWidget*>(layouts_), static_cast<QWidget*>(memory_), static_cast<QWidget*>(steps_)})
        stack_->addWidget(each);
    auto* box = new QVBoxLayout(this);
    box->setContentsMargins(1, 0, 0, 0);
    box->setSpacing(0);
    box->addWidget(tabs_);
    box->addWidget(stack_, 1);
    connect(tabs_, &QTabBar::currentChanged, this, [this](int at) {
        stack_->setCurrentIndex(at);
        refresh();
    });
    connect(view_, &ChainView::shownChanged, this, &ChainSide::refresh);
    connect(view_, &ChainView::edgeChosen, this, [this] { showPage(Paths); });
    connect(view_, &ChainView::laneChosen, this, [this] { showPage(Chain); });
    connect(view_->hub(), &SelectionHub::timeCursorChanged, this, [this] {
        if (tabs_->currentIndex() == Memory) refresh();
    });
    connect(recompile_, &QPushButton::clicked, this, &ChainSide::recompileRequested);
    connect(layouts_, &ChainLayouts::proposed, this, &ChainSide::proposed);
    connect(overview_, &ChainOverview::laneRequested, this, [this](int lane) {
        const ChainLane& row = view_->chainData()->lanes()[static_cast<std::size_t>(lane)];
        view_->hub()->select(ItemId::of(row.cells.front().op));
        view_->selectLane(lane);
        view_->showLane(lane);
        showPage(Chain);
    });
}

QWidget* ChainSide::buildPaths() {
    QVBoxLayout* column = nullptr;
    QWidget* paths = page(column);
    pathsTitle_ = sideSentence({}, paths);
    recompile_ = new QPushButton(tr("Compile again"), paths);
    auto* scroll = new QScrollArea(paths);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(matrix_);
    column->addWidget(pathsTitle_);
    column->addWidget(recompile_, 0, Qt::AlignLeft);
    column->addWidget(scroll, 1);
    return paths;
}

void ChainSide::showPage(Page page) {
    tabs_->setCurrentIndex(page);
}

/// Only the page in sight is filled, and nothing while nobody sees it.
void ChainSide::refresh() {
    if (!isVisible()) return;
    switch (tabs_->currentIndex()) {
    case Overview:
        return overview_->refresh();
    case Chain:
        return fillChain();
    case Paths:
        return fillPaths();
    case Configurations:
        return layouts_->refresh();
    case Memory:
        return memory_->refresh();
    default:
        return steps_->refresh();
    }
}

void ChainSide::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

// ---- chain ----

void ChainSide::setAdvice(const ChainAdvice& advice) {
    overview_->setAdvice(advice);
    if (isVisible() && tabs_->currentIndex() == Chain) fillChain();
}

namespace {

/// What an offer does for the failed chain that it stands below, and for the plan.
QString offerWords(const ChainOffer& offer) {
    if (!offer.resolves) return offer.effect;
    if (offer.state == ChainOffer::State::Waiting)
        return ChainSide::tr("The solver resolves the chain with it. Not compiled yet.");
    const QString gain = offer.isOffered() ? QString() : ChainSide::tr(" No gain for the plan:");
    return ChainSide::tr("Compiled: the chain is completed.%1 %2").arg(gain, offer.effect);
}

}  // namespace

/// What was compiled for this chain and is better, then what completes it, before anything that was not tried.
void ChainSide::addOffers(int chain, QVBoxLayout* column, QWidget* content) {
    const auto& offers = overview_->advice().offers;
    for (const bool isBetter : {true, false})
        for (std::size_t i = 0; i < offers.size(); ++i) {
            const ChainOffer& offer = offers[i];
            if (offer.chain != chain || offer.isOffered() != isBetter || !(isBetter || offer.resolves)) continue;
            auto* card =
                new FixCard({changeTitle(offer.change), offerWords(offer), tr("Apply"), {}, false}, false, content);
            card->setObjectName(offer.resolves ? QStringLiteral("resolvingOffer") : QStringLiteral("betterOffer"));
            connect(card, &FixCard::applied, this, [this, i] { emit overview_->offerTaken(static_cast<int>(i)); });
            column->addWidget(card);
        }
}

bool ChainSide::wasTried(const ChainProposal& proposal) const {
    const QString name = proposal.isHint()
                             ? nameOfChange(proposal.hintKey, view_->hub()->itemName(ItemId::of(proposal.op)))
                             : nameOfChange(proposal.setting, proposal.value);
    return std::ranges::find(overview_->advice().tried, name) != overview_->advice().tried.end();
}

void ChainSide::fillChain() {
    QVBoxLayout* column = nullptr;
    QWidget* content = page(column);
    const ChainDataPtr& chains = view_->chainData();
    const int lane = view_->lane();
    const bool isKnown = chains && lane >= 0 && static_cast<std::size_t>(lane) < chains->lanes().size();
    if (!isKnown) {
        column->addWidget(sideSentence(tr("Select a chain or one of its operations."), content));
    } else {
        const ChainLane& row = chains->lanes()[static_cast<std::size_t>(lane)];
        column->addWidget(sideHead(tr("%1, %2").arg(row.title, plural(static_cast<qint64>(row.cells.size()),
                                                                      tr("operation"), tr("operations"))),
                                   content));
        auto* diagram = new StateDiagram(content);
        diagram->setState(row.state);
        column->addWidget(diagram);
        int number = 0;
        for (const StoryStep& step : chainStory(*chains, lane)) {
            column->addWidget(
                wrappedLabel(QStringLiteral("%1  %2").arg(++number).arg(step.title), content, TextStyle::BodyStrong));
            if (!step.lines.isEmpty()) column->addWidget(sideNote(step.lines.join(u'\n'), content));
        }
        if (view_->hub()->offersHints()) {
            addOffers(row.chain, column, content);
            for (const ChainProposal& proposal : chainProposals(*chains, lane)) {
                if (wasTried(proposal)) {
                    column->addWidget(
                        sideNote(tr("Tried: %1. No gain, or offered above.").arg(proposal.title), content));
                    continue;
                }
                auto* card = new FixCard({proposal.title, proposal.text, proposal.button, {}, false}, false, content);
                connect(card, &FixCard::applied, this, [this, proposal] { emit proposed(proposal); });
                column->addWidget(card);
            }
        }
    }
    column->addStretch(1);
    chain_->setWidget(content);
}

// ---- paths ----

/// The edge into an operation from the one before it in its chain.
int ChainSide::edgeOf(OpId op) const {
    const auto& edges = view_->chainData()->record().record.edges;
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].consumer == op && edges[i].producer.isValid()) return static_cast<int>(i);
    for (std::size_t i = 0; i < edges.size(); ++i)
        if (edges[i].producer == op) return static_cast<int>(i);
    return -1;
}

void ChainSide::fillPaths() {
    const ChainDataPtr& chains = view_->chainData();
    recompile_->hide();
    matrix_->setEdge(nullptr, -1);
    if (!chains) return pathsTitle_->setText({});
    const OpId op = view_->selectedOp();
    const int edge = view_->edge() >= 0 ? view_->edge() : op.isValid() ? edgeOf(op) : -1;
    if (edge < 0)
        return pathsTitle_->setText(op.isValid()
                                        ? tr("%1 is alone in its chain, or in none: there are no pairs. What it was "
                                             "checked with stands under Layouts.")
                                              .arg(view_->hub()->itemName(ItemId::of(op)))
                                        : tr("Select the count between two operations of a chain, or an operation."));
    const ttnn::EdgeInfo& info = chains->record().record.edges[static_cast<std::size_t>(edge)];
    const auto name = [this](OpId id) { return id.isValid() ? view_->hub()->itemName(ItemId::of(id)) : tr("entry"); };
    QString title = tr("%1 to %2, operand %3").arg(name(info.producer), name(info.consumer)).arg(info.operand);
    if (!chains->hasPairs()) {
        recompile_->setVisible(view_->hub()->offersHints());
        return pathsTitle_->setText(
            title + tr("\nA plan that was read from a file does not hold the pairs: they are of the compile."));
    }
    const auto alive = std::ranges::count(info.dropped, 0);
    title += tr("\n%1 producer and %2 consumer configurations; %3 pairs fit, %4 are left.")
                 .arg(info.producerConfigs)
                 .arg(info.consumerConfigs)
                 .arg(info.paths.size())
                 .arg(alive);
    if (!info.paths.empty())
        title += tr(" A number is the round that removed the pair; the chosen pair is ringed.");
    else if (const QString closest = closestPairText(*chains, info); !closest.isEmpty())
        title += tr(" Ringed: the closest pair, %1.").arg(closest);
    if (info.reshard)
        title +=
            tr("\nReshard (%1) to %2.").arg(fromStd(std::string(wordOf(info.origin))), shortLayoutText(*info.reshard));
    matrix_->setEdge(chains, edge);
    if (const QString legend = matrix_->legend(); !legend.isEmpty()) title += u'\n' + legend;
    pathsTitle_->setText(title);
}

void ChainSide::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), themeOf(this).color(Token::BgPanel));
    painter.fillRect(0, 0, 1, height(), themeOf(this).color(Token::Line1));
}

}  // namespace memplan::ui
