// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of views that are made of tables and texts: the passes and the problems (user-experience 18.2).
#pragma once

#include "export/picture_source.h"

#include <memory>

class QAbstractItemModel;
class QWidget;

namespace memplan::ui {
class SelectionHub;
}

namespace memplan::app {

class DockPicture final : public ui::PictureSource {
public:
    /// `key` is "passes" or "problems"; the view is an own one of the plan in `hub`, in the style of the application.
    DockPicture(const QString& key, ui::SelectionHub& hub, QString planName);
    ~DockPicture() override;

    [[nodiscard]] static bool isKey(const QString& key);
    [[nodiscard]] const QAbstractItemModel& table() const { return *table_; }
    [[nodiscard]] QString viewName() const override { return name_; }
    [[nodiscard]] QString scopeText() const override { return planName_; }
    [[nodiscard]] QSize pictureSize() const override;
    void paintPicture(QPainter& painter, QSize size, const ui::Theme& theme) const override;

private:
    std::unique_ptr<QWidget> widget_;
    const QAbstractItemModel* table_ = nullptr;
    QString name_, planName_;
};

}  // namespace memplan::app
