// SPDX-License-Identifier: Apache-2.0
// `memplan explain`: why a buffer or an operation is where it is, or the figures of the whole plan.
#include "base/text.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/plan_input.h"
#include "cli/reporter.h"
#include "plan/explain.h"

#include <nlohmann/json.hpp>

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ExplainOptions {
    std::string plan, name;
    bool stats = false;
    bool json = false;
    bool helpShown = false;
};

Result<ExplainOptions> parse(const Args& args, const Streams& streams) {
    ExplainOptions o;
    Arguments a("explain", "Says why a buffer or an operation is where it is, and what would move it on chip.");
    a.positional("PLAN.json", o.plan, "plan file");
    a.positional("NAME", o.name, "buffer or operation", false);
    a.flag("--stats", o.stats, "figures of the whole plan in place of one name");
    a.flag("--json", o.json, "print one JSON object");
    auto parsed = a.parse(args);
    if (!parsed) return std::move(parsed).error();
    o.helpShown = !parsed.value();
    if (o.helpShown) streams.out << a.helpText();
    return o;
}

std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json metricsJson(const Plan& plan) {
    const PlanMetrics& m = plan.metrics;
    Json json;
    json["operations"] = plan.ops.size();
    json["main_memory_read_bytes"] = m.mainMemoryReadBytes;
    json["main_memory_write_bytes"] = m.mainMemoryWriteBytes;
    json["pinned_bytes"] = m.pinnedBytes;
    json["upper_bound_bytes"] = m.upperBoundBytes;
    json["proved_optimal"] = m.provedOptimal;
    json["peak_bytes"] = plan.memory.peak;
    json["capacity_bytes"] = plan.memory.capacity;
    json["live_peak_bytes"] = plan.memory.livePeak;
    json["live_peak_step"] = plan.memory.livePeakStep;
    json["core_utilisation"] = m.coreUtilisation;
    json["estimated_microseconds"] = m.estimatedMicroseconds ? Json(*m.estimatedMicroseconds) : Json();
    return json;
}

Json statisticsJson(const Plan& plan) {
    const PlanStatistics s = planStatistics(plan);
    Json json;
    json["target"] = targetName(plan.target);
    json["metrics"] = metricsJson(plan);
    json["on_chip"] = {{"buffers", s.onChip}, {"bytes", s.onChipBytes}, {"in_place", s.inPlace}};
    json["off_chip"] = Json::array();
    for (const ReasonCount& r : s.offChip) {
        json["off_chip"].push_back({{"reason", reasonInfo(r.code).name}, {"buffers", r.buffers}, {"bytes", r.bytes}});
    }
    json["findings"] = Json::array();
    for (const ProblemCount& p : s.problems) {
        json["findings"].push_back({{"code", p.code}, {"severity", severityName(p.severity)}, {"count", p.count}});
    }
    return json;
}

Json explanationJson(const Explanation& e) {
    Json json;
    json["kind"] = e.kind;
    json["name"] = e.name;
    json["facts"] = Json::object();
    for (const auto& [label, value] : e.facts)
        json["facts"][label] = value;
    json["why"] = e.why;
    json["changes"] = e.changes;
    return json;
}

int explainOne(const ExplainOptions& o, const Plan& plan, const Streams& streams) {
    const auto found = explainName(plan, o.name);
    if (found.empty()) {
        const auto names = explainableNames(plan);
        const std::string mend = names.empty() ? "" : "did you mean \"" + text::nearest(o.name, names) + "\"?";
        return Reporter(streams).usage(o.plan, "the plan has no buffer or operation \"" + o.name + "\"", mend);
    }
    Json list = Json::array();
    for (const Explanation& e : found) {
        if (o.json) {
            list.push_back(explanationJson(e));
        } else {
            streams.out << explanationText(e);
        }
    }
    if (o.json) streams.out << dumped(Json{{"name", o.name}, {"found", list}});
    return kDone;
}

int run(const ExplainOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (o.stats != o.name.empty()) {
        return reporter.usage("explain", "exactly one of NAME and --stats is expected", "see `memplan explain --help`");
    }
    const auto plan = openPlan(o.plan, "explain", streams);
    if (!plan) return reporter.fail(o.plan, plan.error());
    if (!o.stats) return explainOne(o, plan.value(), streams);
    streams.out << (o.json ? dumped(statisticsJson(plan.value())) : statisticsText(plan.value()));
    return kDone;
}

}  // namespace

int explainCommand(const Args& args, const Streams& streams) {
    const auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    return options.value().helpShown ? kDone : run(options.value(), streams);
}

}  // namespace memplan::cli
