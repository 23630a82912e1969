// SPDX-License-Identifier: Apache-2.0
// The validator's own reading of a device layout (spyre-layouts-and-work-division 2, 3): where a host element lies.
#pragma once

#include "engine/plan/plan.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace memplan::verify {

/// Elements of a stick of 128 bytes in this device format, 0 for an unknown one.
[[nodiscard]] std::int64_t elementsOfStick(std::string_view deviceDtype);

/// Device format in which a tensor of this type is stored; empty for text.
[[nodiscard]] std::string_view deviceFormatOf(DType dtype);

/// Reads host elements as positions along the device dimensions: the digits of the element in the strides of the
/// layout, largest first. Dimensions of one position and without a stride are at 0.
class DigitReader {
public:
    DigitReader(const std::vector<std::int64_t>& deviceSize, const std::vector<std::int64_t>& strideMap);

    /// Into `positions`, which gets one entry per device dimension.
    void read(std::int64_t element, std::vector<std::int64_t>& positions) const;
    /// A loop of this step (elements) and extent changes the position along dimension `dim`; false where every step is
    /// a whole number of turns of it.
    [[nodiscard]] bool moves(std::size_t dim, std::int64_t step, std::int64_t extent) const;

private:
    struct Digit {
        std::size_t dim = 0;
        std::int64_t stride = 1;
    };
    std::size_t rank_ = 0;
    std::vector<Digit> digits_;  ///< by falling stride
};

}  // namespace memplan::verify
