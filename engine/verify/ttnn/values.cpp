// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/ttnn/values.h"

#include <algorithm>

namespace memplan::verify::ttnn {

Values::Values(const Plan& plan) : values_(plan.buffers.size()), alive_(plan.ops.size()) {
    const std::vector<TtnnOp>& ops = ttnnData(plan).ops;
    for (std::size_t i = 0; i < values_.size(); ++i) {
        values_[i].storage = BufferId::of(i);
        values_[i].isReturned = plan.buffers[i].role == BufferRole::GraphOutput;
    }
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const auto at = static_cast<Step>(i);
        for (const TtnnTensor& t : ops[i].operands) {
            Value& v = values_[t.buffer.at()];
            if (v.readers.empty() || v.readers.back() != OpId::of(i)) v.readers.push_back(OpId::of(i));
            if (!v.layout) v.layout = t.layout, v.life.begin = 0;
            v.life.end = std::max(v.life.end, at + 1);
        }
        for (const TtnnTensor& t : ops[i].results) {
            Value& v = values_[t.buffer.at()];
            v.producer = OpId::of(i);
            v.layout = t.layout;
            v.life = {at, std::max(v.life.end, at + 1)};
        }
    }
}

void Values::share(BufferId view, BufferId source) {
    values_[view.at()].storage = values_[source.at()].storage;
}

void Values::settle() {
    storageLives_.assign(values_.size(), {});
    for (const Value& v : values_) {
        if (!v.layout || !v.layout->isInL1()) continue;
        StepRange& life = storageLives_[v.storage.at()];
        life = life.isEmpty() ? v.life : StepRange{std::min(life.begin, v.life.begin), std::max(life.end, v.life.end)};
    }
    for (std::size_t i = 0; i < values_.size(); ++i) {
        for (Step at = storageLives_[i].begin; at < storageLives_[i].end; ++at)
            alive_[static_cast<std::size_t>(at)].push_back(BufferId::of(i));
    }
}

Bytes Values::others(Step position, const std::vector<BufferId>& left) const {
    Bytes bytes = 0;
    for (const BufferId storage : alive_[static_cast<std::size_t>(position)]) {
        if (std::ranges::find(left, storage) == left.end()) bytes += values_[storage.at()].layout->shardBytes();
    }
    return bytes;
}

}  // namespace memplan::verify::ttnn
