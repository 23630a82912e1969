// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/view_info.h"

#include "widgets/canvas/pane/view_pane.h"
#include "widgets/views/chains/chain_pane.h"
#include "widgets/views/coregrid/core_pane.h"
#include "widgets/views/gantt/gantt_pane.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/residual/residual_pane.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>

namespace memplan::app {
namespace {

template <class Pane> MadeView make(ui::SelectionHub* hub, QWidget* parent) {
    auto* page = new Pane(hub, parent);
    return {page, page->pane()};
}

MadeView makeGantt(ui::SelectionHub* hub, QWidget* parent) {
    ui::ViewPane* pane = ui::makeGanttPane(hub, parent);
    return {pane, pane};
}

constexpr std::array kViews{
    ViewInfo{"graph", QT_TRANSLATE_NOOP("View", "Graph"), "graph-view", ViewSlot::Tab, true, "graph.md",
             &make<ui::GraphPane>},
    ViewInfo{"cores", QT_TRANSLATE_NOOP("View", "Core grid"), "core-grid", ViewSlot::Tab, true, "cores.md",
             &make<ui::CorePane>},
    ViewInfo{"gantt", QT_TRANSLATE_NOOP("View", "LX Gantt"), "lx-gantt", ViewSlot::Memory, false, "gantt.md",
             &makeGantt},
    ViewInfo{"chains", QT_TRANSLATE_NOOP("View", "L1 chains"), "l1-chains", ViewSlot::Memory, true, "chains.md",
             &make<ui::ChainPane>},
    ViewInfo{"residual", QT_TRANSLATE_NOOP("View", "Residual stream"), "residual-stream", ViewSlot::Memory, true,
             "residual.md", &make<ui::ResidualPane>},
};

}  // namespace

std::span<const ViewInfo> allViews() {
    return kViews;
}

const ViewInfo* viewInfo(const QString& key) {
    const auto at = std::ranges::find_if(kViews, [&key](const ViewInfo& v) { return key == QLatin1String(v.key); });
    return at == kViews.end() ? nullptr : &*at;
}

QString titleOf(const ViewInfo& info) {
    return QCoreApplication::translate("View", info.title);
}

QString keyOf(const ViewInfo& info) {
    return QString::fromLatin1(info.key);
}

}  // namespace memplan::app
