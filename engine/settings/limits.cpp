// SPDX-License-Identifier: Apache-2.0
#include "engine/json/limits.h"

#include "engine/settings/settings.h"

namespace memplan::io {

Limits Limits::from(const Settings& settings) {
    Limits l;
    l.jsonBytes = settings.integer("limits.json_bytes");
    l.onnxBytes = settings.integer("limits.onnx_bytes");
    l.textBytes = settings.integer("limits.text_bytes");
    l.csvBytes = settings.integer("limits.csv_bytes");
    l.csvRows = settings.integer("limits.csv_rows");
    l.nesting = settings.integer("limits.nesting");
    l.graphTensors = settings.integer("limits.graph_tensors");
    l.graphOps = settings.integer("limits.graph_ops");
    l.nodes = settings.integer("limits.nodes");
    l.values = settings.integer("limits.values");
    l.nodeAttributes = settings.integer("limits.node_attributes");
    l.nodeOperands = settings.integer("limits.node_operands");
    l.foldedElements = settings.integer("limits.folded_elements");
    l.foldedBytes = settings.integer("limits.folded_bytes");
    l.importMemoryBytes = settings.integer("limits.import_memory_bytes");
    l.idleSeconds = settings.number("limits.idle_seconds");
    l.importSeconds = settings.number("limits.import_seconds");
    l.nameBytes = settings.integer("limits.name_bytes");
    l.spliceDepth = settings.integer("limits.splice_depth");
    return l;
}

}  // namespace memplan::io
