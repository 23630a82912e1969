// SPDX-License-Identifier: GPL-3.0-or-later
// The problems of a plan (user-experience 15): counts and filters, groups by code, the detail, ways to items, help and
// hints.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"
#include "widgets/views/problems/code_groups.h"
#include "widgets/views/problems/problems_view.h"

#include <QAbstractItemModel>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QMenu>
#include <QModelIndex>
#include <QRect>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QWidget>

#include <algorithm>

using namespace memplan;
using namespace memplan::ui;

namespace {

const QWidget* detailOf(const ProblemsView& view) {
    return view.findChild<QWidget*>(QStringLiteral("problemDetail"));
}

}  // namespace

class TestProblemsView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void counts_filters_selection();
    void picture_beginsWithTheWorst();
    void groups_openCloseAndCount();
    void selectingARow_selectsItsItems();
    void detail_goesWithItsRow();
    void detail_isReadAsAWhole();
    void ofAHint_leadToItByKeyAndMenu();
};

void TestProblemsView::counts_filters_selection() {
    SelectionHub hub;
    ProblemsView view(&hub);
    QCOMPARE(view.countText(), QStringLiteral("no problems"));
    hub.setPlan(fixture::encoderLayer());
    QCOMPARE(view.countText(), QStringLiteral("3 warnings, 2 notes"));
    QCOMPARE(view.table()->model()->rowCount(), 5);
    const auto severity = [&view](int row) { return view.table()->model()->index(row, 0).data(RawRole).toInt(); };
    for (int row = 0; row < 5; ++row)
        QCOMPARE(severity(row), static_cast<int>(row < 3 ? Severity::Warning : Severity::Note));
    view.setSeverityShown(Severity::Note, false);
    QCOMPARE(view.table()->model()->rowCount(), 3);
    view.setTextFilter(QStringLiteral("LX-014"));
    QCOMPARE(view.table()->model()->rowCount(), 1);
    view.setTextFilter({});
    view.setPassFilter(QStringLiteral("scratchpad_planning"));
    QCOMPARE(view.table()->model()->rowCount(), 3);
    view.setGroupedByCode(true);
    QCOMPARE(view.groups()->headAt(0), view.table()->model()->index(1, ProblemModel::Code).data().toString());
}

/// Whatever the order of the plan.
void TestProblemsView::picture_beginsWithTheWorst() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    std::ranges::stable_sort(plan->problems, std::greater<>(), &Diagnostic::severity);
    QVERIFY(plan->problems.front().severity == Severity::Note);
    SelectionHub hub;
    ProblemsView view(&hub);
    hub.setPlan(plan);
    RenderOptions render;
    render.scope = RenderOptions::Scope::All;
    const auto picture = view.picture(render, QStringLiteral("a plan"));
    PictureRequest request;
    request.size = picture->pictureSize();
    const QByteArray svg = pictureSvg(*picture, request);
    const auto placeOf = [&svg](const Diagnostic& d) {
        return svg.indexOf(QByteArray::fromStdString(">" + d.code + "<"));
    };
    const Diagnostic &note = plan->problems[1], &warning = plan->problems.back();  // of codes that stand there once
    QVERIFY(note.severity == Severity::Note && warning.severity == Severity::Warning);
    QVERIFY(placeOf(warning) > 0 && placeOf(warning) < placeOf(note));
}

void TestProblemsView::groups_openCloseAndCount() {
    SelectionHub hub;
    ProblemsView view(&hub);
    hub.setPlan(fixture::encoderLayer());
    view.setGroupedByCode(true);
    const QAbstractItemModel& model = *view.table()->model();
    CodeGroups& groups = *view.groups();
    QCOMPARE(model.rowCount(), 5 + groups.groupCount());
    const QString code = groups.headAt(0);
    QVERIFY(!code.isEmpty());
    int below = 0;
    while (below + 1 < model.rowCount() && groups.headAt(below + 1).isEmpty()) {
        ++below;
        QCOMPARE(model.index(below, ProblemModel::Code).data().toString(), code);
    }
    QVERIFY(below > 0);
    QCOMPARE(model.index(0, ProblemModel::Message).data().toString(),
             plural(below, QStringLiteral("problem"), QStringLiteral("problems")));
    QVERIFY(model.index(0, ProblemModel::Severity).data(BadgeRole).isValid());
    // Closed by key, counted all the same; a head selects nothing by itself.
    hub.select({ItemKind::Buffer, 5});
    view.table()->setCurrentIndex(model.index(0, ProblemModel::Code));
    QCOMPARE(hub.primary(), std::optional(ItemId{ItemKind::Buffer, 5}));
    QTest::keyClick(view.table(), Qt::Key_Space);
    QVERIFY(!groups.isOpen(code));
    QCOMPARE(model.rowCount(), 5 + groups.groupCount() - below);
    QTest::keyClick(view.table(), Qt::Key_Right);
    QCOMPARE(model.rowCount(), 5 + groups.groupCount());
    // Left on a problem closes its group; the current row is then the head of the group.
    view.table()->setCurrentIndex(model.index(1, ProblemModel::Code));
    QTest::keyClick(view.table(), Qt::Key_Left);
    QVERIFY(!groups.isOpen(code));
    QCOMPARE(view.table()->currentIndex().row(), 0);
    QSignalSpy help(&view, &ProblemsView::helpRequested);
    QTest::keyClick(view.table(), Qt::Key_F1);
    QCOMPARE(help.value(0).value(0).toString(), code);
    // A filter leaves heads of what it shows only; a new plan keeps what is closed.
    view.setSeverityShown(Severity::Note, false);
    hub.setPlan(fixture::encoderLayer());
    QVERIFY(!groups.isOpen(code));
    groups.setAllOpen(true);
    QCOMPARE(model.rowCount(), 3 + groups.groupCount());
    view.setGroupedByCode(false);
    QCOMPARE(model.rowCount(), 3);
    QVERIFY(groups.headAt(0).isEmpty());
}

void TestProblemsView::selectingARow_selectsItsItems() {
    SelectionHub hub;
    ProblemsView view(&hub);
    hub.setPlan(fixture::encoderLayer());
    view.table()->selectRow(3);
    QCOMPARE(hub.selection(),
             (std::vector<ItemId>{{ItemKind::Buffer, 7}, {ItemKind::Buffer, 8}, {ItemKind::Buffer, 10}}));
    hub.select({ItemKind::Buffer, 5});
    QCOMPARE(view.table()->selectionModel()->selectedRows().front().row(), 0);
    QSignalSpy help(&view, &ProblemsView::helpRequested);
    view.table()->setCurrentIndex(view.table()->model()->index(2, 0));
    QTest::keyClick(view.table(), Qt::Key_F1);
    QCOMPARE(help.value(0).value(0).toString(), QStringLiteral("LX-014"));
}

void TestProblemsView::detail_goesWithItsRow() {
    SelectionHub hub;
    ProblemsView view(&hub);
    view.resize(1000, 200);
    view.show();
    hub.setPlan(fixture::encoderLayer());
    const QWidget* detail = detailOf(view);
    const auto choose = [&] {
        hub.clearSelection();
        view.table()->selectRow(3);
        return QTest::qWaitFor([&] { return detail->isVisible(); });
    };
    QVERIFY(choose());
    hub.setPlan(fixture::softmaxStage4());
    QVERIFY(!detail->isVisible());
    hub.setPlan(fixture::encoderLayer());
    QVERIFY(choose());
    view.setSeverityShown(Severity::Note, false);  // row 3 is a note
    QVERIFY(!detail->isVisible());
    view.setSeverityShown(Severity::Note, true);
    QVERIFY(choose());
    view.setGroupedByCode(true);
    view.groups()->setAllOpen(false);
    QVERIFY(!detail->isVisible());
    view.groups()->setAllOpen(true);
    QVERIFY(detail->isVisible());  // its items are selected all the same
}

void TestProblemsView::detail_isReadAsAWhole() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    plan->problems.front().message = QStringLiteral("word ").repeated(300).toStdString();
    SelectionHub hub;
    ProblemsView view(&hub);
    view.resize(1000, 160);
    view.show();
    hub.setPlan(plan);
    view.table()->selectRow(0);
    const auto* detail = qobject_cast<const QLabel*>(detailOf(view));
    QTRY_VERIFY(detail->isVisible());
    QTRY_VERIFY(detail->height() >= detail->heightForWidth(detail->width()));
    QVERIFY(detail->height() > view.height());
    const auto* area = view.findChild<QScrollArea*>(QStringLiteral("problemDetailArea"));
    QVERIFY(area->verticalScrollBar()->maximum() > 0);
    const int margin = detail->margin();
    auto* style = qobject_cast<StudioStyle*>(QApplication::style());
    style->setTheme(Theme(ThemeKind::Light, 2.0));
    QCOMPARE(detail->margin(), 2 * margin);
    style->setTheme(Theme(ThemeKind::Light));
}

void TestProblemsView::ofAHint_leadToItByKeyAndMenu() {
    auto plan = std::make_shared<Plan>(*fixture::encoderLayer());
    Diagnostic d;
    d.code = "HNT-003";
    d.where = "/hints/2/value";
    d.message = "not allowed";
    plan->problems.insert(plan->problems.begin(), d);
    SelectionHub hub;
    ProblemsView view(&hub);
    view.resize(1000, 200);
    view.show();
    hub.setPlan(plan);
    QSignalSpy asked(&view, &ProblemsView::hintRequested);
    view.table()->setCurrentIndex(view.table()->model()->index(0, ProblemModel::Message));
    // In a plan that is only read nothing asks for a hint that nobody can edit.
    QTest::keyClick(view.table(), Qt::Key_F2);
    QCOMPARE(asked.size(), 0);
    hub.setOffersHints(true);
    QTest::keyClick(view.table(), Qt::Key_F2);
    QCOMPARE(asked.value(0).value(0).toInt(), 2);
    const auto menuHas = [&](int row) {
        const QRect cell = view.table()->visualRect(view.table()->model()->index(row, ProblemModel::Message));
        emit view.table()->customContextMenuRequested(cell.center());
        QMenu* menu = view.findChildren<QMenu*>().constLast();
        const QList<QAction*> actions = menu->actions();
        const auto found = std::ranges::find_if(
            actions, [](const QAction* a) { return a->text().startsWith(QStringLiteral("Edit hint 3")); });
        const bool has = found != actions.end();
        if (has) (*found)->trigger();
        delete menu;
        return has;
    };
    QVERIFY(menuHas(0));
    QCOMPARE(asked.count(), 2);
    QCOMPARE(asked.value(1).value(0).toInt(), 2);
    QVERIFY(!menuHas(1));
    view.table()->setCurrentIndex(view.table()->model()->index(1, ProblemModel::Message));
    QTest::keyClick(view.table(), Qt::Key_F2);
    QCOMPARE(asked.count(), 2);
}

MEMPLAN_WINDOW_TEST(TestProblemsView)
#include "tst_problems_view.moc"
