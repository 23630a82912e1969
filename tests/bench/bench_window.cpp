// SPDX-License-Identifier: GPL-3.0-or-later
// The window from a wish to the painted frame (user-experience 20): a hint edited on a generated graph of 200
// operations, and a window made, a sample opened, compiled and painted. QT_QPA_PLATFORM=offscreen bin/bench_window
#include "app/gui/window/main_window.h"
#include "app/gui/workspace/workspace.h"
#include "engine/graph/generate.h"
#include "engine/io/graph/graph_json.h"
#include "engine/io/samples.h"
#include "tests/bench/bench_support.h"
#include "tests/bench/budgets.h"
#include "tests/support/hint_support.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/kit/style/studio_style.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>

#include <benchmark/benchmark.h>

#include <memory>

namespace {

using namespace memplan;
using namespace memplan::app;

constexpr int kOps = 200;
constexpr int kTimeoutMs = 30000;

/// Tells when the memory map has painted a plan.
class PaintWatch final : public QObject {
public:
    bool eventFilter(QObject*, QEvent* event) override {
        painted_ = painted_ || event->type() == QEvent::Paint;
        return false;
    }
    void reset() { painted_ = false; }
    [[nodiscard]] bool painted() const { return painted_; }

private:
    bool painted_ = false;
};

template <class Condition> bool waitFor(const Condition& condition) {
    QElapsedTimer clock;
    clock.start();
    while (!condition() && clock.elapsed() < kTimeoutMs)
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::AllEvents, 50);
    return condition();
}

bool isFresh(MainWindow& window) {
    const Document* d = window.controller().document();
    return d != nullptr && d->current() != nullptr && d->state() == PlanState::Fresh &&
           !window.controller().task().isRunning();
}

std::vector<std::string> tensorsOnChip(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlanBuffer& b : plan.buffers)
        if (b.address && b.graphTensor.isValid() && !b.cloneOf.isValid())
            names.push_back(plan.graph->tensor(b.graphTensor).id);
    return names;
}

void hintEditToFrame(benchmark::State& state) {
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("generated.json"));
    const Graph graph = generateChainModel(kOps);
    if (!io::writeFileAtomically(path.toStdString(), io::writeGraphJson(graph))) return state.SkipWithError("no file");
    MainWindow window({});
    window.resize(1920, 1080);
    window.show();
    OpenRequest request;
    request.path = path;
    window.controller().open(request);
    if (!waitFor([&] { return isFresh(window); })) return state.SkipWithError("not compiled");
    (void)waitFor([&] { return window.workspace().isSettled(); });
    Document& document = *window.controller().document();
    const std::vector<std::string> names = tensorsOnChip(*document.current()->plan);
    PaintWatch watch;
    window.workspace().view(QStringLiteral("gantt"))->installEventFilter(&watch);
    QObject::connect(&document, &Document::currentChanged, &watch, [&watch] { watch.reset(); });
    std::size_t next = 0;
    for (auto _ : state) {
        if (next >= names.size()) {
            state.SkipWithError("every buffer has had its turn");
            break;
        }
        Hint hint;
        hint.target = "spyre";
        hint.scopes = {"tensor:" + names[next++]};
        hint.key = "keep_off_chip";
        hint.value = test::hintValue("true");
        // Every edit leads to a plan that was never made before.
        const PlanPtr before = document.current()->plan;
        document.setHints(QStringLiteral("Keep off chip"), {hint});
        const auto isNew = [&] { return document.current()->plan != before && document.state() == PlanState::Fresh; };
        if (!waitFor([&] { return isNew() && watch.painted(); })) {
            state.SkipWithError("no new frame");
            break;
        }
        state.PauseTiming();
        QCoreApplication::processEvents();
        state.ResumeTiming();
    }
    state.counters["ops"] = static_cast<double>(document.current()->plan->ops.size());
    state.counters["peak_MB"] = bench::peakMegabytes();
}

/// A first window with sample S1: made, shown, opened, compiled, memory map painted.
void startToFrame(benchmark::State& state) {
    const std::vector<io::SampleInfo> samples = io::listSamples();
    const io::SampleInfo* sample = io::findSample(samples, "S1");
    if (sample == nullptr) return state.SkipWithError("no sample");
    for (auto _ : state) {
        auto window = std::make_unique<MainWindow>(samples);
        window->resize(1920, 1080);
        PaintWatch watch;
        window->workspace().view(QStringLiteral("gantt"))->installEventFilter(&watch);
        window->show();
        window->openSample(*sample);
        if (!waitFor([&] { return isFresh(*window) && watch.painted(); })) {
            state.SkipWithError("no frame");
            break;
        }
        state.PauseTiming();
        window.reset();
        state.ResumeTiming();
    }
    state.counters["peak_MB"] = bench::peakMegabytes();
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("memplan-studio-bench"));
    QStandardPaths::setTestModeEnabled(true);
    QApplication::setStyle(new memplan::ui::StudioStyle(memplan::ui::Theme(memplan::ui::ThemeKind::Light)));
    benchmark::RegisterBenchmark("start_to_frame/S1", startToFrame)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(10)
        ->Repetitions(3)
        ->ReportAggregatesOnly(true);
    benchmark::RegisterBenchmark("hint_edit_to_frame/200", hintEditToFrame)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime()
        ->Iterations(20)
        ->Repetitions(5)
        ->ReportAggregatesOnly(true);
    return memplan::bench::runBenchmarks(argc, argv);
}
