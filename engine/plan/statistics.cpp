// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/statistics.h"

#include <map>
#include <utility>

namespace memplan {

PlanStatistics planStatistics(const Plan& plan) {
    PlanStatistics s;
    std::map<ReasonCode, ReasonCount> reasons;  // the order of the codes is the order of precedence
    for (const PlanBuffer& b : plan.buffers) {
        if (isOnChip(b.space)) {
            ++s.onChip;
            s.onChipBytes += b.size;
            s.inPlace += b.inPlaceOf.isValid() ? 1 : 0;
        } else if (b.reason) {
            ReasonCount& count = reasons[b.reason->code];
            count.code = b.reason->code;
            ++count.buffers;
            count.bytes += b.size;
        } else {
            ++s.open;
            s.openBytes += b.size;
        }
    }
    for (const auto& entry : reasons)
        s.offChip.push_back(entry.second);
    std::map<std::pair<Severity, std::string>, int> problems;
    for (const Diagnostic& d : plan.problems)
        ++problems[{d.severity, d.code}];
    for (const auto& [key, count] : problems)
        s.problems.push_back({key.second, key.first, count});
    return s;
}

StatedFigures statedFigures(const PlanMetrics& m) {
    const bool isPlain = m.own.empty();
    return {isPlain || m.traffic() > 0, m.upperBoundBytes >= m.pinnedBytes, m.coreUtilisation > 0,
            isPlain || m.mismatches + m.opsOverSpan > 0};
}

}  // namespace memplan
