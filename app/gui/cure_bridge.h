// SPDX-License-Identifier: GPL-3.0-or-later
// Cures beside their reason: in the inspector for the selected refused buffer, and one-click fixes of the Problems list
// (UX 10, 15.3). Trying runs in the background and never holds the window up.
#pragma once

#include "cure_finder.h"
#include "document_controller.h"

#include <QObject>
#include <QTimer>

namespace memplan::ui {
class HintsView;
}

namespace memplan::app {

class Workspace;

class CureBridge final : public QObject {
    Q_OBJECT
public:
    /// Graphs above this are tried only when a fix is asked for.
    static constexpr std::size_t kAutomaticOps = 2000;

    CureBridge(DocumentController& controller, Workspace& workspace, QObject* parent);

signals:
    void message(const QString& text);

private:
    void selectionChanged();
    void show(BufferId refused);
    void apply(const CureAttempt& attempt);
    void fix(int problem);
    void fixAll(const QString& code);
    [[nodiscard]] std::vector<Hint> mismatchHints(int problem, QString& title) const;
    [[nodiscard]] std::optional<BufferId> selectedRefusal() const;

    DocumentController& controller_;
    Workspace& workspace_;
    CureFinder inspectorSearch_;
    CureFinder fixSearch_;
    QTimer wait_;
    std::vector<TriedCure> shown_;
};

}  // namespace memplan::app
