// SPDX-License-Identifier: Apache-2.0
// Two plans side by side (user-experience 16): matching, kinds of change, metrics, outcome.
#include "engine/compare/comparison.h"
#include "engine/io/input.h"
#include "engine/io/plan/plan_json.h"
#include "engine/io/samples.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"
#include "tests/support/time_guard.h"
#include "tests/support/words.h"

#include <QTest>

using namespace memplan;
using namespace memplan::compare;

using test::q;

namespace {

/// A chain in -> op0 -> t0 -> op1 -> t1 ...: one buffer for each op, none on chip.
Plan chain(const std::vector<std::string>& types, const std::string& prefix = "") {
    Plan plan;
    plan.memory.capacity = 1'000'000;
    const auto add = [&](const std::string& name, OpId producer) {
        PlanBuffer b;
        b.name = name;
        b.shape = {64, 32};
        b.size = b.sizePerCore = 4096;
        b.producer = producer;
        b.role = producer.isValid() ? BufferRole::Intermediate : BufferRole::GraphInput;
        const Step at = producer.isValid() ? producer.index : 0;
        b.life = {at, at + 2};
        plan.buffers.push_back(b);
        return BufferId::of(plan.buffers.size() - 1);
    };
    BufferId last = add("in", {});
    for (std::size_t i = 0; i < types.size(); ++i) {
        PlanOp op;
        op.name = prefix + types[i] + std::to_string(i);
        op.type = types[i];
        op.kind = "pointwise";
        op.iterationSpace = {{"d0", 64, 64, 0, false, 1}, {"d1", 32, 1, 32, false, 1}};
        op.inputs = {last};
        plan.buffers[last.at()].uses.push_back(OpId::of(i));
        last = add(prefix + "t" + std::to_string(i), OpId::of(i));
        op.outputs = {last};
        plan.buffers[last.at()].uses.push_back(OpId::of(i));
        plan.ops.push_back(op);
    }
    return plan;
}

void put(PlanBuffer& b, Address address) {
    b.space = MemorySpace::Lx;
    b.address = address;
    b.reason.reset();
}

const Change* find(const Comparison& c, ChangeKind kind, const std::string& item) {
    for (const Change& x : c.changes)
        if (x.kind == kind && x.item == item) return &x;
    return nullptr;
}

const MetricRow& metric(const Comparison& c, const std::string& key) {
    for (const MetricRow& row : c.metrics)
        if (row.key == key) return row;
    qFatal("no metric %s", key.c_str());
}

int total(const Comparison& c) {
    int n = 0;
    for (const int count : c.counts)
        n += count;
    return n;
}

/// The plan of a sample with its own settings and these.
PlanPtr planOfSample(const char* id, const test::Pairs& more) {
    for (const io::SampleInfo& s : io::listSamples()) {
        if (s.id != id) continue;
        const auto opened = io::openInput(s.path, {}, RunControl{});
        test::Pairs settings = s.settings;
        settings.insert(settings.end(), more.begin(), more.end());
        if (opened) return test::planOf(*opened.value().graph, settings);
    }
    qFatal("sample %s is missing", id);
}

}  // namespace

class TestCompare : public QObject {
    Q_OBJECT

private slots:
    void units_areInTheNumberOfTheDelta() {
        Change c;
        c.unit = "steps";
        for (const auto& [delta, words] : {std::pair{1, "step"}, {-1, "step"}, {2, "steps"}, {-3, "steps"}}) {
            c.delta = delta;
            QCOMPARE(unitText(c), std::string(words));
        }
        c.unit = "B";
        c.delta = 1;
        QCOMPARE(unitText(c), std::string("B"));
    }

    // ---- matching
    void match_oneInput_byId() {
        Plan a = chain({"exp", "add"});
        a.input.sha256 = "aa";
        Plan b = a;
        b.buffers[1].shape = {1, 1};  // an id is an id, whatever else changed
        const PlanMatch m = matchPlans(a, b);
        QVERIFY(m.isSameInput);
        QCOMPARE(m.buffers.matched(), std::size_t{3});
        QCOMPARE(m.buffers.ruleOfB[1], MatchRule::SameId);
    }

    void match_otherInput_sameNameOfAnotherKind_isNotTheSameItem() {
        const Plan a = chain({"exp", "add"});
        Plan b = chain({"exp", "add"});
        b.ops[1].type = "mul";
        const PlanMatch m = matchPlans(a, b);
        QVERIFY(!m.isSameInput);
        QCOMPARE(m.ops.ruleOfB[0], MatchRule::SameNameAndKind);
        QVERIFY(!m.ops.inA[1].isValid());
        QVERIFY(!m.ops.inB[1].isValid());
    }

    void match_renamedOps_bySurroundings() {
        const Plan a = chain({"exp", "add", "mul"});
        const Plan b = chain({"exp", "add", "mul"}, "other.");  // only the input keeps its name
        const PlanMatch m = matchPlans(a, b);
        QCOMPARE(m.ops.matched(), std::size_t{3});
        QCOMPARE(m.buffers.matched(), std::size_t{4});
        QCOMPARE(m.ops.ruleOfB[2], MatchRule::SameSurroundings);
        QCOMPARE(m.ops.inA[2], OpId::of(2));
    }

    void match_renamedUpstreamOfAKnownResult_isFoundBackwards() {
        Plan a = chain({"exp", "add", "mul"});
        Plan b = chain({"exp", "add", "mul"}, "other.");
        b.buffers[0].name = "another";
        b.ops[2].name = a.ops[2].name;
        b.buffers[3].name = a.buffers[3].name;
        const PlanMatch m = matchPlans(a, b);
        QCOMPARE(m.ops.matched(), std::size_t{3});
        QCOMPARE(m.buffers.inA[0], BufferId::of(0));
    }

    void match_otherShape_isNoSurroundings() {
        const Plan a = chain({"exp"});
        Plan b = chain({"exp"}, "other.");
        b.ops[0].iterationSpace[0].extent = 128;
        QCOMPARE(matchPlans(a, b).ops.matched(), std::size_t{0});
    }

    void match_twins_firstInScheduleOrderFirst() {
        // Two equal readers of one input, renamed: partners keep their order.
        Plan a = chain({"exp"});
        a.ops.push_back(a.ops[0]);
        a.ops[1].name = "exp1";
        a.ops[1].outputs.clear();
        a.ops[0].outputs.clear();
        a.buffers[0].uses = {OpId::of(0), OpId::of(1)};
        Plan b = a;
        b.ops[0].name = "x";
        b.ops[1].name = "y";
        const PlanMatch m = matchPlans(a, b);
        QCOMPARE(m.ops.inA[0], OpId::of(0));
        QCOMPARE(m.ops.inA[1], OpId::of(1));
    }

    // ---- changes
    void compare_samePlan_saysSo() {
        const Plan a = chain({"exp", "add"});
        const Comparison c = comparePlans(a, a);
        QVERIFY(c.areEqual());
        QCOMPARE(q(c.outcome), QString("A and B are the same plan."));
    }

    void changes_residencyBothWays() {
        Plan a = chain({"exp", "add"});
        a.input.sha256 = "aa";
        Plan b = a;
        put(a.buffers[1], 0);
        put(b.buffers[2], 4096);
        b.buffers[2].trafficSaved = 8192;
        const Comparison c = comparePlans(a, b);
        QCOMPARE(c.count(ChangeKind::CameOnChip), 1);
        QCOMPARE(c.count(ChangeKind::LeftChip), 1);
        QCOMPARE(total(c), 2);
        const Change* came = find(c, ChangeKind::CameOnChip, "t1");
        QVERIFY(came != nullptr);
        QCOMPARE(q(came->a), QString("off chip"));
        QCOMPARE(*came->delta, std::int64_t{4096});
        QCOMPARE(q(came->effect), QString::fromUtf8("one write of it on chip, 8\u202f192 B a run less"));
        QVERIFY(isResidencyChange(*came, a, b));
        QCOMPARE(c.changes.front().kind, ChangeKind::CameOnChip);  // grouped by kind
    }

    void changes_movedLifetimeSizeSplit_oneRowEach() {
        Plan a = chain({"exp", "add"});
        a.input.sha256 = "aa";
        put(a.buffers[1], 0);
        Plan b = a;
        put(b.buffers[1], 8192);
        b.buffers[1].life = {0, 5};
        b.buffers[1].sizePerCore = 2048;
        b.ops[0].iterationSpace[0].slices = 2;
        b.ops[0].cores = 2;
        const Comparison c = comparePlans(a, b);
        QCOMPARE(*find(c, ChangeKind::Moved, "t0")->delta, std::int64_t{8192});
        QCOMPARE(*find(c, ChangeKind::LifetimeChanged, "t0")->delta, std::int64_t{3});
        QCOMPARE(*find(c, ChangeKind::SizeChanged, "t0")->delta, std::int64_t{-2048});
        const Change* split = find(c, ChangeKind::SplitChanged, "exp0");
        QCOMPARE(q(split->a), QString("one piece"));
        QCOMPARE(q(split->b), QString("d0 / 2"));
        QCOMPARE(total(c), 4);
        QVERIFY(!isResidencyChange(*find(c, ChangeKind::Moved, "t0"), a, b));
    }

    void changes_inPlaceParent_isComparedThroughItsPartner() {
        Plan a = chain({"exp", "add"});
        a.input.sha256 = "aa";
        put(a.buffers[1], 0);
        put(a.buffers[2], 0);
        a.buffers[2].inPlaceOf = BufferId::of(1);
        Plan b = a;
        std::swap(b.buffers[0], b.buffers[1]);  // the same plan with other positions
        for (PlanOp& op : b.ops) {
            for (auto* list : {&op.inputs, &op.outputs})
                for (BufferId& id : *list)
                    id = id.index < 2 ? BufferId{1 - id.index} : id;
        }
        b.buffers[2].inPlaceOf = BufferId::of(0);
        QVERIFY(comparePlans(a, b).changes.empty());
        b.buffers[2].inPlaceOf = {};
        QCOMPARE(comparePlans(a, b).count(ChangeKind::SlotChanged), 1);
    }

    void changes_addedAndRemoved() {
        const Plan a = chain({"exp"});
        Plan b = chain({"exp", "mul"});
        put(b.buffers[2], 0);
        const Comparison c = comparePlans(a, b);
        QCOMPARE(c.count(ChangeKind::Added), 2);
        QVERIFY(isResidencyChange(*find(c, ChangeKind::Added, "t1"), a, b));
        QVERIFY(!isResidencyChange(*find(c, ChangeKind::Added, "mul1"), a, b));
        const Comparison back = comparePlans(b, a);
        QCOMPARE(back.count(ChangeKind::Removed), 2);
        QCOMPARE(back.count(ChangeKind::Added), 0);
    }

    /// Everything behind a clone has other steps and the same life.
    void changes_cloneInFront_changesNoOtherLife() {
        Plan a = chain({"exp", "add"});
        a.input.sha256 = "aa";
        Plan b = a;
        PlanOp clone;
        clone.name = clone.type = "clone";
        clone.offChipRead = 4096;
        clone.inputs = {BufferId::of(0)};
        clone.outputs = {BufferId::of(b.buffers.size())};
        b.ops.insert(b.ops.begin(), clone);
        for (PlanBuffer& buffer : b.buffers) {
            if (buffer.producer.isValid()) buffer.life = {buffer.life.begin + 1, buffer.life.end + 1};
            if (buffer.producer.isValid()) ++buffer.producer.index;
            for (OpId& use : buffer.uses)
                ++use.index;
        }
        b.buffers[0].uses = {OpId::of(0)};
        b.ops[1].inputs = clone.outputs;
        PlanBuffer copy = b.buffers[0];
        copy.name = "in.clone";
        copy.role = BufferRole::Intermediate;
        copy.producer = OpId::of(0);
        copy.uses = {OpId::of(0), OpId::of(1)};
        b.buffers.push_back(copy);
        const Comparison c = comparePlans(a, b);
        QCOMPARE(c.count(ChangeKind::LifetimeChanged), 0);
        QCOMPARE(c.count(ChangeKind::Added), 2);
        QCOMPARE(q(find(c, ChangeKind::Added, "clone")->effect),
                 QString::fromUtf8("moves 4\u202f096 B a run to or from main memory itself"));
        QVERIFY(!find(c, ChangeKind::Added, "in.clone")->delta);  // it stands in main memory
        // Other operations at both ends, over as many steps: listed, without a number.
        Plan later = a;
        later.buffers[0].life = {1, 3};
        const Comparison moved = comparePlans(a, later);
        const Change* life = find(moved, ChangeKind::LifetimeChanged, "in");
        QVERIFY(life != nullptr && !life->delta);
    }

    // ---- metrics
    void metrics_wordsAndSigns() {
        Plan a = chain({"exp"});
        Plan b = a;
        a.metrics.mainMemoryReadBytes = 1000;
        b.metrics.mainMemoryReadBytes = 818;
        a.memory.peak = 1000;
        b.memory.peak = 1040;
        a.metrics.fragmentationMax = 0.748;
        b.metrics.fragmentationMax = 0.007;
        put(b.buffers[1], 0);
        const Comparison c = comparePlans(a, b);
        QCOMPARE(q(metric(c, "main_memory_bytes").changeText()), QString::fromUtf8("\u221218.2\u202f%"));
        QCOMPARE(metric(c, "main_memory_bytes").outcome, Outcome::Better);
        QCOMPARE(q(metric(c, "peak_bytes").changeText()), QString::fromUtf8("+4.0\u202f%"));
        QCOMPARE(metric(c, "peak_bytes").outcome, Outcome::Worse);
        QCOMPARE(q(metric(c, "fragmentation_max").changeText()), QString::fromUtf8("\u221274.1\u202fpt"));
        QCOMPARE(q(metric(c, "buffers_on_chip").textB), QString("1 of 2"));
        const QString trial = q(outcomeSentence(c.metrics, c.areEqual(), "The trial"));
        QCOMPARE(trial, QString(q(c.outcome)).replace(0, 1, "The trial"));
        QCOMPARE(q(c.outcome), QString::fromUtf8("B keeps 1 more buffer on chip (+4\u202f096\u202fB), off-chip traffic "
                                                 "\u221218.2\u202f%, peak +4.0\u202f%."));
    }

    /// What the machine is judged by is said, and nothing of bytes.
    void outcome_headlineFigures_standInPlaceOfBytes() {
        const auto row = [](const char* key, const char* title, double a, double b) {
            MetricRow made;
            made.key = key;
            made.title = title;
            made.a = a;
            made.b = b;
            made.outcome = a == b ? Outcome::Same : Outcome::Better;
            made.isHeadline = true;
            return made;
        };
        std::vector<MetricRow> rows{row("layers", "Layers", 26, 21), row("peak_columns", "Peak columns", 374, 374)};
        QCOMPARE(q(outcomeSentence(rows, false, "B")),
                 QString::fromUtf8("B: layers \u221219.2\u202f%, peak columns unchanged."));
        QCOMPARE(q(outcomeSentence({}, false, "B")),
                 QString("One of the plans stopped before its memory was planned."));
    }

    void plansOfOtherInputsOrMachines_saySoFirst() {
        Plan a = chain({"exp"});
        a.target = "spyre";
        a.input = {"x/graph.json", "graph", "12", "graph.json"};
        Plan b = a;
        QCOMPARE(q(comparePlans(a, b).unlike), QString());
        QVERIFY(q(comparisonText(comparePlans(a, b), {"a", "b"})).startsWith("A  a\n"));
        b.machine.name = "half";
        b.machine.values["cores"] = 16;
        QCOMPARE(q(comparePlans(a, b).unlike),
                 QString("A and B are plans of different machines (spyre, spyre \"half\")."));
        b.input = {"y/graph.json", "graph", "", "graph.json"};  // nobody knows
        b.machine = {};
        QCOMPARE(q(comparePlans(a, b).unlike), QString());
        b.input.sha256 = "34";
        QVERIFY(q(comparisonText(comparePlans(a, b), {"a", "b"}))
                    .startsWith("A and B are plans of different inputs (x/graph.json, y/graph.json).\nA  a\n"));
    }

    void metrics_thatNeitherMachineHas_areNoRows() {
        const auto keysOf = [](const Plan& plan) {
            QStringList keys;
            for (const MetricRow& row : comparePlans(plan, plan).metrics)
                keys << q(row.key);
            return keys;
        };
        const QStringList rare{
            "main_memory_bytes", "main_memory_read_bytes", "main_memory_write_bytes", "core_utilisation",
            "mismatches",        "ops_over_span"};
        Plan plan = chain({"exp"});
        plan.metrics.coreUtilisation = 1;
        for (const QString& key : rare)
            QVERIFY2(keysOf(plan).contains(key), qPrintable(key));
        plan.metrics = PlanMetrics();
        plan.metrics.own = {{"layers", 1}};
        QVERIFY(keysOf(plan).contains("peak_bytes"));
        for (const QString& key : rare)
            QVERIFY2(!keysOf(plan).contains(key), qPrintable(key));
    }

    void metrics_compileTime_isNamedAndMakesNoDifference() {
        Plan a = chain({"exp"});
        a.passes.resize(1);
        Plan b = a;
        a.passes[0].seconds = 0.010;
        b.passes[0].seconds = 0.022;
        Comparison c = comparePlans(a, b);
        QVERIFY(c.areEqual());
        b.metrics.mainMemoryReadBytes = 5;
        c = comparePlans(a, b);
        QVERIFY2(q(c.outcome).contains(QString::fromUtf8("compile +12.0\u202fms")), c.outcome.c_str());
        // From nothing there is no percentage: the bytes themselves.
        QCOMPARE(q(metric(c, "main_memory_bytes").changeText()), QString("+5"));
    }

    void metrics_tinyDifference_isNotZero() {
        Plan a = chain({"exp"});
        a.metrics.mainMemoryReadBytes = 1'000'000;
        Plan b = a;
        b.metrics.mainMemoryReadBytes = 1'000'001;
        const MetricRow row = metric(comparePlans(a, b), "main_memory_bytes");
        QCOMPARE(q(row.changeText()), QString::fromUtf8("+<0.1\u202f%"));
        QCOMPARE(q(row.deltaText()), QString("+1"));
    }

    // ---- compiled plans
    void splitMismatch_coOptimised_bringsItsThreeBuffersOnChip() {
        const PlanPtr before = planOfSample("S3", {});
        const PlanPtr after = planOfSample("S3", {{"spyre.co_optimize", "true"}});
        QVERIFY(before && after);
        const Comparison c = comparePlans(*before, *after);
        for (const char* name : {"max", "exp", "sum"})  // those that LX-014 names
            QVERIFY(find(c, ChangeKind::CameOnChip, name) != nullptr);
        QCOMPARE(c.count(ChangeKind::CameOnChip), 3);
        QCOMPARE(c.count(ChangeKind::LeftChip), 0);
        QVERIFY(c.count(ChangeKind::SplitChanged) > 0);
        QCOMPARE(metric(c, "main_memory_bytes").outcome, Outcome::Better);
    }

    void planFile_givesTheSameComparisonAsThePlanInMemory() {
        const Graph g = test::softmax(512, 1024, 1);
        const PlanPtr a = test::planOf(g, {{"spyre.cores", "4"}});
        const PlanPtr b = test::planOf(g, {{"spyre.cores", "32"}, {"spyre.layout_solver", "bestfit"}});
        QVERIFY(a && b);
        const auto readA = io::readPlanJson(io::writePlanJson(*a));
        const auto readB = io::readPlanJson(io::writePlanJson(*b));
        QVERIFY(readA.ok() && readB.ok());
        const Comparison inMemory = comparePlans(*a, *b);
        const Comparison fromFiles = comparePlans(readA.value(), readB.value());
        QCOMPARE(q(fromFiles.outcome), q(inMemory.outcome));
        QCOMPARE(fromFiles.changes.size(), inMemory.changes.size());
        QVERIFY(comparePlans(readA.value(), *a).areEqual());
    }

    void comparison_isDeterministic_andItsMirrorCountsTheSame() {
        const Graph g = test::softmax(256, 2048, 0);
        const PlanPtr a = test::planOf(g, {{"spyre.cores", "1"}});
        const PlanPtr b = test::planOf(g, {{"spyre.cores", "8"}});
        const Comparison forward = comparePlans(*a, *b);
        QCOMPARE(q(comparisonText(forward, {"a", "b"})), q(comparisonText(comparePlans(*a, *b), {"a", "b"})));
        const Comparison back = comparePlans(*b, *a);
        QCOMPARE(forward.count(ChangeKind::CameOnChip), back.count(ChangeKind::LeftChip));
        QCOMPARE(forward.count(ChangeKind::Added), back.count(ChangeKind::Removed));
        QCOMPARE(forward.count(ChangeKind::SplitChanged), back.count(ChangeKind::SplitChanged));
    }

    // ---- text
    void csv_plainNumbersAndQuotes() {
        Plan a = chain({"exp"});
        a.buffers[1].name = "t,\"0\"";
        Plan b = a;
        put(a.buffers[1], 0);
        put(b.buffers[1], 1'000'448);
        const QString csv = q(changesCsv(comparePlans(a, b)));
        QCOMPARE(csv, QString("change,item,field,a,b,delta,unit,match,effect\n"
                              "moved,\"t,\"\"0\"\"\",address,0,1000448,1000448,B,same name and kind,no traffic "
                              "change\n"));
    }

    /// A residual stream has columns: no addresses in bytes, and nothing of main memory.
    void residualStream_isComparedInColumns() {
        Plan a = chain({"exp", "neg", "abs"});
        a.memory.alignment = 4;
        for (PlanBuffer& b : a.buffers) {
            b.size = b.sizePerCore = 4 * 16;
            b.space = MemorySpace::Residual;
            b.address = 0;
        }
        Plan b = a;
        b.buffers[1].address = 4 * 24;
        b.buffers[2].space = MemorySpace::Hbm;
        b.buffers[2].sizePerCore = 0;
        const Comparison c = comparePlans(a, b);
        const Change& moved = *find(c, ChangeKind::Moved, "t0");
        QCOMPARE(q(moved.field + " " + moved.a + " " + moved.b + " " + moved.unit),
                 QString("first column 0 24 columns"));
        QCOMPARE(moved.delta, std::optional<std::int64_t>(24));
        const Change& left = *find(c, ChangeKind::LeftChip, "t1");
        QCOMPARE(q(left.field + " " + left.a + " " + left.b), QString("first column 0 no columns"));
        QCOMPARE(left.delta, std::optional<std::int64_t>(-16));
        QCOMPARE(q(find(c, ChangeKind::SizeChanged, "t1")->field), QString("columns"));
        for (const Change& x : c.changes)
            QVERIFY2(x.effect.empty(), x.effect.c_str());
    }

    void largeChains_matchInLinearTime() {
        const Plan a = chain(std::vector<std::string>(20'000, "exp"));
        const Plan b = chain(std::vector<std::string>(20'000, "exp"), "other.");
        const double begin = test::processorSeconds();
        QCOMPARE(matchPlans(a, b).ops.matched(), std::size_t{20'000});
        QVERIFY2(test::processorSeconds() - begin < 3 * test::kHostileSeconds, "not linear in the length");
    }
};

MEMPLAN_TEST(TestCompare)
#include "tst_compare.moc"
