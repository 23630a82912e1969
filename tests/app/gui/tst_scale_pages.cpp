// SPDX-License-Identifier: GPL-3.0-or-later
// Pages and dialogs with larger text: what does not fit is scrolled, buttons stay in reach (user-experience 22.4).
// Review shows the cores over their tables; the palette over docks and its Escape (3.8).
#include "app/batch/screenshot.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "tests/app/gui/scaled_windows.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/canvas/pane/view_pane.h"
#include "widgets/tools/palette/command_palette.h"
#include "widgets/views/coregrid/ops_matrix.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCoreApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QIODevice>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPoint>
#include <QPushButton>
#include <QRect>
#include <QScrollArea>
#include <QScrollBar>
#include <QSize>
#include <QStyle>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

#include <iostream>

using namespace memplan;
using namespace memplan::app;
using test::differenceOf;
using test::placesOf;
using test::setText;

class ScalePagesTest : public QObject, private test::ScaledWindows {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(prepare()); }
    void errorPage_isScrolled();
    void review_showsTheCoresOverTheirTables();
    void settings_followTheSizeOfText();
    void dialogs_fitTheWindow_data();
    void dialogs_fitTheWindow();
    void screenshot_takesTheSizeOfText();
    void palette_overDocks_closesByEscape();
};

/// A page with more than the window holds is scrolled: the window keeps its size and no line of the source is cut.
void ScalePagesTest::errorPage_isScrolled() {
    setText(2);
    QTemporaryDir folder;
    QFile sample(QString::fromStdString(io::findSample(samples_, "S1")->path));
    QVERIFY(sample.open(QIODevice::ReadOnly));
    QByteArray text = sample.readAll();
    text.replace("\"dtype\": \"f16\"", "\"dtype\": \"f17\"");
    QFile file(folder.filePath(QStringLiteral("broken.json")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
    file.close();
    MainWindow window(samples_);
    window.resize(1600, 1000);
    window.show();
    window.openFile(file.fileName());
    const auto* page = window.findChild<ErrorPage*>();
    QTRY_VERIFY_WITH_TIMEOUT(page->isVisible(), 10000);
    QCoreApplication::processEvents();
    QCOMPARE(window.size(), QSize(1600, 1000));
    const auto* lines = page->findChild<QWidget*>(QStringLiteral("sourceLines"));
    QCOMPARE(lines->height(), lines->sizeHint().height());
    const auto* scroll = page->findChild<QScrollArea*>();
    QCOMPARE(scroll->horizontalScrollBar()->maximum(), 0);
    for (const QLabel* label : page->findChildren<QLabel*>())
        if (label->isVisible() && label->wordWrap())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()), qPrintable(label->text()));
    for (const QPushButton* button : page->findChildren<QPushButton*>())
        if (button->isVisible()) QVERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
    setText(1);
}

void ScalePagesTest::review_showsTheCoresOverTheirTables() {
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    QVERIFY(window.trigger(QStringLiteral("view.perspective4")));
    QVERIFY(window.workspace().isFolded());
    QVERIFY(window.workspace().view(QStringLiteral("cores"))->isVisible());
    const auto* edges = window.findChild<QTableView*>(QStringLiteral("edgeTable"));
    QVERIFY(edges->isVisible());
    QVERIFY(window.findChild<ui::OpsMatrix*>(QString(), Qt::FindChildrenRecursively) != nullptr);
    QVERIFY(edges->model()->rowCount() > 0);
    QVERIFY(window.trigger(QStringLiteral("view.perspective1")));
    QVERIFY(!window.workspace().isFolded());
    QVERIFY(!edges->isVisible());
    QVERIFY(window.workspace().view(QStringLiteral("gantt"))->isVisible());
}

/// The dialog in which the size of text is chosen: its list of pages is read in whole, and all is as before afterwards.
void ScalePagesTest::settings_followTheSizeOfText() {
    setText(1.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    QVERIFY(window.trigger(QStringLiteral("app.settings")));
    const auto* dialog = window.findChild<QDialog*>(QStringLiteral("settingsDialog"));
    QVERIFY(dialog->isVisible());
    test::finishLayouts();
    const QStringList before = placesOf(*dialog);
    setText(2.0);
    test::finishLayouts();
    const auto* pages = dialog->findChild<QListWidget*>();
    const int inset = pages->style()->pixelMetric(QStyle::PM_FocusFrameHMargin, nullptr, pages) + 1;
    for (int i = 0; i < pages->count(); ++i) {
        const int words = pages->fontMetrics().horizontalAdvance(pages->item(i)->text());
        QVERIFY2(words + 2 * inset <= pages->viewport()->width(), qPrintable(pages->item(i)->text()));
    }
    for (const QScrollArea* page : dialog->findChildren<QScrollArea*>())
        if (page->isVisible()) QCOMPARE(page->horizontalScrollBar()->maximum(), 0);
    setText(1.0);
    test::finishLayouts();
    QTRY_VERIFY2(placesOf(*dialog) == before, qPrintable(differenceOf(before, placesOf(*dialog))));
}

void ScalePagesTest::dialogs_fitTheWindow_data() {
    QTest::addColumn<QString>("action");
    for (const char* action : {"app.settings", "file.export", "help.about", "help.keys"})
        QTest::newRow(action) << QString::fromLatin1(action);
}

/// A dialog that is higher than the screen has its buttons where nobody can press them.
void ScalePagesTest::dialogs_fitTheWindow() {
    QFETCH(QString, action);
    setText(2.0);
    MainWindow window(samples_);
    QVERIFY(open(window));
    QVERIFY(window.trigger(action));
    test::finishLayouts();
    int shown = 0;
    for (QDialog* dialog : window.findChildren<QDialog*>()) {
        if (!dialog->isVisible()) continue;
        ++shown;
        QVERIFY2(dialog->height() <= window.height() && dialog->width() <= window.width(),
                 qPrintable(QStringLiteral("%1 x %2").arg(dialog->width()).arg(dialog->height())));
        for (const QAbstractButton* button : dialog->findChildren<QAbstractButton*>()) {
            const bool isFoot = qobject_cast<QDialogButtonBox*>(button->parentWidget()) != nullptr;
            if (isFoot && button->isVisible())
                QVERIFY2(dialog->rect().contains(QRect(button->mapTo(dialog, QPoint()), button->size())),
                         qPrintable(button->text()));
        }
        dialog->close();
    }
    QCOMPARE(shown, 1);
    setText(1.0);
}

void ScalePagesTest::screenshot_takesTheSizeOfText() {
    setText(1.0);
    QTemporaryDir folder;
    const QString plain = folder.filePath(QStringLiteral("plain.png")),
                  large = folder.filePath(QStringLiteral("large.png"));
    const QString wide = folder.filePath(QStringLiteral("gantt.png"));
    const QString size = QStringLiteral("1200x800");
    QCOMPARE(runScreenshots({QStringLiteral("memplan-studio"), QStringLiteral("--screenshot"),
                             QStringLiteral("window=") + plain, QStringLiteral("window:label_percent=200=") + large,
                             QStringLiteral("gantt:label_percent=200=") + wide, QStringLiteral("--size"), size,
                             QStringLiteral("S1")},
                            cli::Streams{std::cout, std::cerr, false, false, {}}),
             0);
    const QImage a(plain), b(large), c(wide);
    QCOMPARE(a.size(), QSize(1200, 800));
    QCOMPARE(b.size(), QSize(1200, 800));
    QVERIFY(a != b);
    QCOMPARE(c.width(), 1200);
    setText(1.0);
}

/// In the studio's window the document is a part of it; Escape and a click elsewhere close the palette there too,
/// and a dock that comes to the front while it is open does not cover it.
void ScalePagesTest::palette_overDocks_closesByEscape() {
    setText(1.0);
    QTemporaryDir folder;
    StudioWindow studio(samples_, true, folder.path());
    studio.resize(1400, 900);
    studio.show();
    MainWindow& window = studio.current();
    QVERIFY(load(window));
    QWidget* gantt = window.workspace().view(QStringLiteral("gantt"));
    studio.activateWindow();
    gantt->setFocus();
    QTRY_COMPARE(QApplication::focusWidget(), gantt);
    auto* palette = window.findChild<ui::CommandPalette*>();
    QVERIFY(window.trigger(QStringLiteral("find.palette")));
    QVERIFY(palette->isVisible());
    QTRY_VERIFY(QApplication::focusWidget() == palette->findChild<QLineEdit*>(QStringLiteral("paletteField")));
    QTest::keyClicks(QApplication::focusWidget(), QStringLiteral("exp"));
    auto* hints = window.findChild<QDockWidget*>(QStringLiteral("hintsDock"));
    QVERIFY(hints != nullptr);
    hints->raise();
    QCoreApplication::processEvents();
    QTRY_VERIFY(window.children().indexOf(palette) > window.children().indexOf(hints));
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
    QVERIFY(!palette->isVisible());
    QCOMPARE(QApplication::focusWidget(), gantt);
    QVERIFY(window.trigger(QStringLiteral("find.palette")));
    QVERIFY(palette->isVisible());
    window.findChild<QLineEdit*>(QStringLiteral("outlineFilter"))->setFocus();
    QTRY_VERIFY(!palette->isVisible());
}

MEMPLAN_WINDOW_TEST(ScalePagesTest)
#include "tst_scale_pages.moc"
