// SPDX-License-Identifier: GPL-3.0-or-later
// The Gantt of 100 000 buffers (user-experience 7, 20): whole, selectable, exportable. What it takes is measured by
// bench_views.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/canvas/view_picture.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/gantt/gantt_pane.h"

#include <QApplication>
#include <QCoreApplication>
#include <QImage>
#include <QPointF>
#include <QSignalSpy>
#include <QSize>
#include <QTest>
#include <QThreadPool>

#include <memory>

using namespace memplan;
using namespace memplan::ui;

namespace {

constexpr QSize kScreen(1920, 1080);
constexpr int kBuffers = 100'000;

/// The whole plan over the whole screen.
struct LargeView {
    explicit LargeView(const PlanPtr& plan) : view(&hub) {
        view.resize(kScreen);
        hub.setPlan(plan);
        view.fitAll();
    }
    SelectionHub hub;
    GanttView view;
};

qsizetype itemsIn(const QByteArray& svg, const char* kind) {
    return svg.count(QByteArray("id=\"") + kind);
}

}  // namespace

class TestGanttLarge : public QObject {
    Q_OBJECT
private slots:
    void initTestCase();
    void build_placesEveryBuffer();
    void selection_isSeen();
    void png_hasTheSizeAskedFor();
    void vectors_keepEveryRectangleOnlyWhenForced();
    void lane_mergesBarsThatCannotBeTold();
    void plan_isMadeByAWorker();
    void anotherPlan_dropsTheOneUnderWay();
    void view_mayGoWhileTheWorkerIsBusy();
    void picture_waitsForTheWorker();
    void picture_leavesTheNewPlanItsZoom_andItsSignals();

private:
    PlanPtr plan_;
};

void TestGanttLarge::initTestCase() {
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
    plan_ = fixture::synthetic(kBuffers);
}

void TestGanttLarge::build_placesEveryBuffer() {
    std::size_t placed = 0;
    for (const PlanBuffer& b : plan_->buffers)
        placed += b.address ? 1U : 0U;
    QVERIFY(placed > 90'000);
    QCOMPARE(buildGanttData(plan_)->placedCount(), placed);
}

void TestGanttLarge::selection_isSeen() {
    LargeView large(plan_);
    QImage before(kScreen, QImage::Format_RGB32);
    large.view.render(&before);
    QTRY_VERIFY(large.view.isSettled());  // the worker's raster is there
    large.view.render(&before);
    QImage after(kScreen, QImage::Format_RGB32);
    large.hub.select({ItemKind::Buffer, 50'000});
    large.view.render(&after);
    QVERIFY(before != after);
    large.hub.clearSelection();
    large.view.render(&after);
    QCOMPARE(after, before);
}

void TestGanttLarge::png_hasTheSizeAskedFor() {
    LargeView large(plan_);
    PictureRequest request;
    request.size = kScreen;
    request.scale = 2.0;
    const QImage picture = QImage::fromData(picturePng(large.view, request), "PNG");
    QCOMPARE(picture.size(), kScreen * 2);
}

/// An image unless it is forced, and the size that the export names is about right (17.2).
void TestGanttLarge::vectors_keepEveryRectangleOnlyWhenForced() {
    LargeView large(plan_);
    PictureRequest request;
    request.size = kScreen;
    const std::size_t dense = large.view.denseShapes(kScreen);
    QVERIFY(dense > 90'000);
    QVERIFY(itemsIn(pictureSvg(large.view, request), "buffer:") == 0);
    RenderOptions render;
    render.allShapes = true;
    const RenderOptionsScope rendering(large.view, render);
    const QByteArray svg = pictureSvg(large.view, request), pdf = picturePdf(large.view, request);
    QVERIFY(itemsIn(svg, "buffer:") > 90'000);
    const double perSvg = static_cast<double>(svg.size()) / static_cast<double>(dense),
                 perPdf = static_cast<double>(pdf.size()) / static_cast<double>(dense);
    qInfo("bytes a rectangle: SVG %.0f, PDF %.1f", perSvg, perPdf);
    QVERIFY(perSvg > 0.7 * kSvgShapeBytes && perSvg < 1.4 * kSvgShapeBytes);
    QVERIFY(perPdf > 0.7 * kPdfShapeBytes && perPdf < 1.4 * kPdfShapeBytes);
}

void TestGanttLarge::lane_mergesBarsThatCannotBeTold() {
    auto refused = std::make_shared<Plan>(*fixture::synthetic(30'000));
    for (PlanBuffer& b : refused->buffers) {
        b.address.reset();
        b.space = MemorySpace::Hbm;
        b.reason = Reason{};
        b.reason->code = ReasonCode::NoRoom;
    }
    LargeView large(refused);
    PictureRequest request;
    request.size = kScreen;
    QVERIFY(large.view.denseShapes(kScreen) > 29'000);
    const qsizetype merged = itemsIn(pictureSvg(large.view, request), "off-chip:");
    QVERIFY2(merged > 100 && merged < 20'000, qPrintable(QString::number(merged)));
    RenderOptions render;
    render.allShapes = true;
    const RenderOptionsScope rendering(large.view, render);
    QVERIFY(itemsIn(pictureSvg(large.view, request), "off-chip:") > 29'000);
}

/// A.4: the window's thread goes on, and nothing of the plan can be hit until it is there.
void TestGanttLarge::plan_isMadeByAWorker() {
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(kScreen);
    QCoreApplication::processEvents();
    QSignalSpy arrived(&view, &GanttView::dataChanged);
    hub.setPlan(plan_);
    QVERIFY(!view.isSettled());
    QVERIFY(view.ganttData()->plan == nullptr && view.legend().empty());
    QVERIFY(!view.itemAt(QPointF(900, 500)));
    QVERIFY(view.grab().size() == kScreen);  // the frame
    QVERIFY(arrived.wait(20000));
    QVERIFY(view.isSettled());
    QCOMPARE(view.ganttData()->plan, plan_);
    QVERIFY(view.viewport().x.isFitted() && !view.legend().empty());
    // A small one is there at once.
    hub.setPlan(fixture::softmaxStage4());
    QVERIFY(view.isSettled() && view.ganttData()->plan == hub.plan());
}

void TestGanttLarge::anotherPlan_dropsTheOneUnderWay() {
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(kScreen);
    QCoreApplication::processEvents();
    QSignalSpy arrived(&view, &GanttView::dataChanged);
    const PlanPtr other = fixture::synthetic(40'000, 3);
    hub.setPlan(plan_);
    hub.setPlan(other);
    QVERIFY(arrived.wait(20000));
    QCOMPARE(view.ganttData()->plan, other);
    hub.setPlan(plan_);
    hub.setPlan(fixture::softmaxStage4());
    QVERIFY(view.isSettled());
    QVERIFY(QThreadPool::globalInstance()->waitForDone(20000));
    QCoreApplication::processEvents();
    QCOMPARE(view.ganttData()->plan, hub.plan());
    QCOMPARE(arrived.size(), 1);
}

void TestGanttLarge::view_mayGoWhileTheWorkerIsBusy() {
    SelectionHub hub;
    auto view = std::make_unique<GanttView>(&hub);
    view->resize(kScreen);
    hub.setPlan(plan_);
    QVERIFY(!view->isSettled());
    view.reset();
    QVERIFY(QThreadPool::globalInstance()->waitForDone(20000));
    QCoreApplication::processEvents();
}

void TestGanttLarge::picture_waitsForTheWorker() {
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(kScreen);
    QCoreApplication::processEvents();
    PictureRequest request;
    request.size = kScreen;
    RenderOptions render;
    render.scope = RenderOptions::Scope::All;
    const auto picture = [&] {
        const RenderOptionsScope rendering(view, render);
        return picturePng(view, request);
    };
    hub.setPlan(plan_);
    QVERIFY(!view.isSettled());
    const QByteArray atOnce = picture();
    QVERIFY(view.isSettled());
    QCOMPARE(atOnce, picture());
    QCOMPARE(view.ganttData()->plan, plan_);
}

/// What arrives because a picture was asked for is as if it had arrived by itself.
void TestGanttLarge::picture_leavesTheNewPlanItsZoom_andItsSignals() {
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(kScreen);
    hub.setPlan(fixture::synthetic(200));
    Viewport zoomed = view.viewport();
    zoomed.x = zoomed.x.fittedTo(1, 3);
    view.setViewport(zoomed, false);
    hub.setPlan(plan_);
    QVERIFY(!view.isSettled());
    QSignalSpy data(&view, &GanttView::dataChanged);
    { const RenderOptionsScope rendering(view, RenderOptions()); }
    QCOMPARE(data.count(), 1);
    const Viewport seen = view.viewport();
    view.fitAll();
    QVERIFY(view.viewport() == seen);
}

MEMPLAN_WINDOW_TEST(TestGanttLarge)
#include "tst_gantt_large.moc"
