// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/workspace/inspector_sections.h"

#include "widgets/views/inspector/inspector_view.h"

#include <QHash>
#include <QSettings>

namespace memplan::app {

void rememberSections(ui::InspectorView* inspector) {
    QSettings settings;
    settings.beginGroup(QStringLiteral("inspector"));
    QHash<QString, bool> open;
    for (const QString& key : settings.childKeys())
        open.insert(key, settings.value(key).toBool());
    inspector->setOpenSections(open);
    QObject::connect(inspector, &ui::InspectorView::sectionsChanged, inspector, [inspector] {
        QSettings stored;
        const QHash<QString, bool> now = inspector->openSections();
        for (auto it = now.begin(); it != now.end(); ++it)
            stored.setValue(QStringLiteral("inspector/") + it.key(), it.value());
    });
}

}  // namespace memplan::app
