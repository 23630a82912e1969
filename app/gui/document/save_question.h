// SPDX-License-Identifier: GPL-3.0-or-later
// "Save changes?" with the list of what would be lost (UX 3.7). One of the few modal questions (architecture 8.10).
#pragma once

#include <QList>
#include <QString>
#include <QStringList>

class QWidget;

namespace memplan::app {

struct UnsavedDocument {
    QString name;
    QStringList changes;  ///< Document::unsavedChanges
};

enum class SaveAnswer { Save, Discard, Cancel };

[[nodiscard]] SaveAnswer askToSave(QWidget* parent, const QList<UnsavedDocument>& documents);

}  // namespace memplan::app
