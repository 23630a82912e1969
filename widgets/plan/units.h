// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as the window writes them: groups of three parted by U+202F, exact bytes where a number
// decides, one unit switch for the document (user-experience 2.10, A.10; design-system 3.5).
#pragma once

#include "engine/base/ids.h"

#include <QString>

class QFontMetricsF;
class QPainter;
class QRectF;

namespace memplan::ui {

enum class ByteUnit { Bytes, KiB, MiB, Sticks, Columns };

struct Units {
    ByteUnit unit = ByteUnit::Bytes;
    bool hexAddresses = false;

    /// A size in the document's unit with the unit's name: "1 048 576 B", "1 024 KiB", "8 192 sticks".
    [[nodiscard]] QString size(Bytes bytes) const;
    /// The number of size() alone, for table cells whose head names the unit.
    [[nodiscard]] QString sizeNumber(Bytes bytes) const;
    [[nodiscard]] QString unitName() const;          ///< "B", "KiB", "MiB", "sticks", "columns"
    [[nodiscard]] QString address(Address a) const;  ///< "1 048 576" or "0x100000"
    friend bool operator==(const Units&, const Units&) = default;
};

[[nodiscard]] QString groupedText(qint64 value);      ///< "1 677 721", minus is U+2212
[[nodiscard]] QString exactBytes(Bytes bytes);        ///< "1 677 721 B"
[[nodiscard]] QString humanBytes(Bytes bytes);        ///< A.10: exact below 10 000, else KiB or MiB
[[nodiscard]] QString percentText(double ratio);      ///< 0.712 -> "71.2 %", tiny -> "<0.1 %"
[[nodiscard]] QString hexText(Address a);             ///< "0x4000"
[[nodiscard]] QString rangeText(StepRange r);         ///< "3 to 5" (inclusive)
[[nodiscard]] QString fromStd(const std::string& s);  ///< UTF-8, control characters made visible
[[nodiscard]] QString timesText(const std::vector<std::int64_t>& extents);            ///< "512 × 1024", "scalar"
[[nodiscard]] QString plural(qint64 count, const QString& one, const QString& many);  ///< "1 op", "2 ops"
/// Plain digits for the clipboard and CSV: narrow spaces and U+2212 are replaced.
[[nodiscard]] QString plainNumbers(QString text);

/// Draws `text` with every digit on the width of "0" (tabular figures without font features).
/// Alignment: Qt::AlignLeft, AlignRight or AlignHCenter, vertically centred.
void drawTabular(QPainter& painter, const QRectF& rect, Qt::Alignment alignment, const QString& text);
[[nodiscard]] double tabularWidth(const QFontMetricsF& metrics, const QString& text);

}  // namespace memplan::ui
