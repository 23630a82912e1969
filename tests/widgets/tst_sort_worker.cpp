// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of more than 50 000 rows are sorted by a worker (architecture 8.6), which never reads the source model.
#include "tests/support/program.h"
#include "widgets/plan/models/sort_filter.h"

#include <QAbstractItemModel>
#include <QAbstractTableModel>
#include <QApplication>
#include <QCoreApplication>
#include <QModelIndex>
#include <QSemaphore>
#include <QTest>
#include <QThread>
#include <QThreadPool>
#include <QTimer>

#include <atomic>
#include <memory>

using namespace memplan::ui;

namespace {

class Source final : public QAbstractTableModel {
public:
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kRows; }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1; }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        ++(QThread::currentThread() == thread() ? reads : readsElsewhere);
        if (isSlow && reads % 1000 == 0) QThread::msleep(1);  // 150 ms in all, of which a slice takes 8
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("row %1").arg(first - index.row())) : QVariant();
    }
    void change(int newFirst) {
        beginResetModel();
        first = newFirst;
        endResetModel();
    }
    static constexpr int kRows = 3 * SortFilterModel::kBackgroundRows;
    mutable std::atomic<int> reads = 0, readsElsewhere = 0;
    int first = kRows;
    bool isSlow = false;
};

}  // namespace

class SortWorkerTest : public QObject {
    Q_OBJECT

private slots:
    /// 8.11a: the window may change the source at any time.
    void source_isReadOnTheWindowThreadAlone() {
        Source source;
        SortFilterModel sorted;
        sorted.setRowFilter([&source](const QAbstractItemModel& model, int row) {
            return model.index(row, 0).data().isValid() && row < source.rowCount();
        });
        sorted.setTextFilter(QStringLiteral("row"));
        sorted.sort(0, Qt::AscendingOrder);
        sorted.setSourceModel(&source);
        QVERIFY(sorted.isBusy());
        QVERIFY(QTest::qWaitFor([&] { return !sorted.isBusy() && sorted.rowCount() == Source::kRows; }, 20000));
        QVERIFY(source.reads > 0);
        QCOMPARE(source.readsElsewhere.load(), 0);
        QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("row 1"));
    }
    /// Keys are copied in slices: events have their turn between them.
    void copying_leavesTheWindowFree() {
        Source source;
        source.isSlow = true;
        int turns = 0;  // of another timer while the copying goes on
        QTimer other;
        connect(&other, &QTimer::timeout, this, [&] { turns += source.reads > 0 && source.reads < Source::kRows; });
        other.start(0);
        SortFilterModel sorted;
        sorted.sort(0, Qt::AscendingOrder);
        sorted.setSourceModel(&source);
        QVERIFY(QTest::qWaitFor([&] { return source.reads >= Source::kRows; }, 20000));
        QVERIFY2(turns > 1, qPrintable(QString::number(turns)));
    }
    void changedSource_isSortedAnew() {
        Source source;
        SortFilterModel sorted;
        sorted.sort(0, Qt::AscendingOrder);
        sorted.setSourceModel(&source);
        QCoreApplication::processEvents();
        source.change(2 * Source::kRows);
        QVERIFY(QTest::qWaitFor([&] { return !sorted.isBusy() && sorted.rowCount() == Source::kRows; }, 20000));
        QCOMPARE(sorted.index(Source::kRows - 1, 0).data().toString(), QStringLiteral("row 300000"));
        QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("row 150001"));
    }
    /// A long compile can have every thread: neither the source nor the model waits for one.
    void goneModel_waitsForNobody() {
        QThreadPool& pool = *QThreadPool::globalInstance();
        pool.waitForDone();
        QSemaphore gate;
        std::atomic<int> ended = 0;
        for (int i = 0; i < pool.maxThreadCount(); ++i)
            pool.start([&gate, &ended] {
                (void)gate.tryAcquire(1, 5000);
                ++ended;
            });
        auto source = std::make_unique<Source>();
        {
            SortFilterModel sorted;
            sorted.sort(0, Qt::AscendingOrder);
            sorted.setSourceModel(source.get());
            QVERIFY(QTest::qWaitFor([&] { return source->reads >= Source::kRows; }, 20000));
        }
        source.reset();
        QCOMPARE(ended.load(), 0);
        gate.release(pool.maxThreadCount());
        QVERIFY(pool.waitForDone(20000));
    }
    /// Each letter of a filter stops the work for the one before.
    void laterFilter_replacesTheEarlier() {
        Source source;
        SortFilterModel sorted;
        sorted.setSourceModel(&source);
        sorted.setTextFilter(QStringLiteral("row 1"));
        sorted.setTextFilter(QStringLiteral("row 14999"));
        QVERIFY(QTest::qWaitFor([&] { return !sorted.isBusy() && sorted.rowCount() > 0; }, 20000));
        QCOMPARE(sorted.rowCount(), 11);  // 14 999 and 149 990 to 149 999
    }
};

MEMPLAN_WINDOW_TEST(SortWorkerTest)
#include "tst_sort_worker.moc"
