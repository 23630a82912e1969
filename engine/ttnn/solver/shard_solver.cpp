// SPDX-License-Identifier: Apache-2.0
#include "engine/ttnn/solver/shard_solver.h"

#include "engine/ttnn/solver/core_usage.h"

#include <algorithm>
#include <set>

namespace memplan::ttnn {
namespace {

constexpr std::int32_t kAlive = -1, kNeverValid = -2;

class Solver {
public:
    Solver(const SolverProblem& problem, ShardChecks& checks) : problem_(problem), checks_(checks) {
        result_.ops.resize(problem.ops.size());
        result_.edges.resize(problem.edges.size() + 1);
        result_.visits.assign(problem.ops.size(), 0);
        alive_.resize(result_.edges.size());
        isChecked_.assign(result_.edges.size(), false);
        for (std::size_t i = 0; i < problem.ops.size(); ++i)
            prepareOp(i);
        for (std::size_t e = 0; e < result_.edges.size(); ++e)
            prepareEdge(e);
    }

    SolverResult run() {
        if (problem_.ops.empty()) return std::move(result_);
        result_.isSolved = resolve() && select();
        return std::move(result_);
    }

private:
    // Edges are counted as in the result: 0 is the entry edge.
    [[nodiscard]] static int asked(std::size_t edge) { return static_cast<int>(edge) - 1; }
    [[nodiscard]] const SolverEdge& edgeOf(std::size_t edge) const { return problem_.edges[edge - 1]; }
    [[nodiscard]] std::size_t consumerOf(std::size_t edge) const { return edge == 0 ? 0 : edgeOf(edge).to; }
    [[nodiscard]] EdgeInfo& infoOf(std::size_t edge) { return result_.edges[edge].info; }

    void prepareOp(std::size_t i) {
        const std::size_t configs = problem_.ops[i].configs.size();
        bits_.push_back(ConfigSet::firstOf(configs));
        SolvedOp& op = result_.ops[i];
        op.clearedEdge.assign(configs, kAlive);
        op.clearedRound.assign(configs, 0);
        for (std::size_t c = ConfigSet::kCapacity; c < configs; ++c)
            op.clearedEdge[c] = kNeverValid;
    }

    void prepareEdge(std::size_t e) {
        EdgeInfo& info = infoOf(e);
        const std::size_t to = consumerOf(e);
        info.consumer = problem_.ops[to].id;
        info.chain = problem_.chain;
        if (e == 0) return;
        info.producer = problem_.ops[edgeOf(e).from].id;
        info.operand = edgeOf(e).operand;
    }

    bool fail(std::size_t edge, const char* stage) {
        result_.failedEdge = static_cast<int>(edge);
        result_.failedStage = stage;
        trace(TraceKind::ChainFailed, edge).text = stage;
        return false;
    }

    TraceEvent& trace(TraceKind kind, std::size_t edge) {
        TraceEvent event;
        event.kind = kind;
        event.chain = problem_.chain;
        event.op = infoOf(edge).consumer;
        event.other = infoOf(edge).producer;
        event.operand = infoOf(edge).operand;
        event.round = static_cast<int>(result_.rounds);
        return result_.trace.emplace_back(std::move(event));
    }

    bool resolve() {
        if (!resolveEntry()) return false;
        for (std::size_t op = 0; op < problem_.ops.size(); ++op) {
            for (std::size_t e = 1; e < result_.edges.size(); ++e)
                if (edgeOf(e).to == op && !resolveEdge(e)) return false;
            if (bits_[op].isEmpty()) return fail(0, "entry");  // no configuration, and no edge that says so
            if (!propagate()) return false;
        }
        for (std::size_t op = 0; op < problem_.ops.size(); ++op)
            queue_.insert(op);
        return propagate();
    }

    bool resolveEntry() {
        if (problem_.isEntryOverride) return insertReshard(0, ReshardOrigin::Override);
        if (problem_.forcesEntryReshard) return insertReshard(0, ReshardOrigin::Forced);
        const int before = bits_[0].size();
        const ConfigSet valid = bits_[0] & checks_.entryConfigs();
        countCheck(0, before, valid.size());
        if (valid.isEmpty()) return insertReshard(0, ReshardOrigin::Forced);
        clearAtEntry(valid);
        bits_[0] = valid;
        return true;
    }

    /// A configuration that the entry does not allow was never valid: no other operation has cleared it.
    void clearAtEntry(const ConfigSet& valid) {
        SolvedOp& op = result_.ops[0];
        for (int i = bits_[0].first(); i >= 0; i = bits_[0].next(i + 1))
            if (!valid.has(i)) op.clearedEdge[static_cast<std::size_t>(i)] = kNeverValid;
    }

    void countCheck(std::size_t edge, int before, std::int64_t after) {
        ++result_.edgesChecked;
        TraceEvent& event = trace(TraceKind::EdgeChecked, edge);
        event.before = before;
        event.after = after;
    }

    bool resolveEdge(std::size_t e) {
        const SolverEdge& edge = edgeOf(e);
        infoOf(e).producerConfigs = bits_[edge.from].size();
        infoOf(e).consumerConfigs = bits_[edge.to].size();
        if (edge.isOverride) {
            if (!insertReshard(e, ReshardOrigin::Override)) return false;
            return storePaths(e, pathsOfReshard(e));
        }
        std::vector<ConfigPath> paths = checks_.paths(asked(e), bits_[edge.from]);
        countCheck(e, infoOf(e).producerConfigs, std::ssize(paths));
        if (meetsBothEnds(edge, paths)) return storePaths(e, std::move(paths));
        if (!insertReshard(e, ReshardOrigin::Forced)) return false;
        return storePaths(e, pathsOfReshard(e));
    }

    [[nodiscard]] bool meetsBothEnds(const SolverEdge& edge, const std::vector<ConfigPath>& paths) const {
        const bool meetsProducer =
            std::ranges::any_of(paths, [&](const ConfigPath& p) { return bits_[edge.from].has(p.first); });
        const bool meetsConsumer =
            std::ranges::any_of(paths, [&](const ConfigPath& p) { return bits_[edge.to].has(p.second); });
        return meetsProducer && meetsConsumer;
    }

    /// Fills the table of an edge (5.4); what the consumer could do before is replaced by what the table allows.
    bool insertReshard(std::size_t e, ReshardOrigin origin) {
        SolvedEdge& edge = result_.edges[e];
        if (!edge.table.empty()) return fail(e, "edge");
        edge.table = checks_.reshards(asked(e));
        std::erase_if(edge.table, [](const auto& entry) { return entry.first >= ConfigSet::kCapacity; });
        if (edge.table.empty()) return fail(e, e == 0 ? "entry" : "edge");
        edge.info.isResharded = true;
        edge.info.origin = origin;
        TraceEvent& event = trace(TraceKind::ReshardInserted, e);
        ConfigSet allowed;
        for (const auto& [config, candidates] : edge.table)
            allowed.add(config);
        SolvedOp& op = result_.ops[consumerOf(e)];
        for (std::size_t c = 0; c < op.clearedEdge.size() && c < ConfigSet::kCapacity; ++c) {
            const bool isAllowed = allowed.has(static_cast<int>(c));
            op.clearedEdge[c] = isAllowed ? kAlive : static_cast<std::int32_t>(e);
            op.clearedRound[c] = isAllowed ? 0 : static_cast<std::int32_t>(result_.rounds);
        }
        bits_[consumerOf(e)] = allowed;
        event.after = allowed.size();
        return true;
    }

    [[nodiscard]] std::vector<ConfigPath> pathsOfReshard(std::size_t e) const {
        std::vector<ConfigPath> paths;
        const ConfigSet& producers = bits_[edgeOf(e).from];
        for (int i = producers.first(); i >= 0; i = producers.next(i + 1))
            for (const auto& [j, candidates] : result_.edges[e].table)
                paths.emplace_back(static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(j));
        return paths;
    }

    bool storePaths(std::size_t e, std::vector<ConfigPath> paths) {
        const SolverEdge& edge = edgeOf(e);
        infoOf(e).dropped.assign(paths.size(), 0);
        infoOf(e).paths = paths;
        alive_[e].clear();
        for (std::size_t p = 0; p < paths.size(); ++p)
            alive_[e].push_back(static_cast<std::uint32_t>(p));
        isChecked_[e] = true;
        const auto [producers, consumers] = projections(e);
        const bool isProducerNarrowed = narrow(edge.from, producers, e);
        narrow(edge.to, consumers, e);
        if (bits_[edge.from].isEmpty() || bits_[edge.to].isEmpty()) return fail(e, "edge");
        if (isProducerNarrowed) queue_.insert(edge.from);
        return true;
    }

    [[nodiscard]] std::pair<ConfigSet, ConfigSet> projections(std::size_t e) const {
        std::pair<ConfigSet, ConfigSet> ends;
        const std::vector<ConfigPath>& paths = result_.edges[e].info.paths;
        for (const std::uint32_t p : alive_[e]) {
            ends.first.add(paths[p].first);
            ends.second.add(paths[p].second);
        }
        return ends;
    }

    /// Takes from an operation what the edge does not allow; true if there was anything.
    bool narrow(std::size_t op, const ConfigSet& allowed, std::size_t e) {
        const ConfigSet left = bits_[op] & allowed;
        if (left == bits_[op]) return false;
        if (!isSelecting_) recordNarrowed(op, left, e);
        bits_[op] = left;
        return true;
    }

    void recordNarrowed(std::size_t op, const ConfigSet& left, std::size_t e) {
        SolvedOp& solved = result_.ops[op];
        for (int i = bits_[op].first(); i >= 0; i = bits_[op].next(i + 1)) {
            if (left.has(i)) continue;
            solved.clearedEdge[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(e);
            solved.clearedRound[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(result_.rounds);
        }
        TraceEvent& event = trace(TraceKind::BitsNarrowed, e);
        event.before = bits_[op].size();
        event.after = left.size();
        if (op != consumerOf(e)) std::swap(event.op, event.other);
    }

    /// To a fixed point; a round visits every operation that the round before has touched.
    bool propagate() {
        while (!queue_.empty()) {
            if (!isSelecting_) ++result_.rounds;
            const std::set<std::size_t> round = std::exchange(queue_, {});
            for (const std::size_t op : round) {
                if (!isSelecting_) ++result_.visits[op];
                for (std::size_t e = 1; e < result_.edges.size(); ++e)
                    if (isChecked_[e] && (edgeOf(e).from == op || edgeOf(e).to == op) && !updatePaths(e)) return false;
            }
        }
        return true;
    }

    bool updatePaths(std::size_t e) {
        const SolverEdge& edge = edgeOf(e);
        EdgeInfo& info = infoOf(e);
        std::erase_if(alive_[e], [&](std::uint32_t p) {
            const auto& [i, j] = info.paths[p];
            if (bits_[edge.from].has(i) && bits_[edge.to].has(j)) return false;
            if (!isSelecting_) info.dropped[p] = static_cast<std::int32_t>(result_.rounds);
            return true;
        });
        const auto [producers, consumers] = projections(e);
        const bool isProducerNarrowed = narrow(edge.from, producers, e);
        const bool isConsumerNarrowed = narrow(edge.to, consumers, e);
        if (isProducerNarrowed || isConsumerNarrowed) queue_.insert({edge.from, edge.to});
        const bool isDead = alive_[e].empty() || bits_[edge.from].isEmpty() || bits_[edge.to].isEmpty();
        return !isDead || fail(e, isSelecting_ ? "selection" : "propagation");
    }

    bool select() {
        accumulate();
        isSelecting_ = true;
        const std::size_t last = problem_.ops.size() - 1;
        if (problem_.preferred) {
            const int i = mostCores(problem_.ops[last], bits_[last], result_.ops[last].acc, *problem_.preferred);
            if (i >= 0 && !fix(last, i)) return false;
        }
        for (std::size_t op = 0; op < problem_.ops.size(); ++op) {
            if (result_.ops[op].selected >= 0) continue;
            if (!fix(op, mostCores(problem_.ops[op], bits_[op], result_.ops[op].acc))) return false;
        }
        recordSelection();
        return true;
    }

    void accumulate() {
        std::vector<std::vector<ConfigPath>> alive(problem_.edges.size());
        for (std::size_t e = 1; e < result_.edges.size(); ++e)
            for (const std::uint32_t p : alive_[e])
                alive[e - 1].push_back(infoOf(e).paths[p]);
        std::vector<std::vector<double>> acc = accumulatedCores(problem_, alive);
        for (std::size_t op = 0; op < acc.size(); ++op)
            result_.ops[op].acc = std::move(acc[op]);
    }

    bool fix(std::size_t op, int config) {
        result_.ops[op].selected = config;
        bits_[op] = ConfigSet::only(config);
        queue_.insert(op);
        return propagate();
    }

    void recordSelection() {
        for (std::size_t op = 0; op < problem_.ops.size(); ++op) {
            const int selected = result_.ops[op].selected;
            result_.cores += problem_.ops[op].configs[static_cast<std::size_t>(selected)].cores;
            TraceEvent event;
            event.kind = TraceKind::ConfigSelected;
            event.chain = problem_.chain;
            event.op = problem_.ops[op].id;
            event.config = selected;
            result_.trace.push_back(std::move(event));
        }
        for (std::size_t e = 0; e < result_.edges.size(); ++e)
            infoOf(e).selected = {e == 0 ? -1 : result_.ops[edgeOf(e).from].selected,
                                  result_.ops[consumerOf(e)].selected};
    }

    const SolverProblem& problem_;
    ShardChecks& checks_;
    SolverResult result_;
    std::vector<ConfigSet> bits_;                    ///< by operation
    std::vector<std::vector<std::uint32_t>> alive_;  ///< by edge: positions in its paths
    std::vector<bool> isChecked_;                    ///< by edge: it has its paths
    std::set<std::size_t> queue_;                    ///< operations to visit
    bool isSelecting_ = false;                       ///< what selection drops is no finding
};

}  // namespace

const std::vector<int>* SolvedEdge::candidates() const {
    const auto entry = table.find(info.selected.second);
    return entry == table.end() ? nullptr : &entry->second;
}

SolverResult solveShards(const SolverProblem& problem, ShardChecks& checks) {
    return Solver(problem, checks).run();
}

}  // namespace memplan::ttnn
