// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/advice/statistics.h"

#include "engine/base/figures.h"
#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using text::grouped;
using Row = std::pair<std::string, std::string>;

std::string bytesText(Bytes bytes) {
    return grouped(bytes) + " bytes";
}

/// Most expensive kernels first; a price never stands without the stated error of its category.
std::vector<Row> estimateRows(const CostEstimate& estimate) {
    constexpr std::size_t kShown = 8;
    std::vector<const CostEstimate::Kernel*> kernels;
    for (const CostEstimate::Kernel& k : estimate.kernels)
        kernels.push_back(&k);
    std::stable_sort(kernels.begin(), kernels.end(),
                     [](const auto* a, const auto* b) { return a->microseconds > b->microseconds; });
    std::vector<Row> rows;
    for (std::size_t i = 0; i < std::min(kShown, kernels.size()); ++i) {
        const CostEstimate::Kernel& k = *kernels[i];
        if (k.shares.empty()) continue;
        const auto more = k.shares.size() - 1;
        std::string name = k.shares.front().op + (more > 0 ? " and " + std::to_string(more) + " more" : "");
        std::string price = text::groupedFixed(k.microseconds, 1) + " \u00b5s";
        if (k.statedErrorPercent)
            price += " (" + k.category + ", stated error " + text::fixed(*k.statedErrorPercent, 1) + " %)";
        rows.emplace_back(std::move(name), std::move(price));
    }
    if (kernels.size() > kShown)
        rows.emplace_back("others", grouped(static_cast<std::int64_t>(kernels.size() - kShown)));
    return rows;
}

std::vector<Row> searchRows(const CoOptimization& t) {
    std::vector<Row> rows{
        {"method", t.method},
        {"operations with a choice", grouped(static_cast<std::int64_t>(t.options.size()))},
        {"combinations scored", grouped(t.evaluated)},
        {"unpinned bytes", bytesText(t.committedScore) + " before, " + bytesText(t.winnerScore) + " after"},
        {"main memory bytes", bytesText(t.committedTraffic) + " before, " + bytesText(t.winnerTraffic) + " after"},
    };
    for (const CoOptimization::Change& c : t.changes)
        rows.emplace_back(c.op, c.from + " to " + c.to);
    if (!t.note.empty()) rows.emplace_back("note", t.note);
    return rows;
}

}  // namespace

std::string modelText(const Plan& plan) {
    const auto& e = spyreData(plan).costEstimate;
    if (!e) return {};
    const std::string edition = "edition " + e->edition;
    if (e->calibrationSha256.empty()) return edition;
    return edition + ", calibration " + text::escaped(e->calibration) + ", SHA-256 " +
           e->calibrationSha256.substr(0, 16);
}

std::vector<StatisticsTable> statistics(const Plan& plan) {
    const SpyreData& data = spyreData(plan);
    std::vector<StatisticsTable> tables;
    if (data.costEstimate && !data.costEstimate->kernels.empty())
        tables.push_back({"estimated kernels, most expensive first", estimateRows(*data.costEstimate)});
    if (data.coOptimization) tables.push_back({"co-optimisation", searchRows(*data.coOptimization)});
    return tables;
}

}  // namespace memplan::spyre
