// SPDX-License-Identifier: GPL-3.0-or-later
// What can be selected in a plan: a kind and a position in its table (user-experience 2.4).
#pragma once

#include "engine/plan/plan.h"

#include <compare>

namespace memplan::ui {

enum class ItemKind { Op, Buffer, Core, Step, Pass, Problem, Loop };

struct ItemId {
    ItemKind kind = ItemKind::Op;
    int index = -1;
    friend auto operator<=>(const ItemId&, const ItemId&) = default;

    [[nodiscard]] static ItemId of(OpId id) { return {ItemKind::Op, id.index}; }
    [[nodiscard]] static ItemId of(BufferId id) { return {ItemKind::Buffer, id.index}; }
};

}  // namespace memplan::ui
