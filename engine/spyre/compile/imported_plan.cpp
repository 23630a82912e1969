// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/imported_plan.h"

#include "engine/base/numeric.h"
#include "engine/hints/resolve.h"
#include "engine/pipeline/hint_states.h"
#include "engine/pipeline/run.h"
#include "engine/plan/plan_hash.h"
#include "engine/spyre/codegen/codegen_passes.h"
#include "engine/spyre/compile/imported/imported_builder.h"
#include "engine/spyre/compile/imported/imported_overlaps.h"
#include "engine/spyre/compile/pipeline.h"
#include "engine/spyre/state.h"
#include "engine/verify/spyre/verify.h"

#include <map>

namespace memplan::spyre {
namespace {

PassRun notRecorded(const PassInfo& info) {
    PassRun run;
    run.name = info.id;
    run.title = info.title;
    run.mandatory = info.isMandatory();
    run.parent = info.parent;
    run.ran = false;
    return run;
}

/// An import is shown as it is recorded: no pass decides anything, so that no hint counts. Wrong values and missing
/// subjects are reported as in every compile.
void reportIgnoredHints(const CompileRequest& request, Plan& plan) {
    if (request.hints.empty()) return;
    hints::InForce inForce = hints::resolve(request.hints, worldOf(request));
    for (std::size_t i = 0; i < inForce.hints.size(); ++i) {
        for (const std::string& subject : inForce.hints[i].scopes) {
            inForce.outcomes.push_back({inForce.positions[i], subject, hints::Outcome::Ignored,
                                        "an imported program is shown as it is recorded, no pass plans it",
                                        "compile the graph that it was made from with the hint"});
        }
    }
    auto conclusions = hints::conclude(request.hints, inForce.outcomes, {}, request.target, {});
    for (std::size_t i = 0; i < conclusions.size(); ++i) {
        std::vector<Diagnostic>& problems = conclusions[i].problems;
        problems = hints::problemsOf(i, request.hints[i], inForce, conclusions[i]);
        plan.problems.insert(plan.problems.end(), problems.begin(), problems.end());
    }
    putHints(request, conclusions, plan);
}

}  // namespace

CompileOutcome compileImported(const CompileRequest& request, const SpyreMachine& machine, const RunControl& control,
                               PipelineObserver* observer) {
    const auto& program = dynamic_cast<const bundle::ImportedProgram&>(*request.program);
    auto plan = buildImportedPlan(request, machine);
    State state;
    state.codeSpecs = std::make_shared<const std::vector<bundle::Kernel>>(program.kernels);
    for (const Pass& pass : pipeline()) {
        const PassInfo& info = pass.info;
        const bool follows = pass.run == unrollLoops || (pass.run == writeBundle && request.makeArtefacts);
        PassRun run = notRecorded(info);
        if (follows && (info.switchKey.empty() || request.settings.boolean(info.switchKey))) {
            if (control.cancelled()) {
                return {nullptr, CompileFailure{makeError(kCancelledCode, "", "cancelled"), run.name, plan->passes}};
            }
            PassContext context(info.id, request.settings, machine, {}, control);
            if (observer != nullptr) observer->beforePass(info);
            const auto outcome = pass.run(state, context);
            if (!outcome) {
                if (observer != nullptr) observer->passFailed(info, outcome.error());
                return {nullptr, CompileFailure{outcome.error(), run.name, plan->passes}};
            }
            run.ran = true;
            run.changed = outcome.value().changed;
            run.counts = outcome.value().counts;
            run.diagnostics = std::move(context.diagnostics);
            plan->problems.insert(plan->problems.end(), run.diagnostics.begin(), run.diagnostics.end());
            if (observer != nullptr) observer->afterPass(run);
        }
        plan->passes.push_back(std::move(run));
    }
    reportIgnoredHints(request, *plan);
    // Rules that the source breaks are reported, not refused; overlaps with their place in the source, and once.
    const ReportedOverlaps reported(plan->problems);
    for (Diagnostic d : verify::spyre::checkCompiled(*plan)) {
        if (reported.contains(d)) continue;
        d.severity = Severity::Warning;
        plan->problems.push_back(std::move(d));
    }
    attachImported(program, request.graph, *plan);
    plan->planHash = planHash(*plan);
    return {std::move(plan), std::nullopt};
}

namespace {

std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> strides(shape.size(), 1);
    for (std::size_t d = shape.size(); d-- > 1;)
        strides[d - 1] = saturatedMul(strides[d], shape[d]);
    return strides;
}

/// The graph of an import has one tensor for each buffer, in the same order.
std::vector<TensorId> tensorsOf(const std::vector<BufferId>& buffers) {
    std::vector<TensorId> tensors;
    for (const BufferId b : buffers)
        tensors.push_back(TensorId{b.index});
    return tensors;
}

/// The outputs in the order of the source: buffers by their names, views as tensors of their own in the same storage.
void addOutputs(const bundle::ImportedProgram& program, Graph& graph) {
    std::map<std::string, TensorId> named;
    for (std::size_t i = 0; i < graph.tensors.size(); ++i)
        named.emplace(graph.tensors[i].id, TensorId::of(i));
    for (const bundle::Returned& returned : program.outputs) {
        const auto buffer = named.find(returned.name);
        if (buffer == named.end()) continue;
        TensorId tensor = buffer->second;
        if (returned.view) {
            Tensor view;
            for (int n = 1; named.contains(view.id = returned.name + "_view_" + std::to_string(n));)
                ++n;
            view.dtype = graph.tensor(tensor).dtype;
            view.shape = returned.view->shape;
            view.aliasOf = tensor;
            view.aliasOffset = saturatedMul(returned.view->offset, dtypeBits(view.dtype)) / 8;
            tensor = TensorId::of(graph.tensors.size());
            named.emplace(view.id, tensor);
            graph.tensors.push_back(std::move(view));
        }
        graph.outputs.push_back(tensor);
    }
}

}  // namespace

void attachImported(const bundle::ImportedProgram& program, std::shared_ptr<const Graph> graph, Plan& plan) {
    plan.graph = std::move(graph);
    plan.views.clear();
    if (!plan.graph || plan.graph->outputs.size() != program.outputs.size()) return;
    std::map<std::string, BufferId> named;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i)
        named.emplace(plan.buffers[i].name, BufferId::of(i));
    for (std::size_t i = 0; i < program.outputs.size(); ++i) {
        const bundle::Returned& returned = program.outputs[i];
        const auto buffer = named.find(returned.name);
        if (buffer == named.end()) continue;
        const TensorId tensor = plan.graph->outputs[i];
        const auto& view = returned.view;
        plan.views.push_back({tensor, buffer->second,
                              view ? view->strides : rowMajorStrides(plan.graph->tensor(tensor).shape),
                              view ? view->offset : 0});
    }
}

std::shared_ptr<const Graph> graphOfImported(const bundle::ImportedProgram& program, const std::string& name) {
    CompileRequest request;
    request.target = program.target();
    request.program = std::make_shared<const bundle::ImportedProgram>(program);
    request.graph = std::make_shared<const Graph>();
    // Names and shapes depend on no machine.
    const auto plan = buildImportedPlan(request, spyreMachine(request.machine));
    auto graph = std::make_shared<Graph>();
    graph->name = name;
    for (const PlanBuffer& b : plan->buffers) {
        Tensor t;
        t.id = b.name;
        t.dtype = b.dtype;
        t.shape = b.shape;
        t.role = b.role == BufferRole::GraphInput ? TensorRole::Input : TensorRole::Activation;
        const TensorId id = TensorId::of(graph->tensors.size());
        if (b.role == BufferRole::GraphInput) graph->inputs.push_back(id);
        if (b.role == BufferRole::GraphOutput && program.outputs.empty()) graph->outputs.push_back(id);
        graph->tensors.push_back(std::move(t));
    }
    addOutputs(program, *graph);
    for (const PlanOp& op : plan->ops) {
        memplan::Op o;
        o.id = op.name;
        o.kind = op.kind == "extern"      ? OpKind::Fallback
                 : op.kind == "matmul"    ? OpKind::MatMul
                 : op.kind == "reduction" ? OpKind::Reduction
                                          : OpKind::Pointwise;
        o.fn = op.type;
        o.inputs = tensorsOf(op.inputs);
        o.outputs = tensorsOf(op.outputs);
        graph->ops.push_back(std::move(o));
    }
    return graph;
}

}  // namespace memplan::spyre
