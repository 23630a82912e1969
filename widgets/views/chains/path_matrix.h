// SPDX-License-Identifier: GPL-3.0-or-later
// The path matrix of an edge (user-experience 8.4): configurations of the producer as rows, of the consumer as columns,
// filled where they fit each other; what the propagation removed says in which round; the chosen pair is ringed. Where
// they do not fit a letter says why, and on an edge without a pair the one that lacks least memory is ringed.
#pragma once

#include "widgets/canvas/cells.h"
#include "widgets/views/chains/data/chain_data.h"

#include <QWidget>

namespace memplan::ui {

class PathMatrix final : public QWidget, public Cells {
    Q_OBJECT
public:
    explicit PathMatrix(QWidget* parent = nullptr);
    void setEdge(const ChainDataPtr& chains, int edge);  ///< -1: none
    /// As it stood after this round of the propagation: later removals are not shown yet, nor the choice. -1: the end.
    void setRound(int round);
    [[nodiscard]] int rowCount() const { return static_cast<int>(producers_.size()); }
    [[nodiscard]] int columnCount() const { return columns_; }
    /// -2: the two do not fit each other, 0: alive, else the round that removed the pair.
    [[nodiscard]] int fate(int row, int column) const;
    /// The letters that are there, with what they mean and how often; empty where nobody knows why pairs do not fit.
    [[nodiscard]] QString legend() const;

    [[nodiscard]] int cellAt(QPointF position) const override;
    [[nodiscard]] QRectF cellRect(int cell) const override;
    [[nodiscard]] QString cellText(int cell) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    [[nodiscard]] int cellBeside(int cell, int key) const override;
    void cellPressed(int cell, Qt::KeyboardModifiers modifiers) override;
    void cellReached(int cell) override;

private:
    void fill();
    [[nodiscard]] int cellOf(const std::pair<int, int>& pair) const;
    [[nodiscard]] double side() const;
    [[nodiscard]] const ttnn::EdgeInfo& info() const;
    [[nodiscard]] ttnn::PairAnswer answer(int row, int column) const;
    [[nodiscard]] QString markOf(int row, int column) const;
    [[nodiscard]] QString configText(OpId op, int config) const;
    void paintHeads(QPainter& painter) const;
    void paintCell(QPainter& painter, int row, int column) const;

    ChainDataPtr data_;
    int edge_ = -1, columns_ = 0, round_ = -1;
    std::vector<int> producers_;  ///< configurations of the rows, ascending
    std::vector<int> fates_;
};

}  // namespace memplan::ui
