// SPDX-License-Identifier: GPL-3.0-or-later
// What the user's preferences mean for the views of a window: units, wheel, direction and limits of the graph,
// and for a document that it opens (UX 2.3, 22, 23).
#pragma once

#include "widgets/plan/units.h"

#include <QObject>

namespace memplan::app {

class DocumentController;
class Workspace;

class ViewPreferences final : public QObject {
    Q_OBJECT
public:
    ViewPreferences(Workspace& workspace, QObject* parent);

    void applyAll();                                     ///< but for the appearance, which the program has already
    void applyTo(DocumentController& controller) const;  ///< depth of undo, automatic recompiling
    void setUnits(const ui::Units& units);
    [[nodiscard]] const ui::Units& units() const { return units_; }

signals:
    void unitsChanged(const memplan::ui::Units& units);
    void appearanceChanged();

private:
    void apply(const QString& key);

    Workspace& workspace_;
    ui::Units units_;
};

}  // namespace memplan::app
