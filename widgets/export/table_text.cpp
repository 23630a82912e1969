// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/table_text.h"

#include "common/badge.h"
#include "core/units.h"

#include <QAbstractItemModel>

namespace memplan::ui {

namespace {

QString cellText(const QModelIndex& index) {
    const QVariant raw = index.data(RawRole);
    return plainNumbers(raw.isValid() ? raw.toString() : index.data().toString());
}

QString csvCell(QString text) {
    if (!text.contains(u',') && !text.contains(u'"') && !text.contains(u'\n') && !text.contains(u'\r')) return text;
    return u'"' + text.replace(u'"', QStringLiteral("\"\"")) + u'"';
}

QString tsvCell(QString text) {
    return text.replace(u'\t', u' ').replace(u'\n', u' ');
}

QByteArray tableText(const QAbstractItemModel& model, QChar separator, QString (*cell)(QString)) {
    QString out;
    const int columns = model.columnCount();
    for (int c = 0; c < columns; ++c) {
        if (c) out += separator;
        // The numbers below are raw: so is the head, whatever unit is on screen.
        const QVariant raw = model.headerData(c, Qt::Horizontal, RawRole);
        out += cell((raw.isValid() ? raw : model.headerData(c, Qt::Horizontal)).toString());
    }
    out += u'\n';
    for (int r = 0; r < model.rowCount(); ++r) {
        for (int c = 0; c < columns; ++c) {
            if (c) out += separator;
            out += cell(cellText(model.index(r, c)));
        }
        out += u'\n';
    }
    return out.toUtf8();
}

}  // namespace

QByteArray tableToCsv(const QAbstractItemModel& model) {
    return tableText(model, u',', csvCell);
}
QByteArray tableToTsv(const QAbstractItemModel& model) {
    return tableText(model, u'\t', tsvCell);
}

}  // namespace memplan::ui
