// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzzy search, the palette's rows (user-experience 3.8), find in view (3.9).
#include "tests/support/program.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/tools/palette/command_palette.h"
#include "widgets/tools/palette/find_bar.h"
#include "widgets/tools/palette/fuzzy.h"
#include "widgets/tools/palette/item_text.h"

#include <QApplication>
#include <QLineEdit>
#include <QSet>
#include <QTest>
#include <QToolButton>
#include <QWidget>

using namespace memplan;
using namespace memplan::ui;

namespace {

PlanPtr smallPlan() {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    const auto add = [&](const char* name, const char* type, const char* group, std::vector<std::int64_t> shape) {
        const std::size_t at = plan->ops.size();
        PlanBuffer buffer;
        buffer.name = name;
        buffer.producer = OpId::of(at);
        buffer.shape = std::move(shape);
        buffer.sizePerCore = 1024;
        plan->buffers.push_back(buffer);
        PlanOp op;
        op.name = name;
        op.type = type;
        op.kind = "pointwise";
        op.groupPath = group;
        op.cores = 2;
        op.outputs = {BufferId::of(at)};
        plan->ops.push_back(op);
    };
    add("masked", "add", "attn/softmax", {8, 448});
    add("mask_row", "add", "attn/softmax", {8, 1});
    add("exp", "exp", "attn/softmax", {8, 448});
    add("unmask", "mul", "ffn", {512, 1024});
    PassRun run;
    run.name = "work_distribution";
    run.title = "Work distribution";
    run.changed = true;
    plan->passes.push_back(run);
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "LX-018";
    d.message = "masked has no room";
    d.buffers = {BufferId::of(0)};
    plan->problems.push_back(d);
    Hint hint;
    hint.key = "pin";
    hint.scopes = {"op:exp"};
    hint.comment = "keeps the row sums near";
    plan->hints.push_back(hint);
    hint.scopes = {"annotation:attn/softmax"};
    hint.comment = "all of the block";
    plan->hints.push_back(hint);
    return plan;
}

}  // namespace

class PaletteTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void fuzzy_lettersInOrder();
    void fuzzy_betterFirst();
    void items_prefixesFilter();
    void kinds_haveOneWordEach();
    void words_areLookedForInTheGroupToo();
    void items_groupSelectsItsOps();
    void items_commandsAfterTheAngle();
    void hundredThousandNames_giveTheBestRows();
    void palette_keysChooseAndMove();
    void find_looksAtAllFields();
    void find_wordCaseRegex();
    void find_badRegexSaysWhy();
};

void PaletteTest::fuzzy_lettersInOrder() {
    QVERIFY(fuzzyScore("msk", "masked"));
    QVERIFY(!fuzzyScore("ksm", "masked"));
    QCOMPARE(fuzzyScore("", "x").value(), 0);
    QCOMPARE(fuzzyPositions("mkd", "masked"), (std::vector<int>{0, 3, 5}));
    QCOMPARE(fuzzyPositions("ask", "masked"), (std::vector<int>{1, 2, 3}));
    QVERIFY(fuzzyPositions("zz", "masked").empty());
}

void PaletteTest::fuzzy_betterFirst() {
    FuzzyIndex index;
    for (const char* name : {"x_mask_y", "mash_key", "mask", "masked"})
        index.add(name, 0, {});
    int total = 0;
    const auto hits = index.find("mask", -1, 10, &total);
    QCOMPARE(total, 4);
    QCOMPARE(hits[0].entry, 2);  // the whole name
    QCOMPARE(hits[1].entry, 3);  // at its start
    QCOMPARE(hits[2].entry, 0);  // at a word
    QCOMPARE(hits[3].entry, 1);  // spread
    QCOMPARE(index.find("mask", -1, 2).size(), std::size_t{2});
    QVERIFY(index.find("mask", 7, 10).empty());
}

void PaletteTest::items_prefixesFilter() {
    PaletteItems items;
    items.setPlan(smallPlan());
    int total = 0;
    for (const PaletteRow& row : items.find(QStringLiteral("op:mask"), &total))
        QCOMPARE(row.kind, PaletteKind::Op);
    QCOMPARE(total, 3);
    QCOMPARE(items.find(QStringLiteral("buf:exp")).front().items.front(), (ItemId{ItemKind::Buffer, 2}));
    QCOMPARE(items.find(QStringLiteral("core:")).size(), std::size_t{2});
    QCOMPARE(items.find(QStringLiteral("problem:LX-018")).front().name, QStringLiteral("LX-018 masked has no room"));
    const PaletteRow pass = items.find(QStringLiteral("pass:dist")).front();
    QCOMPARE(pass.value, QStringLiteral("changed"));
    // As the list of passes calls it; the id stands behind it.
    QCOMPARE(pass.name, QStringLiteral("Work distribution"));
    QVERIFY(pass.context.endsWith(QStringLiteral("work_distribution")));
    QVERIFY(items.find(QStringLiteral("note:")).empty());
    const PaletteRow best = items.find(QStringLiteral("masked")).front();
    QCOMPARE(best.matched.size(), std::size_t{6});
}

/// One table has the words of all kinds: search, links and texts take them from there.
void PaletteTest::kinds_haveOneWordEach() {
    const PlanPtr plan = smallPlan();
    const LoopGroups loops = loopGroups(*plan);
    const ItemTables tables{*plan, loops};
    QSet<QString> words, prefixes;
    for (const ItemInfo& info : allItemKinds()) {
        words << wordOf(info.kind);
        prefixes << QString::fromLatin1(info.prefix);
        QCOMPARE(countOf(info.kind, 1), QStringLiteral("1 ") + wordOf(info.kind));
        const ItemId id{info.kind, 0};
        QCOMPARE(itemOfLink(linkOf(id)), std::optional(id));
        if (exists(tables, id)) QVERIFY2(!info.name(tables, 0).isEmpty(), info.key);
        QVERIFY(!exists(tables, {info.kind, -1}));
    }
    const auto kinds = static_cast<qsizetype>(allItemKinds().size());
    QCOMPARE(words.size(), kinds);
    QCOMPARE(prefixes.size(), kinds);
    for (const char* text : {"", "op", "op:", "op:x", "op:1:2", "chain:1"})
        QVERIFY2(!itemOfLink(QString::fromLatin1(text)), text);
}

/// "l.3 add_1": an operation as the graph view writes it, group and name. Not only problems whose message has a blank.
void PaletteTest::words_areLookedForInTheGroupToo() {
    auto plan = std::make_shared<Plan>(*smallPlan());
    plan->problems.front().message = "The softmax of attn masked nothing: exp";
    PaletteItems items;
    items.setPlan(plan);
    const auto rows = items.find(QStringLiteral("softmax exp"));
    QVERIFY(rows.size() >= 2);
    QCOMPARE(rows[0].items.front(), (ItemId{ItemKind::Buffer, 2}));
    QCOMPARE(rows[1].items.front(), (ItemId{ItemKind::Op, 2}));
    QCOMPARE(rows[1].matched, (std::vector<int>{0, 1, 2}));
    QCOMPARE(items.find(QStringLiteral("op:mask softmax")).size(), std::size_t{2});
    QVERIFY(items.find(QStringLiteral("op:exp ffn")).empty());
}

void PaletteTest::items_groupSelectsItsOps() {
    PaletteItems items;
    items.setPlan(smallPlan());
    const PaletteRow row = items.find(QStringLiteral("group:softmax")).front();
    QCOMPARE(row.items.size(), std::size_t{3});
    QCOMPARE(row.context, QStringLiteral("3 ops"));
}

void PaletteTest::items_commandsAfterTheAngle() {
    PaletteItems items;
    items.setCommands({{"plan.compile", "Compile", "Plan", "F5", "compile", true},
                       {"file.open", "Open", "File", "Ctrl+O", "open", true}});
    QCOMPARE(items.find(QStringLiteral(">")).size(), std::size_t{2});
    const PaletteRow row = items.find(QStringLiteral("> comp")).front();
    QCOMPARE(row.command, QStringLiteral("plan.compile"));
    QCOMPARE(row.value, QStringLiteral("F5"));
}

void PaletteTest::hundredThousandNames_giveTheBestRows() {
    auto plan = std::make_shared<Plan>();
    plan->target = "spyre";
    for (int i = 0; i < 50000; ++i) {
        const std::string layer = "layers." + std::to_string(i / 40);
        plan->buffers.emplace_back().name = layer + ".attention.block_" + std::to_string(i) + ".out";
        plan->ops.emplace_back().name = layer + ".mlp.matmul_" + std::to_string(i);
    }
    PaletteItems items;
    items.setPlan(plan);
    QVERIFY(items.itemCount() >= 100000);
    QCOMPARE(items.find(QStringLiteral("a")).size(), PaletteItems::kMostRows);
    QCOMPARE(items.find(QStringLiteral("block_49999")).front().name,
             QStringLiteral("layers.1249.attention.block_49999.out"));
    QVERIFY(items.find(QStringLiteral("zzzz")).empty());
}

void PaletteTest::palette_keysChooseAndMove() {
    QWidget window;
    window.resize(1000, 700);
    CommandPalette palette(&window);
    palette.items().setPlan(smallPlan());
    window.show();
    std::vector<ItemId> chosen;
    bool shown = true;
    connect(&palette, &CommandPalette::itemsChosen, this, [&](const std::vector<ItemId>& items, bool show) {
        chosen = items;
        shown = show;
    });
    palette.open();
    QVERIFY(palette.isOpen());
    QTest::keyClicks(palette.field(), QStringLiteral("buf:mask"));
    QCOMPARE(palette.model().rowCount(), 3);
    const ItemId second = palette.model().row(1).items.front();
    QTest::keyClick(palette.field(), Qt::Key_Down);
    QTest::keyClick(palette.field(), Qt::Key_Return, Qt::ControlModifier);
    QVERIFY(!palette.isOpen());
    QCOMPARE(chosen, std::vector<ItemId>{second});
    QVERIFY(!shown);
    palette.open(QStringLiteral("exp"));
    QTest::keyClick(palette.field(), Qt::Key_Tab);  // all -> op:
    QCOMPARE(palette.field()->text(), QStringLiteral("op:exp"));
    QTest::keyClick(palette.field(), Qt::Key_Return);
    QCOMPARE(chosen, (std::vector<ItemId>{{ItemKind::Op, 2}}));
    QVERIFY(shown);
    palette.open();
    QTest::keyClick(palette.field(), Qt::Key_Escape);
    QVERIFY(!palette.isOpen());
}

void PaletteTest::find_looksAtAllFields() {
    const PlanPtr plan = smallPlan();
    const auto count = [&](const QString& text) {
        return findItems(*plan, *findPattern({text, false, false, false})).size();
    };
    QCOMPARE(count(QStringLiteral("attn/softmax")), std::size_t{6});      // annotation: ops and their buffers
    QCOMPARE(count(QStringLiteral("512x1024")), std::size_t{2});          // shape
    QCOMPARE(count(QStringLiteral("all of the block")), std::size_t{3});  // of a hint on an annotation
    QCOMPARE(count(QStringLiteral("row sums")), std::size_t{1});          // hint text
    QCOMPARE(count(QStringLiteral("fp16")), std::size_t{8});              // type
    QCOMPARE(count(QStringLiteral("pointwise")), std::size_t{4});         // kind
}

void PaletteTest::find_wordCaseRegex() {
    const PlanPtr plan = smallPlan();
    const auto count = [&](const FindOptions& options) { return findItems(*plan, *findPattern(options)).size(); };
    QCOMPARE(count({QStringLiteral("mask"), false, false, false}), std::size_t{6});
    QCOMPARE(count({QStringLiteral("EXP"), true, false, false}), std::size_t{0});
    QCOMPARE(count({QStringLiteral("masked"), false, true, false}), std::size_t{2});
    QCOMPARE(count({QStringLiteral("mask"), false, true, false}), std::size_t{0});
    QCOMPARE(count({QStringLiteral("^(un)?mask(ed)?$"), false, false, true}), std::size_t{4});
    QCOMPARE(count({QStringLiteral("a.b"), false, false, false}), std::size_t{0});  // plain: the dot is a dot
}

void PaletteTest::find_badRegexSaysWhy() {
    SelectionHub hub;
    hub.setPlan(smallPlan());
    FindBar bar(&hub);
    bar.show();
    QString error;
    QVERIFY(!findPattern({QStringLiteral("a(b"), false, false, true}, &error));
    QVERIFY(error.contains(QStringLiteral("character")));
    for (QToolButton* b : bar.findChildren<QToolButton*>()) {
        if (b->accessibleName() == u"Regular expression") b->setChecked(true);
    }
    bar.field()->setText(QStringLiteral("["));
    QVERIFY(QTest::qWaitFor([&] { return !bar.reason().isEmpty(); }, 20000));
    QVERIFY(bar.matches().empty());
    QVERIFY(bar.field()->property("memplanInvalid").toBool());
    bar.field()->setText(QStringLiteral("mask"));
    QVERIFY(QTest::qWaitFor([&] { return bar.matches().size() == 6; }, 20000));
    bar.step(1);
    QVERIFY(hub.primary());
    const auto first = hub.primary();
    bar.step(1);
    QVERIFY(hub.primary() != first);
    bar.step(-1);
    QCOMPARE(hub.primary(), first);
}

MEMPLAN_WINDOW_TEST(PaletteTest)
#include "tst_palette.moc"
