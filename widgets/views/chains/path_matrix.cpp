// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/views/chains/path_matrix.h"

#include "widgets/kit/theme/theme.h"
#include "widgets/plan/units.h"
#include "widgets/views/chains/data/chain_words.h"

#include <QPainter>

#include <algorithm>
#include <array>

namespace memplan::ui {

using ttnn::PairAnswer;

namespace {

constexpr int kNoPair = -2, kHead = 84, kNames = 84;

/// Why a pair does not fit, in the order of the legend.
struct Sign {
    PairAnswer answer;
    QString mark, words;
};
const std::array<Sign, 4>& signs() {
    static const std::array<Sign, 4> all{
        {{PairAnswer::OutOfMemory, QStringLiteral("M"), PathMatrix::tr("not enough memory")},
         {PairAnswer::OtherLayout, QStringLiteral("G"), PathMatrix::tr("another grid or layout comes out")},
         {PairAnswer::FewerCores, QStringLiteral("C"), PathMatrix::tr("fewer cores than the input")},
         {PairAnswer::Refused, QStringLiteral("\u2013"), PathMatrix::tr("refused")}}};
    return all;
}

const Sign* signOf(PairAnswer answer) {
    const auto at = std::ranges::find(signs(), answer, &Sign::answer);
    return at == signs().end() ? nullptr : &*at;
}

}  // namespace

PathMatrix::PathMatrix(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("pathMatrix"));
    setUpCells(this, this, tr("Path matrix"));
}

void PathMatrix::setEdge(const ChainDataPtr& chains, int edge) {
    data_ = chains;
    edge_ = chains ? edge : -1;
    round_ = -1;
    columns_ = 0;
    producers_.clear();
    fates_.clear();
    if (edge_ >= 0) fill();
    updateGeometry();
    resize(sizeHint());
    update();
}

/// Configurations of the producer that were gone before the edge was checked have no row.
void PathMatrix::fill() {
    const ttnn::PairAnswers& answers = info().answers;
    columns_ = std::max(info().consumerConfigs, answers.consumers);
    const bool isUnknown = answers.list.empty();
    std::vector<bool> isSeen(static_cast<std::size_t>(isUnknown ? info().producerConfigs : answers.producers()),
                             isUnknown);
    for (std::size_t i = 0; i < answers.list.size(); ++i)
        if (answers.list[i] != PairAnswer::NotAsked) isSeen[i / static_cast<std::size_t>(answers.consumers)] = true;
    for (const auto& [p, c] : info().paths) {
        isSeen.resize(std::max<std::size_t>(isSeen.size(), p + 1U));
        isSeen[p] = true;
        columns_ = std::max(columns_, c + 1);
    }
    for (std::size_t p = 0; p < isSeen.size(); ++p)
        if (isSeen[p]) producers_.push_back(static_cast<int>(p));
    fates_.assign(producers_.size() * static_cast<std::size_t>(columns_), kNoPair);
    for (std::size_t i = 0; i < info().paths.size(); ++i)
        fates_[static_cast<std::size_t>(cellOf(info().paths[i]))] = i < info().dropped.size() ? info().dropped[i] : 0;
}

/// -1: none.
int PathMatrix::cellOf(const std::pair<int, int>& pair) const {
    const auto row = std::ranges::lower_bound(producers_, pair.first);
    if (row == producers_.end() || *row != pair.first || pair.second < 0) return -1;
    return static_cast<int>(row - producers_.begin()) * columns_ + pair.second;
}

void PathMatrix::setRound(int round) {
    round_ = round;
    update();
}

int PathMatrix::fate(int row, int column) const {
    if (row < 0 || column < 0 || row >= rowCount() || column >= columns_) return kNoPair;
    const int round =
        fates_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column)];
    return round_ >= 0 && round > round_ ? 0 : round;
}

const ttnn::EdgeInfo& PathMatrix::info() const {
    return data_->record().record.edges[static_cast<std::size_t>(edge_)];
}

/// Of a pair that does not fit; NotAsked where nothing is known of it.
PairAnswer PathMatrix::answer(int row, int column) const {
    const ttnn::PairAnswers& answers = info().answers;
    const int producer = producers_[static_cast<std::size_t>(row)];
    const bool isKnown = producer < answers.producers() && column < answers.consumers;
    return isKnown ? answers.at(producer, column) : PairAnswer::NotAsked;
}

QString PathMatrix::legend() const {
    if (edge_ < 0 || info().answers.list.empty()) return {};
    QStringList parts;
    for (const Sign& sign : signs()) {
        qint64 count = 0;
        for (int row = 0; row < rowCount(); ++row)
            for (int column = 0; column < columns_; ++column)
                count += fate(row, column) == kNoPair && answer(row, column) == sign.answer ? 1 : 0;
        if (count > 0) parts << tr("%1 %2 (%3)").arg(sign.mark, sign.words, groupedText(count));
    }
    return parts.join(QStringLiteral(" \u00b7 "));
}

QString PathMatrix::markOf(int row, int column) const {
    const int round = fate(row, column);
    if (round != kNoPair) return round > 0 ? QString::number(round) : QString();
    if (info().answers.list.empty()) return signs().back().mark;
    const Sign* sign = signOf(answer(row, column));
    return sign == nullptr ? QString() : sign->mark;
}

double PathMatrix::side() const {
    const int most = std::max(rowCount(), columns_);
    return themeOf(this).px(most <= 12 ? 30 : most <= 32 ? 20 : 14);
}

QSize PathMatrix::sizeHint() const {
    const Theme& theme = themeOf(this);
    return {theme.px(kNames) + static_cast<int>(side() * columns_) + theme.px(60),
            theme.px(kHead) + static_cast<int>(side() * rowCount()) + theme.px(6)};
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
    if (cell < 0 || columns_ == 0 || cell >= rowCount() * columns_) return {};
    const Theme& theme = themeOf(this);
    return {theme.px(kNames) + side() * (cell % columns_), theme.px(kHead) + side() * (cell / columns_), side(),
            side()};
}

int PathMatrix::cellAt(QPointF position) const {
    const Theme& theme = themeOf(this);
    const double x = (position.x() - theme.px(kNames)) / side(), y = (position.y() - theme.px(kHead)) / side();
    if (x < 0 || y < 0 || x >= columns_ || y >= rowCount()) return -1;
    return static_cast<int>(y) * columns_ + static_cast<int>(x);
}

QString PathMatrix::cellText(int cell) const {
    if (cell < 0 || edge_ < 0) return {};
    const int row = cell / columns_, column = cell % columns_, round = fate(row, column);
    const QString pair = tr("%1 to %2")
                             .arg(configText(info().producer, producers_[static_cast<std::size_t>(row)]),
                                  configText(info().consumer, column));
    if (cell == cellOf(info().selected)) return pair + tr("\nchosen");
    if (round == kNoPair) {
        const Sign* sign = signOf(answer(row, column));
        return pair + tr("\nthey do not fit each other") + (sign == nullptr ? QString() : tr(": %1").arg(sign->words));
    }
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
        return cell + columns_ < rowCount() * columns_ ? cell + columns_ : cell;
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
    painter.setFont(theme.font(TextStyle::Tiny));
    painter.setPen(theme.color(Token::Text2));
    const int ascent = painter.fontMetrics().ascent();
    for (int row = 0; row < rowCount(); ++row) {
        const QRectF r = cellRect(row * columns_);
        painter.drawText(QRectF(0, r.top(), theme.px(kNames) - 6, r.height()), Qt::AlignRight | Qt::AlignVCenter,
                         configText(info().producer, producers_[static_cast<std::size_t>(row)]));
    }
    for (int column = 0; column < columns_; ++column) {
        const QRectF r = cellRect(column);
        painter.save();
        painter.translate(r.center().x() - 2, r.top() - 5);
        painter.rotate(-45);
        painter.drawText(QPointF(0, ascent / 2.0), configText(info().consumer, column));
        painter.restore();
    }
}

void PathMatrix::paintCell(QPainter& painter, int row, int column) const {
    const Theme& theme = themeOf(this);
    const QRectF r = cellRect(row * columns_ + column).adjusted(1, 1, -1, -1);
    const int round = fate(row, column);
    const bool isShort = round == kNoPair && answer(row, column) == PairAnswer::OutOfMemory;
    QColor fill = theme.color(Token::BgPanel), line = theme.color(Token::Line2);
    if (round == 0) {
        fill = theme.residency(Residency::OnChip, Tone::Soft);
        line = theme.residency(Residency::OnChip, Tone::Edge);
    } else if (round > 0) {
        fill = theme.color(Token::WarningBg);
    } else if (isShort) {
        fill = theme.color(Token::ErrorBg);
        line = theme.color(Token::Error);
    }
    painter.setPen(line);
    painter.setBrush(fill);
    painter.drawRect(r.adjusted(0, 0, -1, -1));
    if (r.height() < theme.px(12)) return;
    painter.setPen(theme.color(round > 0 ? Token::Warning : isShort ? Token::Error : Token::Text3));
    painter.drawText(r, Qt::AlignCenter, markOf(row, column));
}

void PathMatrix::paintEvent(QPaintEvent*) {
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(Token::BgPanel));
    if (edge_ < 0 || rowCount() == 0) return;
    paintHeads(painter);
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columns_; ++column)
            paintCell(painter, row, column);
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](int cell, Token token) {
        if (cell < 0) return;
        painter.setPen(QPen(theme.color(token), 2));
        painter.drawRect(cellRect(cell));
    };
    if (round_ < 0) ring(cellOf(info().paths.empty() ? info().answers.closest : info().selected), Token::SelectOutline);
    if (hasFocus()) ring(currentCell(), Token::Text1);
}

}  // namespace memplan::ui
