// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/compile/writers.h"

#include "engine/torchwright/graph/graph_json.h"
#include "engine/torchwright/lower/lower.h"
#include "engine/torchwright/program/source.h"

namespace memplan::torchwright {
namespace {

Result<std::string> graphText(const WriterInput& input) {
    if (const auto* source = dynamic_cast<const GraphSource*>(input.program)) return writeGraph(*source->graph);
    if (input.graph == nullptr)
        return makeError("IN-013", "", "this input cannot be written as \"torchwright-graph\"",
                         "name a model or a graph");
    auto made = lowered(*input.graph);
    if (!made) return std::move(made).error();
    return writeGraph(made.value().nodes);
}

}  // namespace

const FormatWriter& graphWriter() {
    static const FormatWriter kWriter{"torchwright-graph", ".graph.json",
                                      "graph of nodes (.graph.json) of one, a model or a neutral graph", graphText};
    return kWriter;
}

}  // namespace memplan::torchwright
