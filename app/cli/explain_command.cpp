// SPDX-License-Identifier: Apache-2.0
// `memplan explain`: why a buffer or an operation is where it is, or the figures of the whole plan.
#include "app/cli/input/plan_input.h"
#include "app/cli/input/side_files.h"
#include "app/cli/program/arguments.h"
#include "app/cli/program/commands.h"
#include "app/cli/program/common_options.h"
#include "app/cli/program/reporter.h"
#include "engine/advice/fixes.h"
#include "engine/base/suggestion.h"
#include "engine/base/text.h"
#include "engine/io/hints/hint_file.h"
#include "engine/io/input.h"
#include "engine/io/plan/plan_side_json.h"
#include "engine/plan/statistics.h"
#include "engine/plan/stopped.h"
#include "engine/target/compile.h"
#include "engine/target/explain.h"
#include "engine/target/statistics_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace memplan::cli {

namespace {

using Json = nlohmann::ordered_json;

struct ExplainOptions {
    std::string plan, name;
    std::vector<std::string> sideFiles;
    bool stats = false;
    bool json = false;
    bool helpShown = false;
};

Result<ExplainOptions> parse(const Args& args, const Streams& streams) {
    ExplainOptions o;
    Arguments a("explain", "Says why a buffer or an operation is where it is, and what would move it on chip.");
    a.positional("PLAN.json", o.plan, "plan file");
    a.positional("NAME", o.name, "buffer, operation or chain; either this or --stats", false);
    a.flag("--stats", o.stats, "figures of the whole plan in place of one name");
    a.flag("--json", o.json, "print one JSON object");
    addSideOption(a, o.sideFiles);
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
    if (!isPlacementDecided(plan)) return json;
    const StatedFigures stated = statedFigures(m);
    const auto known = [](bool isStated, const auto& figure) { return isStated ? Json(figure) : Json(); };
    json["main_memory_read_bytes"] = known(stated.mainMemory, m.mainMemoryReadBytes);
    json["main_memory_write_bytes"] = known(stated.mainMemory, m.mainMemoryWriteBytes);
    json["pinned_bytes"] = m.pinnedBytes;
    json["upper_bound_bytes"] = known(stated.bound, m.upperBoundBytes);
    json["proved_optimal"] = m.provedOptimal;
    json["peak_bytes"] = plan.memory.peak;
    json["capacity_bytes"] = plan.memory.capacity;
    json["live_peak_bytes"] = plan.memory.livePeak;
    json["live_peak_step"] = plan.memory.livePeakStep;
    json["core_utilisation"] = known(stated.coreUtilisation, m.coreUtilisation);
    json["estimated_microseconds"] = m.estimatedMicroseconds ? Json(*m.estimatedMicroseconds) : Json();
    return json;
}

Json statisticsJson(const Plan& plan, const SideInformation* side) {
    const PlanStatistics s = planStatistics(plan);
    Json json;
    json["target"] = plan.target;
    json["metrics"] = metricsJson(plan);
    json["on_chip"] = {{"buffers", s.onChip}, {"bytes", s.onChipBytes}, {"in_place", s.inPlace}};
    if (!plan.stoppedAfter.empty()) json["stopped_after"] = plan.stoppedAfter;
    if (s.open > 0) json["not_decided"] = {{"buffers", s.open}, {"bytes", s.openBytes}};
    json["off_chip"] = Json::array();
    for (const ReasonCount& r : s.offChip) {
        json["off_chip"].push_back({{"reason", reasonInfo(r.code).name}, {"buffers", r.buffers}, {"bytes", r.bytes}});
    }
    json["findings"] = Json::array();
    for (const ProblemCount& p : s.problems) {
        json["findings"].push_back({{"code", p.code}, {"severity", severityName(p.severity)}, {"count", p.count}});
    }
    if (const Target* target = findTarget(plan.target)) {
        for (const StatisticsTable& own : target->statistics(plan))
            json["tables"][own.heading] = own.rows;
    }
    if (side == nullptr) return json;
    json["side_information"] = Json::array();
    for (const SideSource& source : side->sources) {
        json["side_information"].push_back({{"kind", sideKindName(source.kind)},
                                            {"file", source.file},
                                            {"records", source.records},
                                            {"matched", source.matched},
                                            {"by_order", source.byOrder}});
    }
    return json;
}

Json explanationJson(const Explanation& e) {
    Json json;
    json["kind"] = e.kind;
    json["name"] = e.name;
    json["facts"] = Json::object();
    for (const auto& [label, value] : e.facts) {
        Json& fact = json["facts"][label];
        if (fact.is_null()) {
            fact = value;
            continue;
        }
        // One that stands there several times becomes a list.
        if (!fact.is_array()) fact = Json::array({fact});
        fact.push_back(value);
    }
    json["why"] = e.why;
    json["changes"] = e.changes;
    return json;
}

/// The input of the plan, when it is still there unchanged.
std::optional<io::OpenedInput> inputOf(const Plan& plan) {
    if (plan.input.path.empty()) return std::nullopt;
    auto opened = io::openInput(plan.input.path, openOptions(plan.settings), RunControl{});
    if (!opened || opened.value().input.sha256 != plan.input.sha256) return std::nullopt;
    return std::move(opened).value();
}

/// The compile that made the plan, when its input is still there unchanged.
std::optional<CompileRequest> requestOf(const Plan& plan) {
    const auto opened = inputOf(plan);
    if (!opened || !opened->graph) return std::nullopt;
    CompileRequest request;
    request.graph = opened->graph;
    request.input = plan.input;
    request.target = plan.target;
    request.settings = plan.settings;
    request.machine = plan.machine;
    request.hints = plan.hints;
    return inputHash(request) == plan.inputHash ? std::optional(std::move(request)) : std::nullopt;
}

/// An operation of the input that became part of another one.
bool isOfInput(const Plan& plan, const std::string& name) {
    const auto opened = inputOf(plan);
    if (!opened) return false;
    std::shared_ptr<const Graph> graph = opened->graph;
    if (opened->program) graph = graphOf(*opened->program, opened->input.name);
    return graph && std::ranges::any_of(graph->ops, [&](const Op& op) { return op.id == name; });
}

std::string changeOptions(const advice::Change& change) {
    std::vector<std::string> parts;
    for (const auto& [key, value] : change.settings)
        parts.push_back("--set " + key + "=" + value);
    for (const Hint& h : change.hints)
        parts.push_back("hint " + h.key + " " + text::escaped(h.value.json()) + " on " +
                        text::escaped(h.scopes.front()));
    return text::join(parts, ", ");
}

Json fixJson(const advice::Fix& c) {
    Json json;
    json["change"] = c.change.text;
    json["settings"] = Json::object();
    for (const auto& [key, value] : c.change.settings)
        json["settings"][key] = value;
    json["hints"] = Json::parse(hints::hintFileText({}, c.change.hints))["hints"];
    json["hints_off"] = c.change.hintsOff;
    json["on_chip_bytes"] = {c.onChipBefore, c.onChipAfter};
    json["traffic_bytes"] = {c.trafficBefore, c.trafficAfter};
    return json;
}

/// What was found by compiling again with one change (user-experience 7.5).
Json tried(const ExplainOptions& o, Plan plan, const Streams& streams) {
    const auto at =
        std::find_if(plan.buffers.begin(), plan.buffers.end(), [&](const PlanBuffer& b) { return b.name == o.name; });
    if (at == plan.buffers.end() || isOnChip(at->space)) return {};
    const BufferId id = BufferId::of(static_cast<std::size_t>(at - plan.buffers.begin()));
    auto request = requestOf(plan);
    if (!request) return {};
    plan.graph = request->graph;
    ProgressBar bar(streams, ProgressBar::When::Auto);
    const auto report = advice::findFixes(*request, plan, id, {}, bar.control());
    bar.clear();
    if (!report || report.value().tried == 0) return {};
    Json json;
    json["tried"] = report.value().tried;
    json["untried"] = report.value().untried;
    json["fixes"] = Json::array();
    if (!o.json) streams.out << "tried       " << report.value().tried << " single changes by compiling again\n";
    for (const advice::Fix& c : report.value().fixes) {
        json["fixes"].push_back(fixJson(c));
        if (o.json) continue;
        streams.out << "works       " << c.change.text;
        if (const std::string options = changeOptions(c.change); !options.empty())
            streams.out << " (" << options << ")";
        streams.out << ": traffic " << text::grouped(c.trafficBefore) << " to " << text::grouped(c.trafficAfter)
                    << " bytes, on chip " << text::grouped(c.onChipBefore) << " to " << text::grouped(c.onChipAfter)
                    << " bytes\n";
    }
    if (!o.json && report.value().fixes.empty()) streams.out << "works       none of them\n";
    return json;
}

int explainOne(const ExplainOptions& o, const Plan& plan, const SideInformation* side, const Streams& streams) {
    auto found = explainName(plan, o.name);
    if (found.empty()) {
        const auto names = explainableNames(plan);
        if (isOfInput(plan, o.name))
            return Reporter(streams).usage(o.name,
                                           "the input has \"" + o.name +
                                               "\", the plan has no operation of this name: another one does its work",
                                           "look for it among those that read its inputs or give its result");
        return Reporter(streams).usage(o.name, "the plan has nothing named \"" + o.name + "\"",
                                       didYouMean(o.name, names));
    }
    Json list = Json::array();
    for (Explanation& e : found) {
        if (side != nullptr) addSideFacts(*side, e);
        if (o.json) {
            list.push_back(explanationJson(e));
        } else {
            streams.out << explanationText(e);
        }
    }
    const Json trials = tried(o, plan, streams);
    Json out{{"name", o.name}, {"found", list}};
    if (!trials.is_null()) out["trials"] = trials;
    if (o.json) streams.out << dumped(out);
    return kDone;
}

/// What the plan file itself brings along; null for a bundle directory and for a plan without any.
Result<std::shared_ptr<const SideInformation>> sideOfPlanFile(const std::string& path) {
    auto opened = io::openInput(path, {}, RunControl{});
    if (!opened || opened.value().format != io::Format::Plan) return std::shared_ptr<const SideInformation>();
    return io::readPlanSide(opened.value().bytes);
}

int run(const ExplainOptions& o, const Streams& streams) {
    const Reporter reporter(streams);
    if (o.stats != o.name.empty()) {
        return reporter.usage("explain", "exactly one of NAME and --stats is expected", "see `memplan explain --help`");
    }
    const auto plan = openPlan(o.plan, "explain", streams);
    if (!plan) return reporter.fail(o.plan, plan.error());
    std::vector<SideDocument> documents;
    if (const int status = readSideFiles(o.sideFiles, plan.value().settings, streams, documents); status != kDone)
        return status;
    auto side = sideBeside(plan.value(), o.plan, documents, streams);
    if (!side) {
        auto kept = sideOfPlanFile(o.plan);
        if (!kept) return reporter.fail(o.plan, kept.error());
        side = kept.value();
    }
    if (!o.stats) return explainOne(o, plan.value(), side.get(), streams);
    if (o.json) {
        streams.out << dumped(statisticsJson(plan.value(), side.get()));
    } else {
        streams.out << statisticsText(plan.value()) << (side ? sideText(*side) : "");
    }
    return kDone;
}

}  // namespace

int explainCommand(const Args& args, const Streams& streams) {
    const auto options = parse(args, streams);
    if (!options) return Reporter(streams).fail("command line", options.error());
    return options.value().helpShown ? kDone : run(options.value(), streams);
}

}  // namespace memplan::cli
