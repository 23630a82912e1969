// SPDX-License-Identifier: Apache-2.0
#include "engine/torchwright/scheduler/costs.h"

namespace memplan::torchwright {

int liveAddHeads(Columns width, Columns dHead) {
    const auto headsOfChunk = [dHead](Columns chunk) { return 2 * chunk <= dHead ? 1 : 2; };
    const Columns rest = width % dHead;
    const int whole = width / dHead * headsOfChunk(dHead);
    return whole + (rest > 0 ? headsOfChunk(rest) : 0);
}

int attentionHeads(const Node& node, Columns dHead) {
    if (node.is(NodeKind::Attn)) return headsFor(node.attn().v, dHead);
    if (node.is(NodeKind::Linear)) return headsFor(node.linear().inputWidth, dHead);
    return liveAddHeads(node.width, dHead);
}

}  // namespace memplan::torchwright
