// SPDX-License-Identifier: Apache-2.0
// Resource limits of every importer (inputs-and-interchange 7); each is a setting limits.*.
#pragma once

#include <cstdint>

namespace memplan {
class Settings;
}

namespace memplan::io {

struct Limits {
    std::int64_t jsonBytes = 67'108'864;
    std::int64_t onnxBytes = 2'147'483'647;
    std::int64_t textBytes = 67'108'864;
    std::int64_t csvBytes = 268'435'456;
    std::int64_t csvRows = 1'000'000;
    std::int64_t nesting = 64;
    std::int64_t graphTensors = 200'000;
    std::int64_t graphOps = 100'000;
    std::int64_t nodes = 200'000;
    std::int64_t values = 1'000'000;
    std::int64_t nodeAttributes = 256;
    std::int64_t nodeOperands = 4'096;
    std::int64_t foldedElements = 4'096;
    std::int64_t foldedBytes = 67'108'864;
    std::int64_t importMemoryBytes = 1'073'741'824;
    double idleSeconds = 30, importSeconds = 300;
    std::int64_t nameBytes = 1'024;
    std::int64_t spliceDepth = 16;
    int rank = 8;
    std::int64_t tensorElements = std::int64_t{1} << 48;
    std::int64_t tensorBytes = std::int64_t{1} << 50;

    [[nodiscard]] static Limits from(const Settings& settings);
};

}  // namespace memplan::io
