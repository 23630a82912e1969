// SPDX-License-Identifier: Apache-2.0
// How far the address of a tensor moves with each loop (spyre-coarse-tiling-and-bundle 8.3, 10).
#pragma once

#include "engine/base/diagnostic.h"
#include "engine/base/result.h"
#include "engine/plan/op_spec/op_spec.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace memplan::bundle {

enum class StrideModel { HostStrideMap, DeviceRowMajor };
[[nodiscard]] std::string_view strideModelName(StrideModel m);  ///< "host_stride_map"
[[nodiscard]] std::optional<StrideModel> strideModelNamed(std::string_view name);

/// Movement of every device coordinate when `symbol` goes from 0 to `extent`, all others 0.
[[nodiscard]] Result<std::vector<std::int64_t>> coordinateDeltas(const TensorArg& arg, std::string_view symbol,
                                                                 std::int64_t extent);

/// Bytes that the address advances when `symbol` goes on by one tile of `extent` elements (10). The flag
/// per_tile_fixed is the caller's business. Errors: BND-105 for coordinates without a value, sizes that do
/// not fit each other or 64 bits.
[[nodiscard]] Result<std::int64_t> byteStride(const TensorArg& arg, std::string_view symbol, std::int64_t extent,
                                              StrideModel model);

/// Symbols that each enclosing loop tiles in one op, outermost first (8.3 reading rule).
using LevelSymbols = std::vector<std::vector<std::string>>;

/// `loops` are the enclosing loops, outermost first. Adds CT-022 to `notes` where the levels are ambiguous.
[[nodiscard]] LevelSymbols levelSymbols(const OpSpec& op, const std::vector<const SpecNode*>& loops,
                                        Diagnostics& notes);

/// Advance of one arg: the loops (0 = outermost) in which it moves and by how many bytes.
using ArgStrides = std::vector<std::pair<int, std::int64_t>>;

[[nodiscard]] Result<ArgStrides> argStrides(const OpSpec& op, const TensorArg& arg, const LevelSymbols& levels,
                                            StrideModel model);

/// Calls visit(op, its enclosing loops) for every op of the tree in file order; stops at the first error.
template <class Visit>
Result<void> forEachOp(const SpecTree& tree, Visit&& visit, std::vector<const SpecNode*>* open = nullptr) {
    std::vector<const SpecNode*> own;
    std::vector<const SpecNode*>& loops = open != nullptr ? *open : own;
    for (const SpecNode& node : tree) {
        if (node.kind == SpecKind::Op) {
            if (Result<void> r = visit(node.op, loops); !r) return r;
        }
        if (node.kind != SpecKind::Loop) continue;
        loops.push_back(&node);
        Result<void> r = forEachOp(node.body, visit, &loops);
        loops.pop_back();
        if (!r) return r;
    }
    return {};
}

/// True when the two models give some advancing tensor of the tree different strides (the warning badge of
/// 10, CT-023); the first such tensor is named as "op add, argument 0, c0: 4194304 or 65536 bytes".
[[nodiscard]] Result<std::string> modelDisagreement(const SpecTree& tree);

}  // namespace memplan::bundle
