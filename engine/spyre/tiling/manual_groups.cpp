// SPDX-License-Identifier: Apache-2.0
#include "engine/spyre/tiling/manual_groups.h"

#include "engine/base/text.h"
#include "engine/spyre/hint_values.h"
#include "engine/spyre/tiling/form_groups.h"
#include "engine/spyre/tiling/group_forms.h"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace memplan::spyre {
namespace {

bool isOurs(const Hint& hint) {
    return hint.enabled && (hint.target == "spyre" || hint.target == "any");
}

/// Program ops that stand for the graph ops that groups name, or have these names. Made once for all groups: they may
/// name every operation of a large graph.
class NamedOps {
public:
    NamedOps(const State& state, const TilingGroups& groups) {
        Hint all;
        all.target = "spyre";
        all.key = "manual_groups";
        for (const TilingGroup& group : groups) {
            for (const std::string& id : group.ops) {
                if (found_.try_emplace(id).second) all.scopes.push_back(std::string(kScope) + id);
            }
        }
        const std::vector<Hint> hints{all};
        const ProgramHints subjects(hints, state.graph.get(), state.program);
        for (const ProgramHints::Part& part : subjects.entries().front().parts)
            found_[part.subject.substr(kScope.size())] = part.ops;
        for (std::size_t i = 0; i < state.program.ops.size(); ++i) {
            const auto named = found_.find(state.program.ops[i].name);
            if (named != found_.end()) named->second.push_back(OpId::of(i));
        }
    }

    [[nodiscard]] const std::vector<OpId>& of(const std::string& id) const { return found_.at(id); }

private:
    static constexpr std::string_view kScope = "op:";
    std::unordered_map<std::string, std::vector<OpId>> found_;  ///< by id; an op may stand twice
};

/// Without the word of the original system: what became of a hint is a sentence.
GroupRefusal refusalOf(const GroupFault& fault) {
    return {fault.why, fault.fix};
}

/// Operations of ids, each of which has to add some.
std::optional<GroupRefusal> nameOps(const NamedOps& names, const std::vector<std::string>& ids, std::size_t group,
                                    std::set<OpId>& ops) {
    for (const std::string& id : ids) {
        const std::size_t before = ops.size();
        ops.insert(names.of(id).begin(), names.of(id).end());
        if (ops.size() == before) return refusalOf(unknownOperation(id, group, ", or stands in the group already"));
    }
    return std::nullopt;
}

std::vector<std::vector<int>> dimsOf(const TilingGroup& group, const std::string& op) {
    std::vector<std::vector<int>> dims;
    for (const TilingGroup::Level& level : group.levels) {
        const auto own = level.dimsOf.find(op);
        dims.push_back(own == level.dimsOf.end() ? level.dims : own->second);
    }
    return dims;
}

GivenGroup groupOf(const State& state, const NamedOps& names, const TilingGroup& given, std::size_t number) {
    if (given.levels.empty()) return {{}, GroupRefusal{"it has no levels", "give at least one level"}};
    std::set<OpId> ops;
    if (auto why = nameOps(names, given.ops, number, ops)) return {{}, std::move(why)};
    TileGroup group;
    group.ops.assign(ops.begin(), ops.end());
    for (const TilingGroup::Level& level : given.levels)
        group.counts.push_back(level.count);
    for (const OpId op : group.ops)
        group.dims.push_back(dimsOf(given, state.program.ops[op.at()].name));
    return {std::move(group), std::nullopt};
}

std::optional<GroupRefusal> overlap(const Program& program, const TileGroup& group, std::set<OpId>& taken) {
    for (const OpId op : group.ops) {
        if (!taken.insert(op).second)
            return GroupRefusal{"\"" + program.ops[op.at()].name + "\" is in an earlier group already",
                                "name an operation in one group only"};
    }
    return std::nullopt;
}

std::optional<GroupRefusal> multiply(const Program& program, const TileGroup& group) {
    std::vector<std::string> multiplies;
    std::vector<std::string> others;
    for (const OpId id : group.ops) {
        const Op& op = program.ops[id.at()];
        if (op.isMatmul() || isTileable(op)) (op.isMatmul() ? multiplies : others).push_back("\"" + op.name + "\"");
    }
    if (multiplies.empty()) return std::nullopt;
    return GroupRefusal{"a matrix multiply cannot be in a loop: " + text::join(multiplies, ", "),
                        others.empty() ? std::string("form groups of pointwise operations and reductions")
                                       : "leave it out; the group may hold " + text::join(others, ", ")};
}

/// The checks that stamping makes (3.2, 3.3, 4.5), on copies.
std::optional<GroupFault> checkShapes(const Program& program, const TileGroup& group, std::size_t number) {
    std::vector<std::string> names;
    std::vector<int> positions;
    for (const OpId id : group.ops) {
        names.push_back(program.ops[id.at()].name);
        positions.push_back(id.index);
    }
    if (auto fault = checkGroup(static_cast<int>(number), names, positions)) return fault;
    for (std::size_t i = 0; i < group.ops.size(); ++i) {
        const Op& op = program.ops[group.ops[i].at()];
        const auto ranges = outputRanges(program, op);
        if (!isTileable(op) || !ranges) continue;
        if (op.kind == OpClass::Reduction) {
            if (auto fault = checkReduction(op.name, false, ranges->extents.size(), group.dims[i])) return fault;
        }
        std::vector<std::int64_t> extents = ranges->extents;
        for (std::size_t level = 0; level < group.counts.size(); ++level) {
            if (auto fault = divideRanges(op.name, {group.counts[level], group.dims[i][level]}, extents)) return fault;
        }
    }
    return std::nullopt;
}

std::vector<GivenGroup> groupsOf(const State& state, const TilingGroups& given) {
    const NamedOps names(state, given);
    std::vector<GivenGroup> groups;
    std::set<OpId> taken;
    for (std::size_t g = 0; g < given.size(); ++g) {
        GivenGroup& made = groups.emplace_back(groupOf(state, names, given[g], g));
        if (made.refusal) continue;
        made.refusal = overlap(state.program, made.group, taken);
        if (!made.refusal) made.refusal = whyRefused(state.program, made.group, g);
    }
    return groups;
}

}  // namespace

std::optional<GroupRefusal> whyRefused(const Program& program, const TileGroup& group, std::size_t number) {
    if (auto why = multiply(program, group)) return why;
    if (const auto fault = checkShapes(program, group, number)) return refusalOf(*fault);
    return whyNotLoop(program, group);
}

Result<std::optional<std::vector<GivenGroup>>> manualGroups(const State& state, PassContext& context) {
    if (!state.searchedLoops.empty()) return std::optional(groupsOf(state, state.searchedLoops));
    const Hint* used = nullptr;
    for (const Hint& hint : context.hints) {
        if (hint.key != "manual_groups" || !isOurs(hint)) continue;
        if (context.settings.boolean("spyre.ignore_hints")) {
            context.reportHint(hint, hint.scopes.front(), hints::Outcome::Ignored,
                               "hints are switched off (spyre.ignore_hints)");
            continue;
        }
        if (used != nullptr) {
            context.reportHint(*used, used->scopes.front(), hints::Outcome::Conflicting,
                               "a later manual_groups hint replaces it");
        }
        used = &hint;
    }
    if (used == nullptr) return std::optional<std::vector<GivenGroup>>();
    const TilingGroups* given = used->value.groups();
    if (given == nullptr) {
        return makeError(
            "HNT-002", text::join(used->scopes, ", "),
            R"(manual_groups: an array of {"ops": [ids], "levels": [{"count": n, "dims": [d]}]} is needed)");
    }
    return std::optional(groupsOf(state, *given));
}

void LoopOutcomes::refused(const TileGroup& group, const GroupRefusal& refusal) {
    for (const int id : group.hintIds)
        refusals_[id] = refusal;
}

void LoopOutcomes::refused(std::size_t manualGroup, GroupRefusal refusal) {
    manualRefusals_[manualGroup] = std::move(refusal);
}

void LoopOutcomes::write(bool replacedByManualGroups) {
    const ProgramHints hints(context_.hints, state_.graph.get(), state_.program);
    for (const ProgramHints::Entry& e : hints.entries()) {
        if (e.hint->key != "slices") continue;
        for (const ProgramHints::Part& part : e.parts) {
            if (replacedByManualGroups) {
                context_.reportHint(*e.hint, part.subject, hints::Outcome::Ignored,
                                    "the hint manual_groups replaces the groups of hints");
                continue;
            }
            for (const OpId op : part.ops)
                reportOp(e, part.subject, op);
        }
    }
    if (replacedByManualGroups) reportManual();
}

void LoopOutcomes::reportManual() {
    const Hint* used = nullptr;
    for (const Hint& hint : context_.hints) {
        if (hint.key == "manual_groups" && isOurs(hint)) used = &hint;
    }
    if (used == nullptr) return;
    const std::string& subject = used->scopes.front();
    const bool noneMade = state_.program.tileGroups.empty() && !manualRefusals_.empty();
    if (!noneMade) context_.reportHint(*used, subject, hints::Outcome::Applied);
    for (const auto& [number, refusal] : manualRefusals_) {
        const std::string group = "group " + std::to_string(number);
        context_.reportHint(*used, noneMade ? subject : group, hints::Outcome::Impossible,
                            (noneMade ? group + ": " : std::string()) + refusal.why, refusal.fix);
    }
}

void LoopOutcomes::reportOp(const ProgramHints::Entry& entry, const std::string& subject, OpId op) {
    const Op& target = state_.program.ops[op.at()];
    if (isInLoop(entry.id, op)) return context_.reportHint(*entry.hint, subject, hints::Outcome::Applied);
    // What a pass added for the operation, a restickify for instance, need not be in the loop.
    if (!target.addedBy.empty()) return;
    if (const auto it = refusals_.find(entry.id); it != refusals_.end()) {
        const GroupRefusal& refusal = it->second;
        const std::string fix = "take the operation out of the scope, or tile another dimension";
        return context_.reportHint(*entry.hint, subject, hints::Outcome::Impossible, refusal.why,
                                   refusal.fix.empty() ? fix : refusal.fix);
    }
    const auto& known = state_.program.dimHints;
    const bool named =
        op.at() < known.size() && std::any_of(known[op.at()].begin(), known[op.at()].end(),
                                              [&](const DimHint& h) { return h.hintId == entry.id && h.dimIndex; });
    context_.reportHint(*entry.hint, subject, hints::Outcome::Ignored,
                        named ? "\"" + target.name + "\" reduces over the dimension; a reduced dimension is never cut"
                              : "\"" + target.name + "\" has no loop of that name in its result",
                        named ? "tile a dimension that the result keeps"
                              : "name the dimensions of the inputs with dim_names and declare them with dim_sizes" +
                                    namesOfResult(target));
}

/// "; its result has ...": the names that a scope may cut.
std::string LoopOutcomes::namesOfResult(const Op& op) const {
    const auto& named = state_.program.namedDims;
    const BufferId result = op.write.buffer;
    if (!result.isValid() || result.at() >= named.size()) return {};
    std::vector<std::string> names = named[result.at()];
    std::erase_if(names, [](const std::string& name) { return name.starts_with("_untracked_"); });
    return names.empty() ? std::string("; its result has no names yet") : "; its result has " + text::join(names, ", ");
}

bool LoopOutcomes::isInLoop(int hintId, OpId op) const {
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
