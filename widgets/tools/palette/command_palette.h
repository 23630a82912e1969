// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette (user-experience 3.8, design-system 10.2): one field over the dimmed window,
// items of the plan as plain text, commands after ">".
#pragma once

#include "widgets/tools/palette/palette_model.h"

#include <QPointer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QListView;

namespace memplan::ui {

class Chip;

class CommandPalette final : public QWidget {
    Q_OBJECT
public:
    /// Covers `window`'s content below its toolbar while it is open.
    explicit CommandPalette(QWidget* window);

    /// What is searched; set it before open().
    [[nodiscard]] PaletteItems& items() { return items_; }
    void open(const QString& text = {});
    void closePalette();
    [[nodiscard]] bool isOpen() const { return isVisible(); }
    [[nodiscard]] PaletteModel& model() { return *model_; }
    [[nodiscard]] QLineEdit* field() const { return field_; }
    /// First line of the dimmed area, in the window; what is above stays as it is.
    void setTopEdge(int y) { topEdge_ = y; }

signals:
    /// `show`: bring it into view as well (Enter); false: select only (Ctrl+Enter).
    void itemsChosen(const std::vector<memplan::ui::ItemId>& items, bool show);
    void commandChosen(const QString& id);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    class Box;
    [[nodiscard]] QWidget* buildHead();
    void buildChips();
    void buildList();
    void search();
    void choose(bool show);
    void nextGroup(int direction);
    void showChips();
    void place();
    [[nodiscard]] bool fieldKey(int key, Qt::KeyboardModifiers modifiers);

    PaletteItems items_;
    QWidget* window_;
    Box* box_;
    QLabel* glass_;
    QLineEdit* field_;
    QLabel* count_;
    QWidget* chipRow_;
    std::vector<std::pair<QString, Chip*>> chips_;  ///< prefix, chip
    QListView* list_;
    QLabel* nothing_;
    PaletteModel* model_;
    QPointer<QWidget> before_;  ///< had the focus
    int topEdge_ = 0;
};

}  // namespace memplan::ui
