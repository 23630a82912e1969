// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers to read: help, the keyboard map, About (UX 3.14, 15.4, 21).
#pragma once

#include "app/gui/help/help_window.h"

#include <QObject>
#include <QPointer>

class QMainWindow;

namespace memplan::app {

class ActionTable;
class Docks;
class DocumentController;
class ErrorPage;
class Workspace;

class Guide final : public QObject {
    Q_OBJECT
public:
    struct Parts {
        const DocumentController& controller;
        const Workspace& workspace;
        const Docks& docks;
        const ActionTable& actions;
        const ErrorPage& error;
    };
    Guide(QMainWindow* window, const Parts& parts);

    void showTopic(const QString& id);
    /// F1: the code of the row where problems have the focus, or of the problem that is selected, else the page of the
    /// view or dock.
    void showHelp();
    void showKeyboardMap();  ///< of what has the focus
    void showAbout();

private:
    [[nodiscard]] QString keysInFocus() const;

    QMainWindow* window_;
    Parts parts_;
    QPointer<HelpWindow> help_;
};

}  // namespace memplan::app
