// SPDX-License-Identifier: Apache-2.0
#include "spyre/cost/estimate.h"

#include "spyre/cost/rates.h"

#include <algorithm>

namespace memplan::spyre::cost {
namespace {

void addTerms(const KernelPrice& p, CostEstimate::Kernel& k) {
    const auto add = [&k](const char* name, double ns) {
        if (ns > 0) k.termsNs.emplace_back(name, ns);
    };
    add("memory", p.memTotalNs);
    add("multiply_compute", p.computeNs);
    add("multiply_split_shape", p.splitNs);
    add("fused_reduction", p.fusedReductionNs.value_or(0));
    add("replicated_loads", p.replicatedNs);
    add("clone_in", p.cloneNs);
    add("loop_carries", p.loopRepeatNs);
    add("relayouts", p.relayoutNs);
    add("transport_requests", p.transportNs);
    add("read_bursts", p.burstNs);
}

std::vector<std::vector<std::size_t>> kernelsOf(const EstimateInput& input, const std::vector<ReportOp>& ops) {
    if (input.program->kernels.empty()) return groupKernels(ops, input.fuse);
    std::vector<std::vector<std::size_t>> kernels;
    for (const Kernel& kernel : input.program->kernels) {
        std::vector<std::size_t> members;
        for (const OpId id : kernel.ops) {
            if (ops[id.at()].modellable) members.push_back(id.at());
        }
        if (!members.empty()) kernels.push_back(std::move(members));
    }
    return kernels;
}

/// Name of the constants and where they come from, as far as that is said.
std::string describe(const Calibration& c) {
    std::string text = c.name.empty() ? std::string("unnamed") : c.name;
    std::string from;
    for (const std::string* part : {&c.provenance.source, &c.provenance.date, &c.provenance.hardware,
                                    &c.provenance.build, &c.provenance.method}) {
        if (!part->empty()) from += (from.empty() ? "" : "; ") + *part;
    }
    return from.empty() ? text : text + " (" + from + ")";
}

/// RMS in percent that the calibration states for a category; a file that states none has none to show.
std::optional<double> statedPercent(const Calibration& c, const std::string& category) {
    for (const auto& [name, percent] : c.errors) {
        if (name == category) return percent;
    }
    return std::nullopt;
}

}  // namespace

std::vector<ReportOp> reportOps(const Program& program, const Residency& inLx) {
    std::vector<ReportOp> ops(program.ops.size());
    static const Splits kUnsplit;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        ops[i].modellable = isModellable(program.ops[i]);
        if (!ops[i].modellable) continue;
        const Splits& splits = i < program.divisions.size() ? program.divisions[i].splits : kUnsplit;
        ops[i].loopGroup = program.ops[i].loop.groupId;
        ops[i].features = extractFeatures(program, program.ops[i], splits, inLx);
    }
    return ops;
}

std::string errorCategory(const std::vector<OpFeatures>& kernel, const Model& model) {
    bool multiply = false, batched = false, tiled = false, reduces = false, broadcast = false, moves = false;
    for (const OpFeatures& op : kernel) {
        multiply = multiply || op.isMatmul;
        tiled = tiled || op.tilesOutputDim;
        for (const ArgFeatures& a : op.args)
            batched = batched || (op.isMatmul && a.shape.size() >= 3);
        reduces = reduces || (op.isReduction && !op.isMatmul);
        const bool patterned = patternRate(op, model.constants).has_value();
        moves = moves || (patterned && !op.hbmPattern.empty());
        broadcast = broadcast || (patterned && op.hbmPattern.empty());
    }
    if (multiply && batched) return "batched multiply";
    if (multiply) return tiled ? "row-tiled multiply" : "split multiply";
    if (reduces && kernel.size() > 1) return "softmax";
    if (reduces) return "reduction";
    if (moves) return "transport";
    return broadcast ? "broadcast" : "pointwise";
}

CostEstimate estimate(const EstimateInput& input, const Calibration& calibration) {
    const Model& model = calibration.model;
    const std::vector<ReportOp> ops = reportOps(*input.program, input.inLx);
    const Report report = makeReport(ops, kernelsOf(input, ops), model);
    CostEstimate result;
    result.edition = model.edition == Edition::A ? "A" : "B";
    result.calibration = describe(calibration);
    result.calibrationSha256 = calibration.sha256;
    result.totalMicroseconds = report.totalMicroseconds;
    for (const KernelReport& k : report.kernels) {
        CostEstimate::Kernel& out = result.kernels.emplace_back();
        out.microseconds = k.microseconds;
        out.branch = branchName(k.price.branch);
        std::vector<OpFeatures> members;
        for (const std::size_t i : k.ops)
            members.push_back(ops[i].features);
        out.category = errorCategory(members, model);
        out.statedErrorPercent = statedPercent(calibration, out.category);
        addTerms(k.price, out);
        for (const OpShare& s : k.attribution) {
            out.shares.push_back(
                {input.program->ops[s.op].name, s.microseconds, s.hbmBytes, s.lxBytes, s.trip, s.rereadBytes});
        }
    }
    return result;
}

}  // namespace memplan::spyre::cost
