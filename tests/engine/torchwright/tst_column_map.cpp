// SPDX-License-Identifier: Apache-2.0
// Columns and their owners (torchwright.md 8), against a plain model.
#include "engine/torchwright/scheduler/column_map.h"
#include "tests/support/program.h"

#include <QTest>

#include <map>
#include <random>
#include <set>

using namespace memplan::torchwright;

class TestColumnMap : public QObject {
    Q_OBJECT

private slots:
    void lowestFreeColumns_areGiven() {
        ColumnMap map(130, 4);
        QVERIFY(map.allocate({0}, 60));
        QVERIFY(map.allocate({1}, 10));
        QVERIFY(map.allocate({2}, 5));
        map.release({1});
        QVERIFY(map.allocate({3}, 12));
        QCOMPARE(map.of({3}).runs(), (std::vector<ColumnRun>{{60, 10}, {75, 2}}));
        QCOMPARE(map.occupied(), 77);
        QVERIFY(!map.allocate({1}, 54));
        QVERIFY(!map.owns({1}));
        QVERIFY(map.allocate({1}, 53));
        QCOMPARE(map.freeCount(), 0);
    }

    void newOwner_takesTheColumnsOver() {
        ColumnMap map(8, 2);
        QVERIFY(map.allocate({0}, 3));
        map.reassign({0}, {1});
        QVERIFY(!map.owns({0}));
        QCOMPARE(map.of({1}).runs(), (std::vector<ColumnRun>{{0, 3}}));
        QCOMPARE(map.freeCount(), 5);
    }

    void dirtyColumns_becomeClean_andStayClean() {
        ColumnMap map(8, 2);
        QVERIFY(map.allocate({0}, 4));
        QCOMPARE(map.dirtyAmong(map.of({0})).size(), 4);
        map.markClean(map.of({0}));
        map.release({0});
        QVERIFY(map.allocate({1}, 6));
        QCOMPARE(map.dirtyAmong(map.of({1})).runs(), (std::vector<ColumnRun>{{4, 2}}));
        map.markAllClean();
        QVERIFY(map.dirtyAmong(map.of({1})).empty());
    }

    void runs_followComponents() {
        ColumnList list;
        for (const int column : {4, 5, 9, 8, 10})
            list.append(column);
        QCOMPARE(list.runs(), (std::vector<ColumnRun>{{4, 2}, {9, 1}, {8, 1}, {10, 1}}));
        ColumnList more;
        more.append(11);
        list.append(more);
        QCOMPARE(list.runs().back(), (ColumnRun{10, 2}));
        QCOMPARE(list.expanded(), (std::vector<Columns>{4, 5, 9, 8, 10, 11}));
    }

    void randomUse_keepsEveryColumnOnce() {
        constexpr Columns kColumns = 200;
        std::mt19937 random(3);
        ColumnMap map(kColumns, 40);
        std::map<int, std::vector<Columns>> model;
        for (int round = 0; round < 5000; ++round) {
            const int owner = static_cast<int>(random() % 40);
            if (model.contains(owner)) {
                map.release({owner});
                model.erase(owner);
            } else if (map.allocate({owner}, static_cast<Columns>(1 + random() % 20))) {
                model[owner] = map.of({owner}).expanded();
            }
            std::set<Columns> owned;
            std::size_t count = 0;
            for (const auto& [id, columns] : model) {
                owned.insert(columns.begin(), columns.end());
                count += columns.size();
            }
            QCOMPARE(owned.size(), count);
            QCOMPARE(map.occupied(), static_cast<Columns>(count));
        }
    }
};

MEMPLAN_TEST(TestColumnMap)
#include "tst_column_map.moc"
