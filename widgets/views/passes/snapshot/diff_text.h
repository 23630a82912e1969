// SPDX-License-Identifier: GPL-3.0-or-later
// The rows that the difference of two snapshots is read in (user-experience 14.3): side by side or unified, everything
// or the changes with three lines around them. Screen and files show the same ones.
#pragma once

#include "widgets/views/passes/snapshot/snapshot_lines.h"

namespace memplan::ui {

struct SnapshotRow {
    enum class Mark { None, Removed, Added, Gap, Missing };
    QString text;
    int number = -1;  ///< line number from 0, -1 = none
    Mark mark = Mark::None;
    std::vector<WordRange> words;
};

struct DiffForm {
    bool isUnified = false;
    bool changedOnly = true;  ///< with three lines around each change
    bool marksWords = true;
    friend bool operator==(const DiffForm&, const DiffForm&) = default;
};

struct DiffText {
    std::vector<SnapshotRow> left;   ///< before; none when unified
    std::vector<SnapshotRow> right;  ///< after, or both; none when nothing changed and only changes are wanted
    std::vector<int> changeStarts;   ///< row where each change begins
};

/// `diff` is that of the two texts.
[[nodiscard]] DiffText diffText(const SnapshotLines& before, const SnapshotLines& after,
                                const std::vector<DiffRow>& diff, const DiffForm& form);

}  // namespace memplan::ui
