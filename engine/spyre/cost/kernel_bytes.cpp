// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/kernel_bytes.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace memplan::spyre::cost {
namespace {

bool isExternal(const ArgFeatures& a, Edition edition) {
    if (!a.isInput()) return false;
    return edition == Edition::A ? a.name.starts_with("arg") : a.boundary();
}

/// Elements that move between the core and main memory for one argument (3).
std::int64_t countedElements(const ArgFeatures& a, Edition edition) {
    const std::int64_t base = a.elements * a.loopFactor;
    if (edition == Edition::A) return a.inHbm() ? base : 0;
    if (a.isInput()) return a.inHbm() ? base * (a.broadcast ? 1 : a.replication) : 0;
    if (a.inHbm()) return base * a.replication;
    return a.boundary() ? base : 0;  // the clone-out of a resident graph output still writes it
}

}  // namespace

KernelBytes opBytes(const OpFeatures& op, Edition edition) {
    KernelBytes bytes;
    for (const ArgFeatures& a : op.args)
        (a.isInput() ? bytes.read : bytes.write) += countedElements(a, edition) * op.dtypeBytes;
    return bytes;
}

KernelBytes kernelBytes(std::span<const OpFeatures> ops, Edition edition) {
    KernelBytes bytes;
    std::map<std::string_view, std::int64_t> external;
    for (const OpFeatures& op : ops) {
        for (const ArgFeatures& a : op.args) {
            const std::int64_t moved = countedElements(a, edition) * op.dtypeBytes;
            if (!a.isInput()) {
                bytes.write += moved;
            } else if (isExternal(a, edition)) {
                std::int64_t& most = external[a.name];
                most = std::max(most, moved);
            } else {
                bytes.read += moved;
            }
        }
    }
    for (const auto& [name, moved] : external)
        bytes.read += moved;
    return bytes;
}

std::int64_t lxBytes(const OpFeatures& op) {
    std::int64_t bytes = 0;
    for (const ArgFeatures& a : op.args) {
        if (!a.inHbm()) bytes += a.elements * op.dtypeBytes;
    }
    return bytes;
}

std::int64_t rereadBytes(const OpFeatures& op) {
    if (!op.isMatmul || !op.tilesOutputDim) return 0;
    std::int64_t bytes = 0;
    for (const ArgFeatures& a : op.args) {
        if (a.isInput() && a.inHbm() && a.loopFactor > 1) bytes += a.elements * (a.loopFactor - 1) * op.dtypeBytes;
    }
    return bytes;
}

}  // namespace memplan::spyre::cost
