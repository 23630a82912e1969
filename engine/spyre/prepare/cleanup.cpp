// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/prepare/cleanup.h"

#include <algorithm>
#include <map>

namespace memplan::spyre {
namespace {

/// The ops that read each of the duplicates, in op order.
std::map<int, std::vector<int>> readersOf(const std::vector<ConstantOp>& ops, const std::map<int, int>& keptFor) {
    std::map<int, std::vector<int>> readers;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        for (const int b : ops[i].reads) {
            if (keptFor.count(b) == 0) continue;
            std::vector<int>& list = readers[b];
            if (list.empty() || list.back() != static_cast<int>(i)) list.push_back(static_cast<int>(i));
        }
    }
    return readers;
}

}  // namespace

std::vector<bool> liveOps(const std::vector<LivenessOp>& ops, const std::vector<int>& outputs, int buffers) {
    std::vector<bool> liveBuffer(static_cast<std::size_t>(buffers), false);
    for (const int b : outputs)
        liveBuffer[static_cast<std::size_t>(b)] = true;
    std::vector<bool> live(ops.size(), false);
    for (std::size_t i = ops.size(); i-- > 0;) {
        live[i] = ops[i].hasSideEffects || std::any_of(ops[i].writes.begin(), ops[i].writes.end(),
                                                       [&](int b) { return liveBuffer[static_cast<std::size_t>(b)]; });
        if (!live[i]) continue;
        for (const int b : ops[i].reads)
            liveBuffer[static_cast<std::size_t>(b)] = true;
    }
    return live;
}

Result<ConstantPlan> dedupConstants(const std::vector<ConstantOp>& ops, const std::vector<int>& outputs) {
    ConstantPlan plan;
    std::map<std::string, int> first;  // key -> buffer of the kept constant
    std::map<int, int> keptFor;        // buffer of a duplicate -> buffer that replaces it
    std::vector<int> duplicates;
    std::vector<bool> removed(ops.size(), false);
    for (std::size_t i = 0; i < ops.size(); ++i) {
        if (ops[i].kind != ConstantOp::Kind::Constant) continue;
        const auto [it, isNew] = first.emplace(ops[i].key, ops[i].writes);
        if (isNew) continue;
        keptFor[ops[i].writes] = it->second;
        duplicates.push_back(static_cast<int>(i));
        removed[i] = std::find(outputs.begin(), outputs.end(), ops[i].writes) == outputs.end();
    }
    const std::map<int, std::vector<int>> readers = readersOf(ops, keptFor);
    for (const int d : duplicates) {
        const int from = ops[static_cast<std::size_t>(d)].writes;
        if (const auto it = readers.find(from); it != readers.end()) {
            for (const int op : it->second) {
                if (ops[static_cast<std::size_t>(op)].kind == ConstantOp::Kind::Other) {
                    return makeError("INT-001", "",
                                     "a duplicate constant is read by an operation that is not computed");
                }
                plan.redirects.push_back({op, from, keptFor[from]});
            }
        }
        if (removed[static_cast<std::size_t>(d)]) plan.removed.push_back(d);
    }
    for (const bool constants : {true, false}) {
        for (std::size_t i = 0; i < ops.size(); ++i) {
            if (!removed[i] && (ops[i].kind == ConstantOp::Kind::Constant) == constants)
                plan.order.push_back(static_cast<int>(i));
        }
    }
    return plan;
}

}  // namespace memplan::spyre
