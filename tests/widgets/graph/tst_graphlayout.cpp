// SPDX-License-Identifier: Apache-2.0
// The Qt-free graph layout library: groups, visible graph, layered layout, protocol, reachability.
#include "tests/support/program.h"
#include "tests/support/time_guard.h"
#include "widgets/graphlayout/layered_layout.h"
#include "widgets/graphlayout/protocol.h"
#include "widgets/graphlayout/reachability.h"
#include "widgets/graphlayout/visible_graph.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace memplan::graphlayout;

namespace {

LayoutGraph graphOf(int nodes, std::vector<LayoutEdge> edges) {
    LayoutGraph g;
    g.nodes.resize(static_cast<std::size_t>(nodes));
    g.edges = std::move(edges);
    return g;
}

LayoutGraph randomGraph(int nodes, unsigned seed) {
    LayoutGraph g = graphOf(nodes, {});
    unsigned state = seed;
    const auto below = [&state](int n) {
        state = state * 1664525U + 1013904223U;
        return static_cast<int>((state >> 8U) % static_cast<unsigned>(n));
    };
    for (int i = 1; i < nodes; ++i) {
        g.edges.push_back({std::max(0, i - 1 - below(6)), i});
        if (i % 3 == 0) g.edges.push_back({below(i), i});
    }
    return g;
}

const std::vector<std::string> kPaths{"a/x", "a/x", "a/y", "b/x", "b/x", "b/y", ""};

}  // namespace

class TestGraphLayout : public QObject {
    Q_OBJECT
private slots:
    void layered_chain_isAStraightColumn();
    void layered_tree_hasNoCrossings();
    void layered_longEdge_bendsAtEveryRankBetween();
    void layered_pitch_is200By90();
    void layered_cycle_isTurned();
    void layered_twice_isEqual();
    void layered_boxesNeverOverlap();
    void layered_leftToRight_swapsAxes();
    void layered_minRank_isObeyed();
    void layered_clusters_holdMembersOnly();
    void layered_2000Nodes_finishes();
    void protocol_roundTrip_keepsGraph();
    void protocol_answer_roundTrip();
    void protocol_brokenText_isRefused_data();
    void protocol_brokenText_isRefused();
    void protocol_overLimit_isSaid();
    void groups_ofPaths_formATree();
    void groups_openingDepth_isDeepestThatFits();
    void groups_pagedPaths_fitTheLimit();
    void groups_alike_byKindShapeWiring();
    void visible_allClosed_mergesEdges();
    void visible_oneOpen_keepsBuffersApart();
    void visible_page_showsInsideOnly();
    void reach_neighbourhoodAndStubs();
    void reach_ancestorsDescendantsBetween();
    void reach_criticalPaths_countsTies();
};

void TestGraphLayout::layered_chain_isAStraightColumn() {
    const LayoutResult r = layeredLayout(graphOf(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}));
    for (const Rect& box : r.nodes)
        QCOMPARE(box.x, r.nodes[0].x);
    QCOMPARE(r.nodes[4].y - r.nodes[0].y, 4 * 90.0);
    QCOMPARE(r.width, 160.0);
    QCOMPARE(r.height, 4 * 90.0 + 40.0);
}

void TestGraphLayout::layered_tree_hasNoCrossings() {
    // Children are numbered so that the order by id crosses: the sweeps have to undo it.
    const LayoutGraph g = graphOf(7, {{0, 1}, {0, 2}, {1, 6}, {1, 4}, {2, 5}, {2, 3}});
    QCOMPARE(crossingsOf(g, layeredLayout(g)), std::int64_t{0});
}

void TestGraphLayout::layered_longEdge_bendsAtEveryRankBetween() {
    const LayoutGraph g = graphOf(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3}});
    const LayoutResult r = layeredLayout(g);
    QCOMPARE(r.edges[0].points.size(), std::size_t{2});
    QCOMPARE(r.edges[3].points.size(), std::size_t{4});
    QCOMPARE(crossingsOf(g, r), std::int64_t{0});
    for (const Point& p : r.edges[3].points)
        for (const int middle : {1, 2}) {
            const Rect& box = r.nodes[static_cast<std::size_t>(middle)];
            QVERIFY(!(p.x > box.x && p.x < box.right() && p.y > box.y && p.y < box.bottom()));
        }
}

void TestGraphLayout::layered_pitch_is200By90() {
    const LayoutResult r = layeredLayout(graphOf(4, {{0, 1}, {0, 2}, {0, 3}}));
    QCOMPARE(r.nodes[2].x - r.nodes[1].x, 200.0);
    QCOMPARE(r.nodes[3].x - r.nodes[2].x, 200.0);
    QCOMPARE(r.nodes[1].y - r.nodes[0].y, 90.0);
    QCOMPARE(r.nodes[0].x, r.nodes[2].x);
}

void TestGraphLayout::layered_cycle_isTurned() {
    const LayoutGraph g = graphOf(3, {{0, 1}, {1, 2}, {2, 0}});
    QCOMPARE(longestPathRanks(g), (std::vector<int>{0, 1, 2}));
    const LayoutResult r = layeredLayout(g);
    QVERIFY(r.edges[2].points.front().y > r.edges[2].points.back().y);
    QVERIFY(layeredLayout(graphOf(1, {{0, 0}})).edges[0].points.empty());
}

void TestGraphLayout::layered_twice_isEqual() {
    const LayoutGraph g = randomGraph(300, 7);
    QVERIFY(layeredLayout(g) == layeredLayout(g));
}

void TestGraphLayout::layered_boxesNeverOverlap() {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        const LayoutResult r = layeredLayout(randomGraph(60, seed));
        for (std::size_t i = 0; i < r.nodes.size(); ++i)
            for (std::size_t k = i + 1; k < r.nodes.size(); ++k)
                QVERIFY(!r.nodes[i].overlaps(r.nodes[k]));
    }
}

void TestGraphLayout::layered_leftToRight_swapsAxes() {
    LayoutGraph g = graphOf(2, {{0, 1}});
    g.direction = Direction::LeftToRight;
    const LayoutResult r = layeredLayout(g);
    QCOMPARE(r.nodes[0].y, r.nodes[1].y);
    QVERIFY(r.nodes[1].x >= r.nodes[0].right() + 40);
    QCOMPARE(r.edges[0].points[0].x, r.nodes[0].right());
}

void TestGraphLayout::layered_minRank_isObeyed() {
    LayoutGraph g = graphOf(3, {{0, 1}});
    g.nodes[2].minRank = 3;
    QCOMPARE(longestPathRanks(g), (std::vector<int>{0, 1, 3}));
}

void TestGraphLayout::layered_clusters_holdMembersOnly() {
    LayoutGraph g = graphOf(4, {{0, 1}, {1, 2}, {2, 3}});
    g.clusters = {{-1}, {0}};
    g.nodes[1].cluster = 1;
    g.nodes[2].cluster = 0;
    const LayoutResult r = layeredLayout(g);
    const Rect outer = r.clusters[0], inner = r.clusters[1];
    QVERIFY(outer.x < inner.x && outer.right() > inner.right() && outer.y < inner.y && outer.bottom() > inner.bottom());
    QVERIFY(!outer.overlaps(r.nodes[0]));
    g.nodes[3].cluster = 1;  // now the inner box would have to cover node 2
    QVERIFY(layeredLayout(g).clusters[1].isEmpty());
}

void TestGraphLayout::layered_2000Nodes_finishes() {
    const LayoutGraph g = randomGraph(2000, 3);
    const double begin = memplan::test::processorSeconds();
    const LayoutResult r = layeredLayout(g);
    QCOMPARE(r.nodes.size(), std::size_t{2000});
    QVERIFY2(memplan::test::processorSeconds() - begin < 3 * memplan::test::kHostileSeconds,
             "not near linear in the nodes");
}

void TestGraphLayout::protocol_roundTrip_keepsGraph() {
    LayoutGraph g = randomGraph(50, 5);
    g.direction = Direction::LeftToRight;
    g.clusters = {{-1}, {0}, {-1}};
    g.nodes[3].cluster = 1;
    g.nodes[4].width = 80.25;
    g.nodes[5].minRank = 2;
    const auto parsed = parseRequest(encodeRequest(g));
    QVERIFY2(parsed.value.has_value(), parsed.error.c_str());
    QVERIFY(*parsed.value == g);
}

void TestGraphLayout::protocol_answer_roundTrip() {
    const LayoutGraph g = randomGraph(40, 9);
    LayoutResult r = layeredLayout(g);
    for (EdgePath& e : r.edges)
        for (Point& p : e.points)
            p = {std::round(p.x * 100) / 100, std::round(p.y * 100) / 100};
    for (Rect& box : r.nodes)
        box = {std::round(box.x * 100) / 100, std::round(box.y * 100) / 100, box.width, box.height};
    r.width = std::round(r.width * 100) / 100;
    const auto parsed = parseAnswer(encodeAnswer(r), g);
    QVERIFY2(parsed.value.has_value(), parsed.error.c_str());
    QVERIFY(*parsed.value == r);
    QVERIFY(!parseAnswer(encodeAnswer(r), randomGraph(41, 9)).value.has_value());
}

void TestGraphLayout::protocol_brokenText_isRefused_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("empty") << QByteArray("");
    QTest::newRow("other program") << QByteArray("digraph g {}\n");
    QTest::newRow("version") << QByteArray("memplan-layout 2 tb 0 0 0\n.\n");
    QTest::newRow("direction") << QByteArray("memplan-layout 1 up 0 0 0\n.\n");
    QTest::newRow("negative count") << QByteArray("memplan-layout 1 tb -1 0 0\n.\n");
    QTest::newRow("ends early") << QByteArray("memplan-layout 1 tb 1 0 0\n");
    QTest::newRow("no end") << QByteArray("memplan-layout 1 tb 0 0 0\n");
    QTest::newRow("goes on") << QByteArray("memplan-layout 1 tb 0 0 0\n.\nx\n");
    QTest::newRow("edge to nowhere") << QByteArray("memplan-layout 1 tb 1 1 0\nn 1 1 -1 -1\ne 0 1\n.\n");
    QTest::newRow("cluster to nowhere") << QByteArray("memplan-layout 1 tb 1 0 0\nn 1 1 0 -1\n.\n");
    QTest::newRow("parent after child") << QByteArray("memplan-layout 1 tb 0 0 2\nc 1\nc -1\n.\n");
    QTest::newRow("not a number") << QByteArray("memplan-layout 1 tb 1 0 0\nn nan 1 -1 -1\n.\n");
    QTest::newRow("flat box") << QByteArray("memplan-layout 1 tb 1 0 0\nn 0 1 -1 -1\n.\n");
    QTest::newRow("too many fields") << QByteArray("memplan-layout 1 tb 1 0 0\nn 1 1 -1 -1 5\n.\n");
}

void TestGraphLayout::protocol_brokenText_isRefused() {
    QFETCH(QByteArray, text);
    const auto parsed = parseRequest(text.toStdString());
    QVERIFY(!parsed.value.has_value());
    QVERIFY(!parsed.error.empty());
    QVERIFY(!parsed.isOverLimit);
}

void TestGraphLayout::protocol_overLimit_isSaid() {
    const auto parsed = parseRequest("memplan-layout 1 tb 20001 0 0\n");
    QVERIFY(parsed.isOverLimit);
    QVERIFY(QString::fromStdString(parsed.error).contains(QLatin1String("20000")));
}

void TestGraphLayout::groups_ofPaths_formATree() {
    const GroupTree tree = GroupTree::fromPaths(kPaths);
    QCOMPARE(tree.groups().size(), std::size_t{6});
    QCOMPARE(tree.levels(), 2);
    const Group& a = tree.group(tree.find("a"));
    QCOMPARE(a.memberCount, 3);
    QCOMPARE(a.groups.size(), std::size_t{2});
    QCOMPARE(tree.membersOf(tree.find("b")), (std::vector<int>{3, 4, 5}));
    QCOMPARE(tree.groupOfNode(6), -1);
    QCOMPARE(tree.find("c"), -1);
}

void TestGraphLayout::groups_openingDepth_isDeepestThatFits() {
    const GroupTree tree = GroupTree::fromPaths(kPaths);
    QCOMPARE(tree.visibleAtDepth(0), 3);  // a, b, the free node
    QCOMPARE(tree.visibleAtDepth(1), 5);  // four inner groups, the free node
    QCOMPARE(tree.visibleAtDepth(2), 7);
    QCOMPARE(tree.openingDepth(250), 2);
    QCOMPARE(tree.openingDepth(6), 1);
    QCOMPARE(tree.openingDepth(3), 0);
    QCOMPARE(tree.openingDepth(2), -1);
}

void TestGraphLayout::groups_pagedPaths_fitTheLimit() {
    const std::vector<std::string> paths(3000);
    const GroupTree tree = GroupTree::fromPaths(pagedPaths(paths, 250));
    QVERIFY(tree.visibleAtDepth(0) <= 250);
    QCOMPARE(QString::fromStdString(tree.group(0).name), QStringLiteral("steps 0\u201363"));
}

void TestGraphLayout::groups_alike_byKindShapeWiring() {
    const GroupTree tree = GroupTree::fromPaths(kPaths);
    const std::vector<std::string> kinds{"mul", "add", "exp", "mul", "add", "exp", "out"};
    std::vector<SourceEdge> edges{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {4, 5, 1}, {5, 6, 1}};
    std::vector<int> classes = alikeClasses(tree, kinds, edges);
    QCOMPARE(alikeCount(classes, tree.find("a/x")), 1);  // only one of the two is fed from outside
    edges.push_back({6, 0, 1});
    classes = alikeClasses(tree, kinds, edges);
    QCOMPARE(alikeCount(classes, tree.find("a/x")), 2);
    QCOMPARE(alikeCount(classes, tree.find("a")), 2);
    std::vector<std::string> other = kinds;
    other[1] = "sub";
    classes = alikeClasses(tree, other, edges);
    QCOMPARE(alikeCount(classes, tree.find("a/x")), 1);
    QCOMPARE(alikeCount(classes, tree.find("a/y")), 2);
}

void TestGraphLayout::visible_allClosed_mergesEdges() {
    const GroupTree tree = GroupTree::fromPaths(kPaths);
    const std::vector<SourceEdge> edges{{0, 3, 10}, {1, 4, 20}, {2, 6, 30}, {0, 1, 5}};
    const VisibleGraph v = visibleGraph(tree, edges, {});
    QCOMPARE(v.nodes.size(), std::size_t{3});
    QCOMPARE(v.edges.size(), std::size_t{2});
    QCOMPARE(v.edges[0].bytes, 30LL);
    QCOMPARE(v.edges[0].sources, (std::vector<int>{0, 1}));
    QVERIFY(v.frames.empty());
}

void TestGraphLayout::visible_oneOpen_keepsBuffersApart() {
    const GroupTree tree = GroupTree::fromPaths(kPaths);
    const std::vector<SourceEdge> edges{{0, 1, 1}, {0, 1, 2}, {1, 3, 4}};
    VisibleRequest request;
    request.open = {"a", "a/x"};
    const VisibleGraph v = visibleGraph(tree, edges, request);
    QCOMPARE(v.nodes.size(), std::size_t{5});  // nodes 0 and 1, group a/y, group b, free node
    QCOMPARE(v.edges.size(), std::size_t{3});
    QCOMPARE(v.frames.size(), std::size_t{2});
    QCOMPARE(v.frames[1].parent, 0);
    const LayoutGraph g = layoutGraphOf(v, Direction::TopToBottom, {});
    QCOMPARE(g.nodes[0].cluster, 1);
    QCOMPARE(g.nodes[2].height, 56.0);
}

void TestGraphLayout::visible_page_showsInsideOnly() {
    const GroupTree tree = GroupTree::fromPaths(kPaths);
    VisibleRequest request;
    request.page = tree.find("b");
    request.open = {"b/x"};
    const VisibleGraph v = visibleGraph(tree, {{0, 3, 1}, {3, 5, 1}}, request);
    QCOMPARE(v.nodes.size(), std::size_t{3});
    QCOMPARE(v.visibleOfNode[0], -1);
    QCOMPARE(v.edges.size(), std::size_t{1});
}

void TestGraphLayout::reach_neighbourhoodAndStubs() {
    const Adjacency g(6, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 2}});
    const NodeSet near = neighbourhood(g, {2}, 1);
    QCOMPARE(near, (NodeSet{0, 1, 1, 1, 0, 1}));
    const auto hidden = hiddenNeighbours(g, near);
    QCOMPARE(hidden[1].before, 1);
    QCOMPARE(hidden[3].after, 1);
    QCOMPARE(hidden[2], (HiddenNeighbours{0, 0}));
}

void TestGraphLayout::reach_ancestorsDescendantsBetween() {
    const Adjacency g(6, {{0, 1}, {1, 3}, {0, 2}, {2, 3}, {3, 4}, {5, 4}});
    QCOMPARE(ancestors(g, 3), (NodeSet{1, 1, 1, 0, 0, 0}));
    QCOMPARE(descendants(g, 1), (NodeSet{0, 0, 0, 1, 1, 0}));
    QCOMPARE(nodesBetween(g, 0, 3), (NodeSet{1, 1, 1, 1, 0, 0}));
    QCOMPARE(nodesBetween(g, 3, 0), nodesBetween(g, 0, 3));
    QCOMPARE(nodesBetween(g, 1, 2), (NodeSet{0, 0, 0, 0, 0, 0}));
}

void TestGraphLayout::reach_criticalPaths_countsTies() {
    const Adjacency diamond(4, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
    CriticalPaths tied = criticalPaths(diamond, {1, 5, 5, 1});
    QCOMPARE(tied.length, std::int64_t{7});
    QCOMPARE(tied.count, std::int64_t{2});
    QCOMPARE(tied.onPath, (NodeSet{1, 1, 1, 1}));
    tied = criticalPaths(diamond, {1, 5, 4, 1});
    QCOMPARE(tied.count, std::int64_t{1});
    QCOMPARE(tied.onPath, (NodeSet{1, 1, 0, 1}));
}

MEMPLAN_TEST(TestGraphLayout)
#include "tst_graphlayout.moc"
