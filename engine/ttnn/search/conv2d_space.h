// SPDX-License-Identifier: Apache-2.0
// Configurations of a convolution that are worth trying (ttnn-optimizer 3.4).
#pragma once

#include "engine/ttnn/machine/op_config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace memplan::ttnn {

/// Values to try, each a configuration in which one field alone is set, those of a field in the order to try them.
using Conv2dSpace = std::vector<Conv2dConfig>;
/// What all convolutions are searched over.
[[nodiscard]] Conv2dSpace standardConv2dSpace();

/// The standard filter drops a reshard without a layout to reshard to.
enum class Conv2dFilter : std::uint8_t { None, Standard };
struct Conv2dSearch {
    bool isEmpty = false;               ///< no field to search: `base` is all there is
    std::vector<Conv2dConfig> configs;  ///< last field fastest
};
/// All combinations of values for the fields that `base` leaves open.
[[nodiscard]] Conv2dSearch conv2dConfigs(const Conv2dConfig& base, const Conv2dSpace& space, Conv2dFilter filter);

}  // namespace memplan::ttnn
