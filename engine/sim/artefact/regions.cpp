// SPDX-License-Identifier: Apache-2.0
#include "sim/artefact/regions.h"

#include "base/numeric.h"

#include <algorithm>
#include <set>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

constexpr int64_t kMostElements = int64_t{1} << 27;

/// Elements of a stick; the device holds 16-bit formats for 16-bit types and truth values, 32-bit ones for integers.
int64_t elementsPerStick(DType dtype) {
    switch (dtype) {
    case DType::F16:
    case DType::BF16:
    case DType::Bool:
        return 64;
    case DType::F32:
    case DType::I32:
    case DType::I64:
        return 32;
    default:
        return dtypeBits(dtype) == 8 ? 128 : 0;
    }
}

/// Device dimension of the stick's number, -1 = the stick is alone.
int tileDimension(const DeviceLayout& l, int64_t elements) {
    const int64_t eps = l.size.back();
    const int64_t wanted = saturatedMul(l.strideMap.back(), eps);
    int64_t all = 1;
    for (std::size_t j = 0; j + 1 < l.size.size(); ++j)
        all = saturatedMul(all, l.size[j]);
    for (std::size_t j = 0; j + 1 < l.size.size(); ++j) {
        if (l.strideMap[j] != wanted) continue;
        const int64_t others = all / l.size[j];
        if (elements % others == 0 && ceilDiv(elements / others, eps) == l.size[j]) return static_cast<int>(j);
    }
    return -1;
}

}  // namespace

std::optional<DeviceLayout> genericLayout(const std::vector<int64_t>& shape, DType dtype) {
    const int64_t eps = elementsPerStick(dtype);
    if (eps == 0 || shape.size() > 6) return std::nullopt;
    if (shape.empty()) return DeviceLayout{{1, eps}, {-1, -1}};
    std::vector<std::size_t> map;
    for (std::size_t d = 1; d < shape.size(); ++d)
        map.push_back(d);
    map.push_back(0);
    map.push_back(shape.size() - 1);
    if (shape.size() == 1) map = {0, 0};
    std::vector<int64_t> stride(shape.size(), 1);
    for (std::size_t d = shape.size() - 1; d-- > 0;)
        stride[d] = saturatedMul(stride[d + 1], shape[d + 1]);
    DeviceLayout l;
    l.size.resize(map.size());
    l.strideMap.resize(map.size());
    std::vector<int64_t> next(shape.size(), -1);
    for (std::size_t j = map.size(); j-- > 0;) {
        const std::size_t d = map[j];
        const bool isLane = j + 1 == map.size();
        l.size[j] = isLane ? eps : d + 1 == shape.size() ? ceilDiv(shape[d], eps) : shape[d];
        if (l.size[j] < 1) return std::nullopt;
        l.strideMap[j] = shape[d] == 1 ? -1 : next[d] < 0 ? stride[d] : next[d];
        next[d] = saturatedMul(std::max<int64_t>(l.strideMap[j], 1), l.size[j]);
    }
    return l;
}

std::optional<std::vector<int64_t>> hostElements(const DeviceLayout& l, int64_t elements) {
    const int64_t positions = l.elements();
    if (l.size.empty() || l.strideMap.size() != l.size.size() || positions > kMostElements || elements < 1)
        return std::nullopt;
    const int64_t eps = l.size.back();
    const bool hasLanes = l.strideMap.back() >= 1;
    const int tile = hasLanes ? tileDimension(l, elements) : -1;
    int64_t others = 1;
    for (std::size_t j = 0; j + 1 < l.size.size(); ++j) {
        if (static_cast<int>(j) != tile && l.strideMap[j] >= 1) others = saturatedMul(others, l.size[j]);
    }
    if (elements % others != 0) return std::nullopt;
    const int64_t along = elements / others;
    if (along > (tile >= 0 ? saturatedMul(l.size[static_cast<std::size_t>(tile)], eps) : hasLanes ? eps : 1))
        return std::nullopt;
    std::vector<int64_t> out(static_cast<std::size_t>(positions), -1);
    std::vector<int64_t> at(l.size.size(), 0);
    for (int64_t i = 0; i < positions; ++i) {
        int64_t host = 0;
        bool isData = true;
        for (std::size_t j = 0; j < at.size(); ++j) {
            if (l.strideMap[j] >= 1) {
                host = saturatedAdd(host, saturatedMul(at[j], l.strideMap[j]));
            } else if (at[j] > 0) {
                isData = false;
            }
        }
        const int64_t position = (tile >= 0 ? at[static_cast<std::size_t>(tile)] * eps : 0) + at.back();
        if (isData && position < along) {
            if (host >= elements) return std::nullopt;
            out[static_cast<std::size_t>(i)] = host;
        }
        for (std::size_t j = at.size(); j-- > 0;) {
            if (++at[j] < l.size[j]) break;
            at[j] = 0;
        }
    }
    return out;
}

void fill(Region& region, const std::vector<Value>& values, std::uint32_t event) {
    const int64_t width = region.layout.wordLength();
    const int64_t lanes = kStickBytes / width;
    for (std::size_t i = 0; i < region.host.size(); ++i) {
        const auto p = static_cast<int64_t>(i);
        Cell& cell = region.store.stickForWriting(p / lanes, width)[p % lanes];
        const int64_t element = region.host[i];
        const bool isData = element >= 0 && element < static_cast<int64_t>(values.size());
        cell = isData ? Cell{values[static_cast<std::size_t>(element)], event} : Cell{0, event | kPadding};
    }
    region.isFilled = true;
}

Difference compare(const Region& region, const std::vector<Value>& wanted, int64_t offset) {
    Difference d;
    const int64_t width = region.layout.wordLength();
    const int64_t lanes = kStickBytes / width;
    std::set<int64_t> sticks;
    for (std::size_t i = 0; i < region.host.size(); ++i) {
        if (region.host[i] < 0) continue;
        const int64_t element = region.host[i] - offset;
        if (element < 0 || element >= static_cast<int64_t>(wanted.size())) continue;
        const auto p = static_cast<int64_t>(i);
        int64_t other = 0;
        const Cell* cells = region.store.stick(p / lanes, width, other);
        const Cell cell = cells == nullptr ? Cell{} : cells[p % lanes];
        if (cell.writer == 0 && other == 0) {
            ++d.missing;
            sticks.insert(p / lanes);
            if (d.firstMissing < 0) {
                d.firstMissing = element;
                d.addressMissing = p * width;
            }
        } else if (isPadding(cell) || other != 0 || cell.value != wanted[static_cast<std::size_t>(element)]) {
            ++d.wrong;
            if (d.firstWrong < 0 || element < d.firstWrong) {
                d.firstWrong = element;
                d.addressWrong = p * width;
                d.found = cell;
            }
        }
    }
    d.missingSticks = static_cast<int64_t>(sticks.size());
    return d;
}

std::string elementText(const memplan::Tensor& tensor, int64_t element) {
    std::string indices;
    for (std::size_t d = tensor.shape.size(); d-- > 0;) {
        const int64_t size = std::max<int64_t>(tensor.shape[d], 1);
        indices = std::to_string(element % size) + (indices.empty() ? "" : "," + indices);
        element /= size;
    }
    return tensor.id + "[" + indices + "]";
}

}  // namespace memplan::sim::artefact
