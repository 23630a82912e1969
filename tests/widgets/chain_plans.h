// SPDX-License-Identifier: GPL-3.0-or-later
// Plans with L1 chains for tests of their view, written by hand.
#pragma once

#include "engine/plan/ttnn_data.h"

#include <string>

namespace memplan::fixture {

/// A sharded or interleaved layout of tiles.
inline ttnn::Layout tiles(ttnn::BufferType buffer, ttnn::MemLayout mem, ttnn::Grid grid) {
    ttnn::Layout layout;
    layout.buffer = buffer;
    layout.mem = mem;
    layout.grid = grid;
    layout.shard = {4, 8};
    return layout;
}

class ChainPlan {
public:
    ChainPlan() {
        data_->policy = "DFSharding";
        data_->hasChains = true;
        plan_->target = "ttnn";
        plan_->memory.capacity = 1423206;
    }

    /// Reads the results of `from`.
    OpId op(const std::string& name, const ttnn::Layout& layout, std::vector<OpId> from = {}) {
        const OpId id{static_cast<int>(plan_->ops.size())};
        PlanBuffer result;
        result.name = name;
        result.producer = id;
        result.space = layout.isInL1() ? MemorySpace::L1 : MemorySpace::Dram;
        result.life = {id.index, id.index + 1};
        PlanOp made;
        made.name = name;
        made.outputs = {BufferId{static_cast<int>(plan_->buffers.size())}};
        TtnnOp record;
        record.name = "ttnn." + name.substr(0, name.find('_'));
        for (const OpId f : from) {
            made.inputs.push_back(plan_->op(f).outputs.front());
            plan_->buffers[made.inputs.back().at()].life.end = id.index + 1;
        }
        record.results = {{made.outputs.front(), layout}};
        record.status = "Success";
        record.tensorL1 = record.need = layout.isInL1() ? layout.shardBytes() : 0;
        plan_->buffers.push_back(result);
        plan_->ops.push_back(made);
        data_->ops.push_back(record);
        data_->record.ops.emplace_back();
        return id;
    }

    int chain(std::vector<OpId> ops, ttnn::ChainState state, ttnn::EndedBy why, ttnn::SpillLocation spill) {
        ttnn::ChainInfo info;
        info.ops = std::move(ops);
        info.state = state;
        info.endedBy = why;
        info.spill = spill;
        data_->record.chains.push_back(info);
        return static_cast<int>(data_->record.chains.size()) - 1;
    }

    [[nodiscard]] TtnnData& data() { return *data_; }
    [[nodiscard]] Plan& plan() { return *plan_; }
    [[nodiscard]] PlanPtr made() {
        plan_->targetData = data_;
        return plan_;
    }

private:
    std::shared_ptr<TtnnData> data_ = std::make_shared<TtnnData>();
    std::shared_ptr<Plan> plan_ = std::make_shared<Plan>();
};

/// Two chains that join, one of them kept by a merge and one merge refused, a chain that failed, an operation in none.
inline PlanPtr fourChains(bool hasPairs = true) {
    using enum ttnn::MemLayout;
    const ttnn::Layout rows = tiles(ttnn::BufferType::L1, HeightSharded, {64, 1});
    const ttnn::Layout blocks = tiles(ttnn::BufferType::L1, BlockSharded, {8, 8});
    const ttnn::Layout dram = tiles(ttnn::BufferType::Dram, Interleaved, {1, 1});
    ChainPlan p;
    const OpId conv = p.op("conv2d_a", rows), relu = p.op("relu_a", rows, {conv});
    const OpId product = p.op("matmul_b", blocks), add = p.op("add_c", rows, {relu, product});
    const OpId softmax = p.op("softmax_d", dram, {add});
    const OpId silu = p.op("silu_e", dram, {softmax}), failed = p.op("matmul_e", dram, {silu});
    const int first =
        p.chain({conv, relu, add}, ttnn::ChainState::Completed, ttnn::EndedBy::NotShardable, ttnn::SpillLocation::Dram);
    p.data().record.chains[0].endedAt = softmax;
    const int second =
        p.chain({product}, ttnn::ChainState::Completed, ttnn::EndedBy::NotFirstOperand, ttnn::SpillLocation::None);
    p.data().record.chains[1].endedAt = add;
    p.data().record.chains[1].endedOperand = 1;
    const int third =
        p.chain({silu, failed}, ttnn::ChainState::Failed, ttnn::EndedBy::Returned, ttnn::SpillLocation::None);
    ttnn::ChainFailure why;
    why.producer = silu;
    why.consumer = failed;
    why.stage = "edge";
    why.reasons = {{"needs 1 867 840 bytes", 3}, {"other grid", 60}};
    p.data().record.chains[2].failure = why;
    ttnn::EdgeInfo edge;
    edge.producer = conv;
    edge.consumer = relu;
    edge.chain = first;
    edge.producerConfigs = edge.consumerConfigs = 3;
    if (hasPairs) {
        edge.paths = {{0, 0}, {0, 1}, {1, 1}};
        edge.dropped = {0, 2, 1};
    }
    edge.selected = {0, 0};
    ttnn::EdgeInfo dead = edge;
    dead.producer = silu;
    dead.consumer = failed;
    dead.chain = third;
    dead.paths.clear();
    dead.dropped.clear();
    dead.selected = {-1, -1};
    p.data().record.edges = {edge, dead};
    ttnn::MergeInfo merge;
    merge.sources = {second};
    merge.target = first;
    merge.joinOp = add;
    merge.operand = 1;
    merge.bytes = 65536;
    merge.isAccepted = true;
    ttnn::MergeInfo refused = merge;
    refused.kind = ttnn::MergeKind::ThreeWay;
    refused.isAccepted = false;
    refused.rejectedAt = add;
    refused.needed = 1460288;
    refused.available = 1423206;
    p.data().record.merges = {merge, refused};
    p.data().record.reservations = {{product, {2, 4}, 65536, "merge"}};
    p.data().ops[3].reserved = 0;
    p.data().ops[2].reserved = 65536;
    p.data().ops[2].need += 65536;
    auto& record = p.data().record.ops[0];
    if (!hasPairs) return p.made();  // a plan file holds neither configurations nor pairs
    record.sharded = {rows, blocks, rows};
    const auto kernel = [](std::int64_t height) {
        ttnn::Conv2dConfig config;
        config.actBlockHOverride = height;
        return ttnn::Conv2dAttrs{config, {}};
    };
    record.kernels = {kernel(0), kernel(0), kernel(64)};
    record.clearedEdge = {-1, 0, -2};
    record.clearedRound = {0, 2, 0};
    record.acc = {128, 96, 0};
    record.selected = 0;
    return p.made();
}

/// Two operations with two configurations each, and nothing else: no pair fits. The first configuration may be gone
/// before the edge was checked.
inline PlanPtr failedChain(bool isFirstGone = false) {
    const ttnn::Layout rows = tiles(ttnn::BufferType::L1, ttnn::MemLayout::HeightSharded, {64, 1});
    const ttnn::Layout columns = tiles(ttnn::BufferType::L1, ttnn::MemLayout::WidthSharded, {1, 64});
    const ttnn::Layout dram = tiles(ttnn::BufferType::Dram, ttnn::MemLayout::Interleaved, {1, 1});
    ChainPlan p;
    const OpId silu = p.op("silu_a", dram), product = p.op("matmul_a", dram, {silu});
    p.chain({silu, product}, ttnn::ChainState::Failed, ttnn::EndedBy::Returned, ttnn::SpillLocation::None);
    ttnn::EdgeInfo dead;
    dead.producer = silu;
    dead.consumer = product;
    dead.chain = 0;
    dead.producerConfigs = dead.consumerConfigs = 2;
    using enum ttnn::PairAnswer;
    dead.answers = {2, {OutOfMemory, OtherLayout, Refused, OutOfMemory}, 44, {1, 1}, columns, 1867840, 1423206};
    if (isFirstGone) dead.answers.list[0] = dead.answers.list[1] = NotAsked;
    p.data().record.edges = {dead};
    p.data().record.chains[0].failure = ttnn::ChainFailure{silu, product, 0, "edge", {}};
    for (const OpId op : {silu, product})
        p.data().record.ops[op.at()].sharded = {rows, columns};
    return p.made();
}

/// As many operations in chains of four.
inline PlanPtr manyChains(int operations) {
    const ttnn::Layout rows = tiles(ttnn::BufferType::L1, ttnn::MemLayout::HeightSharded, {64, 1});
    ChainPlan p;
    std::vector<OpId> chain;
    for (int i = 0; i < operations; ++i) {
        chain.push_back(
            p.op("add_" + std::to_string(i), rows, i > 0 ? std::vector<OpId>{OpId{i - 1}} : std::vector<OpId>{}));
        if (chain.size() < 4) continue;
        p.chain(std::move(chain), i % 40 == 39 ? ttnn::ChainState::Failed : ttnn::ChainState::Completed,
                ttnn::EndedBy::NoNext, ttnn::SpillLocation::Dram);
        chain.clear();
    }
    return p.made();
}

}  // namespace memplan::fixture
