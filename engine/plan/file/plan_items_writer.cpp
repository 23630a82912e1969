// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/file/plan_items_writer.h"

#include "engine/plan/file/plan_names.h"
#include "engine/plan/stopped.h"

namespace memplan::io {

namespace {

void writeOptional(JsonWriter& w, std::string_view key, std::optional<std::int64_t> value) {
    w.key(key);
    if (value) {
        w.integer(*value);
    } else {
        w.null();
    }
}

}  // namespace

void PlanItemsWriter::bufferName(BufferId id) {
    if (id.isValid()) {
        w_.string(p_.buffer(id).name);
    } else {
        w_.null();
    }
}

void PlanItemsWriter::opName(OpId id) {
    if (id.isValid()) {
        w_.string(p_.op(id).name);
    } else {
        w_.null();
    }
}

void PlanItemsWriter::writeNames(std::string_view key, const std::vector<BufferId>& ids) {
    w_.key(key);
    w_.beginArray(true);
    for (const BufferId id : ids)
        bufferName(id);
    w_.endArray();
}

void PlanItemsWriter::writeOp(const PlanOp& op) {
    w_.beginObject();
    w_.member("id", op.name);
    w_.member("type", op.type);
    w_.member("kind", op.kind);
    writeNames("inputs", op.inputs);
    writeNames("outputs", op.outputs);
    w_.key("iteration_space");
    w_.beginInlineObject();
    for (const IterationDim& d : op.iterationSpace)
        w_.member(d.name, d.extent);
    w_.endObject();
    w_.key("splits");
    w_.beginInlineObject();
    for (const IterationDim& d : op.iterationSpace)
        w_.member(d.name, d.slices);
    w_.endObject();
    w_.member("cores", op.cores);
    writeIntegers(w_, "loop_path", op.loopPath);
    writeIntegers(w_, "loop_counts", op.loopCounts);
    writeOrigin(op.origin);
    writeOpExtras(op);
    w_.endObject();
}

void PlanItemsWriter::writeOrigin(const Origin& o) {
    w_.key("origin");
    w_.beginInlineObject();
    w_.member("op", o.op);
    w_.member("node", o.node);
    w_.member("domain", o.domain);
    w_.endObject();
}

void PlanItemsWriter::writeOpExtras(const PlanOp& op) {
    w_.key("x_loops");
    w_.beginArray();
    for (const IterationDim& d : op.iterationSpace) {
        w_.beginInlineObject();
        w_.member("name", d.name);
        w_.member("extent", d.extent);
        w_.member("adjusted", d.adjusted);
        w_.member("elems_per_stick", d.elemsPerStick);
        w_.member("reduction", d.isReduction);
        w_.member("slices", d.slices);
        w_.endObject();
    }
    w_.endArray();
    w_.key("x_accesses");
    w_.beginArray();
    for (const PlanAccess& a : op.accesses)
        writeAccess(a);
    w_.endArray();
    w_.member("x_k_adjacent", op.kAdjacent);
    w_.member("x_group", op.groupPath);
    w_.member("x_added_by", op.addedBy);
    w_.member("x_off_chip_read", op.offChipRead);
    w_.member("x_off_chip_write", op.offChipWrite);
    w_.member("x_max_span", op.maxSpan);
}

void PlanItemsWriter::writeAccess(const PlanAccess& a) {
    w_.beginInlineObject();
    w_.key("buffer");
    bufferName(a.buffer);
    writeIntegers(w_, "coefficients", a.coefficients);
    w_.member("offset", a.offset);
    w_.member("write", a.isWrite);
    w_.member("indirect", a.isIndirect);
    w_.key("slice_dims");
    w_.beginArray(true);
    for (const auto& [dim, slices] : a.sliceDims) {
        w_.beginArray(true);
        w_.integer(dim);
        w_.integer(slices);
        w_.endArray();
    }
    w_.endArray();
    w_.key("core_slots");
    w_.beginArray(true);
    for (const auto& slots : a.coreSlots) {
        w_.beginArray(true);
        for (const int s : slots)
            w_.integer(s);
        w_.endArray();
    }
    w_.endArray();
    w_.endObject();
}

void PlanItemsWriter::writeBuffer(const PlanBuffer& b) {
    w_.beginObject();
    w_.member("name", b.name);
    w_.key("op");
    opName(b.producer);
    w_.member("size", b.size);
    w_.member("size_per_core", b.sizePerCore);
    w_.member("start", std::int64_t{b.life.begin});
    w_.member("end", std::int64_t{b.life.end});
    w_.member("space", spaceName(b.space));
    writeOptional(w_, "address", b.address);
    w_.key("in_place_of");
    bufferName(b.inPlaceOf);
    // A compile that was stopped before has not decided yet; null is for what is on chip.
    if (!isUndecided(p_, b)) writeReason(b.reason);
    writeIntegers(w_, "shape", b.shape);
    w_.member("dtype", dtypeName(b.dtype));
    writeLayout(b.layout);
    w_.member("x_role", bufferRoleName(b.role));
    w_.member("x_cores", b.cores);
    writePositions(w_, "x_uses", b.uses);
    w_.key("x_clone_of");
    bufferName(b.cloneOf);
    w_.member("x_tensor", std::int64_t{b.graphTensor.index});
    w_.member("x_traffic_saved", b.trafficSaved);
    if (b.poolOffset) w_.member("x_pool_offset", *b.poolOffset);
    w_.endObject();
}

void PlanItemsWriter::writeReason(const std::optional<Reason>& r) {
    w_.key("reason");
    if (!r) {
        w_.null();
        return;
    }
    w_.beginObject();
    w_.member("code", reasonInfo(r->code).name);
    w_.member("text", sentence(*r));
    if (r->largestGap >= 0) w_.member("x_largest_gap", r->largestGap);
    if (r->gapStep >= 0) w_.member("x_gap_step", std::int64_t{r->gapStep});
    if (!r->blockers.empty()) writeNames("x_blockers", r->blockers);
    if (r->writer.isValid()) w_.member("x_writer", p_.op(r->writer).name);
    if (r->reader.isValid()) w_.member("x_reader", p_.op(r->reader).name);
    if (!r->others.empty()) {
        w_.key("x_others");
        w_.beginArray(true);
        for (const ReasonCode c : r->others)
            w_.string(reasonInfo(c).name);
        w_.endArray();
    }
    w_.endObject();
}

void PlanItemsWriter::writeLayout(const std::optional<BufferLayout>& l) {
    w_.key("layout");
    if (!l) {
        w_.null();
        return;
    }
    w_.beginObject();
    writeIntegers(w_, "size", l->size);
    writeIntegers(w_, "stride", l->stride);
    writeIntegers(w_, "device_size", l->deviceSize);
    writeIntegers(w_, "stride_map", l->strideMap);
    w_.member("device_dtype", l->deviceDtype);
    w_.member("element_arrangement", l->elementArrangement);
    w_.member("per_tile_fixed", l->perTileFixed);
    w_.endObject();
}

}  // namespace memplan::io
