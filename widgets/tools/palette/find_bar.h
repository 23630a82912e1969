// SPDX-License-Identifier: GPL-3.0-or-later
// Find in view (user-experience 3.9): a bar above the views; what does not match is dimmed, F3 steps
// through the rest.
#pragma once

#include "widgets/tools/palette/item_text.h"

#include <QPointer>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTimer;
class QToolButton;

namespace memplan::ui {

class GraphicView;

class FindBar final : public QWidget {
    Q_OBJECT
public:
    explicit FindBar(SelectionHub* hub, QWidget* parent = nullptr);

    void open(GraphicView* view);  ///< takes the focus; the text of the last search is selected
    void closeBar();
    /// The views that are dimmed together; matches of the searched view are stepped through.
    void setViews(std::vector<GraphicView*> views) { views_ = std::move(views); }
    void step(int direction);  ///< F3, Shift+F3; wraps around
    [[nodiscard]] const std::vector<ItemId>& matches() const { return matches_; }
    [[nodiscard]] QString reason() const { return error_; }  ///< why the regex is none
    [[nodiscard]] QLineEdit* field() const { return field_; }
    [[nodiscard]] FindOptions options() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void showCount();
    [[nodiscard]] std::vector<ItemId> steppable() const;
    [[nodiscard]] QToolButton* toggle(const QString& text, const QString& help);

    SelectionHub* hub_;
    std::vector<GraphicView*> views_;
    QPointer<GraphicView> view_;
    QLineEdit* field_;
    QToolButton* case_;
    QToolButton* word_;
    QToolButton* regex_;
    QToolButton* previous_;
    QToolButton* next_;
    QLabel* count_;
    QTimer* delay_;
    QString error_;
    std::vector<ItemId> matches_;
};

}  // namespace memplan::ui
