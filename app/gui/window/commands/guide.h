// SPDX-License-Identifier: GPL-3.0-or-later
// What the window offers to read: help, the keyboard map, the tour, About (UX 3.14, 4.3, 15.4, 21).
#pragma once

#include "app/gui/help/help_window.h"
#include "app/gui/help/tour.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QMainWindow;

namespace memplan::app {

class ActionTable;
class Docks;
class DocumentController;
class ErrorPage;
class Perspectives;
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
        Perspectives& perspectives;
        QWidget* toolBar;
        /// Opens the sample that the tour goes over; false where it is not there.
        std::function<bool()> openFirstSample;
    };
    Guide(QMainWindow* window, const Parts& parts);

    void showTopic(const QString& id);
    /// F1: the code of the row where problems have the focus, or of the problem that is selected, else the page of the
    /// view or dock.
    void showHelp();
    void showKeyboardMap();  ///< of what has the focus
    void showAbout();
    void showTour();  ///< over the first sample, which is opened when needed
    /// The first time that the first sample is open, the tour is shown over it (UX 4.3).
    void offerTour() { offersTour_ = true; }
    void pictureShown();  ///< the first plan of a document is on screen

private:
    [[nodiscard]] QString keysInFocus() const;
    [[nodiscard]] bool isFirstSample() const;
    void startTour();

    QMainWindow* window_;
    Parts parts_;
    QPointer<HelpWindow> help_;
    QPointer<Tour> tour_;
    bool offersTour_ = false;
    bool wantsTour_ = false;  ///< as soon as the sample is there
};

}  // namespace memplan::app
