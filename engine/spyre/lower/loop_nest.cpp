// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/lower/loop_nest.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

/// Loops that move the write, outermost output dimension first.
std::vector<std::size_t> outputOrder(const LoopNest& nest) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < nest.dims.size(); ++i) {
        if (nest.dims[i].size > 1 && nest.write.coefficients[i] != 0) order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return nest.write.coefficients[a] > nest.write.coefficients[b];
    });
    return order;
}

Access overLoops(const RawAccess& raw, const std::vector<std::size_t>& order) {
    Access access{raw.buffer, {}, raw.indirect};
    for (const std::size_t i : order)
        access.index.coefficients.push_back(raw.coefficients[i]);
    access.index.offset = raw.offset;
    return access;
}

}  // namespace

void emitLoops(Op& op, const LoopNest& nest) {
    std::vector<std::size_t> order = outputOrder(nest);
    std::vector<std::size_t> reduced;
    for (std::size_t i = 0; i < nest.dims.size(); ++i) {
        if (nest.dims[i].size == 1 || std::find(order.begin(), order.end(), i) != order.end()) continue;
        reduced.push_back(i);
    }
    order.insert(order.end(), reduced.begin(), reduced.end());
    for (const std::size_t i : order) {
        const bool isReduction = std::find(reduced.begin(), reduced.end(), i) != reduced.end();
        op.loops.push_back({"d" + std::to_string(op.loops.size()), nest.dims[i].size, isReduction});
    }
    for (const RawAccess& r : nest.reads)
        op.reads.push_back(overLoops(r, order));
    op.write = overLoops(nest.write, order);
}

}  // namespace memplan::spyre
