// SPDX-License-Identifier: Apache-2.0
// Plans whose accesses name the right elements: views that carry, tiles of full buffers, nests that would share sticks
// (spyre-layouts-and-work-division 3, spyre-coarse-tiling-and-bundle 4.4), and compiles that once ended as defects.
#include "engine/io/graph/graph_json.h"
#include "engine/io/input.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/plan/spyre_data.h"
#include "engine/target/verify.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"

#include <QTest>

using namespace memplan;
using namespace memplan::test;

class ExactAccessTest : public QObject {
    Q_OBJECT

private slots:
    void carryingIndex_isAFallback_data();
    void carryingIndex_isAFallback();
    void offsetPastRaggedRows_isAFallback();
    void viewOfAView_isJudgedByItsIndex();
    void rewiredWrite_hasTheWholeSize_data();
    void rewiredWrite_hasTheWholeSize();
    void partStick_isRefused_data();
    void partStick_isRefused();
    void partStick_isAWarningInTheListing();
    void search_proposesWholeSticksOnly();
    void oddTypes_spanWhatTheGraphSays_data();
    void oddTypes_spanWhatTheGraphSays();
    void transposedRead_isNeverInPlace_data();
    void transposedRead_isNeverInPlace();
    void oldFaults_givePlans_data();
    void oldFaults_givePlans();
};

namespace {

Graph regression(const std::string& name) {
    const auto bytes = io::readFile(std::string(MEMPLAN_TEST_DATA) + "/regressions/" + name + ".json", 1 << 20, "X");
    if (!bytes) qFatal("no regression %s", name.c_str());
    auto read = io::readGraphJson(bytes.value(), {}, RunControl{});
    if (!read) qFatal("bad regression %s", name.c_str());
    return std::move(read).value().graph;
}

/// Every read of `buffer` by an op that runs divided.
bool isReadOutsideFallbacks(const Plan& plan, const std::string& buffer) {
    for (const PlanOp& op : plan.ops) {
        if (op.kind == "extern") continue;
        for (const BufferId in : op.inputs) {
            if (plan.buffer(in).name == buffer) return true;
        }
    }
    return false;
}

void collectArgs(const bundle::SpecTree& tree, std::vector<bundle::TensorArg>& out) {
    for (const bundle::SpecNode& node : tree) {
        if (node.kind == bundle::SpecKind::Loop) collectArgs(node.body, out);
        if (node.kind == bundle::SpecKind::Op) out.push_back(node.op.args.back());
    }
}

/// Results of all ops inside the kernels, in run order.
std::vector<bundle::TensorArg> resultsOf(const Plan& plan) {
    std::vector<bundle::TensorArg> out;
    for (const bundle::Kernel& k : *spyreData(plan).opSpecs)
        collectArgs(k.specs, out);
    return out;
}

/// exp over x [rows, columns], then neg, in one scope that cuts dimension `dim`.
Graph chain(std::int64_t rows, std::int64_t columns) {
    GraphBuilder b("chain");
    const TensorId x = b.input("x", {rows, columns});
    b.output(b.pointwise("n", "neg", {b.pointwise("e", "exp", {x})}));
    return b.build();
}

std::string groupJson(const std::string& levels) {
    return R"([{"ops": ["e", "n"], "levels": )" + levels + "}]";
}

}  // namespace

void ExactAccessTest::carryingIndex_isAFallback_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"reshape_ragged", "reshape_carry", "reshape_oob", "reverse"})
        QTest::newRow(name) << QString(name);
}

void ExactAccessTest::carryingIndex_isAFallback() {
    QFETCH(const QString, name);
    const PlanPtr p = planOf(regression(name.toStdString()));
    QVERIFY(p);
    QVERIFY(hasProblem(*p, "LAY-007"));
    QVERIFY(!isReadOutsideFallbacks(*p, "x"));
    QCOMPARE(fileFault(*p), std::string());
}

/// The offset is a whole number of sticks, but rows of 127 elements lie in it: the first element is no first of a
/// stick.
void ExactAccessTest::offsetPastRaggedRows_isAFallback() {
    const PlanPtr p = planOf(regression("slice_past_ragged_rows"));
    QVERIFY(p && hasProblem(*p, "LAY-007"));
    QVERIFY(!isReadOutsideFallbacks(*p, "t2"));
    QCOMPARE(fileFault(*p), std::string());
}

void ExactAccessTest::viewOfAView_isJudgedByItsIndex() {
    GraphBuilder b("views");
    const TensorId x = b.input("x", {6, 64});
    const TensorId whole = b.reshape("whole", x, {384});
    b.output(b.pointwise("e", "exp", {b.reshape("ragged", whole, {4, 96})}));
    const PlanPtr p = planOf(b.build());
    QVERIFY(p && hasProblem(*p, "LAY-007"));
    QVERIFY(!isReadOutsideFallbacks(*p, "x"));

    GraphBuilder even("views");
    const TensorId y = even.input("y", {6, 64});
    const TensorId flat = even.reshape("flat", y, {384});
    even.output(even.pointwise("e", "exp", {even.reshape("pairs", flat, {3, 2, 64})}));
    const PlanPtr q = planOf(even.build());
    QVERIFY(q && !hasProblem(*q, "LAY-007"));
    QVERIFY(isReadOutsideFallbacks(*q, "y"));
}

void ExactAccessTest::rewiredWrite_hasTheWholeSize_data() {
    QTest::addColumn<QString>("model");
    QTest::addColumn<Ints>("size");
    QTest::newRow("device") << "device_row_major" << Ints{4, 256, 64};
    QTest::newRow("listing") << "host_stride_map" << Ints{2, 128, 64};
}

void ExactAccessTest::rewiredWrite_hasTheWholeSize() {
    QFETCH(const QString, model);
    const PlanPtr p =
        plan(chain(256, 256),
             {hint({"graph"}, "manual_groups", groupJson(R"([{"count": 2, "dims": [0]}, {"count": 2, "dims": [1]}])"))},
             {{"spyre.stride_model", model.toStdString()}});
    QVERIFY(p && spyreData(*p).opSpecs);
    const std::vector<bundle::TensorArg> results = resultsOf(*p);
    QCOMPARE(results.size(), std::size_t{2});
    QCOMPARE(results.front().deviceSize, (Ints{2, 128, 64}));  // loop-internal: one tile
    QTEST(results.back().deviceSize, "size");
}

void ExactAccessTest::partStick_isRefused_data() {
    QTest::addColumn<std::int64_t>("columns");
    QTest::addColumn<QString>("levels");
    QTest::addColumn<bool>("refused");
    const auto row = [](const char* name, std::int64_t columns, const char* levels, bool refused) {
        QTest::newRow(name) << columns << QString(levels) << refused;
    };
    row("whole sticks", 256, R"([{"count": 4, "dims": [1]}])", false);
    row("half sticks", 256, R"([{"count": 8, "dims": [1]}])", true);
    row("one stick in two", 64, R"([{"count": 2, "dims": [1]}])", true);
    row("ragged", 192, R"([{"count": 2, "dims": [1]}])", true);
    row("rows", 65, R"([{"count": 8, "dims": [0]}])", false);
    row("one dimension twice", 256, R"([{"count": 2, "dims": [0]}, {"count": 2, "dims": [0]}])", true);
}

void ExactAccessTest::partStick_isRefused() {
    QFETCH(const std::int64_t, columns);
    QFETCH(const QString, levels);
    QFETCH(const bool, refused);
    const PlanPtr p = plan(chain(64, columns), {hint({"graph"}, "manual_groups", groupJson(levels.toStdString()))}, {});
    QVERIFY(p);
    QCOMPARE(findOp(*p, "e")->loopCounts.empty(), refused);
    QCOMPARE(hasProblem(*p, "CT-026"), refused);
    QCOMPARE(p->hintStates.front(), std::string(refused ? "impossible" : "applied"));
    QCOMPARE(fileFault(*p), std::string());
}

void ExactAccessTest::partStick_isAWarningInTheListing() {
    const PlanPtr p =
        plan(chain(64, 256), {hint({"graph"}, "manual_groups", groupJson(R"([{"count": 8, "dims": [1]}])"))},
             {{"spyre.stride_model", "host_stride_map"}});
    QVERIFY(p);
    QCOMPARE(findOp(*p, "e")->loopCounts, (Ints{8}));
    QVERIFY(hasProblem(*p, "CT-026"));
}

void ExactAccessTest::search_proposesWholeSticksOnly() {
    const PlanPtr p = planOf(regression("c6168"),
                             {{"preset", "best"}, {"spyre.cores", "2"}, {"spyre.lx_reserved_fraction", "0.995"}});
    QVERIFY(p);
    for (const PlanOp& op : p->ops)
        QVERIFY2(op.loopCounts.empty(), op.name.c_str());
}

void ExactAccessTest::oddTypes_spanWhatTheGraphSays_data() {
    QTest::addColumn<int>("type");
    for (const DType t : {DType::F64, DType::I16, DType::U16, DType::U64, DType::I64, DType::TF32, DType::U8, DType::I4,
                          DType::F4, DType::Bool, DType::F16, DType::BFP8})
        QTest::newRow(std::string(dtypeName(t)).c_str()) << static_cast<int>(t);
}

void ExactAccessTest::oddTypes_spanWhatTheGraphSays() {
    QFETCH(const int, type);
    Graph g = chain(8, 192);
    for (Tensor& t : g.tensors)
        t.dtype = static_cast<DType>(type);
    const PlanPtr p = planOf(g);
    QVERIFY(p);
    QCOMPARE(fileFault(*p), std::string());
}

void ExactAccessTest::transposedRead_isNeverInPlace_data() {
    QTest::addColumn<QStringList>("settings");
    QTest::addColumn<bool>("forced");
    for (const char* solver : {"greedy", "firstfit", "bestfit", "annealing", "exact"}) {
        const QString chosen = QString("spyre.layout_solver=%1").arg(solver);
        QTest::newRow(solver) << QStringList{"spyre.cores=1", chosen} << false;
        QTest::newRow(qPrintable(QString("%1, forced").arg(solver))) << QStringList{"spyre.cores=1", chosen} << true;
    }
    QTest::newRow("joint search") << QStringList{"spyre.cores=4", "spyre.co_optimize=true"} << false;
    QTest::newRow("best") << QStringList{"preset=best", "spyre.cores=4"} << false;
    QTest::newRow("best, forced") << QStringList{"preset=best", "spyre.cores=1"} << true;
}

/// q = p + p with its outer dimensions exchanged: over p it would read what it has overwritten.
void ExactAccessTest::transposedRead_isNeverInPlace() {
    QFETCH(const QStringList, settings);
    QFETCH(const bool, forced);
    GraphBuilder b("exchange");
    const TensorId x = b.input("x", {16, 16, 64});
    const TensorId p = b.pointwise("p", "exp", {x});
    const TensorId q = b.pointwise("q", "add", {p, b.transpose("t", p, {1, 0, 2})});
    b.output(b.pointwise("r", "neg", {q}));
    Pairs pairs;
    for (const QString& s : settings)
        pairs.emplace_back(s.section('=', 0, 0).toStdString(), s.section('=', 1).toStdString());
    std::vector<Hint> hints;
    if (forced) hints.push_back(hint({"tensor:q"}, "in_place", R"("force")"));
    const PlanPtr made = plan(b.build(), hints, pairs);
    QVERIFY(made);
    QCOMPARE(fileFault(*made), std::string());
    const BufferId slot = findBuffer(*made, "q")->inPlaceOf;
    QVERIFY(!slot.isValid() || made->buffer(slot).name != "p");
    if (forced) QCOMPARE(made->hintStates.front(), std::string("impossible"));
}

void ExactAccessTest::oldFaults_givePlans_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QStringList>("settings");
    QTest::newRow("a room without views") << "segv" << QStringList{"preset=best"};
    QTest::newRow("a clone of a name that was free again")
        << "int70b"
        << QStringList{"spyre.cores=1", "spyre.lx_reserved_fraction=0.98", "spyre.reorder_ops=true",
                       "spyre.solver_clones=true"};
    QTest::newRow("float64") << "f64" << QStringList{};
    QTest::newRow("loops that a search forms") << "best1075" << QStringList{"preset=best"};
}

void ExactAccessTest::oldFaults_givePlans() {
    QFETCH(const QString, name);
    QFETCH(const QStringList, settings);
    Pairs pairs;
    for (const QString& s : settings)
        pairs.emplace_back(s.section('=', 0, 0).toStdString(), s.section('=', 1).toStdString());
    const PlanPtr p = planOf(regression(name.toStdString()), pairs);
    QVERIFY(p);
    QCOMPARE(fileFault(*p), std::string());
}

MEMPLAN_TEST(ExactAccessTest)
#include "tst_exact_access.moc"
