// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/artefacts.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"
#include "engine/sim/record/record.h"
#include "engine/spyre/codegen/codegen_passes.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {

namespace {

/// A tensor of the graph as elements of a buffer: the buffer's name where it is that buffer from end to end, else a
/// view.
bundle::Returned returnedOf(const PlanBuffer& buffer, const std::vector<std::int64_t>& shape,
                            const std::vector<std::int64_t>& strides, std::int64_t offset) {
    bundle::Returned whole(buffer.name);
    if (shape.size() != strides.size()) return whole;
    std::int64_t natural = 1;
    bool isWhole = offset == 0 && shape == buffer.shape;
    for (std::size_t d = shape.size(); d-- > 0 && isWhole;) {
        isWhole = shape[d] == 1 || strides[d] == natural;
        natural = saturatedMul(natural, shape[d]);
    }
    return isWhole ? whole : bundle::Returned(buffer.name, bundle::HostView{shape, strides, offset});
}

/// The outputs where the plan knows the place of each of them in its buffers.
std::vector<bundle::Returned> viewedOutputs(const Plan& plan) {
    std::vector<bundle::Returned> out;
    for (const TensorId tensor : plan.graph->outputs) {
        const auto view =
            std::find_if(plan.views.begin(), plan.views.end(), [&](const TensorView& v) { return v.tensor == tensor; });
        if (view == plan.views.end()) return {};
        const PlanBuffer& buffer = plan.buffer(view->buffer);
        const Tensor& t = plan.graph->tensor(tensor);
        // The host shape of an imported buffer is a guess: what its source returns as a view stays one.
        const bool isView = plan.solver == "imported" && t.aliasOf.isValid();
        out.push_back(isView ? bundle::Returned(buffer.name, bundle::HostView{t.shape, view->strides, view->offset})
                             : returnedOf(buffer, t.shape, view->strides, view->offset));
    }
    return out;
}

/// The outputs of a plan that was read, by its execution record.
std::vector<bundle::Returned> recordedOutputs(const Plan& plan) {
    std::map<std::string, const Tensor*> tensors;
    if (plan.graph) {
        for (const Tensor& t : plan.graph->tensors)
            tensors.emplace(t.id, &t);
    }
    std::vector<bundle::Returned> out;
    for (const sim::RecordOutput& o : plan.execution->outputs) {
        const PlanBuffer& buffer = plan.buffers.at(static_cast<std::size_t>(o.buffer));
        const auto it = tensors.find(o.tensor);
        out.push_back(it == tensors.end() ? bundle::Returned(buffer.name)
                                          : returnedOf(buffer, it->second->shape, o.strides, o.offset));
    }
    return out;
}

/// What the last line of the wrapper source returns: every output of the graph in its order, also those that are
/// inputs, views or the same tensor as another one (spyre-coarse-tiling-and-bundle 12.1). Error: EXP-006 for a plan
/// that does not hold them.
Result<std::vector<bundle::Returned>> outputsOf(const Plan& plan) {
    std::vector<bundle::Returned> outputs;
    if (plan.graph) outputs = viewedOutputs(plan);
    if (outputs.empty() && plan.execution) outputs = recordedOutputs(plan);
    if (!outputs.empty()) return outputs;
    for (const PlanBuffer& b : plan.buffers) {
        if (b.role == BufferRole::GraphOutput) outputs.emplace_back(b.name);
    }
    const bool isUndecided = !plan.execution && outputs.size() > 1 && plan.solver != "imported";
    if (!isUndecided) return outputs;
    return makeError("EXP-006", "", "the plan file does not hold the order of its outputs",
                     "compile the input again, or with plan.execution=true");
}

std::vector<std::string> namesOf(const Plan& plan, const std::vector<BufferId>& buffers) {
    std::vector<std::string> out;
    for (const BufferId b : buffers)
        out.push_back(plan.buffer(b).name);
    return out;
}

/// What an operation writes that fills a part of a tensor with a constant of the planner. One of an import has the
/// number itself.
std::optional<bundle::HostFill> fillOf(const Plan& plan, const PlanOp& op) {
    if (op.type != "fill" || op.accesses.empty() || !op.accesses.back().isWrite) return std::nullopt;
    const PlanAccess& write = op.accesses.back();
    const OpId source = op.inputs.size() == 1 ? plan.buffer(op.inputs.front()).producer : OpId();
    const bool isConstant = source.isValid() && plan.op(source).kind == "constant";
    if (!isConstant && plan.solver != "imported") return std::nullopt;
    bundle::HostFill fill{plan.buffer(write.buffer).name, {{}, write.coefficients, write.offset}, op.fillValue};
    if (isConstant) fill.number = plan.op(source).fillValue;
    for (const IterationDim& d : op.iterationSpace)
        fill.at.shape.push_back(d.extent);
    return fill;
}

/// The fallback kernels: those without an OpSpec tree. An allocation and a constant run nothing.
std::vector<bundle::HostCall> hostCallsOf(const Plan& plan) {
    std::vector<bundle::HostCall> out;
    if (!spyreData(plan).kernels) return out;
    const std::vector<bundle::Kernel>& trees = *spyreData(plan).opSpecs;
    std::size_t position = 0;
    for (const PlanKernel& k : *spyreData(plan).kernels) {
        if (position < trees.size() && trees[position].name == k.name) {
            ++position;
            continue;
        }
        for (const OpId id : k.ops) {
            const PlanOp& op = plan.op(id);
            if (op.kind == "extern" && op.type != "empty")
                out.push_back(
                    {op.name, namesOf(plan, op.inputs), namesOf(plan, op.outputs), position, fillOf(plan, op)});
        }
    }
    return out;
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> planArtefacts(const Plan& plan, Diagnostics& notes) {
    if (!spyreData(plan).opSpecs) {
        return makeError("EXP-006", "", "the plan holds no kernels to write", "compile without --stop-after");
    }
    std::vector<std::string> inputs;
    for (const PlanBuffer& b : plan.buffers) {
        if (b.role == BufferRole::GraphInput || b.role == BufferRole::Parameter) inputs.push_back(b.name);
    }
    auto outputs = outputsOf(plan);
    if (!outputs) return outputs.error();
    return spyre::bundleArtefacts(*spyreData(plan).opSpecs, hostCallsOf(plan), inputs, outputs.value(), plan.settings,
                                  notes);
}

}  // namespace memplan::spyre
