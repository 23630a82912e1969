// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/record/record_facts.h"

#include "engine/plan/spyre_data.h"
#include "engine/sim/record/record.h"
#include "engine/verify/spyre/reading/reading.h"

#include <algorithm>

namespace memplan::verify {
namespace {

using sim::RecordMemory;

class RecordFacts {
public:
    RecordFacts(const Plan& plan, Report& report) : plan_(plan), record_(*plan.execution), report_(report) {}

    void run() {
        checkHead();
        if (record_.buffers.size() != plan_.buffers.size() || record_.ops.size() != plan_.ops.size())
            return wrong("execution", "holds other buffers or operations than the plan");
        for (std::size_t b = 0; b < plan_.buffers.size(); ++b)
            checkBuffer(BufferId::of(b));
        findKernels();
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            checkOp(OpId::of(i));
        checkKernels();
        checkSteps();
        checkOutputs();
    }

private:
    const Plan& plan_;
    const sim::ExecutionRecord& record_;
    Report& report_;
    const bool statesPool_ = statesPool(plan_);
    std::vector<const PlanKernel*> kernelOf_;  ///< per op, null for allocations

    void wrong(const std::string& where, std::string message) { report_.add("VER-013", where, std::move(message)); }
    void ofBuffer(BufferId id, const std::string& what) {
        report_.buffer("VER-013", id, "the execution record says something else of " + what);
    }
    void ofOp(OpId id, const std::string& what) {
        report_.op("VER-013", id, "the execution record says something else of " + what);
    }

    void checkHead() {
        report_.expect("execution cores", record_.cores, plan_.settings.integer("spyre.cores"));
        // A plan that does not state the whole memory of a core has its capacity there.
        if (plan_.memory.physical != plan_.memory.capacity)
            report_.expect("execution lx_bytes", record_.lxBytes, plan_.memory.physical);
        report_.expect("execution lx_capacity", record_.lxCapacity, plan_.memory.capacity);
        report_.expect("execution alignment", record_.alignment, plan_.memory.alignment);
        report_.expect("execution claimed_read_bytes", record_.claimedReadBytes, plan_.metrics.mainMemoryReadBytes);
        report_.expect("execution claimed_write_bytes", record_.claimedWriteBytes, plan_.metrics.mainMemoryWriteBytes);
        if (record_.hasPool != hasPool()) wrong("execution pool", "says something else than the plan's pool");
    }

    [[nodiscard]] bool hasPool() const { return spyreData(plan_).pool && spyreData(plan_).pool->first > 0; }

    /// The plan says where in the pool its buffers are, which the contract does not ask for.
    [[nodiscard]] static bool statesPool(const Plan& plan) {
        const bool isEmpty = !spyreData(plan).pool || spyreData(plan).pool->first == 0;
        return isEmpty || std::any_of(plan.buffers.begin(), plan.buffers.end(),
                                      [](const PlanBuffer& b) { return b.poolOffset.has_value(); });
    }

    // ---- buffers -------------------------------------------------------------------------------------

    [[nodiscard]] static RecordMemory memoryOf(const PlanBuffer& b) {
        if (b.address) return RecordMemory::Lx;
        return b.poolOffset ? RecordMemory::Pool : RecordMemory::Hbm;
    }

    [[nodiscard]] static std::int64_t addressOf(const PlanBuffer& b) {
        return b.address ? *b.address : b.poolOffset.value_or(0);
    }

    void checkBuffer(BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const sim::RecordBuffer& r = record_.buffers[id.at()];
        if (r.name != b.name) return ofBuffer(id, "its name");
        const bool isOutOfSight = !statesPool_ && !b.address && r.memory != RecordMemory::Lx;
        if (!isOutOfSight && (r.memory != memoryOf(b) || r.address != addressOf(b))) ofBuffer(id, "its address");
        if (r.start != b.life.begin || r.end != b.life.end) ofBuffer(id, "its lifetime");
        if (r.inPlaceOf != b.inPlaceOf.index) ofBuffer(id, "the slot it takes over");
        if (r.hostSize != b.shape) ofBuffer(id, "its shape");
        const bool sameLayout = b.layout ? r.deviceSize == b.layout->deviceSize && r.strideMap == b.layout->strideMap
                                         : r.deviceSize.empty();
        if (!sameLayout) ofBuffer(id, "its layout");
    }

    // ---- operations ----------------------------------------------------------------------------------

    void findKernels() {
        kernelOf_.assign(plan_.ops.size(), nullptr);
        if (!spyreData(plan_).kernels) return;
        for (const PlanKernel& k : *spyreData(plan_).kernels) {
            for (const OpId op : k.ops)
                kernelOf_[op.at()] = &k;
        }
    }

    void checkOp(OpId id) {
        const PlanOp& op = plan_.op(id);
        const sim::RecordOp& r = record_.ops[id.at()];
        if (r.name != op.name) return ofOp(id, "its name");
        if (r.cores != op.cores) ofOp(id, "its cores");
        if (!sameSpace(op, r)) ofOp(id, "its loops and splits");
        if (!PlanReading::statesAccesses(op)) return;
        if (r.kFirst != op.kAdjacent) ofOp(id, "the order of its cores");
        const std::size_t further = op.outputs.empty() ? 0 : op.outputs.size() - 1;
        if (r.args.size() != op.accesses.size() + further) return ofOp(id, "how many operands it has");
        for (std::size_t a = 0; a < op.accesses.size(); ++a) {
            if (!sameAccess(op.accesses[a], r.args[a], r.role)) ofOp(id, "its operand " + std::to_string(a));
        }
        for (std::size_t a = 0; a < r.args.size(); ++a) {
            if (!samePlace(id, r.args[a])) ofOp(id, "where its operand " + std::to_string(a) + " is");
        }
    }

    [[nodiscard]] static bool sameSpace(const PlanOp& op, const sim::RecordOp& r) {
        if (r.space.size() != op.iterationSpace.size()) return false;
        for (std::size_t v = 0; v < r.space.size(); ++v) {
            const IterationDim& d = op.iterationSpace[v];
            const sim::RecordSymbol& s = r.space[v];
            const std::int64_t unit = d.elemsPerStick > 0 ? d.elemsPerStick : 1;
            const bool isDetailed = PlanReading::statesAccesses(op);
            const bool isSame = s.name == d.name && s.extent == d.extent && s.slices == d.slices &&
                                (!isDetailed || (s.isReduction == d.isReduction && s.unit == unit));
            if (!isSame) return false;
        }
        return true;
    }

    [[nodiscard]] static bool sameAccess(const PlanAccess& a, const sim::RecordArg& r, sim::RecordRole role) {
        if (r.buffer != a.buffer.index || r.isInput == a.isWrite || r.isIndirect != a.isIndirect) return false;
        // What lies outside of the loops sees operands of the graph through views, which a plan file does not show.
        if (role == sim::RecordRole::Outside) return true;
        std::vector<std::int64_t> coefficients(a.coefficients.size(), 0);
        for (const auto& [symbol, coefficient] : r.index.terms) {
            if (static_cast<std::size_t>(symbol) >= coefficients.size()) return false;
            coefficients[static_cast<std::size_t>(symbol)] = coefficient;
        }
        return r.index.constant == a.offset && coefficients == a.coefficients;
    }

    [[nodiscard]] bool samePlace(OpId id, const sim::RecordArg& r) const {
        const PlanBuffer& b = plan_.buffers[static_cast<std::size_t>(r.buffer)];
        if (!statesPool_ && !b.address && r.memory != RecordMemory::Lx) return true;
        if (r.memory != memoryOf(b)) return false;
        if (r.memory != RecordMemory::Hbm) return r.base == addressOf(b);
        const PlanKernel* kernel = kernelOf_[id.at()];
        if (kernel == nullptr) return r.base == 0;  // room that no kernel binds
        const auto& arguments = kernel->arguments;
        const auto slot = std::find(arguments.begin(), arguments.end(), BufferId{r.buffer}) - arguments.begin();
        return r.base == (slot + (hasPool() ? 1 : 0)) * sim::kSegmentBytes;
    }

    // ---- order ---------------------------------------------------------------------------------------

    void checkKernels() {
        if (!spyreData(plan_).kernels || spyreData(plan_).kernels->size() != record_.kernels.size())
            return wrong("execution kernels", "are others than those of the plan");
        for (std::size_t k = 0; k < record_.kernels.size(); ++k) {
            const PlanKernel& mine = (*spyreData(plan_).kernels)[k];
            const sim::RecordKernel& r = record_.kernels[k];
            const auto same = [](const auto& ids, const std::vector<int>& positions) {
                return std::equal(ids.begin(), ids.end(), positions.begin(), positions.end(),
                                  [](auto id, int position) { return id.index == position; });
            };
            const bool isSame = r.name == mine.name && r.nonTerminal == mine.nonTerminal && same(mine.ops, r.ops) &&
                                same(mine.arguments, r.arguments);
            if (!isSame) wrong("kernel " + mine.name, "the execution record says something else of it");
        }
    }

    /// Positions of the ops in the order of the run, each iteration once.
    static void listOps(const std::vector<sim::RecordStep>& steps, std::vector<int>& out) {
        for (const sim::RecordStep& s : steps) {
            if (s.op >= 0) out.push_back(s.op);
            listOps(s.body, out);
        }
    }

    void checkSteps() {
        std::vector<sim::RecordStep> steps = record_.steps;
        // The list of ops is the order of the run, loops being nests of neighbours.
        std::vector<int> order;
        listOps(steps, order);
        bool isOrder = order.size() == record_.ops.size();
        for (std::size_t i = 0; i < order.size() && isOrder; ++i)
            isOrder = order[i] == static_cast<int>(i);
        if (!isOrder) wrong("execution steps", "do not run every operation once, in the order of the plan");
        // The plan's tree of loops leaves out ops that only make room.
        std::erase_if(steps, [this](const sim::RecordStep& s) {
            return s.op >= 0 && record_.ops[static_cast<std::size_t>(s.op)].role == sim::RecordRole::Allocate;
        });
        const bool isSame = spyreData(plan_).loops && sameSteps(*spyreData(plan_).loops, steps);
        if (!isSame) wrong("execution steps", "are others than the loops of the plan");
    }

    [[nodiscard]] static bool sameSteps(const std::vector<LoopNode>& nodes, const std::vector<sim::RecordStep>& steps) {
        return std::equal(nodes.begin(), nodes.end(), steps.begin(), steps.end(),
                          [](const LoopNode& n, const sim::RecordStep& s) {
                              if (n.op.isValid() || s.op >= 0) return n.op.index == s.op;
                              return n.count == s.count && sameSteps(n.body, s.body);
                          });
    }

    void checkOutputs() {
        const bool hasAll = record_.graph && record_.outputs.size() == record_.graph->outputs.size();
        if (!hasAll) wrong("execution outputs", "are not all that the graph returns");
    }
};

}  // namespace

void checkRecordFacts(const Plan& plan, Report& report) {
    if (plan.execution) RecordFacts(plan, report).run();
}

}  // namespace memplan::verify
