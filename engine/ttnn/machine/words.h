// SPDX-License-Identifier: Apache-2.0
// The words of tensor layouts: data types, buffers, memory layouts and page layouts (ttnn-optimizer 1.2).
#pragma once

#include "engine/base/ids.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace memplan::ttnn {

/// Scalar types in the order of ttnn-optimizer 1.2; `Bool` is `i1`.
enum class DataType : std::uint8_t {
    F32,
    F16,
    BF16,
    BfpF8,
    BfpBf8,
    BfpF4,
    BfpBf4,
    BfpF2,
    BfpBf2,
    U32,
    U16,
    U8,
    Si32,
    Bool
};
/// Where a tensor lives. `L1Small` and `Trace` are read and written, never chosen.
enum class BufferType : std::uint8_t { Dram, L1, SystemMemory, L1Small, Trace };
/// How a tensor is dealt out over cores or banks. The numbers are the original's: their order is that of test
/// configurations (5.2). `NdSharded` is opaque.
enum class MemLayout : std::uint8_t {
    Interleaved = 0,
    HeightSharded = 2,
    WidthSharded = 3,
    BlockSharded = 4,
    NdSharded = 5
};
enum class PageLayout : std::uint8_t { RowMajor, Tile };

// The words of override strings, hints, plan files and layout attributes: "bfp_bf8", "l1", "height_sharded", "tile".
[[nodiscard]] std::string_view wordOf(DataType type);
[[nodiscard]] std::string_view wordOf(BufferType type);
[[nodiscard]] std::string_view wordOf(MemLayout layout);
[[nodiscard]] std::string_view wordOf(PageLayout layout);
[[nodiscard]] std::optional<DataType> dataTypeOf(std::string_view word);
[[nodiscard]] std::optional<BufferType> bufferTypeOf(std::string_view word);
[[nodiscard]] std::optional<MemLayout> memLayoutOf(std::string_view word);
[[nodiscard]] std::optional<PageLayout> pageLayoutOf(std::string_view word);

/// Exists in tiles only: the elements of a row share exponents.
[[nodiscard]] bool isBlockFloat(DataType type);
/// Bytes of one tile of 32 x 32 elements; block floats carry one exponent for 16 elements.
[[nodiscard]] Bytes tileBytes(DataType type);
/// Bytes of one element; for block floats, which exist only in tiles, of the whole tile divided by 1024, rounded up.
[[nodiscard]] Bytes elementBytes(DataType type);

}  // namespace memplan::ttnn
