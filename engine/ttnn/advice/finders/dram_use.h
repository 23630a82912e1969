// SPDX-License-Identifier: Apache-2.0
// What lies in DRAM at once (ttnn-optimizer 15.2): arguments and results live there.
#pragma once

#include "engine/ttnn/module/module.h"

#include <vector>

namespace memplan::ttnn {

struct DramUse {
    Bytes arguments = 0;        ///< the whole run
    std::vector<Bytes> values;  ///< by position of the function: results of operations, views counted once
    [[nodiscard]] Bytes most() const;
    [[nodiscard]] std::size_t fullest() const;  ///< position
};

[[nodiscard]] DramUse dramUse(const Function& function, const Device& device);
[[nodiscard]] Bytes dramBytes(const Device& device);  ///< of all channels

}  // namespace memplan::ttnn
