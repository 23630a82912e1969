// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/matmul_cost.h"

#include "engine/base/numeric.h"
#include "engine/spyre/layout/matmul_layouts.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace memplan::spyre {
namespace {

double log2AtLeast0(double x) {
    return std::max(0.0, std::log2(x));
}

double real(std::int64_t v) {
    return static_cast<double>(v);
}

double shapePenalty(const MatmulCostQuestion& q, double rowsPerCore, double columnsPerCore) {
    const double f = rowsPerCore >= 16 ? 1.0 : 0.0;
    const double kOverN = log2AtLeast0(real(q.k.size) / real(q.n.size));
    const double nCuts = std::log2(real(q.n.slices));
    if (!q.sharedWeight) return q.n.slices > 1 ? 20 * f * kOverN * nCuts : 0.0;
    double out = 5 * f * log2AtLeast0(4096.0 / real(q.n.size)) * log2AtLeast0(columnsPerCore / 128);
    if (q.n.slices > 1) out += 10 * kOverN * nCuts;
    return out;
}

/// The loops of a multiply by their role.
struct Roles {
    std::size_t m = 0, n = 0, k = 0;
    std::vector<std::size_t> batch;
    bool sharedWeight = true;
};

/// M is the output loop that only one operand has, of several the one of the smallest output coefficient.
std::optional<std::size_t> rowLoop(const Op& op, LoopMask candidates) {
    std::optional<std::size_t> best;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if ((candidates >> v & 1) == 0) continue;
        const auto& c = op.write.index.coefficients;
        if (!best || c[v] < c[*best]) best = v;
    }
    return best;
}

std::optional<Roles> rolesOf(const Op& op, const IterationSpace& space) {
    if (!op.isMatmul() || op.reads.size() != 2) return std::nullopt;
    const LoopMask x = indexLoops(op.reads[0].index, op.loops);
    const LoopMask y = indexLoops(op.reads[1].index, op.loops);
    const LoopMask out = indexLoops(op.write.index, op.loops);
    const LoopMask reduced = (x | y) & ~out;
    const std::optional<int> n = space.output().device.back().onlyLoop();
    if (std::popcount(reduced) != 1 || !n) return std::nullopt;
    Roles roles;
    roles.k = static_cast<std::size_t>(std::countr_zero(reduced));
    roles.n = static_cast<std::size_t>(*n);
    const auto m = rowLoop(op, (x ^ y) & out & ~(LoopMask{1} << *n));
    if (!m) return std::nullopt;
    roles.m = *m;
    for (std::size_t v = 0; v < op.loops.size(); ++v) {
        if (v == roles.m || v == roles.n || v == roles.k) continue;
        roles.batch.push_back(v);
        if ((y >> v & 1) != 0) roles.sharedWeight = false;
    }
    return roles;
}

/// All splits whose product stays within the cores, in the order batch, M, N, K, each ascending.
class MatmulSearch {
public:
    MatmulSearch(const Roles& roles, const IterationSpace& space, std::int64_t cores)
        : roles_(roles), space_(space), cores_(cores), order_(roles.batch), splits_(space.loops.size(), 1) {
        order_.insert(order_.end(), {roles.m, roles.n, roles.k});
    }

    std::optional<Splits> run() {
        visit(0, cores_);
        return best_;
    }

private:
    void visit(std::size_t depth, std::int64_t left) {
        if (depth == order_.size()) return judge();
        const std::size_t v = order_[depth];
        for (std::int64_t s = 1; s <= std::min(left, space_.adjusted[v]); ++s) {
            if (space_.adjusted[v] % s != 0) continue;
            splits_[v] = s;
            visit(depth + 1, left / s);
        }
        splits_[v] = 1;
    }

    void judge() {
        MatmulCostQuestion q{{1, 1}, cutOf(roles_.m), cutOf(roles_.n), cutOf(roles_.k), cores_, roles_.sharedWeight};
        for (const std::size_t v : roles_.batch) {
            q.b.size = saturatedMul(q.b.size, space_.loops[v].extent);
            q.b.slices *= splits_[v];
        }
        const auto cost = matmulMicroseconds(q);
        if (!cost || (best_ && *cost >= bestCost_)) return;
        bestCost_ = *cost;
        best_ = splits_;
    }

    [[nodiscard]] CutSize cutOf(std::size_t v) const { return {space_.loops[v].extent, splits_[v]}; }

    const Roles& roles_;
    const IterationSpace& space_;
    std::int64_t cores_;
    std::vector<std::size_t> order_;
    Splits splits_;
    std::optional<Splits> best_;
    double bestCost_ = 0;
};

}  // namespace

std::optional<Splits> cheapestMatmulSplits(const Op& op, const IterationSpace& space, std::int64_t cores) {
    const auto roles = rolesOf(op, space);
    return roles ? MatmulSearch(*roles, space, cores).run() : std::nullopt;
}

std::optional<double> matmulMicroseconds(const MatmulCostQuestion& q) {
    const std::int64_t cores = q.b.slices * q.m.slices * q.n.slices * q.k.slices;
    if (cores > q.cores) return std::nullopt;
    const double b = real(q.b.size), m = real(q.m.size), n = real(q.n.size), k = real(q.k.size);
    const double mt = real(q.m.size / q.m.slices);
    const double nt = real(q.n.size / q.n.slices);

    const double efficiency = std::min(1.0, std::pow(std::max(1.0, mt / 8) / 5, 0.25));
    const double compute = b * m * n * k / real(cores) / (1'536'000 * efficiency);
    const double bytes = 2 * (b * m * k + (q.sharedWeight ? 1.0 : b) * k * n + b * m * n);
    const double fan = real(q.sharedWeight ? std::max(q.m.slices, q.n.slices) : q.n.slices);
    const double memory = bytes / 204'800 * std::max(1.0, std::pow(fan / 8, 0.75));
    const double partialSums = real(std::max<std::int64_t>(0, q.k.slices - 1)) * b * m * n /
                               real(q.b.slices * q.m.slices * q.n.slices) * (q.sharedWeight ? 0.001 : 0.0001);

    const auto target = std::max<std::int64_t>(4, std::min(q.cores / 2, std::max<std::int64_t>(1, q.m.size / 32)));
    const double lanes = 10 * log2AtLeast0(real(target) / real(q.m.slices));
    const double underfill = 30 * log2AtLeast0(16 / std::max(1.0, mt));
    const double wide = 25 * log2AtLeast0(std::max(1.0, nt) / 512);
    const double underuse = 150 * log2AtLeast0(real(q.cores) / real(cores));
    const double batch = q.sharedWeight ? 0.0 : 10 * std::log2(real(q.b.slices));
    return compute + memory + partialSums + lanes + underfill + wide + shapePenalty(q, mt, nt) + underuse + batch;
}

}  // namespace memplan::spyre
