// SPDX-License-Identifier: GPL-3.0-or-later
// Everything that influences a picture, as a value: a picture is a function of it (architecture
// 8.2). Views add their own toggles in a struct that derives from this one.
#pragma once

#include "engine/plan/plan.h"
#include "widgets/canvas/state/axis.h"
#include "widgets/kit/theme/theme.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/plan/units.h"

#include <optional>

namespace memplan::ui {

struct ViewState {
    PlanPtr plan;
    SelectionState selection;
    Viewport viewport;
    Units units;
    NoteFlagsPtr notes = std::make_shared<const NoteFlags>();  ///< never null
};

/// A line of a picture: in the colour of a role, or of the edge of a residency.
struct LegendLine {
    std::optional<Token> token;
    bool isDashed = false;
};

struct LegendEntry {
    QString text;
    Residency residency = Residency::OnChip;
    int category = -1;                              ///< >= 0: category colour instead of a residency
    double heat = -1;                               ///< >= 0: viridis instead of both
    bool isNote = false;                            ///< the small flag of a note instead of a swatch
    bool isFaint = false;                           ///< swatch half way to the canvas
    std::optional<LegendLine> line = std::nullopt;  ///< a line instead of a swatch
};

/// The block of an empty view (design-system 9.1): what is so, and the next step.
struct EmptyText {
    QString iconName;
    QString sentence;
    QString next;
    QString action;     ///< button text, empty = no button
    QString actionKey;  ///< handed to GraphicView::emptyAction
};

struct TooltipLine {
    QString label, value;
};

/// First line names the item; at most seven label-value lines (design-system 10.1).
struct TooltipText {
    QString title;
    QString badge;                            ///< letter, may be empty
    Residency residency = Residency::OnChip;  ///< colour of the badge
    std::vector<TooltipLine> lines;
    [[nodiscard]] bool isEmpty() const { return title.isEmpty(); }
    [[nodiscard]] QString plain() const;
};

}  // namespace memplan::ui
