// SPDX-License-Identifier: Apache-2.0
// Evidence and fixes of buffers off chip: samples S1 and S3, and a packing that greedy loses (user-experience 7.5).
#include "engine/advice/fix_all.h"
#include "engine/advice/fixes.h"
#include "tests/support/compile_support.h"
#include "tests/support/plan_lookup.h"
#include "tests/support/program.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::advice;

namespace {

struct Case {
    CompileRequest request;
    PlanPtr plan;
    Case(const Graph& graph, const test::Pairs& settings) {
        request.graph = std::make_shared<const Graph>(graph);
        for (const auto& [key, value] : settings) {
            if (!request.settings.set(key, value)) qFatal("setting %s", key.c_str());
        }
        plan = compile(request, {}).plan;
        if (!plan) qFatal("no plan");
    }
    [[nodiscard]] BufferId id(const std::string& name) const {
        const BufferId found = test::bufferNamed(*plan, name);
        if (!found.isValid()) qFatal("no buffer %s", name.c_str());
        return found;
    }
    [[nodiscard]] FixReport fixes(const std::string& name, FixOptions options = {}) const {
        auto report = findFixes(request, *plan, id(name), options, {});
        if (!report) qFatal("%s", report.error().primary().message.c_str());
        return std::move(report).value();
    }
};

/// Pattern 1 of spyre-scratchpad 13 as a graph on one core: greedy leaves a hole that first-fit does not.
Graph fragmented() {
    GraphBuilder b("fragmented");
    const std::int64_t rows = 17 * 256;  // a third of the memory at 64 columns of 2 bytes
    const TensorId a = b.input("a", {rows, 64});
    const TensorId lx = b.pointwise("lx", "exp", {a});
    const TensorId y = b.pointwise("y", "neg", {lx});
    b.output(b.pointwise("d", "add", {lx, y}));
    const TensorId wide = b.input("wide", {2 * rows, 64});
    const TensorId c = b.pointwise("c", "exp", {wide});
    b.output(b.pointwise("e", "neg", {c}));
    b.output(b.pointwise("f", "abs", {y}));
    return b.build();
}

Bytes trafficOf(const Plan& plan) {
    return plan.metrics.mainMemoryReadBytes + plan.metrics.mainMemoryWriteBytes;
}

}  // namespace

class TestFixes : public QObject {
    Q_OBJECT

    /// Every fix is what compiling again gives.
    static void checkMeasured(const Case& c, const std::string& name, const FixReport& report) {
        for (const Fix& fix : report.fixes) {
            const CompileOutcome again = compile(applied(c.request, fix.change), {});
            QVERIFY(again.plan != nullptr);
            const PlanBuffer* b = test::findBuffer(*again.plan, name);
            const PlanBuffer* clone = test::findBuffer(*again.plan, "clone_" + name);
            QVERIFY2((b && b->address) || (clone && clone->address), fix.change.text.c_str());
            QCOMPARE(trafficOf(*again.plan), fix.trafficAfter);
            QCOMPARE(trafficOf(*c.plan), fix.trafficBefore);
        }
    }

private slots:
    void onChip_hasNoEvidence() {
        const Case c(test::softmax(512, 1024, 0), {{"spyre.cores", "1"}});
        QVERIFY(!evidenceFor(*c.plan, c.id("sub")));
        QCOMPARE(c.fixes("sub").tried, 0);
    }

    void s1_planningOff() {
        const Case c(test::softmax(512, 1024, 0), {{"spyre.cores", "1"}, {"spyre.lx_planning", "false"}});
        const FixReport r = c.fixes("sub");
        QCOMPARE(r.fixes.size(), std::size_t{1});
        QCOMPARE(r.fixes[0].change.settings.front().first, std::string("spyre.lx_planning"));
        QCOMPARE(r.fixes[0].trafficBefore, Bytes{8'396'800});
        QCOMPARE(r.fixes[0].trafficAfter, Bytes{2'097'152});
        checkMeasured(c, "sub", r);
    }

    void s1_opKind() {
        const Case c(test::softmax(512, 1024, 0), {{"spyre.cores", "1"},
                                                   {"spyre.allow_all_ops_in_lx", "false"},
                                                   {"spyre.lx_ops", "max,sum"},
                                                   {"spyre.clone_inputs", "false"}});
        const FixReport r = c.fixes("sub");
        QVERIFY(!r.fixes.empty());
        QCOMPARE(r.fixes[0].change.hints.front().key, std::string("lx_eligible"));  // the smaller change first
        QVERIFY(r.fixes[0].pays());
        checkMeasured(c, "sub", r);
    }

    void s1_input() {
        const Case c(test::softmax(512, 1024, 0), {{"spyre.cores", "1"}, {"spyre.clone_inputs", "false"}});
        const FixReport r = c.fixes("x");
        QVERIFY(!r.fixes.empty());
        QCOMPARE(r.fixes[0].change.hints.front().key, std::string("clone_input"));
        QCOMPARE(r.fixes[0].trafficAfter, Bytes{2'097'152});
        checkMeasured(c, "x", r);
    }

    /// Its clone is on chip already: no change could bring it there.
    void s1_clonedInput_hasNoFixes() {
        const Case c(test::softmax(512, 1024, 0), {{"spyre.cores", "1"}});
        const PlanBuffer* clone = test::findBuffer(*c.plan, "clone_x");
        QVERIFY(clone != nullptr && clone->address);
        QVERIFY(evidenceFor(*c.plan, c.id("x")));
        const FixReport r = c.fixes("x");
        QVERIFY(r.fixes.empty());
        QCOMPARE(r.tried, 0);
    }

    /// S3: softmax over axis 0 on several cores; exp rows, sum columns.
    void s3_mismatch() {
        const Case c(test::softmax(1024, 2048, 0), {{"spyre.cores", "4"}});
        QCOMPARE(test::ungrouped(test::reasonName(*c.plan, "exp")), "core_div_mismatch");
        const auto evidence = evidenceFor(*c.plan, c.id("exp"));
        QVERIFY(evidence.has_value());
        QVERIFY(evidence->divisions.size() >= 2);
        QVERIFY(evidence->divisions.front().writes);
        bool differ = false;
        for (const Division& d : evidence->divisions)
            differ = differ || d.split != evidence->divisions.front().split;
        QVERIFY(differ);
        QVERIFY(evidence->traffic > 0);
        const FixReport r = c.fixes("exp");
        QVERIFY(!r.fixes.empty());
        QVERIFY(!r.fixes[0].change.hints.empty());
        QVERIFY(r.fixes[0].pays());
        checkMeasured(c, "exp", r);
    }

    void noRoom_hasBlockersAndFixes() {
        const Case c(fragmented(),
                     {{"spyre.cores", "1"}, {"spyre.clone_inputs", "false"}, {"spyre.lx_in_place_ops", ""}});
        std::string lost;
        for (const PlanBuffer& b : c.plan->buffers) {
            if (b.reason && b.reason->code == ReasonCode::NoRoom) lost = b.name;
        }
        QVERIFY2(!lost.empty(), "the graph is meant to lose a packing under greedy");
        const auto evidence = evidenceFor(*c.plan, c.id(lost));
        QVERIFY(evidence->largestGap >= 0 && evidence->largestGap < evidence->needed);
        QVERIFY(!evidence->blockers.empty());
        QVERIFY(evidence->tightestStep >= 0);
        const FixReport r = c.fixes(lost);
        QVERIFY(!r.fixes.empty());
        QVERIFY(r.fixes[0].pays());
        QCOMPARE(r.fixes[0].change.hints.size() + r.fixes[0].change.settings.size(), std::size_t{1});
        checkMeasured(c, lost, r);
    }

    /// The operations beside the one that changes go along, so that no new pair of neighbours differs.
    void s3_neighboursGoAlong() {
        const Case c(test::softmax(1024, 2048, 0), {{"spyre.cores", "4"}});
        bool several = false;
        for (const Change& change : candidateChanges(*c.plan, c.id("exp"))) {
            QVERIFY2(change.text.size() < 400, change.text.c_str());
            several = several || (change.hints.size() > 1 && change.hints.front().key == "split");
        }
        QVERIFY(several);
    }

    void noRoom_triesTheBlockerAtTheTop() {
        const Case c(fragmented(),
                     {{"spyre.cores", "1"}, {"spyre.clone_inputs", "false"}, {"spyre.lx_in_place_ops", ""}});
        const auto lost = buffersRefusedAs(*c.plan, "LX-018");
        QVERIFY(!lost.empty());
        const Bytes capacity = c.plan->memory.capacity;
        bool found = false;
        for (const Change& change : candidateChanges(*c.plan, lost.front())) {
            if (change.hints.empty() || change.hints.front().key != "address") continue;
            const Address top = *change.hints.front().value.integer();
            QVERIFY(top % c.plan->memory.alignment == 0 && top < capacity);
            found = true;
        }
        QVERIFY(found);
    }

    void fixAll_isOneChangeForEveryBufferOfTheKind() {
        const Case c(test::softmax(1024, 2048, 0), {{"spyre.cores", "4"}});
        const auto wanted = buffersRefusedAs(*c.plan, "LX-014");
        QVERIFY(!wanted.empty());
        const auto report = fixAll(c.request, c.plan, "LX-014", {}, {});
        QVERIFY(report.ok());
        const FixAllReport& r = report.value();
        QCOMPARE(r.refused, static_cast<int>(wanted.size()));
        QCOMPARE(r.fixed, r.refused);
        QVERIFY(r.trafficAfter < r.trafficBefore);
        const CompileOutcome again = compile(applied(c.request, r.change), {});
        QVERIFY(again.plan != nullptr);
        QCOMPARE(trafficOf(*again.plan), r.trafficAfter);
        QVERIFY(buffersRefusedAs(*again.plan, "LX-014").empty());
        QCOMPARE(again.plan->planHash, r.plan->planHash);
    }

    void fixAll_withoutAFix_changesNothing() {
        const Case c(test::softmax(512, 1024, 0), {{"spyre.cores", "1"}});
        const auto report = fixAll(c.request, c.plan, "LX-010", {}, {});
        QVERIFY(report.ok());
        QVERIFY(report.value().refused > 0);
        QCOMPARE(report.value().fixed, 0);
        QVERIFY(report.value().change == Change{});
        QVERIFY(report.value().plan == nullptr);
    }

    void tooLarge_isFixedByCores() {
        const Case c(test::softmax(1024, 2048, 1), {{"spyre.cores", "1"}});
        const FixReport r = c.fixes("sub");
        QCOMPARE(test::ungrouped(test::reasonName(*c.plan, "sub")), "larger_than_memory");
        QVERIFY(!r.fixes.empty());
        QCOMPARE(r.fixes[0].change.settings.front(), (std::pair<std::string, std::string>("spyre.cores", "4")));
        checkMeasured(c, "sub", r);
    }

    void budget_isKept_andReported() {
        const Case c(test::softmax(1024, 2048, 1), {{"spyre.cores", "1"}});
        const FixReport r = c.fixes("sub", {2, 3});
        QCOMPARE(r.tried, 2);
        QVERIFY(r.untried > 0);
    }

    void cancelling_isAnError_andProgressIsTold() {
        const Case c(test::softmax(1024, 2048, 1), {{"spyre.cores", "1"}});
        std::stop_source stop;
        RunControl control;
        control.stop = stop.get_token();
        int reported = 0;
        control.onProgress = [&](std::string_view, double, double) {
            if (++reported == 2) stop.request_stop();
        };
        const auto r = findFixes(c.request, *c.plan, c.id("sub"), {}, control);
        QVERIFY(!r);
        QCOMPARE(r.error().primary().code, std::string(kCancelledCode));
        QVERIFY(reported >= 2);
    }

    void sameQuestion_sameAnswer() {
        const Case c(test::softmax(1024, 2048, 0), {{"spyre.cores", "4"}});
        const FixReport a = c.fixes("exp"), b = c.fixes("exp");
        QCOMPARE(a.fixes.size(), b.fixes.size());
        for (std::size_t i = 0; i < a.fixes.size(); ++i) {
            QVERIFY(a.fixes[i].change == b.fixes[i].change);
            QCOMPARE(a.fixes[i].trafficAfter, b.fixes[i].trafficAfter);
        }
    }
};

MEMPLAN_TEST(TestFixes)
#include "tst_fixes.moc"
