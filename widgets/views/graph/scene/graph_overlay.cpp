// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/scene/graph_overlay.h"

#include "engine/compare/plan_changes.h"
#include "widgets/plan/plan_look.h"
#include "widgets/plan/units.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace memplan::ui {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

double lifetimeOf(const PlanBuffer& b) {
    return b.life.end - b.life.begin;
}

/// Seconds of the last pass that decided something about each op or buffer (5.8).
struct PassTimes {
    std::map<int, double> ops, buffers;
};

PassTimes passTimes(const Plan& plan) {
    std::map<std::string, double> seconds;
    for (const PassRun& p : plan.passes)
        seconds[p.name] = p.seconds;
    PassTimes times;
    for (const Decision& d : plan.decisions) {
        const auto it = seconds.find(d.pass);
        if (it == seconds.end()) continue;
        if (d.op.isValid()) times.ops[d.op.index] = it->second;
        if (d.buffer.isValid()) times.buffers[d.buffer.index] = it->second;
    }
    return times;
}

double passTimeOf(const PassTimes& times, const GraphNode& n) {
    if (const auto b = times.buffers.find(n.buffer.index); b != times.buffers.end()) return b->second * 1000;
    if (const auto o = times.ops.find(n.op.index); o != times.ops.end()) return o->second * 1000;
    return kNone;
}

double customOf(const Plan& plan, const GraphNode& n, const OverlaySources& sources) {
    for (const QString& name : {n.op.isValid() ? fromStd(plan.op(n.op).name) : QString(),
                                n.buffer.isValid() ? fromStd(plan.buffer(n.buffer).name) : QString()}) {
        const auto it = sources.custom.constFind(name);
        if (!name.isEmpty() && it != sources.custom.constEnd()) return *it;
    }
    return kNone;
}

double numericValue(const Plan& plan, const GraphNode& n, Overlay overlay) {
    const bool isOp = n.kind == GraphNodeKind::Op;
    if (overlay == Overlay::Cores) return isOp ? static_cast<double>(plan.op(n.op).cores) : kNone;
    if (overlay == Overlay::Traffic) return isOp ? static_cast<double>(plan.op(n.op).traffic()) : kNone;
    if (!n.buffer.isValid()) return kNone;
    const PlanBuffer& b = plan.buffer(n.buffer);
    if (overlay == Overlay::Bytes) return static_cast<double>(b.size);
    if (overlay == Overlay::Lifetime) return lifetimeOf(b);
    if (overlay != Overlay::Occupancy || !isOnChip(b.space) || plan.memory.capacity <= 0) return kNone;
    return static_cast<double>(b.sizePerCore) / static_cast<double>(plan.memory.capacity) * 100;
}

/// With the signs of the change table, so that the legend can be read without colour (16.3).
QString differenceOf(const Plan& plan, const GraphNode& n, const OverlaySources& sources) {
    const compare::PlanMatch& match = *sources.match;
    if (n.kind == GraphNodeKind::Op && n.op.at() < match.ops.inA.size()) {
        const OpId partner = match.ops.inA[n.op.at()];
        if (!partner.isValid()) return QStringLiteral("+ added");
        if (compare::splitText(sources.other->op(partner)) != compare::splitText(plan.op(n.op)))
            return QStringLiteral("~ other split");
    }
    if (!n.buffer.isValid() || n.buffer.at() >= match.buffers.inA.size()) return {};
    const PlanBuffer& b = plan.buffer(n.buffer);
    const BufferId partner = match.buffers.inA[n.buffer.at()];
    if (!partner.isValid()) return QStringLiteral("+ added");
    const PlanBuffer& a = sources.other->buffer(partner);
    if (isOnChip(a.space) != isOnChip(b.space))
        return isOnChip(b.space) ? QStringLiteral("+ came on chip") : QStringLiteral("\u2212 left the chip");
    return a.address == b.address ? QStringLiteral("same") : QStringLiteral("~ moved");
}

void fillClasses(OverlayData& data, const GraphModel& model, const OverlaySources& sources) {
    data.classes.assign(model.nodes.size(), -1);
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
        const GraphNode& n = model.nodes[i];
        QString name;
        if (data.overlay == Overlay::Residency)
            name = residencyName(n.residency);
        else if (data.overlay == Overlay::Kind)
            name = n.kind == GraphNodeKind::Op ? fromStd(model.plan->op(n.op).kind) : n.verb;
        else if (sources.other && sources.match)
            name = differenceOf(*model.plan, n, sources);
        if (name.isEmpty()) continue;
        auto it =
            std::find_if(data.legend.begin(), data.legend.end(), [&](const OverlayClass& c) { return c.name == name; });
        if (it == data.legend.end()) it = data.legend.insert(data.legend.end(), {name, 0});
        ++it->count;
        data.classes[i] = static_cast<int>(it - data.legend.begin());
    }
}

void fillValues(OverlayData& data, const GraphModel& model, const OverlaySources& sources) {
    const PassTimes times = data.overlay == Overlay::PassTime ? passTimes(*model.plan) : PassTimes{};
    for (const GraphNode& n : model.nodes) {
        if (data.overlay == Overlay::PassTime)
            data.values.push_back(passTimeOf(times, n));
        else if (data.overlay == Overlay::Custom)
            data.values.push_back(customOf(*model.plan, n, sources));
        else
            data.values.push_back(numericValue(*model.plan, n, data.overlay));
    }
}

void fillLimits(OverlayData& data) {
    bool isFirst = true;
    for (const double v : data.values) {
        if (std::isnan(v)) continue;
        data.lowest = isFirst ? v : std::min(data.lowest, v);
        data.highest = isFirst ? v : std::max(data.highest, v);
        isFirst = false;
    }
    for (std::size_t i = 0; i < data.values.size(); ++i) {
        if (std::isnan(data.values[i])) continue;
        const int bin = static_cast<int>(data.share(static_cast<int>(i)) * OverlayData::kBins);
        ++data.histogram[at(std::min(bin, OverlayData::kBins - 1))];
    }
}

}  // namespace

QString overlayName(Overlay overlay) {
    switch (overlay) {
    case Overlay::Residency:
        return QStringLiteral("residency");
    case Overlay::Kind:
        return QStringLiteral("op kind");
    case Overlay::Bytes:
        return QStringLiteral("bytes");
    case Overlay::Lifetime:
        return QStringLiteral("lifetime");
    case Overlay::Cores:
        return QStringLiteral("core count");
    case Overlay::Traffic:
        return QStringLiteral("off-chip traffic");
    case Overlay::Occupancy:
        return QStringLiteral("occupancy share");
    case Overlay::PassTime:
        return QStringLiteral("time of last pass");
    case Overlay::Difference:
        return QStringLiteral("differs from plan A");
    case Overlay::Custom:
        break;
    }
    return QStringLiteral("column from a CSV");
}

QString overlayUnit(Overlay overlay) {
    switch (overlay) {
    case Overlay::Bytes:
    case Overlay::Traffic:
        return QStringLiteral("B");
    case Overlay::Lifetime:
        return QStringLiteral("steps");
    case Overlay::Cores:
        return QStringLiteral("cores");
    case Overlay::Occupancy:
        return QStringLiteral("%");
    case Overlay::PassTime:
        return QStringLiteral("ms");
    default:
        return {};
    }
}

bool isNumeric(Overlay overlay) {
    return overlay != Overlay::Residency && overlay != Overlay::Kind && overlay != Overlay::Difference;
}

double OverlayData::share(int node) const {
    if (highest <= lowest) return 1;
    return std::clamp((values[at(node)] - lowest) / (highest - lowest), 0.0, 1.0);
}

bool OverlayData::hasValue(int node) const {
    return isNumeric(overlay) ? !std::isnan(values[at(node)]) : classes[at(node)] >= 0;
}

OverlayData overlayData(const GraphModel& model, Overlay overlay, const OverlaySources& sources) {
    OverlayData data;
    data.overlay = overlay;
    if (isNumeric(overlay)) {
        fillValues(data, model, sources);
        fillLimits(data);
    } else {
        fillClasses(data, model, sources);
    }
    return data;
}

QColor overlayColor(const Theme& theme, const GraphModel& model, const OverlayData& data, int node) {
    if (data.overlay == Overlay::Residency) return theme.residency(model.nodes[at(node)].residency, Tone::Edge);
    if (!data.hasValue(node)) return theme.color(Token::TextDisabled);
    if (isNumeric(data.overlay)) return theme.heat(data.share(node));
    return theme.category(data.classes[at(node)]);
}

bool isInRange(const OverlayData& data, const OverlayRange& range, int node) {
    if (range.isFull() || !isNumeric(data.overlay)) return true;
    return data.hasValue(node) && data.share(node) >= range.from && data.share(node) <= range.to;
}

QString overlayValueText(const OverlayData& data, int node) {
    if (!data.hasValue(node)) return {};
    if (!isNumeric(data.overlay)) return data.legend[at(data.classes[at(node)])].name;
    const double v = data.values[at(node)];
    const QString unit = overlayUnit(data.overlay);
    const bool isWhole = std::floor(v) == v && std::fabs(v) < 9e15;
    const QString number = isWhole ? groupedText(static_cast<qint64>(v)) : QString::number(v, 'f', 2);
    return unit.isEmpty() ? number : number + QChar(0x202f) + unit;
}

}  // namespace memplan::ui
