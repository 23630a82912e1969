// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/kernel_fusion.h"

#include <algorithm>
#include <set>

namespace memplan::spyre {
namespace {

constexpr int kSegments = 7;  ///< address slots of a kernel, one of them never for a tensor

}  // namespace

int kernelTensorLimit(bool hasPool) {
    return kSegments - (hasPool ? 2 : 1);
}

Result<std::vector<std::vector<int>>> fuseNodes(const std::vector<FusionNode>& nodes, bool hasPool,
                                                bool fusionEnabled) {
    const auto limit = static_cast<std::size_t>(kernelTensorLimit(hasPool));
    std::vector<std::vector<int>> kernels;
    std::vector<int> current;
    std::set<int> tensors;
    const auto close = [&] {
        if (!current.empty()) kernels.push_back(std::move(current));
        current.clear();
        tensors.clear();
    };
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const FusionNode& node = nodes[i];
        if (node.kind == FusionNode::Kind::Loop && node.external.size() > limit) {
            return makeError("CT-009", node.name,
                             "too_many_tensors: loop \"" + node.name + "\" touches " +
                                 std::to_string(node.external.size()) +
                                 " tensors in main memory, a kernel can address " + std::to_string(limit),
                             "tile fewer operations together, or keep more of their tensors on chip or in the pool");
        }
        const bool isPlain = node.kind == FusionNode::Kind::Op && fusionEnabled;
        if (!isPlain) {
            close();
            kernels.push_back({static_cast<int>(i)});
            continue;
        }
        std::set<int> joined = tensors;
        joined.insert(node.external.begin(), node.external.end());
        if (!current.empty() && joined.size() > limit) {
            close();
            joined = std::set<int>(node.external.begin(), node.external.end());
        }
        current.push_back(static_cast<int>(i));
        tensors = std::move(joined);
    }
    close();
    return kernels;
}

}  // namespace memplan::spyre
