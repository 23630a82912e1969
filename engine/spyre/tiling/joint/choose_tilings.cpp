// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/joint/choose_tilings.h"

#include "engine/spyre/program_edit.h"
#include "engine/spyre/tiling/stick_cuts.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace memplan::spyre {
namespace {

constexpr int kRounds = 4;
constexpr std::size_t kRangesOfRun = 24;

/// Operations that share a buffer with the nest: they may change their division with it.
std::vector<std::string> regionOf(const Program& program, const std::vector<NestRange>& nests) {
    std::vector<bool> inside(program.buffers.size(), false);
    const auto touched = [&](const Op& op, auto visit) {
        for (const Access& read : op.reads)
            visit(read.buffer);
        if (op.write.buffer.isValid()) visit(op.write.buffer);
    };
    for (const NestRange& n : nests) {
        for (std::size_t i = n.first; i <= n.last; ++i)
            touched(program.ops[i], [&](BufferId b) { inside[b.at()] = true; });
    }
    std::vector<std::string> names;
    for (const Op& op : program.ops) {
        bool near = false;
        touched(op, [&](BufferId b) { near = near || inside[b.at()]; });
        if (near && op.isComputed()) names.push_back(op.name);
    }
    return names;
}

bool overlap(const NestRange& a, const NestRange& b) {
    return a.first <= b.last && b.first <= a.last;
}

class Search {
public:
    /// `only`: operations that may be in nests, by name; empty = all.
    Search(const State& base, const PassContext& context, const TilingBudget& budget, std::set<std::string> only = {})
        : program_(base.program), context_(context), budget_(budget), model_(base, context), only_(std::move(only)) {
        const auto ops = static_cast<std::int64_t>(std::max<std::size_t>(1, program_.ops.size()));
        if (budget_.structures == 0) budget_.structures = std::clamp<std::int64_t>(40'000 / ops, 24, 1500);
        if (budget_.values == 0) budget_.values = std::clamp<std::int64_t>(6'000 / ops, 6, 250);
        budget_.limits.sharedSticks = mayShareSticks(context.settings);
    }

    Result<TilingChoice> run() {
        auto untiled = model_.tiled({});
        if (!untiled) return std::move(untiled).error();
        if (!untiled.value()) return choice_;
        choice_.leastBound = untiled.value()->bound;
        auto ranges = rangesWorthTiling(*untiled.value());
        if (!ranges) return std::move(ranges).error();
        if (ranges.value().empty()) return choice_;
        region_ = regionOf(program_, ranges.value());
        auto start = model_.score(*untiled.value(), region_);
        if (!start) return std::move(start).error();
        now_ = start.value();
        for (int round = 0; round < kRounds && !choice_.exhausted && !isLate(); ++round) {
            const std::size_t before = choice_.chosen.size();
            for (const auto& [run, list] : byRun(ranges.value())) {
                if (auto done = improve(list); !done) return std::move(done).error();
            }
            if (choice_.chosen.size() == before) break;
        }
        return std::move(choice_);
    }

private:
    [[nodiscard]] bool isLate() {
        choice_.stopped = choice_.stopped || context_.control.timedOut();
        return choice_.stopped;
    }

    // ---- where ---------------------------------------------------------------------------------------

    /// From the first writer to the last reader of each lost result inside a run, unions of neighbours, the run itself.
    Result<std::vector<NestRange>> rangesWorthTiling(const TiledProgram& untiled) {
        auto lost = model_.lost(untiled);
        if (!lost) return std::move(lost).error();
        std::vector<std::string> names;
        for (const BufferId id : lost.value())
            names.push_back(untiled.state.program.buffers[id.at()].name);
        addInputs(untiled, names);
        runs_ = only_.empty() ? tileableRuns(program_) : std::vector<NestRange>{onlyRun()};
        std::vector<NestRange> all;
        for (const NestRange& run : runs_) {
            std::vector<NestRange> own;
            for (const std::string& name : names) {
                if (auto r = hullOf(name, run)) own.push_back(*r);
            }
            addUnions(own, run);
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }

    /// The named operations, which stand together.
    [[nodiscard]] NestRange onlyRun() const {
        std::size_t first = 0;
        while (!only_.contains(program_.ops[first].name))
            ++first;
        return {first, first + only_.size() - 1};
    }

    /// Inputs that have no copy on chip: tiles of them may have one.
    void addInputs(const TiledProgram& untiled, std::vector<std::string>& names) const {
        if (!context_.settings.boolean("spyre.tile_read_copies")) return;
        for (const BufferId input : untiled.state.program.inputs) {
            std::size_t readers = 0;
            for (const Op& op : untiled.state.program.ops) {
                readers += std::any_of(op.reads.begin(), op.reads.end(),
                                       [input](const Access& a) { return a.buffer == input; })
                               ? 1U
                               : 0U;
            }
            if (readers > 1) names.push_back(untiled.state.program.buffers[input.at()].name);
        }
    }

    [[nodiscard]] std::optional<NestRange> hullOf(const std::string& buffer, const NestRange& run) const {
        std::optional<NestRange> hull;
        std::size_t touches = 0;
        for (std::size_t i = run.first; i <= run.last; ++i) {
            const Op& op = program_.ops[i];
            const auto is = [&](BufferId id) { return program_.buffers[id.at()].name == buffer; };
            const bool reads =
                std::any_of(op.reads.begin(), op.reads.end(), [&](const Access& a) { return is(a.buffer); });
            if (!reads && !is(op.write.buffer)) continue;
            if (!hull) hull = NestRange{i, i};
            hull->last = i;
            ++touches;
        }
        return touches > 1 ? hull : std::nullopt;
    }

    static void addUnions(std::vector<NestRange>& ranges, const NestRange& run) {
        if (ranges.empty()) return;
        const auto less = [](const NestRange& a, const NestRange& b) {
            return a.first != b.first ? a.first < b.first : a.last < b.last;
        };
        std::sort(ranges.begin(), ranges.end(), less);
        ranges.erase(std::unique(ranges.begin(), ranges.end()), ranges.end());
        const std::size_t single = ranges.size();
        const auto add = [&](const NestRange& r) {
            if (ranges.size() < kRangesOfRun && std::find(ranges.begin(), ranges.end(), r) == ranges.end())
                ranges.push_back(r);
        };
        NestRange all = ranges.front();
        for (const NestRange& r : ranges)
            all.last = std::max(all.last, r.last);
        if (ranges.size() >= kRangesOfRun) ranges.resize(kRangesOfRun - 2);
        add(all);
        add(run);
        for (std::size_t i = 0; i < std::min(single, ranges.size()); ++i) {
            NestRange joined = ranges[i];
            for (std::size_t j = i + 1; j < std::min(single, ranges.size()); ++j) {
                joined.last = std::max(joined.last, ranges[j].last);
                add(joined);
            }
        }
    }

    [[nodiscard]] std::map<std::size_t, std::vector<NestRange>> byRun(const std::vector<NestRange>& ranges) const {
        std::map<std::size_t, std::vector<NestRange>> lists;
        for (const NestRange& r : ranges) {
            for (std::size_t k = 0; k < runs_.size(); ++k) {
                if (overlap(r, runs_[k])) lists[k].push_back(r);
            }
        }
        return lists;
    }

    // ---- which ---------------------------------------------------------------------------------------

    struct Option {
        NestRange nest;
        NestLevels levels;
        Bytes bound = 0;
    };

    /// The nests chosen so far that leave room for this one, and it.
    [[nodiscard]] std::vector<TileGroup> nestsWith(const Option& o) const {
        std::vector<std::pair<std::size_t, TileGroup>> nests;
        for (const ChosenNest& c : choice_.chosen) {
            if (!overlap(c.nest, o.nest)) nests.emplace_back(c.nest.first, groupOf(program_, c.nest, c.levels));
        }
        if (!o.levels.empty()) nests.emplace_back(o.nest.first, groupOf(program_, o.nest, o.levels));
        std::sort(nests.begin(), nests.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        std::vector<TileGroup> groups;
        for (auto& [first, group] : nests)
            groups.push_back(std::move(group));
        return groups;
    }

    Result<void> improve(const std::vector<NestRange>& ranges) {
        auto options = bounded(ranges);
        if (!options) return std::move(options).error();
        std::optional<Option> best;
        TilingScore bestScore = now_;
        for (std::size_t k = 0; k < options.value().size(); ++k) {
            const Option& o = options.value()[k];
            if (o.bound > bestScore.traffic || (!best && o.bound >= now_.traffic)) {
                choice_.passedOver += static_cast<std::int64_t>(options.value().size() - k);
                break;
            }
            if (isLate()) break;
            if (choice_.valued >= budget_.values) {
                choice_.exhausted = true;
                break;
            }
            auto tiled = model_.tiled(nestsWith(o));
            if (!tiled) return std::move(tiled).error();
            if (!tiled.value()) continue;
            auto score = model_.score(*tiled.value(), region_);
            if (!score) return std::move(score).error();
            ++choice_.valued;
            context_.control.progress("loops", static_cast<double>(choice_.valued),
                                      static_cast<double>(budget_.values));
            if (!(score.value().rank() < bestScore.rank()) || score.value().traffic >= now_.traffic) continue;
            bestScore = score.value();
            best = o;
        }
        if (!best) return {};
        std::erase_if(choice_.chosen, [&](const ChosenNest& c) { return overlap(c.nest, best->nest); });
        choice_.chosen.push_back({best->nest, best->levels, now_, bestScore});
        now_ = bestScore;
        return {};
    }

    /// Options with their bounds, the least first, shorter nests and fewer trips first among equals.
    Result<std::vector<Option>> bounded(const std::vector<NestRange>& ranges) {
        std::vector<Option> options;
        for (const NestRange& range : ranges) {
            for (NestLevels& levels : nestOptions(program_, range, budget_.limits)) {
                if (levels.empty()) continue;
                if (isLate()) break;
                if (choice_.looked >= budget_.structures) {
                    choice_.exhausted = true;
                    break;
                }
                ++choice_.looked;
                Option o{range, std::move(levels), 0};
                auto tiled = model_.tiled(nestsWith(o));
                if (!tiled) return std::move(tiled).error();
                if (!tiled.value()) {
                    ++choice_.refused;
                    continue;
                }
                o.bound = tiled.value()->bound;
                choice_.leastBound = std::min(choice_.leastBound, o.bound);
                options.push_back(std::move(o));
            }
        }
        std::stable_sort(options.begin(), options.end(),
                         [](const Option& a, const Option& b) { return a.bound < b.bound; });
        return options;
    }

    const Program& program_;
    const PassContext& context_;
    TilingBudget budget_;
    TilingModel model_;
    std::set<std::string> only_;
    std::vector<NestRange> runs_;
    std::vector<std::string> region_;
    TilingScore now_;
    TilingChoice choice_;
};

/// A run of the program with the operations that share buffers with it. What others write is there as a constant,
/// what others read has to end in main memory.
State partOf(const State& base, const NestRange& run) {
    State part = base;
    Program& program = part.program;
    std::vector<bool> touched(program.buffers.size(), false);
    const auto touches = [&](const Op& op, auto visit) {
        for (const Access& read : op.reads)
            visit(read.buffer);
        for (const BufferId extra : op.extraWrites)
            visit(extra);
        if (op.write.buffer.isValid()) visit(op.write.buffer);
    };
    const std::set<BufferId> inputs(program.inputs.begin(), program.inputs.end());
    for (std::size_t i = run.first; i <= run.last; ++i)
        touches(program.ops[i], [&](BufferId b) { touched[b.at()] = true; });
    std::vector<bool> inside(program.ops.size(), false);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        // Sharing an input alone makes no neighbour.
        touches(program.ops[i], [&](BufferId b) {
            if (touched[b.at()] && !inputs.contains(b)) inside[i] = true;
        });
    }
    std::vector<bool> written(program.buffers.size(), false);
    std::vector<bool> readOutside(program.buffers.size(), false);
    for (std::size_t i = 0; i < program.ops.size(); ++i) {
        const Op& op = program.ops[i];
        if (inside[i] && op.write.buffer.isValid()) written[op.write.buffer.at()] = true;
        for (const Access& read : op.reads) {
            if (!inside[i]) readOutside[read.buffer.at()] = true;
        }
    }
    for (std::size_t b = 0; b < program.buffers.size(); ++b) {
        Buffer& buffer = program.buffers[b];
        if (buffer.kind != BufferKind::Computed) continue;
        if (!written[b]) buffer.kind = BufferKind::Constant;
        if (written[b] && readOutside[b] && !buffer.isOutput) {
            buffer.isOutput = true;
            program.outputs.push_back(BufferId::of(b));
        }
    }
    program.restickifyPlan.clear();
    ProgramEdit edit(program);
    for (std::size_t i = 0; i < inside.size(); ++i) {
        if (inside[i]) edit.keep(i);
    }
    edit.finish();
    return part;
}

/// The runs one after the other, each in its part of the program.
class SearchByRuns {
public:
    SearchByRuns(const State& base, const PassContext& context, const TilingBudget& budget)
        : base_(base), context_(context), budget_(budget) {}

    Result<TilingChoice> run() {
        auto runs = worthASearch();
        if (!runs) return std::move(runs).error();
        const auto count = static_cast<std::int64_t>(std::max<std::size_t>(1, runs.value().size()));
        if (budget_.structures == 0) budget_.structures = std::clamp<std::int64_t>(4'000 / count, 40, 400);
        if (budget_.values == 0) budget_.values = std::clamp<std::int64_t>(200 / count, 4, 24);
        for (const NestRange& r : runs.value()) {
            choice_.stopped = choice_.stopped || context_.control.timedOut();
            if (choice_.stopped) break;
            context_.control.progress("loops", static_cast<double>(done_++), static_cast<double>(count));
            if (auto done = search(r); !done) return std::move(done).error();
        }
        return std::move(choice_);
    }

private:
    /// Runs with a result that finds no room, or an input that several of their operations read.
    Result<std::vector<NestRange>> worthASearch() {
        const TilingModel model(base_, context_);
        std::vector<NestRange> runs;
        auto untiled = model.tiled({});
        if (!untiled) return std::move(untiled).error();
        if (!untiled.value()) return runs;
        auto lost = model.lost(*untiled.value());
        if (!lost) return std::move(lost).error();
        std::set<std::string> names;
        for (const BufferId id : lost.value())
            names.insert(untiled.value()->state.program.buffers[id.at()].name);
        for (const NestRange& r : tileableRuns(base_.program)) {
            bool any = false;
            for (std::size_t i = r.first; i <= r.last; ++i)
                any = any || names.contains(base_.program.buffers[base_.program.ops[i].write.buffer.at()].name);
            if (any && r.last > r.first) runs.push_back(r);
        }
        return runs;
    }

    Result<void> search(const NestRange& run) {
        std::set<std::string> names;
        for (std::size_t i = run.first; i <= run.last; ++i)
            names.insert(base_.program.ops[i].name);
        const State part = partOf(base_, run);
        auto found = Search(part, context_, budget_, names).run();
        if (!found) return std::move(found).error();
        TilingChoice& own = found.value();
        choice_.looked += own.looked;
        choice_.refused += own.refused;
        choice_.passedOver += own.passedOver;
        choice_.valued += own.valued;
        choice_.leastBound += own.leastBound;
        choice_.exhausted = choice_.exhausted || own.exhausted;
        choice_.stopped = choice_.stopped || own.stopped;
        choice_.byRuns = true;
        for (ChosenNest& c : own.chosen) {
            const std::size_t first = position(part.program.ops[c.nest.first].name);
            c.nest = {first, first + (c.nest.last - c.nest.first)};
            choice_.chosen.push_back(std::move(c));
        }
        return {};
    }

    [[nodiscard]] std::size_t position(const std::string& name) const {
        const auto& ops = base_.program.ops;
        return static_cast<std::size_t>(
            std::find_if(ops.begin(), ops.end(), [&](const Op& op) { return op.name == name; }) - ops.begin());
    }

    const State& base_;
    const PassContext& context_;
    TilingBudget budget_;
    TilingChoice choice_;
    std::size_t done_ = 0;
};

}  // namespace

std::vector<TileGroup> TilingChoice::groups(const Program& program) const {
    std::vector<const ChosenNest*> nests;
    for (const ChosenNest& c : chosen)
        nests.push_back(&c);
    std::sort(nests.begin(), nests.end(),
              [](const ChosenNest* a, const ChosenNest* b) { return a->nest.first < b->nest.first; });
    std::vector<TileGroup> groups;
    for (const ChosenNest* c : nests)
        groups.push_back(groupOf(program, c->nest, c->levels));
    return groups;
}

Result<TilingChoice> chooseTilings(const State& base, const PassContext& context, const TilingBudget& budget) {
    if (base.program.ops.size() > budget.wholeOps) return SearchByRuns(base, context, budget).run();
    return Search(base, context, budget).run();
}

}  // namespace memplan::spyre
