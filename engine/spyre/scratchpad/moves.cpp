// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/scratchpad/moves.h"

#include "engine/spyre/division/core_view.h"
#include "engine/spyre/program_edit.h"
#include "engine/spyre/tiling/loop_access.h"

#include <algorithm>
#include <map>
#include <set>

namespace memplan::spyre {
namespace {

bool sameGroup(const Program& program, std::size_t a, std::size_t b) {
    const LoopStamp& x = program.ops[a].loop;
    const LoopStamp& y = program.ops[b].loop;
    return x.isTiled() && y.isTiled() && x.groupId.front() == y.groupId.front();
}

/// The name that the copies are made of: parts of an earlier move carry that of the whole.
std::string rootName(const Buffer& buffer) {
    constexpr std::string_view kPrefix = "lx_reload_";
    const std::size_t last = buffer.name.rfind('_');
    if (buffer.addedBy.empty() || buffer.name.rfind(kPrefix, 0) != 0 || last <= kPrefix.size()) return buffer.name;
    return buffer.name.substr(kPrefix.size(), last - kPrefix.size());
}

/// Numbers the copies of one buffer; an lx_evict and the lx_reloads of its plan share none with older ones.
class MoveNames {
public:
    MoveNames(const Program& program, std::string root) : root_(std::move(root)) {
        for (const Op& op : program.ops)
            taken_.insert(op.name);
        for (const Buffer& b : program.buffers)
            taken_.insert(b.name);
    }

    std::string make(std::string_view fn) {
        for (int n = 0;; ++n) {
            std::string name = std::string(fn) + "_" + root_ + "_" + std::to_string(n);
            if (taken_.insert(name).second) return name;
        }
    }

private:
    std::string root_;
    std::set<std::string> taken_;
};

/// Splits of an identity copy under which it has the view of the buffer's users.
std::optional<Division> divisionLikeUsers(const Program& program, const Op& copy, BufferId buffer,
                                          const BufferRules& rules) {
    Division division;
    division.splits.assign(copy.loops.size(), 1);
    division.committed = division.splits;
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        const Access* access = op.write.buffer == buffer ? &op.write : nullptr;
        for (const Access& read : op.reads)
            access = access == nullptr && read.buffer == buffer ? &read : access;
        if (access == nullptr) continue;
        if (program.coresOf(OpId::of(i)) == 1) return division;
        const CoreMapOptions options{rules.kAdjacentMap};
        const PerCoreView wanted = perCoreView(program, op, *access, program.divisions[i].splits, options);
        const auto splits = splitsForView(copy, program.buffers[buffer.at()], wanted, options);
        if (!splits) return std::nullopt;
        division.splits = *splits;
        division.written = true;
        return division;
    }
    return std::nullopt;
}

/// One program rewritten by one plan.
class Mover {
public:
    Mover(Program& program, const BufferRules& rules, const MovePlan& plan, std::string_view pass)
        : program_(program), rules_(rules), plan_(plan), pass_(pass),
          names_(program, rootName(program.buffers[plan.buffer.at()])) {}

    std::optional<MoveResult> run() {
        const Buffer original = program_.buffers[plan_.buffer.at()];
        const Op probe = identityOp(program_, plan_.buffer, plan_.buffer, {});
        const auto division = divisionLikeUsers(program_, probe, plan_.buffer, rules_);
        if (!division) return std::nullopt;
        division_ = *division;
        MoveResult result;
        result.home = original.cloneOf.isValid() ? original.cloneOf : plan_.buffer;
        if (plan_.writeOut) {
            result.home = copyOf(original, kEvictFn);
            insert(plan_.before, plan_.buffer, result.home, kEvictFn, plan_.before - 1);
        }
        findSuperfluous();
        for (const LaterUses& later : plan_.later)
            result.reloads.push_back(serve(later, original, result.home));
        for (const BufferId old : superfluous_)
            redirectAll(old, result.home);
        rebuild();
        return result;
    }

private:
    BufferId copyOf(const Buffer& original, std::string_view fn) {
        const BufferId id = addBuffer(program_, original, names_.make(fn), pass_);
        if (plan_.buffer.at() < program_.namedDims.size())
            program_.namedDims[id.at()] = program_.namedDims[plan_.buffer.at()];
        return id;
    }

    void insert(std::size_t before, BufferId from, BufferId to, std::string_view fn, std::size_t parent) {
        Op op = identityOp(program_, from, to, OpId::of(parent));
        op.fn = fn;
        added_[before].push_back(std::move(op));
    }

    /// lx_evicts of this buffer among the later readers.
    void findSuperfluous() {
        for (const LaterUses& later : plan_.later) {
            for (const OpId reader : later.readers) {
                const Op& op = program_.ops[reader.at()];
                if (!isEvict(op)) continue;
                superfluous_.push_back(op.write.buffer);
                removed_.insert(reader.at());
            }
        }
    }

    BufferId serve(const LaterUses& later, const Buffer& original, BufferId home) {
        BufferId target = home;
        BufferId reload;
        if (later.reload) {
            reload = target = copyOf(original, kReloadFn);
            program_.buffers[reload.at()].cloneOf = home;
            insert(later.before, home, reload, kReloadFn, later.readers.front().at());
        }
        for (const OpId reader : later.readers) {
            for (Access& read : program_.ops[reader.at()].reads)
                read.buffer = read.buffer == plan_.buffer ? target : read.buffer;
        }
        return reload;
    }

    void redirectAll(BufferId from, BufferId to) {
        for (Op& op : program_.ops) {
            for (Access& read : op.reads)
                read.buffer = read.buffer == from ? to : read.buffer;
        }
        for (Buffer& b : program_.buffers)
            b.cloneOf = b.cloneOf == from ? to : b.cloneOf;
    }

    void rebuild() {
        std::set<std::string> names;
        for (const auto& [before, ops] : added_) {
            for (const Op& op : ops)
                names.insert(op.name);
        }
        const std::size_t count = program_.ops.size();
        ProgramEdit edit(program_);
        for (std::size_t i = 0; i < count; ++i) {
            for (Op& op : added_[i])
                edit.add(std::move(op));
            if (!removed_.contains(i)) edit.keep(i);
        }
        edit.finish();
        for (std::size_t i = 0; i < program_.ops.size() && i < program_.divisions.size(); ++i) {
            if (names.contains(program_.ops[i].name)) program_.divisions[i] = division_;
        }
    }

    Program& program_;
    const BufferRules& rules_;
    const MovePlan& plan_;
    std::string_view pass_;
    MoveNames names_;
    Division division_;
    std::map<std::size_t, std::vector<Op>> added_;  ///< by the old position they stand in front of
    std::vector<BufferId> superfluous_;
    std::set<std::size_t> removed_;
};

}  // namespace

std::optional<MoveResult> applyMoves(Program& program, const BufferRules& rules, const MovePlan& plan,
                                     std::string_view pass) {
    return Mover(program, rules, plan, pass).run();
}

void markIdleEvictions(Program& program, std::vector<ScratchpadState::Entry>& entries) {
    for (const Op& op : program.ops) {
        if (!isEvict(op) || entries[op.reads.front().buffer.at()].address) continue;
        program.buffers[op.write.buffer.at()].cloneOf = op.reads.front().buffer;
        entries[op.write.buffer.at()].reason.reset();
    }
}

bool allMovesServed(const Program& program, const std::vector<ScratchpadState::Entry>& entries) {
    return std::all_of(program.ops.begin(), program.ops.end(), [&](const Op& op) {
        if (isEvict(op)) return entries[op.reads.front().buffer.at()].address.has_value();
        return !isReload(op) || entries[op.write.buffer.at()].address.has_value();
    });
}

std::size_t groupBegin(const Program& program, std::size_t at) {
    while (at > 0 && sameGroup(program, at - 1, at))
        --at;
    return at;
}

std::size_t groupEnd(const Program& program, std::size_t at) {
    ++at;
    while (at < program.ops.size() && sameGroup(program, at - 1, at))
        ++at;
    return at;
}

std::int64_t readsPerRun(const Program& program, OpId id, BufferId buffer) {
    const Op& op = program.ops[id.at()];
    std::int64_t most = 0;
    for (const Access& read : op.reads) {
        if (read.buffer == buffer) most = std::max(most, tripFactor(op, read, program.buffers[buffer.at()]));
    }
    return most;
}

std::int64_t writesPerRun(const Program& program, OpId id, BufferId buffer) {
    const Op& op = program.ops[id.at()];
    return op.write.buffer == buffer ? tripFactor(op, op.write, program.buffers[buffer.at()]) : 0;
}

}  // namespace memplan::spyre
