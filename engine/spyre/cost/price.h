// SPDX-License-Identifier: Apache-2.0
// Price of one kernel in nanoseconds with all its terms, editions A and B of the estimate
// (spyre-cost-and-co-optimisation 3, 6, 7). A ranking aid, never a forecast.
#pragma once

#include "engine/spyre/cost/constants.h"
#include "engine/spyre/cost/features.h"
#include "engine/spyre/cost/kernel_bytes.h"

#include <optional>
#include <span>
#include <string_view>

namespace memplan::spyre::cost {

struct Model {
    Edition edition = Edition::B;
    Constants constants;
    /// [ours] Edition B charges a loop-invariant multiply operand twice; true takes it out of the reads (21.2).
    bool loopRereadOnce = false;
};

/// Which formula gave the memory time (6.2).
enum class Branch { Matmul, Pattern, Reduction, Base };
[[nodiscard]] std::string_view branchName(Branch b);  ///< "matmul"

struct KernelPrice {
    double totalNs = 0;
    KernelBytes bytes;
    Branch branch = Branch::Base;
    double memNs = 0;       ///< before fill and derate: 6.2, for edition B with 7.3
    double eff = 1;         ///< fill of coarse tiles
    double derate = 1;      ///< large tiles
    double memTotalNs = 0;  ///< memory side
    double computeNs = 0;   ///< multiplies alone
    double splitNs = 0;     ///< split-shape terms
    double spillBytes = 0;  ///< edition A
    // Edition B.
    double computeSideNs = 0, replicatedNs = 0, relayoutNs = 0, cloneNs = 0;
    double loopRepeatNs = 0, transportNs = 0, burstNs = 0;
    std::optional<double> fusedReductionNs;
};

[[nodiscard]] KernelPrice priceKernel(std::span<const OpFeatures> ops, const Model& model);

}  // namespace memplan::spyre::cost
