// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/dims/named_dims.h"
#include "engine/spyre/tiling/groups.h"
#include "tests/probe/input_checks.h"
#include "tests/probe/work_division_kinds_input.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace memplan::probe {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using namespace memplan::spyre;

/// In id order; the entries of a scope keep the order in which they are written, which decides a sentinel's name.
std::vector<HintScope> readScopes(const ordered_json& op) {
    std::vector<HintScope> out;
    if (!op.contains("hints") || op.at("hints").is_null()) return out;
    for (const auto& [id, scope] : op.at("hints").items()) {
        HintScope s;
        const char* end = id.data() + id.size();
        require(!id.empty() && std::from_chars(id.data(), end, s.id).ptr == end, "'" + id + "' is no hint id");
        for (const char* key : {"tiles", "slices", "num_tiles_per_dim"}) {
            if (!scope.contains(key)) continue;
            for (const auto& [name, count] : scope.at(key).items())
                s.slices.emplace_back(name, wholeNumber(count, 1, kMostElements, "count of " + name));
        }
        if (scope.contains("named_dims")) s.namedDims = scope.at("named_dims").get<DimNames>();
        out.push_back(std::move(s));
    }
    std::sort(out.begin(), out.end(), [](const HintScope& a, const HintScope& b) { return a.id < b.id; });
    return out;
}

json hintJson(const DimHint& h) {
    return {{"dim_names", h.dimNames},       {"range_size", h.rangeSize},
            {"split_count", h.splitCount},   {"dim_index", h.dimIndex ? json(*h.dimIndex) : json(nullptr)},
            {"is_reduction", h.isReduction}, {"hint_id", h.hintId}};
}

json namesJson(const OpNames& names, const Loops& loops) {
    json perLoop = json::object();
    for (const auto& [loop, list] : names.loops)
        perLoop[loops.kept[static_cast<std::size_t>(loop)].name] = list;
    return {{"named_dims", names.output},
            {"loop_names", perLoop},
            {"reduction_named_dims", names.reduction ? json(*names.reduction) : json(nullptr)}};
}

json dimHints(const ordered_json& in) {
    DeclaredDims declared;
    for (const auto& [name, size] : in.at("declared").items())
        declared[name] = wholeNumber(size, 1, kMostElements, "size of " + name);
    std::map<std::string, DimNames> known;
    for (const ordered_json& t : in.at("inputs")) {
        if (t.at("names").is_null()) continue;
        known[t.at("tensor").at("name").get<std::string>()] = t.at("names").get<DimNames>();
    }
    json propagated = json::object();
    json hints = json::object();
    std::vector<std::string> opNames;
    std::vector<std::vector<DimHint>> all;
    std::vector<Notice> notices;
    for (const ordered_json& o : in.at("ops")) {
        const OpInput input = readOp(json(o));
        NamedOp op{&input.op, {}, input.write.get(), readScopes(o)};
        for (std::size_t i = 0; i < input.reads.size(); ++i) {
            const auto it = known.find(input.reads[i]->name);
            op.reads.push_back(
                {input.reads[i].get(), &input.op.reads[i].index, it == known.end() ? nullptr : &it->second});
        }
        const OpNames names = valueOf(propagateNames(op, declared, notices));
        known[input.op.name] = names.output;
        propagated[input.op.name] = namesJson(names, input.loops);
        all.push_back(assignHints(op, names, declared));
        hints[input.op.name] = json::array();
        for (const DimHint& h : all.back())
            hints[input.op.name].push_back(hintJson(h));
        opNames.push_back(input.op.name);
    }
    std::vector<const std::vector<DimHint>*> pointers;
    for (const auto& h : all)
        pointers.push_back(&h);
    json groups = json::array();
    for (const HintGroup& g : hintsToCoarseTileGroups(pointers, false).groups) {
        json ops = json::array();
        for (const int i : g.ops)
            ops.push_back(opNames[static_cast<std::size_t>(i)]);
        json spec = json::array();
        for (const TileLevel& l : g.levels)
            spec.push_back({{"hint_id", l.hintId}, {"count", l.count}, {"dims", l.dims}});
        groups.push_back({{"ops", ops}, {"spec", spec}});
    }
    return {{"propagated", propagated}, {"dim_hints", hints}, {"groups", groups}};
}

}  // namespace

void registerWorkDivisionHints(Registry& registry) {
    registry.addOrdered("dim_hints", dimHints);
}

}  // namespace memplan::probe
