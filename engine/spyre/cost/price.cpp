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

bool isExternal(const ArgFeatures& a, Edition edition) {
    if (!a.isInput()) return false;
    return edition == Edition::A ? a.name.starts_with("arg") : a.boundary();
}

/// Elements that move between the core and main memory for one argument (3).
std::int64_t countedElements(const ArgFeatures& a, Edition edition) {
    const std::int64_t base = a.elements * a.loopFactor;
    if (edition == Edition::A) return a.inHbm() ? base : 0;
    if (a.isInput()) return a.inHbm() ? base * (a.broadcast ? 1 : a.replication) : 0;
    if (a.inHbm()) return base * a.replication;
    return a.boundary() ? base : 0;  // the clone-out of a resident graph output still writes it
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

KernelBytes opBytes(const OpFeatures& op, Edition edition) {
    KernelBytes bytes;
    for (const ArgFeatures& a : op.args)
        (a.isInput() ? bytes.read : bytes.write) += countedElements(a, edition) * op.dtypeBytes;
    return bytes;
}

KernelBytes kernelBytes(std::span<const OpFeatures> ops, Edition edition) {
    KernelBytes bytes;
    std::map<std::string_view, std::int64_t> external;
    for (const OpFeatures& op : ops) {
        for (const ArgFeatures& a : op.args) {
            const std::int64_t moved = countedElements(a, edition) * op.dtypeBytes;
            if (!a.isInput()) {
                bytes.write += moved;
            } else if (isExternal(a, edition)) {
                std::int64_t& most = external[a.name];
                most = std::max(most, moved);
            } else {
                bytes.read += moved;
            }
        }
    }
    for (const auto& [name, moved] : external)
        bytes.read += moved;
    return bytes;
}

std::int64_t lxBytes(const OpFeatures& op) {
    std::int64_t bytes = 0;
    for (const ArgFeatures& a : op.args) {
        if (!a.inHbm()) bytes += a.elements * op.dtypeBytes;
    }
    return bytes;
}

std::int64_t rereadBytes(const OpFeatures& op) {
    if (!op.isMatmul || !op.tilesOutputDim) return 0;
    std::int64_t bytes = 0;
    for (const ArgFeatures& a : op.args) {
        if (a.isInput() && a.inHbm() && a.loopFactor > 1) bytes += a.elements * (a.loopFactor - 1) * op.dtypeBytes;
    }
    return bytes;
}

KernelPrice priceKernel(std::span<const OpFeatures> ops, const Model& model) {
    if (ops.empty()) return {};
    return model.edition == Edition::A ? priceA(ops, model) : priceB(ops, model);
}

}  // namespace memplan::spyre::cost
