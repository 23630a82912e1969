// SPDX-License-Identifier: GPL-3.0-or-later
// A window with the L1 chains of a plan, for tests that walk through it.
#pragma once

#include "app/gui/features/chains/chain_controller.h"
#include "app/gui/features/hints/hint_controller.h"
#include "app/gui/window/main_window.h"
#include "tests/support/program.h"
#include "tests/support/window_support.h"
#include "widgets/views/chains/chain_pane.h"

#include <QLabel>
#include <QPushButton>
#include <QTest>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace memplan::app {

struct ChainWindow {
    MainWindow window;
    explicit ChainWindow(const std::vector<io::SampleInfo>& samples) : window(samples) {}
    ui::ChainView* view() { return qobject_cast<ui::ChainView*>(window.workspace().view(QStringLiteral("chains"))); }
    ui::ChainSide* side() { return window.findChild<ui::ChainSide*>(); }
    ChainController* chains() { return window.findChild<ChainController*>(); }
    HintController* hints() { return window.findChild<HintController*>(); }
    Document& document() { return *window.controller().document(); }
    ui::SelectionHub& hub() { return window.controller().hub(); }
    const Plan& plan() { return *hub().plan(); }
    [[nodiscard]] int failed() { return view()->chainData()->countOf(ttnn::ChainState::Failed); }
    [[nodiscard]] bool select(const std::string& op) {
        const auto found = std::ranges::find(plan().ops, op, &PlanOp::name);
        if (found == plan().ops.end()) return false;
        hub().select(ui::ItemId::of(OpId::of(static_cast<std::size_t>(found - plan().ops.begin()))));
        return true;
    }
    [[nodiscard]] bool settle(int ms = 60000) {
        return QTest::qWaitFor([this] { return chains()->isSettled(); }, ms);
    }
    /// Opens S6 and shows its chains.
    [[nodiscard]] bool open(const std::vector<io::SampleInfo>& samples,
                            const std::vector<std::pair<std::string, std::string>>& settings = {}) {
        const io::SampleInfo* sample = io::findSample(samples, "S6");
        if (sample == nullptr) return false;
        OpenRequest request = sampleRequest(*sample);
        request.settings.insert(request.settings.end(), settings.begin(), settings.end());
        return open(request);
    }
    [[nodiscard]] bool open(const OpenRequest& request) {
        if (!showInFront(window)) return false;
        window.controller().open(request);
        if (!waitForPlan(window, 120000)) return false;
        window.workspace().showView(QStringLiteral("chains"));
        return view() != nullptr && side() != nullptr && chains() != nullptr;
    }
};

[[nodiscard]] inline QPushButton* visibleButton(QWidget* in, const QString& name) {
    for (QPushButton* b : in->findChildren<QPushButton*>(name))
        if (b->isVisible()) return b;
    return nullptr;
}

/// All labels on screen, a line each.
[[nodiscard]] inline QString visibleWords(QWidget* in) {
    QStringList all;
    for (const QLabel* label : in->findChildren<QLabel*>())
        if (label->isVisible()) all << label->text();
    return all.join(u'\n');
}

}  // namespace memplan::app
