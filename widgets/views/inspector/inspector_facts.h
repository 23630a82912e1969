// SPDX-License-Identifier: GPL-3.0-or-later
// What the inspector shows, as plain values (user-experience 10). Links are "buffer:3" or "op:2" in an <a href>.
#pragma once

#include "engine/plan/side_info.h"
#include "widgets/plan/marks/badge.h"
#include "widgets/plan/selection_hub.h"
#include "widgets/plan/units.h"

#include <optional>
#include <vector>

namespace memplan::ui {

struct InspectorRow {
    QString label;
    QString html;     ///< value with links, escaped
    QString copy;     ///< plain digits for the copy button, empty = no button
    QString hintKey;  ///< key of the hint that can set it, empty = no pencil
};

struct InspectorSection {
    QString key;  ///< stable: placement, lifetime, ...
    QString name;
    QString count;
    std::vector<InspectorRow> rows;
    QStringList paragraphs;  ///< html, below the rows
    QString fixedText;       ///< monospaced, for raw JSON
    bool openByDefault = true;
    QString markdown = {};  ///< words of the user, above the paragraphs
    bool isEmpty() const { return rows.empty() && paragraphs.isEmpty() && fixedText.isEmpty() && markdown.isEmpty(); }
};

/// Figures measured elsewhere beside the ideal ones, for samples that have them (scratchpad 12).
struct MeasuredComparison {
    struct Row {
        QString stage;
        Bytes bytes = 0;        ///< main-memory traffic of the plan
        double idealRatio = 1;  ///< traffic of the baseline / traffic of this one
        double medianMicroseconds = 0;
        bool current = false;  ///< the stage that is shown
    };
    std::vector<Row> rows;
    QStringList notes;  ///< why both columns differ
};

struct InspectorContent {
    QString kind;  ///< "buffer", "operation", "3 buffers"; scope of the dock title
    QString title;
    std::optional<BadgeText> badge;
    QString sentence;  ///< html
    std::vector<InspectorSection> sections;
};

struct InspectorInput {
    PlanPtr plan;
    SelectionState selection;
    Units units;
    bool allDecisions = false;              ///< more than 200 rows (10.3)
    bool offersHints = false;               ///< hints can be added and edited from here
    const SideInformation* side = nullptr;  ///< what the original compiler recorded, null = nothing
    QString note = {};                      ///< Markdown of the note at the only selected item, empty = none
    const NoteFlags* notes = nullptr;       ///< where the notes stand, null = nowhere
};

}  // namespace memplan::ui
