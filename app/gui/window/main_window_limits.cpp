// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs over a limit: asked about before they are loaded, or refused with the limit's name (UX 19.8).
#include "app/gui/document/large_input.h"
#include "app/gui/pages/error_page.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/status_facts.h"

#include <algorithm>

namespace memplan::app {

void MainWindow::openFailed(const QString& path, const Error& error) {
    const OpenRequest last = controller_.lastRequest();
    isLoading_ = false;
    const auto limit = passedLimit(path, error, last.settings);
    if (limit && limit->canBeRaised()) return askToRaise(path, *limit, last);
    error_->show(path, error, limit ? limit->refusal() : QString());
    showPage(error_);
    facts_->showNotLoaded(
        static_cast<int>(std::ranges::count(error.diagnostics, Severity::Error, &Diagnostic::severity)));
    emit titleChanged();
}

/// What is on screen stays there until the answer; the setting goes with the document.
void MainWindow::askToRaise(const QString& path, const PassedLimit& limit, const OpenRequest& last) {
    auto* dialog = new LargeInputDialog(path, limit, last.cut, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, last] {
        OpenRequest request = last;
        request.settings.push_back(dialog->raised());
        request.cut = dialog->cut();
        controller_.open(request);
    });
    connect(dialog, &QDialog::rejected, this, &MainWindow::leaveErrorPage);
    dialog->open();
}

}  // namespace memplan::app
