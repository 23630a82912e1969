// SPDX-License-Identifier: Apache-2.0
// The validator finds each kind of damage in a plan that was clean (codes.md 7).
#include "engine/target/verify.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::test;

class VerifyTest : public QObject {
    Q_OBJECT

private slots:
    void damage_isFound_data();
    void damage_isFound();
    void span_isRecomputed();
    void span_isExcusedByItsOwnProblem();
    void span_ofEveryKind_isRecomputed();
    void span_tooLargeForNumbers_isFound();
    void occupancy_ofManySteps_isRecomputed();
    void addressBeyondNumbers_isFound();
    void sumsBeyondNumbers_areFound();
    void foreignSlices_areFound();
    void cleanPlans_stayClean();
};

namespace {

using Damage = std::function<void(Plan&)>;

PlanBuffer& named(Plan& plan, const char* name) {
    for (PlanBuffer& b : plan.buffers) {
        if (b.name == name) return b;
    }
    return plan.buffers.front();
}

}  // namespace

Q_DECLARE_METATYPE(Damage)

void VerifyTest::damage_isFound_data() {
    QTest::addColumn<Damage>("damage");
    QTest::addColumn<QString>("code");
    const auto row = [](const char* name, const char* code, Damage damage) {
        QTest::newRow(name) << std::move(damage) << QString::fromLatin1(code);
    };
    row("misaligned", "VER-001", [](Plan& p) { *named(p, "max").address += 64; });
    row("outside", "VER-002", [](Plan& p) { *named(p, "max").address = 1677696; });
    row("too small", "VER-002", [](Plan& p) { named(p, "max").sizePerCore = 1024; });
    row("overlap", "VER-003", [](Plan& p) { *named(p, "max").address = 128; });
    row("slot given twice", "VER-004", [](Plan& p) { named(p, "sum").inPlaceOf = named(p, "exp").inPlaceOf; });
    row("other base", "VER-004", [](Plan& p) { *named(p, "exp").address += 128; });
    row("split", "VER-005", [](Plan& p) { p.ops[1].iterationSpace[0].slices = 3; });
    row("cores", "VER-006", [](Plan& p) { p.ops[1].iterationSpace[0].slices = 2; });
    row("layout without room", "VER-008", [](Plan& p) { named(p, "x").layout->deviceSize[0] = 1; });
    row("capacity", "VER-013", [](Plan& p) { p.memory.capacity += 1; });
    row("alignment", "VER-013", [](Plan& p) { p.memory.alignment = 64; });
    row("occupancy", "VER-013", [](Plan& p) { p.memory.occupancy[2].bytes -= 128; });
    row("no occupancy", "VER-013", [](Plan& p) { p.memory.occupancy.clear(); });
    row("step without occupancy", "VER-013", [](Plan& p) { p.memory.occupancy.pop_back(); });
    row("occupancy stated twice", "VER-013", [](Plan& p) { p.memory.occupancy[2] = p.memory.occupancy[1]; });
    row("live peak", "VER-013", [](Plan& p) { p.memory.livePeak += 128; });
    row("live peak step", "VER-013", [](Plan& p) { p.memory.livePeakStep = 0; });
    row("cores in use", "VER-013", [](Plan& p) { p.metrics.coreUtilisation = 0.5; });
    row("size", "VER-013", [](Plan& p) { named(p, "x").size /= 2; });
    row("stated span", "VER-013", [](Plan& p) { p.ops[1].maxSpan = 128; });
    row("read first", "VER-011", [](Plan& p) { std::swap(p.ops[2], p.ops[3]); });
    row("lifetime", "VER-013", [](Plan& p) { named(p, "exp").life.end -= 1; });
    row("traffic", "VER-013", [](Plan& p) { p.metrics.mainMemoryReadBytes += 1; });
    row("pinned", "VER-013", [](Plan& p) { p.metrics.pinnedBytes += 128; });
    row("peak", "VER-013", [](Plan& p) { p.memory.peak -= 128; });
    row("no reason", "VER-013", [](Plan& p) { named(p, "x").reason.reset(); });
}

void VerifyTest::damage_isFound() {
    QFETCH(Damage, damage);
    QFETCH(QString, code);
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    Plan broken = *plan;
    damage(broken);
    const auto violations = verifyPlan(broken);
    const bool found = std::any_of(violations.begin(), violations.end(),
                                   [&](const Diagnostic& d) { return d.code == code.toStdString(); });
    QVERIFY2(found, violations.empty() ? "no violation" : violations.front().code.c_str());
}

/// 512 MiB tensors, of which no core may reach more than the half: the limit counts for what the slices give.
void VerifyTest::span_isRecomputed() {
    const PlanPtr plan = planOf(softmax(131072, 2048, 1), {{"spyre.cores", "32"}});
    QVERIFY(plan);
    QCOMPARE(fileFault(*plan), std::string());
    Plan broken = *plan;
    for (PlanOp& op : broken.ops) {
        for (IterationDim& d : op.iterationSpace)
            d.slices = 1;
    }
    const auto violations = verifyPlan(broken);
    QVERIFY(std::any_of(violations.begin(), violations.end(), [](const Diagnostic& d) { return d.code == "VER-007"; }));
}

namespace {

bool reports(const std::vector<Diagnostic>& violations, std::string_view code, std::string_view where) {
    return std::any_of(violations.begin(), violations.end(),
                       [&](const Diagnostic& d) { return d.code == code && d.where == where; });
}

}  // namespace

/// One core cannot keep to the limit, and the plan says so for each operation. A problem of another one is no excuse,
/// whatever names stand in its message.
void VerifyTest::span_isExcusedByItsOwnProblem() {
    const PlanPtr plan = planOf(softmax(131072, 2048, 1), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    QVERIFY(verifyPlan(*plan).empty());
    const OpId exp = OpId::of(static_cast<std::size_t>(findOp(*plan, "exp") - plan->ops.data()));
    Plan broken = *plan;
    int declared = 0;
    for (Diagnostic& d : broken.problems)
        declared += static_cast<int>(std::erase(d.ops, exp));
    QVERIFY(declared > 0);
    QVERIFY(reports(verifyPlan(broken), "VER-007", "op exp"));
}

/// What an operation says of its span is not what decides whether it has one: a transposing clone has.
void VerifyTest::span_ofEveryKind_isRecomputed() {
    GraphBuilder b("clone");
    b.output(b.transpose("t", b.input("x", {256, 512}), {1, 0}));
    const PlanPtr plan = planOf(b.build(), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    QCOMPARE(fileFault(*plan), std::string());
    QCOMPARE(findOp(*plan, "t")->kind, std::string("clone"));
    for (const PlanOp& op : plan->ops) {
        Plan broken = *plan;
        PlanOp& changed = broken.ops[static_cast<std::size_t>(&op - plan->ops.data())];
        QVERIFY2(changed.maxSpan > 0, op.kind.c_str());
        changed.maxSpan = 0;
        QVERIFY2(reports(verifyPlan(broken), "VER-013", "op " + op.name), op.kind.c_str());
    }
}

/// Two loops along one dimension that are as long as numbers go.
void VerifyTest::span_tooLargeForNumbers_isFound() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    Plan broken = *plan;
    PlanOp& op = broken.ops[1];
    op.iterationSpace[0].extent = op.iterationSpace[1].extent = INT64_MAX;
    for (PlanAccess& a : op.accesses) {
        BufferLayout& layout = *broken.buffers[a.buffer.at()].layout;
        layout.strideMap.assign(layout.strideMap.size(), 1);
        layout.deviceSize.assign(layout.deviceSize.size(), 2);
        a.coefficients.assign(a.coefficients.size(), 1);
    }
    QVERIFY(reports(verifyPlan(broken), "VER-007", "op " + op.name));
}

/// Buffers that come and go, overlap, lie in each other, are empty or outlast the steps.
void VerifyTest::occupancy_ofManySteps_isRecomputed() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    Plan p = *plan;
    const auto put = [&](const char* name, Address at, Bytes size, Step begin, Step end) {
        PlanBuffer b = named(p, "max");
        b.name = name;
        b.address = at;
        b.sizePerCore = size;
        b.life = {begin, end};
        p.buffers.push_back(std::move(b));
    };
    for (PlanBuffer& b : p.buffers)
        b.space = MemorySpace::Hbm;
    put("low", 0, 100, 0, 3);
    p.buffers.back().space = MemorySpace::Lx;
    put("over it", 50, 100, 1, 2);
    p.buffers.back().space = MemorySpace::Lx;
    put("inside", 10, 20, 2, 3);
    p.buffers.back().space = MemorySpace::Lx;
    put("empty", 500, 0, 0, 5);
    p.buffers.back().space = MemorySpace::Lx;
    put("far and long", 1000, 7, 2, 99);
    p.buffers.back().space = MemorySpace::Lx;
    QCOMPARE(p.ops.size(), std::size_t{6});
    p.memory.occupancy = {{0, 100}, {1, 150}, {2, 107}, {3, 7}, {4, 7}, {5, 7}};
    p.memory.livePeak = 150;
    p.memory.livePeakStep = 1;
    const auto ofOccupancy = [](const Plan& of) {
        const auto all = verifyPlan(of);
        return std::count_if(all.begin(), all.end(), [](const Diagnostic& d) {
            return d.where.starts_with("memory occupancy") || d.where.starts_with("memory live_peak");
        });
    };
    QCOMPARE(ofOccupancy(p), 0);
    p.memory.occupancy[3].bytes = 8;
    QCOMPARE(ofOccupancy(p), 1);
}

void VerifyTest::addressBeyondNumbers_isFound() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    Plan broken = *plan;
    PlanBuffer& b = named(broken, "max");
    b.address = INT64_MAX - 127;
    b.sizePerCore = 1 << 20;
    QVERIFY(reports(verifyPlan(broken), "VER-002", "buffer max"));
}

void VerifyTest::sumsBeyondNumbers_areFound() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    Plan broken = *plan;
    for (PlanBuffer& b : broken.buffers)
        b.size = b.sizePerCore = INT64_MAX - 127;
    const auto violations = verifyPlan(broken);
    QVERIFY(reports(violations, "VER-013", "metrics main_memory_read_bytes"));
    QVERIFY(reports(violations, "VER-013", "metrics pinned_bytes"));
}

/// What the plan says of slices agrees, what its splits give a core does not: it reads rows that another one wrote.
void VerifyTest::foreignSlices_areFound() {
    const PlanPtr plan = planOf(softmax(512, 1024, 1), {{"spyre.cores", "4"}});
    QVERIFY(plan);
    QCOMPARE(fileFault(*plan), std::string());
    Plan broken = *plan;
    PlanOp& reader = broken.ops[named(broken, "exp").uses.back().at()];
    QVERIFY(isOnChip(named(broken, "exp").space));
    QCOMPARE(reader.iterationSpace[0].slices, std::int64_t{4});
    reader.iterationSpace[0].adjusted /= 2;
    const auto violations = verifyPlan(broken);
    const bool found = std::any_of(violations.begin(), violations.end(), [](const Diagnostic& d) {
        return d.code == "VER-008" && d.message.find("core 1") != std::string::npos &&
               d.message.find("[64, 128)") != std::string::npos;
    });
    QVERIFY2(found, violations.empty() ? "no violation" : violations.front().message.c_str());
}

void VerifyTest::cleanPlans_stayClean() {
    for (const char* cores : {"1", "4", "32"}) {
        const PlanPtr plan = planOf(softmax(512, 1024, 1), {{"spyre.cores", cores}});
        QVERIFY(plan);
        QCOMPARE(fileFault(*plan), std::string());
    }
}

MEMPLAN_TEST(VerifyTest)
#include "tst_verify.moc"
