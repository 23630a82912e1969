// SPDX-License-Identifier: Apache-2.0
#include "pipeline/tiling_search.h"

#include "base/numeric.h"
#include "base/text.h"

#include <algorithm>
#include <optional>

namespace memplan {
namespace {

// Bounds of 16.1: options of a dimension, trips of a level; and how many trial plans a search makes.
constexpr std::size_t kCountsPerDimension = 16;
constexpr std::int64_t kMostTrips = 64;
constexpr std::size_t kFittingCounts = 3;  ///< tried of a dimension: the smallest that make the values fit
constexpr int kMostCompiles = 48;

using Level = std::pair<std::int64_t, int>;

Bytes movedBytes(const Plan& plan) {
    return plan.metrics.mainMemoryReadBytes + plan.metrics.mainMemoryWriteBytes;
}

bool lacksRoom(const PlanBuffer& b) {
    return b.role == BufferRole::Intermediate && b.reason &&
           (b.reason->code == ReasonCode::LargerThanMemory || b.reason->code == ReasonCode::NoRoom);
}

/// A run of adjacent operations, as positions in the plan, and what in it lacks room.
struct TileRun {
    std::vector<std::size_t> ops;
    Bytes largest = 0;  ///< per core
};

class Search {
public:
    Search(const CompileRequest& request, const SingleCompile& compileOne)
        : request_(request), compileOne_(compileOne) {
        (void)request_.settings.set("spyre.co_optimize", "false");
        (void)request_.settings.set("spyre.layout_solver", "bestfit");
        (void)request_.settings.set("spyre.ring_transfers", "false");
        request_.keepSnapshotTexts = false;
        request_.makeArtefacts = false;
    }

    Result<TilingSearch> run() {
        auto base = trial({});
        if (!base) return std::move(base).error();
        if (!base.value()) return found_;
        base_ = base.value();
        now_ = movedBytes(*base_);
        for (const TileRun& r : runs()) {
            if (auto done = tile(r); !done) return std::move(done).error();
        }
        found_.exhausted = found_.compiles >= kMostCompiles;
        return std::move(found_);
    }

private:
    /// The plan with these loops beside those already chosen; null where there is none.
    Result<PlanPtr> trial(const std::optional<ChosenTiling>& more) {
        CompileRequest one = request_;
        std::vector<ChosenTiling> all = found_.chosen;
        if (more) all.push_back(*more);
        if (!all.empty()) one.hints.push_back(hintOf(all));
        ++found_.compiles;
        CompileOutcome outcome = compileOne_(one, nullptr);
        const bool cancelled = outcome.failure && outcome.failure->error.primary().code == kCancelledCode;
        if (cancelled) return std::move(outcome.failure->error);
        if (!outcome.plan) return PlanPtr();
        // Loops over shared sticks are planned with a warning; they are no gain.
        const bool broken = std::any_of(outcome.plan->problems.begin(), outcome.plan->problems.end(),
                                        [](const Diagnostic& d) { return d.code == "CT-026"; });
        const bool applied = all.empty() || outcome.plan->hintStates.back() == "applied";
        return broken || !applied ? PlanPtr() : outcome.plan;
    }

    // ---- runs ----------------------------------------------------------------------------------------

    [[nodiscard]] bool isTileable(const PlanOp& op) const {
        const bool kind = op.kind == "pointwise" || op.kind == "reduction";
        return kind && op.addedBy.empty() && op.loopPath.empty() && op.outputs.size() == 1;
    }

    /// Copies of inputs come after loops are formed and do not part a run.
    static bool isInvisible(const PlanOp& op) { return op.addedBy.starts_with("scratchpad_planning"); }

    [[nodiscard]] std::vector<TileRun> runs() const {
        std::vector<TileRun> all;
        std::vector<std::size_t> current;
        const auto close = [&] {
            if (auto r = worthTiling(current)) all.push_back(std::move(*r));
            current.clear();
        };
        for (std::size_t i = 0; i < base_->ops.size(); ++i) {
            if (isTileable(base_->ops[i])) {
                current.push_back(i);
            } else if (!isInvisible(base_->ops[i])) {
                close();
            }
        }
        close();
        return all;
    }

    /// From the first writer to the last reader of the values that lack room.
    [[nodiscard]] std::optional<TileRun> worthTiling(const std::vector<std::size_t>& ops) const {
        std::size_t first = ops.size();
        std::size_t last = 0;
        TileRun r;
        for (std::size_t k = 0; k < ops.size(); ++k) {
            const PlanBuffer& b = base_->buffer(base_->ops[ops[k]].outputs.front());
            if (!lacksRoom(b)) continue;
            for (std::size_t j = k + 1; j < ops.size(); ++j) {
                if (std::find(b.uses.begin(), b.uses.end(), OpId::of(ops[j])) == b.uses.end()) continue;
                first = std::min(first, k);
                last = std::max(last, j);
                r.largest = std::max(r.largest, b.sizePerCore);
            }
        }
        if (first >= last) return std::nullopt;
        r.ops.assign(ops.begin() + static_cast<std::ptrdiff_t>(first),
                     ops.begin() + static_cast<std::ptrdiff_t>(last) + 1);
        return r;
    }

    // ---- options -------------------------------------------------------------------------------------

    /// Extent that every op of the run has at an output position, 0 where they differ.
    [[nodiscard]] std::int64_t commonExtent(const TileRun& r, std::size_t dim) const {
        std::int64_t extent = -1;
        for (const std::size_t op : r.ops) {
            const auto& ranges = base_->spyreOps[op].ranges;
            const std::int64_t own = dim < ranges.size() ? ranges[dim] : 0;
            if (extent >= 0 && own != extent) return 0;
            extent = own;
        }
        return std::max<std::int64_t>(extent, 0);
    }

    static std::vector<std::int64_t> tripCounts(std::int64_t extent) {
        std::vector<std::int64_t> counts;
        if (extent < 2) return counts;
        for (const std::int64_t d : divisors(extent)) {
            if (d > 1 && d <= kMostTrips && counts.size() < kCountsPerDimension) counts.push_back(d);
        }
        return counts;
    }

    [[nodiscard]] bool fits(const TileRun& r, std::int64_t trips) const {
        return ceilDiv(r.largest, trips) <= base_->memory.capacity;
    }

    /// One level that makes the largest value fit where there is one, else two.
    [[nodiscard]] std::vector<std::vector<Level>> options(const TileRun& r) const {
        std::size_t rank = 0;
        for (const std::size_t op : r.ops)
            rank = std::max(rank, base_->spyreOps[op].ranges.size());
        std::vector<std::vector<Level>> options;
        for (std::size_t d = 0; d < rank; ++d) {
            std::size_t taken = 0;
            for (const std::int64_t n : tripCounts(commonExtent(r, d))) {
                if (!fits(r, n) || taken == kFittingCounts) continue;
                ++taken;
                options.push_back({{n, static_cast<int>(d)}});
            }
        }
        if (!options.empty()) return options;
        for (std::size_t d = 0; d < rank; ++d) {
            const std::vector<std::int64_t> outer = tripCounts(commonExtent(r, d));
            for (std::size_t e = d + 1; e < rank && !outer.empty(); ++e) {
                std::size_t taken = 0;
                for (const std::int64_t n : tripCounts(commonExtent(r, e))) {
                    if (!fits(r, outer.back() * n) || taken == kFittingCounts) continue;
                    ++taken;
                    options.push_back({{outer.back(), static_cast<int>(d)}, {n, static_cast<int>(e)}});
                }
            }
        }
        return options;
    }

    Result<void> tile(const TileRun& r) {
        std::optional<ChosenTiling> best;
        for (const std::vector<Level>& levels : options(r)) {
            if (found_.compiles >= kMostCompiles) break;
            ChosenTiling t;
            for (const std::size_t op : r.ops)
                t.ops.push_back(base_->ops[op].name);
            t.levels = levels;
            t.before = now_;
            auto plan = trial(t);
            if (!plan) return std::move(plan).error();
            if (!plan.value()) continue;
            t.after = movedBytes(*plan.value());
            if (t.after < (best ? best->after : now_)) best = std::move(t);
        }
        if (!best) return {};
        now_ = best->after;
        found_.chosen.push_back(std::move(*best));
        return {};
    }

    CompileRequest request_;
    const SingleCompile& compileOne_;
    PlanPtr base_;
    Bytes now_ = 0;
    TilingSearch found_;
};

std::string quoted(const std::string& name) {
    std::string out = "\"";
    for (const char c : text::escaped(name)) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

}  // namespace

bool searchesTilings(const CompileRequest& request) {
    const Settings& s = request.settings;
    const bool wanted = s.boolean("spyre.co_optimize_tilings") && s.boolean("spyre.co_optimize") &&
                        s.boolean("spyre.coarse_tiling") && s.boolean("spyre.lx_planning") &&
                        !s.boolean("spyre.ignore_hints");
    return wanted && request.target == Target::Spyre && !request.imported && request.stopAfter.empty() &&
           std::none_of(request.hints.begin(), request.hints.end(),
                        [](const Hint& h) { return h.enabled && (h.key == "slices" || h.key == "manual_groups"); });
}

Result<TilingSearch> searchTilings(const CompileRequest& request, const SingleCompile& compileOne) {
    return Search(request, compileOne).run();
}

Hint hintOf(const std::vector<ChosenTiling>& tilings) {
    Hint hint;
    hint.target = "spyre";
    hint.scopes = {"graph"};
    hint.key = "manual_groups";
    std::vector<std::string> groups;
    for (const ChosenTiling& t : tilings) {
        std::vector<std::string> ops;
        for (const std::string& op : t.ops)
            ops.push_back(quoted(op));
        std::vector<std::string> levels;
        for (const auto& [count, dim] : t.levels)
            levels.push_back("{\"count\": " + std::to_string(count) + ", \"dims\": [" + std::to_string(dim) + "]}");
        groups.push_back("{\"ops\": [" + text::join(ops, ", ") + "], \"levels\": [" + text::join(levels, ", ") + "]}");
    }
    hint.valueJson = "[" + text::join(groups, ", ") + "]";
    return hint;
}

}  // namespace memplan
