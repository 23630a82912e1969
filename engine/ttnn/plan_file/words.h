// SPDX-License-Identifier: Apache-2.0
// The words of enumerations in target_data.
#pragma once

#include "engine/plan/file/record.h"
#include "engine/plan/ttnn_data.h"

namespace memplan::io {

/// An enumeration whose words are those of wordOf().
#define MEMPLAN_TTNN_WORDS(Type, lookUp, what)                                                                         \
    template <> struct Words<Type> {                                                                                   \
        static constexpr std::string_view kWhat = what;                                                                \
        static std::string_view name(Type v) { return wordOf(v); }                                                     \
        static std::optional<Type> named(std::string_view word) { return lookUp(word); }                               \
    }

MEMPLAN_TTNN_WORDS(ttnn::DataType, ttnn::dataTypeOf, "data type");
MEMPLAN_TTNN_WORDS(ttnn::BufferType, ttnn::bufferTypeOf, "buffer type");
MEMPLAN_TTNN_WORDS(ttnn::MemLayout, ttnn::memLayoutOf, "memory layout");
MEMPLAN_TTNN_WORDS(ttnn::PageLayout, ttnn::pageLayoutOf, "page layout");
MEMPLAN_TTNN_WORDS(ttnn::ChainState, ttnn::chainStateOf, "chain state");
MEMPLAN_TTNN_WORDS(ttnn::SpillLocation, ttnn::spillLocationOf, "spill location");
MEMPLAN_TTNN_WORDS(ttnn::EndedBy, ttnn::endedByOf, "end of a chain");
MEMPLAN_TTNN_WORDS(ttnn::ReshardOrigin, ttnn::reshardOriginOf, "origin of a reshard");
MEMPLAN_TTNN_WORDS(ttnn::MergeKind, ttnn::mergeKindOf, "kind of merge");
MEMPLAN_TTNN_WORDS(TtnnConversion, ttnnConversionOf, "conversion");

#undef MEMPLAN_TTNN_WORDS

}  // namespace memplan::io
