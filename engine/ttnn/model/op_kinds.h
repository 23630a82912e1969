// SPDX-License-Identifier: Apache-2.0
// The kinds of operations that the model knows, by family (ttnn-optimizer 9.4).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace memplan::ttnn::model {

enum class Family : std::uint8_t {
    Eltwise,
    Matmul,
    Conv,
    Softmax,
    Norm,
    Reduction,
    Reshape,
    Permute,
    Concat,
    Conversion,
    Rotary,
    Creation,
    Movement,    ///< interleaved in and out, a buffer of its own size
    Other,       ///< interleaved in and out, two tiles for each tensor
    Nothing,     ///< no kernel runs
    Unmodelled,  ///< collectives, traces, generic kernels
};

/// Buffers of Family::Movement.
enum class Buffers : std::uint8_t { PerTensor, Slice, Pad, Lookup, Repeat };

struct OpKind {
    std::string_view word;
    Family family = Family::Unmodelled;
    int minOperands = 0;            ///< tensors that it reads at least
    bool takesRowMajor = false;     ///< of Eltwise
    bool isTranscendental = false;  ///< 9.5
    bool needsExtraTiles = false;   ///< logical operations
    bool keepsCores = false;        ///< core-shrink rule (6.1)
    bool isTransposed = false;      ///< convolution
    Buffers buffers = Buffers::PerTensor;
    int pageOperand = 0;   ///< whose page layout the result has
    int userOperand = -1;  ///< of Other: read from L1, height sharded with a core for each user; -1: none is
};

/// Of a tensor of positions, users, heads and channels: its third dimension from the back.
[[nodiscard]] std::int64_t usersOf(std::span<const std::int64_t> shape);

/// By the name without dialect ("relu"); null for one that is no operation of TTNN.
[[nodiscard]] const OpKind* opKind(std::string_view word);
/// All of them, sorted.
[[nodiscard]] std::vector<std::string_view> opKindWords();

}  // namespace memplan::ttnn::model
