// SPDX-License-Identifier: GPL-3.0-or-later
// The same thing in the next plan of a document (user-experience 2.5): ids are positions, and a plan with a clone more
// has other things behind it.
#pragma once

#include "widgets/plan/item_id.h"
#include "widgets/plan/loop_groups.h"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace memplan::ui {

/// Finds things of one plan in another one of the same graph. Both plans and their loops outlive this.
class CarriedItems {
public:
    CarriedItems(const Plan& from, const LoopGroups& fromLoops, const Plan& to, const LoopGroups& toLoops);

    /// What has the same name in the other plan; empty where nothing has. Cores are the same; a
    /// problem is the one in the same words.
    [[nodiscard]] std::optional<ItemId> at(ItemId id);

private:
    using Places = std::unordered_map<std::string_view, int>;
    template <class Items> std::optional<ItemId> named(ItemId id, const Items& from, const Items& to);

    [[nodiscard]] std::optional<ItemId> sameProblem(ItemId id) const;

    const Plan& from_;
    const Plan& to_;
    const LoopGroups& fromLoops_;
    const LoopGroups& toLoops_;
    std::unordered_map<const void*, Places> places_;  ///< by the list of the other plan; made when first asked for
};

}  // namespace memplan::ui
