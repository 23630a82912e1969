// SPDX-License-Identifier: Apache-2.0
#include "engine/io/plan/plan_derived.h"

#include "engine/base/numeric.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace memplan::io {
namespace {

class Derivation {
public:
    Derivation(const PlanFields& fields, Plan& plan) : f_(fields), p_(plan) {}

    void run() {
        items("ops", p_.ops.size(), [this](TapeIndex at, std::size_t i) { loops(at, p_.ops[i]); });
        accesses();
        items("buffers", p_.buffers.size(), [this](TapeIndex at, std::size_t i) { buffer(at, i); });
        if (const TapeIndex at = f_.optional(0, "memory")) memory(at);
        if (const TapeIndex at = f_.optional(0, "metrics")) metrics(at);
    }

private:
    struct Access {
        std::vector<OpId> uses;
        bool isRead = false, isWritten = false;
    };

    [[nodiscard]] bool states(TapeIndex object, std::string_view key) const { return f_.tape.find(object, key) != 0; }

    template <class Visit> void items(std::string_view key, std::size_t count, Visit visit) const {
        const TapeIndex list = f_.optional(0, key);
        if (list == 0 || f_.tape.type(list) != JsonType::Array) return;
        std::size_t i = 0;
        for (const TapeIndex at : f_.tape.children(list)) {
            if (i < count) visit(at, i++);
        }
    }

    /// A loop whose slices divide its sticks and not its elements is one over sticks.
    void loops(TapeIndex at, PlanOp& op) const {
        if (states(at, "x_loops")) return;
        for (IterationDim& d : op.iterationSpace) {
            if (d.slices <= 1 || d.extent % d.slices == 0) continue;
            for (const auto* list : {&op.outputs, &op.inputs}) {
                for (const BufferId id : *list) {
                    if (d.elemsPerStick == 0) takeSticks(id, d);
                }
            }
        }
    }

    void takeSticks(BufferId id, IterationDim& d) const {
        if (!id.isValid()) return;
        const auto& layout = p_.buffers[id.at()].layout;
        const std::int64_t eps = layout && !layout->deviceSize.empty() ? layout->deviceSize.back() : 0;
        if (eps < 1 || ceilDiv(d.extent, eps) % d.slices != 0) return;
        d.elemsPerStick = eps;
        d.adjusted = ceilDiv(d.extent, eps);
    }

    void accesses() {
        accesses_.resize(p_.buffers.size());
        const auto note = [this](BufferId id, OpId op) -> Access& {
            Access& access = accesses_[id.at()];
            if (access.uses.empty() || access.uses.back() != op) access.uses.push_back(op);
            return access;
        };
        for (std::size_t i = 0; i < p_.ops.size(); ++i) {
            for (const BufferId in : p_.ops[i].inputs)
                note(in, OpId::of(i)).isRead = true;
            for (const BufferId out : p_.ops[i].outputs)
                note(out, OpId::of(i)).isWritten = true;
        }
    }

    void buffer(TapeIndex at, std::size_t position) {
        PlanBuffer& b = p_.buffers[position];
        Access& access = accesses_[position];
        if (!states(at, "x_role")) b.role = roleOf(b, access);
        if (!states(at, "x_uses")) b.uses = std::move(access.uses);
        if (!states(at, "x_cores") && b.sizePerCore > 0 && b.size > 0)
            b.cores = std::max<std::int64_t>(1, ceilDiv(b.size, b.sizePerCore));
        // The address of a buffer in main memory is its offset in the pool.
        if (isOnChip(b.space) || !b.address) return;
        if (!b.poolOffset) b.poolOffset = b.address;
        b.address.reset();
    }

    static BufferRole roleOf(const PlanBuffer& b, const Access& access) {
        if (!access.isWritten) return BufferRole::GraphInput;
        const bool isSaid = b.reason && b.reason->code == ReasonCode::GraphOutput;
        return isSaid || !access.isRead ? BufferRole::GraphOutput : BufferRole::Intermediate;
    }

    void memory(TapeIndex at) const {
        PlanMemory& m = p_.memory;
        if (states(at, "x_live_peak_step")) return;
        const auto highest = std::max_element(m.occupancy.begin(), m.occupancy.end(),
                                              [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
        if (highest != m.occupancy.end()) m.livePeakStep = highest->step;
    }

    void metrics(TapeIndex at) const {
        PlanMetrics& m = p_.metrics;
        if (!states(at, "unpinned_bytes")) {
            m.unpinnedBytes = 0;
            for (const PlanBuffer& b : p_.buffers)
                m.unpinnedBytes = saturatedAdd(m.unpinnedBytes, isOnChip(b.space) ? 0 : b.size);
        }
        if (!states(at, "proved_optimal")) m.provedOptimal = m.pinnedBytes == m.upperBoundBytes;
    }

    const PlanFields& f_;
    Plan& p_;
    std::vector<Access> accesses_;
};

}  // namespace

void deriveUnstated(const PlanFields& fields, Plan& plan) {
    Derivation(fields, plan).run();
}

}  // namespace memplan::io
