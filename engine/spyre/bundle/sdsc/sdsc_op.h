// SPDX-License-Identifier: Apache-2.0
// From an OpSpec to the quantities of its SuperDSC file (spyre-coarse-tiling-and-bundle 13.2 to 13.4).
#pragma once

#include "engine/base/result.h"
#include "engine/plan/op_spec/op_spec.h"
#include "engine/spyre/bundle/sdsc/core_map.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::bundle {

/// What a file calls a dimension or a layout: one of a few words, which outlive everything here.
using SdscLabel = std::string_view;

/// Figures of one arg in one dimension.
struct SdscArgDim {
    SdscLabel label;
    std::int64_t scale = 1;         ///< 1, -1 reduced, -2 reduced along the stick
    std::int64_t extentStride = 0;  ///< elements spanned by the whole dimension
};

struct SdscArg {
    std::vector<SdscArgDim> dims;                             ///< layoutDimOrder_ of its allocate node
    std::int64_t offset = 0;                                  ///< elements, from constant terms of coordinates
    std::vector<std::pair<SdscLabel, std::int64_t>> backGap;  ///< elements, in layout order
    SdscLabel layout;                                         ///< label in SdscOp::layouts
    SdscLabel stick;                                          ///< stick dimension of that layout
    std::int64_t elemsPerStick = 64, bytes = 2;
    std::string_view dataFormat;  ///< name of a DeviceFormat

    /// Null for a dimension that the arg does not have.
    [[nodiscard]] const SdscArgDim* find(SdscLabel label) const;
};

struct SdscLayout {
    SdscLabel label;
    std::vector<SdscLabel> order;
    SdscLabel stick;  ///< empty = none
    std::int64_t stickSize = 64;
};

struct SdscDim {
    SdscLabel label;
    std::int64_t extent = 1;  ///< elements of the whole op, after padding
    std::int64_t split = 1;
};

struct SdscOp {
    std::string function;       ///< op, with "nonstick" for reductions outside the stick
    std::string unit;           ///< "pt" for matrix multiplies, else "sfp"
    std::vector<SdscDim> dims;  ///< iteration order
    std::vector<SdscArg> args;
    std::vector<SdscLayout> layouts;
    std::vector<std::pair<SdscLabel, std::int64_t>> mask;  ///< label -> padding
    double maskValue = 0;
    std::size_t inputs = 0;  ///< of the compute op: the first so many args
    CoreMap cores;           ///< [core][dim]

    [[nodiscard]] std::int64_t coreCount() const { return static_cast<std::int64_t>(cores.size()); }
    [[nodiscard]] const SdscDim* find(SdscLabel label) const;
};

struct SdscOptions {
    bool kFastEmission = true;  ///< setting spyre.k_fast
};

/// Errors: BND-105 for extents, coordinates or formats that have no SuperDSC form; BND-107 more than 4096 cores.
[[nodiscard]] Result<SdscOp> sdscOp(const OpSpec& spec, const SdscOptions& options);
/// The op as its file describes it: with loops in parts (loop_parts.h) where that alone has a form.
[[nodiscard]] OpSpec sdscForm(const OpSpec& spec);
/// The errors of sdscOp() for sdscForm(), without its result.
[[nodiscard]] Result<void> checkSdscForm(const OpSpec& spec);

/// Slices of a dimension of `op` in one arg, which may be divided otherwise than the op (work_division.h).
[[nodiscard]] std::int64_t slicesAlong(const SdscOp& op, const OpSpec& spec, std::size_t arg, const SdscDim& dim);

/// Start address of an arg on a core, bytes (13.4). `spec` is the op that `op` was made from.
[[nodiscard]] Result<std::int64_t> startAddress(const SdscOp& op, const OpSpec& spec, std::size_t arg,
                                                std::int64_t core);

}  // namespace memplan::bundle
