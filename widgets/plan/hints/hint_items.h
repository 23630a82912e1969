// SPDX-License-Identifier: GPL-3.0-or-later
// Between the items of a plan and the subjects of hints (hints.md 2).
#pragma once

#include "engine/hints/kinds.h"
#include "widgets/plan/selection_hub.h"

#include <optional>
#include <span>
#include <vector>

namespace memplan::ui {

/// The subject of one kind that an item stands for: an op for its buffer and the other way round, the source tensor
/// for a clone. nullopt for what a pass added and for kinds that the item has nothing of.
[[nodiscard]] std::optional<hints::Scope> scopeOf(const Plan& plan, ItemId item, hints::ScopeKind kind);
/// The first subject of the item that `kind` takes.
[[nodiscard]] std::optional<hints::Scope> scopeOf(const Plan& plan, ItemId item, const hints::KindInfo& kind);
/// The nearest buffer that a hint can name, for one that a pass added: what it was made from, else what is made from
/// it. Invalid where there is none.
[[nodiscard]] BufferId nearestNamed(const Plan& plan, BufferId buffer);

/// Items of the plan that a hint names; none for the whole document.
[[nodiscard]] std::vector<ItemId> itemsOf(const Plan& plan, const Hint& hint);
/// Items that any enabled hint names, ascending, each once: for the marks (5.11).
[[nodiscard]] std::vector<ItemId> hintedItems(const Plan& plan, std::span<const Hint> hints);

}  // namespace memplan::ui
