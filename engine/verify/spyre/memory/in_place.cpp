// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/memory/in_place.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::verify {
namespace {

/// The same element of the host tensors at every point of the loops.
bool areSameMap(const PlanOp& op, const PlanAccess& a, const PlanAccess& b) {
    if (a.isIndirect || b.isIndirect || a.offset != b.offset) return false;
    for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
        const std::int64_t x = v < a.coefficients.size() ? a.coefficients[v] : 0;
        const std::int64_t y = v < b.coefficients.size() ? b.coefficients[v] : 0;
        if (x != y && op.iterationSpace[v].extent > 1) return false;
    }
    return true;
}

const PlanAccess* writeOf(const PlanOp& op, BufferId buffer) {
    for (const PlanAccess& a : op.accesses) {
        if (a.isWrite && a.buffer == buffer) return &a;
    }
    return nullptr;
}

bool readsAsItWrites(const PlanOp& op, BufferId parent, const PlanAccess& write) {
    return std::all_of(op.accesses.begin(), op.accesses.end(), [&](const PlanAccess& read) {
        return read.isWrite || read.buffer != parent || areSameMap(op, read, write);
    });
}

bool haveSameLayout(const PlanBuffer& a, const PlanBuffer& b) {
    if (!a.layout || !b.layout) return true;  // nothing is stated that could differ
    return a.layout->deviceSize == b.layout->deviceSize && a.layout->strideMap == b.layout->strideMap &&
           a.layout->deviceDtype == b.layout->deviceDtype;
}

void checkMaps(const PlanReading& reading, BufferId parent, BufferId child, Report& report) {
    const Plan& plan = reading.plan;
    const OpId writer = reading.writer(child);
    if (!writer.isValid()) return;
    const PlanOp& op = plan.op(writer);
    const auto refuse = [&](const std::string& why) {
        report.add("VER-004", "buffer " + plan.buffer(child).name,
                   "takes the slot of " + text::quoted(plan.buffer(parent).name) + ", but op " + text::quoted(op.name) +
                       " " + why,
                   {writer}, {parent, child});
    };
    if (!isComputed(op) || op.kind == "relayout") return refuse("cannot work in place");
    if (!haveSameLayout(plan.buffer(parent), plan.buffer(child)))
        return refuse("finds them in different device layouts");
    const PlanAccess* write = writeOf(op, child);
    if (write != nullptr && !readsAsItWrites(op, parent, *write))
        refuse("reads the one by another index than it writes the other, and would overwrite what it still needs");
}

}  // namespace

bool fitsInPlace(const Plan& plan, OpId writer, BufferId parent, BufferId child) {
    const PlanOp& op = plan.op(writer);
    const PlanAccess* write = writeOf(op, child);
    return write != nullptr && haveSameLayout(plan.buffer(parent), plan.buffer(child)) &&
           readsAsItWrites(op, parent, *write);
}

void checkInPlace(const PlanReading& reading, Report& report) {
    const Plan& plan = reading.plan;
    if (plan.target != "spyre" || plan.ops.empty()) return;
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
        const BufferId child = BufferId::of(i);
        const BufferId parent = plan.buffers[i].inPlaceOf;
        if (!parent.isValid()) continue;
        if (reading.isOn(child)) {
            checkMaps(reading, parent, child, report);
        } else {
            report.add("VER-004", "buffer " + plan.buffers[i].name,
                       "is off chip and says that it takes the slot of " + text::quoted(plan.buffer(parent).name), {},
                       {parent, child});
        }
    }
}

}  // namespace memplan::verify
