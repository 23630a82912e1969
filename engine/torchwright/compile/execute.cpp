// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/execute.h"

#include "engine/base/figures.h"
#include "engine/base/text.h"
#include "engine/json/json_value.h"
#include "engine/target/neutral_source.h"
#include "engine/torchwright/compile/options.h"
#include "engine/torchwright/cut/cut.h"
#include "engine/torchwright/fusion/fuse_linears.h"
#include "engine/torchwright/lower/lower.h"
#include "engine/torchwright/program/source.h"
#include "engine/verify/torchwright/export_facts.h"
#include "engine/verify/torchwright/weight_figures.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace memplan::torchwright {
namespace {

constexpr std::string_view kBundleFormat = "memplan.torchwright-bundle";

Error otherGraph(std::string message) {
    return makeError("TW-031", "graph", "the plan was not made of this graph: " + std::move(message),
                     "name the graph that was compiled, as it was then");
}

/// Settings that say which part of a graph was compiled, and how closely it is compared.
struct Preparation {
    CutSettings cut;
    Columns positionWidth = 16;
    double tolerance = 1e-3;
};

Preparation preparationOf(const Settings& s) {
    return {cutSettingsOf(s), static_cast<Columns>(s.integer("torchwright.d_head")),
            s.number("torchwright.verify_tolerance")};
}

/// Of a manifest that the reader of exports accepts.
Preparation preparationOf(const io::JsonValue& manifest) {
    Preparation p;
    const io::JsonValue* width = manifest.find("d_head");
    if (width != nullptr && width->is(io::JsonType::Integer)) p.positionWidth = static_cast<Columns>(width->integer);
    const io::JsonValue* config = manifest.find("config");
    const auto word = [&](std::string_view key) {
        const io::JsonValue* value = config != nullptr ? config->find(key) : nullptr;
        return value != nullptr ? value->string : std::string();
    };
    p.cut = {word("torchwright.isolate"), word("torchwright.stub"), word("torchwright.as_inputs")};
    p.tolerance = text::parseDouble(word("torchwright.verify_tolerance")).value_or(p.tolerance);
    return p;
}

/// The graph of the program as it was read.
Result<NodeGraph> givenGraph(const Source& program) {
    if (const auto* neutral = dynamic_cast<const NeutralSource*>(&program)) {
        auto made = lowered(*neutral->graph);
        if (!made) return otherGraph(made.error().primary().message);
        return std::move(made.value().nodes);
    }
    const auto* source = dynamic_cast<const GraphSource*>(&program);
    if (source == nullptr) return otherGraph("the file holds " + std::string(program.kind()));
    return *source->graph;
}

/// The same as the compile began with it.
Result<NodeGraph> graphOf(const Source& program, const Preparation& preparation) {
    const auto given = givenGraph(program);
    if (!given) return given.error();
    return preparedGraph(given.value(), preparation.cut, preparation.positionWidth);
}

std::vector<std::int64_t> numbersOf(const NodeGraph& graph, const std::vector<NodeId>& ids) {
    std::vector<std::int64_t> numbers;
    for (const NodeId id : ids)
        numbers.push_back(graph.at(id).number);
    return numbers;
}

/// What a layer's operations and weights are laid out by, but for the edges.
bool isAlike(const Node& a, const Node& b) {
    if (a.number != b.number || a.kind != b.kind || a.width != b.width) return false;
    if (a.is(NodeKind::Linear))
        return a.linear().hasBias == b.linear().hasBias && a.linear().inputWidth == b.linear().inputWidth &&
               a.linear().nonZeros == b.linear().nonZeros;
    if (a.is(NodeKind::LiteralValue)) return a.literal() == b.literal();
    if (a.is(NodeKind::InputNode)) return a.input() == b.input();
    if (a.is(NodeKind::Embedding))
        return a.embedding().maxVocab == b.embedding().maxVocab && a.embedding().inputName == b.embedding().inputName;
    return !a.is(NodeKind::Attn) || (a.attn().qk == b.attn().qk && a.attn().v == b.attn().v);
}

/// The graph as Linears of it were fused: `isKept` says of a number whether a node of it is left.
template <class IsKept> NodeGraph fusedBut(const NodeGraph& graph, IsKept isKept) {
    FusionRule rule;
    rule.fuseAll = false;
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (!isKept(graph.nodes[i].number)) rule.wanted.push_back(NodeId::of(i));
    return rule.wanted.empty() ? graph : fuseLinears(graph, rule).graph;
}

/// The graph that the plan scheduled, with the weights of the program.
Result<NodeGraph> scheduledWithWeights(const NodeGraph& graph, const NodeGraph& planned) {
    NodeGraph fused = fusedBut(graph, [&planned](std::int64_t number) { return planned.find(number).isValid(); });
    if (fused.size() != planned.size())
        return otherGraph("it has " + std::to_string(fused.size()) + " nodes, the plan " +
                          std::to_string(planned.size()));
    for (std::size_t i = 0; i < fused.size(); ++i) {
        const Node& own = fused.nodes[i];
        const Node& other = planned.nodes[i];
        const bool isSame = isAlike(own, other) && numbersOf(fused, own.inputs) == numbersOf(planned, other.inputs);
        if (!isSame) return otherGraph("node " + std::to_string(other.number) + " differs");
    }
    return fused;
}

struct Exported {
    ExportFiles files;
    const Plan* plan = nullptr;        ///< that the files have to hold; null where they alone are known
    const NodeGraph* given = nullptr;  ///< with a plan: the graph as it was read
};

/// Executed beside the graph as given, and each entry compared with what the graph that was scheduled demands.
Result<Execution> run(const NodeGraph& graph, const Exported& exported, const ProbeRequest& request,
                      const RunControl& control) {
    const auto bundle = verify::transformer::readBundle(exported.files);
    if (!bundle) return bundle.error();
    auto probe = probeBundle(graph, bundle.value(), request, control);
    if (!probe) return probe.error();
    const NodeGraph scheduled =
        fusedBut(graph, [&](std::int64_t number) { return bundle.value().nodes.contains(number); });
    const Plan* plan = exported.plan;
    Execution out;
    out.findings = std::move(probe.value().findings);
    const auto add = [&out](std::vector<Diagnostic> found) {
        std::ranges::move(found, std::back_inserter(out.findings));
    };
    add(verify::torchwright::checkExport(scheduled, bundle.value(),
                                         plan != nullptr ? &torchwrightData(*plan).schedule : nullptr));
    if (plan != nullptr)
        add(verify::torchwright::checkWeightFigures(*plan, {scheduled, *exported.given, bundle.value()}));
    out.summary = probeText(probeFigures(probe.value(), request));
    return out;
}

ProbeRequest requestOf(const NodeGraph& graph, const ExecutionRequest& asked, double tolerance) {
    return {sampleInputs(graph, asked.positions, asked.seed), tolerance};
}

class TransformerExecutor final : public Executor {
public:
    [[nodiscard]] Result<Execution> execute(const Plan& plan, const Source& program, const ExecutionRequest& request,
                                            const RunControl& control) const override {
        const TorchwrightData& data = torchwrightData(plan);
        if (!data.isScheduled() || !data.schedule.ok()) return notRun("the plan has no complete schedule");
        if (!plan.settings.boolean("torchwright.weights")) return notRun("torchwright.weights is false");
        const Preparation preparation = preparationOf(plan.settings);
        const auto given = givenGraph(program);
        if (!given) return given.error();
        const auto graph = preparedGraph(given.value(), preparation.cut, preparation.positionWidth);
        if (!graph) return graph.error();
        const auto scheduled = scheduledWithWeights(graph.value(), *data.graph);
        if (!scheduled) return scheduled.error();
        if (const std::string why = whyNoWeights(scheduled.value(), data.schedule); !why.empty()) return notRun(why);
        auto files = bundleFiles(scheduled.value(), data.schedule);
        if (!files) return files.error();
        return run(graph.value(), {sourceOf(std::move(files).value()), &plan, &given.value()},
                   requestOf(graph.value(), request, preparation.tolerance), control);
    }

    [[nodiscard]] bool isExport(std::string_view manifest) const override {
        const auto value = io::parseJsonValue(manifest);
        const io::JsonValue* format = value ? value->find("format") : nullptr;
        return format != nullptr && format->string == kBundleFormat;
    }

    [[nodiscard]] Result<Execution> executeExport(const ExportFiles& files, const Source& program,
                                                  const ExecutionRequest& request,
                                                  const RunControl& control) const override {
        const auto manifest = files("manifest.json");
        const auto value = manifest ? io::parseJsonValue(*manifest) : std::nullopt;
        if (!value) return makeError("TW-031", "manifest.json", "it is no JSON text", "export the transformer again");
        const Preparation preparation = preparationOf(*value);
        const auto graph = graphOf(program, preparation);
        if (!graph) return graph.error();
        if (!graph.value().hasTensors) return notRun("the graph has no tensors, or stubs stand for a part of it");
        return run(graph.value(), {files}, requestOf(graph.value(), request, preparation.tolerance), control);
    }

private:
    static Execution notRun(std::string why) { return {{}, {}, std::move(why)}; }
};

}  // namespace

TorchwrightProbe probeFigures(const NumericProbe& probe, const ProbeRequest& request) {
    TorchwrightProbe out;
    out.positions = static_cast<int>(request.inputs.positions);
    out.tolerance = request.tolerance;
    out.compared = static_cast<int>(probe.report.compared.size());
    out.maxError = probe.report.maxError();
    out.garbageMaxError = probe.garbage.maxError();
    for (const verify::transformer::Comparison& c : probe.report.worst())
        out.worst.push_back({c.node, c.layer, c.op, c.maxError, c.expected, c.got, c.expectedSpread.least,
                             c.expectedSpread.most, c.expectedSpread.mean, c.gotSpread.least, c.gotSpread.most,
                             c.gotSpread.mean});
    std::map<std::string, std::int64_t> reasons;
    for (const verify::transformer::Skipped& skipped : probe.report.skipped)
        ++reasons[skipped.reason];
    out.notProbed.assign(reasons.begin(), reasons.end());
    return out;
}

std::string probeText(const TorchwrightProbe& probe) {
    std::int64_t skipped = 0;
    for (const auto& [reason, count] : probe.notProbed)
        skipped += count;
    return std::to_string(probe.positions) + " positions: " + text::grouped(probe.compared) + " nodes compared, " +
           text::grouped(skipped) + " own no columns, largest difference " + text::significant(probe.maxError, 3) +
           " of " + text::number(probe.tolerance);
}

const Executor& executor() {
    static const TransformerExecutor kExecutor;
    return kExecutor;
}

}  // namespace memplan::torchwright
