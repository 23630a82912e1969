// SPDX-License-Identifier: Apache-2.0
// Layouts and configurations in a plan file.
#pragma once

#include "engine/ttnn/plan_file/words.h"

namespace memplan::io {

/// Rectangles of cores: [[x, y, x, y], ...], both corners inside.
template <> struct Form<ttnn::CoreRanges> {
    using Stored = std::vector<std::vector<std::int32_t>>;
    static Stored stored(const ttnn::CoreRanges& cores) {
        Stored lists;
        for (std::size_t i = 0; i < cores.size(); ++i)
            lists.push_back({cores[i].first.x, cores[i].first.y, cores[i].last.x, cores[i].last.y});
        return lists;
    }
    static std::string take(const Stored& lists, ttnn::CoreRanges& cores) {
        for (const auto& r : lists) {
            if (r.size() != 4) return "a range of cores has four numbers: x, y of the first and of the last core";
            cores.add({{r[0], r[1]}, {r[2], r[3]}});
        }
        return lists.empty() ? "a list of cores has at least one range" : "";
    }
};

/// Whether it is one-dimensional.
template <> struct Form<ttnn::MatmulProgram::Kind> {
    using Kind = ttnn::MatmulProgram::Kind;
    using Stored = bool;
    static bool stored(Kind kind) { return kind == Kind::Multicast1d; }
    static std::string take(bool is1d, Kind& kind) {
        return kind = is1d ? Kind::Multicast1d : Kind::Multicast2d, std::string();
    }
};

template <> struct Record<ttnn::Layout> {
    static constexpr bool kInline = true;
    template <class File> static void members(File& file, auto& l) {
        file.member("buffer", l.buffer);
        file.sparse("mem", l.mem, l.mem.has_value());
        file.member("page", l.page);
        file.member("dtype", l.dtype);
        file.member("grid", std::tie(l.grid.rows, l.grid.cols));
        file.member("shard", std::tie(l.shard[0], l.shard[1]));
        file.sparse("cores", l.cores, l.cores && l.cores->size() > 0);
        file.sparse("any_grid", l.ignorePhysicalLayout, l.ignorePhysicalLayout);
        file.sparse("linear", l.linear);
        file.sparse("mesh", l.mesh);
        if constexpr (File::kReads) {
            // A host tensor has no memory layout: the key is missing then, and the default would be another one.
            if (l.buffer == ttnn::BufferType::SystemMemory && file.fields().optional(file.at(), "mem") == 0)
                l.mem.reset();
        }
    }
};

template <> struct Record<ttnn::Conv2dConfig> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& c) {
        const auto field = [&](std::string_view key, auto& v) { file.sparse(key, v, v.has_value()); };
        field("weights_dtype", c.weightsDtype);
        field("activation", c.activation);
        field("deallocate_activation", c.deallocateActivation);
        field("reallocate_halo_output", c.reallocateHaloOutput);
        field("act_block_h_override", c.actBlockHOverride);
        field("act_block_w_div", c.actBlockWDiv);
        field("reshard_if_not_optimal", c.reshardIfNotOptimal);
        field("override_sharding_config", c.overrideShardingConfig);
        field("shard_layout", c.shardLayout);
        field("core_grid", c.coreGrid);
        field("transpose_shards", c.transposeShards);
        field("output_layout", c.outputLayout);
        field("enable_act_double_buffer", c.enableActDoubleBuffer);
        field("enable_weights_double_buffer", c.enableWeightsDoubleBuffer);
        file.sparse("more", c.more);
    }
};

template <> struct Record<ttnn::Conv3dConfig> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& c) {
        const auto field = [&](std::string_view key, auto& v) { file.sparse(key, v, v.has_value()); };
        field("weights_dtype", c.weightsDtype);
        field("t_out_block", c.tOutBlock);
        field("w_out_block", c.wOutBlock);
        field("h_out_block", c.hOutBlock);
        field("c_out_block", c.cOutBlock);
        field("c_in_block", c.cInBlock);
        file.sparse("more", c.more);
    }
};

template <> struct Record<ttnn::ComputeConfig> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& c) {
        const auto field = [&](std::string_view key, auto& v) { file.sparse(key, v, v.has_value()); };
        field("math_fidelity", c.mathFidelity);
        field("math_approx_mode", c.mathApproxMode);
        field("fp32_dest_acc_en", c.fp32DestAccEn);
        field("packer_l1_acc", c.packerL1Acc);
        field("dst_full_sync_en", c.dstFullSyncEn);
    }
};

template <> struct Record<ttnn::MatmulProgram> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& p) {
        file.member("one_dimensional", p.kind);
        file.member("grid_x", p.gridX);
        file.member("grid_y", p.gridY);
        file.member("in0_block_w", p.in0BlockW);
        file.member("out_subblock_h", p.outSubblockH);
        file.member("out_subblock_w", p.outSubblockW);
        file.member("out_block_h", p.outBlockH);
        file.member("out_block_w", p.outBlockW);
        file.member("per_core_m", p.perCoreM);
        file.member("per_core_n", p.perCoreN);
        file.sparse("transpose_mcast", p.transposeMcast, p.transposeMcast);
        file.sparse("mcast_in0", p.mcastIn0, p.mcastIn0);
        file.member("fuse_batch", p.fuseBatch);
        file.sparse("fused_activation", p.fusedActivation, p.fusedActivation.has_value());
    }
};

/// The attributes of an operation's kernel: `conv2d`, `conv3d` or `matmul` says which alternative it is.
template <> struct Record<ttnn::OpAttrs> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& attrs) {
        alternative<ttnn::Conv2dAttrs>(
            file, attrs, "conv2d_config", [](auto& a) -> auto& { return a.config; });
        alternative<ttnn::Conv3dAttrs>(
            file, attrs, "conv3d_config", [](auto& a) -> auto& { return a.config; });
        alternative<ttnn::MatmulAttrs>(
            file, attrs, "matmul_program", [](auto& a) -> auto& { return a.program; });
    }

private:
    /// The key stands, if only as null, where the alternative is this one.
    template <class Alternative, class File>
    static void alternative(File& file, auto& attrs, std::string_view key, auto&& partOf) {
        if constexpr (File::kReads) {
            if (file.fields().tape.find(file.at(), key) == 0) return;
            Alternative& own = attrs.template emplace<Alternative>();
            file.optional(key, partOf(own));
            file.sparse("compute_config", own.compute);
        } else {
            const auto* own = std::get_if<Alternative>(&attrs);
            if (own == nullptr) return;
            file.member(key, partOf(*own));
            file.sparse("compute_config", own->compute, own->compute.has_value());
        }
    }
};

}  // namespace memplan::io
