// SPDX-License-Identifier: Apache-2.0
// Members of target_data, in the order of the file.
#pragma once

#include "engine/torchwright/plan_file/file_forms.h"
#include "engine/torchwright/plan_file/words.h"

namespace memplan::io {

template <> struct Record<torchwright::file::Op> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& op) {
        file.member("op", op.op);
        file.sparse("node", op.node, op.node.has_value());
        file.sparse("heads", op.heads, op.heads != 0);
        file.member("target", op.target);
        file.sparse("source", op.source);
        file.sparse("source_b", op.sourceB);
        file.sparse("q", op.query);
        file.sparse("k", op.key);
        file.sparse("v", op.value);
        file.sparse("slots", op.slotRange, op.slotRange.has_value());
    }
};

template <> struct Record<torchwright::file::Refusal> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& r) {
        file.member("node", r.node);
        file.member("cause", r.cause);
    }
};

template <> struct Record<torchwright::file::Layer> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& l) {
        file.member("heads", l.heads);
        file.member("slots", l.slotsUsed);
        file.member("params", l.params);
        file.member("occupied_before", l.occupiedBefore);
        file.member("occupied_after", l.occupiedAfter);
        file.member("attn", l.attention);
        file.member("mlp", l.mlp);
        file.member("released", l.released);
        file.table("live_by_annotation", l.liveByAnnotation);
        file.member("binding", l.binding);
        file.member("refused", l.refused);
        file.member("forced_by_order", l.isForcedByOrder);
    }
};

template <> struct Record<torchwright::file::Holding> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& h) {
        file.member("runs", h.columns);
        file.member("first_layer", h.firstLayer);
        file.member("last_layer", h.lastLayer);
    }
};

template <> struct Record<torchwright::file::Node> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& n) {
        file.member("id", n.number);
        file.member("type", n.type);
        file.member("d_output", n.width);
        file.member("inputs", n.inputs);
        file.member("params", n.params);
        file.sparse("name", n.name);
        file.sparse("annotation", n.annotation);
        file.sparse("after", n.after);
        file.sparse("after_missing", n.afterMissing);
        file.sparse("widths", n.widths);
        file.sparse("has_bias", n.hasBias, n.hasBias);
        file.sparse("nnz", n.nonZeros, n.nonZeros >= 0);
        file.sparse("value", n.value);
        file.sparse("value_range", n.range, n.type == "InputNode");
        file.sparse("max_vocab", n.maxVocab, n.maxVocab != 0);
        file.sparse("input_name", n.inputName);
    }
};

template <> struct Record<torchwright::file::Graph> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& g) {
        file.member("name", g.name);
        file.member("output", g.output);
        file.sparse("extra_outputs", g.extraOutputs);
        file.member("pos_encoding", g.position);
        file.member("nodes", g.nodes);
    }
};

template <> struct Record<TorchwrightRun> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& r) {
        file.member("annotation", r.annotation);
        file.member("start", r.start);
        file.member("nodes", r.nodes);
        file.member("real_ops", r.realOps);
        file.member("reach", r.reach);
    }
};

template <> struct Record<TorchwrightPath> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& p) {
        file.member("length_edges", p.lengthEdges);
        file.member("example_path", p.example);
        file.member("real_ops", p.realOps);
        file.member("runs", p.runs);
        file.member("tied_paths", p.tiedPaths);
        file.member("nodes_on_some_longest_path", p.nodesOnSome);
        file.member("upstream_graph_stats_figure", p.upstreamFigure);
        file.member("asap_layers", p.asapLayers);
        file.member("asap_always", p.asapAlways);
        file.member("asap_never", p.asapNever);
        file.member("rule_of_thumb", p.ruleOfThumb);
        file.member("slack", p.slack);
    }
};

template <> struct Record<TorchwrightAnnotation> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& a) {
        file.member("annotation", a.annotation);
        file.member("nodes", a.nodes);
        file.member("neurons", a.neurons);
        file.member("heads", a.heads);
        file.member("graph_params", a.graphParams);
        file.member("nnz", a.nonZeros);
        file.member("upstream_alloc_estimate", a.upstreamEstimate);
        file.member("scheduled_heads", a.scheduledHeads);
        file.member("scheduled_slots", a.scheduledSlots);
        file.member("scheduled_params", a.scheduledParams);
        file.sparse("layer_span", a.layerSpan);
        file.member("share", a.share);
        file.member("density", a.density);
        file.sparse("span_verdict", a.spanVerdict);
        file.sparse("asap_span", a.asapSpan, a.asapSpan != 0);
        file.member("reach", a.reach);
    }
};

template <> struct Record<TorchwrightPlateau> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& p) {
        file.member("first", p.first);
        file.member("last", p.last);
        file.table("avg_columns", p.averageColumns);
        file.table("share", p.share);
        file.member("mean_ops_inside", p.meanOpsInside);
        file.member("mean_ops_outside", p.meanOpsOutside);
    }
};

template <> struct Record<TorchwrightChain> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& c) {
        file.member("terminal", c.terminal);
        file.member("peak_width", c.peakWidth);
        file.member("nodes", c.nodes);
    }
};

template <> struct Record<TorchwrightCluster> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& c) {
        file.member("join", c.join);
        file.member("peak_chain_width", c.peakWidth);
        file.member("chains", c.chains);
        file.member("in_flight", c.inFlight);
        file.member("natural", c.natural);
    }
};

template <> struct Record<TorchwrightProbedNode> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& p) {
        file.member("node", p.node);
        file.member("layer", p.layer);
        file.member("op", p.op);
        file.member("max_error", p.maxError);
        file.member("expected", p.expected);
        file.member("got", p.got);
        file.member("expected_min", p.expectedLow);
        file.member("expected_max", p.expectedHigh);
        file.member("expected_mean", p.expectedMean);
        file.member("got_min", p.gotLow);
        file.member("got_max", p.gotHigh);
        file.member("got_mean", p.gotMean);
    }
};

template <> struct Record<TorchwrightProbe> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& p) {
        file.member("positions", p.positions);
        file.member("seed", p.seed);
        file.member("tolerance", p.tolerance);
        file.member("compared", p.compared);
        file.member("max_error", p.maxError);
        file.member("garbage_max_error", p.garbageMaxError);
        file.member("worst", p.worst);
        file.table("not_probed", p.notProbed);
    }
};

}  // namespace memplan::io
