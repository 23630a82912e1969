// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/measure/views.h"

#include "engine/ttnn/model/facts.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

/// Every number of the attribute; without one `isDefault` counts.
bool allAre(const Operation& op, std::string_view name, std::int64_t wanted, bool isDefault) {
    const std::string* text = op.find(name);
    if (!text) return isDefault;
    if (const auto number = integerOf(*text)) return *number == wanted;
    const auto numbers = integersOf(*text);
    return numbers && std::all_of(numbers->begin(), numbers->end(), [&](std::int64_t n) { return n == wanted; });
}

/// Without the attribute the weights say: [out, in, kh, kw].
bool hasKernelOfOne(const Function& function, const Operation& op) {
    if (op.find("kernel_size")) return allAre(op, "kernel_size", 1, false);
    if (op.operands.size() < 2) return false;
    const Type& weights = function.typeOf(op.operands[1]);
    return weights.shape.size() == 4 && weights.shape[2] == 1 && weights.shape[3] == 1;
}

}  // namespace

bool canBeView(const Type& from, const Type& to) {
    return from.layout && model::isViewReshape(from.shape, to.shape, from.layout->page);
}

bool isViewInL1(const Function& function, const Operation& op) {
    if (!op.is("reshape") || op.operands.empty() || op.results.empty()) return false;
    const Type& from = function.typeOf(op.operands.front());
    const Type& to = function.typeOf(op.results.front());
    if (!from.layout || !to.layout || !from.layout->isInL1() || !to.layout->isInL1()) return false;
    const bool isSameKind = from.layout->page == to.layout->page && from.layout->dtype == to.layout->dtype;
    return from.layout->isInterleaved() && to.layout->isInterleaved() && isSameKind && canBeView(from, to);
}

bool isConvAsMatmul(const Function& function, const Operation& op) {
    if (!op.is("conv2d")) return false;
    return hasKernelOfOne(function, op) && allAre(op, "stride", 1, true) && allAre(op, "padding", 0, true) &&
           allAre(op, "dilation", 1, true);
}

}  // namespace memplan::ttnn
