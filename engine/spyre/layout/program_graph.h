// SPDX-License-Identifier: Apache-2.0
// A program as the layout search sees it: buffers are the values.
#pragma once

#include "engine/base/result.h"
#include "engine/spyre/layout/choose.h"
#include "engine/spyre/program.h"

#include <vector>

namespace memplan::spyre {

/// Nodes parallel to program.ops; values parallel to program.buffers, filled for what no op writes (inputs:
/// their layout) and for further results of fallback kernels. LAY-004 when an op reads a buffer that
/// nobody provides. The graph points into `program`, which must outlive it unchanged in size.
[[nodiscard]] Result<LayoutGraph> layoutGraphOf(const Program& program);

/// Gives every input without a layout the one that a transfer to the device makes: row major, natural order.
/// A weight is transferred once and ahead of time, so trailing dimensions of extent 1 do not become its stick
/// (the 1 x 1 kernel of a convolution would fill 64 times its size). Also lays out every buffer that is only
/// written in place.
void setGivenLayouts(Program& program);

}  // namespace memplan::spyre
