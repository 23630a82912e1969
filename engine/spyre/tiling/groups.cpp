// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/groups.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace memplan::spyre {
namespace {

using Key = std::set<int>;

Key keyOf(const std::vector<DimHint>& hints) {
    Key key;
    for (const DimHint& h : hints)
        key.insert(h.hintId);
    return key;
}

bool iterates(const DimHint& h) {
    return h.dimIndex.has_value();
}

/// Levels of a run: those of its first op that iterates over anything hinted.
std::vector<TileLevel> levelsOf(const HintedOps& hints, const std::vector<int>& run, bool withReductionLevels) {
    for (const int op : run) {
        const std::vector<DimHint>& own = *hints[static_cast<std::size_t>(op)];
        if (std::none_of(own.begin(), own.end(), iterates)) continue;
        std::vector<TileLevel> levels;
        for (const DimHint& h : own) {
            if (!iterates(h) || (h.isReduction && !withReductionLevels)) continue;
            levels.push_back({h.hintId, h.splitCount, {*h.dimIndex}, h.isReduction});
        }
        return levels;
    }
    return {};
}

bool intersects(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::any_of(a.begin(), a.end(),
                       [&](const std::string& x) { return std::find(b.begin(), b.end(), x) != b.end(); });
}

/// Moving one past the other would change what is read.
bool depends(const OrderedOp& a, const OrderedOp& b) {
    return intersects(a.writes, b.reads) || intersects(a.reads, b.writes) || intersects(a.writes, b.writes);
}

/// Moves unhinted ops out of runs, one key at a time.
class Reordering {
public:
    explicit Reordering(const std::vector<OrderedOp>& ops) : ops_(ops), order_(ops.size()) {
        std::iota(order_.begin(), order_.end(), 0);
        for (const OrderedOp& op : ops)
            keys_.push_back(op.hints == nullptr ? Key{} : keyOf(*op.hints));
    }

    Reordered run() {
        for (std::size_t at = 0; at < order_.size(); ++at) {
            if (!keyAt(at).empty()) at = clearRun(at) - 1;
        }
        return {std::move(order_), std::move(stuck_)};
    }

private:
    const std::vector<OrderedOp>& ops_;
    std::vector<int> order_;
    std::vector<Key> keys_;
    std::vector<StuckOp> stuck_;

    [[nodiscard]] const Key& keyAt(std::size_t at) const { return keys_[static_cast<std::size_t>(order_[at])]; }
    [[nodiscard]] const OrderedOp& opAt(std::size_t at) const { return ops_[static_cast<std::size_t>(order_[at])]; }

    [[nodiscard]] bool keyFollows(const Key& key, std::size_t at) const {
        for (std::size_t i = at + 1; i < order_.size(); ++i) {
            if (keyAt(i) == key) return true;
        }
        return false;
    }

    /// From the first op of a run; returns the end of the run: behind it, or at an op that has to stay inside.
    std::size_t clearRun(std::size_t first) {
        const Key key = keyAt(first);
        std::size_t begin = first;
        std::size_t at = first + 1;
        while (at < order_.size()) {
            const bool isUnhinted = opAt(at).hints != nullptr && keyAt(at).empty();
            if (keyAt(at) == key || opAt(at).hints == nullptr) {
                ++at;
                continue;
            }
            if (!isUnhinted || !keyFollows(key, at)) break;
            if (canPass(at, begin, at)) {
                std::rotate(iteratorAt(begin), iteratorAt(at), iteratorAt(at + 1));
                ++begin;
                ++at;
                continue;
            }
            const std::size_t blockEnd = endOfBlock(key, at + 1);
            if (!isBlock(key, at + 1, blockEnd) || !canPass(at, at + 1, blockEnd)) {
                note(key, begin, at);
                return at;
            }
            std::rotate(iteratorAt(at), iteratorAt(at + 1), iteratorAt(blockEnd));
        }
        return at;
    }

    [[nodiscard]] std::vector<int>::iterator iteratorAt(std::size_t at) {
        return order_.begin() + static_cast<std::ptrdiff_t>(at);
    }

    /// The op at `moved` may change places with everything in [begin, end).
    [[nodiscard]] bool canPass(std::size_t moved, std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (i != moved && depends(opAt(i), opAt(moved))) return false;
        }
        return true;
    }

    [[nodiscard]] std::size_t endOfBlock(const Key& key, std::size_t at) const {
        while (at < order_.size() && (keyAt(at) == key || opAt(at).hints == nullptr))
            ++at;
        return at;
    }

    [[nodiscard]] bool isBlock(const Key& key, std::size_t begin, std::size_t end) const {
        for (std::size_t i = begin; i < end; ++i) {
            if (keyAt(i) == key) return true;
        }
        return false;
    }

    void note(const Key& key, std::size_t begin, std::size_t at) {
        StuckOp stuck{order_[at], {order_.begin() + static_cast<std::ptrdiff_t>(begin), iteratorAt(at)}, {}};
        stuck.hintIds.assign(key.begin(), key.end());
        stuck_.push_back(std::move(stuck));
    }
};

}  // namespace

HintGroups hintsToCoarseTileGroups(const HintedOps& hints, bool withReductionLevels) {
    HintGroups out;
    std::vector<int> run;
    Key key;
    const auto flush = [&] {
        if (run.empty() || key.empty()) return;
        std::vector<TileLevel> levels = levelsOf(hints, run, withReductionLevels);
        if (levels.empty()) {
            out.ignored.push_back(run);
        } else {
            out.groups.push_back({run, std::move(levels)});
        }
    };
    for (std::size_t i = 0; i < hints.size(); ++i) {
        if (hints[i] == nullptr) continue;
        Key own = keyOf(*hints[i]);
        if (own != key) {
            flush();
            run.clear();
            key = std::move(own);
        }
        if (!key.empty()) run.push_back(static_cast<int>(i));
    }
    flush();
    return out;
}

Reordered reorderInterlopers(const std::vector<OrderedOp>& ops) {
    return Reordering(ops).run();
}

}  // namespace memplan::spyre
