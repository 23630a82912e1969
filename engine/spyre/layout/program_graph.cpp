// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/layout/program_graph.h"

#include "engine/spyre/layout/coordinates.h"
#include "engine/spyre/layout/stick_layout.h"

namespace memplan::spyre {
namespace {

/// Who provides each buffer.
enum class Provider : std::uint8_t { None, Given, Op, ScalarConstant };

std::vector<Provider> providersOf(const Program& program) {
    std::vector<Provider> out(program.buffers.size(), Provider::None);
    for (std::size_t b = 0; b < out.size(); ++b) {
        if (program.buffers[b].kind != BufferKind::Computed) out[b] = Provider::Given;
    }
    for (const Op& op : program.ops) {
        if (op.write.buffer.isValid() && op.kind != OpClass::Mutation) {
            const bool scalar = op.kind == OpClass::Constant && program.buffers[op.write.buffer.at()].size.empty();
            Provider& p = out[op.write.buffer.at()];
            if (p != Provider::Given) p = scalar ? Provider::ScalarConstant : Provider::Op;
        }
        for (const BufferId b : op.extraWrites)
            out[b.at()] = Provider::Op;
    }
    for (const Op& op : program.ops) {
        // A buffer that is put together from in-place writes alone is there before the first of them.
        if (op.kind == OpClass::Mutation && out[op.write.buffer.at()] == Provider::None) {
            out[op.write.buffer.at()] = Provider::Given;
        }
    }
    return out;
}

Result<LayoutGraph::Node> nodeOf(const Program& program, const Op& op, const std::vector<Provider>& providers) {
    LayoutGraph::Node node{&op, {}, nullptr, -1, false};
    if (op.write.buffer.isValid()) {
        node.output = &program.buffers[op.write.buffer.at()];
        node.value = op.write.buffer.index;
    }
    // An op without a result, or one that writes into a value that is there already, decides nothing.
    node.mutates = node.output == nullptr || op.kind == OpClass::Mutation ||
                   (op.kind == OpClass::Extern && (op.impure && node.output->kind != BufferKind::Computed));
    node.reads.reserve(op.reads.size());
    for (const Access& a : op.reads) {
        const Buffer& buffer = program.buffers[a.buffer.at()];
        const Provider provider = providers[a.buffer.at()];
        if (provider == Provider::None) {
            return unsupported("LAY-004", op.name, "missing device_tensor_layout on graph input " + buffer.name);
        }
        node.reads.push_back({&buffer, &a.index, a.buffer.index, provider == Provider::ScalarConstant});
    }
    return node;
}

StickLayout transferLayout(const Buffer& buffer) {
    const bool isWeight = buffer.kind == BufferKind::Parameter || buffer.kind == BufferKind::Constant;
    std::size_t stick = buffer.size.size();
    while (stick > 0 && buffer.size[stick - 1] == 1)
        --stick;
    if (!isWeight || stick == 0 || stick == buffer.size.size()) return fallbackLayout(buffer);
    DimOrder order;
    for (std::size_t d = 0; d < buffer.size.size(); ++d) {
        if (d != stick - 1) order.push_back(static_cast<int>(d));
    }
    order.push_back(static_cast<int>(stick - 1));
    Result<StickLayout> layout = buildFoldedLayout(buffer, order);
    return layout ? std::move(layout).value() : fallbackLayout(buffer);
}

}  // namespace

Result<LayoutGraph> layoutGraphOf(const Program& program) {
    LayoutGraph graph;
    graph.values.resize(program.buffers.size());
    const std::vector<Provider> providers = providersOf(program);
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        if (providers[b] != Provider::Given) continue;
        const Buffer& buffer = program.buffers[b];
        graph.give(static_cast<int>(b), buffer.layout ? *buffer.layout : transferLayout(buffer));
    }
    graph.nodes.reserve(program.ops.size());
    for (const Op& op : program.ops) {
        for (const BufferId b : op.extraWrites)
            graph.give(b.index, fallbackLayout(program.buffers[b.at()]));
        Result<LayoutGraph::Node> node = nodeOf(program, op, providers);
        if (!node) return std::move(node).error();
        graph.nodes.push_back(std::move(node).value());
    }
    return graph;
}

void setGivenLayouts(Program& program) {
    const std::vector<Provider> providers = providersOf(program);
    for (std::size_t b = 0; b < providers.size(); ++b) {
        Buffer& buffer = program.buffers[b];
        if (providers[b] == Provider::Given && !buffer.layout) buffer.layout = transferLayout(buffer);
    }
}

}  // namespace memplan::spyre
