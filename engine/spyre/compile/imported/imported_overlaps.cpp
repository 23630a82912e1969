// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/compile/imported/imported_overlaps.h"

#include "engine/base/text.h"

#include <algorithm>

namespace memplan::spyre {
namespace {

using bundle::LxTensor;

Address endOf(const PlanBuffer& b) {
    return *b.address + b.sizePerCore;
}

std::string blockText(const PlanBuffer& b) {
    return text::quoted(b.name) + " at [" + text::grouped(*b.address) + ", " + text::grouped(endOf(b)) + ")";
}

/// Where in the source the tensor gets its address: the argument that touches it first.
std::string placeOf(const LxTensor& tensor, const std::vector<std::string>& places) {
    const auto [step, arg] = tensor.uses.front();
    return places[static_cast<std::size_t>(step)] + ".args[" + std::to_string(arg) + "]";
}

std::vector<int> positionsOf(const Diagnostic& d) {
    std::vector<int> positions;
    for (const BufferId id : d.buffers)
        positions.push_back(id.index);
    std::sort(positions.begin(), positions.end());
    return positions;
}

}  // namespace

void reportLxOverlaps(const Plan& plan, const std::vector<LxTensor>& tensors, const std::vector<BufferId>& ids,
                      const std::vector<std::string>& places, Diagnostics& notes) {
    if (tensors.size() > bundle::kMostComparedLxTensors) {
        notes.note("BND-107", places.front(), "too many LX tensors to compare them in pairs");
        return;
    }
    for (const bundle::LxOverlap& o : bundle::lxOverlaps(tensors)) {
        const BufferId first = ids[o.first];
        const BufferId second = ids[o.second];
        if (!first.isValid() || !second.isValid() || first == second) continue;
        const PlanBuffer& a = plan.buffer(first);
        const PlanBuffer& b = plan.buffer(second);
        if (!a.address || !b.address) continue;
        Diagnostic d;
        d.severity = Severity::Warning;
        d.code = "BND-106";
        d.where = placeOf(tensors[o.second], places);
        d.message = "two buffers share bytes [" + text::grouped(std::max(*a.address, *b.address)) + ", " +
                    text::grouped(std::min(endOf(a), endOf(b))) +
                    ") of the LX of a core while both are live: " + blockText(a) + " and " + blockText(b) + ", from " +
                    places[static_cast<std::size_t>(o.from)] + " to " + places[static_cast<std::size_t>(o.to)] +
                    "; the kernel computes wrong values there";
        d.hint = "write the bundle anew from its model or plan; in this one, give \"" + b.name +
                 "\" a start address where nothing else is live, or recompile what was recovered";
        d.buffers = {first, second};
        notes.add(std::move(d));
    }
}

ReportedOverlaps::ReportedOverlaps(const std::vector<Diagnostic>& reported) {
    for (const Diagnostic& d : reported) {
        if (d.code == "BND-106") pairs_.insert(positionsOf(d));
    }
}

bool ReportedOverlaps::contains(const Diagnostic& violation) const {
    return violation.code == "VER-003" && pairs_.contains(positionsOf(violation));
}

}  // namespace memplan::spyre
