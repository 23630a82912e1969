// SPDX-License-Identifier: GPL-3.0-or-later
// Settings of the program (user-experience 23): pages made from the table of preferences and an editor
// of shortcuts. Every change applies at once.
#pragma once

#include "app/gui/preferences/preferences.h"

#include <QDialog>

class QLabel;
class QListWidget;
class QStackedWidget;
class QTableWidget;

namespace memplan::app {

class ActionTable;

/// Table of all actions with editable keys; keys that two actions share are shown with both names.
class ShortcutsPage final : public QWidget {
    Q_OBJECT
public:
    explicit ShortcutsPage(const ActionTable& actions, QWidget* parent = nullptr);
    /// "Ctrl+K is also used by Find anything"; empty when every key is used once.
    [[nodiscard]] QString conflictText() const;

private:
    void fill();
    void showConflicts();
    const ActionTable& actions_;
    QTableWidget* table_;
    QLabel* conflicts_;
};

class SettingsDialog final : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(const ActionTable& actions, QWidget* parent = nullptr);
    void showPage(const QString& page);

private:
    QWidget* makePage(const QString& page);
    QWidget* makeEditor(const PreferenceRow& row, QWidget* parent);
    void resetCurrentPage();
    void rebuildPages();

    const ActionTable& actions_;
    QListWidget* list_;
    QStackedWidget* stack_;
};

}  // namespace memplan::app
