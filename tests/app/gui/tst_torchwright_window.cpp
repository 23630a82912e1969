// SPDX-License-Identifier: GPL-3.0-or-later
// torchwright in the window: its memory view, what is hidden because it would be invented, and the hint that ends a
// plateau (user-experience 2.1, 9.3, 24 A5).
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/targets/targets.h"
#include "app/gui/window/docks/docks.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/status/status_facts.h"
#include "app/gui/workspace/view_info.h"
#include "app/gui/workspace/workspace.h"
#include "engine/plan/torchwright_data.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/plan/models/plan_models.h"
#include "widgets/views/inspector/inspector_content.h"
#include "widgets/views/residual/residual_pane.h"

#include <QDockWidget>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

using namespace memplan;
using namespace memplan::app;

class TorchwrightWindowTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void coresAndAddresses_areNotShown();
    void statusAndTitle_speakOfLayers();
    void inspector_speaksOfColumns();
    void a5_theOfferedKTakesLayersAway();
    void comparison_hasOneScale();
    void width_goesInStepsOfAHead();
    void hiddenWidth_ofZeroIsThatOfTheStream();
    void cancellation_isNowhere();

private:
    [[nodiscard]] bool openBasin(MainWindow& window);
    std::vector<io::SampleInfo> samples_;
};

bool TorchwrightWindowTest::openBasin(MainWindow& window) {
    OpenRequest request;
    request.path = QStringLiteral(MEMPLAN_TEST_DATA "/torchwright/basin24_k0.graph.json");
    request.settings = {{"torchwright.d", "768"}, {"torchwright.d_hidden", "256"}};
    window.controller().open(request);
    return waitForPlan(window);
}

void TorchwrightWindowTest::coresAndAddresses_areNotShown() {
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    QVERIFY(openBasin(window));
    Workspace& workspace = window.workspace();
    QVERIFY(workspace.isOffered(workspace.view(QStringLiteral("residual"))));
    QVERIFY(workspace.isOffered(workspace.view(QStringLiteral("graph"))));
    for (const char* hidden : {"cores", "gantt", "chains"})
        QVERIFY2(!workspace.isOffered(workspace.view(QString::fromLatin1(hidden))), hidden);
    QCOMPARE(workspace.shownTab(), QStringLiteral("residual"));
    for (const char* dock : {"matrixDock", "edgesDock", "sideDock", "buffersDock"})
        QVERIFY2(window.findChild<QDockWidget*>(QString::fromLatin1(dock))->isHidden(), dock);
    const auto* ops = window.findChild<QTableView*>(QStringLiteral("opTable"));
    QVERIFY(ops->isColumnHidden(ui::OpModel::Cores) && ops->isColumnHidden(ui::OpModel::Read));
    QVERIFY(!ops->isColumnHidden(ui::OpModel::Type));
}

void TorchwrightWindowTest::statusAndTitle_speakOfLayers() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(openBasin(window));
    const auto text = [&window](const char* label) {
        return window.findChild<QLabel*>(QString::fromLatin1(label))->text();
    };
    QCOMPARE(text("statusResidency"), QStringLiteral("28 layers"));
    QCOMPARE(text("statusPeak"), QStringLiteral("peak 768 of 768 columns after layer 21"));
    QVERIFY(text("statusTraffic").startsWith(QStringLiteral("plateau: 22 layers at 90.0")));
    QCOMPARE(window.controller().document()->current()->name, QStringLiteral("Plan 1: 28 layers"));
}

void TorchwrightWindowTest::inspector_speaksOfColumns() {
    MainWindow window(samples_);
    QVERIFY(openBasin(window));
    const PlanPtr plan = window.controller().document()->current()->plan;
    const TorchwrightData& data = torchwrightData(*plan);
    const auto contentOf = [&plan](torchwright::NodeId node) {
        ui::InspectorInput input;
        input.plan = plan;
        input.selection.items = {{ui::ItemKind::Buffer, node.index}};
        return ui::inspectorContent(input);
    };
    const auto wordsOf = [](const ui::InspectorContent& c) {
        QString all = c.sentence;
        for (const ui::InspectorSection& s : c.sections) {
            if (s.key == u"json") continue;
            all += s.name + u'\n' + s.paragraphs.join(u'\n');
            for (const ui::InspectorRow& row : s.rows)
                all += u'\n' + row.label + u' ' + row.html;
        }
        return all;
    };
    for (const std::int64_t number : {6, 10, 11}) {  // a chain's result, a ReLU inside one, a wide result
        const QString words = wordsOf(contentOf(data.graph->find(number)));
        for (const char* other : {"core", "stick", "scratchpad", "raffic", "off chip", "Off chip"})
            QVERIFY2(!words.contains(QLatin1String(other)), qPrintable(QLatin1String(other) + u'\n' + words));
        QVERIFY(words.contains(QStringLiteral("Read by")));
    }
    QVERIFY(wordsOf(contentOf(data.graph->find(10))).contains(QStringLiteral("Why it owns no columns")));
    QVERIFY(wordsOf(contentOf(data.graph->find(11))).contains(QStringLiteral("Column-layers")));
}

/// The plateau is boxed, the offered K is taken with one click, layers drop, and undo brings the earlier plan back.
void TorchwrightWindowTest::a5_theOfferedKTakesLayersAway() {
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    QVERIFY(openBasin(window));
    Document& document = *window.controller().document();
    const PlanPtr before = document.current()->plan;
    auto* view = qobject_cast<ui::ResidualView*>(window.workspace().view(QStringLiteral("residual")));
    QVERIFY(QTest::qWaitFor([&] { return view->residualData() != nullptr; }));
    view->settle();
    QCOMPARE(view->plateaus().size(), std::size_t{1});
    auto* side = window.findChild<ui::ResidualSide*>();
    QTRY_COMPARE(side->findChild<QSpinBox*>(QStringLiteral("concurrencyK"))->value(), 8);
    side->findChild<QPushButton*>(QStringLiteral("addConcurrency"))->click();
    QVERIFY(waitForPlan(window));
    QCOMPARE(document.hints().size(), std::size_t{1});
    QCOMPARE(document.hints().front().key, std::string("concurrency"));
    QTRY_VERIFY(document.current()->plan != before);
    QCOMPARE(torchwrightData(*document.current()->plan).schedule.layerCount(), 23);
    document.undoStack().undo();
    QVERIFY(document.hints().empty());
    QCOMPARE(document.current()->plan, before);
}

/// S7 without and with its hint, 26 and 21 layers: both maps have the same rows and columns at every zoom, and what
/// stands beside B comes back with the end of the comparison.
void TorchwrightWindowTest::comparison_hasOneScale() {
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.openSample(*io::findSample(samples_, "S7"));
    QVERIFY(waitForPlan(window));
    QTRY_COMPARE(window.controller().document()->plans().size(), std::size_t{2});
    ui::ViewPane* pane = window.workspace().pane(QStringLiteral("residual"));
    const bool hadSide = pane->showsSide();
    auto* compare = window.findChild<CompareController*>();
    compare->setOn(true);
    const auto shown = [&window] {
        std::vector<ui::ResidualView*> views;
        for (ui::ResidualView* view : window.findChildren<ui::ResidualView*>())
            if (view->isVisible() && view->residualData()) views.push_back(view);
        return views;
    };
    QTRY_COMPARE(shown().size(), std::size_t{2});
    const std::vector<ui::ResidualView*> views = shown();
    QVERIFY(views[0]->residualData()->layers() != views[1]->residualData()->layers());
    const auto isAlike = [&views] {
        const ui::Viewport &a = views[0]->viewport(), &b = views[1]->viewport();
        return a.y.contentEnd == 26 && b.y.contentEnd == 26 && std::abs(a.x.scale - b.x.scale) < 0.01 &&
               std::abs(a.y.scale - b.y.scale) < 0.01 && a.x.origin == b.x.origin && a.y.origin == b.y.origin;
    };
    QTRY_VERIFY(isAlike());
    QTRY_VERIFY(std::abs(views[0]->width() - views[1]->width()) <= 1);
    window.resize(1700, 1040);
    QTRY_VERIFY(window.width() == 1700 && std::abs(views[0]->width() - views[1]->width()) <= 1);
    QTRY_VERIFY(isAlike());
    QVERIFY(!pane->showsSide());
    views[1]->zoomBy(2, views[1]->rect().center());
    QTRY_VERIFY(isAlike());
    compare->setOn(false);
    QCOMPARE(pane->showsSide(), hadSide);
}

void TorchwrightWindowTest::width_goesInStepsOfAHead() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(openBasin(window));
    Document& document = *window.controller().document();
    auto* width = window.findChild<QSpinBox*>(QStringLiteral("widthSpin"));
    QCOMPARE(width->singleStep(), 16);
    width->setValue(2043);
    QCOMPARE(width->value(), 2048);
    QCOMPARE(document.settings().integer("torchwright.d"), std::int64_t{2048});
    QVERIFY(waitForPlan(window));
    QVERIFY(!document.failure());
}

/// "0" beside strips of 768 slots would be a wrong number; and it can be typed.
void TorchwrightWindowTest::hiddenWidth_ofZeroIsThatOfTheStream() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(openBasin(window));
    Document& document = *window.controller().document();
    auto* hidden = window.findChild<QSpinBox*>(QStringLiteral("hiddenSpin"));
    QCOMPARE(hidden->text(), QStringLiteral("256"));
    hidden->setValue(0);
    QCOMPARE(hidden->text(), QStringLiteral("as d"));
    QCOMPARE(document.settings().integer("torchwright.d_hidden"), std::int64_t{0});
    QVERIFY(QTest::qWaitFor([&] { return !window.controller().task().isRunning(); }, 30000));
}

/// What gives columns back makes nothing, so nothing of it is in a memory.
void TorchwrightWindowTest::cancellation_isNowhere() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(openBasin(window));
    const PlanPtr plan = window.controller().hub().plan();
    ui::OpModel model;
    model.setPlan(plan);
    int cancelled = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        const bool hasBadge = model.index(row, ui::OpModel::Space).data(ui::BadgeRole).isValid();
        const bool makesNothing = plan->ops[static_cast<std::size_t>(row)].outputs.empty();
        QCOMPARE(hasBadge, !makesNothing);
        cancelled += makesNothing ? 1 : 0;
    }
    QVERIFY(cancelled > 0);
}

MEMPLAN_WINDOW_TEST(TorchwrightWindowTest)
#include "tst_torchwright_window.moc"
