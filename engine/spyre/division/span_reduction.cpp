// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/division/span_reduction.h"

#include "engine/base/text.h"

#include <algorithm>
#include <optional>

namespace memplan::spyre {
namespace {

std::string mebibytes(Bytes b) {
    return text::fixed(static_cast<double>(b) / 1048576.0, 2) + " MiB";
}

/// Divisors of n from `least` up to `most`, ascending.
std::vector<std::int64_t> usableDivisors(std::int64_t n, std::int64_t least, std::int64_t most) {
    std::vector<std::int64_t> out;
    for (std::int64_t i = std::max<std::int64_t>(least, 1); i <= std::min(n, most); ++i) {
        if (n % i == 0) out.push_back(i);
    }
    return out;
}

struct Combination {
    std::vector<std::int64_t> counts;
    Bytes span = 0;
};

/// The search of step 2 of chapter 10 for one tensor.
class TensorSearch {
public:
    TensorSearch(const IterationSpace& space, const SpanRule& rule, const DividedTensor& tensor, MustSplit& out)
        : space_(space), rule_(rule), tensor_(tensor), out_(out) {}

    Result<void> run() {
        if (perCoreSpan(tensor_, space_.loops, out_.splits) <= rule_.limit) return {};
        for (std::size_t d = 0; d + 1 < tensor_.device.size(); ++d) {
            const std::vector<std::size_t> loops = loopsOf(d);
            if (loops.empty()) continue;
            Result<bool> finished = cut(d, loops);
            if (!finished) return std::move(finished).error();
            if (finished.value()) return {};
        }
        return {};
    }

private:
    [[nodiscard]] std::vector<std::size_t> loopsOf(std::size_t dim) const {
        std::vector<std::size_t> loops;
        const LoopMask mask = tensor_.device[dim].loops();
        for (std::size_t v = 0; v < space_.loops.size(); ++v) {
            if ((mask >> v & 1) != 0 && space_.loops[v].extent > 1) loops.push_back(v);
        }
        return loops;
    }

    /// Picks counts for the loops of one dimension; true when the tensor is done or given up.
    Result<bool> cut(std::size_t dim, const std::vector<std::size_t>& loops) {
        std::vector<std::vector<std::int64_t>> counts;
        for (const std::size_t v : loops) {
            const std::int64_t n = space_.stickEps[v] > 0 ? space_.adjusted[v] : space_.loops[v].extent;
            if (n < splitOf(out_.splits, v)) {
                return unsupported("SPN-001", tensor_.buffer->name,
                                   "No valid split for variable " + space_.loops[v].name + ": " + std::to_string(n) +
                                       " has no divisor of at least " + std::to_string(splitOf(out_.splits, v)));
            }
            counts.push_back(usableDivisors(n, splitOf(out_.splits, v), rule_.cores));
        }
        const std::optional<Combination> best = search(loops, counts);
        if (!best) {
            out_.notices.push_back({"SPN-002", "No valid split combo found for tensor " + tensor_.buffer->name +
                                                   " within " + std::to_string(rule_.cores) + " cores"});
            return true;
        }
        for (std::size_t i = 0; i < loops.size(); ++i)
            out_.splits[loops[i]] = best->counts[i];
        if (best->span <= rule_.limit) return true;
        if (lastPosition(dim) + 1 <= 1) return false;
        out_.notices.push_back({"SPN-003", "Cannot satisfy span limit for tensor " + tensor_.buffer->name + ": " +
                                               mebibytes(best->span) +
                                               " per core with the finest split of its "
                                               "outermost dimension, the limit is " +
                                               mebibytes(rule_.limit)});
        return true;
    }

    [[nodiscard]] std::int64_t lastPosition(std::size_t dim) const {
        std::vector<std::int64_t> at(space_.loops.size(), 0);
        for (std::size_t v = 0; v < at.size(); ++v)
            at[v] = space_.loops[v].extent / splitOf(out_.splits, v) - 1;
        return tensor_.device[dim].at(at);
    }

    /// Cartesian product, last loop fastest. Within the limit the largest span wins, else the smallest.
    [[nodiscard]] std::optional<Combination> search(const std::vector<std::size_t>& loops,
                                                    const std::vector<std::vector<std::int64_t>>& counts) const {
        if (std::any_of(counts.begin(), counts.end(), [](const auto& c) { return c.empty(); })) return std::nullopt;
        std::optional<Combination> within;
        std::optional<Combination> above;
        std::vector<std::size_t> at(loops.size(), 0);
        Splits trial = out_.splits;
        while (true) {
            Combination c;
            for (std::size_t i = 0; i < loops.size(); ++i)
                c.counts.push_back(trial[loops[i]] = counts[i][at[i]]);
            if (coresOf(trial) <= rule_.cores) {
                c.span = perCoreSpan(tensor_, space_.loops, trial);
                if (c.span <= rule_.limit) {
                    if (!within || c.span > within->span) within = std::move(c);
                } else if (!above || c.span < above->span) {
                    above = std::move(c);
                }
            }
            std::size_t i = loops.size();
            while (i > 0 && ++at[i - 1] == counts[i - 1].size())
                at[--i] = 0;
            if (i == 0) break;
        }
        return within ? within : above;
    }

    const IterationSpace& space_;
    const SpanRule& rule_;
    const DividedTensor& tensor_;
    MustSplit& out_;
};

}  // namespace

Result<MustSplit> mustSplit(const IterationSpace& space, const SpanRule& rule, const Splits& committed) {
    MustSplit out;
    out.splits = committed;
    out.splits.resize(space.loops.size(), 0);
    for (const DividedTensor& tensor : space.tensors) {
        if (Result<void> done = TensorSearch(space, rule, tensor, out).run(); !done) return done.error();
    }
    return out;
}

Result<void> checkReductionSplits(const IterationSpace& space, const Splits& entries) {
    std::vector<std::string> names;
    for (std::size_t v = 0; v < space.loops.size(); ++v) {
        if (entries[v] > 0 && !space.isOutputLoop(v)) names.push_back(space.loops[v].name);
    }
    if (names.size() <= 1) return {};
    return unsupported("SPN-004", "",
                       "Cannot satisfy hardware memory span limit (256MB) without splitting " +
                           std::to_string(names.size()) + " reduction dimension(s) (" + text::join(names, ", ") +
                           "), but the backend supports at most 1");
}

}  // namespace memplan::spyre
