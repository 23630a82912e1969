// SPDX-License-Identifier: Apache-2.0
// Heads and slots of an operation (torchwright.md 6).
#pragma once

#include "engine/torchwright/graph/node.h"

namespace memplan::torchwright {

/// Heads that move this many columns.
[[nodiscard]] constexpr int headsFor(Columns columns, Columns dHead) {
    return (columns + dHead - 1) / dHead;
}
/// Heads of an Add of which both addends live on: a chunk of both fits one head when it fills at most half of it.
[[nodiscard]] int liveAddHeads(Columns width, Columns dHead);
/// The same as the original counts it: always two groups of heads.
[[nodiscard]] constexpr int upstreamAddHeads(Columns width, Columns dHead) {
    return 2 * headsFor(width, dHead);
}
/// Heads of an Attn, of a Linear in attention, of an Add with two addends that live on.
[[nodiscard]] int attentionHeads(const Node& node, Columns dHead);

}  // namespace memplan::torchwright
