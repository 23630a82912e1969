// SPDX-License-Identifier: Apache-2.0
#include "engine/solve/pattern_builder.h"

#include <algorithm>
#include <utility>

namespace memplan::solve {

namespace {

bool contains(const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}

/// What the op list says about one buffer.
struct Accesses {
    std::vector<Step> uses;
    bool startsWithWrite = false;
    bool isRead = false;

    [[nodiscard]] bool isCandidate() const { return startsWithWrite && isRead; }
};

std::vector<Accesses> accessesOf(const Pattern& pattern) {
    std::vector<Accesses> all(pattern.buffers.size());
    for (std::size_t t = 0; t < pattern.ops.size(); ++t) {
        const auto access = [&](int buffer, bool isWrite) {
            Accesses& b = all[static_cast<std::size_t>(buffer)];
            if (b.uses.empty()) b.startsWithWrite = isWrite;
            if (b.uses.empty() || b.uses.back() != static_cast<Step>(t)) b.uses.push_back(static_cast<Step>(t));
            b.isRead = b.isRead || !isWrite;
        };
        for (const int b : pattern.ops[t].reads)
            access(b, false);
        for (const int b : pattern.ops[t].writes)
            access(b, true);
    }
    return all;
}

/// An op's inputs that are candidates, last used by it and of exactly the size of the output born there.
std::vector<int> inPlaceParents(const Pattern& pattern, const std::vector<Accesses>& accesses, int child) {
    const auto& self = accesses[static_cast<std::size_t>(child)];
    const Step birth = self.uses.front();
    std::vector<int> parents;
    for (const int input : pattern.ops[static_cast<std::size_t>(birth)].reads) {
        const auto at = static_cast<std::size_t>(input);
        if (!accesses[at].isCandidate() || accesses[at].uses.back() != birth) continue;
        if (pattern.buffers[at].size != pattern.buffers[static_cast<std::size_t>(child)].size) continue;
        parents.push_back(pattern.buffers[at].item);
    }
    return parents;
}

}  // namespace

PatternBuilder::PatternBuilder(std::string id, std::string title, Bytes capacity) {
    pattern_.id = std::move(id);
    pattern_.title = std::move(title);
    pattern_.problem.name = pattern_.id;
    pattern_.problem.capacity = capacity;
    pattern_.problem.alignment = 128;  // one stick
}

int PatternBuilder::buffer(std::string name, Bytes size) {
    pattern_.buffers.push_back({std::move(name), size, -1});
    return static_cast<int>(pattern_.buffers.size()) - 1;
}

void PatternBuilder::load(int target, Bytes size) {
    const std::string name = pattern_.buffers[static_cast<std::size_t>(target)].name + "_HBM";
    const auto known = std::find_if(pattern_.buffers.begin(), pattern_.buffers.end(),
                                    [&](const PatternBuffer& b) { return b.name == name; });
    const int source =
        known == pattern_.buffers.end() ? buffer(name, size) : static_cast<int>(known - pattern_.buffers.begin());
    op({source}, {target});
}

void PatternBuilder::emit(std::vector<int> reads, std::string name, Bytes size) {
    const int target = buffer(std::move(name), size);
    op(std::move(reads), {target});
}

Pattern PatternBuilder::finish(const std::vector<int>& candidateOrder) {
    const std::vector<Accesses> accesses = accessesOf(pattern_);
    std::vector<int> candidates = candidateOrder;
    if (candidates.empty()) {
        for (std::size_t b = 0; b < accesses.size(); ++b) {
            if (accesses[b].isCandidate()) candidates.push_back(static_cast<int>(b));
        }
        std::stable_sort(candidates.begin(), candidates.end(), [&](int a, int b) {
            return accesses[static_cast<std::size_t>(a)].uses.front() <
                   accesses[static_cast<std::size_t>(b)].uses.front();
        });
    }
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        pattern_.buffers[static_cast<std::size_t>(candidates[i])].item = static_cast<int>(i);
    }
    for (const int b : candidates) {
        const auto at = static_cast<std::size_t>(b);
        Item item;
        item.name = pattern_.buffers[at].name;
        item.size = pattern_.buffers[at].size;
        item.uses = accesses[at].uses;
        item.start = item.uses.front();
        item.end = item.uses.back() + 1;
        item.inPlaceParents = inPlaceParents(pattern_, accesses, b);
        pattern_.problem.items.push_back(std::move(item));
    }
    return std::move(pattern_);
}

Bytes Pattern::traffic(const Addresses& addresses) const {
    const auto bytes = [&](int buffer) {
        const PatternBuffer& b = buffers[static_cast<std::size_t>(buffer)];
        const bool onChip = b.item >= 0 && addresses[static_cast<std::size_t>(b.item)].has_value();
        return onChip ? Bytes{0} : b.size;
    };
    Bytes total = 0;
    for (const PatternOp& o : ops) {
        for (std::size_t r = 0; r < o.reads.size(); ++r) {
            const auto before = o.reads.begin() + static_cast<std::ptrdiff_t>(r);
            if (std::find(o.reads.begin(), before, *before) == before) total += bytes(*before);
        }
        for (const int w : o.writes)
            total += bytes(w);
    }
    return total;
}

Bytes Pattern::goodTraffic() const {
    return traffic(Addresses(problem.items.size(), Address{0}));
}

Bytes Pattern::mainMemoryTraffic() const {
    return traffic(Addresses(problem.items.size()));
}

Pattern withFreeRenaming(const Pattern& pattern) {
    PatternBuilder builder(pattern.id, pattern.title, pattern.problem.capacity);
    std::vector<int> current(pattern.buffers.size(), -1);
    std::vector<int> versions(pattern.buffers.size(), 0);
    const auto currentOf = [&](int buffer) {
        const auto at = static_cast<std::size_t>(buffer);
        if (current[at] < 0) current[at] = builder.buffer(pattern.buffers[at].name, pattern.buffers[at].size);
        return current[at];
    };
    for (const PatternOp& op : pattern.ops) {
        PatternOp renamed;
        for (const int r : op.reads)
            renamed.reads.push_back(currentOf(r));
        for (const int w : op.writes) {
            const auto at = static_cast<std::size_t>(w);
            const PatternBuffer& old = pattern.buffers[at];
            if (old.item >= 0 && !contains(op.reads, w)) {
                current[at] = builder.buffer(old.name + "." + std::to_string(versions[at]++), old.size);
            }
            renamed.writes.push_back(currentOf(w));
        }
        builder.op(std::move(renamed.reads), std::move(renamed.writes));
    }
    return builder.finish();
}

}  // namespace memplan::solve
