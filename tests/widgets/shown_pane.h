// SPDX-License-Identifier: GPL-3.0-or-later
// A pane on screen with a plan, for tests that use mouse and keys.
#pragma once

#include "widgets/plan/selection_hub.h"

#include <QSize>
#include <QTest>

namespace memplan::ui {

template <typename Pane> struct ShownPane {
    SelectionHub hub;
    Pane pane{&hub};
    bool isExposed = false;  ///< to be verified by the test

    explicit ShownPane(const PlanPtr& plan, QSize size = {1300, 640}) {
        hub.setOffersHints(true);
        pane.resize(size);
        hub.setPlan(plan);
        pane.show();
        isExposed = QTest::qWaitForWindowExposed(&pane);
    }
};

}  // namespace memplan::ui
