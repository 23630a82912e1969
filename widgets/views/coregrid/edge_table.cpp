// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/coregrid/edge_table.h"

#include "widgets/kit/theme/icons.h"
#include "widgets/plan/units.h"

#include <algorithm>

namespace memplan::ui {

EdgeTableModel::EdgeTableModel(QObject* parent)
    : PlanTableModel({{tr("Buffer")},
                      {tr("Writer")},
                      {tr("Writer split")},
                      {tr("Reader")},
                      {tr("Reader split")},
                      {tr("Result")},
                      {tr("Bytes"), true, tr("Device bytes of the buffer, all cores"), true}},
                     parent) {}

const std::vector<SplitPair>& EdgeTableModel::pairs() const {
    if (!pairs_) pairs_ = plan() ? allSplitPairs(*plan()) : std::vector<SplitPair>();
    return *pairs_;
}

int EdgeTableModel::mismatchCount() const {
    return static_cast<int>(
        std::count_if(pairs().begin(), pairs().end(), [](const SplitPair& p) { return !p.isSame; }));
}

QString EdgeTableModel::text(const SplitPair& pair, int column) const {
    switch (column) {
    case Buffer:
        return fromStd(plan()->buffer(pair.buffer).name);
    case Writer:
        return fromStd(plan()->op(pair.writer).name);
    case WriterSplit:
        return fromStd(cutText(pair.dims, *pair.write));
    case Reader:
        return fromStd(plan()->op(pair.reader).name);
    case ReaderSplit:
        return fromStd(cutText(pair.dims, *pair.read));
    default:
        return pair.isSame ? tr("same") : pair.hasPartialSums ? tr("partial sums") : tr("mismatch");
    }
}

TableCell EdgeTableModel::cell(int row, int column) const {
    const SplitPair& pair = pairs()[static_cast<std::size_t>(row)];
    if (column == Size) return sizeCell(plan()->buffer(pair.buffer).size);
    TableCell c = textCell(text(pair, column));
    c.strong = column == Buffer;
    if (column == Result) c.color = pair.isSame ? Token::Good : Token::Warning;
    return c;
}

QString EdgeTableModel::tooltipOf(int row, int column) const {
    return column == Size ? exactBytes(plan()->buffer(pairs()[static_cast<std::size_t>(row)].buffer).size) : QString();
}

QVariant EdgeTableModel::data(const QModelIndex& index, int role) const {
    if (role != Qt::DecorationRole) return PlanTableModel::data(index, role);
    if (!index.isValid() || index.column() != Result || index.row() >= rowCount()) return {};
    return pairs()[static_cast<std::size_t>(index.row())].isSame ? icon(QStringLiteral("check"), Token::Good)
                                                                 : icon(QStringLiteral("warning"), Token::Warning);
}

}  // namespace memplan::ui
