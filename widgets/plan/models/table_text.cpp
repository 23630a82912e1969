// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/models/table_text.h"

#include "engine/base/text.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/units.h"

#include <QAbstractProxyModel>

#include <algorithm>

namespace memplan::ui {

namespace {

QString cellText(const QModelIndex& index) {
    const QVariant raw = index.data(RawRole);
    return plainNumbers(raw.isValid() ? raw.toString() : index.data().toString());
}

QString csvCell(const QString& text) {
    return fromStd(text::csvField(text.toStdString()));
}

QString tsvCell(const QString& text) {
    return QString(text).replace(u'\t', u' ').replace(u'\n', u' ');
}

/// The numbers below are raw: so is the head, whatever unit is on screen.
QString headText(const QAbstractItemModel& model, int column) {
    const QVariant raw = model.headerData(column, Qt::Horizontal, RawRole);
    return (raw.isValid() ? raw : model.headerData(column, Qt::Horizontal)).toString();
}

QByteArray tableText(const QAbstractItemModel& model, const std::vector<int>& without, QChar separator,
                     QString (*cell)(const QString&)) {
    std::vector<int> columns;
    for (int c = 0; c < model.columnCount(); ++c)
        if (std::ranges::find(without, c) == without.end()) columns.push_back(c);
    QString out;
    const auto addLine = [&](const auto& textOf) {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            if (i > 0) out += separator;
            out += cell(textOf(columns[i]));
        }
        out += u'\n';
    };
    addLine([&](int c) { return headText(model, c); });
    for (int r = 0; r < model.rowCount(); ++r)
        addLine([&](int c) { return cellText(model.index(r, c)); });
    return out.toUtf8();
}

}  // namespace

QByteArray tableToCsv(const QAbstractItemModel& model, const std::vector<int>& without) {
    return tableText(model, without, u',', csvCell);
}
QByteArray tableToTsv(const QAbstractItemModel& model) {
    return tableText(model, {}, u'\t', tsvCell);
}
const QAbstractItemModel& unfiltered(const QAbstractItemModel& model) {
    const QAbstractItemModel* below = &model;
    while (const auto* proxy = qobject_cast<const QAbstractProxyModel*>(below))
        below = proxy->sourceModel();
    return *below;
}

}  // namespace memplan::ui
