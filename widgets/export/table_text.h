// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as text: CSV (RFC 4180, one line feed per row) and tab-separated. Raw values, plain digits.
#pragma once

#include <QByteArray>

class QAbstractItemModel;

namespace memplan::ui {

[[nodiscard]] QByteArray tableToCsv(const QAbstractItemModel& model);
[[nodiscard]] QByteArray tableToTsv(const QAbstractItemModel& model);

}  // namespace memplan::ui
