// SPDX-License-Identifier: GPL-3.0-or-later
// The toolbar in a narrow window or with large text: first perspectives and search go up beside the
// menus, then the words before the fields go, and what is still too much stands behind the toolbar's
// own ">>" (user-experience 22.4; nothing is cut).
#pragma once

#include <QObject>

#include <vector>

class QAction;
class QMainWindow;
class QToolBar;
class QWidget;

namespace memplan::app {

class PaletteButton;
class Perspectives;

class BarFit final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        QToolBar* bar = nullptr;
        Perspectives* perspectives = nullptr;
        PaletteButton* find = nullptr;
        std::vector<QAction*> end;    ///< of the bar: perspectives and search
        std::vector<QAction*> words;  ///< of the bar: "Solver", "Cores", ..., each before its field
    };
    BarFit(QMainWindow* window, Parts parts);

    /// Asked for when fields of the bar have come or gone: a name goes with its field.
    void fit();

signals:
    void findRequested();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] bool isOffered(QAction* action) const;
    [[nodiscard]] int wanted(bool withEnd, bool withWords) const;

    QMainWindow* window_;
    Parts parts_;
    QWidget* corner_;
    PaletteButton* find_;
    bool isFitting_ = false;
};

}  // namespace memplan::app
