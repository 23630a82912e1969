// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/imported/imported_foreign.h"

#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

constexpr int kKernelTensors = 6;  ///< without a pool (spyre-coarse-tiling-and-bundle 7)

}  // namespace

std::string describeForeign(const bundle::SpecNode& node, const std::string& kernel, OpId id, PlanOp& op,
                            std::vector<Diagnostic>& problems) {
    const std::string number = "op" + std::to_string(id.index) + "_";
    op.kind = "extern";
    if (node.lost.empty()) {
        op.type = node.kind == bundle::SpecKind::Opaque ? node.call.text : node.name;
        return number + "not_implemented";
    }
    op.type = node.lost;
    const std::string file = text::escaped(node.name);
    const std::string where = kernel + "/" + file;
    const std::string inside = where + ":";
    for (Diagnostic& d : problems) {
        if (d.where == where || d.where.starts_with(inside)) d.ops.push_back(id);
    }
    const std::string stem = file.ends_with(".json") ? file.substr(0, file.size() - 5) : file;
    return number + stem + "_" + node.lost.substr(0, node.lost.find(' '));
}

void addFallback(const std::string& name, const std::vector<BufferId>& read, const std::vector<BufferId>& written,
                 Plan& plan) {
    const OpId id = OpId::of(plan.ops.size());
    PlanOp op;
    op.name = op.groupPath = name;
    op.kind = "extern";
    op.type = "fallback";
    op.inputs = read;
    op.outputs = written;
    PlanKernel kernel;
    kernel.name = name;
    kernel.ops = {id};
    kernel.tensorLimit = kKernelTensors;
    for (const auto* list : {&read, &written}) {
        for (const BufferId at : *list) {
            PlanBuffer& b = plan.buffers[at.at()];
            if (b.uses.empty() || b.uses.back() != id) b.uses.push_back(id);
            if (list == &written && !b.producer.isValid()) b.producer = id;
            if (std::find(kernel.arguments.begin(), kernel.arguments.end(), at) == kernel.arguments.end())
                kernel.arguments.push_back(at);
        }
    }
    kernel.externalTensors = static_cast<int>(kernel.arguments.size());
    editSpyreData(plan).loops->emplace_back().op = id;
    editSpyreData(plan).kernels->push_back(std::move(kernel));
    plan.ops.push_back(std::move(op));
    editSpyreData(plan).ops.emplace_back();
}

void describeFill(const bundle::HostFill& fill, BufferId buffer, PlanOp& op) {
    op.type = "fill";
    op.fillValue = fill.number;
    PlanAccess write;
    write.buffer = buffer;
    write.isWrite = true;
    write.coefficients = fill.at.strides;
    write.offset = fill.at.offset;
    op.accesses.push_back(std::move(write));
    for (const std::int64_t extent : fill.at.shape)
        op.iterationSpace.push_back({"d" + std::to_string(op.iterationSpace.size()), extent, extent, 0, false, 1});
}

}  // namespace memplan::spyre
