// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep as a matrix of coloured cells (user-experience 13.3): colour is the metric, the number stands in the cell
// where there is room, sharp optima are ringed. Mouse, arrow keys and Enter.
#pragma once

#include "widgets/canvas/cells.h"
#include "widgets/canvas/picture/picture_source.h"

#include <QStringList>
#include <QWidget>

#include <optional>
#include <vector>

namespace memplan::ui {

struct SweepPicture {
    struct Cell {
        bool isDone = false;
        std::optional<double> value;  ///< of the metric; none = no plan
        QString text;                 ///< exact, with unit
        QString status;               ///< "ok" or the diagnostic code
        QString message;              ///< why there is no plan
    };
    QString rowKey, columnKey;  ///< rowKey empty: one row
    QStringList rows, columns;
    QString metric;
    bool isLowGood = true;
    std::vector<Cell> cells;  ///< row by row
    int current = -1;         ///< cell of the plan on screen
    [[nodiscard]] int rowCount() const { return std::max<int>(1, static_cast<int>(rows.size())); }
    [[nodiscard]] int columnCount() const { return static_cast<int>(columns.size()); }
};

/// Cells that are best of all and better than each neighbour of an axis by more than 10 %.
[[nodiscard]] std::vector<int> sharpOptima(const SweepPicture& picture);
/// Share 0 (worst) to 1 (best) of a cell between the extremes; nullopt without a value.
[[nodiscard]] std::optional<double> goodness(const SweepPicture& picture, int cell);

class SweepMatrix final : public QWidget, public Cells, public PictureSource {
    Q_OBJECT
public:
    explicit SweepMatrix(QWidget* parent = nullptr);
    void setPicture(SweepPicture picture);
    [[nodiscard]] const SweepPicture& picture() const { return picture_; }
    [[nodiscard]] int cellAt(QPointF position) const override;
    [[nodiscard]] QRectF cellRect(int cell) const override;
    [[nodiscard]] QString cellText(int cell) const override;

    [[nodiscard]] QString viewName() const override { return tr("Sweep"); }
    [[nodiscard]] QString scopeText() const override;
    [[nodiscard]] QSize pictureSize() const override { return size(); }
    void paintPicture(QPainter& painter, QSize size, const Theme& theme) const override;
    [[nodiscard]] QSize sizeHint() const override { return {420, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 90}; }

signals:
    void cellChosen(int cell);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override { return cellEvent(event) || QWidget::event(event); }
    [[nodiscard]] int cellBeside(int cell, int key) const override;
    void cellPressed(int cell, Qt::KeyboardModifiers modifiers) override;
    void cellHovered(int cell) override;
    [[nodiscard]] bool takesEnter() const override { return true; }

private:
    struct Frame {
        double left = 0, top = 0, width = 0, height = 0;  ///< of a cell, and where the first begins
    };
    [[nodiscard]] Frame frameFor(QSizeF size, const Theme& theme) const;
    void paintCell(QPainter& painter, const QRectF& box, int cell, const Theme& theme) const;
    void paintHeads(QPainter& painter, const Frame& frame, QSizeF size, const Theme& theme) const;

    SweepPicture picture_;
};

}  // namespace memplan::ui
