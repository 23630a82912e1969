// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/recorded_facts.h"

#include "engine/target/target.h"

#include <algorithm>

namespace memplan::ui {

std::vector<RecordedFact> recordedFacts(const SideInformation& side, std::string_view target, std::string_view pass,
                                        std::size_t most) {
    std::vector<RecordedFact> facts;
    const Target* machine = findTarget(target);
    if (machine == nullptr) return facts;
    const auto add = [&](const SideRecords& records, const SideRecords* before) {
        for (const auto& [name, list] : records) {
            for (const SideRecord& record : list) {
                const auto& source = side.sources[static_cast<std::size_t>(record.source)];
                for (const SideFact& fact : record.facts) {
                    if (facts.size() >= most || machine->passOfRecord(source.kind, fact.key) != pass) continue;
                    // An op and its buffer of the same name have the same facts.
                    const auto twin = before == nullptr ? SideRecords::const_iterator() : before->find(name);
                    const bool isReported =
                        before != nullptr && twin != before->end() &&
                        std::any_of(twin->second.begin(), twin->second.end(), [&](const SideRecord& r) {
                            return r.source == record.source &&
                                   std::find(r.facts.begin(), r.facts.end(), fact) != r.facts.end();
                        });
                    if (!isReported) facts.push_back({name, record.source, fact});
                }
            }
        }
    };
    add(side.ops, nullptr);
    add(side.buffers, &side.ops);
    add(side.kernels, nullptr);
    return facts;
}

}  // namespace memplan::ui
