// SPDX-License-Identifier: Apache-2.0
// The operation model of TTNN: run times of ttnn-optimizer 9.5, the cache, the file of its figures.
#include "tests/engine/ttnn/op_model_questions.h"
#include "tests/support/program.h"

using namespace memplan;
using namespace memplan::ttnn;
using namespace test::op_model;
using test::q;

class TestTtnnOpFigures : public QObject {
    Q_OBJECT

private slots:
    void runtime_9_5() {
        const Shape s{2048, 2048};
        OpModel asked = model();
        const Runtime product = asked.runtime(ask("matmul", {dram(s), dram(s)}, dram(s)).query());
        QCOMPARE(product.cores, std::int64_t{64});
        QCOMPARE(product.computeNs, 64.0 * 64 * 64 / 64 * 32);
        QCOMPARE(product.dramRead, Bytes{2 * 8388608});
        QCOMPARE(product.dramNs, 3 * 8388608.0 / (0.7 * 288));
        QCOMPARE(product.ns, 3000 + std::max(product.computeNs, product.dramNs));
        QCOMPARE(wordOf(product.boundBy), std::string_view("compute"));
        const Tensor cut = sharded({2048, 2048}, kHeight, {64, 1});
        const Runtime local = asked.runtime(ask("relu", {cut}, cut).query());
        QCOMPARE(local.nocNs, 0.0);
        QCOMPARE(local.computeNs, 64.0 * 64);
        QCOMPARE(wordOf(local.boundBy), std::string_view("compute"));
        const Runtime moved = asked.conversion(typeOf(s), cut.layout, sharded(s, kBlock, {8, 8}).layout);
        QCOMPARE(moved.ns, 8388608.0 / (64 * 32));
        QCOMPARE(wordOf(moved.boundBy), std::string_view("noc"));
        QCOMPARE(asked.conversion(typeOf(s), cut.layout, cut.layout).ns, 0.0);
        QCOMPARE(asked.conversion(typeOf(s), cut.layout, dram(s).layout).dramWritten, Bytes{8388608});
        QCOMPARE(asked.conversion(typeOf({std::int64_t{1} << 62, 64}), cut.layout, dram(s).layout).ns, 0.0);
        const Tensor few = dram({32, 64});
        QCOMPARE(asked.runtime(ask("exp", {few}, few).query()).cores, std::int64_t{2});
        QCOMPARE(asked.runtime(ask("exp", {few}, few).query()).computeNs, 256.0);
    }

    void cache_countsHits_andNeverMixesOperations() {
        OpModel asked = model();
        const Question first = ask("softmax", {dram({64, 1024})}, dram({64, 1024}));
        const Question alike = ask("softmax", {dram({64, 1024})}, dram({64, 1024}));
        QCOMPARE(figures(asked.validate(first.query())), QString("137216 / 0 / 0"));
        QCOMPARE(figures(asked.validate(alike.query())), QString("137216 / 0 / 0"));
        QCOMPARE(asked.counters().calls, std::int64_t{2});
        QCOMPARE(asked.counters().hits, std::int64_t{1});
        // The same place in memory, another operation.
        Question changed = ask("softmax", {dram({64, 1024})}, dram({64, 1024}));
        QVERIFY(asked.validate(changed.query()).ok());
        changed.function.operations.front().properties = {{"dimension", "5 : si32"}};
        QVERIFY(!asked.validate(changed.query()).ok());
        changed.function.operations.front().name = "ttnn.relu";
        QCOMPARE(figures(asked.validate(changed.query())), QString("8192 / 0 / 0"));
        changed.function.value(changed.function.operations.front().operands[0]).type.shape = {0, 4};
        QVERIFY(!asked.validate(changed.query()).ok());
    }

    void figures_areData() {
        const ModelFigures& builtIn = builtInFigures();
        QCOMPARE(builtIn.launchNs, 3000.0);
        const auto same = readFigures(builtInFiguresText());
        QVERIFY(same.ok() && same.value() == builtIn);
        ModelFigures mine = builtIn;
        mine.softmaxTiles = 4.5;
        const auto read = readFigures(writeFigures(mine, "measured"));
        QVERIFY(read.ok() && read.value() == mine);
        OpModelOptions options;
        options.limit = kEverything;
        options.figures = mine;
        OpModel calibrated(Device{}, options);
        const Question question = ask("softmax", {dram({64, 1024})}, dram({64, 1024}));
        QCOMPARE(calibrated.validate(question.query()).constraints.cbPeak, Bytes{137216 + 3072});
    }

    void wrongFigures_areErrorsWithAPlace_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("where");
        const QString head = R"("format": "memplan-ttnn-model", "version": 1)";
        QTest::newRow("no json") << QString("launch") << QString();
        QTest::newRow("format") << QString("{}") << QString("/format");
        QTest::newRow("version") << QString(R"({"format": "memplan-ttnn-model", "version": 2})") << QString("/version");
        QTest::newRow("member") << "{" + head + R"(, "figures": {}})" << QString("/figures");
        QTest::newRow("key") << "{" + head + R"(, "values": {"launch": 1}})" << QString("/values/launch");
        QTest::newRow("text") << "{" + head + R"(, "values": {"launch_ns": "1"}})" << QString("/values/launch_ns");
        QTest::newRow("negative") << "{" + head + R"(, "values": {"launch_ns": -1}})" << QString("/values/launch_ns");
        QTest::newRow("zero rate") << "{" + head + R"(, "values": {"dram_utilisation": 0}})"
                                   << QString("/values/dram_utilisation");
    }
    void wrongFigures_areErrorsWithAPlace() {
        QFETCH(QString, file);
        QFETCH(QString, where);
        const auto read = readFigures(file.toStdString());
        QVERIFY(!read.ok());
        QCOMPARE(q(read.error().primary().code), QString("CAL-001"));
        QCOMPARE(q(read.error().primary().where), where);
    }
};

MEMPLAN_TEST(TestTtnnOpFigures)
#include "tst_ttnn_op_figures.moc"
