// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/stick_layout.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <numeric>

namespace memplan::spyre {
namespace {

constexpr std::size_t kMaxOrder = 6;

/// Last ordered dimension twice (tile index, within the stick), the first one directly before the stick.
std::vector<int> dimMap(const DimOrder& order) {
    if (order.size() == 1) return {order[0], order[0]};
    std::vector<int> map(order.begin() + 1, order.end());
    map.push_back(order.front());
    map.push_back(order.back());
    return map;
}

/// A shape whose dimensions are listed in layout order; the stick is the last one.
struct OrderedDims {
    std::vector<std::int64_t> size, stride;
    bool sparse = false;
};

OrderedDims orderedDims(const Buffer& buffer, const DimOrder& order) {
    OrderedDims out;
    for (const int d : order) {
        if (d < 0) {
            out.sparse = true;
            continue;
        }
        out.size.push_back(buffer.size[static_cast<std::size_t>(d)]);
        out.stride.push_back(buffer.stride[static_cast<std::size_t>(d)]);
    }
    return out;
}

void dropUnitDims(OrderedDims& dims) {
    OrderedDims kept;
    kept.sparse = dims.sparse;
    for (std::size_t i = 0; i < dims.size.size(); ++i) {
        const bool isStick = !dims.sparse && i + 1 == dims.size.size();
        if (dims.size[i] == 1 && !isStick) continue;
        kept.size.push_back(dims.size[i]);
        kept.stride.push_back(dims.stride[i]);
    }
    dims = std::move(kept);
}

/// Merges the first pair of neighbours that one stride can walk; false when there is none.
bool mergeOnePair(OrderedDims& dims) {
    const std::size_t last = dims.sparse ? dims.size.size() : dims.size.size() - 1;
    for (std::size_t i = 0; i + 1 < last; ++i) {
        if (dims.stride[i] != dims.stride[i + 1] * dims.size[i + 1]) continue;
        dims.size[i + 1] *= dims.size[i];
        dims.size.erase(dims.size.begin() + static_cast<std::ptrdiff_t>(i));
        dims.stride.erase(dims.stride.begin() + static_cast<std::ptrdiff_t>(i));
        return true;
    }
    return false;
}

}  // namespace

DimOrder naturalOrder(std::size_t rank) {
    DimOrder order(rank);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

Result<StickLayout> buildStickLayout(std::span<const std::int64_t> size, std::span<const std::int64_t> stride,
                                     HostType dtype, const DimOrder& order) {
    const std::int64_t eps = elemsPerStick(dtype);
    StickLayout out;
    out.dtype = dtype;
    if (size.empty()) {
        out.deviceSize = {1, eps};
        out.strideMap = {-1, -1};
        return out;
    }
    const bool sparse = order.size() == size.size() + 1 && order.back() == -1;
    if (order.size() != size.size() && !sparse) {
        return makeError("LAY-001", "",
                         "Incompatible host_size and dim_order: a shape of " + std::to_string(size.size()) +
                             " dimensions, an order of " + std::to_string(order.size()));
    }
    if (order.size() > kMaxOrder) {
        return makeError("LAY-002", "", "Unsupported tensor rank: " + std::to_string(order.size()));
    }
    const std::vector<int> map = dimMap(order);
    const int stickDim = order.back();
    out.deviceSize.resize(map.size());
    out.strideMap.assign(map.size(), -1);
    out.deviceSize.back() = eps;
    for (std::size_t j = 0; j + 1 < map.size(); ++j) {
        const int d = map[j];
        if (d == stickDim) {
            out.deviceSize[j] = sparse ? 1 : ceilDiv(size[static_cast<std::size_t>(d)], eps);
        } else {
            out.deviceSize[j] = size[static_cast<std::size_t>(d)];
        }
    }
    std::vector<std::int64_t> reached(size.size(), 0);  // 0 = not visited yet
    for (std::size_t j = map.size(); j-- > 0;) {
        if (map[j] < 0 || size[static_cast<std::size_t>(map[j])] == 1) continue;
        const auto d = static_cast<std::size_t>(map[j]);
        out.strideMap[j] = reached[d] == 0 ? stride[d] : reached[d];
        reached[d] = out.strideMap[j] * out.deviceSize[j];
    }
    return out;
}

Result<StickLayout> genericLayout(const Buffer& buffer) {
    return buildStickLayout(buffer.size, buffer.stride, buffer.dtype, naturalOrder(buffer.size.size()));
}

Result<StickLayout> buildFoldedLayout(const Buffer& buffer, const DimOrder& order) {
    if (order.size() <= kMaxOrder) return buildStickLayout(buffer.size, buffer.stride, buffer.dtype, order);
    OrderedDims dims = orderedDims(buffer, order);
    dropUnitDims(dims);
    while (dims.size.size() + (dims.sparse ? 1 : 0) > kMaxOrder && mergeOnePair(dims)) {
    }
    DimOrder folded = naturalOrder(dims.size.size());
    if (dims.sparse) folded.push_back(-1);
    return buildStickLayout(dims.size, dims.stride, buffer.dtype, folded);
}

StickLayout fallbackLayout(const Buffer& buffer) {
    Result<StickLayout> folded = buildFoldedLayout(buffer, naturalOrder(buffer.size.size()));
    if (folded) return std::move(folded).value();
    const std::int64_t count =
        std::accumulate(buffer.size.begin(), buffer.size.end(), std::int64_t{1}, std::multiplies<>());
    const std::int64_t eps = elemsPerStick(buffer.dtype);
    return {{ceilDiv(count, eps), eps}, {eps, 1}, buffer.dtype, Arrangement::Standard};
}

}  // namespace memplan::spyre
