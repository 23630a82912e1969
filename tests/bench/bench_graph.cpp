// SPDX-License-Identifier: GPL-3.0-or-later
// Budgets of the graph, of the matrix of all operations and of the palette (user-experience 20).
// QT_QPA_PLATFORM=offscreen bin/bench_graph
#include "tests/bench/bench_support.h"
#include "tests/bench/budgets.h"
#include "tests/widgets/graph/graph_plans.h"
#include "widgets/graphlayout/layered_layout.h"
#include "widgets/kit/style/studio_style.h"
#include "widgets/kit/theme/text_cache.h"
#include "widgets/tools/palette/palette_items.h"
#include "widgets/views/coregrid/core_pane.h"
#include "widgets/views/coregrid/ops_matrix.h"
#include "widgets/views/graph/graph_painter.h"

#include <QApplication>
#include <QPainter>
#include <QScrollBar>

#include <benchmark/benchmark.h>

namespace {

using namespace memplan;
using namespace memplan::ui;

constexpr QSize kScreen(1920, 1080);

/// All operations of a layered network as one picture, nothing folded.
GraphViewState graphOf(int ops) {
    auto plan = std::make_shared<Plan>(*fixture::layeredPlan(ops));
    for (PlanOp& op : plan->ops)
        op.groupPath.clear();
    const PlanPtr shared = plan;
    auto model = std::make_shared<const GraphModel>(buildGraphModel(shared, {}));
    const GroupedGraph source = groupedGraph(model, groupPaths(*model, Grouping::None));
    graphlayout::VisibleGraph visible = graphlayout::visibleGraph(*source.tree, model->sourceEdges, {});
    const auto request = layoutRequest(*model, visible, graphlayout::Direction::TopToBottom);
    GraphViewState state;
    state.plan = shared;
    state.scene = std::make_shared<const GraphScene>(buildScene(
        source, std::move(visible), graphlayout::layeredLayout(request), graphlayout::Direction::TopToBottom));
    state.overlay = std::make_shared<const OverlayData>(overlayData(*model, Overlay::Residency, {}));
    return state;
}

/// A frame after a pan, at `percent`; 0 shows the whole graph.
void graphFrame(benchmark::State& run) {
    GraphViewState state = graphOf(static_cast<int>(run.range(0)));
    const QRectF bounds = state.scene->bounds;
    const double whole = std::min(kScreen.width() / bounds.width(), kScreen.height() / bounds.height());
    const double scale = run.range(1) == 0 ? whole : static_cast<double>(run.range(1)) / 100;
    state.viewport.x.scale = state.viewport.y.scale = scale;
    QImage image(kScreen, QImage::Format_RGB32);
    const Theme theme(ThemeKind::Light);
    TextCache texts;
    GraphPaintStats stats;
    int frame = 0;
    for (auto _ : run) {
        state.viewport.x.origin = bounds.center().x() - kScreen.width() / 2.0 / scale + frame % 20 * 10;
        state.viewport.y.origin = bounds.top() + frame % 20 * 30;
        ++frame;
        QPainter painter(&image);
        painter.fillRect(image.rect(), theme.color(Token::BgCanvas));
        stats = paintGraph(painter, state, image.size(), theme, texts);
    }
    run.counters["nodes"] = stats.nodes;
    run.counters["edges"] = stats.edges;
    run.counters["peak_MB"] = bench::peakMegabytes();
}

/// Operations that use 32 cores each, in the pane of the core view.
struct Cores {
    explicit Cores(int ops) : pane(&hub) {
        auto plan = std::make_shared<Plan>(*fixture::layeredPlan(ops));
        for (PlanOp& op : plan->ops) {
            op.cores = 32;
            op.iterationSpace = {{"c0", 1024, 1024, 0, false, 32}, {"c1", 4096, 64, 64, false, 1}};
        }
        pane.resize(kScreen);
        pane.show();
        hub.setPlan(plan);
    }
    SelectionHub hub;
    CorePane pane;
};

void matrixFrame(benchmark::State& state) {
    Cores cores(static_cast<int>(state.range(0)));
    cores.pane.view()->setPage(CorePage::AllOps);
    QCoreApplication::processEvents();
    OpsMatrix& matrix = *cores.pane.matrix();
    QImage image(matrix.viewport()->size(), QImage::Format_RGB32);
    int frame = 0;
    for (auto _ : state) {
        matrix.verticalScrollBar()->setValue(frame++ % 20 * 4000);
        matrix.viewport()->render(&image);
    }
    state.counters["peak_MB"] = bench::peakMegabytes();
}

void coreGridSelection(benchmark::State& state) {
    Cores cores(static_cast<int>(state.range(0)));
    QImage image(cores.pane.view()->size(), QImage::Format_RGB32);
    int op = 77;
    for (auto _ : state) {
        cores.hub.select(ItemId{ItemKind::Op, op});
        cores.pane.view()->render(&image);
        op = (op + 7919) % static_cast<int>(state.range(0));
    }
    state.counters["peak_MB"] = bench::peakMegabytes();
}

/// The queries of one iteration differ in how much they find, from nearly all names to none.
void paletteSearch(benchmark::State& state) {
    auto plan = std::make_shared<Plan>();
    const int pairs = static_cast<int>(state.range(0)) / 2;
    for (int i = 0; i < pairs; ++i) {
        const std::string layer = "layers." + std::to_string(i / 40);
        plan->buffers.emplace_back().name = layer + ".attention.block_" + std::to_string(i) + ".out";
        plan->ops.emplace_back().name = layer + ".mlp.matmul_" + std::to_string(i);
    }
    PaletteItems items;
    items.setPlan(plan);
    const char* queries[] = {"a", "attn49", "matmul_31", "lyrs12mm", "op:mlp", "zzzz", "block_49999"};
    for (auto _ : state)
        for (const char* query : queries)
            benchmark::DoNotOptimize(items.find(QString::fromLatin1(query)));
    state.counters["queries"] = std::size(queries);
    state.counters["peak_MB"] = bench::peakMegabytes();
}

}  // namespace

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    QApplication::setStyle(new StudioStyle(Theme(ThemeKind::Light)));
    const auto ms = benchmark::kMillisecond;
    benchmark::RegisterBenchmark("graph/frame", graphFrame)
        ->Args({500, 0})
        ->Args({500, 31})
        ->Args({500, 60})
        ->Args({500, 100})
        ->ArgNames({"ops", "percent"})
        ->Unit(ms);
    benchmark::RegisterBenchmark("cores/matrix", matrixFrame)->Arg(10'000)->ArgName("ops")->Unit(ms);
    benchmark::RegisterBenchmark("cores/selection", coreGridSelection)->Arg(10'000)->ArgName("ops")->Unit(ms);
    benchmark::RegisterBenchmark("palette/seven_searches", paletteSearch)->Arg(100'000)->ArgName("names")->Unit(ms);
    return memplan::bench::runBenchmarks(argc, argv);
}
