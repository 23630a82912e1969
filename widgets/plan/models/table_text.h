// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as text: CSV (RFC 4180, one line feed per row) and tab-separated. Raw values, plain digits.
#pragma once

#include <QByteArray>

#include <vector>

class QAbstractItemModel;

namespace memplan::ui {

/// `without`: columns that are left out.
[[nodiscard]] QByteArray tableToCsv(const QAbstractItemModel& model, const std::vector<int>& without = {});
[[nodiscard]] QByteArray tableToTsv(const QAbstractItemModel& model);

/// The model below sorting and filters.
[[nodiscard]] const QAbstractItemModel& unfiltered(const QAbstractItemModel& model);

}  // namespace memplan::ui
