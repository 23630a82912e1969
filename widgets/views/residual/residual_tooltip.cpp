// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/units.h"
#include "widgets/views/residual/residual_view.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace memplan::ui {

namespace {

QString words(const char* text) {
    return QCoreApplication::translate("Residual", text);
}

void addLife(const ResidualData& data, torchwright::NodeId node, TooltipText& t) {
    const ResidualLife life = lifeOf(data, node);
    t.lines.push_back({words("Born"), layerText(life.birth)});
    if (life.lastRead >= 0)
        t.lines.push_back(
            {words("Last read"),
             words("%1, by %2").arg(layerText(life.lastRead), nodeText(data.graph(), life.readers.front().node))});
    t.lines.push_back({words("Column-layers"), groupedText(life.columnLayers)});
}

/// Zoomed out, a pixel stands for several columns.
QString mixedText(const ResidualViewState& state, const ResidualLayout& l, const ResidualHit& hit) {
    const int end = std::min(state.data->d(), static_cast<int>(std::ceil(hit.column + 1 / l.x.scale)));
    std::vector<int> owners;
    for (int column = hit.column; column < end; ++column)
        owners.push_back(state.data->ownerAt(2 * hit.layer + (hit.isAfterMlp ? 1 : 0), column));
    std::ranges::sort(owners);
    owners.erase(std::unique(owners.begin(), owners.end()), owners.end());
    return owners.size() < 2 ? QString()
                             : words("%1 columns, %2 owners: zoom in").arg(end - hit.column).arg(owners.size());
}

TooltipText mapTooltip(const ResidualViewState& state, const ResidualLayout& l, const ResidualHit& hit) {
    const ResidualData& data = *state.data;
    TooltipText t;
    const QString place = words("column %1, layer %2, after %3")
                              .arg(hit.column)
                              .arg(hit.layer)
                              .arg(hit.isAfterMlp ? words("MLP") : words("attention"));
    if (hit.holding < 0) {
        t.title = words("Free");
        t.lines.push_back({words("Place"), place});
    } else {
        const torchwright::NodeId node = data.holding(hit.holding).owner;
        t.title = nodeText(data.graph(), node);
        t.lines.push_back({words("Kind"), fromStd(std::string(torchwright::kindName(data.graph().at(node).kind)))});
        t.lines.push_back({words("Annotation"),
                           data.annotations()[static_cast<std::size_t>(data.holding(hit.holding).annotation)].name});
        t.lines.push_back({words("Columns"), words("%1: %2").arg(groupedText(data.holding(hit.holding).width),
                                                                 columnListText(data.columnsOf(hit.holding)))});
        addLife(data, node, t);
    }
    const QString mixed = mixedText(state, l, hit);
    if (!mixed.isEmpty() && t.lines.size() < 7) t.lines.push_back({words("Pixel"), mixed});
    return t;
}

TooltipText layerTooltip(const ResidualData& data, int i) {
    const ResidualLayer& layer = data.layer(i);
    TooltipText t;
    t.title = words("Layer %1").arg(i);
    t.lines.push_back({words("Heads"), words("%1 of %2, %3 across positions, %4 to cancel")
                                           .arg(layer.heads)
                                           .arg(data.headsPerLayer())
                                           .arg(layer.crossHeads)
                                           .arg(layer.cancelHeads)});
    t.lines.push_back(
        {words("Slots"), words("%1 of %2").arg(groupedText(layer.slotsUsed), groupedText(data.slotsPerLayer()))});
    t.lines.push_back({words("Operations"), groupedText(layer.ops)});
    t.lines.push_back({words("Columns"),
                       words("%1 before, %2 after, %3 cancelled")
                           .arg(groupedText(layer.before), groupedText(layer.after), groupedText(layer.cancelled))});
    t.lines.push_back({words("Parameters"), words("%1 of the layer").arg(percentText(layer.fill))});
    t.lines.push_back({words("Refused"), plural(layer.refused, words("node"), words("nodes"))});
    t.lines.push_back({words("Bound by"), layer.isForced ? words("order: only other dependencies remove this layer")
                                                         : bindingWord(layer.binding)});
    return t;
}

TooltipText stackTooltip(const ResidualData& data, int layer) {
    TooltipText t;
    const int after = data.layer(layer).after;
    t.title = words("After layer %1: %2 of %3 columns").arg(layer).arg(groupedText(after), groupedText(data.d()));
    for (const ShareRow& row : shareRows(data, layer, layer + 1, 7)) {
        const QString name = row.annotation >= 0 ? data.annotations()[static_cast<std::size_t>(row.annotation)].name
                                                 : words("other (%1)").arg(row.others);
        t.lines.push_back({name, words("%1, %2").arg(groupedText(std::lround(row.columns)), percentText(row.share))});
    }
    return t;
}

TooltipText plateauTooltip(const ResidualPlateau& plateau, int index, int d) {
    TooltipText t;
    t.title = words("Plateau %1").arg(index + 1);
    t.lines = {{words("Layers"), words("%1 to %2, %3").arg(plateau.first).arg(plateau.last).arg(plateau.size())},
               {words("Occupied"), percentText(plateau.meanColumns / std::max(1, d))},
               {words("Ops a layer"),
                words("%1 inside, %2 outside").arg(plateau.opsInside, 0, 'f', 1).arg(plateau.opsOutside, 0, 'f', 1)},
               {plateau.dominating, words("%1 of the columns").arg(percentText(plateau.share))}};
    return t;
}

TooltipText pathTooltip(const ResidualViewState& state, int place) {
    const PathBar& bar = (*state.path)[static_cast<std::size_t>(place)];
    TooltipText t;
    t.title = nodeText(state.data->graph(), bar.node);
    t.lines.push_back({words("Computed"), layerText(bar.layer)});
    t.lines.push_back(
        {words("Place on the path"), words("%1 of %2").arg(place + 1).arg(static_cast<qint64>(state.path->size()))});
    if (static_cast<std::size_t>(place) + 1 < state.path->size())
        t.lines.push_back({words("Next node"), words("layer %1").arg(bar.next)});
    if (bar.latest > std::max(0, bar.earliest))
        t.lines.push_back(
            {words("Tied paths"), words("layers %1 to %2").arg(std::max(0, bar.earliest)).arg(bar.latest)});
    return t;
}

}  // namespace

TooltipText residualTooltip(const ResidualViewState& state, const ResidualLayout& layout, const ResidualHit& hit) {
    switch (hit.part) {
    case ResidualHit::Part::Map:
        return mapTooltip(state, layout, hit);
    case ResidualHit::Part::Strip:
    case ResidualHit::Part::Number:
        return layerTooltip(*state.data, hit.layer);
    case ResidualHit::Part::Stack:
        return stackTooltip(*state.data, hit.layer);
    case ResidualHit::Part::Plateau:
        return plateauTooltip((*state.plateaus)[static_cast<std::size_t>(hit.index)], hit.index, state.data->d());
    case ResidualHit::Part::Path:
        return pathTooltip(state, hit.index);
    case ResidualHit::Part::Share:
    case ResidualHit::Part::None:
        break;
    }
    return {};
}

}  // namespace memplan::ui
