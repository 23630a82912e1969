// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/estimate/estimate.h"

#include "engine/base/parallel.h"

#include <algorithm>
#include <utility>

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

constexpr std::size_t kOpsOfAThread = 1024;

ReportOp reportOp(const Program& program, std::size_t i, const Residency& inLx) {
    static const Splits kUnsplit;
    ReportOp op;
    op.modellable = isModellable(program.ops[i]);
    if (!op.modellable) return op;
    op.loopGroup = program.ops[i].loop.groupId;
    op.features = extractFeatures(program, program.ops[i],
                                  i < program.divisions.size() ? program.divisions[i].splits : kUnsplit, inLx);
    return op;
}

}  // namespace

std::vector<ReportOp> reportOps(const Program& program, const Residency& inLx, unsigned threads) {
    std::vector<ReportOp> ops(program.ops.size());
    parallelRanges(ops.size(), kOpsOfAThread, threads, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            ops[i] = reportOp(program, i, inLx);
    });
    return ops;
}

CostEstimate estimate(const EstimateInput& input, const Calibration& calibration) {
    const Model& model = calibration.model;
    std::vector<ReportOp> ops = reportOps(*input.program, input.inLx, input.threads);
    const auto kernels = kernelsOf(input, ops);
    Report report = makeReport(std::move(ops), kernels, model);
    CostEstimate result;
    result.edition = model.edition == Edition::A ? "A" : "B";
    result.calibration = describe(calibration);
    result.calibrationSha256 = calibration.sha256;
    result.totalMicroseconds = report.totalMicroseconds;
    result.kernels.reserve(report.kernels.size());
    for (KernelReport& k : report.kernels) {
        CostEstimate::Kernel& out = result.kernels.emplace_back();
        out.microseconds = k.microseconds;
        out.branch = branchName(k.price.branch);
        out.category = std::move(k.category);
        out.statedErrorPercent = statedPercent(calibration, out.category);
        addTerms(k.price, out);
        out.shares.reserve(k.attribution.size());
        for (const OpShare& s : k.attribution) {
            out.shares.push_back(
                {input.program->ops[s.op].name, s.microseconds, s.hbmBytes, s.lxBytes, s.trip, s.rereadBytes});
        }
    }
    return result;
}

}  // namespace memplan::spyre::cost
