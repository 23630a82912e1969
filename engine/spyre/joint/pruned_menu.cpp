// SPDX-License-Identifier: Apache-2.0
// Pruned menus of the exhaustive search: committed divisions, those of multiplies offered by axis role, and
// single-dimension flips of pointwise operations (spyre-cost-and-co-optimisation 11.2).
#include "engine/base/numeric.h"
#include "engine/spyre/joint/menus.h"

#include <algorithm>
#include <optional>

namespace memplan::spyre::joint {
namespace {

std::int64_t writeCoefficient(const Op& op, std::size_t loop) {
    return loop < op.write.index.coefficients.size() ? op.write.index.coefficients[loop] : 0;
}

/// Loop of each role: N, M, B by rising write coefficient, K the reduced one; -1 = none.
struct Axes {
    int n = -1, m = -1, b = -1, k = -1;
};

std::vector<int> outputLoopsByCoefficient(const Op& op) {
    std::vector<int> loops;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (writeCoefficient(op, v) != 0) loops.push_back(static_cast<int>(v));
    }
    std::stable_sort(loops.begin(), loops.end(), [&](int a, int b) {
        return writeCoefficient(op, static_cast<std::size_t>(a)) < writeCoefficient(op, static_cast<std::size_t>(b));
    });
    return loops;
}

Axes axesOf(const Op& op) {
    Axes axes;
    const std::vector<int> loops = outputLoopsByCoefficient(op);
    if (op.isMatmul()) {
        if (!loops.empty()) axes.n = loops[0];
        if (loops.size() > 1) axes.m = loops[1];
        if (loops.size() > 2) axes.b = loops[2];
        for (std::size_t v = 0; v < op.loops.size(); ++v) {
            if (writeCoefficient(op, v) == 0) axes.k = static_cast<int>(v);
        }
    } else if (loops.size() >= 2) {
        // Of another reduction the two largest strides.
        axes.m = loops[loops.size() - 2];
        axes.b = loops.back();
    }
    return axes;
}

/// What a factor of the axis has to divide: sticks for output axes, elements for K.
std::int64_t extentOf(const PrunedOp& p, int loop, bool isK) {
    const auto v = static_cast<std::size_t>(loop);
    return isK ? p.op->loops[v].extent : p.space->adjusted[v];
}

std::optional<Splits> batchMajor(const PrunedOp& p, std::int64_t cores) {
    const Axes axes = axesOf(*p.op);
    if (axes.b < 0 || axes.m < 0) return std::nullopt;
    const std::int64_t batch = p.op->loops[static_cast<std::size_t>(axes.b)].extent;
    const std::int64_t rows = p.op->loops[static_cast<std::size_t>(axes.m)].extent;
    for (const std::int64_t b : {8, 4, 2}) {
        const std::int64_t m = cores / b;
        if (m < 1 || b * m != cores || b > batch || batch % b != 0 || rows % m != 0) continue;
        Splits splits(p.op->loops.size(), 1);
        splits[static_cast<std::size_t>(axes.b)] = b;
        splits[static_cast<std::size_t>(axes.m)] = m;
        return splits;
    }
    return std::nullopt;
}

RoleFactors rolesOf(const PrunedOp& p) {
    const Axes axes = axesOf(*p.op);
    RoleFactors roles;
    const auto put = [&](char role, int loop) {
        if (loop >= 0) roles[role] = splitOf(p.splits, static_cast<std::size_t>(loop));
    };
    put('N', axes.n);
    put('M', axes.m);
    put('B', axes.b);
    put('K', axes.k);
    return roles;
}

std::optional<Splits> transferred(const PrunedOp& p, const RoleFactors& roles) {
    const Axes axes = axesOf(*p.op);
    Splits splits(p.op->loops.size(), 1);
    const auto put = [&](char role, int loop) {
        const auto it = roles.find(role);
        if (loop < 0 || it == roles.end()) return;
        if (extentOf(p, loop, role == 'K') % it->second == 0) splits[static_cast<std::size_t>(loop)] = it->second;
    };
    put('N', axes.n);
    put('M', axes.m);
    put('B', axes.b);
    put('K', axes.k);
    if (coresOf(splits) == 1) return std::nullopt;
    return splits;
}

/// Slices that a dimension of the device layout can be cut into when a split is keyed by this stride: the size
/// of the dimension, of the stick dimension the number of its sticks. 0 = the stride is no dimension.
bool dividesItsDimension(const StickLayout& layout, std::int64_t stride, std::int64_t factor) {
    const std::size_t last = layout.strideMap.size() - 1;
    const std::int64_t eps = elemsPerStick(layout.dtype);
    if (layout.strideMap[last] == stride) {
        std::int64_t sticks = 1;
        for (std::size_t d = 0; d < last; ++d) {
            if (layout.strideMap[d] == stride * eps) sticks = layout.deviceSize[d];
        }
        if (sticks % factor == 0) return true;
    }
    for (std::size_t d = 0; d < last; ++d) {
        if (layout.strideMap[d] == stride && layout.deviceSize[d] % factor == 0) return true;
    }
    return false;
}

bool fitsLayout(const PrunedOp& p, const SplitEncoding& division) {
    const Buffer& out = *p.space->output().buffer;
    return std::all_of(division.output.begin(), division.output.end(),
                       [&](const auto& entry) { return dividesItsDimension(*out.layout, entry.first, entry.second); });
}

bool same(const SplitEncoding& a, const SplitEncoding& b) {
    return a.output == b.output && a.reduction == b.reduction;
}

void addOnce(std::vector<SplitEncoding>& list, SplitEncoding division) {
    const bool known = std::any_of(list.begin(), list.end(), [&](const auto& d) { return same(d, division); });
    if (!known) list.push_back(std::move(division));
}

SplitEncoding encoded(const PrunedOp& p, const Splits& splits) {
    return encodeSplits(splits, splitIndices(*p.op));
}

/// The only split output loop of a pointwise op, -1 when there is none or more than one.
int onlySplitLoop(const PrunedOp& p) {
    int only = -1;
    for (std::size_t v = 0; v < p.op->loops.size(); ++v) {
        if (splitOf(p.splits, v) <= 1) continue;
        if (only >= 0) return -1;
        only = static_cast<int>(v);
    }
    return only;
}

void addPointwise(const PrunedOp& p, const PrunedMenus& all, std::size_t cap, std::vector<SplitEncoding>& menu) {
    const int at = onlySplitLoop(p);
    if (at < 0) return;
    const std::int64_t f = splitOf(p.splits, static_cast<std::size_t>(at));
    for (std::size_t v = 0; v < p.op->loops.size() && menu.size() < cap; ++v) {
        if (static_cast<int>(v) == at || writeCoefficient(*p.op, v) == 0 || p.op->loops[v].extent % f != 0) continue;
        Splits flipped(p.op->loops.size(), 1);
        flipped[v] = f;
        addOnce(menu, encoded(p, flipped));
    }
    for (const SplitEncoding& base : all.bases)
        addOnce(menu, base);
}

std::vector<SplitEncoding> menuOf(const PrunedOp& p, const PrunedMenus& all, std::int64_t cores, std::size_t cap) {
    std::vector<SplitEncoding> menu{encoded(p, p.splits)};
    if (p.op->isMatmul()) {
        if (all.roles.empty()) return menu;
        for (const RoleFactors& roles : all.roles) {
            if (const auto splits = transferred(p, roles)) addOnce(menu, encoded(p, *splits));
        }
        if (const auto splits = batchMajor(p, cores)) addOnce(menu, encoded(p, *splits));
    } else if (p.op->kind == OpClass::Reduction) {
        if (menu.front().output.empty()) return menu;
        if (const auto splits = batchMajor(p, cores)) addOnce(menu, encoded(p, *splits));
    } else if (p.op->kind == OpClass::Pointwise) {
        addPointwise(p, all, cap, menu);
    }
    menu.erase(std::remove_if(menu.begin() + 1, menu.end(), [&](const auto& d) { return !fitsLayout(p, d); }),
               menu.end());
    return menu;
}

}  // namespace

PrunedMenus prunedMenus(const std::vector<PrunedOp>& ops, std::int64_t cores, std::size_t cap) {
    PrunedMenus all;
    for (const PrunedOp& p : ops) {
        if (!p.op->isMatmul()) continue;
        const SplitEncoding committed = encoded(p, p.splits);
        if (!committed.output.empty()) addOnce(all.bases, {committed.output, {}});
        if (const auto splits = batchMajor(p, cores)) addOnce(all.bases, encoded(p, *splits));
        if (coresOf(p.splits) > 1) all.roles.push_back(rolesOf(p));
    }
    for (const PrunedOp& p : ops)
        all.menus.push_back(menuOf(p, all, cores, cap));
    return all;
}

}  // namespace memplan::spyre::joint
