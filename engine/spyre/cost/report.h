// SPDX-License-Identifier: Apache-2.0
// Kernels, their prices and the attribution to operations (spyre-cost-and-co-optimisation 8). The graph's
// total is the sum over kernels; shares of operations are an attribution, no prediction.
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/cost/price.h"

#include <string>
#include <vector>

namespace memplan::spyre::cost {

/// An operation with what grouping needs beside its record.
struct ReportOp {
    OpFeatures features;
    bool modellable = true;      ///< computes on the device; others end a kernel
    std::vector<int> loopGroup;  ///< ids of the loop groups around it, outermost first
};

struct OpShare {
    std::string name;
    std::size_t op = 0;         ///< position in the report's input
    std::int64_t hbmBytes = 0;  ///< whole loop
    std::int64_t lxBytes = 0;   ///< one iteration
    std::int64_t trip = 1;
    std::int64_t hbmPerIteration = 0;
    std::int64_t rereadBytes = 0;
    double microseconds = 0;  ///< share of the kernel's price
};

struct KernelReport {
    std::vector<std::size_t> ops;  ///< positions in the report's input
    KernelPrice price;
    double microseconds = 0;
    std::int64_t loopTrip = 1;      ///< largest of its operations
    std::vector<int> loopGroupIds;  ///< distinct, in order of appearance
    std::vector<OpShare> attribution;
    std::string category;  ///< of the stated errors
};

struct Report {
    double totalMicroseconds = 0;
    std::vector<KernelReport> kernels;  ///< in run order
};

/// Maximal runs of modellable operations; single operations when `fuse` is off (8.1).
[[nodiscard]] std::vector<std::vector<std::size_t>> groupKernels(const std::vector<ReportOp>& ops, bool fuse);

/// Prices given kernels; after the first kernel that reads a graph input the others do not pay its
/// clone-in (8.3).
/// No operation is in two kernels.
[[nodiscard]] Report makeReport(std::vector<ReportOp> ops, const std::vector<std::vector<std::size_t>>& kernels,
                                const Model& model);

/// Category of the stated errors that a kernel belongs to (9.2).
[[nodiscard]] std::string errorCategory(const std::vector<OpFeatures>& kernel, const Model& model);

/// floor(us * 1 000 000 + 0.5): integer ticks, so that sums do not depend on their order (10). INT-001 for
/// negative or not finite values.
[[nodiscard]] Result<std::int64_t> toFixed(double microseconds);

}  // namespace memplan::spyre::cost
