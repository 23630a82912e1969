// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/view_preferences.h"

#include "app/gui/document/document_controller.h"
#include "app/gui/preferences/appearance.h"
#include "app/gui/preferences/preferences.h"
#include "app/gui/workspace/workspace.h"
#include "widgets/canvas/graphic_view.h"
#include "widgets/views/graph/graph_pane.h"
#include "widgets/views/graph/graph_view.h"

namespace memplan::app {

ViewPreferences::ViewPreferences(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
    connect(&Preferences::instance(), &Preferences::changed, this, &ViewPreferences::apply);
}

void ViewPreferences::applyAll() {
    for (const PreferenceRow& row : Preferences::instance().rows()) {
        if (!row.key.startsWith(u"appearance/")) apply(row.key);
    }
}

void ViewPreferences::apply(const QString& key) {
    const Preferences& p = Preferences::instance();
    ui::GraphArranger& arranger = workspace_.graphPane()->view()->arranger();
    if (key == u"general/unit" || key == u"general/hex") {
        setUnits(preferredUnits());
    } else if (key == u"general/wheel") {
        for (ui::GraphicView* v : workspace_.views())
            v->setWheelScrolls(p.value(key).toString() == u"scroll");
    } else if (key == u"graph/direction") {
        arranger.setDirection(preferredDirection());
    } else if (key == u"graph/visible_nodes" || key == u"graph/deadline_ms") {
        arranger.setLimits(p.value(QStringLiteral("graph/visible_nodes")).toInt(),
                           p.value(QStringLiteral("graph/deadline_ms")).toInt());
    } else if (key.startsWith(u"appearance/")) {
        applyPreferredTheme();
        emit appearanceChanged();
    }
}

void ViewPreferences::applyTo(DocumentController& controller) const {
    const Preferences& p = Preferences::instance();
    controller.document()->undoStack().setUndoLimit(p.value(QStringLiteral("general/undo_depth")).toInt());
    const auto limit = p.value(QStringLiteral("general/auto_recompile_ops")).toULongLong();
    controller.setAutomatic(controller.documentSize() < limit);
}

void ViewPreferences::setUnits(const ui::Units& units) {
    units_ = units;
    workspace_.setUnits(units);
    emit unitsChanged(units);
}

}  // namespace memplan::app
