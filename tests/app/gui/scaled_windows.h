// SPDX-License-Identifier: GPL-3.0-or-later
// Windows whose text is made larger while they are shown.
#pragma once

#include "app/gui/tasks/background_task.h"
#include "app/gui/window/main_window.h"
#include "tests/support/waiting.h"
#include "tests/support/window_support.h"
#include "widgets/kit/style/studio_style.h"

#include <QApplication>
#include <QTest>
#include <QWidget>

#include <algorithm>
#include <vector>

namespace memplan::test {

inline void setText(double factor) {
    qobject_cast<ui::StudioStyle*>(QApplication::style())->setTheme(ui::Theme(ui::ThemeKind::Light, factor));
    QCoreApplication::processEvents();
}

inline QRect onWindow(const QWidget& widget) {
    return QRect(widget.mapTo(widget.window(), QPoint()), widget.size());
}

/// What is on screen and where: class, name and place in the window, one line each.
inline QStringList placesOf(const QWidget& window) {
    QStringList places;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        if (widget->visibleRegion().isEmpty() || widget->window() != &window) continue;
        const QRect at = onWindow(*widget);
        places << QStringLiteral("%1 %2 %3,%4 %5x%6")
                      .arg(QString::fromLatin1(widget->metaObject()->className()),
                           widget->objectName() + widget->accessibleName())
                      .arg(at.x())
                      .arg(at.y())
                      .arg(at.width())
                      .arg(at.height());
    }
    places.sort();
    return places;
}

inline QString differenceOf(const QStringList& before, const QStringList& now) {
    QStringList lines;
    for (const QString& line : before)
        if (!now.contains(line)) lines << QStringLiteral("was ") + line;
    for (const QString& line : now)
        if (!before.contains(line)) lines << QStringLiteral("is ") + line;
    return lines.join(u'\n');
}

/// With the samples, of which S1 is shown.
class ScaledWindows {
protected:
    [[nodiscard]] bool prepare() {
        samples_ = app::prepareProgram();
        return samples_.size() >= 6;
    }
    /// Shows S1; nothing runs any more.
    [[nodiscard]] bool load(app::MainWindow& window) {
        const QList<app::LongTask*> tasks = window.findChildren<app::LongTask*>();
        return app::openSample(window, io::findSample(samples_, "S1")) &&
               QTest::qWaitFor([&] { return std::ranges::none_of(tasks, &app::LongTask::isRunning); }, 60000);
    }
    /// The same in a window of its own.
    [[nodiscard]] bool open(app::MainWindow& window, QSize size = {1600, 1000}) {
        window.resize(size);
        window.show();
        return load(window);
    }

    std::vector<io::SampleInfo> samples_;
};

}  // namespace memplan::test
