// SPDX-License-Identifier: GPL-3.0-or-later
// What the form of a hint says while it is filled in, and what the list does with hints of the graph file.
#include "tests/support/hint_support.h"
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/tools/hints/editor/check_line.h"
#include "widgets/tools/hints/editor/hint_context.h"
#include "widgets/tools/hints/editor/hint_value_field.h"
#include "widgets/tools/hints/hints_view.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

class TestHintEditor : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void anotherKind_isCheckedAnew();
    void pinOfAMismatch_isWarnedOf();
    void fileHint_isChangedAsACopy();
    void kinds_listShowsThemWhole();
    void newHint_isOfAKindThatTheItemHasNot();
};

void TestHintEditor::initTestCase() {
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
}

void TestHintEditor::anotherKind_isCheckedAnew() {
    SelectionHub hub;
    HintsView view(&hub);
    hub.setPlan(fixture::softmaxStage4());
    view.setDocument("spyre", Settings(), nullptr);
    view.startHint({{ItemKind::Buffer, 4}}, QStringLiteral("address"));
    auto* value = view.findChild<HintValueField*>();
    auto* kinds = view.findChild<QComboBox*>(QStringLiteral("hintKind"));
    const auto* commit = view.findChild<QPushButton*>(QStringLiteral("hintCommit"));
    const HintCheck& check = view.findChild<CheckLine*>()->check();
    // Nothing typed yet is neither wrong nor right.
    QVERIFY(!check.ok && check.isOpen && !commit->isEnabled());
    value->setEditText(QStringLiteral("5000"));
    QVERIFY(!check.ok && !check.isOpen);
    kinds->setCurrentIndex(kinds->findData(QStringLiteral("pin")));
    QVERIFY2(check.ok && commit->isEnabled(), qPrintable(check.text));
    kinds->setCurrentIndex(kinds->findData(QStringLiteral("address")));
    QVERIFY(!check.ok && check.isOpen && !commit->isEnabled());
}

/// A pin finds room; on its own it does not make operations divide a buffer alike.
void TestHintEditor::pinOfAMismatch_isWarnedOf() {
    auto plan = std::make_shared<Plan>(*fixture::softmaxStage4());
    PlanBuffer& buffer = plan->buffers[4];
    HintContext context;
    context.setDocument("spyre", Settings(), nullptr);
    Hint pin;
    pin.target = "spyre";
    pin.scopes = {"tensor:" + buffer.name};
    pin.key = "pin";
    pin.value = test::hintValue("true");
    context.setPlan(plan);
    QVERIFY(context.check(pin).ok && !context.check(pin).isWarning);
    buffer.reason.emplace().code = ReasonCode::CoreDivMismatch;
    const HintCheck check = context.check(pin);
    QVERIFY(check.ok && check.isWarning);
    QVERIFY2(check.text.contains(QStringLiteral("LX-014")), qPrintable(check.text));
    // A search over divisions may divide it alike for the sake of the pin.
    Settings searching;
    QVERIFY(searching.set("spyre.co_optimize", "true").ok());
    context.setSettings(searching);
    QVERIFY(!context.check(pin).isWarning);
    context.setSettings(Settings());
    pin.value = test::hintValue("false");
    QVERIFY(!context.check(pin).isWarning);
    buffer.reason->code = ReasonCode::NoRoom;
    pin.value = test::hintValue("true");
    QVERIFY(!context.check(pin).isWarning);
}

void TestHintEditor::fileHint_isChangedAsACopy() {
    SelectionHub hub;
    HintsView view(&hub);
    hub.setPlan(fixture::softmaxStage4());
    view.setDocument("spyre", Settings(), nullptr);
    Hint fixed;
    fixed.target = "spyre";
    fixed.scopes = {"tensor:exp"};
    fixed.key = "pin";
    fixed.value = test::hintValue("true");
    view.setHints({fixed}, {});
    HintModel& model = *view.model();
    QVERIFY(model.index(0, HintModel::On).data(Qt::ToolTipRole).toString().contains(QStringLiteral("Take over")));
    QSignalSpy edited(&view, &HintsView::edited);
    model.duplicate({0});
    QCOMPARE(edited.size(), 1);
    QCOMPARE(edited[0][0].toString(), QStringLiteral("Duplicate hint: Pin exp on chip"));
    const auto own = edited[0][1].value<std::vector<Hint>>();
    QCOMPARE(own.size(), std::size_t{1});
    QVERIFY(own[0].scopes == fixed.scopes && !own[0].enabled);
}

/// However narrow the field is, its list is as wide as the longest kind.
void TestHintEditor::kinds_listShowsThemWhole() {
    SelectionHub hub;
    HintsView view(&hub);
    view.resize(420, 300);
    hub.setPlan(fixture::softmaxStage4());
    view.setDocument("spyre", Settings(), nullptr);
    view.startHint({{ItemKind::Buffer, 4}}, {});
    view.show();
    const auto* kinds = view.findChild<QComboBox*>(QStringLiteral("hintKind"));
    int widest = 0;
    for (int i = 0; i < kinds->count(); ++i)
        widest = std::max(widest, kinds->view()->fontMetrics().horizontalAdvance(kinds->itemText(i)));
    QVERIFY(widest > 0 && kinds->width() < widest + 60);
    QVERIFY2(kinds->view()->minimumWidth() > widest, qPrintable(QString::number(kinds->view()->minimumWidth())));
}

void TestHintEditor::newHint_isOfAKindThatTheItemHasNot() {
    SelectionHub hub;
    HintsView view(&hub);
    const PlanPtr plan = fixture::softmaxStage4();
    hub.setPlan(plan);
    view.setDocument("spyre", Settings(), nullptr);
    Hint pin;
    pin.target = "spyre";
    pin.scopes = {"tensor:" + plan->buffers[4].name};
    pin.key = "pin";
    pin.value = test::hintValue("true");
    const auto* kinds = view.findChild<QComboBox*>(QStringLiteral("hintKind"));
    view.startHint({{ItemKind::Buffer, 4}}, {});
    QCOMPARE(kinds->currentData().toString(), QStringLiteral("pin"));
    view.setHints({}, {pin});
    view.startHint({{ItemKind::Buffer, 4}}, {});
    QVERIFY(!kinds->currentData().toString().isEmpty());
    QVERIFY(kinds->currentData().toString() != u"pin");
    // Of another item nothing is said yet, and who asks for a kind gets it.
    view.startHint({{ItemKind::Buffer, 3}}, {});
    QCOMPARE(kinds->currentData().toString(), QStringLiteral("pin"));
    view.startHint({{ItemKind::Buffer, 4}}, QStringLiteral("pin"));
    QCOMPARE(kinds->currentData().toString(), QStringLiteral("pin"));
}

MEMPLAN_WINDOW_TEST(TestHintEditor)
#include "tst_hint_editor.moc"
