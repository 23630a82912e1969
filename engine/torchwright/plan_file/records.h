// SPDX-License-Identifier: Apache-2.0
// Members of the figures and of the probe in target_data, in the order of the file.
#pragma once

#include "engine/plan/file/record.h"
#include "engine/plan/torchwright_data.h"

namespace memplan::io {

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
