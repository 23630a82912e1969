// SPDX-License-Identifier: GPL-3.0-or-later
// Hints in words: values as they are shown and read, the items that a scope means and the scopes of an item.
#include "tests/support/hint_support.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/plan_lookup.h"
#include "tests/support/program.h"
#include "widgets/plan/hints/hint_items.h"
#include "widgets/plan/hints/hint_text.h"

#include <QSignalSpy>
#include <QTest>

#include <algorithm>

using namespace memplan;
using namespace memplan::ui;

namespace {

Hint pinOn(const std::string& scope) {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {scope};
    hint.key = "pin";
    hint.value = test::hintValue("true");
    return hint;
}

const hints::KindInfo& kindOf(const TargetId& target, const char* key) {
    return *hints::findKind(target, key);
}

}  // namespace

class HintWordsTest : public QObject {
    Q_OBJECT
private slots:
    void values_readWhatTheyShow_data();
    void values_readWhatTheyShow();
    void values_wrongText_isRefusedWithAReason_data();
    void values_wrongText_isRefusedWithAReason();
    void breaksOfChains_readAsTheyAreOffered();
    void items_andScopes_areTwoWaysOfOneThing();
    void added_buffers_leadToOneThatHasAName();
};

void HintWordsTest::values_readWhatTheyShow_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("json");
    QTest::addColumn<QString>("text");
    const auto row = [](const char* target, const char* key, const char* json, const QString& text) {
        QTest::newRow(qPrintable(QStringLiteral("%1 %2").arg(QLatin1String(key), QLatin1String(json))))
            << QString::fromLatin1(target) << QString::fromLatin1(key) << QString::fromLatin1(json) << text;
    };
    row("spyre", "pin", "true", QStringLiteral("yes"));
    row("spyre", "clone_input", "false", QStringLiteral("no"));
    row("spyre", "address", "1505664", QStringLiteral("1\u202F505\u202F664"));
    row("spyre", "in_place", "\"force\"", QStringLiteral("force"));
    row("spyre", "split", "{\"c0\": 8, \"c1\": 4}", QStringLiteral("c0 8, c1 4"));
    row("spyre", "slices", "{\"A\": 2}", QStringLiteral("A 2"));
    row("spyre", "dim_sizes", "{\"A\": 1024, \"B\": 4096}", QStringLiteral("A 1024, B 4096"));
    row("spyre", "dim_names", "[\"A\", \"B\"]", QStringLiteral("A, B"));
    row("ttnn", "output_layout", "{\"grid\": [8, 4], \"buffer\": \"l1\"}", QStringLiteral("grid 8x4, buffer l1"));
    row("ttnn", "input_reshard", "[0, 2]", QStringLiteral("0, 2"));
    row("torchwright", "concurrency", "{\"k\": 4}", QStringLiteral("4"));
    row("torchwright", "after", "[\"12\", \"7\"]", QStringLiteral("12, 7"));
}

void HintWordsTest::values_readWhatTheyShow() {
    QFETCH(QString, target);
    QFETCH(QString, key);
    QFETCH(QString, json);
    QFETCH(QString, text);
    const hints::KindInfo* kind = hints::findKind(target.toStdString(), key.toStdString());
    QVERIFY(kind != nullptr);
    QCOMPARE(hintValueText(kind, test::hintValue(json.toStdString())), text);
    const ReadValue read = readHintValue(*kind, text);
    QVERIFY2(read.value.has_value(), qPrintable(read.why));
    QVERIFY(*read.value == test::hintValue(json.toStdString()));
}

void HintWordsTest::values_wrongText_isRefusedWithAReason_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("text");
    QTest::newRow("no number") << QStringLiteral("address") << QStringLiteral("abc");
    QTest::newRow("empty") << QStringLiteral("address") << QString();
    QTest::newRow("half a pair") << QStringLiteral("split") << QStringLiteral("c0");
    QTest::newRow("no count") << QStringLiteral("split") << QStringLiteral("c0 many");
    QTest::newRow("broken JSON") << QStringLiteral("split") << QStringLiteral("{\"c0\": ");
    QTest::newRow("no names") << QStringLiteral("dim_names") << QStringLiteral(" , ");
}

void HintWordsTest::values_wrongText_isRefusedWithAReason() {
    QFETCH(QString, key);
    QFETCH(QString, text);
    const ReadValue read = readHintValue(kindOf("spyre", qPrintable(key)), text);
    QVERIFY(!read.value);
    QVERIFY(!read.why.isEmpty());
    for (const char* form : {"0x4000", "16 KiB", "16 384", "16384 B"})
        QVERIFY(readHintValue(kindOf("spyre", "address"), QString::fromLatin1(form)).value == HintValue(Bytes{16384}));
}

/// In the words of the proposal that makes such a hint (ttnn-optimizer 15.1).
void HintWordsTest::breaksOfChains_readAsTheyAreOffered() {
    Hint hint;
    hint.target = "ttnn";
    hint.scopes = {"op:matmul_k"};
    hint.key = "break_chain";
    hint.value = test::hintValue("\"before\"");
    QCOMPARE(hintCommandText(hint, "ttnn"), QStringLiteral("Break the chain before matmul_k"));
}

void HintWordsTest::items_andScopes_areTwoWaysOfOneThing() {
    const PlanPtr shared = fixture::softmaxStage4();
    const Plan& plan = *shared;
    int named = 0;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const ItemId item = ItemId::of(BufferId::of(i));
        const auto scope = scopeOf(plan, item, hints::ScopeKind::Tensor);
        if (!scope) continue;
        const auto items = itemsOf(plan, pinOn(hints::scopeText(*scope)));
        const bool isClone = plan.buffers[i].cloneOf.isValid();
        const ItemId expected = isClone ? ItemId::of(plan.buffers[i].cloneOf) : item;
        QVERIFY(std::find(items.begin(), items.end(), expected) != items.end());
        ++named;
    }
    QVERIFY(named >= 5);
    Hint off = pinOn("tensor:exp");
    QCOMPARE(hintedItems(plan, std::vector<Hint>{off}).size(), std::size_t{1});
    off.enabled = false;
    QVERIFY(hintedItems(plan, std::vector<Hint>{off}).empty());
}

/// What a pass added has no name that a hint could use: what it was made from has, else what is made from it.
void HintWordsTest::added_buffers_leadToOneThatHasAName() {
    Plan plan = *fixture::softmaxStage4();
    const auto exp = BufferId{4}, sub = BufferId{3};
    const OpId writer = plan.buffer(exp).producer;
    plan.ops[writer.at()].addedBy = "insert_restickify";
    plan.ops[writer.at()].inputs = {sub};
    plan.graph = nullptr;
    QVERIFY(!scopeOf(plan, ItemId::of(exp), hints::ScopeKind::Tensor));
    QCOMPARE(nearestNamed(plan, exp), sub);
    plan.ops[writer.at()].inputs.clear();
    const BufferId later = nearestNamed(plan, exp);
    QVERIFY(later.isValid() && later != exp);
    QVERIFY(scopeOf(plan, ItemId::of(later), hints::ScopeKind::Tensor));
}

MEMPLAN_WINDOW_TEST(HintWordsTest)
#include "tst_hint_words.moc"
