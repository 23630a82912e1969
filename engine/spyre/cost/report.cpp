// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/report.h"

#include "engine/spyre/cost/rates.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace memplan::spyre::cost {
namespace {

void giveUpCharges(std::vector<OpFeatures>& kernel, std::set<std::string>& charged) {
    std::set<std::string> read;
    for (OpFeatures& op : kernel) {
        for (ArgFeatures& a : op.args) {
            if (!a.isInput() || !a.boundary()) continue;
            if (charged.contains(a.name)) {
                a.isBoundary = true;
                a.ownsBoundaryCharge = false;
            }
            read.insert(a.name);
        }
    }
    charged.merge(read);
}

void attribute(const std::vector<OpFeatures>& kernel, Edition edition, KernelReport& report) {
    std::int64_t sum = 0;
    report.attribution.reserve(kernel.size());
    for (std::size_t i = 0; i < kernel.size(); ++i) {
        OpShare share;
        const KernelBytes bytes = opBytes(kernel[i], edition);
        share.name = kernel[i].name;
        share.op = report.ops[i];
        share.hbmBytes = bytes.read + bytes.write;
        share.lxBytes = lxBytes(kernel[i]);
        share.trip = std::max<std::int64_t>(1, kernel[i].loopTrip);
        share.hbmPerIteration = share.hbmBytes / share.trip;
        share.rereadBytes = rereadBytes(kernel[i]);
        sum += share.hbmBytes;
        report.attribution.push_back(std::move(share));
    }
    for (OpShare& share : report.attribution) {
        const double part = sum > 0 ? static_cast<double>(share.hbmBytes) / static_cast<double>(sum)
                                    : 1.0 / static_cast<double>(kernel.size());
        share.microseconds = report.microseconds * part;
    }
}

}  // namespace

std::vector<std::vector<std::size_t>> groupKernels(const std::vector<ReportOp>& ops, bool fuse) {
    std::vector<std::vector<std::size_t>> kernels;
    bool open = false;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (!ops[i].modellable) {
            open = false;
            continue;
        }
        if (!open || !fuse) kernels.emplace_back();
        kernels.back().push_back(i);
        open = true;
    }
    return kernels;
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

Report makeReport(std::vector<ReportOp> ops, const std::vector<std::vector<std::size_t>>& kernels, const Model& model) {
    Report report;
    std::set<std::string> charged;
    for (const std::vector<std::size_t>& members : kernels) {
        std::vector<OpFeatures> kernel;
        kernel.reserve(members.size());
        KernelReport k;
        k.ops = members;
        for (const std::size_t i : members) {
            k.loopTrip = std::max(k.loopTrip, ops[i].features.loopTrip);
            kernel.push_back(std::move(ops[i].features));
            for (const int id : ops[i].loopGroup) {
                const bool known = std::find(k.loopGroupIds.begin(), k.loopGroupIds.end(), id) != k.loopGroupIds.end();
                if (!known) k.loopGroupIds.push_back(id);
            }
        }
        k.category = errorCategory(kernel, model);
        if (model.edition == Edition::B) giveUpCharges(kernel, charged);
        k.price = priceKernel(kernel, model);
        k.microseconds = k.price.totalNs / 1000;
        if (!std::isfinite(k.microseconds)) continue;
        attribute(kernel, model.edition, k);
        report.totalMicroseconds += k.microseconds;
        report.kernels.push_back(std::move(k));
    }
    return report;
}

Result<std::int64_t> toFixed(double microseconds) {
    if (!std::isfinite(microseconds) || microseconds < 0 || microseconds > 9e12) {
        return makeError("INT-001", "", "a price must be a finite number of microseconds that is not negative",
                         "please report this");
    }
    return static_cast<std::int64_t>(std::floor(microseconds * 1'000'000 + 0.5));
}

}  // namespace memplan::spyre::cost
