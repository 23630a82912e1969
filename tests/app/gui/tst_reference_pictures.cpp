// SPDX-License-Identifier: GPL-3.0-or-later
// The main views and docks against pictures in the repository (architecture 13.3a). MEMPLAN_UPDATE_PICTURES=1 writes
// them anew: look at each before it is committed.
#include "app/batch/screenshot.h"
#include "app/gui/features/fixes/fix_controller.h"
#include "app/gui/tasks/fault_guard.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/pictures.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"

#include <QApplication>
#include <QColor>
#include <QDockWidget>
#include <QImage>
#include <QSize>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace memplan;
using namespace memplan::app;

namespace {

constexpr const char* kThemes[] = {"light", "dark"};

}  // namespace

class ReferencePicturesTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() {
        samples_ = prepareProgram("reference_pictures");
        if (const QString why = test::whyPicturesDiffer(); !why.isEmpty()) QSKIP(qPrintable(why));
    }
    void view_looksAsBefore_data();
    void view_looksAsBefore();
    void dock_looksAsBefore_data();
    void dock_looksAsBefore();
    void comparison_findsAMovedLine();
    void comparison_findsAnotherSize();
    void everyPictureIsCompared();

private:
    /// With the picture that has the name of the row.
    static void compare(const QImage& got) {
        const QString fault =
            test::pictureFault(got, QStringLiteral("window/") + QString::fromLatin1(QTest::currentDataTag()));
        QVERIFY2(fault.isEmpty(), qPrintable(fault));
    }
};

void ReferencePicturesTest::view_looksAsBefore_data() {
    QTest::addColumn<QString>("sample");
    QTest::addColumn<QString>("shot");
    for (const char* theme : kThemes)
        for (const char* view : {"graph:select=exp", "gantt:select=exp", "cores:select=exp", "passes:", "compare:"})
            QTest::addRow("S1-%s-%s", QByteArray(view).split(':').front().constData(), theme)
                << QStringLiteral("S1") << QStringLiteral("%1,theme=%2").arg(QLatin1String(view), QLatin1String(theme));
    for (const char* theme : {"light", "dark", "high-contrast"})
        QTest::addRow("S6-chains-%s", theme)
            << QStringLiteral("S6") << QStringLiteral("chains:select=conv_a,theme=%1").arg(QLatin1String(theme));
    QTest::addRow("S6-cores-light") << QStringLiteral("S6") << QStringLiteral("cores:select=conv_a");
    for (const char* theme : kThemes)
        QTest::addRow("S7-residual-%s", theme)
            << QStringLiteral("S7") << QStringLiteral("residual:plan=1,theme=%1").arg(QLatin1String(theme));
    for (const char* view : {"graph", "gantt", "problems"})
        QTest::addRow("S3-%s-light", view) << QStringLiteral("S3") << QStringLiteral("%1:").arg(QLatin1String(view));
}

/// By the painters of the window, through the command that makes pictures without one.
void ReferencePicturesTest::view_looksAsBefore() {
    QFETCH(QString, sample);
    QFETCH(QString, shot);
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("picture.png"));
    const QString spec = QString(shot).replace(QStringLiteral(":,"), QStringLiteral(":"));
    std::ostringstream out, err;
    const int status = runScreenshots({QStringLiteral("memplan-studio"), QStringLiteral("--screenshot"),
                                       (spec.endsWith(u':') ? spec.chopped(1) : spec) + u'=' + file,
                                       QStringLiteral("--size"), QStringLiteral("900x640"), sample},
                                      {out, err, false, false, {}, "memplan-studio"});
    QVERIFY2(status == 0, err.str().c_str());
    compare(QImage(file));
}

/// The solver dock shows how long the solver ran, which no two runs agree in.
void ReferencePicturesTest::dock_looksAsBefore_data() {
    QTest::addColumn<QString>("dock");
    for (const char* dock : {"inspectorDock", "whatIfDock", "sweepDock", "hintsDock"})
        QTest::addRow("%s-light", dock) << QString::fromLatin1(dock);
}

void ReferencePicturesTest::dock_looksAsBefore() {
    QFETCH(QString, dock);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));  // as before a dark picture
    QVERIFY(showWindow());
    QVERIFY(openSample(*window_, io::findSample(samples_, "S1")));
    auto* shown = window_->findChild<QDockWidget*>(dock);
    QVERIFY(shown != nullptr);
    shown->setFloating(true);
    shown->resize(shown->widget()->minimumSizeHint().expandedTo(QSize(420, 640)));
    shown->show();
    hub().select(ui::ItemId::of(buffer("exp")));
    QTRY_VERIFY(window_->fixes().isSettled());
    QVERIFY(QTest::qWaitForWindowExposed(shown));
    compare(shown->widget()->grab().toImage());
    window_.reset();
}

void ReferencePicturesTest::comparison_findsAMovedLine() {
    QImage a(120, 80, QImage::Format_RGB32);
    a.fill(Qt::white);
    QImage b = a, c = a;
    for (int x = 20; x < 100; ++x) {
        a.setPixelColor(x, 40, Qt::black);
        b.setPixelColor(x, 40, QColor(6, 6, 6));
        c.setPixelColor(x, 41, Qt::black);
    }
    QCOMPARE(test::differenceOf(a, b).pixels, 0);  // rounding
    const test::PictureDifference moved = test::differenceOf(a, c);
    QCOMPARE(moved.pixels, 160);
    QCOMPARE(moved.image.pixelColor(50, 41), QColor(Qt::red));
    QCOMPARE(moved.image.pixelColor(50, 10), QColor(Qt::white));
}

void ReferencePicturesTest::comparison_findsAnotherSize() {
    QImage a(12, 8, QImage::Format_RGB32);
    a.fill(Qt::white);
    QCOMPARE(test::differenceOf(a, a.copy(0, 0, 12, 7)).pixels, 96);
}

void ReferencePicturesTest::everyPictureIsCompared() {
    QCOMPARE(test::picturesNotCompared(QStringLiteral("window")), QStringList());
}

MEMPLAN_TEST_IN(test::WithPictureFonts<GuardedApplication>, ReferencePicturesTest)
#include "tst_reference_pictures.moc"
