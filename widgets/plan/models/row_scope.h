// SPDX-License-Identifier: GPL-3.0-or-later
// What the rows of a table speak about: the steps of the chosen range (user-experience 7.11) and the items that a
// filter of a picture leaves (7.5, 7.10).
#pragma once

#include "widgets/plan/selection_hub.h"

#include <QObject>

#include <optional>
#include <vector>

namespace memplan::ui {

class SortFilterModel;

/// Buffers that live in the steps, operations that run in them; everything else does not belong to steps.
[[nodiscard]] bool isInSteps(const Plan& plan, ItemId id, StepRange steps);

class RowScope final : public QObject {
    Q_OBJECT
public:
    /// Filters `model`, whose rows answer IdRole in column 0, and goes with it.
    RowScope(SelectionHub* hub, SortFilterModel* model);
    /// Only these items, in any order; nullopt = all.
    void setItems(std::optional<std::vector<ItemId>> items);
    /// "steps 3 to 5"; empty without a range.
    [[nodiscard]] QString rangeText() const;
    void clearRange();  ///< for all that follows the hub

signals:
    void changed();

private:
    void apply();

    SelectionHub* hub_;
    SortFilterModel* model_;
    std::optional<std::vector<ItemId>> items_;
    bool isFiltering_ = false;
};

}  // namespace memplan::ui
