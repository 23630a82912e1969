// SPDX-License-Identifier: GPL-3.0-or-later
#include "batch/dock_picture.h"

#include "core/theme.h"
#include "passes/passes_view.h"
#include "problems/problems_view.h"

#include <QCoreApplication>
#include <QTableView>

namespace memplan::app {

namespace {

const QString kPasses = QStringLiteral("passes"), kProblems = QStringLiteral("problems");

}  // namespace

bool DockPicture::isKey(const QString& key) {
    return key == kPasses || key == kProblems;
}

DockPicture::DockPicture(const QString& key, ui::SelectionHub& hub, QString planName) : planName_(std::move(planName)) {
    if (key == kPasses) {
        auto passes = std::make_unique<ui::PassesView>(&hub);
        passes->setPlanName(planName_);
        table_ = passes->findChild<QTableView*>(QStringLiteral("passTable"))->model();
        widget_ = std::move(passes);
        name_ = QCoreApplication::translate("DockPicture", "Passes");
    } else {
        auto problems = std::make_unique<ui::ProblemsView>(&hub);
        table_ = problems->table()->model();
        widget_ = std::move(problems);
        name_ = QCoreApplication::translate("DockPicture", "Problems");
    }
    widget_->setAttribute(Qt::WA_DontShowOnScreen);
    widget_->setFocusPolicy(Qt::NoFocus);
}

DockPicture::~DockPicture() = default;

QSize DockPicture::pictureSize() const {
    return widget_->size();
}

void DockPicture::paintPicture(QPainter& painter, QSize size, const ui::Theme&) const {
    widget_->resize(size);
    widget_->show();
    // Splitters and columns settle with the events of the first showing.
    QCoreApplication::processEvents();
    widget_->render(&painter);
    widget_->hide();
}

}  // namespace memplan::app
