// SPDX-License-Identifier: Apache-2.0
// Texts of the engine as QtTest compares and prints them.
#pragma once

#include <QString>

#include <string_view>

namespace memplan::test {

[[nodiscard]] inline QString q(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Without the thin spaces that part groups of digits.
[[nodiscard]] inline QString ungrouped(std::string_view text) {
    return q(text).remove(QChar(0x202F));
}

}  // namespace memplan::test
