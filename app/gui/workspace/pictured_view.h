// SPDX-License-Identifier: GPL-3.0-or-later
// Views without a canvas of their own that are pictured all the same: passes, problems, comparison (user-experience
// 17.1, 18.2). A graphic view is its own picture.
#pragma once

#include "widgets/canvas/picture/picture_source.h"
#include "widgets/canvas/view_picture.h"

#include <QByteArray>
#include <QString>

#include <functional>
#include <memory>

class QWidget;

namespace memplan::app {

struct PicturedView {
    QString key;                ///< in names of files and of --screenshot
    QString title;              ///< "Passes"
    QWidget* widget = nullptr;  ///< with the focus in it, this is the view in front; null: it never is
    bool hasMarks = false;      ///< of a time cursor and notes
    std::function<bool()> isThere;
    std::function<QString()> whyNot = {};  ///< it is not there; null: nothing to say beyond that
    std::function<std::unique_ptr<ui::PictureSource>(const ui::RenderOptions&)> picture;
    std::function<QByteArray()> csv;      ///< of its table twin, all rows
    std::function<bool()> looksAsOpened;  ///< a command makes the same picture
};

}  // namespace memplan::app
