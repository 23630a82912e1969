// SPDX-License-Identifier: GPL-3.0-or-later
// Work on the thread pool that ends in an exception: it is reported on the window thread and does not end the program
// (user-experience 19.7). And the wheel over a page with lists and fields of its own.
#include "tests/support/plan_fixture.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "widgets/kit/controls/notices/fault.h"
#include "widgets/kit/controls/wheel_pass.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/models/sort_filter.h"
#include "widgets/views/gantt/geometry/gantt_build.h"
#include "widgets/views/gantt/paint/gantt_raster.h"

#include <QAbstractItemModel>
#include <QAbstractTableModel>
#include <QApplication>
#include <QComboBox>
#include <QFuture>
#include <QImage>
#include <QModelIndex>
#include <QPoint>
#include <QPointF>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QSpinBox>
#include <QSpontaneKeyEvent>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QThread>
#include <QVBoxLayout>
#include <QWheelEvent>
#include <QWidget>
#include <qtestspontaneevent.h>

#include <atomic>
#include <stdexcept>

using namespace memplan;
using namespace memplan::ui;

namespace {

/// As many rows as are sorted in the background.
class ManyRows final : public QAbstractTableModel {
public:
    using QAbstractTableModel::QAbstractTableModel;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : SortFilterModel::kBackgroundRows + 1;
    }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1; }
    [[nodiscard]] QVariant data(const QModelIndex& at, int role) const override {
        return role == Qt::DisplayRole ? QVariant(at.row()) : QVariant();
    }
};

/// A page that scrolls, with a list that scrolls itself.
struct ListInPage {
    ListInPage() {
        table->setModel(&model);
        table->setFixedHeight(120);
        column->addWidget(table);
        page->resize(200, 2000);
        area.resize(220, 200);
        area.setWidget(page);
        passWheelTo(&area);
    }
    QStandardItemModel model{40, 1};
    QScrollArea area;
    QWidget* page = new QWidget;
    QVBoxLayout* column = new QVBoxLayout(page);
    QTableView* table = new QTableView(page);
};

void wheelOver(QWidget& widget, int notches) {
    const QPointF at(widget.rect().center());
    QWheelEvent event(at, widget.mapToGlobal(at), {}, QPoint(0, -120 * notches), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QSpontaneKeyEvent::setSpontaneous(&event);  // others do not go on to the parents
    qApp->notify(&widget, &event);
}

}  // namespace

class TestFaults : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }
    void init();
    void cleanup() { setFaultReporter({}); }
    void inPool_givesTheValue_orReportsTheFault();
    void sorting_thatThrows_isReported();
    void raster_thatThrows_isReportedOnce();
    void memoryMap_thatThrows_isReported();
    void wheel_movesThePage_notWhatIsUnderIt();
    void wheel_focusedList_untilItsEnd();

private:
    QStringList reported_;
};

void TestFaults::init() {
    reported_.clear();
    setFaultReporter([this](const std::exception_ptr& fault) {
        QVERIFY(QThread::currentThread() == qApp->thread());
        try {
            std::rethrow_exception(fault);
        } catch (const std::exception& e) {
            reported_ << QString::fromUtf8(e.what());
        }
    });
}

void TestFaults::inPool_givesTheValue_orReportsTheFault() {
    QFuture<int> good = inPool([] { return 7; });
    QCOMPARE(good.result(), 7);
    QFuture<int> bad = inPool([]() -> int { throw std::runtime_error("bad"); });
    bad.waitForFinished();
    QCOMPARE(bad.resultCount(), 0);
    QTRY_COMPARE(reported_, QStringList{QStringLiteral("bad")});
}

void TestFaults::sorting_thatThrows_isReported() {
    ManyRows rows;
    SortFilterModel sorted;
    sorted.setSourceModel(&rows);
    QTRY_COMPARE(sorted.rowCount(), rows.rowCount());
    sorted.setRowFilter([](const QAbstractItemModel&, int row) -> bool {
        if (row == 100) throw std::runtime_error("row 100");
        return true;
    });
    QTRY_COMPARE(reported_, QStringList{QStringLiteral("row 100")});
    QTRY_VERIFY(!sorted.isBusy());  // the worker reports before it ends
    // The order before stays, and the next one is made.
    QCOMPARE(sorted.rowCount(), rows.rowCount());
    sorted.setRowFilter([](const QAbstractItemModel&, int row) { return row < 10; });
    QTRY_COMPARE(sorted.rowCount(), 10);
}

void TestFaults::raster_thatThrows_isReportedOnce() {
    GanttRaster raster;
    std::atomic<int> tries = 0;
    raster.setRenderer([&tries](const RasterRequest&) -> GanttRasterImage {
        ++tries;
        throw std::runtime_error("no picture");
    });
    // A view asks again with every repaint, and is asked to repaint when a picture is there.
    connect(&raster, &GanttRaster::ready, this, [&raster] { raster.request({}); });
    raster.request({});
    QTRY_COMPARE(reported_, QStringList{QStringLiteral("no picture")});
    QVERIFY(test::staysTrue([&] { return tries == 1; }, 100));
    QVERIFY(raster.current() == nullptr);
    raster.setRenderer([](const RasterRequest&) {
        return GanttRasterImage{QImage(4, 4, QImage::Format_ARGB32_Premultiplied), {}};
    });
    raster.clear();  // another plan
    raster.request({});
    QTRY_VERIFY(raster.current() != nullptr);
}

void TestFaults::memoryMap_thatThrows_isReported() {
    GanttBuild build(nullptr, [](PlanPtr) -> GanttModel { throw std::runtime_error("no map"); });
    QSignalSpy made(&build, &GanttBuild::made);
    build.start(fixture::synthetic(10));
    QTRY_COMPARE(reported_, QStringList{QStringLiteral("no map")});
    QTRY_VERIFY(!build.isRunning());
    build.finish();  // nothing is awaited any more
    QCOMPARE(made.count(), 0);
}

void TestFaults::wheel_movesThePage_notWhatIsUnderIt() {
    ListInPage w;
    // Made later, as the fields of the parameters are.
    auto* box = new QWidget(w.page);
    auto* inner = new QVBoxLayout(box);
    auto* spin = new QSpinBox(box);
    auto* combo = new QComboBox(box);
    combo->addItems({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("c")});
    inner->addWidget(spin);
    inner->addWidget(combo);
    w.column->addWidget(box);
    w.area.show();
    QVERIFY(QTest::qWaitForWindowExposed(&w.area));
    w.area.setFocus();
    spin->setValue(5);
    combo->setCurrentIndex(0);
    int before = w.area.verticalScrollBar()->value();
    for (QWidget* under : {w.table->viewport(), static_cast<QWidget*>(spin), static_cast<QWidget*>(combo)}) {
        wheelOver(*under, 1);
        QVERIFY2(w.area.verticalScrollBar()->value() > before, under->metaObject()->className());
        before = w.area.verticalScrollBar()->value();
    }
    QCOMPARE(w.table->verticalScrollBar()->value(), 0);
    QCOMPARE(spin->value(), 5);
    QCOMPARE(combo->currentIndex(), 0);
}

void TestFaults::wheel_focusedList_untilItsEnd() {
    ListInPage w;
    w.column->addStretch(1);
    w.area.show();
    w.area.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.area));
    w.table->setFocus();
    QVERIFY(w.table->hasFocus());
    wheelOver(*w.table->viewport(), 1);
    QVERIFY(w.table->verticalScrollBar()->value() > 0);
    QCOMPARE(w.area.verticalScrollBar()->value(), 0);
    w.table->verticalScrollBar()->setValue(w.table->verticalScrollBar()->maximum());
    wheelOver(*w.table->viewport(), 1);
    QVERIFY(w.area.verticalScrollBar()->value() > 0);
}

MEMPLAN_WINDOW_TEST(TestFaults)
#include "tst_faults.moc"
