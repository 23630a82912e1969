// SPDX-License-Identifier: GPL-3.0-or-later
// The command that the export dialog copies makes the bytes that the dialog writes (user-experience 18.3).
#include "batch/screenshot.h"
#include "compare/compare_bridge.h"
#include "core/studio_style.h"
#include "coregrid/core_grid_view.h"
#include "export/export_dialog.h"
#include "gantt/gantt_view.h"
#include "graph/graph_view.h"
#include "io/samples.h"
#include "main_window.h"
#include "workspace.h"

#include <QClipboard>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <iostream>

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
    choice.dress = {ui::PictureDress::Scope::All, false, false, false};
    return choice;
}

}  // namespace

class PictureCommandsTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void cleanup() { window_.reset(); }
    void sample_data();
    void sample();
    void comparison();
    void changedSettings();
    void earlierPlan();
    void model_withSizes();
    void list_withOffsets();
    void screenTheme();
    void whatOnlyTheWindowKnows_hasNoCommand();
    void part_hasNoCommand();

private:
    [[nodiscard]] bool settled() const;
    [[nodiscard]] bool open(const OpenRequest& request);
    [[nodiscard]] bool open(const char* sample, const GraphCut& cut = {});
    [[nodiscard]] Document& document() const { return *window_->controller().document(); }
    void compare(const QString& key, const PictureChoice& choice);
    [[nodiscard]] bool hasCommand(const QString& key) const;
    std::vector<io::SampleInfo> samples_;
    std::unique_ptr<MainWindow> window_;
    QTemporaryDir folder_;
};

void PictureCommandsTest::initTestCase() {
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-tests"));
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(new ui::StudioStyle(ui::Theme(ui::ThemeKind::Light)));
    samples_ = io::listSamples();
}

void PictureCommandsTest::init() {
    window_ = std::make_unique<MainWindow>(samples_);
    window_->resize(1600, 1000);
    window_->show();
}

bool PictureCommandsTest::settled() const {
    return QTest::qWaitFor(
        [this] {
            const Document* d = window_->controller().document();
            return d != nullptr && d->current() != nullptr && !window_->controller().task().isRunning() &&
                   d->state() == PlanState::Fresh && window_->workspace().isSettled();
        },
        30000);
}

bool PictureCommandsTest::open(const OpenRequest& request) {
    window_->controller().open(request);
    return settled();
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
    QVERIFY(settled());
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
    const QStringList views = Workspace::viewKeys() << QStringLiteral("passes") << QStringLiteral("problems");
    for (const QString& view : views)
        for (const char* format : {"png", "svg", "pdf"})
            QTest::newRow(qPrintable(view + u' ' + QString::fromLatin1(format))) << view << QByteArray(format);
}

/// Its plan is the last of several, with the name of a variant.
void PictureCommandsTest::sample() {
    QFETCH(QString, view);
    QFETCH(QByteArray, format);
    QVERIFY(open("S1"));
    PictureChoice choice = whole(format.constData());
    choice.dress.selection = window_->workspace().pictured(view) != nullptr;
    compare(view, choice);
}

/// The last two plans of a sample, both with their own names.
void PictureCommandsTest::comparison() {
    QVERIFY(open("S1"));
    auto& bridge = *window_->findChild<CompareBridge*>();
    bridge.setOn(true);
    QVERIFY(QTest::qWaitFor([&] { return bridge.comparison() != nullptr; }, 10000));
    const auto marked = [](const char* format) {
        PictureChoice choice = whole(format);
        choice.dress.selection = true;
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
    bridge.compareWithPlan(0);
    QVERIFY(settled() && bridge.comparison() != nullptr);
    QVERIFY(line().isEmpty());
}

void PictureCommandsTest::changedSettings() {
    QVERIFY(open("S1"));
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(settled());
    compare(QStringLiteral("gantt"), whole("svg"));
}

void PictureCommandsTest::earlierPlan() {
    QVERIFY(open("S1"));
    document().changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    QVERIFY(settled());
    document().undoStack().undo();
    QVERIFY(settled());
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
    QVERIFY(settled());
    QVERIFY(!hasCommand(QStringLiteral("gantt")));  // no option of the command names a capacity
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

QTEST_MAIN(PictureCommandsTest)
#include "tst_picture_commands.moc"
