// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/chains/scheduler.h"
#include "engine/ttnn/policies/interleaved.h"

#include <algorithm>

namespace memplan::ttnn {
namespace {

/// Schedules the ready operation that changes the use of L1 least.
class BfPolicy {
public:
    explicit BfPolicy(const PolicyInput& input)
        : ops_(input), flow_(input.function), scheduler_(flow_), limit_(input.model.options().limit),
          inL1_(flow_.size(), false), readersLeft_(flow_.size(), 0) {
        solution_.configs.resize(flow_.size());
        for (const OperationId id : input.function.order)
            for (const OperationId producer : ops_.producers(id))
                ++readersLeft_[producer.at()];
    }

    Solution run() {
        while (!scheduler_.isDone())
            schedule(cheapest());
        for (std::size_t i = 0; i < inL1_.size(); ++i)
            if (inL1_[i]) solution_.configs[i] = *ops_.l1Config(OperationId::of(i));
        solution_.schedule = scheduler_.schedule();
        return std::move(solution_);
    }

private:
    [[nodiscard]] Bytes bytesOf(OperationId op) const { return ops_.l1Config(op)->output->shardBytes(); }
    [[nodiscard]] Bytes change(OperationId op) const;
    [[nodiscard]] OperationId cheapest() const;
    void schedule(OperationId op);
    /// Makes room where the operation does not even fit with its output in DRAM: the largest values never were in L1.
    void makeRoom(OperationId op);
    [[nodiscard]] Bytes additional(OperationId op) const;
    void drop(OperationId op);

    InterleavedOps ops_;
    Flow flow_;
    Scheduler scheduler_;
    Bytes limit_, used_ = 0;
    std::vector<bool> inL1_;
    std::vector<OperationId> live_;
    std::vector<int> readersLeft_;
    Solution solution_;
};

Bytes BfPolicy::change(OperationId op) const {
    Bytes change = 0;
    if (ops_.mayStayInL1(op) && used_ + bytesOf(op) <= limit_) change += bytesOf(op);
    for (const OperationId producer : ops_.producers(op))
        if (inL1_[producer.at()] && readersLeft_[producer.at()] == 1) change -= bytesOf(producer);
    return change;
}

OperationId BfPolicy::cheapest() const {
    const std::vector<OperationId> ready = scheduler_.ready();
    OperationId best = ready.front();
    Bytes least = change(best);
    for (const OperationId op : ready) {
        const Bytes bytes = change(op);
        if (bytes >= least) continue;
        least = bytes;
        best = op;
    }
    return best;
}

Bytes BfPolicy::additional(OperationId op) const {
    Bytes bytes = used_;
    for (const OperationId producer : ops_.producers(op))
        if (inL1_[producer.at()]) bytes -= bytesOf(producer);
    return bytes;
}

void BfPolicy::drop(OperationId op) {
    inL1_[op.at()] = false;
    used_ -= bytesOf(op);
    std::erase(live_, op);
}

void BfPolicy::makeRoom(OperationId op) {
    const OpConfig* config = ops_.dramConfig(op);
    if (!config) return;
    while (!live_.empty()) {
        const Validation validation = ops_.validate(op, *config, inL1_, additional(op));
        if (validation.ok()) return;
        const auto largest = std::max_element(live_.begin(), live_.end(),
                                              [this](OperationId a, OperationId b) { return bytesOf(a) < bytesOf(b); });
        drop(*largest);
    }
}

void BfPolicy::schedule(OperationId op) {
    makeRoom(op);
    scheduler_.schedule(op);
    const bool fits = ops_.mayStayInL1(op) && used_ + bytesOf(op) <= limit_ && readersLeft_[op.at()] > 0 &&
                      ops_.validate(op, *ops_.l1Config(op), inL1_, additional(op)).ok();
    for (const OperationId producer : ops_.producers(op)) {
        if (--readersLeft_[producer.at()] > 0 || std::find(live_.begin(), live_.end(), producer) == live_.end())
            continue;
        used_ -= bytesOf(producer);
        std::erase(live_, producer);
    }
    if (fits) {
        inL1_[op.at()] = true;
        used_ += bytesOf(op);
        live_.push_back(op);
    }
}

}  // namespace

Solution bfInterleaved(const PolicyInput& input) {
    return BfPolicy(input).run();
}

}  // namespace memplan::ttnn
