// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector says (user-experience 10).
#include "engine/plan/memory_use.h"
#include "engine/plan/room.h"
#include "engine/plan/wordings.h"
#include "tests/support/hint_support.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/widgets/inspector_texts.h"
#include "widgets/plan/item_json.h"
#include "widgets/views/gantt/data/gantt_data.h"
#include "widgets/views/gantt/paint/parts/gantt_ghost_painter.h"
#include "widgets/views/inspector/inspector_rows.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLatin1Char>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

class TestInspector : public QObject {
    Q_OBJECT
private slots:
    void buffer_exp_saysWhatThePictureSays();
    void op_andItsOutput_shareSections();
    void refused_buffer_givesReasonBlockerAndProblem();
    void refused_buffer_hasTheFiguresOfItsCallout();
    void now_atACursor_isLiveFreeGap();
    void several_items_showCommonValuesAndSums();
    void decisions_overTwoHundred_areCut();
    void alternatives_overEight_areCut();
    void operation_withSeveralOutputs_hasItsIdentity();
    void nothingSelected_saysWhatToDo();
    void core_saysItsShareAndItsMemory();
    void limit_ofAHint_standsInItsField();
    void range_isWhatItSpeaksAbout();
    void fields_thatAHintCanSet_havePencils();
    void json_ofAnyItem_isWhatThePlanSays();
};

void TestInspector::buffer_exp_saysWhatThePictureSays() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    hub.select({ItemKind::Buffer, 4});
    const InspectorContent c = contentOf(hub);
    QCOMPARE(c.kind, QStringLiteral("buffer"));
    QCOMPARE(c.title, QStringLiteral("exp"));
    QCOMPARE(c.badge->letter, QStringLiteral("I"));
    QVERIFY(c.sentence.contains(QStringLiteral("buffer:3")));
    QCOMPARE(value(c, QStringLiteral("placement"), QStringLiteral("Address")), QStringLiteral("0"));
    QCOMPARE(value(c, QStringLiteral("placement"), QStringLiteral("End")), QStringLiteral("1048576"));
    QVERIFY(value(c, QStringLiteral("placement"), QStringLiteral("Slot")).contains(QStringLiteral("buffer:1")));
    QCOMPARE(value(c, QStringLiteral("lifetime"), QStringLiteral("Steps")), QStringLiteral("3\t6"));
    QCOMPARE(value(c, QStringLiteral("shape"), QStringLiteral("Sticks")), QStringLiteral("8192"));
    QCOMPARE(value(c, QStringLiteral("shape"), QStringLiteral("Type")), QStringLiteral("fp16, 64 a stick"));
    QCOMPARE(section(c, QStringLiteral("decisions"))->count, QStringLiteral("3"));
    QVERIFY(section(c, QStringLiteral("json"))->fixedText.contains(QStringLiteral("\"size_per_core\": 1048576")));
    QVERIFY(!section(c, QStringLiteral("why")));
}

void TestInspector::op_andItsOutput_shareSections() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    hub.select({ItemKind::Op, 3});
    const InspectorContent c = contentOf(hub);
    QCOMPARE(c.kind, QStringLiteral("operation"));
    QVERIFY(section(c, QStringLiteral("placement")) && section(c, QStringLiteral("cores")));
    QVERIFY(section(c, QStringLiteral("json"))->fixedText.contains(QStringLiteral("iteration_space")));
}

void TestInspector::refused_buffer_givesReasonBlockerAndProblem() {
    SelectionHub hub;
    hub.setPlan(fixture::encoderLayer());
    hub.select({ItemKind::Buffer, 5});
    const InspectorContent c = contentOf(hub);
    QCOMPARE(c.sections.front().key, QStringLiteral("why"));
    QVERIFY(c.sections.front().paragraphs.front().contains(QStringLiteral("No room on scratchpad")));
    QVERIFY(value(c, QStringLiteral("why"), QStringLiteral("Blocked by")).contains(QStringLiteral("buffer:3")));
    QCOMPARE(value(c, QStringLiteral("why"), QStringLiteral("Largest gap")),
             QStringLiteral("1161625 B of 1505689 B free, at step 5, the tightest"));
    QCOMPARE(value(c, QStringLiteral("why"), QStringLiteral("For its whole life")), QStringLiteral("1161625 B"));
    QVERIFY(section(c, QStringLiteral("problems"))->paragraphs.front().contains(QStringLiteral("LX-018")));
}

/// The callout in the memory map and the inspector: the tightest step is not the first one.
void TestInspector::refused_buffer_hasTheFiguresOfItsCallout() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    PlanBuffer& b = plan->buffers[5];
    b.life.end = b.life.begin + 8;
    b.reason->gapStep = b.life.begin + 5;
    const MemoryUse tightest = useAt(*plan, b.reason->gapStep);
    QVERIFY(tightest.free != useAt(*plan, b.life.begin).free);
    b.reason->largestGap = tightest.largestFree;
    SelectionHub hub;
    hub.setPlan(plan);
    hub.select({ItemKind::Buffer, 5});
    const InspectorContent c = contentOf(hub);
    const auto ghost = ghostOf(*buildGanttData(plan), BufferId{5});
    QVERIFY(ghost);
    const QString lines = plainNumbers(ghostLines(*ghost).join(QLatin1Char('\n')));
    QVERIFY2(lines.contains(QStringLiteral("step %1: %2 B of %3 B free")
                                .arg(b.reason->gapStep)
                                .arg(tightest.largestFree)
                                .arg(tightest.free)),
             qPrintable(lines));
    QCOMPARE(value(c, QStringLiteral("why"), QStringLiteral("Largest gap")),
             QStringLiteral("%1 B of %2 B free, at step %3, the tightest")
                 .arg(tightest.largestFree)
                 .arg(tightest.free)
                 .arg(b.reason->gapStep));
    const QString life = value(c, QStringLiteral("why"), QStringLiteral("For its whole life"));
    QVERIFY(lines.contains(QStringLiteral("largest gap %1 for its whole life").arg(life)));
    QCOMPARE(life, QStringLiteral("%1 B").arg(roomFor(*plan, BufferId{5}).largestGap));  // as `memplan explain` has it
}

void TestInspector::now_atACursor_isLiveFreeGap() {
    const PlanPtr plan = fixture::softmaxStage4();
    const auto rows = nowRows(*plan, BufferId{4}, 3);
    QCOMPARE(rows[0].copy, QStringLiteral("1048576"));
    QCOMPARE(rows[1].copy, QStringLiteral("629145"));
    QCOMPARE(rows[2].copy, QStringLiteral("629145"));
    const auto later = nowRows(*plan, BufferId{4}, 4);
    QVERIFY(later.back().html.contains(QStringLiteral("buffer:5")));  // sum lies above exp
}

void TestInspector::several_items_showCommonValuesAndSums() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    hub.setSelection({{ItemKind::Buffer, 2}, {ItemKind::Buffer, 4}});
    const InspectorContent c = contentOf(hub);
    QCOMPARE(c.title, QStringLiteral("2 buffers"));
    QCOMPARE(value(c, QStringLiteral("several"), QStringLiteral("Sum per core")), QStringLiteral("1050624"));
    QCOMPARE(value(c, QStringLiteral("several"), QStringLiteral("Residency")), QStringLiteral("(different)"));
    QCOMPARE(value(c, QStringLiteral("several"), QStringLiteral("Type")), QStringLiteral("fp16"));
}

void TestInspector::decisions_overTwoHundred_areCut() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    for (int i = 0; i < 300; ++i)
        plan->decisions.push_back(
            {"scratchpad_planning", {}, BufferId{4}, DecisionKind::Candidate, recorded("c"), {}, {}});
    SelectionState selection;
    selection.items = {{ItemKind::Buffer, 4}};
    const auto count = [&](bool all) {
        return section(inspectorContent({plan, selection, {}, all}), QStringLiteral("decisions"))->paragraphs.size();
    };
    QCOMPARE(count(false), 201);  // 200 and the link
    QCOMPARE(count(true), 303);
}

/// All layouts of a convolution would push everything else out of sight.
void TestInspector::alternatives_overEight_areCut() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    Decision d;
    d.buffer = BufferId{4};
    for (int i = 0; i < 20; ++i)
        d.alternatives.push_back({recorded("other " + std::to_string(i)), 1.0});
    plan->decisions = {d};
    SelectionState selection;
    selection.items = {{ItemKind::Buffer, 4}};
    const auto paragraphs = [&](bool all) {
        return section(inspectorContent({plan, selection, {}, all}), QStringLiteral("decisions"))
            ->paragraphs.join(u' ');
    };
    QVERIFY(paragraphs(false).contains(QStringLiteral("other 7")));
    QVERIFY(!paragraphs(false).contains(QStringLiteral("other 8")));
    QVERIFY(paragraphs(false).contains(QStringLiteral("and 12 more")));
    QVERIFY(paragraphs(false).contains(QStringLiteral("all-decisions")));
    QVERIFY(paragraphs(true).contains(QStringLiteral("other 19")));
    QVERIFY(!paragraphs(true).contains(QStringLiteral("all-decisions")));
}

void TestInspector::operation_withSeveralOutputs_hasItsIdentity() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    plan->ops[0].outputs.push_back(BufferId{4});
    SelectionHub hub;
    hub.setPlan(plan);
    hub.select({ItemKind::Op, 0});
    const InspectorContent c = contentOf(hub);
    QCOMPARE(value(c, QStringLiteral("identity"), QStringLiteral("Operation")),
             QString::fromStdString(plan->ops[0].name));
    QCOMPARE(value(c, QStringLiteral("identity"), QStringLiteral("Function")),
             QString::fromStdString(plan->ops[0].type));
    plan->ops[1].outputs.clear();
    hub.select({ItemKind::Op, 1});
    QCOMPARE(value(contentOf(hub), QStringLiteral("identity"), QStringLiteral("Outputs")), QStringLiteral("none"));
}

void TestInspector::nothingSelected_saysWhatToDo() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    QCOMPARE(contentOf(hub).title, QStringLiteral("Nothing selected"));
}

void TestInspector::core_saysItsShareAndItsMemory() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    hub.select({ItemKind::Core, 0});
    InspectorContent c = contentOf(hub);
    QCOMPARE(c.title, QStringLiteral("Core 0"));
    QCOMPARE(value(c, QStringLiteral("core"), QStringLiteral("Most live bytes")), QStringLiteral("1050624"));
    const auto ops = hub.plan()->ops.size();
    QCOMPARE(value(c, QStringLiteral("core"), QStringLiteral("Operations")),
             QStringLiteral("%1 of %1 use it").arg(ops));
    QVERIFY(!section(c, QStringLiteral("coreMemory")));
    hub.setTimeCursor(4);  // exp at 0 and sum above it
    c = contentOf(hub);
    QCOMPARE(value(c, QStringLiteral("coreMemory"), QStringLiteral("In use")), QStringLiteral("1050624"));
    QCOMPARE(value(c, QStringLiteral("coreMemory"), QStringLiteral("Free")), QStringLiteral("627097"));
    QVERIFY(value(c, QStringLiteral("coreMemory"), QStringLiteral("0")).contains(QStringLiteral("buffer:4")));
    hub.select({ItemKind::Core, 7});  // the plan divides nothing
    c = contentOf(hub);
    QCOMPARE(value(c, QStringLiteral("core"), QStringLiteral("Operations")), QStringLiteral("0 of %1 use it").arg(ops));
    QCOMPARE(value(c, QStringLiteral("coreMemory"), QStringLiteral("In use")), QStringLiteral("0"));
    hub.select({ItemKind::Core, 32});
    QVERIFY(contentOf(hub).sections.empty());
    QVERIFY(contentOf(hub).sentence.startsWith(QStringLiteral("Not used")));
}

void TestInspector::limit_ofAHint_standsInItsField() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"tensor:" + plan->buffers[4].name};
    hint.key = "address_limit";
    hint.value = test::hintValue("16384");
    plan->hints = {hint};
    plan->hintStates = {"applied"};
    SelectionHub hub;
    hub.setPlan(plan);
    hub.select({ItemKind::Buffer, 4});
    QCOMPARE(value(contentOf(hub), QStringLiteral("placement"), QStringLiteral("At or below")),
             QStringLiteral("16384"));
    InspectorInput input{hub.plan(), hub.state(), {}, false};
    input.units.hexAddresses = true;
    const InspectorContent c = inspectorContent(input);
    const InspectorSection* s = section(c, QStringLiteral("placement"));
    QVERIFY(s != nullptr && std::ranges::any_of(s->rows, [](const InspectorRow& r) { return r.html == u"0x4000"; }));
    hub.select({ItemKind::Buffer, 5});
    QVERIFY(value(contentOf(hub), QStringLiteral("placement"), QStringLiteral("At or below")).contains(u"no limit"));
}

void TestInspector::range_isWhatItSpeaksAbout() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    hub.setRange(StepRange{1, 3});
    const InspectorContent c = contentOf(hub);
    QCOMPARE(c.title, QStringLiteral("Steps 1 to 2"));
    QCOMPARE(section(c, QStringLiteral("loopOps"))->count, QStringLiteral("2"));
    QVERIFY(section(c, QStringLiteral("rangeBuffers")) != nullptr);
    hub.select({ItemKind::Buffer, 4});
    QVERIFY(!value(contentOf(hub), QStringLiteral("lifetime"), QStringLiteral("In the range")).isEmpty());
    hub.escape();
    hub.clearSelection();
    QCOMPARE(contentOf(hub).title, QStringLiteral("Nothing selected"));
}

void TestInspector::fields_thatAHintCanSet_havePencils() {
    SelectionHub hub;
    hub.setPlan(fixture::softmaxStage4());
    const auto keyOf = [&](const char* key, const char* label) {
        const InspectorContent c = contentOf(hub);
        const InspectorSection* s = section(c, QString::fromLatin1(key));
        for (std::size_t i = 0; s && i < s->rows.size(); ++i)
            if (s->rows[i].label == QLatin1String(label)) return s->rows[i].hintKey;
        return QStringLiteral("no row");
    };
    hub.select({ItemKind::Buffer, 4});
    QCOMPARE(keyOf("placement", "Address"), QStringLiteral("address"));
    QCOMPARE(keyOf("placement", "At or below"), QStringLiteral("address_limit"));
    QCOMPARE(keyOf("placement", "Memory"), QStringLiteral("keep_off_chip"));
    QCOMPARE(keyOf("placement", "Slot"), QStringLiteral("in_place"));
    QCOMPARE(keyOf("identity", "Kind"), QStringLiteral("lx_eligible"));
    QCOMPARE(keyOf("shape", "Shape"), QStringLiteral("named_dims"));
    QCOMPARE(keyOf("cores", "Split"), QStringLiteral("split"));
    QCOMPARE(keyOf("cores", "Cores"), QStringLiteral("max_cores"));
    QCOMPARE(keyOf("cores", "Tiling"), QStringLiteral("slices"));
    int input = -1;
    for (std::size_t i = 0; i < hub.plan()->buffers.size(); ++i)
        if (hub.plan()->buffers[i].role == BufferRole::GraphInput) input = static_cast<int>(i);
    QVERIFY(input >= 0);
    hub.select({ItemKind::Buffer, input});
    QCOMPARE(keyOf("placement", "Clone"), QStringLiteral("clone_input"));
    QCOMPARE(keyOf("shape", "Shape"), QStringLiteral("dim_names"));
}

void TestInspector::json_ofAnyItem_isWhatThePlanSays() {
    const PlanPtr plan = fixture::encoderLayer();
    const auto read = [&](ItemKind kind, int index) {
        return QJsonDocument::fromJson(itemJson(plan.get(), {kind, index}).toUtf8()).object();
    };
    const PlanBuffer& b = plan->buffers[5];
    const QJsonObject buffer = read(ItemKind::Buffer, 5);
    QCOMPARE(buffer.value(QStringLiteral("id")).toString(), QString::fromStdString(b.name));
    QCOMPARE(buffer.value(QStringLiteral("size_per_core")).toInteger(), static_cast<qint64>(b.sizePerCore));
    QVERIFY(!buffer.value(QStringLiteral("reason")).toObject().value(QStringLiteral("text")).toString().isEmpty());
    const PlanOp& op = plan->ops[3];
    const QJsonObject json = read(ItemKind::Op, 3);
    QCOMPARE(json.value(QStringLiteral("id")).toString(), QString::fromStdString(op.name));
    QCOMPARE(json.value(QStringLiteral("cores")).toInteger(), static_cast<qint64>(op.cores));
    QCOMPARE(json.value(QStringLiteral("inputs")).toArray().size(), static_cast<qsizetype>(op.inputs.size()));
    QVERIFY(!plan->problems.empty());
    QCOMPARE(read(ItemKind::Problem, 0).value(QStringLiteral("code")).toString(),
             QString::fromStdString(plan->problems[0].code));
    QVERIFY(read(ItemKind::Op, 100000).isEmpty());
    QVERIFY(QJsonDocument::fromJson(itemJson(nullptr, {ItemKind::Op, 0}).toUtf8()).object().isEmpty());
}

MEMPLAN_WINDOW_TEST(TestInspector)
#include "tst_inspector.moc"
