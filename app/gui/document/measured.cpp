// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/document/measured.h"

#include "widgets/plan/units.h"

#include <algorithm>

namespace memplan::app {

using ui::fromStd;

namespace {

/// The figures of a sample were measured with its own settings, for instance on one core.
bool isAsMeasured(const Settings& settings, const io::SampleInfo& sample) {
    return std::all_of(sample.settings.begin(), sample.settings.end(),
                       [&settings](const auto& pair) { return settings.textOf(pair.first) == pair.second; });
}

}  // namespace

std::optional<ui::MeasuredComparison> measuredComparison(const Document& document,
                                                         const std::optional<io::SampleInfo>& sample) {
    if (!sample || sample->notes.empty()) return std::nullopt;
    ui::MeasuredComparison comparison;
    for (const std::string& note : sample->notes)
        comparison.notes << fromStd(note);
    Bytes baseline = 0;
    for (const io::SampleVariant& variant : sample->variants) {
        for (const PlanEntry& entry : document.plans()) {
            if (entry.label != fromStd(variant.name) || variant.measuredMicroseconds <= 0) continue;
            if (!isAsMeasured(entry.plan->settings, *sample)) continue;
            const PlanMetrics& m = entry.plan->metrics;
            const Bytes bytes = m.traffic();
            if (baseline == 0) baseline = bytes;
            comparison.rows.push_back({QString(entry.label).remove(QStringLiteral("stage ")), bytes,
                                       static_cast<double>(baseline) / static_cast<double>(bytes),
                                       variant.measuredMicroseconds, entry.plan == document.current()->plan});
        }
    }
    return comparison;
}

}  // namespace memplan::app
