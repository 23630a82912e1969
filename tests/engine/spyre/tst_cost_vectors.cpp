// SPDX-License-Identifier: Apache-2.0
// The recorded figures of the performance model and the joint searches (spyre-cost-and-co-optimisation 22), line
// by line, and the worked examples of its chapter 20.
#include "engine/spyre/cost/calibration.h"
#include "engine/spyre/cost/report.h"
#include "tests/probe/cost_kinds.h"
#include "tests/probe/registry.h"
#include "tests/support/program.h"
#include "tests/support/recorded_figures.h"

#include <QTest>

#include <cmath>
#include <set>

using memplan::probe::Registry;
using nlohmann::json;
namespace cost = memplan::spyre::cost;

namespace {

/// Ticks of a nanosecond; a witness is one of several as good.
constexpr memplan::test::Likeness kLike{1e-6, 1e-9, "witness_"};

cost::ArgFeatures arg(const char* name, cost::Role role, cost::Memory memory, std::int64_t elements) {
    cost::ArgFeatures a;
    a.name = name;
    a.role = role;
    a.memory = memory;
    a.elements = elements;
    return a;
}

/// clone-in, max, sub, exp, sum, div with all intermediates on chip (20.1).
std::vector<cost::OpFeatures> softmaxInLx(std::int64_t rows, std::int64_t columns, std::int64_t cores) {
    using cost::Memory;
    using cost::Role;
    const std::int64_t full = rows * columns;
    const std::int64_t row = rows * 64;
    struct Step {
        const char* name;
        bool reduces;
        std::vector<const char*> reads;
    };
    const std::vector<Step> steps{{"clone", false, {"arg0"}},       {"max", true, {"clone"}},
                                  {"sub", false, {"clone", "max"}}, {"exp", false, {"sub"}},
                                  {"sum", true, {"exp"}},           {"div", false, {"exp", "sum"}}};
    std::vector<cost::OpFeatures> ops;
    for (const Step& s : steps) {
        cost::OpFeatures op;
        op.name = s.name;
        op.isReduction = s.reduces;
        op.cores = cores;
        const bool last = op.name == "div";
        op.args.push_back(arg(s.name, Role::Output, last ? Memory::Hbm : Memory::Lx, s.reduces ? row : full));
        for (const char* read : s.reads) {
            const std::string name = read;
            const bool isRow = name == "max" || name == "sum";
            op.args.push_back(arg(read, Role::Input, name == "arg0" ? Memory::Hbm : Memory::Lx, isRow ? row : full));
            op.args.back().broadcast = isRow;
        }
        ops.push_back(std::move(op));
    }
    return ops;
}

double microseconds(const std::vector<cost::OpFeatures>& ops, cost::Edition edition) {
    cost::Model model;
    model.edition = edition;
    return cost::priceKernel(ops, model).totalNs / 1000;
}

}  // namespace

class TestCostVectors : public QObject {
    Q_OBJECT

private slots:
    void everyLine_isEqual();
    void softmax_priceOfTheWorkedExample();
    void softmax_coarseTilesCostOnceTheyAreLow();
    void report_secondKernelDoesNotPayTheCloneIn();
    void constants_haveUniqueKeysAndValues();
    void ticks_refuseWhatIsNoPrice();
    void calibration_roundTrip();
    void calibration_errorsNameTheKey_data();
    void calibration_errorsNameTheKey();
};

void TestCostVectors::everyLine_isEqual() {
    Registry registry;
    memplan::probe::registerCost(registry);
    memplan::probe::registerJoint(registry);
    const std::vector<std::string> lines = memplan::test::recordedLines("spyre-cost.jsonl");
    QCOMPARE(lines.size(), std::size_t{99});
    for (const std::string& line : lines) {
        const json vector = json::parse(line);
        const json answer = registry.answer(line);
        QVERIFY2(answer.contains("output"), answer.dump().c_str());
        const std::string wrong = memplan::test::difference(vector.at("expected"), answer.at("output"), kLike);
        QVERIFY2(wrong.empty(), (vector.at("name").get<std::string>() + wrong).c_str());
    }
}

void TestCostVectors::softmax_priceOfTheWorkedExample() {
    // 33 554 432 B / 150 + 0.00574 * 16 777 216 B = 320.0 us in both editions
    QVERIFY(std::abs(microseconds(softmaxInLx(4096, 2048, 32), cost::Edition::A) - 319.998) < 0.001);
    QVERIFY(std::abs(microseconds(softmaxInLx(4096, 2048, 32), cost::Edition::B) - 319.998) < 0.001);
    QVERIFY(std::abs(microseconds(softmaxInLx(512, 1024, 1), cost::Edition::B) - 349.525) < 0.001);
    QVERIFY(std::abs(microseconds(softmaxInLx(512, 1024, 4), cost::Edition::B) - 87.381) < 0.001);
}

void TestCostVectors::softmax_coarseTilesCostOnceTheyAreLow() {
    const auto tiled = [](std::int64_t trip) {
        auto ops = softmaxInLx(4096, 2048, 32);
        for (cost::OpFeatures& op : ops) {
            op.loopTrip = trip;
            op.tilesOutputDim = true;
            op.tileRowsPerCore = 128.0 / static_cast<double>(trip);
            for (cost::ArgFeatures& a : op.args)
                a.shape = {4096, a.broadcast ? 1 : 2048};
        }
        return microseconds(ops, cost::Edition::A);
    };
    QVERIFY(std::abs(tiled(16) - 320.0) < 0.01);
    QVERIFY(std::abs(tiled(32) - 449.7) < 0.1);
    QVERIFY(std::abs(tiled(128) - 899.4) < 0.1);
}

void TestCostVectors::report_secondKernelDoesNotPayTheCloneIn() {
    cost::OpFeatures op;
    op.name = "neg";
    op.args = {arg("y", cost::Role::Output, cost::Memory::Lx, 1 << 20),
               arg("arg0", cost::Role::Input, cost::Memory::Lx, 1 << 20)};
    std::vector<cost::ReportOp> ops{{op, true, {}}, {op, true, {}}};
    const cost::Report apart = cost::makeReport(ops, cost::groupKernels(ops, false), {});
    QCOMPARE(apart.kernels.size(), std::size_t{2});
    QVERIFY(apart.kernels[0].price.cloneNs > 0);
    QCOMPARE(apart.kernels[1].price.cloneNs, 0.0);
    ops[0].modellable = false;
    QCOMPARE(cost::groupKernels(ops, true).size(), std::size_t{1});
}

void TestCostVectors::constants_haveUniqueKeysAndValues() {
    cost::Constants constants;
    std::set<const double*> places;
    std::set<std::string_view> names;
    for (const cost::ConstantKey& key : cost::constantKeys()) {
        QVERIFY2(names.insert(key.name).second, key.name.data());
        QVERIFY2(places.insert(cost::constantNamed(constants, key.name)).second, key.name.data());
    }
    QVERIFY(cost::constantNamed(constants, "no_such_key") == nullptr);
    QCOMPARE(*cost::constantNamed(constants, "bw_peak_gbps"), 150.0);
}

void TestCostVectors::ticks_refuseWhatIsNoPrice() {
    QCOMPARE(cost::toFixed(319.99744).value(), std::int64_t{319997440});
    QVERIFY(!cost::toFixed(-1).ok());
    QVERIFY(!cost::toFixed(std::nan("")).ok());
}

void TestCostVectors::calibration_roundTrip() {
    cost::Calibration c = cost::builtInCalibration();
    c.model.constants.bwPeak = 140.5;
    c.model.constants.dmaNsPerRequest = {{1, 9.0}};
    const std::string text = cost::writeCalibration(c);
    const auto again = cost::readCalibration(text);
    QVERIFY2(again.ok(), again.ok() ? "" : again.error().primary().message.c_str());
    QCOMPARE(again.value().model.constants.bwPeak, 140.5);
    QCOMPARE(again.value().model.constants.dmaNsPerRequest.size(), std::size_t{1});
    QVERIFY(again.value().provenance == c.provenance);
    QCOMPARE(again.value().errors.size(), c.errors.size());
    QCOMPARE(again.value().sha256.size(), std::size_t{64});
    QCOMPARE(cost::writeCalibration(again.value()), text);
}

void TestCostVectors::calibration_errorsNameTheKey_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("says");
    const auto row = [](const char* name, const char* body, const char* says) {
        QTest::newRow(name) << QByteArray(R"({"format":"spyre-calibration","version":1,"edition":"B",)") + body + "}"
                            << QByteArray(says);
    };
    row("unknown key", R"("constants":{"bw_peak_gbp":1})", "bw_peak_gbp");
    row("no rate", R"("constants":{"bw_peak_gbps":0})", "above 0");
    row("text", R"("constants":{"bw_peak_gbps":"fast"})", "finite");
    row("unknown table", R"("tables":{"nope":[]})", "nope");
    row("falling cores", R"("tables":{"reduction_cores_g":[[4,1],[2,1]]})", "rise");
    QTest::newRow("not JSON") << QByteArray("{") << QByteArray("");
    QTest::newRow("version") << QByteArray(R"({"format":"spyre-calibration","version":2,"edition":"A"})")
                             << QByteArray("version 1");
}

void TestCostVectors::calibration_errorsNameTheKey() {
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, says);
    const auto read = cost::readCalibration(text.toStdString());
    QVERIFY(!read.ok());
    QCOMPARE(read.error().primary().code, std::string("CAL-001"));
    QVERIFY2(QByteArray::fromStdString(read.error().primary().message).contains(says),
             read.error().primary().message.c_str());
}

MEMPLAN_TEST(TestCostVectors)
#include "tst_cost_vectors.moc"
