// SPDX-License-Identifier: Apache-2.0
#include "engine/verify/spyre/hint_facts.h"

#include "engine/base/numeric.h"
#include "engine/base/text.h"
#include "engine/json/json_value.h"
#include "engine/plan/spyre_data.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace memplan::verify {
namespace {

using io::JsonType;
using text::grouped;
using text::quoted;

/// The numbers of `dims` and `dims_of`, at any depth.
void collectDims(const io::JsonValue& value, bool isDims, std::set<std::int64_t>& dims) {
    if (value.is(JsonType::Integer) && isDims) dims.insert(value.integer);
    for (std::size_t i = 0; i < value.items.size(); ++i) {
        const bool names = i < value.keys.size() && (value.keys[i] == "dims" || value.keys[i] == "dims_of");
        collectDims(value.items[i], isDims || names, dims);
    }
}

class HintFacts {
public:
    HintFacts(const PlanReading& reading, Report& report) : reading_(reading), plan_(reading.plan), report_(report) {
        for (std::size_t i = 0; i < plan_.ops.size(); ++i)
            ops_.emplace(plan_.ops[i].name, OpId::of(i));
        for (std::size_t i = 0; i < plan_.buffers.size(); ++i)
            buffers_.emplace(plan_.buffers[i].name, BufferId::of(i));
    }

    void run() {
        collectNames();
        for (std::size_t i = 0; i < spyreData(plan_).ops.size(); ++i) {
            checkNamedDims(OpId::of(i), spyreData(plan_).ops[i]);
            if (!spyreData(plan_).ops[i].dimHints.empty()) checkCuts(OpId::of(i), spyreData(plan_).ops[i]);
        }
        checkHinted();
        for (std::size_t i = 0; i < plan_.hints.size() && i < plan_.hintStates.size(); ++i) {
            if (plan_.hintStates[i] == "applied" && plan_.hints[i].enabled) checkApplied(i);
        }
    }

private:
    const PlanReading& reading_;
    const Plan& plan_;
    Report& report_;
    std::map<std::string_view, OpId> ops_;
    std::map<std::string_view, BufferId> buffers_;
    std::map<std::string, std::int64_t> sizes_;  ///< declared names
    using Slices = std::set<std::pair<std::string, std::int64_t>>;
    Slices slices_;                 ///< of enabled hints
    std::vector<Slices> numbered_;  ///< of every hint that has an id, in the order of the ids; the first id is 1
    std::map<std::int64_t, std::pair<std::string, std::int64_t>> slicesOfId_;  ///< as the ops state them

    void wrong(OpId id, std::string message) {
        report_.add("VER-013", "target_data op " + plan_.op(id).name, std::move(message), {id});
    }

    void collectNames() {
        for (const Hint& h : plan_.hints) {
            const bool isSize = h.key == "dim_sizes";
            const bool isNumbered = h.key == "slices" || h.key == "named_dims";
            if (h.enabled && isNumbered && (h.target == "spyre" || h.target == "any")) numbered_.emplace_back();
            if (!h.enabled || (!isSize && h.key != "slices")) continue;
            const io::JsonValue& value = h.value.tree();
            for (std::size_t m = 0; m < value.keys.size(); ++m) {
                if (!value.items[m].is(JsonType::Integer)) continue;
                if (isSize)
                    sizes_[value.keys[m]] = value.items[m].integer;
                else
                    addSlices({value.keys[m], value.items[m].integer});
            }
        }
    }

    void addSlices(const std::pair<std::string, std::int64_t>& slices) {
        slices_.insert(slices);
        if (!numbered_.empty()) numbered_.back().insert(slices);
    }

    // ---- named dimensions ----------------------------------------------------------------------------

    [[nodiscard]] std::optional<std::int64_t> sizeOf(const std::string& name) const {
        constexpr std::string_view kUntracked = "_untracked_";
        if (name.starts_with(kUntracked)) return text::parseInt(std::string_view(name).substr(kUntracked.size()));
        const auto it = sizes_.find(name);
        return it == sizes_.end() ? std::nullopt : std::optional(it->second);
    }

    /// Every name is declared, or says that nobody named the dimension. The names are those that the first operation
    /// gave the buffer: of the loops that it writes with, which may be a part of the buffer (layouts 7).
    void checkNamedDims(OpId id, const SpyreOpData& data) {
        const std::vector<std::string>& namedDims = plan_.op(id).namedDims;
        for (const std::string& name : namedDims) {
            if (!sizeOf(name)) wrong(id, "its named_dims hold " + quoted(name) + ", which no hint declares");
        }
        const OpId first = firstWriter(id);
        if (first.isValid() && first != id) {
            if (namedDims != plan_.op(first).namedDims)
                wrong(id, "its named_dims are not those of op " + quoted(plan_.op(first).name) +
                              ", which wrote its buffer first");
            return;
        }
        if (namedDims.empty() || saysPartial()) return;
        std::vector<std::int64_t> extents = writtenExtents(id, data);
        std::erase(extents, 1);
        std::size_t next = 0;
        for (const std::int64_t extent : extents) {
            std::int64_t covered = 1;
            while (next < namedDims.size() && covered < extent)
                covered = saturatedMul(covered, sizeOf(namedDims[next++]).value_or(1));
            if (covered != extent)
                return wrong(id, "its named_dims do not cover its result of " + text::shapeText(extents));
        }
        while (next < namedDims.size() && sizeOf(namedDims[next]) == 1)
            ++next;
        if (next != namedDims.size()) wrong(id, "its named_dims are more than its result has dimensions");
    }

    /// The first op that writes the same buffer; invalid where the op writes none.
    [[nodiscard]] OpId firstWriter(OpId id) const {
        const PlanOp& op = plan_.op(id);
        return op.outputs.empty() ? OpId() : reading_.writer(op.outputs.front());
    }

    /// A pass warned that names cover a part of a dimension only (layouts 7).
    [[nodiscard]] bool saysPartial() const {
        const auto isIt = [](const Diagnostic& d) {
            return d.code == "NAM-003" || d.code == "CT-021" || d.code == "NAM-002";
        };
        return std::any_of(plan_.problems.begin(), plan_.problems.end(), isIt) ||
               std::any_of(plan_.passes.begin(), plan_.passes.end(), [&](const PassRun& r) {
                   return std::any_of(r.diagnostics.begin(), r.diagnostics.end(), isIt);
               });
    }

    /// Extents of what it writes, over all iterations of the loops around it.
    [[nodiscard]] std::vector<std::int64_t> writtenExtents(OpId id, const SpyreOpData& data) const {
        const PlanOp& op = plan_.op(id);
        std::vector<std::int64_t> extents = data.ranges;
        for (std::size_t level = 0; level < data.loopTiledDims.size() && level < op.loopCounts.size(); ++level) {
            for (const int d : data.loopTiledDims[level]) {
                const auto at = static_cast<std::size_t>(d);
                if (d >= 0 && at < extents.size()) extents[at] = saturatedMul(extents[at], op.loopCounts[level]);
            }
        }
        return extents;
    }

    // ---- slices of named dimensions --------------------------------------------------------------------

    void checkCuts(OpId id, const SpyreOpData& data) {
        const PlanOp& op = plan_.op(id);
        const std::vector<std::int64_t> whole = wholeExtents(plan_, id);
        for (const DimCut& cut : data.dimHints) {
            // Of several hinted names of one loop the first one counts (layouts 7).
            const std::string name = cut.names.empty() ? std::string() : cut.names.front();
            const std::string what = "its dim_hints cut " + quoted(name) + " into " + grouped(cut.count);
            if (!slices_.contains({name, cut.count})) wrong(id, what + ", which no enabled hint asks for");
            checkId(id, what, {name, cut.count}, cut.hint);
            // A loop may walk several named dimensions as one: its range is that of all of them (layouts 7).
            const std::int64_t size = sizeOfAll(cut.names);
            if (size > 0 && cut.range % size != 0 && !saysPartial())
                wrong(id, what + " of " + grouped(cut.range) + ", the dimension has " + grouped(size));
            const auto reduced = std::count_if(op.iterationSpace.begin(), op.iterationSpace.end(),
                                               [](const IterationDim& d) { return d.isReduction; });
            // Of several reduced loops only the first one is named as such; a loop of one position vanishes in its
            // tile.
            const bool mayVanish = reduced > 1 || isCutToOne(op, data, cut.index);
            const bool isSound = cut.isReduction ? cut.index >= 0 : cut.index < 0 || mayVanish;
            if (cut.loop.empty() && !isSound)
                wrong(id, what + " along no loop of its result, which a reduced dimension alone has not");
            if (cut.loop.empty()) continue;
            const auto loop = std::find_if(op.iterationSpace.begin(), op.iterationSpace.end(),
                                           [&](const IterationDim& d) { return d.name == cut.loop; });
            if (loop == op.iterationSpace.end()) {
                wrong(id, what + " along the loop " + quoted(cut.loop) + ", which it does not have");
                continue;
            }
            const auto v = static_cast<std::size_t>(loop - op.iterationSpace.begin());
            if (!maySayReduced(op, *loop, cut)) wrong(id, what + " and are wrong about whether its loop is reduced");
            if (!data.tiledLoops.empty() && whole[v] != cut.range && cut.range > 0 && whole[v] % cut.range != 0)
                wrong(id, what + " of " + grouped(cut.range) + ", its loop has " + grouped(whole[v]));
            const std::size_t places = placesOf(op, data);
            if (cut.index < 0 || static_cast<std::size_t>(cut.index) >= places)
                wrong(id, what + " along dimension " + grouped(cut.index) + " of " + std::to_string(places));
            const auto real = cut.isReduction ? std::nullopt : dimensionOf(op, v);
            if (real && *real != cut.index)
                wrong(id, what + " along dimension " + grouped(cut.index) + ", its loop " + cut.loop +
                              " walks dimension " + grouped(*real));
        }
    }

    /// In a loop a dimension of one position has no loop of its own.
    static bool isCutToOne(const PlanOp& op, const SpyreOpData& data, std::int64_t dimension) {
        if (op.loopPath.empty() || dimension < 0) return false;
        const auto at = static_cast<std::size_t>(dimension);
        return at >= data.ranges.size() || data.ranges[at] == 1;
    }

    /// Hints that name slices are numbered from 1 in their order (layouts 7); one that is not in force has no number.
    void checkId(OpId id, const std::string& what, const std::pair<std::string, std::int64_t>& slices,
                 std::int64_t hint) {
        const auto [it, isFirst] = slicesOfId_.emplace(hint, slices);
        if (!isFirst && it->second != slices)
            wrong(id, what + " by hint " + grouped(hint) + ", which cuts " + quoted(it->second.first) + " into " +
                          grouped(it->second.second) + " elsewhere");
        const auto from = std::clamp<std::int64_t>(hint - 1, 0, static_cast<std::int64_t>(numbered_.size()));
        const bool isThere = std::any_of(numbered_.begin() + from, numbered_.end(),
                                         [&](const Slices& of) { return of.contains(slices); });
        if (hint < 1 || !isThere) wrong(id, what + " by hint " + grouped(hint) + ", which does not ask for it");
    }

    /// The dimension of the result that a loop walks: the loops that write stand in the order of the dimensions of more
    /// than one position. nullopt where one loop walks several.
    [[nodiscard]] std::optional<std::int64_t> dimensionOf(const PlanOp& op, std::size_t loop) const {
        const auto write =
            std::find_if(op.accesses.begin(), op.accesses.end(), [](const PlanAccess& a) { return a.isWrite; });
        if (write == op.accesses.end() || op.outputs.empty() || loop >= write->coefficients.size()) return std::nullopt;
        const std::vector<std::int64_t>& shape = plan_.buffer(op.outputs.front()).shape;
        std::vector<std::int64_t> dims;
        for (std::size_t d = 0; d < shape.size(); ++d) {
            if (shape[d] > 1) dims.push_back(static_cast<std::int64_t>(d));
        }
        const auto& steps = write->coefficients;
        const auto moving = std::count_if(steps.begin(), steps.end(), [](std::int64_t step) { return step != 0; });
        if (steps[loop] == 0 || moving != static_cast<std::ptrdiff_t>(dims.size())) return std::nullopt;
        const auto above =
            std::count_if(steps.begin(), steps.end(), [&](std::int64_t step) { return step > steps[loop]; });
        return dims[static_cast<std::size_t>(above)];
    }

    /// Product of the declared sizes; 0 where one is not known.
    [[nodiscard]] std::int64_t sizeOfAll(const std::vector<std::string>& names) const {
        std::int64_t product = 1;
        for (const std::string& name : names)
            product = saturatedMul(product, sizeOf(name).value_or(0));
        return product;
    }

    /// Positions that a dimension can have: one of the result, extents of 1 included, or behind them one for each loop
    /// that is named (layouts 7).
    [[nodiscard]] std::size_t placesOf(const PlanOp& op, const SpyreOpData& data) const {
        const std::size_t rank = op.outputs.empty() ? 0 : plan_.buffer(op.outputs.front()).shape.size();
        return std::max({rank, data.ranges.size() + data.reductionRanges.size(), std::size_t{1}});
    }

    /// A cut is of a reduction where the reduced loop has the hinted name, whatever loop it cuts: one name may stand
    /// for both (layouts 7). Of several reduced loops only the first one is named.
    [[nodiscard]] bool maySayReduced(const PlanOp& op, const IterationDim& loop, const DimCut& cut) const {
        if (loop.isReduction == cut.isReduction) return true;
        const auto reduced = std::count_if(op.iterationSpace.begin(), op.iterationSpace.end(),
                                           [](const auto& d) { return d.isReduction; });
        if (!cut.isReduction) return reduced > 1;
        return std::any_of(op.iterationSpace.begin(), op.iterationSpace.end(), [&](const IterationDim& d) {
            return d.isReduction && std::any_of(cut.names.begin(), cut.names.end(), [&](const std::string& name) {
                       const auto size = sizeOf(name);
                       return saysPartial() || (size && *size > 0 && d.extent % *size == 0);
                   });
        });
    }

    /// The cuts of an op that make loops: it iterates over their dimension and keeps it in its result.
    [[nodiscard]] std::vector<DimCut> levelsOf(OpId id) const {
        std::vector<DimCut> cuts = spyreData(plan_).ops[id.at()].dimHints;
        std::erase_if(cuts, [](const DimCut& cut) { return cut.loop.empty() || cut.isReduction; });
        return cuts;
    }

    /// Outermost hint, outermost loop.
    [[nodiscard]] static bool areLoops(const PlanOp& op, const std::vector<DimCut>& cuts) {
        auto level = op.loopCounts.begin();
        for (const DimCut& cut : cuts) {
            level = std::find(level, op.loopCounts.end(), cut.count);
            if (level == op.loopCounts.end()) return false;
            ++level;
        }
        return true;
    }

    /// One op of a group says which slices its loops are (coarse-tiling 2.4): all that it is hinted for. Of the others
    /// the slices of the same hints are those loops; what only they are hinted for makes none.
    void checkHinted() {
        const bool isManual = std::any_of(plan_.hints.begin(), plan_.hints.end(),
                                          [](const Hint& h) { return h.enabled && h.key == "manual_groups"; });
        if (isManual) return;
        std::map<int, std::vector<OpId>> groups;
        for (std::size_t i = 0; i < spyreData(plan_).ops.size(); ++i) {
            const OpId id = OpId::of(i);
            if (!plan_.op(id).loopPath.empty() && !levelsOf(id).empty())
                groups[plan_.op(id).loopPath.front()].push_back(id);
        }
        for (const auto& [group, ops] : groups)
            checkGroup(ops);
    }

    void checkGroup(const std::vector<OpId>& ops) {
        const auto leader =
            std::find_if(ops.begin(), ops.end(), [&](OpId id) { return areLoops(plan_.op(id), levelsOf(id)); });
        std::set<std::int64_t> hints;
        if (leader != ops.end()) {
            for (const DimCut& cut : levelsOf(*leader))
                hints.insert(cut.hint);
        }
        for (const OpId id : ops) {
            std::vector<DimCut> cuts = levelsOf(id);
            if (leader != ops.end()) std::erase_if(cuts, [&](const DimCut& cut) { return !hints.contains(cut.hint); });
            if (!areLoops(plan_.op(id), cuts))
                wrong(id, "the loops around it are not the slices that its dim_hints name, in their order");
        }
    }

    // ---- hints that are said to be satisfied -----------------------------------------------------------

    void checkApplied(std::size_t i) {
        const Hint& h = plan_.hints[i];
        const std::string where = "hints[" + std::to_string(i) + "] (" + h.key + ")";
        for (const std::string& scope : h.scopes) {
            if (scope.starts_with("tensor:")) {
                const auto it = buffers_.find(std::string_view(scope).substr(7));
                if (it != buffers_.end()) checkTensor(where, h, it->second);
            }
            if (scope.starts_with("op:")) {
                const auto it = ops_.find(std::string_view(scope).substr(3));
                if (it != ops_.end()) checkOp(where, h, it->second);
            }
        }
    }

    void broken(const std::string& where, const std::string& how) {
        report_.add("VER-013", where, "is in the state \"applied\", " + how);
    }

    void checkTensor(const std::string& where, const Hint& h, BufferId id) {
        const PlanBuffer& b = plan_.buffer(id);
        const bool isOn = reading_.isOn(id);
        const bool isTrue = h.value.boolean() != nullptr && *h.value.boolean();
        const std::int64_t* number = h.value.integer();
        const bool arrives = b.role != BufferRole::Intermediate;
        if (h.key == "keep_off_chip" && isTrue && isOn) broken(where, "and " + quoted(b.name) + " is on chip");
        if (h.key == "pin" && isTrue && !isOn && !arrives) broken(where, "and " + quoted(b.name) + " is off chip");
        if (h.key == "address" && number != nullptr && !arrives && b.address != *number)
            broken(where, "and " + quoted(b.name) + " is not at that address");
        if (h.key == "address_limit" && number != nullptr && isOn && b.address > *number)
            broken(where, "and " + quoted(b.name) + " lies above");
    }

    static bool hasCut(const std::vector<DimCut>& cuts, std::string_view name, std::int64_t count) {
        return std::any_of(cuts.begin(), cuts.end(), [&](const DimCut& cut) {
            return cut.count == count && std::find(cut.names.begin(), cut.names.end(), name) != cut.names.end();
        });
    }

    void checkOp(const std::string& where, const Hint& h, OpId id) {
        const PlanOp& op = plan_.op(id);
        const std::int64_t* most = h.value.integer();
        if (h.key == "max_cores" && most != nullptr && op.cores > *most)
            broken(where, "and op " + quoted(op.name) + " uses " + grouped(op.cores) + " cores");
        const NamedCounts* counts = h.value.counts();
        if (counts == nullptr) return;
        if (h.key == "slices" && id.at() < spyreData(plan_).ops.size()) {
            const std::vector<DimCut>& own = spyreData(plan_).ops[id.at()].dimHints;
            for (const auto& [name, count] : *counts) {
                const bool isNamed = hasCut(own, name, count);
                if (!isNamed) broken(where, "and the dim_hints of op " + quoted(op.name) + " do not name it");
            }
        }
        if (h.key == "split") checkSplit(where, *counts, op);
    }

    void checkSplit(const std::string& where, const NamedCounts& counts, const PlanOp& op) {
        for (const auto& [name, count] : counts) {
            const auto loop = std::ranges::find(op.iterationSpace, name, &IterationDim::name);
            if (loop == op.iterationSpace.end() || loop->slices == count) continue;
            broken(where, "and loop " + loop->name + " of op " + quoted(op.name) + " has " + grouped(loop->slices) +
                              " slices");
        }
    }
};

}  // namespace

void checkHintFacts(const PlanReading& reading, Report& report) {
    if (isPlannedHere(reading.plan)) HintFacts(reading, report).run();
}

std::set<std::int64_t> dimsByHand(const Plan& plan) {
    std::set<std::int64_t> dims;
    for (const Hint& h : plan.hints) {
        if (!h.enabled || h.key != "manual_groups") continue;
        collectDims(h.value.tree(), false, dims);
    }
    return dims;
}

}  // namespace memplan::verify
