// SPDX-License-Identifier: GPL-3.0-or-later
// The window while there is no plan to show: a file is read, a compile runs, failed or was cancelled (UX 19.1, 19.2,
// 19.4, 19.5). Says in the views why they are empty, and does what their button offers.
#pragma once

#include "app/gui/document/document_controller.h"

#include <QObject>

namespace memplan::app {

class Docks;
class Workspace;

class Waiting final : public QObject {
    Q_OBJECT
public:
    Waiting(DocumentController& controller, Workspace& workspace, Docks& docks, QObject* parent);

    void show();  ///< without effect on views that have a plan
    void end();   ///< the document page is not waiting for its first document any more

signals:
    /// A first document takes its time: the page it will stand in is to be shown (19.2).
    void loading();
    /// Reading ended without a document; the text says so when the user cancelled it.
    void ended(const QString& text);
    void compileCancelled(double seconds, const QString& step);

private:
    void startLoading();
    void act(const QString& key);
    void switchPlanningOn();
    void taskCancelled(double seconds, const QString& step);

    DocumentController& controller_;
    Workspace& workspace_;
    Docks& docks_;
    bool isLoading_ = false;  ///< the document page stands empty while the first document is read
};

}  // namespace memplan::app
