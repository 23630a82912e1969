// SPDX-License-Identifier: Apache-2.0
// The figures of spyre-scratchpad 12 (softmax), the clone pass, in-place rules and reasons.
#include "engine/plan/memory_use.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "tests/support/compile_support.h"
#include "tests/support/program.h"

#include <QTest>

using namespace memplan;
using namespace memplan::test;

class ScratchpadTest : public QObject {
    Q_OBJECT

private slots:
    void softmax_stage_traffic_data();
    void softmax_stage_traffic();
    void stage4_greedy_addresses();
    void stage4_firstfit_addresses();
    void noRoom_fixNamesOtherSolvers();
    void decisions_quoteTheScheduleOfThePlan();
    void lastAxis_sparse_outputs();
    void sampleS2_fourCores_data();
    void sampleS2_fourCores();
    void axis0_manyCores_mismatch();
    void reasons_inAndOutOfTheGraph();
    void clone_withoutRoom_isTakenOut();
    void inPlace_broadcastRead_isRefused();
    void larger_thanMemory_hasReason();
    void capacityRules_figures();
    void planningOff_hasOneReason();
    void seedRules_useTheSixNumberedOnes();
};

namespace {

const Pairs kStages[] = {
    {{"spyre.lx_planning", "false"}},
    {{"spyre.allow_all_ops_in_lx", "false"},
     {"spyre.lx_ops", "max,sum"},
     {"spyre.lx_in_place_ops", ""},
     {"spyre.clone_inputs", "false"}},
    {{"spyre.clone_inputs", "false"}},
    {},
};

Pairs with(Pairs base, const Pairs& more) {
    base.insert(base.end(), more.begin(), more.end());
    return base;
}

}  // namespace

void ScratchpadTest::softmax_stage_traffic_data() {
    QTest::addColumn<int>("stage");
    QTest::addColumn<QString>("solver");
    QTest::addColumn<bool>("seed");
    QTest::addColumn<qlonglong>("bytes");
    QTest::addColumn<qlonglong>("elements");
    // spyre-scratchpad 12: MN = 524288, N = 1024
    const qlonglong bytes[] = {8396800, 8388608, 3145728, 2097152};
    const qlonglong elements[] = {8 * 524288 + 4 * 1024, 8 * 524288, 3 * 524288, 2 * 524288};
    for (const char* solver : {"greedy", "firstfit", "bestfit"}) {
        for (int stage = 0; stage < 4; ++stage) {
            for (const bool seed : {false, true}) {
                QTest::addRow("stage %d %s%s", stage + 1, solver, seed ? " seed" : "")
                    << stage << QString::fromLatin1(solver) << seed << bytes[stage] << elements[stage];
            }
        }
    }
}

void ScratchpadTest::softmax_stage_traffic() {
    QFETCH(int, stage);
    QFETCH(QString, solver);
    QFETCH(bool, seed);
    Pairs settings = {{"spyre.cores", "1"}, {"spyre.layout_solver", solver.toStdString()}};
    if (seed) settings = with({{"preset", "seed"}, {"spyre.lx_planning", "true"}}, settings);
    const PlanPtr plan = planOf(softmax(512, 1024, 0), with(settings, kStages[stage]));
    QVERIFY(plan);
    QTEST(static_cast<qlonglong>(traffic(*plan)), "bytes");
    QTEST(static_cast<qlonglong>(plan->metrics.mainMemoryElements), "elements");
}

void ScratchpadTest::stage4_greedy_addresses() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    const std::map<std::string, std::array<std::int64_t, 4>> expected = {
        // address, size, start, end
        {"clone_x", {0, 1048576, 0, 3}}, {"max", {1048576, 2048, 1, 3}}, {"sub", {0, 1048576, 2, 4}},
        {"exp", {0, 1048576, 3, 6}},     {"sum", {1048576, 2048, 4, 6}},
    };
    for (const auto& [name, want] : expected) {
        const PlanBuffer* b = findBuffer(*plan, name);
        QVERIFY2(b != nullptr && b->address, name.c_str());
        QCOMPARE(*b->address, want[0]);
        QCOMPARE(b->sizePerCore, want[1]);
        QCOMPARE(static_cast<std::int64_t>(b->life.begin), want[2]);
        QCOMPARE(static_cast<std::int64_t>(b->life.end), want[3]);
    }
    QCOMPARE(plan->memory.peak, Bytes{1050624});
    QCOMPARE(peakStep(*plan), peakUse(*plan).topStep);
    QCOMPARE(peakUse(*plan).live, plan->memory.livePeak);
    QCOMPARE(plan->memory.capacity, Bytes{1677721});
    QCOMPARE(plan->buffer(findBuffer(*plan, "sub")->inPlaceOf).name, std::string("clone_x"));
    QCOMPARE(plan->buffer(findBuffer(*plan, "exp")->inPlaceOf).name, std::string("sub"));
    QCOMPARE(findBuffer(*plan, "exp")->trafficSaved, Bytes{3145728});
    QCOMPARE(findBuffer(*plan, "clone_x")->trafficSaved, Bytes{1048576});
}

void ScratchpadTest::stage4_firstfit_addresses() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}, {"spyre.layout_solver", "firstfit"}});
    QVERIFY(plan);
    for (const auto& [name, address] :
         std::map<std::string, Address>{{"max", 0}, {"clone_x", 2048}, {"sub", 2048}, {"exp", 2048}, {"sum", 0}}) {
        QCOMPARE(findBuffer(*plan, name)->address.value_or(-1), address);
    }
    QCOMPARE(plan->memory.peak, Bytes{1050624});
}

void ScratchpadTest::noRoom_fixNamesOtherSolvers() {
    for (const char* solver : {"greedy", "firstfit", "bestfit", "exact"}) {
        const PlanPtr plan =
            planOf(softmax(512, 1024, 0),
                   {{"spyre.cores", "1"}, {"spyre.layout_solver", solver}, {"spyre.lx_reserved_fraction", "0.4995"}});
        QVERIFY(plan);
        const auto lost = std::ranges::find(plan->problems, std::string("LX-018"), &Diagnostic::code);
        QVERIFY2(lost != plan->problems.end(), solver);
        QVERIFY2(lost->hint.starts_with("try ") && lost->hint.find(solver) == std::string::npos, lost->hint.c_str());
    }
}

/// The clone of x finds no place and is taken out: from then on every step is one earlier.
void ScratchpadTest::decisions_quoteTheScheduleOfThePlan() {
    const PlanPtr plan =
        planOf(softmax(512, 1024, 0),
               {{"spyre.cores", "1"}, {"spyre.layout_solver", "firstfit"}, {"spyre.lx_reserved_fraction", "0.4995"}});
    QVERIFY(plan);
    QVERIFY(findBuffer(*plan, "clone_x") == nullptr);
    int placed = 0;
    for (const Decision& d : plan->decisions) {
        const std::string why = sentence(d.why);
        if (!why.starts_with("free for steps ")) continue;
        const StepRange life = plan->buffer(d.buffer).life;
        QCOMPARE(why, "free for steps " + std::to_string(life.begin) + " to " + std::to_string(life.end - 1));
        ++placed;
    }
    QCOMPARE(placed, 2);
}

void ScratchpadTest::lastAxis_sparse_outputs() {
    const qlonglong bytes[] = {8650752, 8388608, 3145728, 2097152};
    for (int stage = 0; stage < 4; ++stage) {
        const PlanPtr plan = planOf(softmax(512, 1024, 1), with({{"spyre.cores", "1"}}, kStages[stage]));
        QVERIFY(plan);
        QCOMPARE(static_cast<qlonglong>(traffic(*plan)), bytes[stage]);
    }
}

void ScratchpadTest::sampleS2_fourCores_data() {
    QTest::addColumn<bool>("planning");
    QTest::addColumn<qlonglong>("bytes");
    QTest::newRow("off") << false << 34078720LL;
    QTest::newRow("on") << true << 8388608LL;
}

void ScratchpadTest::sampleS2_fourCores() {
    QFETCH(bool, planning);
    const PlanPtr plan =
        planOf(softmax(1024, 2048, 1), {{"spyre.cores", "4"}, {"spyre.lx_planning", planning ? "1" : "0"}});
    QVERIFY(plan);
    QTEST(static_cast<qlonglong>(traffic(*plan)), "bytes");
    if (!planning) return;
    QCOMPARE(findBuffer(*plan, "clone_x")->address.value_or(-1), Address{0});
    QCOMPARE(findBuffer(*plan, "exp")->sizePerCore, Bytes{1048576});
    QCOMPARE(findBuffer(*plan, "max")->sizePerCore, Bytes{32768});
    QCOMPARE(findBuffer(*plan, "sum")->address.value_or(-1), Address{1048576});
}

void ScratchpadTest::axis0_manyCores_mismatch() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "4"}});
    QVERIFY(plan);
    QCOMPARE(reasonName(*plan, "max"), std::string("core_div_mismatch"));
    QCOMPARE(reasonName(*plan, "exp"), std::string("core_div_mismatch"));
    QCOMPARE(reasonName(*plan, "sub"), std::string());
    // The sentence speaks of the tensor, not of the loops of one operation.
    const std::string why = sentence(*findBuffer(*plan, "exp")->reason);
    QVERIFY2(why.find("\"exp\" divides it into 4 pieces along rows (512)") != std::string::npos, why.c_str());
    QVERIFY2(why.find("\"sum\" divides it into 4 pieces along columns (1\u202f024)") != std::string::npos, why.c_str());
}

void ScratchpadTest::reasons_inAndOutOfTheGraph() {
    const PlanPtr plan = planOf(softmax(512, 1024, 0), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    QCOMPARE(reasonName(*plan, "x"), std::string("graph_input"));
    QCOMPARE(reasonName(*plan, "div"), std::string("graph_output"));
}

void ScratchpadTest::clone_withoutRoom_isTakenOut() {
    // Reserve nearly everything: the clone of x passes the budget, then exp's chain takes the room.
    GraphBuilder b("two big chains");
    const TensorId x = b.input("x", {512, 1024});
    const TensorId y = b.input("y", {512, 1024});
    const TensorId a = b.pointwise("a", "add", {x, y});
    const TensorId c = b.pointwise("c", "exp", {a});
    const TensorId d = b.pointwise("d", "mul", {c, x});
    const TensorId e = b.pointwise("e", "mul", {d, a});
    b.output(e);
    const PlanPtr plan = planOf(b.build(), {{"spyre.cores", "1"}, {"spyre.lx_reserved_fraction", "0.4"}});
    QVERIFY(plan);
    for (const PlanOp& op : plan->ops) {
        if (op.addedBy != "scratchpad_planning.clone_inputs") continue;
        QVERIFY2(plan->buffer(op.outputs.front()).address, "a clone without an address stayed in the program");
    }
    const PlanPtr without = planOf(b.build(), {{"spyre.cores", "1"}, {"spyre.lx_planning", "0"}});
    QVERIFY(traffic(*plan) <= traffic(*without));
}

void ScratchpadTest::inPlace_broadcastRead_isRefused() {
    // t is read as itself and transposed by the same op: taking its slot would overwrite what is still needed.
    GraphBuilder b("self transposed");
    const TensorId x = b.input("x", {256, 256});
    const TensorId t = b.pointwise("t", "exp", {x});
    const TensorId u = b.transpose("u", t, {1, 0});
    const TensorId s = b.pointwise("s", "add", {t, u});
    const TensorId r = b.pointwise("r", "neg", {s});
    b.output(r);
    const PlanPtr plan = planOf(b.build(), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    const PlanBuffer* child = findBuffer(*plan, "s");
    QVERIFY(!child->inPlaceOf.isValid() || plan->buffer(child->inPlaceOf).name != "t");
}

void ScratchpadTest::larger_thanMemory_hasReason() {
    const PlanPtr plan = planOf(softmax(2048, 1024, 1), {{"spyre.cores", "1"}});
    QVERIFY(plan);
    QCOMPARE(reasonName(*plan, "exp"), std::string("larger_than_memory"));
    QVERIFY(sentence(*findBuffer(*plan, "exp")->reason).find("4\u202f194\u202f304") != std::string::npos);
}

void ScratchpadTest::capacityRules_figures() {
    // spyre-scratchpad 1
    const SpyreMachine m;
    QCOMPARE(usableLxBytes(m, 0.2, LxCapacityRule::Seed), Bytes{1677721});
    QCOMPARE(usableLxBytes(m, 0.2, LxCapacityRule::Reserved64k), Bytes{1625344});
    QCOMPARE(usableLxBytes(m, 0.0, LxCapacityRule::Reserved64k), Bytes{2031616});
    QCOMPARE(usableLxBytes(m, 1.0, LxCapacityRule::Reserved64k), Bytes{0});
}

void ScratchpadTest::planningOff_hasOneReason() {
    const PlanPtr plan = planOf(softmax(64, 64, 0), {{"spyre.lx_planning", "0"}});
    QVERIFY(plan);
    for (const PlanBuffer& b : plan->buffers) {
        QVERIFY(b.reason);
        QCOMPARE(b.reason->code, ReasonCode::PlanningOff);
        QVERIFY(b.life.end > b.life.begin);
    }
}

void ScratchpadTest::seedRules_useTheSixNumberedOnes() {
    // A buffer read in part: the declarative rule bars it, the seed's six rules do not.
    GraphBuilder b("broadcast rows");
    const TensorId x = b.input("x", {64, 128});
    const TensorId t = b.pointwise("t", "exp", {x});
    const TensorId u = b.pointwise("u", "neg", {t});
    b.output(u);
    Graph g = b.build();
    const PlanPtr declarative = planOf(g, {{"spyre.cores", "1"}});
    const PlanPtr seed = planOf(g, {{"spyre.cores", "1"}, {"spyre.lx_eligibility", "seed"}});
    QVERIFY(declarative && seed);
    QCOMPARE(reasonName(*declarative, "t"), std::string());
    QCOMPARE(reasonName(*seed, "t"), std::string());
    const PlanPtr listed =
        planOf(g, {{"spyre.cores", "1"}, {"spyre.allow_all_ops_in_lx", "0"}, {"spyre.lx_ops", "max"}});
    QCOMPARE(reasonName(*listed, "t"), std::string("op_not_allowed"));
    // The seed's rule 4 knows graph outputs, and its list of codes has none for a view.
    GraphBuilder v("view");
    v.output(v.reshape("v", v.pointwise("e", "exp", {v.input("x", {64, 128})}), {8192}));
    const Graph view = v.build();
    const auto nameUnder = [&](const char* rules) {
        return reasonName(*planOf(view, {{"spyre.cores", "1"}, {"spyre.lx_eligibility", rules}}), "e");
    };
    QCOMPARE(nameUnder("declarative"), std::string("output_is_view"));
    QCOMPARE(nameUnder("seed"), std::string("graph_output"));
}

MEMPLAN_TEST(ScratchpadTest)
#include "tst_scratchpad.moc"
