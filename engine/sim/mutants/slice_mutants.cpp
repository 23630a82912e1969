// SPDX-License-Identifier: Apache-2.0
// M8 to M10 and M13: slices of the cores, extents and loops (proof-and-search A13).
#include "engine/sim/mutants/mutant_maker.h"

#include <algorithm>

namespace memplan::sim {

using std::int64_t;

/// The cores see the same parts of every on-chip operand, element by element.
bool MutantMaker::hasSameViews(const RecordOp& before, const RecordOp& after) const {
    std::string misfit;
    const std::vector<CoreWork> first = coreWork(before, misfit);
    const std::vector<CoreWork> second = coreWork(after, misfit);
    if (!misfit.empty()) return false;
    for (std::size_t a = 0; a < before.args.size(); ++a) {
        if (before.args[a].memory != RecordMemory::Lx) continue;
        const DeviceMap& layout = layouts_[static_cast<std::size_t>(before.args[a].buffer)];
        if (partsOf(before, before.args[a], layout, first) != partsOf(after, after.args[a], layout, second))
            return false;
    }
    return true;
}

/// Per core: which positions of its slice stand for which elements, as the range of elements that it reaches.
std::map<int, std::vector<int64_t>> MutantMaker::partsOf(const RecordOp& op, const RecordArg& arg,
                                                         const DeviceMap& layout, const std::vector<CoreWork>& work) {
    const ArgMap map(op, arg, layout, work);
    std::map<int, std::vector<int64_t>> parts;
    for (std::size_t w = 0; w < work.size(); ++w) {
        std::vector<int64_t> part{map.localElements()};
        std::vector<int64_t> low(op.space.size());
        std::vector<int64_t> high(op.space.size());
        for (std::size_t v = 0; v < op.space.size(); ++v) {
            low[v] = work[w].box[v].begin;
            high[v] = std::max(low[v], work[w].box[v].end - 1);
            if (!map.usesSymbol(v)) low[v] = high[v] = 0;
        }
        for (const auto& point : {low, high}) {
            part.push_back(map.hostElement(point));
            part.push_back(map.position(w, point).value_or(-1));
        }
        parts[work[w].core] = std::move(part);
    }
    return parts;
}

/// What an op does to bytes, whatever cores and symbols are called: the multiset of (places read, place written)
/// over all points; a place on chip is one of its core.
std::optional<std::uint64_t> MutantMaker::effectOf(const RecordOp& op) const {
    std::string misfit;
    const std::vector<CoreWork> work = coreWork(op, misfit);
    if (!misfit.empty()) return std::nullopt;
    std::vector<ArgMap> maps;
    for (const RecordArg& a : op.args)
        maps.emplace_back(op, a, layouts_[static_cast<std::size_t>(a.buffer)], work);
    if (op.fn == "matmul") return productEffect(op, maps, work);
    std::uint64_t effect = 0;
    for (std::size_t w = 0; w < work.size(); ++w) {
        std::vector<int64_t> point(op.space.size());
        const bool isEmpty =
            std::any_of(work[w].box.begin(), work[w].box.end(), [](const Range& r) { return r.size() <= 0; });
        if (isEmpty) continue;
        for (std::size_t v = 0; v < point.size(); ++v)
            point[v] = work[w].box[v].begin;
        std::size_t v = 0;
        do {
            effect += effectAt(op, maps, w, work[w].core, point);
            for (v = point.size(); v-- > 0;) {
                if (++point[v] < work[w].box[v].end) break;
                point[v] = work[w].box[v].begin;
            }
        } while (v != static_cast<std::size_t>(-1) && !point.empty());
    }
    return effect;
}

/// The same of products, whose points are too many: per core where its part begins in every argument and how far each
/// step along a symbol leads. Nothing where cores add their parts up, or where places do not follow from steps.
std::optional<std::uint64_t> MutantMaker::productEffect(const RecordOp& op, const std::vector<ArgMap>& maps,
                                                        const std::vector<CoreWork>& work) {
    for (const RecordSymbol& s : op.space) {
        if (s.isReduction && s.slices > 1) return std::nullopt;
    }
    std::uint64_t effect = 0;
    for (std::size_t w = 0; w < work.size(); ++w) {
        std::uint64_t hash = 1;
        for (std::size_t a = 0; a < maps.size(); ++a) {
            if (!maps[a].isPlain(w)) return std::nullopt;
            const bool onChip = op.args[a].memory == RecordMemory::Lx;
            int64_t begin = maps[a].start(w);
            for (std::size_t v = 0; v < op.space.size(); ++v) {
                const Range& range = work[w].box[v];
                const std::vector<int64_t>& table = maps[a].table(v);
                if (range.size() <= 0) return std::nullopt;
                const int64_t first = table[static_cast<std::size_t>(range.begin)];
                begin += first;
                for (int64_t i = range.begin; i < range.end; ++i)
                    hash = mix(hash ^ static_cast<std::uint64_t>(table[static_cast<std::size_t>(i)] - first));
            }
            hash = mix(hash ^ static_cast<std::uint64_t>(begin)) +
                   (onChip ? static_cast<std::uint64_t>(work[w].core) + 1 : 0);
        }
        effect += mix(hash);
    }
    return effect;
}

std::uint64_t MutantMaker::effectAt(const RecordOp& op, const std::vector<ArgMap>& maps, std::size_t w, int core,
                                    const std::vector<int64_t>& point) {
    std::uint64_t hash = 1;
    for (std::size_t a = 0; a < maps.size(); ++a) {
        int64_t at = -1;
        if (maps[a].isPlain(w)) {
            at = maps[a].start(w);
            for (std::size_t v = 0; v < point.size(); ++v)
                at += maps[a].table(v)[static_cast<std::size_t>(point[v])];
        } else {
            at = maps[a].position(w, point).value_or(-1);
        }
        const bool onChip = op.args[a].memory == RecordMemory::Lx;
        hash = mix(hash ^ static_cast<std::uint64_t>(at)) + (onChip ? static_cast<std::uint64_t>(core) + 1 : 0);
    }
    return mix(hash);
}

void MutantMaker::addSlices(int id, const RecordOp& op, const std::string& what, const RecordOp& changed) {
    std::string rule = hasSameViews(op, changed) ? "every core sees the same of all on-chip operands" : "";
    if (rule.empty()) {
        const auto before = effectOf(op);
        if (before && before == effectOf(changed)) rule = "the same is done to the same bytes of every memory";
    }
    add("M8", "op " + op.name + ": " + what, rule,
        [id, changed](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)] = changed; });
}

void MutantMaker::changeSlices(int id, const RecordOp& op) {
    int64_t cores = 1;
    for (const RecordSymbol& s : op.space)
        cores *= s.slices;
    if (cores <= 1) return;
    RecordOp rotated = op;
    rotated.coreShift = 1;
    addSlices(id, op, "core map rotated by one", rotated);
    for (std::size_t v = 0; v < op.space.size(); ++v) {
        const RecordSymbol& s = op.space[v];
        if (s.slices <= 1) continue;
        if (s.slices % 2 == 0) {
            RecordOp halved = op;
            halved.space[v].slices /= 2;
            addSlices(id, op, "half the slices of " + s.name, halved);
        }
        for (std::size_t u = 0; u < op.space.size(); ++u) {
            const RecordSymbol& t = op.space[u];
            const int64_t units = (t.extent + t.unit - 1) / t.unit;
            if (u == v || t.isReduction || s.isReduction || units % (t.slices * s.slices) != 0) continue;
            RecordOp other = op;
            other.space[u].slices *= s.slices;
            other.space[v].slices = 1;
            addSlices(id, op, "slices of " + s.name + " moved to " + t.name, other);
        }
        if (s.isReduction) {
            const int64_t part = (s.extent + s.unit - 1) / s.unit / s.slices * s.unit;
            add("M13", "op " + op.name + ": one slice of " + s.name + " left out", unreadRule(id),
                [id, v, part](ExecutionRecord& r) {
                    RecordSymbol& k = r.ops[static_cast<std::size_t>(id)].space[v];
                    k.extent -= part;
                    --k.slices;
                });
            add("M13", "op " + op.name + ": one slice of " + s.name + " counted twice", unreadRule(id),
                [id](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)].firstPartTwice = true; });
        }
    }
}

void MutantMaker::shortenLoops(int id, const RecordOp& op) {
    for (std::size_t v = 0; v < op.space.size(); ++v) {
        const RecordSymbol& s = op.space[v];
        for (const int64_t by : {int64_t{1}, s.unit}) {
            if (s.extent <= by || (by == 1 && s.unit > 1 && s.extent % s.unit == 1)) continue;
            if (by == s.unit && s.unit == 1) continue;
            add("M9", "op " + op.name + ": the last " + std::to_string(by) + " of " + s.name + " missing",
                unreadRule(id),
                [id, v, by](ExecutionRecord& r) { r.ops[static_cast<std::size_t>(id)].space[v].extent -= by; });
        }
    }
}

void MutantMaker::changeCounts(const std::vector<RecordStep>& steps, const std::vector<std::size_t>& path) {
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].op >= 0) continue;
        std::vector<std::size_t> inner = path;
        inner.push_back(i);
        for (const int64_t by : {int64_t{-1}, int64_t{1}}) {
            add("M9", "loop " + steps[i].variable + " runs " + std::to_string(steps[i].count + by) + " times", "",
                [inner, by](ExecutionRecord& r) {
                    std::vector<RecordStep>* at = &r.steps;
                    for (std::size_t k = 0; k + 1 < inner.size(); ++k)
                        at = &(*at)[inner[k]].body;
                    (*at)[inner.back()].count += by;
                });
        }
        changeCounts(steps[i].body, inner);
    }
}

void MutantMaker::changeAdvance(int id, const RecordOp& op) {
    for (std::size_t a = 0; a < op.args.size(); ++a) {
        const std::vector<int64_t>& advance = op.args[a].advance;
        for (std::size_t level = 0; level < advance.size(); ++level) {
            if (advance[level] == 0) continue;
            for (const int64_t to : {int64_t{0}, advance[level] + kStick}) {
                std::vector<int64_t> changed = advance;
                changed[level] = to;
                addAdvance(id, a, "advance " + std::to_string(to), changed);
            }
        }
        if (advance.size() == 2 && advance[0] != advance[1])
            addAdvance(id, a, "advances exchanged", {advance[1], advance[0]});
        // The stride model of the host (coarse-tiling-and-bundle 10): bytes of the elements in between.
        const int64_t bytes = r_.buffers[static_cast<std::size_t>(op.args[a].buffer)].itemBytes;
        std::vector<int64_t> host = op.args[a].elementAdvance;
        for (int64_t& step : host)
            step *= bytes;
        const bool isOther = host.size() == advance.size() && host != advance;
        if (isOther) addAdvance(id, a, "advances of the other stride model", host);
    }
}

void MutantMaker::addAdvance(int id, std::size_t arg, const std::string& what, const std::vector<int64_t>& to) {
    const RecordOp& op = r_.ops[static_cast<std::size_t>(id)];
    const std::vector<int64_t>& counts = counts_.at(id);
    const std::vector<int64_t>& from = op.args[arg].advance;
    bool same = true;
    for (std::size_t level = 0; level < from.size(); ++level)
        same = same && (from[level] == to[level] || (level < counts.size() && counts[level] == 1));
    add("M10", "op " + op.name + ", " + name(op.args[arg].buffer) + ": " + what,
        same ? "all reached addresses are equal" : "",
        [id, arg, to](ExecutionRecord& r) { argOf(r, id, arg).advance = to; });
}

}  // namespace memplan::sim
