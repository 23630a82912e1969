// SPDX-License-Identifier: Apache-2.0
// Spyre machines other than the built-in one: what they have is planned for, stands in the plan file and is verified
// from there (architecture 4.5, 15.6).
#include "engine/io/plan/plan_json.h"
#include "engine/machine/machine_json.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/target/verify.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;

using test::q;

namespace {

MachineDescription machineWith(const std::string& values) {
    auto read = readMachine(R"({"format": "memplan-machine", "version": 1, "target": "spyre", "name": "other",
                                "values": {)" +
                                values + "}}",
                            spyreMachineKind());
    if (!read) qFatal("%s", read.error().primary().message.c_str());
    return std::move(read).value();
}

CompileRequest requestOn(const std::string& values, const test::Pairs& settings = {}) {
    auto graph = std::make_shared<const Graph>(test::softmax(2048, 4096, 1));
    CompileRequest request = requestFor(graph, nullptr, {}, Settings::fromPairs(settings).value(), {});
    if (!values.empty()) setMachine(request, machineWith(values));
    return request;
}

/// What is left of a plan in its file; an error ends the test.
Plan fromFile(const std::string& text) {
    auto read = io::readPlanJson(text);
    if (!read) qFatal("%s %s", read.error().primary().where.c_str(), read.error().primary().message.c_str());
    return std::move(read).value();
}

std::string all(const std::vector<Diagnostic>& found) {
    std::string text;
    for (const Diagnostic& d : found)
        text += d.code + " " + d.where + " " + d.message + "\n";
    return text;
}

}  // namespace

class TestOtherMachines : public QObject {
    Q_OBJECT

private slots:
    void constants_areThoseOfTheSpecification() {
        const SpyreMachine m = spyreMachine({});
        QVERIFY(m == SpyreMachine());
        QCOMPARE(m.lxBytesPerCore, Bytes{2'097'152});
        QCOMPARE(m.lxAlignment, Bytes{128});
        QCOMPARE(m.maxCores, std::int64_t{32});
        QCOMPARE(m.spanLimitSeed, Bytes{256} << 20);
        QCOMPARE(m.spanLimitLate, Bytes{65'535} * 4096);
        QCOMPARE(m.hbmPoolBytes, Bytes{16} << 30);
    }

    /// Each field stands for one figure, and none for another's.
    void figures_changeOneMemberEach() {
        for (const MachineField& field : spyreMachineKind().fields) {
            MachineDescription machine;
            machine.values.emplace(field.key, field.max == field.defaultValue ? field.min : field.max);
            QVERIFY2(!(spyreMachine(machine) == SpyreMachine()), field.key.data());
            machine.values.clear();
            machine.values.emplace(field.key, field.defaultValue);
            QVERIFY2(spyreMachine(machine) == SpyreMachine(), field.key.data());
        }
    }

    void plan_ofAnotherMachine_isSoundFromItsFile_data() {
        QTest::addColumn<QString>("values");
        QTest::addColumn<QString>("settings");
        QTest::newRow("half the LX") << R"("lx_bytes_per_core": 1048576)"
                                     << "";
        QTest::newRow("a small LX") << R"("lx_bytes_per_core": 262144)"
                                    << "";
        QTest::newRow("a large LX") << R"("lx_bytes_per_core": 8388608)"
                                    << "";
        QTest::newRow("fewer cores") << R"("max_cores": 8)"
                                     << "";
        QTest::newRow("one core") << R"("max_cores": 1, "lx_bytes_per_core": 16777216)"
                                  << "";
        QTest::newRow("coarse addresses") << R"("lx_alignment": 1024)"
                                          << "";
        QTest::newRow("narrow span") << R"("span_limit_seed": 1048576, "span_limit_late": 1048576)"
                                     << "";
        QTest::newRow("late capacity") << R"("lx_bytes_per_core": 1048576, "reserved_for_runtime": 262144)"
                                       << "spyre.lx_capacity_rule=reserved64k";
        QTest::newRow("searched") << R"("lx_bytes_per_core": 524288, "max_cores": 16)"
                                  << "preset=best";
        QTest::newRow("as the original") << R"("lx_bytes_per_core": 524288)"
                                         << "preset=seed";
    }
    void plan_ofAnotherMachine_isSoundFromItsFile() {
        QFETCH(const QString, values);
        QFETCH(const QString, settings);
        test::Pairs pairs{{"spyre.lx_planning", "true"}};
        if (const auto parts = settings.split('='); parts.size() == 2)
            pairs.emplace_back(parts[0].toStdString(), parts[1].toStdString());
        const CompileRequest request = requestOn(values.toStdString(), pairs);
        const CompileOutcome outcome = compile(request, {});
        QVERIFY2(outcome.plan != nullptr, outcome.failure ? outcome.failure->error.primary().message.c_str() : "");
        QCOMPARE(q(outcome.plan->inputHash), q(inputHash(request)));
        const Plan plan = fromFile(io::writePlanJson(*outcome.plan));
        QVERIFY(plan.machine == request.machine);
        QCOMPARE(plan.memory.physical, spyreMachine(request.machine).lxBytesPerCore);
        QCOMPARE(plan.memory.alignment, spyreMachine(request.machine).lxAlignment);
        for (const PlanBuffer& b : plan.buffers)
            QVERIFY(!b.address || *b.address % plan.memory.alignment == 0);
        for (const PlanOp& op : plan.ops)
            QVERIFY(op.cores <= spyreMachine(request.machine).maxCores);
        const std::vector<Diagnostic> found = verifyPlan(plan);
        QVERIFY2(found.empty(), all(found).c_str());
    }

    void builtInMachine_leavesNoTrace() {
        const CompileRequest plain = requestOn("");
        CompileRequest given = plain;
        setMachine(given, machineWith(R"("max_cores": 32)"));
        QCOMPARE(q(inputHash(given)), q(inputHash(plain)));
        const std::string text = io::writePlanJson(*compile(given, {}).plan);
        QVERIFY(text == io::writePlanJson(*compile(plain, {}).plan));
        QVERIFY(text.find("x_machine") == std::string::npos);
    }

    void inputHash_countsTheMachine() {
        QVERIFY(inputHash(requestOn(R"("lx_bytes_per_core": 1048576)")) != inputHash(requestOn("")));
        QVERIFY(inputHash(requestOn(R"("lx_bytes_per_core": 1048576)")) !=
                inputHash(requestOn(R"("lx_bytes_per_core": 524288)")));
    }

    /// What the planner may use is that of the machine, so a smaller one holds less.
    void smallerMachine_holdsLess() {
        const auto onChip = [](const std::string& values) { return compile(requestOn(values), {}).plan; };
        const PlanPtr whole = onChip(""), small = onChip(R"("lx_bytes_per_core": 16384, "reserved_for_runtime": 0)");
        QVERIFY(whole && small);
        QVERIFY(whole->metrics.buffersOnChip > small->metrics.buffersOnChip);
        QVERIFY(small->memory.peak <= small->memory.capacity && small->memory.capacity <= 16'384);
    }

    void cores_followTheMachine_whereNobodySetThem() {
        QCOMPARE(requestOn(R"("max_cores": 8)").settings.integer("spyre.cores"), std::int64_t{8});
        QCOMPARE(requestOn(R"("max_cores": 8)", {{"spyre.cores", "4"}}).settings.integer("spyre.cores"),
                 std::int64_t{4});
        const CompileOutcome refused = compile(requestOn(R"("max_cores": 8)", {{"spyre.cores", "16"}}), {});
        QVERIFY(refused.failure.has_value());
        QCOMPARE(q(refused.failure->error.primary().code), QString("SET-003"));
        QVERIFY(q(refused.failure->error.primary().message).contains("has 8"));
    }

    void poolOfTheMachine_limitsTheIntermediates() {
        CompileRequest request = requestOn(R"("hbm_pool_bytes": 1048576)", {{"spyre.lx_planning", "false"}});
        const CompileOutcome outcome = compile(request, {});
        QVERIFY(outcome.failure.has_value());
        QCOMPARE(q(outcome.failure->error.primary().code), QString("LX-017"));
    }

    void damagedMachineOfAPlan_isFound() {
        const std::string text = io::writePlanJson(*compile(requestOn(R"("lx_bytes_per_core": 1048576)"), {}).plan);
        QString changed = q(text);
        QVERIFY(changed.contains("\"lx_bytes_per_core\": 1048576"));
        changed.replace("\"lx_bytes_per_core\": 1048576", "\"lx_bytes_per_core\": 1048448");
        QVERIFY(!verifyPlan(fromFile(changed.toStdString())).empty());
        changed = q(text);
        changed.replace("\"lx_bytes_per_core\": 1048576", "\"lx_bytes_per_core\": 1");
        const auto read = io::readPlanJson(changed.toStdString());
        QVERIFY(!read.ok());
        QCOMPARE(q(read.error().primary().code), QString("IN-008"));
        QVERIFY(q(read.error().primary().where).contains("x_machine"));
    }

    void planWithMoreCoresThanItsMachine_isRefused() {
        Plan plan = *compile(requestOn(""), {}).plan;
        plan.machine = machineWith(R"("max_cores": 16)");
        const std::vector<Diagnostic> found = verifyPlan(plan);
        QVERIFY(std::ranges::any_of(found, [](const Diagnostic& d) { return d.where == "settings spyre.cores"; }));
    }
};

MEMPLAN_TEST(TestOtherMachines)
#include "tst_other_machines.moc"
