// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/price.h"

#include "engine/spyre/cost/edition_b.h"
#include "engine/spyre/cost/rates.h"

#include <algorithm>
#include <map>
#include <string>

namespace memplan::spyre::cost {
namespace {

double real(std::int64_t v) {
    return static_cast<double>(v);
}

bool hasMatmul(std::span<const OpFeatures> ops) {
    return std::any_of(ops.begin(), ops.end(), [](const OpFeatures& o) { return o.isMatmul; });
}

/// Both directions with the turnaround of the overlapped bytes.
double twoWay(double read, double write, const Constants& c) {
    return (read + write) / c.bwPeak + c.turnaroundPerByte * std::min(read, write);
}

double byPattern(std::span<const OpFeatures> ops, const Model& model) {
    double ns = 0;
    for (const OpFeatures& op : ops) {
        const KernelBytes b = opBytes(op, model.edition);
        double read = real(b.read);
        if (model.edition == Edition::B) read -= replicatedBytes(op);
        const auto rate = patternRate(op, model.constants);
        ns += rate ? (read + real(b.write)) / *rate : twoWay(read, real(b.write), model.constants);
    }
    return ns;
}

/// Steps 6.2 b, c, d on the kernel's reads and writes.
double plainMemory(std::span<const OpFeatures> ops, double read, double write, const Model& model, Branch& branch) {
    const Constants& c = model.constants;
    const bool patterned =
        std::any_of(ops.begin(), ops.end(), [&](const OpFeatures& o) { return patternRate(o, c).has_value(); });
    if (patterned) {
        branch = Branch::Pattern;
        return byPattern(ops, model);
    }
    const OpFeatures& first = ops.front();
    if (ops.size() == 1 && first.isReduction && !first.isMatmul && !first.tilesOutputDim) {
        branch = Branch::Reduction;
        return (read + write) / reductionRate(first, c);
    }
    branch = Branch::Base;
    return twoWay(read, write, c);
}

void addCompute(std::span<const OpFeatures> ops, const Constants& c, KernelPrice& p) {
    for (const OpFeatures& op : ops) {
        p.computeNs += matmulComputeNs(op, c);
        p.splitNs += matmulSplitNs(op, c);
    }
}

std::int64_t kernelRereads(std::span<const OpFeatures> ops) {
    std::int64_t bytes = 0;
    for (const OpFeatures& op : ops)
        bytes += rereadBytes(op);
    return bytes;
}

KernelPrice priceA(std::span<const OpFeatures> ops, const Model& model) {
    const Constants& c = model.constants;
    KernelPrice p;
    p.bytes = kernelBytes(ops, Edition::A);
    const double reread = real(kernelRereads(ops));
    const double write = real(p.bytes.write);
    addCompute(ops, c, p);
    if (hasMatmul(ops)) {
        for (const OpFeatures& op : ops)
            p.spillBytes += matmulSpillBytes(op, c);
        const double read = real(p.bytes.read) - reread;
        p.branch = Branch::Matmul;
        p.memNs =
            read / c.bwPeak + write / c.bwPeak + p.spillBytes / c.bwPeak + c.turnaroundPerByte * std::min(read, write);
    } else {
        p.memNs = plainMemory(ops, real(p.bytes.read), write, model, p.branch);
    }
    p.eff = kernelFill(ops, hasMatmul(ops), c);
    p.derate = largeTileDerate(ops, c);
    p.memTotalNs = c.fillNs + p.memNs / p.eff / p.derate + c.loopRereadScale * reread / c.bwPeak;
    p.totalNs = std::max(p.computeNs, p.memTotalNs) + p.splitNs;
    return p;
}

KernelPrice priceB(std::span<const OpFeatures> ops, const Model& model) {
    const Constants& c = model.constants;
    KernelPrice p;
    p.bytes = kernelBytes(ops, Edition::B);
    const double reread = real(kernelRereads(ops));
    const ReplicatedLoads replicated = replicatedLoads(ops, c);
    double read = real(p.bytes.read) - replicated.bytes;
    if (model.loopRereadOnce) read -= reread;
    p.replicatedNs = replicated.ns;
    p.memNs = plainMemory(ops, read, real(p.bytes.write), model, p.branch);
    p.memNs += indirectStoreNs(ops, c) + p.replicatedNs + sharedLoadNs(ops, c) + partitionedReadNs(ops, c);
    p.eff = kernelFill(ops, false, c);
    p.derate = largeTileDerate(ops, c);
    p.memTotalNs = c.fillNs + p.memNs / p.eff / p.derate + c.loopRereadScale * reread / c.bwPeak;
    addCompute(ops, c, p);
    p.fusedReductionNs = fusedReductionNs(ops, c);
    p.computeSideNs = p.computeNs + p.splitNs + p.fusedReductionNs.value_or(0);
    p.relayoutNs = relayoutCopiesNs(ops, c);
    p.cloneNs = cloneInNs(ops, c);
    p.transportNs = transportRequestsNs(ops, c);
    p.loopRepeatNs = loopCarryNs(ops, c);
    p.burstNs = readBurstNs(ops, c);
    const double overlapped = c.overlapGamma * std::min(p.computeSideNs, p.memTotalNs);
    p.totalNs = p.computeSideNs + p.memTotalNs - overlapped + p.relayoutNs + p.cloneNs + p.transportNs +
                p.loopRepeatNs + p.burstNs;
    return p;
}

}  // namespace

std::string_view branchName(Branch b) {
    switch (b) {
    case Branch::Matmul:
        return "matmul";
    case Branch::Pattern:
        return "pattern";
    case Branch::Reduction:
        return "reduction";
    case Branch::Base:
        break;
    }
    return "base";
}

KernelPrice priceKernel(std::span<const OpFeatures> ops, const Model& model) {
    if (ops.empty()) return {};
    return model.edition == Edition::A ? priceA(ops, model) : priceB(ops, model);
}

}  // namespace memplan::spyre::cost
