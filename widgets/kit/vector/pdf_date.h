// SPDX-License-Identifier: GPL-3.0-or-later
// The one thing in a written PDF that differs from second to second and between time zones.
#pragma once

#include <QByteArray>

namespace memplan::ui {

/// The document without the date of its making; the table of objects and its place are moved accordingly. A document
/// without a date, or of an unknown form, is returned as it is.
[[nodiscard]] QByteArray pdfWithoutDate(QByteArray pdf);

}  // namespace memplan::ui
