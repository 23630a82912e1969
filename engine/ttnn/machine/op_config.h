// SPDX-License-Identifier: Apache-2.0
// What the optimizer decides for one operation (ttnn-optimizer 1.5): its output layout and the attributes of its
// kernel.
#pragma once

#include "engine/ttnn/machine/layout.h"

#include <optional>
#include <string>
#include <variant>

namespace memplan::ttnn {

/// `#ttnn.conv2d_config`, in the order of 3.4; empty fields are left to the backend.
struct Conv2dConfig {
    std::optional<DataType> weightsDtype;
    std::optional<std::string> activation;
    std::optional<bool> deallocateActivation, reallocateHaloOutput;
    std::optional<std::int64_t> actBlockHOverride, actBlockWDiv;
    std::optional<bool> reshardIfNotOptimal, overrideShardingConfig;
    std::optional<MemLayout> shardLayout;
    std::optional<std::string> coreGrid;  ///< text of the attribute; read and kept
    std::optional<bool> transposeShards;
    std::optional<PageLayout> outputLayout;
    std::optional<bool> enableActDoubleBuffer, enableWeightsDoubleBuffer;
    std::string more;  ///< keys of a file that are not interpreted, their text
    friend bool operator==(const Conv2dConfig&, const Conv2dConfig&) = default;
};

struct Conv3dConfig {
    std::optional<DataType> weightsDtype;
    std::optional<std::int64_t> tOutBlock, wOutBlock, hOutBlock, cOutBlock, cInBlock;
    std::string more;
    friend bool operator==(const Conv3dConfig&, const Conv3dConfig&) = default;
};

/// `#ttnn.device_compute_kernel_config`.
struct ComputeConfig {
    std::optional<std::string> mathFidelity;  ///< lofi, hifi2, hifi3, hifi4
    std::optional<bool> mathApproxMode, fp32DestAccEn, packerL1Acc, dstFullSyncEn;
    friend bool operator==(const ComputeConfig&, const ComputeConfig&) = default;
};

/// Program of a matmul; the fields of both kinds (3.4). Blocks in tiles.
struct MatmulProgram {
    enum class Kind : std::uint8_t { Multicast2d, Multicast1d };
    Kind kind = Kind::Multicast2d;
    std::int32_t gridX = 1, gridY = 1;  ///< bounding box of the cores
    std::int64_t in0BlockW = 1, outSubblockH = 1, outSubblockW = 1, outBlockH = 1, outBlockW = 1;
    std::int64_t perCoreM = 1, perCoreN = 1;
    bool transposeMcast = false;  ///< of the 2-D kind
    bool mcastIn0 = false;        ///< of the 1-D kind
    bool fuseBatch = true;
    std::optional<std::string> fusedActivation;
    friend bool operator==(const MatmulProgram&, const MatmulProgram&) = default;
};

struct Conv2dAttrs {
    std::optional<Conv2dConfig> config;
    std::optional<ComputeConfig> compute;
    friend bool operator==(const Conv2dAttrs&, const Conv2dAttrs&) = default;
};
struct Conv3dAttrs {
    std::optional<Conv3dConfig> config;
    std::optional<ComputeConfig> compute;
    friend bool operator==(const Conv3dAttrs&, const Conv3dAttrs&) = default;
};
struct MatmulAttrs {
    std::optional<MatmulProgram> program;
    std::optional<ComputeConfig> compute;
    friend bool operator==(const MatmulAttrs&, const MatmulAttrs&) = default;
};
using OpAttrs = std::variant<std::monostate, Conv2dAttrs, Conv3dAttrs, MatmulAttrs>;

struct OpConfig {
    std::optional<Layout> output;  ///< none: the backend decides
    OpAttrs attrs;
    friend bool operator==(const OpConfig&, const OpConfig&) = default;
};

}  // namespace memplan::ttnn
