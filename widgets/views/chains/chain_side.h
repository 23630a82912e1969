// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the lanes (user-experience 8.2, 8.4 to 8.7): the chain with its states and its story, the path matrix of an
// edge, the configurations of an operation, the reservations at a position.
#pragma once

#include "widgets/views/chains/chain_view.h"
#include "widgets/views/chains/data/chain_story.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QScrollArea;
class QStackedWidget;
class QStandardItemModel;
class QTabBar;
class QTableView;

namespace memplan::ui {

class PathMatrix;

class ChainSide final : public QWidget {
    Q_OBJECT
public:
    enum Page { Chain, Paths, Configurations, Reservations };

    explicit ChainSide(ChainView* view, QWidget* parent = nullptr);
    void showPage(Page page);
    [[nodiscard]] PathMatrix* matrix() const { return matrix_; }
    [[nodiscard]] const QStandardItemModel* configurations() const { return configs_; }

signals:
    void proposed(const memplan::ui::ChainProposal& proposal);
    void recompileRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void refresh();
    void fillChain();
    void fillPaths();
    void fillConfigurations();
    void fillReservations();
    void force(int row);
    [[nodiscard]] OpId selectedOp() const;
    [[nodiscard]] int edgeOf(OpId op) const;
    QTableView* makeTable(QStandardItemModel* model, const QString& name);

    ChainView* view_;
    QTabBar* tabs_;
    QStackedWidget* stack_;
    QScrollArea* chain_;
    QLabel* pathsTitle_;
    QPushButton* recompile_;
    PathMatrix* matrix_;
    QLabel* configsTitle_;
    QStandardItemModel* configs_;
    QTableView* configTable_;
    QPushButton* force_;
    QLabel* reservedTitle_;
    QStandardItemModel* reserved_;
    std::vector<ConfigRow> rows_;
    bool isPending_ = true;
};

}  // namespace memplan::ui

Q_DECLARE_METATYPE(memplan::ui::ChainProposal)
