// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/rates.h"

#include <algorithm>
#include <cmath>

namespace memplan::spyre::cost {
namespace {

double real(std::int64_t v) {
    return static_cast<double>(v);
}

bool isHbmInput(const ArgFeatures& a) {
    return a.isInput() && a.inHbm();
}

bool isHbmOutput(const ArgFeatures& a) {
    return !a.isInput() && a.inHbm();
}

template <class Predicate> const ArgFeatures* firstArg(const OpFeatures& op, Predicate predicate) {
    const auto it = std::find_if(op.args.begin(), op.args.end(), predicate);
    return it == op.args.end() ? nullptr : &*it;
}

const ArgFeatures* outputOfRank2(const OpFeatures& op) {
    return firstArg(op, [](const ArgFeatures& a) { return isHbmOutput(a) && a.shape.size() >= 2; });
}

// ---- 4.1 ---------------------------------------------------------------------------------------------

bool isBroadcastOp(const OpFeatures& op) {
    if (op.isMatmul || op.isReduction) return false;
    const bool shared = firstArg(op, [](const ArgFeatures& a) { return isHbmInput(a) && a.broadcast; }) != nullptr;
    const bool own = firstArg(op, [](const ArgFeatures& a) { return isHbmInput(a) && !a.broadcast; }) != nullptr;
    return shared && own;
}

bool isRowVector(const ArgFeatures& a) {
    const std::size_t r = a.shape.size();
    return isHbmInput(a) && a.broadcast && r >= 2 && a.shape[r - 2] == 1 && a.shape[r - 1] > 1;
}

double broadcastRate(const OpFeatures& op, const Constants& c) {
    const ArgFeatures* out = outputOfRank2(op);
    if (out == nullptr) return c.bwBroadcast;
    const std::int64_t rows = out->shape[out->shape.size() - 2];
    const std::int64_t columns = out->shape.back();
    if (rows <= 0 || columns <= 0) return c.bwBroadcast;
    const BroadcastRates& rates = firstArg(op, isRowVector) != nullptr ? c.row : c.column;
    const double lr = std::log2(real(rows));
    const double lc = std::log2(real(columns));
    if (rows >= 1024) {
        const TallRate& t = rates.tall;
        return std::clamp(t.base + t.perLogColumns * lc + t.perLogRows * lr, t.low, t.high);
    }
    if (columns <= 4096) {
        const NarrowRate& t = rates.narrow;
        const double rate = t.base + t.perLogRows * lr + t.perLogRows2 * lr * lr + t.perLogColumns * lc;
        return std::clamp(rate, t.low, t.high);
    }
    const WideRate& t = rates.wide;
    const double d = lc - t.shift;
    const double rate = t.base + t.below * std::max(0.0, d - lr) + t.above * std::max(0.0, lr - d);
    return std::clamp(rate, t.low, t.high);
}

// ---- 4.2 ---------------------------------------------------------------------------------------------

double transportRate(const ArgFeatures* out, std::size_t rowsFromEnd, const TransportRate& t, const Constants& c) {
    if (out == nullptr || out->shape.size() < 2) return t.floor;
    const std::int64_t columns = out->shape.back();
    const std::int64_t rows = rowsFromEnd == 0 ? out->shape.front() : out->shape[out->shape.size() - rowsFromEnd];
    if (columns <= 0 || rows <= 0) return t.floor;
    const double rate = t.base - t.perLogSticks * std::log2(std::max(1.0, real(columns) / 64)) -
                        t.perLogRows * std::log2(std::max(2.0, real(rows)));
    return std::clamp(rate, t.floor, c.transportCap);
}

double transposeRate(const ArgFeatures& out, const Constants& c) {
    const double rate = transportRate(&out, 2, c.transposeOuter, c);
    const double m = real(out.shape.front());
    if (m >= c.transposeThinRows) return rate;
    return std::max(c.transposeThinFloor, rate - c.transposeThinSlope * std::log2(c.transposeThinRows / m));
}

std::optional<double> transportByShape(const OpFeatures& op, const Constants& c) {
    if (op.isMatmul || op.isReduction) return std::nullopt;
    const ArgFeatures* out = firstArg(op, [](const ArgFeatures& a) { return isHbmOutput(a) && !a.shape.empty(); });
    const ArgFeatures* in = firstArg(op, [](const ArgFeatures& a) { return isHbmInput(a) && !a.shape.empty(); });
    if (out == nullptr || in == nullptr) return std::nullopt;
    const auto& o = out->shape;
    const auto& i = in->shape;
    if (o.size() != 3) return std::nullopt;
    if (i.size() == 3 && o[0] == i[1] && o[1] == i[0] && o[2] == i[2] && o[0] > 1 && o[1] > 1) {
        return transposeRate(*out, c);
    }
    if (i.size() == 2 && o[1] >= 2 && o[0] == i[0] && o[2] == i[1]) return transportRate(out, 0, c.cat1, c);
    return std::nullopt;
}

// ---- 4.3 - 4.5 ---------------------------------------------------------------------------------------

double coreShare(std::int64_t cores, const std::vector<std::pair<std::int64_t, double>>& anchors) {
    if (anchors.empty()) return 1;
    if (cores <= anchors.front().first) return anchors.front().second;
    for (std::size_t i = 1; i < anchors.size(); ++i) {
        const auto& [high, share] = anchors[i];
        if (cores > high) continue;
        const auto& [low, lowShare] = anchors[i - 1];
        const double at =
            (std::log2(real(cores)) - std::log2(real(low))) / (std::log2(real(high)) - std::log2(real(low)));
        return lowShare + (share - lowShare) * at;
    }
    return anchors.back().second;
}

double widestRow(const OpFeatures& op) {
    std::int64_t width = 0;
    for (const ArgFeatures& a : op.args) {
        if (!a.shape.empty()) width = std::max(width, a.shape.back());
    }
    return real(width);
}

bool hasMatmul(std::span<const OpFeatures> ops) {
    return std::any_of(ops.begin(), ops.end(), [](const OpFeatures& o) { return o.isMatmul; });
}

}  // namespace

std::optional<double> patternRate(const OpFeatures& op, const Constants& c) {
    if (op.hbmPattern == "stick_scatter") return transportRate(outputOfRank2(op), 2, c.cat0, c);
    if (op.hbmPattern == "restickify") return c.bwRestickify;
    if (op.hbmPattern == "reduce_outer") return c.bwReduceOuter;
    if (isBroadcastOp(op)) return broadcastRate(op, c);
    return transportByShape(op, c);
}

double reductionRate(const OpFeatures& op, const Constants& c) {
    const ArgFeatures* largest = nullptr;
    for (const ArgFeatures& a : op.args) {
        if (!isHbmInput(a) || a.shape.size() < 2) continue;
        if (largest == nullptr || a.elements > largest->elements) largest = &a;
    }
    const double rows = largest == nullptr ? 0 : real(largest->shape[largest->shape.size() - 2]);
    const double rate = std::min(c.redCap, c.redFloor + c.redAmp * std::exp(-rows / c.redScaleRows));
    return rate * coreShare(op.cores, c.reductionCores);
}

double tileFill(const OpFeatures& op, bool matmulCurve, const Constants& c) {
    const double h = op.tileRowsPerCore;
    if (matmulCurve) {
        const double h0 = c.coarseH0Matmul;
        const double at =
            std::min(c.coarseCapMatmul, std::pow(std::max(h, h0) / c.coarseRowsFullMatmul, c.coarseExpMatmul));
        return h >= h0 ? at : at * std::pow(h / h0, c.coarseGamma);
    }
    const double width = widestRow(op);
    if (h <= 0 || width <= 0) return 1;
    const double raw = std::pow(h / c.coarseRowsFull, c.coarseExp) * std::pow(width / c.coarseColRef, c.coarseColExp);
    if (raw >= c.coarseEff0) return std::min(c.coarseCap, raw);
    return c.coarseEff0 * std::pow(raw / c.coarseEff0, c.coarseGamma);
}

double kernelFill(std::span<const OpFeatures> ops, bool matmulCurve, const Constants& c) {
    double fill = 1;
    for (const OpFeatures& op : ops) {
        if (op.loopTrip <= 1 || !op.tilesOutputDim || op.tileRowsPerCore <= 0) continue;
        fill = std::min(fill, tileFill(op, matmulCurve, c));
    }
    return fill;
}

double largeTileDerate(std::span<const OpFeatures> ops, const Constants& c) {
    double workingSet = 0;
    for (const OpFeatures& op : ops) {
        if (!op.tilesOutputDim || op.tileRowsPerCore <= 0) continue;
        workingSet = std::max(workingSet, 2 * op.tileRowsPerCore * widestRow(op) * real(op.dtypeBytes));
    }
    const bool matmul = hasMatmul(ops);
    const double cap = matmul ? c.mmSpillWsCap : c.lxSpillCap;
    return workingSet <= cap ? 1 : std::pow(cap / workingSet, matmul ? c.mmSpillWsExp : c.lxSpillExp);
}

namespace {

/// MAC/ns/core by how the operands are batched (5).
double matmulPeak(const OpFeatures& op, const Constants& c) {
    std::vector<const ArgFeatures*> batched;
    for (const ArgFeatures& a : op.args) {
        if (a.isInput() && a.shape.size() == 3 && a.shape[0] >= 2) batched.push_back(&a);
    }
    if (batched.empty()) return c.macPeak;
    const double batch = real(batched.front()->shape[0]);
    if (batched.size() == 1) return batch <= c.bmm3d2dKnee ? c.bmm3d2dLow : c.bmm3d2dHigh;
    const auto batchOutsideStick = [](const ArgFeatures* a) {
        return a->deviceDims.size() >= 2 && a->deviceDims[a->deviceDims.size() - 2] == a->shape[0];
    };
    const bool defaultOrder = batchOutsideStick(batched[0]) && batchOutsideStick(batched[1]);
    const bool slow = batch >= c.bmmDefaultMinBatch && real(op.cores) >= c.bmmDefaultMinCores && defaultOrder;
    return slow ? c.bmmDefaultMacPeak : c.macPeak;
}

}  // namespace

double matmulComputeNs(const OpFeatures& op, const Constants& c) {
    if (!op.isMatmul) return 0;
    const double full = c.underfillPassRows * c.underfillTargetPasses;
    const bool filled = op.tilesOutputDim || op.matmulRowsPerCore <= 0;
    const double fill = filled ? 1 : std::min(1.0, std::pow(op.matmulRowsPerCore / full, c.underfillExponent));
    return real(op.matmulMacs) / real(op.cores) / (matmulPeak(op, c) * fill);
}

double matmulSplitNs(const OpFeatures& op, const Constants& c) {
    if (!op.isMatmul) return 0;
    const double m = real(op.matmulMSplit);
    const double n = real(op.matmulNSplit);
    const bool rowsLonger = op.matmulRowsPerCore * m >= op.matmulColsPerCore * n;
    const double longer = rowsLonger ? m : n;
    const double shorter = rowsLonger ? n : m;
    const double over = std::max(0.0, op.matmulRowsPerCore * op.matmulColsPerCore - c.splitArea0);
    if (over <= 0) return 0;
    return 1000 * over *
           (c.splitRereadUs * std::max(0.0, std::log2(longer / c.splitLongKnee)) +
            c.splitShortUs * std::max(0.0, std::log2(shorter / c.splitShortKnee)));
}

double matmulSpillBytes(const OpFeatures& op, const Constants& c) {
    if (!op.isMatmul) return 0;
    const double area = op.matmulRowsPerCore * op.matmulColsPerCore;
    const double fraction = std::min(c.spillCap, c.spillSlope * std::log2(std::max(1.0, area / c.spillArea0)));
    return fraction * real(op.matmulABytes + op.matmulBBytes);
}

double relayoutNs(double payload, double runBytes, std::int64_t split, const Constants& c) {
    if (payload <= 0 || runBytes <= 0) return 0;
    const double s = real(std::clamp<std::int64_t>(split, 2, 8));
    return payload / runBytes * (c.relayoutA + c.relayoutB * std::log2(s)) + payload * s / c.relayoutSpan;
}

}  // namespace memplan::spyre::cost
