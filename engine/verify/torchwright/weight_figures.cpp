// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/torchwright/weight_figures.h"

#include "engine/verify/report.h"
#include "engine/verify/torchwright/program.h"

#include <map>

namespace memplan::verify::torchwright {
namespace {

using namespace memplan::torchwright;

std::int64_t entriesOf(const TensorPtr& tensor) {
    return tensor ? static_cast<std::int64_t>(tensor->entries.size()) : 0;
}

std::int64_t nonZerosOf(const Node& node) {
    if (node.is(NodeKind::Linear)) return entriesOf(node.linear().matrix) + entriesOf(node.linear().bias);
    if (node.is(NodeKind::Embedding)) return entriesOf(node.embedding().table);
    if (!node.is(NodeKind::Attn)) return 0;
    const AttnData& a = node.attn();
    return entriesOf(a.queryMatrix) + entriesOf(a.keyMatrix) + entriesOf(a.valueMatrix) + entriesOf(a.outputMatrix);
}

std::int64_t entriesOf(const transformer::Bundle& bundle) {
    std::size_t entries = 0;
    for (const transformer::BundleLayer& l : bundle.layers)
        for (const transformer::Array* array :
             {&l.query, &l.key, &l.value, &l.output, &l.first, &l.firstBias, &l.second, &l.secondBias})
            entries += array->entries.size();
    return static_cast<std::int64_t>(entries);
}

void checkAnnotations(const TorchwrightData& data, const NodeGraph& graph, Report& report) {
    const Program program(graph);
    std::map<std::string, std::int64_t> real;
    for (std::size_t i = 0; i < graph.size(); ++i)
        if (program.distance[i] >= 0) real[annotationOf(graph.nodes[i])] += nonZerosOf(graph.nodes[i]);
    for (const TorchwrightAnnotation& row : data.annotations)
        report.expect("annotation " + row.annotation + " nnz", row.nonZeros, real[row.annotation]);
}

}  // namespace

std::vector<Diagnostic> checkWeightFigures(const Plan& plan, const WeightedSubject& subject) {
    Report report(plan);
    checkAnnotations(torchwrightData(plan), subject.scheduled, report);
    const std::map<std::pair<std::string, std::string>, std::int64_t> real{
        {{"lower_to_torchwright", "nodes"}, static_cast<std::int64_t>(subject.given.size())},
        {{"write_weights", "entries"}, entriesOf(subject.bundle)}};
    for (const PassRun& pass : plan.passes) {
        for (const auto& [key, stated] : pass.counts)
            if (const auto it = real.find({pass.name, key}); it != real.end())
                report.expect("pass " + pass.name + ' ' + key, stated, it->second);
    }
    return report.take();
}

}  // namespace memplan::verify::torchwright
