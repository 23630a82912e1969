// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_metric_fields.h"

#include "engine/json/json_text.h"

#include <optional>

namespace memplan::io {

namespace {

std::string jsonOf(double value) {
    JsonWriter w;
    w.number(value);
    std::string text = w.finish();
    text.pop_back();  // the final newline of a document
    return text;
}

std::string jsonOf(std::int64_t value) {
    return std::to_string(value);
}

std::string jsonOf(int value) {
    return std::to_string(value);
}

std::string jsonOf(bool value) {
    return value ? "true" : "false";
}

std::string jsonOf(const std::optional<double>& value) {
    return value ? jsonOf(*value) : "null";
}

}  // namespace

std::vector<std::pair<std::string, std::string>> planMetricFields(const Plan& plan) {
    const PlanMetrics& m = plan.metrics;
    return {{"buffers_on_chip", jsonOf(m.buffersOnChip)},
            {"buffers_total", jsonOf(m.buffersTotal)},
            {"core_utilisation", jsonOf(m.coreUtilisation)},
            {"estimated_microseconds", jsonOf(m.estimatedMicroseconds)},
            {"fragmentation_max", jsonOf(m.fragmentationMax)},
            {"main_memory_elements", jsonOf(m.mainMemoryElements)},
            {"main_memory_read_bytes", jsonOf(m.mainMemoryReadBytes)},
            {"main_memory_write_bytes", jsonOf(m.mainMemoryWriteBytes)},
            {"mismatches", jsonOf(m.mismatches)},
            {"ops_below_half", jsonOf(m.opsBelowHalf)},
            {"ops_over_span", jsonOf(m.opsOverSpan)},
            {"padding_share", jsonOf(m.paddingShare)},
            {"peak_lower_bound", jsonOf(m.peakLowerBound)},
            {"pinned_bytes", jsonOf(m.pinnedBytes)},
            {"proved_optimal", jsonOf(m.provedOptimal)},
            {"restickify_share", jsonOf(m.restickifyShare)},
            {"spill_lower_bound", jsonOf(m.spillLowerBound)},
            {"unpinned_bytes", jsonOf(m.unpinnedBytes)},
            {"upper_bound_bytes", jsonOf(m.upperBoundBytes)}};
}

}  // namespace memplan::io
