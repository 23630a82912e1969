// SPDX-License-Identifier: GPL-3.0-or-later
// Small pieces of inspector text: links, rows, JSON.
#pragma once

#include "widgets/views/inspector/inspector_facts.h"

namespace memplan::ui {

[[nodiscard]] QString linkTo(ItemId item, const QString& text);
[[nodiscard]] QString linkTo(const Plan& plan, BufferId id);
[[nodiscard]] QString linkTo(const Plan& plan, OpId id);
[[nodiscard]] QString quiet(const QString& text);                            ///< text.3
[[nodiscard]] QString fixedHtml(const QString& text);                        ///< fixed family: hex, lists of sizes
[[nodiscard]] InspectorRow row(const QString& label, const QString& value);  ///< plain text
[[nodiscard]] InspectorRow htmlRow(const QString& label, const QString& html);
[[nodiscard]] InspectorRow bytesRow(const QString& label, Bytes bytes, const Units& units);
[[nodiscard]] QString roleText(BufferRole role);
/// Section for a selection of several items: common values, sums and ranges (10.1).
[[nodiscard]] InspectorContent severalContent(const InspectorInput& input);

}  // namespace memplan::ui
