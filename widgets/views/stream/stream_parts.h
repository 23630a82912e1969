// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces that the panels on the residual stream are made of.
#pragma once

#include "widgets/kit/controls/wrapped_label.h"
#include "widgets/views/stream/data/stream_report.h"
#include "widgets/views/stream/report_tree.h"

class QHBoxLayout;
class QLabel;

namespace memplan::ui {

/// A row of parts that fills `view`; where it is too narrow for them, it is scrolled.
[[nodiscard]] QHBoxLayout* scrolledRow(QWidget* view);
/// Facts as rows of two columns.
[[nodiscard]] std::vector<ReportHead> factHeads(const QString& what);
[[nodiscard]] std::vector<ReportRow> factRows(const std::vector<StreamFact>& facts);
[[nodiscard]] ReportCell numberCell(std::int64_t value, const QString& help = {});
[[nodiscard]] ReportCell shareCell(double share);

}  // namespace memplan::ui
