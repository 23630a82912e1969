// SPDX-License-Identifier: Apache-2.0
// What only a plan for TTNN has: target_data of its plan file (ttnn-optimizer 13, 15). Everything stands here that the
// validator needs to recompute a claimed figure: layouts, attributes, reservations.
#pragma once

#include "engine/plan/part_hashes.h"
#include "engine/plan/plan.h"
#include "engine/plan/target_data.h"
#include "engine/ttnn/machine/chains.h"
#include "engine/ttnn/machine/device.h"
#include "engine/ttnn/machine/op_config.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace memplan {

namespace ttnn {
struct Advice;  // ttnn/advice/advice.h
struct Module;  // ttnn/module/module.h
}  // namespace ttnn

/// What an inserted conversion is for; None: an operation of the input.
enum class TtnnConversion : std::uint8_t { None, Forced, Override, Proactive, SpillToDram, SpillToL1 };
/// "" for None, "forced", "override", "proactive", "spill", "to_l1_interleaved"
[[nodiscard]] std::string_view wordOf(TtnnConversion kind);
[[nodiscard]] std::optional<TtnnConversion> ttnnConversionOf(std::string_view word);

/// A tensor that an operation reads or writes, with the layout it has there.
struct TtnnTensor {
    BufferId buffer;
    ttnn::Layout layout;
    friend bool operator==(const TtnnTensor&, const TtnnTensor&) = default;
};

/// One operation of the schedule, parallel to Plan::ops. Bytes are those of one core.
struct TtnnOp {
    std::string name;                                             ///< with its dialect: "ttnn.matmul"
    std::vector<std::pair<std::string, std::string>> attributes;  ///< name and MLIR text of its properties
    std::vector<TtnnTensor> operands;                             ///< tensor operands in their order
    std::vector<TtnnTensor> results;                              ///< tensor results
    ttnn::OpAttrs config;
    TtnnConversion conversion = TtnnConversion::None;
    std::string status;   ///< of the last validation at its position: Success, NotImplemented, ...
    std::string message;  ///< of a refusal
    std::string boundBy;  ///< compute, dram, noc, launch
    Bytes cb = 0, tensorL1 = 0, residentInputs = 0;
    Bytes reserved = 0;  ///< reservations at its position, its own operands and result left out
    Bytes need = 0;      ///< cb, tensors, reserved and resident inputs: at most the limit
    double ns = 0;
    Bytes dramRead = 0, dramWritten = 0;  ///< whole tensors
    std::string locationText;             ///< of the operation in the source, MLIR text; may be empty
};

/// The figures of ttnn-optimizer 15.1.
struct TtnnGoals {
    Bytes residentBytes = 0, readBytes = 0;  ///< results in L1 at their last reader; results that some operation reads
    Bytes dramBytes = 0;                     ///< read and written
    std::int64_t shardedOps = 0, tensorOps = 0;
    std::int64_t forcedReshards = 0, overrideReshards = 0, proactiveReshards = 0;
    Bytes reshardBytes = 0;
    std::int64_t spills = 0;
    double coreUtilisation = 0;  ///< weighted by time, 0..1
    double meanCores = 0;
    std::int64_t coreUsageSum = 0;
    std::int64_t validatedOps = 0, unmodelledOps = 0;
    double estimatedNs = 0, conversionNs = 0;
    std::optional<double> lowerBoundNs;  ///< each operation with its best configuration, no conversions

    [[nodiscard]] double l1ResidencyShare() const {
        return readBytes > 0 ? static_cast<double>(residentBytes) / static_cast<double>(readBytes) : 0;
    }
    [[nodiscard]] double shardedShare() const {
        return tensorOps > 0 ? static_cast<double>(shardedOps) / static_cast<double>(tensorOps) : 0;
    }
    [[nodiscard]] std::int64_t reshards() const { return forcedReshards + overrideReshards + proactiveReshards; }
    friend bool operator==(const TtnnGoals&, const TtnnGoals&) = default;
};

struct TtnnData final : TargetData {
    std::string function;  ///< that was planned
    std::string policy;
    ttnn::Device device;
    double l1UsageCap = 0.95;  ///< share of L1 in force: of the settings or of the module
    std::vector<TtnnOp> ops;
    /// Operations are positions in Plan::ops. Paths and trace are of this compile: a plan file does not hold them.
    ttnn::ChainRecord record;
    std::vector<BufferId> layoutsAsGiven;  ///< whose layout in the source is not that of its shape (TT-023): kept
    bool hasChains = false;                ///< the policy builds chains
    TtnnGoals goals;
    std::string overrides;                       ///< option string of the forced layouts and conversions in force (8)
    PartHashes hashes;                           ///< of the finished plan; empty in a file that was written without
    std::shared_ptr<const ttnn::Module> module;  ///< optimised; null in a plan that was read from a file
    /// Findings with what may be tried; null in a plan that was read from a file, whose diagnostics say the same in
    /// words, and where advice is off.
    std::shared_ptr<const ttnn::Advice> advice;

    [[nodiscard]] bool hasArtefacts() const override { return module != nullptr; }
};

/// Of a plan of another machine: empty.
[[nodiscard]] const TtnnData& ttnnData(const Plan& plan);

}  // namespace memplan
