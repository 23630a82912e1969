// SPDX-License-Identifier: Apache-2.0
// Cutting a graph to a range of operations or an annotation (user-experience 19.8): what crosses the border becomes an
// input or an output, the rest is the graph as it was.
#include "engine/graph/builder.h"
#include "engine/graph/cut.h"
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_checks.h"
#include "engine/io/graph/graph_json.h"
#include "tests/support/program.h"

#include <QTest>

#include <algorithm>

using namespace memplan;

namespace {

using List = std::vector<std::string>;

/// x -> a -> b -> c -> d (output), with w read by b and d, and a read again by d.
Graph chain() {
    GraphBuilder build("chain");
    const TensorId x = build.input("x", {8, 16});
    const TensorId w = build.parameter("w", {8, 16});
    const TensorId a = build.pointwise("a", "exp", {x});
    const TensorId b = build.pointwise("b", "add", {a, w});
    const TensorId c = build.pointwise("c", "exp", {b});
    const TensorId d = build.pointwise("d", "mul", {c, a});
    build.output(d);
    build.group("inner", "softmax", {"b", "c"});
    Graph graph = build.build();
    graph.groups.push_back(Group{"outer", "attention", {}, {}, {}, {}});
    graph.groups[0].parent = GroupId::of(1);
    return graph;
}

List names(const Graph& g, const std::vector<TensorId>& ids) {
    List list;
    for (const TensorId id : ids)
        list.push_back(g.tensor(id).id);
    return list;
}

List ops(const Graph& g) {
    List list;
    for (const Op& op : g.ops)
        list.push_back(op.id);
    return list;
}

List errorsOf(const Graph& g) {
    List out;
    for (const Diagnostic& d : io::checkGraph(g, {})) {
        if (d.severity == Severity::Error) out.push_back(d.code + " " + d.where + " " + d.message);
    }
    return out;
}

Hint hintOn(List scopes) {
    Hint hint;
    hint.scopes = std::move(scopes);
    hint.key = "pin";
    return hint;
}

const Tensor& tensorNamed(const Graph& g, std::string_view id) {
    return *std::find_if(g.tensors.begin(), g.tensors.end(), [id](const Tensor& t) { return t.id == id; });
}

}  // namespace

class GraphCutTest : public QObject {
    Q_OBJECT
private slots:
    void empty_leavesTheGraphAsItIs();
    void range_bordersBecomeInputsAndOutputs();
    void range_byNumber_isTheSameAsById();
    void prefix_takesWholeNamesOnly();
    void prefix_matchesTheSourceName();
    void groups_keepMembersAndAncestors();
    void hints_keepTheScopesThatStay();
    void view_keepsTheOwnerOfItsStorage();
    void viewMadeOutside_becomesAnInputOfItsOwn();
    void deadEnd_hasAnOutput();
    void everyCutOfAModel_isSoundAndRepeatable();
    void wrongCuts_areTold_data();
    void wrongCuts_areTold();
};

void GraphCutTest::empty_leavesTheGraphAsItIs() {
    QVERIFY(GraphCut{}.isEmpty());
    QCOMPARE(cutGraph(chain(), {}).value(), chain());
    QCOMPARE(cutGraph(chain(), {"a", "d", ""}).value(), chain());
}

void GraphCutTest::range_bordersBecomeInputsAndOutputs() {
    const Graph g = cutGraph(chain(), {"b", "c", ""}).value();
    QCOMPARE(ops(g), (List{"b", "c"}));
    QCOMPARE(errorsOf(g), List{});
    QCOMPARE(names(g, g.inputs), List{"a"});  // made outside; w stays a parameter
    QCOMPARE(tensorNamed(g, "a").role, TensorRole::Input);
    QCOMPARE(tensorNamed(g, "w").role, TensorRole::Parameter);
    QCOMPARE(names(g, g.outputs), List{"c"});  // read outside
    QCOMPARE(g.tensors.size(), std::size_t{4});
    // The first part: a is read by two outside, d is not here.
    const Graph head = cutGraph(chain(), {"", "b", ""}).value();
    QCOMPARE(names(head, head.inputs), List{"x"});
    QCOMPARE(names(head, head.outputs), (List{"b", "a"}));
    QCOMPARE(errorsOf(head), List{});
}

void GraphCutTest::range_byNumber_isTheSameAsById() {
    QCOMPARE(cutGraph(chain(), {"1", "2", ""}).value(), cutGraph(chain(), {"b", "c", ""}).value());
    QCOMPARE(ops(cutGraph(chain(), {"2", "", ""}).value()), (List{"c", "d"}));
    // An operation that is called like a number is meant by its name.
    Graph named = chain();
    named.ops[3].id = "0";
    QCOMPARE(ops(cutGraph(named, {"0", "", ""}).value()), List{"0"});
}

void GraphCutTest::prefix_takesWholeNamesOnly() {
    QCOMPARE(ops(cutGraph(chain(), {"", "", "outer"}).value()), (List{"b", "c"}));
    QCOMPARE(ops(cutGraph(chain(), {"", "", "/outer/inner/"}).value()), (List{"b", "c"}));
    QCOMPARE(ops(cutGraph(chain(), {"c", "", "outer"}).value()), List{"c"});
    QVERIFY(!cutGraph(chain(), {"", "", "out"}));
}

void GraphCutTest::prefix_matchesTheSourceName() {
    Graph g = chain();
    g.ops[0].origin.node = "/layer1/exp";
    g.ops[3].origin.node = "/layer10/mul";
    QCOMPARE(ops(cutGraph(g, {"", "", "layer1"}).value()), List{"a"});
    QCOMPARE(ops(cutGraph(g, {"", "", "layer10"}).value()), List{"d"});
}

void GraphCutTest::groups_keepMembersAndAncestors() {
    const Graph g = cutGraph(chain(), {"c", "d", ""}).value();
    QCOMPARE(g.groups.size(), std::size_t{2});
    QCOMPARE(g.groups[0].id, std::string("inner"));
    QCOMPARE(g.groups[0].ops, std::vector<GraphOpId>{GraphOpId::of(0)});
    QCOMPARE(annotationOf(g, g.ops[0]), std::string("outer/inner"));
    QCOMPARE(annotationOf(g, g.ops[1]), std::string());
    QCOMPARE(errorsOf(g), List{});
    QVERIFY(cutGraph(chain(), {"d", "d", ""}).value().groups.empty());
}

void GraphCutTest::hints_keepTheScopesThatStay() {
    Graph g = chain();
    g.hints = {hintOn({"graph"}), hintOn({"op:a", "op:c"}), hintOn({"tensor:x"}), hintOn({"group:inner"}),
               hintOn({"tensor:c"})};
    const Graph cut = cutGraph(g, {"c", "d", ""}).value();
    QCOMPARE(cut.hints.size(), std::size_t{4});
    QCOMPARE(cut.hints[0].scopes, List{"graph"});
    QCOMPARE(cut.hints[1].scopes, List{"op:c"});
    QCOMPARE(cut.hints[2].scopes, List{"group:inner"});
    QCOMPARE(cut.hints[3].scopes, List{"tensor:c"});
}

void GraphCutTest::view_keepsTheOwnerOfItsStorage() {
    GraphBuilder build("views");
    const TensorId x = build.input("x", {8, 16});
    const TensorId a = build.pointwise("a", "exp", {x});
    const TensorId v = build.reshape("v", a, {128});
    build.output(build.pointwise("e", "exp", {v}));
    const Graph g = cutGraph(build.build(), {"v", "e", ""}).value();
    QCOMPARE(errorsOf(g), List{});
    QCOMPARE(names(g, g.inputs), List{"a"});
    QVERIFY(tensorNamed(g, "v").aliasOf.isValid());
    QCOMPARE(g.tensor(tensorNamed(g, "v").aliasOf).id, std::string("a"));
}

void GraphCutTest::viewMadeOutside_becomesAnInputOfItsOwn() {
    GraphBuilder build("views");
    const TensorId x = build.input("x", {8, 16});
    const TensorId a = build.pointwise("a", "exp", {x});
    const TensorId v = build.reshape("v", a, {128});
    build.output(build.pointwise("e", "exp", {v}));
    const Graph g = cutGraph(build.build(), {"e", "e", ""}).value();
    QCOMPARE(errorsOf(g), List{});
    QCOMPARE(names(g, g.inputs), List{"v"});
    QVERIFY(!tensorNamed(g, "v").aliasOf.isValid());
    QCOMPARE(g.tensors.size(), std::size_t{2});
}

void GraphCutTest::deadEnd_hasAnOutput() {
    Graph g = chain();
    g.ops[3].inputs = {g.ops[0].outputs[0], g.ops[0].outputs[0]};  // nobody reads c any more
    const Graph cut = cutGraph(g, {"c", "c", ""}).value();
    QCOMPARE(names(cut, cut.outputs), List{"c"});
}

void GraphCutTest::everyCutOfAModel_isSoundAndRepeatable() {
    const Graph model = generateChainModel(60, 3);
    QCOMPARE(errorsOf(model), List{});
    for (int first = 0; first < 60; first += 7) {
        for (int last = first; last < 60; last += 11) {
            const GraphCut cut{std::to_string(first), std::to_string(last), ""};
            const auto part = cutGraph(model, cut);
            QVERIFY2(part, cut.text().c_str());
            QCOMPARE(part.value().ops.size(), static_cast<std::size_t>(last - first + 1));
            QCOMPARE(errorsOf(part.value()), List{});
            const std::string text = io::writeGraphJson(part.value());
            QCOMPARE(io::writeGraphJson(cutGraph(model, cut).value()), text);
            QVERIFY(io::readGraphJson(text, {}, RunControl{}));
        }
    }
}

void GraphCutTest::wrongCuts_areTold_data() {
    QTest::addColumn<QString>("first");
    QTest::addColumn<QString>("last");
    QTest::addColumn<QString>("prefix");
    QTest::newRow("unknown id") << "nope"
                                << ""
                                << "";
    QTest::newRow("number beyond the end") << ""
                                           << "4"
                                           << "";
    QTest::newRow("negative") << "-1"
                              << ""
                              << "";
    QTest::newRow("the wrong way round") << "c"
                                         << "a"
                                         << "";
    QTest::newRow("unknown annotation") << ""
                                        << ""
                                        << "layer";
    QTest::newRow("nothing left of it") << "a"
                                        << "a"
                                        << "outer";
}

void GraphCutTest::wrongCuts_areTold() {
    QFETCH(QString, first);
    QFETCH(QString, last);
    QFETCH(QString, prefix);
    const auto cut = cutGraph(chain(), {first.toStdString(), last.toStdString(), prefix.toStdString()});
    QVERIFY(!cut);
    QCOMPARE(cut.error().primary().code, std::string("IN-014"));
    QVERIFY(!cut.error().primary().hint.empty());
}

MEMPLAN_TEST(GraphCutTest)
#include "tst_graph_cut.moc"
