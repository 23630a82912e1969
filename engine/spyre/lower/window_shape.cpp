// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/lower/window_shape.h"

namespace memplan::spyre {

bool isWholeMapPool(const memplan::Op& op) {
    if (op.inMaps.empty() || !op.inMaps.front()) return false;
    for (const IndexExpr& e : *op.inMaps.front()) {
        if (e.dataDependent || e.constant != 0) return false;
        int moving = 0;
        for (const auto& term : e.terms)
            moving += op.iter[static_cast<std::size_t>(term.loop)].size > 1 ? 1 : 0;
        if (moving > 1) return false;
    }
    return true;
}

bool isPointKernel(const memplan::Op& op) {
    int summed = 0;
    for (const IterDim& d : op.iter) {
        if (d.kind == IterKind::Reduction && d.size > 1) ++summed;
        if (d.size == 0) return false;
    }
    if (summed != 1) return false;
    for (const IndexExpr& e : *op.inMaps.front()) {
        if (e.dataDependent || e.constant != 0) return false;
        int moving = 0;
        for (const auto& term : e.terms) {
            if (op.iter[static_cast<std::size_t>(term.loop)].size == 1) continue;
            ++moving;
            if (term.coefficient != 1) return false;
        }
        if (moving > 1) return false;
    }
    return true;
}

}  // namespace memplan::spyre
