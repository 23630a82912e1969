// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/graph/value_column.h"

#include <QCoreApplication>
#include <QStringList>

#include <cmath>

namespace memplan::ui {
namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ValueColumn", text);
}

/// Fields of one line; a comma inside double quotes separates nothing, two quotes there are one.
QStringList fieldsOf(const QString& line) {
    QStringList fields{QString()};
    bool isQuoted = false;
    for (qsizetype i = 0; i < line.size(); ++i) {
        const QChar c = line[i];
        if (c == u'"') {
            const bool isEscaped = isQuoted && i + 1 < line.size() && line[i + 1] == u'"';
            if (isEscaped)
                fields.back() += line[++i];
            else
                isQuoted = !isQuoted;
        } else if (c == u',' && !isQuoted) {
            fields << QString();
        } else {
            fields.back() += c;
        }
    }
    for (QString& field : fields)
        field = field.trimmed();
    return fields;
}

}  // namespace

std::optional<ValueColumn> readValueColumn(const QString& text, QString& error) {
    ValueColumn column;
    bool isFirst = true;
    int number = 0;
    for (const QString& line : text.split(u'\n')) {
        ++number;
        if (line.trimmed().isEmpty()) continue;
        const QStringList fields = fieldsOf(line);
        if (fields.size() != 2 || fields[0].isEmpty()) {
            error = tr("Line %1 has %2 fields. Write two: the name of an operation or a buffer, and a number.")
                        .arg(number)
                        .arg(fields.size());
            return std::nullopt;
        }
        bool isNumber = false;
        const double value = fields[1].toDouble(&isNumber);
        if (isFirst && !isNumber) {
            column.name = fields[1];
        } else if (!isNumber || !std::isfinite(value)) {
            error = tr("Line %1: \"%2\" is no finite number. Write it with a point, such as 12.5.")
                        .arg(number)
                        .arg(fields[1]);
            return std::nullopt;
        } else {
            column.values.insert(fields[0], value);
        }
        isFirst = false;
    }
    if (!column.values.isEmpty()) return column;
    error = tr("The file holds no values. Write a line \"name,number\" for each operation or buffer.");
    return std::nullopt;
}

}  // namespace memplan::ui
