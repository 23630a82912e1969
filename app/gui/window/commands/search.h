// SPDX-License-Identifier: GPL-3.0-or-later
// "Find anything": what the command palette finds, and where it leads (UX 3.8).
#pragma once

#include "widgets/plan/selection_hub.h"

#include <QObject>

#include <vector>

class QWidget;

namespace memplan::ui {
class CommandPalette;
}

namespace memplan::app {

class ActionTable;
class Docks;
class DocumentController;

class Search final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        DocumentController& controller;
        const ActionTable& actions;
        Docks& docks;
        QWidget& toolBar;  ///< the palette stands below it
        QWidget& menus;    ///< or below these
    };
    Search(QWidget* window, const Parts& parts);

    void open(const QString& text);

private:
    void showItems(const std::vector<ui::ItemId>& items, bool show);

    Parts parts_;
    ui::CommandPalette* palette_;
};

}  // namespace memplan::app
