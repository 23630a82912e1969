// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plan/carried_items.h"

#include <algorithm>
#include <cstddef>

namespace memplan::ui {

CarriedItems::CarriedItems(const Plan& from, const LoopGroups& fromLoops, const Plan& to, const LoopGroups& toLoops)
    : from_(from), to_(to), fromLoops_(fromLoops), toLoops_(toLoops) {}

template <class Items> std::optional<ItemId> CarriedItems::named(ItemId id, const Items& from, const Items& to) {
    const auto at = static_cast<std::size_t>(id.index);
    if (id.index < 0 || at >= from.size()) return std::nullopt;
    const std::string_view name = from[at].name;
    if (at < to.size() && to[at].name == name) return id;
    auto [entry, isNew] = places_.try_emplace(&to);
    if (isNew) {
        for (std::size_t i = 0; i < to.size(); ++i)
            entry->second.emplace(to[i].name, static_cast<int>(i));
    }
    const auto found = entry->second.find(name);
    if (found == entry->second.end()) return std::nullopt;
    return ItemId{id.kind, found->second};
}

/// What is reported again in the same words.
std::optional<ItemId> CarriedItems::sameProblem(ItemId id) const {
    const auto at = static_cast<std::size_t>(id.index);
    if (id.index < 0 || at >= from_.problems.size()) return std::nullopt;
    const Diagnostic& one = from_.problems[at];
    const auto again = std::ranges::find_if(to_.problems, [&one](const Diagnostic& d) {
        return d.code == one.code && d.where == one.where && d.message == one.message;
    });
    if (again == to_.problems.end()) return std::nullopt;
    return ItemId{id.kind, static_cast<int>(again - to_.problems.begin())};
}

std::optional<ItemId> CarriedItems::at(ItemId id) {
    switch (id.kind) {
    case ItemKind::Op:
    case ItemKind::Step:
        return named(id, from_.ops, to_.ops);
    case ItemKind::Buffer:
        return named(id, from_.buffers, to_.buffers);
    case ItemKind::Pass:
        return named(id, from_.passes, to_.passes);
    case ItemKind::Loop:
        return named(id, fromLoops_.groups, toLoops_.groups);
    case ItemKind::Core:
        return id;
    case ItemKind::Problem:
        return sameProblem(id);
    }
    return std::nullopt;
}

}  // namespace memplan::ui
