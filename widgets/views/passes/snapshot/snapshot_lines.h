// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots of passes as text to read and compare (user-experience 14.3): one op per head line, its
// attributes below, differences by line and by word, and the changed fields as a table.
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace memplan::ui {

/// A snapshot with one op or attribute a line; attribute lines are indented by two.
struct SnapshotLines {
    QStringList text;
    std::vector<int> op;  ///< per line: which op (line of the snapshot) it belongs to
};

/// `folded`: heads only.
[[nodiscard]] SnapshotLines snapshotLines(const QString& snapshot, bool folded = false);

struct WordRange {
    int begin = 0, length = 0;
    friend bool operator==(const WordRange&, const WordRange&) = default;
};

/// One row of a side-by-side diff; -1 = nothing on that side.
struct DiffRow {
    int before = -1, after = -1;  ///< line numbers from 0
    bool changed = false;
    std::vector<WordRange> beforeWords, afterWords;  ///< words that differ
};

/// Shortest difference of two lists of lines (Myers); neighbouring removed and added lines are paired
/// and their differing words marked. Lists that differ in more than `most` lines are compared line by
/// line after their common head and tail.
[[nodiscard]] std::vector<DiffRow> diffLines(const QStringList& before, const QStringList& after, int most = 2000);

/// Rows of `diff` to show when only changes with `context` lines around them are wanted, in order;
/// -1 stands for a gap.
[[nodiscard]] std::vector<int> changedRows(const std::vector<DiffRow>& diff, int context);

struct FieldChange {
    QString item, field, before, after;
    friend bool operator==(const FieldChange&, const FieldChange&) = default;
};

/// Fields of ops that differ between two snapshots, in the order of the second; ops that came or went
/// have the field "operation".
[[nodiscard]] std::vector<FieldChange> fieldChanges(const QString& before, const QString& after);

}  // namespace memplan::ui
