// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/kernels.h"

#include "engine/base/text.h"
#include "engine/spyre/tiling/hbm_pool.h"
#include "engine/spyre/tiling/kernel_fusion.h"
#include "engine/spyre/tiling/loop_access.h"
#include "engine/spyre/tiling/loop_tree.h"

#include <algorithm>
#include <set>

namespace memplan::spyre {
namespace {

constexpr std::size_t kSummaryLength = 100;  ///< kernel names become folder names

struct PoolCandidate {
    bool written = false, read = false, ineligible = false;
    bool touched = false;
    StepRange life;
    const Op* writer = nullptr;

    void touch(std::size_t at) {
        const auto step = static_cast<Step>(at);
        if (!touched) life.begin = step;
        life.end = step + 1;
        touched = true;
    }
};

std::vector<PoolCandidate> poolCandidates(const State& state) {
    const Program& program = state.program;
    std::vector<PoolCandidate> found(program.buffers.size());
    const LoopExtents loops(program);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        const bool outside = op.kind == OpClass::Extern && !op.isAllocation();
        for (const Access& read : op.reads) {
            PoolCandidate& c = found[read.buffer.at()];
            c.touch(i);
            c.read = true;
            c.ineligible = c.ineligible || outside;
            if (op.loop.isTiled()) c.life.end = std::max(c.life.end, loops.endOfLoopWithout(op, c.writer));
        }
        std::vector<BufferId> written = op.extraWrites;
        if (op.write.buffer.isValid()) written.push_back(op.write.buffer);
        for (const BufferId b : written) {
            PoolCandidate& c = found[b.at()];
            c.touch(i);
            if (op.isAllocation()) continue;
            c.written = true;
            c.writer = c.writer == nullptr ? &op : c.writer;
            c.ineligible = c.ineligible || outside || op.kind == OpClass::Constant;
        }
    }
    return found;
}

/// Kernels of one planned program.
class KernelBuilder {
public:
    explicit KernelBuilder(const State& state) : state_(state), program_(state.program) {}

    Result<std::vector<Kernel>> run(bool fusionEnabled) {
        const bool hasPool = program_.pool.size > 0;
        std::vector<FusionNode> nodes;
        for (const LoopNode& n : program_.loopTree)
            nodes.push_back(fusionNode(n));
        Result<std::vector<std::vector<int>>> fused = fuseNodes(nodes, hasPool, fusionEnabled);
        if (!fused) return std::move(fused).error();
        std::vector<Kernel> kernels;
        for (const std::vector<int>& members : fused.value()) {
            Kernel k;
            k.tensorLimit = kernelTensorLimit(hasPool);
            for (const int at : members) {
                const auto position = static_cast<std::size_t>(at);
                k.isFallback = k.isFallback || nodes[position].kind == FusionNode::Kind::Fallback;
                k.nodes.push_back(program_.loopTree[position]);
                collectOps(program_.loopTree[position], k.ops);
            }
            bind(k);
            name(k);
            kernels.push_back(std::move(k));
        }
        markBoundaries(kernels);
        return kernels;
    }

    [[nodiscard]] std::vector<OversizedLoop> oversized() const {
        const int limit = kernelTensorLimit(program_.pool.size > 0);
        std::vector<OversizedLoop> found;
        for (const LoopNode& n : program_.loopTree) {
            if (!n.isLoop()) continue;
            const auto tensors = static_cast<int>(fusionNode(n).external.size());
            if (tensors > limit) found.push_back({static_cast<std::size_t>(n.path.front()), tensors, limit});
        }
        return found;
    }

private:
    const State& state_;
    const Program& program_;
    int number_ = 0;

    [[nodiscard]] bool isExternal(BufferId b) const {
        const auto& entries = state_.scratchpad.entries;
        const bool onChip = b.at() < entries.size() && entries[b.at()].address.has_value();
        return !onChip && !program_.pool.offsets.contains(b);
    }

    [[nodiscard]] FusionNode fusionNode(const LoopNode& node) const {
        FusionNode out;
        std::vector<OpId> ops;
        collectOps(node, ops);
        out.name = program_.ops[ops.front().at()].name;
        if (node.isLoop()) {
            out.kind = FusionNode::Kind::Loop;
            out.name = "loop " + std::to_string(node.path.front());
        } else if (!program_.ops[node.op.at()].isComputed()) {
            out.kind = FusionNode::Kind::Fallback;
        }
        std::set<int> external;
        for (const OpId id : ops) {
            const Op& op = program_.ops[id.at()];
            for (const Access& read : op.reads)
                note(read.buffer, external);
            if (op.write.buffer.isValid()) note(op.write.buffer, external);
            for (const BufferId extra : op.extraWrites)
                note(extra, external);
        }
        out.external.assign(external.begin(), external.end());
        return out;
    }

    void note(BufferId b, std::set<int>& external) const {
        if (isExternal(b)) external.insert(b.index);
    }

    /// Tensors that are only read by first use, then those that are written.
    void bind(Kernel& k) const {
        std::vector<BufferId> read;
        std::vector<BufferId> written;
        const auto add = [&](std::vector<BufferId>& list, BufferId b) {
            if (isExternal(b) && std::find(list.begin(), list.end(), b) == list.end()) list.push_back(b);
        };
        for (const OpId id : k.ops) {
            const Op& op = program_.ops[id.at()];
            for (const Access& a : op.reads)
                add(read, a.buffer);
            if (op.write.buffer.isValid()) add(written, op.write.buffer);
            for (const BufferId extra : op.extraWrites)
                add(written, extra);
        }
        std::erase_if(read, [&](BufferId b) { return std::find(written.begin(), written.end(), b) != written.end(); });
        k.arguments = std::move(read);
        k.arguments.insert(k.arguments.end(), written.begin(), written.end());
        k.externalTensors = static_cast<int>(k.arguments.size());
    }

    void name(Kernel& k) {
        if (k.isFallback) {
            k.name = program_.ops[k.ops.front().at()].name;
            return;
        }
        std::set<std::string> functions;
        for (const OpId id : k.ops)
            functions.insert(program_.ops[id.at()].fn);
        std::string summary = text::join({functions.begin(), functions.end()}, "_");
        if (summary.size() > kSummaryLength) summary.resize(kSummaryLength);
        for (char& c : summary) {
            const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!plain) c = '_';
        }
        k.name = "sdsc_fused_" + summary + "_" + std::to_string(number_++);
    }

    /// Pinned buffers that the runtime would have to keep between two kernels (spyre-scratchpad 14.6).
    void markBoundaries(std::vector<Kernel>& kernels) const {
        const auto& entries = state_.scratchpad.entries;
        std::vector<Step> ends;  // ascending: kernels stand in run order
        for (std::size_t k = 0; k + 1 < kernels.size(); ++k)
            ends.push_back(kernels[k].ops.back().index);
        for (std::size_t b = 0; b < entries.size(); ++b) {
            if (!entries[b].address) continue;
            const StepRange life = entries[b].life;
            const auto first = std::lower_bound(ends.begin(), ends.end(), life.begin);
            for (auto at = first; at != ends.end() && *at < life.end - 1; ++at) {
                Kernel& kernel = kernels[static_cast<std::size_t>(at - ends.begin())];
                kernel.liveAcross.push_back(BufferId::of(b));
                kernel.nonTerminal = true;
            }
        }
    }
};

}  // namespace

HbmPool poolOf(const State& state) {
    const Program& program = state.program;
    const auto& entries = state.scratchpad.entries;
    const std::vector<PoolCandidate> candidates = poolCandidates(state);
    std::vector<PoolBuffer> buffers;
    std::vector<BufferId> ids;
    for (std::size_t b = 0; b < candidates.size(); ++b) {
        const PoolCandidate& c = candidates[b];
        const Buffer& buffer = program.buffers[b];
        const bool onChip = b < entries.size() && entries[b].address.has_value();
        const bool isResult = buffer.isOutput || buffer.outputIsView;
        if (!c.written || !c.read || c.ineligible || onChip || isResult) continue;
        if (buffer.kind != BufferKind::Computed || !buffer.layout) continue;
        buffers.push_back({buffer.name, c.life, buffer.layout->deviceBytes()});
        ids.push_back(BufferId::of(b));
    }
    const PoolLayout layout = allocatePool(buffers);
    HbmPool pool;
    pool.size = layout.size;
    pool.peak = layout.peak;
    if (layout.largestAtPeak) pool.largestAtPeak = ids[*layout.largestAtPeak];
    for (std::size_t i = 0; i < ids.size(); ++i)
        pool.offsets[ids[i]] = layout.offsets[i];
    return pool;
}

Result<std::vector<LoopNode>> loopTreeOf(const Program& program) {
    std::vector<LoopTreeItem> items;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        if (op.isAllocation()) continue;
        LoopTreeItem item{op.name, std::nullopt, {}, OpId::of(i)};
        if (op.loop.isTiled()) item.path = op.loop.groupId;
        for (const std::int64_t count : op.loop.counts)
            item.counts.push_back({count, {}});
        items.push_back(std::move(item));
    }
    return buildLoopTree(items);
}

Result<std::vector<Kernel>> kernelsOf(const State& state, bool fusionEnabled) {
    return KernelBuilder(state).run(fusionEnabled);
}

std::vector<OversizedLoop> oversizedLoops(const State& state) {
    return KernelBuilder(state).oversized();
}

void collectOps(const LoopNode& node, std::vector<OpId>& ops) {
    if (!node.isLoop()) ops.push_back(node.op);
    for (const LoopNode& child : node.body)
        collectOps(child, ops);
}

}  // namespace memplan::spyre
