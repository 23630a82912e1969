// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the export dialog for the open document and keeps it on what is shown (UX 17.1).
#pragma once

#include "app/gui/document/document_controller.h"

#include <QObject>
#include <QPointer>

namespace memplan::app {

class ExportDialog;
class WindowServices;
enum class ExportWhat;

class ExportController final : public QObject {
    Q_OBJECT
public:
    /// `window` is the parent of the dialog.
    ExportController(DocumentController& controller, WindowServices& services, QWidget* window);

    void show(ExportWhat what);  ///< nothing without a document
    void shownChanged();         ///< what is compared on screen has changed

private:
    DocumentController& controller_;
    WindowServices& services_;
    QWidget* window_;
    QPointer<ExportDialog> dialog_;
};

}  // namespace memplan::app
