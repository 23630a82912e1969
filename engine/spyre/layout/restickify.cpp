// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/restickify.h"

#include "engine/base/numeric.h"

#include <bit>

namespace memplan::spyre {
namespace {

/// First dimension before the stick that moves with one of `loops`.
std::optional<std::size_t> outerDimWith(const Coordinates& device, LoopMask loops) {
    for (std::size_t d = 0; d + 1 < device.size(); ++d) {
        if ((device[d].loops() & loops) != 0) return d;
    }
    return std::nullopt;
}

std::optional<std::size_t> outerZeroDim(const Coordinates& device) {
    for (std::size_t d = 0; d + 1 < device.size(); ++d) {
        if (device[d].isZero()) return d;
    }
    return std::nullopt;
}

}  // namespace

StickRoles stickRoles(const Coordinates& device) {
    StickRoles roles;
    roles.stick = device.back().loops();
    for (std::size_t d = 0; d + 1 < device.size(); ++d)
        roles.others |= device[d].loops();
    roles.others &= ~roles.stick;
    return roles;
}

bool sticksAgree(std::span<const StickRoles> accesses) {
    LoopMask sticks = 0;
    LoopMask others = 0;
    for (const StickRoles& a : accesses) {
        sticks |= a.stick;
        others |= a.others;
    }
    return std::popcount(sticks) <= 1 && (sticks & others) == 0;
}

bool sticksAgree(const StickRoles& a, const StickRoles& b) {
    const StickRoles both[] = {a, b};
    return sticksAgree(both);
}

std::optional<StickLayout> restickifyTarget(const ReadUnderLayout& input, CoordinateView wanted) {
    const std::optional<std::size_t> newDim = matchingDim(*input.host, wanted);
    const std::optional<std::size_t> oldDim = matchingDim(*input.host, input.device->back());
    if (!newDim || !oldDim) return std::nullopt;
    std::optional<std::size_t> oldOuter = outerDimWith(*input.device, input.device->back().loops());
    if (!oldOuter) oldOuter = outerZeroDim(*input.device);
    const std::optional<std::size_t> newOuter = outerDimWith(*input.device, wanted.loops());
    if (!oldOuter || !newOuter) return std::nullopt;
    const std::int64_t eps = elemsPerStick(input.layout->dtype);
    const Buffer& host = *input.buffer;
    if (host.size[*newDim] % eps != 0) return std::nullopt;

    StickLayout target = *input.layout;
    target.deviceSize[*oldOuter] = host.size[*newDim] / eps;
    target.deviceSize[*newOuter] = host.size[*oldDim];
    target.deviceSize.back() = eps;
    target.strideMap.back() = host.stride[*newDim];
    target.strideMap[*oldOuter] = host.stride[*newDim] * eps;
    target.strideMap[*newOuter] = host.stride[*oldDim];
    return target;
}

EdgeCost deviceElements(const StickLayout& layout) {
    return checkedProduct(layout.deviceSize).value_or(kInfiniteCost - 1);
}

}  // namespace memplan::spyre
