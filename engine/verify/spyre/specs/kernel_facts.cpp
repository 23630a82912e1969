// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/specs/kernel_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/spyre/machine/spyre_machine.h"
#include "engine/verify/spyre/specs/whole_parts.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::verify {
namespace {

using text::grouped;
using text::quoted;

constexpr int kSegments = 7;  ///< address slots of a kernel; one is never for a tensor, one more goes to the pool

class KernelFacts {
public:
    KernelFacts(const PlanReading& reading, Report& report)
        : reading_(reading), plan_(reading.plan), report_(report), machine_(spyreMachine(reading.plan.machine)),
          statesPool_(statesPool(reading.plan)) {}

    void run() {
        checkPresence();
        if (spyreData(plan_).pool && (spyreData(plan_).pool->first < 0 || spyreData(plan_).pool->second < 0))
            wrong("pool size", "is below 0");
        if (spyreData(plan_).pool && statesPool_) checkPool(*spyreData(plan_).pool);
        if (spyreData(plan_).kernels) checkKernels(*spyreData(plan_).kernels);
        if (spyreData(plan_).propagation) checkPropagation(*spyreData(plan_).propagation);
        if (spyreData(plan_).loops) checkLeaves();
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    const SpyreMachine machine_;
    const bool statesPool_;

    void wrong(const std::string& where, std::string message, std::vector<OpId> ops = {}) {
        report_.add("VER-013", where, std::move(message), std::move(ops));
    }

    /// A key is there when its pass ran.
    void checkPresence() {
        const auto ran = [&](std::string_view pass) {
            return std::any_of(plan_.passes.begin(), plan_.passes.end(),
                               [&](const PassRun& r) { return r.ran && r.name == pass; });
        };
        const auto expect = [&](const char* key, const char* pass, bool isThere) {
            if (ran(pass) && !isThere) wrong(key, std::string("is missing although the pass ") + pass + " ran");
        };
        expect("propagation", "coarse_tile.propagate", spyreData(plan_).propagation.has_value());
        expect("loops", "build_loop_scheduler_nodes", spyreData(plan_).loops.has_value());
        expect("kernels", "spyre_fuse_nodes", spyreData(plan_).kernels.has_value());
        expect("pool", "memory_planning", spyreData(plan_).pool.has_value());
    }

    /// A plan need not say what lies in the pool; then neither its size nor the arguments of kernels can be checked.
    [[nodiscard]] static bool statesPool(const Plan& plan) {
        const bool isEmpty = !spyreData(plan).pool || spyreData(plan).pool->first == 0;
        return isEmpty || std::any_of(plan.buffers.begin(), plan.buffers.end(),
                                      [](const PlanBuffer& b) { return b.poolOffset.has_value(); });
    }

    // ---- kernels -------------------------------------------------------------------------------------

    [[nodiscard]] bool isExternal(BufferId id) const { return !reading_.isOn(id) && !plan_.buffer(id).poolOffset; }

    [[nodiscard]] std::vector<BufferId> argumentsOf(const PlanKernel& k) const {
        std::vector<BufferId> read;
        std::vector<BufferId> written;
        const auto add = [&](std::vector<BufferId>& list, BufferId id) {
            if (isExternal(id) && std::find(list.begin(), list.end(), id) == list.end()) list.push_back(id);
        };
        for (const OpId id : k.ops) {
            for (const BufferId in : plan_.op(id).inputs)
                add(read, in);
            for (const BufferId out : plan_.op(id).outputs)
                add(written, out);
        }
        std::erase_if(read, [&](BufferId b) { return std::find(written.begin(), written.end(), b) != written.end(); });
        read.insert(read.end(), written.begin(), written.end());
        return read;
    }

    void checkKernels(const std::vector<PlanKernel>& kernels) {
        const int limit = kSegments - (spyreData(plan_).pool && spyreData(plan_).pool->first > 0 ? 2 : 1);
        std::set<std::string_view> names;
        std::set<OpId> held;
        for (const PlanKernel& k : kernels) {
            const std::string where = "kernel " + k.name;
            if (!names.insert(k.name).second) wrong(where, "is the name of two kernels");
            if (k.ops.empty()) wrong(where, "holds no operation");
            for (const OpId id : k.ops) {
                if (!held.insert(id).second)
                    wrong(where, "holds " + quoted(plan_.op(id).name) + " a second time", {id});
            }
            if (statesPool_) checkArguments(k, where);
            report_.expect(where + ", tensor limit", std::int64_t{k.tensorLimit}, std::int64_t{limit});
            checkMix(k);
        }
        for (std::size_t i = 0; i < plan_.ops.size(); ++i) {
            const OpId id = OpId::of(i);
            if (LoopReading::isAllocation(plan_.ops[i]) || held.contains(id)) continue;
            report_.op("VER-012", id, "is in no kernel");
        }
        checkNames(kernels);
    }

    void checkArguments(const PlanKernel& k, const std::string& where) {
        const std::vector<BufferId> arguments = argumentsOf(k);
        if (k.arguments != arguments)
            wrong(where, "its arguments are not the tensors in main memory that its operations touch, those that "
                         "are only read first");
        report_.expect(where + ", external tensors", std::int64_t{k.externalTensors},
                       static_cast<std::int64_t>(arguments.size()));
    }

    /// A loop and an outside kernel are kernels of their own (7).
    void checkMix(const PlanKernel& k) {
        if (k.ops.size() < 2) return;
        for (const OpId id : k.ops) {
            const PlanOp& op = plan_.op(id);
            const PlanOp& first = plan_.op(k.ops.front());
            const bool isAlone = !isComputed(op);
            const bool sameLoop = op.loopPath.empty() == first.loopPath.empty() &&
                                  (op.loopPath.empty() || op.loopPath.front() == first.loopPath.front());
            if (!isAlone && sameLoop) continue;
            report_.add("VER-012", "kernel " + k.name,
                        "holds " + quoted(op.name) + " beside others, which has to be a kernel of its own", {id});
        }
    }

    /// An outside kernel has the name of its operation, the others are numbered in run order.
    void checkNames(const std::vector<PlanKernel>& kernels) {
        int number = 0;
        for (const PlanKernel& k : kernels) {
            if (k.ops.empty()) continue;
            const bool isOutside = !isComputed(plan_.op(k.ops.front()));
            const std::string end = isOutside ? plan_.op(k.ops.front()).name : "_" + std::to_string(number++);
            const bool isSo = isOutside ? k.name == end : k.name.ends_with(end) && k.name.starts_with("sdsc_");
            if (!isSo) wrong("kernel " + k.name, "is not named as its place in the run asks: ... " + quoted(end));
        }
    }

    /// The path of a loop has one number for each loop around it and its own, the first ones of its operations' paths.
    void checkPaths(const std::vector<LoopNode>& nodes, const std::vector<int>& above) {
        for (const LoopNode& n : nodes) {
            if (n.op.isValid()) {
                const std::vector<int>& path = plan_.op(n.op).loopPath;
                if (path.size() < above.size() || !std::equal(above.begin(), above.end(), path.begin()))
                    report_.op("VER-012", n.op, "stands in a loop of the tree whose path is not that of the operation");
                continue;
            }
            const bool isBelow =
                n.path.size() == above.size() + 1 && std::equal(above.begin(), above.end(), n.path.begin());
            if (!isBelow || n.count < 1 || n.body.empty())
                report_.add("VER-012", "loops",
                            "a loop of " + grouped(n.count) +
                                " iterations has a path that is not one "
                                "below its outer loop's, or no body");
            checkPaths(n.body, n.path);
        }
    }

    void checkLeaves() {
        checkPaths(*spyreData(plan_).loops, {});
        if (spyreData(plan_).loops->empty() &&
            !std::all_of(plan_.ops.begin(), plan_.ops.end(), LoopReading::isAllocation))
            report_.add("VER-012", "loops", "the loop tree holds no operation");
    }

    // ---- propagation ---------------------------------------------------------------------------------

    void checkPropagation(const std::vector<PlanPropagation>& list) {
        std::map<std::string_view, BufferId> buffers;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            buffers.emplace(plan_.buffers[i].name, BufferId::of(i));
        std::map<std::string_view, OpId> ops;
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            ops.emplace(plan_.ops[i].name, OpId::of(i));
        std::set<std::string_view> named;
        for (const PlanPropagation& p : list) {
            const std::string where = "propagation of " + p.buffer;
            if (!named.insert(p.buffer).second) wrong(where, "is stated twice");
            const auto full = buffers.find(p.fullBuffer);
            const auto tile = buffers.find(p.buffer);
            const auto copy = ops.find(p.copyOp);
            if (p.kind == "loop_internal") {
                if (!p.fullBuffer.empty() || !p.copyOp.empty())
                    wrong(where, "is inside its loop and has a full buffer");
                if (tile == buffers.end()) continue;  // taken out by a later pass
                const auto& layout = plan_.buffer(tile->second).layout;
                if (layout && !layout->perTileFixed)
                    wrong(where, "is one tile, the layout of the buffer does not say so");
            } else if (p.kind == "rewire") {
                if (full == buffers.end())
                    wrong(where, "its full buffer " + quoted(p.fullBuffer) + " is none of the plan");
                if (!p.copyOp.empty()) wrong(where, "is written in place of the copy that it names");
                if (tile != buffers.end()) wrong(where, "is said to be rewired and is a buffer of the plan");
                if (full != buffers.end() && !isTensorOf(full->second, p.buffer))
                    wrong(where, "is not the tensor that its full buffer " + quoted(p.fullBuffer) + " holds");
            } else if (p.kind == "copy") {
                if (full == buffers.end())
                    wrong(where, "its full buffer " + quoted(p.fullBuffer) + " is none of the plan");
                if (copy == ops.end()) {
                    wrong(where, "its copy " + quoted(p.copyOp) + " is no operation of the plan");
                } else if (tile != buffers.end() && full != buffers.end()) {
                    const PlanOp& op = plan_.op(copy->second);
                    const bool isCopy =
                        op.inputs == std::vector{tile->second} && op.outputs == std::vector{full->second};
                    if (!isCopy) wrong(where, quoted(p.copyOp) + " does not copy it to " + quoted(p.fullBuffer));
                }
            } else {
                wrong(where, "is of the unknown case " + quoted(p.kind));
            }
        }
        checkTiles(named);
        checkFullBuffers(list);
        checkOrderOf(list, buffers);
    }

    /// A tile that is no buffer any more has the name of the tensor that the loops leave; nothing is known of others.
    [[nodiscard]] bool isTensorOf(BufferId full, const std::string& tile) const {
        const TensorId tensor = plan_.buffer(full).graphTensor;
        return !plan_.graph || !tensor.isValid() || plan_.graph->tensor(tensor).id == tile;
    }

    /// The op of a loop that writes the tile of an entry; invalid where it cannot be known.
    [[nodiscard]] OpId writerOf(const PlanPropagation& p, const std::map<std::string_view, BufferId>& buffers) const {
        const auto tile = buffers.find(p.kind == "rewire" ? p.fullBuffer : p.buffer);
        if (tile == buffers.end()) return {};
        OpId writer;
        for (const Use& use : reading_.uses(tile->second)) {
            const PlanOp& op = plan_.op(use.op);
            if (!use.writes || op.loopPath.empty() || LoopReading::isAllocation(op)) continue;
            if (writer.isValid()) return {};
            writer = use.op;
        }
        return writer;
    }

    /// Group after group, each in the order in which its operations run (4.2).
    void checkOrderOf(const std::vector<PlanPropagation>& list, const std::map<std::string_view, BufferId>& buffers) {
        std::pair<int, int> last{-1, -1};
        for (const PlanPropagation& p : list) {
            const OpId writer = writerOf(p, buffers);
            if (!writer.isValid()) continue;
            const std::pair<int, int> now{plan_.op(writer).loopPath.front(), writer.index};
            if (now < last) wrong("propagation of " + p.buffer, "stands behind an entry whose operation runs later");
            last = std::max(last, now);
        }
    }

    /// Room that tiling made for the slices of a loop is what some entry names.
    void checkFullBuffers(const std::vector<PlanPropagation>& list) {
        std::set<std::string_view> named;
        for (const PlanPropagation& p : list)
            named.insert(p.fullBuffer);
        for (const PlanOp& op : plan_.ops) {
            const bool isByTiling = LoopReading::isAllocation(op) && op.addedBy == "coarse_tile.propagate";
            if (!isByTiling || op.outputs.size() != 1) continue;
            const PlanBuffer& room = plan_.buffer(op.outputs.front());
            if (!named.contains(room.name))
                wrong("propagation", "says nothing of the full buffer " + quoted(room.name) + ", which loops fill");
        }
    }

    /// What a loop writes is one of the cases: no tile without an entry.
    void checkTiles(const std::set<std::string_view>& named) {
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const PlanBuffer& b = plan_.buffers[i];
            if (b.layout && b.layout->perTileFixed && !named.contains(b.name))
                report_.buffer("VER-013", BufferId::of(i), "is said to hold one tile, and no propagation made it one");
        }
    }

    // ---- pool ----------------------------------------------------------------------------------------

    struct Pooled {
        BufferId id;
        StepRange life;
        Bytes bytes = 0;
        Address offset = 0;
    };

    /// May lie in the pool: computed and read here, not by outside kernels, and no result of the graph (14).
    [[nodiscard]] bool belongsToPool(BufferId id) const {
        const PlanBuffer& b = plan_.buffer(id);
        if (reading_.isOn(id) || b.role != BufferRole::Intermediate || !b.layout || isResult(b)) return false;
        bool isRead = false;
        bool isWritten = false;
        for (const Use& use : reading_.uses(id)) {
            const PlanOp& op = plan_.op(use.op);
            if (LoopReading::isAllocation(op)) continue;
            if (op.kind == "extern" || (use.writes && op.kind == "constant")) return false;
            isRead = isRead || use.reads;
            isWritten = isWritten || use.writes;
        }
        return isRead && isWritten;
    }

    /// A view of it is a result of the graph.
    static bool isResult(const PlanBuffer& b) {
        const auto says = [](ReasonCode c) { return c == ReasonCode::OutputIsView || c == ReasonCode::GraphOutput; };
        return b.reason &&
               (says(b.reason->code) || std::any_of(b.reason->others.begin(), b.reason->others.end(), says));
    }

    void checkPool(const std::pair<Bytes, Bytes>& stated) {
        std::vector<Pooled> pooled;
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
            const BufferId id = BufferId::of(i);
            const PlanBuffer& b = plan_.buffer(id);
            if (!b.poolOffset) continue;
            if (!belongsToPool(id)) report_.buffer("VER-013", id, "has a place in the pool, and may not lie there");
            if (*b.poolOffset < 0 || *b.poolOffset % machine_.stickBytes != 0)
                report_.buffer("VER-001", id,
                               "has the pool offset " + grouped(*b.poolOffset) + ", no multiple of " +
                                   grouped(machine_.stickBytes));
            pooled.push_back({id, reading_.loops.poolLife(id, reading_.life(id)),
                              saturatedMul(wholeParts(b.size, 128), 128), *b.poolOffset});
        }
        for (std::size_t i = 0; i < plan_.buffers.size() && !pooled.empty(); ++i) {
            const BufferId id = BufferId::of(i);
            const bool isThere = plan_.buffer(id).poolOffset.has_value();
            if (!isThere && belongsToPool(id))
                report_.buffer("VER-013", id, "is an intermediate without a place in the pool");
        }
        Address end = 0;
        for (const Pooled& p : pooled)
            end = std::max(end, saturatedAdd(p.offset, p.bytes));
        report_.expect("pool size", stated.first, end);
        report_.expect("pool peak", stated.second, peakOf(pooled));
        if (stated.second > machine_.hbmPoolBytes)
            report_.add("VER-002", "pool peak",
                        "is " + grouped(stated.second) + " B, its segment holds " + grouped(machine_.hbmPoolBytes));
    }

    static Bytes peakOf(const std::vector<Pooled>& pooled) {
        std::map<Step, Bytes> changes;
        for (const Pooled& p : pooled) {
            changes[p.life.begin] += p.bytes;
            changes[p.life.end] -= p.bytes;
        }
        Bytes live = 0;
        Bytes peak = 0;
        for (const auto& [step, change] : changes)
            peak = std::max(peak, live += change);
        return peak;
    }
};

}  // namespace

void checkKernelFacts(const PlanReading& reading, Report& report) {
    if (isPlannedHere(reading.plan)) KernelFacts(reading, report).run();
}

}  // namespace memplan::verify
