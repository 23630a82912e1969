// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_execution.h"

#include "engine/io/graph/graph_json.h"
#include "engine/io/plan/record/record_file.h"
#include "engine/json/json_text.h"
#include "engine/target/target.h"

namespace memplan::io {
namespace {

constexpr const char* kFix = "compile the input again to get a sound plan file";

Error malformed(std::string where, std::string message) {
    return makeError("IN-008", std::move(where), std::move(message), kFix);
}

Result<std::shared_ptr<const Graph>> readGraph(const PlanFields& fields, TapeIndex execution) {
    const TapeIndex at = fields.optional(execution, "graph");
    if (at == 0) return malformed("/execution", "the key \"graph\" is missing");
    Limits limits;
    limits.jsonBytes = std::int64_t{1} << 30;  // the caller has applied its limit to the file
    auto read = readGraphJson(fields.tape.json(at), limits, RunControl{});
    if (read) return std::make_shared<const Graph>(std::move(read.value().graph));
    const Diagnostic& d = read.error().primary();
    return malformed("/execution/graph" + (d.where.starts_with('/') ? d.where : std::string()),
                     d.code + " " + d.message);
}

/// The numbers that constants write stand in the record alone.
void takeConstants(const sim::ExecutionRecord& record, Plan& plan) {
    for (std::size_t i = 0; i < std::min(record.ops.size(), plan.ops.size()); ++i)
        plan.ops[i].fillValue = record.ops[i].fillValue;
}

/// Readers of the plan look these positions up.
Result<void> checkTensors(const Plan& plan) {
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
        const TensorId tensor = plan.buffers[b].graphTensor;
        if (!tensor.isValid() || tensor.at() < plan.graph->tensors.size()) continue;
        return malformed("/buffers/" + std::to_string(b) + "/x_tensor", "the graph of the plan has no such tensor");
    }
    return {};
}

}  // namespace

void writeExecution(JsonWriter& writer, const Plan& plan) {
    const Target* target = plan.settings.boolean("plan.execution") ? findTarget(plan.target) : nullptr;
    const auto record = target != nullptr ? target->executionRecord(plan) : nullptr;
    if (!record || !record->graph) return;
    writer.key("execution");
    writer.beginInlineObject();
    writeRecord(writer, *record);
    writer.breakLine();
    writer.key("graph");
    appendGraphJson(writer.verbatim(), *record->graph);
    writer.endObject();
}

Result<void> readExecution(PlanFields& fields, Plan& plan) {
    const TapeIndex at = fields.optional(0, "execution");
    if (at == 0) return {};
    sim::ExecutionRecord record = readRecord(fields, at);
    if (fields.error()) return *fields.error();
    auto graph = readGraph(fields, at);
    if (!graph) return std::move(graph).error();
    plan.graph = std::move(graph).value();
    record.graph = plan.graph;
    takeConstants(record, plan);
    plan.execution = std::make_shared<const sim::ExecutionRecord>(std::move(record));
    return checkTensors(plan);
}

}  // namespace memplan::io
