// SPDX-License-Identifier: Apache-2.0
// Matrix products, of matmul, of linear, and of convolutions that are one.
#pragma once

#include "engine/ttnn/model/families.h"

namespace memplan::ttnn::model {

/// What the product is asked with. Tiles in bytes.
struct ProductTerms {
    const ProductFacts& size;
    const Layout& a;
    std::int64_t aWidth = 0;  ///< tiles of a row of A on one core
    Bytes aTile = 0, bTile = 0, outTile = 0;
    Bytes biasTile = 0;                       ///< 0: no bias
    std::optional<MemLayout> memByDefault{};  ///< of the result where nothing else says it; none: interleaved
    PageLayout pageByDefault = PageLayout::Tile;
    const MatmulProgram* program = nullptr;
    bool keepsSumsInF32 = false;  ///< fp32_dest_acc_en is set, and the result is no f32
    bool hasL1Interleaved = false;
};

[[nodiscard]] Outcome productOutcome(const Case& c, const ProductTerms& terms);

/// How the work is cut where an operation carries no program: cores and blocks in tiles. What a program leaves out of
/// the circular buffers (sub-blocks, fused batches) is not set.
[[nodiscard]] MatmulProgram derivedProgram(const Case& c, const ProductTerms& terms);
[[nodiscard]] ProductTerms matmulTerms(const Case& c);

}  // namespace memplan::ttnn::model
