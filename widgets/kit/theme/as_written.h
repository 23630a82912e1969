// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that a font would change on screen (design-system 3.4).
#pragma once

#include <QString>

namespace memplan::ui {

/// For painting only: Inter draws an x between two digits as a multiplication sign, so that 0x86800 reads "0×86800". A
/// zero-width non-joiner after the x keeps the letter. Texts without such an x come back as they are.
[[nodiscard]] QString asWritten(const QString& text);

}  // namespace memplan::ui
