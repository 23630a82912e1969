// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/device_map.h"

#include <algorithm>
#include <utility>

namespace memplan::sim {

DeviceMap::DeviceMap(std::vector<std::int64_t> deviceSize, std::vector<std::int64_t> strideMap)
    : size_(std::move(deviceSize)), stride_(std::move(strideMap)) {
    for (std::size_t d = 0; d < size_.size(); ++d) {
        elements_ *= size_[d];
        // A dimension of extent 1 holds no digit; its stride may equal that of a longer one.
        if (size_[d] > 1 && stride_[d] > 0) order_.push_back(d);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return stride_[a] > stride_[b]; });
    for (const std::size_t d : order_)
        boundaries_.push_back(stride_[d]);
    std::int64_t next = 1;
    for (std::size_t i = order_.size(); i-- > 0;) {
        isDense_ = isDense_ && stride_[order_[i]] == next;
        next *= size_[order_[i]];
    }
    isDense_ = isDense_ && next == elements_;
    weight_.assign(size_.size(), 1);
    for (std::size_t d = size_.size(); d-- > 1;)
        weight_[d - 1] = weight_[d] * size_[d];
}

std::optional<std::vector<std::int64_t>> DeviceMap::coordinates(std::int64_t hostElement) const {
    if (hostElement < 0) return std::nullopt;
    std::vector<std::int64_t> c(size_.size(), 0);
    for (const std::size_t d : order_) {
        c[d] = hostElement / stride_[d];
        hostElement %= stride_[d];
        if (c[d] >= size_[d]) return std::nullopt;
    }
    if (hostElement != 0) return std::nullopt;
    return c;
}

std::int64_t DeviceMap::position(std::int64_t hostElement) const {
    if (hostElement < 0) return -1;
    std::int64_t at = 0;
    for (const std::size_t d : order_) {
        const std::int64_t c = hostElement / stride_[d];
        hostElement -= c * stride_[d];
        if (c >= size_[d]) return -1;
        at += c * weight_[d];
    }
    return hostElement == 0 ? at : -1;
}

std::int64_t DeviceMap::hostElement(std::int64_t position) const {
    if (position < 0 || position >= elements_) return -1;
    const std::int64_t asked = position;
    std::int64_t host = 0;
    for (std::size_t d = size_.size(); d-- > 0;) {
        const std::int64_t c = position % size_[d];
        position /= size_[d];
        if (c == 0) continue;
        if (stride_[d] <= 0) return -1;
        host += c * stride_[d];
    }
    // Without padding every position is an element.
    if (isDense_) return host;
    return this->position(host) == asked ? host : -1;
}

}  // namespace memplan::sim
