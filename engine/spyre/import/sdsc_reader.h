// SPDX-License-Identifier: Apache-2.0
// Reads one sdsc_<n>.json back to an OpSpec-like record (spyre-coarse-tiling-and-bundle 13, 17.1).
#pragma once

#include "engine/base/result.h"
#include "engine/base/run_control.h"
#include "engine/json/limits.h"
#include "engine/plan/op_spec/op_spec.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::io {

/// The op with labels as symbols and reconstructed coordinates. Addresses are those of core 0, or symbol ids.
struct SdscRecord {
    bundle::OpSpec op;
    struct Tensor {
        bool symbolic = false;  ///< `starts` are symbol ids (below 0)
        bool inLx = false;
        std::vector<std::int64_t> starts;  ///< per core: byte address, or symbol id
    };
    std::vector<Tensor> tensors;  ///< parallel to op.args
};

/// Errors: BND-104 with a JSON pointer for broken JSON, missing keys and values of the wrong kind.
[[nodiscard]] Result<SdscRecord> readSdsc(std::string_view bytes, const Limits& limits, const RunControl& control);

}  // namespace memplan::io
