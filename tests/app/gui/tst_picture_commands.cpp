// SPDX-License-Identifier: GPL-3.0-or-later
// The command that the export dialog copies makes the bytes that the dialog writes (user-experience 18.3).
#include "app/batch/screenshot.h"
#include "app/gui/features/compare/compare_controller.h"
#include "app/gui/features/compare/compare_pair.h"
#include "app/gui/features/export/command_line.h"
#include "app/gui/features/export/export_dialog.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/workspace/workspace.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/coregrid/core_grid_view.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/graph/graph_view.h"

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QIODevice>
#include <QLatin1Char>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <iostream>
#include <sstream>
#include <stdexcept>

using namespace memplan;
using namespace memplan::app;

namespace {

QByteArray taken(const QString& path) {
    QFile file(path);
    const QByteArray bytes = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    file.remove();
    return bytes;
}

/// The bytes about the first that is another.
QString difference(const QByteArray& a, const QByteArray& b) {
    const qsizetype first = std::ranges::mismatch(a, b).in1 - a.begin();
    const auto about = [first](const QByteArray& bytes) {
        return QString::fromUtf8(bytes.mid(std::max<qsizetype>(0, first - 60), 160));
    };
    return about(a) + QStringLiteral("\n--- instead of ---\n") + about(b);
}

/// What no zoom, selection or note shapes.
PictureChoice whole(const char* format) {
    PictureChoice choice;
    choice.format = QString::fromLatin1(format);
    choice.render = {ui::RenderOptions::Scope::All, false, false, false};
    return choice;
}

}  // namespace

class PictureCommandsTest : public QObject, private WindowSupport {
    Q_OBJECT

private slots:
    void initTestCase() {
        samples_ = prepareProgram("picture_commands");
        Preferences::instance().set(QStringLiteral("graph/deadline_ms"), 60000);  // as commands wait
    }
    void init() { QVERIFY(showWindow()); }
    void cleanup() { window_.reset(); }
    void sample_data();
    void sample();
    void comparison();
    void changedSettings();
    void earlierPlan();
    void model_withSizes();
    void list_withOffsets();
    void list_withChangedSettings();
    void fault_endsTheRun();
    void screenTheme();
    void whatOnlyTheWindowKnows_hasNoCommand();
    void part_hasNoCommand();

private:
    [[nodiscard]] bool drawn() const;
    [[nodiscard]] bool open(const OpenRequest& request);
    [[nodiscard]] bool open(const char* sample, const GraphCut& cut = {});
    void compare(const QString& key, const PictureChoice& choice);
    [[nodiscard]] bool hasCommand(const QString& key) const;
    QTemporaryDir folder_;
};

/// The pictures are settled too: a graph is laid out after its plan is there.
bool PictureCommandsTest::drawn() const {
    return settled() && QTest::qWaitFor([this] { return window_->workspace().isSettled(); }, 30000);
}

bool PictureCommandsTest::open(const OpenRequest& request) {
    window_->controller().open(request);
    return drawn();
}

bool PictureCommandsTest::open(const char* sample, const GraphCut& cut) {
    const io::SampleInfo* found = io::findSample(samples_, sample);
    if (found == nullptr) return false;
    OpenRequest request;
    request.sample = *found;
    request.path = QString::fromStdString(found->path);
    request.cut = cut;
    return open(request);
}

/// Export, copied command, and the two files against each other.
void PictureCommandsTest::compare(const QString& key, const PictureChoice& choice) {
    window_->workspace().showView(key);
    QVERIFY(drawn());
    ExportDialog dialog(window_->controller(), window_->workspace(), window_->workspace().focusedView(), nullptr);
    dialog.setView(key);
    dialog.setWhat(ExportWhat::CurrentView);
    const QString path = folder_.filePath(QStringLiteral("picture.") + choice.format);
    dialog.setDestination(path);
    dialog.setPicture(choice);
    dialog.findChild<QPushButton*>(QStringLiteral("exportCopy"))->click();
    dialog.run();
    const QByteArray exported = taken(path);
    QVERIFY(!exported.isEmpty());
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(line.startsWith(QStringLiteral("memplan-studio --screenshot ")), qPrintable(line));
    // As a shell takes it apart, where quotes hold no quotes.
    const QStringList words = QProcess::splitCommand(QString(line).replace(u'\'', u'"'));
    QCOMPARE(runScreenshots(words, cli::Streams{std::cout, std::cerr, false, false, {}}), 0);
    const QByteArray made = taken(path);
    QVERIFY2(made == exported, qPrintable(line + QLatin1Char('\n') + difference(made, exported)));
}

bool PictureCommandsTest::hasCommand(const QString& key) const {
    const ExportSource source(window_->controller(), window_->workspace(), window_->workspace().view(key));
    return !source.commandLine(ExportWhat::CurrentView, whole("svg"), QStringLiteral("a.svg")).isEmpty();
}

void PictureCommandsTest::sample_data() {
    QTest::addColumn<QString>("view");
    QTest::addColumn<QByteArray>("format");
    QStringList views = Workspace::viewKeys() << QStringLiteral("passes") << QStringLiteral("problems");
    for (const char* of : {"chains", "residual"})
        views.removeAll(QString::fromLatin1(of));  // plans of this sample have none
    for (const QString& view : std::as_const(views))
        for (const char* format : {"png", "svg", "pdf"})
            QTest::newRow(qPrintable(view + u' ' + QString::fromLatin1(format))) << view << QByteArray(format);
}

/// Its plan is the last of several, with the name of a variant.
void PictureCommandsTest::sample() {
    QFETCH(QString, view);
    QFETCH(QByteArray, format);
    QVERIFY(open("S1"));
    PictureChoice choice = whole(format.constData());
    choice.render.selection = window_->workspace().pictured(view) != nullptr;
    compare(view, choice);
}

/// The last two plans of a sample, both with their own names.
void PictureCommandsTest::comparison() {
    QVERIFY(open("S1"));
    auto& controller = *window_->findChild<CompareController*>();
    controller.setOn(true);
    QVERIFY(QTest::qWaitFor([&] { return controller.comparison() != nullptr; }, 10000));
    const auto marked = [](const char* format) {
        PictureChoice choice = whole(format);
        choice.render.selection = true;
        return choice;
    };
    for (const char* format : {"png", "svg", "pdf"})
        compare(QStringLiteral("compare"), marked(format));
    // Another pair is in no file that a command could name.
    ExportSource source(window_->controller(), window_->workspace(), window_->workspace().focusedView());
    source.setView(QStringLiteral("compare"));
    const auto line = [&] {
        return source.commandLine(ExportWhat::CurrentView, marked("svg"), QStringLiteral("a.svg"));
    };
    QVERIFY(!line().isEmpty());
    controller.pair().compareWithPlan(0);
    QVERIFY(drawn() && controller.comparison() != nullptr);
    QVERIFY(line().isEmpty());
}

void PictureCommandsTest::changedSettings() {
    QVERIFY(open("S1"));
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(drawn());
    compare(QStringLiteral("gantt"), whole("svg"));
}

void PictureCommandsTest::earlierPlan() {
    QVERIFY(open("S1"));
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(drawn());
    document().undoStack().undo();
    QVERIFY(drawn());
    QVERIFY(document().currentIndex() + 1 < static_cast<int>(document().plans().size()));
    compare(QStringLiteral("gantt"), whole("svg"));
}

void PictureCommandsTest::model_withSizes() {
    QVERIFY(open("N1"));
    compare(QStringLiteral("graph"), whole("svg"));
    compare(QStringLiteral("gantt"), whole("svg"));
}

/// Its offsets are a plan of their own beside the solver's.
void PictureCommandsTest::list_withOffsets() {
    QFile list(folder_.filePath(QStringLiteral("list.csv")));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write("id,lower,upper,size,offset\na,0,3,64,128\nb,1,4,128,256\nc,3,5,64,0\n");
    list.close();
    OpenRequest request;
    request.path = list.fileName();
    QVERIFY(open(request));
    QCOMPARE(document().plans().size(), std::size_t{2});
    compare(QStringLiteral("gantt"), whole("svg"));
    document().changeInstance({0, document().instance().capacity * 2});
    QVERIFY(drawn());
    QVERIFY(!hasCommand(QStringLiteral("gantt")));  // no option of the command names a capacity
}

/// The solver's plan is the last of the two that the command makes, whatever number it has here.
void PictureCommandsTest::list_withChangedSettings() {
    QFile list(folder_.filePath(QStringLiteral("list.csv")));
    QVERIFY(list.open(QIODevice::WriteOnly));
    list.write("id,lower,upper,size,offset\na,0,3,64,128\nb,1,4,128,256\nc,3,5,64,0\n");
    list.close();
    OpenRequest request;
    request.path = list.fileName();
    QVERIFY(open(request));
    const QString path = folder_.filePath(QStringLiteral("picture.svg"));
    const auto command = [&] {
        return pictureCommand(document(), window_->controller().lastRequest(), QStringLiteral("gantt"), {800, 500}, {},
                              path);
    };
    document().setCurrent(0);
    QVERIFY(command().contains(QStringLiteral("gantt:plan=1=")));
    document().changeSetting(QStringLiteral("spyre.layout_solver"), QStringLiteral("firstfit"));
    QVERIFY(settled());
    QVERIFY(document().current()->number > 2);
    const QStringList words = QProcess::splitCommand(command().replace(u'\'', u'"'));
    QVERIFY2(!words.join(u' ').contains(QStringLiteral("plan=")), qPrintable(words.join(u' ')));
    QCOMPARE(runScreenshots(words, cli::Streams{std::cout, std::cerr, false, false, {}}), 0);
    QVERIFY(taken(path).contains(document().current()->name.toHtmlEscaped().toUtf8()));
    // The menu and the dialog say the same.
    QVERIFY(document().isModified());
    QVERIFY(whyNoPictureCommand(document(), window_->controller().hub().plan()).isEmpty());
    QVERIFY(hasCommand(QStringLiteral("gantt")));
    document().changeInstance({0, document().instance().capacity * 2});
    QVERIFY(settled());
    QVERIFY(command().isEmpty());
    QVERIFY(!hasCommand(QStringLiteral("gantt")));
}

/// What fails on a worker ends the run at once, with the code of a defect of the program.
void PictureCommandsTest::fault_endsTheRun() {
    window_.reset();
    QTimer ambush;
    connect(&ambush, &QTimer::timeout, &ambush, [&ambush] {
        for (QWidget* w : QApplication::topLevelWidgets()) {
            auto* window = qobject_cast<MainWindow*>(w);
            if (window == nullptr) continue;
            ambush.stop();
            window->controller().task().start(
                QStringLiteral("made to fail"),
                [](const RunControl&) -> BackgroundTask::Finish { throw std::runtime_error("made to fail"); });
        }
    });
    ambush.start(0);
    std::ostringstream out, err;
    const QString path = folder_.filePath(QStringLiteral("picture.png"));
    QCOMPARE(runScreenshots({QStringLiteral("memplan-studio"), QStringLiteral("--screenshot"),
                             QStringLiteral("gantt=") + path, QStringLiteral("S1")},
                            cli::Streams{out, err, false, false, {}}),
             70);
    QVERIFY2(QString::fromStdString(err.str()).contains(QStringLiteral("INT-001 made to fail")), err.str().c_str());
    QVERIFY(!QFile::exists(path));
}

void PictureCommandsTest::screenTheme() {
    QVERIFY(open("S1"));
    window_->setTheme(ui::ThemeKind::Dark);
    PictureChoice choice = whole("png");
    choice.asOnScreen = true;
    compare(QStringLiteral("gantt"), choice);
    window_->setTheme(ui::ThemeKind::Light);
}

void PictureCommandsTest::whatOnlyTheWindowKnows_hasNoCommand() {
    QVERIFY(open("S1"));
    auto& gantt = *qobject_cast<ui::GanttView*>(window_->workspace().view(QStringLiteral("gantt")));
    auto& graph = *qobject_cast<ui::GraphView*>(window_->workspace().view(QStringLiteral("graph")));
    auto& cores = *qobject_cast<ui::CoreGridView*>(window_->workspace().view(QStringLiteral("cores")));
    const auto toggled = [this](const ui::GraphicView& view, const auto& on, const auto& off) {
        window_->workspace().showView(view.viewKey());
        const bool before = hasCommand(view.viewKey());
        on();
        const bool between = hasCommand(view.viewKey());
        off();
        return before && !between && hasCommand(view.viewKey());
    };
    QVERIFY(toggled(
        gantt, [&] { gantt.setColour(ui::GanttColour::OpKind); },
        [&] { gantt.setColour(ui::GanttColour::Residency); }));
    QVERIFY(toggled(
        gantt, [&] { gantt.setAddressDown(true); }, [&] { gantt.setAddressDown(false); }));
    QVERIFY(toggled(
        graph, [&] { graph.setMapVisible(false); }, [&] { graph.setMapVisible(true); }));
    QVERIFY(toggled(
        graph, [&] { graph.arranger().setDirection(graphlayout::Direction::LeftToRight); },
        [&] { graph.arranger().setDirection(graphlayout::Direction::TopToBottom); }));
    QVERIFY(toggled(
        cores, [&] { cores.setAutoRange(true); }, [&] { cores.setAutoRange(false); }));
    ui::Units sticks;
    sticks.unit = ui::ByteUnit::Sticks;
    QVERIFY(toggled(
        gantt, [&] { gantt.setUnits(sticks); }, [&] { gantt.setUnits({}); }));
}

void PictureCommandsTest::part_hasNoCommand() {
    GraphCut cut;
    cut.first = "sub";
    cut.last = "div";
    QVERIFY(open("S1", cut));
    QVERIFY(!hasCommand(QStringLiteral("gantt")));
}

MEMPLAN_WINDOW_TEST(PictureCommandsTest)
#include "tst_picture_commands.moc"
