// SPDX-License-Identifier: GPL-3.0-or-later
// What a session keeps of the graph view, and what it says about its zoom and keys.
#include "widgets/plan/units.h"
#include "widgets/views/graph/graph_view.h"

#include <QJsonArray>

#include <set>
#include <string>

namespace memplan::ui {

QJsonObject GraphView::saveState() const {
    const auto& tree = arranger_.source().tree;
    QJsonArray open;
    for (int g = 0; tree && g < static_cast<int>(tree->groups().size()); ++g)
        if (arranger_.isOpen(g)) open << fromStd(tree->group(g).path);
    QJsonObject state{{QStringLiteral("overlay"), static_cast<int>(overlay_)},
                      {QStringLiteral("leftToRight"), arranger_.direction() == graphlayout::Direction::LeftToRight},
                      {QStringLiteral("map"), showMap_},
                      {QStringLiteral("open"), open}};
    // One that nobody chose follows the plan, also the next one.
    if (arranger_.hasChosenGrouping()) state.insert(QStringLiteral("grouping"), static_cast<int>(arranger_.grouping()));
    return state;
}

void GraphView::restoreState(const QJsonObject& state) {
    if (state.isEmpty()) return;
    const int overlay = state.value(QStringLiteral("overlay")).toInt();
    if (overlay >= 0 && overlay < static_cast<int>(Overlay::Difference)) setOverlay(static_cast<Overlay>(overlay));
    setMapVisible(state.value(QStringLiteral("map")).toBool(true));
    const bool isSideways = state.value(QStringLiteral("leftToRight")).toBool();
    arranger_.setDirection(isSideways ? graphlayout::Direction::LeftToRight : graphlayout::Direction::TopToBottom);
    const int grouping = state.value(QStringLiteral("grouping")).toInt(-1);
    if (grouping >= 0 && grouping <= static_cast<int>(Grouping::Bundle))
        arranger_.setGrouping(static_cast<Grouping>(grouping));
    std::set<std::string> paths;
    for (const QJsonValue& path : state.value(QStringLiteral("open")).toArray())
        paths.insert(path.toString().toStdString());
    arranger_.setOpenGroups(paths);
}

QString GraphView::zoomText() const {
    return QStringLiteral("%1\u202f%").arg(qRound(scalePercent()));
}

std::vector<KeyHelp> GraphView::keyHelp() const {
    return {
        {tr("Space"), tr("open or close a group")},
        {QStringLiteral("N"), tr("neighbours of the selection only")},
        {QStringLiteral("K"), tr("critical paths")},
        {QStringLiteral("T / Shift+T"), tr("trace the selection / all paths from there to the selection")},
        {QStringLiteral("M"), tr("bird's-eye map")},
        {QStringLiteral("Ctrl+L"), tr("top to bottom or left to right")},
        {tr("Up / Down"), tr("to what the selection reads / to what reads it")},
        {tr("Alt+Space"), tr("open or close all groups that are alike")},
    };
}

}  // namespace memplan::ui
