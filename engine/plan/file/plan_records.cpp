// SPDX-License-Identifier: Apache-2.0
#include "engine/plan/file/plan_records.h"

#include "engine/base/text.h"

namespace memplan::io {
namespace {

/// The two forms of the loops say the same: a plan that was edited in one of them contradicts itself.
void checkAgreement(RecordReader& file, const std::vector<IterationDim>& loops) {
    PlanFields& f = file.fields();
    const TapeIndex space = f.object(file.at(), "iteration_space");
    const TapeIndex splits = f.object(file.at(), "splits");
    for (const IterationDim& dim : loops) {
        const bool hasExtent = space == 0 || f.optional(space, dim.name) != 0;
        const bool isSame = (space == 0 || (hasExtent && f.integer(space, dim.name, 0) == dim.extent)) &&
                            (splits == 0 || f.integer(splits, dim.name, 1) == dim.slices);
        if (!isSame) return file.fail("iteration_space and splits contradict x_loops in \"" + dim.name + "\"");
    }
    const auto isMore = [&](TapeIndex object) { return object != 0 && f.tape.count(object) > loops.size(); };
    if (isMore(space) || isMore(splits)) file.fail("iteration_space or splits hold a loop that x_loops has not");
}

}  // namespace

void readOwnFigures(RecordReader& file, PlanMetrics& metrics) {
    PlanFields& f = file.fields();
    eachOther(file, PlanMetrics(), [&](TapeIndex at) {
        const bool isNumber = f.tape.type(at) == JsonType::Integer || f.tape.type(at) == JsonType::Real;
        if (isNumber) metrics.own.emplace_back(f.tape.key(at), f.numberAt(at));
    });
}

void writeLoopSizes(RecordWriter& file, const std::vector<IterationDim>& loops) {
    JsonWriter& w = file.json();
    for (const auto& [key, field] :
         {std::pair("iteration_space", &IterationDim::extent), std::pair("splits", &IterationDim::slices)}) {
        w.key(key);
        w.beginInlineObject();
        for (const IterationDim& d : loops)
            w.member(d.name, d.*field);
        w.endObject();
    }
}

std::vector<IterationDim> readLoops(RecordReader& file) {
    PlanFields& f = file.fields();
    std::vector<IterationDim> loops;
    if (f.optional(file.at(), "x_loops") != 0) {
        file.optional("x_loops", loops);
        checkAgreement(file, loops);
        return loops;
    }
    const TapeIndex space = f.object(file.at(), "iteration_space");
    if (space == 0) return loops;
    const TapeIndex splits = f.object(file.at(), "splits");
    for (const TapeIndex c : f.tape.children(space)) {
        IterationDim& dim = loops.emplace_back();
        dim.name = f.tape.key(c);
        dim.extent = dim.adjusted = f.integerAt(c);
        if (splits != 0 && f.optional(splits, dim.name) != 0) RecordReader(f, splits).atLeast(dim.name, dim.slices, 1);
    }
    return loops;
}

void checkAccesses(RecordReader& file, const PlanOp& op) {
    PlanFields& f = file.fields();
    std::size_t i = 0;
    f.each(f.optional(file.at(), "x_accesses"), [&](TapeIndex at) {
        const PlanAccess& a = op.accesses[i++];
        if (a.coefficients.size() != op.iterationSpace.size()) f.fail(at, "one coefficient per loop is expected");
        for (const auto& [dim, slices] : a.sliceDims) {
            if (slices < 1) f.fail(at, "a dimension has no slices");
        }
        if (a.coreSlots.size() != a.sliceDims.size())
            f.fail(at, "one list of core slots per sliced dimension is expected");
    });
}

}  // namespace memplan::io
