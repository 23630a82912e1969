// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/measure/residency.h"

#include "engine/ttnn/measure/views.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

class Builder {
public:
    explicit Builder(const Function& function) : f_(function) { r_.tensorOf.assign(f_.values.size(), -1); }

    L1Residency run() {
        // An argument that no operation reads is the caller's alone.
        uses_ = usesOf(f_);
        for (const ValueId argument : f_.arguments)
            if (std::ranges::any_of(uses_[argument.at()], isRead)) add(argument, 0);
        for (std::size_t at = 0; at < f_.order.size(); ++at)
            addResults(at);
        extendToReaders();
        r_.live.assign(f_.order.size(), 0);
        for (const L1Tensor& tensor : r_.tensors)
            for (Step p = tensor.positions.begin; p < tensor.positions.end; ++p)
                r_.live[static_cast<std::size_t>(p)] += tensor.bytes;
        return std::move(r_);
    }

private:
    void addResults(std::size_t at) {
        const Operation& op = f_.operation(f_.order[at]);
        for (const ValueId result : op.results) {
            if (result == op.results.front() && isViewInL1(f_, op) && slot(op.operands.front()) >= 0)
                r_.tensorOf[result.at()] = slot(op.operands.front());
            else
                add(result, at);
        }
    }
    void add(ValueId value, std::size_t at) {
        const Type& type = f_.typeOf(value);
        if (!type.layout || !type.layout->isInL1()) return;
        r_.tensorOf[value.at()] = static_cast<int>(r_.tensors.size());
        const Step first = static_cast<Step>(at);
        const Step end = f_.order.empty() ? first : first + 1;
        r_.tensors.push_back({value, type.layout->shardBytes(), {first, end}});
    }
    void extendToReaders() {
        std::vector<Step> position(f_.operations.size(), 0);
        for (std::size_t at = 0; at < f_.order.size(); ++at)
            position[f_.order[at].at()] = static_cast<Step>(at);
        for (std::size_t v = 0; v < uses_.size(); ++v) {
            if (r_.tensorOf[v] < 0) continue;
            PositionRange& range = r_.tensors[static_cast<std::size_t>(r_.tensorOf[v])].positions;
            for (const Use& use : uses_[v]) {
                const Step end = use.user.isValid() ? position[use.user.at()] + 1 : static_cast<Step>(f_.order.size());
                range.end = std::max(range.end, end);
            }
        }
    }
    static bool isRead(const Use& use) { return use.user.isValid(); }
    [[nodiscard]] int slot(ValueId value) const { return r_.tensorOf[value.at()]; }

    const Function& f_;
    Uses uses_;
    L1Residency r_;
};

}  // namespace

Bytes L1Residency::others(const Function& function, std::size_t position) const {
    const Operation& op = function.operation(function.order[position]);
    std::vector<int> own;
    for (const auto* values : {&op.operands, &op.results})
        for (const ValueId value : *values)
            if (tensorOf[value.at()] >= 0) own.push_back(tensorOf[value.at()]);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    Bytes bytes = live[position];
    for (const int slot : own)
        bytes -= tensors[static_cast<std::size_t>(slot)].bytes;
    return bytes;
}

L1Residency residencyOf(const Function& function) {
    return Builder(function).run();
}

}  // namespace memplan::ttnn
