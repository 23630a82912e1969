// SPDX-License-Identifier: GPL-3.0-or-later
// The graph view on screen with a plan, as its tests start.
#pragma once

#include "tests/support/layout_wait.h"
#include "widgets/views/graph/graph_pane.h"

#include <QRectF>
#include <QSize>
#include <QTest>

#include <algorithm>

namespace memplan::fixture {

struct GraphWindow {
    explicit GraphWindow(const PlanPtr& plan, QSize size = {800, 700}) : pane(&hub), view(*pane.view()) {
        pane.resize(size);
        pane.show();
        hub.setPlan(plan);
        isReady = fixture::waitForLayout(view, 10000);
        QVERIFY2(isReady, "the graph is not laid out");
    }
    [[nodiscard]] const ui::GraphScene& scene() const { return *view.scene(); }
    /// Where a rectangle of the scene is in the view.
    [[nodiscard]] QRectF onScreen(const QRectF& r) const { return ui::sceneTransform(view.viewport()).toScreen(r); }
    [[nodiscard]] QRectF nodeOnScreen(OpId op) const {
        const auto node = static_cast<std::size_t>(scene().model->nodeFor(op));
        return onScreen(scene().rectOf(scene().visible.visibleOfNode[node]));
    }
    ui::SelectionHub hub;
    ui::GraphPane pane;
    ui::GraphView& view;
    bool isReady = false;
};

/// How many nodes a trace has marked.
[[nodiscard]] inline int markedIn(const graphlayout::NodeSet& set) {
    return static_cast<int>(std::count(set.begin(), set.end(), 1));
}

}  // namespace memplan::fixture
