// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of two plans in the window (user-experience 16).
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/compare_pair.h"
#include "app/gui/features/compare/whatif_controller.h"
#include "app/gui/features/export/export_source.h"
#include "app/gui/workspace/workspace.h"
#include "engine/io/plan/plan_json.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/kit/controls/chip.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/tools/compare/change_model.h"
#include "widgets/tools/compare/changes_view.h"
#include "widgets/tools/compare/compare_header.h"
#include "widgets/tools/compare/compare_picture.h"
#include "widgets/tools/whatif/whatif_panel.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/gantt/look/gantt_overlay.h"

#include <QAbstractItemModel>
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QIODevice>
#include <QLabel>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

using namespace memplan;
using namespace memplan::app;

class CompareTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void init();
    void cleanup() { window_.reset(); }
    void showsOutcomeChangesAndTheOtherMap();
    void selectionGoesToThePartner();
    void swap_twice_isWhereItWas();
    void file_isTheBaseline();
    void planOfAnotherInput_isSaidSo();
    void planOfAnotherMachine_isSeenInItsOwnMemory();
    void brokenFile_saysWhy();
    void beforeMyChanges_findsThePlanOfTheHistory();
    void filter_residencyOnly();
    void anotherComparison_hasMoreRows();
    void perspective_keepsIt();
    void planOnScreenIsA_keepsA();
    void afterKeep_theTrialIsB();
    void otherInputsOnScreen_exportTheCurrentPlan();
    void pictureIsTheSameTwice();
    void lateWorker_doesNotReplaceTheChoice();
    void anotherDocument_hasAPairOfItsOwn();

private:
    [[nodiscard]] ui::GanttView& gantt() const {
        return *qobject_cast<ui::GanttView*>(window_->workspace().view(QStringLiteral("gantt")));
    }
    template <class T> [[nodiscard]] T& part() const { return *window_->findChild<T*>(); }
};

void CompareTest::init() {
    window_ = std::make_unique<MainWindow>(samples_);
    window_->openSample(*io::findSample(samples_, "S1"));
    QVERIFY(settled());
    QCOMPARE(document().plans().size(), std::size_t{4});
    QCOMPARE(document().currentIndex(), 3);
}

void CompareTest::showsOutcomeChangesAndTheOtherMap() {
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    auto& controller = part<CompareController>();
    QVERIFY(controller.isOn() && controller.comparison());
    QCOMPARE(controller.comparison()->a, document().plans()[2].plan);
    QCOMPARE(controller.comparison()->b, document().plans()[3].plan);
    QVERIFY(!controller.comparison()->result.changes.empty());
    const auto& changes = part<ui::ChangesView>();
    QCOMPARE(changes.shownCount(), static_cast<int>(controller.comparison()->result.changes.size()));
    QVERIFY(gantt().toggles().overlay != nullptr);
    QVERIFY(gantt().scopeText().contains(QStringLiteral("dashed")));
    for (QAbstractItemModel* model : changes.findChildren<QAbstractItemModel*>())
        QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    QVERIFY(!controller.isOn());
    QVERIFY(gantt().toggles().overlay == nullptr);
    QCOMPARE(changes.shownCount(), 0);
}

void CompareTest::selectionGoesToThePartner() {
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(0);
    QVERIFY(controller.isOn());
    const auto& match = controller.comparison()->result.match;
    BufferId inB;
    for (std::size_t i = 0; i < match.buffers.inA.size(); ++i)
        if (match.buffers.inA[i].isValid() && match.buffers.inA[i].index != static_cast<int>(i)) inB = BufferId::of(i);
    if (!inB.isValid()) inB = BufferId::of(0);
    ui::SelectionHub& hub = window_->controller().hub();
    hub.select(ui::ItemId::of(inB));
    hub.setTimeCursor(2);
    ui::GanttView* other = nullptr;
    for (ui::GanttView* view : window_->findChildren<ui::GanttView*>())
        if (view != &gantt()) other = view;
    QVERIFY(other != nullptr);
    QCOMPARE(other->plan(), document().plans()[0].plan);
    QCOMPARE(other->hub()->primary(), std::optional(ui::ItemId::of(match.buffers.inA[inB.at()])));
    QCOMPARE(other->hub()->timeCursor(), std::optional<Step>(2));
    other->hub()->clearSelection();
    QVERIFY(hub.selection().empty());
}

void CompareTest::swap_twice_isWhereItWas() {
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(0);
    const QString outcome = QString::fromStdString(controller.comparison()->result.outcome);
    QVERIFY(window_->trigger(QStringLiteral("compare.swap")));
    QCOMPARE(document().currentIndex(), 0);
    QCOMPARE(controller.comparison()->a, document().plans()[3].plan);
    QVERIFY(QString::fromStdString(controller.comparison()->result.outcome) != outcome);
    controller.pair().swap();
    QCOMPARE(QString::fromStdString(controller.comparison()->result.outcome), outcome);
}

void CompareTest::file_isTheBaseline() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("before.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(io::writePlanJson(*document().plans()[0].plan)));
    file.close();
    auto& controller = part<CompareController>();
    controller.pair().compareWithFile(file.fileName());
    QVERIFY(QTest::qWaitFor([&] { return controller.comparison() != nullptr; }, 20000));
    QCOMPARE(controller.comparison()->nameA, QStringLiteral("before.json"));
    QVERIFY(controller.comparison()->result.match.isSameInput);
    QCOMPARE(document().plans().size(), std::size_t{4});  // a file is no plan of the history until it is swapped
}

void CompareTest::planOfAnotherInput_isSaidSo() {
    const QTemporaryDir folder;
    Plan other = *document().plans()[0].plan;
    other.input.path = "elsewhere/graph.json";
    other.input.sha256 = std::string(64, '0');
    QFile file(folder.filePath(QStringLiteral("other.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(QByteArray::fromStdString(io::writePlanJson(other)));
    file.close();
    auto& controller = part<CompareController>();
    const auto* strip = controller.header()->findChild<ui::Strip*>(QStringLiteral("compareUnlike"));
    controller.pair().compareWithPlan(0);
    QVERIFY(strip->isHidden());
    const auto alike = controller.comparison();
    controller.pair().compareWithFile(file.fileName());
    QVERIFY(QTest::qWaitFor([&] { return controller.comparison() != alike; }, 20000));
    QVERIFY(!strip->isHidden());
    QVERIFY2(strip->text().contains(QStringLiteral("different inputs (elsewhere/graph.json, ")),
             qPrintable(strip->text()));
    const auto heightOf = [](const ui::ComparedPtr& compared) {
        return ui::ComparePicture(compared, {}).pictureSize().height();
    };
    const auto same = std::make_shared<ui::Compared>(*controller.comparison());
    same->result.unlike.clear();
    QVERIFY2(heightOf(controller.comparison()) > heightOf(same), "the picture has a line for it");
    controller.pair().compareWithPlan(0);
    QVERIFY(strip->isHidden());
}

/// Either plan stands in the view of its own machine's memory: in that of the other it would be empty.
void CompareTest::planOfAnotherMachine_isSeenInItsOwnMemory() {
    window_->resize(1400, 900);
    window_->show();
    document().changeTarget("ttnn");
    window_->controller().compileNow();
    QVERIFY(settled());
    QCOMPARE(document().current()->plan->target, TargetId("ttnn"));
    part<CompareController>().setOn(true);
    const auto shownViews = [this](const char* target) {
        QStringList keys;
        for (const ui::GraphicView* view : window_->findChildren<ui::GraphicView*>())
            if (view->isVisible() && view->plan() && view->plan()->target == target) keys << view->objectName();
        return keys;
    };
    QTRY_COMPARE(shownViews("spyre"), QStringList{gantt().objectName()});
    QCOMPARE(shownViews("ttnn"), QStringList{window_->workspace().view(QStringLiteral("chains"))->objectName()});
    QVERIFY(window_->trigger(QStringLiteral("compare.swap")));
    QTRY_COMPARE(shownViews("ttnn"), QStringList{window_->workspace().view(QStringLiteral("chains"))->objectName()});
    QCOMPARE(shownViews("spyre"), QStringList{gantt().objectName()});
}

void CompareTest::brokenFile_saysWhy() {
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{\"format\":\"memplan-plan\",");
    file.close();
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(0);
    const auto before = controller.comparison();
    controller.pair().compareWithFile(file.fileName());
    auto* outcome = controller.header()->findChild<QLabel*>(QStringLiteral("compareOutcome"));
    QVERIFY(QTest::qWaitFor([&] { return outcome->text().startsWith(QStringLiteral("broken.json:")); }, 20000));
    QCOMPARE(controller.comparison(), before);
}

void CompareTest::beforeMyChanges_findsThePlanOfTheHistory() {
    window_->controller().setAutomatic(false);
    const PlanPtr saved = document().current()->plan;
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    window_->controller().compileNow();
    QVERIFY(settled());
    QVERIFY(document().current()->plan != saved);
    auto& controller = part<CompareController>();
    controller.pair().compareWithSaved();
    QVERIFY(QTest::qWaitFor([&] { return controller.comparison() != nullptr; }, 20000));
    QCOMPARE(controller.comparison()->a->settings.integer("spyre.cores"), std::int64_t{1});
    QVERIFY(controller.comparison()->result.count(compare::ChangeKind::SplitChanged) > 0);
}

void CompareTest::filter_residencyOnly() {
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(0);
    auto& changes = part<ui::ChangesView>();
    changes.residencyOnly()->setChecked(true);
    const auto& c = *controller.comparison();
    const auto wanted = std::count_if(c.result.changes.begin(), c.result.changes.end(), [&](const compare::Change& x) {
        return compare::isResidencyChange(x, *c.a, *c.b);
    });
    QVERIFY(wanted > 0);
    QCOMPARE(changes.shownCount(), static_cast<int>(wanted));
}

/// A filter is of the comparison it was made for: one with more rows is asked by its own.
void CompareTest::anotherComparison_hasMoreRows() {
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(0);
    const ui::ComparedPtr many = controller.comparison();
    QVERIFY(!many->result.changes.empty());
    auto none = std::make_shared<ui::Compared>(*many);
    none->result.changes = std::vector<compare::Change>();  // nothing behind its end
    ui::ChangesView changes(&window_->controller().hub());
    for (int i = 0; i < 2; ++i) {
        changes.setComparison(none);
        QCOMPARE(changes.shownCount(), 0);
        changes.setComparison(many);
        QCOMPARE(changes.shownCount(), static_cast<int>(many->result.changes.size()));
    }
}

/// Another perspective has other docks and another centre; what is compared in it stays.
void CompareTest::perspective_keepsIt() {
    window_->resize(1600, 1000);
    window_->show();
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(0);
    const ui::ComparedPtr before = controller.comparison();
    const QWidget* mapOfA = window_->findChild<QWidget*>(QStringLiteral("ganttPaneOfA"));
    const QDockWidget* changes = window_->findChild<QDockWidget*>(QStringLiteral("compareDock"));
    for (const char* perspective :
         {"view.perspective2", "view.perspective3", "view.perspective4", "view.perspective1"}) {
        QVERIFY(window_->trigger(QString::fromLatin1(perspective)));
        QVERIFY(controller.isOn());
        QCOMPARE(controller.comparison()->a, before->a);
        QCOMPARE(controller.comparison()->b, before->b);
        QVERIFY(controller.header()->isVisible() && !changes->isHidden());
        const bool hasCentre = window_->workspace().isVisible();
        QCOMPARE(hasCentre, QLatin1String(perspective) != QLatin1String("view.perspective3"));
        QCOMPARE(mapOfA->isVisible(), hasCentre);
        QCOMPARE(gantt().isVisible(), hasCentre);
        takePicture(*window_, QStringLiteral("compare-in-") + QString::fromLatin1(perspective));
    }
    QVERIFY(window_->trigger(QStringLiteral("view.perspective2")));
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    QVERIFY(!controller.isOn() && changes->isHidden());
    QCOMPARE(window_->workspace().arrangement(), Workspace::Arrangement::MemoryOnly);
    QVERIFY(gantt().toggles().overlay == nullptr);
}

void CompareTest::planOnScreenIsA_keepsA() {
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(1);
    document().setCurrent(1);
    QCOMPARE(controller.comparison()->a, document().plans()[1].plan);
    QCOMPARE(controller.comparison()->b, document().plans()[1].plan);
    QVERIFY(controller.comparison()->result.changes.empty());
    document().setCurrent(2);
    QCOMPARE(controller.comparison()->a, document().plans()[1].plan);
    QCOMPARE(controller.comparison()->b, document().plans()[2].plan);
}

/// The only plan is the baseline of what was tried on it, and is on screen again afterwards.
void CompareTest::afterKeep_theTrialIsB() {
    window_->controller().open(sampleRequest(*io::findSample(samples_, "S2")));
    QVERIFY(QTest::qWaitFor([&] { return document().plans().size() == 1 && document().state() == PlanState::Fresh; }));
    auto& trial = part<WhatIfController>();
    const PlanPtr own = document().current()->plan;
    trial.panel()->findChild<QSlider*>(QStringLiteral("whatIfCores"))->setValue(2);
    QVERIFY(QTest::qWaitFor([&] { return trial.isOn(); }, 20000));
    trial.keep();
    const PlanPtr kept = document().plans().back().plan;
    QCOMPARE(document().current()->plan, own);
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    auto& controller = part<CompareController>();
    QCOMPARE(controller.comparison()->a, own);
    QCOMPARE(controller.comparison()->b, kept);
    QCOMPARE(window_->findChild<QLabel*>(QStringLiteral("statusState"))->text(), QStringLiteral("comparing"));
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    QCOMPARE(document().current()->plan, own);
    QCOMPARE(document().state(), PlanState::Fresh);
}

/// A plan of other settings stands beside that of the document: nothing of the document is old, and its own plan is
/// what an export has.
void CompareTest::otherInputsOnScreen_exportTheCurrentPlan() {
    window_->controller().open(sampleRequest(*io::findSample(samples_, "S2")));
    QVERIFY(QTest::qWaitFor([&] { return document().plans().size() == 1 && document().state() == PlanState::Fresh; }));
    const PlanPtr own = document().current()->plan;
    auto& trial = part<WhatIfController>();
    trial.panel()->findChild<QSlider*>(QStringLiteral("whatIfCores"))->setValue(2);
    QVERIFY(QTest::qWaitFor([&] { return trial.isOn(); }, 20000));
    trial.keep();
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    QVERIFY(part<CompareController>().comparison()->b != own);
    QVERIFY(window_->controller().hub().plan() != own);
    QCOMPARE(document().state(), PlanState::Fresh);
    const ExportSource source(window_->controller(), window_->workspace(),
                              window_->workspace().view(QStringLiteral("gantt")));
    QVERIFY(!source.isStale(ExportWhat::Plan) && !source.isStale(ExportWhat::CurrentView));
    const auto files = source.files(ExportWhat::Plan, {});
    QCOMPARE(files.size(), std::size_t{1});
    const auto written = files.front().make();
    QVERIFY(written);
    QVERIFY(written.value().contains(own->planHash.c_str()));
    QVERIFY(!written.value().contains("EXP-001"));
    QVERIFY(window_->trigger(QStringLiteral("file.export")));
    QVERIFY(window_->findChild<QWidget*>(QStringLiteral("exportOld"))->isHidden());
}

void CompareTest::pictureIsTheSameTwice() {
    auto& controller = part<CompareController>();
    controller.setOn(true);
    const ui::ComparePicture picture(controller.comparison(), {&gantt(), &gantt(), {}});
    ui::PictureRequest request;
    request.size = picture.pictureSize();
    QCOMPARE(ui::picturePdf(picture, request), ui::picturePdf(picture, request));
    QVERIFY(ui::pictureSvg(picture, request).contains(controller.comparison()->result.changes.front().item.c_str()));
}

/// Plans of many buffers are compared by a worker; who chose another A meanwhile sees that one.
void CompareTest::lateWorker_doesNotReplaceTheChoice() {
    Document& document = *window_->controller().document();
    const PlanPtr small = document.plans().front().plan;
    const auto large = std::make_shared<Plan>(*small);
    for (int i = 0; i < 6000; ++i) {
        large->buffers.push_back(small->buffers.front());
        large->buffers.back().name = "more" + std::to_string(i);
    }
    const int current = document.currentIndex(), at = static_cast<int>(document.plans().size());
    document.addPlan(large, QStringLiteral("large"));
    document.setCurrent(current);
    CompareController& comparing = window_->comparing();
    comparing.pair().compareWithPlan(at);
    QVERIFY(comparing.isOn());
    QVERIFY(comparing.comparison() == nullptr || comparing.comparison()->a != large);  // on its way
    comparing.pair().compareWithPlan(0);
    QVERIFY(comparing.comparison() != nullptr);
    QCOMPARE(comparing.comparison()->a, small);
    const auto* task = comparing.findChild<LongTask*>(QString(), Qt::FindDirectChildrenOnly);
    QVERIFY(task != nullptr && QTest::qWaitFor([task] { return !task->isRunning(); }, 20000));
    QTest::qWait(200);  // nothing comes that could be awaited
    QCOMPARE(comparing.comparison()->a, small);
}

void CompareTest::anotherDocument_hasAPairOfItsOwn() {
    auto& controller = part<CompareController>();
    controller.pair().compareWithPlan(0);
    const Document* before = &document();
    window_->openSample(*io::findSample(samples_, "S1"));
    QVERIFY(QTest::qWaitFor([&] { return window_->controller().document() != before; }));
    QVERIFY(settled());
    QVERIFY(!controller.isOn());
    QVERIFY(window_->trigger(QStringLiteral("plan.compare")));
    QCOMPARE(controller.comparison()->a, document().plans()[2].plan);
    QCOMPARE(controller.comparison()->b, document().plans()[3].plan);
}

MEMPLAN_WINDOW_TEST(CompareTest)
#include "tst_comparison.moc"
