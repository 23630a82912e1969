// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/joint/elimination.h"

#include "engine/base/numeric.h"
#include "engine/solve/heuristics/heuristics.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

namespace memplan::spyre::joint {
namespace {

/// A table over some variables, ascending; the first is the outermost.
struct Factor {
    std::vector<int> scope;
    std::vector<std::int64_t> table;
};

/// How an eliminated variable follows from its neighbours.
struct Trail {
    int variable = -1;
    std::vector<int> scope;
    std::vector<std::uint16_t> best;
};

class Round {
public:
    Round(const EliminationProblem& problem, const EliminationLimits& limits, const std::vector<int>& start,
          std::vector<int>& heldBefore)
        : problem_(problem), limits_(limits), values_(start), heldBefore_(heldBefore),
          neighbours_(problem.unary.size()), mine_(problem.unary.size()), gone_(problem.unary.size(), false) {
        for (std::size_t v = 0; v < problem.unary.size(); ++v)
            add({{static_cast<int>(v)}, problem.unary[v]});
        for (const PairCost& p : problem.pairs) {
            if (p.a < p.b) {
                add({{p.a, p.b}, p.table});
            } else {
                add({{p.b, p.a}, turned(p)});
            }
        }
    }

    /// False when it should stop, and then without values.
    bool run(const RunControl& control) {
        for (std::size_t left = problem_.unary.size(); left > 0; --left) {
            if (control.shouldStop()) return false;
            const int v = cheapest();
            if (tableSize(v) <= limits_.entries && work_ + workOf(v) <= limits_.work) {
                eliminate(v);
            } else {
                hold(mostNeighbours());
            }
        }
        for (auto t = trails_.rbegin(); t != trails_.rend(); ++t) {
            std::size_t at = 0;
            for (const int v : t->scope)
                at = at * size(v) + static_cast<std::size_t>(values_[index(v)]);
            values_[index(t->variable)] = t->best[at];
        }
        return true;
    }

    [[nodiscard]] const std::vector<int>& values() const { return values_; }
    [[nodiscard]] bool isExact() const { return held_ == 0; }
    [[nodiscard]] std::int64_t work() const { return work_; }

private:
    static std::size_t index(int v) { return static_cast<std::size_t>(v); }
    [[nodiscard]] std::size_t size(int v) const { return problem_.unary[index(v)].size(); }

    [[nodiscard]] std::vector<std::int64_t> turned(const PairCost& p) const {
        std::vector<std::int64_t> table;
        table.reserve(p.table.size());
        for (std::size_t j = 0; j < size(p.b); ++j) {
            for (std::size_t i = 0; i < size(p.a); ++i)
                table.push_back(p.table[i * size(p.b) + j]);
        }
        return table;
    }

    void add(Factor f) {
        const auto id = factors_.size();
        for (const int v : f.scope) {
            mine_[index(v)].push_back(id);
            for (const int w : f.scope) {
                if (w != v) neighbours_[index(v)].insert(w);
            }
        }
        factors_.push_back(std::move(f));
    }

    [[nodiscard]] std::int64_t tableSize(int v) const {
        auto n = static_cast<std::int64_t>(size(v));
        for (const int w : neighbours_[index(v)])
            n = saturatedMul(n, static_cast<std::int64_t>(size(w)));
        return n;
    }
    [[nodiscard]] std::int64_t workOf(int v) const {
        return saturatedMul(tableSize(v), static_cast<std::int64_t>(mine_[index(v)].size()));
    }

    /// The variable whose elimination makes the smallest table; ties take the first.
    [[nodiscard]] int cheapest() const {
        int best = -1;
        std::int64_t least = 0;
        for (std::size_t v = 0; v < gone_.size(); ++v) {
            if (gone_[v]) continue;
            const std::int64_t n = tableSize(static_cast<int>(v));
            if (best < 0 || n < least) {
                best = static_cast<int>(v);
                least = n;
            }
        }
        return best;
    }

    [[nodiscard]] int mostNeighbours() {
        int best = -1;
        std::pair<int, std::int64_t> most;
        for (std::size_t v = 0; v < gone_.size(); ++v) {
            if (gone_[v]) continue;
            // What an earlier round held is let go first.
            const std::pair<int, std::int64_t> rank{-heldBefore_[v], static_cast<std::int64_t>(neighbours_[v].size())};
            if (best < 0 || rank > most) {
                best = static_cast<int>(v);
                most = rank;
            }
        }
        ++heldBefore_[index(best)];
        return best;
    }

    void forget(int v) {
        gone_[index(v)] = true;
        for (const int w : neighbours_[index(v)])
            neighbours_[index(w)].erase(v);
        for (const std::size_t id : mine_[index(v)]) {
            for (const int w : factors_[id].scope) {
                if (w != v) std::erase(mine_[index(w)], id);
            }
        }
        mine_[index(v)].clear();
    }

    /// The variable keeps its value: its factors become factors of the others.
    void hold(int v) {
        ++held_;
        std::vector<Factor> rest;
        for (const std::size_t id : mine_[index(v)])
            rest.push_back(restricted(factors_[id], v));
        forget(v);
        for (Factor& f : rest) {
            if (!f.scope.empty()) add(std::move(f));
        }
    }

    [[nodiscard]] Factor restricted(const Factor& f, int v) const {
        Factor out;
        std::size_t inner = 1;
        std::size_t outer = 1;
        bool seen = false;
        for (const int w : f.scope) {
            if (w == v) {
                seen = true;
                continue;
            }
            out.scope.push_back(w);
            (seen ? inner : outer) *= size(w);
        }
        const auto at = static_cast<std::size_t>(values_[index(v)]);
        for (std::size_t o = 0; o < outer; ++o) {
            for (std::size_t i = 0; i < inner; ++i)
                out.table.push_back(f.table[(o * size(v) + at) * inner + i]);
        }
        return out;
    }

    void eliminate(int v) {
        work_ += workOf(v);
        Factor out;
        out.scope.assign(neighbours_[index(v)].begin(), neighbours_[index(v)].end());
        Trail trail{v, out.scope, {}};
        // Stride of every neighbour, and of the variable itself, in each factor.
        std::vector<const Factor*> parts;
        std::vector<std::vector<std::size_t>> strides;
        std::vector<std::size_t> own;
        for (const std::size_t id : mine_[index(v)]) {
            const Factor& f = factors_[id];
            std::map<int, std::size_t> stride;
            std::size_t step = 1;
            for (auto w = f.scope.rbegin(); w != f.scope.rend(); ++w) {
                stride[*w] = step;
                step *= size(*w);
            }
            parts.push_back(&f);
            own.push_back(stride[v]);
            std::vector<std::size_t>& list = strides.emplace_back();
            for (const int w : out.scope)
                list.push_back(stride.contains(w) ? stride[w] : 0);
        }
        std::vector<std::size_t> counter(out.scope.size(), 0);
        std::vector<std::size_t> base(parts.size(), 0);
        const std::size_t mine = size(v);
        for (bool more = true; more;) {
            std::int64_t least = std::numeric_limits<std::int64_t>::max();
            std::size_t best = 0;
            for (std::size_t x = 0; x < mine; ++x) {
                std::int64_t sum = 0;
                for (std::size_t p = 0; p < parts.size(); ++p)
                    sum = std::min(kImpossible, sum + parts[p]->table[base[p] + x * own[p]]);
                if (sum < least) {
                    least = sum;
                    best = x;
                }
            }
            out.table.push_back(least);
            trail.best.push_back(static_cast<std::uint16_t>(best));
            more = advance(out.scope, strides, counter, base);
        }
        forget(v);
        trails_.push_back(std::move(trail));
        if (!out.scope.empty()) add(std::move(out));
    }

    [[nodiscard]] bool advance(const std::vector<int>& scope, const std::vector<std::vector<std::size_t>>& strides,
                               std::vector<std::size_t>& counter, std::vector<std::size_t>& base) const {
        for (std::size_t k = scope.size(); k-- > 0;) {
            const bool carries = ++counter[k] == size(scope[k]);
            for (std::size_t p = 0; p < base.size(); ++p)
                base[p] = carries ? base[p] - strides[p][k] * (size(scope[k]) - 1) : base[p] + strides[p][k];
            if (!carries) return true;
            counter[k] = 0;
        }
        return false;
    }

    const EliminationProblem& problem_;
    const EliminationLimits& limits_;
    std::vector<int> values_;
    std::vector<int>& heldBefore_;
    std::vector<Factor> factors_;
    std::vector<std::set<int>> neighbours_;
    std::vector<std::vector<std::size_t>> mine_;  ///< factors of each variable
    std::vector<bool> gone_;
    std::vector<Trail> trails_;
    std::int64_t work_ = 0;
    int held_ = 0;
};

}  // namespace

std::int64_t costOf(const EliminationProblem& problem, const std::vector<int>& values) {
    std::int64_t sum = 0;
    for (std::size_t v = 0; v < values.size(); ++v)
        sum = std::min(kImpossible, sum + problem.unary[v][static_cast<std::size_t>(values[v])]);
    for (const PairCost& p : problem.pairs) {
        const auto a = static_cast<std::size_t>(values[static_cast<std::size_t>(p.a)]);
        const auto b = static_cast<std::size_t>(values[static_cast<std::size_t>(p.b)]);
        sum = std::min(kImpossible, sum + p.table[a * problem.unary[static_cast<std::size_t>(p.b)].size() + b]);
    }
    return sum;
}

Result<EliminationResult> eliminate(const EliminationProblem& problem, std::vector<int> start,
                                    const EliminationLimits& limits, const RunControl& control) {
    EliminationResult result;
    result.values = std::move(start);
    result.cost = costOf(problem, result.values);
    std::vector<int> heldBefore(problem.unary.size(), 0);
    for (int r = 0; r < limits.rounds; ++r) {
        Round round(problem, limits, result.values, heldBefore);
        if (!round.run(control)) {
            if (control.cancelled()) return solve::cancelledError();
            result.exact = false;  // the deadline: what earlier rounds found
            break;
        }
        result.work += round.work();
        const std::int64_t cost = costOf(problem, round.values());
        if (cost < result.cost) {
            result.values = round.values();
            result.cost = cost;
        }
        result.exact = round.isExact();
        if (result.exact) break;
    }
    return result;
}

}  // namespace memplan::spyre::joint
