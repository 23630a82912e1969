// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_metric_fields.h"

#include "engine/plan/file/plan_records.h"

namespace memplan::io {
namespace {

/// Takes each member as a text of its own.
class MemberTexts {
public:
    explicit MemberTexts(const Plan& plan) : plan_(plan) {}

    std::vector<std::pair<std::string, std::string>> texts;

    template <class T> void member(std::string_view key, const T& v) {
        JsonWriter w;
        RecordWriter(plan_, w).value(v);
        std::string json = w.finish();
        json.pop_back();  // the final newline of a document
        texts.emplace_back(key, std::move(json));
    }
    template <class T> void optional(std::string_view key, const T& v) { member(key, v); }

private:
    const Plan& plan_;
};

}  // namespace

std::vector<std::pair<std::string, std::string>> planMetricFields(const Plan& plan) {
    MemberTexts file(plan);
    Record<PlanMetrics>::members(file, plan.metrics);
    return std::move(file.texts);
}

}  // namespace memplan::io
