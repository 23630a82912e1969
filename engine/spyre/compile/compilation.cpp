// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/compilation.h"

#include "engine/spyre/compile/pipeline.h"
#include "engine/spyre/compile/plan_builder.h"
#include "engine/spyre/compile/snapshot_text.h"
#include "engine/spyre/scratchpad/placement/place.h"

#include <algorithm>
#include <utility>

namespace memplan::spyre {
namespace {

bool plansScratchpad(const Settings& settings) {
    return settings.boolean("spyre.lx_planning");
}

}  // namespace

Compilation::Compilation(const CompileRequest& request, const SpyreMachine& machine,
                         std::shared_ptr<const cost::Calibration> calibration, std::vector<TilingGroup> searchedLoops,
                         RefusedLoops refusedLoops)
    : CompilationOver(pipeline()), request_(request), machine_(machine), calibration_(std::move(calibration)),
      refusedBefore_(refusedLoops.size()) {
    state_.graph = request.graph;
    state_.searchedLoops = std::move(searchedLoops);
    state_.refusedLoops = std::move(refusedLoops);
}

Result<PassOutcome> Compilation::runPass(const Pass& pass, memplan::PassContext& given) {
    PassContext context(given.pass(), given.settings, machine_, given.hints, given.control, calibration_);
    Result<PassOutcome> outcome = pass.run(state_, context);
    given.diagnostics = std::move(context.diagnostics);
    given.decisions = std::move(context.decisions);
    given.outcomes = std::move(context.outcomes);
    return outcome;
}

void Compilation::skip(std::size_t i) {
    const bool isStep = passes()[i].parent == "scratchpad_planning";
    if (!isStep || plansScratchpad(request_.settings) || !state_.scratchpad.entries.empty()) return;
    measureWithoutPlanning(state_, request_.settings, machine_);
}

std::string Compilation::snapshot() const {
    return snapshotText(state_);
}

void Compilation::finish(const Tags& provided) {
    // Stopped between measuring and placing: what was found out of the buffers stays.
    const bool isMeasured = provided.contains("lifetimes") && plansScratchpad(request_.settings);
    if (!state_.scratchpad.planned && !isMeasured) measureWithoutPlanning(state_, request_.settings, machine_);
}

std::shared_ptr<Plan> Compilation::freeze(RunFacts facts) const {
    return buildSpyrePlan({request_, machine_, *calibration_, state_, std::move(facts)});
}

std::unique_ptr<memplan::Compilation> Compilation::retry() {
    if (state_.refusedLoops.size() <= refusedBefore_) return nullptr;
    return std::make_unique<Compilation>(request_, machine_, calibration_, state_.searchedLoops, state_.refusedLoops);
}

std::vector<OpId> Compilation::opsOf(GraphOpId graphOp) const {
    std::vector<OpId> found;
    for (std::size_t i = 0; i < state_.program.ops.size(); ++i) {
        if (std::ranges::count(state_.program.ops[i].sourceOps, graphOp) > 0) found.push_back(OpId::of(i));
    }
    return found;
}

std::vector<BufferId> Compilation::buffersOf(TensorId graphTensor) const {
    std::vector<BufferId> found;
    for (std::size_t b = 0; b < state_.program.buffers.size(); ++b) {
        if (state_.program.buffers[b].graphTensor == graphTensor) found.push_back(BufferId::of(b));
    }
    return found;
}

Bytes Compilation::bytesOnCore(BufferId buffer) const {
    const auto& entries = state_.scratchpad.entries;
    return buffer.at() < entries.size() ? entries[buffer.at()].sizePerCore : 0;
}

std::string Compilation::outsideKernel(OpId op) const {
    const Op& found = state_.program.ops[op.at()];
    return found.kind == OpClass::Extern ? found.fn : std::string();
}

}  // namespace memplan::spyre
