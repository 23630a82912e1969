// SPDX-License-Identifier: Apache-2.0
#include "spyre/tiling/manual_groups.h"

#include "base/text.h"
#include "spyre/layout/hint_values.h"
#include "spyre/tiling/form_groups.h"

#include <algorithm>
#include <set>

namespace memplan::spyre {
namespace {

bool isOurs(const Hint& hint) {
    return hint.enabled && (hint.target == "spyre" || hint.target == "any");
}

/// Program ops that stand for graph ops with these ids, or have these names.
Result<std::vector<OpId>> opsNamed(const State& state, const std::vector<std::string>& ids, std::size_t group) {
    std::set<OpId> ops;
    for (const std::string& id : ids) {
        Hint one;
        one.target = "spyre";
        one.key = "manual_groups";
        one.scopes = {"op:" + id};
        const std::vector<Hint> hints{one};
        const ProgramHints subjects(hints, state.graph.get(), state.program);
        const std::size_t before = ops.size();
        for (const OpId op : subjects.entries().front().ops)
            ops.insert(op);
        for (std::size_t i = 0; i < state.program.ops.size(); ++i) {
            if (state.program.ops[i].name == id) ops.insert(OpId::of(i));
        }
        if (ops.size() > before) continue;
        return makeError("CT-001", id,
                         "op_not_in_operations: \"" + id + "\" of group " + std::to_string(group) +
                             " is no operation of the program, or stands in the group already",
                         "name operations of the graph that are still there when loops are formed");
    }
    return std::vector<OpId>(ops.begin(), ops.end());
}

std::vector<std::vector<int>> dimsOf(const ManualGroup& group, const std::string& op) {
    std::vector<std::vector<int>> dims;
    for (const ManualGroup::Level& level : group.levels) {
        const auto own = level.dimsOf.find(op);
        dims.push_back(own == level.dimsOf.end() ? level.dims : own->second);
    }
    return dims;
}

Result<std::vector<TileGroup>> groupsOf(const State& state, const Hint& hint, const std::vector<ManualGroup>& given) {
    std::vector<TileGroup> groups;
    std::set<OpId> taken;
    for (std::size_t g = 0; g < given.size(); ++g) {
        if (given[g].levels.empty()) {
            return makeError("HNT-003", text::join(hint.scopes, ", "),
                             "manual_groups: group " + std::to_string(g) + " has no levels");
        }
        Result<std::vector<OpId>> ops = opsNamed(state, given[g].ops, g);
        if (!ops) return std::move(ops).error();
        TileGroup group;
        group.ops = std::move(ops).value();
        for (const ManualGroup::Level& level : given[g].levels) {
            if (level.count < 1) {
                return makeError("HNT-003", text::join(hint.scopes, ", "),
                                 "manual_groups: count " + std::to_string(level.count) + " of group " +
                                     std::to_string(g) + " must be at least 1");
            }
            group.counts.push_back(level.count);
        }
        for (const OpId op : group.ops) {
            if (taken.insert(op).second) continue;
            return makeError("HNT-003", text::join(hint.scopes, ", "),
                             "manual_groups: \"" + state.program.ops[op.at()].name + "\" is in two groups");
        }
        for (const OpId op : group.ops)
            group.dims.push_back(dimsOf(given[g], state.program.ops[op.at()].name));
        groups.push_back(std::move(group));
    }
    return groups;
}

}  // namespace

Result<std::optional<std::vector<TileGroup>>> manualGroups(const State& state, PassContext& context) {
    const Hint* used = nullptr;
    for (const Hint& hint : context.hints) {
        if (hint.key != "manual_groups" || !isOurs(hint)) continue;
        if (context.settings.boolean("spyre.ignore_hints")) {
            context.tellHint(hint, hint.scopes.front(), hints::Outcome::Ignored,
                             "hints are switched off (spyre.ignore_hints)");
            continue;
        }
        if (used != nullptr) {
            context.tellHint(*used, used->scopes.front(), hints::Outcome::Conflicting,
                             "a later manual_groups hint replaces it");
        }
        used = &hint;
    }
    if (used == nullptr) return std::optional<std::vector<TileGroup>>();
    const auto given = parseManualGroups(used->valueJson);
    if (!given) {
        return makeError(
            "HNT-002", text::join(used->scopes, ", "),
            R"(manual_groups: an array of {"ops": [ids], "levels": [{"count": n, "dims": [d]}]} is needed)");
    }
    Result<std::vector<TileGroup>> groups = groupsOf(state, *used, *given);
    if (!groups) return std::move(groups).error();
    return std::optional(std::move(groups).value());
}

void LoopVerdicts::refused(const TileGroup& group, const std::string& why) {
    for (const int id : group.hintIds)
        refusals_[id] = why;
    if (group.hintIds.empty()) manualRefusal_ = why;
}

void LoopVerdicts::write(bool replacedByManualGroups) {
    const ProgramHints hints(context_.hints, state_.graph.get(), state_.program);
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key != "slices") continue;
        for (const ProgramHints::Part& part : e.parts) {
            if (replacedByManualGroups) {
                context_.tellHint(*e.hint, part.subject, hints::Outcome::Ignored,
                                  "the hint manual_groups replaces the groups of hints");
                continue;
            }
            for (const OpId op : part.ops)
                tellOp(e, part.subject, op);
        }
    }
    if (replacedByManualGroups) tellManual();
}

void LoopVerdicts::tellManual() {
    const Hint* used = nullptr;
    for (const Hint& hint : context_.hints) {
        if (hint.key == "manual_groups" && isOurs(hint)) used = &hint;
    }
    if (used == nullptr) return;
    const auto outcome = manualRefusal_ ? hints::Outcome::Impossible : hints::Outcome::Applied;
    context_.tellHint(*used, used->scopes.front(), outcome, manualRefusal_.value_or(""));
}

void LoopVerdicts::tellOp(const ProgramHints::Entry& entry, const std::string& subject, OpId op) {
    const Op& target = state_.program.ops[op.at()];
    if (isInLoop(entry.id, op)) return context_.tellHint(*entry.hint, subject, hints::Outcome::Applied);
    // What a pass added for the operation, a restickify for instance, need not be in the loop.
    if (!target.addedBy.empty()) return;
    if (const auto refusal = refusals_.find(entry.id); refusal != refusals_.end())
        return context_.tellHint(*entry.hint, subject, hints::Outcome::Impossible, refusal->second,
                                 "take the operation out of the scope, or tile another dimension");
    const auto& known = state_.program.dimHints;
    const bool named =
        op.at() < known.size() && std::any_of(known[op.at()].begin(), known[op.at()].end(),
                                              [&](const DimHint& h) { return h.hintId == entry.id && h.dimIndex; });
    context_.tellHint(*entry.hint, subject, hints::Outcome::Ignored,
                      named ? "\"" + target.name + "\" reduces over the dimension; a reduced dimension is never cut"
                            : "\"" + target.name + "\" has no loop of that name in its result",
                      named ? "tile a dimension that the result keeps"
                            : "name the dimensions of the inputs with dim_names and declare them with dim_sizes" +
                                  namesOfResult(target));
}

/// "; its result has ...": the names that a scope may cut.
std::string LoopVerdicts::namesOfResult(const Op& op) const {
    const auto& named = state_.program.namedDims;
    const BufferId result = op.write.buffer;
    if (!result.isValid() || result.at() >= named.size()) return {};
    std::vector<std::string> names = named[result.at()];
    std::erase_if(names, [](const std::string& name) { return name.starts_with("_untracked_"); });
    return names.empty() ? std::string("; its result has no names yet") : "; its result has " + text::join(names, ", ");
}

bool LoopVerdicts::isInLoop(int hintId, OpId op) const {
    for (const TileGroup& g : state_.program.tileGroups) {
        const auto level = std::find(g.hintIds.begin(), g.hintIds.end(), hintId);
        if (level == g.hintIds.end()) continue;
        const auto member = std::find(g.ops.begin(), g.ops.end(), op);
        if (member == g.ops.end()) continue;
        const auto& dims = g.dims[static_cast<std::size_t>(member - g.ops.begin())];
        if (!dims[static_cast<std::size_t>(level - g.hintIds.begin())].empty()) return true;
    }
    return false;
}

}  // namespace memplan::spyre
