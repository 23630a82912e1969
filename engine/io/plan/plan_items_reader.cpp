// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_items_reader.h"

#include "engine/base/text.h"
#include "engine/plan/file/plan_names.h"
#include "engine/plan/wordings.h"

namespace memplan::io {

namespace {

/// The two forms of the loops say the same: a plan that was edited in one of them contradicts itself.
void checkAgreement(PlanFields& f, TapeIndex at, const std::vector<IterationDim>& loops) {
    const TapeIndex space = f.object(at, "iteration_space");
    const TapeIndex splits = f.object(at, "splits");
    for (const IterationDim& dim : loops) {
        const bool hasExtent = space == 0 || f.optional(space, dim.name) != 0;
        const bool isSame = (space == 0 || (hasExtent && f.integer(space, dim.name, 0) == dim.extent)) &&
                            (splits == 0 || f.integer(splits, dim.name, 1) == dim.slices);
        if (!isSame) return f.fail(at, "iteration_space and splits contradict x_loops in \"" + dim.name + "\"");
    }
    const auto isMore = [&](TapeIndex object) { return object != 0 && f.tape.count(object) > loops.size(); };
    if (isMore(space) || isMore(splits)) f.fail(at, "iteration_space or splits hold a loop that x_loops has not");
}

std::vector<IterationDim> readLoops(PlanFields& f, TapeIndex at) {
    std::vector<IterationDim> loops;
    const TapeIndex detailed = f.optional(at, "x_loops");
    f.each(detailed, [&](TapeIndex d) {
        IterationDim dim;
        dim.name = f.text(d, "name");
        dim.extent = f.atLeast(d, "extent", 0);
        dim.adjusted = f.atLeast(d, "adjusted", 0);
        dim.elemsPerStick = f.atLeast(d, "elems_per_stick", 0);
        dim.isReduction = f.boolean(d, "reduction", false);
        dim.slices = f.atLeast(d, "slices", 1);
        loops.push_back(std::move(dim));
    });
    const TapeIndex space = f.object(at, "iteration_space");
    if (detailed != 0) checkAgreement(f, at, loops);
    if (detailed != 0 || space == 0) return loops;
    for (const TapeIndex c : f.tape.children(space)) {
        IterationDim dim;
        dim.name = f.tape.key(c);
        dim.extent = f.integerAt(c);
        dim.adjusted = dim.extent;
        const TapeIndex splits = f.object(at, "splits");
        if (splits != 0 && f.optional(splits, dim.name) != 0) dim.slices = f.atLeast(splits, dim.name, 1);
        loops.push_back(std::move(dim));
    }
    return loops;
}

PlanAccess readAccess(PlanFields& f, TapeIndex at, std::size_t loops) {
    PlanAccess a;
    a.buffer = f.namedBuffer(at, "buffer");
    a.coefficients = f.integers(at, "coefficients");
    if (a.coefficients.size() != loops) f.fail(at, "one coefficient per loop is expected");
    a.offset = f.integer(at, "offset");
    a.isWrite = f.boolean(at, "write", false);
    a.isIndirect = f.boolean(at, "indirect", false);
    f.each(f.optional(at, "slice_dims"), [&](TapeIndex pair) {
        const auto values = f.integersAt(pair);
        if (values.size() != 2 || values[1] < 1) return f.fail(pair, "[dimension, slices] is expected");
        a.sliceDims.emplace_back(static_cast<int>(values[0]), values[1]);
    });
    f.each(f.optional(at, "core_slots"), [&](TapeIndex slots) {
        std::vector<int>& out = a.coreSlots.emplace_back();
        for (const std::int64_t v : f.integersAt(slots))
            out.push_back(static_cast<int>(v));
    });
    if (a.coreSlots.size() != a.sliceDims.size()) f.fail(at, "one list of core slots per sliced dimension is expected");
    return a;
}

MemorySpace readSpace(PlanFields& f, TapeIndex at) {
    const std::string space = f.text(at, "space");
    const auto known = spaceFromName(space);
    if (!known) f.fail(f.optional(at, "space"), "unknown space " + text::quoted(space));
    return known.value_or(MemorySpace::Hbm);
}

Reason readReason(PlanFields& f, TapeIndex at) {
    Reason r;
    const std::string code = f.text(at, "code");
    if (const auto c = reasonFromName(code)) {
        r.code = *c;
    } else {
        f.fail(at, "unknown reason " + text::quoted(code));
    }
    r.stated = recorded(f.text(at, "text"));
    r.largestGap = f.integer(at, "x_largest_gap", -1);
    r.gapStep = static_cast<Step>(f.integer(at, "x_gap_step", -1));
    if (f.optional(at, "x_blockers") != 0) r.blockers = f.buffers(at, "x_blockers");
    if (f.optional(at, "x_writer") != 0) r.writer = f.op(at, "x_writer");
    if (f.optional(at, "x_reader") != 0) r.reader = f.op(at, "x_reader");
    f.each(f.optional(at, "x_others"), [&](TapeIndex c) {
        const auto other = reasonFromName(f.tape.text(c));
        if (!other) return f.fail(c, "unknown reason " + text::quoted(std::string(f.tape.text(c))));
        r.others.push_back(*other);
    });
    return r;
}

BufferLayout readLayout(PlanFields& f, TapeIndex at) {
    BufferLayout l;
    l.size = f.integers(at, "size");
    l.stride = f.integers(at, "stride");
    l.deviceSize = f.integers(at, "device_size");
    l.strideMap = f.integers(at, "stride_map");
    l.deviceDtype = f.text(at, "device_dtype");
    l.elementArrangement = f.text(at, "element_arrangement", "STANDARD");
    l.perTileFixed = f.boolean(at, "per_tile_fixed", false);
    return l;
}

}  // namespace

PlanOp readPlanOp(PlanFields& f, TapeIndex at) {
    PlanOp op;
    op.name = f.text(at, "id");
    op.type = f.text(at, "type");
    op.kind = f.text(at, "kind");
    op.inputs = f.buffers(at, "inputs");
    op.outputs = f.buffers(at, "outputs");
    op.cores = f.atLeast(at, "cores", 1);
    for (const std::int64_t p : f.integers(at, "loop_path"))
        op.loopPath.push_back(static_cast<int>(p));
    op.loopCounts = f.integers(at, "loop_counts");
    if (const TapeIndex o = f.optional(at, "origin")) {
        op.origin.op = f.text(o, "op", "");
        op.origin.node = f.text(o, "node", "");
        op.origin.domain = f.text(o, "domain", "");
    }
    op.iterationSpace = readLoops(f, at);
    f.each(f.optional(at, "x_accesses"),
           [&](TapeIndex a) { op.accesses.push_back(readAccess(f, a, op.iterationSpace.size())); });
    op.kAdjacent = f.boolean(at, "x_k_adjacent", false);
    op.groupPath = f.text(at, "x_group", "");
    op.addedBy = f.text(at, "x_added_by", "");
    op.offChipRead = f.integer(at, "x_off_chip_read", 0);
    op.offChipWrite = f.integer(at, "x_off_chip_write", 0);
    op.maxSpan = f.integer(at, "x_max_span", 0);
    return op;
}

PlanBuffer readPlanBuffer(PlanFields& f, TapeIndex at) {
    PlanBuffer b;
    b.name = f.text(at, "name");
    b.producer = f.op(at, "op");
    b.size = f.atLeast(at, "size", 0);
    b.sizePerCore = f.atLeast(at, "size_per_core", 0);
    b.life = {f.step(at, "start"), f.step(at, "end")};
    b.space = readSpace(f, at);
    if (f.optional(at, "address") != 0) b.address = f.integer(at, "address");
    b.inPlaceOf = f.buffer(at, "in_place_of");
    if (const TapeIndex r = f.optional(at, "reason")) b.reason = readReason(f, r);
    b.shape = f.integers(at, "shape");
    const std::string dtype = f.text(at, "dtype");
    if (const auto d = dtypeFromName(dtype)) {
        b.dtype = *d;
    } else {
        f.fail(f.optional(at, "dtype"), "unknown dtype " + text::quoted(dtype));
    }
    if (const TapeIndex l = f.optional(at, "layout")) b.layout = readLayout(f, l);
    const auto role = bufferRoleFromName(f.text(at, "x_role", "intermediate"));
    if (!role) f.fail(f.optional(at, "x_role"), "unknown role");
    b.role = role.value_or(BufferRole::Intermediate);
    b.cores = f.optional(at, "x_cores") == 0 ? 1 : f.atLeast(at, "x_cores", 1);
    b.uses = f.opPositions(at, "x_uses");
    b.cloneOf = f.optional(at, "x_clone_of") == 0 ? BufferId{} : f.buffer(at, "x_clone_of");
    b.graphTensor = BufferId{static_cast<std::int32_t>(f.integer(at, "x_tensor", -1))};
    b.trafficSaved = f.integer(at, "x_traffic_saved", 0);
    if (f.optional(at, "x_pool_offset") != 0) b.poolOffset = f.integer(at, "x_pool_offset");
    return b;
}

}  // namespace memplan::io
