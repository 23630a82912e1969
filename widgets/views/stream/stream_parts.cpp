// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/stream/stream_parts.h"

#include "widgets/plan/units.h"

#include <QHBoxLayout>
#include <QObject>
#include <QScrollArea>
#include <QVBoxLayout>

namespace memplan::ui {

QHBoxLayout* scrolledRow(QWidget* view) {
    auto* area = new QScrollArea(view);
    area->setFrameShape(QFrame::NoFrame);
    area->setWidgetResizable(true);
    auto* content = new QWidget(area);
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(1);
    area->setWidget(content);
    auto* column = new QVBoxLayout(view);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(area);
    return row;
}

std::vector<ReportHead> factHeads(const QString& what) {
    return {{what}, {QObject::tr("Value")}};
}

std::vector<ReportRow> factRows(const std::vector<StreamFact>& facts) {
    std::vector<ReportRow> rows;
    for (const StreamFact& fact : facts)
        rows.push_back({fact.label, {{fact.label, {}, fact.help}, {fact.value, {}, fact.help}}});
    return rows;
}

ReportCell numberCell(std::int64_t value, const QString& help) {
    return {groupedText(value), QVariant(static_cast<qlonglong>(value)), help};
}

ReportCell shareCell(double share) {
    return {percentText(share), QVariant(share)};
}

}  // namespace memplan::ui
