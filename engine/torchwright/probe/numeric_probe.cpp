// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/probe/numeric_probe.h"

#include "engine/torchwright/eval/evaluate.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace memplan::torchwright {
namespace {

namespace transformer = verify::transformer;

constexpr double kGarbage = 7.25;

transformer::Table tableOf(const Rows& rows) {
    transformer::Table table(rows.positions, rows.width);
    table.values = rows.values;
    return table;
}

transformer::RunInputs runInputs(const GraphInputs& inputs, double freeColumns) {
    transformer::RunInputs out;
    out.positions = inputs.positions;
    out.firstPosition = inputs.firstPosition;
    for (const auto& [key, rows] : inputs.rows)
        out.rows.emplace(key, tableOf(rows));
    out.tokens = inputs.tokens;
    out.freeColumns = freeColumns;
    return out;
}

std::vector<transformer::Expectation> expectationsOf(const NodeGraph& graph, const std::vector<Rows>& values) {
    std::vector<transformer::Expectation> expected;
    for (const NodeId id : topologicalOrder(graph))
        expected.push_back({graph.at(id).number, tableOf(values[id.at()])});
    return expected;
}

/// The export must be one of this graph: nodes of the same number have the same width.
Result<void> checkSameGraph(const NodeGraph& graph, const transformer::Bundle& bundle) {
    for (const auto& [number, node] : bundle.nodes) {
        const NodeId id = graph.find(number);
        if (id.isValid() && graph.at(id).width == node.width && kindName(graph.at(id).kind) == node.type) continue;
        return makeError("TW-031", "manifest.json",
                         "the export is not one of this graph: node " + std::to_string(number) +
                             " differs or is not in it",
                         "name the graph that the transformer was made of");
    }
    return {};
}

}  // namespace

Result<NumericProbe> probeFiles(const NodeGraph& graph, const transformer::FileSource& files,
                                const ProbeRequest& request, const RunControl& control) {
    const auto bundle = transformer::readBundle(files);
    if (!bundle) return bundle.error();
    return probeBundle(graph, bundle.value(), request, control);
}

Result<NumericProbe> probeBundle(const NodeGraph& graph, const transformer::Bundle& bundle, const ProbeRequest& request,
                                 const RunControl& control) {
    if (auto same = checkSameGraph(graph, bundle); !same) return same.error();
    const auto values = evaluateNodes(graph, request.inputs, control);
    if (!values) return values.error();
    const auto expected = expectationsOf(graph, values.value());
    NumericProbe out;
    const auto runOnce = [&](double freeColumns, const std::string& setup) -> Result<transformer::ProbeReport> {
        auto run = transformer::runTransformer(bundle, runInputs(request.inputs, freeColumns));
        if (!run) return run.error();
        auto report = transformer::compareRun(bundle, run.value(), expected, request.tolerance);
        std::ranges::move(transformer::probeFindings(bundle, report, setup), std::back_inserter(out.findings));
        if (out.outputs.empty()) out.outputs = std::move(run.value().outputs);
        return report;
    };
    auto clean = runOnce(0, {});
    if (!clean) return clean.error();
    out.report = std::move(clean).value();
    if (bundle.assumesZeros) return out;
    if (control.shouldStop()) return makeError(kCancelledCode, "probe", "the probe was cancelled");
    auto filled = runOnce(kGarbage, "with 7.25 in the free columns at the start");
    if (!filled) return filled.error();
    out.garbage = std::move(filled).value();
    return out;
}

Result<NumericProbe> probe(const NodeGraph& graph, const Schedule& schedule, const ProbeRequest& request,
                           const RunControl& control) {
    if (const std::string why = whyNoWeights(graph, schedule); !why.empty())
        return makeError("TW-023", "weights", "there are no weights: " + why);
    auto files = bundleFiles(graph, schedule);
    if (!files) return files.error();
    return probeFiles(graph, sourceOf(std::move(files).value()), request, control);
}

transformer::FileSource sourceOf(std::vector<BundleFile> files) {
    const auto kept = std::make_shared<const std::vector<BundleFile>>(std::move(files));
    return [kept](const std::string& name) -> std::optional<std::string> {
        const auto found = std::ranges::find(*kept, name, &BundleFile::first);
        return found == kept->end() ? std::nullopt : std::optional(found->second);
    };
}

}  // namespace memplan::torchwright
