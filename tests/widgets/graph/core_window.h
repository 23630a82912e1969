// SPDX-License-Identifier: GPL-3.0-or-later
// The core grid with its bar, edges and matrix on screen with a plan, as its tests start.
#pragma once

#include "tests/support/plan_lookup.h"
#include "tests/widgets/graph/graph_plans.h"
#include "widgets/views/coregrid/core_pane.h"

#include <QSize>
#include <QTest>

#include <utility>

namespace memplan::fixture {

/// Where no plan is given it shows the split mismatch of design picture d.
struct CoreWindow {
    explicit CoreWindow(PlanPtr shown = splitMismatch(), QSize size = {1200, 700})
        : plan(std::move(shown)), pane(&hub), view(*pane.view()) {
        pane.resize(size);
        pane.show();
        hub.setPlan(plan);
        QVERIFY2(plan, "no plan to show");
    }
    void select(const char* buffer) { hub.select(ui::ItemId::of(test::bufferNamed(*plan, buffer))); }
    PlanPtr plan;
    ui::SelectionHub hub;
    ui::CorePane pane;
    ui::CoreGridView& view;
};

}  // namespace memplan::fixture
