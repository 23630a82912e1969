// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/inspector/inspector_side.h"

#include "widgets/views/inspector/inspector_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace memplan::ui {

namespace {

constexpr qsizetype kShownText = 240;

QString tr(const char* text) {
    return QCoreApplication::translate("Inspector", text);
}

QString spaced(const std::string& key) {
    return fromStd(key).replace(u'_', u' ');
}

QString shortened(const QString& text) {
    return text.size() <= kShownText ? text : text.left(kShownText) + QStringLiteral(" ...");
}

/// The plan's own figure for a recorded one, empty when it is the same or not known.
QString ownFigure(const Plan& plan, BufferId buffer, OpId op, const SideFact& fact) {
    if (fact.key == "residency" && buffer.isValid()) {
        const bool here = isOnChip(plan.buffer(buffer).space);
        const bool there = fact.text.find("LX") != std::string::npos;
        if (here == there) return {};
        return here ? tr("in this plan on chip") : tr("in this plan off chip");
    }
    if (!op.isValid() || !fact.number) return {};
    const bool isRead = fact.key == "read_bytes";
    if (!isRead && fact.key != "write_bytes") return {};
    const Bytes own = isRead ? plan.op(op).offChipRead : plan.op(op).offChipWrite;
    return own == *fact.number ? QString() : tr("in this plan %1").arg(groupedText(own));
}

InspectorRow factRow(const Plan& plan, BufferId buffer, OpId op, const SideFact& fact) {
    const QString text = fromStd(fact.text);
    InspectorRow r{spaced(fact.key), shortened(text).toHtmlEscaped(), plainNumbers(text), {}};
    const QString own = ownFigure(plan, buffer, op, fact);
    if (!own.isEmpty()) r.html += u' ' + quiet(u'(' + own + u')');
    return r;
}

}  // namespace

void addRecorded(const InspectorInput& input, BufferId buffer, OpId op, std::vector<InspectorSection>& sections) {
    if (input.side == nullptr) return;
    const SideInformation& side = *input.side;
    const auto recordsOf = [](const SideRecords& records, const std::string& name) {
        const auto found = records.find(name);
        return found == records.end() ? std::vector<SideRecord>() : found->second;
    };
    const auto ofOp = op.isValid() ? recordsOf(side.ops, input.plan->op(op).name) : std::vector<SideRecord>();
    const auto ofBuffer =
        buffer.isValid() ? recordsOf(side.buffers, input.plan->buffer(buffer).name) : std::vector<SideRecord>();
    for (int i = 0; i < static_cast<int>(side.sources.size()); ++i) {
        const SideSource& source = side.sources[static_cast<std::size_t>(i)];
        InspectorSection s{QStringLiteral("recorded-%1").arg(fromStd(std::string(sideKindName(source.kind)))),
                           tr("Recorded: %1").arg(fromStd(std::string(sideKindTitle(source.kind)))),
                           {},
                           {},
                           {},
                           {},
                           true};
        bool hasOp = false;
        const auto add = [&](const SideRecord& record) {
            for (const SideFact& fact : record.facts)
                s.rows.push_back(factRow(*input.plan, buffer, op, fact));
        };
        for (const SideRecord& record : ofOp) {
            if (record.source != i) continue;
            add(record);
            hasOp = true;
        }
        // An operation and its buffer share a name in these files: their facts are the same.
        for (const SideRecord& record : ofBuffer) {
            const bool isTensor = std::any_of(record.facts.begin(), record.facts.end(),
                                              [](const SideFact& f) { return f.key == "residency"; });
            if (record.source == i && (!hasOp || isTensor)) add(record);
        }
        if (s.rows.empty()) continue;
        s.count = groupedText(static_cast<qint64>(s.rows.size()));
        s.paragraphs << quiet(fromStd(source.file).toHtmlEscaped());
        sections.push_back(std::move(s));
    }
}

}  // namespace memplan::ui
