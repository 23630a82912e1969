// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/program/format.h"

#include "engine/torchwright/graph/graph_json.h"
#include "engine/torchwright/program/source.h"

#include <array>
#include <utility>

namespace memplan::torchwright {
namespace {

bool isGraph(const FileGlance& glance) {
    return glance.json.format == kGraphFormat;
}

Result<TargetDocument> read(const TargetFile& file, const io::Limits& limits, const RunControl& control) {
    auto graph = readGraph(file.bytes, limits, control);
    if (!graph) return graph.error();
    TargetDocument document;
    document.program = std::make_shared<const GraphSource>(std::move(graph.value().graph));
    document.notes = std::move(graph.value().warnings);
    return document;
}

}  // namespace

std::span<const TargetFormat> formats() {
    static const std::array kFormats{TargetFormat{.id = "torchwright-graph",
                                                  .title = "torchwright graph",
                                                  .extension = ".graph.json",
                                                  .tooLargeCode = "MPG-002",
                                                  .needs = "graph",
                                                  .isIt = isGraph,
                                                  .read = read}};
    return kFormats;
}

}  // namespace memplan::torchwright
