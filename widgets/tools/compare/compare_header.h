// SPDX-License-Identifier: GPL-3.0-or-later
// Above the views while two plans are compared: A and B, the form of the views, whether both are plans of the same
// thing, the outcome and the metrics that decide (user-experience 16.1, 16.3, 16.5; picture i).
#pragma once

#include "widgets/tools/compare/change_model.h"

#include <QStringList>
#include <QWidget>

#include <array>

class QComboBox;
class QLabel;

namespace memplan::ui {

class Chip;
class Strip;

/// The first metrics as cards: title, A -> B, change with its word; as many as there is room for.
class MetricCards final : public QWidget {
    Q_OBJECT
public:
    explicit MetricCards(QWidget* parent = nullptr);
    void setMetrics(std::vector<compare::MetricRow> rows);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    void paintCards(QPainter& painter, QSize size, const class Theme& theme) const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintCard(QPainter& painter, const QRectF& box, const compare::MetricRow& row, const class Theme& theme) const;
    std::vector<compare::MetricRow> rows_;
};

class CompareHeader final : public QWidget {
    Q_OBJECT
public:
    enum class Form { SideBySide, Overlay, Difference };

    explicit CompareHeader(QWidget* parent = nullptr);
    /// Names to choose A from, in order; `chosen` = -1: none of them.
    void setBaselines(const QStringList& names, int chosen);
    void setPlans(const QStringList& names, int chosen);
    void setComparison(const ComparedPtr& compared);
    void setNotice(const QString& sentence);  ///< in place of the outcome
    [[nodiscard]] Form form() const { return form_; }
    void setForm(Form form);
    [[nodiscard]] const MetricCards& cards() const { return *cards_; }

signals:
    void baselineChosen(int index);
    void planChosen(int index);
    void swapRequested();
    void formChanged();
    void closeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitCards();

    bool isCompared_ = false;
    QComboBox* a_;
    QComboBox* b_;
    Strip* unlike_;  ///< plans of other inputs or machines
    QLabel* outcome_;
    MetricCards* cards_;
    std::array<Chip*, 3> forms_{};
    Form form_ = Form::SideBySide;
};

}  // namespace memplan::ui
