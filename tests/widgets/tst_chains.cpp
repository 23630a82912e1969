// SPDX-License-Identifier: GPL-3.0-or-later
// L1 chains: what the view takes from a plan and says of it (user-experience 8).
#include "tests/support/program.h"
#include "tests/widgets/chain_plans.h"
#include "widgets/views/chains/data/chain_story.h"
#include "widgets/views/chains/data/chain_words.h"
#include "widgets/views/chains/path_matrix.h"
#include "widgets/views/coregrid/memory_bars.h"

#include <QStandardItemModel>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

class TestChains : public QObject {
    Q_OBJECT
private slots:
    void layouts_haveAShortForm();
    void changes_asTitles();
    void lanes_followTheSchedule();
    void ends_sayWhy();
    void edges_countTheirPairs();
    void links_areMergesAndRefusals();
    void columns_addUpToTheNeed();
    void columns_whereNothingIsComputed_holdWhatIsKept();
    void story_beginsAtTheDeadEdge();
    void proposals_areOfTheFailedChain();
    void configurations_sayWhatBecameOfThem();
    void matrix_showsRoundsAndTheChoice();
    void matrix_withoutAPair_saysWhyNot();
    void story_ofAFailedChain_saysWhatWasTried();
    void story_messagesThatDifferInNumbers_areOne();
    void operands_thatNobodyFollowed_areHollow();
    void goals_besideThoseOfAnotherPlan();
    void memoryLabels_keepTheirNames();
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

void TestChains::changes_asTitles() {
    QCOMPARE(changeTitle(QStringLiteral("break the chain before matmul_k")),
             QStringLiteral("Break the chain before matmul_k"));
    QCOMPARE(changeTitle(QStringLiteral("block_sharded 7x2 for conv2d_1")),
             QStringLiteral("block_sharded 7x2 for conv2d_1"));
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
    const ChainData failed(fixture::failedChain());
    QVERIFY2(failed.hasPairs(), "a plan of which no pair fits has configurations all the same");
    QCOMPARE(failed.lanes()[0].edges.front().text(), QStringLiteral("0"));
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

void TestChains::columns_whereNothingIsComputed_holdWhatIsKept() {
    const ttnn::Layout rows = fixture::tiles(ttnn::BufferType::L1, ttnn::MemLayout::HeightSharded, {64, 1});
    fixture::ChainPlan p;
    const OpId kept = p.op("relu_a", rows), device = p.op("device_b", rows);
    p.op("add_c", rows, {kept});
    p.data().ops[device.at()].results.clear();
    p.data().ops[device.at()].need = 0;
    p.data().record.reservations = {{kept, {0, 3}, 65536, "merge"}};
    const ChainData data(p.made());
    QCOMPARE(data.columns()[device.at()].reserved, Bytes{65536});
    QCOMPARE(data.columns()[device.at()].sum(), Bytes{65536});
    QCOMPARE(data.columns()[kept.at()].reserved, Bytes{0});
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

void TestChains::matrix_withoutAPair_saysWhyNot() {
    PathMatrix matrix;
    matrix.setEdge(std::make_shared<const ChainData>(fixture::failedChain()), 0);
    QVERIFY(matrix.cellText(0).contains(QStringLiteral("not enough memory")));
    QVERIFY(matrix.cellText(1).contains(QStringLiteral("another grid or layout")));
    QVERIFY(matrix.cellText(2).contains(QStringLiteral("refused")));
    const QString legend = matrix.legend();
    QVERIFY2(legend.startsWith(QStringLiteral("M not enough memory (2) ")), qPrintable(legend));
    QVERIFY2(!legend.contains(QStringLiteral("fewer cores")), "what is not there is in no legend");
    // A configuration that was gone before has no row.
    matrix.setEdge(std::make_shared<const ChainData>(fixture::failedChain(true)), 0);
    QCOMPARE(matrix.rowCount(), 1);
    QVERIFY(matrix.cellText(1).startsWith(QStringLiteral("WS 1x64 to WS 1x64")));
    // A plan that was read from a file.
    matrix.setEdge(std::make_shared<const ChainData>(fixture::fourChains(false)), 1);
    QVERIFY(matrix.legend().isEmpty());
}

void TestChains::story_ofAFailedChain_saysWhatWasTried() {
    const ChainData data(fixture::failedChain());
    QStringList story;
    for (const StoryStep& step : chainStory(data, 0))
        story << step.title << step.lines;
    const QString all = story.join(u'\n').replace(QChar(0x202f), u' ');
    QVERIFY2(all.contains(QStringLiteral(
                 "Closest pair of layouts\nL1 WS 1x64 to L1 WS 1x64: needs 1 867 840 B of a core, 444 634 "
                 "B above the limit\nReshard tried on this edge\n44 sharded layouts of the "
                 "operand, tiled alone: none fits")),
             qPrintable(all));
    QCOMPARE(data.shortages().size(), std::size_t{1});
    QCOMPARE(data.shortages().front().position, 1);
    QCOMPARE(data.shortages().front().needed, Bytes{1867840});
    QVERIFY2(ChainData(fixture::fourChains()).shortages().empty(), "nothing is known of what it lacked");
}

void TestChains::story_messagesThatDifferInNumbers_areOne() {
    fixture::ChainPlan p;
    const ttnn::Layout dram = fixture::tiles(ttnn::BufferType::Dram, ttnn::MemLayout::Interleaved, {1, 1});
    const OpId silu = p.op("silu_a", dram), product = p.op("matmul_a", dram, {silu});
    p.chain({silu, product}, ttnn::ChainState::Failed, ttnn::EndedBy::Returned, ttnn::SpillLocation::None);
    p.data().record.chains[0].failure = ttnn::ChainFailure{silu,
                                                           product,
                                                           0,
                                                           "edge",
                                                           {{std::string(ttnn::kOtherMessages), 240},
                                                            {"operand 0 is on 1x2", 6},
                                                            {"operand 0 is on 1x4", 6},
                                                            {"needs 1 867 840 bytes", 2},
                                                            {"needs 98 304 bytes", 2}}};
    const ChainData data(p.made());
    const std::vector<StoryStep> story = chainStory(data, 0);
    QCOMPARE(story[1].lines,
             (QStringList{QStringLiteral("12 times: operand 0 is on 1x2, and 1 message with other numbers"),
                          QStringLiteral("4 times: needs 1 867 840 bytes, and 1 message with other numbers"),
                          QStringLiteral("240 times: other messages")}));
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
    now.reshardBytes = 185 * Bytes{1048576};
    QVERIFY2(chainGoals(now)[2].value.startsWith(QStringLiteral("3 (")), "no comma: it would read as one number");
}

/// Free bytes of a DRAM have eleven digits: in a narrow pane nothing was left of the name.
void TestChains::memoryLabels_keepTheirNames() {
    MemorySegmentRow free;
    free.kind = MemorySegmentRow::Kind::Free;
    free.name = QStringLiteral("free");
    free.bytes = Bytes{12823953408};
    const MemoryStack dram{QStringLiteral("DRAM"), Bytes{12884901888}, {free}};
    const Theme theme(ThemeKind::Light);
    TextCache texts;
    const double whole = texts.width(segmentWords(dram, free), TextStyle::Small, theme);
    for (double width = 90; width < whole + 20; ++width) {
        const QString label = segmentLabel(dram, free, {texts, theme, width});
        QVERIFY2(label.startsWith(u'f') && texts.width(label, TextStyle::Small, theme) <= width, qPrintable(label));
    }
}

MEMPLAN_WINDOW_TEST(TestChains)
#include "tst_chains.moc"
