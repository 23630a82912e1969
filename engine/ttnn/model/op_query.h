// SPDX-License-Identifier: Apache-2.0
// What the operation model is asked and what it answers (ttnn-optimizer 9.1, 9.5).
#pragma once

#include "engine/ttnn/machine/op_config.h"
#include "engine/ttnn/module/module.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::ttnn {

enum class ValidationStatus : std::uint8_t {
    Success,
    NotImplemented,
    MetalBackendError,
    UnmatchedReferenceConfig,
    OutOfMemoryError
};
[[nodiscard]] std::string_view wordOf(ValidationStatus status);
/// Of a refusal (codes.md 6): "TT-030" to "TT-033".
[[nodiscard]] std::string_view codeOf(ValidationStatus status);

/// Bytes of one core (9.1).
struct Constraints {
    Bytes cbPeak = 0;             ///< circular buffers
    Bytes tensorPeak = 0;         ///< allocated by the operation itself, mainly its output
    Bytes peak = 0;               ///< worst moment
    Bytes residentInputs = 0;     ///< operands in L1 that its output does not alias, each once (9.2)
    Bytes outputL1 = 0;           ///< of its first result
    bool aliasesInput = false;    ///< the output is a view of operand 0
    std::vector<Layout> outputs;  ///< actual layouts of its results
};

struct Validation {
    ValidationStatus status = ValidationStatus::Success;
    std::string message;  ///< of a refusal: what and why, with numbers
    Constraints constraints;
    Bytes need = 0;   ///< peak + additional + residentInputs
    Bytes limit = 0;  ///< (1.1)
    [[nodiscard]] bool ok() const { return status == ValidationStatus::Success; }
};

/// An operation with candidate layouts. `inputs` are those of its tensor operands, in operand order.
struct OpQuery {
    const Function& function;
    const Operation& operation;
    std::span<const Layout> inputs;
    const OpConfig&
        config;            ///< no output: the model decides; `ignorePhysicalLayout`: buffer and memory layout are given
    Bytes additional = 0;  ///< bytes of one core that others hold meanwhile
    /// Of the bytes in `additional`: tensors that are operands of this operation too (6.1): counted once.
    Bytes additionalOperands = 0;
};

enum class BoundBy : std::uint8_t { Compute, Dram, Noc, Launch };
[[nodiscard]] std::string_view wordOf(BoundBy bound);

struct Runtime {
    /// `ns` is launch plus the longest of the others; all 0 for an operation that runs no kernel (a view).
    double ns = 0, computeNs = 0, dramNs = 0, nocNs = 0, launchNs = 0;
    BoundBy boundBy = BoundBy::Launch;
    std::int64_t cores = 0;               ///< that the operation uses
    Bytes dramRead = 0, dramWritten = 0;  ///< whole tensors
};

}  // namespace memplan::ttnn
