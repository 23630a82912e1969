// SPDX-License-Identifier: GPL-3.0-or-later
// Charts against pictures in the repository (architecture 13.3a).
#include "tests/support/pictures.h"
#include "tests/support/program.h"
#include "tests/widgets/chart_samples.h"
#include "widgets/kit/style/studio_style.h"

#include <QApplication>
#include <QTest>

using namespace memplan;
using namespace memplan::fixture;

class ChartPicturesTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
        if (const QString why = test::whyPicturesDiffer(); !why.isEmpty()) QSKIP(qPrintable(why));
    }
    void chart_looksAsBefore_data() {
        QTest::addColumn<ChartData>("data");
        QTest::addColumn<Theme>("theme");
        QTest::addColumn<QSize>("size");
        const std::pair<const char*, ChartData> charts[] = {
            {"search", searchChart(trace())}, {"sizes", bars()}, {"sweep", sweepOfTwo()}, {"race", race()}};
        const std::pair<const char*, ThemeKind> themes[] = {
            {"light", ThemeKind::Light}, {"dark", ThemeKind::Dark}, {"contrast", ThemeKind::HighContrast}};
        for (const auto& [name, data] : charts)
            for (const auto& [theme, kind] : themes) {
                QTest::addRow("%s-%s", name, theme) << data << Theme(kind) << kChartSize;
                QTest::addRow("%s-%s-200", name, theme) << data << Theme(kind, 2.0) << QSize(640, 360);
            }
    }
    void chart_looksAsBefore() {
        QFETCH(ChartData, data);
        QFETCH(Theme, theme);
        QFETCH(QSize, size);
        const QString fault = test::pictureFault(
            imageOf(data, theme, size), QStringLiteral("charts/") + QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }
    void everyPictureIsCompared() { QCOMPARE(test::picturesNotCompared(QStringLiteral("charts")), QStringList()); }
};

MEMPLAN_TEST_IN(test::WithPictureFonts<QApplication>, ChartPicturesTest)
#include "tst_chart_pictures.moc"
