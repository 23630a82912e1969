// SPDX-License-Identifier: Apache-2.0
// Members of co_optimization, cost_estimate and operation_order in target_data of a Spyre plan
// (spyre-coarse-tiling-and-bundle 19).
#pragma once

#include "engine/plan/co_optimization.h"
#include "engine/plan/cost_estimate.h"
#include "engine/plan/file/record.h"
#include "engine/plan/operation_order.h"

namespace memplan::io {

template <> struct Record<CoOptimization::Options> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& options) {
        file.optional("op", options.op);
        file.optional("labels", options.labels);
    }
};

template <> struct Record<CoOptimization::Leaf> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& leaf) {
        file.table("splits", leaf.splits);
        file.optional("score", leaf.score);
        file.optional("not_pinned", leaf.notPinned);
    }
};

template <> struct Record<CoOptimization::Change> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& change) {
        file.optional("op", change.op);
        file.optional("from", change.from);
        file.optional("to", change.to);
    }
};

template <> struct Record<CoOptimization> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& trace) {
        file.optional("method", trace.method);
        file.optional("combinations", trace.combinations);
        file.optional("evaluated", trace.evaluated);
        file.optional("committed_score", trace.committedScore);
        file.optional("winner_score", trace.winnerScore);
        file.optional("committed_traffic", trace.committedTraffic);
        file.optional("winner_traffic", trace.winnerTraffic);
        file.optional("committed_microseconds", trace.committedMicroseconds);
        file.optional("winner_microseconds", trace.winnerMicroseconds);
        file.optional("note", trace.note);
        file.optional("options", trace.options);
        file.optional("kept", trace.kept);
        file.optional("changes", trace.changes);
    }
};

template <> struct Record<CostEstimate::Share> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& share) {
        file.optional("op", share.op);
        file.optional("microseconds", share.microseconds);
        file.optional("hbm_bytes", share.hbmBytes);
        file.optional("lx_bytes", share.lxBytes);
        file.optional("trip", share.trip);
        file.optional("reread_bytes", share.rereadBytes);
    }
};

template <> struct Record<CostEstimate::Kernel> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& kernel) {
        file.optional("microseconds", kernel.microseconds);
        file.optional("branch", kernel.branch);
        file.optional("category", kernel.category);
        file.optional("stated_error_percent", kernel.statedErrorPercent);
        file.table("terms_ns", kernel.termsNs);
        file.optional("shares", kernel.shares);
    }
};

template <> struct Record<CostEstimate> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& estimate) {
        if constexpr (!File::kReads) file.member("purpose", std::string_view("ranks plans of one graph; no forecast"));
        file.optional("edition", estimate.edition);
        file.optional("calibration", estimate.calibration);
        file.optional("calibration_sha256", estimate.calibrationSha256);
        file.optional("total_microseconds", estimate.totalMicroseconds);
        file.optional("kernels", estimate.kernels);
    }
};

template <> struct Record<OperationOrder> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& order) {
        file.optional("method", order.method);
        file.optional("traffic_before", order.trafficBefore);
        file.optional("traffic_after", order.trafficAfter);
        file.optional("peak_load_before", order.peakBefore);
        file.optional("peak_load_after", order.peakAfter);
        file.optional("distance", order.distance);
        file.optional("trials", order.trials);
        file.optional("original", order.original);
        file.member("permutation", order.permutation);
        file.optional("op_order", order.graphOrder);
        if constexpr (File::kReads) {
            // What is no position at all the validator reports, like a position that stands twice.
            for (int& position : order.permutation)
                position = position < static_cast<int>(order.original.size()) ? std::max(position, -1) : -1;
        }
    }
};

}  // namespace memplan::io
