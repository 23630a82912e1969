// SPDX-License-Identifier: Apache-2.0
// How long an operation takes: launch, and the longest of computing, DRAM traffic and traffic between cores
// (ttnn-optimizer 9.5).
#pragma once

#include "engine/ttnn/model/families.h"

namespace memplan::ttnn::model {

/// With that first result; `isView`: nothing runs. Further results are interleaved in DRAM.
[[nodiscard]] Runtime runtimeOf(const Case& c, const Layout& output, bool isView);
/// A tensor and how it lies.
struct Placed {
    const TensorFacts& tensor;
    const Layout& layout;
};
/// What is written counts by its own shape: a module may state another one than that of the operand.
[[nodiscard]] Runtime conversionOf(Placed from, Placed to, const Environment& environment);

}  // namespace memplan::ttnn::model
