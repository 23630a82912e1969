// SPDX-License-Identifier: GPL-3.0-or-later
// What was measured of a sample on the real machine, beside what its plans promise (UX 4.2).
#pragma once

#include "app/gui/document/document.h"
#include "engine/io/samples.h"
#include "widgets/views/inspector/inspector_facts.h"

#include <optional>

namespace memplan::app {

/// Medians of the real machine beside the traffic of the sample's own plans; nothing for other documents.
[[nodiscard]] std::optional<ui::MeasuredComparison> measuredComparison(const Document& document,
                                                                       const std::optional<io::SampleInfo>& sample);

}  // namespace memplan::app
