// SPDX-License-Identifier: Apache-2.0
#include "tests/support/compile_support.h"

#include "engine/io/plan/plan_json.h"
#include "engine/target/verify.h"

#include <QtDebug>

namespace memplan::test {

CompileOutcome compileGraph(const Graph& graph, const Pairs& settings, const std::string& stopAfter) {
    CompileRequest request;
    request.graph = std::make_shared<Graph>(graph);
    request.input.name = graph.name;
    auto values = Settings::fromPairs(settings);
    if (!values) {
        return {nullptr, CompileFailure{std::move(values).error(), "settings", {}}};
    }
    request.settings = std::move(values).value();
    request.stopAfter = stopAfter;
    readSettingFiles(request);
    return compile(request, RunControl{});
}

PlanPtr planOf(const Graph& graph, const Pairs& settings) {
    CompileOutcome outcome = compileGraph(graph, settings);
    if (outcome.failure) {
        for (const Diagnostic& d : outcome.failure->error.diagnostics) {
            qWarning() << d.code.c_str() << d.where.c_str() << d.message.c_str();
        }
    }
    return outcome.plan;
}

std::string fileFault(const Plan& plan) {
    const std::string file = io::writePlanJson(plan);
    const auto back = io::readPlanJson(file);
    if (!back) return back.error().primary().message;
    if (io::writePlanJson(back.value()) != file) return "reading back gives another plan";
    const std::vector<Diagnostic> found = verifyPlan(back.value());
    return found.empty() ? "" : found.front().code + " " + found.front().where + " " + found.front().message;
}

Bytes traffic(const Plan& plan) {
    return plan.metrics.mainMemoryReadBytes + plan.metrics.mainMemoryWriteBytes;
}

const PlanBuffer* findBuffer(const Plan& plan, const std::string& name) {
    for (const PlanBuffer& b : plan.buffers) {
        if (b.name == name) return &b;
    }
    return nullptr;
}

const PlanOp* findOp(const Plan& plan, const std::string& name) {
    for (const PlanOp& op : plan.ops) {
        if (op.name == name) return &op;
    }
    return nullptr;
}

std::string reasonName(const Plan& plan, const std::string& buffer) {
    const PlanBuffer* b = findBuffer(plan, buffer);
    if (b == nullptr) return "no such buffer";
    return b->reason ? std::string(reasonInfo(b->reason->code).name) : std::string();
}

Graph softmax(std::int64_t rows, std::int64_t columns, int axis) {
    GraphBuilder b("softmax");
    const TensorId x = b.input("x", {rows, columns});
    const TensorId max = b.reduction("max", "max", x, {axis});
    const TensorId sub = b.pointwise("sub", "sub", {x, max});
    const TensorId exp = b.pointwise("exp", "exp", {sub});
    const TensorId sum = b.reduction("sum", "sum", exp, {axis});
    const TensorId div = b.pointwise("div", "div", {exp, sum});
    b.output(div);
    return b.build();
}

}  // namespace memplan::test
