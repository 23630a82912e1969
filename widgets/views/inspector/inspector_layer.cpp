// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_layer.h"

#include "engine/target/target.h"
#include "engine/torchwright/analysis/relations.h"
#include "widgets/views/inspector/inspector_text.h"
#include "widgets/views/residual/data/residual_data.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace memplan::ui {

using torchwright::NodeId;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Inspector", text);
}

/// Where a value stands, how long, and who reads it.
InspectorSection columnsSection(const Plan& plan, NodeId node) {
    const TorchwrightData& data = torchwrightData(plan);
    const torchwright::Schedule& schedule = data.schedule;
    InspectorSection s{QStringLiteral("layer"), tr("Layer and columns"), {}, {}, {}, {}, true};
    const int birth = schedule.nodeLayer[node.at()];
    s.rows.push_back(row(tr("Computed"), layerText(birth)));
    s.rows.push_back(row(tr("Width"), groupedText(data.graph->at(node).width)));
    const int at = schedule.holdingOf(node);
    if (at >= 0) {
        const torchwright::Holding& holding = schedule.holdings[static_cast<std::size_t>(at)];
        const int first = std::max(0, holding.firstLayer), layers = holding.lastLayer - first + 1;
        s.rows.push_back(row(tr("Columns"), columnListText(holding.columns)));
        s.rows.push_back(row(tr("Held"), tr("after layers %1 to %2").arg(first).arg(holding.lastLayer)));
        s.rows.push_back(row(tr("Column-layers"), groupedText(qint64{holding.columns.size()} * std::max(0, layers))));
    }
    const torchwright::Relations relations = torchwright::relationsOf(*data.graph);
    std::vector<std::pair<int, NodeId>> readers;
    for (const NodeId reader : relations.effective[node.at()])
        readers.emplace_back(-schedule.nodeLayer[reader.at()], reader);
    std::ranges::sort(readers);
    QStringList links;
    for (const auto& [minus, reader] : readers)
        links << tr("%1 in %2").arg(linkTo(plan, BufferId{reader.index}), layerText(-minus));
    const int others = static_cast<int>(links.size()) - 12;
    QString text = links.mid(0, 12).join(QStringLiteral("<br>"));
    if (others > 0) text += QStringLiteral("<br>") + tr("and %1 more").arg(others);
    s.rows.push_back(htmlRow(tr("Read by"), links.isEmpty() ? quiet(tr("nothing")) : text));
    if (relations.isOutput[node.at()]) s.paragraphs << tr("It is an output: its columns are never given back.");
    return s;
}

InspectorSection operationSection(const Plan& plan, OpId op) {
    InspectorSection s{QStringLiteral("layerOp"), tr("In its layer"), {}, {}, {}, {}, true};
    const Target* target = findTarget(plan.target);
    if (target == nullptr) return s;
    for (const auto& [label, value] : target->factsOf(plan, op)) {
        const QString name = fromStd(label);
        s.rows.push_back(row(name.left(1).toUpper() + name.mid(1), fromStd(value)));
    }
    return s;
}

InspectorSection together(const InspectorInput& input) {
    const Plan& plan = *input.plan;
    const TorchwrightData& data = torchwrightData(plan);
    InspectorSection s{QStringLiteral("several"), tr("Together"), {}, {}, {}, {}, true};
    std::set<int> layers;
    std::set<QString> annotations;
    std::int64_t width = 0, area = 0;
    for (const ItemId id : input.selection.items) {
        BufferId buffer{id.kind == ItemKind::Buffer ? id.index : -1};
        if (id.kind == ItemKind::Op && !plan.op(OpId{id.index}).outputs.empty())
            buffer = plan.op(OpId{id.index}).outputs.front();
        if (!buffer.isValid() || buffer.at() >= data.graph->size()) continue;
        layers.insert(data.schedule.nodeLayer[buffer.at()]);
        const std::string& name = data.graph->nodes[buffer.at()].annotation;
        annotations.insert(name.empty() ? tr("(none)") : fromStd(name));
        const int at = data.schedule.holdingOf(NodeId{buffer.index});
        if (at < 0) continue;
        const torchwright::Holding& holding = data.schedule.holdings[static_cast<std::size_t>(at)];
        width += holding.columns.size();
        area += std::int64_t{holding.columns.size()} * (holding.lastLayer - std::max(0, holding.firstLayer) + 1);
    }
    if (layers.empty()) return s;
    s.rows = {row(tr("Computed"), layers.size() == 1
                                      ? layerText(*layers.begin())
                                      : tr("%1 to %2").arg(layerText(*layers.begin()), layerText(*layers.rbegin()))),
              row(tr("Columns"), groupedText(width)), row(tr("Column-layers"), groupedText(area)),
              row(tr("Annotation"), annotations.size() == 1 ? *annotations.begin() : tr("(different)"))};
    return s;
}

void erase(InspectorContent& c, std::initializer_list<const char*> keys) {
    std::erase_if(c.sections, [&keys](const InspectorSection& s) {
        return std::ranges::any_of(keys, [&s](const char* key) { return s.key == QLatin1String(key); });
    });
}

/// The heading speaks of other machines, and so does the family of the reason.
void renameWhy(InspectorContent& c) {
    for (InspectorSection& s : c.sections) {
        if (s.key != u"why") continue;
        s.name = tr("Why it owns no columns");
        if (s.paragraphs.size() > 1) s.paragraphs.removeFirst();
    }
}

void renameSentence(const Plan& plan, BufferId buffer, InspectorContent& c) {
    const torchwright::Schedule& schedule = torchwrightData(plan).schedule;
    const int at = schedule.holdingOf(NodeId{buffer.index});
    const QString where =
        at < 0 ? tr(", no columns of its own")
               : tr(", columns %1").arg(columnListText(schedule.holdings[static_cast<std::size_t>(at)].columns));
    c.sentence.replace(tr(", ") + tr("on chip"), where).replace(tr(", ") + tr("off chip"), where);
    if (at < 0) c.badge = BadgeText{QStringLiteral("\u2013"), tr("no columns of its own"), BadgeText::Kind::Plain, {}};
}

}  // namespace

void toResidualWords(const InspectorInput& input, InspectorContent& c) {
    const Plan& plan = *input.plan;
    const TorchwrightData& data = torchwrightData(plan);
    if (!data.isScheduled() || input.selection.items.empty()) return;
    if (input.selection.items.size() > 1) {
        erase(c, {"several", "severalOps"});
        c.sections.push_back(together(input));
        return;
    }
    const ItemId id = input.selection.items.front();
    const bool isOp = id.kind == ItemKind::Op || id.kind == ItemKind::Step;
    if (!isOp && id.kind != ItemKind::Buffer) return;
    OpId op{isOp ? id.index : -1};
    BufferId buffer{isOp ? -1 : id.index};
    if (isOp && plan.op(op).outputs.size() == 1) buffer = plan.op(op).outputs.front();
    if (!isOp) op = plan.buffer(buffer).producer;
    erase(c, {"placement", "cores", "shape", "lifetime"});
    renameWhy(c);
    const auto after = std::ranges::find_if(c.sections, [](const InspectorSection& s) { return s.key == u"identity"; });
    auto at = after == c.sections.end() ? c.sections.begin() : after + 1;
    if (op.isValid()) at = c.sections.insert(at, operationSection(plan, op));
    if (!buffer.isValid() || buffer.at() >= data.graph->size()) return;
    c.sections.insert(at, columnsSection(plan, NodeId{buffer.index}));
    renameSentence(plan, buffer, c);
}

}  // namespace memplan::ui
