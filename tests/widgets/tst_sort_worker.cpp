// SPDX-License-Identifier: GPL-3.0-or-later
// Tables of more than 50 000 rows are sorted by a worker (architecture 8.6), which reads the source model: it has
// ended before the source changes or goes.
#include "widgets/plan/models/sort_filter.h"

#include <QAbstractTableModel>
#include <QSemaphore>
#include <QThread>
#include <QThreadPool>
#include <QtTest>

#include <atomic>
#include <memory>

using namespace memplan::ui;

namespace {

/// What happened to a source; outlives it.
struct Record {
    std::atomic<bool> isQuiet = false;  ///< nobody may read the source
    std::atomic<int> reads = 0;
    std::atomic<int> readsWhileQuiet = 0;
};

class Source final : public QAbstractTableModel {
public:
    explicit Source(std::shared_ptr<Record> record) : record_(std::move(record)) {}
    ~Source() override { record_->isQuiet = true; }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kRows; }
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : 1; }
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override {
        if (QThread::currentThread() != thread()) {
            ++record_->reads;
            if (record_->isQuiet) ++record_->readsWhileQuiet;
        }
        return role == Qt::DisplayRole ? QVariant(QStringLiteral("row %1").arg(kRows - index.row())) : QVariant();
    }
    /// Another content: what is being replaced must not be read.
    void change() {
        beginResetModel();
        record_->isQuiet = true;
        QThread::msleep(50);
        record_->isQuiet = false;
        endResetModel();
    }
    static constexpr int kRows = 3 * SortFilterModel::kBackgroundRows;

private:
    std::shared_ptr<Record> record_;
};

bool waitForWorker(const Record& record) {
    return QTest::qWaitFor([&] { return record.reads > 0; }, 10000);
}

}  // namespace

class SortWorkerTest : public QObject {
    Q_OBJECT

private slots:
    void changedSource_isNotReadMeanwhile() {
        const auto record = std::make_shared<Record>();
        Source source(record);
        SortFilterModel sorted;
        sorted.sort(0, Qt::AscendingOrder);
        sorted.setSourceModel(&source);
        QVERIFY(waitForWorker(*record));
        source.change();
        QCOMPARE(record->readsWhileQuiet.load(), 0);
        QVERIFY(QTest::qWaitFor([&] { return !sorted.isBusy() && sorted.rowCount() == Source::kRows; }, 20000));
        QCOMPARE(sorted.index(0, 0).data().toString(), QStringLiteral("row 1"));
    }
    void goneSource_isNotReadAnyMore() {
        const auto record = std::make_shared<Record>();
        auto source = std::make_unique<Source>(record);
        {
            SortFilterModel sorted;
            sorted.setSourceModel(source.get());
            sorted.setTextFilter(QStringLiteral("7"));
            QVERIFY(waitForWorker(*record));
        }
        record->isQuiet = true;
        QTest::qWait(100);
        QCOMPARE(record->readsWhileQuiet.load(), 0);
    }
    /// A long compile can have every thread: the window does not wait for it.
    void workThatHasNotBegun_isNotWaitedFor() {
        QThreadPool& pool = *QThreadPool::globalInstance();
        pool.waitForDone();
        QSemaphore gate;
        std::atomic<int> ended = 0;
        for (int i = 0; i < pool.maxThreadCount(); ++i)
            pool.start([&gate, &ended] {
                (void)gate.tryAcquire(1, 5000);
                ++ended;
            });
        const auto record = std::make_shared<Record>();
        Source source(record);
        SortFilterModel sorted;
        sorted.setSourceModel(&source);
        QVERIFY(sorted.isBusy());
        sorted.stopWorker();
        QCOMPARE(ended.load(), 0);
        QVERIFY(!sorted.isBusy());
        record->isQuiet = true;
        gate.release(pool.maxThreadCount());
        QVERIFY(pool.waitForDone(20000));
        QCOMPARE(record->readsWhileQuiet.load(), 0);
        // What comes later has its turn.
        record->isQuiet = false;
        sorted.setTextFilter(QStringLiteral("row 14999"));
        QVERIFY(QTest::qWaitFor([&] { return !sorted.isBusy() && sorted.rowCount() == 11; }, 20000));
    }
    /// Each letter of a filter stops the work for the one before.
    void laterFilter_replacesTheEarlier() {
        const auto record = std::make_shared<Record>();
        Source source(record);
        SortFilterModel sorted;
        sorted.setSourceModel(&source);
        sorted.setTextFilter(QStringLiteral("row 1"));
        sorted.setTextFilter(QStringLiteral("row 14999"));
        QVERIFY(QTest::qWaitFor([&] { return !sorted.isBusy() && sorted.rowCount() > 0; }, 20000));
        QCOMPARE(sorted.rowCount(), 11);  // 14 999 and 149 990 to 149 999
    }
};

QTEST_MAIN(SortWorkerTest)
#include "tst_sort_worker.moc"
