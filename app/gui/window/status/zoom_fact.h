// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps the zoom in the status bar that of the view with the focus (UX 3.5).
#pragma once

#include <QObject>

class QWidget;

namespace memplan::app {

class Perspectives;
class StatusFacts;
class Workspace;

class ZoomFact final : public QObject {
    Q_OBJECT
public:
    /// Views of `window` alone: other documents have windows of their own.
    ZoomFact(const QWidget& window, const Workspace& workspace, const Perspectives& perspectives, StatusFacts* facts);

private:
    void showFocused();

    const QWidget& window_;
    const Workspace& workspace_;
    StatusFacts& facts_;
};

}  // namespace memplan::app
