// SPDX-License-Identifier: Apache-2.0
// A kernel as a bundle: bundle.mlir and one sdsc_<n>.json per op (spyre-coarse-tiling-and-bundle 12, 13).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/spyre/bundle/sdsc/sdsc_op.h"
#include "engine/spyre/bundle/strides.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::bundle {

/// How HBM addresses stand in the files (12.2).
enum class AddressMode { Baked, PerTensorConstants, PerCoreConstants, PerCoreInputArgs };
[[nodiscard]] std::string_view addressModeName(AddressMode m);
[[nodiscard]] std::optional<AddressMode> addressModeNamed(std::string_view name);

struct BundleOptions {
    StrideModel strideModel = StrideModel::DeviceRowMajor;
    AddressMode addressMode = AddressMode::PerTensorConstants;
    SdscOptions sdsc;
};

/// The files of one kernel, in the order in which they are to be written.
struct BundleFiles {
    std::string mlir;                                             ///< bundle.mlir
    std::vector<std::pair<std::string, std::string>> operations;  ///< sdsc_<n>.json and its text
};

/// Puts an UnimplementedOp in the place of every op with tensors whose accesses no SuperDSC file can express, with a
/// warning BND-105 at `where`: a file with other addresses would compute wrong values (13.2 step 3).
void replaceInexpressible(SpecTree& tree, const std::string& where, Diagnostics& notes);

/// Errors: CT-011 symbolic loop count, BND-105 and BND-107 as in the functions used. Ambiguous levels (CT-022)
/// are added to `notes`.
[[nodiscard]] Result<BundleFiles> bundleFiles(const SpecTree& tree, const BundleOptions& options, Diagnostics& notes);
/// bundle.mlir alone; ops without tensors (test stubs) are allowed.
[[nodiscard]] Result<std::string> bundleMlir(const SpecTree& tree, const BundleOptions& options, Diagnostics& notes);

/// Symbols of one op as 12.3 registers them after `before` earlier ones: new values, and the id of every arg
/// on every core.
struct OpSymbols {
    std::vector<std::int64_t> values;
    std::vector<std::vector<std::int64_t>> ids;  ///< [arg][core], empty for an arg in LX
};
[[nodiscard]] Result<OpSymbols> registerSymbols(const OpSpec& spec, const SdscOp& op, AddressMode mode,
                                                std::size_t before);

}  // namespace memplan::bundle
