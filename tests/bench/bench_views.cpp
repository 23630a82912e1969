// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets of the views (user-experience 20): frames of the Gantt, its build, a selection, a picture of four thousand
// pixels, and the built-in graph layout. QT_QPA_PLATFORM=offscreen bin/bench_views
#include "tests/bench/bench_support.h"
#include "tests/bench/budgets.h"
#include "tests/support/plan_fixture.h"
#include "tests/widgets/residual_plans.h"
#include "widgets/canvas/picture/picture_export.h"
#include "widgets/graphlayout/layered_layout.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/views/gantt/gantt_pane.h"
#include "widgets/views/residual/residual_view.h"

#include <QApplication>
#include <QElapsedTimer>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <vector>

namespace {

using namespace memplan;
using namespace memplan::ui;

constexpr QSize kScreen(1920, 1080);
constexpr int kRasterMs = 200;  ///< a raster of the worker may still be under way

void settle() {
    QElapsedTimer clock;
    clock.start();
    while (clock.elapsed() < kRasterMs)
        QCoreApplication::processEvents(QEventLoop::AllEvents, 20);
}

/// The Gantt of `buffers` synthetic buffers, fitted to a screen and painted once.
struct Shown {
    explicit Shown(int buffers, double zoom = 1) : view(&hub), screen(kScreen, QImage::Format_RGB32) {
        view.resize(kScreen);
        hub.setPlan(fixture::synthetic(buffers));
        settle();  // what the view does once it is there
        view.fitAll();
        view.zoomBy(zoom, QPointF(900, 90));  // above the plot: time axis only
        view.render(&screen);
        settle();
    }
    SelectionHub hub;
    GanttView view;
    QImage screen;
};

/// A frame after a small pan; the second argument zooms the time axis.
void ganttFrame(benchmark::State& state) {
    Shown shown(static_cast<int>(state.range(0)), static_cast<double>(state.range(1)));
    double step = 3;
    for (auto _ : state) {
        shown.view.panBy({step, 0});
        shown.view.render(&shown.screen);
        step = -step;
    }
    state.counters["peak_MB"] = bench::peakMegabytes();
}

void ganttBuild(benchmark::State& state) {
    const PlanPtr plan = fixture::synthetic(static_cast<int>(state.range(0)));
    for (auto _ : state)
        benchmark::DoNotOptimize(buildGanttData(plan));
    state.counters["peak_MB"] = bench::peakMegabytes();
}

/// What a new plan costs the window's thread, and until its picture is there ("arrived_ms").
void ganttNewPlan(benchmark::State& state) {
    const PlanPtr plans[] = {fixture::synthetic(static_cast<int>(state.range(0))),
                             fixture::synthetic(static_cast<int>(state.range(0)), 3)};
    SelectionHub hub;
    GanttView view(&hub);
    view.resize(kScreen);
    settle();
    std::vector<double> arrived;
    std::size_t next = 0;
    for (auto _ : state) {
        QElapsedTimer clock;
        clock.start();
        hub.setPlan(plans[next++ % 2]);
        state.PauseTiming();
        view.settle();
        arrived.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        state.ResumeTiming();
    }
    std::ranges::nth_element(arrived, arrived.begin() + static_cast<std::ptrdiff_t>(arrived.size() / 2));
    state.counters["arrived_ms"] = arrived[arrived.size() / 2];
    state.counters["peak_MB"] = bench::peakMegabytes();
}

void ganttHover(benchmark::State& state) {
    const Shown shown(static_cast<int>(state.range(0)));
    std::mt19937 random(5);
    const auto within = [&random](int size) { return static_cast<double>(random() % static_cast<unsigned>(size)); };
    for (auto _ : state)
        benchmark::DoNotOptimize(shown.view.itemAt({within(kScreen.width()), within(kScreen.height())}));
    state.counters["peak_MB"] = bench::peakMegabytes();
}

void ganttSelection(benchmark::State& state) {
    Shown shown(static_cast<int>(state.range(0)));
    int buffer = 0;
    for (auto _ : state) {
        shown.hub.select({ItemKind::Buffer, buffer});
        shown.view.render(&shown.screen);
        buffer = (buffer + 7919) % static_cast<int>(state.range(0));
    }
    state.counters["peak_MB"] = bench::peakMegabytes();
}

void ganttPicture(benchmark::State& state) {
    Shown shown(static_cast<int>(state.range(0)));
    PictureRequest request;
    request.size = kScreen;
    request.scale = 2.0;
    for (auto _ : state)
        benchmark::DoNotOptimize(picturePng(shown.view, request));
    state.counters["peak_MB"] = bench::peakMegabytes();
}

/// A frame of the residual stream after a small pan; `zoom` 0 zooms by a notch and back instead.
void residualFrame(benchmark::State& state) {
    SelectionHub hub;
    ResidualView view(&hub);
    view.resize(kScreen);
    hub.setPlan(fixture::largeStream(static_cast<int>(state.range(0)), static_cast<int>(state.range(1))));
    settle();
    QImage screen(kScreen, QImage::Format_RGB32);
    const double zoom = static_cast<double>(state.range(2));
    const QPointF middle(600, 300);
    if (zoom > 1) view.zoomBy(zoom, middle);
    bool isOut = false;
    for (auto _ : state) {
        if (zoom < 1)
            view.zoomBy(isOut ? 1.2 : 1 / 1.2, middle);
        else
            view.panBy({isOut ? 3.0 : -3.0, isOut ? 2.0 : -2.0});
        view.render(&screen);
        isOut = !isOut;
    }
    state.counters["owners"] = static_cast<double>(view.residualData()->holdings().size());
    state.counters["peak_MB"] = bench::peakMegabytes();
}

void residualBuild(benchmark::State& state) {
    const PlanPtr plan = fixture::largeStream(static_cast<int>(state.range(0)), static_cast<int>(state.range(1)));
    for (auto _ : state)
        benchmark::DoNotOptimize(residualDataOf(plan));
    state.counters["peak_MB"] = bench::peakMegabytes();
}

void builtInLayout(benchmark::State& state) {
    const int nodes = static_cast<int>(state.range(0));
    graphlayout::LayoutGraph graph;
    std::mt19937 random(3);
    for (int i = 0; i < nodes; ++i) {
        graph.nodes.push_back({});
        graph.nodes.back().width = 120;
        graph.nodes.back().height = 40;
        if (i == 0) continue;
        for (int k = 0; k < 2; ++k) {
            const int from = i - 1 - static_cast<int>(random() % static_cast<unsigned>(std::min(i, 8)));
            graph.edges.push_back({from, i});
        }
    }
    for (auto _ : state)
        benchmark::DoNotOptimize(graphlayout::layeredLayout(graph));
    state.counters["edges"] = static_cast<double>(graph.edges.size());
    state.counters["peak_MB"] = bench::peakMegabytes();
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
    const auto ms = benchmark::kMillisecond;
    benchmark::RegisterBenchmark("gantt/frame", ganttFrame)
        ->Args({10'000, 1})
        ->Args({100'000, 10})
        ->Args({100'000, 1})
        ->ArgNames({"buffers", "zoom"})
        ->Unit(ms);
    benchmark::RegisterBenchmark("gantt/hover", ganttHover)->Arg(100'000)->ArgName("buffers")->Unit(ms);
    benchmark::RegisterBenchmark("gantt/new_plan", ganttNewPlan)
        ->Arg(100'000)
        ->ArgName("buffers")
        ->UseRealTime()
        ->Iterations(5)
        ->Repetitions(5)
        ->Unit(ms);
    benchmark::RegisterBenchmark("gantt/build", ganttBuild)->Arg(100'000)->ArgName("buffers")->Unit(ms);
    benchmark::RegisterBenchmark("gantt/selection", ganttSelection)->Arg(100'000)->ArgName("buffers")->Unit(ms);
    benchmark::RegisterBenchmark("gantt/png_4k", ganttPicture)->Arg(100'000)->ArgName("buffers")->Unit(ms);
    benchmark::RegisterBenchmark("residual/frame", residualFrame)
        ->Args({400, 8192, 0})
        ->Args({400, 8192, 2})
        ->Args({400, 8192, 8})
        ->ArgNames({"layers", "columns", "zoom"})
        ->Unit(ms);
    benchmark::RegisterBenchmark("residual/build", residualBuild)
        ->Args({400, 8192})
        ->ArgNames({"layers", "columns"})
        ->Unit(ms);
    benchmark::RegisterBenchmark("layout/built_in", builtInLayout)->Arg(2000)->ArgName("nodes")->Unit(ms);
    return memplan::bench::runBenchmarks(argc, argv);
}
