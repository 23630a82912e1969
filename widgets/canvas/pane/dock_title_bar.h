// SPDX-License-Identifier: GPL-3.0-or-later
// Title of a dock: name strong, scope beside it, buttons right (design-system 5.2, 13.6). Mouse
// events fall through, so the dock moves and floats as usual.
#pragma once

#include <QWidget>

class QAction;
class QDockWidget;
class QHBoxLayout;
class QLabel;
class QToolButton;

namespace memplan::ui {

class GraphicView;

class DockTitleBar final : public QWidget {
    Q_OBJECT
public:
    /// `dock` may be nullptr: then float and close are left out (views in a tab).
    DockTitleBar(const QString& name, QDockWidget* dock, QWidget* parent = nullptr);
    void setName(const QString& name);
    void setScope(const QString& scope);
    [[nodiscard]] QString scope() const { return scope_; }
    /// Adds a 16 px icon button left of float and close.
    QToolButton* addButton(const QString& iconName, const QString& tooltip);
    QToolButton* addAction(QAction* action);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* makeButton(const QString& iconName, const QString& tooltip);
    QString name_, scope_;
    QHBoxLayout* buttons_;
    int fixedButtons_ = 0;
};

/// Installs a title bar that follows the view's scope, with table twin and fit buttons.
DockTitleBar* makeViewTitle(class ViewPane* pane, QDockWidget* dock);

}  // namespace memplan::ui
