// SPDX-License-Identifier: Apache-2.0
// What an importer is given about free dimensions, and what it reports about the model (inputs-and-interchange 3).
#pragma once

#include "engine/json/limits.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace memplan::io {

/// --bind options: SYM=N, INPUT:AXIS=N, INPUT=VALUE, NODE=then|else (3.3, 3.4).
struct Bindings {
    std::vector<std::pair<std::string, std::int64_t>> dims;    ///< symbol or input:axis -> extent
    std::vector<std::pair<std::string, std::int64_t>> values;  ///< integer scalar input -> value
    std::vector<std::pair<std::string, bool>> branches;        ///< If node -> take then
    /// Free form pairs as typed on the command line; sorted into the three by the importer.
    std::vector<std::pair<std::string, std::string>> raw;
};

struct ImportReport {
    std::int64_t nodesRead = 0, folded = 0, decomposed = 0, fallbacks = 0;
    std::int64_t parameterBytes = 0, largestActivationBytes = 0;
    std::string largestActivation;
    std::vector<std::string> fallbackOps;
    std::vector<std::pair<std::string, std::int64_t>> boundDims;
};

struct OpenOptions {
    Bindings bindings;
    Limits limits;
    /// Unbound dims take the suggestions of 3.3 instead of ONNX-050 (samples, the window's first try).
    bool bindWithSuggestions = false;
    /// OpenedInput::input of a plan file has its SHA-256: seconds for a large one, and only reports name it.
    bool hashesPlans = true;
};

}  // namespace memplan::io
