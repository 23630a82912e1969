// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps actions, bars, docks and status bar on the open document: its kind, its state, the plan on screen
// (UX 2.1, 3.5).
#pragma once

#include "app/gui/document/document_controller.h"
#include "app/gui/window/commands/window_parts.h"

#include <QObject>

class QAction;

namespace memplan::app {

class Actions;
class InstanceBar;
class Notices;
class StatusFacts;
class ToolBar;
class Waiting;

class DocumentDisplay final : public QObject {
    Q_OBJECT
public:
    struct Bars {
        Actions& actions;
        ToolBar& tools;
        InstanceBar& instances;
        StatusFacts& facts;
        Notices& notices;
        Waiting& waiting;
    };
    DocumentDisplay(const WindowParts& parts, const Bars& bars, QObject* parent);

    void follow(Document& document);  ///< that has just been opened
    void clear();                     ///< the document has gone
    /// Hides what makes no sense for the kind; it comes back with a document of another kind.
    void fitToKind();
    void showState();
    void expectFirstPlan() { isFirst_ = true; }  ///< a document is being opened

signals:
    void titleChanged();
    void firstPlan();  ///< of a document, on screen

private:
    void currentPlanChanged();
    void shownPlanChanged();
    void comparingChanged(bool on);
    void showCounts();
    [[nodiscard]] QAction& action(const char* id) const;

    const WindowParts& parts_;
    Bars bars_;
    bool isFirst_ = true;  ///< the next plan is the document's first
};

}  // namespace memplan::app
