// SPDX-License-Identifier: Apache-2.0
// Five deliberate errors in the machine that proves plans: each makes at least one sample fail, so that none of them
// could stay in the machine unseen (proof-and-search A13).
#include "engine/io/input.h"
#include "engine/sim/machine/machine.h"
#include "engine/sim/mutants/mutate.h"
#include "engine/sim/sabotage.h"
#include "engine/spyre/record/execution_record.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"
#include "tests/support/tiling_support.h"
#include "tests/support/words.h"

#include <QTest>

namespace memplan::sim {
Sabotage sabotage = Sabotage::None;
}

using namespace memplan;

using sim::Sabotage;
using test::q;

namespace {

/// Samples that use between them slices, loops, reductions and slots that are handed on.
std::vector<sim::ExecutionRecord> sampleRecords() {
    std::vector<PlanPtr> plans;
    plans.push_back(test::plan(test::softmax(256, 128, 1), test::softmaxHints(), {{"spyre.cores", "4"}}));
    plans.push_back(test::plan(test::softmax(256, 128, 1), {}, {{"spyre.cores", "4"}}));
    plans.push_back(test::plan(test::softmax(256, 128, 1), {}, {{"spyre.cores", "1"}}));
    std::vector<sim::ExecutionRecord> records;
    for (const PlanPtr& plan : plans) {
        if (plan) records.push_back(*spyre::recordOf(*plan));
    }
    return records;
}

/// A sample is wrong, or faults that were put into it are no longer found.
bool isNoticed(const std::vector<sim::ExecutionRecord>& records) {
    for (const sim::ExecutionRecord& record : records) {
        const auto outcome = sim::prove(record, {}, {});
        if (!outcome || outcome.value().kind != sim::OutcomeKind::Proved) return true;
        sim::MutationOptions options;
        options.most = 100;
        const auto report = sim::mutate(record, options, {});
        if (!report || !report.value().survivors.empty()) return true;
    }
    return false;
}

}  // namespace

class SabotageTest : public QObject {
    Q_OBJECT

private slots:
    void anErrorOfTheMachine_isNoticed_data() {
        QTest::addColumn<int>("error");
        QTest::newRow("none") << static_cast<int>(Sabotage::None);
        QTest::newRow("stick order") << static_cast<int>(Sabotage::StickOrder);
        QTest::newRow("slice order") << static_cast<int>(Sabotage::SliceOrder);
        QTest::newRow("written before read") << static_cast<int>(Sabotage::WriteBeforeRead);
        QTest::newRow("last loop") << static_cast<int>(Sabotage::LastLoop);
        QTest::newRow("lives stay") << static_cast<int>(Sabotage::LivesStay);
    }
    void anErrorOfTheMachine_isNoticed() {
        QFETCH(int, error);
        const std::vector<sim::ExecutionRecord> records = sampleRecords();
        QCOMPARE(records.size(), std::size_t{3});
        sim::sabotage = static_cast<Sabotage>(error);
        const bool noticed = isNoticed(records);
        sim::sabotage = Sabotage::None;
        QCOMPARE(noticed, error != static_cast<int>(Sabotage::None));
    }
};

MEMPLAN_TEST(SabotageTest)
#include "tst_sabotage.moc"
