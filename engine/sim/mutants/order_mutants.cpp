// SPDX-License-Identifier: Apache-2.0
// M5, M6 and M15: operations left out or exchanged with their neighbours (proof-and-search A13).
#include "engine/sim/mutants/mutant_maker.h"

#include <algorithm>

namespace memplan::sim {

using std::int64_t;

bool MutantMaker::eraseOp(std::vector<RecordStep>& steps, int op) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].op == op) {
            steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        if (steps[i].op < 0 && eraseOp(steps[i].body, op)) return true;
    }
    return false;
}

void MutantMaker::dropOp(int id, const RecordOp& op) {
    const bool spills = op.fn == "lx_evict" || op.fn == "lx_reload";
    const bool copiesOut = op.role == RecordRole::Move && op.args.front().memory == RecordMemory::Lx &&
                           op.args.back().memory != RecordMemory::Lx;
    add(spills      ? "M15"
        : copiesOut ? "M14"
                    : "M5",
        "op " + op.name + " left out", unreadRule(id), [id](ExecutionRecord& r) { eraseOp(r.steps, id); });
}

std::vector<MutantMaker::Bytes> MutantMaker::bytesOf(const RecordOp& op) const {
    std::vector<Bytes> list;
    for (const RecordArg& a : op.args) {
        const auto slot = slots_.find(a.buffer);
        const RecordBuffer& b = r_.buffers[static_cast<std::size_t>(a.buffer)];
        const int64_t all = layouts_[static_cast<std::size_t>(a.buffer)].elements() * b.itemBytes;
        const int64_t size = a.memory == RecordMemory::Lx && slot != slots_.end() ? slot->second.bytes : all;
        list.push_back({b.memory, b.address, b.address + size, a.buffer, !a.isInput});
    }
    return list;
}

bool MutantMaker::isIndependent(const RecordOp& a, const RecordOp& b) const {
    for (const Bytes& x : bytesOf(a)) {
        for (const Bytes& y : bytesOf(b)) {
            if (!x.write && !y.write) continue;
            if (x.buffer == y.buffer) return false;
            if (x.memory != y.memory || x.memory == RecordMemory::Hbm) continue;
            if (x.begin < y.end && y.begin < x.end) return false;
        }
    }
    return true;
}

void MutantMaker::swapNeighbours(const std::vector<RecordStep>& steps, const std::vector<std::size_t>& path) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        std::vector<std::size_t> inner = path;
        inner.push_back(i);
        if (steps[i].op < 0) swapNeighbours(steps[i].body, inner);
        if (i + 1 >= steps.size() || steps[i].op < 0 || steps[i + 1].op < 0) continue;
        const RecordOp& a = r_.ops[static_cast<std::size_t>(steps[i].op)];
        const RecordOp& b = r_.ops[static_cast<std::size_t>(steps[i + 1].op)];
        std::string rule = isIndependent(a, b) ? "no common byte and no dependency" : "";
        if (rule.empty() && !wasRead_[static_cast<std::size_t>(steps[i].op)]) rule = unreadRule(steps[i].op);
        if (rule.empty() && !wasRead_[static_cast<std::size_t>(steps[i + 1].op)]) rule = unreadRule(steps[i + 1].op);
        if (a.role == RecordRole::Allocate || b.role == RecordRole::Allocate) rule = "room is no work";
        // Two ops that fill different parts of one tensor write no common byte.
        if (rule.empty() && !dependsOn(a, b)) rule = "no common byte and no dependency";
        add("M6", "ops " + a.name + " and " + b.name + " exchanged", rule, [path, i](ExecutionRecord& r) {
            std::vector<RecordStep>* at = &r.steps;
            for (const std::size_t p : path)
                at = &(*at)[p].body;
            std::swap((*at)[i], (*at)[i + 1]);
        });
    }
}

/// One reads what the other writes, or both write the same elements of one buffer.
bool MutantMaker::dependsOn(const RecordOp& a, const RecordOp& b) const {
    for (const RecordArg& x : a.args) {
        for (const RecordArg& y : b.args) {
            if (x.isInput && y.isInput) continue;
            if (x.buffer == y.buffer && (x.isInput || y.isInput)) return true;
            if (x.buffer != y.buffer && slotsMeet(x, y)) return true;
            if (x.buffer == y.buffer && elementsMeet(a, x, b, y)) return true;
        }
    }
    return false;
}

bool MutantMaker::slotsMeet(const RecordArg& x, const RecordArg& y) const {
    if (x.memory != y.memory || x.memory == RecordMemory::Hbm) return false;
    const auto bytes = [&](const RecordArg& a) {
        const auto slot = slots_.find(a.buffer);
        return slot != slots_.end() ? slot->second.bytes
                                    : layouts_[static_cast<std::size_t>(a.buffer)].elements() *
                                          r_.buffers[static_cast<std::size_t>(a.buffer)].itemBytes;
    };
    return x.base < y.base + bytes(y) && y.base < x.base + bytes(x);
}

std::set<int64_t> MutantMaker::elementsOf(const RecordOp& op, const RecordArg& arg) {
    std::set<int64_t> at{arg.index.constant};
    for (const auto& [symbol, coefficient] : arg.index.terms) {
        std::set<int64_t> next;
        for (const int64_t e : at) {
            for (int64_t i = 0; i < op.space[static_cast<std::size_t>(symbol)].extent; ++i)
                next.insert(e + coefficient * i);
        }
        at = std::move(next);
    }
    return at;
}

bool MutantMaker::elementsMeet(const RecordOp& a, const RecordArg& x, const RecordOp& b, const RecordArg& y) {
    if (a.role == RecordRole::Outside || b.role == RecordRole::Outside) return true;
    const std::set<int64_t> first = elementsOf(a, x);
    const std::set<int64_t> second = elementsOf(b, y);
    return std::any_of(first.begin(), first.end(), [&](int64_t e) { return second.contains(e); });
}

}  // namespace memplan::sim
