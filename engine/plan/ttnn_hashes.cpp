// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/ttnn_hashes.h"

#include "engine/plan/part_text.h"
#include "engine/plan/ttnn_data.h"

#include <algorithm>
#include <array>
#include <variant>

namespace memplan {
namespace {

using namespace ttnn;

void addDevice(PartText& text, const TtnnData& data) {
    const Device& d = data.device;
    text.add(d.arch, d.workers.rows, d.workers.cols, d.l1Size, d.unreservedBase, d.dramChannels, d.dramChannelSize,
             d.dramGrid.rows, d.dramGrid.cols, d.l1Alignment, d.dramAlignment, d.circularBuffers, d.clockGHz,
             d.dramGBps);
}

/// Members of an object in a plan file, whose order is nobody's.
template <class T> std::vector<T> sorted(std::vector<T> members) {
    std::ranges::sort(members);
    return members;
}

// ---- operations ------------------------------------------------------------------------------------------------

void addLayout(PartText& text, const Layout& l) {
    text.add(l.buffer, l.mem, l.page, l.dtype, l.ignorePhysicalLayout, l.grid.rows, l.grid.cols, l.shard, l.linear,
             l.mesh);
    for (std::size_t i = 0; l.cores && i < l.cores->size(); ++i) {
        const auto& range = (*l.cores)[i];
        text.add(range.first.x, range.first.y, range.last.x, range.last.y);
    }
}

void addCompute(PartText& text, const std::optional<ComputeConfig>& compute) {
    text.add(compute.has_value());
    if (!compute) return;
    const ComputeConfig& c = *compute;
    text.add(c.mathFidelity, c.mathApproxMode, c.fp32DestAccEn, c.packerL1Acc, c.dstFullSyncEn);
}

void addConfig(PartText&, std::monostate) {}

void addConfig(PartText& text, const Conv2dAttrs& attrs) {
    if (attrs.config) {
        const Conv2dConfig& c = *attrs.config;
        text.add(c.weightsDtype, c.activation, c.deallocateActivation, c.reallocateHaloOutput, c.actBlockHOverride,
                 c.actBlockWDiv, c.reshardIfNotOptimal, c.overrideShardingConfig, c.shardLayout, c.coreGrid);
        text.add(c.transposeShards, c.outputLayout, c.enableActDoubleBuffer, c.enableWeightsDoubleBuffer, c.more);
    }
    addCompute(text, attrs.compute);
}

void addConfig(PartText& text, const Conv3dAttrs& attrs) {
    if (attrs.config) {
        const Conv3dConfig& c = *attrs.config;
        text.add(c.weightsDtype, c.tOutBlock, c.wOutBlock, c.hOutBlock, c.cOutBlock, c.cInBlock, c.more);
    }
    addCompute(text, attrs.compute);
}

void addConfig(PartText& text, const MatmulAttrs& attrs) {
    if (attrs.program) {
        const MatmulProgram& p = *attrs.program;
        text.add(p.kind == MatmulProgram::Kind::Multicast1d, p.gridX, p.gridY, p.in0BlockW, p.outSubblockH,
                 p.outSubblockW, p.outBlockH, p.outBlockW, p.perCoreM, p.perCoreN);
        text.add(p.transposeMcast, p.mcastIn0, p.fuseBatch, p.fusedActivation);
    }
    addCompute(text, attrs.compute);
}

void addLayouts(PartText& text, const TtnnData& data) {
    for (const TtnnOp& op : data.ops) {
        text.add(op.name, sorted(op.attributes), op.conversion, op.status, op.message, op.boundBy, op.cb, op.tensorL1,
                 op.residentInputs, op.reserved, op.need, op.ns, op.dramRead, op.dramWritten, op.locationText);
        for (const auto* tensors : {&op.operands, &op.results})
            for (const TtnnTensor& t : *tensors) {
                text.add(t.buffer);
                addLayout(text, t.layout);
            }
        std::visit([&](const auto& attrs) { addConfig(text, attrs); }, op.config);
    }
}

// ---- record ----------------------------------------------------------------------------------------------------

void addMembership(PartText& text, const TtnnData& data) {
    for (const OpRecord& op : data.record.ops)
        text.add(op.chain, op.whyNone);
}

void addChains(PartText& text, const TtnnData& data) {
    for (const ChainInfo& c : data.record.chains) {
        text.add(c.ops, c.state, c.endedBy, c.endedAt, c.endedOperand, c.spill, c.isConcat, c.isReshape, c.preferred,
                 c.coreUsage);
        const ChainCounters& n = c.counters;
        text.add(n.edgesChecked, n.modelCalls, n.cacheHits, n.rounds, n.visits);
        if (!c.failure) continue;
        const ChainFailure& f = *c.failure;
        text.add(f.producer, f.consumer, f.operand, f.stage, sorted(f.reasons));
    }
}

void addEdges(PartText& text, const TtnnData& data) {
    for (const EdgeInfo& e : data.record.edges) {
        text.add(e.producer, e.consumer, e.operand, e.chain, e.producerConfigs, e.consumerConfigs, e.selected,
                 e.isResharded, e.origin);
        if (e.reshard) addLayout(text, *e.reshard);
    }
}

void addReservations(PartText& text, const TtnnData& data) {
    for (const Reservation& r : data.record.reservations)
        text.add(r.source, r.positions.begin, r.positions.end, r.bytes, r.purpose);
}

void addMerges(PartText& text, const TtnnData& data) {
    for (const MergeInfo& m : data.record.merges)
        text.add(m.kind, m.sources, m.target, m.joinOp, m.operand, m.bytes, m.isAccepted, m.rejectedBy, m.rejectedAt,
                 m.needed, m.available, m.message);
}

void addTotals(PartText& text, const TtnnData& data) {
    const TtnnGoals& g = data.goals;
    text.add(g.residentBytes, g.readBytes, g.dramBytes, g.shardedOps, g.tensorOps, g.forcedReshards, g.overrideReshards,
             g.proactiveReshards, g.reshardBytes, g.spills);
    text.add(g.coreUtilisation, g.meanCores, g.coreUsageSum, g.validatedOps, g.unmodelledOps, g.estimatedNs,
             g.conversionNs, g.lowerBoundNs);
}

void addHead(PartText& text, const TtnnData& data) {
    text.add(data.function, data.policy, data.l1UsageCap, data.hasChains, data.overrides, data.layoutsAsGiven);
}

struct Part {
    std::string_view key;
    void (*add)(PartText& text, const TtnnData& data);
};
constexpr std::array<Part, 9> kParts{{{"overrides", addHead},
                                      {"device", addDevice},
                                      {"layouts", addLayouts},
                                      {"chain_of", addMembership},
                                      {"chains", addChains},
                                      {"edges", addEdges},
                                      {"reservations", addReservations},
                                      {"merges", addMerges},
                                      {"totals", addTotals}}};

}  // namespace

PartHashes ttnnHashes(const Plan& plan) {
    PartHashes hashes = partHashes(plan);
    for (const Part& part : kParts) {
        PartText text;
        part.add(text, ttnnData(plan));
        hashes.emplace_back("target_data " + std::string(part.key), text.hash());
    }
    return hashes;
}

}  // namespace memplan
