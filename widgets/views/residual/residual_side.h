// SPDX-License-Identifier: GPL-3.0-or-later
// Beside the residual view: plateaus with the hint that may end one, the layers as a table with who owns them, and how
// long the selected node is held (user-experience 9.2, 9.3, 9.4, 9.6).
#pragma once

#include <QWidget>

#include <utility>
#include <vector>

class QLabel;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QStandardItemModel;
class QTabBar;
class QTableView;
class QVBoxLayout;

namespace memplan::ui {

class ResidualView;
struct ResidualPlateau;
class LayerTableModel;

class ResidualSide final : public QWidget {
    Q_OBJECT
public:
    enum Page { Plateaus, Layers, Node };

    explicit ResidualSide(ResidualView* view, QWidget* parent = nullptr);
    void showPage(Page page);
    [[nodiscard]] QStandardItemModel* plateauRows() const { return plateaus_; }
    [[nodiscard]] QStandardItemModel* readerRows() const { return readers_; }
    [[nodiscard]] QStandardItemModel* ownerRows() const { return owners_; }
    [[nodiscard]] LayerTableModel* layerRows() const { return layers_; }

signals:
    /// A hint `concurrency` on the graph with this value.
    void scopeProposed(const QString& json);
    /// To compile with one K after another for the parallel chains into the node of this number.
    void sweepRequested(qint64 join);

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* buildPlateaus();
    QWidget* buildLayers();
    QWidget* buildNode();
    void refresh();
    void fillPlateaus();
    void fillCard();
    [[nodiscard]] const ResidualPlateau* shownPlateau() const;  ///< null: none
    void fillLayers();
    void fillNode();
    void selectRow(QTableView* table, int row);

    ResidualView* view_;
    QTabBar* tabs_;
    QStackedWidget* stack_;
    QStandardItemModel* plateaus_;
    QTableView* plateauTable_ = nullptr;
    QLabel *none_ = nullptr, *cardTitle_ = nullptr, *cardText_ = nullptr, *kWord_ = nullptr;
    std::vector<std::pair<QLabel*, QLabel*>> conditions_;  ///< glyph and text
    QSpinBox* k_ = nullptr;
    QPushButton *add_ = nullptr, *sweep_ = nullptr;
    LayerTableModel* layers_;
    QTableView* layerTable_ = nullptr;
    QLabel* ownersTitle_ = nullptr;
    QTableView* ownerTable_ = nullptr;
    QStandardItemModel* owners_;
    QLabel *nodeTitle_ = nullptr, *nodeText_ = nullptr;
    QStandardItemModel* readers_;
    QTableView* readerTable_ = nullptr;
    bool isPending_ = true, isFilling_ = false;
};

}  // namespace memplan::ui
