// SPDX-License-Identifier: Apache-2.0
// What an operation needs on a core.
#pragma once

#include "engine/base/ids.h"

#include <string>

namespace memplan::verify::ttnn {

struct Demand {
    bool isModelled = true;
    std::string fault;      ///< why the layouts are illegal; empty for legal ones
    Bytes cb = 0;           ///< circular buffers
    Bytes tensors = 0;      ///< allocated by the operation itself
    bool isView = false;    ///< its result shares the storage of operand 0
    Bytes halo = 0;         ///< of a convolution
    Bytes freedInput = 0;   ///< of a convolution that frees its input after the halo phase
    Bytes heldInput = 0;    ///< of operand 0, which the peak counts already
    Bytes tensorInput = 0;  ///< of operand 0, which `tensors` counts already
};

}  // namespace memplan::verify::ttnn
