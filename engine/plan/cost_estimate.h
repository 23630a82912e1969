// SPDX-License-Identifier: Apache-2.0
// Run-time estimate of a plan for ranking plans of one graph, target_data.cost_estimate of a plan
// (cost-and-co-optimisation 8). Never a forecast: each kernel carries the stated error of its category.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan {

struct CostEstimate {
    /// Part of a kernel's price that one operation gets by its main-memory bytes; an attribution.
    struct Share {
        std::string op;
        double microseconds = 0;
        std::int64_t hbmBytes = 0;  ///< whole loop
        std::int64_t lxBytes = 0;   ///< one iteration
        std::int64_t trip = 1;
        std::int64_t rereadBytes = 0;
        friend bool operator==(const Share&, const Share&) = default;
    };
    struct Kernel {
        double microseconds = 0;
        std::string branch;    ///< matmul, pattern, reduction, base: which formula gave the memory time
        std::string category;  ///< of the stated error
        std::optional<double> statedErrorPercent;             ///< RMS, as published for edition A
        std::vector<std::pair<std::string, double>> termsNs;  ///< every term that is not zero
        std::vector<Share> shares;                            ///< in run order
        friend bool operator==(const Kernel&, const Kernel&) = default;
    };

    std::string edition;            ///< "A" or "B"
    std::string calibration;        ///< name of the constants
    std::string calibrationSha256;  ///< of the calibration file, empty for the built-in constants
    double totalMicroseconds = 0;   ///< sum over the kernels
    std::vector<Kernel> kernels;    ///< in run order
    friend bool operator==(const CostEstimate&, const CostEstimate&) = default;
};

}  // namespace memplan
