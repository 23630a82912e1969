// SPDX-License-Identifier: GPL-3.0-or-later
// A column of numbers by op or buffer name, from a CSV of two fields (user-experience 5.8).
#pragma once

#include <QHash>
#include <QString>

#include <optional>

namespace memplan::ui {

struct ValueColumn {
    QString name;                   ///< head of the second field; empty when the file has no heads
    QHash<QString, double> values;  ///< by op or buffer name; of several lines with one name the last counts
};

/// Reads "id,value" lines: blank lines are skipped, a first line whose value is no number gives the heads,
/// names may stand in double quotes. Of a line that is wrong, `error` gives number, fault and fix.
[[nodiscard]] std::optional<ValueColumn> readValueColumn(const QString& text, QString& error);

}  // namespace memplan::ui
