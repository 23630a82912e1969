// SPDX-License-Identifier: GPL-3.0-or-later
// Text of snapshots in colours (user-experience 14.3): what the editor highlights, and the same rows drawn for files.
#pragma once

#include "widgets/kit/theme/theme.h"
#include "widgets/views/passes/snapshot/diff_text.h"

class QPainter;
class QRectF;

namespace memplan::ui {

struct ColouredWord {
    int begin = 0, length = 0;
    Token color = Token::Text1;
};

/// Keys in the accent, op kinds in their own colour, quoted text in green, comments grey. Later ones count where two
/// overlap.
[[nodiscard]] std::vector<ColouredWord> colouredWords(const QString& line);

[[nodiscard]] double snapshotRowHeight(const Theme& theme);
/// As many rows as `area` has room for, with line numbers and signs; a last line says how many are left out.
void paintSnapshotRows(QPainter& painter, const QRectF& area, const std::vector<SnapshotRow>& rows, bool marksWords,
                       const Theme& theme);

}  // namespace memplan::ui
