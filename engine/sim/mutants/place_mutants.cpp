// SPDX-License-Identifier: Apache-2.0
// M1 to M4, M7 and M18: addresses and lives of on-chip buffers (proof-and-search A13).
#include "engine/sim/mutants/mutant_maker.h"

#include <algorithm>

namespace memplan::sim {

using std::int64_t;

void MutantMaker::shiftBases(int id, const RecordOp& op) {
    for (std::size_t a = 0; a < op.args.size(); ++a) {
        const RecordArg& arg = op.args[a];
        if (arg.memory != RecordMemory::Lx) continue;
        if (!arg.isInput && !isRead(arg.buffer)) continue;
        for (const int64_t by : {kStick, -kStick, int64_t{2}, int64_t{-2}}) {
            add(arg.isInput ? "M1" : "M2",
                "op " + op.name + (arg.isInput ? " reads " : " writes ") + name(arg.buffer) + " " + std::to_string(by) +
                    " bytes off",
                "", [id, a, by](ExecutionRecord& r) { argOf(r, id, a).base += by; });
        }
    }
}

bool MutantMaker::isAncestor(int parent, int child) const {
    for (std::size_t hops = 0; child >= 0 && hops < r_.buffers.size(); ++hops) {
        child = r_.buffers[static_cast<std::size_t>(child)].inPlaceOf;
        if (child == parent) return true;
    }
    return false;
}

/// In place by index maps (scratchpad 4): an element-wise op reads the parent where it writes the child, element
/// by element, and nobody reads the parent afterwards. The plan names one parent; others may be as good.
bool MutantMaker::mayTakeOver(int parent, int child) const {
    const RecordBuffer& from = r_.buffers[static_cast<std::size_t>(parent)];
    const RecordBuffer& to = r_.buffers[static_cast<std::size_t>(child)];
    const auto writers = writers_.find(child);
    if (writers == writers_.end() || writers->second.size() != 1 || from.end != to.start + 1) return false;
    if (from.deviceSize != to.deviceSize || from.strideMap != to.strideMap || from.itemBytes != to.itemBytes)
        return false;
    const RecordOp& op = r_.ops[static_cast<std::size_t>(writers->second.front())];
    const bool reduces =
        std::any_of(op.space.begin(), op.space.end(), [](const RecordSymbol& s) { return s.isReduction; });
    if (reduces || op.fn == "matmul" || op.fn == "lx_relayout" || op.role == RecordRole::Outside) return false;
    const RecordArg& out = op.args.back();
    return std::any_of(op.args.begin(), op.args.end() - 1, [&](const RecordArg& a) {
        return a.buffer == parent && a.memory == RecordMemory::Lx && a.index == out.index;
    });
}

/// The rules of a legal placement (scratchpad 4), over buffers and addresses alone.
bool MutantMaker::isLegal(const std::map<int, int64_t>& moved) const {
    const auto at = [&](int buffer) {
        const auto it = moved.find(buffer);
        return it == moved.end() ? r_.buffers[static_cast<std::size_t>(buffer)].address : it->second;
    };
    for (const auto& [buffer, slot] : slots_) {
        const int64_t a = at(buffer);
        if (a < 0 || a % r_.alignment != 0 || a + slot.bytes > r_.lxCapacity) return false;
        for (const auto& [other, second] : slots_) {
            if (other <= buffer || slot.start >= second.end || second.start >= slot.end) continue;
            const int64_t b = at(other);
            if (a + slot.bytes <= b || b + second.bytes <= a) continue;
            const bool handsOver = a == b && (isAncestor(buffer, other) || isAncestor(other, buffer) ||
                                              mayTakeOver(buffer, other) || mayTakeOver(other, buffer));
            if (!handsOver) return false;
        }
    }
    return true;
}

void MutantMaker::move(ExecutionRecord& r, int buffer, int64_t to) {
    RecordBuffer& b = r.buffers[static_cast<std::size_t>(buffer)];
    const int64_t by = to - b.address;
    b.address = to;
    for (RecordOp& op : r.ops) {
        for (RecordArg& arg : op.args) {
            if (arg.buffer == buffer && arg.memory == RecordMemory::Lx) arg.base += by;
        }
    }
}

void MutantMaker::addMove(const std::string& family, const std::map<int, int64_t>& moved, const std::string& what) {
    const bool legal = isLegal(moved);
    add(family, what, legal ? "the moved placement is legal" : "", [moved](ExecutionRecord& r) {
        for (const auto& [buffer, to] : moved)
            move(r, buffer, to);
    });
}

void MutantMaker::moveBuffers() {
    for (const auto& [buffer, slot] : slots_) {
        const int64_t own = r_.buffers[static_cast<std::size_t>(buffer)].address;
        for (const auto& [other, second] : slots_) {
            if (other == buffer || slot.start >= second.end || second.start >= slot.end) continue;
            const int64_t there = r_.buffers[static_cast<std::size_t>(other)].address;
            if (there == own) continue;
            for (const int64_t by : {int64_t{0}, kStick, -kStick})
                addMove("M3", {{buffer, there + by}}, name(buffer) + " lies at " + std::to_string(there + by));
            if (other > buffer) {
                addMove("M4", {{buffer, there}, {other, own}}, name(buffer) + " and " + name(other) + " exchanged");
            }
        }
    }
}

void MutantMaker::endLivesEarly() {
    for (const auto& [buffer, slot] : slots_) {
        const int64_t last = slot.end - 1;
        const auto accesses = [&, b = buffer](const std::map<int, std::vector<int>>& of) {
            const auto it = of.find(b);
            return it != of.end() && std::find(it->second.begin(), it->second.end(), last) != it->second.end();
        };
        const std::string rule = accesses(readers_) ? "" : "the last step does not read the buffer";
        add("M7", name(buffer) + " ends one step earlier", rule,
            [b = buffer](ExecutionRecord& r) { --r.buffers[static_cast<std::size_t>(b)].end; });
    }
}

void MutantMaker::takeLiveSlot(int id, const RecordOp& op) {
    const std::size_t out = op.args.size() - 1;
    if (op.args[out].memory != RecordMemory::Lx || !isRead(op.args[out].buffer)) return;
    for (std::size_t a = 0; a < out; ++a) {
        const RecordArg& arg = op.args[a];
        if (arg.memory != RecordMemory::Lx || arg.base == op.args[out].base) continue;
        const auto& readers = readers_[arg.buffer];
        const auto isLater = [&](int o) { return o > id; };
        if (std::none_of(readers.begin(), readers.end(), isLater)) continue;
        const int64_t to = arg.base;
        const int buffer = op.args[out].buffer;
        add("M7", name(buffer) + " takes the slot of " + name(arg.buffer) + ", which is still read", "",
            [buffer, to](ExecutionRecord& r) { move(r, buffer, to); });
    }
}

/// Kernels and the host access it.
bool MutantMaker::isShared(int buffer) const {
    std::set<bool> users;
    for (const auto* of : {&readers_, &writers_}) {
        const auto it = of->find(buffer);
        for (std::size_t i = 0; it != of->end() && i < it->second.size(); ++i) {
            const int op = it->second[i];
            const bool isWork = r_.ops[static_cast<std::size_t>(op)].role != RecordRole::Allocate;
            if (isWork) users.insert(isHost_[static_cast<std::size_t>(op)]);
        }
    }
    return users.size() == 2;
}

/// A kernel reads what the host wrote there, or the other way round.
bool MutantMaker::crossesToHost(int buffer) const {
    const auto reaches = [&](int from, int to) {
        const RecordOp& writer = r_.ops[static_cast<std::size_t>(from)];
        const RecordOp& reader = r_.ops[static_cast<std::size_t>(to)];
        const bool crosses = isHost_[static_cast<std::size_t>(from)] != isHost_[static_cast<std::size_t>(to)];
        if (!crosses || from > to || !wasRead_[static_cast<std::size_t>(from)]) return false;
        for (const RecordArg& x : writer.args) {
            for (const RecordArg& y : reader.args) {
                const bool isPair = x.buffer == buffer && y.buffer == buffer && !x.isInput && y.isInput;
                if (isPair && elementsMeet(writer, x, reader, y)) return true;
            }
        }
        return false;
    };
    const auto writers = writers_.find(buffer);
    const auto readers = readers_.find(buffer);
    if (writers == writers_.end() || readers == readers_.end()) return false;
    return std::any_of(writers->second.begin(), writers->second.end(), [&](int w) {
        return std::any_of(readers->second.begin(), readers->second.end(), [&](int r) { return reaches(w, r); });
    });
}

/// The host looks into main memory alone: what it and a kernel share cannot stay on chip, however free that is.
void MutantMaker::keepFromHost() {
    int64_t free = 0;
    for (const auto& [buffer, slot] : slots_)
        free = std::max(free, r_.buffers[static_cast<std::size_t>(buffer)].address + slot.bytes);
    free = (free + kStick - 1) / kStick * kStick;
    for (std::size_t b = 0; b < r_.buffers.size(); ++b) {
        const RecordBuffer& shared = r_.buffers[b];
        const int64_t bytes = layouts_[b].elements() * shared.itemBytes;
        const bool isHeld = shared.memory == RecordMemory::Hbm && shared.role == "intermediate";
        const auto buffer = static_cast<int>(b);
        if (!isHeld || free + bytes > r_.lxCapacity || !isShared(buffer)) continue;
        add("M18", shared.name + " is kept on chip, and the host accesses it",
            crossesToHost(buffer) ? "" : "nothing passes between the host and a kernel",
            [buffer, free](ExecutionRecord& r) { keepOnChip(r, buffer, free); });
    }
}

void MutantMaker::keepOnChip(ExecutionRecord& r, int buffer, int64_t address) {
    RecordBuffer& b = r.buffers[static_cast<std::size_t>(buffer)];
    b.memory = RecordMemory::Lx;
    b.address = address;
    for (RecordOp& op : r.ops) {
        for (RecordArg& arg : op.args) {
            if (arg.buffer != buffer) continue;
            arg.memory = RecordMemory::Lx;
            arg.base = address;
        }
    }
}

}  // namespace memplan::sim
