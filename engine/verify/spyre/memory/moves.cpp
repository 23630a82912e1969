// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/memory/moves.h"

#include "engine/base/text.h"
#include "engine/plan/spyre_data.h"
#include "engine/verify/address.h"
#include "engine/verify/finding.h"
#include "engine/verify/spyre/reading/loops.h"

#include <algorithm>
#include <map>

namespace memplan::verify {
namespace {

using text::grouped;

/// One core's memory as runs of bytes, each with the buffer whose bytes were written there last.
class Memory {
public:
    void write(Address begin, Address end, BufferId owner) {
        cut(begin);
        cut(end);
        auto at = runs_.lower_bound(begin);
        while (at != runs_.end() && at->first < end)
            at = runs_.erase(at);
        if (begin < end) runs_[begin] = {end, owner};
    }

    /// First stranger in [begin, end): a buffer, or an invalid id for bytes that nobody wrote; nullopt when all are
    /// the owner's.
    [[nodiscard]] std::optional<BufferId> strangerIn(Address begin, Address end, BufferId owner) const {
        auto at = runs_.upper_bound(begin);
        if (at != runs_.begin()) --at;
        for (Address next = begin; next < end; ++at) {
            if (at == runs_.end() || at->first > next || at->second.first <= next) return BufferId{};
            if (at->second.second != owner) return at->second.second;
            next = at->second.first;
        }
        return std::nullopt;
    }

private:
    void cut(Address at) {
        auto run = runs_.lower_bound(at);
        if (run == runs_.begin()) return;
        --run;
        if (run->second.first <= at) return;
        runs_[at] = run->second;
        run->second.first = at;
    }

    std::map<Address, std::pair<Address, BufferId>> runs_;  ///< begin -> end, owner
};

class Replay {
public:
    explicit Replay(const Plan& plan) : plan_(plan), stamp_(plan.buffers.size(), -1) {}

    std::vector<Diagnostic> run() {
        for (std::size_t i = 0; i < plan_.ops.size();) {
            std::size_t end = i + 1;
            const auto& path = plan_.ops[i].loopPath;
            while (!path.empty() && end < plan_.ops.size() && !plan_.ops[end].loopPath.empty() &&
                   plan_.ops[end].loopPath.front() == path.front())
                ++end;
            // A second round through a loop meets what the first one left behind.
            for (int round = 0; round < (path.empty() ? 1 : 2); ++round) {
                for (std::size_t at = i; at < end; ++at)
                    execute(OpId::of(at));
            }
            i = end;
        }
        return std::move(found_);
    }

private:
    [[nodiscard]] bool isOn(BufferId id) const {
        return isOnChip(plan_.buffer(id).space) && plan_.buffer(id).address.has_value();
    }

    void execute(OpId id) {
        const PlanOp& op = plan_.op(id);
        if (LoopReading::isAllocation(op)) return;
        for (const BufferId in : op.inputs) {
            if (isOn(in)) checkRead(id, in);
        }
        const bool isMove = op.type == "lx_evict" || op.type == "lx_reload";
        if (isMove) checkMove(id);
        for (const BufferId out : op.outputs) {
            if (isOn(out)) {
                const PlanBuffer& b = plan_.buffer(out);
                memory_.write(*b.address, endAddress(b), out);
            }
            stamp_[out.at()] = id.index;
        }
    }

    void checkRead(OpId id, BufferId in) {
        const PlanBuffer& b = plan_.buffer(in);
        const auto stranger = memory_.strangerIn(*b.address, endAddress(b), in);
        if (!stranger) return;
        const std::string what =
            stranger->isValid() ? "bytes of \"" + plan_.buffer(*stranger).name + "\"" : "bytes that nobody wrote";
        report(id, in, "reads \"" + b.name + "\" at address " + grouped(*b.address) + " and finds " + what);
    }

    void report(OpId id, BufferId buffer, const std::string& what) {
        if (found_.size() >= kMost) return;
        std::vector<BufferId> buffers;
        if (buffer.isValid()) buffers.push_back(buffer);
        found_.push_back(finding("VER-014", "op " + plan_.op(id).name, what, {id}, std::move(buffers)));
    }

    /// A move copies one buffer to another of the same form, element by element, and the copy of an lx_evict stays as
    /// it is: an lx_reload reads the value that was written out, or an original that nobody writes.
    void checkMove(OpId id) {
        const PlanOp& op = plan_.op(id);
        const bool isSingle = op.inputs.size() == 1 && op.outputs.size() == 1;
        if (isSingle && op.accesses.empty()) return checkMoveWithoutIndex(id);
        if (!isSingle || op.accesses.size() != 2) {
            return report(id, op.outputs.empty() ? BufferId{} : op.outputs.front(), "moves not one buffer to another");
        }
        const BufferId from = op.inputs.front();
        const BufferId to = op.outputs.front();
        const PlanBuffer& a = plan_.buffer(from);
        const PlanBuffer& b = plan_.buffer(to);
        const bool sameForm = a.shape == b.shape && a.dtype == b.dtype && a.layout == b.layout && a.size == b.size;
        const PlanAccess& read = op.accesses[0];
        const PlanAccess& write = op.accesses[1];
        const bool sameIndex = read.coefficients == write.coefficients && read.offset == write.offset;
        if (!sameForm || !sameIndex || read.isIndirect || write.isIndirect)
            report(id, to, "does not copy \"" + a.name + "\" element by element");
        if (op.type == "lx_evict" && isOn(to)) report(id, to, "writes \"" + b.name + "\" on chip");
        if (op.type == "lx_reload") checkSource(id, from);
    }

    /// A plan need not state its accesses: what its other keys say of the move still has to be right.
    void checkMoveWithoutIndex(OpId id) {
        const PlanOp& op = plan_.op(id);
        const PlanBuffer& to = plan_.buffer(op.outputs.front());
        if (op.type == "lx_evict" && isOn(op.outputs.front()))
            report(id, op.outputs.front(), "writes \"" + to.name + "\" on chip");
        if (op.type == "lx_reload") checkSource(id, op.inputs.front());
    }

    void checkSource(OpId id, BufferId from) {
        const PlanBuffer& source = plan_.buffer(from);
        const bool arrives = source.role == BufferRole::GraphInput || source.role == BufferRole::Parameter ||
                             source.role == BufferRole::Constant;
        const int writers = writersOf(from);
        if (writers == 0 && arrives) return;
        if (writers != 1 || stamp_[from.at()] < 0)
            return report(id, from, "fetches \"" + source.name + "\", which has no value that is final there");
        const PlanOp& writer = plan_.ops[static_cast<std::size_t>(stamp_[from.at()])];
        if (writer.type != "lx_evict") return;
        if (writersOf(writer.inputs.front()) != 1 || stamp_[writer.inputs.front().at()] > stamp_[from.at()])
            report(id, from, "fetches \"" + source.name + "\", whose original was written again");
    }

    [[nodiscard]] int writersOf(BufferId id) const {
        int writers = 0;
        for (const PlanOp& op : plan_.ops) {
            if (LoopReading::isAllocation(op)) continue;
            writers += static_cast<int>(std::count(op.outputs.begin(), op.outputs.end(), id));
        }
        return writers;
    }

    static constexpr std::size_t kMost = 20;
    const Plan& plan_;
    Memory memory_;
    std::vector<Step> stamp_;  ///< op that wrote the buffer last
    std::vector<Diagnostic> found_;
};

/// Pinned buffers live behind the last op of each kernel, as the plan says them and as they are.
/// On-chip buffers that are live behind the last operation of each kernel but the last, by id.
std::vector<std::vector<BufferId>> liveAcross(const Plan& plan, const std::vector<StepRange>& life) {
    const auto& kernels = *spyreData(plan).kernels;
    std::vector<std::pair<Step, std::size_t>> ends;
    for (std::size_t k = 0; k + 1 < kernels.size(); ++k) {
        if (!kernels[k].ops.empty()) ends.emplace_back(kernels[k].ops.back().index, k);
    }
    std::sort(ends.begin(), ends.end());
    std::vector<std::vector<BufferId>> across(kernels.size());
    for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
        if (!isOnChip(plan.buffers[b].space)) continue;
        auto at = std::lower_bound(ends.begin(), ends.end(), std::pair<Step, std::size_t>(life[b].begin, 0));
        for (; at != ends.end() && at->first < life[b].end - 1; ++at)
            across[at->second].push_back(BufferId::of(b));
    }
    return across;
}

void checkBoundaries(const Plan& plan, const std::vector<StepRange>& life, std::vector<Diagnostic>& found) {
    const auto& kernels = *spyreData(plan).kernels;
    const std::vector<std::vector<BufferId>> crossing = liveAcross(plan, life);
    for (std::size_t k = 0; k < kernels.size(); ++k) {
        const PlanKernel& kernel = kernels[k];
        const std::vector<BufferId>& across = crossing[k];
        std::vector<BufferId> stated = kernel.liveAcross;
        std::sort(stated.begin(), stated.end(), [](BufferId x, BufferId y) { return x.index < y.index; });
        if (stated != across || kernel.nonTerminal == across.empty()) {
            found.push_back(finding("VER-013", "kernel " + kernel.name,
                                    "says that " + std::to_string(stated.size()) + " buffers stay on chip behind it, " +
                                        std::to_string(across.size()) + " do",
                                    {}, across));
        }
        if (across.empty() || !plan.settings.boolean("spyre.safe_boundaries")) continue;
        found.push_back(
            finding("VER-013", "kernel " + kernel.name,
                    "leaves \"" + plan.buffer(across.front()).name + "\" on chip although spyre.safe_boundaries is on",
                    {}, across));
    }
}

}  // namespace

std::vector<Diagnostic> checkMoves(const Plan& plan, const std::vector<StepRange>& life) {
    if (plan.target != "spyre") return {};
    // An imported bundle says what one kernel does, not what an earlier one left behind.
    const bool known = plan.solver != "imported";
    std::vector<Diagnostic> found;
    if (known) found = Replay(plan).run();
    if (known && spyreData(plan).kernels) checkBoundaries(plan, life, found);
    return found;
}

}  // namespace memplan::verify
