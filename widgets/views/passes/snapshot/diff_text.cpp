// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/snapshot/diff_text.h"

#include <numeric>

namespace memplan::ui {
namespace {

constexpr int kContext = 3;

SnapshotRow gapRow() {
    return {QStringLiteral("\u2026"), -1, SnapshotRow::Mark::Gap, {}};
}

class Sides {
public:
    Sides(const SnapshotLines& before, const SnapshotLines& after) : before_(before), after_(after) {}

    void add(const DiffRow& d) {
        if (d.changed && !inside_) out.changeStarts.push_back(static_cast<int>(out.right.size()));
        inside_ = d.changed;
        const auto marked = [&](SnapshotRow::Mark mark) { return d.changed ? mark : SnapshotRow::Mark::None; };
        out.left.push_back(row(before_, d.before, marked(SnapshotRow::Mark::Removed), d.beforeWords));
        out.right.push_back(row(after_, d.after, marked(SnapshotRow::Mark::Added), d.afterWords));
    }
    void addGap() {
        out.left.push_back(gapRow());
        out.right.push_back(gapRow());
        inside_ = false;
    }
    DiffText out;

private:
    static SnapshotRow row(const SnapshotLines& lines, int line, SnapshotRow::Mark mark,
                           const std::vector<WordRange>& words) {
        if (line < 0) return {QString(), -1, SnapshotRow::Mark::Missing, {}};
        return {lines.text[line], line, mark, words};
    }
    const SnapshotLines& before_;
    const SnapshotLines& after_;
    bool inside_ = false;
};

/// All lines that went stand before those that came in their place.
class Unified {
public:
    Unified(const SnapshotLines& before, const SnapshotLines& after) : before_(before), after_(after) {}

    void add(const DiffRow& d) {
        if (!d.changed) flush();
        if (d.changed && !inside_) out.changeStarts.push_back(static_cast<int>(out.right.size()));
        inside_ = d.changed;
        if (!d.changed) return out.right.push_back({after_.text[d.after], d.after, SnapshotRow::Mark::None, {}});
        if (d.before >= 0)
            out.right.push_back({before_.text[d.before], d.before, SnapshotRow::Mark::Removed, d.beforeWords});
        if (d.after >= 0) added_.push_back({after_.text[d.after], d.after, SnapshotRow::Mark::Added, d.afterWords});
    }
    void addGap() {
        flush();
        out.right.push_back(gapRow());
        inside_ = false;
    }
    void flush() {
        out.right.insert(out.right.end(), added_.begin(), added_.end());
        added_.clear();
    }
    DiffText out;

private:
    const SnapshotLines& before_;
    const SnapshotLines& after_;
    std::vector<SnapshotRow> added_;
    bool inside_ = false;
};

template <class Rows> void fill(Rows& rows, const std::vector<DiffRow>& diff, const std::vector<int>& order) {
    for (const int i : order) {
        if (i < 0)
            rows.addGap();
        else
            rows.add(diff[static_cast<std::size_t>(i)]);
    }
}

}  // namespace

DiffText diffText(const SnapshotLines& before, const SnapshotLines& after, const std::vector<DiffRow>& diff,
                  const DiffForm& form) {
    std::vector<int> order(diff.size());
    std::iota(order.begin(), order.end(), 0);
    if (form.changedOnly) order = changedRows(diff, kContext);
    if (form.isUnified) {
        Unified rows(before, after);
        fill(rows, diff, order);
        rows.flush();
        return std::move(rows.out);
    }
    Sides rows(before, after);
    fill(rows, diff, order);
    return std::move(rows.out);
}

}  // namespace memplan::ui
