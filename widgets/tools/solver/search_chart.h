// SPDX-License-Identifier: GPL-3.0-or-later
// Best value over the counted steps of a search, with its bound (user-experience 12.2).
#pragma once

#include "engine/base/search_trace.h"

#include <QWidget>

namespace memplan::ui {

/// What a trace says in words: measure, value text, how the run ended and what would continue it.
[[nodiscard]] QString searchMeasureText(const SearchTrace& trace);
[[nodiscard]] QString searchValueText(const SearchTrace& trace, std::int64_t value);
/// "best after 412 of 1 500 moves: 1 204 224 B to 1 677 056 B".
[[nodiscard]] QString searchSentence(const SearchTrace& trace);

class SearchChart final : public QWidget {
    Q_OBJECT
public:
    explicit SearchChart(QWidget* parent = nullptr);
    void setTrace(SearchTrace trace);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] double xOf(std::int64_t step) const;
    [[nodiscard]] double yOf(std::int64_t value) const;
    void paintAxes(QPainter& painter) const;
    void paintCurve(QPainter& painter) const;
    void paintBound(QPainter& painter) const;

    SearchTrace trace_;
    std::int64_t low_ = 0, high_ = 1;
};

}  // namespace memplan::ui
