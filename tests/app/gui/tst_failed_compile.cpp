// SPDX-License-Identifier: GPL-3.0-or-later
// A compile that ends without a plan (user-experience 19.4, 19.5): what is shown, and the memory at the failing point.
#include "app/gui/features/export/export_source.h"
#include "app/gui/workspace/workspace.h"
#include "engine/pipeline/pass.h"
#include "engine/target/compile.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/controls/notices/strip.h"
#include "widgets/views/gantt/gantt_view.h"
#include "widgets/views/problems/problems_view.h"

#include <QApplication>
#include <QLabel>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QThread>

#include <algorithm>

using namespace memplan;
using namespace memplan::app;

class FailedCompileTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { samples_ = prepareProgram(); }
    void isReportedEverywhere();
    void showsItsMemory();
    void cancelled_saysSo();

private:
    [[nodiscard]] bool open(MainWindow& window, const char* id) {
        return openSample(window, io::findSample(samples_, id));
    }
    std::vector<io::SampleInfo> samples_;
};

namespace {

/// The memory map as the export writes it, with the footer.
QByteArray svgOf(MainWindow& window) {
    ExportSource source(window.controller(), window.workspace(), window.workspace().view(QStringLiteral("gantt")));
    PictureChoice choice;
    choice.format = QStringLiteral("svg");
    choice.footer = true;
    const auto files = source.files(ExportWhat::CurrentView, choice);
    const auto bytes = files.empty() ? Result<QByteArray>(QByteArray()) : files.front().make();
    return bytes ? bytes.value() : QByteArray();
}

bool isOnAStrip(const MainWindow& window, const QString& words) {
    const auto strips = window.findChildren<ui::Strip*>();
    return std::any_of(strips.begin(), strips.end(),
                       [&](const ui::Strip* s) { return s->isVisible() && s->text().startsWith(words); });
}

}  // namespace

void FailedCompileTest::isReportedEverywhere() {
    MainWindow window(samples_);
    window.show();
    OpenRequest request;
    request.path = QString::fromStdString(io::findSample(samples_, "S1")->path);
    request.settings = {{"spyre.calibration", "/no/such/file.spyre-cal.json"}};
    window.open(request);
    QTRY_VERIFY_WITH_TIMEOUT(window.controller().document() != nullptr, 10000);
    QCOMPARE(window.controller().document()->state(), PlanState::Failed);
    // No pass has failed: none is named. The error stands in the list too, and the views say why they are empty.
    QVERIFY(isOnAStrip(window, QStringLiteral("Compile failed: ")));
    QCOMPARE(window.workspace().problems()->countText(), QStringLiteral("1 error"));
    for (const ui::GraphicView* view : window.workspace().views())
        QCOMPARE(view->emptyText()->actionKey, QStringLiteral("problems"));
    // Cancelled before there was any plan: none is spoken of.
    window.controller().task().start(QStringLiteral("Compiling"),
                                     [](const RunControl&) -> BackgroundTask::Finish { return [] {}; });
    window.controller().cancel();
    for (const ui::Strip* strip : window.findChildren<ui::Strip*>())
        QVERIFY2(!strip->text().contains(QStringLiteral("Previous plan")), qPrintable(strip->text()));
    window.controller().document()->changeSetting(QStringLiteral("spyre.calibration"), QString());
    QTRY_VERIFY_WITH_TIMEOUT(window.controller().document()->state() == PlanState::Fresh, 10000);
    QCOMPARE(window.workspace().problems()->counts()[0], 0);
    QVERIFY(!window.workspace().view(QStringLiteral("gantt"))->emptyText());
}

/// 19.4: the memory at the failing point with a ghost of what did not fit, and the way back to the plan.
void FailedCompileTest::showsItsMemory() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S3"));
    window.controller().setAutomatic(false);
    Document& document = *window.controller().document();
    const PlanPtr plan = document.current()->plan;
    auto memory = std::make_shared<Plan>(*plan);
    memory->passes.resize(memory->passes.size() / 2);
    const auto isRefused = [](const PlanBuffer& b) {
        return b.reason && b.reason->code == ReasonCode::CoreDivMismatch;
    };
    const auto refused = std::ranges::find_if(memory->buffers, isRefused);
    QVERIFY(refused != memory->buffers.end());
    const BufferId misfit = BufferId::of(static_cast<std::size_t>(refused - memory->buffers.begin()));
    Error error = makeError("LX-017", "pool", "it does not fit");
    error.diagnostics.front().buffers = {misfit};
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("3"));
    document.setFailed({error, "memory_planning", memory->passes, memory});
    const auto strip = [&](const QString& key) {
        for (ui::Strip* s : window.findChildren<ui::Strip*>())
            if (s->text().contains(QStringLiteral("memory_planning"))) emit s->triggered(key);
    };
    strip(QStringLiteral("state"));
    auto* gantt = qobject_cast<ui::GanttView*>(window.workspace().view(QStringLiteral("gantt")));
    QCOMPARE(window.controller().hub().plan(), PlanPtr(memory));
    QCOMPARE(gantt->ganttData()->plan, PlanPtr(memory));
    QVERIFY(gantt->scopeText().contains(QStringLiteral("Before the failure")));
    QCOMPARE(window.controller().hub().primary(), std::optional(ui::ItemId::of(misfit)));
    QVERIFY(ghostOf(*gantt->ganttData(), misfit));
    QCOMPARE(document.current()->plan, plan);
    // It is no what-if, which Esc would leave, and no picture of it has the name of a plan.
    const auto* state = window.findChild<QLabel*>(QStringLiteral("refusalState"));
    QVERIFY(state != nullptr);
    QVERIFY2(state->text().startsWith(QStringLiteral("This is the memory as it stood at the failure")),
             qPrintable(state->text()));
    const QByteArray drawn = svgOf(window);
    QVERIFY(drawn.contains("Before the failure in memory_planning; the compile failed, there is no plan of it"));
    QVERIFY(!drawn.contains(plan->planHash.c_str()));
    strip(QStringLiteral("back"));
    QCOMPARE(window.controller().hub().plan(), plan);
    QVERIFY(isOnAStrip(window, QStringLiteral("Compile failed in pass memory_planning")));
    QVERIFY(svgOf(window).contains(plan->planHash.c_str()));
}

/// The stale plan is no reason to hide that it was the user who stopped the new one (19.5).
void FailedCompileTest::cancelled_saysSo() {
    MainWindow window(samples_);
    window.show();
    QVERIFY(open(window, "S1"));
    window.controller().setAutomatic(false);
    Document& document = *window.controller().document();
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("3"));
    window.controller().task().start(QStringLiteral("Compiling"), [](const RunControl& c) -> BackgroundTask::Finish {
        c.progress(passList("spyre").back().title, 1, 2);
        while (!c.cancelled())
            QThread::msleep(5);
        return [] {};
    });
    document.setCompiling();
    QSignalSpy progress(&window.controller().task(), &LongTask::progress);
    QVERIFY(progress.wait());
    window.controller().cancel();
    QCOMPARE(document.state(), PlanState::Stale);
    QVERIFY(isOnAStrip(window, QStringLiteral("Cancelled after ")));
    const QRegularExpression words(QStringLiteral("^Cancelled after \\d+\\.\\d s in pass .+\\. Previous plan shown$"));
    const auto strips = window.findChildren<ui::Strip*>();
    QVERIFY(std::ranges::any_of(strips, [&](const ui::Strip* s) { return words.match(s->text()).hasMatch(); }));
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("4"));
    window.controller().compileNow();
    QTRY_VERIFY_WITH_TIMEOUT(document.state() == PlanState::Fresh, 10000);
    document.changeSetting(QStringLiteral("spyre.cores"), QStringLiteral("5"));
    QVERIFY(isOnAStrip(window, QStringLiteral("Plan is older")));
}

MEMPLAN_WINDOW_TEST(FailedCompileTest)
#include "tst_failed_compile.moc"
