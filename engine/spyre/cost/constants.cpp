// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/cost/constants.h"

#include <algorithm>
#include <array>

namespace memplan::spyre::cost {
namespace {

using C = Constants;
constexpr ConstantRange kAny = ConstantRange::Any;
constexpr ConstantRange kPos = ConstantRange::Positive;
constexpr ConstantRange kZero = ConstantRange::NonNegative;

struct Entry {
    ConstantKey key;
    double& (*at)(C&);
};

#define MEMPLAN_CONSTANT(name, range, member)                                                                          \
    Entry {                                                                                                            \
        {name, range}, [](C& c) -> double& { return c.member; }                                                        \
    }

const auto& entries() {
    static const std::array kEntries{
        MEMPLAN_CONSTANT("fill_ns", kZero, fillNs),
        MEMPLAN_CONSTANT("bw_peak_gbps", kPos, bwPeak),
        MEMPLAN_CONSTANT("rw_turnaround_ns_per_byte", kZero, turnaroundPerByte),
        MEMPLAN_CONSTANT("mac_peak_per_core_ns", kPos, macPeak),
        MEMPLAN_CONSTANT("underfill_pass_rows", kPos, underfillPassRows),
        MEMPLAN_CONSTANT("underfill_target_passes_matmul", kPos, underfillTargetPasses),
        MEMPLAN_CONSTANT("underfill_exponent", kZero, underfillExponent),
        MEMPLAN_CONSTANT("bmm_default_mac_peak_per_core_ns", kPos, bmmDefaultMacPeak),
        MEMPLAN_CONSTANT("bmm_default_min_batch", kPos, bmmDefaultMinBatch),
        MEMPLAN_CONSTANT("bmm_default_min_cores", kPos, bmmDefaultMinCores),
        MEMPLAN_CONSTANT("bmm_3d2d_mac_peak_lo_ns", kPos, bmm3d2dLow),
        MEMPLAN_CONSTANT("bmm_3d2d_mac_peak_hi_ns", kPos, bmm3d2dHigh),
        MEMPLAN_CONSTANT("bmm_3d2d_batch_knee", kPos, bmm3d2dKnee),
        MEMPLAN_CONSTANT("mm_spill_area0", kPos, spillArea0),
        MEMPLAN_CONSTANT("mm_spill_slope", kZero, spillSlope),
        MEMPLAN_CONSTANT("mm_spill_cap", kPos, spillCap),
        MEMPLAN_CONSTANT("mm_split_area0", kPos, splitArea0),
        MEMPLAN_CONSTANT("mm_split_long_knee", kPos, splitLongKnee),
        MEMPLAN_CONSTANT("mm_split_short_knee", kPos, splitShortKnee),
        MEMPLAN_CONSTANT("mm_split_reread_us_per_elem", kZero, splitRereadUs),
        MEMPLAN_CONSTANT("mm_split_short_us_per_elem", kZero, splitShortUs),
        MEMPLAN_CONSTANT("coarse_underfill_rfull", kPos, coarseRowsFull),
        MEMPLAN_CONSTANT("coarse_underfill_exp", kZero, coarseExp),
        MEMPLAN_CONSTANT("coarse_underfill_col_ref", kPos, coarseColRef),
        MEMPLAN_CONSTANT("coarse_underfill_col_exp", kZero, coarseColExp),
        MEMPLAN_CONSTANT("coarse_underfill_cap", kPos, coarseCap),
        MEMPLAN_CONSTANT("coarse_underfill_eff0", kPos, coarseEff0),
        MEMPLAN_CONSTANT("coarse_underfill_gamma", kZero, coarseGamma),
        MEMPLAN_CONSTANT("coarse_underfill_rfull_matmul", kPos, coarseRowsFullMatmul),
        MEMPLAN_CONSTANT("coarse_underfill_exp_matmul", kZero, coarseExpMatmul),
        MEMPLAN_CONSTANT("coarse_underfill_cap_matmul", kPos, coarseCapMatmul),
        MEMPLAN_CONSTANT("coarse_underfill_h0_matmul", kPos, coarseH0Matmul),
        MEMPLAN_CONSTANT("lx_spill_cap_bytes", kPos, lxSpillCap),
        MEMPLAN_CONSTANT("lx_spill_exp", kZero, lxSpillExp),
        MEMPLAN_CONSTANT("mm_spill_ws_cap_bytes", kPos, mmSpillWsCap),
        MEMPLAN_CONSTANT("mm_spill_ws_exp", kZero, mmSpillWsExp),
        MEMPLAN_CONSTANT("loop_reread_scale", kZero, loopRereadScale),
        MEMPLAN_CONSTANT("overlap_gamma", kZero, overlapGamma),
        MEMPLAN_CONSTANT("bw_restickify_gbps", kPos, bwRestickify),
        MEMPLAN_CONSTANT("bw_reduce_outer_gbps", kPos, bwReduceOuter),
        MEMPLAN_CONSTANT("bw_broadcast_gbps", kPos, bwBroadcast),
        MEMPLAN_CONSTANT("red_read_bw_floor_gbps", kPos, redFloor),
        MEMPLAN_CONSTANT("red_read_bw_amp_gbps", kZero, redAmp),
        MEMPLAN_CONSTANT("red_read_bw_scale_rows", kPos, redScaleRows),
        MEMPLAN_CONSTANT("red_read_bw_cap_gbps", kPos, redCap),
        MEMPLAN_CONSTANT("fused_reduction_elems_per_core_ns", kPos, fusedReductionRate),
        MEMPLAN_CONSTANT("mm_replicated_read_gbps_per_core", kPos, replicatedReadRate),
        MEMPLAN_CONSTANT("mm_partitioned_read_gbps_per_core", kZero, partitionedReadRate),
        MEMPLAN_CONSTANT("store_gbps_per_core", kZero, storeRate),
        MEMPLAN_CONSTANT("loop_reread_gbps", kZero, loopRereadRate),
        MEMPLAN_CONSTANT("relayout_run_a_ns", kAny, relayoutA),
        MEMPLAN_CONSTANT("relayout_run_b_ns", kAny, relayoutB),
        MEMPLAN_CONSTANT("relayout_span_gbps", kPos, relayoutSpan),
        MEMPLAN_CONSTANT("transport_dma_word_bytes", kPos, dmaWordBytes),
        MEMPLAN_CONSTANT("transport_dma_max_burst_words", kPos, dmaMaxBurstWords),
        MEMPLAN_CONSTANT("restickify_core_gbps", kPos, restickifyCoreRate),
        MEMPLAN_CONSTANT("bcast_tall_base", kAny, row.tall.base),
        MEMPLAN_CONSTANT("bcast_tall_per_log_cols", kAny, row.tall.perLogColumns),
        MEMPLAN_CONSTANT("bcast_tall_per_log_rows", kAny, row.tall.perLogRows),
        MEMPLAN_CONSTANT("bcast_tall_min_gbps", kPos, row.tall.low),
        MEMPLAN_CONSTANT("bcast_tall_max_gbps", kPos, row.tall.high),
        MEMPLAN_CONSTANT("bcast_narrow_base", kAny, row.narrow.base),
        MEMPLAN_CONSTANT("bcast_narrow_per_log_rows", kAny, row.narrow.perLogRows),
        MEMPLAN_CONSTANT("bcast_narrow_per_log_rows2", kAny, row.narrow.perLogRows2),
        MEMPLAN_CONSTANT("bcast_narrow_per_log_cols", kAny, row.narrow.perLogColumns),
        MEMPLAN_CONSTANT("bcast_narrow_min_gbps", kPos, row.narrow.low),
        MEMPLAN_CONSTANT("bcast_narrow_max_gbps", kPos, row.narrow.high),
        MEMPLAN_CONSTANT("bcast_wide_base", kAny, row.wide.base),
        MEMPLAN_CONSTANT("bcast_wide_below", kAny, row.wide.below),
        MEMPLAN_CONSTANT("bcast_wide_above", kAny, row.wide.above),
        MEMPLAN_CONSTANT("bcast_wide_shift", kAny, row.wide.shift),
        MEMPLAN_CONSTANT("bcast_wide_min_gbps", kPos, row.wide.low),
        MEMPLAN_CONSTANT("bcast_wide_max_gbps", kPos, row.wide.high),
        MEMPLAN_CONSTANT("cbc_tall_base", kAny, column.tall.base),
        MEMPLAN_CONSTANT("cbc_tall_per_log_cols", kAny, column.tall.perLogColumns),
        MEMPLAN_CONSTANT("cbc_tall_per_log_rows", kAny, column.tall.perLogRows),
        MEMPLAN_CONSTANT("cbc_tall_min_gbps", kPos, column.tall.low),
        MEMPLAN_CONSTANT("cbc_tall_max_gbps", kPos, column.tall.high),
        MEMPLAN_CONSTANT("cbc_narrow_base", kAny, column.narrow.base),
        MEMPLAN_CONSTANT("cbc_narrow_per_log_rows", kAny, column.narrow.perLogRows),
        MEMPLAN_CONSTANT("cbc_narrow_per_log_rows2", kAny, column.narrow.perLogRows2),
        MEMPLAN_CONSTANT("cbc_narrow_per_log_cols", kAny, column.narrow.perLogColumns),
        MEMPLAN_CONSTANT("cbc_narrow_min_gbps", kPos, column.narrow.low),
        MEMPLAN_CONSTANT("cbc_narrow_max_gbps", kPos, column.narrow.high),
        MEMPLAN_CONSTANT("cbc_wide_base", kAny, column.wide.base),
        MEMPLAN_CONSTANT("cbc_wide_below", kAny, column.wide.below),
        MEMPLAN_CONSTANT("cbc_wide_above", kAny, column.wide.above),
        MEMPLAN_CONSTANT("cbc_wide_shift", kAny, column.wide.shift),
        MEMPLAN_CONSTANT("cbc_wide_min_gbps", kPos, column.wide.low),
        MEMPLAN_CONSTANT("cbc_wide_max_gbps", kPos, column.wide.high),
        MEMPLAN_CONSTANT("tx_cat0_base", kPos, cat0.base),
        MEMPLAN_CONSTANT("tx_cat0_per_log_sticks", kAny, cat0.perLogSticks),
        MEMPLAN_CONSTANT("tx_cat0_per_log_rows", kAny, cat0.perLogRows),
        MEMPLAN_CONSTANT("tx_cat0_floor_gbps", kPos, cat0.floor),
        MEMPLAN_CONSTANT("tx_touter_base", kPos, transposeOuter.base),
        MEMPLAN_CONSTANT("tx_touter_per_log_sticks", kAny, transposeOuter.perLogSticks),
        MEMPLAN_CONSTANT("tx_touter_per_log_rows", kAny, transposeOuter.perLogRows),
        MEMPLAN_CONSTANT("tx_touter_floor_gbps", kPos, transposeOuter.floor),
        MEMPLAN_CONSTANT("tx_touter_thin_rows", kPos, transposeThinRows),
        MEMPLAN_CONSTANT("tx_touter_thin_slope", kZero, transposeThinSlope),
        MEMPLAN_CONSTANT("tx_touter_thin_floor_gbps", kPos, transposeThinFloor),
        MEMPLAN_CONSTANT("tx_cat1_base", kPos, cat1.base),
        MEMPLAN_CONSTANT("tx_cat1_per_log_sticks", kAny, cat1.perLogSticks),
        MEMPLAN_CONSTANT("tx_cat1_per_log_rows", kAny, cat1.perLogRows),
        MEMPLAN_CONSTANT("tx_cat1_floor_gbps", kPos, cat1.floor),
        MEMPLAN_CONSTANT("tx_cap_gbps", kPos, transportCap),
    };
    return kEntries;
}

#undef MEMPLAN_CONSTANT

}  // namespace

std::span<const ConstantKey> constantKeys() {
    static const std::vector<ConstantKey> kKeys = [] {
        std::vector<ConstantKey> keys;
        for (const Entry& e : entries())
            keys.push_back(e.key);
        return keys;
    }();
    return kKeys;
}

double* constantNamed(Constants& constants, std::string_view name) {
    for (const Entry& e : entries()) {
        if (e.key.name == name) return &e.at(constants);
    }
    return nullptr;
}

const double* constantNamed(const Constants& constants, std::string_view name) {
    // The entries hand out references only; nothing is written through this one.
    return constantNamed(const_cast<Constants&>(constants), name);
}

}  // namespace memplan::spyre::cost
