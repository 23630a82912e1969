// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/machine/words.h"

#include "engine/base/word_table.h"

namespace memplan::ttnn {
namespace {

constexpr WordTable<DataType, 14> kDataTypes{{{DataType::F32, "f32"},
                                              {DataType::F16, "f16"},
                                              {DataType::BF16, "bf16"},
                                              {DataType::BfpF8, "bfp_f8"},
                                              {DataType::BfpBf8, "bfp_bf8"},
                                              {DataType::BfpF4, "bfp_f4"},
                                              {DataType::BfpBf4, "bfp_bf4"},
                                              {DataType::BfpF2, "bfp_f2"},
                                              {DataType::BfpBf2, "bfp_bf2"},
                                              {DataType::U32, "u32"},
                                              {DataType::U16, "u16"},
                                              {DataType::U8, "u8"},
                                              {DataType::Si32, "si32"},
                                              {DataType::Bool, "i1"}}};
constexpr WordTable<BufferType, 5> kBuffers{{{BufferType::Dram, "dram"},
                                             {BufferType::L1, "l1"},
                                             {BufferType::SystemMemory, "system_memory"},
                                             {BufferType::L1Small, "l1_small"},
                                             {BufferType::Trace, "trace"}}};
constexpr WordTable<MemLayout, 5> kMemLayouts{{{MemLayout::Interleaved, "interleaved"},
                                               {MemLayout::HeightSharded, "height_sharded"},
                                               {MemLayout::WidthSharded, "width_sharded"},
                                               {MemLayout::BlockSharded, "block_sharded"},
                                               {MemLayout::NdSharded, "nd_sharded"}}};
constexpr WordTable<PageLayout, 2> kPages{{{PageLayout::RowMajor, "row_major"}, {PageLayout::Tile, "tile"}}};

}  // namespace

std::string_view wordOf(DataType type) {
    return wordIn(kDataTypes, type);
}
std::string_view wordOf(BufferType type) {
    return wordIn(kBuffers, type);
}
std::string_view wordOf(MemLayout layout) {
    return wordIn(kMemLayouts, layout);
}
std::string_view wordOf(PageLayout layout) {
    return wordIn(kPages, layout);
}
std::optional<DataType> dataTypeOf(std::string_view word) {
    return valueIn(kDataTypes, word);
}
std::optional<BufferType> bufferTypeOf(std::string_view word) {
    return valueIn(kBuffers, word);
}
std::optional<MemLayout> memLayoutOf(std::string_view word) {
    return valueIn(kMemLayouts, word);
}
std::optional<PageLayout> pageLayoutOf(std::string_view word) {
    return valueIn(kPages, word);
}

bool isBlockFloat(DataType type) {
    return type >= DataType::BfpF8 && type <= DataType::BfpBf2;
}

Bytes tileBytes(DataType type) {
    switch (type) {
    case DataType::F32:
    case DataType::U32:
    case DataType::Si32:
        return 4096;
    case DataType::F16:
    case DataType::BF16:
    case DataType::U16:
        return 2048;
    case DataType::BfpF8:
    case DataType::BfpBf8:
        return 1088;
    case DataType::BfpF4:
    case DataType::BfpBf4:
        return 576;
    case DataType::BfpF2:
    case DataType::BfpBf2:
        return 320;
    case DataType::U8:
    case DataType::Bool:
        return 1024;
    }
    return 0;
}

Bytes elementBytes(DataType type) {
    return (tileBytes(type) + 1023) / 1024;
}

}  // namespace memplan::ttnn
