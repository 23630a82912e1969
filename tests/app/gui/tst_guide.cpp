// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers to read, to begin with and to everybody (user-experience 2.16, 4.1, 4.3, 15.4,
// 19.7, 22): help, notes, log, templates, tour, names and sizes of controls.
#include "app/gui/features/export/command_line.h"
#include "app/gui/features/notes/notes_view.h"
#include "app/gui/help/drawing.h"
#include "app/gui/help/help_pages.h"
#include "app/gui/help/help_window.h"
#include "app/gui/help/keyboard_map.h"
#include "app/gui/help/template_dialog.h"
#include "app/gui/help/tour.h"
#include "app/gui/preferences/action_table.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/preferences/settings_dialog.h"
#include "app/gui/tasks/fault_guard.h"
#include "app/gui/tasks/log.h"
#include "app/gui/window/docks/perspectives.h"
#include "app/gui/window/studio_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/plan/reasons.h"
#include "tests/support/program.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/plan/marks/note_flag.h"
#include "widgets/tools/palette/command_palette.h"
#include "widgets/tools/palette/find_bar.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QAccessibleInterface>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QCoreApplication>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QIODevice>
#include <QLatin1Char>
#include <QListWidget>
#include <QMetaObject>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QWidget>

using namespace memplan;
using namespace memplan::app;

class GuideTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void help_everyCodeHasAPage();
    void help_linksLeadSomewhere();
    void help_linksOfTheFilesLeadToFiles();
    void help_drawingsAreInTheThemesColours();
    void help_f1OnAProblem();
    void notes_writeUndoDelete();
    void notes_onStepsOfTheGantt();
    void notes_firstWords();
    void log_saysWhatHappened();
    void templates_makeFilesThatOpen_data();
    void templates_makeFilesThatOpen();
    void tour_fiveStepsWithSkip();
    void tour_endsWithItsDocument();
    void accessibility_namesEverywhere();
    void accessibility_largeText();

private:
    [[nodiscard]] bool open(MainWindow& window, const char* id);
    std::vector<io::SampleInfo> samples_;
};

void GuideTest::initTestCase() {
    samples_ = prepareProgram("tst_guide");
    QVERIFY(!samples_.empty());
}

void GuideTest::init() {
    QSettings().clear();
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
}

bool GuideTest::open(MainWindow& window, const char* id) {
    return showInFront(window) && openSample(window, io::findSample(samples_, id));
}

void GuideTest::help_everyCodeHasAPage() {
    int written = 0;
    for (const DiagnosticInfo& info : allDiagnostics()) {
        const QString code = QString::fromUtf8(info.code.data(), static_cast<qsizetype>(info.code.size()));
        const QString page = helpPage(QStringLiteral("code:") + code);
        QVERIFY2(page.contains(code), qPrintable(code));
        QVERIFY2(page.size() > 60, qPrintable(code));
        if (page.count(QStringLiteral("\n\n")) > 2) ++written;
    }
    for (const ReasonInfo& reason : allReasons()) {
        const QString code =
            QString::fromUtf8(reason.diagnostic.data(), static_cast<qsizetype>(reason.diagnostic.size()));
        QVERIFY2(helpPage(QStringLiteral("code:") + code).contains(QStringLiteral("It is the reason")),
                 qPrintable(code));
    }
    QVERIFY(written >= 30);
    QVERIFY(helpPage(QStringLiteral("code:NO-999")).isEmpty());
}

void GuideTest::help_linksLeadSomewhere() {
    const QRegularExpression link(QStringLiteral("\\]\\(([^)]+)\\)"));
    for (const HelpTopic& topic : helpTopics()) {
        QVERIFY2(!topic.title.isEmpty(), qPrintable(topic.id));
        const QString page = helpPage(topic.id);
        QVERIFY2(!page.isEmpty(), qPrintable(topic.id));
        for (auto it = link.globalMatch(page); it.hasNext();) {
            const QString target = it.next().captured(1);
            QVERIFY2(helpTopicOf(target) == u"keys" || !helpPage(target).isEmpty(),
                     qPrintable(topic.id + QStringLiteral(" -> ") + target));
        }
    }
}

/// The pages are read outside the window too: a link is a file beside them, and a section that it has.
void GuideTest::help_linksOfTheFilesLeadToFiles() {
    const QDir pages(QStringLiteral(MEMPLAN_SOURCE_DIR "/resources/help"));
    const auto textOf = [&](const QString& name) {
        QFile file(pages.filePath(name));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    };
    const QRegularExpression link(QStringLiteral("\\]\\(([^)]+)\\)"));
    int links = 0;
    for (const QString& page : pages.entryList({QStringLiteral("*.md")})) {
        const QString text = textOf(page);
        for (auto it = link.globalMatch(text); it.hasNext(); ++links) {
            const QString target = it.next().captured(1);
            const QString there = textOf(target.section(u'#', 0, 0)), section = target.section(u'#', 1);
            const bool isThere =
                section.isEmpty() || there.contains(QStringLiteral("\n## ") + section + u'\n', Qt::CaseInsensitive);
            QVERIFY2(!there.isEmpty() && isThere, qPrintable(page + QStringLiteral(" -> ") + target));
        }
    }
    QVERIFY(links > 90);
}

/// Each advice code and each concept of a machine has a drawing, and the text beside it stays short.
void GuideTest::help_drawingsAreInTheThemesColours() {
    const QRegularExpression picture(QStringLiteral("!\\[[^\\]]+\\]\\(([^)]+\\.svg)\\)"));
    int drawn = 0;
    for (const HelpTopic& topic : helpTopics()) {
        const QString page = helpPage(topic.id);
        const bool isAdvice = topic.id >= u"code:TT-050" && topic.id <= u"code:TT-064";
        const auto found = picture.match(page);
        QVERIFY2(!isAdvice || found.hasMatch(), qPrintable(topic.id));
        if (!found.hasMatch()) continue;
        ++drawn;
        QVERIFY2(page.size() < 1900, qPrintable(topic.id));
        const QByteArray svg = helpPage(found.captured(1)).toUtf8();
        const QImage light = helpDrawing(svg, ui::Theme(ui::ThemeKind::Light), 1);
        const QImage dark = helpDrawing(svg, ui::Theme(ui::ThemeKind::Dark), 2);
        QVERIFY2(light.width() >= 400 && light.height() >= 80, qPrintable(topic.id));
        QCOMPARE(dark.width(), 2 * light.width());
        QVERIFY2(dark.scaled(light.size()) != light, qPrintable(topic.id));
    }
    QVERIFY(drawn >= 23);
    QVERIFY(helpDrawing("no drawing", ui::Theme(ui::ThemeKind::Light), 1).isNull());
}

void GuideTest::help_f1OnAProblem() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S3"));
    const Plan& plan = *window.controller().hub().plan();
    QVERIFY(!plan.problems.empty());
    window.controller().hub().select({ui::ItemKind::Problem, 0});
    QVERIFY(window.trigger(QStringLiteral("help.focused")));
    auto* help = window.findChild<HelpWindow*>();
    QVERIFY(help != nullptr);
    QCOMPARE(help->topic(), QStringLiteral("code:") + QString::fromStdString(plan.problems[0].code));
    window.controller().hub().clearSelection();
    window.workspace().view(QStringLiteral("gantt"))->setFocus();
    QVERIFY(window.trigger(QStringLiteral("help.contents")));
    QCOMPARE(help->topic(), QStringLiteral("index.md"));
    help->showTopic(QStringLiteral("keys"));
    QCOMPARE(help->topic(), QStringLiteral("keys"));
}

void GuideTest::notes_writeUndoDelete() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    Document& document = *window.controller().document();
    ui::SelectionHub& hub = window.controller().hub();
    hub.select({ui::ItemKind::Buffer, 1});
    QVERIFY(window.trigger(QStringLiteral("note.add")));
    auto* view = window.findChild<NotesView*>();
    auto* text = view->findChild<QPlainTextEdit*>(QStringLiteral("noteText"));
    QVERIFY(text->isVisible());
    text->setPlainText(QStringLiteral("the **widest** buffer"));
    QCOMPARE(view->count(), 1);
    const NoteSubject subject = *noteSubjectOf(hub, {ui::ItemKind::Buffer, 1});
    QCOMPARE(document.note(subject), QStringLiteral("the **widest** buffer"));
    QVERIFY(window.findChild<QDockWidget*>(QStringLiteral("notesDock"))->windowTitle().endsWith(QStringLiteral("1")));
    document.undoStack().undo();
    QCOMPARE(view->count(), 0);
    document.undoStack().redo();
    QCOMPARE(view->count(), 1);
    for (QPushButton* b : view->findChildren<QPushButton*>()) {
        if (b->text() == u"Delete") b->click();
    }
    QCOMPARE(view->count(), 0);
}

void GuideTest::notes_onStepsOfTheGantt() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    Document& document = *window.controller().document();
    ui::SelectionHub& hub = window.controller().hub();
    hub.select({ui::ItemKind::Op, 1});
    hub.setRange(StepRange{1, 4});
    QVERIFY(window.trigger(QStringLiteral("note.add")));  // the range was selected last
    auto* view = window.findChild<NotesView*>();
    auto* text = view->findChild<QPlainTextEdit*>(QStringLiteral("noteText"));
    text->setPlainText(QStringLiteral("`exp` and its **sum** wait\nfor each other"));
    const NoteSubject subject{QStringLiteral("steps"), QStringLiteral("1-3")};
    QCOMPARE(noteSubjectOf(StepRange{1, 4}), subject);
    QVERIFY(document.notes().count(subject) == 1);
    QCOMPARE(hub.notes()->ranges.size(), std::size_t{1});
    QCOMPARE(hub.notes()->ranges[0].words, QStringLiteral("exp and its sum wait"));
    // An item that is selected afterwards is what the next note means.
    hub.select({ui::ItemKind::Buffer, 2});
    QVERIFY(window.trigger(QStringLiteral("note.add")));
    text->setPlainText(QStringLiteral("a buffer"));
    QCOMPARE(view->count(), 2);
    QCOMPARE(hub.noteWords({ui::ItemKind::Buffer, 2}), QStringLiteral("a buffer"));
    // Choosing a note selects what it stands at.
    hub.setRange(std::nullopt);
    hub.clearSelection();
    auto* list = view->findChild<QListWidget*>(QStringLiteral("noteList"));
    for (int i = 0; i < list->count(); ++i) {
        if (list->item(i)->text().startsWith(QStringLiteral("steps 1 to 3"))) list->setCurrentRow(i);
    }
    QCOMPARE(hub.range(), std::optional(StepRange{1, 4}));
    // A request from a view's menu opens the same note.
    hub.requestRangeNote({1, 4});
    QCOMPARE(text->toPlainText(), document.note(subject));
}

void GuideTest::notes_firstWords() {
    using ui::firstWords;
    QCOMPARE(firstWords(QString()), QString());
    QCOMPARE(firstWords(QStringLiteral("\n\n- **bold** and [a link](http://x)\nmore")),
             QStringLiteral("bold and a link"));
    QCOMPARE(firstWords(QStringLiteral("one two three four"), 10), QStringLiteral("one two\u2026"));
    const std::optional<StepRange> none;
    QCOMPARE(stepsOf({QStringLiteral("steps"), QStringLiteral("3-6")}), std::optional(StepRange{3, 7}));
    for (const char* wrong : {"", "3", "6-3", "-1-4", "a-b", "3-2147483647"})
        QCOMPARE(stepsOf({QStringLiteral("steps"), QString::fromLatin1(wrong)}), none);
    QCOMPARE(stepsOf({QStringLiteral("op"), QStringLiteral("3-6")}), none);
}

void GuideTest::log_saysWhatHappened() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    const QString tail = Log::instance().tail(60).join(QLatin1Char('\n'));
    QVERIFY(tail.contains(QStringLiteral("Opening")));
    QVERIFY(tail.contains(QStringLiteral("buffers on chip")));
}

void GuideTest::templates_makeFilesThatOpen_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"softmax", "mlp", "attention", "conv_chain"})
        QTest::newRow(id) << QString::fromLatin1(id);
}

void GuideTest::templates_makeFilesThatOpen() {
    QFETCH(QString, id);
    QTemporaryDir folder;
    const QString path = folder.filePath(id + QStringLiteral(".mpg.json"));
    TemplateDialog dialog;
    dialog.choose(id);
    QVERIFY(dialog.writeTo(path));
    QVERIFY(!dialog.writeTo(folder.filePath(QStringLiteral("none/x.json"))));
    MainWindow window(samples_);
    window.show();
    QSignalSpy first(&window, &MainWindow::firstPicture);
    window.openFile(path);
    QVERIFY(first.count() > 0 || first.wait(20000));
    const Document* document = window.controller().document();
    QVERIFY(document != nullptr && document->current() != nullptr);
    QVERIFY(document->current()->plan->metrics.buffersTotal > 3);
    for (const Diagnostic& d : document->current()->plan->problems)
        QVERIFY2(d.severity != Severity::Error, d.message.c_str());
}

void GuideTest::tour_endsWithItsDocument() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S1"));
    QVERIFY(window.trigger(QStringLiteral("help.tour")));
    const QPointer<Tour> tour = window.findChild<Tour*>();
    QVERIFY(tour != nullptr && tour->isVisible());
    QVERIFY(window.trigger(QStringLiteral("file.close")));
    QTRY_VERIFY(tour == nullptr);
}

void GuideTest::tour_fiveStepsWithSkip() {
    MainWindow window(samples_);
    window.offerTour();
    QVERIFY(open(window, "S1"));
    auto* tour = window.findChild<Tour*>();
    QVERIFY(tour != nullptr && tour->isVisible());
    QCOMPARE(tour->count(), 5);
    QVERIFY(tour->findChild<QPushButton*>(QStringLiteral("tourSkip"))->isVisible());
    for (int i = 0; i < 4; ++i) {
        QCOMPARE(tour->step(), i);
        tour->findChild<QPushButton*>(QStringLiteral("tourNext"))->click();
    }
    tour->findChild<QPushButton*>(QStringLiteral("tourNext"))->click();
    QVERIFY(Tour::wasSeen());
    QVERIFY(QTest::qWaitFor([&] { return window.findChild<Tour*>() == nullptr; }, 20000));
    MainWindow second(samples_);
    second.offerTour();
    QVERIFY(open(second, "S1"));
    QVERIFY(second.findChild<Tour*>() == nullptr);         // never again ...
    QVERIFY(second.trigger(QStringLiteral("help.tour")));  // ... unless asked for
    QVERIFY(second.findChild<Tour*>() != nullptr);
}

/// Every control that takes the keyboard says its name (22.2), and is large enough to hit (22.4).
void GuideTest::accessibility_namesEverywhere() {
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    QStringList nameless;
    QStringList small;
    for (QWidget* w : window.findChildren<QWidget*>()) {
        if (!w->isVisible() || (w->focusPolicy() & Qt::TabFocus) == 0) continue;
        if (w->objectName().startsWith(u"qt_") || qobject_cast<QTabBar*>(w) != nullptr) continue;
        const QAccessibleInterface* a = QAccessible::queryAccessibleInterface(w);
        const QString where = QStringLiteral("%1 %2 in %3")
                                  .arg(QString::fromLatin1(w->metaObject()->className()), w->objectName(),
                                       w->parentWidget()->objectName());
        if (a == nullptr || (a->text(QAccessible::Name).isEmpty() && a->text(QAccessible::Value).isEmpty()))
            nameless << where;
        const bool isButton = qobject_cast<QAbstractButton*>(w) != nullptr || qobject_cast<QComboBox*>(w) != nullptr;
        const bool isLink = QByteArray(w->metaObject()->className()).endsWith("LinkLabel");  // words in a sentence
        if (isButton && !isLink && (w->width() < 24 || w->height() < 24))
            small << QStringLiteral("%1 %2x%3").arg(where).arg(w->width()).arg(w->height());
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char('\n'))));
    QVERIFY2(small.isEmpty(), qPrintable(small.join(QLatin1Char('\n'))));
}

/// With text at 200 % no button or label of the chrome is narrower than its words (22.4).
void GuideTest::accessibility_largeText() {
    Preferences::instance().set(QStringLiteral("appearance/label_percent"), 200);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Dark, 2.0)));
    MainWindow window(samples_);
    QVERIFY(open(window, "S1"));
    window.resize(2600, 1500);
    test::finishLayouts();
    QStringList cut;
    for (const QAbstractButton* b : window.findChildren<QAbstractButton*>()) {
        if (!b->isVisible() || b->text().isEmpty() || !b->toolTip().isEmpty()) continue;
        if (b->width() + 1 < b->minimumSizeHint().width() || b->height() + 1 < b->fontMetrics().height())
            cut << QStringLiteral("%1 '%2' %3x%4").arg(b->objectName(), b->text()).arg(b->width()).arg(b->height());
    }
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join(QLatin1Char('\n'))));
}

MEMPLAN_TEST_IN(GuardedApplication, GuideTest)

#include "tst_guide.moc"
