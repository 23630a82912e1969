// SPDX-License-Identifier: GPL-3.0-or-later
// What the window says above the views: that the plan is stale, cancelled or failed, what a plan file is, what opening
// and attaching met (UX 19.4, 19.5).
#pragma once

#include "app/gui/document/document_controller.h"

#include <QObject>

namespace memplan::ui {
class Strip;
}

namespace memplan::app {

class Docks;
class WindowServices;

class Notices final : public QObject {
    Q_OBJECT
public:
    /// `fileStrip` says what concerns the document's file; it belongs to somebody else.
    Notices(DocumentController& controller, WindowServices& window, Docks& docks, ui::Strip* fileStrip,
            QObject* parent);

    [[nodiscard]] ui::Strip* planStrip() const { return plan_; }
    void showState();  ///< of the open document's plan
    void showFailure();
    void showCancelled(double seconds, const QString& step);
    void showOpened();  ///< what opening the document met
    void showNotAttached(const QString& path, const Error& error);

signals:
    void planAgainRequested();  ///< the graph of a plan file is to be planned
    /// Sizes that the program chose are to be changed; `shown`: all of them, "batch=1, sequence=128".
    void sizesRequested(const QString& shown);

private:
    void showPlanFile();
    void showChosenSizes(const Diagnostic& note);
    void showStateOfFailure();
    void leaveStateOfFailure();

    DocumentController& controller_;
    WindowServices& window_;
    Docks& docks_;
    ui::Strip* plan_;
    ui::Strip* file_;
    QString sizes_;             ///< that the document's model is planned with, where the program chose some
    bool isCancelled_ = false;  ///< the plan is stale because its compile was cancelled
};

}  // namespace memplan::app
