// SPDX-License-Identifier: Apache-2.0
// Where the elements of a tensor lie in device memory, from its layout alone (proof-and-search A4.2,
// layouts-and-work-division 2.2): host element = sum of coordinate * stride_map, device memory is row-major over
// device_size.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace memplan::sim {

class DeviceMap {
public:
    DeviceMap() = default;
    /// Both lists of equal length, sizes of at least 1 (the reader of records checks it).
    DeviceMap(std::vector<std::int64_t> deviceSize, std::vector<std::int64_t> strideMap);

    [[nodiscard]] std::size_t rank() const { return size_.size(); }
    [[nodiscard]] const std::vector<std::int64_t>& size() const { return size_; }
    /// Elements of device memory, padding included.
    [[nodiscard]] std::int64_t elements() const { return elements_; }
    /// Coordinates of a host element; nullopt where it lies outside of the layout.
    [[nodiscard]] std::optional<std::vector<std::int64_t>> coordinates(std::int64_t hostElement) const;
    /// Row-major position in device memory; -1 outside.
    [[nodiscard]] std::int64_t position(std::int64_t hostElement) const;
    /// The host element at a position, -1 for padding beyond `hostElements` or outside.
    [[nodiscard]] std::int64_t hostElement(std::int64_t position) const;
    /// Host strides at which a coordinate carries over into the next coarser dimension, coarsest first.
    [[nodiscard]] const std::vector<std::int64_t>& boundaries() const { return boundaries_; }

private:
    std::vector<std::int64_t> size_, stride_, weight_;
    std::vector<std::size_t> order_;  ///< dimensions that move, coarsest stride first
    std::vector<std::int64_t> boundaries_;
    std::int64_t elements_ = 1;
    bool isDense_ = true;  ///< every position is an element: no padding
};

}  // namespace memplan::sim
