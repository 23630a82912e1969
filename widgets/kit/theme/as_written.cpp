// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/kit/theme/as_written.h"

namespace memplan::ui {

QString asWritten(const QString& text) {
    constexpr QChar kNonJoiner(0x200C);
    QString out = text;
    for (qsizetype at = out.indexOf(u'x', 1); at > 0; at = out.indexOf(u'x', at + 1))
        if (out[at - 1].isDigit() && at + 1 < out.size() && out[at + 1].isDigit()) out.insert(at + 1, kNonJoiner);
    return out;
}

}  // namespace memplan::ui
