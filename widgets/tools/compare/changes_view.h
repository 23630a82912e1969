// SPDX-License-Identifier: GPL-3.0-or-later
// The dock of a comparison: the change table with its filters, and the table of all metrics
// (user-experience 16.4-16.6). A row selects its item in every view.
#pragma once

#include "widgets/plan/selection_hub.h"
#include "widgets/tools/compare/change_model.h"

#include <QWidget>

#include <array>

class QLabel;
class QTabBar;
class QStackedWidget;
class QTableView;

namespace memplan::ui {

class Chip;
class EmptyBlock;
class LinkLabel;
class SortFilterModel;

class ChangesView final : public QWidget {
    Q_OBJECT
public:
    explicit ChangesView(SelectionHub* hub, QWidget* parent = nullptr);
    void setComparison(const ComparedPtr& compared);  ///< null: nothing is compared
    [[nodiscard]] QTableView* table() const { return table_; }
    [[nodiscard]] Chip* residencyOnly() const { return residency_; }
    [[nodiscard]] int shownCount() const;

signals:
    void csvRequested();
    void compareRequested();  ///< nothing is compared and the user wants to
    void pagesRequested();    ///< comparison as PDF

private:
    void build();
    [[nodiscard]] QWidget* buildBar();
    void buildTables();
    void applyFilter();

    SelectionHub* hub_;
    ChangeModel* model_;
    MetricRowModel* metrics_;
    SortFilterModel* sorted_;
    QTableView* table_;
    QTableView* metricTable_;
    QStackedWidget* pages_;
    Chip* residency_ = nullptr;
    Chip* all_ = nullptr;
    std::array<Chip*, compare::kChangeKinds> kinds_{};
    QLabel* matched_ = nullptr;
};

}  // namespace memplan::ui
