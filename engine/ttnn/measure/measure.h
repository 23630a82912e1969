// SPDX-License-Identifier: Apache-2.0
// What a transformed function costs and whether it may run: every operation asked again at its own position with all
// that lives in L1 then (ttnn-optimizer 9.5, 12.5, 15.1). Nothing is remembered from the policy that made it.
#pragma once

#include "engine/ttnn/measure/residency.h"
#include "engine/ttnn/model/op_model.h"
#include "engine/ttnn/solution/transformed.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace memplan::ttnn {

/// One operation with a tensor result, at its position. Bytes of one core.
struct OpMeasure {
    OperationId op;
    std::size_t position = 0;
    std::optional<ConversionKind> conversion;  ///< for one that was inserted, or changed in place
    ValidationStatus status = ValidationStatus::Success;
    std::string message;   ///< of a refusal
    Bytes need = 0;        ///< peak + additional + operands in L1
    Bytes additional = 0;  ///< of tensors that are neither its operands nor its result
    Bytes cb = 0, tensorL1 = 0, residentInputs = 0;
    Runtime runtime;
};

struct Measures {
    std::vector<OpMeasure> ops;  ///< in the order of the function
    L1Residency residency;
    /// By position of the function: the need of its operation. A view needs nothing, but what it shows is there; so is
    /// all that lives across an operation that is not asked.
    std::vector<Bytes> occupied;

    double opNs = 0, conversionNs = 0;  ///< sums of 12.5
    [[nodiscard]] double totalNs() const { return opNs + conversionNs; }

    std::int64_t tensorOps = 0;              ///< operations of the input with a tensor result
    std::int64_t shardedOps = 0, l1Ops = 0;  ///< of them with a result in sharded, in interleaved L1
    std::int64_t validatedOps = 0, unmodelledOps = 0, refusedOps = 0;  ///< of the input, at their positions
    std::int64_t spills = 0, toL1 = 0;                                 ///< inserted conversions
    std::int64_t forced = 0, overridden = 0, proactive = 0;            ///< reshards
    [[nodiscard]] std::int64_t reshards() const { return forced + overridden + proactive; }
    Bytes reshardBytes = 0, spillBytes = 0;      ///< whole tensors that they move
    Bytes dramRead = 0, dramWritten = 0;         ///< whole tensors
    Bytes readResultBytes = 0, l1ReadBytes = 0;  ///< results that some operation reads; whose last reader has L1
    [[nodiscard]] double l1ResidencyShare() const;
    [[nodiscard]] double shardedShare() const;
    double coreUtilisation = 0;  ///< sum(t_op * cores) / (sum(t_op) * worker cores)
    double meanCores = 0;        ///< over the operations of the input
    std::int64_t coreUsageSum = 0;
    Bytes peakL1 = 0;  ///< largest need of one core
    Bytes limit = 0;
};

/// Its encoding; of a tensor whose encoding is none that is known, that in which it comes from the host: interleaved,
/// in DRAM.
[[nodiscard]] Layout layoutOf(const Type& type, const Device& device);

[[nodiscard]] Measures measure(const Transformed& transformed, OpModel& model);

/// Positions in `Measures::ops` of what may not run so: refused, out of memory, or unmodelled while something is in L1.
[[nodiscard]] std::vector<std::size_t> violations(const Measures& measures);

}  // namespace memplan::ttnn
