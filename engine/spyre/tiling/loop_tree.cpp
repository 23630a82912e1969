// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/loop_tree.h"

#include <set>

namespace memplan::spyre {
namespace {

/// Builds the levels of the tree by runs of equal path elements.
class TreeBuilder {
public:
    explicit TreeBuilder(const std::vector<LoopTreeItem>& items) : items_(items) {}

    Result<std::vector<LoopNode>> run() {
        std::vector<int> all;
        for (std::size_t i = 0; i < items_.size(); ++i) {
            const LoopTreeItem& item = items_[i];
            const std::size_t depth = item.path ? item.path->size() : 0;
            if (item.counts.size() != depth) {
                return makeError("CT-007", item.name,
                                 "count_length_mismatch: \"" + item.name + "\" has a loop path of " +
                                     std::to_string(depth) + " levels and " + std::to_string(item.counts.size()) +
                                     " counts");
            }
            all.push_back(static_cast<int>(i));
        }
        Result<std::vector<LoopNode>> tree = build(all, {});
        if (!tree) return tree;
        std::set<int> seen;
        for (const LoopNode& node : tree.value()) {
            if (!node.isLoop() || seen.insert(node.path.front()).second) continue;
            return makeError("CT-008", "loop " + std::to_string(node.path.front()),
                             "not_contiguous: the operations of loop " + std::to_string(node.path.front()) +
                                 " do not stand together");
        }
        return tree;
    }

private:
    const std::vector<LoopTreeItem>& items_;

    [[nodiscard]] const LoopTreeItem& item(int at) const { return items_[static_cast<std::size_t>(at)]; }

    [[nodiscard]] std::optional<int> keyAt(int at, std::size_t depth) const {
        const LoopTreeItem& it = item(at);
        if (!it.path || it.path->size() <= depth) return std::nullopt;
        return (*it.path)[depth];
    }

    Result<std::vector<LoopNode>> build(const std::vector<int>& run, const std::vector<int>& prefix) const {
        const std::size_t depth = prefix.size();
        std::vector<LoopNode> out;
        for (std::size_t i = 0; i < run.size();) {
            const std::optional<int> key = keyAt(run[i], depth);
            if (!key) {
                LoopNode leaf;
                leaf.op = item(run[i++]).op;
                out.push_back(std::move(leaf));
                continue;
            }
            LoopNode loop;
            const TripCount& count = item(run[i]).counts[depth];
            loop.count = count.value;
            loop.symbol = count.symbol;
            loop.path = prefix;
            loop.path.push_back(*key);
            std::vector<int> inside;
            for (; i < run.size() && keyAt(run[i], depth) == key; ++i) {
                if (item(run[i]).counts[depth] != count) return inconsistent(run[i], *key, depth, count);
                inside.push_back(run[i]);
            }
            Result<std::vector<LoopNode>> body = build(inside, loop.path);
            if (!body) return body;
            loop.body = std::move(body).value();
            out.push_back(std::move(loop));
        }
        return out;
    }

    [[nodiscard]] Error inconsistent(int at, int key, std::size_t depth, const TripCount& first) const {
        return makeError("CT-006", item(at).name,
                         "inconsistent_count: loop " + std::to_string(key) + " at depth " + std::to_string(depth) +
                             " has count " + first.text() + " and count " + item(at).counts[depth].text() + " at \"" +
                             item(at).name + "\"");
    }
};

}  // namespace

Result<std::vector<LoopNode>> buildLoopTree(const std::vector<LoopTreeItem>& items) {
    return TreeBuilder(items).run();
}

}  // namespace memplan::spyre
