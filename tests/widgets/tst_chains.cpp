// SPDX-License-Identifier: GPL-3.0-or-later
// L1 chains: what the view takes from a plan, where it stands, and the real widget (user-experience 8).
#include "tests/support/program.h"
#include "tests/widgets/chain_plans.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/controls/notices/fix_card.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/chains/chain_pane.h"
#include "widgets/views/chains/data/chain_steps.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/link_look.h"
#include "widgets/views/chains/path_matrix.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDir>
#include <QImage>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRectF>
#include <QRgb>
#include <QSet>
#include <QSignalSpy>
#include <QSize>
#include <QSizeF>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>

#include <map>
#include <set>

using namespace memplan;
using namespace memplan::ui;

class TestChains : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
        qputenv("MEMPLAN_REDUCED_MOTION", "1");
    }
    void layouts_haveAShortForm();
    void lanes_followTheSchedule();
    void ends_sayWhy();
    void edges_countTheirPairs();
    void links_areMergesAndRefusals();
    void columns_addUpToTheNeed();
    void story_beginsAtTheDeadEdge();
    void proposals_areOfTheFailedChain();
    void configurations_sayWhatBecameOfThem();
    void planOfAnotherMachine_hasNone();
    void geometry_manyOperations_data();
    void geometry_manyOperations();
    void highPicture_leavesNoGap_data() { geometry_manyOperations_data(); }
    void highPicture_leavesNoGap();
    void hit_findsWhatIsPainted();
    void lowPicture_keepsARowOfChains();
    void legend_namesTheLinksInSight();
    void matrix_showsRoundsAndTheChoice();
    void click_onACount_opensItsMatrix();
    void force_asksForALayout();
    void planOfAFile_offersToCompileAgain();
    void offers_oneCardForOneChange();
    void highContrast_tellsShardedFromInterleaved();
    void rows_areSharedByChainsThatDoNotMeet();
    void start_showsTheFirstChain();
    void end_hasRoomOrIsElided();
    void operands_thatNobodyFollowed_areHollow();
    void goals_besideThoseOfAnotherPlan();
    void steps_sayWhatTheSolverDid();
    void rows_followThePositions();
    void pictures_ofManyOperations();
};

void TestChains::layouts_haveAShortForm() {
    using enum ttnn::MemLayout;
    QCOMPARE(shortLayoutText(fixture::tiles(ttnn::BufferType::L1, HeightSharded, {64, 1})),
             QStringLiteral("L1 HS 64x1"));
    QCOMPARE(shortLayoutText(fixture::tiles(ttnn::BufferType::L1, WidthSharded, {1, 32})),
             QStringLiteral("L1 WS 1x32"));
    QCOMPARE(shortLayoutText(fixture::tiles(ttnn::BufferType::L1, Interleaved, {8, 8})), QStringLiteral("L1 IL"));
    QCOMPARE(shortLayoutText(fixture::tiles(ttnn::BufferType::Dram, Interleaved, {1, 1})), QStringLiteral("DRAM IL"));
}

void TestChains::lanes_followTheSchedule() {
    const ChainData data(fixture::fourChains());
    QCOMPARE(data.lanes().size(), std::size_t{3});
    QCOMPARE(data.lanes()[0].title, QStringLiteral("C0"));
    QCOMPARE(data.lanes()[1].cells.front().name, QStringLiteral("matmul_b"));
    QCOMPARE(data.laneOf(OpId{3}), 0);
    QCOMPARE(data.laneOf(OpId{4}), -1);
    QCOMPARE(data.outside().size(), std::size_t{1});
    QCOMPARE(data.countOf(ttnn::ChainState::Failed), 1);
    QCOMPARE(data.lanes()[1].goes, QStringLiteral("L1, merged into C0"));
    QCOMPARE(data.lanes()[0].goes, QStringLiteral("DRAM"));
}

void TestChains::ends_sayWhy() {
    const ChainData data(fixture::fourChains());
    QCOMPARE(data.lanes()[0].ends, QStringLiteral("ends: softmax_d cannot be sharded"));
    QCOMPARE(data.lanes()[1].ends, QStringLiteral("ends: add_c reads it as operand 1"));
    QCOMPARE(data.lanes()[2].ends, QStringLiteral("ends: matmul_e is returned"));
}

void TestChains::edges_countTheirPairs() {
    const ChainData data(fixture::fourChains());
    QCOMPARE(data.lanes()[0].edges.front().text(), QStringLiteral("1/3"));
    QVERIFY(!data.lanes()[0].edges.front().isDead);
    QCOMPARE(data.lanes()[2].edges.front().text(), QStringLiteral("0"));
    QVERIFY(data.lanes()[2].edges.front().isDead);
    const ChainData read(fixture::fourChains(false));
    QVERIFY(!read.hasPairs());
    QVERIFY(read.lanes()[0].edges.front().text().isEmpty());
}

void TestChains::links_areMergesAndRefusals() {
    const ChainData data(fixture::fourChains());
    QCOMPARE(data.links().size(), std::size_t{2});
    QVERIFY(data.links()[0].isAccepted);
    QCOMPARE(data.links()[0].toLane, 0);
    QVERIFY(!data.links()[1].isAccepted);
    QVERIFY(data.links()[1].text.contains(QStringLiteral("three-way merge of add_c, refused at add_c: 1")));
}

void TestChains::columns_addUpToTheNeed() {
    const ChainData data(fixture::fourChains());
    for (std::size_t i = 0; i < data.columns().size(); ++i)
        QCOMPARE(data.columns()[i].sum(), data.record().ops[i].need);
    QCOMPARE(data.columns()[2].reserved, Bytes{65536});
    QCOMPARE(data.reservationsAt(3).size(), std::size_t{1});
    QCOMPARE(data.reservationsAt(4).size(), std::size_t{0});
}

void TestChains::story_beginsAtTheDeadEdge() {
    const ChainData data(fixture::fourChains());
    const std::vector<StoryStep> story = chainStory(data, 2);
    QCOMPARE(story.front().title, QStringLiteral("Edge silu_e to matmul_e, operand 0"));
    QVERIFY(story.front().lines.front().contains(QStringLiteral("0 pairs")));
    QVERIFY2(story[1].lines.front().startsWith(QStringLiteral("60 times")), "the most frequent message leads");
    QCOMPARE(chainStory(data, 1).front().title, QStringLiteral("It ends: add_c reads it as operand 1"));
    QVERIFY(chainStory(data, 99).empty());
}

void TestChains::proposals_areOfTheFailedChain() {
    const ChainData data(fixture::fourChains());
    QVERIFY(chainProposals(data, 0).empty());
    const std::vector<ChainProposal> list = chainProposals(data, 2);
    QCOMPARE(list.front().hintKey, QStringLiteral("break_chain"));
    QCOMPARE(list.front().json, QStringLiteral("\"before\""));
    QCOMPARE(list.front().op.index, 6);
    QVERIFY(std::ranges::any_of(list, [](const ChainProposal& p) { return p.setting == u"ttnn.row_major"; }));
}

void TestChains::configurations_sayWhatBecameOfThem() {
    const ChainData data(fixture::fourChains());
    const std::vector<ConfigRow> rows = configRows(data, OpId{0});
    QCOMPARE(rows.size(), std::size_t{3});
    QVERIFY(rows[0].isChosen);
    QCOMPARE(rows[1].state, QStringLiteral("eliminated by conv2d_a to relu_a, round 2"));
    QCOMPARE(rows[2].state, QStringLiteral("never valid"));
    QCOMPARE(rows[0].layout, rows[2].layout);
    QCOMPARE(rows[0].kernel, QStringLiteral("block height automatic"));
    QCOMPARE(rows[2].kernel, QStringLiteral("block height 64"));
    QCOMPARE(layoutProposal(data, OpId{0}, rows[1].layout).json,
             QStringLiteral(R"({"grid":[8,8],"buffer":"l1","mem":"block_sharded","page":"tile"})"));
}

void TestChains::planOfAnotherMachine_hasNone() {
    auto plan = std::make_shared<Plan>();
    QVERIFY(chainDataOf(plan) == nullptr);
    SelectionHub hub;
    ChainPane pane(&hub);
    hub.setPlan(plan);
    QVERIFY(pane.view()->emptyText().has_value());
}

void TestChains::geometry_manyOperations_data() {
    QTest::addColumn<int>("operations");
    for (const int n : {12, 100, 1000})
        QTest::addRow("%d", n) << n;
}

void TestChains::geometry_manyOperations() {
    QFETCH(const int, operations);
    const auto data = std::make_shared<const ChainData>(fixture::manyChains(operations));
    const QSizeF size(1000, 640);
    ChainViewState s;
    s.data = data;
    s.rows = usualRows(*data);
    s.viewport = readableViewport(*data, s.rows, size);
    const ChainLayout read = chainLayout(s, size);
    QVERIFY2(read.hasWords(), "words can be read at first");
    QVERIFY(read.cellRect(0, OpId{0}).left() >= read.lanes.left());
    s.viewport = wholeViewport(*data, s.rows, size);
    const ChainLayout whole = chainLayout(s, size);
    const OpId last{operations - 1};
    const QRectF cell = whole.cellRect(data->laneOf(last), last);
    QVERIFY2(whole.lanes.adjusted(0, -1, 1, 1).contains(cell.center()), "everything is in sight");
    QVERIFY(cell.width() >= 1);
    QVERIFY(whole.timeline.top() > whole.lanes.bottom());
    const std::vector<int> ticks = positionTicks(whole);
    QVERIFY2(ticks.front() == 0 && ticks.back() == operations - 1, "first and last position have their number");
    for (std::size_t i = 1; i < ticks.size(); ++i)
        QVERIFY((ticks[i] - ticks[i - 1]) * whole.x.scale >= 40);
    QCOMPARE(whole.timeline.left(), whole.lanes.left());
}

/// A high window: rows grow to the height that is of use to them, the timeline has the rest, nothing lies between.
void TestChains::highPicture_leavesNoGap() {
    QFETCH(const int, operations);
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::manyChains(operations));
    s.rows = usualRows(*s.data);
    const QSizeF size(1060, 1400);
    s.viewport = readableViewport(*s.data, s.rows, size);
    const ChainLayout l = chainLayout(s, size);
    const double rows = l.isPacked() ? s.data->packedRows() : static_cast<double>(s.data->lanes().size());
    const double readable = l.isPacked() ? ChainLayout::kPackedRow : ChainLayout::kLane;
    QVERIFY2(rows * readable * 2 < l.lanes.height() + l.timeline.height(), "there is room to share");
    QCOMPARE(l.lanes.height(), rows * l.y.scale);
    QVERIFY(l.y.scale > readable && l.y.scale <= readable + ChainLayout::kGrowth);
    QVERIFY2(l.channelY(0) < l.yOf(l.rowOf(0) + 1) - 6, "links stay in their row");
    QCOMPARE(l.timeline.height(), size.height() - 20 - l.timeline.top());
}

void TestChains::hit_findsWhatIsPainted() {
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::fourChains());
    const QSizeF size(1000, 640);
    s.viewport = readableViewport(*s.data, s.rows, size);
    const ChainLayout l = chainLayout(s, size);
    QCOMPARE(chainHit(s, l, l.cellRect(1, OpId{2}).center()).op, OpId{2});
    QCOMPARE(static_cast<int>(chainHit(s, l, l.badgeRect(2).center()).part), static_cast<int>(ChainHit::Part::Badge));
    const ChainHit edge = chainHit(s, l, l.edgeRect(0, s.data->lanes()[0].edges[0]).center());
    QCOMPARE(static_cast<int>(edge.part), static_cast<int>(ChainHit::Part::Edge));
    const ChainHit column = chainHit(s, l, {l.xOf(4.5), l.timeline.center().y()});
    QCOMPARE(static_cast<int>(column.part), static_cast<int>(ChainHit::Part::Column));
    QCOMPARE(column.op, OpId{4});
    QCOMPARE(chainHit(s, l, l.outsideRect(OpId{4}).center()).op, OpId{4});
}

/// Text at 200 % leaves a window half of its room: a row of chains stays readable, the rest gives way in an order.
void TestChains::lowPicture_keepsARowOfChains() {
    for (const auto& plan : {fixture::fourChains(), fixture::manyChains(100)}) {
        ChainViewState s;
        s.data = std::make_shared<const ChainData>(plan);
        s.rows = usualRows(*s.data);
        for (double high = 112; high < 400; high += 12) {
            const QSizeF size(460, high);
            s.viewport = readableViewport(*s.data, s.rows, size);
            const ChainLayout l = chainLayout(s, size);
            QVERIFY2(l.lanes.height() >= l.y.scale - 1 && l.hasWords(), qPrintable(QString::number(high)));
            QVERIFY2(l.timeline.isEmpty() || l.timeline.height() >= 60, "what is shown can be read");
            QVERIFY2(l.timeline.isEmpty() || !l.goals.isEmpty(), "the timeline gives way before the goals");
            QVERIFY2(l.goals.isEmpty() || !l.outside.isEmpty(), "the goals before what is in no chain");
            QVERIFY(l.lanes.bottom() <= high && l.timeline.bottom() <= high);
        }
        QVERIFY(chainLayout(s, {460, 120}).timeline.isEmpty());
        QVERIFY(!chainLayout(s, {460, 390}).timeline.isEmpty());
    }
}

/// Each kind of link that is drawn has a line of its own colour in the legend, and nothing else has.
void TestChains::legend_namesTheLinksInSight() {
    SelectionHub hub;
    ChainView view(&hub);
    hub.setPlan(fixture::fourChains());
    const auto lines = [&] {
        std::vector<LegendEntry> found;
        for (const LegendEntry& entry : view.legend())
            if (entry.line) found.push_back(entry);
        return found;
    };
    QTRY_VERIFY(view.chainData() != nullptr);
    QSignalSpy changed(&view, &GraphicView::scopeChanged);
    view.setShowsRejected(!view.showsRejected());
    QVERIFY2(!changed.isEmpty(), "the legend bar hears of it");
    const auto countOf = [&](auto isSo) { return std::ranges::count_if(view.chainData()->links(), isSo); };
    const bool hasRefused = countOf([](const ChainLink& l) { return !l.isAccepted; }) > 0;
    QVERIFY(hasRefused);
    for (const bool isShown : {false, true}) {
        view.setShowsRejected(isShown);
        const auto entries = lines();
        std::set<LinkLook> drawn;
        for (const ChainLink& link : view.chainData()->links())
            if (link.isAccepted || isShown) drawn.insert(linkLook(link));
        QCOMPARE(entries.size(), drawn.size());
        QCOMPARE(std::ranges::any_of(entries, [](const LegendEntry& e) { return e.line->isDashed; }), isShown);
    }
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        const Theme theme(kind);
        std::set<QRgb> colours;
        for (int look = 0; look <= static_cast<int>(LinkLook::Refused); ++look)
            colours.insert(linkColour(static_cast<LinkLook>(look), theme).rgb());
        QCOMPARE(colours.size(), std::size_t{6});
    }
}

void TestChains::matrix_showsRoundsAndTheChoice() {
    PathMatrix matrix;
    matrix.setEdge(std::make_shared<const ChainData>(fixture::fourChains()), 0);
    QCOMPARE(matrix.rowCount(), 3);
    QCOMPARE(matrix.fate(0, 0), 0);
    QCOMPARE(matrix.fate(0, 1), 2);
    QCOMPARE(matrix.fate(2, 2), -2);
    QVERIFY(matrix.cellText(0).contains(QStringLiteral("chosen")));
    QVERIFY(matrix.cellText(1).contains(QStringLiteral("round 2")));
}

void TestChains::click_onACount_opensItsMatrix() {
    SelectionHub hub;
    ChainPane pane(&hub);
    pane.resize(1300, 640);
    hub.setPlan(fixture::fourChains());
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    ChainView* view = pane.view();
    const ChainLayout l = view->layoutNow();
    const QRectF count = l.edgeRect(0, view->chainData()->lanes()[0].edges[0]);
    QTest::mouseClick(view, Qt::LeftButton, {}, view->toWidget(count.center()).toPoint());
    QCOMPARE(view->edge(), 0);
    QCOMPARE(pane.side()->matrix()->rowCount(), 3);
    QTest::mouseClick(view, Qt::LeftButton, {}, view->toWidget(l.badgeRect(2).center()).toPoint());
    QCOMPARE(view->lane(), 2);
}

void TestChains::force_asksForALayout() {
    SelectionHub hub;
    hub.setOffersHints(true);
    ChainPane pane(&hub);
    pane.resize(1300, 640);
    hub.setPlan(fixture::fourChains());
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    pane.side()->showPage(ChainSide::Configurations);
    hub.select(ItemId::of(OpId{0}));
    QCOMPARE(pane.side()->configurations()->rowCount(), 3);
    ChainProposal got;
    connect(pane.side(), &ChainSide::proposed, this, [&got](const ChainProposal& p) { got = p; });
    pane.side()->showPage(ChainSide::Configurations);
    for (QTableView* table : pane.side()->findChildren<QTableView*>())
        if (table->model() == pane.side()->configurations()) {
            table->setCurrentIndex(table->model()->index(1, 0));
            emit table->activated(table->currentIndex());
        }
    QCOMPARE(got.hintKey, QStringLiteral("output_layout"));
    QCOMPARE(got.op, OpId{0});
}

void TestChains::planOfAFile_offersToCompileAgain() {
    SelectionHub hub;
    hub.setOffersHints(true);
    ChainPane pane(&hub);
    pane.resize(1300, 640);
    hub.setPlan(fixture::fourChains(false));
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    QSignalSpy asked(pane.side(), &ChainSide::recompileRequested);
    pane.side()->showPage(ChainSide::Paths);
    pane.view()->selectEdge(0);
    for (QPushButton* button : pane.side()->findChildren<QPushButton*>())
        if (button->isVisible() && button->text() == QStringLiteral("Compile again")) button->click();
    QCOMPARE(asked.size(), 1);
}

/// Two findings that one change answers are one card, which names both.
void TestChains::offers_oneCardForOneChange() {
    SelectionHub hub;
    hub.setOffersHints(true);
    ChainPane pane(&hub);
    pane.resize(1300, 640);
    hub.setPlan(fixture::fourChains());
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    ChainOffer first, second, other;
    first.state = second.state = other.state = ChainOffer::State::Better;
    first.change = second.change = QStringLiteral("set a");
    other.change = QStringLiteral("set b");
    first.finding = QStringLiteral("one ends");
    second.finding = QStringLiteral("two ends");
    ChainAdvice advice;
    advice.offers = {first, second, other};
    pane.side()->setAdvice(advice);
    const auto cards = pane.side()->overview()->findChildren<FixCard*>();
    QCOMPARE(cards.size(), 2);
    QStringList words;
    for (const QLabel* label : cards.front()->findChildren<QLabel*>())
        words << label->text();
    QVERIFY2(words.join(u' ').contains(QStringLiteral("one ends")), qPrintable(words.join(u' ')));
    QVERIFY2(words.join(u' ').contains(QStringLiteral("two ends")), qPrintable(words.join(u' ')));
}

void TestChains::highContrast_tellsShardedFromInterleaved() {
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        const Theme theme(kind);
        const auto pictureOf = [&theme](bool isFaint) {
            QImage image(60, 24, QImage::Format_RGB32);
            image.fill(theme.color(Token::BgCanvas));
            QPainter painter(&image);
            LegendEntry entry{{}, Residency::OnChip};
            entry.isFaint = isFaint;
            drawLegend(painter, {0, 0}, {entry}, theme);
            return image;
        };
        QVERIFY(pictureOf(false) != pictureOf(true));
    }
}

void TestChains::rows_areSharedByChainsThatDoNotMeet() {
    const ChainData data(fixture::manyChains(1000));
    QVERIFY(usualRows(data) == ChainRows::Packed);
    QVERIFY2(data.packedRows() <= 3, "a diagonal of 250 rows says nothing");
    std::map<int, double> ends;
    for (const ChainLane& lane : data.lanes()) {
        QVERIFY(lane.first() >= ends[lane.row]);
        ends[lane.row] = lane.last() + 1 + lane.tail;
    }
    const ChainData few(fixture::fourChains());
    QVERIFY(usualRows(few) == ChainRows::PerChain);
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::manyChains(1000));
    s.rows = ChainRows::Packed;
    s.viewport = wholeViewport(*s.data, s.rows, {1000, 640});
    const ChainLayout whole = chainLayout(s, {1000, 640});
    QVERIFY2(whole.y.scale > 40, "all rows fill the picture");
}

/// Forty operations in no chain come first: more than the picture holds.
void TestChains::start_showsTheFirstChain() {
    fixture::ChainPlan p;
    for (int i = 0; i < 40; ++i)
        p.op("in_" + std::to_string(i), fixture::tiles(ttnn::BufferType::Dram, ttnn::MemLayout::Interleaved, {1, 1}));
    const ttnn::Layout rows = fixture::tiles(ttnn::BufferType::L1, ttnn::MemLayout::HeightSharded, {64, 1});
    const OpId first = p.op("relu_a", rows), second = p.op("relu_b", rows, {first});
    p.chain({first, second}, ttnn::ChainState::Completed, ttnn::EndedBy::NoNext, ttnn::SpillLocation::Dram);
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(p.made());
    for (const QSizeF size : {QSizeF(500, 640), QSizeF(1000, 640)}) {
        s.viewport = readableViewport(*s.data, s.rows, size);
        const ChainLayout l = chainLayout(s, size);
        QVERIFY(l.hasWords());
        QVERIFY(l.lanes.contains(l.cellRect(0, first)) && l.lanes.contains(l.cellRect(0, second)));
    }
}

void TestChains::end_hasRoomOrIsElided() {
    ChainViewState s;
    s.data = std::make_shared<const ChainData>(fixture::fourChains());
    const QSizeF size(700, 640);
    s.viewport = readableViewport(*s.data, s.rows, size);
    s.viewport.x.origin = 2.2;  // the last operation at the right edge
    const ChainLayout l = chainLayout(s, size);
    for (int lane = 0; lane < 3; ++lane) {
        const QRectF room = l.endRoom(lane);
        QVERIFY(room.left() >= l.lanes.left() && room.right() <= l.lanes.right() + 0.5);
        for (const ChainCell& cell : s.data->lanes()[static_cast<std::size_t>(lane)].cells)
            QVERIFY(room.isEmpty() || !room.intersects(l.cellRect(lane, cell.op)));
    }
    s.rows = ChainRows::Packed;
    const ChainLayout packed = chainLayout(s, size);
    for (const ChainLink& link : s.data->links())
        QVERIFY2(packed.channelY(link.fromLane) > packed.cellRect(link.fromLane, link.from).bottom(),
                 "links leave below the cells");
}

void TestChains::operands_thatNobodyFollowed_areHollow() {
    fixture::ChainPlan p;
    const ttnn::Layout rows = fixture::tiles(ttnn::BufferType::L1, ttnn::MemLayout::HeightSharded, {64, 1});
    const OpId a = p.op("relu_a", rows), b = p.op("relu_b", rows), join = p.op("add_c", rows, {b, a});
    p.chain({a}, ttnn::ChainState::Completed, ttnn::EndedBy::NotFirstOperand, ttnn::SpillLocation::Dram);
    const int chain =
        p.chain({b, join}, ttnn::ChainState::Completed, ttnn::EndedBy::Returned, ttnn::SpillLocation::Dram);
    for (const OpId from : {b, a})
        p.data().ops[join.at()].operands.push_back({p.plan().op(from).outputs.front(), rows});
    ttnn::EdgeInfo edge;
    edge.producer = b;
    edge.consumer = join;
    edge.chain = chain;
    p.data().record.edges = {edge};
    const ChainData data(p.made());
    const ChainCell& cell = data.lanes()[1].cells[1];
    QCOMPARE(cell.isTracked, (std::vector<bool>{true, false}));
}

void TestChains::goals_besideThoseOfAnotherPlan() {
    TtnnGoals now, other;
    now.readBytes = other.readBytes = 100;
    now.residentBytes = 80;
    other.residentBytes = 60;
    now.forcedReshards = 3;
    other.forcedReshards = 1;
    const auto a = chainGoals(now), b = chainGoals(other);
    QVERIFY(isBetter(a[0], b[0]));
    QVERIFY(comparedWords(a[0], b[0]).contains(QStringLiteral("better than 60.0")));
    QVERIFY2(!isBetter(a[2], b[2]), "fewer reshards are better");
    QVERIFY(comparedWords(a[2], b[2]).contains(QStringLiteral("worse")));
    QVERIFY(isSame(a[3], b[3]));
}

void TestChains::steps_sayWhatTheSolverDid() {
    const auto base = fixture::fourChains();
    auto plan = std::make_shared<Plan>(*base);
    auto record = std::make_shared<TtnnData>(ttnnData(*base));
    ttnn::TraceEvent event;
    event.kind = ttnn::TraceKind::BitsNarrowed;
    event.chain = 0;
    event.op = OpId{1};
    event.other = OpId{0};
    event.before = 3;
    event.after = 2;
    event.round = 1;
    record->record.trace = {event, event};
    record->record.trace[1].chain = 2;
    plan->targetData = record;
    const ChainData data(plan);
    QCOMPARE(chainSteps(data, 0).size(), std::size_t{1});
    QCOMPARE(chainSteps(data, -1).size(), std::size_t{2});
    QCOMPARE(chainStepText(data, event).title, QStringLiteral("relu_a: 2 of 3 configurations left"));
    QCOMPARE(edgeOfStep(data, event), 0);
    PathMatrix matrix;
    matrix.setEdge(std::make_shared<const ChainData>(plan), 0);
    matrix.setRound(1);
    QCOMPARE(matrix.fate(1, 1), 1);
    QCOMPARE(matrix.fate(0, 1), 0);  // goes in round 2
    SelectionHub hub;
    ChainPane pane(&hub);
    pane.resize(1300, 640);
    hub.setPlan(plan);
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    pane.side()->showPage(ChainSide::Steps);
    QCOMPARE(pane.side()->steps()->count(), 2);
    QTest::keyClick(pane.side()->steps(), Qt::Key_J);
    QCOMPARE(pane.side()->steps()->step(), 1);
    QTest::keyClick(pane.side()->steps(), Qt::Key_K);
    QCOMPARE(pane.side()->steps()->step(), 0);
}

void TestChains::rows_followThePositions() {
    SelectionHub hub;
    ChainPane pane(&hub);
    pane.resize(1300, 640);
    hub.setPlan(fixture::manyChains(400));
    pane.show();
    QVERIFY(QTest::qWaitForWindowExposed(&pane));
    ChainView* view = pane.view();
    QVERIFY(view->rows() == ChainRows::Packed);
    QCOMPARE(view->zoomText(), QStringLiteral("100\u202f%"));  // names can be read
    QTest::keyClick(view, Qt::Key_L);
    QVERIFY(view->rows() == ChainRows::PerChain);
    Viewport next = view->viewport();
    next.x = next.x.centredOn(200);
    view->setViewport(next);
    const int lane = view->chainData()->laneOf(OpId{200});
    QVERIFY2(view->layoutNow().lanes.intersects(view->layoutNow().cellRect(lane, OpId{200})),
             "the chain at these positions is in sight");
}

/// At the start and as a whole, in each theme: nothing but ground would be a picture of nothing.
void TestChains::pictures_ofManyOperations() {
    const QString folder = qEnvironmentVariable("MEMPLAN_PICTURES");
    for (const int operations : {12, 100, 1000})
        for (const auto& [kind, isWhole] : std::vector<std::pair<ThemeKind, bool>>{{ThemeKind::Light, false},
                                                                                   {ThemeKind::Dark, false},
                                                                                   {ThemeKind::HighContrast, false},
                                                                                   {ThemeKind::Light, true},
                                                                                   {ThemeKind::Dark, true}}) {
            SelectionHub hub;
            ChainPane pane(&hub);
            pane.resize(1300, 640);
            hub.setPlan(operations == 12 ? fixture::fourChains() : fixture::manyChains(operations));
            pane.ensurePolished();
            pane.show();
            QCoreApplication::processEvents();
            if (isWhole) pane.view()->fitAll();
            PictureRequest request;
            request.size = QSize(1000, 640);
            QCoreApplication::processEvents();
            QImage picture(request.size, QImage::Format_ARGB32_Premultiplied);
            const Theme theme(kind);
            picture.fill(theme.color(Token::BgCanvas));
            QPainter painter(&picture);
            pane.view()->paintPicture(painter, request.size, theme);
            painter.end();
            QSet<QRgb> colours;
            for (int y = 70; y < 600; y += 2)
                for (int x = 160; x < 990; x += 2)
                    colours.insert(picture.pixel(x, y));
            QVERIFY(colours.size() > 8);
            if (!folder.isEmpty())
                picture.save(QDir(folder).filePath(QStringLiteral("chains-%1-%2%3.png")
                                                       .arg(operations)
                                                       .arg(kind == ThemeKind::Dark    ? QStringLiteral("dark")
                                                            : kind == ThemeKind::Light ? QStringLiteral("light")
                                                                                       : QStringLiteral("contrast"),
                                                            isWhole ? QStringLiteral("-whole") : QString())));
        }
}

MEMPLAN_WINDOW_TEST(TestChains)
#include "tst_chains.moc"
