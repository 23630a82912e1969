// SPDX-License-Identifier: Apache-2.0
// Members of the records of a plan file that every target has (command-line "Plan file").
#pragma once

#include "engine/plan/file/plan_words.h"
#include "engine/plan/file/record.h"
#include "engine/plan/search_decision.h"
#include "engine/plan/stopped.h"

#include <string>
#include <vector>

namespace memplan::io {

template <> struct Form<Statement> {
    using Stored = std::string;
    static std::string stored(const Statement& v) { return sentence(v); }
    static std::string take(std::string text, Statement& v) { return v = recorded(std::move(text)), std::string(); }
};

template <> struct Form<Alternative> {
    using Stored = std::pair<std::string, double>;
    static Stored stored(const Alternative& v) { return {sentence(v.label), v.score}; }
    static std::string take(Stored pair, Alternative& v) {
        return v = {recorded(std::move(pair.first)), pair.second}, std::string();
    }
};

template <> struct Record<PlanInput> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& input) {
        file.member("path", input.path);
        file.member("format", input.format);
        file.member("sha256", input.sha256);
        file.member("name", input.name);
    }
};

template <> struct Record<IterationDim> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& dim) {
        file.member("name", dim.name);
        file.atLeast("extent", dim.extent, 0);
        file.atLeast("adjusted", dim.adjusted, 0);
        file.atLeast("elems_per_stick", dim.elemsPerStick, 0);
        file.optional("reduction", dim.isReduction);
        file.atLeast("slices", dim.slices, 1);
    }
};

template <> struct Record<PlanAccess> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& a) {
        file.member("buffer", a.buffer);
        file.member("coefficients", a.coefficients);
        file.member("offset", a.offset);
        file.optional("write", a.isWrite);
        file.optional("indirect", a.isIndirect);
        file.optional("slice_dims", a.sliceDims);
        file.optional("core_slots", a.coreSlots);
    }
};

template <> struct Record<Origin> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& origin) {
        file.optional("op", origin.op);
        file.optional("node", origin.node);
        file.optional("domain", origin.domain);
    }
};

/// The loops of an op stand in a file twice: short, as other programs write them, and in x_loops.
void writeLoopSizes(RecordWriter& file, const std::vector<IterationDim>& loops);
[[nodiscard]] std::vector<IterationDim> readLoops(RecordReader& file);
/// Their lists have one entry for each loop and for each sliced dimension.
void checkAccesses(RecordReader& file, const PlanOp& op);

template <> struct Record<PlanOp> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& op) {
        file.member("id", op.name);
        file.member("type", op.type);
        file.member("kind", op.kind);
        file.member("inputs", op.inputs);
        file.member("outputs", op.outputs);
        if constexpr (!File::kReads) writeLoopSizes(file, op.iterationSpace);
        file.atLeast("cores", op.cores, 1);
        file.member("loop_path", op.loopPath);
        file.member("loop_counts", op.loopCounts);
        file.optional("origin", op.origin);
        if constexpr (File::kReads) {
            op.iterationSpace = readLoops(file);
        } else {
            file.member("x_loops", op.iterationSpace);
        }
        file.optional("x_accesses", op.accesses);
        if constexpr (File::kReads) checkAccesses(file, op);
        file.optional("x_k_adjacent", op.kAdjacent);
        file.optional("x_group", op.groupPath);
        file.optional("x_added_by", op.addedBy);
        file.optional("x_off_chip_read", op.offChipRead);
        file.optional("x_off_chip_write", op.offChipWrite);
        file.optional("x_max_span", op.maxSpan);
    }
};

template <> struct Record<Reason> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& r) {
        file.member("code", r.code);
        if constexpr (File::kReads) {
            file.member("text", r.stated);
        } else {
            file.member("text", sentence(r));
        }
        file.sparse("x_largest_gap", r.largestGap, r.largestGap >= 0);
        file.sparse("x_gap_step", r.gapStep, r.gapStep >= 0);
        file.sparse("x_blockers", r.blockers);
        file.sparse("x_writer", r.writer, r.writer.isValid());
        file.sparse("x_reader", r.reader, r.reader.isValid());
        file.sparse("x_others", r.others);
    }
};

template <> struct Record<BufferLayout> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& layout) {
        file.member("size", layout.size);
        file.member("stride", layout.stride);
        file.member("device_size", layout.deviceSize);
        file.member("stride_map", layout.strideMap);
        file.member("device_dtype", layout.deviceDtype);
        file.optional("element_arrangement", layout.elementArrangement);
        file.optional("per_tile_fixed", layout.perTileFixed);
    }
};

template <> struct Record<PlanBuffer> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& b) {
        file.member("name", b.name);
        file.orNull("op", b.producer);
        file.atLeast("size", b.size, 0);
        file.atLeast("size_per_core", b.sizePerCore, 0);
        file.member("start", b.life.begin);
        file.member("end", b.life.end);
        file.member("space", b.space);
        file.member("address", b.address);
        file.orNull("in_place_of", b.inPlaceOf);
        // A compile that was stopped before has not decided yet; null is for what is on chip.
        if (saysReason(file, b)) file.member("reason", b.reason);
        file.member("shape", b.shape);
        file.member("dtype", b.dtype);
        file.member("layout", b.layout);
        file.optional("x_role", b.role);
        file.optionalAtLeast("x_cores", b.cores, 1);
        file.positions("x_uses", b.uses);
        file.optional("x_clone_of", b.cloneOf);
        file.optional("x_tensor", b.graphTensor.index);
        file.optional("x_traffic_saved", b.trafficSaved);
        file.sparse("x_pool_offset", b.poolOffset, b.poolOffset.has_value());
    }

private:
    static bool saysReason(RecordWriter& file, const PlanBuffer& b) { return !isUndecided(file.plan(), b); }
    static bool saysReason(RecordReader&, const PlanBuffer&) { return true; }
};

template <> struct Record<OccupancyPoint> {
    static constexpr bool kInline = true;
    static void members(auto& file, auto& point) {
        file.member("t", point.step);
        file.member("bytes", point.bytes);
    }
};

template <> struct Record<PlanMemory> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& m) {
        file.atLeast("capacity", m.capacity, 0);
        file.atLeast("alignment", m.alignment, 1);
        file.member("peak", m.peak);
        file.member("live_peak", m.livePeak);
        file.member("occupancy", m.occupancy);
        if constexpr (File::kReads) m.physical = m.capacity;
        file.optional("x_physical", m.physical);
        file.optional("x_live_peak_step", m.livePeakStep);
        file.optional("x_bound_per_step", m.boundPerStep);
    }
};

/// Figures of the file that no machine but its own has.
void readOwnFigures(RecordReader& file, PlanMetrics& metrics);

/// In alphabetical order, those of one machine behind them; a sweep writes the same as columns.
template <> struct Record<PlanMetrics> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& m) {
        file.optional("buffers_on_chip", m.buffersOnChip);
        file.optional("buffers_total", m.buffersTotal);
        file.optional("core_utilisation", m.coreUtilisation);
        file.optional("estimated_microseconds", m.estimatedMicroseconds);
        file.optional("fragmentation_max", m.fragmentationMax);
        file.optional("main_memory_elements", m.mainMemoryElements);
        file.member("main_memory_read_bytes", m.mainMemoryReadBytes);
        file.member("main_memory_write_bytes", m.mainMemoryWriteBytes);
        file.optional("mismatches", m.mismatches);
        file.optional("ops_below_half", m.opsBelowHalf);
        file.optional("ops_over_span", m.opsOverSpan);
        file.optional("padding_share", m.paddingShare);
        file.optional("peak_lower_bound", m.peakLowerBound);
        file.member("pinned_bytes", m.pinnedBytes);
        file.optional("proved_optimal", m.provedOptimal);
        file.optional("restickify_share", m.restickifyShare);
        file.optional("spill_lower_bound", m.spillLowerBound);
        file.optional("unpinned_bytes", m.unpinnedBytes);
        file.member("upper_bound_bytes", m.upperBoundBytes);
        ownFigures(file, m);
    }

private:
    template <class File> static void ownFigures(File& file, auto& m) {
        if constexpr (std::is_same_v<File, RecordReader>) {
            readOwnFigures(file, m);
        } else {
            for (const auto& [key, figure] : m.own)
                file.member(key, figure);
        }
    }
};

template <> struct Record<Diagnostic> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& d) {
        file.member("severity", d.severity);
        file.member("code", d.code);
        file.optional("where", d.where);
        file.member("message", d.message);
        file.optional("hint", d.hint);
        file.sparse("x_pass", d.pass);
        if (File::kReads || !d.ops.empty()) file.positions("x_ops", d.ops);
        if (File::kReads || !d.buffers.empty()) file.positions("x_buffers", d.buffers);
    }
};

template <> struct Record<PassRun> {
    static constexpr bool kInline = false;
    static void members(auto& file, auto& run) {
        file.member("name", run.name);
        file.optional("seconds", run.seconds);
        file.optional("changed", run.changed);
        file.optional("diagnostics", run.diagnostics);
        file.optional("x_title", run.title);
        file.optional("x_mandatory", run.mandatory);
        file.sparse("x_parent", run.parent);
        file.table("x_counts", run.counts);
    }
};

template <> struct Record<Decision> {
    static constexpr bool kInline = false;
    template <class File> static void members(File& file, auto& d) {
        file.optional("pass", d.pass);
        file.orNull("op", d.op);
        file.orNull("buffer", d.buffer);
        if constexpr (File::kReads) {
            std::string kind;
            file.optional("kind", kind);
            setKind(d, std::move(kind));
        } else {
            file.member("kind", kindName(d));
        }
        file.optional("chosen", d.chosen);
        file.optional("alternatives", d.alternatives);
        file.optional("why", d.why);
        if constexpr (File::kReads) {
            if (d.kind == DecisionKind::Search) restoreSearchFacts(d);
        }
    }
};

}  // namespace memplan::io
