// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/passes/snapshot/snapshot_lines.h"

#include <QHash>
#include <QRegularExpression>

#include <algorithm>

namespace memplan::ui {
namespace {

constexpr QLatin1String kPart(" | ");

enum class Edit : char { Keep, Remove, Add };

/// Edits of Myers' greedy algorithm for a[0, n) to b[0, m); empty when more than `most` are needed.
template <class List> std::vector<Edit> edits(const List& a, const List& b, int most) {
    const int n = static_cast<int>(a.size());
    const int m = static_cast<int>(b.size());
    const int limit = std::min(n + m, most);
    const auto size = static_cast<std::size_t>(2 * limit + 3);
    std::vector<int> v(size, 0);
    const auto at = [limit](int k) { return static_cast<std::size_t>(k + limit + 1); };
    std::vector<std::vector<int>> trace;
    for (int d = 0; d <= limit; ++d) {
        trace.push_back(v);
        for (int k = -d; k <= d; k += 2) {
            int x = k == -d || (k != d && v[at(k - 1)] < v[at(k + 1)]) ? v[at(k + 1)] : v[at(k - 1)] + 1;
            int y = x - k;
            while (x < n && y < m && a[x] == b[y]) {
                ++x;
                ++y;
            }
            v[at(k)] = x;
            if (x < n || y < m) continue;
            std::vector<Edit> out;
            int cx = n;
            int cy = m;
            for (int back = d; back >= 0; --back) {
                const std::vector<int>& w = trace[static_cast<std::size_t>(back)];
                const int ck = cx - cy;
                const int pk = ck == -back || (ck != back && w[at(ck - 1)] < w[at(ck + 1)]) ? ck + 1 : ck - 1;
                const int px = back == 0 ? 0 : w[at(pk)];
                const int py = back == 0 ? 0 : px - pk;
                while (cx > px && cy > py) {
                    out.push_back(Edit::Keep);
                    --cx;
                    --cy;
                }
                if (back == 0) break;
                out.push_back(cx == px ? Edit::Add : Edit::Remove);
                cx = px;
                cy = py;
            }
            std::reverse(out.begin(), out.end());
            return out;
        }
    }
    return {};
}

QStringList words(const QString& line) {
    static const QRegularExpression kWord(QStringLiteral("\\w+|\\s+|."));
    QStringList list;
    for (auto it = kWord.globalMatch(line); it.hasNext();)
        list << it.next().captured();
    return list;
}

void markWords(const QString& before, const QString& after, DiffRow& row) {
    const QStringList a = words(before);
    const QStringList b = words(after);
    const auto add = [](std::vector<WordRange>& list, int begin, int length) {
        if (!list.empty() && list.back().begin + list.back().length == begin)
            list.back().length += length;
        else
            list.push_back({begin, length});
    };
    int i = 0;
    int j = 0;
    int x = 0;
    int y = 0;
    for (const Edit e : edits(a, b, 400)) {
        if (e != Edit::Add) {
            const int length = static_cast<int>(a[i++].size());
            if (e == Edit::Remove) add(row.beforeWords, x, length);
            x += length;
        }
        if (e != Edit::Remove) {
            const int length = static_cast<int>(b[j++].size());
            if (e == Edit::Add) add(row.afterWords, y, length);
            y += length;
        }
    }
}

/// Removed and added lines that stand together become one row each pair.
class RowMaker {
public:
    RowMaker(const QStringList& before, const QStringList& after) : before_(before), after_(after) {}

    void keep(int a, int b) {
        flush();
        rows_.push_back({a, b, false, {}, {}});
    }
    void remove(int a) { removed_.push_back(a); }
    void add(int b) { added_.push_back(b); }
    std::vector<DiffRow> take() {
        flush();
        return std::move(rows_);
    }

private:
    void flush() {
        const std::size_t count = std::max(removed_.size(), added_.size());
        for (std::size_t i = 0; i < count; ++i) {
            DiffRow row;
            row.changed = true;
            if (i < removed_.size()) row.before = removed_[i];
            if (i < added_.size()) row.after = added_[i];
            if (row.before >= 0 && row.after >= 0) markWords(before_[row.before], after_[row.after], row);
            rows_.push_back(std::move(row));
        }
        removed_.clear();
        added_.clear();
    }

    const QStringList& before_;
    const QStringList& after_;
    std::vector<DiffRow> rows_;
    std::vector<int> removed_, added_;
};

struct OpFields {
    QString name;
    QString head;
    QStringList fields, values;
};

OpFields opFields(const QString& line) {
    OpFields op;
    const QStringList parts = line.split(kPart);
    const qsizetype equals = parts[0].indexOf(QLatin1String(" = "));
    op.name = (equals > 0 ? parts[0].left(equals) : parts[0]).trimmed();
    op.head = equals > 0 ? parts[0].mid(equals + 3) : QString();
    for (qsizetype i = 1; i < parts.size(); ++i) {
        const QString part = parts[i].trimmed();
        const qsizetype space = part.indexOf(u' ');
        op.fields << (space > 0 ? part.left(space) : part);
        op.values << (space > 0 ? part.mid(space + 1) : QString());
    }
    return op;
}

}  // namespace

SnapshotLines snapshotLines(const QString& snapshot, bool folded) {
    SnapshotLines lines;
    int op = 0;
    for (const QString& line : snapshot.split(u'\n', Qt::SkipEmptyParts)) {
        const QStringList parts = line.split(kPart);
        lines.text << parts[0];
        lines.op.push_back(op);
        for (qsizetype i = 1; i < parts.size() && !folded; ++i) {
            lines.text << QStringLiteral("  ") + parts[i].trimmed();
            lines.op.push_back(op);
        }
        ++op;
    }
    return lines;
}

std::vector<DiffRow> diffLines(const QStringList& before, const QStringList& after, int most) {
    const int n = static_cast<int>(before.size());
    const int m = static_cast<int>(after.size());
    int head = 0;
    while (head < n && head < m && before[head] == after[head])
        ++head;
    int tail = 0;
    while (tail < n - head && tail < m - head && before[n - 1 - tail] == after[m - 1 - tail])
        ++tail;
    RowMaker rows(before, after);
    for (int i = 0; i < head; ++i)
        rows.keep(i, i);
    const QStringList a = before.mid(head, n - head - tail);
    const QStringList b = after.mid(head, m - head - tail);
    int i = head;
    int j = head;
    for (const Edit e : edits(a, b, most)) {
        if (e == Edit::Keep) rows.keep(i++, j++);
        if (e == Edit::Remove) rows.remove(i++);
        if (e == Edit::Add) rows.add(j++);
    }
    // Too different for a shortest edit: what is left is paired line by line.
    while (i < n - tail || j < m - tail) {
        if (i < n - tail) rows.remove(i++);
        if (j < m - tail) rows.add(j++);
    }
    for (int k = 0; k < tail; ++k)
        rows.keep(n - tail + k, m - tail + k);
    return rows.take();
}

std::vector<int> changedRows(const std::vector<DiffRow>& diff, int context) {
    std::vector<int> shown;
    const int count = static_cast<int>(diff.size());
    int near = -1;  // last row that must be shown
    int last = -1;
    for (int i = 0; i < count; ++i) {
        for (int k = i; k <= std::min(i + context, count - 1); ++k) {
            if (diff[static_cast<std::size_t>(k)].changed) near = std::max(near, std::min(k + context, count - 1));
        }
        if (i > near) continue;
        if (last + 1 < i) shown.push_back(-1);
        shown.push_back(i);
        last = i;
    }
    if (!shown.empty() && last + 1 < count) shown.push_back(-1);
    return shown;
}

std::vector<FieldChange> fieldChanges(const QString& before, const QString& after) {
    std::vector<FieldChange> changes;
    QHash<QString, OpFields> old;
    QStringList order;
    for (const QString& line : before.split(u'\n', Qt::SkipEmptyParts)) {
        const OpFields op = opFields(line);
        old.insert(op.name, op);
        order << op.name;
    }
    const QString none = QObject::tr("not yet");
    QHash<QString, bool> seen;
    for (const QString& line : after.split(u'\n', Qt::SkipEmptyParts)) {
        const OpFields now = opFields(line);
        seen.insert(now.name, true);
        const auto found = old.constFind(now.name);
        if (found == old.constEnd()) {
            changes.push_back({now.name, QObject::tr("operation"), QObject::tr("none"), now.head});
            continue;
        }
        if (found->head != now.head) changes.push_back({now.name, QObject::tr("form"), found->head, now.head});
        for (qsizetype i = 0; i < now.fields.size(); ++i) {
            const qsizetype at = found->fields.indexOf(now.fields[i]);
            const QString was = at < 0 ? none : found->values[at];
            if (at < 0 || was != now.values[i]) changes.push_back({now.name, now.fields[i], was, now.values[i]});
        }
        for (qsizetype i = 0; i < found->fields.size(); ++i) {
            if (!now.fields.contains(found->fields[i]))
                changes.push_back({now.name, found->fields[i], found->values[i], QObject::tr("none")});
        }
    }
    for (const QString& name : order) {
        if (!seen.contains(name))
            changes.push_back({name, QObject::tr("operation"), old.value(name).head, QObject::tr("removed")});
    }
    return changes;
}

}  // namespace memplan::ui
