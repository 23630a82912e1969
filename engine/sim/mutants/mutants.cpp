// SPDX-License-Identifier: Apache-2.0
#include "engine/sim/eval/loop_walk.h"
#include "engine/sim/mutants/mutant_maker.h"

#include <algorithm>
#include <set>

namespace memplan::sim {

using std::int64_t;

MutantMaker::MutantMaker(const ExecutionRecord& record, const std::vector<bool>& wasRead)
    : r_(record), wasRead_(wasRead) {
    for (const RecordBuffer& b : r_.buffers)
        layouts_.emplace_back(b.deviceSize, b.strideMap);
    isHost_ = hostOps(r_);
    findSteps(r_.steps, {});
    measure();
}

std::vector<Mutant> MutantMaker::run() {
    for (const int id : order_) {
        const RecordOp& op = r_.ops[static_cast<std::size_t>(id)];
        if (op.role == RecordRole::Outside || op.role == RecordRole::Allocate || op.args.empty()) continue;
        shiftBases(id, op);
        dropOp(id, op);
        changeSlices(id, op);
        shortenLoops(id, op);
        changeAdvance(id, op);
        changeFunction(id, op);
        copyPlainly(id, op);
        keepOnCore(id, op);
        takeLiveSlot(id, op);
    }
    moveBuffers();
    endLivesEarly();
    keepFromHost();
    swapNeighbours(r_.steps, {});
    changeCounts(r_.steps, {});
    return std::move(list_);
}

void MutantMaker::findSteps(const std::vector<RecordStep>& steps, std::vector<int64_t> counts) {
    for (const RecordStep& s : steps) {
        if (s.op >= 0) {
            order_.push_back(s.op);
            counts_[s.op] = counts;
            continue;
        }
        counts.push_back(s.count);
        findSteps(s.body, counts);
        counts.pop_back();
    }
}

void MutantMaker::measure() {
    for (const int id : order_) {
        const RecordOp& op = r_.ops[static_cast<std::size_t>(id)];
        const bool isPlain = op.role != RecordRole::Outside && op.role != RecordRole::Allocate;
        for (std::size_t a = 0; a < op.args.size(); ++a) {
            const RecordArg& arg = op.args[a];
            (arg.isInput ? readers_ : writers_)[arg.buffer].push_back(id);
            if (arg.memory != RecordMemory::Lx || !isPlain) continue;
            std::string misfit;
            const std::vector<CoreWork> work = coreWork(op, misfit);
            const RecordBuffer& b = r_.buffers[static_cast<std::size_t>(arg.buffer)];
            const ArgMap map(op, arg, layouts_[static_cast<std::size_t>(arg.buffer)], work);
            Slot& slot = slots_[arg.buffer];
            slot = {arg.buffer, b.start, b.end, std::max(slot.bytes, map.localElements() * b.itemBytes)};
        }
    }
}

const std::string& MutantMaker::name(int buffer) const {
    return r_.buffers[static_cast<std::size_t>(buffer)].name;
}

void MutantMaker::add(std::string family, std::string what, std::string equivalent,
                      std::function<void(ExecutionRecord&)> damage) {
    list_.push_back({std::move(family), std::move(what), std::move(equivalent), std::move(damage)});
}

RecordArg& MutantMaker::argOf(ExecutionRecord& r, int op, std::size_t a) {
    return r.ops[static_cast<std::size_t>(op)].args[a];
}

bool MutantMaker::isRead(int buffer) const {
    return readers_.contains(buffer);
}
std::string MutantMaker::unreadRule(int op) const {
    return wasRead_[static_cast<std::size_t>(op)] ? "" : "nobody reads what the op writes";
}

void MutantMaker::changeFunction(int id, const RecordOp& op) {
    if (op.role != RecordRole::Compute) return;
    static const std::map<std::string, std::string, std::less<>> kOther = {
        {"max", "sum"}, {"sum", "max"}, {"exp", "identity"}, {"sub", "div"},
        {"div", "sub"}, {"add", "mul"}, {"mul", "add"}};
    const auto it = kOther.find(op.fn);
    std::string to = it == kOther.end() ? "other" : it->second;
    const bool reduces =
        std::any_of(op.space.begin(), op.space.end(), [](const RecordSymbol& s) { return s.isReduction; });
    if (op.fn == "matmul" || (reduces && to == "identity")) to = "other";
    if (op.fn != "matmul") {
        add("M12", "op " + op.name + " computes " + to, unreadRule(id),
            [id, to](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)].fn = to; });
    }
    if (op.args.size() != 3 || op.args[0] == op.args[1]) return;
    static const std::set<std::string, std::less<>> kCommutes = {"add", "mul", "max", "min", "eq",
                                                                 "ne",  "and", "or",  "xor", "matmul"};
    add("M11", "op " + op.name + " with its operands exchanged",
        kCommutes.contains(op.fn) ? "the function does not look at the order" : unreadRule(id),
        [id](ExecutionRecord& r) { std::swap(argOf(r, id, 0), argOf(r, id, 1)); });
}

/// What a move writes has the same places in both layouts.
bool MutantMaker::liesAlike(const RecordOp& op) const {
    const DeviceMap& from = layouts_[static_cast<std::size_t>(op.args[0].buffer)];
    const DeviceMap& to = layouts_[static_cast<std::size_t>(op.args[1].buffer)];
    const LinearIndex& index = op.args[1].index;
    std::vector<int64_t> extents;
    std::vector<int64_t> steps;
    for (const auto& [symbol, coefficient] : index.terms) {
        extents.push_back(op.space[static_cast<std::size_t>(symbol)].extent);
        steps.push_back(coefficient);
    }
    bool isAlike = true;
    walkBox<1>(extents, {steps}, {index.constant},
               [&](const auto& at) { isAlike = isAlike && from.position(at[0]) == to.position(at[0]); });
    return isAlike;
}

/// A move that copies device memory as it lies: the result has the layout of the source.
void MutantMaker::copyPlainly(int id, const RecordOp& op) {
    if (op.role != RecordRole::Move || op.args.size() != 2) return;
    const RecordBuffer& from = r_.buffers[static_cast<std::size_t>(op.args[0].buffer)];
    const RecordBuffer& to = r_.buffers[static_cast<std::size_t>(op.args[1].buffer)];
    const bool same = from.deviceSize == to.deviceSize && from.strideMap == to.strideMap;
    if (same || op.args[0].index != op.args[1].index) return;
    const std::string rule = liesAlike(op) ? "the element map is the identity" : unreadRule(id);
    add("M14", "op " + op.name + " copies sticks as they lie", rule, [id](ExecutionRecord& r) {
        RecordArg& in = argOf(r, id, 0);
        RecordArg& out = argOf(r, id, 1);
        RecordBuffer plain = r.buffers[static_cast<std::size_t>(out.buffer)];
        plain.deviceSize = r.buffers[static_cast<std::size_t>(in.buffer)].deviceSize;
        plain.strideMap = r.buffers[static_cast<std::size_t>(in.buffer)].strideMap;
        plain.role = "intermediate";
        r.buffers.push_back(plain);
        out.buffer = static_cast<int>(r.buffers.size() - 1);
    });
}
/// A transfer between cores that every core does with its own slice: right only where nothing had to move.
void MutantMaker::keepOnCore(int id, const RecordOp& op) {
    if (op.fn != "lx_relayout") return;
    const RecordArg& in = op.args.front();
    const auto sliceOf = [&](std::size_t symbol) {
        const auto it = std::find_if(in.writerSlices.begin(), in.writerSlices.end(),
                                     [&](const auto& w) { return w.first == static_cast<int>(symbol); });
        return it == in.writerSlices.end() ? int64_t{1} : it->second;
    };
    bool same = true;
    for (std::size_t v = 0; v < op.space.size(); ++v)
        same = same && sliceOf(v) == op.space[v].slices;
    const std::string rule = same ? "the element map is the identity" : unreadRule(id);
    add("M14", "op " + op.name + " copies on each core what the core has", rule, [id](ExecutionRecord& r) {
        r.ops[static_cast<std::size_t>(id)].fn = "identity";
        argOf(r, id, 0).writerSlices.clear();
    });
}

std::vector<Mutant> mutantsOf(const ExecutionRecord& record, const std::vector<bool>& wasRead) {
    return MutantMaker(record, wasRead).run();
}

}  // namespace memplan::sim
