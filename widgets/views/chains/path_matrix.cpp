// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/path_matrix.h"

#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QPainter>

#include <algorithm>

namespace memplan::ui {

namespace {
constexpr int kNoPair = -2, kHead = 84, kNames = 84;
}

PathMatrix::PathMatrix(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("pathMatrix"));
    setUpCells(this, this, tr("Path matrix"));
}

void PathMatrix::setEdge(const ChainDataPtr& chains, int edge) {
    data_ = chains;
    edge_ = chains ? edge : -1;
    round_ = -1;
    rows_ = columns_ = 0;
    fates_.clear();
    if (edge_ >= 0) {
        const ttnn::EdgeInfo& info = data_->record().record.edges[static_cast<std::size_t>(edge_)];
        rows_ = info.producerConfigs;
        columns_ = info.consumerConfigs;
        for (const auto& [p, c] : info.paths) {
            rows_ = std::max(rows_, static_cast<int>(p) + 1);
            columns_ = std::max(columns_, static_cast<int>(c) + 1);
        }
        fates_.assign(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_), kNoPair);
        for (std::size_t i = 0; i < info.paths.size(); ++i)
            fates_[info.paths[i].first * static_cast<std::size_t>(columns_) + info.paths[i].second] =
                i < info.dropped.size() ? info.dropped[i] : 0;
    }
    updateGeometry();
    resize(sizeHint());
    update();
}

void PathMatrix::setRound(int round) {
    round_ = round;
    update();
}

int PathMatrix::fate(int row, int column) const {
    if (row < 0 || column < 0 || row >= rows_ || column >= columns_) return kNoPair;
    const int round =
        fates_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
    return round_ >= 0 && round > round_ ? 0 : round;
}

double PathMatrix::side() const {
    const int most = std::max(rows_, columns_);
    return themeOf(this).px(most <= 12 ? 30 : most <= 32 ? 20 : 14);
}

QSize PathMatrix::sizeHint() const {
    const Theme& theme = themeOf(this);
    return {theme.px(kNames) + static_cast<int>(side() * columns_) + theme.px(60),
            theme.px(kHead) + static_cast<int>(side() * rows_) + theme.px(6)};
}

QString PathMatrix::configText(OpId op, int config) const {
    const auto& ops = data_->record().record.ops;
    if (!op.isValid() || static_cast<std::size_t>(op.index) >= ops.size()) return tr("as it arrives");
    const auto& sharded = ops[static_cast<std::size_t>(op.index)].sharded;
    return static_cast<std::size_t>(config) < sharded.size()
               ? shortLayoutText(sharded[static_cast<std::size_t>(config)]).remove(QStringLiteral("L1 "))
               : QString::number(config);
}

QRectF PathMatrix::cellRect(int cell) const {
    if (cell < 0 || columns_ == 0 || cell >= rows_ * columns_) return {};
    const Theme& theme = themeOf(this);
    return {theme.px(kNames) + side() * (cell % columns_), theme.px(kHead) + side() * (cell / columns_), side(),
            side()};
}

int PathMatrix::cellAt(QPointF position) const {
    const Theme& theme = themeOf(this);
    const double x = (position.x() - theme.px(kNames)) / side(), y = (position.y() - theme.px(kHead)) / side();
    if (x < 0 || y < 0 || x >= columns_ || y >= rows_) return -1;
    return static_cast<int>(y) * columns_ + static_cast<int>(x);
}

QString PathMatrix::cellText(int cell) const {
    if (cell < 0 || edge_ < 0) return {};
    const ttnn::EdgeInfo& info = data_->record().record.edges[static_cast<std::size_t>(edge_)];
    const int row = cell / columns_, column = cell % columns_, round = fate(row, column);
    const QString pair = tr("%1 to %2").arg(configText(info.producer, row), configText(info.consumer, column));
    if (info.selected == std::pair{row, column}) return pair + tr("\nchosen");
    if (round == kNoPair) return pair + tr("\nthey do not fit each other");
    return pair + (round == 0 ? tr("\nfits") : tr("\nremoved in round %1 of the propagation").arg(round));
}

int PathMatrix::cellBeside(int cell, int key) const {
    if (columns_ == 0) return cell;
    switch (key) {
    case Qt::Key_Left:
        return cell % columns_ > 0 ? cell - 1 : cell;
    case Qt::Key_Right:
        return cell % columns_ + 1 < columns_ ? cell + 1 : cell;
    case Qt::Key_Up:
        return cell >= columns_ ? cell - columns_ : cell;
    case Qt::Key_Down:
        return cell + columns_ < rows_ * columns_ ? cell + columns_ : cell;
    default:
        return -1;
    }
}

void PathMatrix::cellPressed(int cell, Qt::KeyboardModifiers) {
    setCurrentCell(cell);
    update();
}

void PathMatrix::cellReached(int cell) {
    Q_UNUSED(cell)
    update();
}

bool PathMatrix::event(QEvent* event) {
    return cellEvent(event) || QWidget::event(event);
}

void PathMatrix::paintHeads(QPainter& painter) const {
    const Theme& theme = themeOf(this);
    const ttnn::EdgeInfo& info = data_->record().record.edges[static_cast<std::size_t>(edge_)];
    painter.setFont(theme.font(TextStyle::Tiny));
    painter.setPen(theme.color(Token::Text2));
    const int ascent = painter.fontMetrics().ascent();
    for (int row = 0; row < rows_; ++row) {
        const QRectF r = cellRect(row * columns_);
        painter.drawText(QRectF(0, r.top(), theme.px(kNames) - 6, r.height()), Qt::AlignRight | Qt::AlignVCenter,
                         configText(info.producer, row));
    }
    for (int column = 0; column < columns_; ++column) {
        const QRectF r = cellRect(column);
        painter.save();
        painter.translate(r.center().x() - 2, r.top() - 5);
        painter.rotate(-45);
        painter.drawText(QPointF(0, ascent / 2.0), configText(info.consumer, column));
        painter.restore();
    }
}

void PathMatrix::paintCell(QPainter& painter, int row, int column) const {
    const Theme& theme = themeOf(this);
    const QRectF r = cellRect(row * columns_ + column).adjusted(1, 1, -1, -1);
    const int round = fate(row, column);
    QColor fill = theme.color(Token::BgPanel), line = theme.color(Token::Line2);
    if (round == 0) {
        fill = theme.residency(Residency::OnChip, Tone::Soft);
        line = theme.residency(Residency::OnChip, Tone::Edge);
    } else if (round > 0) {
        fill = theme.color(Token::WarningBg);
    }
    painter.setPen(line);
    painter.setBrush(fill);
    painter.drawRect(r.adjusted(0, 0, -1, -1));
    if (r.height() < theme.px(12)) return;
    painter.setPen(theme.color(round > 0 ? Token::Warning : Token::Text3));
    const QString mark = round > 0 ? QString::number(round) : round == kNoPair ? QStringLiteral("\u2013") : QString();
    painter.drawText(r, Qt::AlignCenter, mark);
}

void PathMatrix::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    if (edge_ < 0 || rows_ == 0) return;
    paintHeads(painter);
    for (int row = 0; row < rows_; ++row)
        for (int column = 0; column < columns_; ++column)
            paintCell(painter, row, column);
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](int cell, Token token) {
        if (cell < 0) return;
        painter.setPen(QPen(theme.color(token), 2));
        painter.drawRect(cellRect(cell));
    };
    const auto& chosen = data_->record().record.edges[static_cast<std::size_t>(edge_)].selected;
    if (round_ < 0 && chosen.first >= 0 && chosen.second >= 0)
        ring(chosen.first * columns_ + chosen.second, Token::SelectOutline);
    if (hasFocus()) ring(currentCell(), Token::Text1);
}

}  // namespace memplan::ui
