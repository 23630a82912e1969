// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/op_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/verify/spyre/reading/device_form.h"
#include "engine/verify/spyre/specs/whole_parts.h"

#include <algorithm>
#include <set>

namespace memplan::verify {
namespace {

using text::grouped;
using text::quoted;

class OpFacts {
public:
    OpFacts(const PlanReading& reading, Report& report) : reading_(reading), plan_(reading.plan), report_(report) {
        for (const PassRun& run : plan_.passes)
            passes_.insert(run.name);
    }

    void run() {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            check(OpId::of(i));
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    std::set<std::string_view> passes_;

    void check(OpId id) {
        const PlanOp& op = plan_.op(id);
        checkCounts(id, op);
        checkMaker(id, op);
        const std::set<BufferId> outputs(op.outputs.begin(), op.outputs.end());
        if (!isComputed(op) && op.maxSpan != 0)
            wrong(id, "runs outside and says that a core spans " + grouped(op.maxSpan) + " B");
        if (outputs.size() != op.outputs.size()) wrong(id, "lists an output twice");
        if (op.kAdjacent && op.kind != "matmul")
            wrong(id, "says that its cores are numbered along a reduced loop first");
        if (!PlanReading::statesAccesses(op)) return;
        checkOperands(id, op);
        checkKind(id, op);
        checkReach(id, op);
        checkSticks(id, op);
        checkSlices(id, op);
        if (!statesNoMetrics()) checkBytes(id, op);
    }

    [[nodiscard]] bool statesNoMetrics() const { return !plan_.stoppedAfter.empty() && plan_.memory.capacity == 0; }

    void wrong(OpId id, std::string message) { report_.op("VER-013", id, std::move(message)); }

    void checkCounts(OpId id, const PlanOp& op) {
        for (const std::int64_t count : op.loopCounts) {
            if (count < 1) report_.op("VER-012", id, "runs in a loop of " + grouped(count) + " iterations");
        }
    }

    void checkMaker(OpId id, const PlanOp& op) {
        if (op.addedBy.empty() || passes_.empty() || passes_.contains(op.addedBy)) return;
        wrong(id, "says that the pass " + quoted(op.addedBy) + " added it, which did not run");
    }

    /// Inputs are what the op reads, each once in read order; outputs begin with what it writes.
    void checkOperands(OpId id, const PlanOp& op) {
        std::vector<BufferId> reads;
        std::vector<BufferId> writes;
        for (const PlanAccess& a : op.accesses) {
            if (a.isWrite) {
                writes.push_back(a.buffer);
            } else if (!writes.empty()) {
                wrong(id, "lists the write of its accesses before the read of " + quoted(plan_.buffer(a.buffer).name));
            } else if (std::find(reads.begin(), reads.end(), a.buffer) == reads.end()) {
                reads.push_back(a.buffer);
            }
        }
        if (reads != op.inputs) wrong(id, "its inputs are not the buffers that its accesses read, in their order");
        const bool isFirst =
            writes.size() <= 1 &&
            std::equal(writes.begin(), writes.end(), op.outputs.begin(),
                       op.outputs.begin() + static_cast<std::ptrdiff_t>(std::min(writes.size(), op.outputs.size())));
        const bool mayHaveMore = op.kind == "extern";
        if (!isFirst || op.outputs.size() < writes.size() || (!mayHaveMore && op.outputs.size() > writes.size()))
            wrong(id, "its outputs are not the buffers that its accesses write");
    }

    // ---- kind ----------------------------------------------------------------------------------------

    /// The kind that the function of an op has in any case; empty where the function leaves it open.
    static std::string_view kindOfFunction(const PlanOp& op) {
        if (op.kind == "extern") return {};
        if (op.type == "ReStickifyOpHBM") return "restickify";
        if (op.type == "clone") return "clone";
        if (op.type == "lx_evict") return "evict";
        if (op.type == "lx_reload") return "reload";
        if (op.type == "lx_relayout") return "relayout";
        if (op.type == "batchmatmul") return "matmul";
        return {};
    }

    static bool isReducing(const PlanOp& op) { return op.kind == "reduction" || op.kind == "matmul"; }

    void checkKind(OpId id, const PlanOp& op) {
        static const std::set<std::string_view> kNamed{"restickify", "clone", "evict", "reload", "relayout", "matmul"};
        static const std::set<std::string_view> kKinds{"pointwise", "reduction", "matmul",  "restickify",
                                                       "clone",     "evict",     "reload",  "relayout",
                                                       "extern",    "constant",  "mutation"};
        if (!kKinds.contains(op.kind)) return wrong(id, "is of the unknown kind " + quoted(op.kind));
        const std::string_view real = kindOfFunction(op);
        if (real != op.kind && (!real.empty() || kNamed.contains(op.kind)))
            wrong(id, "is said to be of the kind " + quoted(op.kind) + ", its function is " + quoted(op.type));
        const PlanAccess* write = writeOf(op);
        if (!isComputed(op) || write == nullptr || write->isIndirect) return;
        bool reduces = false;
        for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
            const IterationDim& d = op.iterationSpace[v];
            reduces = reduces || d.isReduction;
            const bool isWritten = v < write->coefficients.size() && write->coefficients[v] != 0;
            if (d.extent > 1 && d.isReduction == isWritten)
                wrong(id, "loop " + d.name +
                              (d.isReduction ? " is said to be reduced, the write moves along it"
                                             : " is not said to be reduced, the write does not move "
                                               "along it"));
        }
        if (reduces && !isReducing(op)) wrong(id, "is of the kind " + quoted(op.kind) + " and reduces a loop");
    }

    static const PlanAccess* writeOf(const PlanOp& op) {
        for (const PlanAccess& a : op.accesses) {
            if (a.isWrite) return &a;
        }
        return nullptr;
    }

    // ---- indices -------------------------------------------------------------------------------------

    /// Every element that an index names is one of the buffer's own, over all iterations.
    void checkReach(OpId id, const PlanOp& op) {
        if (!isComputed(op)) return;
        const std::vector<std::int64_t> whole = wholeExtents(plan_, id);
        for (const PlanAccess& a : op.accesses) {
            const PlanBuffer& b = plan_.buffer(a.buffer);
            if (a.isIndirect || !b.layout || b.layout->perTileFixed || reading_.loops.holdsOneTile(a.buffer)) continue;
            std::int64_t first = a.offset;
            std::int64_t last = a.offset;
            for (std::size_t v = 0; v < whole.size() && v < a.coefficients.size(); ++v) {
                const std::int64_t far = saturatedMul(a.coefficients[v], std::max<std::int64_t>(whole[v] - 1, 0));
                (far < 0 ? first : last) = saturatedAdd(far < 0 ? first : last, far);
            }
            const std::int64_t elements = elementsOf(b.shape);
            if (first >= 0 && last < elements) continue;
            report_.add("VER-008", "op " + op.name,
                        std::string(a.isWrite ? "writes" : "reads") + " elements " + grouped(first) + " to " +
                            grouped(last) + " of " + quoted(b.name) + ", which has " + grouped(elements),
                        {id}, {a.buffer});
        }
    }

    /// A loop alone in a stick coordinate counts sticks of the largest type (layouts 8).
    void checkSticks(OpId id, const PlanOp& op) {
        if (!isComputed(op)) return;
        std::vector<std::int64_t> sticks(op.iterationSpace.size(), 0);
        for (const PlanAccess& a : op.accesses) {
            const auto& layout = plan_.buffer(a.buffer).layout;
            if (!layout || layout->deviceSize.empty() || layout->strideMap.size() != layout->deviceSize.size()) return;
            if (a.isIndirect) return;
            const DigitReader digits(layout->deviceSize, layout->strideMap);
            std::vector<std::size_t> moving;
            for (std::size_t v = 0; v < sticks.size(); ++v) {
                const std::int64_t step = v < a.coefficients.size() ? a.coefficients[v] : 0;
                if (digits.moves(layout->deviceSize.size() - 1, step, op.iterationSpace[v].extent)) moving.push_back(v);
            }
            if (moving.size() != 1) continue;
            sticks[moving.front()] = std::max(sticks[moving.front()], elementsOfStick(layout->deviceDtype));
        }
        for (std::size_t v = 0; v < sticks.size(); ++v) {
            const IterationDim& d = op.iterationSpace[v];
            if (d.elemsPerStick != sticks[v])
                wrong(id, "loop " + d.name + " is said to have " + grouped(d.elemsPerStick) +
                              " elements to a stick, its tensors give " + grouped(sticks[v]));
            const std::int64_t adjusted = d.elemsPerStick > 0 ? wholeParts(d.extent, d.elemsPerStick) : d.extent;
            if (d.adjusted != adjusted)
                wrong(id, "loop " + d.name + " is said to count " + grouped(d.adjusted) + ", its extent gives " +
                              grouped(adjusted));
        }
    }

    // ---- slices --------------------------------------------------------------------------------------

    /// Slice of each split loop on every core (layouts 14).
    static std::vector<int> slotsOf(const PlanOp& op, std::size_t loop) {
        std::int64_t before = 1;
        for (std::size_t i = 0; i < op.iterationSpace.size(); ++i) {
            const std::size_t v = !op.kAdjacent ? i : i == 0 ? op.iterationSpace.size() - 1 : i - 1;
            if (v == loop) break;
            before = saturatedMul(before, std::max<std::int64_t>(op.iterationSpace[v].slices, 1));
        }
        std::vector<int> slots;
        for (std::int64_t core = 0; core < op.cores; ++core)
            slots.push_back(
                static_cast<int>(core / before % std::max<std::int64_t>(op.iterationSpace[loop].slices, 1)));
        return slots;
    }

    void checkSlices(OpId id, const PlanOp& op) {
        constexpr std::int64_t kMostCores = 4096;
        if (!isComputed(op) || op.cores < 1 || op.cores > kMostCores) return;
        const auto& space = op.iterationSpace;
        const bool isAdjacent = op.kind == "matmul" && plan_.settings.boolean("spyre.k_fast") && space.size() >= 3 &&
                                space.back().slices > 1;
        if (op.kAdjacent != isAdjacent)
            wrong(id, std::string("says that its cores are ") + (op.kAdjacent ? "" : "not ") +
                          "numbered along the reduced loop first, its splits say the opposite");
        for (const PlanAccess& a : op.accesses)
            checkView(id, op, a);
    }

    /// What the plan records of the slices of an access are those of the loops that move it.
    void checkView(OpId id, const PlanOp& op, const PlanAccess& a) {
        std::int64_t ofLoops = 1;
        std::vector<std::size_t> loops;
        for (std::size_t v = 0; v < op.iterationSpace.size() && v < a.coefficients.size(); ++v) {
            if (op.iterationSpace[v].slices <= 1 || a.coefficients[v] == 0) continue;
            loops.push_back(v);
            ofLoops = saturatedMul(ofLoops, op.iterationSpace[v].slices);
        }
        std::int64_t ofDims = 1;
        bool isSound = a.coreSlots.size() == a.sliceDims.size();
        for (std::size_t i = 0; i < a.sliceDims.size() && isSound; ++i) {
            const auto& [dim, slices] = a.sliceDims[i];
            ofDims = saturatedMul(ofDims, slices);
            const auto& layout = plan_.buffer(a.buffer).layout;
            isSound = layout && dim >= 0 && static_cast<std::size_t>(dim) < layout->deviceSize.size() &&
                      static_cast<std::int64_t>(a.coreSlots[i].size()) == op.cores &&
                      std::all_of(a.coreSlots[i].begin(), a.coreSlots[i].end(),
                                  [&, n = slices](int slot) { return slot >= 0 && slot < n; });
        }
        const auto refuse = [&] {
            report_.add("VER-013", "op " + op.name,
                        "the slices of " + quoted(plan_.buffer(a.buffer).name) +
                            " that it states are not those of its "
                            "splits",
                        {id}, {a.buffer});
        };
        if (!isSound || (loops.empty() && !a.sliceDims.empty()) || ofDims > ofLoops) return refuse();
        if (loops.empty() || loops.size() != a.sliceDims.size()) return;
        if (!areOfLoops(op, a, std::move(loops))) refuse();
    }

    /// One dimension for every loop: each has the slices of a loop that moves along it, the loops in whatever order.
    [[nodiscard]] bool areOfLoops(const PlanOp& op, const PlanAccess& a, std::vector<std::size_t> loops) const {
        const BufferLayout& layout = *plan_.buffer(a.buffer).layout;
        const DigitReader digits(layout.deviceSize, layout.strideMap);
        for (std::size_t i = 0; i < a.sliceDims.size(); ++i) {
            const auto& [dim, slices] = a.sliceDims[i];
            if (i > 0 && dim <= a.sliceDims[i - 1].first) return false;
            const auto own = std::find_if(loops.begin(), loops.end(), [&, d = dim, n = slices](std::size_t v) {
                return op.iterationSpace[v].slices == n && slotsOf(op, v) == a.coreSlots[i] &&
                       digits.moves(static_cast<std::size_t>(d), a.coefficients[v], op.iterationSpace[v].extent);
            });
            if (own == loops.end()) return false;
            loops.erase(own);
        }
        return true;
    }

    // ---- bytes ---------------------------------------------------------------------------------------

    [[nodiscard]] Bytes moved(OpId id, BufferId b, bool writes) const {
        return reading_.isOn(b) ? 0 : saturatedMul(plan_.buffer(b).size, reading_.loops.trips(id, b, writes));
    }

    void checkBytes(OpId id, const PlanOp& op) {
        Bytes read = 0;
        Bytes written = 0;
        if (!LoopReading::isAllocation(op)) {
            for (const BufferId in : op.inputs)
                read = saturatedAdd(read, moved(id, in, false));
            for (const BufferId out : op.outputs)
                written = saturatedAdd(written, moved(id, out, true));
        }
        report_.expect("op " + op.name + ", bytes it reads from main memory", op.offChipRead, read);
        report_.expect("op " + op.name + ", bytes it writes to main memory", op.offChipWrite, written);
    }
};

}  // namespace

void checkOpFacts(const PlanReading& reading, Report& report) {
    if (isPlannedHere(reading.plan)) OpFacts(reading, report).run();
}

}  // namespace memplan::verify
