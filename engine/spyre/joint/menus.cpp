// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/joint/menus.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"

#include <algorithm>
#include <set>
#include <utility>

namespace memplan::spyre::joint {
namespace {

using EncodingKey =
    std::pair<std::vector<std::pair<std::int64_t, std::int64_t>>, std::vector<std::pair<std::int64_t, std::int64_t>>>;

EncodingKey keyOf(const SplitEncoding& e) {
    return {{e.output.begin(), e.output.end()}, {e.reduction.begin(), e.reduction.end()}};
}

/// Divisors d of a top-k's k that leave at most four results to a core; the whole loop when there is none.
std::vector<std::int64_t> topKDomain(std::int64_t k, std::int64_t cores) {
    std::vector<std::int64_t> domain;
    for (const std::int64_t d : divisors(k)) {
        if (d <= cores && k / d <= 4) domain.push_back(d);
    }
    return domain.empty() ? std::vector<std::int64_t>{1} : domain;
}

bool isTopK(const Op& op) {
    return op.fn == "topkvalue" || op.fn == "topkindex";
}

/// The loop of a top-k that runs over its results: the stick loop of the output.
bool isResultLoop(const IterationSpace& space, std::size_t loop) {
    const auto stick = space.output().device.back().onlyLoop();
    return stick && static_cast<std::size_t>(*stick) == loop;
}

/// Walks the Cartesian product of the domains, the last loop fastest, without combinations above the cores.
class MenuWalk {
public:
    MenuWalk(const IterationSpace& space, const MenuRule& rule, std::vector<std::vector<std::int64_t>> domains)
        : space_(space), rule_(rule), domains_(std::move(domains)), splits_(space.loops.size(), 1) {}

    template <class Visit> void run(Visit visit) { step(0, rule_.cores, visit); }

private:
    template <class Visit> bool step(std::size_t loop, std::int64_t left, Visit& visit) {
        if (loop == domains_.size()) return !isLegalDivision(space_, splits_, rule_) || visit(splits_);
        for (const std::int64_t factor : domains_[loop]) {
            if (factor > left) break;
            splits_[loop] = factor;
            if (!step(loop + 1, left / factor, visit)) return false;
        }
        splits_[loop] = 1;
        return true;
    }

    const IterationSpace& space_;
    const MenuRule& rule_;
    std::vector<std::vector<std::int64_t>> domains_;
    Splits splits_;
};

}  // namespace

std::vector<std::vector<std::int64_t>> factorDomains(const Op& op, const IterationSpace& space, const MenuRule& rule) {
    std::vector<std::vector<std::int64_t>> domains;
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        const bool blocked = v < rule.blocked.size() && rule.blocked[v];
        const std::int64_t pin = v < rule.pinned.size() ? rule.pinned[v] : 0;
        if (blocked && pin <= 1) {
            domains.push_back({1});
            continue;
        }
        domains.push_back(isTopK(op) && isResultLoop(space, v) ? topKDomain(space.loops[v].extent, rule.cores)
                                                               : divisors(space.adjusted[v]));
        if (pin > 0) std::erase_if(domains.back(), [pin](std::int64_t f) { return f != pin; });
        if (blocked) std::erase_if(domains.back(), [](std::int64_t f) { return f != 1; });
    }
    return domains;
}

bool isLegalDivision(const IterationSpace& space, const Splits& splits, const MenuRule& rule) {
    if (coresOf(splits) > rule.cores) return false;
    int reductions = 0;
    for (std::size_t v = 0; v < splits.size(); ++v) {
        if (splits[v] > 1 && !space.isOutputLoop(v)) ++reductions;
        const bool blocked = v < rule.blocked.size() && rule.blocked[v];
        const std::int64_t pin = v < rule.pinned.size() ? rule.pinned[v] : 0;
        if ((blocked && splits[v] > 1) || (pin > 0 && splits[v] != pin)) return false;
    }
    if (reductions > 1) return false;
    return std::all_of(space.tensors.begin(), space.tensors.end(),
                       [&](const DividedTensor& t) { return perCoreSpan(t, space.loops, splits) <= rule.spanLimit; });
}

std::vector<Splits> fullMenu(const Op& op, const IterationSpace& space, const MenuRule& rule, std::size_t limit) {
    std::vector<Splits> menu;
    std::set<EncodingKey> seen;
    const SplitIndices indices = splitIndices(op);
    MenuWalk(space, rule, factorDomains(op, space, rule)).run([&](const Splits& splits) {
        if (seen.insert(keyOf(encodeSplits(splits, indices))).second) menu.push_back(splits);
        return limit == 0 || menu.size() < limit;
    });
    return menu;
}

std::vector<Splits> neighbours(const Op& op, const IterationSpace& space, const Splits& at, const MenuRule& rule) {
    std::vector<Splits> found;
    const auto domains = factorDomains(op, space, rule);
    for (std::size_t v = 0; v < domains.size(); ++v) {
        for (const std::int64_t factor : domains[v]) {
            if (factor == splitOf(at, v)) continue;
            Splits next = at;
            next[v] = factor;
            if (isLegalDivision(space, next, rule)) found.push_back(std::move(next));
        }
    }
    return found;
}

std::string divisionLabel(const Op& op, const Splits& splits) {
    std::vector<std::string> output, reduction;
    for (std::size_t v = 0; v < splits.size(); ++v) {
        if (splits[v] <= 1) continue;
        const bool inWrite = v < op.write.index.coefficients.size() && op.write.index.coefficients[v] != 0;
        (inWrite ? output : reduction)
            .push_back((inWrite ? "s" : "~s") + op.loops[v].name + "/" + std::to_string(splits[v]));
    }
    output.insert(output.end(), reduction.begin(), reduction.end());
    return output.empty() ? "whole" : text::join(output, " ");
}

}  // namespace memplan::spyre::joint
