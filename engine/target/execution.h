// SPDX-License-Identifier: Apache-2.0
// What a plan compiles to, executed on sample inputs beside the program that the plan was made of.
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/pipeline/source.h"
#include "engine/plan/plan.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace memplan {

/// Bytes of a file of an export by its name; nullopt where there is none.
using ExportFiles = std::function<std::optional<std::string>(const std::string& name)>;

struct ExecutionRequest {
    std::size_t positions = 8;  ///< steps of the sample inputs
    std::uint64_t seed = 0;
};

struct Execution {
    std::vector<Diagnostic> findings;  ///< where both differ, the first divergence first
    std::string summary;               ///< what was compared, with the largest difference
    std::string whyNot;                ///< why nothing was executed; empty where it was
};

/// By code that shares nothing with the planner. Errors: a program that the plan or the export was not made of,
/// damaged files, CANCELLED.
class Executor {
public:
    virtual ~Executor() = default;

    /// Of a plan that the validator accepts.
    [[nodiscard]] virtual Result<Execution> execute(const Plan& plan, const Source& program,
                                                    const ExecutionRequest& request,
                                                    const RunControl& control) const = 0;
    /// Whether a folder with this manifest is an export that executeExport() takes.
    [[nodiscard]] virtual bool isExport(std::string_view manifest) const = 0;
    [[nodiscard]] virtual Result<Execution> executeExport(const ExportFiles& files, const Source& program,
                                                          const ExecutionRequest& request,
                                                          const RunControl& control) const = 0;
};

}  // namespace memplan
