// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay from a CSV: reading, faults with line and fix, and the graph view that shows it.
#include "tests/support/program.h"
#include "tests/widgets/graph/graph_plans.h"
#include "tests/widgets/graph/graph_window.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/graph/value_column.h"

#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QIODevice>
#include <QTemporaryDir>
#include <QTest>

using namespace memplan;
using namespace memplan::ui;

using fixture::GraphWindow;

class TestValueColumn : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light))); }

    void read_headsQuotesAndBlankLines() {
        QString error;
        const auto column =
            readValueColumn(QStringLiteral("op,ns\r\n\r\n\"a,\"\"b\",12.5\r\nexp, 3\r\nexp,-4e3\n"), error);
        QVERIFY2(column.has_value(), qPrintable(error));
        QCOMPARE(column->name, QStringLiteral("ns"));
        QCOMPARE(column->values.size(), 2);
        QCOMPARE(column->values.value(QStringLiteral("a,\"b")), 12.5);
        QCOMPARE(column->values.value(QStringLiteral("exp")), -4000.0);
    }

    void read_faults_nameTheLine_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << ""
                               << "holds no values";
        QTest::newRow("only heads") << "op,ns\n"
                                    << "holds no values";
        QTest::newRow("three fields") << "op,ns\na,1,2\n"
                                      << "Line 2 has 3 fields";
        QTest::newRow("one field") << "a\n"
                                   << "Line 1 has 1 fields";
        QTest::newRow("no name") << "op,ns\n,1\n"
                                 << "Line 2";
        QTest::newRow("no number") << "a,1\n\nb,fast\n"
                                   << "Line 3: \"fast\"";
        QTest::newRow("not finite") << "a,1\nb,inf\n"
                                    << "Line 2: \"inf\"";
    }
    void read_faults_nameTheLine() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        QString error;
        QVERIFY(!readValueColumn(text, error).has_value());
        QVERIFY2(error.contains(says), qPrintable(error));
    }

    void pane_showsTheColumn_andKeepsItBesideAPlan() {
        const PlanPtr plan = fixture::splitMismatch();
        GraphWindow w(plan);
        const QString first = QString::fromStdString(plan->ops.front().name);
        w.pane.loadColumn(written(QStringLiteral("name,ns\n%1,7\nstranger,9\n").arg(first)));
        QCOMPARE(w.view.overlay(), Overlay::Custom);
        const OverlayData& data = *w.view.overlayData();
        QCOMPARE(data.lowest, 7.0);
        QCOMPARE(data.highest, 7.0);
        auto* overlays = w.pane.findChild<QComboBox*>(QStringLiteral("graphOverlay"));
        QVERIFY(overlays->currentText().contains(QStringLiteral("ns")));
        OverlaySources other;
        other.other = plan;
        w.pane.setOverlaySources(other);
        QCOMPARE(w.view.overlayData()->highest, 7.0);
        QVERIFY(overlays->findText(QStringLiteral("ns"), Qt::MatchContains) >= 0);
    }

    void pane_badColumn_saysWhy_andKeepsTheOverlay() {
        GraphWindow w(fixture::splitMismatch());
        for (const QString& text : {QStringLiteral("a,b,c\n"), QStringLiteral("stranger,9\n")}) {
            w.pane.loadColumn(written(text));
            const auto* strip = w.pane.findChild<Strip*>(QString(), Qt::FindDirectChildrenOnly);
            QVERIFY(strip->isVisible());
            QVERIFY2(strip->text().contains(QStringLiteral("column.csv")) ||
                         strip->text().contains(QStringLiteral("\"column\"")),
                     qPrintable(strip->text()));
            QCOMPARE(w.view.overlay(), Overlay::Residency);
        }
    }

private:
    QString written(const QString& text) {
        const QString path = dir_.filePath(QStringLiteral("column.csv"));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)) qFatal("cannot write %s", qPrintable(path));
        file.write(text.toUtf8());
        return path;
    }

    QTemporaryDir dir_;
};

MEMPLAN_WINDOW_TEST(TestValueColumn)
#include "tst_value_column.moc"
