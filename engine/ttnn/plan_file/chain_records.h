// SPDX-License-Identifier: Apache-2.0
// Chains, edges, reservations, merges and goal figures in a plan file.
#pragma once

#include "engine/ttnn/plan_file/layout_records.h"

namespace memplan::io {

template <> struct Record<ttnn::ChainFailure> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& f) {
        file.orNull("producer", f.producer);
        file.orNull("consumer", f.consumer);
        file.member("operand", f.operand);
        file.member("stage", f.stage);
        file.table("reasons", f.reasons);
    }
};

template <> struct Record<ttnn::ChainCounters> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& c) {
        file.member("edges_checked", c.edgesChecked);
        file.member("model_calls", c.modelCalls);
        file.member("cache_hits", c.cacheHits);
        file.member("rounds", c.rounds);
        file.member("visits", c.visits);
    }
};

template <> struct Record<ttnn::ChainInfo> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& c) {
        file.member("ops", c.ops);
        file.member("state", c.state);
        file.member("ended_by", c.endedBy);
        file.orNull("ended_at", c.endedAt);
        file.sparse("ended_operand", c.endedOperand, c.endedOperand != 0);
        file.member("spill", c.spill);
        file.sparse("is_concat", c.isConcat, c.isConcat);
        file.sparse("is_reshape", c.isReshape, c.isReshape);
        file.sparse("preferred", c.preferred, c.preferred.has_value());
        file.sparse("failure", c.failure, c.failure.has_value());
        file.sparse("suggestions", c.suggestions);
        file.member("counters", c.counters);
        file.member("core_usage", c.coreUsage);
    }
};

/// An edge inside a chain: the counts, not the pairs, which a compile makes again.
template <> struct Record<ttnn::EdgeInfo> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& e) {
        file.orNull("producer", e.producer);
        file.member("consumer", e.consumer);
        file.member("operand", e.operand);
        file.member("chain", e.chain);
        file.member("producer_configs", e.producerConfigs);
        file.member("consumer_configs", e.consumerConfigs);
        file.member("selected", e.selected);
        file.sparse("reshard", e.reshard, e.reshard.has_value());
        file.sparse("is_resharded", e.isResharded, e.isResharded);
        file.member("origin", e.origin);
    }
};

template <> struct Record<ttnn::Reservation> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& r) {
        file.member("source", r.source);
        file.member("start", r.positions.begin);
        file.member("end", r.positions.end);
        file.atLeast("bytes", r.bytes, 0);
        file.member("purpose", r.purpose);
    }
};

template <> struct Record<ttnn::MergeInfo> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& m) {
        file.member("kind", m.kind);
        file.member("sources", m.sources);
        file.member("target", m.target);
        file.orNull("join_op", m.joinOp);
        file.member("operand", m.operand);
        file.member("bytes", m.bytes);
        file.member("accepted", m.isAccepted);
        file.orNull("rejected_by", m.rejectedBy);
        file.orNull("rejected_at", m.rejectedAt);
        file.sparse("needed", m.needed, m.needed != 0);
        file.sparse("available", m.available, m.available != 0);
        file.sparse("message", m.message);
    }
};

template <> struct Record<TtnnGoals> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& g) {
        file.member("resident_bytes", g.residentBytes);
        file.member("read_bytes", g.readBytes);
        file.member("dram_bytes", g.dramBytes);
        file.member("sharded_ops", g.shardedOps);
        file.member("tensor_ops", g.tensorOps);
        file.member("forced_reshards", g.forcedReshards);
        file.member("override_reshards", g.overrideReshards);
        file.member("proactive_reshards", g.proactiveReshards);
        file.member("reshard_bytes", g.reshardBytes);
        file.member("spills", g.spills);
        file.member("core_utilisation", g.coreUtilisation);
        file.member("mean_cores", g.meanCores);
        file.member("core_usage_sum", g.coreUsageSum);
        file.member("validated_ops", g.validatedOps);
        file.member("unmodelled_ops", g.unmodelledOps);
        file.member("estimated_ns", g.estimatedNs);
        file.member("conversion_ns", g.conversionNs);
        file.sparse("lower_bound_ns", g.lowerBoundNs, g.lowerBoundNs.has_value());
    }
};

template <> struct Record<ttnn::Device> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& d) {
        file.member("arch", d.arch);
        file.member("worker_grid", std::tie(d.workers.rows, d.workers.cols));
        file.member("l1_size", d.l1Size);
        file.member("l1_unreserved_base", d.unreservedBase);
        file.member("dram_channels", d.dramChannels);
        file.member("dram_channel_size", d.dramChannelSize);
        file.member("dram_grid", std::tie(d.dramGrid.rows, d.dramGrid.cols));
        file.member("l1_alignment", d.l1Alignment);
        file.member("dram_alignment", d.dramAlignment);
        file.member("circular_buffers", d.circularBuffers);
        file.member("clock_ghz", d.clockGHz);
        file.member("dram_gbps", d.dramGBps);
    }
};

}  // namespace memplan::io
