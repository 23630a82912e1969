// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/artefact/access/regions.h"

#include "engine/base/numeric.h"

#include <algorithm>

namespace memplan::sim::artefact {
namespace {

using std::int64_t;

constexpr int64_t kMostPositions = int64_t{1} << 34;

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

/// Elements along the sticks of the layout when dimension j numbers the sticks; 0 where it cannot.
int64_t alongTile(const DeviceLayout& l, std::size_t j, int64_t elements) {
    const int64_t eps = l.size.back();
    if (l.strideMap[j] != saturatedMul(l.strideMap.back(), eps)) return 0;
    int64_t others = 1;
    for (std::size_t k = 0; k + 1 < l.size.size(); ++k)
        others = k == j ? others : saturatedMul(others, l.size[k]);
    const int64_t along = elements % others == 0 ? elements / others : 0;
    return ceilDiv(along, eps) <= l.size[j] ? along : 0;
}

/// Whether the elements along the sticks and the other dimensions number each element of the tensor once.
bool isNumbering(const DeviceLayout& l, std::size_t tile, int64_t along) {
    std::vector<std::pair<int64_t, int64_t>> dims{{l.strideMap.back(), along}};
    for (std::size_t j = 0; j + 1 < l.size.size(); ++j) {
        if (j != tile && l.size[j] > 1) dims.emplace_back(l.strideMap[j], l.size[j]);
    }
    std::sort(dims.begin(), dims.end());
    int64_t next = 1;
    for (const auto& [stride, size] : dims) {
        if (stride != next && size > 1) return false;
        next = saturatedMul(next, size);
    }
    return true;
}

/// Device dimension of the stick's number, -1 = the stick is alone. The result of a cast has sticks without data behind
/// its rows where a stick of the operand holds more elements (spyre-layouts-and-work-division.md 5): then the
/// dimension in its usual place goes before others that fit.
int tileDimension(const DeviceLayout& l, int64_t elements) {
    const std::size_t dims = l.size.size() - 1;
    for (std::size_t j = 0; j < dims; ++j) {
        const int64_t along = alongTile(l, j, elements);
        if (along > 0 && ceilDiv(along, l.size.back()) == l.size[j]) return static_cast<int>(j);
    }
    const auto hasSpare = [&](std::size_t j) {
        const int64_t along = alongTile(l, j, elements);
        return along > 0 && isNumbering(l, j, along);
    };
    if (dims >= 2 && hasSpare(dims - 2)) return static_cast<int>(dims - 2);
    for (std::size_t j = 0; j < dims; ++j) {
        if (hasSpare(j)) return static_cast<int>(j);
    }
    return -1;
}

}  // namespace

int64_t hostElement(const ReturnedView& view, int64_t at) {
    int64_t host = view.offset;
    for (std::size_t d = view.shape.size(); d-- > 0;) {
        if (view.shape[d] < 1) return -1;
        host = saturatedAdd(host, saturatedMul(at % view.shape[d], view.strides[d]));
        at /= view.shape[d];
    }
    return at == 0 ? host : -1;
}

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

std::optional<HostOrder> HostOrder::of(const DeviceLayout& l, int64_t elements) {
    const int64_t positions = l.elements();
    if (l.size.empty() || l.strideMap.size() != l.size.size() || positions < 1 || positions > kMostPositions ||
        elements < 1)
        return std::nullopt;
    const int64_t eps = l.size.back();
    const bool hasLanes = l.strideMap.back() >= 1;
    HostOrder out;
    out.layout_ = l;
    out.rows_ = positions / eps;
    out.tile_ = hasLanes ? tileDimension(l, elements) : -1;
    int64_t others = 1;
    int64_t last = 0;
    for (std::size_t j = 0; j + 1 < l.size.size(); ++j) {
        if (static_cast<int>(j) == out.tile_ || l.strideMap[j] < 1) continue;
        others = saturatedMul(others, l.size[j]);
        last = saturatedAdd(last, saturatedMul(l.size[j] - 1, l.strideMap[j]));
    }
    if (elements % others != 0) return std::nullopt;
    out.along_ = elements / others;
    const int64_t room = out.tile_ >= 0 ? saturatedMul(l.size[static_cast<std::size_t>(out.tile_)], eps)
                         : hasLanes     ? eps
                                        : 1;
    if (hasLanes) last = saturatedAdd(last, saturatedMul(out.along_ - 1, l.strideMap.back()));
    if (out.along_ > room || last >= elements) return std::nullopt;
    return out;
}

HostOrder::Row HostOrder::row(int64_t number) const {
    Row row;
    row.step = std::max<int64_t>(layout_.strideMap.back(), 0);
    int64_t before = 0;
    for (std::size_t j = layout_.size.size() - 1; j-- > 0;) {
        const int64_t at = number % layout_.size[j];
        number /= layout_.size[j];
        if (static_cast<int>(j) == tile_) before = at * rowLength();
        if (layout_.strideMap[j] < 1 && at > 0) return row;
        row.first += at * std::max<int64_t>(layout_.strideMap[j], 0);
    }
    row.data = std::clamp<int64_t>(along_ - before, 0, row.step > 0 ? rowLength() : 1);
    return row;
}

void fill(Region& region, const std::vector<Value>& values, std::uint32_t event) {
    const int64_t width = region.layout.wordLength();
    const int64_t lanes = kStickBytes / width;
    const int64_t length = region.host->rowLength();
    const auto there = static_cast<int64_t>(values.size());
    for (int64_t r = 0; r < region.host->rows(); ++r) {
        const HostOrder::Row row = region.host->row(r);
        for (int64_t i = 0; i < length; ++i) {
            const int64_t p = r * length + i;
            Cell& cell = region.store.stickForWriting(p / lanes, width)[p % lanes];
            const int64_t element = row.first + i * row.step;
            const bool isData = i < row.data && element < there;
            cell = isData ? Cell{values[static_cast<std::size_t>(element)], event} : Cell{0, event | kPadding};
        }
    }
    region.isFilled = true;
}

bool hasStickRows(const Region& region) {
    return region.host && region.host->rowLength() * region.layout.wordLength() == kStickBytes;
}

void fillNamed(Region& region, std::uint64_t key, int64_t offset, int64_t elements, std::uint32_t event) {
    const auto source = [order = *region.host, key, offset, elements, event](int64_t stick, std::vector<Cell>& cells) {
        const HostOrder::Row row = order.row(stick);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const int64_t element = row.first + static_cast<int64_t>(i) * row.step;
            const bool isData = static_cast<int64_t>(i) < row.data && element < elements;
            cells[i] = isData ? Cell{inputValue(key, static_cast<std::uint64_t>(offset + element)), event}
                              : Cell{0, event | kPadding};
        }
    };
    region.store.setSource(source, region.host->rows(), region.layout.wordLength());
    region.isFilled = true;
}

namespace {

/// Looks at wanted elements one by one, where they lie in the region.
class Comparison {
public:
    Comparison(const Region& region, const std::vector<Value>& wanted)
        : region_(region), wanted_(wanted), isThere_(wanted.size(), false), width_(region.layout.wordLength()),
          lanes_(kStickBytes / width_) {}

    /// `place`: position in the layout of the region, ascending.
    void check(int64_t element, int64_t place) {
        const auto e = static_cast<std::size_t>(element);
        isThere_[e] = true;
        int64_t other = 0;
        const Cell* cells = region_.store.stick(place / lanes_, width_, other);
        const Cell cell = cells == nullptr ? Cell{} : cells[place % lanes_];
        if (cell.writer == 0 && other == 0) {
            d_.missingSticks += place / lanes_ != lastMissing_ ? 1 : 0;
            lastMissing_ = place / lanes_;
            miss(element, place * width_);
        } else if (isPadding(cell) || other != 0 || cell.value != wanted_[e]) {
            ++d_.wrong;
            if (d_.firstWrong >= 0 && element >= d_.firstWrong) return;
            d_.firstWrong = element;
            d_.addressWrong = place * width_;
            d_.found = cell;
        }
    }

    /// What lies nowhere in the region is missing.
    Difference result() {
        const auto outside = static_cast<int64_t>(std::count(isThere_.begin(), isThere_.end(), false));
        for (std::size_t e = 0; e < isThere_.size() && outside > 0; ++e) {
            if (!isThere_[e]) miss(static_cast<int64_t>(e), 0);
        }
        d_.missingSticks += ceilDiv(outside, lanes_);
        return d_;
    }

private:
    const Region& region_;
    const std::vector<Value>& wanted_;
    std::vector<bool> isThere_;
    int64_t width_, lanes_;
    int64_t lastMissing_ = -1;
    Difference d_;

    void miss(int64_t element, int64_t address) {
        ++d_.missing;
        if (d_.firstMissing >= 0) return;
        d_.firstMissing = element;
        d_.addressMissing = address;
    }
};

/// visit(host element, position in the layout) for all data of the region, addresses ascending.
template <class Visit> void eachElement(const Region& region, Visit&& visit) {
    for (int64_t r = 0; r < region.host->rows(); ++r) {
        const HostOrder::Row row = region.host->row(r);
        for (int64_t i = 0; i < row.data; ++i)
            visit(row.first + i * row.step, r * region.host->rowLength() + i);
    }
}

}  // namespace

Difference compare(const Region& region, const std::vector<Value>& wanted, int64_t offset) {
    Comparison c(region, wanted);
    const auto size = static_cast<int64_t>(wanted.size());
    eachElement(region, [&](int64_t host, int64_t place) {
        if (host >= offset && host - offset < size) c.check(host - offset, place);
    });
    return c.result();
}

Difference compare(const Region& region, const std::vector<Value>& wanted, const ReturnedView& view) {
    // Wanted elements by host element: a view may show an element more than once.
    std::vector<std::pair<int64_t, int64_t>> elements;
    elements.reserve(wanted.size());
    for (std::size_t e = 0; e < wanted.size(); ++e)
        elements.emplace_back(hostElement(view, static_cast<int64_t>(e)), static_cast<int64_t>(e));
    if (!std::is_sorted(elements.begin(), elements.end())) std::sort(elements.begin(), elements.end());
    Comparison c(region, wanted);
    eachElement(region, [&](int64_t host, int64_t place) {
        auto it = std::lower_bound(elements.begin(), elements.end(), std::pair<int64_t, int64_t>{host, 0});
        for (; it != elements.end() && it->first == host; ++it)
            c.check(it->second, place);
    });
    return c.result();
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
