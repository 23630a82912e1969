// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/verify_schedule.h"

#include "engine/base/numeric.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/finding.h"
#include "engine/verify/spyre/reading/loops.h"

#include <algorithm>
#include <map>

namespace memplan {
namespace {

class ScheduleVerifier {
public:
    explicit ScheduleVerifier(const Plan& plan) : plan_(plan) {}

    std::vector<Diagnostic> run() {
        if (spyreData(plan_).operationOrder) checkOrder(*spyreData(plan_).operationOrder);
        checkCopies();
        return std::move(found_);
    }

private:
    const Plan& plan_;
    std::vector<Diagnostic> found_;
    /// Per plan op its position in the order before, -1 = it came later.
    std::vector<int> before_;

    void report(const char* code, std::string where, std::string message, std::vector<OpId> ops = {}) {
        found_.push_back(verify::finding(code, std::move(where), std::move(message), std::move(ops)));
    }

    // ---- order ---------------------------------------------------------------------------------------

    void checkOrder(const OperationOrder& o) {
        if (!isPermutation(o)) return report("VER-013", "operation_order", "is no permutation of its operations");
        if (o.trafficAfter >= o.trafficBefore)
            report("VER-013", "operation_order", "moves no fewer bytes than the order before");
        std::map<std::string_view, int> original;
        for (std::size_t i = 0; i < o.original.size(); ++i) {
            if (!original.emplace(o.original[i], static_cast<int>(i)).second)
                return report("VER-013", "operation_order", "names \"" + o.original[i] + "\" twice");
        }
        std::vector<int> place(o.original.size());
        for (std::size_t k = 0; k < o.permutation.size(); ++k)
            place[static_cast<std::size_t>(o.permutation[k])] = static_cast<int>(k);
        int last = -1;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const auto it = original.find(plan_.ops[i].name);
            before_.push_back(it == original.end() ? -1 : it->second);
            if (before_.back() < 0) continue;
            const int now = place[static_cast<std::size_t>(before_.back())];
            if (now < last)
                report("VER-013", "op " + plan_.ops[i].name, "stands where the stated order does not put it",
                       {OpId::of(i)});
            last = std::max(last, now);
        }
        checkDependencies();
        checkOutsideKernels();
        checkGraphOrder(o);
    }

    static bool isPermutation(const OperationOrder& o) {
        std::vector<bool> seen(o.original.size(), false);
        for (const int position : o.permutation) {
            if (position < 0 || static_cast<std::size_t>(position) >= seen.size()) return false;
            if (seen[static_cast<std::size_t>(position)]) return false;
            seen[static_cast<std::size_t>(position)] = true;
        }
        return o.permutation.size() == o.original.size();
    }

    struct Access {
        int before = 0;
        std::size_t op = 0;
        bool reads = false, writes = false;
    };

    /// On every buffer: who followed a writer still does, and who wrote after readers still does.
    void checkDependencies() {
        std::vector<std::vector<Access>> accesses(plan_.buffers.size());
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (before_[i] < 0) continue;
            const auto note = [&](BufferId b) -> Access& {
                auto& list = accesses[b.at()];
                if (list.empty() || list.back().op != i) list.push_back({before_[i], i, false, false});
                return list.back();
            };
            for (const BufferId in : plan_.ops[i].inputs)
                note(in).reads = true;
            for (const BufferId out : plan_.ops[i].outputs)
                note(out).writes = true;
        }
        for (std::size_t b = 0; b < accesses.size(); ++b) {
            std::sort(accesses[b].begin(), accesses[b].end(),
                      [](const Access& x, const Access& y) { return x.before < y.before; });
            checkBuffer(accesses[b], BufferId::of(b));
        }
    }

    void checkBuffer(const std::vector<Access>& accesses, BufferId id) {
        const Access* writer = nullptr;
        std::vector<const Access*> readers;
        const auto needs = [&](const Access& later, const Access& earlier) {
            if (earlier.op < later.op) return;
            report("VER-011", "op " + plan_.ops[later.op].name,
                   "stands before \"" + plan_.ops[earlier.op].name + "\", which it followed on buffer \"" +
                       plan_.buffer(id).name + "\"",
                   {OpId::of(later.op), OpId::of(earlier.op)});
        };
        for (const Access& t : accesses) {
            if (writer != nullptr) needs(t, *writer);
            if (!t.writes) {
                readers.push_back(&t);
                continue;
            }
            for (const Access* r : readers)
                needs(t, *r);
            readers.clear();
            writer = &t;
        }
    }

    /// What stood before an outside kernel still does, and nothing else.
    void checkOutsideKernels() {
        int most = -1;  // latest place before among the ops so far
        std::vector<int> least(plan_.ops.size() + 1, static_cast<int>(plan_.ops.size()) + 1);
        int smallest = INT32_MAX;
        for (std::size_t i = plan_.ops.size(); i-- > 0;) {
            least[i] = smallest;
            if (before_[i] >= 0) smallest = std::min(smallest, before_[i]);
        }
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            if (before_[i] < 0) continue;
            const bool outside = plan_.ops[i].kind == "extern" && !verify::LoopReading::isAllocation(plan_.ops[i]);
            if (outside && (most > before_[i] || least[i] < before_[i]))
                report("VER-011", "op " + plan_.ops[i].name,
                       "is an outside kernel, and the order moves an operation across it", {OpId::of(i)});
            most = std::max(most, before_[i]);
        }
    }

    void checkGraphOrder(const OperationOrder& o) {
        if (o.graphOrder.empty() || !plan_.graph) return;
        std::map<std::string_view, int> times;
        for (const std::string& id : o.graphOrder)
            ++times[id];
        bool complete = o.graphOrder.size() == plan_.graph->ops.size();
        for (const Op& op : plan_.graph->ops)
            complete = complete && times[op.id] == 1;
        if (!complete)
            report("VER-013", "operation_order", "its op_order does not name every operation of the graph once");
    }

    // ---- copies --------------------------------------------------------------------------------------

    void checkCopies() {
        if (plan_.target != "spyre") return;
        std::vector<std::vector<std::size_t>> writers(plan_.buffers.size());
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            for (const BufferId out : plan_.ops[i].outputs)
                writers[out.at()].push_back(i);
        }
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b) {
            if (!plan_.buffers[b].cloneOf.isValid() || writers[b].empty()) continue;
            // What moved out and came back is read by moves.cpp.
            const std::string& kind = plan_.ops[writers[b].front()].kind;
            if (kind == "evict" || kind == "reload") continue;
            checkCopy(BufferId::of(b), writers);
        }
    }

    using Writers = std::vector<std::vector<std::size_t>>;

    static bool isCopy(const PlanOp& op) { return op.kind == "clone" || op.kind == "evict" || op.type == "lx_reload"; }

    /// The operation fetches the source itself, or what other copies made of it.
    [[nodiscard]] bool fetches(const PlanOp& op, BufferId source, const Writers& writers) const {
        const PlanOp* at = &op;
        for (std::size_t hops = 0; hops <= plan_.ops.size() && isCopy(*at) && at->inputs.size() == 1; ++hops) {
            if (at->inputs.front() == source) return true;
            const auto& before = writers[at->inputs.front().at()];
            if (before.size() != 1) return false;
            at = &plan_.ops[before.front()];
        }
        return false;
    }

    void checkCopy(BufferId id, const Writers& writers) {
        const PlanBuffer& copy = plan_.buffer(id);
        const PlanBuffer& source = plan_.buffer(copy.cloneOf);
        const std::vector<std::size_t>& own = writers[id.at()];
        const auto wrong = [&](const std::string& how) {
            report("VER-013", "buffer " + copy.name, "is said to be a copy of \"" + source.name + "\", but " + how,
                   {OpId::of(own.front())});
        };
        const PlanOp& op = plan_.ops[own.front()];
        if (own.size() != 1) return wrong("several operations write it");
        if (!fetches(op, copy.cloneOf, writers)) return wrong("\"" + op.name + "\" does not copy that");
        if (copy.shape != source.shape || copy.dtype != source.dtype || !sameLayout(copy, source))
            return wrong("its shape, type or layout differs");
        if (!op.accesses.empty() && !copiesAll(op, copy))
            return wrong("\"" + op.name + "\" does not move every element to its own place");
        if (copy.role != BufferRole::GraphOutput) return;
        if (isOnChip(copy.space)) return wrong("it is a graph output and not in main memory");
        if (source.role == BufferRole::GraphOutput) return wrong("that is a graph output itself");
    }

    static bool sameLayout(const PlanBuffer& a, const PlanBuffer& b) {
        if (!a.layout || !b.layout) return a.layout.has_value() == b.layout.has_value();
        return a.layout->deviceSize == b.layout->deviceSize && a.layout->strideMap == b.layout->strideMap &&
               a.layout->deviceDtype == b.layout->deviceDtype;
    }

    static bool copiesAll(const PlanOp& op, const PlanBuffer& copy) {
        if (op.accesses.size() != 2 || op.accesses[0].isWrite || !op.accesses[1].isWrite) return false;
        const PlanAccess& read = op.accesses[0];
        const PlanAccess& write = op.accesses[1];
        if (read.isIndirect || write.isIndirect || read.offset != 0 || write.offset != 0) return false;
        if (read.coefficients != write.coefficients) return false;
        std::int64_t moved = 1;
        for (std::size_t v = 0; v < op.iterationSpace.size(); ++v) {
            if (v >= read.coefficients.size() || read.coefficients[v] == 0 || op.iterationSpace[v].isReduction)
                return false;
            moved = saturatedMul(moved, op.iterationSpace[v].extent);
        }
        std::int64_t elements = 1;
        for (const std::int64_t extent : copy.shape)
            elements = saturatedMul(elements, extent);
        return moved == elements;
    }
};

}  // namespace

std::vector<Diagnostic> verifySchedule(const Plan& plan) {
    return ScheduleVerifier(plan).run();
}

}  // namespace memplan
