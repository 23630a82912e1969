// SPDX-License-Identifier: GPL-3.0-or-later
// Keys and menu of the graph view (user-experience 5.7, 21): what a gesture of the mouse does they do too.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/widgets/graph/graph_window.h"
#include "widgets/kit/style/studio_style.h"

#include <QAction>
#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QPoint>
#include <QTest>

#include <algorithm>
#include <cmath>

using namespace memplan;
using namespace memplan::ui;

using fixture::GraphWindow;
using fixture::markedIn;

class TestGraphKeys : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void keys_andMenu_tracePaths();
    void key0_showsBoxesAtFullSize();
};

/// No action exists only on a mouse gesture (21.1): what Ctrl+Shift+click shows is in the menu and on keys too.
void TestGraphKeys::keys_andMenu_tracePaths() {
    GraphWindow w(fixture::softmaxStage4());
    w.hub.select(ItemId::of(OpId{2}));
    QTest::keyClick(&w.view, Qt::Key_T);
    QCOMPARE(markedIn(w.view.trace().after), 4);
    w.hub.select(ItemId::of(OpId{5}));
    QTest::keyClick(&w.view, Qt::Key_T, Qt::ShiftModifier);
    QCOMPARE(markedIn(w.view.trace().on), 4);  // sub, exp, sum, div
    w.hub.select(ItemId::of(OpId{3}));
    QContextMenuEvent event(QContextMenuEvent::Keyboard, QPoint(5, 5), w.view.mapToGlobal(QPoint(5, 5)));
    QApplication::sendEvent(&w.view, &event);
    auto* menu = w.view.findChild<QMenu*>();
    QVERIFY(menu);
    const auto actions = menu->actions();
    const auto found = std::ranges::find_if(
        actions, [](const QAction* a) { return a->text().startsWith(QStringLiteral("Trace paths from sub")); });
    QVERIFY(found != actions.end());
    (*found)->trigger();
    QCOMPARE(markedIn(w.view.trace().on), 2);  // sub, exp
    menu->close();
}

/// 100 % is the full size of the boxes, Home the whole graph (21).
void TestGraphKeys::key0_showsBoxesAtFullSize() {
    GraphWindow w(fixture::encoderLayer());
    QTest::keyClick(&w.view, Qt::Key_Home);
    QVERIFY(w.view.scalePercent() < 90);
    const Axis before = w.view.viewport().y;
    QTest::keyClick(&w.view, Qt::Key_0);
    QCOMPARE(w.view.scalePercent(), 100.0);
    const Axis after = w.view.viewport().y;
    QVERIFY(std::abs(before.toValue(before.length / 2) - after.toValue(after.length / 2)) < 1);
    QCOMPARE(w.view.viewport().x.scale, after.scale);
    QTest::keyClick(&w.view, Qt::Key_Home);
    QVERIFY(w.view.scalePercent() < 90);
}

MEMPLAN_WINDOW_TEST(TestGraphKeys)
#include "tst_graph_keys.moc"
