// SPDX-License-Identifier: GPL-3.0-or-later
// Waits until a graph view shows the layout of its plan.
#pragma once

#include "widgets/views/graph/graph_view.h"

#include <QTest>

namespace memplan::fixture {

/// False when it is not there in time.
[[nodiscard]] inline bool waitForLayout(const ui::GraphView& view, int milliseconds) {
    return QTest::qWaitFor([&view] { return view.hasLayout(); }, milliseconds);
}

}  // namespace memplan::fixture
