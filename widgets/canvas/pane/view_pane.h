// SPDX-License-Identifier: GPL-3.0-or-later
// A graphic view with its 30 px bar and its table twin (user-experience 2.17; design-system 4.1).
// Ctrl+T switches between picture and table; both show the same items and the same selection.
#pragma once

#include "widgets/canvas/graphic_view.h"

class QAbstractButton;
class QHBoxLayout;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;

namespace memplan::ui {

class BarLayout;
class LegendBar;
class RowScope;

class ViewPane final : public QWidget {
    Q_OBJECT
public:
    /// Takes the view. stretchColumn: column of the twin that takes the rest of the width.
    explicit ViewPane(GraphicView* view, int stretchColumn = -1, QWidget* parent = nullptr);

    [[nodiscard]] GraphicView* view() const { return view_; }
    /// Layout of the view bar, left part: combos and buttons of the view go here.
    [[nodiscard]] BarLayout* bar() const { return bar_; }
    /// A widget to the right of the picture (a metrics panel), hidden with the picture.
    void setSidePanel(QWidget* panel, QAbstractButton* toggle = nullptr);
    /// Presses the button of the side panel; nothing without one.
    void setSideShown(bool shown);
    /// In a pane that leaves the picture fewer than `leastPicture` logical pixels the side panel is closed; it opens
    /// again with the room. Its button opens it at any time.
    void letSideGiveWay(int leastPicture);
    [[nodiscard]] bool showsSide() const;
    [[nodiscard]] bool showsTable() const;
    [[nodiscard]] QTableView* table() const { return table_; }  ///< nullptr before the first Ctrl+T
    void refreshLegend();
    [[nodiscard]] QLineEdit* filter() const { return filter_; }  ///< of the twin; nullptr before it is made
    /// The twin shows only these items (a filter of the picture); nullopt = all.
    void setTableItems(std::optional<std::vector<ItemId>> items);
    /// CSV of the twin: all rows in the order of the table, or in their own while a filter hides some of them.
    [[nodiscard]] QByteArray tableCsv() const;

public slots:
    void toggleTable();
    void setTableVisible(bool visible);

signals:
    void tableToggled(bool visible);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitSide();
    void makeTable();
    void makeFilter();
    void takeUnits();

    GraphicView* view_;
    QWidget* barWidget_;
    BarLayout* bar_;
    LegendBar* legend_;
    QStackedWidget* stack_;
    QHBoxLayout* pictureRow_;
    QWidget* side_ = nullptr;
    QAbstractButton* sideToggle_ = nullptr;
    int leastPicture_ = 0;      ///< 0: the side panel never gives way
    bool isNarrow_ = false;     ///< too narrow for picture and side panel
    bool hasGivenWay_ = false;  ///< the side panel was open before the pane became narrow
    QTableView* table_ = nullptr;
    QLineEdit* filter_ = nullptr;
    RowScope* scope_ = nullptr;
    std::optional<std::vector<ItemId>> tableItems_;
    int stretchColumn_;
};

}  // namespace memplan::ui
