// SPDX-License-Identifier: Apache-2.0
// L1 of a core address by address (ttnn-optimizer 12.4, pass 2): tensors are placed first fit from the top as they are
// made and go after their last reader; circular buffers and scratch stand below all of them.
#pragma once

#include "engine/ttnn/measure/measure.h"

#include <optional>

namespace memplan::ttnn {

/// An operation whose buffers do not fit below the tensors, though there may be room enough in pieces.
struct Fragmented {
    std::size_t position = 0;  ///< in the order of the function
    Bytes buffers = 0;         ///< wanted at the bottom
    Bytes free = 0;            ///< there below the lowest tensor; of a tensor that found no place: 0
};

/// The first operation that does not fit; none where all do. Places are multiples of the alignment.
[[nodiscard]] std::optional<Fragmented> firstFragmented(const Measures& measures, Bytes alignment);
/// "needs N bytes of buffers on a core, and M are free below the tensors in L1, which lie in pieces"
[[nodiscard]] std::string wordsOf(const Fragmented& found);

}  // namespace memplan::ttnn
