// SPDX-License-Identifier: Apache-2.0
// An operation of a plan as the validator sees it: tensors with shapes and layouts, and its attributes read from their
// text.
#pragma once

#include "engine/plan/ttnn_data.h"
#include "engine/verify/ttnn/layouts.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace memplan::verify::ttnn {

struct Tensor {
    ShapeSpan shape;
    const Layout& layout;

    /// From the back: 0 is the last dimension; 1 beyond the rank.
    [[nodiscard]] std::int64_t extent(std::size_t fromBack) const {
        return fromBack < shape.size() ? shape[shape.size() - 1 - fromBack] : 1;
    }
    [[nodiscard]] Bytes bytesOnCore() const { return layout.isInL1() ? layout.shardBytes() : 0; }
    [[nodiscard]] std::int64_t cores() const { return layout.grid.volume(); }
};

/// Its name without the dialect: "conv2d".
[[nodiscard]] std::string_view kindOf(const TtnnOp& op);
[[nodiscard]] bool isConvolution(const TtnnOp& op);

/// Configurations of a convolution for each of its layouts where the module states no block height of activations
/// (3.4): automatic, 64, 32.
constexpr std::int64_t kConvolutionConfigs = 3;

/// As the plan says: of what the model does not know only the tensors count.
[[nodiscard]] inline bool isModelled(const TtnnOp& op) {
    return op.status != "NotImplemented";
}

struct OpFacts {
    const TtnnOp& op;
    std::vector<Tensor> in, out;
    const Device& device;

    OpFacts(const Plan& plan, const TtnnOp& facts, const Device& machine);

    [[nodiscard]] std::string_view kind() const { return kindOf(op); }
    [[nodiscard]] const std::string* attribute(std::string_view name) const;
    [[nodiscard]] bool flag(std::string_view name) const;
    [[nodiscard]] std::int64_t integer(std::string_view name, std::int64_t otherwise) const;
    /// `array<i32: 1, 2>`, `[1 : i32, 2 : i32]` or one number; empty without.
    [[nodiscard]] std::vector<std::int64_t> integers(std::string_view name) const;
    /// A number for rows and columns, or one for both.
    [[nodiscard]] std::array<std::int64_t, 2> pair(std::string_view name, std::int64_t otherwise) const;
};

}  // namespace memplan::verify::ttnn
